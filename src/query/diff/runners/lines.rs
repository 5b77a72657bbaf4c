//! Commands short enough to paste: whole files where their tests take too much room, several lines where those do, and
//! in the end all that the runner has, after those that are the likeliest to fail.
//!
//! Whatever is said instead of the tests runs all of them: nothing is dropped to be short.

use super::command::{Shape, Site, Target};
use rustc_hash::FxHashSet;

/// Bytes of a command that is still pasted, and lines that are.
const MOST_LINE: usize = 2_000;
const MOST_LINES: usize = 6;
/// Lines for the likeliest before the whole suite: runners that have one command for files and one for tests use two.
const MOST_FIRST: usize = 2;
/// Share of the files of tests from which on running them all is simpler, and the number of files below which
/// there is nothing to save.
const MOST_FILES: f64 = 0.6;
const LEAST_FILES: usize = 5;

labelled! {
    /// What a command runs of what was selected.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Runs {
        /// The tests, each by its name where it has one.
        Selected = "selected",
        /// All tests of their files.
        Files = "files",
        /// The likeliest to fail; a command that runs all follows.
        Likeliest = "likeliest",
        /// All tests that the runner has.
        All = "all",
    }
}

/// Commands, and the number of tests that none of them can name.
pub type Fitted = (Vec<(String, Runs)>, usize);

/// Whether so many files of tests are selected that the choice saves nothing.
pub fn is_most(selected: usize, all: usize) -> bool {
    all >= LEAST_FILES && selected as f64 > MOST_FILES * all as f64
}

/// The commands for tests in the order of how likely they are to fail, of a runner that has `all` files of tests.
pub(super) fn fit(shape: Shape, site: &Site<'_>, tests: &[Target], all: usize) -> Fitted {
    let (named, left_out) = shape.some(site, tests);
    let with = |lines: Vec<String>, runs: Runs| -> Vec<(String, Runs)> {
        lines.into_iter().map(|line| (line, runs)).collect()
    };
    if is_pasteable(&named, MOST_LINES) {
        return (with(named, Runs::Selected), left_out);
    }
    let files = files(tests);
    if !is_most(files.len(), all)
        && let Some((lines, left_out)) = in_lines(shape, site, &files)
    {
        return (with(lines, Runs::Files), left_out);
    }
    let Some(whole) = shape.all(site) else {
        return (with(named, Runs::Selected), left_out);
    };
    let mut commands = with(likeliest(shape, site, tests), Runs::Likeliest);
    commands.push((whole, Runs::All));
    (commands, 0)
}

fn is_pasteable(lines: &[String], most: usize) -> bool {
    lines.len() <= most && lines.iter().all(|line| line.len() <= MOST_LINE)
}

/// The files of tests, each once, in the order of the first test of each.
fn files(tests: &[Target]) -> Vec<Target> {
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let first = tests.iter().filter(|test| seen.insert(&test.path));
    let whole = |test: &Target| Target {
        path: test.path.clone(),
        names: Vec::new(),
        line: 1,
    };
    first.map(whole).collect()
}

/// Some files in as many lines as it takes; `None` when those are too many.
fn in_lines(shape: Shape, site: &Site<'_>, files: &[Target]) -> Option<(Vec<String>, usize)> {
    let (mut lines, mut left_out) = (Vec::new(), 0);
    let mut rest = files;
    while !rest.is_empty() {
        let (count, found, unnamed) = longest(shape, site, rest, MOST_LINES - lines.len())?;
        lines.extend(found);
        left_out += unnamed;
        rest = &rest[count..];
    }
    Some((lines, left_out))
}

/// The commands for as many of the first as there is room for.
fn likeliest(shape: Shape, site: &Site<'_>, tests: &[Target]) -> Vec<String> {
    longest(shape, site, tests, MOST_FIRST).map_or_else(Vec::new, |(_, lines, _)| lines)
}

/// How many of the first fit into so many lines, these lines, and how many of them have no name. `None` for none.
fn longest(
    shape: Shape,
    site: &Site<'_>,
    targets: &[Target],
    most: usize,
) -> Option<(usize, Vec<String>, usize)> {
    let fitting = |count: usize| {
        let (lines, unnamed) = shape.some(site, &targets[..count]);
        is_pasteable(&lines, most).then_some((count, lines, unnamed))
    };
    // The more, the longer: first by doubling, then by halving what is between.
    let (mut best, mut over) = (None, targets.len() + 1);
    let mut count = 1;
    while count < over {
        match fitting(count) {
            Some(found) => best = Some(found),
            None => over = count,
        }
        let known = best.as_ref().map_or(0, |(count, ..)| *count);
        count = match over > targets.len() {
            true if known < targets.len() => (2 * known).min(targets.len()),
            true => break,
            false if over - known > 1 => known + (over - known) / 2,
            false => break,
        };
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::diff::runners::rows::RUNNERS;

    fn fitted(runner: &str, tests: &[Target], all: usize) -> Vec<(String, Runs)> {
        let has_file = |path: &str| path == "src/lib.rs";
        let site = Site {
            folder: "",
            has_file: &has_file,
        };
        let shape = RUNNERS.iter().find(|r| r.name == runner).unwrap().shape;
        fit(shape, &site, tests, all).0
    }

    /// So many tests in each of so many files, with the endings of all runners.
    fn tests(files: usize, each: usize, ending: &str) -> Vec<Target> {
        let of = |file: usize| {
            (0..each).map(move |test| Target {
                path: format!("tests/some/longer/folder/test_number_{file}{ending}"),
                names: vec![format!("test_does_{test}_as_it_should")],
                line: test as u32 + 1,
            })
        };
        (0..files).flat_map(of).collect()
    }

    #[test]
    fn every_runner_stays_within_lines_that_can_be_pasted() {
        for runner in RUNNERS {
            let ending = runner.endings[0];
            for (files, each) in [(1, 1), (1, 400), (40, 20), (3_000, 2)] {
                let said = fitted(runner.name, &tests(files, each, ending), 100_000);
                let lines: Vec<String> = said.iter().map(|(line, _)| line.clone()).collect();
                let fits = is_pasteable(&lines, MOST_LINES);
                assert!(fits && !said.is_empty(), "{}: {said:?}", runner.name);
            }
        }
    }

    #[test]
    fn files_take_the_place_of_their_tests_and_the_suite_that_of_too_many() {
        let of = |said: &[(String, Runs)]| said.iter().map(|(_, runs)| *runs).collect::<Vec<_>>();
        assert_eq!(
            of(&fitted("pytest", &tests(3, 2, ".py"), 9)),
            [Runs::Selected]
        );
        assert_eq!(
            of(&fitted("pytest", &tests(9, 20, ".py"), 90)),
            [Runs::Files]
        );
        let two = fitted("pytest", &tests(60, 20, ".py"), 900);
        assert_eq!(of(&two), [Runs::Files, Runs::Files]);
        let first = [Runs::Likeliest, Runs::All];
        assert_eq!(of(&fitted("pytest", &tests(9, 20, ".py"), 10)), first);
        assert_eq!(of(&fitted("pytest", &tests(900, 2, ".py"), 9_000)), first);
    }

    #[test]
    fn lines_hold_every_file_once_in_order() {
        let tests = tests(60, 20, ".py");
        let said = fitted("pytest", &tests, 900);
        let words = said.iter().flat_map(|(line, _)| line.split(' ').skip(1));
        let expected = files(&tests);
        assert_eq!(
            words.collect::<Vec<_>>(),
            expected.iter().map(|t| t.path.as_str()).collect::<Vec<_>>()
        );
    }
}
