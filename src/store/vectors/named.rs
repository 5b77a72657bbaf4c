//! The blocks that a tip names: which they are, the union of two sets, and what becomes of them when the
//! segments are cut anew.
//!
//! Guarantees: a block goes with its segment. A new segment has the block that the old ones make up, so
//! nothing is embedded again because an index was compacted. Of two blocks of one segment the union is
//! the one of [`join`], whoever unites.

use super::folder;
use super::hashed::Hashed;
use crate::git::write::blob_id;
use crate::git::{Objects, Repo};
use crate::id::{BlobId, SegmentId};
use crate::limits::{MAX_VECTOR_MODELS, MAX_VECTORS_BYTES};
use crate::segment::Segment;
use crate::store::error::Error;
use crate::store::files::{self, Unread};
use crate::store::ledger::Ledger;
use crate::store::segments::OpenSegment;
use crate::vector::block::Block;
use crate::vector::embed::embed;
use crate::vector::model::ModelId;
use crate::vector::reuse::{join, reuse};
use crate::vector::static_model::embedded;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Blocks by model and segment, with those that are not written yet.
#[derive(Clone, Debug, Default)]
pub struct Named {
    of: BTreeMap<ModelId, BTreeMap<SegmentId, BlobId>>,
    unwritten: BTreeMap<BlobId, Block>,
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.of == other.of
    }
}

impl Eq for Named {}

impl Named {
    /// Names a block that the object store has.
    pub(in crate::store) fn insert(&mut self, model: ModelId, segment: SegmentId, block: BlobId) {
        self.of.entry(model).or_default().insert(segment, block);
    }

    /// Names a block that is still to be written.
    pub(super) fn add(
        &mut self,
        repo: &Repo,
        model: &ModelId,
        segment: SegmentId,
        block: Block,
    ) -> Result<(), Error> {
        let id = blob_id(repo.hash(), block.bytes())?;
        self.insert(model.clone(), segment, id);
        self.unwritten.insert(id, block);
        Ok(())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Number of them.
    pub fn len(&self) -> usize {
        self.of.values().map(BTreeMap::len).sum()
    }

    /// The models they are of, in order.
    pub fn models(&self) -> impl Iterator<Item = &ModelId> {
        self.of.keys()
    }

    /// The block of a segment under a model.
    pub fn get(&self, model: &ModelId, segment: SegmentId) -> Option<BlobId> {
        self.of.get(model)?.get(&segment).copied()
    }

    /// All of them, ordered by model, then by segment.
    pub fn iter(&self) -> impl Iterator<Item = (&ModelId, SegmentId, BlobId)> {
        let of_model = |(model, of): (_, &BTreeMap<SegmentId, BlobId>)| {
            let all: Vec<_> = of.iter().map(|(segment, id)| (*segment, *id)).collect();
            all.into_iter()
                .map(move |(segment, id)| (model, segment, id))
        };
        self.of.iter().flat_map(of_model)
    }

    /// Those that are still to be written.
    pub(in crate::store) fn unwritten_ids(&self) -> impl Iterator<Item = BlobId> {
        self.unwritten.keys().copied()
    }

    /// The bytes that are still to be written.
    pub(in crate::store) fn unwritten(&self) -> impl Iterator<Item = &[u8]> {
        self.unwritten.values().map(Block::bytes)
    }

    /// Size of a block in bytes; 0 when it is not there.
    pub(in crate::store) fn size(&self, objects: &Objects, id: BlobId) -> u64 {
        match self.unwritten.get(&id) {
            Some(block) => block.bytes().len() as u64,
            None => objects.blob_size(id).unwrap_or(0),
        }
    }

    /// All have been written.
    pub(in crate::store) fn settled(mut self) -> Self {
        self.unwritten.clear();
        self
    }

    /// Those that pass `keep`. Of models only so many as readers accept.
    pub(in crate::store) fn filtered(
        mut self,
        keep: impl Fn(&ModelId, SegmentId, BlobId) -> bool,
    ) -> Self {
        for (model, of) in &mut self.of {
            of.retain(|segment, id| keep(model, *segment, *id));
        }
        self.of.retain(|_, of| !of.is_empty());
        while self.of.len() > MAX_VECTOR_MODELS {
            self.of.pop_last();
        }
        if !self.unwritten.is_empty() {
            let named: FxHashSet<BlobId> = self
                .of
                .values()
                .flat_map(|of| of.values().copied())
                .collect();
            self.unwritten.retain(|id, _| named.contains(id));
        }
        self
    }

    /// Opens and verifies a block.
    pub(in crate::store) fn open(
        &self,
        objects: &mut Objects,
        id: BlobId,
        segment: &Segment,
    ) -> Result<Block, Unread> {
        if let Some(block) = self.unwritten.get(&id) {
            return Ok(block.clone());
        }
        let bytes = files::read_blob(objects, id.as_object(), MAX_VECTORS_BYTES)?;
        let bad = |err: crate::vector::Error| Unread::Unfit(err.to_string());
        let block = Block::open_any(bytes, segment).map_err(bad)?;
        block.verify().map_err(bad)?;
        Ok(block)
    }

    /// Unites two sets, given the segments of both. What has a tombstone is in neither.
    pub(in crate::store) fn unite(
        &self,
        repo: &Repo,
        other: &Self,
        segments: &[OpenSegment],
        ledger: &Ledger,
    ) -> Result<Self, Error> {
        let is_wanted = |_: &ModelId, _, id: BlobId| !ledger.has_tombstone(id.into());
        let mut out = self.clone().filtered(is_wanted);
        let mut objects = repo.objects();
        for (model, segment, theirs) in other.iter().filter(|(m, s, id)| is_wanted(m, *s, *id)) {
            let ours = out.get(model, segment).filter(|ours| *ours != theirs);
            let both = ours.zip(segments.iter().find(|open| open.id() == segment));
            let united = both.map(|(ours, open)| {
                let of = open.segment();
                let mine = out.open(&mut objects, ours, of);
                let their = other.open(&mut objects, theirs, of);
                match (mine, their) {
                    // Only one of them can be true, and it costs little to make.
                    (Ok(_), Ok(_)) if model == &embedded().model().id => embed(embedded(), of).ok(),
                    (Ok(mine), Ok(their)) => Some(join(model, of, &mine, &their)),
                    (mine, their) => mine.or(their).ok(),
                }
            });
            match united.flatten() {
                Some(block) => out.add(repo, model, segment, block)?,
                None if ours.is_some() => {}
                None => {
                    out.insert(model.clone(), segment, theirs);
                    if let Some(block) = other.unwritten.get(&theirs) {
                        out.unwritten.insert(theirs, block.clone());
                    }
                }
            }
        }
        Ok(out.filtered(|_, _, _| true))
    }

    /// Returns the blocks of a set of segments, given the segments these were made of. Of a new segment
    /// vectors are taken over (see [`reuse`]), never made, and a static model's only when all are there.
    pub(in crate::store) fn carry(
        &self,
        repo: &Repo,
        from: &[OpenSegment],
        set: &[OpenSegment],
        ledger: &Ledger,
    ) -> Result<Self, Error> {
        if self.is_empty() {
            return Ok(Self::default());
        }
        let stays = |segment| set.iter().any(|open| open.id() == segment);
        let mut out = self
            .clone()
            .filtered(|_, segment, id: BlobId| stays(segment) && !ledger.has_tombstone(id.into()));
        let mut from: Vec<&OpenSegment> = from.iter().collect();
        from.sort_by_key(|open| open.id());
        from.dedup_by_key(|open| open.id());
        let mut objects = repo.objects();
        for model in self.models() {
            let lacking = set
                .iter()
                .filter(|open| self.get(model, open.id()).is_none());
            for open in lacking {
                let shares = |of: &&&OpenSegment| {
                    let segment = of.segment();
                    let mut keys = segment.doc_ids().map(|doc| segment.row_key(doc));
                    keys.any(|key| open.covers(&key))
                };
                let mut known = Vec::new();
                for source in from.iter().filter(shares) {
                    let id = self.get(model, source.id());
                    let id = id.filter(|id| !ledger.has_tombstone((*id).into()));
                    // What cannot be read is embedded again, by who needs it.
                    let block =
                        id.and_then(|id| self.open(&mut objects, id, source.segment()).ok());
                    known.extend(block.map(|block| (&**source.segment(), block)));
                }
                if let Some(block) = joined(model, open.segment(), &known) {
                    out.add(repo, model, open.id(), block)?;
                }
            }
        }
        Ok(out.filtered(|_, _, _| true))
    }

    /// Names the blocks that have files and that the tip does not name: of the static model only when
    /// asked, of all others always, also in place of one that the tip names and that differs.
    pub(in crate::store) fn with_files(
        &self,
        repo: &Repo,
        set: &[OpenSegment],
        with_static: bool,
    ) -> Result<Self, Error> {
        let mut out = self.clone();
        let objects = repo.objects();
        let mut hashed = Hashed::open(repo);
        for model in folder::models(repo) {
            if model.is_static() && !(with_static && model == embedded().model().id) {
                continue;
            }
            for open in set.iter().filter(|open| open.is_stored) {
                let named = out.get(&model, open.id());
                if named.is_some() && model.is_static() {
                    continue;
                }
                let Some(block) = folder::open(repo, &model, open.id(), open.segment()) else {
                    continue;
                };
                let id = hashed.id(repo.hash(), &model, open.id(), block.bytes())?;
                if named == Some(id) {
                    continue;
                }
                // git does not write an object that it believes to have, also when that is damaged.
                let is_damaged = objects.contains(id.as_object())
                    && Self::default()
                        .open(&mut repo.objects(), id, open.segment())
                        .is_err();
                if !is_damaged && block.verify().is_ok() {
                    out.add(repo, &model, open.id(), block)?;
                }
            }
        }
        hashed.save(repo);
        Ok(out.filtered(|_, _, _| true))
    }
}

/// The block of a segment as far as others have its vectors; `None` when it says too little.
fn joined(model: &ModelId, segment: &Segment, known: &[(&Segment, Block)]) -> Option<Block> {
    let models = known.iter().map(|(_, block)| block.model(model.clone()));
    let model = models.max_by_key(|model| (model.fingerprint, model.dims))?;
    let known: Vec<(&Segment, &Block)> = known.iter().map(|(of, block)| (*of, block)).collect();
    let draft = reuse(&model, segment, &known).ok()?;
    // A static model's missing vector looks like that of a chunk which has none.
    let is_enough = match model.id.is_static() {
        true => draft.missing().is_empty(),
        false => draft.filled() > 0,
    };
    is_enough.then(|| draft.finish(segment).ok())?
}
