//! Extracting what is not covered yet, on all cores, and publishing it.
//!
//! The work is proportional to the documents that are not covered. The segments do not depend on
//! the number of threads, and those of an index that is made at once are the ones that
//! [`super::gc`] would cut from the same documents.

use super::error::{Error, Warning, add_news};
use super::kind::Kind;
use super::lock::ExtractionLock;
use super::partition::{self, Measured};
use super::publish::{Addition, Durable, publish, put_away};
use super::segments::{OpenSegment, Segments};
use super::snapshot::Snapshot;
use super::upgrade::judge_again;
use crate::extract::Extractor;
use crate::extract::record::{DocKey, DocRecord, SkipReason};
use crate::git::{self, Objects, Repo};
use crate::id::BlobId;
use crate::lang;
use crate::segment;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};

/// For fewer documents than this another process that is extracting is not waited for.
const SMALL: usize = 256;
/// Threads for which one more segment may be under construction. Building takes about a quarter of
/// the time that extraction takes.
const THREADS_PER_BUILD: usize = 4;

/// Is told how far extraction, the reading of history or embedding has come, and says whether it is still
/// wanted. Called from several threads.
pub trait Progress: Sync {
    /// `done` of `total` documents were extracted.
    fn documents(&self, done: usize, total: usize);

    /// `done` of `total` commits were read.
    fn commits(&self, _done: usize, _total: usize) {}

    /// `done` of `total` chunks were embedded.
    fn chunks(&self, _done: usize, _total: usize) {}

    /// Whether nobody waits for the result any more; asked between documents, commits and chunks.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Tells nobody and goes on to the end.
pub struct Quiet;

impl Progress for Quiet {
    fn documents(&self, _done: usize, _total: usize) {}
}

/// What it took to cover the documents that were asked for.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Documents that were asked for.
    pub wanted: usize,
    /// Documents that were extracted.
    pub extracted: usize,
    /// Size of their blobs in bytes.
    pub source_bytes: u64,
    /// Segments that were built.
    pub segments: usize,
    /// Size of these in bytes.
    pub segment_bytes: u64,
    /// Blobs that the object store does not have; a partial clone lacks them.
    pub missing: Vec<BlobId>,
    /// Blobs that cannot be read, and why.
    pub unreadable: Vec<(BlobId, String)>,
    /// Whether the index ref names the result; if not, it lasts as long as the snapshot.
    pub published: bool,
    /// Why it was not published, when that was tried.
    pub refusal: Option<String>,
}

/// Extends the index so that it covers `wanted`, and returns it.
///
/// `snapshot` is what the caller knows of the index; newer segments are picked up. When the
/// repository cannot be written (permissions, a full disk, a lock that stays), the new segments are
/// in the returned snapshot alone. Fails when the repository cannot be read, or others move the index
/// all the time.
pub fn ensure(
    repo: &Repo,
    snapshot: &Snapshot,
    wanted: &[DocKey],
    threads: usize,
    progress: &dyn Progress,
) -> Result<(Snapshot, Report), Error> {
    let mut base = snapshot.clone();
    judge_again(repo, &mut base);
    let mut todo = uncovered(&base, wanted);
    if !todo.is_empty() {
        base = refresh(repo, &base)?;
        todo = uncovered(&base, &todo);
    }
    let mut report = Report::default();
    let mut documents = measure(&repo.objects(), todo, &mut report);
    let _lock = if documents.len() < SMALL {
        None
    } else {
        let lock = ExtractionLock::acquire(repo.kept().top());
        if lock.waited {
            base = refresh(repo, &base)?;
            documents.retain(|document| is_uncovered(&base, &document.key));
        }
        Some(lock)
    };
    report.wanted = wanted.len();
    let mut made = extract_measured(repo, documents, report, threads, progress, true)?;
    // A set with bad segments is published without them, or every reader would meet them again.
    if made.segments.is_empty() && base.warnings.iter().all(Warning::is_harmless) {
        made.report.published = true;
        return Ok((base, made.report));
    }
    let durable = std::mem::take(&mut made.durable);
    match publish(repo, &base, Addition::Built(&made.segments), durable) {
        Ok(mut published) => {
            published.warnings.append(&mut made.warnings);
            published.take_unstored(&base);
            made.report.published = true;
            Ok((published, made.report))
        }
        Err(err) if err.is_unwritable() => {
            made.report.refusal = Some(err.to_string());
            // That a repository is read-only is known to whoever made it so; a full disk or a lock
            // that stayed is news.
            if !matches!(err, Error::Git(git::Error::ReadOnly { .. })) {
                let reason = err.to_string();
                made.warnings.push(Warning::NotStored(reason));
            }
            Ok(append(base, made))
        }
        Err(err) => Err(err),
    }
}

/// Extends a snapshot so that it covers `wanted`, without writing anything. Fails when the repository
/// cannot be read.
pub fn ensure_in_memory(
    repo: &Repo,
    snapshot: &Snapshot,
    wanted: &[DocKey],
    threads: usize,
    progress: &dyn Progress,
) -> Result<(Snapshot, Report), Error> {
    let mut made = extract(repo, uncovered(snapshot, wanted), threads, progress, false)?;
    made.report.wanted = wanted.len();
    Ok(append(snapshot.clone(), made))
}

/// Picks up what was published meanwhile, and keeps what is only in memory.
fn refresh(repo: &Repo, known: &Snapshot) -> Result<Snapshot, Error> {
    let mut fresh = Snapshot::reopen(repo, known)?;
    fresh.take_unstored(known);
    // What was wrong with the index before is still to be said.
    let news = std::mem::take(&mut fresh.warnings);
    fresh.warnings = known.warnings.clone();
    fresh.warnings.retain(|warning| !warning.is_harmless());
    add_news(&mut fresh.warnings, &news);
    Ok(fresh)
}

fn append(base: Snapshot, made: Made) -> (Snapshot, Report) {
    let warnings = [base.warnings.clone(), made.warnings].concat();
    let mut contents = base.contents.clone();
    contents.segments.extend(made.segments);
    let mut snapshot = Snapshot::of(base.tip, contents);
    snapshot.warnings = warnings;
    (snapshot, made.report)
}

/// Returns the documents that are asked for and not there, sorted and distinct.
pub(super) fn uncovered(snapshot: &Snapshot, wanted: &[DocKey]) -> Vec<DocKey> {
    let mut todo: Vec<DocKey> = wanted
        .iter()
        .filter(|key| is_uncovered(snapshot, key))
        .copied()
        .collect();
    todo.sort_unstable();
    todo.dedup();
    todo
}

fn is_uncovered(snapshot: &Snapshot, key: &DocKey) -> bool {
    snapshot.find(key).is_none() && !snapshot.ledger().denies(key.blob)
}

/// Segments that were built, and how.
pub(super) struct Made {
    /// In the order of their ids.
    pub segments: Vec<OpenSegment>,
    /// Those whose objects are written already.
    durable: Durable,
    /// What it took.
    pub report: Report,
    warnings: Vec<Warning>,
}

/// Extracts documents and builds their segments.
pub(super) fn extract(
    repo: &Repo,
    todo: Vec<DocKey>,
    threads: usize,
    progress: &dyn Progress,
    may_write: bool,
) -> Result<Made, Error> {
    let mut report = Report::default();
    let documents = measure(&repo.objects(), todo, &mut report);
    extract_measured(repo, documents, report, threads, progress, may_write)
}

/// The same for documents whose sizes are known. `report` says which are missing.
fn extract_measured(
    repo: &Repo,
    documents: Vec<Measured>,
    report: Report,
    threads: usize,
    progress: &dyn Progress,
    may_write: bool,
) -> Result<Made, Error> {
    let mut made = Made {
        segments: Vec::new(),
        durable: Durable::default(),
        warnings: Vec::new(),
        report,
    };
    if documents.is_empty() {
        return Ok(made);
    }
    let work = Work::new(repo, &documents, threads, progress);
    let (sender, built) = mpsc::channel();
    let received = std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, documents.len()) {
            let sender = sender.clone();
            let work = &work;
            scope.spawn(move || work.run(&sender));
        }
        drop(sender);
        built
            .into_iter()
            .try_for_each(|built| -> Result<(), Error> {
                made.segments
                    .push(OpenSegment::of_bytes(repo.hash(), built?)?);
                let Made {
                    segments,
                    durable,
                    warnings,
                    ..
                } = &mut made;
                match may_write {
                    true => put_away(repo, segments, durable, warnings),
                    false => Ok(()),
                }
            })
    });
    received?;
    if progress.cancelled() {
        return Err(Error::Cancelled);
    }
    let unreadable = work
        .unreadable
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    made.report.extracted = documents.len() - unreadable.len();
    made.report.source_bytes = documents.iter().map(|document| document.size).sum();
    made.report.segments = made.segments.len();
    made.report.segment_bytes = made
        .segments
        .iter()
        .map(|open| open.segment().bytes().len() as u64)
        .sum();
    made.report.unreadable.extend(unreadable);
    made.segments.sort_by_key(OpenSegment::id);
    Ok(made)
}

/// Looks up the sizes of the blobs; those that are not there go into the report.
fn measure(objects: &Objects, todo: Vec<DocKey>, report: &mut Report) -> Vec<Measured> {
    let mut documents = Vec::with_capacity(todo.len());
    for key in todo {
        match objects.blob_size(key.blob) {
            Ok(size) => documents.push(Measured { key, size }),
            Err(err) if err.is_missing_object() => report.missing.push(key.blob),
            Err(err) => report.unreadable.push((key.blob, err.to_string())),
        }
    }
    report.missing.dedup();
    documents
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
        }
    }

    /// Takes documents until there are no more.
    fn run(&self, sender: &mpsc::Sender<Result<Vec<u8>, segment::Error>>) {
        let mut reader = Reader::new(self.repo);
        loop {
            if self.progress.cancelled() {
                // Those who wait for a leaf that nobody finishes now are let go. The lock makes
                // sure that none is between looking and waiting, where it would miss the call.
                let built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
                self.may_start.notify_all();
                drop(built);
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
                Ok(record) => {
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
        let wait = |built: &mut usize| ord >= *built + self.in_flight && !self.progress.cancelled();
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
            let Ok(record) = reader.record(document) else {
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

    /// Extracts a document.
    pub fn record(&mut self, document: &Measured) -> Result<DocRecord, NotRead> {
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
        let record =
            std::panic::catch_unwind(AssertUnwindSafe(|| extractor.extract(bytes, grammar)));
        Ok(record.unwrap_or_else(|_| {
            self.extractor = Extractor::new();
            DocRecord::skipped(lang, document.size, SkipReason::TooComplex)
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
