//! Full compaction: the canonical cut of the documents that are kept.
//!
//! The result is a pure function of the set of kept documents, so it does not depend on how they
//! came together, and a segment that is a leaf of the cut already is not written again.

use super::error::{Error, Warning};
use super::kind::Kind;
use super::parts::List;
use super::pieces::Counts;
use super::publish::{Durable, Move, Moved, put_away, replace};
use super::recheck::recheck_all;
use super::scope::Keep;
use super::segments::Segments;
use super::snapshot::Snapshot;
use super::vectors::folder;
use super::{files, union};
use crate::extract::fingerprint;
use crate::extract::record::{DocKey, RowKey};
use crate::git::Repo;
use crate::id::PartId;

/// What a collection did.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The index afterwards.
    pub snapshot: Snapshot,
    /// Documents that were kept.
    pub kept: usize,
    /// Documents that were dropped.
    pub dropped: usize,
    /// Entries of other kinds that were dropped.
    pub pieces_dropped: Counts,
    /// Segments before.
    pub segments_before: usize,
    /// Segments that did not have to be written again.
    pub segments_reused: usize,
    /// Bytes of files of other parts that were removed.
    pub bytes_freed: u64,
}

/// Compacts the index to the documents that pass `keep`, all traces and the whole log, and removes files of other
/// segments. Fails as [`collect`] does.
pub fn gc(repo: &Repo, keep: &dyn Fn(&DocKey) -> bool) -> Result<Collected, Error> {
    collect(
        repo,
        Keep {
            document: keep,
            trace: &|_| true,
            commit: &|_| true,
        },
    )
}

/// Compacts the index to what is to be kept, and removes files of other parts. Fails with
/// [`Error::Contended`], or what the repository said.
pub fn collect(repo: &Repo, keep: Keep) -> Result<Collected, Error> {
    let none = Snapshot::default();
    let mut segments_dropped = 0;
    let moved = replace(repo, &none, Durable::default(), &mut |current, durable| {
        current.contents_mut().segments = recheck_all(repo, current.segments())?;
        let recovered = repo.kept().recovered();
        current.warnings.extend(recovered.map(Warning::Recovered));
        let mut next = current.contents.clone();
        let segments = std::mem::take(&mut next.segments);
        let extractors = current.contents.extractors();
        next.ledger
            .note_collection(&extractors, fingerprint::is_ours);
        let ledger = next.ledger.clone();
        let is_in_use = ledger.in_use();
        let is_kept = |key: &RowKey| {
            let used = fingerprint::is_ours(key.extractor) || is_in_use(key.extractor);
            used && (keep.document)(&key.doc)
        };
        let mut warnings = Vec::new();
        let mut put_away = |made: &mut Vec<_>| put_away(repo, made, durable, &mut warnings);
        let kept = union::collect::<Segments>(repo.hash(), segments, &is_kept, &mut put_away)?;
        segments_dropped = kept.dropped;
        if current.tip.is_none() && kept.set.is_empty() {
            return Ok(None);
        }
        let pieces = next.pieces.collect(repo, keep, &mut warnings)?;
        next.ledger.bury([kept.shrunk, pieces.shrunk].concat());
        next.segments = kept.set;
        next.pieces = pieces.pieces;
        // What nobody has named yet would go with the files of old segments.
        next.vectors = next
            .vectors
            .with_files(repo, current.segments(), false)?
            .carry(repo, current.segments(), &next.segments, &next.ledger)?;
        let counts = (kept.kept, pieces.dropped, kept.reused);
        Ok(Some((next, Move::Drops("index: gc"), (counts, warnings))))
    })?;
    let Moved { before, after, out } = moved;
    let mut snapshot = after;
    let mut collected = Collected {
        snapshot: Snapshot::default(),
        kept: 0,
        dropped: segments_dropped,
        pieces_dropped: Counts::default(),
        segments_before: before.segments().len(),
        segments_reused: 0,
        bytes_freed: 0,
    };
    if let Some(((kept, dropped, reused), warnings)) = out {
        snapshot.warnings.extend(before.warnings);
        snapshot.warnings.extend(warnings);
        collected.kept = kept;
        collected.pieces_dropped = dropped;
        collected.segments_reused = reused;
        collected.bytes_freed = retain(repo, &snapshot);
    }
    collected.snapshot = snapshot;
    Ok(collected)
}

/// Removes the files of parts and blocks that are not those of a snapshot. Returns the number of bytes that are
/// free now.
fn retain(repo: &Repo, snapshot: &Snapshot) -> u64 {
    let pieces = snapshot.pieces().each();
    let freed = |list: &List| files::retain(repo, list.folder, &list.ids);
    let pieces: u64 = pieces.iter().map(freed).sum();
    retain_segments(repo, snapshot) + pieces
}

/// The same of segments and blocks of vectors, and of what killed processes left behind.
pub(super) fn retain_segments(repo: &Repo, snapshot: &Snapshot) -> u64 {
    let kept: Vec<PartId> = snapshot.contents.ids();
    let segments = files::retain(repo, Segments::FOLDER, &kept);
    segments + folder::retain(repo, &kept) + repo.kept().sweep()
}
