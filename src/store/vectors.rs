//! Blocks of vectors as files: `<common dir>/sverklo/vec/<model>/<segment>`, made from the segments.
//!
//! A block is a pure function of its segment, so it may be deleted at any time and is made again by who
//! asks for it first. As with segments, a file that can be opened was written whole.

use super::mmap::Mapped;
use super::{Snapshot, cache};
use crate::git::Repo;
use crate::id::SegmentId;
use crate::segment::Segment;
use crate::vector::block::Block;
use crate::vector::embed::embed;
use crate::vector::static_model::{StaticModel, embedded};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The blocks of one repository under the embedded model.
pub struct Blocks {
    model: &'static StaticModel<'static>,
    folder: PathBuf,
    /// Blocks of segments that somebody has open.
    known: Mutex<Vec<(Weak<Segment>, Arc<Block>)>>,
}

fn vec_dir(repo: &Repo) -> PathBuf {
    cache::dir(repo).join("vec")
}

/// The folders of all models.
fn folders(repo: &Repo) -> impl Iterator<Item = PathBuf> {
    let folders = std::fs::read_dir(vec_dir(repo)).into_iter().flatten();
    folders.flatten().map(|folder| folder.path())
}

/// Removes the blocks of these segments, as far as the operating system lets them go.
pub(super) fn remove(repo: &Repo, ids: &[SegmentId]) {
    for folder in folders(repo) {
        for id in ids {
            let _ = std::fs::remove_file(folder.join(id.to_string()));
        }
    }
}

/// Removes the blocks of other segments and of other models. Returns the number of bytes that are free now.
pub(super) fn retain(repo: &Repo, kept: &[SegmentId]) -> u64 {
    let known = embedded().model().id.as_str();
    let of_folder = |folder: PathBuf| {
        let is_known = folder.file_name().is_some_and(|name| name == known);
        let freed = cache::retain_in(&folder, if is_known { kept } else { &[] });
        if !is_known {
            // Only when nothing of somebody else's is in it.
            let _ = std::fs::remove_dir(folder);
        }
        freed
    };
    folders(repo).map(of_folder).sum()
}

impl Blocks {
    /// Names the folder. Nothing is read or made yet.
    pub fn new(repo: &Repo) -> Self {
        let model = embedded();
        Self {
            folder: vec_dir(repo).join(model.model().id.as_str()),
            model,
            known: Mutex::default(),
        }
    }

    /// The model.
    pub fn model(&self) -> &'static StaticModel<'static> {
        self.model
    }

    /// The block of a segment: from memory, from its file, or made now. With an id it is kept as a
    /// file. `None` when it would be over the limit.
    pub fn of(&self, segment: &Arc<Segment>, id: Option<SegmentId>) -> Option<Arc<Block>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known
            .iter()
            .find(|(of, _)| std::ptr::eq(of.as_ptr(), &**segment));
        if let Some((_, block)) = found {
            return Some(block.clone());
        }
        drop(known);
        let block = match id.map(|id| self.folder.join(id.to_string())) {
            Some(path) => self.open(&path, segment).or_else(|| {
                let made = embed(self.model, segment).ok()?;
                Some(self.keep(&path, segment, made))
            })?,
            None => embed(self.model, segment).ok()?,
        };
        let block = Arc::new(block);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(of, _)| of.strong_count() > 0);
        known.push((Arc::downgrade(segment), block.clone()));
        Some(block)
    }

    fn open(&self, path: &Path, segment: &Segment) -> Option<Block> {
        let mapped = Mapped::open(path).ok()?;
        Block::open(mapped, self.model.model(), segment).ok()
    }

    /// Makes the file. Without one the block is held in memory: what keeps segments from having files
    /// keeps blocks too, and has been said of these.
    fn keep(&self, path: &Path, segment: &Segment, made: Block) -> Block {
        let written = cache::write(path, made.bytes()).ok();
        let mapped = written.and_then(|file| Block::open(file, self.model.model(), segment).ok());
        mapped.unwrap_or(made)
    }

    /// The blocks of segments, in their order, made on several threads; a file is kept of those that
    /// the snapshot knows.
    pub fn all(
        &self,
        segments: &[Arc<Segment>],
        snapshot: &Snapshot,
        threads: usize,
    ) -> Vec<Option<Arc<Block>>> {
        let id = |segment: &Arc<Segment>| {
            let mut known = snapshot.segments().iter();
            known
                .find(|open| Arc::ptr_eq(open.segment(), segment))
                .map(|open| open.id())
        };
        let of = |segment: &Arc<Segment>| self.of(segment, id(segment));
        let threads = threads.min(segments.len());
        if threads < 2 {
            return segments.iter().map(of).collect();
        }
        let next = AtomicUsize::new(0);
        let blocks = Mutex::new(vec![None; segments.len()]);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(segment) = segments.get(at) else {
                            break;
                        };
                        let block = of(segment);
                        let mut blocks = blocks.lock().unwrap_or_else(PoisonError::into_inner);
                        blocks[at] = block;
                    }
                });
            }
        });
        blocks.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the files that the segments of a snapshot lack.
    pub fn complete(&self, snapshot: &Snapshot, threads: usize) {
        let stored = snapshot.segments().iter();
        let segments: Vec<Arc<Segment>> = stored.map(|open| open.segment().clone()).collect();
        self.all(&segments, snapshot, threads);
    }
}
