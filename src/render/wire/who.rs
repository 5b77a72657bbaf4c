//! The JSON of `history --who`.

use crate::clean;
use crate::query::history::who::{Companion, Person, WhoAnswer};
use crate::query::serialize::is_zero;
use crate::query::state::Stamp;
use serde::Serialize;

/// Who knows something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Who {
    /// State spoken from.
    pub index: Stamp,
    /// What was asked about.
    pub target: String,
    /// What was followed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// Other definitions of the name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// People and files shown.
    pub shown: usize,
    /// People and files there are.
    pub total: usize,
    /// Lines that stand; absent where they are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// How many of these are not committed.
    #[serde(skip_serializing_if = "is_zero")]
    pub uncommitted: usize,
    /// How many are older than what was read.
    #[serde(skip_serializing_if = "is_zero")]
    pub older: usize,
    /// Commits that changed it.
    pub changes: usize,
    /// How many of these mend something.
    pub fixes: usize,
    /// How many are of the year before the commit that is asked about.
    pub last_year: usize,
    /// How many are of the year before that; `null` where history does not reach back so far.
    pub year_before: Option<usize>,
    /// Who wrote most of it first.
    pub people: Vec<Author>,
    /// What changes with it, the most likely first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes_with: Vec<With>,
    /// Where history ends before its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// One who changed it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Author {
    /// Name.
    pub name: String,
    /// Addresses, when they are asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mails: Vec<String>,
    /// Lines that stand as they wrote them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// Commits of theirs that changed it.
    pub changes: usize,
    /// How many of these mend something.
    pub fixes: usize,
    /// The day of their first one.
    pub first: String,
    /// The day of their last one.
    pub last: String,
}

/// A file that changes with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct With {
    /// Its path.
    pub path: String,
    /// Commits that changed both.
    pub times: usize,
    /// Commits that were looked at.
    pub of: usize,
}

impl Author {
    pub(in crate::render) fn new(person: &Person) -> Self {
        Self {
            name: clean::whole(&person.name),
            mails: person.mails.iter().map(|mail| clean::whole(mail)).collect(),
            lines: person.lines,
            changes: person.changes,
            fixes: person.fixes,
            first: person.days.0.clone(),
            last: person.days.1.clone(),
        }
    }
}

impl With {
    pub(in crate::render) fn new(companion: &Companion) -> Self {
        Self {
            path: companion.path.clone(),
            times: companion.times,
            of: companion.of,
        }
    }
}

impl Who {
    pub(in crate::render) fn new(
        answer: &WhoAnswer,
        (shown, total): (usize, usize),
        (people, changes_with): (Vec<Author>, Vec<With>),
        next: Option<String>,
    ) -> Self {
        Self {
            index: answer.stamp.clone(),
            target: answer.target.clone(),
            subject: answer.subject.clone(),
            also: answer.also.clone(),
            shown,
            total,
            lines: answer.lines,
            uncommitted: answer.uncommitted,
            older: answer.unknown,
            changes: answer.changes,
            fixes: answer.fixes,
            last_year: answer.lately,
            year_before: answer.before,
            people,
            changes_with,
            end: answer.end.clone(),
            next,
        }
    }
}
