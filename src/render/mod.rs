//! Turns answers into what is sent: dense text, and values for JSON. An answer that a budget cuts is
//! [`Budgeted`], and its JSON has types of its own under [`wire`]; a report without a budget is serialized
//! as it is.
//!
//! Guarantees: text never exceeds its budget (by [`tokens::estimate`]) once that pays for a
//! footer; text and wire value show the same items in the same detail; a text ends with exactly
//! one footer line; nothing quoted from a repository can move a terminal's cursor, colour it, or
//! start a line in the first column; equal answers give equal bytes.
//!
//! Deliberately absent: JSON text (the front ends write it), input and output, and any decision about
//! which items exist. Rendering only decides how many of them, and how much of each, is shown.

pub mod audit;
pub mod diff;
pub mod doctor;
mod entries;
pub mod exchange;
pub mod footer;
pub mod forecast;
pub mod gate;
pub mod history;
pub mod init;
pub mod layout;
pub mod map;
pub mod memory;
pub mod nothing;
mod one;
mod outline;
mod outlook;
pub mod refs;
pub mod release;
pub mod review;
pub mod screen;
pub mod search;
pub mod several;
pub mod symbol;
pub mod sync;
mod tags;
mod task;
pub mod tests_to_run;
pub mod tokens;
pub mod upkeep;
mod verdict;
pub mod verify;
pub mod who;
pub mod wire;

use crate::clean;
use crate::extract::record::Lines;

use serde::Serialize;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

/// Default budget of a `search` answer, in tokens.
pub const SEARCH_BUDGET: usize = 2000;
/// Default budget of a `symbol` answer, in tokens.
pub const SYMBOL_BUDGET: usize = 2000;
/// Default budget of a `refs` answer, in tokens.
pub const REFS_BUDGET: usize = 1500;
/// Default budget of a `map` answer, in tokens.
pub const MAP_BUDGET: usize = 2000;
/// Default budget of an `audit` answer, in tokens.
pub const AUDIT_BUDGET: usize = 2000;
/// Default budget of a `diff` answer, in tokens.
pub const DIFF_BUDGET: usize = 2000;
/// Default budget of a `history` answer, in tokens.
pub const HISTORY_BUDGET: usize = 2000;
/// Default budget of a `verify` answer, in tokens: a hundred citations and more.
pub const VERIFY_BUDGET: usize = 4000;
/// Default budget of a `recall` answer, in tokens.
pub const RECALL_BUDGET: usize = 2000;
/// Smallest budget that is accepted: room for a footer and one place.
pub const MIN_BUDGET: usize = 100;
/// Largest budget that is accepted; beyond it a reader wants the files themselves.
pub const MAX_BUDGET: usize = 100_000;

/// Most runs of lines that are named of a file.
const MAX_LINES: usize = 12;

/// How parameters are spelled in the advice of a footer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// As tool parameters: `limit=20`.
    Tool,
    /// As command-line options: `--limit 20`.
    Command,
}

impl Voice {
    /// Spells a parameter that is set to a value.
    pub fn set(self, name: &str, value: impl std::fmt::Display) -> String {
        match self {
            Self::Tool => format!("{name}={value}"),
            Self::Command => format!("--{name} {value}"),
        }
    }

    /// Spells a name or an id as the last part of a call. What a repository calls something is one word of a shell
    /// that runs nothing: a footer is there to be pasted.
    pub fn last(self, text: &str) -> String {
        match self {
            Self::Tool => clean::word(text),
            Self::Command => clean::last_argument(text),
        }
    }

    /// The same for a path, anywhere in a call.
    pub fn path(self, path: &str) -> String {
        match self {
            Self::Tool => clean::path(path),
            Self::Command => clean::argument(path),
        }
    }
}

/// What the asker wants of the rendering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Most tokens the text may take.
    pub budget: usize,
    /// How to spell advice.
    pub voice: Voice,
}

/// An answer ready to be sent.
#[derive(Clone, PartialEq, Debug)]
pub struct Rendered<W> {
    /// The text, footer included; ends in a newline.
    pub text: String,
    /// The same items as a serializable value.
    pub wire: W,
    /// Whether anything was found; `cli` turns it into an exit code.
    pub found: bool,
}

impl<W> Rendered<W> {
    /// An answer in which something was found, unless [`Self::found`] says otherwise.
    fn of(text: String, wire: W) -> Self {
        Self {
            text,
            wire,
            found: true,
        }
    }

    /// The same, when something was found or was not.
    fn found(self, found: bool) -> Self {
        Self { found, ..self }
    }

    /// The same with another value beside the text.
    fn map<V>(self, wire: impl FnOnce(W) -> V) -> Rendered<V> {
        Rendered::of(self.text, wire(self.wire)).found(self.found)
    }
}

/// An answer whose text and JSON are cut to a budget.
pub trait Budgeted {
    /// Its JSON: the items that are shown.
    type Wire<'a>: Serialize
    where
        Self: 'a;

    /// Most tokens it takes, unless the asker says otherwise.
    const BUDGET: usize;

    /// Lays it out.
    fn render(&self, style: &Style) -> Rendered<Self::Wire<'_>>;
}

/// Returns a number with what it counts: `1 file`, `2 files`.
fn count(n: impl Into<u64>, one: &str) -> String {
    match n.into() {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    }
}

/// How many commits mend something: `1 fix`, `2 fixes`.
fn fixes(n: usize) -> String {
    match n {
        1 => "1 fix".to_owned(),
        n => format!("{n} fixes"),
    }
}

/// Lines of a file, as many as are named.
fn lines(all: &[Lines]) -> String {
    let named = all
        .iter()
        .take(MAX_LINES)
        .map(|lines| match lines.first == lines.last {
            true => lines.first.to_string(),
            false => format!("{}-{}", lines.first, lines.last),
        });
    let mut named: Vec<String> = named.collect();
    if all.len() > MAX_LINES {
        named.push(format!("{} more", all.len() - MAX_LINES));
    }
    named.join(", ")
}

/// The part of a list that is laid out: `listed` items after `offset` others, of `total`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Page {
    offset: usize,
    listed: usize,
    total: usize,
}

/// Returns the advice that brings items not shown: where to go on, or, where there was no room for one of
/// them, a larger budget.
fn rest(layout: &layout::Layout, page: Page, voice: Voice) -> Option<String> {
    match layout.main.min(page.listed) {
        0 if page.listed > 0 => Some(voice.set("budget", fitting(layout))),
        shown if shown < page.listed || (shown > 0 && page.offset + shown < page.total) => {
            Some(voice.set("offset", page.offset + shown))
        }
        _ => None,
    }
}

/// Returns the budget that shows all of a layout, as far as budgets go.
fn fitting(layout: &layout::Layout) -> usize {
    layout.needed.min(MAX_BUDGET)
}

/// Returns the call that shows the whole text of a symbol.
fn body_of(name: &str, voice: Voice) -> String {
    let name = voice.last(name);
    match voice {
        Voice::Tool => format!("symbol name={name} detail=body"),
        Voice::Command => format!("git sverklo symbol --body {name}"),
    }
}
