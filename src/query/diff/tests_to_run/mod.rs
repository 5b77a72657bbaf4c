//! Which tests to run after a change: those that reach it, the most likely to fail first.
//!
//! Of each definition that changed a walk goes backwards over uses, overrides and parts ([`dependents`], [`walk`]) to
//! the tests of the tree ([`suite`]). Recorded coverage closes ways that no test went ([`ran`]): it knows lines and no
//! tests by name, so which test it was is the graph's to say. Where no way is found there are tests that belong to
//! a file by its name, by what changed together or by what they import ([`nearby`]); files that are no code reach
//! the tests that name them ([`data`]), and some reach all ([`settings`]).
//!
//! Guarantees: a pure function of the two trees, the history of the new one and the recorded coverage; a test that
//! changed itself is always there; what is left out for want of a name that can be pasted is counted. Deliberately
//! absent: any claim that the rest of the suite passes.

mod data;
mod dependents;
mod finish;
mod nearby;
mod question;
mod ran;
mod select;
mod settings;
mod suite;
mod walk;

pub use question::{TestsAnswer, TestsRequest};
pub use select::{Side, select};
pub use settings::Ground;

use super::runners::Command;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::query::answer::SymbolRef;
use crate::view::live::FileId;
use crate::view::written::Written;

/// What changed, as far as tests are concerned.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changed {
    /// Definitions of the new state that are new or another, each with what it was.
    pub definitions: Vec<(SymbolId, Option<SymbolId>)>,
    /// Definitions of the old state that are gone.
    pub removed: Vec<SymbolId>,
    /// Files of code of the new state in which something outside of definitions changed.
    pub tops: Vec<FileId>,
    /// Paths of other files that were added, changed or removed.
    pub others: Vec<Vec<u8>>,
}

labelled! {
    /// Why a test is selected, from the best reason to the weakest.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Why {
        /// It changed itself.
        Changed = "changed",
        /// It uses what changed, or what uses that.
        Uses = "uses",
        /// It uses something that may be what changed.
        MayUse = "may use",
        /// It is called after the file that changed.
        Named = "named after",
        /// It names the file that changed.
        Data = "reads",
        /// It changed together with the file that changed.
        Together = "changes with",
        /// It holds the name of what changed and imports its file, however many steps away.
        Mentions = "mentions",
        /// It imports the file that changed, however many steps away.
        Imports = "imports",
        /// All tests rest on the file that changed.
        Ground = "rests on",
    }
}

/// A test to run.
#[derive(Clone, PartialEq, Debug)]
pub struct SelectedTest {
    /// Path of its file.
    pub path: String,
    /// The line it begins on; `None` for all tests of a file.
    pub line: Option<u32>,
    /// Its name within the file, with the names around it; `None` for all tests of the file.
    pub name: Option<String>,
    /// What its runner calls it; `None` where that cannot be written on one line.
    pub id: Option<String>,
    /// Its runner.
    pub runner: &'static str,
    /// Why it is here.
    pub why: Why,
    /// How sure the way to it is.
    pub certainty: Certainty,
    /// Steps between the change and it.
    pub distance: u32,
    /// How likely it is to notice, from 0 to 1, as far as the way to it tells: an order, no probability.
    pub worth: f32,
    /// Whether every step of the way ran when coverage was recorded.
    pub ran: bool,
    /// What it reaches: the definition or the file that changed.
    pub reaches: Written,
}

/// Changed code that no test reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreached {
    /// The definition.
    pub symbol: SymbolRef,
    /// Whether coverage was recorded and says that it did not run, which is more than finding no way.
    pub recorded: bool,
}

/// Why all tests are to be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Whole {
    /// All of them rest on a file that changed.
    Ground(Ground, String),
    /// So many are selected that the choice saves nothing.
    Most,
}

/// The tests to run after a change.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TestSelection {
    /// The tests, the most likely to fail first.
    pub tests: Vec<SelectedTest>,
    /// Files that they stand in.
    pub files: usize,
    /// Files of the tree that hold tests.
    pub all_files: usize,
    /// Share of the tests of the tree that they are, from 0 to 1.
    pub share: f32,
    /// Changed code that no test reaches, in order of place.
    pub unreached: Vec<Unreached>,
    /// Why all tests are to be run; `None` to run those that are listed.
    pub whole: Option<Whole>,
    /// What to paste into a shell, at the top of the work tree.
    pub commands: Vec<Command>,
    /// Tests whose names no command can hold.
    pub unnamed: usize,
    /// Whether ways were left because there were too many.
    pub is_bounded: bool,
}
