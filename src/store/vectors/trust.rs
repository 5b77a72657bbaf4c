//! What is believed of blocks that were fetched.
//!
//! Every block is checked to be whole and to belong to its segment. What a static model would have made
//! is known, so of each of its blocks a few vectors are made again, chosen so that nobody can tell which.
//! Of other models nobody can say without running them: their vectors are hints, as traces are.

use super::named::Named;
use crate::git::Repo;
use crate::id::{BlobId, ChunkId, SegmentId};
use crate::store::files::Unread;
use crate::store::judge::{share, shuffle};
use crate::store::part_ref::PartRef;
use crate::store::parts::Judgement;
use crate::store::segments::OpenSegment;
use crate::store::snapshot::Snapshot;
use crate::vector::block::Block;
use crate::vector::embed::differing;
use crate::vector::model::ModelId;
use crate::vector::static_model::embedded;

/// Judges the blocks of `theirs` that `ours` does not have; of each of the static model so many vectors
/// are made again.
pub(in crate::store) fn judge(
    repo: &Repo,
    ours: &Named,
    theirs: &Snapshot,
    sample: usize,
) -> Judgement {
    let is_new = |model: &ModelId, segment, id| ours.get(model, segment) != Some(id);
    judged(repo, theirs, &is_new, &|_| sample)
}

/// Examines the blocks of a snapshot, and a share of the vectors of each that can be made again.
pub(in crate::store) fn examine(repo: &Repo, snapshot: &Snapshot, percent: u8) -> Judgement {
    judged(repo, snapshot, &|_, _, _| true, &|all| share(all, percent))
}

fn judged(
    repo: &Repo,
    snapshot: &Snapshot,
    is_asked: &dyn Fn(&ModelId, SegmentId, BlobId) -> bool,
    sample: &dyn Fn(usize) -> usize,
) -> Judgement {
    let (named, segments) = (snapshot.vectors(), snapshot.segments().iter());
    let mut objects = repo.objects();
    let mut out = Judgement::default();
    for (model, segment, block) in named.iter().filter(|(m, s, id)| is_asked(m, *s, *id)) {
        // A block whose segment cannot be opened goes with it.
        let Some(open) = segments.clone().find(|open| open.id() == segment) else {
            continue;
        };
        let opened = named.open(&mut objects, block, open.segment());
        let part = PartRef::vectors(model, segment, block);
        match opened.and_then(|found| check(model, open, &found, sample)) {
            Ok(()) => {}
            Err(Unread::Unreadable(reason)) => out.unreadable.push((part, reason)),
            Err(Unread::Unfit(reason)) => out.lies.push((part, reason)),
        }
    }
    out
}

fn check(
    model: &ModelId,
    open: &OpenSegment,
    block: &Block,
    sample: &dyn Fn(usize) -> usize,
) -> Result<(), Unread> {
    let known = embedded();
    if *model != known.model().id {
        return Ok(());
    }
    if !block.is_of(known.model()) {
        return Err(Unread::Unfit("vectors of another model".to_owned()));
    }
    let mut chunks: Vec<ChunkId> = (0..block.rows).map(ChunkId).collect();
    shuffle(&mut chunks);
    chunks.truncate(sample(chunks.len()));
    match differing(known, open.segment(), block, &chunks) {
        Some(chunk) => Err(Unread::Unfit(format!(
            "the vector of chunk {} is not what its segment calls for",
            chunk.0
        ))),
        None => Ok(()),
    }
}
