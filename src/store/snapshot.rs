//! A segment set, pinned and opened: what one request is answered from.
//!
//! Whatever is published or collected meanwhile, a snapshot stays what it was.

use super::partition::Measured;
use super::trace::Pieces;
use super::union::Covering;
use super::vectors::Named;
use super::{Error, Ledger, Warning, cache, log, manifest, trust};
use crate::extract::record::DocKey;
use crate::git::write::blob_id;
use crate::git::{Repo, refs};
use crate::id::{BlobId, CommitId, DocId, LiveDoc, LogId, SegmentId, SegmentOrd};
use crate::segment::Segment;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A segment of a snapshot.
#[derive(Clone)]
pub struct OpenSegment {
    id: SegmentId,
    segment: Arc<Segment>,
    /// First and last key, to pass over segments that cannot have a document.
    range: Option<(DocKey, DocKey)>,
    /// Whether it has a file, or was found to have none for a reason.
    pub(super) is_kept: bool,
    /// Whether the tip names it, and so the object store has it.
    pub(super) is_stored: bool,
}

impl OpenSegment {
    /// Wraps a segment of the tip that [`cache`] opened.
    fn stored(id: SegmentId, segment: Segment) -> Self {
        Self {
            id,
            range: segment.key_range(),
            segment: Arc::new(segment),
            is_kept: true,
            is_stored: true,
        }
    }

    /// Opens a segment that this process has just built.
    pub(super) fn built(hash: gix::hash::Kind, bytes: Vec<u8>) -> Result<Self, Error> {
        let id = SegmentId::new(blob_id(hash, &bytes)?.as_object());
        let segment = Segment::open(bytes)?;
        Ok(Self {
            id,
            range: segment.key_range(),
            segment: Arc::new(segment.named(id)),
            is_kept: false,
            is_stored: false,
        })
    }

    /// Exchanges the bytes in memory for those of the file that was made of them.
    pub(super) fn with_file(mut self, segment: Segment) -> Self {
        self.segment = Arc::new(segment);
        self.is_kept = true;
        self
    }

    /// The same segment with bytes of the object store; it will have a file again.
    pub(super) fn with_bytes(&self, segment: Segment) -> Self {
        Self {
            segment: Arc::new(segment),
            is_kept: false,
            ..self.clone()
        }
    }

    /// Names the segment.
    pub fn id(&self) -> SegmentId {
        self.id
    }

    /// Returns the segment itself.
    pub fn segment(&self) -> &Arc<Segment> {
        &self.segment
    }

    /// Finds a document.
    pub fn find(&self, key: &DocKey) -> Option<DocId> {
        let (first, last) = self.range.as_ref()?;
        if key < first || key > last {
            return None;
        }
        self.segment.find(key)
    }

    /// Whether it has a document of a blob, under whatever grammar.
    pub(super) fn holds(&self, blob: BlobId) -> bool {
        if !self
            .range
            .is_some_and(|(first, last)| first.blob <= blob && blob <= last.blob)
        {
            return false;
        }
        let (mut low, mut high) = (0, self.segment.doc_count());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.segment.key(DocId(middle)).blob < blob {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low < self.segment.doc_count() && self.segment.key(DocId(low)).blob == blob
    }
}

/// Returns the documents of segments, sorted and distinct, with the sizes of their blobs.
pub(super) fn documents(segments: &[OpenSegment]) -> Vec<Measured> {
    let count = segments.iter().map(Covering::documents).sum();
    let mut all = Vec::with_capacity(count);
    for open in segments {
        let segment = open.segment();
        all.extend(segment.doc_ids().map(|doc| Measured {
            key: segment.key(doc),
            size: segment.doc(doc).size,
        }));
    }
    all.sort_unstable();
    all.dedup_by_key(|document| document.key);
    all
}

impl Covering for OpenSegment {
    type Key = DocKey;
    fn id(&self) -> SegmentId {
        self.id
    }
    fn bytes(&self) -> u64 {
        self.segment.bytes().len() as u64
    }
    fn documents(&self) -> usize {
        self.segment.doc_count() as usize
    }
    fn key(&self, at: usize) -> DocKey {
        self.segment.key(DocId(at as u32))
    }
    fn covers(&self, key: &DocKey) -> bool {
        self.find(key).is_some()
    }
}

impl std::fmt::Debug for OpenSegment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "OpenSegment({}, {} documents)",
            self.id,
            self.segment.doc_count()
        )
    }
}

/// A segment set that is opened for reading. Cloning shares the segments.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// What the ref named, usable or not; `None` when it did not exist.
    pub tip: Option<CommitId>,
    /// What was worked around while it was opened.
    pub warnings: Vec<Warning>,
    segments: Vec<OpenSegment>,
    /// Named, not opened: few questions ask for them.
    traces: Pieces,
    /// Likewise.
    log: log::Pieces,
    /// Likewise.
    vectors: Named,
    ledger: Ledger,
}

impl Snapshot {
    /// Opens what the index ref names at this moment; an empty snapshot when there is none.
    ///
    /// # Errors
    /// When the ref cannot be read. A bad tip or segment is a warning and counts as absent.
    pub fn open(repo: &Repo) -> Result<Self, Error> {
        Self::reopen(repo, &Self::default())
    }

    /// Opens what the index ref names, taking over the segments that `known` has open already.
    /// Segments that are only in memory are not taken over.
    ///
    /// # Errors
    /// As [`Snapshot::open`].
    pub fn reopen(repo: &Repo, known: &Self) -> Result<Self, Error> {
        let tip = refs::read(repo, &repo.ref_names().index())?.map(CommitId::new);
        let Some(tip) = tip else {
            return Ok(Self::default());
        };
        let aside = trust::set_aside(repo);
        let is_sound = known.segments.iter().all(|open| !aside.contains(&open.id))
            && known.warnings.iter().all(Warning::is_harmless);
        match known.tip {
            Some(of) if of == tip && is_sound => {
                let mut same = known.clone();
                same.segments.retain(|open| open.is_stored);
                // It was about the others.
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
        left_out: &FxHashSet<SegmentId>,
    ) -> Self {
        let mut manifest = manifest::read(repo, &mut repo.objects(), tip);
        for id in manifest.segments.extract_if(.., |id| left_out.contains(id)) {
            manifest.warnings.push(Warning::Distrusted {
                id,
                from: tip,
                reason: "it was found to be wrong before".to_owned(),
            });
        }
        let mut out = Self {
            tip: Some(tip),
            warnings: manifest.warnings,
            segments: Vec::new(),
            traces: manifest.traces,
            log: manifest.log,
            vectors: manifest.vectors,
            ledger: manifest.ledger,
        };
        let mut wanted = Vec::new();
        for id in manifest.segments {
            match known
                .segments
                .iter()
                .find(|open| open.id == id && open.is_stored)
            {
                Some(open) => out.segments.push(open.clone()),
                None => wanted.push(id),
            }
        }
        for (id, opened, warnings) in open_all(repo, &wanted) {
            out.warnings.extend(warnings);
            match opened {
                Ok(segment) => out.segments.push(OpenSegment::stored(id, segment)),
                Err(warning) => out.warnings.push(warning),
            }
        }
        out.segments.sort_by_key(|segment| segment.id);
        out.warnings
            .extend(repo.kept().recovered().map(Warning::Recovered));
        out.warnings.dedup();
        out
    }

    /// Adds the segments of `other` that are only in memory.
    pub(super) fn take_unstored(&mut self, other: &Self) {
        let unstored = other.segments.iter().filter(|open| !open.is_stored);
        self.segments.extend(unstored.cloned());
        self.segments.sort_by_key(|open| open.id);
        self.segments.dedup_by_key(|open| open.id);
    }

    /// Exchanges each segment for one of the same id.
    pub(super) fn try_map(
        &mut self,
        mut exchange: impl FnMut(&OpenSegment) -> Result<OpenSegment, Error>,
    ) -> Result<(), Error> {
        for open in &mut self.segments {
            *open = exchange(open)?;
        }
        Ok(())
    }

    /// Leaves out segments.
    pub(super) fn drop_segments(&mut self, ids: &[SegmentId]) {
        self.segments.retain(|open| !ids.contains(&open.id));
    }

    /// Remembers that segments must not come back.
    pub(super) fn absorb(&mut self, ids: impl IntoIterator<Item = SegmentId>) {
        self.ledger.absorb(ids);
    }

    pub(super) fn from_parts(
        tip: Option<CommitId>,
        mut segments: Vec<OpenSegment>,
        ledger: Ledger,
    ) -> Self {
        segments.sort_by_key(|segment| segment.id);
        segments.dedup_by_key(|segment| segment.id);
        Self {
            tip,
            warnings: Vec::new(),
            segments,
            traces: Pieces::default(),
            log: log::Pieces::default(),
            vectors: Named::default(),
            ledger,
        }
    }

    /// Exchanges the traces, the log and the vectors.
    pub(super) fn with(mut self, traces: Pieces, log: log::Pieces, vectors: Named) -> Self {
        self.traces = traces;
        self.log = log;
        self.vectors = vectors;
        self
    }

    /// Returns the segments in the order of their ids; [`SegmentOrd`] is the position in it.
    pub fn segments(&self) -> &[OpenSegment] {
        &self.segments
    }

    /// The pieces of its traces, for [`super::trace::Traces::open`].
    pub fn traces(&self) -> &Pieces {
        &self.traces
    }

    /// The pieces of its history log, for [`log::open`].
    pub fn log(&self) -> &log::Pieces {
        &self.log
    }

    /// The vectors that its tip names, for [`super::vectors::Blocks`].
    pub fn vectors(&self) -> &Named {
        &self.vectors
    }

    /// Leaves out blocks of vectors.
    pub(super) fn drop_vectors(&mut self, refused: &FxHashSet<BlobId>) {
        let vectors = std::mem::take(&mut self.vectors);
        self.vectors = vectors.filtered(|_, _, id| !refused.contains(&id));
    }

    /// Leaves out pieces of the log.
    pub(super) fn drop_log(&mut self, ids: &[LogId]) {
        self.log = self.log.without(ids);
    }

    /// What the set remembers besides its segments.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Returns one segment.
    pub fn segment(&self, ord: SegmentOrd) -> Option<&Segment> {
        self.segments.get(ord.index()).map(|open| &*open.segment)
    }

    /// Whether there is no segment.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Number of documents; one that is in two segments counts twice.
    pub fn doc_count(&self) -> u64 {
        self.segments
            .iter()
            .map(|open| u64::from(open.segment.doc_count()))
            .sum()
    }

    /// Finds a document in the first segment that has it.
    pub fn find(&self, key: &DocKey) -> Option<LiveDoc> {
        self.segments.iter().enumerate().find_map(|(ord, open)| {
            open.find(key).map(|doc| LiveDoc {
                segment: SegmentOrd(ord as u32),
                doc,
            })
        })
    }

    /// Whether there is a document of a blob, under whatever grammar.
    pub fn holds(&self, blob: BlobId) -> bool {
        self.segments.iter().any(|open| open.holds(blob))
    }

    /// Returns a number that names the set of segments: equal sets, equal numbers.
    pub fn fingerprint(&self) -> u128 {
        let mut bytes = Vec::with_capacity(self.segments.len() * 32);
        self.segments
            .iter()
            .for_each(|open| bytes.extend_from_slice(open.id.as_bytes()));
        xxhash_rust::xxh3::xxh3_128(&bytes)
    }
}

/// What was set aside is no stranger's where it is in our own index.
fn own_lie(warning: &mut Warning) {
    if let Warning::Distrusted { id, reason, .. } = warning {
        let (id, reason) = (*id, std::mem::take(reason));
        *warning = Warning::WrongSegment { id, reason };
    }
}

type Opened = (SegmentId, Result<Segment, Warning>, Vec<Warning>);

/// Opens segments on several threads, since one that has no file yet is inflated and verified.
fn open_all(repo: &Repo, ids: &[SegmentId]) -> Vec<Opened> {
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(ids.len());
    let open = |objects: &mut _, id| {
        let mut warnings = Vec::new();
        let segment = cache::open(repo, objects, id, &mut warnings);
        (id, segment, warnings)
    };
    if threads < 2 {
        let mut objects = repo.objects();
        return ids.iter().map(|id| open(&mut objects, *id)).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(ids.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut objects = repo.objects();
                while let Some(id) = ids.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let opened = open(&mut objects, *id);
                    done.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(opened);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}
