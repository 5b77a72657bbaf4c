//! Saved views: which document each path of a tree is, so that a query does not list the tree and
//! search the segments again.
//!
//! Guarantees: a saved view is used only for exactly the tree, segment set, extractor and layout
//! it was saved for, and only when its checksum holds; anything else is as if it were not there.
//! Writing is atomic. The folder may be deleted at any time. The encoding is `bincode` 2: this is
//! a disposable local cache that never travels and never comes from a ref.

use super::files::{File, Reading};
use super::live::View;
use super::role::FileRole;
use crate::extract::EXTRACTOR_VERSION;
use crate::git::path::RepoPath;
use crate::git::tree::EntryMode;
use crate::id::{BlobId, DocId, LiveDoc, SegmentId, SegmentOrd, TreeId};
use crate::segment::Segment;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Bumped when what is saved, or how paths are read, changes.
const CACHE_VERSION: u32 = 1;

/// Saved views kept; the least recently written go first. A view of 10,000 files is about 1 MB.
const MAX_SAVED: usize = 24;

#[derive(bincode::Encode, bincode::Decode)]
struct Saved {
    key: u128,
    /// Paths, each ended by a NUL byte.
    paths: Vec<u8>,
    /// Object ids, one after the other.
    blobs: Vec<u8>,
    /// Modes, one a file.
    modes: Vec<u8>,
    /// Segment ordinal plus one, or 0 for no document.
    segments: Vec<u32>,
    /// Document ordinals.
    docs: Vec<u32>,
}

/// Folder of saved views of one repository.
pub struct ViewCache {
    folder: PathBuf,
}

impl ViewCache {
    /// Names the cache below the repository's common sverklo folder. Nothing is created yet.
    pub fn new(sverklo_folder: &Path) -> Self {
        Self {
            folder: sverklo_folder.join("view"),
        }
    }

    /// Loads the view of `tree` over `segments`, if it was saved and is whole.
    pub fn load(&self, tree: TreeId, ids: &[SegmentId], segments: &[Arc<Segment>]) -> Option<View> {
        let key = key(tree, ids);
        let bytes = std::fs::read(self.path(key)).ok()?;
        let (body, checksum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let (saved, _) =
            bincode::decode_from_slice::<Saved, _>(body, bincode::config::standard()).ok()?;
        if saved.key != key {
            return None;
        }
        Some(View::assemble(restore(&saved, segments)?, segments, 0))
    }

    /// Saves a view without uncommitted files. A failure to write costs time later, nothing else.
    pub fn save(&self, tree: TreeId, ids: &[SegmentId], view: &View) {
        let key = key(tree, ids);
        let mut saved = Saved {
            key,
            paths: Vec::new(),
            blobs: Vec::new(),
            modes: Vec::new(),
            segments: Vec::new(),
            docs: Vec::new(),
        };
        for file in view.files() {
            saved.paths.extend_from_slice(file.path.as_bytes());
            saved.paths.push(0);
            saved.blobs.extend_from_slice(file.blob.as_bytes());
            saved.modes.push(mode_code(file.mode));
            saved.segments.push(file.doc.map_or(0, |d| d.segment.0 + 1));
            saved.docs.push(file.doc.map_or(0, |d| d.doc.0));
        }
        let Ok(mut bytes) = bincode::encode_to_vec(&saved, bincode::config::standard()) else {
            return;
        };
        bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
        // Best effort: a read-only repository has no cache, and that is all.
        let _ = self.write(key, &bytes);
    }

    fn write(&self, key: u128, bytes: &[u8]) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(bytes)?;
        file.persist(self.path(key))?;
        self.evict()
    }

    fn evict(&self) -> std::io::Result<()> {
        let mut saved = Vec::new();
        for entry in std::fs::read_dir(&self.folder)? {
            let entry = entry?;
            saved.push((entry.metadata()?.modified()?, entry.path()));
        }
        saved.sort();
        let surplus = saved.len().saturating_sub(MAX_SAVED);
        for (_, path) in saved.into_iter().take(surplus) {
            std::fs::remove_file(path)?;
        }
        Ok(())
    }

    fn path(&self, key: u128) -> PathBuf {
        self.folder.join(format!("{key:032x}"))
    }
}

fn key(tree: TreeId, ids: &[SegmentId]) -> u128 {
    let mut bytes = Vec::with_capacity(64 + ids.len() * 20);
    bytes.extend_from_slice(&CACHE_VERSION.to_le_bytes());
    bytes.extend_from_slice(&EXTRACTOR_VERSION.to_le_bytes());
    bytes.extend_from_slice(tree.as_bytes());
    for id in ids {
        bytes.extend_from_slice(id.as_bytes());
    }
    xxh3_128(&bytes)
}

fn restore(saved: &Saved, segments: &[Arc<Segment>]) -> Option<Vec<File>> {
    let count = saved.modes.len();
    if count == 0 {
        return Some(Vec::new());
    }
    let id_len = saved.blobs.len() / count;
    if saved.segments.len() != count || saved.docs.len() != count {
        return None;
    }
    let mut paths = saved.paths.split(|b| *b == 0);
    let mut files = Vec::with_capacity(count);
    for i in 0..count {
        let path = RepoPath::new(paths.next()?).ok()?;
        let mode = mode_of(saved.modes[i])?;
        let doc = match saved.segments[i].checked_sub(1) {
            None => None,
            Some(ord) => {
                let doc = DocId(saved.docs[i]);
                if doc.0 >= segments.get(ord as usize)?.doc_count() {
                    return None;
                }
                Some(LiveDoc {
                    segment: SegmentOrd(ord),
                    doc,
                })
            }
        };
        files.push(File {
            reading: Reading::of(&path, mode),
            role: FileRole::of_path(path.as_bytes()),
            blob: BlobId::from_bytes(saved.blobs.get(i * id_len..(i + 1) * id_len)?)?,
            path,
            mode,
            doc,
            dirty: false,
        });
    }
    Some(files)
}

fn mode_code(mode: EntryMode) -> u8 {
    match mode {
        EntryMode::File => 0,
        EntryMode::Executable => 1,
        EntryMode::Symlink => 2,
        EntryMode::Gitlink => 3,
    }
}

fn mode_of(code: u8) -> Option<EntryMode> {
    [
        EntryMode::File,
        EntryMode::Executable,
        EntryMode::Symlink,
        EntryMode::Gitlink,
    ]
    .get(usize::from(code))
    .copied()
}
