//! Which lines of long texts stay, in bounded time.
//!
//! What is long is cut into pieces at the lines that occur once in both texts, as far as these come in the same order
//! (patience diff, Bram Cohen 2003); a short piece is compared as a short text is, and of a long one without any such
//! line only the ends that are equal stay. The algorithm for short texts takes a time that grows with the square of the
//! lines where few of them are distinct: 80,000 lines that say `0` or `1` took 11 s.

use super::lines::Hunk;
use imara_diff::{Algorithm, Diff, NoSliderHeuristic, Token};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Lines of both texts, or of both sides of a piece, that are compared at once. Two texts of half as many lines each that
/// say `0` or `1` take 45 ms (release profile).
pub(super) const SHORT: usize = 10_000;

/// The runs of lines in which two texts differ, as [`super::lines::LineMap`] has them. Lines are numbers that are equal
/// where the lines are.
pub(super) fn hunks(before: &[Token], after: &[Token]) -> Vec<Hunk> {
    let mut found = Vec::new();
    let mut from = (0, 0);
    let end = (before.len(), after.len());
    for (old, new) in anchors(before, after).into_iter().chain([end]) {
        piece((before, from.0..old), (after, from.1..new), &mut found);
        from = (old + 1, new + 1);
    }
    found
}

/// Compares a piece, whose lines are at these places.
fn piece(
    (before, mut old): (&[Token], Range<usize>),
    (after, mut new): (&[Token], Range<usize>),
    found: &mut Vec<Hunk>,
) {
    while !old.is_empty() && !new.is_empty() && before[old.start] == after[new.start] {
        (old.start, new.start) = (old.start + 1, new.start + 1);
    }
    while !old.is_empty() && !new.is_empty() && before[old.end - 1] == after[new.end - 1] {
        (old.end, new.end) = (old.end - 1, new.end - 1);
    }
    if old.is_empty() && new.is_empty() {
        return;
    }
    if old.is_empty() || new.is_empty() || old.len() + new.len() > SHORT {
        found.push((narrow(&old), narrow(&new)));
        return;
    }
    // What the algorithm keeps grows with the greatest number.
    let mut numbers: FxHashMap<Token, u32> = FxHashMap::default();
    let mut renumbered = |tokens: &[Token]| -> Vec<Token> {
        let number = |token: &Token| {
            let next = numbers.len() as u32;
            Token(*numbers.entry(*token).or_insert(next))
        };
        tokens.iter().map(number).collect()
    };
    let (was, is) = (
        renumbered(&before[old.clone()]),
        renumbered(&after[new.clone()]),
    );
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Histogram, &was, &is, numbers.len() as u32);
    diff.postprocess_with(&was, &is, NoSliderHeuristic);
    found.extend(diff.hunks().map(|hunk| {
        let moved = |range: Range<u32>, by: usize| {
            narrow(&(range.start as usize + by..range.end as usize + by))
        };
        (moved(hunk.before, old.start), moved(hunk.after, new.start))
    }));
}

fn narrow(lines: &Range<usize>) -> Range<u32> {
    lines.start as u32..lines.end as u32
}

/// The places of lines that occur once in both texts: the longest row of them that rises in both.
fn anchors(before: &[Token], after: &[Token]) -> Vec<(usize, usize)> {
    // How often a line occurs in each, and where.
    let mut seen: FxHashMap<Token, ([u32; 2], [usize; 2])> = FxHashMap::default();
    for (side, tokens) in [before, after].into_iter().enumerate() {
        for (at, token) in tokens.iter().enumerate() {
            let (times, places) = seen.entry(*token).or_default();
            times[side] = times[side].saturating_add(1);
            places[side] = at;
        }
    }
    let once = seen.values().filter(|(times, _)| *times == [1, 1]);
    let mut once: Vec<(usize, usize)> = once.map(|(_, [old, new])| (*old, *new)).collect();
    once.sort_unstable();
    // The last of the best row of each length, and for each what comes before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(once.len());
    for (i, (_, new)) in once.iter().enumerate() {
        let length = ends.partition_point(|end| once[*end].1 < *new);
        previous.push(length.checked_sub(1).map(|before| ends[before]));
        match ends.get_mut(length) {
            Some(end) => *end = i,
            None => ends.push(i),
        }
    }
    let mut row = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(i) = at {
        row.push(once[i]);
        at = previous[i];
    }
    row.reverse();
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(lines: &[u32]) -> Vec<Token> {
        lines.iter().copied().map(Token).collect()
    }

    /// What is left of two texts without what differs.
    fn kept(lines: &[u32], differs: impl Iterator<Item = Range<u32>>) -> Vec<u32> {
        let mut left: Vec<Option<u32>> = lines.iter().copied().map(Some).collect();
        for range in differs {
            left[range.start as usize..range.end as usize].fill(None);
        }
        left.into_iter().flatten().collect()
    }

    #[test]
    fn few_distinct_lines_end_soon() {
        let mut state = 42_u64;
        let mut random = |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % 2) as u32
        };
        let (mut old, mut new): (Vec<u32>, Vec<u32>) =
            (0..400_000).map(|n| (random(n), random(n))).unzip();
        // One line of its own cuts them in two.
        (old[200_000], new[200_000]) = (7, 7);
        let found = hunks(&tokens(&old), &tokens(&new));
        assert!(found.len() <= 2, "{found:?}");
        assert!(found.iter().all(|(old, _)| !old.contains(&200_000)));
    }

    #[test]
    fn lines_of_their_own_hold_the_rest_in_place() {
        let old: Vec<u32> = (0..30_000).collect();
        let mut new = old.clone();
        new.remove(20_000);
        new.splice(5..7, [50_000, 50_001, 50_002]);
        let found = hunks(&tokens(&old), &tokens(&new));
        assert_eq!(found, [(5..7, 5..8), (20_000..20_001, 20_001..20_001)]);
    }

    proptest! {
        #[test]
        fn what_does_not_differ_is_equal(
            old in prop::collection::vec(0u32..30, 0..60),
            new in prop::collection::vec(0u32..30, 0..60),
        ) {
            let found = hunks(&tokens(&old), &tokens(&new));
            let before = kept(&old, found.iter().map(|(old, _)| old.clone()));
            let after = kept(&new, found.iter().map(|(_, new)| new.clone()));
            prop_assert_eq!(before, after);
            prop_assert!(found.is_sorted_by(|a, b| a.0.end <= b.0.start && a.1.end <= b.1.start));
        }
    }
}
