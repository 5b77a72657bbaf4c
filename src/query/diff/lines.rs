//! Which lines of one text stand in another, and where.

use super::anchors;
use imara_diff::sources::byte_lines;
use imara_diff::{Algorithm, Diff, InternedInput};
use std::ops::Range;

/// A run of lines that differ: old and new ones, both from 0.
pub(super) type Hunk = (Range<u32>, Range<u32>);

/// Two versions of a text, line by line.
pub struct LineMap {
    /// Runs of lines that differ, rising.
    hunks: Vec<Hunk>,
}

impl LineMap {
    /// Compares two texts. Takes a time that grows with their lines, whatever these say ([`anchors`]).
    pub fn of(old: &[u8], new: &[u8]) -> Self {
        if old.is_empty() || new.is_empty() {
            let hunk = (0..count(old), 0..count(new));
            let is_any = hunk != (0..0, 0..0);
            return Self {
                hunks: is_any.then_some(hunk).into_iter().collect(),
            };
        }
        let input = InternedInput::new(byte_lines(old), byte_lines(new));
        if input.before.len() + input.after.len() > anchors::SHORT {
            return Self {
                hunks: anchors::hunks(&input.before, &input.after),
            };
        }
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_no_heuristic(&input);
        Self {
            hunks: diff.hunks().map(|hunk| (hunk.before, hunk.after)).collect(),
        }
    }

    /// Runs of lines that differ: old and new ones, both from 0, rising.
    pub fn hunks(&self) -> &[(Range<u32>, Range<u32>)] {
        &self.hunks
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

    /// The new lines (from 1) that stand where the old ones from `first` to `last` stood. What replaced lines of these
    /// alone is among them; of what replaced others too, as many lines as these are. What was added right before or
    /// behind them is not.
    pub fn region(&self, first: u32, last: u32) -> Range<u32> {
        let (start, end) = (first.saturating_sub(1), last);
        let cut = |at: u32| {
            let next = self.hunks.partition_point(|(old, _)| old.end <= at);
            self.hunks.get(next).filter(|(old, _)| old.start < at)
        };
        if let Some((old, new)) = cut(start).filter(|(old, _)| end < old.end) {
            let start = new.end.min(new.start + (start - old.start));
            return start + 1..new.end.min(start + (last + 1 - first)) + 1;
        }
        let behind = |is_before: &dyn Fn(&Range<u32>) -> bool, at: u32| {
            let hunks = self.hunks.iter();
            let before = hunks.take_while(|(old, _)| is_before(old)).last();
            let (old, new) = before.map_or((0, 0), |(old, new)| (old.end, new.end));
            new + (at - old)
        };
        let new_start = match cut(start) {
            Some((old, new)) => new.start.max(new.end.saturating_sub(old.end - start)),
            None => behind(&|old| old.end <= start, start),
        };
        let new_end = match cut(end) {
            Some((old, new)) => new.end.min(new.start + (end - old.start)),
            None => behind(&|old| old.end <= end && old.start < end, end),
        };
        new_start + 1..new_end.max(new_start) + 1
    }

    /// Whether a new line (from 1) was changed or added.
    pub fn is_new(&self, new: u32) -> bool {
        let at = new.saturating_sub(1);
        let next = self.hunks.partition_point(|(_, new)| new.end <= at);
        let hunk = self.hunks.get(next);
        hunk.is_some_and(|(_, new)| new.contains(&at))
    }

    /// Whether new lines from `first` to `last` (from 1) were changed or added, or some between them were removed.
    pub fn is_edited(&self, first: u32, last: u32) -> bool {
        let (first, last) = (first.saturating_sub(1), last.saturating_sub(1));
        let next = self.hunks.partition_point(|(_, new)| new.end <= first);
        let hunk = self.hunks.get(next);
        hunk.is_some_and(|(_, new)| new.start <= last)
    }

    /// How many lines were added and removed.
    pub fn counts(&self) -> (usize, usize) {
        let sizes = self.hunks.iter().map(|(old, new)| (new.len(), old.len()));
        sizes.fold((0, 0), |(a, b), (added, removed)| (a + added, b + removed))
    }
}

/// How many lines a text has.
fn count(text: &[u8]) -> u32 {
    let ends = memchr::memchr_iter(b'\n', text).count();
    let has_rest = text.last().is_some_and(|last| *last != b'\n');
    ends as u32 + u32::from(has_rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn of_nothing_all_lines_were_added() {
        for (text, lines) in [("", 0), ("\n", 1), ("a", 1), ("a\nb", 2), ("a\n\nb\n", 3)] {
            let (added, removed) = (
                LineMap::of(b"", text.as_bytes()),
                LineMap::of(text.as_bytes(), b""),
            );
            assert_eq!(added.counts(), (lines as usize, 0), "{text:?}");
            assert_eq!(removed.counts(), (0, lines as usize), "{text:?}");
            let input = InternedInput::new(byte_lines(b""), byte_lines(text.as_bytes()));
            let hunks = Diff::compute(Algorithm::Histogram, &input);
            assert!(
                hunks.hunks().all(|hunk| hunk.after == (0..lines)),
                "{text:?}"
            );
            assert_eq!(added.hunks().len(), hunks.hunks().count(), "{text:?}");
        }
    }

    #[test]
    fn lines_that_stay_are_found() {
        let map = LineMap::of(b"a\nb\nc\nd\n", b"x\na\nc\nD\n");
        assert_eq!(map.new_line(1), Some(2));
        assert_eq!(map.new_line(2), None);
        assert_eq!(map.new_line(3), Some(3));
        assert_eq!(map.new_line(4), None);
        assert!(map.is_new(1) && !map.is_new(2) && map.is_new(4));
        // Between the second and the third one was removed.
        assert!(map.is_edited(2, 3) && !map.is_edited(2, 2) && !map.is_edited(3, 3));
        assert!(map.is_edited(1, 2) && map.is_edited(3, 4));
        assert_eq!(map.counts(), (2, 2));
    }

    #[test]
    fn what_stands_in_the_place_of_lines_is_found() {
        let map = LineMap::of(b"a\nb\nc\nd\n", b"x\na\nc\nD\n");
        assert_eq!(map.region(1, 1), 2..3);
        assert_eq!(map.region(1, 3), 2..4);
        assert!(map.region(2, 2).is_empty());
        assert_eq!(map.region(4, 4), 4..5);
        assert_eq!(map.region(1, 4), 2..5);
        // What was added right behind a line does not belong to it.
        let map = LineMap::of(b"a\nb\nc\nd\ne\n", b"a\nv\nw\nx\ny\nz\ne\n");
        assert_eq!(map.region(1, 5), 1..8);
        assert_eq!(map.region(2, 4), 2..7, "all that replaced them");
        assert_eq!(map.region(1, 2), 1..3, "the first that replaced it");
        assert_eq!(map.region(4, 5), 6..8, "the last");
        assert_eq!(map.region(3, 3), 3..4);
        let map = LineMap::of(b"a\nb\n", b"a\nx\nb\n");
        assert_eq!(
            (map.region(1, 1), map.region(2, 2), map.region(1, 2)),
            (1..2, 3..4, 1..4)
        );
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
            for first in 1..=old.len() as u32 {
                for last in first..=old.len() as u32 {
                    let region = map.region(first, last);
                    prop_assert!(region.start >= 1 && region.start <= region.end);
                    prop_assert!(region.end as usize <= new.len() + 1);
                    let within = |(line, at): &&(usize, u32)| {
                        (first..=last).contains(&(*line as u32)) != region.contains(at)
                    };
                    prop_assert_eq!(kept.iter().find(within), None);
                }
            }
            let (added, removed) = map.counts();
            prop_assert_eq!(kept.len(), old.len() - removed);
            prop_assert_eq!(kept.len(), new.len() - added);
        }
    }
}
