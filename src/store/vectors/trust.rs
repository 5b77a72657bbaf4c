//! What is believed of blocks that were fetched.
//!
//! Every block is checked to be whole and to belong to its segment. What a static model would have made
//! is known, so of each of its blocks a few vectors are made again, chosen so that nobody can tell which.
//! Of other models nobody can say without running them: their vectors are hints, as traces are.

use super::named::{Named, Unusable};
use crate::git::Repo;
use crate::id::{BlobId, ChunkId, SegmentId};
use crate::store::snapshot::{OpenSegment, Snapshot};
use crate::store::trust::shuffle;
use crate::vector::block::Block;
use crate::vector::embed::differing;
use crate::vector::model::ModelId;
use crate::vector::static_model::embedded;

/// A block that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::store) struct Refused {
    /// Its model.
    pub model: ModelId,
    /// Its segment.
    pub segment: SegmentId,
    /// The block.
    pub block: BlobId,
    /// Why, and whether it is the content's fault.
    pub why: Unusable,
}

/// Judges the blocks of `theirs` that `ours` does not have; of each of the static model so many vectors
/// are made again.
pub(in crate::store) fn judge(
    repo: &Repo,
    ours: &Named,
    theirs: &Snapshot,
    sample: usize,
) -> Vec<Refused> {
    let is_new = |model: &ModelId, segment, id| ours.get(model, segment) != Some(id);
    refused(repo, theirs.vectors(), theirs.segments(), &is_new, &|_| {
        sample
    })
}

/// Examines the blocks of a set, and a share of the vectors of each that can be made again.
pub(in crate::store) fn examine(
    repo: &Repo,
    named: &Named,
    segments: &[OpenSegment],
    percent: u8,
) -> Vec<Refused> {
    let share = |all: usize| (all * usize::from(percent)).div_ceil(100).min(all);
    refused(repo, named, segments, &|_, _, _| true, &share)
}

fn refused(
    repo: &Repo,
    named: &Named,
    segments: &[OpenSegment],
    is_asked: &dyn Fn(&ModelId, SegmentId, BlobId) -> bool,
    sample: &dyn Fn(usize) -> usize,
) -> Vec<Refused> {
    let mut objects = repo.objects();
    let mut out = Vec::new();
    for (model, segment, block) in named.iter().filter(|(m, s, id)| is_asked(m, *s, *id)) {
        // A block whose segment cannot be opened goes with it.
        let Some(open) = segments.iter().find(|open| open.id() == segment) else {
            continue;
        };
        let opened = named.open(&mut objects, block, open.segment());
        let judged = opened.and_then(|found| check(model, open, &found, sample));
        out.extend(judged.err().map(|why| Refused {
            model: model.clone(),
            segment,
            block,
            why,
        }));
    }
    out
}

fn check(
    model: &ModelId,
    open: &OpenSegment,
    block: &Block,
    sample: &dyn Fn(usize) -> usize,
) -> Result<(), Unusable> {
    let known = embedded();
    if *model != known.model().id {
        return Ok(());
    }
    if !block.is_of(known.model()) {
        return Err(Unusable::Bad("vectors of another model".to_owned()));
    }
    let mut chunks: Vec<ChunkId> = (0..block.rows()).map(ChunkId).collect();
    shuffle(&mut chunks);
    chunks.truncate(sample(chunks.len()));
    match differing(known, open.segment(), block, &chunks) {
        Some(chunk) => Err(Unusable::Bad(format!(
            "the vector of chunk {} is not what its segment calls for",
            chunk.0
        ))),
        None => Ok(()),
    }
}
