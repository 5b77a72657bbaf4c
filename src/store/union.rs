//! The algebra of parts: what several sets are together, the canonical cut, tiers, and leaving entries out.
//!
//! The union of two sets is [`normalize`] of all their parts, or the canonical cut of all entries where all of
//! it is there; what unites is always cut. It is a function of the parts and the ledger, so it does not
//! matter who merges what first: no order, no conflict, and doing it twice changes nothing. No entry is lost but
//! those that the ledger drops. A part that was compacted from others silently replaces them, because it is
//! larger and covers what they cover.

use super::compact::{self, Candidate, FAN_IN};
use super::error::Error;
use super::kind::{Key, Kind, Part, is_denied};
use super::ledger::Ledger;
use super::parallel::{cores, map};
use super::partition::{Entry, partition, split};
use super::recheck::{blamed, recheck_all};
use crate::git::Repo;
use crate::id::PartId;
use crate::segment;
use gix::hash::Kind as Hash;
use rustc_hash::FxHashSet;

/// Keeps the parts that cover something no larger kept part covers, ordered by id.
///
/// Candidates are taken by size, largest first, then by id. Usually the first key decides, so the
/// cost is about the number of parts squared, plus the entries of those that are dropped.
pub(super) fn normalize<K: Kind>(parts: Vec<Part<K>>) -> Vec<Part<K>> {
    let mut parts = distinct(parts);
    parts.sort_by(|a, b| {
        let larger = b.bytes().len().cmp(&a.bytes().len());
        larger.then_with(|| a.id().cmp(&b.id()))
    });
    let mut kept: Vec<Part<K>> = Vec::with_capacity(parts.len());
    for part in parts {
        let is_covered = |key: Key<K>| kept.iter().any(|other| other.covers(&key));
        if !part.keys().all(is_covered) {
            kept.push(part);
        }
    }
    kept.sort_by_key(Part::id);
    kept
}

/// Orders parts by id, each once; one that is stored counts, if either is.
fn distinct<K: Kind>(mut parts: Vec<Part<K>>) -> Vec<Part<K>> {
    parts.sort_by_key(|part| (part.id(), !part.is_stored));
    parts.dedup_by_key(|part| part.id());
    parts
}

/// Returns the set that two sets are together, given the parts of both.
///
/// When the canonical cut of all entries is there, it is the result: so after one clone has
/// collected, all others end in the same parts.
pub(super) fn unite<K: Kind>(
    hash: Hash,
    parts: Vec<Part<K>>,
    ledger: &Ledger,
) -> Result<Vec<Part<K>>, Error> {
    if K::UNITES {
        return recut(hash, parts, &|key| !is_denied::<K>(ledger, key));
    }
    let admitted = admit(hash, parts, ledger);
    Ok(canonical_cut(&admitted).unwrap_or_else(|| normalize(admitted)))
}

/// Returns the set that results when parts are added to a set, given all of them.
///
/// As [`unite`] without the look for a canonical cut, which costs as much as there are entries.
pub(super) fn add<K: Kind>(hash: Hash, parts: Vec<Part<K>>, ledger: &Ledger) -> Vec<Part<K>> {
    normalize(admit(hash, parts, ledger))
}

/// Leaves out what must not come back and what must not be recorded.
fn admit<K: Kind>(hash: Hash, parts: Vec<Part<K>>, ledger: &Ledger) -> Vec<Part<K>> {
    if ledger.is_empty() {
        return parts;
    }
    let is_wanted = |part: &Part<K>| !ledger.has_tombstone(part.id().into());
    parts
        .into_iter()
        .filter(is_wanted)
        .filter_map(|part| without_denied(hash, part, ledger))
        // What is left of a part may be what a collection has replaced.
        .filter(is_wanted)
        .collect()
}

/// Rewrites a part without the entries of denied blobs; `None` when nothing is left, or when
/// it cannot be rewritten because it is damaged.
fn without_denied<K: Kind>(hash: Hash, part: Part<K>, ledger: &Ledger) -> Option<Part<K>> {
    if !part.holds_denied(ledger) {
        return Some(part);
    }
    let keep = |key: &Key<K>| !is_denied::<K>(ledger, key);
    let rest = K::merge(hash, &[&part.body], &keep).ok()?;
    let rest = Part::built(hash, rest).ok()?;
    (rest.len() > 0).then_some(rest)
}

/// The entries of parts, distinct and in the order of the cut.
pub(super) fn entries<K: Kind>(parts: &[Part<K>]) -> Vec<K::Entry> {
    let mut all = Vec::with_capacity(parts.iter().map(Part::len).sum());
    for part in parts {
        all.extend(K::entries(&part.body));
    }
    // Parts that contradict each other are not ours; then the order of the set decides.
    all.sort_by_key(|entry: &K::Entry| (entry.key(), entry.rank()));
    all.dedup_by_key(|entry| entry.key());
    if !all.is_sorted_by(|a, b| a.bits() <= b.bits()) {
        all.sort_by_cached_key(Entry::bits);
    }
    all
}

/// The keys of entries, in order.
fn sorted_keys<K: Kind>(entries: &[K::Entry]) -> Vec<Key<K>> {
    let mut keys: Vec<Key<K>> = entries.iter().map(Entry::key).collect();
    keys.sort_unstable();
    keys
}

/// Finds the parts of the canonical cut of all entries, if all of them are there.
///
/// One that the limits of a part would divide further is not looked for.
pub(super) fn canonical_cut<K: Kind>(parts: &[Part<K>]) -> Option<Vec<Part<K>>> {
    let entries = entries(parts);
    let ranges = partition(&entries, K::CUT);
    if ranges.len() > parts.len() {
        return None;
    }
    let mut ordered = parts.to_vec();
    ordered.sort_by_key(Part::id);
    let found = ranges.into_iter().map(|range| {
        let keys = sorted_keys::<K>(&entries[range]);
        existing(&ordered, &keys).cloned()
    });
    let mut set = found.collect::<Option<Vec<_>>>()?;
    set.sort_by_key(Part::id);
    Some(set)
}

/// Finds the first part with exactly these entries; its bytes are those that would be written.
fn existing<'a, K: Kind>(parts: &'a [Part<K>], keys: &[Key<K>]) -> Option<&'a Part<K>> {
    let mut parts = parts.iter();
    parts.find(|part| part.len() == keys.len() && part.keys().eq(keys.iter().copied()))
}

/// Is given the parts made so far, again and again while more are made, and may put some of them away.
pub(super) type PutAway<'a, K> = dyn FnMut(&mut Vec<Part<K>>) -> Result<(), Error> + 'a;

/// Parts made by each thread before they may be put away.
const MADE_AT_ONCE: usize = 2;

/// Returns the canonical cut of entries that parts have, in order, and how many of it were there already. What
/// grows over the size limit of a part is split further.
pub(super) fn cut<K: Kind>(
    hash: Hash,
    parts: &[Part<K>],
    entries: &[K::Entry],
    put_away: &mut PutAway<K>,
) -> Result<(Vec<Part<K>>, usize), Error> {
    let ranges = partition(entries, K::CUT);
    let leaf = |(): &mut (), range: &std::ops::Range<usize>| {
        cut_leaf(hash, parts, &entries[range.clone()])
    };
    let (mut set, mut reused) = (Vec::with_capacity(ranges.len()), 0);
    for some in ranges.chunks(MADE_AT_ONCE * cores()) {
        for leaf in map(some, cores(), || (), leaf) {
            let (leaf, were_there) = leaf?;
            set.extend(leaf);
            reused += were_there;
        }
        put_away(&mut set)?;
    }
    Ok((set, reused))
}

fn cut_leaf<K: Kind>(
    hash: Hash,
    parts: &[Part<K>],
    entries: &[K::Entry],
) -> Result<(Vec<Part<K>>, usize), Error> {
    let (mut todo, mut out, mut reused) = (vec![entries], Vec::new(), 0);
    while let Some(leaf) = todo.pop() {
        let keys = sorted_keys::<K>(leaf);
        if let Some(part) = existing(parts, &keys) {
            out.push(part.clone());
            reused += 1;
            continue;
        }
        let holds = |part: &&Part<K>| keys.iter().any(|key| part.covers(key));
        let sources: Vec<Part<K>> = parts.iter().filter(holds).cloned().collect();
        let bodies: Vec<&K::Body> = sources.iter().map(|part| &*part.body).collect();
        match K::merge(hash, &bodies, &|key| keys.binary_search(key).is_ok()) {
            Ok(body) => out.push(Part::built(hash, body)?),
            Err(err @ segment::Error::TooLarge { .. }) => {
                let (first, second) = leaf.split_at(split(leaf).ok_or(err)?);
                todo.extend([second, first]);
            }
            Err(err) => return Err(blamed(hash, &sources, err)),
        }
    }
    Ok((out, reused))
}

/// Returns the canonical cut of what parts that unite say together, of the entries that pass.
fn recut<K: Kind>(
    hash: Hash,
    parts: Vec<Part<K>>,
    keep: &dyn Fn(&Key<K>) -> bool,
) -> Result<Vec<Part<K>>, Error> {
    let parts = distinct(parts);
    let bodies: Vec<&K::Body> = parts.iter().map(|part| &*part.body).collect();
    let whole = [Part::<K>::built(hash, K::merge(hash, &bodies, keep)?)?];
    let (mut set, _) = cut(hash, &whole, &entries(&whole), &mut |_| Ok(()))?;
    for part in &mut set {
        // What is there already is not written again.
        if let Ok(at) = parts.binary_search_by_key(&part.id(), Part::id) {
            *part = parts[at].clone();
        }
    }
    Ok(set)
}

/// What a collection kept of a set.
pub(super) struct Kept<K: Kind> {
    /// The parts, in the order of the cut.
    pub set: Vec<Part<K>>,
    /// Entries that were kept.
    pub kept: usize,
    /// Entries that were dropped.
    pub dropped: usize,
    /// The parts that held one of these.
    pub shrunk: Vec<PartId>,
    /// Parts that did not have to be written again.
    pub reused: usize,
}

/// Returns the canonical cut of the entries of a set that pass `keep`, as many as a collection keeps. What is made may be
/// put away meanwhile, but for parts that unite, which are few.
pub(super) fn collect<K: Kind>(
    hash: Hash,
    parts: Vec<Part<K>>,
    keep: &dyn Fn(&Key<K>) -> bool,
    put_away: &mut PutAway<K>,
) -> Result<Kept<K>, Error> {
    let mut all = entries(&parts);
    let before = all.len();
    all.retain(|entry| keep(&entry.key()));
    all.drain(..all.len().saturating_sub(K::MAX_KEPT));
    let dropped = before - all.len();
    let mut shrunk = Vec::new();
    if dropped > 0 {
        let keys = sorted_keys::<K>(&all);
        let loses = |part: &&Part<K>| part.keys().any(|key| keys.binary_search(&key).is_err());
        shrunk.extend(parts.iter().filter(loses).map(|part| part.id().into()));
    }
    let (set, reused) = match K::UNITES {
        true => (recut(hash, parts, keep)?, 0),
        false => cut(hash, &parts, &all, put_away)?,
    };
    Ok(Kept {
        set,
        kept: all.len(),
        dropped,
        shrunk,
        reused,
    })
}

/// Returns parts without entries that must stay here: each as it is, smaller, or not at all where it
/// would bring `theirs` nothing.
pub(super) fn without<K: Kind>(
    hash: Hash,
    parts: Vec<Part<K>>,
    private: &FxHashSet<Key<K>>,
    theirs: &[Part<K>],
) -> Result<Vec<Part<K>>, Error> {
    let is_public = |key: &Key<K>| !private.contains(key);
    if private.is_empty() {
        return Ok(parts);
    }
    if K::UNITES {
        return recut(hash, parts, &is_public);
    }
    let mut out = Vec::with_capacity(parts.len());
    for part in parts {
        if part.keys().all(|key| is_public(&key)) {
            out.push(part);
            continue;
        }
        let is_there = |key: &Key<K>| theirs.iter().any(|other| other.covers(key));
        let brings = part.keys().any(|key| is_public(&key) && !is_there(&key));
        // Else it is at most a compaction of what they have, which has to be worth sending it all.
        let replaces = |other: &&Part<K>| other.keys().all(|key| part.covers(&key));
        let compacts = || K::COMPACTS_REMOTES && theirs.iter().filter(replaces).count() >= FAN_IN;
        if brings || compacts() {
            out.push(Part::built(
                hash,
                K::merge(hash, &[&part.body], &is_public)?,
            )?);
        }
    }
    Ok(out)
}

/// Replaces each full tier by the part it is merged into. A merge that fails, because a part is damaged or the
/// result too large, leaves its inputs as they are.
pub(super) fn merge_full_tiers<K: Kind>(
    repo: &Repo,
    mut set: Vec<Part<K>>,
) -> Result<Vec<Part<K>>, Error> {
    if set.len() < FAN_IN {
        return Ok(set);
    }
    let candidates = set.iter().map(|part| Candidate {
        id: part.id().into(),
        weight: weight_of(part),
    });
    for group in compact::plan(&candidates.collect::<Vec<_>>()) {
        let is_in = |part: &&Part<K>| group.contains(&part.id().into());
        let parts: Vec<Part<K>> = set.iter().filter(is_in).cloned().collect();
        let Ok(parts) = recheck_all(repo, &parts) else {
            continue;
        };
        let bodies: Vec<&K::Body> = parts.iter().map(|part| &*part.body).collect();
        let Ok(merged) = K::merge(repo.hash(), &bodies, &|_| true) else {
            continue;
        };
        set.retain(|part| !is_in(&part));
        set.push(Part::built(repo.hash(), merged)?);
    }
    Ok(normalize(set))
}

/// Sums the weights of a part's entries, no further than it takes to see that it is sealed.
fn weight_of<K: Kind>(part: &Part<K>) -> u64 {
    let mut sum = 0;
    for entry in K::entries(&part.body) {
        sum += entry.weight();
        if sum >= compact::SEALED {
            break;
        }
    }
    sum
}

/// Replaces a part by two with the same entries; `None` when it has one alone.
pub(super) fn halves<K: Kind>(hash: Hash, part: &Part<K>) -> Result<Option<Vec<Part<K>>>, Error> {
    let whole = std::slice::from_ref(part);
    let all = entries(whole);
    let Some(middle) = split(&all) else {
        return Ok(None);
    };
    let (mut out, (first, second)) = (Vec::new(), all.split_at(middle));
    for half in [first, second] {
        let keys = sorted_keys::<K>(half);
        let keep = |key: &Key<K>| keys.binary_search(key).is_ok();
        out.push(Part::built(hash, K::merge(hash, &[&part.body], &keep)?)?);
    }
    Ok(Some(out))
}

#[cfg(test)]
mod tests;
