//! Helpers for `#[serde(serialize_with)]` in reports and answers, whose JSON is derived from their fields,
//! in their order.

use crate::id::CommitId;
use serde::Serializer;
use std::fmt::Display;

/// Whether a count is left out.
pub fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Writes what is shown as text. Errors are those of the serializer.
pub fn shown<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes each of a list that is shown as text. Errors are those of the serializer.
pub fn each_shown<S: Serializer>(
    values: &[impl Display],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}

/// Writes the abbreviated id of a commit, if there is one. Errors are those of the serializer.
pub fn short<S: Serializer>(commit: &Option<CommitId>, serializer: S) -> Result<S::Ok, S::Error> {
    match commit {
        Some(commit) => serializer.serialize_some(&commit.short()),
        None => serializer.serialize_none(),
    }
}

/// Writes the abbreviated ids of commits. Errors are those of the serializer.
pub fn each_short<S: Serializer>(commits: &[CommitId], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(commits.iter().map(CommitId::short))
}
