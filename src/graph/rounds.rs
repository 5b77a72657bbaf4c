//! What was found of definitions in each round of following values, in blocks: one tree after the other shares those in
//! which nothing has changed, so that an edit copies the values of a few files.
//!
//! Guarantee: a round holds what was found in order of the definitions, and [`Places`] say where, as if all had been found anew.

use super::table::SymbolId;
use super::values::{Found, What};
use std::ops::Range;
use std::sync::Arc;

/// Definitions whose values lie in one block. Of a million definitions that makes some 250 blocks, and an edit copies
/// a few thousand values.
const BLOCK: usize = 4096;

/// What was found in each round.
pub(super) type Rounds = Vec<Round>;

/// What was found in one round, by definition.
#[derive(Clone, Default, Debug)]
pub(super) struct Round {
    /// By number of the definition above [`BLOCK`]; `None` where nothing was found.
    blocks: Vec<Option<Arc<Block>>>,
}

/// What was found of definitions with successive numbers.
#[derive(Default, PartialEq, Debug)]
struct Block {
    /// In order of the definitions.
    found: Vec<Found>,
    /// Places of those that say which bases a type has.
    bases: Vec<u32>,
    /// No definition that is spoken of has a higher number.
    most: u32,
}

impl Block {
    fn of(found: Vec<Found>) -> Option<Arc<Self>> {
        if found.is_empty() {
            return None;
        }
        let says_bases =
            |(found, at): (&Found, u32)| matches!(found.what, What::Has(_)).then_some(at);
        let bases = found.iter().zip(0..).filter_map(says_bases).collect();
        let most = found.iter().map(Found::most).max().unwrap_or(0);
        Some(Arc::new(Self { found, bases, most }))
    }
}

fn block_of(id: SymbolId) -> usize {
    id.index() / BLOCK
}

impl Round {
    /// Of what was found, in any order.
    pub(super) fn of(mut found: Vec<Found>) -> Self {
        if !found.is_sorted_by_key(|found| found.id) {
            found.sort_by_key(|found| found.id);
        }
        let mut round = Self::default();
        let mut block: Vec<Found> = Vec::new();
        let mut number = 0;
        for found in found {
            if block_of(found.id) != number {
                round.put(number, std::mem::take(&mut block));
                number = block_of(found.id);
            }
            block.push(found);
        }
        round.put(number, block);
        round
    }

    fn put(&mut self, number: usize, mut found: Vec<Found>) {
        found.shrink_to_fit();
        if self.blocks.len() <= number && !found.is_empty() {
            self.blocks.resize(number + 1, None);
        }
        if let Some(block) = self.blocks.get_mut(number) {
            *block = Block::of(found);
        }
    }

    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.iter().all(Option::is_none)
    }

    /// What was found, in order of the definitions, in pieces.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &[Found]> {
        self.blocks.iter().flatten().map(|block| &*block.found)
    }

    /// The part of it that speaks of definitions before one of them alone, and the rest in pieces.
    pub(super) fn parted(&self, before: u32) -> (Self, Vec<&[Found]>) {
        let mut part = self.clone();
        let mut rest = Vec::new();
        for (block, left) in self.blocks.iter().zip(&mut part.blocks) {
            if let Some(block) = block.as_ref().filter(|block| block.most >= before) {
                rest.push(&*block.found);
                *left = None;
            }
        }
        (part, rest)
    }

    /// What was found, in order of the definitions.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Found> {
        self.pieces().flatten()
    }

    /// Which types have which bases, in order of the types.
    pub(super) fn bases(&self) -> impl Iterator<Item = (SymbolId, &[SymbolId])> {
        self.blocks.iter().flatten().flat_map(|block| {
            block.bases.iter().filter_map(|at| {
                let found = block.found.get(*at as usize)?;
                match &found.what {
                    What::Has(bases) => Some((found.id, &**bases)),
                    What::Is(_) => None,
                }
            })
        })
    }

    /// What lies at a place of the block of a definition.
    pub(super) fn get(&self, id: SymbolId, place: usize) -> Option<&Found> {
        let block = self.blocks.get(block_of(id))?.as_ref()?;
        block.found.get(place)
    }

    /// The same without what was found of some definitions.
    pub(super) fn without(&self, gone: &[Range<u32>]) -> Self {
        let mut round = self.clone();
        for ids in gone.iter().filter(|ids| !ids.is_empty()) {
            let (first, last) = (SymbolId(ids.start), SymbolId(ids.end - 1));
            for number in block_of(first)..=block_of(last) {
                let Some(Some(block)) = round.blocks.get(number) else {
                    continue;
                };
                let is_gone = |found: &&Found| ids.contains(&found.id.0);
                if block.found.iter().any(|found| is_gone(&found)) {
                    let left = block.found.iter().filter(|found| !is_gone(found));
                    let left = left.cloned().collect();
                    round.put(number, left);
                }
            }
        }
        round
    }

    /// The same with what else was found, in order of the definitions.
    pub(super) fn with(mut self, found: Vec<Found>) -> Self {
        if self.is_empty() {
            return Self::of(found);
        }
        let mut found = found.into_iter().peekable();
        while let Some(first) = found.peek() {
            let number = block_of(first.id);
            let known = self.blocks.get(number).and_then(Option::as_ref);
            let mut all = known.map_or(Vec::new(), |block| block.found.clone());
            while let Some(next) = found.next_if(|next| block_of(next.id) == number) {
                all.push(next);
            }
            all.sort_by_key(|found| found.id);
            self.put(number, all);
        }
        self
    }

    /// The blocks that are not those of another round.
    fn differing<'r>(&'r self, other: Option<&'r Self>) -> impl Iterator<Item = &'r Block> {
        let is_shared = move |(block, number): &(&Arc<Block>, usize)| {
            let known = other.and_then(|other| other.blocks.get(*number));
            matches!(known, Some(Some(known)) if Arc::ptr_eq(known, block))
        };
        let all = self.blocks.iter().zip(0..);
        let all = all.filter_map(|(block, number)| Some((block.as_ref()?, number)));
        all.filter(move |block| !is_shared(block))
            .map(|(block, _)| &**block)
    }
}

impl PartialEq for Round {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// Bits for the number of a round, which is five at most.
const ROUND_BITS: u32 = 3;

/// Where the value of each definition lies.
#[derive(Clone, Default)]
pub(super) struct Places {
    /// By definition: the round in which its value was found, from 1, and its place in the block there above that; 0 where
    /// there is none. So many definitions have one that a hash table took five times as long to fill.
    of: Vec<u32>,
    /// Rounds that were looked at.
    rounds: usize,
}

impl Places {
    /// Of so many definitions, none of them known yet.
    pub(super) fn new(definitions: usize) -> Self {
        Self {
            of: vec![0; definitions],
            rounds: 0,
        }
    }

    /// Forgets where the values of some definitions lie, and which rounds were looked at.
    pub(super) fn forget(&mut self, gone: &[Range<u32>]) {
        for ids in gone {
            let end = self.of.len().min(ids.end as usize);
            if let Some(places) = self.of.get_mut(ids.start as usize..end) {
                places.fill(0);
            }
        }
        self.rounds = 0;
    }

    /// Notes where a round has values; `before` is what the places were made of, as far as they are known.
    pub(super) fn add(&mut self, round: &Round, before: Option<&Round>) {
        self.rounds += 1;
        let number = self.rounds as u32;
        for block in round.differing(before) {
            for (found, at) in block.found.iter().zip(0..) {
                if let What::Is(_) = found.what
                    && let Some(place) = self.of.get_mut(found.id.index())
                {
                    *place = at << ROUND_BITS | number;
                }
            }
        }
    }

    /// Number of rounds that were looked at.
    pub(super) fn rounds(&self) -> usize {
        self.rounds
    }

    /// The round in which the value of a definition was found, from 1, and its place there.
    pub(super) fn get(&self, id: SymbolId) -> Option<(usize, usize)> {
        let place = *self.of.get(id.index())?;
        let round = (place & ((1 << ROUND_BITS) - 1)) as usize;
        (1..=self.rounds)
            .contains(&round)
            .then_some((round, (place >> ROUND_BITS) as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::Value;
    use super::*;
    use crate::view::live::FileId;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Definitions that the tests number: some blocks of them.
    const DEFINITIONS: u32 = 3 * BLOCK as u32;

    /// Some definitions, and whether each says bases.
    fn said() -> impl Strategy<Value = BTreeMap<u32, bool>> {
        let near = prop_oneof![0..20_u32, 4080..4110_u32, 0..DEFINITIONS];
        prop::collection::btree_map(near, any::<bool>(), 0..40)
    }

    fn found(said: &BTreeMap<u32, bool>) -> Vec<Found> {
        let one = |(id, has): (&u32, &bool)| Found {
            file: FileId(0),
            id: SymbolId(*id),
            what: match has {
                true => What::Has(vec![SymbolId(id / 2)]),
                false => What::Is(Value::Instance(SymbolId(id / 3))),
            },
            is_guess: false,
        };
        said.iter().map(one).collect()
    }

    fn ranges() -> impl Strategy<Value = Vec<Range<u32>>> {
        let range = (0..DEFINITIONS, 0..3000_u32).prop_map(|(at, len)| at..at + len);
        prop::collection::vec(range, 0..4)
    }

    fn places_of(rounds: &[Round]) -> Places {
        let mut places = Places::new(DEFINITIONS as usize);
        rounds.iter().for_each(|round| places.add(round, None));
        places
    }

    proptest! {
        #[test]
        fn a_round_is_what_was_found(said in said(), gone in ranges(), also in said()) {
            let round = Round::of(found(&said));
            prop_assert!(round.iter().eq(&found(&said)));
            prop_assert_eq!(round.is_empty(), said.is_empty());
            let left: BTreeMap<u32, bool> = said.into_iter()
                .filter(|(id, _)| !gone.iter().any(|ids| ids.contains(id)))
                .collect();
            let without = round.without(&gone);
            prop_assert!(without.iter().eq(&found(&left)));
            let also: BTreeMap<u32, bool> = also.into_iter()
                .filter(|(id, _)| !left.contains_key(id))
                .collect();
            let with = without.with(found(&also));
            let all: BTreeMap<u32, bool> = left.into_iter().chain(also).collect();
            prop_assert!(with.iter().eq(&found(&all)));
            let bases: Vec<u32> = with.bases().map(|(id, _)| id.0).collect();
            let has = all.iter().filter(|(_, has)| **has).map(|(id, _)| *id);
            prop_assert_eq!(bases, has.collect::<Vec<u32>>());
        }

        #[test]
        fn places_are_those_of_the_rounds_alone(
            first in said(), second in said(), gone in ranges(), also in said(),
        ) {
            let is_in = |ids: &[Range<u32>], id: &u32| ids.iter().any(|ids| ids.contains(id));
            let second: BTreeMap<u32, bool> =
                second.into_iter().filter(|(id, _)| !first.contains_key(id)).collect();
            // Only what is gone is found again.
            let also: BTreeMap<u32, bool> =
                also.into_iter().filter(|(id, _)| is_in(&gone, id)).collect();
            let before = [Round::of(found(&first)), Round::of(found(&second))];
            let known = places_of(&before);
            let now = [before[0].without(&gone), before[1].without(&gone).with(found(&also))];
            let mut places = known;
            places.forget(&gone);
            for (round, was) in now.iter().zip(&before) {
                places.add(round, Some(was));
            }
            let anew = places_of(&now);
            for id in (0..DEFINITIONS).map(SymbolId) {
                prop_assert_eq!(places.get(id), anew.get(id), "{:?}", id);
                let value = |(round, at): (usize, usize)| now[round - 1].get(id, at);
                prop_assert!(places.get(id).is_none_or(|at| value(at).unwrap().id == id));
            }
        }
    }
}
