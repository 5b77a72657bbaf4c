//! What of parts of one kind travels to a remote: all but entries that must stay here.

use super::error::Error;
use super::kind::{Key, Kind, Part};
use super::ledger::Ledger;
use super::parts::{Listed, Parts};
use super::scope::Public;
use super::union;
use crate::git::Repo;
use crate::id::BlobId;
use rustc_hash::FxHashSet;

/// Returns the keys of entries that `ours` has and `theirs` does not, sorted and distinct: those of
/// which it has to be known whether they may travel.
pub(super) fn unshared<K: Kind>(
    ours: &[Part<K>],
    theirs: &[Part<K>],
    holds: &dyn Fn(BlobId) -> bool,
) -> Vec<Key<K>> {
    let shared: FxHashSet<_> = theirs.iter().map(|part| part.id().into()).collect();
    let rest = ours
        .iter()
        .filter(|part| !shared.contains(&part.id().into()));
    let is_there = |key: &Key<K>| theirs.iter().any(|part| part.covers(key));
    let mut out: Vec<Key<K>> = rest
        .flat_map(|part| part.keys())
        .filter(|key| !is_there(key) && !K::is_known(holds, key))
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// The same of lists. What cannot be read does not travel; whoever opens it for its own sake hears of it.
pub(super) fn unshared_of<K: Listed>(
    repo: &Repo,
    ours: &Parts<K>,
    theirs: &Parts<K>,
    holds: &dyn Fn(BlobId) -> bool,
) -> Vec<Key<K>> {
    let rest = ours.filtered(|id| !theirs.has(id.into()));
    if rest.is_empty() {
        return Vec::new();
    }
    let known = theirs.open(repo, &mut Vec::new());
    unshared(&rest.open(repo, &mut Vec::new()), &known, holds)
}

/// Composes the union of `theirs` and of what `ours` has that may travel. Returns it with the number of entries
/// of which the remote learns something, and of those that stay here.
pub(super) fn compose<K: Listed>(
    repo: &Repo,
    ours: &Parts<K>,
    theirs: &Parts<K>,
    holds: &dyn Fn(BlobId) -> bool,
    public: Public,
    ledger: &mut Ledger,
) -> Result<(Parts<K>, usize, usize), Error> {
    let mut private: FxHashSet<Key<K>> = FxHashSet::default();
    private.extend(unshared_of(repo, ours, theirs, holds));
    private.retain(|key| !public.allows(K::subject(key)));
    let known = theirs.open(repo, &mut Vec::new());
    // What lies does not travel in part either.
    let mine = ours.admitted(ledger).open(repo, &mut Vec::new());
    let travelling = Parts::of(&union::without(repo.hash(), mine, &private, &known)?);
    let parts = theirs.unite(repo, &travelling, ledger, &mut Vec::new())?;
    ledger.revive(parts.ids().iter().map(|id| (*id).into()));
    if parts == *theirs {
        return Ok((parts, 0, private.len()));
    }
    let mut new: FxHashSet<Key<K>> = FxHashSet::default();
    for part in parts.open(repo, &mut Vec::new()) {
        let is_told = |key: &Key<K>| known.iter().any(|of| K::tells(&of.body, &part.body, key));
        new.extend(part.keys().filter(|key| !is_told(key)));
    }
    Ok((parts, new.len(), private.len()))
}
