//! The JSON shapes of `history`.

use super::Symbol;
use super::memory::Note;
use crate::clean;
use crate::graph::rule::Certainty;
use crate::id::CommitId;
use crate::query::history::answer::{self, HistoryAnswer, Now, Place};
use crate::query::history::commits::{self, CommitLine};
use crate::query::history::decisions::{self, Link};
use crate::query::history::since::Evidence;
use crate::query::state::Stamp;
use crate::render::layout::Layout;
use crate::render::memory;
use serde::Serialize;

/// Answer of `history`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct History {
    /// The state spoken from.
    pub index: Stamp,
    /// What was asked about.
    pub target: String,
    /// What was followed: an id, a path; absent where nothing was found.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// Other definitions of the name, by id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Whether what was asked about holds; absent where it is nothing that holds or does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// Where it is seen that it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Use>,
    /// Versions, or the commits at which something began or ceased, newest first.
    pub versions: Vec<Version>,
    /// How many are shown.
    pub shown: usize,
    /// Versions found.
    pub total: usize,
    /// Whether there may be more, which were not looked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// Where history ends before its beginning, or where what was not found may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// How much was read for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub way: Option<String>,
    /// Memories of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<Note>,
    /// Decision records that are linked to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// Decision records that were not read.
    #[serde(skip_serializing_if = "is_zero")]
    pub decisions_not_read: usize,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A decision record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Decision {
    /// Its path.
    pub path: String,
    /// Where it names what was asked about, or its title stands.
    pub line: u32,
    /// Its title.
    pub title: String,
    /// What it says of its state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The commit of a version that names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_by: Option<String>,
    /// The commit of a version that changed it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_by: Option<String>,
}

/// A commit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Commit {
    /// Its whole id.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// The day it was written.
    pub date: String,
    /// Its first line.
    pub subject: String,
    /// Issues and pull requests that it names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<u64>,
    /// The commits that were made one in it, as far as this clone was told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub squashed: Vec<Squashed>,
}

/// A commit that was made one with others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Squashed {
    /// Its whole id.
    pub id: String,
    /// Its first line; absent when it is no longer in this clone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

impl Decision {
    /// Those of an answer that are shown, which follow its memories.
    fn shown(answer: &HistoryAnswer, layout: &Layout) -> Vec<Self> {
        let told = answer
            .decisions
            .told
            .iter()
            .zip(1 + answer.memories.len()..);
        let shown = told.filter(|(_, at)| layout.level(*at).is_some());
        shown.map(|(decision, _)| Self::new(decision)).collect()
    }

    fn new(decision: &decisions::Decision) -> Self {
        let id = |commit: CommitId| Some(commit.to_string());
        let (named_by, changed_by) = match decision.link {
            Link::NamedBy(commit) => (id(commit), None),
            Link::ChangedBy(commit) => (None, id(commit)),
            Link::Names => (None, None),
        };
        Self {
            path: clean::whole(&decision.path),
            line: decision.line,
            title: clean::whole(&decision.title),
            status: decision.status.as_deref().map(clean::whole),
            named_by,
            changed_by,
        }
    }
}

/// A version.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Version {
    /// The commit that made it; absent for what is not committed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<Commit>,
    /// What it did.
    pub did: Vec<&'static str>,
    /// Whether it is a merge that came to something else than each of its sides.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub merge: bool,
    /// Where it stands.
    #[serde(flatten)]
    pub place: At,
    /// Where it stood, where that is elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<At>,
    /// Signature before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Signature after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum At {
    /// A definition.
    Symbol(Symbol),
    /// Where one thing uses another.
    Use(Use),
    /// A file or a directory.
    Path {
        /// Its path.
        path: String,
    },
}

/// Where one thing uses another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Use {
    /// The file it is seen in.
    pub path: String,
    /// Its line.
    pub line: u32,
    /// In which way.
    pub how: &'static str,
    /// What it leads to.
    pub to: String,
    /// What lies between, where there is more than one step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// How sure that is.
    pub certainty: &'static str,
    /// Other definitions that may be meant.
    #[serde(skip_serializing_if = "is_zero")]
    pub candidates: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Use {
    fn new(evidence: &Evidence) -> Self {
        Self {
            path: evidence.path.clone(),
            line: evidence.line,
            how: evidence.how,
            to: evidence.to.clone(),
            via: evidence.via.clone(),
            certainty: Certainty::label(evidence.certainty),
            candidates: evidence.candidates,
        }
    }
}

impl At {
    fn new(place: &Place) -> Self {
        match place {
            Place::Path(path) => Self::Path { path: path.clone() },
            Place::Symbol(symbol) => Self::Symbol(Symbol::new(symbol)),
            Place::Use(evidence) => Self::Use(Use::new(evidence)),
        }
    }
}

impl Commit {
    /// The wire form of a commit.
    pub fn new(commit: &CommitLine) -> Self {
        Self {
            id: commit.id.to_string(),
            author: clean::whole(&commit.author),
            date: commit.day.clone(),
            subject: clean::whole(&commit.subject),
            issues: commit.issues.clone(),
            squashed: commit.squashed.iter().map(Squashed::new).collect(),
        }
    }
}

impl Squashed {
    fn new(commit: &commits::Squashed) -> Self {
        Self {
            id: commit.id.to_string(),
            subject: commit.subject.as_deref().map(clean::whole),
        }
    }
}

impl Version {
    /// The wire form of a version.
    pub fn new(version: &answer::Version) -> Self {
        let (before, after) = version.signatures.clone().unzip();
        Self {
            commit: version.commit.as_ref().map(Commit::new),
            did: version.did.clone(),
            merge: version.is_merge,
            place: At::new(&version.place),
            was: version.was.as_ref().map(At::new),
            before,
            after,
            detail: version.detail.as_ref().map(|detail| clean::whole(detail)),
        }
    }
}

impl History {
    /// The wire form of an answer of which these versions are shown.
    pub fn new(
        answer: &HistoryAnswer,
        layout: &Layout,
        versions: Vec<Version>,
        next: Option<String>,
    ) -> Self {
        Self {
            index: answer.stamp.clone(),
            target: clean::whole(&answer.target),
            subject: answer.subject.clone(),
            also: answer.also.clone(),
            holds: answer.now.holds(),
            seen: match &answer.now {
                Now::Yes(evidence) => Some(Use::new(evidence)),
                _ => None,
            },
            shown: versions.len(),
            versions,
            total: answer.total,
            more: answer.has_more,
            end: answer.end.clone(),
            way: answer.way.clone(),
            memories: memory::wire_notes(&answer.memories, 1, layout),
            decisions: Decision::shown(answer, layout),
            decisions_not_read: answer.decisions.unread,
            next,
        }
    }
}
