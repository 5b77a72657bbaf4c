//! The JSON shapes of `diff --tests`.

use crate::query::diff::runners::{self, Runs};
use crate::query::diff::tests_to_run::{SelectedTest, TestsAnswer, Unreached, Whole};
use crate::query::state::Stamp;
use serde::Serialize;

/// Answer of `diff --tests`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tests {
    /// The new state.
    pub index: Stamp,
    /// Abbreviated commit it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// How that commit was chosen.
    pub chosen: String,
    /// The tests, the most likely to fail first.
    pub tests: Vec<Test>,
    /// Files that they stand in.
    pub files: usize,
    /// Files of the tree that hold tests.
    pub test_files: usize,
    /// Share of all tests that they are.
    pub share: f32,
    /// Why all tests are to be run: `most` are selected, or what they rest on changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<&'static str>,
    /// What to paste into a shell.
    pub commands: Vec<Command>,
    /// Changed code that no test reaches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<Untested>,
    /// Tests whose names no command can hold.
    #[serde(skip_serializing_if = "crate::query::serialize::is_zero")]
    pub unnamed: usize,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What to paste into a shell.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Command {
    /// The runner.
    pub runner: &'static str,
    /// The command, to be run at the top of the work tree.
    pub command: String,
    /// What it runs where that is more or less than the tests: all of their `files`, the `likeliest`, `all` there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<&'static str>,
}

/// A test to run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Test {
    /// File.
    pub path: String,
    /// Line it begins on; absent for all tests of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Name within the file, with the names around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What its runner calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its runner.
    pub runner: &'static str,
    /// Why it is here.
    pub why: &'static str,
    /// What it reaches.
    pub reaches: String,
    /// How sure the way to it is.
    pub certainty: &'static str,
    /// Steps between the change and it.
    pub distance: u32,
    /// What the order is by, from 0 to 1.
    pub worth: f32,
    /// Whether every step of the way ran when coverage was recorded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ran: bool,
}

/// A changed definition that no test reaches.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Untested {
    /// Its id.
    pub id: String,
    /// File.
    pub path: String,
    /// First line.
    pub line: u32,
    /// Whether recorded coverage says so.
    pub recorded: bool,
}

impl Tests {
    /// All of an answer.
    pub fn of(answer: &TestsAnswer) -> Self {
        let selection = &answer.selection;
        Self {
            index: answer.stamp.clone(),
            base: answer.base.clone(),
            chosen: answer.chosen.clone(),
            tests: selection.tests.iter().map(Test::of).collect(),
            files: selection.files,
            test_files: selection.all_files,
            share: selection.share,
            whole: selection.whole.as_ref().map(|whole| match whole {
                Whole::Ground(ground, _) => ground.label(),
                Whole::Most => "most",
            }),
            commands: selection.commands.iter().map(Command::of).collect(),
            unreached: selection.unreached.iter().map(Untested::of).collect(),
            unnamed: selection.unnamed,
            next: None,
        }
    }
}

impl Command {
    fn of(found: &runners::Command) -> Self {
        Self {
            runner: found.runner,
            command: found.command.clone(),
            runs: (found.runs != Runs::Selected).then(|| found.runs.label()),
        }
    }
}

impl Test {
    fn of(test: &SelectedTest) -> Self {
        Self {
            path: test.path.clone(),
            line: test.line,
            name: test.name.clone(),
            id: test.id.clone(),
            runner: test.runner,
            why: test.why.label(),
            reaches: test.reaches.to_string(),
            certainty: test.certainty.label(),
            distance: test.distance,
            worth: test.worth,
            ran: test.ran,
        }
    }
}

impl Untested {
    fn of(unreached: &Unreached) -> Self {
        Self {
            id: unreached.symbol.id.to_string(),
            path: unreached.symbol.path.clone(),
            line: unreached.symbol.start_line,
            recorded: unreached.recorded,
        }
    }
}
