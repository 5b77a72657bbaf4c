//! The pieces of an index: cut canonically, so that equal observations are equal pieces.

use super::{Observed, piece, unite_observed};
use crate::git::write::blob_id;
use crate::git::{Objects, Repo};
use crate::id::{BlobId, TraceId};
use crate::limits::{MAX_TRACE_BYTES, MAX_TRACES, MAX_TRACES_BYTES, TRACE_BYTES};
use crate::store::{Error, Ledger, Warning, cache, pieces};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Pieces by id, with the bytes of those that are not written yet.
pub type Pieces = pieces::Pieces<TraceId, [u8]>;

/// Returns the pieces of the canonical cut of observations, of which `known` are stored.
fn pieces_of(
    hash: gix::hash::Kind,
    observed: &Observed,
    known: &[&Pieces],
) -> Result<Pieces, Error> {
    let (mut ids, mut unwritten) = (Vec::new(), BTreeMap::new());
    for bytes in cut(hash, observed) {
        let id = TraceId::new(blob_id(hash, &bytes)?.as_object());
        ids.push(id);
        if !known.iter().any(|known| known.is_stored(id)) {
            unwritten.insert(id, Arc::from(bytes));
        }
    }
    if ids.len() > MAX_TRACES {
        return Err(Error::TooManyTraces {
            found: ids.len(),
            limit: MAX_TRACES,
        });
    }
    Ok(Pieces::of(ids, unwritten))
}

/// Reads pieces and unites what they say. What cannot be read is left out, with a warning.
pub(in crate::store) fn read(
    repo: &Repo,
    pieces: &Pieces,
    warnings: &mut Vec<Warning>,
) -> Observed {
    let mut out = Observed::new();
    let mut objects = repo.objects();
    let mut left = MAX_TRACES_BYTES;
    for id in pieces.ids() {
        let read = match pieces.find_unwritten(*id) {
            Some(bytes) => piece::decode(repo.hash(), bytes).map_err(str::to_owned),
            None => read_one(repo, &mut objects, *id, &mut left),
        };
        match read {
            Ok(observed) => unite_observed(&mut out, observed),
            Err(reason) => warnings.push(Warning::BadTrace { id: *id, reason }),
        }
    }
    out
}

fn read_one(
    repo: &Repo,
    objects: &mut Objects,
    id: TraceId,
    left: &mut usize,
) -> Result<Observed, String> {
    let bytes = cache::read_blob(objects, id.as_object(), MAX_TRACE_BYTES)?;
    *left = left
        .checked_sub(bytes.len())
        .ok_or("the traces of this index are larger than the limit")?;
    piece::decode(repo.hash(), &bytes).map_err(str::to_owned)
}

/// Returns the pieces that two sets are together: a function of both and of the ledger. What it
/// absorbs is in neither, and blobs that it denies have no trace.
pub(in crate::store) fn unite(
    repo: &Repo,
    ours: &Pieces,
    theirs: &Pieces,
    ledger: &Ledger,
    warnings: &mut Vec<Warning>,
) -> Result<Pieces, Error> {
    let (mine, other) = (ours.admitted(ledger), theirs.admitted(ledger));
    let has = |id: &TraceId| mine.ids().binary_search(id).is_ok();
    let brings = !other.ids().iter().all(has);
    if !brings && mine.ids().len() == ours.ids().len() && ledger.denied().len() == 0 {
        return Ok(mine);
    }
    let mut observed = read(repo, &mine, warnings);
    unite_observed(&mut observed, read(repo, &other, warnings));
    observed.retain(|blob, _| !ledger.denies(*blob));
    pieces_of(repo.hash(), &observed, &[ours, theirs])
}

/// Returns pieces with more observations.
pub(in crate::store) fn add(
    repo: &Repo,
    ours: &Pieces,
    more: &Observed,
    ledger: &Ledger,
    warnings: &mut Vec<Warning>,
) -> Result<Pieces, Error> {
    let mut observed = read(repo, ours, warnings);
    unite_observed(&mut observed, more.clone());
    observed.retain(|blob, _| !ledger.denies(*blob));
    pieces_of(repo.hash(), &observed, &[ours])
}

/// Pieces without what was dropped.
pub(in crate::store) struct Kept {
    /// The pieces.
    pub pieces: Pieces,
    /// Blobs whose traces were dropped.
    pub dropped: usize,
    /// The pieces that held one of these.
    pub shrunk: Vec<TraceId>,
}

/// Returns pieces with the traces of those blobs alone that pass `keep`.
pub(in crate::store) fn without(
    repo: &Repo,
    ours: &Pieces,
    keep: &dyn Fn(BlobId) -> bool,
    warnings: &mut Vec<Warning>,
) -> Result<Kept, Error> {
    let (mut observed, mut shrunk) = (Observed::new(), Vec::new());
    let mut dropped = std::collections::BTreeSet::new();
    for id in ours.ids() {
        let mut held = read(repo, &ours.only(*id), warnings);
        let before = dropped.len();
        held.retain(|blob, _| keep(*blob) || !dropped.insert(*blob));
        if dropped.len() > before {
            shrunk.push(*id);
        }
        unite_observed(&mut observed, held);
    }
    Ok(Kept {
        pieces: pieces_of(repo.hash(), &observed, &[ours])?,
        dropped: dropped.len(),
        shrunk,
    })
}

/// Cuts observations into pieces of at most [`TRACE_BYTES`], by the first bits in which the ids of
/// their blobs differ. A piece about one blob may be larger.
fn cut(hash: gix::hash::Kind, observed: &Observed) -> Vec<Vec<u8>> {
    let entries: Vec<(BlobId, Vec<u8>)> = observed
        .iter()
        .map(|(blob, trace)| (*blob, piece::entry(*blob, trace)))
        .collect();
    let mut out = Vec::new();
    let mut todo: Vec<Range<usize>> = Vec::new();
    if !entries.is_empty() {
        todo.push(0..entries.len());
    }
    while let Some(range) = todo.pop() {
        let part = &entries[range.clone()];
        let bytes: usize = part.iter().map(|(_, entry)| entry.len()).sum();
        match split(part).filter(|_| bytes > TRACE_BYTES) {
            Some(middle) => {
                todo.push(range.start + middle..range.end);
                todo.push(range.start..range.start + middle);
            }
            None => {
                let entries: Vec<&Vec<u8>> = part.iter().map(|(_, entry)| entry).collect();
                out.push(piece::assemble(hash, &entries));
            }
        }
    }
    out
}

/// Where the first bit that differs divides a range; `None` when it holds one blob.
fn split(entries: &[(BlobId, Vec<u8>)]) -> Option<usize> {
    let bit_of = |id: &BlobId, bit: usize| id.as_bytes()[bit / 8] & (0x80 >> (bit % 8)) != 0;
    let ((first, _), (last, _)) = (entries.first()?, entries.last()?);
    let bits = first.as_bytes().len() * 8;
    let bit = (0..bits).find(|bit| bit_of(first, *bit) != bit_of(last, *bit))?;
    Some(entries.partition_point(|(id, _)| !bit_of(id, bit)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::trace::BlobTrace;
    use crate::trace::lines::{LineSet, Lines};

    const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

    /// A blob with so many runs that its entry takes about `kib` kibibytes.
    fn large(kib: u32) -> BlobTrace {
        let runs = (0..kib * 256).map(|n| (1 + 2 * n, 2 + 2 * n)).collect();
        BlobTrace {
            lines: Lines::new(LineSet::of_ranges(runs), LineSet::default()),
            ..BlobTrace::default()
        }
    }

    fn blob(n: u8) -> BlobId {
        BlobId::from_bytes(&[n; 20]).unwrap()
    }

    #[test]
    fn the_cut_keeps_everything_and_to_the_limit() {
        let observed: Observed = (0..=255).map(|n| (blob(n), large(4))).collect();
        let pieces = cut(SHA1, &observed);
        assert_eq!(pieces.len(), 8);
        let mut all = Observed::new();
        for bytes in &pieces {
            assert!(bytes.len() <= TRACE_BYTES + 16);
            unite_observed(&mut all, piece::decode(SHA1, bytes).unwrap());
        }
        assert_eq!(all, observed);
        assert!(cut(SHA1, &Observed::new()).is_empty());
    }

    #[test]
    fn one_blob_is_never_divided_and_the_largest_one_fits() {
        let most = crate::limits::MAX_PARSED_BYTES as u32 / 512;
        let observed = Observed::from([(blob(1), large(most)), (blob(2), large(1))]);
        let pieces = cut(SHA1, &observed);
        assert_eq!(pieces.len(), 2);
        assert!(pieces.iter().all(|bytes| bytes.len() <= MAX_TRACE_BYTES));
    }

    #[test]
    fn a_change_is_in_one_piece() {
        let mut observed: Observed = (0..=255).map(|n| (blob(n), large(4))).collect();
        let before = cut(SHA1, &observed);
        observed.insert(blob(9), large(5));
        let after = cut(SHA1, &observed);
        let same = after.iter().filter(|bytes| before.contains(bytes)).count();
        assert_eq!((after.len(), same), (8, 7));
    }
}
