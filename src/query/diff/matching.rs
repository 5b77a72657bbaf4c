//! Which definition of the new state is which of the old one.
//!
//! First by place: of one name in one container of one file. What is left over is looked for elsewhere, by its
//! tokens: the same ones are a move or a renaming, similar ones may be ([`similarity`](super::similarity)).

use super::files::FileChange;
use super::similarity::{Class, Runs};
use super::units::{Side, Unit, UnitId};
use crate::extract::record::SymbolKind::{self, Impl};
use crate::graph::semantics;
use crate::view::live::FileId;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Definitions of fewer tokens are alike by chance: renamed ones are found by their neighbours alone.
const MIN_TOKENS: usize = 12;
/// Least similarity of a definition that kept its name.
const MIN_NAMED: f64 = 0.5;
/// Least similarity of one that did not.
const MIN_RENAMED: f64 = 0.65;
/// What an equal name, and an equal container, are worth in similarity when several fit.
const SAME_NAME: f64 = 0.2;
const SAME_PLACE: f64 = 0.1;
/// A run that more definitions have says nothing of any of them.
const MAX_UNITS_OF_RUN: usize = 50;
/// Definitions left over on one side from which on only equal tokens are looked for.
const MAX_COMPARED: usize = 5000;

/// Pairs of definitions, readable from both ends.
pub struct Matches {
    new_of: Vec<Option<UnitId>>,
    old_of: Vec<Option<UnitId>>,
    file_of: FxHashMap<FileId, FileId>,
}

impl Matches {
    /// What a definition of the old state is now.
    pub fn new_of(&self, old: UnitId) -> Option<UnitId> {
        self.new_of[old.index()]
    }

    /// What a definition of the new state was.
    pub fn old_of(&self, new: UnitId) -> Option<UnitId> {
        self.old_of[new.index()]
    }

    /// What a file of the old state that differs is now.
    pub fn file_of(&self, old: FileId) -> Option<FileId> {
        self.file_of.get(&old).copied()
    }

    fn add(&mut self, old: UnitId, new: UnitId) {
        self.new_of[old.index()] = Some(new);
        self.old_of[new.index()] = Some(old);
    }
}

/// Pairs the definitions of two states.
pub fn pair(old: &Side<'_>, new: &Side<'_>, files: &[FileChange]) -> Matches {
    let kept = files.iter().filter_map(|file| match file {
        FileChange::Kept { old, new } => Some((*old, *new)),
        _ => None,
    });
    let matches = Matches {
        new_of: vec![None; old.units.len()],
        old_of: vec![None; new.units.len()],
        file_of: kept.collect(),
    };
    let mut matcher = Matcher { old, new, matches };
    let deepest = old.units.iter().chain(&new.units).map(|unit| unit.depth);
    let deepest = deepest.max().unwrap_or(0);
    for depth in 0..=deepest {
        matcher.by_place(depth);
        // Before what they hold: members of a class that was renamed are in their place.
        matcher.elsewhere(|unit| unit.depth == depth && holds_others(unit.kind));
    }
    matcher.elsewhere(|_| true);
    for depth in 1..=deepest {
        matcher.by_place(depth);
    }
    matcher.by_neighbours();
    matcher.matches
}

fn holds_others(kind: SymbolKind) -> bool {
    semantics::has_members(kind) || kind == Impl
}

/// Where a definition stands, in terms of the new state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    Top(FileId),
    Inside(UnitId),
}

struct Matcher<'a> {
    old: &'a Side<'a>,
    new: &'a Side<'a>,
    matches: Matches,
}

impl Matcher<'_> {
    fn old_place(&self, unit: &Unit) -> Option<Place> {
        match unit.container {
            None => self.matches.file_of(unit.file).map(Place::Top),
            Some(outer) => self.matches.new_of(outer).map(Place::Inside),
        }
    }

    fn new_place(unit: &Unit) -> Place {
        unit.container.map_or(Place::Top(unit.file), Place::Inside)
    }

    fn left_old(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.old
            .ids()
            .filter(|id| self.matches.new_of(*id).is_none())
    }

    fn left_new(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.new
            .ids()
            .filter(|id| self.matches.old_of(*id).is_none())
    }

    /// Pairs what has one name in one place; of several the equal ones first, then those of one signature, then in
    /// their order.
    fn by_place(&mut self, depth: usize) {
        type Key<'k> = (Place, &'k [u8], Class);
        let mut groups: FxHashMap<Key<'_>, (Vec<UnitId>, Vec<UnitId>)> = FxHashMap::default();
        for id in self.left_old() {
            let unit = self.old.unit(id);
            if unit.depth == depth
                && let Some(place) = self.old_place(unit)
            {
                let key = (place, &*unit.name, Class::of(unit.kind));
                groups.entry(key).or_default().0.push(id);
            }
        }
        for id in self.left_new() {
            let unit = self.new.unit(id);
            let key = (Self::new_place(unit), &*unit.name, Class::of(unit.kind));
            if let Some((_, found)) = groups.get_mut(&key) {
                found.push(id);
            }
        }
        let mut pairs = Vec::new();
        for (mut old, mut new) in groups.into_values() {
            let mut take = |same: &dyn Fn(&Unit, &Unit) -> bool| {
                old.retain(|was| {
                    let found = new
                        .iter()
                        .position(|is| same(self.old.unit(*was), self.new.unit(*is)));
                    pairs.extend(found.map(|at| (*was, new.remove(at))));
                    found.is_none()
                });
            };
            take(&|was, is| was.whole == is.whole);
            take(&|was, is| was.signature == is.signature);
            take(&|_, _| true);
        }
        for (old, new) in pairs {
            self.matches.add(old, new);
        }
    }

    /// Pairs what is left over of some units by what it consists of.
    fn elsewhere(&mut self, admits: impl Fn(&Unit) -> bool) {
        let old: Vec<UnitId> = self
            .left_old()
            .filter(|id| admits(self.old.unit(*id)))
            .collect();
        let new: Vec<UnitId> = self
            .left_new()
            .filter(|id| admits(self.new.unit(*id)))
            .collect();
        if old.is_empty() || new.is_empty() {
            return;
        }
        let mut found: Vec<(f64, UnitId, UnitId)> = self.equal(&old, &new);
        if old.len().max(new.len()) <= MAX_COMPARED {
            found.extend(self.similar(&old, &new));
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, was, is) in found {
            if self.matches.new_of(was).is_none() && self.matches.old_of(is).is_none() {
                self.matches.add(was, is);
            }
        }
    }

    /// What speaks for a pair besides its tokens.
    fn bonus(&self, was: UnitId, is: UnitId) -> f64 {
        let (old, new) = (self.old.unit(was), self.new.unit(is));
        let named = f64::from(u8::from(old.name == new.name));
        let placed = f64::from(u8::from(self.old_place(old) == Some(Self::new_place(new))));
        named * SAME_NAME + placed * SAME_PLACE
    }

    /// Pairs of the same tokens. Short ones need the same name.
    fn equal(&self, old: &[UnitId], new: &[UnitId]) -> Vec<(f64, UnitId, UnitId)> {
        let mut by_tokens: FxHashMap<(u64, Class), Vec<UnitId>> = FxHashMap::default();
        for id in new {
            let unit = self.new.unit(*id);
            let key = (unit.whole, Class::of(unit.kind));
            by_tokens.entry(key).or_default().push(*id);
        }
        let mut found = Vec::new();
        for was in old {
            let unit = self.old.unit(*was);
            let same = by_tokens.get(&(unit.whole, Class::of(unit.kind)));
            for is in same.into_iter().flatten().take(MAX_UNITS_OF_RUN) {
                if unit.size >= MIN_TOKENS || unit.name == self.new.unit(*is).name {
                    found.push((1.0 + self.bonus(*was, *is), *was, *is));
                }
            }
        }
        found
    }

    fn similar(&self, old: &[UnitId], new: &[UnitId]) -> Vec<(f64, UnitId, UnitId)> {
        let runs = |side: &Side<'_>, id: UnitId| match side.unit(id).size >= MIN_TOKENS {
            true => Runs::of(&side.masked(id)),
            false => Runs::none(),
        };
        let after: Vec<Runs> = new.iter().map(|id| runs(self.new, *id)).collect();
        let mut units_of: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (at, runs) in after.iter().enumerate() {
            for run in runs.iter() {
                units_of.entry(run).or_default().push(at);
            }
        }
        let mut found = Vec::new();
        for was in old {
            let before = runs(self.old, *was);
            let mut shared: FxHashMap<usize, usize> = FxHashMap::default();
            let rare = before.iter().filter_map(|run| units_of.get(&run));
            for units in rare.filter(|units| units.len() <= MAX_UNITS_OF_RUN) {
                for at in units {
                    *shared.entry(*at).or_default() += 1;
                }
            }
            for (at, _) in shared {
                let is = new[at];
                let (unit, other) = (self.old.unit(*was), self.new.unit(is));
                if Class::of(unit.kind) != Class::of(other.kind) {
                    continue;
                }
                let dice = before.dice(&after[at]);
                let least = match unit.name == other.name {
                    true => MIN_NAMED,
                    false => MIN_RENAMED,
                };
                if dice >= least {
                    found.push((dice + self.bonus(*was, is), *was, is));
                }
            }
        }
        found
    }

    /// Pairs short definitions that were renamed: those with equal tokens but for the name, alone so in their
    /// container, that stand behind the same definition as before.
    fn by_neighbours(&mut self) {
        let mut fresh: FxHashMap<(Place, u64, Class), Vec<UnitId>> = FxHashMap::default();
        for id in self.left_new() {
            let unit = self.new.unit(id);
            let key = (Self::new_place(unit), unit.whole, Class::of(unit.kind));
            fresh.entry(key).or_default().push(id);
        }
        let mut gone: FxHashMap<(Place, u64, Class), Vec<UnitId>> = FxHashMap::default();
        for id in self.left_old() {
            let unit = self.old.unit(id);
            if let Some(place) = self.old_place(unit) {
                let key = (place, unit.whole, Class::of(unit.kind));
                gone.entry(key).or_default().push(id);
            }
        }
        let mut pairs = Vec::new();
        for (key, was) in gone {
            if let ([was], Some([is])) = (&was[..], fresh.get(&key).map(Vec::as_slice)) {
                let before = before(self.old, *was).map(|id| self.matches.new_of(id));
                if before == before_new(self.new, *is) {
                    pairs.push((*was, *is));
                }
            }
        }
        for (old, new) in pairs {
            self.matches.add(old, new);
        }
    }
}

/// The definition that stands before one in the same container.
fn before(side: &Side<'_>, unit: UnitId) -> Option<UnitId> {
    let of = side.unit(unit);
    let all = (0..unit.0).rev().map(UnitId);
    all.take_while(|id| side.unit(*id).file == of.file)
        .find(|id| side.unit(*id).container == of.container)
}

fn before_new(side: &Side<'_>, unit: UnitId) -> Option<Option<UnitId>> {
    before(side, unit).map(Some)
}

/// Orders units as they stand.
pub fn in_order(side: &Side<'_>, a: UnitId, b: UnitId) -> Ordering {
    let place = |unit: &Unit| (unit.file, unit.position);
    place(side.unit(a)).cmp(&place(side.unit(b)))
}
