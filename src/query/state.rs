//! Which state an answer speaks from, what of it is not covered, and what the index holds.

use super::serialize::{self, is_zero};
use crate::id::CommitId;
use crate::store::{OpenSegment, Snapshot};
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Which state an answer speaks from. Two answers with equal stamps are equal.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Index")]
pub struct Stamp {
    /// The commit; `None` while the repository has no commits.
    #[serde(
        serialize_with = "serialize::short",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Option<String>")]
    pub commit: Option<CommitId>,
    /// Number of uncommitted paths laid over the commit.
    #[serde(skip_serializing_if = "is_zero")]
    pub dirty: usize,
    /// Files that should be covered and are not (missing objects), so the answer may lack them.
    #[serde(skip_serializing_if = "is_zero")]
    pub uncovered: usize,
    /// Those of them that are folders which a sparse checkout leaves out.
    #[serde(skip_serializing_if = "is_zero")]
    pub outside: usize,
    /// What went wrong without stopping the answer; one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// State of the index behind a view.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Store")]
pub struct IndexState {
    /// Abbreviated id of the index tip; `None` when nothing is stored yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
    /// Segments.
    pub segments: usize,
    /// Documents in them, live or not.
    pub documents: usize,
    /// Bytes of them.
    pub bytes: u64,
}

impl IndexState {
    /// Describes a snapshot.
    pub fn of(snapshot: &Snapshot) -> Self {
        let bytes = |open: &OpenSegment| open.segment().bytes().len() as u64;
        Self {
            tip: snapshot.tip.map(|tip| tip.short()),
            segments: snapshot.segments().len(),
            documents: snapshot.doc_count() as usize,
            bytes: snapshot.segments().iter().map(bytes).sum(),
        }
    }
}

/// Files that were not extracted for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Skipped {
    /// Why.
    pub reason: &'static str,
    /// How many.
    pub files: usize,
}

impl Skipped {
    /// Lists counts by reason, the reason of most files first.
    pub fn most_first(counts: BTreeMap<&'static str, usize>) -> Vec<Self> {
        let counts = counts.into_iter();
        let mut counts: Vec<Self> = counts
            .map(|(reason, files)| Self { reason, files })
            .collect();
        counts.sort_by_key(|skipped| (Reverse(skipped.files), skipped.reason));
        counts
    }
}
