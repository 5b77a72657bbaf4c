//! Extracting what is not covered yet, on all cores, and publishing it.
//!
//! The work is proportional to the documents that are not covered. The segments do not depend on
//! the number of threads, and those of an index that is made at once are the ones that
//! [`super::gc`] would cut from the same documents.

use super::comments::{self, Comments};
use super::error::{Error, Warning, add_news};
use super::lock::ExtractionLock;
use super::partition::Measured;
use super::publish::{Addition, Durable, Tiers, publish};
use super::segments::OpenSegment;
use super::snapshot::Snapshot;
use super::upgrade::judge_again;
use super::work;
use crate::extract::record::DocKey;
use crate::git::{self, Objects, Repo, failpoint};
use crate::id::BlobId;
use std::time::{Duration, Instant};

/// For fewer documents than this another process that is extracting is not waited for.
const SMALL: usize = 256;

/// Bytes of finished segments that are published before the rest is done, and no longer held in memory: of some 200 MB
/// of source.
const STAGE_BYTES: usize = 64 << 20;

/// How much work whoever is stopped may lose. Each stage leaves a pack, which git unites from fifty on.
const STAGE_TIME: Duration = Duration::from_secs(60);

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
    let mut growing = Growing::new(repo, base);
    let comments = extract_measured(
        repo,
        &documents,
        &mut report,
        threads,
        progress,
        &mut |segment| growing.add_built(segment),
    )?;
    comments::keep(repo.kept(), repo.hash(), comments);
    growing.publish_rest(report)
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
    let (made, mut report) = extract(repo, uncovered(snapshot, wanted), threads, progress)?;
    report.wanted = wanted.len();
    Ok((with_unstored(snapshot.clone(), made), report))
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

/// An index that is published while more segments for it are being built, so that whoever indexes for an hour
/// and is stopped has lost little.
struct Growing<'a> {
    repo: &'a Repo,
    /// The index with what was published so far.
    index: Snapshot,
    /// What is to become of full tiers in the end.
    tiers: Tiers,
    /// Built, and not published yet.
    built: Vec<OpenSegment>,
    /// When something was published last, or the work began.
    last: Instant,
    /// Whether something was published.
    has_grown: bool,
    /// Whether the repository cannot be written, as far as is known.
    is_stuck: bool,
}

impl<'a> Growing<'a> {
    fn new(repo: &'a Repo, index: Snapshot) -> Self {
        Self {
            repo,
            // The first segments of an index are cut as a collection would.
            tiers: match index.is_empty() {
                true => Tiers::AsTheyAre,
                false => Tiers::Merged,
            },
            index,
            built: Vec::new(),
            last: Instant::now(),
            has_grown: false,
            is_stuck: false,
        }
    }

    fn add_built(&mut self, segment: OpenSegment) -> Result<(), Error> {
        self.built.push(segment);
        let bytes: usize = self.built.iter().map(|open| open.bytes().len()).sum();
        let is_due = bytes >= STAGE_BYTES || self.last.elapsed() >= STAGE_TIME;
        if self.is_stuck || !(is_due || failpoint::is_set("stage")) {
            return Ok(());
        }
        match self.publish(Tiers::AsTheyAre) {
            // They stay in memory, and who finishes says why.
            Err(err) if err.is_unwritable() => self.is_stuck = true,
            published => published?,
        }
        failpoint::hit("stage-published");
        self.last = Instant::now();
        Ok(())
    }

    fn publish(&mut self, tiers: Tiers) -> Result<(), Error> {
        let built = Addition::Built(&self.built, tiers);
        let mut published = publish(self.repo, &self.index, built, Durable::default())?;
        published.take_unstored(&self.index);
        self.index = published;
        self.built.clear();
        self.has_grown = true;
        Ok(())
    }

    /// Publishes the rest and returns the index.
    fn publish_rest(mut self, mut report: Report) -> Result<(Snapshot, Report), Error> {
        let is_sound = self.index.warnings.iter().all(Warning::is_harmless);
        // A set with bad segments is published without them, or every reader would meet them again.
        if self.built.is_empty() && !self.has_grown && is_sound {
            report.published = true;
            return Ok((self.index, report));
        }
        match self.publish(self.tiers) {
            Ok(()) => {
                report.published = true;
                Ok((self.index, report))
            }
            Err(err) if err.is_unwritable() => {
                report.refusal = Some(err.to_string());
                let mut index = with_unstored(self.index, self.built);
                // That a repository is read-only is known to whoever made it so; a full disk or a lock
                // that stayed is news.
                if !matches!(err, Error::Git(git::Error::ReadOnly { .. })) {
                    index.warnings.push(Warning::NotStored(err.to_string()));
                }
                Ok((index, report))
            }
            Err(err) => Err(err),
        }
    }
}

/// Adds segments that are in memory alone.
fn with_unstored(base: Snapshot, segments: Vec<OpenSegment>) -> Snapshot {
    let warnings = base.warnings.clone();
    let mut contents = base.contents.clone();
    contents.segments.extend(segments);
    let mut snapshot = Snapshot::of(base.tip, contents);
    snapshot.warnings = warnings;
    snapshot
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

/// Extracts documents and returns their segments, in the order of their ids.
pub(super) fn extract(
    repo: &Repo,
    todo: Vec<DocKey>,
    threads: usize,
    progress: &dyn Progress,
) -> Result<(Vec<OpenSegment>, Report), Error> {
    let (mut report, mut made) = (Report::default(), Vec::new());
    let documents = measure(&repo.objects(), todo, &mut report);
    extract_measured(
        repo,
        &documents,
        &mut report,
        threads,
        progress,
        &mut |segment| {
            made.push(segment);
            Ok(())
        },
    )?;
    made.sort_by_key(OpenSegment::id);
    Ok((made, report))
}

/// Where the comments of documents are, with their bytes.
type Measures = Vec<(comments::Key, (Comments, usize))>;

/// Extracts documents whose sizes are known and hands over their segments. `report` says which are missing, and is
/// told the rest. Returns where their comments are, with their bytes.
fn extract_measured(
    repo: &Repo,
    documents: &[Measured],
    report: &mut Report,
    threads: usize,
    progress: &dyn Progress,
    take: &mut dyn FnMut(OpenSegment) -> Result<(), Error>,
) -> Result<Measures, Error> {
    let Report {
        segments,
        segment_bytes,
        ..
    } = report;
    let mut count = |segment: OpenSegment| {
        *segments += 1;
        *segment_bytes += segment.bytes().len() as u64;
        take(segment)
    };
    let worked = work::extract(repo, documents, threads, progress, &mut count)?;
    report.extracted = documents.len() - worked.unreadable.len();
    report.source_bytes = documents
        .iter()
        .fold(0, |sum: u64, document| sum.saturating_add(document.size));
    report.unreadable.extend(worked.unreadable);
    Ok(worked.comments)
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
