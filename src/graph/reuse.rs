//! What of an earlier graph still holds: after most edits all but the edges of a few files.
//!
//! A name is resolved by looking names up, so a file that names nothing that changed means what it
//! meant before ([`Changed`]). What can be seen without a name (the bases of a type, what an import of
//! everything brings, the modules themselves) must not have changed at all, or everything is resolved again.
//!
//! What a definition looks like follows from what others look like. So where it is known how the earlier graph
//! came about ([`Kept`]), the files that changed are looked at alone; if some of what they define looks
//! different now, the files that name it are looked at with them, until nothing more looks different. Else
//! all are looked at once.
//!
//! Guarantee: the graph that is made so is equal to the one made of the tree alone.

use super::build::Made;
use super::changed::Changed;
use super::digests::{Before, Digests};
use super::documents::{DocImport, Unread, is_passed_whole};
use super::edges::Graph;
use super::globals::Globals;
use super::includes::Includes;
use super::listing::{Aligned, Listing};
use super::members::{Based, Owned};
use super::modules::{Modules, Resolution};
use super::names::Names;
use super::numbers::Numbers;
use super::resolve::Resolver;
use super::rounds::{Places, Round, Rounds};
use super::table::{Index, SymbolId};
use super::value::Values;
use super::values::{Found, What};
use crate::extract::record::ImportKind;
use crate::modules::place::Place;
use crate::store::parallel;
use crate::view::live::FileId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

mod moved;
mod types;

/// Stands for a definition that is gone, and for none.
pub(super) const GONE: u32 = u32::MAX;

/// Files that two trees may differ in and still be near: as many as one change has.
const NEAR: usize = 256;

impl Made {
    /// Whether another graph is of nearly the same tree, so that the next one is as well made from this one.
    pub fn is_near(&self, other: &Self) -> bool {
        let (these, those) = (&self.digests, &other.digests);
        let aligned = Aligned::of(&these.paths, &those.paths);
        let went = aligned.now.iter().filter(|now| now.is_none()).count();
        let is_same = |(was, is): (&Option<u32>, &u64)| {
            was.and_then(|was| these.contents.get(was as usize)) == Some(is)
        };
        let pairs = aligned.was.iter().zip(&those.contents);
        went + pairs.filter(|pair| !is_same(*pair)).count() <= NEAR
    }
}

/// How a graph came about, for the next one.
pub struct Kept {
    pub(super) found: Facts,
    /// By definition, whether it has members: 1 for yes.
    pub(super) has_members: Numbers<u8>,
    pub(super) listing: Arc<Listing>,
    /// What else the process has that made the graph; `None` in all others.
    pub(super) held: Option<Held>,
}

/// What is held in memory only.
pub(super) struct Held {
    pub(super) names: Names,
    pub(super) documents: Unread,
    pub(super) defined: Defined,
    /// Where what was found of values lies.
    pub(super) places: Places,
    pub(super) modules: Modules,
    pub(super) includes: Arc<Includes>,
}

/// What is as before where the files that changed have the definitions that they had.
pub(super) struct Defined {
    pub(super) index: Arc<Index>,
    /// If they have the imports that they had, too.
    pub(super) globals: Arc<Globals>,
    /// And if these lead where they did.
    pub(super) owned: Arc<Owned>,
}

/// What files were found to say of types and values.
#[derive(Default, PartialEq, Debug)]
pub(super) struct Facts {
    pub(super) bases: Vec<Based>,
    pub(super) values: Rounds,
    /// Files of which not all is here: they are looked at again.
    pub(super) again: Vec<FileId>,
}

/// An earlier graph, and what of it holds.
pub(super) struct Reused<'a> {
    pub(super) graph: &'a Graph,
    before: &'a Digests,
    aligned: Aligned,
    /// By definition of the earlier graph: its number now.
    ids: Vec<u32>,
    /// Whether all of them have the number that they had, as after most edits, and there are no others.
    is_numbered_so: bool,
    /// The first definition of the earlier graph that has not the number that it had, or the count.
    fixed: u32,
    /// Whether every file has the definitions that it had, so that `ids` need not be asked.
    defines_so: bool,
    /// By file: whether it has to be resolved again.
    stale: Vec<bool>,
}

impl<'a> Reused<'a> {
    /// Finds out which files can be seen to have changed by themselves. `None` when a file that configures how
    /// imports are read is among them. `digests` have no more than contents.
    fn begin(old: &'a Made, digests: &Digests) -> Option<Self> {
        let before = &old.digests;
        if before.configuration != digests.configuration {
            return None;
        }
        let aligned = Aligned::of(&before.paths, &digests.paths);
        let content = |was: &Option<u32>| was.map(|was| before.contents[was as usize]);
        let was = aligned.was.iter().map(content);
        let stale = was.zip(&digests.contents).map(|(was, is)| was != Some(*is));
        Some(Self {
            graph: &old.graph,
            before,
            stale: stale.collect(),
            aligned,
            ids: Vec::new(),
            is_numbered_so: false,
            fixed: 0,
            defines_so: false,
        })
    }

    /// What digests are made from.
    fn known(&self) -> Before<'_> {
        Before {
            digests: self.before,
            was: &self.aligned.was,
            differs: &self.stale,
            defines_so: self.defines_so,
        }
    }

    /// Finds out where definitions are now, and notes the names of those that came and went; `None` when too much
    /// has changed. `digests` are begun.
    fn match_definitions(&mut self, digests: &Digests, changed: &mut Changed<'_>) -> Option<()> {
        match self.defines_so {
            true => self.is_numbered_so = true,
            false => self.find_definitions(digests, changed)?,
        }
        let before = self.before;
        for (file, was) in self.aligned.was.iter().enumerate() {
            let Some(was) = was.map(|was| was as usize) else {
                names_of(digests, file).for_each(|name| changed.add_hash(name));
                continue;
            };
            // Guesses may lead to what nobody has listed, whatever compilers say of the use.
            if before.listed[was] != digests.listed[file] {
                let names = names_of(before, was).chain(names_of(digests, file));
                names.for_each(|name| changed.add_hash(name));
            }
            self.stale[file] |= before.told[was] != digests.told[file];
        }
        Some(())
    }

    /// Finds the definitions of the earlier graph among those of now.
    fn find_definitions(&mut self, digests: &Digests, changed: &mut Changed<'_>) -> Option<()> {
        let before = self.before;
        for (old, now) in self.aligned.now.iter().enumerate() {
            let was = before.symbols_of(old);
            let Some(file) = now.map(|now| now as usize) else {
                was.clone().for_each(|id| changed.add_hash(before.name[id]));
                self.ids.extend(was.map(|_| GONE));
                continue;
            };
            let is = digests.symbols_of(file);
            if !self.stale[file] {
                if was.len() != is.len() {
                    return None;
                }
                self.ids.extend((is.start as u32..).take(was.len()));
                continue;
            }
            let mut known: FxHashMap<u64, u32> =
                is.map(|id| (digests.identity[id], id as u32)).collect();
            for id in was {
                let found = known.remove(&before.identity[id]);
                if found.is_none() {
                    changed.add_hash(before.name[id]);
                }
                self.ids.push(found.unwrap_or(GONE));
            }
            for id in known.into_values() {
                changed.add_hash(digests.name[id as usize]);
            }
        }
        let moved = self.ids.iter().zip(0..).position(|(id, was)| *id != was);
        // What comes last moves nothing.
        self.is_numbered_so = moved.is_none() && self.ids.len() == digests.name.len();
        self.fixed = moved.unwrap_or(self.ids.len()) as u32;
        Some(())
    }

    /// Marks the files that take a module whole from one that only passes it on now, or only did before, and notes what
    /// they call it: they have another module in hand.
    fn mark_passed_on(
        &mut self,
        digests: &Digests,
        resolver: &Resolver<'_>,
        changed: &mut Changed<'_>,
    ) {
        let before = &self.before.passing;
        let files = (self.aligned.was.iter().zip(&digests.passing)).zip((0..).map(FileId));
        let turned =
            files.filter(|((was, is), _)| was.is_some_and(|was| before[was as usize] != **is));
        let mut open: Vec<FileId> = turned.map(|(_, file)| file).collect();
        if open.is_empty() {
            return;
        }
        let mut takers: FxHashMap<FileId, Vec<(FileId, &DocImport)>> = FxHashMap::default();
        for (file, doc) in resolver.docs.iter() {
            for (import, resolution) in doc.imports.iter().zip(resolver.resolutions(file)) {
                let takes = matches!(import.kind, ImportKind::Require | ImportKind::Reexport);
                if takes && let Resolution::Found(place) = resolution {
                    for from in &place.files {
                        takers.entry(*from).or_default().push((file, import));
                    }
                }
            }
        }
        let mut seen: FxHashSet<FileId> = open.iter().copied().collect();
        while let Some(passing) = open.pop() {
            for (file, import) in takers.remove(&passing).into_iter().flatten() {
                self.stale[file.0 as usize] = true;
                let names = import.bindings.iter().flat_map(|b| [b.imported, b.local]);
                names.flatten().for_each(|name| changed.add_name(name));
                if is_passed_whole(import) && seen.insert(file) {
                    open.push(file);
                }
            }
        }
    }

    /// Notes the names of what of a file looks different from others than before; `None` when names do not say
    /// it all.
    fn compare(&self, digests: &Digests, file: usize, changed: &mut Changed<'_>) -> Option<()> {
        let before = self.before;
        // Who knows a file that is new has an import that leads elsewhere now, or names what it defines.
        let Some(was) = self.aligned.was[file].map(|was| was as usize) else {
            return Some(());
        };
        if before.contents[was] != digests.contents[file]
            || before.resolutions[was] != digests.resolutions[file]
        {
            changed.add_imports((before, was), digests, FileId(file as u32))?;
        }
        for id in before.symbols_of(was) {
            let Some(now) = self.id(id as u32) else {
                continue;
            };
            if before.shape[id] != digests.shape[now as usize] {
                return None;
            }
            if before.meaning[id] != digests.meaning[now as usize] {
                changed.add_hash(before.name[id]);
            }
        }
        if before.defaults[was] != digests.defaults[file] {
            changed.add_bytes(b"default");
        }
        Some(())
    }

    /// Compares the digests of two trees of the same paths; `None` when they differ too much.
    pub(super) fn of(old: &'a Made, digests: &Digests, resolver: &Resolver<'_>) -> Option<Self> {
        let mut changed = Changed::new(resolver);
        let mut reused = Self::begin(old, digests)?;
        if old.digests.paths != digests.paths {
            return None;
        }
        reused.match_definitions(digests, &mut changed)?;
        reused.mark_passed_on(digests, resolver, &mut changed);
        for file in 0..reused.stale.len() {
            reused.stale[file] |= old.digests.resolutions[file] != digests.resolutions[file];
            reused.compare(digests, file, &mut changed)?;
        }
        changed.spread(&mut reused.stale)?;
        reused.mark_bases(resolver);
        reused.mark_dangling();
        Some(reused)
    }

    /// Makes the digests of a tree, and what its files say of bases and values, from those of an earlier one, and
    /// compares them; `None` when they differ too much. `digests` have no more than contents; only the imports of the
    /// files that were resolved may lead elsewhere.
    pub(super) fn follow(
        (old, kept): (&'a Made, &Kept),
        digests: &mut Digests,
        (resolver, resolved): (&mut Resolver<'_>, &[FileId]),
        threads: usize,
    ) -> Option<(Self, Vec<Based>)> {
        let mut reused = Self::begin(old, digests)?;
        let held = kept.held.as_ref();
        reused.defines_so =
            held.is_some_and(|held| Arc::ptr_eq(&held.defined.index, resolver.table.index()));
        for file in &kept.found.again {
            if let Some(now) = reused.aligned.now[file.0 as usize] {
                reused.stale[now as usize] = true;
            }
        }
        for file in digests.led_elsewhere(resolver, reused.known(), resolved, threads) {
            reused.stale[file.0 as usize] = true;
        }
        digests.begin(resolver, Some(reused.known()), threads);
        let mut noted = {
            let mut changed = Changed::new(resolver);
            reused.match_definitions(digests, &mut changed)?;
            reused.mark_passed_on(digests, resolver, &mut changed);
            reused.compare_members(kept, resolver, &mut changed);
            kept.listing
                .compare(&reused.aligned, resolver, &mut changed)?;
            changed.spread(&mut reused.stale)?;
            changed.noted()
        };
        let mut looked_at = 0;
        loop {
            reused.mark_dangling();
            reused.mark_classes(resolver);
            let found = reused.look_again(kept, resolver, threads);
            let looked_into = reused.stale_files();
            reused.mark_bases(resolver);
            digests.see(resolver, Some(reused.known()), threads);
            if reused.stale_files() == looked_at {
                return Some((reused, found));
            }
            looked_at = looked_into;
            let mut changed = noted.of(resolver);
            for file in 0..reused.stale.len() {
                if reused.stale[file] {
                    reused.compare(digests, file, &mut changed)?;
                }
            }
            changed.spread(&mut reused.stale)?;
            noted = changed.noted();
            if reused.stale_files() == looked_at {
                return Some((reused, found));
            }
        }
    }

    /// Notes the names of definitions that have members now and had none, or the other way round: members may
    /// stand in other files.
    fn compare_members(&self, kept: &Kept, resolver: &Resolver<'_>, changed: &mut Changed<'_>) {
        if self.defines_so {
            let all = kept.has_members.iter().zip(resolver.members.has_any.iter());
            let differ = all
                .zip(&*self.before.name)
                .filter(|((had, has), _)| had != has);
            differ.for_each(|(_, name)| changed.add_hash(*name));
            return;
        }
        let all = self.ids.iter().zip(kept.has_members.iter());
        for ((now, had), name) in all.zip(&*self.before.name) {
            if *now != GONE && (*had == 1) != resolver.members.has_any(SymbolId(*now)) {
                changed.add_hash(*name);
            }
        }
    }

    /// What files say of bases, and then of values: those that are looked at again, and those that are not.
    fn look_again(
        &mut self,
        kept: &Kept,
        resolver: &mut Resolver<'_>,
        threads: usize,
    ) -> Vec<Based> {
        let values = loop {
            let before = self.stale_files();
            let rounds = kept.found.values.iter();
            let held = rounds.map(|round| self.held(round, threads));
            let held: Rounds = held.collect();
            // What was said of a definition that is gone was said by a file that names it.
            if self.stale_files() == before {
                break held;
            }
        };
        let files: Vec<FileId> = self.marked().collect();
        resolver.forget_values();
        let said = resolver.collect_bases(&files, threads);
        let mut bases = Vec::with_capacity(kept.found.bases.len());
        for based in &kept.found.bases {
            if let Some(file) = self.held_at(based.file)
                && let Some(class) = self.id(based.class.0)
            {
                let base = based.base.and_then(|base| self.id(base.0));
                bases.push(Based {
                    file,
                    class: SymbolId(class),
                    base: base.map(SymbolId),
                });
            }
        }
        bases.extend(said);
        bases.sort_by_key(|based| based.file);
        resolver.members.set_bases(resolver.table, &bases);
        let known = match (&kept.held, self.is_in_place()) {
            (Some(held), true) => {
                let stale = self.numbers_of(&files);
                Values::after(&held.places, &kept.found.values, &stale)
            }
            _ => Values::of_symbols(resolver.table.len()),
        };
        resolver.collect_values(&files, (known, values), threads);
        bases
    }

    /// What was found in a round, as far as it holds. Marks files that speak of what is gone: what else these say is
    /// dropped when rounds are looked through once more, as they are while files are marked.
    fn held(&mut self, round: &Round, threads: usize) -> Round {
        // Where nothing has another number values need not be taken apart.
        if self.is_in_place() {
            let files: Vec<FileId> = self.marked().collect();
            return round.without(&self.numbers_of(&files));
        }
        let (part, pieces) = match self.aligned.is_same {
            true => round.parted(self.fixed),
            false => (Round::default(), round.pieces().collect()),
        };
        let looked_at = |piece: &&[Found]| {
            let mut held = Vec::with_capacity(piece.len());
            let mut stale = Vec::new();
            for found in *piece {
                let Some(file) = self.held_at(found.file) else {
                    continue;
                };
                match self.moved(found, file) {
                    Some(found) => held.push(found),
                    None => stale.push(file),
                }
            }
            (held, stale)
        };
        let all = parallel::map(&pieces, threads, || (), |(), piece| looked_at(piece));
        let mut held = Vec::new();
        for (of_piece, stale) in all {
            held.extend(of_piece);
            for file in stale {
                self.stale[file.0 as usize] = true;
            }
        }
        if part.is_empty() {
            return Round::of(held);
        }
        let files: Vec<FileId> = self.marked().collect();
        part.without(&self.numbers_of(&files)).with(held)
    }

    /// Whether every file and every definition has the number that it had.
    pub(super) fn is_in_place(&self) -> bool {
        self.aligned.is_same && self.is_numbered_so
    }

    /// The numbers that the definitions of some files had.
    fn numbers_of(&self, files: &[FileId]) -> Vec<Range<u32>> {
        let of = |file: &FileId| {
            let ids = self.before.symbols_of(file.0 as usize);
            ids.start as u32..ids.end as u32
        };
        files.iter().map(of).collect()
    }

    /// Where a file of the earlier tree is now, if it means what it meant there.
    fn held_at(&self, file: FileId) -> Option<FileId> {
        let now = FileId(self.aligned.now[file.0 as usize]?);
        self.holds(now).then_some(now)
    }

    fn moved(&self, found: &Found, file: FileId) -> Option<Found> {
        let id = |id: SymbolId| self.id(id.0).map(SymbolId);
        let file_now = |file: FileId| self.aligned.now[file.0 as usize].map(FileId);
        let place = |place: &Place| match self.aligned.is_same {
            true => Some(place.clone()),
            false => place.moved(file_now),
        };
        let what = match &found.what {
            What::Is(value) => What::Is(value.moved(&place, &id)?),
            What::Has(bases) => What::Has(bases.iter().copied().map(id).collect::<Option<_>>()?),
        };
        Some(Found {
            file,
            id: id(found.id)?,
            what,
            is_guess: found.is_guess,
        })
    }

    /// Marks files with an edge to a definition that is gone. By today's rules they name it and are
    /// marked already; this keeps it so whatever rules are added.
    fn mark_dangling(&mut self) {
        let gone = self.ids.iter().zip(0..).filter(|(id, _)| **id == GONE);
        for (_, old) in gone {
            for edge in self.graph.incoming(SymbolId(old)) {
                let file = self.graph.edge(edge).file;
                if let Some(now) = self.aligned.now[file.0 as usize] {
                    self.stale[now as usize] = true;
                }
            }
        }
    }

    /// Whether a file means what it meant before.
    pub(super) fn holds(&self, file: FileId) -> bool {
        !self.stale[file.0 as usize]
    }

    /// The file of the earlier graph that a file was.
    pub(super) fn was(&self, file: FileId) -> Option<FileId> {
        self.aligned.was[file.0 as usize].map(FileId)
    }

    /// Where a file of the earlier graph is now.
    pub(super) fn file_now(&self, file: u32) -> Option<u32> {
        self.aligned.now.get(file as usize).copied().flatten()
    }

    /// Where files of the earlier graph are now; `None` when one of them is no more.
    pub(super) fn now(&self, files: &'a [u32]) -> Option<Cow<'a, [u32]>> {
        if self.aligned.is_same {
            return Some(Cow::Borrowed(files));
        }
        let now = files
            .iter()
            .map(|file| *self.aligned.now.get(*file as usize)?);
        Some(Cow::Owned(now.collect::<Option<_>>()?))
    }

    /// What is known of the files of a tree, for the next one, where `before` was known of the earlier tree.
    pub(super) fn listing(&self, before: &Kept, resolver: &Resolver<'_>) -> Arc<Listing> {
        let files = (0..self.stale.len() as u32).map(FileId);
        let changed = files.filter(|file| !self.holds(*file));
        match self.aligned.is_same {
            true => Listing::after(&before.listing, changed, resolver),
            false => Arc::new(Listing::of(resolver)),
        }
    }

    /// Whether all definitions of the earlier graph have the number that they had.
    pub(super) fn is_numbered_so(&self) -> bool {
        self.is_numbered_so
    }

    /// The first file from one on, or the end, that does not hold or lay elsewhere beside the one before it.
    pub(super) fn run(&self, first: usize) -> usize {
        let was = |file: usize| self.aligned.was.get(file).copied().flatten();
        let mut next = first;
        while let Some(at) = was(next)
            && !self.stale[next]
            && was(first).is_some_and(|start| start as usize + (next - first) == at as usize)
        {
            next += 1;
        }
        next
    }

    /// The numbers now of all definitions of the earlier graph, [`GONE`] for those that are no more.
    pub(super) fn ids(&self) -> Cow<'_, [u32]> {
        match self.defines_so {
            true => (0..self.graph.symbol_count() as u32).collect(),
            false => Cow::Borrowed(&self.ids),
        }
    }

    /// The number now of a definition of the earlier graph; `None` when it is gone.
    pub(super) fn id(&self, old: u32) -> Option<u32> {
        if self.defines_so {
            return Some(old);
        }
        self.ids.get(old as usize).copied().filter(|id| *id != GONE)
    }

    /// The files that are resolved again, in path order.
    pub(super) fn marked(&self) -> impl Iterator<Item = FileId> + '_ {
        let all = self.stale.iter().zip((0..).map(FileId));
        all.filter_map(|(stale, file)| stale.then_some(file))
    }

    /// Number of files that are resolved again.
    pub(super) fn stale_files(&self) -> usize {
        self.stale.iter().filter(|stale| **stale).count()
    }
}

/// Hashes of the names that a file defines.
fn names_of(digests: &Digests, file: usize) -> impl Iterator<Item = u64> + '_ {
    digests.symbols_of(file).map(|id| digests.name[id])
}

#[cfg(test)]
mod tests;
