//! Events kept in one file, so that a log of ten thousand is not ten thousand reads of objects.
//!
//! `<common dir>/sverklo/memory/events` holds what was read and checked last, under the tree it is of.
//! It may be deleted at any time. A file that is damaged is none.

use super::event::Stub;
use super::log::{Log, Stored};
use super::text;
use crate::git::Repo;
use crate::id::{BlobId, EventId, TreeId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// First bytes of the file.
const MAGIC: &[u8; 8] = b"svkmem\x01\n";

/// The folder of what is kept of memories.
pub(super) fn folder(repo: &Repo) -> PathBuf {
    repo.common_dir().join("sverklo").join("memory")
}

/// Removes everything that is kept: after a text was taken out it must be nowhere.
pub(super) fn remove(repo: &Repo) {
    // What cannot be removed is not there, or not ours to remove.
    let _ = std::fs::remove_dir_all(folder(repo));
}

/// What is kept, and what is to be kept next.
pub(super) struct Cache {
    path: PathBuf,
    hash: gix::hash::Kind,
    bytes: Vec<u8>,
    tree: Option<TreeId>,
    events: Vec<(EventId, Range<usize>)>,
    stubs: Vec<(EventId, BlobId, Range<usize>)>,
    by_id: FxHashMap<EventId, usize>,
    fresh: Vec<(EventId, Vec<u8>)>,
}

impl Cache {
    /// Opens the file, if it is there and sound.
    pub fn open(repo: &Repo) -> Self {
        let path = folder(repo).join("events");
        let mut cache = Self {
            hash: repo.hash(),
            bytes: std::fs::read(&path).unwrap_or_default(),
            path,
            tree: None,
            events: Vec::new(),
            stubs: Vec::new(),
            by_id: FxHashMap::default(),
            fresh: Vec::new(),
        };
        if cache.parse().is_none() {
            cache.bytes.clear();
            cache.tree = None;
            cache.events.clear();
            cache.stubs.clear();
        }
        cache
    }

    fn parse(&mut self) -> Option<()> {
        let end = self.bytes.len().checked_sub(8)?;
        let (body, sum) = self.bytes.split_at(end);
        if !body.starts_with(MAGIC) || xxh3_64(body).to_le_bytes() != *sum {
            return None;
        }
        let mut reader = Reader {
            bytes: body,
            at: MAGIC.len(),
            id: self.hash.len_in_bytes(),
        };
        self.tree = Some(TreeId::from_bytes(reader.id()?)?);
        for _ in 0..reader.number()? {
            let id = EventId::from_bytes(reader.id()?)?;
            self.events.push((id, reader.text()?));
        }
        for _ in 0..reader.number()? {
            let id = EventId::from_bytes(reader.id()?)?;
            let blob = BlobId::from_bytes(reader.id()?)?;
            self.stubs.push((id, blob, reader.text()?));
        }
        (reader.at == body.len()).then_some(())
    }

    /// Returns the log of a tree, if that is the one that is kept.
    pub fn whole(&self, tree: TreeId) -> Option<Log> {
        if self.tree != Some(tree) {
            return None;
        }
        let mut log = Log::default();
        log.events.reserve(self.events.len());
        for (id, range) in &self.events {
            let stored = match text::read(&self.bytes[range.clone()], self.hash) {
                Ok(event) => Stored::Event(Box::new(event)),
                Err(text::Error::Newer(version)) => Stored::Newer(version),
                Err(text::Error::Malformed(_)) => return None,
            };
            log.events.push((*id, stored));
        }
        let mut stubs: BTreeMap<EventId, (BlobId, Stub)> = BTreeMap::new();
        for (id, blob, range) in &self.stubs {
            let stub = text::decode_stub(&self.bytes[range.clone()], self.hash).ok()?;
            stubs.insert(*id, (*blob, stub));
        }
        log.stubs = stubs;
        Some(log)
    }

    /// Finds the bytes of one event.
    pub fn event(&mut self, id: EventId, out: &mut Vec<u8>) -> Option<()> {
        if self.by_id.is_empty() {
            let all = self.events.iter().enumerate();
            self.by_id = all.map(|(at, (id, _))| (*id, at)).collect();
        }
        let (_, range) = &self.events[*self.by_id.get(&id)?];
        out.clear();
        out.extend_from_slice(&self.bytes[range.clone()]);
        Some(())
    }

    /// Takes note of an event for [`Cache::keep`].
    pub fn add(&mut self, id: EventId, bytes: &[u8]) {
        self.fresh.push((id, bytes.to_vec()));
    }

    /// Keeps the events noted, as those of a tree, unless more are kept already.
    pub fn keep(&self, tree: TreeId, log: &Log) {
        if log.events.len() < self.events.len() {
            return;
        }
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(tree.as_bytes());
        put(&mut out, self.fresh.len());
        for (id, bytes) in &self.fresh {
            out.extend_from_slice(id.as_bytes());
            put(&mut out, bytes.len());
            out.extend_from_slice(bytes);
        }
        put(&mut out, log.stubs.len());
        for (id, (blob, stub)) in &log.stubs {
            let text = text::encode_stub(stub);
            out.extend_from_slice(id.as_bytes());
            out.extend_from_slice(blob.as_bytes());
            put(&mut out, text.len());
            out.extend_from_slice(text.as_bytes());
        }
        let sum = xxh3_64(&out).to_le_bytes();
        out.extend_from_slice(&sum);
        // Without it, objects are read again.
        let _ = save(&self.path, &out);
    }
}

/// Writes a file beside its place and names it when it is whole.
pub(super) fn save(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

fn put(out: &mut Vec<u8>, number: usize) {
    out.extend_from_slice(&(number as u32).to_le_bytes());
}

/// Reads what [`Cache::keep`] wrote; every read is bounded by the bytes there are.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    id: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(len)?;
        let out = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(out)
    }

    fn id(&mut self) -> Option<&'a [u8]> {
        self.take(self.id)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<Range<usize>> {
        let len = self.number()? as usize;
        let from = self.at;
        self.take(len)?;
        Some(from..self.at)
    }
}
