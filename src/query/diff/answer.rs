//! Answers of `diff`.

use super::changes::Aspects;
use super::dangling::Fault;
use super::effects::Because;
use super::outlook::Outlook;
use super::possible::{Unseen, Why};
use crate::graph::rule::Certainty;
use crate::query::answer::SymbolRef;
use crate::query::gate::{NewCycle, NewHub};
use crate::query::recall::related::Note;
use crate::query::refs::answer::Reached;
use crate::query::state::Stamp;
use crate::view::written::Written;

/// A file that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedFile {
    /// Its path; of one that is gone, where it was.
    pub path: String,
    /// Where it was, if that was elsewhere.
    pub was: Option<String>,
    /// What became of it.
    pub fate: FileFate,
    /// Lines added and removed; `None` where the text is not at hand.
    pub lines: Option<(usize, usize)>,
    /// Whether code outside of all definitions changed: imports, what runs when it is loaded.
    pub top: bool,
    /// Definitions of it that changed.
    pub symbols: usize,
}

/// Places that may expect what is no longer there and are named for each reason.
pub const MAX_POSSIBLE: usize = 5;

labelled! {
    /// What became of a file.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum FileFate {
        /// It is new.
        Added = "added",
        /// It is gone.
        Removed = "removed",
        /// It holds something else.
        Modified = "modified",
        /// It has another path.
        Renamed = "renamed",
    }
}

labelled! {
    /// What a change of something means for whoever uses it, in the words of semantic versioning
    /// (<https://semver.org>).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Compatibility {
        /// Who uses it as before may fail.
        Breaking = "breaking",
        /// It cannot be said.
        Unknown = "unknown",
        /// There is more to use.
        Additive = "additive",
        /// Only the repository itself sees it.
        Internal = "internal",
    }
}

/// A definition that changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedSymbol {
    /// What it is; of one that is gone, what it was.
    pub symbol: SymbolRef,
    /// What it was, where name or place are others.
    pub was: Option<SymbolRef>,
    /// What became of it.
    pub fate: SymbolFate,
    /// Its signature before and after, where they differ.
    pub signatures: Option<(String, String)>,
    /// What that means for others.
    pub compatibility: Compatibility,
    /// The rule that says so, where it is not that it is gone, moved or called otherwise.
    pub because: Option<Because>,
    /// Whether it is a test, or of one.
    pub is_test: bool,
    /// Sure uses of it in the new state; of one that is gone, in the old one.
    pub uses: usize,
    /// What is like it elsewhere, the most alike first; looked for where it was added.
    pub copies: Vec<NearCopy>,
}

/// Something elsewhere that is like a definition that was added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearCopy {
    /// What of the added definition it is like: a member of it, or all of it.
    pub part: Option<Written>,
    /// What it is.
    pub of: SymbolRef,
    /// Whether it is the same but for its name, comments and formatting.
    pub is_same: bool,
}

/// What became of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolFate {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is another in some ways.
    Changed(Aspects),
}

impl SymbolFate {
    /// The words for it, most telling first.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Self::Added => vec!["added"],
            Self::Removed => vec!["removed"],
            Self::Changed(how) => how.words().collect(),
        }
    }
}

/// A place that expects what is not there, or not so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmet {
    /// Its file.
    pub path: String,
    /// Its line.
    pub line: u32,
    /// The text of the line.
    pub text: String,
    /// The definition that it stands in.
    pub inside: Option<SymbolRef>,
    /// How sure it is.
    pub certainty: Certainty,
    /// What was expected, as it was called.
    pub expected: Written,
    /// Where that was, path and lines; of a name that is defined twice, the other definition.
    pub at: String,
    /// What it is now, if it is still there.
    pub now: Option<SymbolRef>,
    /// What does not fit, in words.
    pub reason: Option<String>,
}

/// A place that expects what is no longer there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// What is wrong with it.
    pub fault: Fault,
    /// The place.
    pub unmet: Unmet,
}

/// A place that may expect what is no longer there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Possible {
    /// Why it may, and may not.
    pub why: Why,
    /// Its file.
    pub path: String,
    /// Its line.
    pub line: u32,
    /// What it may expect, as it was called.
    pub expected: Written,
}

/// What is not known of the uses of what is gone or takes something else.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unknown {
    /// Places that may expect it, the most telling reason first; at most [`MAX_POSSIBLE`] for each.
    pub possible: Vec<Possible>,
    /// How many there are for each reason, in their order.
    pub counts: Vec<(Why, usize)>,
    /// What was not looked at.
    pub unseen: Unseen,
}

impl Unknown {
    /// How many places there are.
    pub fn total(&self) -> usize {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

labelled! {
    /// Whether a change leaves anything behind that expects what is no longer there.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum LeftBehind {
        /// It does.
        Proven = "proven",
        /// Nothing is proven, and not all is known.
        Possible = "possible",
        /// It does not, and all of the tree is known.
        Nothing = "nothing",
    }
}

/// What depends on the code that changed, and did not change itself; tests apart.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reach {
    /// How many definitions, and files of which the top level does.
    pub total: usize,
    /// In how many files.
    pub files: usize,
    /// The nearest of them.
    pub nearest: Vec<Reached>,
}

/// Answer of `diff`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DiffAnswer {
    /// The new state.
    pub stamp: Stamp,
    /// Abbreviated commit it is compared with; `None` for nothing at all.
    pub base: Option<String>,
    /// How that commit was chosen.
    pub chosen: String,
    /// Files that differ, in path order.
    pub files: Vec<ChangedFile>,
    /// Definitions that changed: those that others notice first.
    pub symbols: Vec<ChangedSymbol>,
    /// Places that expect what is no longer there.
    pub broken: Vec<Broken>,
    /// What is not known of such places.
    pub unknown: Unknown,
    /// New import cycles.
    pub cycles: Vec<NewCycle>,
    /// Files that more import than the limit of this repository allows, and did not before.
    pub hubs: Vec<NewHub>,
    /// That limit; `None` for any number.
    pub max_fan_in: Option<usize>,
    /// What history says of it.
    pub outlook: Outlook,
    /// What depends on it.
    pub reach: Reach,
    /// Memories of what changed.
    pub memories: Vec<Note>,
}

impl DiffAnswer {
    /// Whether the change leaves anything behind. What was written with it is none of that.
    pub fn left_behind(&self) -> LeftBehind {
        let is_known = self.unknown.total() == 0 && self.unknown.unseen.is_nothing();
        match (self.places_behind(), is_known) {
            (0, false) => LeftBehind::Possible,
            (0, true) => LeftBehind::Nothing,
            (_, _) => LeftBehind::Proven,
        }
    }

    /// How many places are left behind for sure.
    pub fn places_behind(&self) -> usize {
        let broken = self.broken.iter();
        broken.filter(|one| !one.fault.is_of_new()).count()
    }

    /// How many names were written with the change and lead nowhere.
    pub fn nowhere(&self) -> usize {
        let broken = self.broken.iter();
        broken
            .filter(|one| matches!(one.fault, Fault::Absent | Fault::Nowhere))
            .count()
    }

    /// How many calls were written with the change and do not fit.
    pub fn new_calls(&self) -> usize {
        let broken = self.broken.iter();
        broken.filter(|one| one.fault == Fault::Unfit).count()
    }
}
