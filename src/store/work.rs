//! Extracting documents on all cores, segment by segment.

use super::comments::{self, Comments};
use super::error::Error;
use super::ingest::Progress;
use super::kind::Kind;
use super::partition::{self, Measured};
use super::segments::{OpenSegment, Segments};
use crate::extract::Extractor;
use crate::extract::record::{DocKey, DocRecord, SkipReason};
use crate::git::{self, Objects, Repo};
use crate::id::BlobId;
use crate::lang;
use crate::segment;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};

/// Threads for which one more segment may be under construction. Building takes about a quarter of
/// the time that extraction takes.
const THREADS_PER_BUILD: usize = 4;
/// Comments that are held until all is extracted: some megabytes.
const MAX_COMMENTS: usize = 1_000_000;

/// What was met beside the segments.
#[derive(Default)]
pub(super) struct Worked {
    /// Blobs that could not be read, and why.
    pub unreadable: Vec<(BlobId, String)>,
    /// Where the comments of the others are, and how many bytes each has.
    pub comments: Vec<(comments::Key, (Comments, usize))>,
}

/// Extracts documents by so many threads, and hands over each segment as soon as it is built. Stops with [`Error::Cancelled`] when nobody waits any more, and when `take` fails.
pub(super) fn extract(
    repo: &Repo,
    documents: &[Measured],
    threads: usize,
    progress: &dyn Progress,
    take: &mut dyn FnMut(OpenSegment) -> Result<(), Error>,
) -> Result<Worked, Error> {
    if documents.is_empty() {
        return Ok(Worked::default());
    }
    let work = Work::new(repo, documents, threads, progress);
    let (sender, built) = mpsc::channel();
    let taken = std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, documents.len()) {
            let sender = sender.clone();
            let work = &work;
            scope.spawn(move || work.run(&sender));
        }
        drop(sender);
        let mut built = built.into_iter();
        let taken = built.try_for_each(|built| take(OpenSegment::of_bytes(repo.hash(), built?)?));
        if taken.is_err() {
            work.stop();
        }
        taken
    });
    taken?;
    if progress.cancelled() {
        return Err(Error::Cancelled);
    }
    let (unreadable, comments) = (work.unreadable.into_inner(), work.comments.into_inner());
    let comments = comments.unwrap_or_else(PoisonError::into_inner);
    Ok(Worked {
        unreadable: unreadable.unwrap_or_else(PoisonError::into_inner),
        comments: comments.found,
    })
}

/// The documents of one segment under construction.
struct Leaf {
    range: Range<usize>,
    records: Mutex<Vec<(DocKey, DocRecord)>>,
    left: AtomicUsize,
}

/// What the extracting threads share.
///
/// Documents are handed out one by one in the order of the leaves, so that even a single leaf
/// keeps every thread busy; whoever finishes the last document of a leaf builds its segment while
/// the others go on with the next.
struct Work<'a> {
    repo: &'a Repo,
    documents: &'a [Measured],
    progress: &'a dyn Progress,
    leaves: Vec<Leaf>,
    /// Leaves whose documents are held in memory at once: those being built, one being extracted,
    /// and one so that no thread waits.
    in_flight: usize,
    next: AtomicUsize,
    done: AtomicUsize,
    built: Mutex<usize>,
    may_start: Condvar,
    unreadable: Mutex<Vec<(BlobId, String)>>,
    comments: Mutex<Met>,
    is_stopped: AtomicBool,
}

/// Where the comments of documents are that were extracted.
#[derive(Default)]
struct Met {
    found: Vec<(comments::Key, (Comments, usize))>,
    count: usize,
}

impl Met {
    fn add(&mut self, key: comments::Key, comments: Comments, bytes: usize) {
        if self.count < MAX_COMMENTS {
            self.count += comments.len();
            self.found.push((key, (comments, bytes)));
        }
    }
}

/// Counts a leaf as built even when building it panics: the others must not wait for ever.
struct CountBuilt<'a>(&'a Work<'a>);

impl Drop for CountBuilt<'_> {
    fn drop(&mut self) {
        *self.0.built.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.may_start.notify_all();
    }
}

impl<'a> Work<'a> {
    fn new(
        repo: &'a Repo,
        documents: &'a [Measured],
        threads: usize,
        progress: &'a dyn Progress,
    ) -> Self {
        let leaf = |range: Range<usize>| Leaf {
            left: AtomicUsize::new(range.len()),
            records: Mutex::new(Vec::with_capacity(range.len())),
            range,
        };
        Self {
            repo,
            documents,
            progress,
            leaves: partition::partition(documents, Segments::CUT)
                .into_iter()
                .map(leaf)
                .collect(),
            in_flight: 2 + threads.div_ceil(THREADS_PER_BUILD),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            built: Mutex::new(0),
            may_start: Condvar::new(),
            unreadable: Mutex::new(Vec::new()),
            comments: Mutex::default(),
            is_stopped: AtomicBool::new(false),
        }
    }

    /// Lets all threads end with the document that they are at.
    fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        // The lock makes sure that none is between looking and waiting, where it would miss the call.
        let built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        self.may_start.notify_all();
        drop(built);
    }

    fn is_wanted(&self) -> bool {
        !self.is_stopped.load(Ordering::Relaxed) && !self.progress.cancelled()
    }

    /// Takes documents until there are no more.
    fn run(&self, sender: &mpsc::Sender<Result<Vec<u8>, segment::Error>>) {
        let mut reader = Reader::new(self.repo);
        loop {
            if !self.is_wanted() {
                // Those who wait for a leaf that nobody finishes now are let go.
                self.stop();
                return;
            }
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(document) = self.documents.get(at) else {
                return;
            };
            let ord = self.leaves.partition_point(|leaf| leaf.range.end <= at);
            self.wait_to_start(ord);
            let leaf = &self.leaves[ord];
            match reader.record(document) {
                Ok((record, comments)) => {
                    if let Some(found) = comments {
                        let mut met = self.comments.lock().unwrap_or_else(PoisonError::into_inner);
                        let key = (document.key.blob, record.lang);
                        met.add(key, found, document.size as usize);
                    }
                    let mut records = leaf.records.lock().unwrap_or_else(PoisonError::into_inner);
                    records.push((document.key, record));
                }
                Err(err) => {
                    let mut all = self
                        .unreadable
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner);
                    all.push((document.key.blob, err.to_string()));
                }
            }
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            self.progress.documents(done, self.documents.len());
            if leaf.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                self.finish(leaf, &mut reader, sender);
            }
        }
    }

    /// Bounds memory: a leaf is begun only when few others are unfinished.
    ///
    /// The lowest unfinished leaf never waits, because all before it are built.
    fn wait_to_start(&self, ord: usize) {
        let built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = |built: &mut usize| ord >= *built + self.in_flight && self.is_wanted();
        drop(
            self.may_start
                .wait_while(built, wait)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    fn finish(
        &self,
        leaf: &Leaf,
        reader: &mut Reader,
        sender: &mpsc::Sender<Result<Vec<u8>, segment::Error>>,
    ) {
        let _count = CountBuilt(self);
        let records =
            std::mem::take(&mut *leaf.records.lock().unwrap_or_else(PoisonError::into_inner));
        if records.is_empty() {
            return;
        }
        match segment::build(self.repo.hash(), records) {
            Ok(bytes) => drop(sender.send(Ok(bytes))),
            Err(_) => self.rebuild(leaf.range.clone(), reader, sender),
        }
    }

    /// Builds a leaf whose records were refused: once more, with each record on trial and without
    /// those that cannot be written; and in two halves when it is too large.
    fn rebuild(
        &self,
        range: Range<usize>,
        reader: &mut Reader,
        sender: &mpsc::Sender<Result<Vec<u8>, segment::Error>>,
    ) {
        let hash = self.repo.hash();
        let documents = &self.documents[range.clone()];
        let mut records = Vec::with_capacity(documents.len());
        for document in documents {
            let Ok((record, _)) = reader.record(document) else {
                continue;
            };
            let skipped = DocRecord::skipped(record.lang, document.size, SkipReason::TooComplex);
            let fits = segment::build(hash, vec![(document.key, record.clone())]).is_ok();
            records.push((document.key, if fits { record } else { skipped }));
        }
        let half = partition::split(documents);
        match (segment::build(hash, records), half) {
            (Err(segment::Error::TooLarge { .. }), Some(half)) => {
                let middle = range.start + half;
                self.rebuild(range.start..middle, reader, sender);
                self.rebuild(middle..range.end, reader, sender);
            }
            (result, _) => drop(sender.send(result)),
        }
    }
}

/// One thread's means of getting from a key to a record.
pub(super) struct Reader {
    objects: Objects,
    extractor: Extractor,
    bytes: Vec<u8>,
}

impl Reader {
    pub fn new(repo: &Repo) -> Self {
        Self {
            objects: repo.objects(),
            extractor: Extractor::new(),
            bytes: Vec::new(),
        }
    }

    /// Returns the size of a blob.
    pub fn size(&self, blob: BlobId) -> Result<u64, git::Error> {
        self.objects.blob_size(blob)
    }

    /// Extracts a document, with where its comments are.
    pub fn record(
        &mut self,
        document: &Measured,
    ) -> Result<(DocRecord, Option<Comments>), NotRead> {
        let DocKey { blob, grammar } = document.key;
        self.objects.blob(blob, &mut self.bytes)?;
        let Self {
            extractor, bytes, ..
        } = self;
        let lang = lang::by_content(bytes, grammar);
        if !lang::is_built(lang) {
            return Err(NotRead::NoGrammar(lang.label()));
        }
        // A defect that one file triggers must not cost the index of all others.
        let extract = || extractor.extract_with_comments(bytes, grammar);
        let found = std::panic::catch_unwind(AssertUnwindSafe(extract));
        Ok(found.unwrap_or_else(|_| {
            self.extractor = Extractor::new();
            let skipped = DocRecord::skipped(lang, document.size, SkipReason::TooComplex);
            (skipped, None)
        }))
    }
}

/// Why a document has no record.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotRead {
    /// Its blob cannot be read.
    #[error(transparent)]
    Git(#[from] git::Error),
    /// What it holds takes a grammar that this build was made without. Nothing is recorded, since
    /// records are the same whatever made them.
    #[error("no grammar for {0} is built in")]
    NoGrammar(&'static str),
}
