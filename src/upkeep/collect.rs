//! `gc`: compacting the index to the documents worth keeping.

use super::Error;
use super::retention::{Retention, droppable};
use crate::git::Repo;
use crate::query::engine::warnings;
use crate::query::serialize::is_zero;
use crate::query::state::IndexState;
use crate::store::facts;
use crate::store::trace::Traces;
use crate::store::{self, Snapshot};
use crate::view::cache::ViewCache;
use crate::view::overlay;
use rustc_hash::FxHashSet;
use serde::Serialize;

/// How `gc` is to go about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GcOptions {
    /// How far back documents are kept; `None` for what `sverklo.retain` says.
    pub retention: Option<Retention>,
    /// Only say what would be dropped.
    pub dry_run: bool,
}

/// What `gc` did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct GcReport {
    /// The index before.
    pub before: IndexState,
    /// The index after; as before when nothing was to be changed.
    pub after: IndexState,
    /// Documents dropped, or to be dropped.
    pub documents_dropped: usize,
    /// Blobs whose traces were dropped, or are to be.
    #[serde(skip_serializing_if = "is_zero")]
    pub traces_dropped: usize,
    /// Blobs whose facts of compilers were dropped.
    #[serde(skip_serializing_if = "is_zero")]
    pub facts_dropped: usize,
    /// Commits dropped from the history log, or to be dropped.
    #[serde(skip_serializing_if = "is_zero")]
    pub commits_dropped: usize,
    /// Bytes of files freed beside the object store.
    pub bytes_freed: u64,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// What went wrong without stopping the run; one sentence each.
    pub warnings: Vec<String>,
}

/// Compacts the index into its canonical form, a pure function of the set of documents, without
/// those that nothing needs any more, and removes what is stale beside the object store.
pub fn gc(repo: &Repo, options: &GcOptions) -> Result<GcReport, Error> {
    let retention = match options.retention {
        Some(retention) => retention,
        None => Retention::configured(repo)?,
    };
    let before = Snapshot::open(repo)?;
    let drop = droppable(repo, &before, retention)?;
    let mut report = GcReport {
        before: IndexState::of(&before),
        dry_run: options.dry_run,
        ..GcReport::default()
    };
    if options.dry_run {
        report.after = report.before.clone();
        let keys = before.segments().iter().flat_map(|open| {
            let segment = open.segment();
            segment.doc_ids().map(|doc| segment.key(doc))
        });
        let dropped: FxHashSet<_> = keys.filter(|key| drop.blobs.contains(&key.blob)).collect();
        report.documents_dropped = dropped.len();
        let traces = Traces::open(repo, &before).0;
        report.traces_dropped = traces.blobs().filter(|b| drop.blobs.contains(b)).count();
        let told = facts::blobs(repo, &before);
        report.facts_dropped = told.iter().filter(|b| drop.blobs.contains(b)).count();
        report.commits_dropped = drop.commits.len();
        report.warnings = warnings(&before);
    } else {
        // What others add meanwhile is not among the blobs, and so it stays.
        let keep = store::Keep {
            document: &|key| !drop.blobs.contains(&key.blob),
            trace: &|blob| !drop.blobs.contains(&blob),
            commit: &|commit| !drop.commits.contains(&commit),
        };
        let collected = store::collect(repo, keep)?;
        let after = collected.snapshot;
        report.documents_dropped = collected.dropped;
        report.traces_dropped = collected.pieces_dropped.traces;
        report.facts_dropped = collected.pieces_dropped.facts;
        report.commits_dropped = collected.pieces_dropped.log;
        report.bytes_freed = collected.bytes_freed
            + ViewCache::new(repo.kept()).retain(&after)
            + overlay::remove_leftovers(repo);
        report.after = IndexState::of(&after);
        // What is mended now is told to who asked.
        report.warnings = warnings(&before);
        let news = warnings(&after);
        let is_news = |said: &String| !report.warnings.contains(said);
        let news: Vec<String> = news.into_iter().filter(is_news).collect();
        report.warnings.extend(news);
    }
    report.warnings.extend(drop.reason);
    Ok(report)
}
