//! Parts of one kind that a tip names beside its segments: by their ids, opened when they are asked for.

use super::error::{Error, Warning};
use super::files::{self, Unread};
use super::kind::{Key, Kind, Part};
use super::ledger::Ledger;
use super::part_ref::PartRef;
use super::union::{self, Kept};
use crate::git::Repo;
use crate::id::PartId;
use gix::hash::Kind as Hash;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A kind whose parts stand in [`Parts`].
pub trait Listed: Kind {
    /// Changes a set that is about to be named by a tip. Fails with what the repository said.
    fn finish(_repo: &Repo, set: Vec<Part<Self>>) -> Result<Vec<Part<Self>>, Error> {
        Ok(set)
    }
    /// Judges those of `theirs` that `ours` does not have; so many entries of each that ours lacks are derived
    /// again. What nobody can derive is believed.
    fn judge(
        _repo: &Repo,
        _ours: &Parts<Self>,
        _theirs: &Parts<Self>,
        _sample: usize,
    ) -> Judgement {
        Judgement::default()
    }
    /// Examines those that a tip names: whether their objects are what they must be, and whether such a share
    /// of their entries is true, in percent.
    fn examine(repo: &Repo, parts: &Parts<Self>, _percent: u8) -> Judgement {
        let mut out = Judgement::default();
        parts.open_each(repo, |id, opened| {
            let unreadable = opened.err().map(|reason| (PartRef::of::<Self>(id), reason));
            out.unreadable.extend(unreadable);
        });
        out
    }
}

/// What is said of a part that lied once.
pub(super) const WRONG_BEFORE: &str = "it was found to be wrong before";

/// What was found of parts, with reasons.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Judgement {
    /// Those that cannot be read.
    pub unreadable: Vec<(PartRef, String)>,
    /// Those that lie.
    pub lies: Vec<(PartRef, String)>,
    /// Those of which nobody here can tell whether they do.
    pub disputed: Vec<(PartRef, String)>,
    /// Parts of ours that lie.
    pub wrong: Vec<(PartRef, String)>,
}

impl Judgement {
    /// Adds what was found of others.
    pub fn extend(&mut self, other: Self) {
        self.unreadable.extend(other.unreadable);
        self.lies.extend(other.lies);
        self.disputed.extend(other.disputed);
        self.wrong.extend(other.wrong);
    }

    /// Those that cannot be used, whatever the reason.
    pub fn left_out(&self) -> FxHashSet<PartId> {
        let all = self.unreadable.iter().chain(&self.lies);
        all.chain(&self.disputed).map(|(part, _)| part.id).collect()
    }
}

/// Parts by id, with those that are not written yet.
pub struct Parts<K: Kind> {
    /// In order.
    ids: Vec<K::Id>,
    unwritten: BTreeMap<K::Id, Arc<K::Body>>,
}

impl<K: Kind> Clone for Parts<K> {
    fn clone(&self) -> Self {
        Self {
            ids: self.ids.clone(),
            unwritten: self.unwritten.clone(),
        }
    }
}

impl<K: Kind> Default for Parts<K> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            unwritten: BTreeMap::new(),
        }
    }
}

impl<K: Kind> PartialEq for Parts<K> {
    fn eq(&self, other: &Self) -> bool {
        self.ids == other.ids
    }
}

impl<K: Kind> Eq for Parts<K> {}

impl<K: Kind> fmt::Debug for Parts<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.ids).finish()
    }
}

impl<K: Kind> Parts<K> {
    /// Names parts that the object store has.
    pub(super) fn stored(ids: impl IntoIterator<Item = K::Id>) -> Self {
        let mut ids: Vec<K::Id> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        Self {
            ids,
            unwritten: BTreeMap::new(),
        }
    }

    /// Names open ones.
    pub(super) fn of(set: &[Part<K>]) -> Self {
        let unwritten = set.iter().filter(|part| !part.is_stored);
        let unwritten = unwritten.map(|part| (part.id(), part.body.clone()));
        Self {
            unwritten: unwritten.collect(),
            ..Self::stored(set.iter().map(Part::id))
        }
    }

    /// Names one that is still to be written.
    pub(super) fn unwritten(hash: Hash, body: K::Body) -> Result<Self, Error> {
        Ok(Self::of(&[Part::built(hash, body)?]))
    }

    /// The same, whatever the kind.
    pub(super) fn list(&self) -> List<'_> {
        List {
            name: K::NAME,
            folder: K::FOLDER,
            message: K::MESSAGE,
            ids: self.ids.iter().map(|id| (*id).into()).collect(),
            unwritten: self.unwritten.values().map(|body| K::bytes(body)).collect(),
        }
    }

    /// Their ids, in order.
    pub fn ids(&self) -> &[K::Id] {
        &self.ids
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub(super) fn has(&self, id: K::Id) -> bool {
        self.ids.binary_search(&id).is_ok()
    }

    /// Opens them: from their files, or else from the object store, making the files. What cannot be used is
    /// left out, with a warning.
    pub fn open(&self, repo: &Repo, warnings: &mut Vec<Warning>) -> Vec<Part<K>> {
        let mut out = Vec::with_capacity(self.ids.len());
        let mut objects = repo.objects();
        let mut room = K::MAX_TOTAL;
        for id in &self.ids {
            let part = match self.unwritten.get(id) {
                Some(body) => Ok(Part::unstored(*id, body.clone())),
                None => files::open::<K>(repo, &mut objects, *id, &mut Vec::new())
                    .map(|body| Part::stored(*id, body)),
            };
            match within(part, &mut room) {
                Ok(part) => out.push(part),
                Err(reason) => warnings.push(Warning::Bad {
                    part: PartRef::of::<K>(*id),
                    reason,
                }),
            }
        }
        out
    }

    /// Opens each from the object store, making no file.
    pub(super) fn open_each(
        &self,
        repo: &Repo,
        mut take: impl FnMut(K::Id, Result<Part<K>, String>),
    ) {
        let mut objects = repo.objects();
        let mut room = K::MAX_TOTAL;
        for id in &self.ids {
            let part = files::open_stored::<K>(repo, &mut objects, *id);
            let part = part.map(|body| Part::stored(*id, body));
            take(*id, within(part, &mut room));
        }
    }

    /// Gives every part that was published its file.
    pub(super) fn settled(self, repo: &Repo) -> Self {
        for (id, body) in &self.unwritten {
            files::keep::<K>(repo, *id, K::bytes(body), &mut Vec::new());
        }
        Self {
            unwritten: BTreeMap::new(),
            ..self
        }
    }

    /// Those that pass.
    pub(super) fn filtered(&self, keep: impl Fn(PartId) -> bool) -> Self {
        let mut out = self.clone();
        out.ids.retain(|id| keep((*id).into()));
        out.unwritten.retain(|id, _| keep((*id).into()));
        out
    }

    /// Leaves out what cannot be believed, and makes sure that it has no file: whoever opens a file trusts it.
    pub(super) fn leave_out(&mut self, repo: &Repo, found: &Judgement) {
        let gone = found.left_out();
        let ids = self.ids.iter().copied();
        let ids: Vec<K::Id> = ids.filter(|id| gone.contains(&(*id).into())).collect();
        files::remove::<K>(repo, &ids);
        *self = self.filtered(|id| !gone.contains(&id));
    }

    /// Leaves out what must not come back.
    pub(super) fn admitted(&self, ledger: &Ledger) -> Self {
        self.filtered(|id| !ledger.has_tombstone(id))
    }
}

impl<K: Listed> Parts<K> {
    /// Names a set as a tip is to name it.
    pub(super) fn finished(repo: &Repo, set: Vec<Part<K>>) -> Result<Self, Error> {
        Ok(Self::of(&K::finish(repo, set)?))
    }

    /// Returns what two sets are together: a function of both and of the ledger. What must not come back is in
    /// neither, and what is recorded of denied blobs is not kept.
    pub(super) fn unite(
        &self,
        repo: &Repo,
        theirs: &Self,
        ledger: &Ledger,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, Error> {
        let (mine, other) = (self.admitted(ledger), theirs.admitted(ledger));
        let brings = !other.ids.iter().all(|id| mine.has(*id));
        let is_clean = !K::OF_BLOBS || ledger.denied().len() == 0;
        if !brings && mine == *self && is_clean {
            return Ok(mine);
        }
        let both = [mine.open(repo, warnings), other.open(repo, warnings)].concat();
        Self::finished(repo, union::unite(repo.hash(), both, ledger)?)
    }

    /// Returns these with more; those of a tier that is full are merged.
    pub(super) fn add(
        &self,
        repo: &Repo,
        more: &Self,
        ledger: &Ledger,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, Error> {
        if more.is_empty() {
            return Ok(self.clone());
        }
        let mut all = self.admitted(ledger).open(repo, warnings);
        all.extend(more.open(repo, warnings));
        let set = match K::UNITES {
            true => union::unite(repo.hash(), all, ledger)?,
            false => union::merge_full_tiers(repo, union::normalize(all))?,
        };
        Self::finished(repo, set)
    }

    /// Compacts these fully, to the entries that pass `keep`.
    pub(super) fn collect(
        &self,
        repo: &Repo,
        keep: &dyn Fn(&Key<K>) -> bool,
        warnings: &mut Vec<Warning>,
    ) -> Result<(Self, Kept<K>), Error> {
        let mut kept =
            union::collect(
                repo.hash(),
                self.open(repo, warnings),
                keep,
                &mut |_| Ok(()),
            )?;
        let set = std::mem::take(&mut kept.set);
        Ok((Self::finished(repo, set)?, kept))
    }
}

/// Counts a part towards what all may have.
fn within<K: Kind>(part: Result<Part<K>, Unread>, room: &mut usize) -> Result<Part<K>, String> {
    let part = part.map_err(Unread::reason)?;
    let rest = room.checked_sub(part.bytes().len());
    *room = rest.ok_or("all of its kind in this index are larger than the limit")?;
    Ok(part)
}

/// Parts of some kind, as the tip's tree needs them.
pub(super) struct List<'a> {
    /// What one is called in messages.
    pub name: &'static str,
    /// Name of their folder.
    pub folder: &'static str,
    /// Message of the commit of one.
    pub message: &'static str,
    /// Their ids, in order.
    pub ids: Vec<PartId>,
    /// The bytes that are still to be written.
    pub unwritten: Vec<&'a [u8]>,
}

/// Whether so many parts of a kind are too many for a tip. Fails with [`Error::TooManyParts`].
pub(super) fn check_number<K: Kind>(found: usize) -> Result<(), Error> {
    let ([whole, unit], limit) = (K::COUNTED, K::MAX_PARTS);
    match found > limit {
        true => Err(Error::TooManyParts {
            whole,
            unit,
            found,
            limit,
        }),
        false => Ok(()),
    }
}
