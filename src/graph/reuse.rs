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
use super::digests::Digests;
use super::documents::Heads;
use super::edges::Graph;
use super::members::Based;
use super::names::Names;
use super::resolve::Resolver;
use super::table::SymbolId;
use super::values::{Found, Rounds, Value, What};
use crate::view::live::FileId;
use rustc_hash::FxHashMap;

/// Stands for a definition that is gone.
const GONE: u32 = u32::MAX;

/// How a graph came about, for the next one. Held in memory only.
pub struct Kept {
    pub(super) names: Names,
    pub(super) heads: Heads,
    pub(super) found: Facts,
    /// By definition, whether it has members.
    pub(super) has_members: Vec<bool>,
}

/// What files were found to say of types and values.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) bases: Vec<Based>,
    pub(super) values: Rounds,
}

/// An earlier graph, and what of it holds.
pub(super) struct Reused<'a> {
    pub(super) graph: &'a Graph,
    /// By definition of the earlier graph: its number now.
    ids: Vec<u32>,
    /// By file: whether it has to be resolved again.
    stale: Vec<bool>,
}

impl<'a> Reused<'a> {
    /// Finds out which files can be seen to have changed by themselves, and where definitions are now; notes the
    /// names of those that came and went. `None` when too much has changed.
    fn begin(old: &'a Made, digests: &Digests, changed: &mut Changed<'_>) -> Option<Self> {
        let before = &old.digests;
        let mut stale = differing(before, &digests.contents, &digests.configuration)?;
        let mut ids = Vec::with_capacity(before.identity.len());
        for (file, is_stale) in stale.iter().enumerate() {
            let (was, is) = (before.symbols_of(file), digests.symbols_of(file));
            if !is_stale {
                if was.len() != is.len() {
                    return None;
                }
                ids.extend((is.start as u32..).take(was.len()));
                continue;
            }
            // Whether a module has definitions of its own says whether it only passes others on.
            if was.is_empty() != is.is_empty() {
                return None;
            }
            let mut known: FxHashMap<u64, u32> =
                is.map(|id| (digests.identity[id], id as u32)).collect();
            for id in was {
                let found = known.remove(&before.identity[id]);
                if found.is_none() {
                    changed.add_hash(before.name[id]);
                }
                ids.push(found.unwrap_or(GONE));
            }
            for id in known.into_values() {
                changed.add_hash(digests.name[id as usize]);
            }
        }
        for (file, is_stale) in stale.iter_mut().enumerate() {
            // Guesses may lead to what nobody has listed, whatever compilers say of the use.
            if before.listed[file] != digests.listed[file] {
                let names = names_of(before, file).chain(names_of(digests, file));
                names.for_each(|name| changed.add_hash(name));
            }
            *is_stale |= before.told[file] != digests.told[file];
        }
        Some(Self {
            graph: &old.graph,
            ids,
            stale,
        })
    }

    /// Notes the names of what of a file looks different from others than before; `None` when names do not say
    /// it all.
    fn compare(
        &self,
        before: &Digests,
        digests: &Digests,
        file: usize,
        changed: &mut Changed<'_>,
    ) -> Option<()> {
        match before.contents[file] == digests.contents[file] {
            true if before.resolutions[file] != digests.resolutions[file] => return None,
            true => {}
            false => changed.add_imports(before, digests, FileId(file as u32))?,
        }
        for id in before.symbols_of(file) {
            let now = self.ids[id];
            if now == GONE {
                continue;
            }
            if before.shape[id] != digests.shape[now as usize] {
                return None;
            }
            if before.meaning[id] != digests.meaning[now as usize] {
                changed.add_hash(before.name[id]);
            }
        }
        if before.defaults[file] != digests.defaults[file] {
            changed.add_bytes(b"default");
        }
        Some(())
    }

    /// Compares the digests of two trees; `None` when they differ too much.
    pub(super) fn of(old: &'a Made, digests: &Digests, resolver: &Resolver<'_>) -> Option<Self> {
        let mut changed = Changed::new(resolver);
        let mut reused = Self::begin(old, digests, &mut changed)?;
        for file in 0..reused.stale.len() {
            reused.compare(&old.digests, digests, file, &mut changed)?;
        }
        changed.spread(&mut reused.stale)?;
        reused.mark_dangling();
        Some(reused)
    }

    /// Makes the digests of a tree and what its files say of types and values from those of an earlier one, and
    /// compares them; `None` when they differ too much. `digests` are begun.
    pub(super) fn follow(
        (old, kept): (&'a Made, &Kept),
        digests: &mut Digests,
        resolver: &mut Resolver<'_>,
        threads: usize,
    ) -> Option<(Self, Facts)> {
        let mut noted = Changed::new(resolver).noted();
        let mut reused = {
            let mut changed = noted.of(resolver);
            let mut reused = Self::begin(old, digests, &mut changed)?;
            reused.compare_members(old, kept, resolver, &mut changed);
            changed.spread(&mut reused.stale)?;
            noted = changed.noted();
            reused
        };
        let mut looked_at = 0;
        loop {
            reused.mark_dangling();
            let found = reused.facts(kept, resolver, threads);
            let before = Some((&old.digests, &reused.stale[..]));
            digests.see(resolver, before, threads);
            if reused.stale_files() == looked_at {
                return Some((reused, found));
            }
            looked_at = reused.stale_files();
            let mut changed = noted.of(resolver);
            for file in 0..reused.stale.len() {
                if reused.stale[file] {
                    reused.compare(&old.digests, digests, file, &mut changed)?;
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
    fn compare_members(
        &self,
        old: &Made,
        kept: &Kept,
        resolver: &Resolver<'_>,
        changed: &mut Changed<'_>,
    ) {
        for ((now, had), name) in self
            .ids
            .iter()
            .zip(&kept.has_members)
            .zip(&old.digests.name)
        {
            if *now != GONE && *had != resolver.members.has_any(SymbolId(*now)) {
                changed.add_hash(*name);
            }
        }
    }

    /// What files say of types and values: the files that are looked at again, and those that are not.
    fn facts(&mut self, kept: &Kept, resolver: &mut Resolver<'_>, threads: usize) -> Facts {
        let values = loop {
            let before = self.stale_files();
            let held = kept.found.values.iter().map(|round| self.held(round));
            let held: Rounds = held.collect();
            // What was said of a definition that is gone was said by a file that names it.
            if self.stale_files() == before {
                break held;
            }
        };
        let files: Vec<FileId> = (self.stale.iter().zip((0..).map(FileId)))
            .filter_map(|(stale, file)| stale.then_some(file))
            .collect();
        resolver.forget_values();
        let said = resolver.collect_bases(&files, threads);
        let mut bases = Vec::with_capacity(kept.found.bases.len());
        for based in &kept.found.bases {
            if self.holds(based.file)
                && let Some(class) = self.id(based.class.0)
            {
                let base = based.base.and_then(|base| self.id(base.0));
                bases.push(Based {
                    file: based.file,
                    class: SymbolId(class),
                    base: base.map(SymbolId),
                });
            }
        }
        bases.extend(said);
        bases.sort_by_key(|based| based.file);
        resolver.members.set_bases(&bases);
        let values = resolver.collect_values(&files, values, threads);
        Facts { bases, values }
    }

    /// What was found in a round, as far as it holds. Marks files that speak of what is gone.
    fn held(&mut self, round: &[Found]) -> Vec<Found> {
        let mut held = Vec::with_capacity(round.len());
        for found in round {
            if !self.holds(found.file) {
                continue;
            }
            match self.moved(found) {
                Some(found) => held.push(found),
                None => self.stale[found.file.0 as usize] = true,
            }
        }
        held
    }

    fn moved(&self, found: &Found) -> Option<Found> {
        let id = |id: SymbolId| self.id(id.0).map(SymbolId);
        let what = match &found.what {
            What::Is(value) => What::Is(value.moved(&id)?),
            What::Has(bases) => What::Has(bases.iter().copied().map(id).collect::<Option<_>>()?),
        };
        Some(Found {
            file: found.file,
            id: id(found.id)?,
            what,
        })
    }

    /// Marks files with an edge to a definition that is gone. By today's rules they name it and are
    /// marked already; this keeps it so whatever rules are added.
    fn mark_dangling(&mut self) {
        let gone = self.ids.iter().zip(0..).filter(|(id, _)| **id == GONE);
        for (_, old) in gone {
            for edge in self.graph.incoming(SymbolId(old)) {
                let file = self.graph.edge(edge).file;
                self.stale[file.0 as usize] = true;
            }
        }
    }

    /// Whether a file means what it meant before.
    pub(super) fn holds(&self, file: FileId) -> bool {
        !self.stale[file.0 as usize]
    }

    /// The number now of a definition of the earlier graph; `None` when it is gone.
    pub(super) fn id(&self, old: u32) -> Option<u32> {
        self.ids.get(old as usize).copied().filter(|id| *id != GONE)
    }

    /// Number of files that are resolved again.
    pub(super) fn stale_files(&self) -> usize {
        self.stale.iter().filter(|stale| **stale).count()
    }
}

/// By file, whether it holds something else than before; `None` for trees of other paths, and when a file that
/// configures how imports are read is among them.
pub(super) fn differing(
    before: &Digests,
    contents: &[u64],
    configuration: &[u32],
) -> Option<Vec<bool>> {
    if before.contents.len() != contents.len() || before.configuration != configuration {
        return None;
    }
    let files = before.contents.iter().zip(contents);
    let differ: Vec<bool> = files.map(|(a, b)| a != b).collect();
    let configures = configuration.iter().any(|file| differ[*file as usize]);
    (!configures).then_some(differ)
}

impl Value {
    /// The value under the numbers that definitions have now; `None` when one of them is gone.
    fn moved(&self, id: &impl Fn(SymbolId) -> Option<SymbolId>) -> Option<Self> {
        Some(match self {
            Self::Instance(of) => Self::Instance(id(*of)?),
            Self::Elements(of) => Self::Elements(id(*of)?),
            Self::Type(of) => Self::Type(id(*of)?),
            Self::Function(of) => Self::Function(id(*of)?),
            Self::Several(all) => {
                let all = all.iter().map(|value| value.moved(id));
                Self::Several(all.collect::<Option<_>>()?)
            }
            other => other.clone(),
        })
    }
}

/// Hashes of the names that a file defines.
fn names_of(digests: &Digests, file: usize) -> impl Iterator<Item = u64> + '_ {
    digests.symbols_of(file).map(|id| digests.name[id])
}

#[cfg(test)]
mod tests;
