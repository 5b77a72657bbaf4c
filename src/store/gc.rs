//! Full compaction: the canonical cut of the documents that are kept.
//!
//! The result is a pure function of the set of kept documents, so it does not depend on how they
//! came together, and a segment that is a leaf of the cut already is not written again.

use super::partition::{self, Measured};
use super::proof::{blamed, prove};
use super::publish::{ATTEMPTS, Durable, Move, Next, settle, swap};
use super::snapshot::{OpenSegment, Snapshot, documents};
use super::{Error, cache, log, trace};
use crate::extract::record::DocKey;
use crate::git::Repo;
use crate::git::refs::{Turn, backoff};
use crate::id::{BlobId, CommitId, DocId, SegmentId};
use crate::segment::{self, Segment};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a collection did.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The index afterwards.
    pub snapshot: Snapshot,
    /// Documents that were kept.
    pub kept: usize,
    /// Documents that were dropped.
    pub dropped: usize,
    /// Blobs whose traces were dropped.
    pub traces_dropped: usize,
    /// Commits whose documents were dropped.
    pub commits_dropped: usize,
    /// Segments before.
    pub segments_before: usize,
    /// Segments that did not have to be written again.
    pub segments_reused: usize,
    /// Bytes of files of other segments that were removed.
    pub bytes_freed: u64,
}

/// What a collection keeps.
#[derive(Clone, Copy)]
pub struct Keep<'a> {
    /// Whether a document is kept.
    pub document: &'a (dyn Fn(&DocKey) -> bool + Sync),
    /// Whether the trace of a blob is kept.
    pub trace: &'a dyn Fn(BlobId) -> bool,
    /// Whether the document of a commit is kept.
    pub commit: &'a dyn Fn(CommitId) -> bool,
}

/// Compacts the index to the documents that pass `keep`, all traces and the whole log, and removes files of other
/// segments.
///
/// # Errors
/// As [`collect`].
pub fn gc(repo: &Repo, keep: &(dyn Fn(&DocKey) -> bool + Sync)) -> Result<Collected, Error> {
    collect(
        repo,
        Keep {
            document: keep,
            trace: &|_| true,
            commit: &|_| true,
        },
    )
}

/// Compacts the index to the documents and traces to keep, and removes files of other segments.
///
/// # Errors
/// [`Error::Contended`], or what the repository said.
pub fn collect(repo: &Repo, keep: Keep) -> Result<Collected, Error> {
    let (keep, keep_trace, keep_commit) = (keep.document, keep.trace, keep.commit);
    let mut known = Snapshot::default();
    let mut durable = Durable::default();
    let mut turn = Turn::default();
    for attempt in 1..=ATTEMPTS {
        turn.take(repo, attempt - 1);
        let mut current = Snapshot::reopen(repo, &known)?;
        prove(repo, &mut current)?;
        let (documents, dropped) = kept_documents(&current, keep);
        let (set, reused) = canonical(repo, &current, &documents)?;
        let mut warnings = Vec::new();
        let traces = trace::without(repo, current.traces(), keep_trace, &mut warnings)?;
        let commits = log::collect(repo, current.log(), keep_commit, &mut warnings)?;
        let mut ledger = current.ledger().clone();
        if dropped + traces.dropped + commits.dropped > 0 {
            let pieces = traces.shrunk.iter().map(|id| trace::marked(*id));
            let log = commits.shrunk.iter().map(|id| log::marked(*id));
            ledger.absorb(shrunk(&current, keep).chain(pieces).chain(log));
        }
        let stored: Vec<SegmentId> = current.segments().iter().map(OpenSegment::id).collect();
        durable.ids.extend(stored.iter().copied());
        if current.tip.is_none() && set.is_empty() {
            return Ok(Collected {
                snapshot: current,
                kept: 0,
                dropped,
                traces_dropped: 0,
                commits_dropped: 0,
                segments_before: 0,
                segments_reused: 0,
                bytes_freed: 0,
            });
        }
        // What nobody has named yet would go with the files of old segments.
        let vectors = current
            .vectors()
            .with_files(repo, current.segments(), false)?
            .carry(repo, current.segments(), &set, &ledger)?;
        let mut next = Next {
            set,
            traces: traces.pieces,
            vectors,
            log: commits.pieces,
            ledger,
        };
        // These may be what was absorbed before more came to it.
        next.revive();
        let why = Move::Drops("index: gc");
        if let Some(tip) = swap(repo, current.tip, &next, &mut durable, why)? {
            let mut snapshot = settle(repo, tip, next);
            snapshot.warnings.extend(current.warnings);
            snapshot.warnings.extend(warnings);
            let ids: Vec<SegmentId> = snapshot.segments().iter().map(OpenSegment::id).collect();
            let pieces = snapshot.log().ids().to_vec();
            return Ok(Collected {
                snapshot,
                kept: documents.len(),
                dropped,
                traces_dropped: traces.dropped,
                commits_dropped: commits.dropped,
                segments_before: stored.len(),
                segments_reused: reused,
                bytes_freed: cache::retain(repo, &ids) + log::retain(repo, &pieces),
            });
        }
        known = current;
        std::thread::sleep(backoff(attempt));
    }
    Err(Error::Contended { attempts: ATTEMPTS })
}

/// The segments that hold a document which is not kept.
fn shrunk<'a>(
    snapshot: &'a Snapshot,
    keep: &'a dyn Fn(&DocKey) -> bool,
) -> impl Iterator<Item = SegmentId> + 'a {
    let loses = |open: &&OpenSegment| {
        let segment = open.segment();
        (0..segment.doc_count()).any(|doc| !keep(&segment.key(DocId(doc))))
    };
    snapshot
        .segments()
        .iter()
        .filter(loses)
        .map(OpenSegment::id)
}

/// Returns the documents to keep, sorted and distinct, and the number of the others.
fn kept_documents(snapshot: &Snapshot, keep: &dyn Fn(&DocKey) -> bool) -> (Vec<Measured>, usize) {
    let mut all = documents(snapshot.segments());
    let before = all.len();
    all.retain(|document| keep(&document.key));
    let dropped = before - all.len();
    (all, dropped)
}

/// Returns the segments of the canonical cut, and how many of them were there already.
fn canonical(
    repo: &Repo,
    snapshot: &Snapshot,
    documents: &[Measured],
) -> Result<(Vec<OpenSegment>, usize), Error> {
    let ranges = partition::partition(documents);
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(ranges.len().max(1));
    let next = AtomicUsize::new(0);
    let reused = AtomicUsize::new(0);
    let done = Mutex::new(Ok(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(range) = ranges.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let leaf = match existing(snapshot.segments(), &documents[range.clone()]) {
                        Some(open) => {
                            reused.fetch_add(1, Ordering::Relaxed);
                            Ok(vec![open])
                        }
                        None => merge_leaf(repo, snapshot, documents, range.clone()),
                    };
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    match (&mut *done, leaf) {
                        (Ok(all), Ok(leaf)) => all.extend(leaf),
                        (Ok(_), Err(err)) => *done = Err(err),
                        (Err(_), _) => return,
                    }
                }
            });
        }
    });
    let mut set = done.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    set.sort_by_key(OpenSegment::id);
    Ok((set, reused.into_inner()))
}

/// Finds the first segment with exactly these documents; its bytes are those that would be
/// written.
pub(super) fn existing(segments: &[OpenSegment], documents: &[Measured]) -> Option<OpenSegment> {
    let is_equal = |segment: &Segment| {
        segment.doc_count() as usize == documents.len()
            && documents
                .iter()
                .zip(0..)
                .all(|(document, at)| segment.key(DocId(at)) == document.key)
    };
    segments
        .iter()
        .find(|open| is_equal(open.segment()))
        .cloned()
}

/// Merges the documents of one leaf out of the segments that have some of them; a leaf that grows
/// over the size limit of a segment is split further.
fn merge_leaf(
    repo: &Repo,
    snapshot: &Snapshot,
    documents: &[Measured],
    range: Range<usize>,
) -> Result<Vec<OpenSegment>, Error> {
    let leaf = &documents[range.clone()];
    let holds = |open: &&OpenSegment| {
        let mut keys = leaf.iter().map(|document| &document.key);
        keys.any(|key| open.find(key).is_some())
    };
    let sources: Vec<OpenSegment> = snapshot.segments().iter().filter(holds).cloned().collect();
    let parts: Vec<&Segment> = sources.iter().map(|open| &**open.segment()).collect();
    let is_kept = |key: &DocKey| {
        leaf.binary_search_by(|document| document.key.cmp(key))
            .is_ok()
    };
    match segment::merge(repo.hash(), &parts, is_kept) {
        Ok(bytes) => Ok(vec![OpenSegment::built(repo.hash(), bytes)?]),
        Err(err @ segment::Error::TooLarge { .. }) => {
            let middle = partition::split(leaf).ok_or(err)? + range.start;
            let mut both = merge_leaf(repo, snapshot, documents, range.start..middle)?;
            both.extend(merge_leaf(repo, snapshot, documents, middle..range.end)?);
            Ok(both)
        }
        Err(err) => Err(blamed(&sources, err)),
    }
}
