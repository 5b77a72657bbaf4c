//! How often files change, and how often to mend them, as the commits of a window say.
//!
//! Time is that of the newest commit: an answer at an old commit tells what was known there. A commit that changed
//! more than [`MOST_FILES`] files says nothing of one of them, and is not counted.

use super::diff::risk::past::{MOST_FILES, fixing};
use crate::history::window::{Age, Window};
use rustc_hash::FxHashSet;

/// A day in seconds.
const DAY: i64 = 86_400;
/// Days that count as lately.
pub const YEAR_DAYS: i64 = 365;

/// What a window says of changes.
pub struct Churn<'a> {
    window: &'a Window,
    fixing: FxHashSet<Age>,
    /// The first commit that is a year older than the newest.
    year_ago: Option<Age>,
    /// The first commit that is two years older.
    two_years_ago: Option<Age>,
}

/// How often a file changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// The commits, newest first.
    pub commits: Vec<Age>,
    /// How many of them mend something.
    pub fixes: usize,
    /// How many are of the last year; of all there is where history is younger.
    pub lately: usize,
    /// How many are of the year before; `None` where history does not reach back so far.
    pub before: Option<usize>,
}

impl<'a> Churn<'a> {
    /// Looks for which commits of a window mend something, and when a year ago was.
    pub fn of(window: &'a Window) -> Self {
        let first_before = |days: i64| {
            let now = (0..window.len() as u32)
                .map(|age| window.date(Age(age)))
                .max()?;
            let until = now.saturating_sub(days * DAY);
            (0..window.len() as u32)
                .map(Age)
                .find(|age| window.date(*age) <= until)
        };
        Self {
            fixing: fixing(window),
            year_ago: first_before(YEAR_DAYS),
            two_years_ago: first_before(2 * YEAR_DAYS),
            window,
        }
    }

    /// The commits.
    pub fn window(&self) -> &'a Window {
        self.window
    }

    /// The newest commit that is a year older than the newest of all; `None` where history is younger.
    pub fn year_ago(&self) -> Option<Age> {
        self.year_ago
    }

    /// Whether a commit says something of each of its files.
    pub fn counts(&self, age: Age) -> bool {
        self.window.changed(age) <= MOST_FILES
    }

    /// Whether a commit mends something.
    pub fn is_fix(&self, age: Age) -> bool {
        self.fixing.contains(&age)
    }

    /// How often the file that has this path changed.
    pub fn changes(&self, path: &[u8]) -> Changes {
        self.count(self.window.touching(path))
    }

    /// What some commits come to, those left out that changed too much.
    pub fn count(&self, mut commits: Vec<Age>) -> Changes {
        commits.retain(|age| self.counts(*age));
        let since = |age: &Age, bound: Option<Age>| bound.is_none_or(|bound| *age < bound);
        let lately = commits
            .iter()
            .filter(|age| since(age, self.year_ago))
            .count();
        let within = commits
            .iter()
            .filter(|age| since(age, self.two_years_ago))
            .count();
        Changes {
            fixes: commits.iter().filter(|age| self.is_fix(**age)).count(),
            lately,
            before: self.two_years_ago.map(|_| within - lately),
            commits,
        }
    }
}

/// The levels of indentation of the lines of a text, and how many lines have code: what Hindle, Godfrey and Holt found
/// to tell as much of complexity as McCabe's and Halstead's measures do (Reading Beside the Lines: Indentation as a
/// Proxy for Complexity Metrics, ICPC 2008), in whatever language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Nesting {
    /// The sum over all lines.
    pub levels: u64,
    /// Lines that are neither empty nor a comment.
    pub lines: u32,
}

/// Levels counted of a line at most: what is further in is data, or was written by a program.
const MOST_LEVELS: u64 = 12;
/// How comments of most languages begin, or go on.
const COMMENTS: [&[u8]; 6] = [b"//", b"/*", b"*", b"#", b"--", b";"];

impl Nesting {
    /// Measures a text.
    pub fn of(text: &[u8]) -> Self {
        let lines = || text.split(|b| *b == b'\n').filter_map(indented);
        let unit = unit(lines());
        let mut nesting = Self::default();
        for (tabs, blanks) in lines() {
            nesting.levels += (tabs + blanks / unit).min(MOST_LEVELS);
            nesting.lines += 1;
        }
        nesting
    }
}

/// The tabs and blanks before a line of code.
fn indented(line: &[u8]) -> Option<(u64, u64)> {
    let code = line.trim_ascii();
    if code.is_empty() || COMMENTS.iter().any(|mark| code.starts_with(mark)) {
        return None;
    }
    let before = line.iter().take_while(|b| matches!(b, b' ' | b'\t'));
    Some(before.fold((0, 0), |(tabs, blanks), b| match b {
        b'\t' => (tabs + 1, blanks),
        _ => (tabs, blanks + 1),
    }))
}

/// How many blanks make a level: the step inwards that is most common.
fn unit(lines: impl Iterator<Item = (u64, u64)>) -> u64 {
    let mut steps = [0u32; 9];
    let mut last = 0;
    for (_, blanks) in lines {
        if let Some(count) = blanks
            .checked_sub(last)
            .and_then(|step| steps.get_mut(step as usize))
        {
            *count += 1;
        }
        last = blanks;
    }
    let common = (2..steps.len()).max_by_key(|step| (steps[*step], std::cmp::Reverse(*step)));
    common.filter(|step| steps[*step] > 0).unwrap_or(4) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_counted_by_the_step_that_a_text_takes() {
        let of = |text: &str| {
            let found = Nesting::of(text.as_bytes());
            (found.levels, found.lines)
        };
        assert_eq!(of("a:\n  b\n  c:\n    d\n"), (4, 4));
        assert_eq!(of("a {\n    b {\n        c\n    }\n}\n"), (4, 5));
        assert_eq!(of("a {\n\tb {\n\t\tc\n\t}\n}\n"), (4, 5));
        assert_eq!(of("// x\n\n  // y\na\n"), (0, 1));
        assert_eq!(of(""), (0, 0));
        // What is far in counts as far as anything does.
        assert_eq!(of(&format!("{}a\n", "\t".repeat(90))), (MOST_LEVELS, 1));
    }
}
