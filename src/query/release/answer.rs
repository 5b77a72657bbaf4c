//! Answers about what came between two revisions.

use crate::query::diff::answer::ChangedSymbol;
use crate::query::entry_points::Shown;
use crate::query::gate::NewCycle;
use crate::query::state::Stamp;

labelled! {
    /// Where a definition is told of, the most telling first.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Section {
        /// Who uses it as before may fail.
        Breaking = "breaking",
        /// It cannot be said whether they may.
        Unknown = "may be breaking",
        /// It is said to be on its way out.
        Deprecated = "deprecated",
        /// There is more to use.
        Added = "added",
    }
}

/// A definition that others can reach, and is not as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Where it is told of.
    pub section: Section,
    /// What became of it.
    pub changed: ChangedSymbol,
    /// Its signature, where it is the same in both states or in one alone.
    pub signature: Option<String>,
}

impl Told {
    /// The folder of its file, with a slash at the end; empty for the root.
    pub fn folder(&self) -> &str {
        let path = &self.changed.symbol.path;
        path.rfind('/').map_or("", |at| &path[..=at])
    }
}

/// A folder that is new, or gone, with all that was in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    /// Its path, with a slash at the end.
    pub path: String,
    /// Whether it is new; it is gone otherwise.
    pub is_added: bool,
    /// Files of code in it.
    pub files: usize,
    /// How many of these are elsewhere in the other state.
    pub moved: usize,
    /// Lines of them.
    pub lines: u64,
    /// Definitions in it that others can reach, and are told of in no other place.
    pub definitions: usize,
    /// The first of their names.
    pub names: Vec<String>,
}

/// A way into the program that is new, or gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Whether it is new; it is gone otherwise.
    pub is_added: bool,
    /// What it is.
    pub point: Shown,
}

/// What came between two revisions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReleaseAnswer {
    /// The later state.
    pub stamp: Stamp,
    /// Abbreviated commit of the earlier one; `None` for nothing at all.
    pub base: Option<String>,
    /// How that was chosen.
    pub chosen: String,
    /// How the later one was called; empty for the work tree.
    pub head: String,
    /// Whether both are one and the same.
    pub is_same: bool,
    /// Whether nothing is offered to others, so that files are told of by what they give each other.
    pub is_program: bool,
    /// Files that differ.
    pub files: usize,
    /// What others notice, by section, folder and place.
    pub told: Vec<Told>,
    /// Definitions that others can reach and that changed inside alone.
    pub inside: usize,
    /// Folders that are new or gone.
    pub folders: Vec<Folder>,
    /// Ways into the program that are new or gone.
    pub entries: Vec<Entry>,
    /// New import cycles.
    pub cycles: Vec<NewCycle>,
    /// Files of code that differ and were not read in one of the states.
    pub unread: usize,
}

impl ReleaseAnswer {
    /// How many definitions are told of in a section.
    pub fn count(&self, section: Section) -> usize {
        self.told
            .iter()
            .filter(|told| told.section == section)
            .count()
    }

    /// Everything that is told.
    pub fn total(&self) -> usize {
        self.told.len() + self.folders.len() + self.entries.len() + self.cycles.len()
    }
}
