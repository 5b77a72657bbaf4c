//! `fsck`: is what is stored whole and true, and mending what is not.

use super::Error;
use crate::extract::record::DocKey;
use crate::git::{Head, Repo, tree};
use crate::memory::log::Log;
use crate::memory::whole;
use crate::query::engine::{not_covered, warnings};
use crate::query::recall::warnings as memory_warnings;
use crate::query::state::IndexState;
use crate::store::{self, Progress};
use crate::view::files::{File, document_keys};
use serde::Serialize;

/// How `fsck` is to go about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FsckOptions {
    /// Share of each segment's documents that are extracted again, in percent.
    pub rederive: u8,
    /// Only look; mend nothing.
    pub dry_run: bool,
}

/// What `fsck` mended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Repaired {
    /// Segments that left the index.
    pub segments_dropped: usize,
    /// Documents that were extracted again to replace them.
    pub documents_extracted: usize,
    /// Damaged objects that could not be replaced, by id.
    pub stuck: Vec<String>,
}

/// What `fsck` found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FsckReport {
    /// The index afterwards.
    #[serde(rename = "store")]
    pub index: IndexState,
    /// Whether nothing is wrong.
    #[serde(rename = "sound")]
    pub is_sound: bool,
    /// Segments that were checked.
    pub segments: usize,
    /// Documents in those that can be opened.
    pub documents: usize,
    /// Documents that were extracted again and compared.
    pub rederived: usize,
    /// What is wrong, one sentence each.
    pub findings: Vec<String>,
    /// What was done about it; `None` when there was nothing to do, or it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mended: Option<Repaired>,
    /// What went wrong on the way; one sentence each.
    pub warnings: Vec<String>,
}

/// Checks the stored index and, unless it is told only to look, mends it.
pub fn fsck(
    repo: &Repo,
    options: &FsckOptions,
    progress: &dyn Progress,
) -> Result<FsckReport, Error> {
    let checked = store::check(repo, options.rederive, progress)?;
    let mut report = FsckReport {
        index: IndexState::of(&checked.snapshot),
        segments: checked.segments,
        documents: checked.documents,
        rederived: checked.rederived,
        findings: checked.findings.iter().map(ToString::to_string).collect(),
        ..FsckReport::default()
    };
    // Nobody can make memories again: what is wrong is said, with the way back, and left.
    match Log::open(repo) {
        Ok(log) => report.findings.extend(memory_warnings(repo, &log)),
        Err(err) => report.findings.push(err.to_string()),
    }
    report
        .findings
        .extend(lost_memories(repo, options.dry_run)?);
    report.is_sound = report.findings.is_empty();
    if options.dry_run || !checked.can_heal() {
        return Ok(report);
    }
    // Which documents an unreadable segment had nobody knows, but what HEAD needs is known.
    let wanted = match checked.loses_unknown() {
        true => needed_by_head(repo)?,
        false => Vec::new(),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut healed = store::heal(repo, &checked, &wanted, threads, progress)?;
    // What was lost of the history log is read again.
    if let Head::Commit { id, .. } = repo.head()? {
        healed.snapshot = store::log::record(repo, &healed.snapshot, id, progress)?;
    }
    report.index = IndexState::of(&healed.snapshot);
    report.warnings = warnings(&healed.snapshot);
    report.warnings.extend(not_covered(&healed.report));
    report.mended = Some(Repaired {
        segments_dropped: healed.dropped,
        documents_extracted: healed.report.extracted,
        stuck: healed.stuck.iter().map(ToString::to_string).collect(),
    });
    Ok(report)
}

/// Says what is gone of the history of the log, and writes again what is kept of it.
fn lost_memories(repo: &Repo, dry_run: bool) -> Result<Option<String>, Error> {
    let lost = whole::lost(repo)?;
    let Some(first) = lost.first() else {
        return Ok(None);
    };
    if !dry_run {
        whole::restore(repo)?;
    }
    let left = whole::lost(repo)?.len();
    let name = repo.ref_names().memory();
    let remedy = match (dry_run, left) {
        (false, 0) => "; they have been written again".to_owned(),
        (true, _) => "; `git sverklo fsck` writes again what is kept of them".to_owned(),
        (false, left) => format!(
            "; {left} are not kept here, `git fetch --refetch <remote> {name}` brings what a remote has"
        ),
    };
    let count = lost.len();
    Ok(Some(format!(
        "the history of {name} lacks {count} objects, {first} among them{remedy}"
    )))
}

fn needed_by_head(repo: &Repo) -> Result<Vec<DocKey>, Error> {
    let Head::Commit { id, .. } = repo.head()? else {
        return Ok(Vec::new());
    };
    let entries = tree::list_commit(repo, id)?;
    let files: Vec<File> = entries.into_iter().map(|e| File::new(e, false)).collect();
    Ok(document_keys(&files))
}
