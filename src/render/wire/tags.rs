//! The JSON shapes of `history --tags`.

use super::Symbol;
use super::history::Commit;
use crate::clean;
use crate::query::history::tags::answer::{self, Place, Subject, TagsAnswer};
use crate::query::state::Stamp;
use serde::Serialize;

/// Answer of `history --tags`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tags {
    /// The state spoken from.
    pub index: Stamp,
    /// What was asked about.
    pub target: String,
    /// The body that is looked for: an id, or a path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The commit of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Commit>,
    /// The commit before the change, where that is more than one commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Definitions and files that were looked for.
    pub judged: Vec<Judged>,
    /// How many tags and branches stand how.
    pub tallies: Vec<Tally>,
    /// Releases that follow each other and have the same, newest first.
    pub ranges: Vec<Range>,
    /// How many are shown.
    pub shown: usize,
    /// How many there are.
    pub total: usize,
    /// What is not known, and what was done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A definition or a file that was looked for.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Judged {
    /// Where it stands.
    #[serde(flatten)]
    pub at: At,
    /// How much the change did to it, in runs of tokens.
    #[serde(skip_serializing_if = "is_zero")]
    pub size: usize,
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum At {
    /// A definition.
    Symbol(Symbol),
    /// A file.
    Path {
        /// Its path.
        path: String,
    },
}

/// Tags and branches of one standing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Tally {
    /// What they have.
    pub standing: &'static str,
    /// Tags.
    pub tags: usize,
    /// Branches.
    pub branches: usize,
}

/// Releases that follow each other and have the same.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Range {
    /// What they have.
    pub standing: &'static str,
    /// Every tag, oldest first.
    pub tags: Vec<String>,
    /// Branches that have the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<String>,
    /// Whether the commit of the change is in their history; absent where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// Whether another commit that did the same is in their history, and they are not fixed for all that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub holds_other: bool,
    /// Where it stands in the newest of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<At>,
    /// How alike it is to what was asked about, from 0 to 1, the least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_alike: Option<f64>,
    /// The most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_alike: Option<f64>,
    /// The commit that made it what it is in the oldest of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Commit>,
    /// Whether others get to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<Reach>,
}

/// Whether others get to something in one release.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reach {
    /// The tag or branch.
    pub name: String,
    /// `yes`, `no` or `unknown`.
    pub reached: &'static str,
    /// How, or why not.
    pub how: String,
}

fn is_zero(size: &usize) -> bool {
    *size == 0
}

/// The word for whether something is reached.
pub fn reached(is_reached: Option<bool>) -> &'static str {
    match is_reached {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    }
}

impl At {
    fn new(place: &Place) -> Self {
        match place {
            Place::Symbol(symbol) => Self::Symbol(Symbol::new(symbol)),
            Place::Path(path) => Self::Path { path: path.clone() },
        }
    }
}

impl Range {
    /// The wire form of a range.
    pub fn new(range: &answer::Range) -> Self {
        let round = |likeness: f64| (likeness * 1000.0).round() / 1000.0;
        let whole = |names: &[String]| names.iter().map(|name| clean::whole(name)).collect();
        Self {
            standing: range.standing.label(),
            tags: whole(&range.tags),
            branches: whole(&range.branches),
            holds: range.holds,
            holds_other: range.holds_other,
            at: range.place.as_ref().map(At::new),
            least_alike: range.likeness.map(|(least, _)| round(least)),
            most_alike: range.likeness.map(|(_, most)| round(most)),
            since: range.since.as_ref().map(Commit::new),
            reach: range
                .reach
                .iter()
                .map(|reach| Reach {
                    name: clean::whole(&reach.name),
                    reached: reached(reach.is_reached),
                    how: clean::whole(&reach.how),
                })
                .collect(),
        }
    }
}

impl Tags {
    /// The wire form of an answer of which these ranges are shown.
    pub fn new(answer: &TagsAnswer, ranges: Vec<Range>, next: Option<String>) -> Self {
        let (subject, fix, from) = match &answer.subject {
            None => (None, None, None),
            Some(Subject::Body(id)) => (Some(id.clone()), None, None),
            Some(Subject::Fix(commit, from)) => (None, Some(Commit::new(commit)), from.clone()),
        };
        let judged = answer.judged.iter().map(|judged| Judged {
            at: match &judged.symbol {
                Some(symbol) => At::Symbol(Symbol::new(symbol)),
                None => At::Path {
                    path: judged.path.clone(),
                },
            },
            size: judged.size,
        });
        let tallies = answer.tallies.iter().map(|tally| Tally {
            standing: tally.standing.label(),
            tags: tally.tags,
            branches: tally.branches,
        });
        Self {
            index: answer.stamp.clone(),
            target: clean::whole(&answer.target),
            subject,
            fix,
            from,
            judged: judged.collect(),
            tallies: tallies.collect(),
            shown: ranges.len(),
            ranges,
            total: answer.total,
            remarks: answer
                .remarks
                .iter()
                .map(|said| clean::whole(said))
                .collect(),
            next,
        }
    }
}
