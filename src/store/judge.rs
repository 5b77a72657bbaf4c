//! Whether parts say what the repository says.
//!
//! What is recorded of a blob or a commit is a pure function of it, so an honest part never differs, whoever
//! built it and out of whatever others it was merged. Entries that both have are compared; of the others a few
//! are derived again, chosen so that nobody can tell which, since a liar who knew would lie about the rest.
//!
//! Guarantee: a part of a stranger has no file in our folder before it is believed.

use super::files;
use super::kind::{Key, Kind, Part};
use super::part_ref::PartRef;
use super::parts::{Judgement, Listed, Parts};
use crate::git::{Objects, Repo};
use gix::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{BuildHasher, Hash, RandomState};

/// Entries that are looked for, for each of the sample, where few are there.
const TRIES: usize = 64;
/// Entries that are derived before they are compared: bounds memory.
const BATCH: usize = 256;

/// What entries say, by key.
pub(super) type Records<K> = Vec<(Key<K>, <K as Derived>::Record)>;

/// A kind whose entries can be derived from the repository again.
pub(super) trait Derived: Kind {
    /// What an entry says, in a form in which equal entries are equal.
    type Record: PartialEq;

    /// Whether this program derives such entries at all; what it does not, it does not answer from either.
    fn is_derivable(_key: &Key<Self>) -> bool {
        true
    }
    /// The object that an entry is derived from.
    fn object(key: &Key<Self>) -> ObjectId;
    /// Decodes entries. Fails when the part is damaged.
    fn records(
        body: &Self::Body,
        is_wanted: &dyn Fn(&Key<Self>) -> bool,
    ) -> Result<Records<Self>, String>;
    /// Derives entries. Those whose objects cannot be read are passed over. Fails when nothing can be
    /// derived here.
    fn derive(repo: &Repo, keys: &[Key<Self>]) -> Result<Records<Self>, String>;
    /// Says what of a record differs from another, as a plural.
    fn difference(recorded: Option<&Self::Record>, truth: &Self::Record) -> Option<&'static str>;
    /// Says that an entry differs from its object.
    fn lie(key: &Key<Self>, what: &'static str) -> String;
    /// Says that an entry differs from ours.
    fn dispute(key: &Key<Self>, what: &'static str) -> String;
}

/// What is believed of a part.
pub(super) enum Verdict {
    /// Nothing speaks against it.
    True,
    /// It differs from what its objects say, or is damaged.
    False(String),
    /// Nobody here can tell.
    Unknown(String),
}

/// What came of comparing entries with their objects.
pub(super) struct Compared<K: Kind> {
    /// Entries that were derived again.
    pub derived: FxHashSet<Key<K>>,
    /// Those that differ, and what differs first.
    pub lies: Vec<(Key<K>, &'static str)>,
}

/// Derives entries of a part again and compares them. Fails when the part is damaged, or nothing can be
/// derived here.
pub(super) fn compare<K: Derived>(
    repo: &Repo,
    part: &Part<K>,
    keys: &[Key<K>],
) -> Result<Compared<K>, Verdict> {
    let mut out = Compared {
        derived: FxHashSet::default(),
        lies: Vec::new(),
    };
    let derive = |keys: &[Key<K>]| K::derive(repo, keys).map_err(Verdict::Unknown);
    // With nothing to ask it still has to be possible to ask.
    let none: [&[Key<K>]; 1] = [&[]];
    let none = none.into_iter().filter(|_| keys.is_empty());
    for batch in keys.chunks(BATCH).chain(none) {
        let truth = derive(batch)?;
        // Decoding a part without asking for an entry costs half as much as decoding all.
        if truth.is_empty() {
            continue;
        }
        let wanted: FxHashSet<Key<K>> = truth.iter().map(|(key, _)| *key).collect();
        let is_wanted = |key: &Key<K>| wanted.contains(key);
        let recorded = K::records(&part.body, &is_wanted).map_err(Verdict::False)?;
        let recorded: FxHashMap<_, _> = recorded.into_iter().collect();
        for (key, truth) in &truth {
            let said = recorded.get(key);
            let Some(what) = K::difference(said, truth) else {
                continue;
            };
            // A second look, alone, so that no defect of ours makes a liar of others.
            let alone = derive(&[*key])?;
            if alone.first().map(|(_, truth)| truth) != said {
                out.lies.push((*key, what));
            }
        }
        out.derived.extend(wanted);
    }
    Ok(out)
}

/// Judges one part, given ours; parts of ours that turn out to lie are added to `wrong`.
fn judge_one<K: Derived>(
    repo: &Repo,
    objects: &Objects,
    own: &[Part<K>],
    part: &Part<K>,
    sample: usize,
    wrong: &mut Vec<(PartRef, String)>,
) -> Result<Verdict, Verdict> {
    let is_ours = |key: &Key<K>| own.iter().any(|of| of.covers(key));
    let (shared, rest): (Vec<_>, Vec<_>) = part.keys().partition(is_ours);
    let disputed = disputed(own, part, &shared)?;
    let mut asked: Vec<Key<K>> = disputed.iter().map(|dispute| dispute.key).collect();
    asked.dedup();
    let rest = rest.into_iter().filter(K::is_derivable).collect();
    asked.extend(chosen::<K>(objects, rest, sample));
    let compared = compare(repo, part, &asked)?;
    let is_lie = |key: &Key<K>| compared.lies.iter().any(|(lie, _)| lie == key);
    let is_known = |dispute: &&Dispute<K>| compared.derived.contains(&dispute.key);
    for dispute in disputed.iter().filter(is_known) {
        // The object is on their side, so it is not on ours.
        if !is_lie(&dispute.key) {
            let reason = K::lie(&dispute.key, dispute.what);
            wrong.push((PartRef::of::<K>(dispute.own), reason));
        }
    }
    if let Some((key, what)) = compared.lies.first() {
        return Ok(Verdict::False(K::lie(key, what)));
    }
    // Ours is used.
    let unknown = disputed.iter().find(|dispute| !is_known(dispute));
    Ok(unknown.map_or(Verdict::True, |dispute| {
        Verdict::Unknown(K::dispute(&dispute.key, dispute.what))
    }))
}

/// An entry of which their part says something else than ours.
struct Dispute<K: Kind> {
    key: Key<K>,
    what: &'static str,
    own: K::Id,
}

/// Compares the entries that both have. Of our own parts that cannot be read nothing is said.
fn disputed<K: Derived>(
    own: &[Part<K>],
    part: &Part<K>,
    shared: &[Key<K>],
) -> Result<Vec<Dispute<K>>, Verdict> {
    let mut out = Vec::new();
    for own in own {
        let keys = shared.iter().filter(|key| own.covers(key)).copied();
        let keys: FxHashSet<Key<K>> = keys.collect();
        if keys.is_empty() {
            continue;
        }
        let is_wanted = |key: &Key<K>| keys.contains(key);
        let Ok(mine) = K::records(&own.body, &is_wanted) else {
            continue;
        };
        let theirs = K::records(&part.body, &is_wanted).map_err(Verdict::False)?;
        let theirs: FxHashMap<_, _> = theirs.into_iter().collect();
        for (key, mine) in mine {
            let (what, own) = (K::difference(theirs.get(&key), &mine), own.id());
            out.extend(what.map(|what| Dispute { key, what, own }));
        }
    }
    out.sort_by_key(|dispute| dispute.key);
    Ok(out)
}

/// Chooses entries whose objects are here, in a way that cannot be foretold.
pub(super) fn chosen<K: Derived>(
    objects: &Objects,
    mut keys: Vec<Key<K>>,
    count: usize,
) -> Vec<Key<K>> {
    shuffle(&mut keys);
    keys.into_iter()
        .take(count.saturating_mul(TRIES))
        .filter(|key| objects.contains(K::object(key)))
        .take(count)
        .collect()
}

/// Puts keys in an order that nobody can foretell: the standard library takes the keys of
/// its hashes from the operating system.
pub(super) fn shuffle<T: Hash>(keys: &mut [T]) {
    let state = RandomState::new();
    keys.sort_by_cached_key(|key| state.hash_one(key));
}

/// So much of a whole, in percent, and at least one.
pub(super) fn share(all: usize, percent: u8) -> usize {
    (all * usize::from(percent)).div_ceil(100).min(all)
}

/// Judges parts of a stranger, given ours; of each so many entries that ours lack are derived again.
pub(super) struct Judge<'a, K: Kind> {
    repo: &'a Repo,
    objects: Objects,
    own: &'a [Part<K>],
    sample: usize,
    /// What was found so far.
    pub found: Judgement,
}

impl<'a, K: Derived> Judge<'a, K> {
    pub fn new(repo: &'a Repo, own: &'a [Part<K>], sample: usize) -> Self {
        Self {
            repo,
            objects: repo.objects(),
            own,
            sample,
            found: Judgement::default(),
        }
    }

    /// Judges one; says whether it is believed.
    pub fn believes(&mut self, part: &Part<K>) -> bool {
        let (wrong, sample) = (&mut self.found.wrong, self.sample);
        let judged = judge_one(self.repo, &self.objects, self.own, part, sample, wrong);
        let part = PartRef::of::<K>(part.id());
        match judged.unwrap_or_else(|verdict| verdict) {
            Verdict::True => return true,
            Verdict::False(reason) => self.found.lies.push((part, reason)),
            Verdict::Unknown(reason) => self.found.disputed.push((part, reason)),
        }
        false
    }

    /// What was found; of each part of ours that lies once.
    pub fn finish(mut self) -> Judgement {
        let wrong = &mut self.found.wrong;
        wrong.sort_by(|(a, why_a), (b, why_b)| (a.id, why_a).cmp(&(b.id, why_b)));
        wrong.dedup_by_key(|(part, _)| part.id);
        self.found
    }
}

/// Judges the parts of `theirs` that `ours` does not have. Those that are believed get files.
pub(super) fn judge_listed<K: Derived + Listed>(
    repo: &Repo,
    ours: &Parts<K>,
    theirs: &Parts<K>,
    sample: usize,
) -> Judgement {
    let foreign = theirs.filtered(|id| !ours.has(id.into()));
    if foreign.is_empty() {
        return Judgement::default();
    }
    let own = ours.open(repo, &mut Vec::new());
    let mut judge = Judge::new(repo, &own, sample);
    foreign.open_each(repo, |id, opened| match opened {
        Ok(part) if judge.believes(&part) => {
            files::keep::<K>(repo, id, part.bytes(), &mut Vec::new());
        }
        Ok(_) => {}
        Err(reason) => judge.found.unreadable.push((PartRef::of::<K>(id), reason)),
    });
    judge.finish()
}

/// Examines parts that a tip of ours names: whether their objects are what they must be, and, of a share of
/// the entries of each, whether they are true.
pub(super) fn examine<K: Derived + Listed>(
    repo: &Repo,
    parts: &Parts<K>,
    percent: u8,
) -> Judgement {
    let mut out = Judgement::default();
    parts.open_each(repo, |id, opened| match opened {
        Ok(part) => {
            let mut judge = Judge::new(repo, &[], share(part.len(), percent));
            judge.believes(&part);
            // What cannot be derived again says nothing against a part of ours.
            out.lies.extend(judge.finish().lies);
        }
        Err(reason) => out.unreadable.push((PartRef::of::<K>(id), reason)),
    });
    out
}
