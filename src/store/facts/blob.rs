//! What compilers say of one blob.

use super::CompilerFacts;
use super::piece::Piece;
use crate::git::Repo;
use crate::limits::MAX_FACTS_PER_BLOB;
use crate::scip::symbol::Symbol;
use crate::store::error::Error;
use crate::store::parts::Parts;
use crate::store::pieces::Pieces;
use crate::store::recorded::{ByBlob, OfBlob};
use crate::store::snapshot::Snapshot;
use std::collections::BTreeSet;

/// A place at which a symbol is named.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fact {
    /// Line, from 1.
    pub line: u32,
    /// Byte column of its name, from 0.
    pub col: u32,
    /// Position of the symbol in [`BlobFacts::symbols`].
    pub symbol: u32,
}

/// What is known of one blob.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BlobFacts {
    symbols: Vec<Symbol>,
    definitions: Vec<Fact>,
    uses: Vec<Fact>,
}

/// Places with the symbols themselves.
type Places<'a> = BTreeSet<(u32, u32, &'a Symbol)>;

impl BlobFacts {
    /// Puts the places together at which symbols are defined, and those at which they are used.
    pub fn of<'a>(
        definitions: impl IntoIterator<Item = (u32, u32, &'a Symbol)>,
        uses: impl IntoIterator<Item = (u32, u32, &'a Symbol)>,
    ) -> Self {
        let smallest = |places: Places<'a>| -> Places<'a> {
            // So the order in which many are united does not matter.
            places.into_iter().take(MAX_FACTS_PER_BLOB).collect()
        };
        let definitions = smallest(definitions.into_iter().collect());
        let uses = smallest(uses.into_iter().collect());
        let all = definitions.iter().chain(&uses);
        let symbols: BTreeSet<&Symbol> = all.map(|(.., symbol)| *symbol).collect();
        let symbols: Vec<Symbol> = symbols.into_iter().cloned().collect();
        let numbered = |places: Places<'_>| -> Vec<Fact> {
            let number = |(line, col, symbol): (u32, u32, &Symbol)| Fact {
                line,
                col,
                // All of them were collected.
                symbol: symbols.partition_point(|known| known < symbol) as u32,
            };
            places.into_iter().map(number).collect()
        };
        let (definitions, uses) = (numbered(definitions), numbered(uses));
        Self {
            symbols,
            definitions,
            uses,
        }
    }

    /// Takes what was read: `None` unless each list is in order and every symbol is there and used.
    pub(super) fn read(
        symbols: Vec<Symbol>,
        definitions: Vec<Fact>,
        uses: Vec<Fact>,
    ) -> Option<Self> {
        let mut is_named = vec![false; symbols.len()];
        for fact in definitions.iter().chain(&uses) {
            *is_named.get_mut(fact.symbol as usize)? = true;
        }
        let in_order =
            |facts: &[Fact]| facts.len() <= MAX_FACTS_PER_BLOB && facts.is_sorted_by(|a, b| a < b);
        let is_sound = is_named.iter().all(|named| *named)
            && symbols.is_sorted_by(|a, b| a < b)
            && in_order(&definitions)
            && in_order(&uses);
        is_sound.then_some(Self {
            symbols,
            definitions,
            uses,
        })
    }

    /// The symbols that it names, in order.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Where symbols are defined, in source order.
    pub fn definitions(&self) -> &[Fact] {
        &self.definitions
    }

    /// Where symbols are used, in source order.
    pub fn uses(&self) -> &[Fact] {
        &self.uses
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    fn places<'a>(&'a self, facts: &'a [Fact]) -> impl Iterator<Item = (u32, u32, &'a Symbol)> {
        facts.iter().filter_map(|fact| {
            let symbol = self.symbols.get(fact.symbol as usize)?;
            Some((fact.line, fact.col, symbol))
        })
    }

    /// All places, with what is named there.
    pub fn all(&self) -> impl Iterator<Item = (u32, u32, &Symbol)> {
        self.places(&self.definitions)
            .chain(self.places(&self.uses))
    }

    /// What both say of the same blob.
    #[must_use]
    pub fn united(&self, other: &Self) -> Self {
        let definitions = self.places(&self.definitions);
        let uses = self.places(&self.uses);
        Self::of(
            definitions.chain(other.places(&other.definitions)),
            uses.chain(other.places(&other.uses)),
        )
    }
}

impl OfBlob for BlobFacts {
    const WHY: &'static str = "index: facts";

    fn unite(&mut self, other: &Self) {
        if self != other {
            *self = self.united(other);
        }
    }
    fn covers(&self, other: &Self) -> bool {
        *self == *other || self.united(other) == *self
    }
    fn known(repo: &Repo, snapshot: &Snapshot, said: &FactsByBlob) -> FactsByBlob {
        CompilerFacts::open(repo, snapshot, &|blob| said.contains_key(&blob))
            .0
            .known
    }
    fn pieces(repo: &Repo, said: &FactsByBlob) -> Result<Pieces, Error> {
        Ok(Pieces {
            facts: Parts::unwritten(repo.hash(), Piece::of(repo.hash(), said)?)?,
            ..Pieces::default()
        })
    }
}

/// Facts by blob.
pub type FactsByBlob = ByBlob<BlobFacts>;
