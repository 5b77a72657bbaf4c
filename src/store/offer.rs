//! What a remote is to have: the union of its set and of what may travel of ours.
//!
//! A segment of ours goes as it is when all its documents may travel; else a smaller one goes, made
//! of those that may. Nothing here moves a ref.

use super::contents::Contents;
use super::error::{Error, Warning};
use super::manifest;
use super::pieces::Counts;
use super::scope::{Public, Subject};
use super::segments::{OpenSegment, Segments};
use super::snapshot::Snapshot;
use super::travel;
use super::union::{unite, without};
use crate::extract::record::RowKey;
use crate::git::Repo;
use crate::git::packs::Held;
use crate::git::write::PackWriter;
use crate::id::{BlobId, CommitId, PartId, SegmentId};
use crate::vector::model::ModelId;
use rustc_hash::FxHashSet;

/// What a remote allows of one push.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Whether the new tip must descend from the one the remote has.
    pub linear: bool,
    /// About how many bytes may be sent at once; a single segment always may.
    pub most_bytes: u64,
}

/// A set composed for a remote.
#[derive(Clone, Debug, Default)]
pub struct Offer {
    contents: Contents,
    /// Blobs and commits of which the remote learns something besides documents.
    pub new_pieces: Counts,
    /// Those of which something stays here.
    pub withheld_pieces: Counts,
    /// Segments that the remote does not have yet, and their bytes.
    pub new_segments: Vec<(SegmentId, u64)>,
    /// Blocks of vectors that the remote does not have yet, and their bytes.
    pub new_vectors: Vec<(BlobId, u64)>,
    /// Documents that the remote does not have yet.
    pub new_documents: usize,
    /// Documents of ours that stay here.
    pub withheld: usize,
    /// Whether more is left for another push, because not all may be sent at once.
    pub is_partial: bool,
    /// Whether the remote has exactly this already.
    pub is_known: bool,
}

impl Offer {
    /// Number of segments that the remote will have.
    pub fn segments(&self) -> usize {
        self.contents.segments.len()
    }

    /// Bytes of the segments and vectors that the remote does not have yet, uncompressed.
    pub fn new_bytes(&self) -> u64 {
        let segments = self.new_segments.iter().map(|(_, bytes)| bytes);
        let vectors = self.new_vectors.iter().map(|(_, bytes)| bytes);
        segments.chain(vectors).sum()
    }
}

/// What one index has and another lacks.
#[derive(Clone, Debug, Default)]
pub struct Unshared {
    /// Documents.
    pub documents: usize,
    /// Entries of other kinds.
    pub pieces: Counts,
    /// The blobs and commits that these tell of: those of which it has to be known whether they may travel.
    pub subjects: FxHashSet<Subject>,
}

/// Finds what `ours` has and `theirs` lacks.
pub fn unshared(repo: &Repo, ours: &Snapshot, theirs: &Snapshot) -> Unshared {
    let documents = unshared_documents(ours, theirs);
    let holds = |blob| theirs.holds(blob);
    let (subjects, pieces) = ours.pieces().unshared(repo, theirs.pieces(), &holds);
    let blobs = documents.iter().map(|key| Subject::Blob(key.doc.blob));
    Unshared {
        documents: documents.len(),
        pieces,
        subjects: blobs.chain(subjects).collect(),
    }
}

fn unshared_documents(ours: &Snapshot, theirs: &Snapshot) -> Vec<RowKey> {
    travel::unshared::<Segments>(ours.segments(), theirs.segments(), &|_| false)
}

/// Composes the union of `theirs` and of what `ours` has of blobs and commits that may travel:
/// documents, traces and the history log. Those that `theirs` has are not asked about: they are public.
/// Fails when a segment that is to leave documents behind is damaged.
pub fn compose(
    repo: &Repo,
    ours: &Snapshot,
    theirs: &Snapshot,
    public: Public,
    terms: Terms,
) -> Result<Offer, Error> {
    let hash = repo.hash();
    let mut private: FxHashSet<RowKey> = FxHashSet::default();
    private.extend(unshared_documents(ours, theirs));
    private.retain(|key| !(public.blob)(key.doc.blob));
    let stored: FxHashSet<SegmentId> = theirs.segments().iter().map(OpenSegment::id).collect();
    let mut ledger = ours.ledger().clone();
    ledger.unite(theirs.ledger());
    // What turned out to lie is in neither set; this keeps others from taking it any longer.
    let lies = theirs.warnings.iter().filter_map(|warning| match warning {
        Warning::Distrusted { part, .. } => Some(part.id),
        _ => None,
    });
    ledger.bury(lies);
    let travelling = ours.segments().iter().filter(|open| open.is_stored);
    let travelling = without(
        hash,
        travelling.cloned().collect(),
        &private,
        theirs.segments(),
    )?;
    let mut set = unite(hash, [theirs.segments(), &travelling].concat(), &ledger)?;
    let (mine, holds) = (ours.pieces(), |blob| theirs.holds(blob));
    let pieces = mine.compose(repo, theirs.pieces(), &holds, public, &mut ledger)?;
    let mut offer = Offer {
        withheld: private.len(),
        new_pieces: pieces.new,
        withheld_pieces: pieces.withheld,
        ..Offer::default()
    };
    let is_new = |open: &OpenSegment| !stored.contains(&open.id());
    let kept = within(&set, is_new, terms.most_bytes);
    if kept.len() < set.iter().filter(|open| is_new(open)).count() {
        offer.is_partial = true;
        set = unite(hash, [theirs.segments(), &kept].concat(), &ledger)?;
    }
    let new = set.iter().filter(|open| is_new(open));
    offer.new_segments = new
        .clone()
        .map(|open| (open.id(), open.bytes().len() as u64))
        .collect();
    let documents: FxHashSet<RowKey> = new
        .flat_map(OpenSegment::keys)
        .filter(|key| !theirs.has_row(key))
        .collect();
    offer.new_documents = documents.len();
    offer.contents = Contents {
        segments: set,
        pieces: pieces.pieces,
        ledger,
        ..Contents::default()
    };
    compose_vectors(repo, ours, theirs, &travelling, terms, &mut offer)?;
    let (next, known) = (&offer.contents, &theirs.contents);
    let sound = theirs.warnings.iter().all(Warning::is_harmless);
    offer.is_known = sound
        && next.ids() == known.ids()
        && next.vectors == known.vectors
        && next.ledger == known.ledger
        && (theirs.tip.is_some() || next.is_empty());
    Ok(offer)
}

/// Composes the vectors that the remote is to have of the segments of the offer: as many of those that are
/// new as may be sent with these at once, but always one.
fn compose_vectors(
    repo: &Repo,
    ours: &Snapshot,
    theirs: &Snapshot,
    travelling: &[OpenSegment],
    terms: Terms,
    offer: &mut Offer,
) -> Result<(), Error> {
    let sources = [theirs.segments(), ours.segments(), travelling].concat();
    let all = theirs
        .vectors()
        .unite(repo, ours.vectors(), &sources, &offer.contents.ledger)?
        .carry(
            repo,
            &sources,
            &offer.contents.segments,
            &offer.contents.ledger,
        )?;
    let objects = repo.objects();
    let is_new = |(model, segment, id): &(&ModelId, SegmentId, BlobId)| {
        theirs.vectors().get(model, *segment) != Some(*id)
    };
    let mut new: Vec<(u64, BlobId)> = all
        .iter()
        .filter(is_new)
        .map(|(_, _, id)| (all.size(&objects, id), id))
        .collect();
    new.sort_unstable();
    new.dedup();
    let mut sum = offer.new_bytes();
    let room = new.iter().take_while(|(bytes, _)| {
        let first = sum == 0;
        sum += bytes;
        first || sum <= terms.most_bytes
    });
    let room = room.count();
    offer.is_partial |= room < new.len();
    let later: FxHashSet<BlobId> = new.drain(room..).map(|(_, id)| id).collect();
    offer.new_vectors = new.into_iter().map(|(bytes, id)| (id, bytes)).collect();
    let named = all.filtered(|_, _, id| !later.contains(&id));
    let blocks: Vec<PartId> = named.iter().map(|(_, _, id)| id.into()).collect();
    offer.contents.ledger.revive(blocks);
    offer.contents.vectors = named;
    Ok(())
}

/// Returns the new segments that may be sent at once: the smallest first, and always one.
fn within(
    set: &[OpenSegment],
    is_new: impl Fn(&OpenSegment) -> bool,
    most_bytes: u64,
) -> Vec<OpenSegment> {
    let mut new: Vec<OpenSegment> = set.iter().filter(|open| is_new(open)).cloned().collect();
    new.sort_by_key(|open| (open.bytes().len(), open.id()));
    let mut sum = 0_u64;
    let room = new.iter().take_while(|open| {
        let first = sum == 0;
        sum += open.bytes().len() as u64;
        first || sum <= most_bytes
    });
    let count = room.count();
    new.truncate(count);
    new
}

/// Writes the objects of an offer durably and returns its tip. No ref is moved. Fails with what the
/// repository said.
pub fn write(
    repo: &Repo,
    offer: &Offer,
    theirs: &Snapshot,
    terms: Terms,
) -> Result<(CommitId, Held), Error> {
    let known: FxHashSet<CommitId> = match theirs.tip {
        Some(tip) => repo
            .commit_parents(tip)
            .unwrap_or_default()
            .into_iter()
            .collect(),
        None => FxHashSet::default(),
    };
    let hash = repo.hash();
    let mut pack = PackWriter::new(hash);
    let contents = &offer.contents;
    for open in contents.segments.iter().filter(|open| !open.is_stored) {
        pack.blob(open.bytes().to_vec())?;
    }
    for bytes in contents.unwritten() {
        pack.blob(bytes.to_vec())?;
    }
    let mut parents: Vec<CommitId> = theirs.tip.filter(|_| terms.linear).into_iter().collect();
    parents.extend(manifest::write_parents(&mut pack, hash, contents, &known)?);
    let tip = manifest::write(&mut pack, hash, &contents.segment_ids(), contents, &parents)?;
    let held = pack.write(repo)?;
    Ok((tip, held))
}

/// Whether a tip was written by a later version of this program.
pub fn is_newer(repo: &Repo, tip: CommitId) -> bool {
    let known = manifest::format_text(repo.hash());
    manifest::format_of(repo, tip).is_some_and(|found| is_later(&found, &known))
}

/// Whether one `format` is that of a later version than another. A damaged one is of no version.
fn is_later(found: &str, known: &str) -> bool {
    let words = |text: &str| -> Vec<(String, Option<u64>)> {
        let split = |line: &str| match line.rsplit_once(' ') {
            Some((word, number)) => match number.parse() {
                Ok(number) => (word.to_owned(), Some(number)),
                Err(_) => (line.to_owned(), None),
            },
            None => (line.to_owned(), None),
        };
        text.lines().map(split).collect()
    };
    // The first number that differs decides, as in a version.
    let differs = words(found)
        .into_iter()
        .zip(words(known))
        .find(|(a, b)| a != b);
    differs.is_some_and(|((a, found), (b, known))| a == b && found > known && known.is_some())
}

#[cfg(test)]
mod tests {
    use super::is_later;

    #[test]
    fn only_a_later_version_is_one() {
        let known = "sverklo index\nlayout 4\nsegment 1\nhash sha1\nextractor 1\n";
        for later in [
            "layout 5",
            "layout 4\nsegment 2",
            "layout 4\nsegment 1\nhash sha1\nextractor 9",
        ] {
            assert!(
                is_later(&format!("sverklo index\n{later}\n"), known),
                "{later}"
            );
        }
        for other in [
            "layout 3\nsegment 9",
            "layout x",
            "layout",
            "xayout 5",
            "layout 4\nsegment 1\nhash sha9",
        ] {
            assert!(
                !is_later(&format!("sverklo index\n{other}\n"), known),
                "{other}"
            );
        }
        for damaged in ["", "sverklo ind\u{fffd}x 9\nlayout 5\n", "zzz 7\n", known] {
            assert!(!is_later(damaged, known), "{damaged:?}");
        }
    }
}
