//! Which lines of one text stand in another, and where.

use imara_diff::sources::byte_lines;
use imara_diff::{Algorithm, Diff, InternedInput};
use std::ops::Range;

/// Two versions of a text, line by line.
pub struct LineMap {
    /// Runs of lines that differ: old and new ones, both from 0, rising.
    hunks: Vec<(Range<u32>, Range<u32>)>,
}

impl LineMap {
    /// Compares two texts.
    pub fn of(old: &[u8], new: &[u8]) -> Self {
        let input = InternedInput::new(byte_lines(old), byte_lines(new));
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_no_heuristic(&input);
        Self {
            hunks: diff.hunks().map(|hunk| (hunk.before, hunk.after)).collect(),
        }
    }

    /// Where an old line (from 1) stands in the new text; `None` when it was changed or removed.
    pub fn new_line(&self, old: u32) -> Option<u32> {
        let at = old.checked_sub(1)?;
        let next = self.hunks.partition_point(|(old, _)| old.end <= at);
        if self
            .hunks
            .get(next)
            .is_some_and(|(old, _)| old.contains(&at))
        {
            return None;
        }
        let last = next.checked_sub(1).map(|last| &self.hunks[last]);
        let (old_end, new_end) = last.map_or((0, 0), |(old, new)| (old.end, new.end));
        Some(new_end + (at - old_end) + 1)
    }

    /// Whether a new line (from 1) was changed or added.
    pub fn is_new(&self, new: u32) -> bool {
        let at = new.saturating_sub(1);
        let next = self.hunks.partition_point(|(_, new)| new.end <= at);
        let hunk = self.hunks.get(next);
        hunk.is_some_and(|(_, new)| new.contains(&at))
    }

    /// How many lines were added and removed.
    pub fn counts(&self) -> (usize, usize) {
        let sizes = self.hunks.iter().map(|(old, new)| (new.len(), old.len()));
        sizes.fold((0, 0), |(a, b), (added, removed)| (a + added, b + removed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_that_stay_are_found() {
        let map = LineMap::of(b"a\nb\nc\nd\n", b"x\na\nc\nD\n");
        assert_eq!(map.new_line(1), Some(2));
        assert_eq!(map.new_line(2), None);
        assert_eq!(map.new_line(3), Some(3));
        assert_eq!(map.new_line(4), None);
        assert!(map.is_new(1) && !map.is_new(2) && map.is_new(4));
        assert_eq!(map.counts(), (2, 2));
    }

    proptest! {
        #[test]
        fn a_line_that_stays_is_the_same(old in "([abc]\n){0,20}", new in "([abc]\n){0,20}") {
            let map = LineMap::of(old.as_bytes(), new.as_bytes());
            let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
            let kept: Vec<(usize, u32)> = (1..=old.len())
                .filter_map(|line| Some((line, map.new_line(line as u32)?)))
                .collect();
            prop_assert!(kept.is_sorted_by(|a, b| a.1 < b.1));
            for (line, at) in &kept {
                prop_assert_eq!(old[line - 1], new[*at as usize - 1]);
                prop_assert!(!map.is_new(*at));
            }
            let (added, removed) = map.counts();
            prop_assert_eq!(kept.len(), old.len() - removed);
            prop_assert_eq!(kept.len(), new.len() - added);
        }
    }
}
