//! What is believed of a fetched index, and what is set aside.
//!
//! A part that comes from elsewhere was parsed and verified when it was opened, so it is
//! canonical; whether it is true is another question ([`super::judge`]).
//!
//! Guarantees: an honest part is never set aside, because extraction is a pure function; what
//! is set aside is neither in our set nor given on.

use super::crowd::Crowd;
use super::error::Warning;
use super::judge::Judge;
use super::part_ref::PartRef;
use super::parts::{Judgement, WRONG_BEFORE};
use super::segments::{OpenSegment, Segments};
use super::snapshot::Snapshot;
use super::vectors::{folder, trust as vectors};
use super::{aside, files};
use crate::git::{Repo, keys};
use crate::id::{CommitId, PartId, SegmentId};
use rustc_hash::FxHashSet;

/// How many documents of a fetched segment are extracted again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// This many, and all of a segment that has no more.
    Some(usize),
    /// All whose blobs are in the object store.
    All,
}

impl Default for Sample {
    /// A lie about one document in ten is found in half of all cases by 7 documents; and 8 of each
    /// segment cost less than verifying it does.
    fn default() -> Self {
        Self::Some(8)
    }
}

impl Sample {
    /// Returns what `sverklo.sample` asks for: a number or `all`; the default when it is not set
    /// or neither.
    pub fn configured(repo: &Repo) -> Self {
        match repo.config_str(keys::SAMPLE).as_deref() {
            Some("all") => Self::All,
            Some(text) => text.parse().map_or_else(|_| Self::default(), Self::Some),
            None => Self::default(),
        }
    }

    pub(super) fn count(self) -> usize {
        match self {
            Self::Some(count) => count,
            Self::All => usize::MAX,
        }
    }
}

/// Sets aside segments of our own that were caught lying: no snapshot has them from now on, so what they
/// held is extracted again by whoever asks for it, and published without them.
pub fn disown(repo: &Repo, ids: &[SegmentId]) {
    aside::add(repo, ids.iter().map(|id| PartId::from(*id)));
    remove_files(repo, ids);
}

/// Removes the files of segments and of their vectors: whoever opens a file trusts it.
pub(super) fn remove_files(repo: &Repo, ids: &[SegmentId]) {
    files::remove::<Segments>(repo, ids);
    folder::remove(repo, ids);
}

/// Opens what was fetched without what cannot be believed. What was left out, and why, is a
/// warning of the snapshot.
pub fn open_fetched(repo: &Repo, tip: CommitId, ours: &Snapshot, sample: Sample) -> Snapshot {
    let known_bad = aside::read(repo);
    let mut stranger = Stranger {
        theirs: Snapshot::at_without(repo, tip, ours, &known_bad),
        tip,
        aside: Vec::new(),
    };
    stranger.set_aside_unfit();
    let found = judge_segments(repo, ours, &stranger.theirs, sample);
    let gone: Vec<SegmentId> = found.left_out().into_iter().map(SegmentId::from).collect();
    remove_files(repo, &gone);
    let contents = stranger.theirs.contents_mut();
    contents.segments.retain(|open| !gone.contains(&open.id()));
    stranger.tell(found);

    let pieces = &mut stranger.theirs.contents_mut().pieces;
    let found = pieces.judge(repo, ours.pieces(), &known_bad, sample.count());
    stranger.tell(found);

    let is_bad = |block| known_bad.contains(&PartId::from(block));
    let known = stranger.theirs.vectors().iter();
    let known = known.filter(|(_, _, block)| is_bad(*block));
    let known = known.map(|(model, segment, block)| {
        let part = PartRef::vectors(model, segment, block);
        (part, WRONG_BEFORE.to_owned())
    });
    let found = Judgement {
        lies: known.collect(),
        ..Judgement::default()
    };
    stranger.drop_vectors(&found);
    stranger.tell(found);
    let found = vectors::judge(repo, ours.vectors(), &stranger.theirs, sample.count());
    stranger.drop_vectors(&found);
    stranger.tell(found);
    aside::add(repo, stranger.aside);
    stranger.theirs
}

/// Judges the segments of a stranger that ours does not have.
fn judge_segments(repo: &Repo, ours: &Snapshot, theirs: &Snapshot, sample: Sample) -> Judgement {
    let own: FxHashSet<SegmentId> = ours.segments().iter().map(OpenSegment::id).collect();
    let foreign = theirs.segments().iter();
    let foreign: Vec<OpenSegment> = foreign
        .filter(|open| !own.contains(&open.id()))
        .cloned()
        .collect();
    let mut judge = Judge::new(repo, ours.segments(), sample.count());
    let crowd = Crowd::of(repo, &repo.objects(), ours, &foreign);
    for open in &foreign {
        match crowd.refuses(open) {
            Some(reason) => {
                let part = PartRef::of::<Segments>(open.id());
                judge.found.disputed.push((part, reason));
            }
            None => drop(judge.believes(open)),
        }
    }
    judge.finish()
}

/// A fetched index while it is judged.
struct Stranger {
    theirs: Snapshot,
    tip: CommitId,
    /// What is to be set aside.
    aside: Vec<PartId>,
}

impl Stranger {
    /// Sets aside segments that are not what they must be.
    fn set_aside_unfit(&mut self) {
        for warning in &mut self.theirs.warnings {
            if let Warning::Bad { part, reason } = warning
                && part.is::<Segments>()
            {
                self.aside.push(part.id);
                *warning = Warning::Distrusted {
                    part: part.clone(),
                    from: self.tip,
                    reason: std::mem::take(reason),
                };
            }
        }
    }

    /// Says what was found, and remembers it.
    fn tell(&mut self, found: Judgement) {
        let from = self.tip;
        self.aside
            .extend(found.lies.iter().map(|(part, _)| part.id));
        let wrong = found.wrong.iter().map(|(part, _)| part.id);
        self.theirs.contents_mut().ledger.bury(wrong);
        let unreadable = found.unreadable.into_iter();
        let unreadable = unreadable.map(|(part, reason)| Warning::Bad { part, reason });
        let wrong = found.wrong.into_iter();
        let wrong = wrong.map(|(part, reason)| Warning::Wrong { part, reason });
        let disputed = found.disputed.into_iter();
        let disputed = disputed.map(|(part, reason)| Warning::Disputed { part, from, reason });
        let lies = found.lies.into_iter();
        let lies = lies.map(|(part, reason)| Warning::Distrusted { part, from, reason });
        let all = unreadable.chain(wrong).chain(disputed).chain(lies);
        self.theirs.warnings.extend(all);
    }

    fn drop_vectors(&mut self, found: &Judgement) {
        let gone = found.left_out();
        let contents = self.theirs.contents_mut();
        let vectors = std::mem::take(&mut contents.vectors);
        contents.vectors = vectors.filtered(|_, _, block| !gone.contains(&block.into()));
    }
}
