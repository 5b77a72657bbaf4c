//! The JSON shapes of `diff`.

use super::memory::Note;
use super::outlook::{Omitted, Risk};
use super::refs::Link;
use super::unmet::Unmet;
use super::{Symbol, is_zero, shown};
use crate::query::diff::answer::{
    Broken, ChangedFile, ChangedSymbol, DiffAnswer, NearCopy, Possible,
};
use crate::query::diff::dangling::Fault;
use crate::query::diff::possible::Unseen;
use crate::query::gate::{NewCycle, NewHub};
use crate::query::state::{Skipped, Stamp};
use crate::render::layout::Layout;
use crate::render::memory;
use serde::Serialize;

/// Answer of `diff`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Diff {
    /// The new state.
    pub index: Stamp,
    /// Abbreviated commit it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// How that commit was chosen.
    pub chosen: String,
    /// Places that expect what is no longer there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenUse>,
    /// Whether anything is left behind: `proven`, `possible`, or `nothing` where all of the tree is known.
    pub left_behind: &'static str,
    /// Places that may expect it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub possible: Vec<PossibleUse>,
    /// What was not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<Unlooked>,
    /// New import cycles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cycles: Vec<NewCycle>,
    /// Files that more import than `max_fan_in` allows, and did not before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hubs: Vec<NewHub>,
    /// That limit, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_fan_in: Option<usize>,
    /// How likely it is to be fixed soon after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<Risk>,
    /// What usually changes too, and did not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub omissions: Vec<Omitted>,
    /// Where history ends before its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<String>,
    /// Memories of what changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<Note>,
    /// Definitions that changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<SymbolChange>,
    /// Files that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileDifference>,
    /// What depends on the code that changed, nearest first; tests apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<Link>,
    /// How many of each there are, shown or not.
    pub totals: Totals,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// How much there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Totals {
    /// Places that expect what is no longer there.
    pub broken: usize,
    /// Places that may.
    #[serde(skip_serializing_if = "is_zero")]
    pub possible: usize,
    /// New import cycles.
    pub cycles: usize,
    /// Files that too many import.
    #[serde(skip_serializing_if = "is_zero")]
    pub hubs: usize,
    /// Definitions that changed.
    pub symbols: usize,
    /// Files that differ.
    pub files: usize,
    /// Dependents.
    pub reach: usize,
}

/// A place that expects what is no longer there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BrokenUse {
    /// `dangling`, `left behind`, `misfit`, `missing`, `absent` or `nowhere`.
    pub fault: &'static str,
    /// The place.
    #[serde(flatten)]
    pub unmet: Unmet,
}

/// A place that may expect what is no longer there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PossibleUse {
    /// File.
    pub path: String,
    /// Line.
    pub line: u32,
    /// What it may expect.
    pub expected: String,
    /// Why it may, and may not.
    pub why: &'static str,
}

/// What was not looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unlooked {
    /// Files that may hold code and were not read.
    #[serde(skip_serializing_if = "is_zero")]
    pub files: usize,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Why they were not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Skipped>,
    /// Files of which the objects are missing.
    #[serde(skip_serializing_if = "is_zero")]
    pub uncovered: usize,
    /// Names that were not looked for in all texts.
    #[serde(skip_serializing_if = "is_zero")]
    pub names: usize,
    /// Definitions of which the uses were not compared.
    #[serde(skip_serializing_if = "is_zero")]
    pub uncompared: usize,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncompared_names: Vec<String>,
}

/// A definition that changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SymbolChange {
    /// What it is, or was.
    #[serde(flatten)]
    pub symbol: Symbol,
    /// In which ways it changed.
    pub change: Vec<&'static str>,
    /// What it was, where that is elsewhere or called otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<Symbol>,
    /// Signature before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Signature after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What it means for others: `breaking`, `unknown`, `additive` or `internal`.
    pub compatibility: &'static str,
    /// The rule of the language that says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<&'static str>,
    /// Whether it is a test.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// Sure uses.
    #[serde(skip_serializing_if = "is_zero")]
    pub uses: usize,
    /// What is like it elsewhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<Copied>,
}

/// Something elsewhere that is like a definition that was added.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Copied {
    /// What it is.
    #[serde(flatten)]
    pub symbol: Symbol,
    /// Member of the added definition that it is like; absent where it is like all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Whether it is the same but for its name, comments and formatting.
    pub same: bool,
}

/// A file that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FileDifference {
    /// Its path.
    pub path: String,
    /// Where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// What became of it.
    pub change: &'static str,
    /// Lines added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<usize>,
    /// Lines removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<usize>,
    /// Definitions that changed.
    #[serde(skip_serializing_if = "is_zero")]
    pub symbols: usize,
    /// Whether code outside of definitions changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub top: bool,
}

/// Where the items of each section stand in a layout.
#[derive(Default)]
pub(in crate::render) struct Places {
    pub(in crate::render) broken: Vec<usize>,
    pub(in crate::render) cycles: Vec<usize>,
    pub(in crate::render) hubs: Vec<usize>,
    pub(in crate::render) omissions: Vec<usize>,
    pub(in crate::render) symbols: Vec<usize>,
    pub(in crate::render) files: Vec<usize>,
    pub(in crate::render) reach: Vec<usize>,
    /// Where what is not known begins.
    pub(in crate::render) unknown: usize,
    /// Where the memories begin.
    pub(in crate::render) noted: usize,
}

impl Diff {
    pub(in crate::render) fn new(
        answer: &DiffAnswer,
        layout: &Layout,
        places: &Places,
        next: Option<String>,
    ) -> Self {
        Self {
            index: answer.stamp.clone(),
            base: answer.base.clone(),
            chosen: answer.chosen.clone(),
            broken: shown(&answer.broken, &places.broken, layout, broken),
            left_behind: answer.left_behind().label(),
            possible: match layout.level(places.unknown) {
                Some(_) => answer.unknown.possible.iter().map(possible).collect(),
                None => Vec::new(),
            },
            unseen: unlooked(&answer.unknown.unseen),
            cycles: shown(&answer.cycles, &places.cycles, layout, NewCycle::clone),
            hubs: shown(&answer.hubs, &places.hubs, layout, NewHub::clone),
            max_fan_in: answer.max_fan_in,
            risk: (!answer.files.is_empty()).then(|| Risk::new(&answer.outlook.risk)),
            omissions: shown(
                &answer.outlook.omissions,
                &places.omissions,
                layout,
                Omitted::new,
            ),
            history: answer.outlook.remark.clone(),
            memories: memory::wire_notes(&answer.memories, places.noted, layout),
            symbols: shown(&answer.symbols, &places.symbols, layout, symbol),
            files: shown(&answer.files, &places.files, layout, file),
            reach: shown(&answer.reach.nearest, &places.reach, layout, Link::new),
            totals: Totals {
                broken: answer.broken.len(),
                possible: answer.unknown.total(),
                cycles: answer.cycles.len(),
                hubs: answer.hubs.len(),
                symbols: answer.symbols.len(),
                files: answer.files.len(),
                reach: answer.reach.total,
            },
            next,
        }
    }
}

fn broken(found: &Broken) -> BrokenUse {
    BrokenUse {
        fault: match found.fault {
            Fault::Dangling => "dangling",
            Fault::Hidden => "hidden",
            Fault::Unbound => "unbound",
            Fault::Misfit | Fault::Unfit => "misfit",
            Fault::LeftBehind | Fault::Declared => "left behind",
            Fault::Missing => "missing",
            Fault::Absent => "absent",
            Fault::Nowhere => "nowhere",
        },
        unmet: Unmet::new(&found.unmet),
    }
}

fn possible(found: &Possible) -> PossibleUse {
    PossibleUse {
        path: found.path.clone(),
        line: found.line,
        expected: found.expected.to_string(),
        why: found.why.label(),
    }
}

fn unlooked(unseen: &Unseen) -> Option<Unlooked> {
    (!unseen.is_nothing()).then(|| Unlooked {
        files: unseen.files.total,
        paths: unseen.files.first.clone(),
        reasons: unseen.reasons.clone(),
        uncovered: unseen.uncovered,
        names: unseen.names,
        uncompared: unseen.uncompared.total,
        uncompared_names: unseen.uncompared.first.clone(),
    })
}

pub(super) fn symbol(changed: &ChangedSymbol) -> SymbolChange {
    let (before, after) = changed.signatures.clone().unzip();
    SymbolChange {
        symbol: Symbol::new(&changed.symbol),
        change: changed.fate.words(),
        was: changed.was.as_ref().map(Symbol::new),
        before,
        after,
        compatibility: changed.compatibility.label(),
        because: changed.because.map(|because| because.label()),
        test: changed.is_test,
        uses: changed.uses,
        copies: changed.copies.iter().map(copied).collect(),
    }
}

fn copied(copy: &NearCopy) -> Copied {
    Copied {
        symbol: Symbol::new(&copy.of),
        part: copy.part.as_ref().map(ToString::to_string),
        same: copy.is_same,
    }
}

fn file(changed: &ChangedFile) -> FileDifference {
    FileDifference {
        path: changed.path.clone(),
        was: changed.was.clone(),
        change: changed.fate.label(),
        added: changed.lines.map(|(added, _)| added),
        removed: changed.lines.map(|(_, removed)| removed),
        symbols: changed.symbols,
        top: changed.top,
    }
}
