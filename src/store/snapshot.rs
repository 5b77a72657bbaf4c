//! A segment set, pinned and opened: what one request is answered from.
//!
//! Whatever is published or collected meanwhile, a snapshot stays what it was.

use super::contents::Contents;
use super::error::{Error, Warning};
use super::facts::piece::FactPieces;
use super::files::{self, Unread};
use super::ledger::Ledger;
use super::log::piece::LogPieces;
use super::parallel::{cores, map};
use super::part_ref::PartRef;
use super::parts::{Parts, WRONG_BEFORE};
use super::pieces::Pieces;
use super::segments::{OpenSegment, Segments};
use super::trace::piece::TracePieces;
use super::vectors::named::Named;
use super::{aside, manifest};
use crate::extract::record::{DocKey, RowKey};
use crate::git::{Repo, refs};
use crate::id::{BlobId, CommitId, DocAddress, PartId, SegmentId, SegmentOrd};
use crate::segment::Segment;
use rustc_hash::FxHashSet;

/// A segment set that is opened for reading. Cloning shares the segments.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// What the ref named, usable or not; `None` when it did not exist.
    pub tip: Option<CommitId>,
    /// What was worked around while it was opened.
    pub warnings: Vec<Warning>,
    /// What the tip names. All but segments is named, not opened: few questions ask for it.
    pub(super) contents: Contents,
}

impl Snapshot {
    /// Opens what the index ref names at this moment; an empty snapshot when there is none. Fails when
    /// the ref cannot be read. A bad tip or segment is a warning and counts as absent.
    pub fn open(repo: &Repo) -> Result<Self, Error> {
        Self::reopen(repo, &Self::default())
    }

    /// Opens what the index ref names, taking over the segments that `known` has open already.
    /// Segments that are only in memory are not taken over. Fails as [`Snapshot::open`] does.
    pub fn reopen(repo: &Repo, known: &Self) -> Result<Self, Error> {
        let tip = refs::read(repo, &repo.ref_names().index())?.map(CommitId::new);
        let Some(tip) = tip else {
            return Ok(Self::default());
        };
        let aside = aside::read(repo);
        let mut segments = known.segments().iter();
        let is_sound = segments.all(|open| !aside.contains(&open.id().into()))
            && known.warnings.iter().all(Warning::is_harmless);
        match known.tip {
            Some(of) if of == tip && is_sound => {
                let mut same = known.clone();
                same.contents.segments.retain(|open| open.is_stored);
                // These were about segments that are not taken over.
                same.warnings.retain(|warning| {
                    !matches!(warning, Warning::NotStored { .. } | Warning::Recovered(_))
                });
                Ok(same)
            }
            _ => {
                let mut out = Self::at_without(repo, tip, known, &aside);
                out.warnings.iter_mut().for_each(own_lie);
                Ok(out)
            }
        }
    }

    /// Opens the segments of a tip that need not be the ref's, such as one that was fetched.
    /// What is wrong with it is a warning.
    pub fn at(repo: &Repo, tip: CommitId, known: &Self) -> Self {
        Self::at_without(repo, tip, known, &FxHashSet::default())
    }

    /// As [`Snapshot::at`], without the segments in `left_out`.
    pub(super) fn at_without(
        repo: &Repo,
        tip: CommitId,
        known: &Self,
        left_out: &FxHashSet<PartId>,
    ) -> Self {
        let found = manifest::read(repo, &mut repo.objects(), tip);
        let mut out = Self {
            tip: Some(tip),
            warnings: found.warnings,
            contents: found.contents,
        };
        let (ids, bad): (Vec<_>, Vec<_>) = found
            .segments
            .into_iter()
            .partition(|id| !left_out.contains(&(*id).into()));
        out.warnings
            .extend(bad.into_iter().map(|id| Warning::Distrusted {
                part: PartRef::of::<Segments>(id),
                from: tip,
                reason: WRONG_BEFORE.to_owned(),
            }));
        let open = known.segments().iter().filter(|open| open.is_stored);
        let mut wanted = Vec::new();
        for id in ids {
            match open.clone().find(|open| open.id() == id) {
                Some(open) => out.contents.segments.push(open.clone()),
                None => wanted.push(id),
            }
        }
        // One that has no file yet is inflated and verified.
        let begin = || repo.objects();
        let opened = map(&wanted, cores(), begin, |objects, id| {
            let mut warnings = Vec::new();
            let opened = files::open::<Segments>(repo, objects, *id, &mut warnings);
            (opened, warnings)
        });
        for (id, (opened, warnings)) in wanted.into_iter().zip(opened) {
            out.warnings.extend(warnings);
            match opened {
                Ok(segment) => out.contents.segments.push(OpenSegment::stored(id, segment)),
                Err(why) => out.warnings.push(absent(id, why)),
            }
        }
        out.contents.segments.sort_by_key(OpenSegment::id);
        out.warnings
            .extend(repo.kept().recovered().map(Warning::Recovered));
        out.warnings.dedup();
        out
    }

    /// Adds the segments of `other` that are only in memory.
    pub(super) fn take_unstored(&mut self, other: &Self) {
        let unstored = other.segments().iter().filter(|open| !open.is_stored);
        let segments = &mut self.contents.segments;
        segments.extend(unstored.cloned());
        segments.sort_by_key(OpenSegment::id);
        segments.dedup_by_key(|open| open.id());
    }

    /// Wraps what a tip names; its segments may be in any order, and be there twice.
    pub(super) fn of(tip: Option<CommitId>, mut contents: Contents) -> Self {
        contents.segments.sort_by_key(OpenSegment::id);
        contents.segments.dedup_by_key(|open| open.id());
        Self {
            tip,
            warnings: Vec::new(),
            contents,
        }
    }

    /// The same, to leave something out.
    pub(super) fn contents_mut(&mut self) -> &mut Contents {
        &mut self.contents
    }

    /// Returns the segments in the order of their ids; [`SegmentOrd`] is the position in it.
    pub fn segments(&self) -> &[OpenSegment] {
        &self.contents.segments
    }

    /// The parts beside its segments.
    pub(super) fn pieces(&self) -> &Pieces {
        &self.contents.pieces
    }

    /// The pieces of its traces, for [`super::trace::Traces::open`].
    pub fn traces(&self) -> &Parts<TracePieces> {
        &self.contents.pieces.traces
    }

    /// The pieces of its facts, for [`super::facts::CompilerFacts::open`].
    pub fn facts(&self) -> &Parts<FactPieces> {
        &self.contents.pieces.facts
    }

    /// The pieces of its history log.
    pub fn log(&self) -> &Parts<LogPieces> {
        &self.contents.pieces.log
    }

    /// The vectors that its tip names, for [`super::vectors::Blocks`].
    pub fn vectors(&self) -> &Named {
        &self.contents.vectors
    }

    /// What the set remembers besides its segments.
    pub fn ledger(&self) -> &Ledger {
        &self.contents.ledger
    }

    /// Returns one segment.
    pub fn segment(&self, ord: SegmentOrd) -> Option<&Segment> {
        let open = self.segments().get(ord.index());
        open.map(|open| &**open.segment())
    }

    /// Whether there is no segment.
    pub fn is_empty(&self) -> bool {
        self.segments().is_empty()
    }

    /// Number of rows; one that is in two segments counts twice, and so does a document by two extractors.
    pub fn doc_count(&self) -> u64 {
        let counts = self.segments().iter();
        counts
            .map(|open| u64::from(open.segment().doc_count()))
            .sum()
    }

    /// Whether some segment has what an extractor says of a document.
    pub(super) fn has_row(&self, key: &RowKey) -> bool {
        self.segments().iter().any(|open| open.covers(key))
    }

    /// Finds what this program's extractor says of a document in the first segment that has it.
    pub fn find(&self, key: &DocKey) -> Option<DocAddress> {
        self.segments().iter().enumerate().find_map(|(ord, open)| {
            open.find(key).map(|doc| DocAddress {
                segment: SegmentOrd(ord as u32),
                doc,
            })
        })
    }

    /// Whether there is a document of a blob, under whatever grammar.
    pub fn holds(&self, blob: BlobId) -> bool {
        self.segments().iter().any(|open| open.holds(blob))
    }

    /// Returns a number that names the set of segments: equal sets, equal numbers.
    pub fn fingerprint(&self) -> u128 {
        let mut bytes = Vec::with_capacity(self.segments().len() * 32);
        self.segments()
            .iter()
            .for_each(|open| bytes.extend_from_slice(open.id().as_bytes()));
        xxhash_rust::xxh3::xxh3_128(&bytes)
    }
}

/// Of a part set aside that our own index names: it is wrong, not a stranger's.
fn own_lie(warning: &mut Warning) {
    if let Warning::Distrusted { part, reason, .. } = warning {
        let (part, reason) = (part.clone(), std::mem::take(reason));
        *warning = Warning::Wrong { part, reason };
    }
}

/// Says why a segment counts as absent.
pub(super) fn absent(id: SegmentId, why: Unread) -> Warning {
    let part = PartRef::of::<Segments>(id);
    match why {
        Unread::Unfit(reason) => Warning::Bad { part, reason },
        Unread::Unreadable(reason) => Warning::Unreadable { part, reason },
    }
}
