//! What a remote is to have: the union of its set and of what may travel of ours.
//!
//! A segment of ours goes as it is when all its documents may travel; else a smaller one goes, made
//! of those that may. Nothing here moves a ref.

use super::compact::FAN_IN;
use super::manifest::{self, Contents, Kind};
use super::snapshot::{OpenSegment, Snapshot};
use super::trace::{self, Observed, Pieces};
use super::unite::unite;
use super::vectors::{self, Named};
use super::{Error, Ledger, Warning, log};
use crate::extract::record::DocKey;
use crate::git::Repo;
use crate::git::packs::Held;
use crate::git::write::PackWriter;
use crate::id::{BlobId, CommitId, DocId, LogId, SegmentId, TraceId};
use crate::segment;
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

/// What may travel to a remote.
#[derive(Clone, Copy)]
pub struct Public<'a> {
    /// Whether what is recorded of a blob may.
    pub blob: &'a dyn Fn(BlobId) -> bool,
    /// Whether what a commit says may.
    pub commit: &'a dyn Fn(CommitId) -> bool,
}

/// A set composed for a remote.
#[derive(Clone, Debug, Default)]
pub struct Offer {
    set: Vec<OpenSegment>,
    traces: Pieces,
    log: log::Pieces,
    vectors: Named,
    ledger: Ledger,
    /// Blobs of which the remote learns more about what ran.
    pub new_traces: usize,
    /// Blobs whose traces stay here.
    pub withheld_traces: usize,
    /// Commits of which the remote learns what they say.
    pub new_commits: usize,
    /// Commits of which what they say stays here.
    pub withheld_commits: usize,
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
        self.set.len()
    }

    /// Bytes of the segments and vectors that the remote does not have yet, uncompressed.
    pub fn new_bytes(&self) -> u64 {
        let segments = self.new_segments.iter().map(|(_, bytes)| bytes);
        let vectors = self.new_vectors.iter().map(|(_, bytes)| bytes);
        segments.chain(vectors).sum()
    }
}

/// Returns the documents of `ours` that `theirs` does not have, sorted and distinct: those of
/// which it has to be known whether they may travel.
pub fn unshared(ours: &Snapshot, theirs: &Snapshot) -> Vec<DocKey> {
    let shared: FxHashSet<SegmentId> = theirs.segments().iter().map(OpenSegment::id).collect();
    let mut out: Vec<DocKey> = ours
        .segments()
        .iter()
        .filter(|open| !shared.contains(&open.id()))
        .flat_map(|open| keys(open).collect::<Vec<_>>())
        .filter(|key| theirs.find(key).is_none())
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Returns the blobs of which `ours` has a trace and `theirs` has nothing, in order: those of which it
/// has to be known whether their traces may travel.
pub fn unshared_traces(repo: &Repo, ours: &Snapshot, theirs: &Snapshot) -> Vec<BlobId> {
    if ours.traces().ids() == theirs.traces().ids() {
        return Vec::new();
    }
    // What cannot be read does not travel; whoever opens it for its own sake hears of it.
    let known = trace::read(repo, theirs.traces(), &mut Vec::new());
    let blobs = trace::read(repo, ours.traces(), &mut Vec::new()).into_keys();
    blobs
        .filter(|blob| !known.contains_key(blob) && !theirs.holds(*blob))
        .collect()
}

/// Returns the commits of which `ours` tells what they say and `theirs` does not, in order: those of which
/// it has to be known whether that may travel.
pub fn unshared_commits(repo: &Repo, ours: &Snapshot, theirs: &Snapshot) -> Vec<CommitId> {
    let known = log::open(repo, theirs.log(), &mut Vec::new());
    let rest = ours.log().without(theirs.log().ids());
    let is_known = |id: CommitId| known.iter().any(|of| of.piece().find(id).is_some());
    let mut out: Vec<CommitId> = log::open(repo, &rest, &mut Vec::new())
        .iter()
        .flat_map(|open| open.piece().ids().collect::<Vec<_>>())
        .filter(|id| !is_known(*id))
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

fn keys(open: &OpenSegment) -> impl Iterator<Item = DocKey> + '_ {
    let segment = open.segment();
    (0..segment.doc_count()).map(|doc| segment.key(DocId(doc)))
}

/// Composes the union of `theirs` and of what `ours` has of blobs and commits that may travel:
/// documents, traces and the history log. Those that `theirs` has are not asked about: they are public.
///
/// # Errors
/// When a segment that is to leave documents behind is damaged.
pub fn compose(
    repo: &Repo,
    ours: &Snapshot,
    theirs: &Snapshot,
    public: Public,
    terms: Terms,
) -> Result<Offer, Error> {
    let private: FxHashSet<DocKey> = unshared(ours, theirs)
        .into_iter()
        .filter(|key| !(public.blob)(key.blob))
        .collect();
    let stored: FxHashSet<SegmentId> = theirs.segments().iter().map(OpenSegment::id).collect();
    let mut ledger = ours.ledger().clone();
    ledger.unite(theirs.ledger());
    // What turned out to lie is in neither set; this keeps others from taking it any longer.
    let lies = theirs.warnings.iter().filter_map(|warning| match warning {
        Warning::Distrusted { id, .. } => Some(*id),
        Warning::DistrustedLog { id, .. } => Some(log::marked(*id)),
        Warning::DistrustedVectors { block, .. } => Some(vectors::marked(**block)),
        _ => None,
    });
    ledger.absorb(lies.collect::<Vec<_>>());
    let mut travelling = Vec::with_capacity(ours.segments().len());
    for open in ours.segments().iter().filter(|open| open.is_stored) {
        travelling.extend(without(repo, open, &private, theirs)?);
    }
    let mut set = unite([theirs.segments(), &travelling].concat(), &ledger);
    let mut offer = Offer {
        withheld: private.len(),
        ..Offer::default()
    };
    compose_traces(repo, ours, theirs, public.blob, &mut ledger, &mut offer)?;
    compose_log(repo, ours, theirs, public.commit, &mut ledger, &mut offer)?;
    let is_new = |open: &OpenSegment| !stored.contains(&open.id());
    let kept = within(&set, is_new, terms.most_bytes);
    if kept.len() < set.iter().filter(|open| is_new(open)).count() {
        offer.is_partial = true;
        set = unite([theirs.segments(), &kept].concat(), &ledger);
    }
    let new = set.iter().filter(|open| is_new(open));
    offer.new_segments = new
        .clone()
        .map(|open| (open.id(), open.segment().bytes().len() as u64))
        .collect();
    offer.set = set.clone();
    compose_vectors(
        repo,
        ours,
        theirs,
        &travelling,
        &mut ledger,
        terms,
        &mut offer,
    )?;
    let documents: FxHashSet<DocKey> = new
        .flat_map(|open| keys(open).collect::<Vec<_>>())
        .filter(|key| theirs.find(key).is_none())
        .collect();
    offer.new_documents = documents.len();
    let sound = theirs.warnings.iter().all(Warning::is_harmless);
    let is_empty =
        set.is_empty() && ledger.is_empty() && offer.traces.is_empty() && offer.log.is_empty();
    offer.is_known = sound
        && offer.new_segments.is_empty()
        && set.len() == theirs.segments().len()
        && offer.traces.ids() == theirs.traces().ids()
        && offer.log.ids() == theirs.log().ids()
        && offer.vectors == *theirs.vectors()
        && ledger == *theirs.ledger()
        && (theirs.tip.is_some() || is_empty);
    offer.ledger = ledger;
    Ok(offer)
}

/// Composes the traces that the remote is to have.
fn compose_traces(
    repo: &Repo,
    ours: &Snapshot,
    theirs: &Snapshot,
    may_travel: &dyn Fn(BlobId) -> bool,
    ledger: &mut Ledger,
    offer: &mut Offer,
) -> Result<(), Error> {
    let private: FxHashSet<BlobId> = unshared_traces(repo, ours, theirs)
        .into_iter()
        .filter(|blob| !may_travel(*blob))
        .collect();
    let keep = |blob: BlobId| !private.contains(&blob);
    let travelling = trace::without(repo, ours.traces(), &keep, &mut Vec::new())?;
    offer.withheld_traces = travelling.dropped;
    // As they are where nothing stays behind: what the ledger absorbs is known by its id.
    let mine = match private.is_empty() {
        true => ours.traces(),
        false => &travelling.pieces,
    };
    offer.traces = trace::unite(repo, theirs.traces(), mine, ledger, &mut Vec::new())?;
    ledger.revive(offer.traces.ids().iter().map(|id| trace::marked(*id)));
    if offer.traces.ids() != theirs.traces().ids() {
        let known: Observed = trace::read(repo, theirs.traces(), &mut Vec::new());
        let all = trace::read(repo, &offer.traces, &mut Vec::new());
        let is_new = |(blob, seen): &(&BlobId, &trace::BlobTrace)| {
            !known.get(blob).is_some_and(|known| known.covers(seen))
        };
        offer.new_traces = all.iter().filter(is_new).count();
    }
    Ok(())
}

/// Composes the history log that the remote is to have.
fn compose_log(
    repo: &Repo,
    ours: &Snapshot,
    theirs: &Snapshot,
    may_travel: &dyn Fn(CommitId) -> bool,
    ledger: &mut Ledger,
    offer: &mut Offer,
) -> Result<(), Error> {
    let unshared = unshared_commits(repo, ours, theirs);
    let is_private = |id: &CommitId| !may_travel(*id);
    let private: FxHashSet<CommitId> = unshared.iter().copied().filter(is_private).collect();
    offer.withheld_commits = private.len();
    offer.new_commits = unshared.len() - private.len();
    // Also where nothing stays behind: a piece of ours may be a compaction of theirs.
    let known = log::open(repo, theirs.log(), &mut Vec::new());
    // What lies does not travel in part either.
    let mine = ours.log().admitted(ledger);
    let travelling = log::without(repo, &mine, &private, &known)?;
    offer.log = log::unite(repo, theirs.log(), &travelling, ledger, &mut Vec::new())?;
    ledger.revive(offer.log.ids().iter().map(|id| log::marked(*id)));
    Ok(())
}

/// Composes the vectors that the remote is to have of the segments of the offer: as many of those that are
/// new as may be sent with these at once, but always one.
fn compose_vectors(
    repo: &Repo,
    ours: &Snapshot,
    theirs: &Snapshot,
    travelling: &[OpenSegment],
    ledger: &mut Ledger,
    terms: Terms,
    offer: &mut Offer,
) -> Result<(), Error> {
    let sources = [theirs.segments(), ours.segments(), travelling].concat();
    let all = theirs
        .vectors()
        .unite(repo, ours.vectors(), &sources, ledger)?
        .carry(repo, &sources, &offer.set, ledger)?;
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
    offer.vectors = all.filtered(|_, _, id| !later.contains(&id));
    let named = offer.vectors.iter();
    ledger.revive(
        named
            .map(|(_, _, id)| vectors::marked(id))
            .collect::<Vec<_>>(),
    );
    Ok(())
}

/// Returns a segment without its private documents: itself, a smaller one, or none when that
/// would bring the remote nothing.
fn without(
    repo: &Repo,
    open: &OpenSegment,
    private: &FxHashSet<DocKey>,
    theirs: &Snapshot,
) -> Result<Option<OpenSegment>, Error> {
    if !keys(open).any(|key| private.contains(&key)) {
        return Ok(Some(open.clone()));
    }
    let keep = |key: &DocKey| !private.contains(key);
    let brings = keys(open).any(|key| keep(&key) && theirs.find(&key).is_none());
    // Else it is at most a compaction of what they have, which has to be worth sending it all.
    let replaces = |other: &&OpenSegment| keys(other).all(|key| open.find(&key).is_some());
    if !brings && theirs.segments().iter().filter(replaces).count() < FAN_IN {
        return Ok(None);
    }
    let bytes = segment::merge(repo.hash(), &[open.segment()], keep)?;
    OpenSegment::built(repo.hash(), bytes).map(Some)
}

/// Returns the new segments that may be sent at once: the smallest first, and always one.
fn within(
    set: &[OpenSegment],
    is_new: impl Fn(&OpenSegment) -> bool,
    most_bytes: u64,
) -> Vec<OpenSegment> {
    let mut new: Vec<OpenSegment> = set.iter().filter(|open| is_new(open)).cloned().collect();
    new.sort_by_key(|open| (open.segment().bytes().len(), open.id()));
    let mut sum = 0_u64;
    let room = new.iter().take_while(|open| {
        let first = sum == 0;
        sum += open.segment().bytes().len() as u64;
        first || sum <= most_bytes
    });
    let count = room.count();
    new.truncate(count);
    new
}

/// Writes the objects of an offer durably and returns its tip. No ref is moved.
///
/// # Errors
/// What the repository said.
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
    let mut parents: Vec<CommitId> = theirs.tip.filter(|_| terms.linear).into_iter().collect();
    let mut ids = Vec::with_capacity(offer.set.len());
    for open in &offer.set {
        if !open.is_stored {
            pack.blob(open.segment().bytes().to_vec())?;
        }
        ids.push(open.id());
    }
    let pieces = offer.traces.unwritten_bytes();
    let pieces = pieces.chain(offer.log.unwritten_bytes());
    for bytes in pieces.chain(offer.vectors.unwritten()) {
        pack.blob(bytes.to_vec())?;
    }
    let traces = offer.traces.ids().iter().map(TraceId::as_object);
    let log = offer.log.ids().iter().map(LogId::as_object);
    let parts = ids
        .iter()
        .map(|id| (Kind::Segment, id.as_object()))
        .chain(traces.map(|id| (Kind::Trace, id)))
        .chain(log.map(|id| (Kind::Log, id)));
    for (kind, id) in parts {
        let mut alone = PackWriter::new(hash);
        let part = manifest::part(&mut alone, kind, id)?;
        // What the remote's tip names is here, and stays here as long as it is tracked.
        if !known.contains(&part) {
            manifest::part(&mut pack, kind, id)?;
        }
        parents.push(part);
    }
    for (model, segment, block) in offer.vectors.iter() {
        let mut alone = PackWriter::new(hash);
        let part = manifest::vectors_part(&mut alone, model, segment, block)?;
        if !known.contains(&part) {
            manifest::vectors_part(&mut pack, model, segment, block)?;
        }
        parents.push(part);
    }
    let contents = Contents {
        segments: &ids,
        traces: offer.traces.ids(),
        log: offer.log.ids(),
        vectors: &offer.vectors,
        ledger: &offer.ledger,
    };
    let tip = manifest::write(&mut pack, hash, contents, &parents)?;
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
