//! The JSON shapes of `status`.

use super::{Index, Skipped, Store, is_zero};
use crate::upkeep::status::RemoteState;
use schemars::JsonSchema;
use serde::Serialize;

/// Answer of `status`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Status {
    /// State spoken from.
    pub index: Index,
    /// The branch of `HEAD`; absent when it is detached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Files that are meant to be covered.
    pub files: usize,
    /// Files the stored index covers.
    pub covered: usize,
    /// Files not covered whose blob this clone lacks.
    pub absent: usize,
    /// Files not extracted.
    pub skipped: Vec<Skipped>,
    /// The stored index.
    pub store: Store,
    /// Blobs of which it is known what ran.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub traced: usize,
    /// Files at `HEAD` whose blob is one of them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub files_traced: usize,
    /// How much of history is kept warm: `tips`, `recent` or `all`.
    pub history: &'static str,
    /// How far back `recent` reaches.
    pub window: String,
    /// What was last fetched from each remote.
    pub remotes: Vec<Remote>,
    /// Bytes of the cache in the git directory.
    pub cache_bytes: u64,
    /// What to do about what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<&'static str>,
}

/// The index of a remote as last fetched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Remote {
    /// Name of the remote.
    pub name: String,
    /// Abbreviated id of its tip; absent when none was fetched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetched: Option<String>,
    /// Whether it is the tip of the stored index.
    pub same: bool,
}

impl Remote {
    /// Returns the wire form of a remote's state.
    pub fn new(state: &RemoteState) -> Self {
        Self {
            name: state.name.clone(),
            fetched: state.fetched.map(|tip| tip.short()),
            same: state.is_ours,
        }
    }
}

/// Files not read for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Unread {
    /// Why.
    pub reason: &'static str,
    /// Their paths.
    pub paths: Vec<String>,
}
