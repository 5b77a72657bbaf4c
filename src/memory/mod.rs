//! What people and agents remember of a repository, kept with it.
//!
//! # The log
//!
//! A memory is not a row that is changed; it is what a set of *events* says. An event ([`event`]) is a
//! small text under its own object id ([`text`]): somebody *asserts* something, *amends* it, *ends* it,
//! says that a commit was rewritten (*repin*), or has a text taken out for good (*redact*). Events are
//! blobs in the tree of `refs/sverklo/v1/memory` ([`log`]). Two logs unite as sets do ([`union`]), so
//! exchanging them never conflicts.
//!
//! # Two times
//!
//! *Valid time* is the ancestry of commits: a claim holds at a commit that has its pin behind it, and
//! has behind it the pin of nothing that ends or replaces the claim ([`fold`]). No clock decides, so an
//! end on one branch says nothing of another until they are merged, and a checkout of an old commit
//! shows what was known to hold there. *Transaction time* is the history of the ref itself: what was
//! known at one of its commits is what the events of that tree say.
//!
//! # Three answers
//!
//! Whether a pin lies behind a commit is answered yes, no or not known ([`ladder`]). A pin that is
//! gone is looked for: as a recorded repin, as a copy with the same patch id, by the content it was
//! about; the answer names the rung. What cannot be found out is said to be unknown, with the reason,
//! and never taken for no.
//!
//! # Deliberately absent
//!
//! Ranking, expiry and counters of any kind; merging texts; deciding which of two contested claims is
//! right; and any trust in what others wrote: it is shown as a quotation with its author. Facts about
//! code (which body a symbol has at a commit) come from outside, through [`ladder::Content`].

pub mod answers;
pub mod cache;
pub mod date;
pub mod event;
pub mod fold;
pub mod import;
mod incoming;
pub mod known;
pub mod ladder;
pub mod log;
pub mod pin;
mod sightings;
mod spare;
pub mod text;
pub mod union;
pub mod whole;

#[cfg(test)]
mod tests;

use crate::id::EventId;
use gix::ObjectId;

/// Why memories cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The repository.
    #[error(transparent)]
    Git(#[from] crate::git::Error),
    /// The log holds what no log may hold. Nothing of it is used, and nothing is lost.
    #[error(
        "the memory log {name} cannot be read at {tip}: {flaw}; nothing was changed. {recover}"
    )]
    Corrupt {
        /// The ref, or what else led to the log.
        name: String,
        /// The commit.
        tip: String,
        /// Which object or path is wrong, and how.
        flaw: String,
        /// What may be done.
        recover: String,
    },
    /// The log has a layout of a later version: what its `format` says.
    #[error("the memory log is of a later version ({0}); update git-sverklo")]
    Newer(String),
    /// The commit was to be signed, and git could not.
    #[error("not stored: {0}. `git config sverklo.signMemory false` stores without a signature")]
    Unsigned(crate::git::Error),
    /// What is to be remembered breaks a rule.
    #[error("not stored: {0}")]
    Refused(String),
    /// What is to be remembered looks like a secret.
    #[error(
        "not stored: line {line} holds what looks like {rule}; a memory is shared by push and hard to take back. Take it out, or say --force"
    )]
    Secret {
        /// Which rule found it.
        rule: &'static str,
        /// Where, from 1.
        line: usize,
    },
    /// What it is to be about looks like a secret itself.
    #[error(
        "not stored: what it is to be about has a name that holds what looks like {0}, and a memory is shared by push. Give the folder above it, or rename it first"
    )]
    SecretTarget(&'static str),
    /// No memory has such an id.
    #[error(
        "no memory has an id that begins with {0:?}; `git sverklo memory list --all` shows all"
    )]
    Unknown(String),
    /// Several memories have such an id.
    #[error("{given:?} could be any of {all}; give more digits")]
    Ambiguous {
        /// What was given.
        given: String,
        /// The ids.
        all: String,
    },
    /// The ref was moved by others all the time.
    #[error("other processes write memories all the time (tried {0} times); try again")]
    Contended(u32),
}

/// Shows an id in the form that people use, as short as it can be told apart among `all`, which are
/// sorted.
pub fn short(id: EventId, all: &[EventId]) -> String {
    let own = id.to_string();
    let at = all.partition_point(|other| *other < id);
    let shared = |other: &EventId| {
        let other = other.to_string();
        own.bytes()
            .zip(other.bytes())
            .take_while(|(a, b)| a == b)
            .count()
    };
    let before = at
        .checked_sub(1)
        .and_then(|at| all.get(at))
        .map_or(0, shared);
    let after = all[at.min(all.len())..].iter().find(|other| **other != id);
    let digits = before.max(after.map_or(0, shared)) + 1;
    own[..digits.max(SHORTEST).min(own.len())].to_owned()
}

/// Whether somebody who gave these digits may mean an id: four of them at least.
pub fn begins(id: EventId, given: &str) -> bool {
    given.len() >= FEWEST && id.to_string().starts_with(&given.to_ascii_lowercase())
}

/// Fewest digits that are taken for an id.
const FEWEST: usize = 4;
/// Fewest digits of an id that is shown.
const SHORTEST: usize = 7;

/// The path of an event or a stub in a log's tree.
fn path_of(folder: &str, id: ObjectId) -> gix::bstr::BString {
    let hex = id.to_string();
    format!("{folder}/{}/{}", &hex[..2], &hex[2..]).into()
}
