//! A tip that names objects which are gone. Readers may not miss them, as long as files are left of what they held; git
//! does, and refuses to collect garbage.

use super::contents::Contents;
use super::error::{Error, Warning};
use super::publish::{Durable, Move, swap, tip_of};
use super::snapshot::Snapshot;
use crate::git::{Repo, tree};
use crate::id::PartId;
use rustc_hash::FxHashSet;

/// Writes again what the tip of a snapshot names, as far as it can be read, when not all of it is in the
/// object store; what is gone for good is left out. Returns the index as it is then, with a warning; `None` when nothing is
/// missing, or somebody else moved the ref meanwhile. Fails with what the repository said.
pub fn restore(repo: &Repo, snapshot: &Snapshot) -> Result<Option<Snapshot>, Error> {
    let Some(tip) = snapshot.tip else {
        return Ok(None);
    };
    if tree::has_all(repo, tip) {
        return Ok(None);
    }
    let objects = repo.objects();
    let is_there = |id: PartId| objects.contains(id.as_object());
    let stored = snapshot.segments().iter().filter(|open| open.is_stored);
    let next = Contents {
        segments: stored.cloned().collect(),
        pieces: snapshot.pieces().filtered(&is_there),
        vectors: snapshot
            .vectors()
            .clone()
            .filtered(|_, _, id| is_there(id.into())),
        ledger: snapshot.ledger().clone(),
    };
    // Also when the tip stays what it is.
    let (pack, _) = tip_of(repo, &next, &FxHashSet::default())?;
    let mut durable = Durable {
        ids: next.segment_ids().into_iter().collect(),
        held: pack.write(repo)?,
    };
    let why = Move::Adds("index: mend");
    let Some(_) = swap(repo, Some(tip), &next, &mut durable, why)? else {
        return Ok(None);
    };
    let mut mended = Snapshot::open(repo)?;
    mended.warnings.extend(snapshot.warnings.iter().cloned());
    mended.warnings.push(Warning::Incomplete(tip));
    Ok(Some(mended))
}
