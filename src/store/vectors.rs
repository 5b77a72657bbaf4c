//! The vectors of an index: for a segment and a model a block ([`crate::vector::block`]), in memory, in a
//! file, named by the tip, or made now.
//!
//! Guarantees: blocks of different models never mix; there is one [`Blocks`] for each. Files and what
//! the tip names may be absent for any segment. A tip names the blocks of models that take long or cost
//! something, so that they travel (see [`Named`]); those of the static model are made as fast as they are
//! fetched, and are named when `sverklo.storeVectors` is true. Segments that are merged hand on their
//! vectors: nothing is embedded again.

pub(super) mod folder;
mod hashed;
pub(super) mod named;
pub(super) mod trust;

pub use named::Named;

use super::error::Error;
use super::files;
use super::parallel::map;
use super::publish::{Addition, Durable, publish};
use super::segments::OpenSegment;
use super::snapshot::Snapshot;
use crate::git::{Repo, keys};
use crate::id::SegmentId;
use crate::segment::Segment;
use crate::vector::block::Block;
use crate::vector::embed::embed;
use crate::vector::model::Model;
use crate::vector::reuse::{Draft, reuse};
use crate::vector::static_model::{StaticModel, embedded};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The blocks of one repository under one model.
pub struct Blocks {
    repo: Repo,
    model: Model,
    /// Makes blocks that are nowhere; only the static model does so unasked.
    maker: Option<&'static StaticModel<'static>>,
    /// Blocks of segments that somebody has open.
    known: Mutex<Vec<(Weak<Segment>, Arc<Block>)>>,
}

impl Blocks {
    /// The blocks of the model that comes with the program. Nothing is read or made yet.
    pub fn new(repo: &Repo) -> Self {
        Self {
            maker: Some(embedded()),
            ..Self::of_model(repo, embedded().model().clone())
        }
    }

    /// The blocks of another model: those that were made and put here, or fetched.
    pub fn of_model(repo: &Repo, model: Model) -> Self {
        Self {
            repo: repo.clone(),
            model,
            maker: None,
            known: Mutex::default(),
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The block of a segment: from memory, from its file, from the tip, or made now. With an id it is
    /// kept as a file. `None` when it would be over the limit, or when nobody has made it.
    pub fn of(
        &self,
        segment: &Arc<Segment>,
        id: Option<SegmentId>,
        named: &Named,
    ) -> Option<Arc<Block>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known
            .iter()
            .find(|(of, _)| std::ptr::eq(of.as_ptr(), &**segment));
        if let Some((_, block)) = found {
            return Some(block.clone());
        }
        drop(known);
        let stored = id.and_then(|id| self.open(id, segment, named));
        let block = match stored {
            Some(block) => block,
            None => {
                let made = embed(self.maker?, segment).ok()?;
                match id {
                    Some(id) => self.keep(id, segment, made),
                    None => made,
                }
            }
        };
        let block = Arc::new(block);
        // Others may complete it, which is noticed only in its file and in the tip.
        if self.maker.is_some() || is_complete(&block) {
            self.remember(segment, &block);
        }
        Some(block)
    }

    /// Takes a block of a segment that the tip names, and keeps it as a file until [`record`] names it.
    /// Fails when it is the block of another model or segment.
    pub fn put(
        &self,
        segment: &Arc<Segment>,
        id: SegmentId,
        block: Block,
    ) -> Result<Arc<Block>, crate::vector::Error> {
        let block = Block::open(block, &self.model, segment)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(of, _)| !std::ptr::eq(of.as_ptr(), &**segment));
        drop(known);
        let kept = Arc::new(self.keep(id, segment, block));
        self.remember(segment, &kept);
        Ok(kept)
    }

    /// The segments of a snapshot whose chunks have not all got a vector, for who embeds them.
    pub fn lacking<'s>(&self, snapshot: &'s Snapshot) -> Vec<&'s OpenSegment> {
        let is_lacking = |open: &&OpenSegment| {
            let block = self.of(open.segment(), Some(open.id()), snapshot.vectors());
            open.segment().chunk_count() > 0 && !block.is_some_and(|block| is_complete(&block))
        };
        snapshot.segments().iter().filter(is_lacking).collect()
    }

    /// Begins the block of a segment with all vectors that the blocks of a snapshot have of its chunks:
    /// after a file has changed, what is missing are the chunks that are new. Fails when it would be
    /// over the limit.
    pub fn draft(
        &self,
        segment: &Segment,
        snapshot: &Snapshot,
    ) -> Result<Draft, crate::vector::Error> {
        let of = |open: &OpenSegment| {
            let block = self.of(open.segment(), Some(open.id()), snapshot.vectors());
            Some((open.segment().clone(), block?))
        };
        let known: Vec<_> = snapshot.segments().iter().filter_map(of).collect();
        let known: Vec<(&Segment, &Block)> =
            known.iter().map(|(of, block)| (&**of, &**block)).collect();
        reuse(&self.model, segment, &known)
    }

    fn remember(&self, segment: &Arc<Segment>, block: &Arc<Block>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(of, _)| of.strong_count() > 0);
        known.push((Arc::downgrade(segment), block.clone()));
    }

    fn open(&self, id: SegmentId, segment: &Segment, named: &Named) -> Option<Block> {
        let is_ours = |block: &Block| block.is_of(&self.model);
        let file = folder::open(&self.repo, &self.model.id, id, segment);
        if let Some(block) = file.filter(is_ours) {
            return Some(block);
        }
        let blob = named.get(&self.model.id, id)?;
        let found = named.open(&mut self.repo.objects(), blob, segment).ok()?;
        is_ours(&found).then(|| self.keep(id, segment, found))
    }

    /// Makes the file. Without one the block is held in memory: what keeps segments from having files
    /// keeps blocks too, and has been said of these.
    fn keep(&self, id: SegmentId, segment: &Segment, made: Block) -> Block {
        let name = folder::name(&self.model.id, id);
        let written = files::write(&self.repo, &name, made.bytes()).ok();
        let body = written.and_then(|()| self.repo.kept().read(&name));
        let kept = body.and_then(|body| Block::open(body, &self.model, segment).ok());
        kept.unwrap_or(made)
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
        let of = |segment: &Arc<Segment>| self.of(segment, id(segment), snapshot.vectors());
        map(segments, threads, || (), |(), segment| of(segment))
    }

    /// Makes the files that the segments of a snapshot lack.
    pub fn complete(&self, snapshot: &Snapshot, threads: usize) {
        let stored = snapshot.segments().iter();
        let segments: Vec<Arc<Segment>> = stored.map(|open| open.segment().clone()).collect();
        self.all(&segments, snapshot, threads);
    }
}

/// Whether every chunk was embedded: no text model's vector is zero.
fn is_complete(block: &Block) -> bool {
    block.products(0..block.rows).all(|product| product > 0)
}

/// Names the blocks that have files in the index of a snapshot: those of the static model when
/// `sverklo.storeVectors` says so, of others always. Returns the index; one that cannot be written
/// stays as it is. Fails with [`Error::Contended`], or what the repository said.
pub fn record(repo: &Repo, snapshot: &Snapshot) -> Result<Snapshot, Error> {
    if snapshot.tip.is_none() {
        return Ok(snapshot.clone());
    }
    let with_static = repo.config_bool(keys::STORE_VECTORS).unwrap_or(false);
    let named = snapshot
        .vectors()
        .with_files(repo, snapshot.segments(), with_static)?;
    if named == *snapshot.vectors() {
        return Ok(snapshot.clone());
    }
    match publish(
        repo,
        snapshot,
        Addition::Vectors(&named),
        Durable::default(),
    ) {
        Ok(mut published) => {
            published.take_unstored(snapshot);
            Ok(published)
        }
        Err(err) if err.is_unwritable() => Ok(snapshot.clone()),
        Err(err) => Err(err),
    }
}
