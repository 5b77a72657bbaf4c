//! Languages of which more is unreached than people leave lying about.
//!
//! What calls into a repository and is not understood (a host, a framework, what is generated, a table of names) calls
//! into many places: where there is such a thing, dozens of definitions of one language look dead at once, and where
//! there is none a handful do. So many at once are a reason to doubt each of them.

use crate::extract::record::Grammar;
use crate::graph::table::SymbolId;
use crate::query::inventory::Inventory;
use rustc_hash::FxHashMap;

/// How many are a crowd, and which part of all there are: in 88 repositories that nobody had looked at, 83 of 145 of
/// those in lists of this size were dead, and 192 of 236 in shorter ones (`benchmark/oracle/README.md`).
const CROWD: u32 = 20;
const PART: u32 = 100;

/// Definitions of a language, and those of them that nothing reaches.
#[derive(Clone, Copy, Default)]
pub(super) struct Crowd {
    pub(super) unreached: u32,
    pub(super) all: u32,
}

/// The crowds of a view, by family of languages.
pub(super) struct Crowds(FxHashMap<Grammar, Crowd>);

impl Crowds {
    /// Counts. `unreached` are some of `all`.
    pub(super) fn of(
        inventory: &Inventory<'_>,
        all: impl Iterator<Item = SymbolId>,
        unreached: impl Iterator<Item = SymbolId>,
    ) -> Self {
        let mut of: FxHashMap<Grammar, Crowd> = FxHashMap::default();
        for id in unreached {
            of.entry(family(inventory, id)).or_default().unreached += 1;
        }
        of.retain(|_, crowd| crowd.unreached >= CROWD);
        if !of.is_empty() {
            for id in all {
                if let Some(crowd) = of.get_mut(&family(inventory, id)) {
                    crowd.all += 1;
                }
            }
        }
        of.retain(|_, crowd| crowd.unreached.saturating_mul(PART) >= crowd.all);
        Self(of)
    }

    /// The crowd that a definition is one of, if it is unreached.
    pub(super) fn around(&self, inventory: &Inventory<'_>, id: SymbolId) -> Option<Crowd> {
        self.0.get(&family(inventory, id)).copied()
    }
}

fn family(inventory: &Inventory<'_>, id: SymbolId) -> Grammar {
    inventory.language(inventory.get(id).file).family
}
