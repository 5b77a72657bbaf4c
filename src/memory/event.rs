//! What a log is made of: events, each said once and never changed.

use super::date::Date;
use crate::git::RepoPath;
use crate::id::{CommitId, EventId, TreeId};
use gix::ObjectId;
use std::collections::BTreeSet;

labelled! {
    /// What sort of thing is remembered.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Kind {
        /// Something was decided, for a reason.
        Decision = "decision",
        /// Something must be kept to.
        Rule = "rule",
        /// Something is so.
        Fact = "fact",
        /// This is how something is done.
        Howto = "howto",
        /// Somebody likes it that way.
        Preference = "preference",
        /// Something is left to do.
        Todo = "todo",
        /// Something was got wrong before.
        Correction = "correction",
    }
}

/// What is kept of the commit from which on something holds, because a memory does not keep the
/// commit alive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pin {
    /// The commit.
    pub commit: CommitId,
    /// Its tree.
    pub tree: TreeId,
    /// Its patch id; none for a merge, a first commit and one that changes nothing.
    pub patch: Option<ObjectId>,
    /// When its author wrote it: copies of the commit keep that.
    pub date: Date,
    /// Its first line; may be empty.
    pub subject: String,
}

/// What a memory is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A definition.
    Symbol {
        /// Its symbol id.
        id: String,
        /// Hash of its text at the pin (see `format-spec/10-extraction.md`).
        body: u64,
    },
    /// A file or a directory.
    Path {
        /// Where.
        path: RepoPath,
        /// The blob or tree there at the pin.
        object: ObjectId,
    },
}

/// Who said it, and with what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct By {
    /// Name.
    pub name: String,
    /// Mail address; may be empty.
    pub mail: String,
    /// The program that was used: `cli`, or the name of an agent's client.
    pub tool: String,
    /// When. A comment: nothing depends on it.
    pub date: Date,
}

labelled! {
    /// How one commit came to stand for another.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum How {
        /// It was rewritten: amended or rebased.
        Rewrite = "rewrite",
        /// It was melted into another one.
        Squash = "squash",
        /// Somebody said so.
        Manual = "manual",
    }
}

/// What an event does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// Says that something holds: an `assert`, or an `amend` when it replaces other claims.
    Claim {
        /// What sort of thing.
        kind: Kind,
        /// From which commit on.
        pin: Pin,
        /// What it is about.
        targets: BTreeSet<Target>,
        /// Words to find it by.
        tags: BTreeSet<String>,
        /// Whether it should be known before anything else.
        core: bool,
        /// Claims that hold no more where this one's pin is.
        replaces: BTreeSet<EventId>,
        /// Ends of claims of the same text, which this one was made in spite of.
        again: BTreeSet<EventId>,
    },
    /// Says that claims hold no more; its text is the reason.
    End {
        /// From which commit on.
        pin: Pin,
        /// What it is about: that of the claims, as it is at the pin.
        targets: BTreeSet<Target>,
        /// The claims.
        closes: BTreeSet<EventId>,
    },
    /// Says that a commit stands for another one.
    Repin {
        /// The commit that was.
        old: CommitId,
        /// The commit that is.
        new: CommitId,
        /// How.
        how: How,
    },
    /// Says why the text of an event was taken out of the log.
    Redact {
        /// The event.
        event: EventId,
    },
}

/// One event of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// What it does.
    pub body: Body,
    /// Who said it.
    pub by: By,
    /// What it says; may be empty in all but claims.
    pub text: String,
}

/// What stays of an event whose text was taken out: what other events depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stub {
    /// `assert`, `amend` or `end`.
    pub was: &'static str,
    /// Its pin.
    pub pin: Pin,
    /// The claims it replaced or closed.
    pub names: BTreeSet<EventId>,
}

impl Event {
    /// The word an event begins with.
    pub fn label(&self) -> &'static str {
        match &self.body {
            Body::Claim { replaces, .. } if replaces.is_empty() => "assert",
            Body::Claim { .. } => "amend",
            Body::End { .. } => "end",
            Body::Repin { .. } => "repin",
            Body::Redact { .. } => "redact",
        }
    }

    /// The commit from which on it counts; `None` for what is no matter of commits.
    pub fn pin(&self) -> Option<&Pin> {
        match &self.body {
            Body::Claim { pin, .. } | Body::End { pin, .. } => Some(pin),
            Body::Repin { .. } | Body::Redact { .. } => None,
        }
    }

    /// What it is about.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let targets = match &self.body {
            Body::Claim { targets, .. } | Body::End { targets, .. } => Some(targets),
            Body::Repin { .. } | Body::Redact { .. } => None,
        };
        targets.into_iter().flatten()
    }

    /// The claims it replaces or closes.
    pub fn names(&self) -> impl Iterator<Item = EventId> + '_ {
        let names = match &self.body {
            Body::Claim {
                replaces: names, ..
            }
            | Body::End { closes: names, .. } => Some(names),
            Body::Repin { .. } | Body::Redact { .. } => None,
        };
        names.into_iter().flatten().copied()
    }

    /// What stays of it when its text is taken out; `None` for events that hold no text of anybody's.
    pub fn stub(&self) -> Option<Stub> {
        Some(Stub {
            was: self.label(),
            pin: self.pin()?.clone(),
            names: self.names().collect(),
        })
    }
}
