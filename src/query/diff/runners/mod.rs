//! How the tests of a tree are run: by which program, from which folder, under which names.
//!
//! Guarantees: a pure function of the paths and texts of the tree. What a repository calls its files and tests
//! reaches a command quoted for a POSIX shell ([`shell`](crate::git::shell)), or not at all; what its manifests say chooses among rows of
//! ours ([`rows`]) and is never part of a command.

mod command;
mod lines;
mod names;
pub mod rows;

pub use command::{Site, Target};
pub use lines::{Runs, is_most};

use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use rows::{RUNNERS, Runner, Sign};
use rustc_hash::{FxHashMap, FxHashSet};

/// A runner and the folder that it runs in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Use {
    /// Its place in [`RUNNERS`].
    runner: usize,
    /// Number of bytes of a path that are that folder, the slash at the end included.
    folder: usize,
}

impl Use {
    /// The runner.
    pub fn runner(self) -> &'static Runner {
        &RUNNERS[self.runner]
    }

    /// The path of a file from the folder, and the folder.
    fn split(self, path: &str) -> (&str, &str) {
        // Paths are shown as text, in which bytes that are none have another length.
        path.split_at_checked(self.folder).unwrap_or(("", path))
    }
}

/// What to paste into a shell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The runner.
    pub runner: &'static str,
    /// The command, to be run at the top of the work tree.
    pub command: String,
    /// What it runs of what was selected.
    pub runs: Runs,
}

/// Finds the runners of a tree.
pub struct Runners<'a> {
    view: &'a View,
    /// Runners that the signs in a folder show, by the folder: a bit each.
    shown: FxHashMap<Vec<u8>, u32>,
    /// Folders with a file of an ending, by the ending.
    ending: FxHashMap<&'static str, FxHashSet<Vec<u8>>>,
}

impl<'a> Runners<'a> {
    /// Knows nothing yet but which endings there are.
    pub fn of(view: &'a View) -> Self {
        let signs = RUNNERS.iter().flat_map(|runner| runner.signs);
        let endings: Vec<&'static str> = signs
            .filter_map(|sign| sign.file.strip_prefix('*'))
            .collect();
        let mut ending: FxHashMap<&'static str, FxHashSet<Vec<u8>>> = FxHashMap::default();
        for file in view.files() {
            let path = file.path.as_bytes();
            for end in endings.iter().filter(|end| path.ends_with(end.as_bytes())) {
                ending.entry(end).or_default().insert(folder(path).to_vec());
            }
        }
        Self {
            view,
            shown: FxHashMap::default(),
            ending,
        }
    }

    /// The runner of a file of tests; `None` when no runner runs such files.
    pub fn of_file(&mut self, texts: &mut Texts, file: FileId) -> Option<Use> {
        let path = self.view.file(file).path.as_bytes();
        let fits = |runner: &Runner| {
            runner
                .endings
                .iter()
                .any(|end| path.ends_with(end.as_bytes()))
        };
        let fitting: Vec<usize> = (0..RUNNERS.len())
            .filter(|at| fits(&RUNNERS[*at]))
            .collect();
        fitting.first()?;
        let mut at = folder(path);
        loop {
            let shown = self.shown(texts, at);
            if let Some(runner) = fitting.iter().find(|runner| shown >> **runner & 1 == 1) {
                return Some(Use {
                    runner: *runner,
                    folder: at.len(),
                });
            }
            let Some(inner) = at.strip_suffix(b"/") else {
                break;
            };
            at = folder(inner);
        }
        let mut usual: Vec<usize> = fitting;
        usual.retain(|runner| RUNNERS[*runner].usual);
        usual.sort_by_key(|runner| RUNNERS[*runner].own.is_empty());
        let view = self.view;
        let mut says = |runner: &usize| {
            let own = RUNNERS[*runner].own;
            own.is_empty()
                || texts
                    .get(view, file)
                    .is_some_and(|text| has_any(text.bytes(), own))
        };
        let runner = usual.into_iter().find(|runner| says(runner))?;
        Some(Use { runner, folder: 0 })
    }

    /// The runners that the files of a folder show.
    fn shown(&mut self, texts: &mut Texts, at: &[u8]) -> u32 {
        if let Some(known) = self.shown.get(at) {
            return *known;
        }
        let mut shown = 0;
        for (runner, bit) in RUNNERS.iter().zip(0..) {
            if runner
                .signs
                .iter()
                .any(|sign| self.is_there(texts, at, sign))
            {
                shown |= 1u32 << bit;
            }
        }
        self.shown.insert(at.to_vec(), shown);
        shown
    }

    fn is_there(&self, texts: &mut Texts, at: &[u8], sign: &Sign) -> bool {
        if let Some(end) = sign.file.strip_prefix('*') {
            return self
                .ending
                .get(end)
                .is_some_and(|folders| folders.contains(at));
        }
        let Some(file) = self.view.file_at(&[at, sign.file.as_bytes()].concat()) else {
            return false;
        };
        sign.words.is_empty()
            || texts
                .get(self.view, file)
                .is_some_and(|text| has_any(text.bytes(), sign.words))
    }

    fn site<'s>(folder: &'s str, has_file: &'s dyn Fn(&str) -> bool) -> Site<'s> {
        Site { folder, has_file }
    }

    /// The name that its runner gives a test. The path of the target is that from the top of the tree.
    pub fn id(&self, used: Use, target: &Target) -> String {
        let (folder, below) = used.split(&target.path);
        let has_file = |path: &str| self.has_file(folder, path);
        let local = Target {
            path: below.to_owned(),
            ..target.clone()
        };
        used.runner()
            .shape
            .id(&Self::site(folder, &has_file), &local)
    }

    fn has_file(&self, folder: &str, path: &str) -> bool {
        let path = format!("{folder}{path}");
        self.view.file_at(path.as_bytes()).is_some()
    }

    /// Commands that run some tests, each with its runner, and the number of tests that no command can name. `every` are
    /// all files of tests; with `whole` the commands run all that their runners run.
    pub fn commands(
        &self,
        tests: &[(Use, Target)],
        every: &[(Use, Target)],
        whole: bool,
    ) -> (Vec<Command>, usize) {
        let count = |groups: Vec<Group>| -> FxHashMap<(usize, String), usize> {
            let sized = groups.into_iter();
            sized
                .map(|(used, folder, files)| ((used.runner, folder), files.len()))
                .collect()
        };
        let all = count(grouped(every));
        let (mut commands, mut left_out) = (Vec::new(), 0);
        for (used, folder, mut targets) in grouped(if whole { every } else { tests }) {
            // A file that is run as a whole takes its tests along.
            let files: FxHashSet<String> = targets
                .iter()
                .filter(|target| target.names.is_empty())
                .map(|target| target.path.clone())
                .collect();
            targets.retain(|target| target.names.is_empty() || !files.contains(&target.path));
            let has_file = |path: &str| self.has_file(&folder, path);
            let site = Self::site(&folder, &has_file);
            let shape = used.runner().shape;
            let found = if whole {
                let all = shape.all(&site).into_iter();
                all.map(|command| (command, Runs::All)).collect()
            } else {
                let all = all.get(&(used.runner, folder.clone())).copied();
                let (found, unnamed) = lines::fit(shape, &site, &targets, all.unwrap_or_default());
                left_out += unnamed;
                found
            };
            commands.extend(found.into_iter().map(|(command, runs)| Command {
                runner: used.runner().name,
                command,
                runs,
            }));
        }
        (commands, left_out)
    }
}

/// What a runner runs in a folder, from there.
type Group = (Use, String, Vec<Target>);

/// Tests by the runner and its folder, in the order of the first of each.
fn grouped(tests: &[(Use, Target)]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: FxHashMap<(usize, &str), usize> = FxHashMap::default();
    for (used, target) in tests {
        let (folder, below) = used.split(&target.path);
        let local = Target {
            path: below.to_owned(),
            ..target.clone()
        };
        let at = *known.entry((used.runner, folder)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, _, targets)) => targets.push(local),
            None => groups.push((*used, folder.to_owned(), vec![local])),
        }
    }
    groups
}

/// The folder of a path, empty or with a slash at its end.
fn folder(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    &path[..end]
}

fn has_any(text: &[u8], words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| memchr::memmem::find(text, word.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn target(path: &str, names: &[&str]) -> Target {
        Target {
            path: path.to_owned(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            line: 7,
        }
    }

    fn shape(runner: &str) -> command::Shape {
        RUNNERS.iter().find(|r| r.name == runner).unwrap().shape
    }

    /// The commands of a runner for some tests in a folder.
    fn said(runner: &str, folder: &str, targets: &[Target]) -> Vec<String> {
        let has_file = |path: &str| path == "src/lib.rs";
        shape(runner)
            .some(&Runners::site(folder, &has_file), targets)
            .0
    }

    #[test]
    fn each_runner_is_told_in_its_own_words() {
        let java = target("src/test/java/org/a/FooTest.java", &["FooTest", "adds"]);
        let rust = [
            target("src/a.rs", &["tests", "adds"]),
            target("tests/it/main.rs", &["runs"]),
        ];
        let go = [
            target("a_test.go", &["TestA"]),
            target("sub/b_test.go", &["TestB"]),
        ];
        let spec = target("spec/a_spec.rb", &["a", "adds one"]);
        for (runner, folder, targets, expected) in [
            (
                "pytest",
                "",
                vec![target("tests/test_a.py", &["TestA", "test_b"])],
                "pytest tests/test_a.py::TestA::test_b",
            ),
            (
                "pytest",
                "lib/",
                vec![target("test_a.py", &[])],
                "(cd lib && pytest test_a.py)",
            ),
            (
                "unittest",
                "",
                vec![target("tests/test_a.py", &["TestA", "test_b"])],
                "python -m unittest tests.test_a.TestA.test_b",
            ),
            (
                "vitest",
                "",
                vec![target("src/a b.test.ts", &[])],
                "npx vitest run 'src/a b.test.ts'",
            ),
            (
                "mocha",
                "",
                vec![target("test/a.js", &[]), target("test/a.js", &[])],
                "npx mocha test/a.js",
            ),
            (
                "go",
                "",
                go.to_vec(),
                "go test -run '^(TestA|TestB)$' ./ ./sub",
            ),
            (
                "cargo",
                "",
                rust.to_vec(),
                "cargo test --lib --test it -- --exact a::tests::adds runs",
            ),
            (
                "cargo",
                "x/",
                vec![rust[0].clone()],
                "cargo test --manifest-path x/Cargo.toml --lib -- --exact a::tests::adds",
            ),
            (
                "nextest",
                "",
                vec![rust[0].clone()],
                "cargo nextest run --lib -E 'test(=a::tests::adds)'",
            ),
            (
                "gradle",
                "core/",
                vec![java.clone()],
                "./gradlew :core:test --tests org.a.FooTest.adds",
            ),
            (
                "maven",
                "",
                vec![java.clone()],
                "mvn test '-Dtest=org.a.FooTest#adds'",
            ),
            (
                "rspec",
                "",
                vec![spec.clone()],
                "bundle exec rspec spec/a_spec.rb:7",
            ),
            (
                "minitest",
                "",
                vec![target("test/a_test.rb", &["A", "test_x"])],
                "ruby -Ilib -Itest test/a_test.rb -n '/^(test_x)$/'",
            ),
            (
                "phpunit",
                "",
                vec![target("tests/ATest.php", &["ATest", "testX"])],
                "vendor/bin/phpunit --filter '/\\b(ATest::testX)\\b/'",
            ),
            (
                "dotnet",
                "",
                vec![target("A/BTests.cs", &["BTests", "Adds"])],
                "dotnet test --filter 'FullyQualifiedName~BTests.Adds'",
            ),
            (
                "swift",
                "",
                vec![target("Tests/A/BTests.swift", &["BTests", "testX"])],
                "swift test --filter '(BTests/testX)'",
            ),
            (
                "mix",
                "",
                vec![target("test/a_test.exs", &["works"])],
                "mix test test/a_test.exs:7",
            ),
        ] {
            assert_eq!(said(runner, folder, &targets), [expected], "{runner}");
        }
    }

    #[test]
    fn what_cannot_be_named_is_counted_and_left_out() {
        let has_file = |_: &str| false;
        let site = Runners::site("", &has_file);
        let targets = [target("a\nb.py", &[]), target("test_a.py", &["test_b"])];
        let (commands, left_out) = shape("pytest").some(&site, &targets);
        assert_eq!((commands.len(), left_out), (1, 1));
        assert_eq!(commands, ["pytest test_a.py::test_b"]);
    }

    /// Splits a command line as a shell does, of which it uses words, single quotes and `(cd x && y)`.
    fn words_of(command: &str) -> Option<Vec<String>> {
        let (mut words, mut word, mut rest) = (Vec::new(), String::new(), command.chars());
        while let Some(c) = rest.next() {
            match c {
                ' ' => words.push(std::mem::take(&mut word)),
                '\'' => {
                    let mut closed = false;
                    for c in rest.by_ref() {
                        closed = c == '\'';
                        if closed {
                            break;
                        }
                        word.push(c);
                    }
                    if !closed {
                        return None;
                    }
                }
                '\\' => word.push(rest.next()?),
                c if c.is_ascii_alphanumeric() || "_./:@%+,-=~#()&".contains(c) => word.push(c),
                _ => return None,
            }
        }
        words.push(word);
        Some(words)
    }

    proptest! {
        #[test]
        fn no_name_adds_a_word_of_its_own_or_leaves_its_quotes(
            runner in 0..RUNNERS.len(),
            folder in "([ -.0-~]{1,8}/)?",
            path in "[ -.0-~]{1,10}",
            names in proptest::collection::vec("[ -~é\n]{1,10}", 0..3),
        ) {
            let has_file = |path: &str| path == "src/lib.rs";
            let site = Runners::site(&folder, &has_file);
            let target = Target { path: path.clone(), names: names.clone(), line: 1 };
            let (commands, _) = RUNNERS[runner].shape.some(&site, &[target]);
            let plain = Target { path: "a.x".into(), names: vec!["a".into(); names.len()], line: 1 };
            let (usual, _) = RUNNERS[runner].shape.some(&site, &[plain]);
            for command in commands.iter().chain(&usual) {
                // What is outside of quotes is of the characters that mean nothing, but for those that we put there.
                prop_assert!(words_of(command).is_some(), "{command}");
                let count = words_of(command).unwrap().len();
                let least = words_of(&usual[0]).unwrap().len();
                prop_assert!(count <= least + 2, "{command}");
            }
        }
    }
}
