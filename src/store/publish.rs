//! Moving the index ref: read the tip, form the union, write, compare and swap, or start over.

use super::contents::Contents;
use super::error::{Error, Warning, add_news};
use super::ledger::Ledger;
use super::log::folder::forget_named;
use super::pieces::Pieces;
use super::recheck::recheck_denied;
use super::segments::{OpenSegment, Segments};
use super::snapshot::Snapshot;
use super::trust::{Sample, open_fetched};
use super::union::{add, canonical_cut, merge_full_tiers, unite};
use super::vectors::{folder, named::Named};
use super::{files, manifest};
use crate::extract::fingerprint;
use crate::git::packs::Held;
use crate::git::refs::{self, Swap, Turn, backoff};
use crate::git::write::PackWriter;
use crate::git::{Repo, failpoint, packs, reflog};
use crate::id::{BlobId, CommitId, PartId, SegmentId};
use rustc_hash::FxHashSet;

/// How often a publication is tried while others move the ref.
///
/// Each loss means that somebody else's publication succeeded, so this many losses in a row take
/// this many other writers.
pub(super) const ATTEMPTS: u32 = 64;

/// Bytes of finished segments after which they are written and no longer held in memory.
const HELD_BYTES: usize = 64 << 20;

/// What is added to an index.
#[derive(Clone, Copy)]
pub(super) enum Addition<'a> {
    /// Segments that this process has built because their documents were wanted.
    Built(&'a [OpenSegment], Tiers),
    /// Another set, with all that it remembers.
    Set(&'a Snapshot),
    /// Parts of other kinds that this process has made.
    Pieces(&'a Pieces, &'static str),
    /// Vectors of its segments.
    Vectors(&'a Named),
}

/// What becomes of full tiers when segments are added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tiers {
    /// Nothing: these are the first segments of an index, or more are on their way.
    AsTheyAre,
    /// Each is merged into one.
    Merged,
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

impl Addition<'_> {
    fn why(&self) -> &'static str {
        match self {
            Self::Built(..) => "index: documents",
            Self::Set(_) => "index: union",
            Self::Pieces(_, why) => why,
            Self::Vectors(_) => "index: vectors",
        }
    }

    fn segments(&self) -> &[OpenSegment] {
        match self {
            Self::Built(segments, _) => segments,
            Self::Set(snapshot) => snapshot.segments(),
            Self::Pieces(..) | Self::Vectors(_) => &[],
        }
    }

    /// What is remembered once this is added.
    fn ledger(&self, current: &Ledger) -> Ledger {
        let mut ledger = current.clone();
        match self {
            Self::Built(segments, _) => ledger.revive(segments.iter().map(|open| open.id().into())),
            Self::Set(snapshot) => ledger.unite(snapshot.ledger()),
            Self::Vectors(named) => ledger.revive(named.unwritten_ids().map(PartId::from)),
            Self::Pieces(..) => {}
        }
        ledger
    }
}

/// Publishes the union of what the ref names at that moment and `added`.
///
/// `durable` names segments whose objects are written already. What `base` has open is reused. What was
/// wrong with the index that is replaced is a warning of the new one.
/// What is added may fill a tier, which is then merged in the same step, but for an empty index and as [`Tiers`] says.
/// Fails with [`Error::Contended`], or what the repository said.
pub(super) fn publish(
    repo: &Repo,
    base: &Snapshot,
    added: Addition,
    durable: Durable,
) -> Result<Snapshot, Error> {
    let moved = replace(repo, base, durable, &mut |current, _| {
        let mut warnings = base.warnings.clone();
        add_news(&mut warnings, &current.warnings);
        warnings.retain(|warning| !warning.is_harmless());
        let next = with_more(repo, current, added, &mut warnings)?;
        let forgets = next.ledger.denied().len() > current.ledger().denied().len();
        let why = match forgets {
            true => Move::Drops(added.why()),
            false => Move::Adds(added.why()),
        };
        Ok(Some((next, why, warnings)))
    })?;
    let Moved { before, after, out } = moved;
    let mut snapshot = after;
    folder::forget_replaced(repo, before.vectors(), snapshot.vectors());
    if snapshot.log() != before.log() {
        forget_named(repo, snapshot.log(), snapshot.ledger());
    }
    snapshot.warnings.extend(out.unwrap_or_default());
    Ok(snapshot)
}

/// What an index is to name once something is added.
fn with_more(
    repo: &Repo,
    current: &Snapshot,
    added: Addition,
    warnings: &mut Vec<Warning>,
) -> Result<Contents, Error> {
    let mut next = Contents {
        ledger: added.ledger(current.ledger()),
        ..current.contents.clone()
    };
    let (hash, ledger) = (repo.hash(), &next.ledger);
    let sources = [current.segments(), added.segments()].concat();
    let sources = recheck_denied(repo, sources, ledger)?;
    let mut is_settled = true;
    match added {
        Addition::Built(_, tiers) => {
            next.segments = add(hash, sources.clone(), ledger);
            is_settled = tiers == Tiers::AsTheyAre;
        }
        Addition::Set(theirs) => {
            let pieces = theirs.pieces();
            next.pieces = next.pieces.unite(repo, pieces, ledger, warnings)?;
            next.vectors = next
                .vectors
                .unite(repo, theirs.vectors(), &sources, ledger)?;
            next.segments = unite(hash, sources.clone(), ledger)?;
            is_settled = canonical_cut(&next.segments).is_some();
        }
        Addition::Pieces(more, _) => {
            next.pieces = next.pieces.add(repo, more, ledger, warnings)?;
            next.segments = sources.clone();
        }
        Addition::Vectors(more) => {
            next.vectors = next.vectors.unite(repo, more, &sources, ledger)?;
            next.segments = sources.clone();
        }
    }
    if !current.is_empty() && !is_settled {
        next.segments = merge_full_tiers(repo, next.segments)?;
    }
    next.vectors = next.vectors.carry(repo, &sources, &next.segments, ledger)?;
    if let Addition::Built(..) | Addition::Set(_) = added {
        let extractors = next.extractors();
        next.ledger.note_use(&extractors, fingerprint::is_ours);
    }
    Ok(next)
}

/// A move of the index ref that was made, or for which there was no reason.
pub(super) struct Moved<T> {
    /// The index that was replaced.
    pub before: Snapshot,
    /// The index now.
    pub after: Snapshot,
    /// What else came of making it; `None` when nothing was to be moved.
    pub out: Option<T>,
}

/// What [`replace`] is to do with an index: what the next tip names, what the move is for, and what else came of
/// it; `None` to leave it as it is.
type Replacement<T> = Option<(Contents, Move, T)>;

/// Makes it of an index and of what is written already.
type Make<'a, T> = dyn FnMut(&mut Snapshot, &mut Durable) -> Result<Replacement<T>, Error> + 'a;

/// Moves the index ref to what `make` makes of the index, and starts over when somebody else was faster. What
/// `known` has open is reused. Fails with [`Error::Contended`], or what `make` or the repository said.
pub(super) fn replace<T>(
    repo: &Repo,
    known: &Snapshot,
    mut durable: Durable,
    make: &mut Make<T>,
) -> Result<Moved<T>, Error> {
    let mut known = known.clone();
    let mut turn = Turn::default();
    for attempt in 1..=ATTEMPTS {
        turn.take(repo, attempt - 1);
        let mut before = Snapshot::reopen(repo, &known)?;
        let Some((mut next, why, out)) = make(&mut before, &mut durable)? else {
            let after = before.clone();
            return Ok(Moved {
                before,
                after,
                out: None,
            });
        };
        // A merge may end in what a collection has replaced before it was needed again.
        next.revive();
        durable.ids.extend(before.contents.segment_ids());
        if let Some(tip) = swap(repo, before.tip, &next, &mut durable, why)? {
            let (after, out) = (settle(repo, tip, next), Some(out));
            return Ok(Moved { before, after, out });
        }
        known = before;
        std::thread::sleep(backoff(attempt));
    }
    Err(Error::Contended(ATTEMPTS))
}

/// Writes what is not durable yet and moves the ref from `expected` to the tip of `next`; `None`
/// when the ref had moved meanwhile.
pub(super) fn swap(
    repo: &Repo,
    expected: Option<CommitId>,
    next: &Contents,
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
    durable.ids.extend(next.segment_ids());
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
    next: &Contents,
    durable: &FxHashSet<SegmentId>,
) -> Result<(PackWriter, CommitId), Error> {
    let mut pack = PackWriter::new(repo.hash());
    let objects = repo.objects();
    // What an earlier tip named may have been lost since, and a file of it be left.
    let is_there = |id: SegmentId| durable.contains(&id) && objects.contains(id.as_object());
    for open in next.segments.iter().filter(|open| !is_there(open.id())) {
        let written = pack.blob(open.bytes().to_vec())?;
        if written != BlobId::from(PartId::from(open.id())) {
            return Err(Error::Damaged {
                id: open.id(),
                reason: format!("its bytes have the id {written}"),
            });
        }
    }
    for bytes in next.unwritten() {
        pack.blob(bytes.to_vec())?;
    }
    let tip = manifest::write(&mut pack, repo.hash(), &next.segment_ids(), next, &[])?;
    Ok((pack, tip))
}

/// Gives everything published its file and returns it as a snapshot.
fn settle(repo: &Repo, tip: CommitId, next: Contents) -> Snapshot {
    let mut warnings = Vec::new();
    let mut settled = Contents {
        segments: Vec::with_capacity(next.segments.len()),
        pieces: next.pieces.settled(repo),
        vectors: next.vectors.settled(),
        ledger: next.ledger,
    };
    for open in next.segments {
        let mut open = give_file(repo, open, &mut warnings);
        open.is_stored = true;
        settled.segments.push(open);
    }
    let mut snapshot = Snapshot::of(Some(tip), settled);
    snapshot.warnings = warnings;
    snapshot
}

/// Writes finished segments, which no ref names yet, once there are many bytes of them, and lets go of the memory.
/// Where nothing can be written they stay.
pub(super) fn put_away(
    repo: &Repo,
    segments: &mut Vec<OpenSegment>,
    durable: &mut Durable,
    warnings: &mut Vec<Warning>,
) -> Result<(), Error> {
    let in_memory = |open: &&OpenSegment| !open.is_kept;
    let held = segments.iter().filter(in_memory);
    let bytes: usize = held.map(|open| open.bytes().len()).sum();
    if bytes < HELD_BYTES {
        return Ok(());
    }
    let mut pack = PackWriter::new(repo.hash());
    for open in segments.iter().filter(in_memory) {
        pack.blob(open.bytes().to_vec())?;
    }
    match pack.write(repo) {
        Ok(held) => durable.held.join(held),
        // Publishing will find the same and settle for memory.
        Err(err) if err.is_unwritable() => return Ok(()),
        Err(err) => return Err(err.into()),
    }
    durable.ids.extend(segments.iter().map(OpenSegment::id));
    for open in segments {
        *open = give_file(repo, open.clone(), warnings);
    }
    Ok(())
}

/// Moves a built segment from memory to its file, if that can be written.
pub(super) fn give_file(
    repo: &Repo,
    mut open: OpenSegment,
    warnings: &mut Vec<Warning>,
) -> OpenSegment {
    if !open.is_kept
        && let Some(segment) = files::keep::<Segments>(repo, open.id(), open.bytes(), warnings)
    {
        open = open.with(segment);
    }
    open.is_kept = true;
    open
}

/// Publishes the union of our index and one that was fetched, as far as it can be believed
/// (`sverklo.sample`, see [`Sample`]). Fails with [`Error::Contended`], or what the repository said.
/// What is wrong with the fetched index is a warning of the returned snapshot.
pub fn union(repo: &Repo, fetched: CommitId) -> Result<Snapshot, Error> {
    union_with(repo, fetched, Sample::configured(repo))
}

/// As [`union`], with another number of documents that are extracted again.
pub fn union_with(repo: &Repo, fetched: CommitId, sample: Sample) -> Result<Snapshot, Error> {
    let ours = Snapshot::open(repo)?;
    let theirs = open_fetched(repo, fetched, &ours, sample);
    // The tracking ref reaches them.
    let durable = Durable {
        ids: theirs.contents.segment_ids().into_iter().collect(),
        held: Held::nothing(),
    };
    let mut merged = if theirs.contents.is_empty() {
        ours
    } else {
        publish(repo, &ours, Addition::Set(&theirs), durable)?
    };
    merged.warnings.extend(theirs.warnings);
    Ok(merged)
}
