//! The JSON of `map` of a range. What it shares with that of one revision goes by the same names.

use super::diff::{SymbolChange, symbol};
use super::{Entry, shown};
use crate::query::gate::NewCycle;
use crate::query::release::answer::{self, ReleaseAnswer, Section, Told};
use crate::query::serialize::is_zero;
use crate::query::state::Stamp;
use crate::render::layout::Layout;
use serde::Serialize;

/// What came between two revisions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Release {
    /// The later state.
    pub index: Stamp,
    /// Abbreviated commit of the earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// How that was chosen.
    pub chosen: String,
    /// Items shown.
    pub shown: usize,
    /// Items there are.
    pub total: usize,
    /// Files that differ.
    pub files: usize,
    /// Whether nothing is offered to others, so that it is told what files give each other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub program: bool,
    /// Definitions that others can reach and that changed inside alone.
    #[serde(skip_serializing_if = "is_zero")]
    pub inside: usize,
    /// Files of code that differ and were not read.
    #[serde(skip_serializing_if = "is_zero")]
    pub unread: usize,
    /// Definitions of each section.
    pub counts: Counts,
    /// Definitions.
    pub symbols: Vec<Change>,
    /// Folders that are new or gone.
    pub directories: Vec<Directory>,
    /// Routes, commands and jobs that are new or gone.
    pub entries: Vec<EntryChange>,
    /// New import cycles.
    pub cycles: Vec<NewCycle>,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// How many definitions each section has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Counts {
    /// Who uses it as before may fail.
    pub breaking: usize,
    /// It cannot be said whether they may.
    pub unknown: usize,
    /// On its way out.
    pub deprecated: usize,
    /// There is more to use.
    pub added: usize,
}

/// A definition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Change {
    /// `breaking`, `may be breaking`, `deprecated` or `added`.
    pub section: &'static str,
    /// What became of it.
    #[serde(flatten)]
    pub symbol: SymbolChange,
    /// Its signature, where there is one alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// A folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Directory {
    /// Its path.
    pub path: String,
    /// `added` or `removed`.
    pub change: &'static str,
    /// Files of code in it.
    pub files: usize,
    /// How many of these are elsewhere in the other state.
    #[serde(skip_serializing_if = "is_zero")]
    pub moved: usize,
    /// Lines of them.
    pub lines: u64,
    /// Definitions that others can reach.
    pub definitions: usize,
    /// The first of them.
    pub symbols: Vec<String>,
}

/// A way into the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EntryChange {
    /// `added` or `removed`.
    pub change: &'static str,
    /// What it is.
    #[serde(flatten)]
    pub entry: Entry,
}

/// Where the items of each sort stand in a layout.
#[derive(Default)]
pub(in crate::render) struct Places {
    pub(in crate::render) told: Vec<usize>,
    pub(in crate::render) folders: Vec<usize>,
    pub(in crate::render) entries: Vec<usize>,
    pub(in crate::render) cycles: Vec<usize>,
}

impl Release {
    pub(in crate::render) fn new(
        answer: &ReleaseAnswer,
        layout: &Layout,
        places: &Places,
        next: Option<String>,
    ) -> Self {
        Self {
            index: answer.stamp.clone(),
            base: answer.base.clone(),
            chosen: answer.chosen.clone(),
            shown: layout.main,
            total: answer.total(),
            files: answer.files,
            program: answer.is_program,
            inside: answer.inside,
            unread: answer.unread,
            counts: Counts {
                breaking: answer.count(Section::Breaking),
                unknown: answer.count(Section::Unknown),
                deprecated: answer.count(Section::Deprecated),
                added: answer.count(Section::Added),
            },
            symbols: shown(&answer.told, &places.told, layout, told),
            directories: shown(&answer.folders, &places.folders, layout, folder),
            entries: shown(&answer.entries, &places.entries, layout, entry),
            cycles: shown(&answer.cycles, &places.cycles, layout, NewCycle::clone),
            next,
        }
    }
}

fn change(is_added: bool) -> &'static str {
    match is_added {
        true => "added",
        false => "removed",
    }
}

fn told(told: &Told) -> Change {
    Change {
        section: told.section.label(),
        symbol: symbol(&told.changed),
        signature: told.signature.clone(),
    }
}

fn folder(folder: &answer::Folder) -> Directory {
    Directory {
        path: folder.path.clone(),
        change: change(folder.is_added),
        files: folder.files,
        moved: folder.moved,
        lines: folder.lines,
        definitions: folder.definitions,
        symbols: folder.names.clone(),
    }
}

fn entry(entry: &answer::Entry) -> EntryChange {
    EntryChange {
        change: change(entry.is_added),
        entry: Entry::new(&entry.point),
    }
}
