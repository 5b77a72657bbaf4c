//! Sets of lines, as runs: coverage comes in blocks.

use std::fmt;

/// Greatest line number that is recorded. A file that is read has at most as many bytes.
pub const MAX_LINE: u32 = crate::limits::MAX_PARSED_BYTES as u32;

/// Returns the line that a number of a JSON file stands for; `None` for no whole number from 1 on.
pub(super) fn from_number(number: f64) -> Option<u32> {
    let is_line = number >= 1.0 && number <= f64::from(u32::MAX) && number.fract() == 0.0;
    is_line.then_some(number as u32)
}

/// A set of numbers of lines. Whether they count from 1 in a file or from 0 in a symbol is up to
/// whoever made it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LineSet {
    /// Half-open, in order, none empty, no two touching: so equal sets are equal here.
    pub(crate) runs: Vec<(u32, u32)>,
}

impl LineSet {
    /// Makes a set of half-open ranges in any order, which may overlap.
    pub fn of_ranges(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.retain(|(start, end)| start < end);
        if !ranges.is_sorted() {
            ranges.sort_unstable();
        }
        let mut runs: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (start, end) in ranges {
            match runs.last_mut() {
                Some((_, last)) if start <= *last => *last = end.max(*last),
                _ => runs.push((start, end)),
            }
        }
        Self { runs }
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        let lengths = self.runs.iter().map(|(start, end)| (end - start) as usize);
        lengths.sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The greatest line.
    pub fn last(&self) -> Option<u32> {
        self.runs.last().map(|(_, end)| end - 1)
    }

    /// The lines, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs.iter().flat_map(|(start, end)| *start..*end)
    }

    /// Whether a line is in the set.
    pub fn contains(&self, line: u32) -> bool {
        let at = self.runs.partition_point(|(_, end)| *end <= line);
        self.runs.get(at).is_some_and(|(start, _)| *start <= line)
    }

    /// Whether all lines of another set are in this one.
    pub fn covers(&self, other: &Self) -> bool {
        other.runs.iter().all(|(start, end)| {
            let at = self.runs.partition_point(|(_, own)| own <= start);
            let own = self.runs.get(at);
            own.is_some_and(|(own, last)| own <= start && end <= last)
        })
    }

    /// Returns the lines of both.
    pub fn union(&self, other: &Self) -> Self {
        if self.covers(other) {
            return self.clone();
        }
        Self::of_ranges([&self.runs[..], &other.runs].concat())
    }

    /// Returns the lines from `first` to `last`, both included, counted from `first`, which is 0.
    pub fn within(&self, first: u32, last: u32) -> Self {
        let from = self.runs.partition_point(|(_, end)| *end <= first);
        let inside = self.runs[from..].iter();
        let runs = inside.take_while(|(start, _)| *start <= last);
        let clipped = runs.map(|(start, end)| {
            let end = (*end).min(last.saturating_add(1));
            ((*start).max(first) - first, end - first)
        });
        Self {
            runs: clipped.collect(),
        }
    }
}

/// Shows the set as people write it: `1-3,7`.
impl fmt::Display for LineSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (start, end)) in self.runs.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            match end - start {
                1 => write!(f, "{comma}{start}")?,
                _ => write!(f, "{comma}{start}-{}", end - 1)?,
            }
        }
        Ok(())
    }
}

labelled! {
    /// What is known of a line, or of a symbol.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Ran {
        /// It ran when coverage was recorded.
        Yes = "ran",
        /// It was watched, and did not run.
        No = "did not run",
        /// Nobody watched it: there is no code on it, or none that was instrumented.
        #[default]
        Unknown = "unknown",
    }
}

/// What was observed of lines: which ran, and which did not although they were watched.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Lines {
    executable: LineSet,
    executed: LineSet,
}

impl Lines {
    /// Makes it of the lines that ran and of those that did not; a line in both ran.
    pub fn new(executed: LineSet, missed: LineSet) -> Self {
        Self {
            executable: executed.union(&missed),
            executed,
        }
    }

    /// The lines that were watched.
    pub fn executable(&self) -> &LineSet {
        &self.executable
    }

    /// Those of them that ran.
    pub fn executed(&self) -> &LineSet {
        &self.executed
    }

    /// Whether nothing was watched.
    pub fn is_empty(&self) -> bool {
        self.executable.is_empty()
    }

    /// What is known of one line.
    pub fn line(&self, line: u32) -> Ran {
        match (self.executed.contains(line), self.executable.contains(line)) {
            (true, _) => Ran::Yes,
            (_, true) => Ran::No,
            _ => Ran::Unknown,
        }
    }

    /// Adds what somebody else observed of the same lines.
    pub fn unite(&mut self, other: &Self) {
        self.executable = self.executable.union(&other.executable);
        self.executed = self.executed.union(&other.executed);
    }

    /// Whether it says all that another one says.
    pub fn covers(&self, other: &Self) -> bool {
        self.executable.covers(&other.executable) && self.executed.covers(&other.executed)
    }

    /// Returns what it says of the lines from `first` to `last`, both included, counted from
    /// `first`, which is 0.
    pub fn within(&self, first: u32, last: u32) -> Self {
        Self {
            executable: self.executable.within(first, last),
            executed: self.executed.within(first, last),
        }
    }

    /// Whether a symbol ran whose lines these are, counted from its first, which is 0.
    ///
    /// The line on which it begins tells nothing when others were watched: in Python and JavaScript
    /// it runs when the symbol is defined, whether or not anybody calls it. Of a symbol that has no
    /// other watched line it is known only when it did not run.
    pub fn symbol(&self) -> Ran {
        let is_inside = |set: &LineSet| set.last().is_some_and(|last| last > 0);
        if is_inside(&self.executed) {
            Ran::Yes
        } else if is_inside(&self.executable) || self.line(0) == Ran::No {
            Ran::No
        } else {
            Ran::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(lines: &BTreeSet<u32>) -> LineSet {
        LineSet::of_ranges(lines.iter().map(|line| (*line, line + 1)).collect())
    }

    fn sets() -> impl Strategy<Value = BTreeSet<u32>> {
        proptest::collection::btree_set(1_u32..40, 0..25)
    }

    proptest! {
        #[test]
        fn it_is_a_set(a in sets(), b in sets(), first in 1_u32..40, more in 0_u32..20) {
            let (x, y) = (set(&a), set(&b));
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(x.len(), a.len());
            prop_assert_eq!(x.last(), a.last().copied());
            prop_assert_eq!(x.union(&y), set(&(&a | &b)));
            prop_assert_eq!(x.covers(&y), a.is_superset(&b));
            let last = first + more;
            let inside = a.range(first..=last).map(|line| line - first).collect();
            prop_assert_eq!(x.within(first, last), set(&inside));
            for line in 0..45 {
                prop_assert_eq!(x.contains(line), a.contains(&line));
            }
        }

        #[test]
        fn ranges_may_come_in_any_order(ranges in proptest::collection::vec((0_u32..30, 0_u32..30), 0..12)) {
            let lines = ranges.iter().flat_map(|(start, end)| *start..*end).collect();
            prop_assert_eq!(LineSet::of_ranges(ranges), set(&lines));
        }
    }

    #[test]
    fn it_is_shown_as_people_write_it() {
        let shown = |lines: &[u32]| set(&lines.iter().copied().collect()).to_string();
        assert_eq!(shown(&[]), "");
        assert_eq!(shown(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
    }

    #[test]
    fn the_line_of_a_definition_does_not_tell_that_it_ran() {
        let symbol = |executed: &[u32], missed: &[u32]| {
            let set = |lines: &[u32]| set(&lines.iter().copied().collect());
            Lines::new(set(executed), set(missed)).symbol()
        };
        assert_eq!(symbol(&[0, 2], &[3]), Ran::Yes);
        assert_eq!(symbol(&[0], &[1, 2]), Ran::No, "defined, never called");
        assert_eq!(symbol(&[0], &[]), Ran::Unknown, "all on one line");
        assert_eq!(symbol(&[], &[0]), Ran::No);
        assert_eq!(symbol(&[], &[]), Ran::Unknown);
    }
}
