//! Numbers that move as others come and go before them, and lists of such numbers, copied in pieces: after an edit all but a
//! few have the items that they had.

use std::ops::Range;

/// Successive numbers, and how many take their place.
pub(super) struct Replaced {
    pub(super) was: Range<u32>,
    pub(super) now: u32,
}

impl Replaced {
    /// By how much later numbers change, with wrapping.
    pub(super) fn shift(&self) -> u32 {
        self.now.wrapping_sub(self.was.end - self.was.start)
    }
}

/// How numbers move as some are replaced.
pub(super) struct Moves {
    /// In order.
    replaced: Vec<Replaced>,
    /// Where each ends, and by how much what comes after it is moved.
    shifts: Vec<(u32, u32)>,
}

impl Moves {
    /// Of what is replaced, in order.
    pub(super) fn of(replaced: Vec<Replaced>) -> Self {
        let mut shift = 0u32;
        let shifts = replaced.iter().map(|one| {
            shift = shift.wrapping_add(one.shift());
            (one.was.end, shift)
        });
        Self {
            shifts: shifts.collect(),
            replaced,
        }
    }

    /// Where a number that stayed is now.
    pub(super) fn now(&self, number: u32) -> u32 {
        let shift = |(end, shift): &(u32, u32)| (number >= *end).then_some(*shift);
        let shift = self.shifts.iter().rev().find_map(shift);
        number.wrapping_add(shift.unwrap_or(0))
    }

    fn is_gone(&self, number: u32) -> bool {
        (self.replaced.iter()).any(|one| one.was.contains(&number))
    }

    /// Adds where numbers that stayed are now.
    fn extend(&self, items: &mut Vec<u32>, numbers: &[u32]) {
        match &*self.shifts {
            all if all.iter().all(|(_, shift)| *shift == 0) => items.extend_from_slice(numbers),
            [(end, shift)] => {
                let moved = |one: &u32| one.wrapping_add(if one >= end { *shift } else { 0 });
                items.extend(numbers.iter().map(moved));
            }
            _ => items.extend(numbers.iter().map(|number| self.now(*number))),
        }
    }

    /// Lists of numbers in rising order as they are now, so many of them: each without what is replaced, and with what came.
    /// `went` names the lists in which something was replaced; `came` has pairs of a list and a number.
    pub(super) fn lists(
        &self,
        (ends, items): (&[u32], &[u32]),
        count: usize,
        went: impl Iterator<Item = u32>,
        mut came: Vec<(u32, u32)>,
    ) -> (Vec<u32>, Vec<u32>) {
        came.sort_unstable();
        let mut touched: Vec<u32> = went.chain(came.iter().map(|(list, _)| *list)).collect();
        touched.sort_unstable();
        touched.dedup();
        let mut copy = Copy {
            ends,
            items,
            now_ends: Vec::with_capacity(count),
            now_items: Vec::with_capacity(items.len() + came.len()),
        };
        let mut came = came.into_iter().peekable();
        for list in touched {
            copy.stay(list as usize, self);
            let first = copy.now_items.len();
            let had = copy.list(list as usize).iter();
            let stayed = had.filter(|number| !self.is_gone(**number));
            copy.now_items
                .extend(stayed.map(|number| self.now(*number)));
            while let Some((_, number)) = came.next_if(|(of, _)| *of == list) {
                copy.now_items.push(number);
            }
            copy.now_items[first..].sort_unstable();
            copy.now_ends.push(copy.now_items.len() as u32);
        }
        copy.stay(count, self);
        (copy.now_ends, copy.now_items)
    }
}

/// Lists, and those that are made of them.
struct Copy<'a> {
    ends: &'a [u32],
    items: &'a [u32],
    now_ends: Vec<u32>,
    now_items: Vec<u32>,
}

impl<'a> Copy<'a> {
    fn start(&self, list: usize) -> usize {
        let before = list.checked_sub(1).and_then(|before| self.ends.get(before));
        before.map_or(0, |end| *end as usize)
    }

    fn list(&self, list: usize) -> &'a [u32] {
        let end = self.ends.get(list).map(|end| *end as usize);
        end.map_or(&[], |end| &self.items[self.start(list)..end])
    }

    /// Adds the next lists up to one of them, in which nothing was replaced and to which nothing came.
    fn stay(&mut self, until: usize, moves: &Moves) {
        let first = self.now_ends.len();
        let last = until.min(self.ends.len());
        if first < last {
            let (from, to) = (self.start(first), self.ends[last - 1] as usize);
            let shift = (self.now_items.len() as u32).wrapping_sub(from as u32);
            moves.extend(&mut self.now_items, &self.items[from..to]);
            let ends = self.ends[first..last].iter();
            self.now_ends
                .extend(ends.map(|end| end.wrapping_add(shift)));
        }
        // Lists that are new, and to which nothing has come.
        self.now_ends
            .resize(until.max(self.now_ends.len()), self.now_items.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LISTS: usize = 8;

    /// Lists of the numbers of a row of pieces, where each number is in one list.
    fn lists(pieces: &[Vec<usize>]) -> (Vec<u32>, Vec<u32>) {
        let all = pieces.concat();
        let (mut ends, mut items) = (Vec::new(), Vec::new());
        for list in 0..LISTS {
            let numbers = all.iter().zip(0u32..).filter(|(of, _)| **of == list);
            items.extend(numbers.map(|(_, number)| number));
            ends.push(items.len() as u32);
        }
        (ends, items)
    }

    fn piece() -> impl Strategy<Value = Vec<usize>> {
        prop::collection::vec(0..LISTS, 0..5)
    }

    proptest! {
        #[test]
        fn lists_are_those_of_what_is_there_now(
            was in prop::collection::vec(piece(), 1..6),
            edits in prop::collection::btree_map(0..6_usize, piece(), 0..4),
            fewer in 0..LISTS,
        ) {
            let start = |pieces: &[Vec<usize>], at: usize| pieces[..at].concat().len() as u32;
            let edits: Vec<(usize, Vec<usize>)> =
                edits.into_iter().filter(|(at, _)| *at < was.len()).collect();
            let mut is = was.clone();
            edits.iter().for_each(|(at, piece)| is[*at].clone_from(piece));
            let replaced = edits.iter().map(|(at, piece)| Replaced {
                was: start(&was, *at)..start(&was, at + 1),
                now: piece.len() as u32,
            });
            let moves = Moves::of(replaced.collect());
            let went = edits.iter().flat_map(|(at, _)| &was[*at]).map(|list| *list as u32);
            let came = edits.iter().flat_map(|(at, piece)| {
                piece.iter().zip(start(&is, *at)..).map(|(list, number)| (*list as u32, number))
            });
            let (mut ends, items) = lists(&was);
            // The last lists may be new.
            while ends.len() > fewer && ends.last() == ends.get(ends.len().wrapping_sub(2)) {
                ends.pop();
            }
            let now = moves.lists((&ends, &items), LISTS, went, came.collect());
            prop_assert_eq!(now, lists(&is));
        }
    }
}
