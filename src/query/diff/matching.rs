//! Which definition of the new state is which of the old one.
//!
//! First by place: of one name in one container of one file. What is left over is looked for elsewhere, by its
//! tokens: the same ones are a move or a renaming, similar ones may be ([`similarity`](super::similarity)).

use super::files::FileChange;
use super::similarity::{self, Class, Runs};
use super::units::{Digests, Side, Unit, UnitId};
use crate::extract::record::SymbolKind::{self, Impl};
use crate::graph::semantics;
use crate::graph::table::SymbolId;
use crate::view::live::FileId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::rc::Rc;

/// Definitions of fewer tokens are alike by chance: renamed ones are found by their neighbours alone.
const MIN_TOKENS: usize = 12;
/// Least similarity of a definition that kept its name.
const MIN_NAMED: f64 = 0.5;
/// Least similarity of one that did not; of one that came to another file, too; and of one whose name says that it is
/// the same.
const MIN_RENAMED: f64 = 0.65;
const MIN_RENAMED_AND_MOVED: f64 = 0.75;
const MIN_ALIKE: f64 = 0.5;
/// How alike two names must be to say so: where the definition before them is the same, and elsewhere in the file.
const MIN_ALIKE_BEHIND: f64 = 0.5;
const MIN_ALIKE_NAMES: f64 = 0.6;
/// Similarity below which a definition is another one although name and place are the same, if something that was
/// there is as similar to it as the second.
const MAX_TAKEN: f64 = 0.3;
const MIN_TAKER: f64 = 0.8;
/// What an equal name, an equal container, and standing behind the same definition in it are worth in similarity
/// when several fit.
const SAME_NAME: f64 = 0.2;
const SAME_PLACE: f64 = 0.1;
const SAME_NEIGHBOUR: f64 = 0.05;
/// Members of a type from which on their names tell it, and the least share of them that both have.
const MIN_MEMBERS: usize = 3;
const MIN_SAME_MEMBERS: f64 = 0.6;
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

    /// The definition of the new state that is this one of the old: as they were paired, or, where its file is the
    /// same, in its place.
    pub fn still(&self, (old, new): (&Side<'_>, &Side<'_>), id: SymbolId) -> Option<SymbolId> {
        if let Some(unit) = old.find(id) {
            return Some(new.unit(self.new_of(unit)?).id);
        }
        let (file, position) = old.graph.place(id);
        let path = || new.view.file_at(old.view.file(file).path.as_bytes());
        new.graph
            .symbol(self.file_of(file).or_else(path)?, position)
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
    let mut matcher = Matcher {
        old,
        new,
        matches,
        runs: Default::default(),
    };
    let deepest = old.units.iter().chain(&new.units).map(|unit| unit.depth);
    let deepest = deepest.max().unwrap_or(0);
    for depth in 0..=deepest {
        matcher.in_names_of_others(depth);
        matcher.by_place(depth);
        // Before what they hold: members of a class that was renamed are in their place.
        let admits = |unit: &Unit| unit.depth >= depth && holds_others(unit.kind);
        matcher.elsewhere(admits, |was, is| match was.depth == is.depth {
            true => was.depth == depth,
            // One that was put around it has nearly all that it has.
            false => was.depth.min(is.depth) == depth && was.name == is.name,
        });
    }
    matcher.elsewhere(|_| true, |_, _| true);
    for depth in 1..=deepest {
        matcher.by_place(depth);
    }
    matcher.by_neighbours();
    matcher.matches
}

pub(super) fn holds_others(kind: SymbolKind) -> bool {
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
    /// Of both states, as far as they were asked for.
    runs: (FxHashMap<UnitId, Rc<Runs>>, FxHashMap<UnitId, Rc<Runs>>),
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

    /// Pairs what took the name of something else in its place, which had another there and consists of the same.
    fn in_names_of_others(&mut self, depth: usize) {
        type Key<'k> = (Place, &'k [u8], Class);
        let mut before: FxHashMap<Key<'_>, Vec<UnitId>> = FxHashMap::default();
        for id in self.left_old() {
            let unit = self.old.unit(id);
            if unit.depth == depth
                && let Some(place) = self.old_place(unit)
            {
                let key = (place, &*unit.name, Class::of(unit.kind));
                before.entry(key).or_default().push(id);
            }
        }
        let mut after: FxHashMap<Key<'_>, Vec<UnitId>> = FxHashMap::default();
        for id in self.left_new() {
            let unit = self.new.unit(id);
            let key = (Self::new_place(unit), &*unit.name, Class::of(unit.kind));
            after.entry(key).or_default().push(id);
        }
        let mut gone: FxHashMap<(Place, Class), Vec<UnitId>> = FxHashMap::default();
        for (key @ (place, _, class), units) in &before {
            if !after.contains_key(key) {
                gone.entry((*place, *class)).or_default().extend(units);
            }
        }
        let mut found = Vec::new();
        for (key @ (place, _, class), units) in &after {
            let ([is], Some([was])) = (&units[..], before.get(key).map(Vec::as_slice)) else {
                continue;
            };
            let Some(others) = gone.get(&(*place, *class)) else {
                continue;
            };
            let (old, new) = (self.old.unit(*was), self.new.unit(*is));
            if new.size < MIN_TOKENS || old.digests.whole == new.digests.whole {
                continue;
            }
            let runs = Runs::of(&self.new.masked(*is));
            let dice = |id: UnitId| Runs::of(&self.old.masked(id)).dice(&runs);
            if dice(*was) < MAX_TAKEN {
                let others = others.iter().map(|other| (dice(*other), *other, *is));
                found.extend(others.filter(|(dice, ..)| *dice >= MIN_TAKER));
            }
        }
        self.add_best(found);
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
            take(&|was, is| was.digests.whole == is.digests.whole);
            take(&|was, is| was.digests.signature == is.digests.signature);
            take(&|_, _| true);
        }
        for (old, new) in pairs {
            self.matches.add(old, new);
        }
    }

    /// Pairs what is left over of some units by what it consists of, as far as two fit.
    fn elsewhere(&mut self, admits: impl Fn(&Unit) -> bool, fit: impl Fn(&Unit, &Unit) -> bool) {
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
        found.extend(self.of_same_members(&old, &new));
        if old.len().max(new.len()) <= MAX_COMPARED {
            found.extend(self.similar(&old, &new));
        }
        found.retain(|(_, was, is)| fit(self.old.unit(*was), self.new.unit(*is)));
        self.add_best(found);
    }

    /// Adds pairs, the best first.
    fn add_best(&mut self, mut found: Vec<(f64, UnitId, UnitId)>) {
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
        let worth = |holds: bool, worth: f64| f64::from(u8::from(holds)) * worth;
        worth(old.name == new.name, SAME_NAME)
            + worth(self.is_in_place(was, is), SAME_PLACE)
            + worth(self.is_behind_the_same(was, is), SAME_NEIGHBOUR)
    }

    fn is_in_place(&self, was: UnitId, is: UnitId) -> bool {
        self.old_place(self.old.unit(was)) == Some(Self::new_place(self.new.unit(is)))
    }

    /// Whether two stand in one place behind the same definition.
    fn is_behind_the_same(&self, was: UnitId, is: UnitId) -> bool {
        let follows = before(self.old, was).map(|unit| self.matches.new_of(unit));
        let follows = match (follows, before(self.new, is)) {
            (None, None) => true,
            (Some(Some(unit)), Some(now)) => unit == now,
            _ => false,
        };
        follows && self.is_in_place(was, is)
    }

    /// How alike two must be to be the same.
    fn least(&self, was: UnitId, is: UnitId) -> f64 {
        let (old, new) = (self.old.unit(was), self.new.unit(is));
        if old.name == new.name {
            return MIN_NAMED;
        }
        if self.matches.file_of(old.file) != Some(new.file) {
            return MIN_RENAMED_AND_MOVED;
        }
        let names = similarity::of_names(&old.name, &new.name);
        let is_alike = names >= MIN_ALIKE_NAMES && self.is_in_place(was, is)
            || names >= MIN_ALIKE_BEHIND && self.is_behind_the_same(was, is);
        if is_alike { MIN_ALIKE } else { MIN_RENAMED }
    }

    /// Pairs of the same tokens. Short ones need the same name.
    fn equal(&self, old: &[UnitId], new: &[UnitId]) -> Vec<(f64, UnitId, UnitId)> {
        let mut by_tokens: FxHashMap<(u64, Class), Vec<UnitId>> = FxHashMap::default();
        for id in new {
            let unit = self.new.unit(*id);
            let key = (unit.digests.whole, Class::of(unit.kind));
            by_tokens.entry(key).or_default().push(*id);
        }
        let mut found = Vec::new();
        for was in old {
            let unit = self.old.unit(*was);
            let same = by_tokens.get(&(unit.digests.whole, Class::of(unit.kind)));
            for is in same.into_iter().flatten().take(MAX_UNITS_OF_RUN) {
                if unit.size >= MIN_TOKENS || unit.name == self.new.unit(*is).name {
                    // No neighbour makes something that is only alike more like it.
                    let score = 1.0 + SAME_NEIGHBOUR + self.bonus(*was, *is);
                    found.push((score, *was, *is));
                }
            }
        }
        found
    }

    /// Pairs types in one place of which most members have the same names, however much was done to them.
    fn of_same_members(&self, old: &[UnitId], new: &[UnitId]) -> Vec<(f64, UnitId, UnitId)> {
        let members = |side: &Side<'_>, outer: UnitId| -> FxHashSet<u64> {
            let own = side.own_name(outer);
            let inside = side.inside(outer).map(|id| side.own_name(id));
            inside.filter(|name| *name != own).collect()
        };
        let mut of_place: FxHashMap<Place, Vec<(UnitId, FxHashSet<u64>)>> = FxHashMap::default();
        for is in new {
            let unit = self.new.unit(*is);
            if semantics::has_members(unit.kind) {
                let place = of_place.entry(Self::new_place(unit)).or_default();
                place.push((*is, members(self.new, *is)));
            }
        }
        let mut found = Vec::new();
        for was in old {
            let unit = self.old.unit(*was);
            let there = self.old_place(unit).and_then(|place| of_place.get(&place));
            let Some(there) = there.filter(|_| semantics::has_members(unit.kind)) else {
                continue;
            };
            let before = members(self.old, *was);
            for (is, after) in there.iter().take(MAX_UNITS_OF_RUN) {
                let both = before.intersection(after).count();
                let dice = 2.0 * both as f64 / (before.len() + after.len()).max(1) as f64;
                let is_alike = Class::of(unit.kind) == Class::of(self.new.unit(*is).kind);
                if is_alike && both >= MIN_MEMBERS && dice >= MIN_SAME_MEMBERS {
                    found.push((dice + self.bonus(*was, *is), *was, *is));
                }
            }
        }
        found
    }

    /// The runs of some units, read once however often these are left over.
    fn runs(known: &mut FxHashMap<UnitId, Rc<Runs>>, side: &Side<'_>, id: UnitId) -> Rc<Runs> {
        let read = || match side.unit(id).size >= MIN_TOKENS {
            true => Runs::of(&side.masked(id)),
            false => Runs::none(),
        };
        known.entry(id).or_insert_with(|| Rc::new(read())).clone()
    }

    fn similar(&mut self, old: &[UnitId], new: &[UnitId]) -> Vec<(f64, UnitId, UnitId)> {
        let least = MIN_NAMED.min(MIN_ALIKE);
        let (known_old, known_new) = &mut self.runs;
        let before = old.iter().map(|id| Self::runs(known_old, self.old, *id));
        let before: Vec<Rc<Runs>> = before.collect();
        let after = new.iter().map(|id| Self::runs(known_new, self.new, *id));
        let after: Vec<Rc<Runs>> = after.collect();
        let mut units_of: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (at, runs) in after.iter().enumerate() {
            for run in runs.iter() {
                units_of.entry(run).or_default().push(at);
            }
        }
        let mut found = Vec::new();
        let mut seen: Vec<Option<UnitId>> = vec![None; new.len()];
        for (was, before) in old.iter().zip(before) {
            let class = Class::of(self.old.unit(*was).kind);
            let rare = before.iter().filter_map(|run| units_of.get(&run));
            let rare = rare.filter(|units| units.len() <= MAX_UNITS_OF_RUN);
            for at in rare.flatten().copied() {
                // Once each.
                if seen[at].replace(*was) == Some(*was) {
                    continue;
                }
                let is = new[at];
                let may_be =
                    class == Class::of(self.new.unit(is).kind) && before.most(&after[at]) >= least;
                let dice = may_be.then(|| before.dice(&after[at]));
                if let Some(dice) = dice
                    && dice >= least
                    && dice >= self.least(*was, is)
                {
                    found.push((dice + self.bonus(*was, is), *was, is));
                }
            }
        }
        found
    }

    /// Pairs short definitions that were renamed: those with equal tokens but for the name that stand behind the
    /// same definition as before. In their order, so that one that was paired is the neighbour of the next.
    fn by_neighbours(&mut self) {
        let follows = |side: &Side<'_>, left: Vec<UnitId>| -> FxHashMap<_, UnitId> {
            let after = |id: UnitId| (before(side, id), side.unit(id).container);
            let file = |id: UnitId| side.unit(id).file;
            left.into_iter()
                .map(|id| ((file(id), after(id)), id))
                .collect()
        };
        let fresh = follows(self.new, self.left_new().collect());
        let mut gone: Vec<UnitId> = self.left_old().collect();
        gone.sort_by(|a, b| in_order(self.old, *a, *b));
        for was in gone {
            let unit = self.old.unit(was);
            let place = self.old_place(unit);
            let (file, container) = match place {
                Some(Place::Top(file)) => (file, None),
                Some(Place::Inside(outer)) => (self.new.unit(outer).file, Some(outer)),
                None => continue,
            };
            let behind = match before(self.old, was) {
                None => None,
                Some(before) => match self.matches.new_of(before) {
                    None => continue,
                    now => now,
                },
            };
            let Some(is) = fresh.get(&(file, (behind, container))) else {
                continue;
            };
            let other = self.new.unit(*is);
            if self.matches.old_of(*is).is_none() && Class::of(unit.kind) == Class::of(other.kind) {
                let (before, after) = but_for_names((self.old, was), (self.new, *is));
                if before.whole == after.whole {
                    self.matches.add(was, *is);
                }
            }
        }
    }
}

/// What two definitions consist of, both names masked in both.
pub fn but_for_names(
    (old, was): (&Side<'_>, UnitId),
    (new, is): (&Side<'_>, UnitId),
) -> (Digests, Digests) {
    let before = old.digests_without(was, new.own_name(is));
    let after = new.digests_without(is, old.own_name(was));
    (
        before.unwrap_or(old.unit(was).digests),
        after.unwrap_or(new.unit(is).digests),
    )
}

/// The definition that stands before one in the same container.
fn before(side: &Side<'_>, unit: UnitId) -> Option<UnitId> {
    let of = side.unit(unit);
    let all = (0..unit.0).rev().map(UnitId);
    all.take_while(|id| side.unit(*id).file == of.file)
        .find(|id| side.unit(*id).container == of.container)
}

/// Orders units as they stand.
pub fn in_order(side: &Side<'_>, a: UnitId, b: UnitId) -> Ordering {
    let place = |unit: &Unit| (unit.file, unit.position);
    place(side.unit(a)).cmp(&place(side.unit(b)))
}
