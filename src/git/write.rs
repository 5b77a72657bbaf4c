//! Durable object writes: everything of one publication goes into one pack stream.
//!
//! Ids are computed in process. The objects become one pack (`git index-pack` in a quarantine), which is
//! synced, and held against `git gc` ([`super::packs`]), when [`PackWriter::write`] returns, so that a ref may be moved to
//! them. Nothing is left out because the object store has it already: what is there may be about to be pruned. Git chooses
//! file modes and sharing, so `core.sharedRepository` behaves as it does for a commit.

use super::error::Error;
use super::identity::Signature;
use super::objects::Objects;
use super::packs::{self, Held};
use super::quarantine::Quarantine;
use super::repo::Repo;
use super::tree::EntryMode;
use super::{failpoint, obstacle, program};
use crate::id::{BlobId, CommitId, TreeId};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use gix::ObjectId;
use gix::bstr::{BString, ByteSlice as _};
use gix::objs::Kind;
use rustc_hash::FxHashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How often a pack is received again that `git prune --expire=now` took away, which spares no temporary
/// files. It can only meet one of a few milliseconds.
const TRIES: u32 = 16;
/// Bytes above which compression is spread over threads; below, starting one costs more.
const PARALLEL_BYTES: usize = 2 << 20;
/// Segments are packed integers already: level 1 keeps most of the gain at a fraction of the time.
const LEVEL: Compression = Compression::new(1);

/// One entry of a tree that is to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NewEntry {
    /// A file.
    Blob(BlobId),
    /// A directory.
    Tree(TreeId),
    /// What is not a plain file and stays as somebody else made it: a program, a link, a submodule.
    Other(EntryMode, BlobId),
}

/// Collects objects and writes them at once.
pub struct PackWriter {
    hash: gix::hash::Kind,
    objects: Vec<(Kind, Vec<u8>)>,
    seen: FxHashSet<ObjectId>,
    bytes: usize,
}

impl PackWriter {
    /// Starts an empty collection for a store with this hash.
    pub fn new(hash: gix::hash::Kind) -> Self {
        Self {
            hash,
            objects: Vec::new(),
            seen: FxHashSet::default(),
            bytes: 0,
        }
    }

    /// Number of bytes collected so far.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether nothing was collected.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Adds a blob. Fails with [`Error::CorruptObject`] when the bytes are a known attack on SHA-1.
    pub fn blob(&mut self, bytes: Vec<u8>) -> Result<BlobId, Error> {
        self.add(Kind::Blob, bytes).map(BlobId::new)
    }

    /// Adds a tree, in git's order whatever order they come in. Fails
    /// with [`Error::InvalidPath`] for a name that git would refuse or that comes twice.
    pub fn tree(&mut self, mut entries: Vec<(BString, NewEntry)>) -> Result<TreeId, Error> {
        let sort_key = |(name, entry): &(BString, NewEntry)| {
            let mut key = name.clone();
            // Git compares a directory as if its name ended in a slash.
            if matches!(entry, NewEntry::Tree(_)) {
                key.push(b'/');
            }
            key
        };
        entries.sort_by_cached_key(sort_key);
        let mut bytes = Vec::new();
        let mut names = FxHashSet::default();
        for (name, entry) in &entries {
            let invalid = |reason| Error::InvalidPath {
                path: name.to_string(),
                reason,
            };
            super::path::check_component(name).map_err(invalid)?;
            if !names.insert(name) {
                return Err(invalid("it comes twice in one tree"));
            }
            let (mode, id) = match entry {
                NewEntry::Blob(id) => (&b"100644 "[..], id.as_object()),
                NewEntry::Tree(id) => (&b"40000 "[..], id.as_object()),
                NewEntry::Other(mode, id) => (octal(*mode), id.as_object()),
            };
            bytes.extend_from_slice(mode);
            bytes.extend_from_slice(name);
            bytes.push(0);
            bytes.extend_from_slice(id.as_slice());
        }
        self.add(Kind::Tree, bytes).map(TreeId::new)
    }

    /// Adds the commit of a tree, with an identity, a date and a message that are always the same,
    /// so that equal trees with equal parents have equal commits wherever they are made. Fails with
    /// [`Error::CorruptObject`] when the bytes are a known attack on SHA-1.
    pub fn commit(
        &mut self,
        tree: TreeId,
        parents: &[CommitId],
        message: &str,
    ) -> Result<CommitId, Error> {
        const WHO: &str = "sverklo <sverklo@localhost> 0 +0000";
        let parents: String = parents.iter().map(|id| format!("parent {id}\n")).collect();
        let text = format!("tree {tree}\n{parents}author {WHO}\ncommitter {WHO}\n\n{message}\n");
        self.add(Kind::Commit, text.into_bytes()).map(CommitId::new)
    }

    /// Adds a commit by somebody, at the moment that is part of `by`. Fails with
    /// [`Error::CorruptObject`] when the bytes are a known attack on SHA-1.
    pub fn commit_by(
        &mut self,
        tree: TreeId,
        parents: &[CommitId],
        by: &Signature,
        message: &str,
    ) -> Result<CommitId, Error> {
        let parents: String = parents.iter().map(|id| format!("parent {id}\n")).collect();
        let who = by.line();
        let text = format!("tree {tree}\n{parents}author {who}\ncommitter {who}\n\n{message}\n");
        self.add(Kind::Commit, text.into_bytes()).map(CommitId::new)
    }

    /// Adds a commit that says what another one says, of another tree and with other parents. A
    /// signature is left out: it would not fit any more. Fails as reading a commit does, or with
    /// [`Error::CorruptObject`] when the bytes are a known attack on SHA-1.
    pub fn commit_like(
        &mut self,
        objects: &mut Objects,
        model: CommitId,
        tree: TreeId,
        parents: &[CommitId],
    ) -> Result<CommitId, Error> {
        let mut bytes = Vec::new();
        objects.read(model.as_object(), Kind::Commit, &mut bytes)?;
        let mut out = format!("tree {tree}\n").into_bytes();
        for parent in parents {
            out.extend_from_slice(format!("parent {parent}\n").as_bytes());
        }
        let (mut in_header, mut in_signature) = (true, false);
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            if in_header {
                in_signature = match line.first() {
                    Some(b' ') => in_signature,
                    _ => line.starts_with(b"gpgsig"),
                };
                in_header = line != b"\n";
                if in_signature || line.starts_with(b"tree ") || line.starts_with(b"parent ") {
                    continue;
                }
            }
            out.extend_from_slice(line);
        }
        self.add(Kind::Commit, out).map(CommitId::new)
    }

    /// Number of objects collected so far.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Returns the objects collected so far, each after those that it names.
    pub(super) fn collected(&self) -> impl Iterator<Item = (Kind, &[u8])> {
        self.objects
            .iter()
            .map(|(kind, bytes)| (*kind, bytes.as_slice()))
    }

    /// Returns what was collected, for [`PackWriter::add_missing`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes + self.objects.len() * 16);
        for (kind, bytes) in &self.objects {
            out.extend_from_slice(format!("{kind} {}\n", bytes.len()).as_bytes());
            out.extend_from_slice(bytes);
        }
        out
    }

    /// Adds those objects of another collection that the object store does not have. What is damaged is
    /// left out, and all after it.
    pub fn add_missing(&mut self, objects: &Objects, mut kept: &[u8]) {
        while let Some((head, rest)) = kept.split_once_str(b"\n") {
            let words = std::str::from_utf8(head)
                .ok()
                .and_then(|head| head.split_once(' '));
            let Some((kind, len)) = words else { return };
            let kind = Kind::from_bytes(kind.as_bytes()).ok();
            let (Some(kind), Ok(len)) = (kind, len.parse::<usize>()) else {
                return;
            };
            let Some((bytes, rest)) = rest.split_at_checked(len) else {
                return;
            };
            kept = rest;
            match object_id(self.hash, kind, bytes) {
                Ok(id) if !objects.contains(id) => drop(self.add(kind, bytes.to_vec())),
                _ => {}
            }
        }
    }

    /// Adds a commit as it is in the object store. Fails as reading a commit does.
    pub fn copy(&mut self, objects: &mut Objects, commit: CommitId) -> Result<(), Error> {
        let mut bytes = Vec::new();
        objects.read(commit.as_object(), Kind::Commit, &mut bytes)?;
        self.add(Kind::Commit, bytes).map(drop)
    }

    fn add(&mut self, kind: Kind, bytes: Vec<u8>) -> Result<ObjectId, Error> {
        let id = object_id(self.hash, kind, &bytes)?;
        if self.seen.insert(id) {
            self.bytes += bytes.len();
            self.objects.push((kind, bytes));
        }
        Ok(id)
    }

    /// Writes everything durably. As long as what is returned lives, a ref may be moved to any of the
    /// objects.
    ///
    /// # Errors
    /// [`Error::ReadOnly`] or [`Error::NoRoom`] when the object store cannot be written, or what the
    /// git program said.
    pub fn write(mut self, repo: &Repo) -> Result<Held, Error> {
        if self.objects.is_empty() {
            return Ok(Held::nothing());
        }
        let wanted = self.objects.len();
        let united = self.take_small(repo);
        let written = self.receive(repo);
        // There may be room for what is wanted alone.
        if written.is_err() && self.objects.len() > wanted {
            self.objects.truncate(wanted);
            return self.receive(repo);
        }
        // Until now they were the only ones to have what is in them.
        if written.is_ok() && !packs::is_collecting(repo.common_dir()) {
            failpoint::hold("packs-united");
            united.iter().for_each(|pack| packs::remove(pack));
        }
        written
    }

    /// Collects the objects of small packs of ours, when they have become many, and returns those of which
    /// all could be read.
    fn take_small(&mut self, repo: &Repo) -> Vec<PathBuf> {
        let mut small = packs::tidy(&packs::folder(repo.common_dir()));
        if packs::is_collecting(repo.common_dir()) {
            return Vec::new();
        }
        let mut objects = repo.objects();
        small.retain(|pack| {
            let before = self.objects.len();
            let taken = self.take_pack(&mut objects, pack);
            if taken.is_none() {
                for (kind, bytes) in self.objects.split_off(before) {
                    self.bytes -= bytes.len();
                    if let Ok(id) = object_id(self.hash, kind, &bytes) {
                        self.seen.remove(&id);
                    }
                }
            }
            taken.is_some()
        });
        small
    }

    fn take_pack(&mut self, objects: &mut Objects, pack: &Path) -> Option<()> {
        for id in objects.ids_in(&pack.with_extension("idx"))? {
            let mut bytes = Vec::new();
            let kind = objects.read_any(id, &mut bytes)?;
            (self.add(kind, bytes).ok()? == id).then_some(())?;
        }
        Some(())
    }

    /// Makes a pack of what was collected and puts it into the object store.
    fn receive(&self, repo: &Repo) -> Result<Held, Error> {
        let dir = repo.common_dir().join("objects");
        let refused = |err| obstacle::of_io(&dir, err);
        let entries = compress(&self.objects).map_err(Error::io(&dir))?;
        let mut tries = 0;
        loop {
            tries += 1;
            let feed = |stdin: &mut dyn Write| write_pack(stdin, self.hash, &entries);
            let quarantine = match Quarantine::open(repo.common_dir()) {
                Ok(quarantine) => quarantine,
                Err(err) if err.kind() == io::ErrorKind::NotFound && tries < TRIES => continue,
                Err(err) => return Err(refused(err)),
            };
            let mut command = program::git(repo);
            // One file less to sync; git makes up for it in no time in packs of this size.
            command.args(["-c", "pack.writeReverseIndex=false"]);
            quarantine.confine(command.args(["index-pack", "--stdin"]));
            let out = program::run_fed(command, feed)?;
            failpoint::hold("pack-received");
            let is_taken = !quarantine.is_there() || out.stderr.contains("No such file");
            if !out.status.success() && (!is_taken || tries == TRIES) {
                let refused = obstacle::of_words(&dir, &out.stderr);
                return Err(refused.unwrap_or_else(|| out.into_error("index-pack")));
            }
            match quarantine.accept() {
                Ok(held) => {
                    failpoint::hold("pack-accepted");
                    return Ok(held);
                }
                Err(err) if err.kind() == io::ErrorKind::NotFound && tries < TRIES => {}
                Err(err) => return Err(refused(err)),
            }
        }
    }
}

/// Returns the id a blob with these bytes has, without writing it. Fails with [`Error::CorruptObject`]
/// when the bytes are a known attack on SHA-1.
pub fn blob_id(hash: gix::hash::Kind, bytes: &[u8]) -> Result<BlobId, Error> {
    object_id(hash, Kind::Blob, bytes).map(BlobId::new)
}

fn object_id(hash: gix::hash::Kind, kind: Kind, bytes: &[u8]) -> Result<ObjectId, Error> {
    gix::objs::compute_hash(hash, kind, bytes)
        .map_err(|err| Error::corrupt(ObjectId::null(hash), err))
}

/// A mode as it begins an entry of a tree.
fn octal(mode: EntryMode) -> &'static [u8] {
    match mode {
        EntryMode::File => b"100644 ",
        EntryMode::Executable => b"100755 ",
        EntryMode::Symlink => b"120000 ",
        EntryMode::Gitlink => b"160000 ",
    }
}

/// Turns objects into pack entries, in order.
fn compress(objects: &[(Kind, Vec<u8>)]) -> io::Result<Vec<Vec<u8>>> {
    let total: usize = objects.iter().map(|(_, bytes)| bytes.len()).sum();
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(objects.len());
    if total < PARALLEL_BYTES || threads < 2 {
        return objects
            .iter()
            .map(|(kind, bytes)| pack_entry(*kind, bytes))
            .collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(objects.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((kind, bytes)) = objects.get(at) else {
                        return;
                    };
                    let entry = pack_entry(*kind, bytes);
                    done.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((at, entry));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, entry)| entry).collect()
}

/// Encodes one undeltified pack entry: type and size, then the zlib stream.
fn pack_entry(kind: Kind, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let code: u8 = match kind {
        Kind::Commit => 1,
        Kind::Tree => 2,
        Kind::Blob => 3,
        Kind::Tag => 4,
    };
    let mut out = Vec::with_capacity(bytes.len() / 2 + 16);
    let mut size = bytes.len();
    let mut byte = (code << 4) | (size & 0x0f) as u8;
    size >>= 4;
    while size > 0 {
        out.push(byte | 0x80);
        byte = (size & 0x7f) as u8;
        size >>= 7;
    }
    out.push(byte);
    let mut encoder = ZlibEncoder::new(out, LEVEL);
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Writes a version 2 pack: header, entries, hash of both.
fn write_pack(out: &mut dyn Write, hash: gix::hash::Kind, entries: &[Vec<u8>]) -> io::Result<()> {
    let mut hasher = gix::hash::hasher(hash);
    let mut header = Vec::from(&b"PACK\0\0\0\x02"[..]);
    header.extend_from_slice(&(entries.len() as u32).to_be_bytes());
    for part in std::iter::once(&header).chain(entries) {
        hasher.update(part);
        out.write_all(part)?;
        failpoint::hit("pack-begun");
    }
    let trailer = hasher
        .try_finalize()
        .map_err(|err| io::Error::other(err.to_string()))?;
    out.write_all(trailer.as_slice())?;
    failpoint::hit("pack-sent");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_encoded_as_git_reads_them() {
        let header = |size: usize| {
            let mut entry = pack_entry(Kind::Blob, &vec![0; size]).unwrap();
            let end = entry.iter().position(|b| b & 0x80 == 0).unwrap() + 1;
            entry.truncate(end);
            entry
        };
        assert_eq!(header(0), [0x30]);
        assert_eq!(header(15), [0x3f]);
        assert_eq!(header(16), [0xb0, 0x01]);
        assert_eq!(header(0x0fff), [0xbf, 0xff, 0x01]);
    }

    #[test]
    fn trees_do_not_depend_on_the_order_of_their_entries() {
        let hash = gix::hash::Kind::Sha1;
        let blob = blob_id(hash, b"x").unwrap();
        let sub = TreeId::new(ObjectId::empty_tree(hash));
        let mut writer = PackWriter::new(hash);
        let a = ("a".into(), NewEntry::Tree(sub));
        let b = ("a.b".into(), NewEntry::Blob(blob));
        let one = writer.tree(vec![a.clone(), b.clone()]).unwrap();
        let two = writer.tree(vec![b, a.clone()]).unwrap();
        assert_eq!(one, two);
        assert_eq!(writer.objects.len(), 1);
        assert!(writer.tree(vec![a.clone(), a]).is_err());
        assert!(
            writer
                .tree(vec![("..".into(), NewEntry::Blob(blob))])
                .is_err()
        );
    }
}
