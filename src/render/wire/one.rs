//! The JSON shapes of `symbol --diff`.

use super::Symbol;
use crate::query::diff::one::{Fate, SymbolDiffAnswer};
use crate::query::diff::statements::{Statement, Step};
use crate::query::state::Stamp;
use serde::Serialize;

/// Answer of `symbol --diff`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SymbolDiff {
    /// The state spoken from: the new one.
    pub index: Stamp,
    /// What was asked about.
    pub target: String,
    /// Abbreviated id of the old state's commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// `added`, `removed` or `kept`; absent where neither state has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<&'static str>,
    /// In which ways it is another.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub did: Vec<&'static str>,
    /// What it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Symbol>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Symbol>,
    /// Statements that differ.
    pub changes: Vec<Change>,
    /// How many of them are shown.
    pub shown: usize,
    /// How many differ.
    pub total: usize,
    /// Statements that are the same but for white space.
    pub spaced: usize,
    /// Statements that are the same.
    pub same: usize,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A statement that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Change {
    /// As it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Lines>,
    /// As it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Lines>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Lines {
    /// Its first line.
    pub line: u32,
    /// Its text.
    pub text: String,
}

impl Lines {
    fn new(statement: &Statement) -> Self {
        Self {
            line: statement.first,
            text: statement.lines.join("\n"),
        }
    }
}

impl Change {
    /// The wire form of a step; `None` of one that is the same.
    pub fn new(step: &Step) -> Option<Self> {
        let (before, after) = match step {
            Step::Same(..) | Step::Spaced(..) => return None,
            Step::Changed(was, is) => (Some(was), Some(is)),
            Step::Removed(was) => (Some(was), None),
            Step::Added(is) => (None, Some(is)),
        };
        Some(Self {
            before: before.map(Lines::new),
            after: after.map(Lines::new),
        })
    }
}

impl SymbolDiff {
    /// The wire form of an answer of which these changes are shown.
    pub fn new(answer: &SymbolDiffAnswer, changes: Vec<Change>, next: Option<String>) -> Self {
        let mut wire = Self {
            index: answer.stamp.clone(),
            target: crate::clean::whole(&answer.target),
            base: answer.base.clone(),
            fate: None,
            did: Vec::new(),
            old: None,
            new: None,
            shown: changes.len(),
            changes,
            total: 0,
            spaced: 0,
            same: 0,
            next,
        };
        match &answer.fate {
            None => {}
            Some(Fate::Added(new)) => {
                (wire.fate, wire.new) = (Some("added"), Some(Symbol::new(new)));
            }
            Some(Fate::Removed(old)) => {
                (wire.fate, wire.old) = (Some("removed"), Some(Symbol::new(old)));
            }
            Some(Fate::Kept {
                old,
                new,
                did,
                steps,
            }) => {
                let count =
                    |of: &dyn Fn(&Step) -> bool| steps.iter().filter(|step| of(step)).count();
                wire.fate = Some("kept");
                wire.did.clone_from(did);
                (wire.old, wire.new) = (Some(Symbol::new(old)), Some(Symbol::new(new)));
                wire.total = count(&Step::is_different);
                wire.spaced = count(&|step| matches!(step, Step::Spaced(..)));
                wire.same = count(&|step| matches!(step, Step::Same(..)));
            }
        }
        wire
    }
}
