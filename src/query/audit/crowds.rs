//! Languages of which more is unreached than people leave lying about.
//!
//! What calls into a repository and is not understood (a host, a framework, what is generated, a table of names) calls
//! into many places: where there is such a thing, dozens of definitions of one language look dead at once, and where
//! there is none a handful do. So many at once are a reason to doubt each of them.
//!
//! Guarantee: the whole view is counted, whatever part of it is asked about. Deliberately absent: which of them are
//! called, and the verdict of `symbol`, for which all of a repository would have to be judged.

use crate::extract::record::Grammar;
use crate::graph::table::SymbolId;
use crate::query::inventory::Inventory;
use rustc_hash::FxHashMap;

/// How many are a crowd, and which part of all there are: in 178 repositories that nobody had looked at, 92 of 163 of
/// those in lists of this size were dead, and 407 of 523 in shorter ones (`benchmark/oracle/README.md`).
const CROWD: u32 = 20;
const PART: u32 = 100;

/// How many definitions nothing reaches, by family of languages, where these are a crowd.
pub(super) struct Crowds(FxHashMap<Grammar, u32>);

impl Crowds {
    /// Counts. `unreached` are some of `all`.
    pub(super) fn of(
        inventory: &Inventory<'_>,
        all: impl Iterator<Item = SymbolId>,
        unreached: impl Iterator<Item = SymbolId>,
    ) -> Self {
        let mut unreached = counted(inventory, unreached);
        unreached.retain(|_, count| *count >= CROWD);
        if !unreached.is_empty() {
            let all = counted(inventory, all);
            unreached.retain(|family, count| {
                let all = all.get(family).copied().unwrap_or_default();
                count.saturating_mul(PART) >= all
            });
        }
        Self(unreached)
    }

    /// How many nothing reaches of the crowd that an unreached definition is one of; `None` where there is none.
    pub(super) fn around(&self, inventory: &Inventory<'_>, id: SymbolId) -> Option<u32> {
        self.0.get(&family(inventory, id)).copied()
    }
}

fn counted(
    inventory: &Inventory<'_>,
    ids: impl Iterator<Item = SymbolId>,
) -> FxHashMap<Grammar, u32> {
    let mut counts = FxHashMap::default();
    for id in ids {
        *counts.entry(family(inventory, id)).or_default() += 1;
    }
    counts
}

fn family(inventory: &Inventory<'_>, id: SymbolId) -> Grammar {
    inventory.language(inventory.get(id).file).family
}
