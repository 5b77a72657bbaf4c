//! Moving the index ref: read the tip, form the union, write, compare and swap, or start over.

use super::cache::{self, Origin};
use super::compact::{self, Candidate};
use super::manifest::Contents;
use super::partition::{Measured, weight};
use super::proof::{prove_all, prove_denied};
use super::snapshot::{OpenSegment, Snapshot};
use super::trace::{self, Observed, Pieces};
use super::trust::{Sample, open_fetched};
use super::union::normalize;
use super::unite::{add, canonical_cut, unite};
use super::vectors::{self, Named};
use super::{Error, Ledger, log, manifest};
use crate::git::packs::Held;
use crate::git::refs::{self, Swap, Turn, backoff};
use crate::git::write::PackWriter;
use crate::git::{Repo, failpoint, packs, reflog};
use crate::id::{CommitId, DocId, SegmentId};
use crate::segment;
use rustc_hash::FxHashSet;

/// How often a publication is tried while others move the ref.
///
/// Each loss means that somebody else's publication succeeded, so this many losses in a row take
/// this many other writers.
pub(super) const ATTEMPTS: u32 = 64;

/// What is added to an index.
#[derive(Clone, Copy)]
pub(super) enum Addition<'a> {
    /// Segments that this process has built because their documents were wanted.
    Built(&'a [OpenSegment]),
    /// Another set, with all that it remembers.
    Set(&'a Snapshot),
    /// What was observed of blobs.
    Traces(&'a Observed),
    /// Pieces of the history log that this process has made.
    Log(&'a [log::OpenPiece]),
    /// Vectors of its segments.
    Vectors(&'a Named),
}

/// Segments that need not be written again, and what holds those of them that no ref names yet.
#[derive(Default)]
pub(super) struct Durable {
    pub ids: FxHashSet<SegmentId>,
    pub held: Held,
}

/// What a move of the index ref is for; its log says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Move {
    /// More is known than before.
    Adds(&'static str),
    /// Something is to be gone, so that nothing may lead back to it.
    Drops(&'static str),
}

/// All that a tip is to name.
pub(super) struct Next {
    /// Segments, in the order of their ids.
    pub set: Vec<OpenSegment>,
    /// Traces.
    pub traces: Pieces,
    /// The history log.
    pub log: log::Pieces,
    /// Vectors of the segments.
    pub vectors: Named,
    /// What is remembered besides.
    pub ledger: Ledger,
}

impl Next {
    /// Takes back that what is named must not come back.
    pub fn revive(&mut self) {
        let segments = self.set.iter().map(OpenSegment::id);
        let traces = self.traces.ids().iter().map(|id| trace::marked(*id));
        let log = self.log.ids().iter().map(|id| log::marked(*id));
        let vectors = self.vectors.iter().map(|(_, _, id)| vectors::marked(id));
        self.ledger
            .revive(segments.chain(traces).chain(log).chain(vectors));
    }
}

impl Addition<'_> {
    fn why(&self) -> &'static str {
        match self {
            Self::Built(_) => "index: documents",
            Self::Set(_) => "index: union",
            Self::Traces(_) => "index: traces",
            Self::Log(_) => "index: commits",
            Self::Vectors(_) => "index: vectors",
        }
    }

    fn segments(&self) -> &[OpenSegment] {
        match self {
            Self::Built(segments) => segments,
            Self::Set(snapshot) => snapshot.segments(),
            Self::Traces(_) | Self::Log(_) | Self::Vectors(_) => &[],
        }
    }

    /// What is remembered once this is added.
    fn ledger(&self, current: &Ledger) -> Ledger {
        let mut ledger = current.clone();
        match self {
            Self::Built(segments) => ledger.revive(segments.iter().map(OpenSegment::id)),
            Self::Set(snapshot) => ledger.unite(snapshot.ledger()),
            Self::Vectors(named) => ledger.revive(named.unwritten_ids().map(vectors::marked)),
            Self::Traces(_) | Self::Log(_) => {}
        }
        ledger
    }
}

/// Publishes the union of what the ref names at that moment and `added`.
///
/// `durable` names segments whose objects are written already. What `base` has open is reused. What was
/// wrong with the index that is replaced is a warning of the new one.
/// The first segments of an index are published as they are; later ones may fill a tier, and are
/// then merged in the same step.
///
/// # Errors
/// [`Error::Contended`], or what the repository said.
pub(super) fn publish(
    repo: &Repo,
    base: &Snapshot,
    added: Addition,
    mut durable: Durable,
) -> Result<Snapshot, Error> {
    let mut turn = Turn::default();
    for attempt in 1..=ATTEMPTS {
        turn.take(repo, attempt - 1);
        let current = Snapshot::reopen(repo, base)?;
        let ledger = added.ledger(current.ledger());
        let both = [current.segments(), added.segments()].concat();
        let both = prove_denied(repo, both, &ledger)?;
        let (mut traces, mut warnings) = (current.traces().clone(), base.warnings.clone());
        for warning in &current.warnings {
            if !warnings.contains(warning) {
                warnings.push(warning.clone());
            }
        }
        warnings.retain(|warning| !warning.is_harmless());
        let mut commits = current.log().clone();
        let mut vectors = current.vectors().clone();
        let sources = both.clone();
        let (mut set, is_settled) = match added {
            Addition::Built(_) => (add(both, &ledger), false),
            Addition::Set(theirs) => {
                traces = trace::unite(repo, &traces, theirs.traces(), &ledger, &mut warnings)?;
                commits = log::unite(repo, &commits, theirs.log(), &ledger, &mut warnings)?;
                vectors = vectors.unite(repo, theirs.vectors(), &sources, &ledger)?;
                let set = unite(both, &ledger);
                let is_canonical = canonical_cut(&set).is_some();
                (set, is_canonical)
            }
            Addition::Traces(observed) => {
                traces = trace::add(repo, &traces, observed, &ledger, &mut warnings)?;
                (both, true)
            }
            Addition::Log(pieces) => {
                commits = log::add(repo, &commits, pieces, &ledger, &mut warnings)?;
                (both, true)
            }
            Addition::Vectors(more) => {
                vectors = vectors.unite(repo, more, &sources, &ledger)?;
                (both, true)
            }
        };
        if !current.is_empty() && !is_settled {
            set = merge_full_tiers(repo, set)?;
        }
        let vectors = vectors.carry(repo, &sources, &set, &ledger)?;
        let mut next = Next {
            set,
            traces,
            log: commits,
            vectors,
            ledger,
        };
        // A merge may end in what was absorbed before it was needed again.
        next.revive();
        let stored: FxHashSet<SegmentId> = current.segments().iter().map(OpenSegment::id).collect();
        durable.ids.extend(&stored);
        let forgets = next.ledger.denied().len() > current.ledger().denied().len();
        let why = match forgets {
            true => Move::Drops(added.why()),
            false => Move::Adds(added.why()),
        };
        match swap(repo, current.tip, &next, &mut durable, why)? {
            Some(tip) => {
                let mut snapshot = settle(repo, tip, next);
                vectors::forget_replaced(repo, current.vectors(), snapshot.vectors());
                if snapshot.log().ids() != current.log().ids() {
                    log::forget_named(repo, snapshot.log(), snapshot.ledger());
                }
                snapshot.warnings.extend(warnings);
                return Ok(snapshot);
            }
            None => std::thread::sleep(backoff(attempt)),
        }
    }
    Err(Error::Contended { attempts: ATTEMPTS })
}

/// Writes what is not durable yet and moves the ref from `expected` to the tip of `next`; `None`
/// when the ref had moved meanwhile.
pub(super) fn swap(
    repo: &Repo,
    expected: Option<CommitId>,
    next: &Next,
    durable: &mut Durable,
    why: Move,
) -> Result<Option<CommitId>, Error> {
    let (pack, tip) = tip_of(repo, next, &durable.ids)?;
    let name = repo.ref_names().index();
    if expected == Some(tip) {
        packs::release_abandoned(repo);
        cut_log(repo, &name, why);
        return Ok(expected);
    }
    durable.held.join(pack.write(repo)?);
    durable.ids.extend(next.set.iter().map(OpenSegment::id));
    failpoint::hit("pack-written");
    let (Move::Adds(said) | Move::Drops(said)) = why;
    if let Move::Drops(_) = why {
        reflog::will_expire(repo, &name);
    }
    let expected = expected.map(|tip| tip.as_object());
    match refs::compare_and_swap(repo, &name, tip.as_object(), expected, &durable.held, said)? {
        Swap::Moved => {
            cut_log(repo, &name, why);
            Ok(Some(tip))
        }
        Swap::Lost => Ok(None),
    }
}

/// Keeps the log of the index ref short, and lets nothing lead back to what is to be gone.
fn cut_log(repo: &Repo, name: &str, why: Move) {
    // Whoever moves the ref next tries again.
    let _ = match why {
        Move::Adds(_) => {
            reflog::expire_if_due(repo, name);
            reflog::trim(repo, name)
        }
        Move::Drops(_) => reflog::expire(repo, name),
    };
}

/// Collects the objects of a set's tip that are not durable yet, and names the tip.
pub(super) fn tip_of(
    repo: &Repo,
    next: &Next,
    durable: &FxHashSet<SegmentId>,
) -> Result<(PackWriter, CommitId), Error> {
    let mut pack = PackWriter::new(repo.hash());
    let ids: Vec<SegmentId> = next.set.iter().map(OpenSegment::id).collect();
    let objects = repo.objects();
    // What an earlier tip named may have been lost since, and a file of it be left.
    let is_there = |id: SegmentId| durable.contains(&id) && objects.contains(id.as_object());
    for open in next.set.iter().filter(|open| !is_there(open.id())) {
        let written = pack.blob(open.segment().bytes().to_vec())?;
        if written.as_object() != open.id().as_object() {
            return Err(Error::Damaged {
                id: open.id(),
                reason: format!("its bytes have the id {written}"),
            });
        }
    }
    let pieces = next.traces.unwritten_bytes();
    let pieces = pieces.chain(next.log.unwritten_bytes());
    for bytes in pieces.chain(next.vectors.unwritten()) {
        pack.blob(bytes.to_vec())?;
    }
    let contents = Contents {
        segments: &ids,
        traces: next.traces.ids(),
        log: next.log.ids(),
        vectors: &next.vectors,
        ledger: &next.ledger,
    };
    let tip = manifest::write(&mut pack, repo.hash(), contents, &[])?;
    Ok((pack, tip))
}

/// Gives everything published its file and returns it as a snapshot.
pub(super) fn settle(repo: &Repo, tip: CommitId, next: Next) -> Snapshot {
    let mut warnings = Vec::new();
    let mut set: Vec<OpenSegment> = next
        .set
        .into_iter()
        .map(|open| give_file(repo, open, &mut warnings))
        .collect();
    set.iter_mut().for_each(|open| open.is_stored = true);
    let traces = next.traces.settled();
    let log = log::settle(repo, next.log);
    let mut snapshot = Snapshot::from_parts(Some(tip), set, next.ledger);
    snapshot = snapshot.with(traces, log, next.vectors.settled());
    snapshot.warnings = warnings;
    snapshot
}

/// Moves a built segment from memory to its file, if that can be written.
pub(super) fn give_file(
    repo: &Repo,
    open: OpenSegment,
    warnings: &mut Vec<super::Warning>,
) -> OpenSegment {
    if open.is_kept {
        return open;
    }
    let bytes = open.segment().bytes().to_vec();
    match cache::keep(repo, open.id(), bytes, Origin::Built, warnings) {
        Ok(segment) => open.with_file(segment),
        Err(_) => open,
    }
}

/// Replaces each full tier by the segment it is merged into. A merge that fails, because a
/// segment is damaged or the result too large, leaves its inputs as they are.
fn merge_full_tiers(repo: &Repo, set: Vec<OpenSegment>) -> Result<Vec<OpenSegment>, Error> {
    if set.len() < compact::FAN_IN {
        return Ok(set);
    }
    let candidates: Vec<Candidate> = set
        .iter()
        .map(|open| Candidate {
            id: open.id(),
            weight: weight_of(open),
        })
        .collect();
    let mut out = set;
    for group in compact::plan(&candidates) {
        let is_in = |open: &&OpenSegment| group.contains(&open.id());
        let parts: Vec<OpenSegment> = out.iter().filter(is_in).cloned().collect();
        let Ok(parts) = prove_all(repo, &parts) else {
            continue;
        };
        let parts: Vec<&segment::Segment> = parts.iter().map(|open| &**open.segment()).collect();
        let Ok(bytes) = segment::merge(repo.hash(), &parts, |_| true) else {
            continue;
        };
        let merged = OpenSegment::built(repo.hash(), bytes)?;
        out.retain(|open| !group.contains(&open.id()));
        out.push(merged);
    }
    Ok(normalize(out))
}

/// Sums the weights of a segment's documents, no further than it takes to see that it is sealed.
fn weight_of(open: &OpenSegment) -> u64 {
    let segment = open.segment();
    let mut sum = 0;
    for doc in (0..segment.doc_count()).map(DocId) {
        sum += weight(&Measured {
            key: segment.key(doc),
            size: segment.doc(doc).size,
        });
        if sum >= compact::SEALED {
            break;
        }
    }
    sum
}

/// Publishes the union of our index and one that was fetched, as far as it can be believed
/// (`sverklo.sample`, see [`Sample`]).
///
/// # Errors
/// [`Error::Contended`], or what the repository said. What is wrong with the fetched index is a
/// warning of the returned snapshot.
pub fn union(repo: &Repo, fetched: CommitId) -> Result<Snapshot, Error> {
    union_with(repo, fetched, Sample::configured(repo))
}

/// As [`union`], with another number of documents that are extracted again.
///
/// # Errors
/// As [`union`].
pub fn union_with(repo: &Repo, fetched: CommitId, sample: Sample) -> Result<Snapshot, Error> {
    let ours = Snapshot::open(repo)?;
    let theirs = open_fetched(repo, fetched, &ours, sample);
    // The tracking ref reaches them.
    let durable = Durable {
        ids: theirs.segments().iter().map(OpenSegment::id).collect(),
        held: Held::nothing(),
    };
    let brings_nothing = theirs.is_empty()
        && theirs.ledger().is_empty()
        && theirs.traces().is_empty()
        && theirs.log().is_empty()
        && theirs.vectors().is_empty();
    let mut merged = if brings_nothing {
        ours
    } else {
        publish(repo, &ours, Addition::Set(&theirs), durable)?
    };
    merged.warnings.extend(theirs.warnings);
    Ok(merged)
}
