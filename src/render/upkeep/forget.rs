//! Renders what `forget` reports, and what it cannot reach.

use super::{Rendered, count};
use crate::id::BlobId;
use crate::query::serialize;
use crate::upkeep::forget::ForgetReport;
use serde::Serialize;

/// What is forgotten.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ForgottenBlobs<'a> {
    /// Ids of the blobs.
    #[serde(serialize_with = "serialize::each_shown")]
    blobs: &'a [BlobId],
}

/// Renders the report of `forget`.
pub fn forget(report: &ForgetReport) -> Rendered<&ForgetReport> {
    let blobs = count(report.blobs.len() as u64, "blob");
    let known = report.blobs.len() - report.added;
    let mut text = match report.dry_run {
        true => format!("would forget {blobs}"),
        false => format!("forgot {blobs}"),
    };
    if known > 0 {
        text += &format!(" ({known} already forgotten)");
    }
    text += &format!(
        ": {} in {}",
        count(report.documents as u64, "document"),
        count(report.segments as u64, "segment")
    );
    if report.traces > 0 {
        text += &format!(", {}", count(report.traces as u64, "trace"));
    }
    if report.facts > 0 {
        text += &format!(", facts of {}", count(report.facts as u64, "blob"));
    }
    text.push('\n');
    if !report.dry_run {
        text += "this is about the index: the history of the code still has the content\n\
                 the segments as they were stay in the object store until 'git gc --prune=now'\n\
                 remotes keep what was pushed to them until 'git sverklo push'\n";
    }
    for name in &report.fetched {
        text += &format!("{name}, as fetched, still has documents of it\n");
    }
    Rendered::of(text, report)
}

/// Renders the list of forgotten blobs.
pub fn list(blobs: &[BlobId]) -> Rendered<ForgottenBlobs<'_>> {
    Rendered::of(
        blobs.iter().map(|id| format!("{id}\n")).collect(),
        ForgottenBlobs { blobs },
    )
    .found(!blobs.is_empty())
}
