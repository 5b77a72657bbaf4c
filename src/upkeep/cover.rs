//! `index`: covering the trees of revisions, of ranges, or of as much history as is kept warm.

use super::selection::{History, Policy, Selection, Shard};
use super::{Error, embed, skip_reason, walked};
use crate::extract::record::DocKey;
use crate::git::history::{self, TipSet, TreeWalk};
use crate::git::{self, Head, Repo, keys, promisor, revisions};
use crate::id::{BlobId, CommitId};
use crate::query::engine::{not_covered, warnings};
use crate::query::serialize;
use crate::query::state::{IndexState, Skipped};
use crate::store::vectors::{self, Blocks};
use crate::store::{self, Progress, Snapshot};
use crate::view::files::Reading;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Most commits that a report lists; of more it gives the number.
const MAX_LISTED: usize = 20;

/// What `index` did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct IndexReport {
    /// The index afterwards.
    #[serde(rename = "store")]
    pub index: IndexState,
    /// Commits whose trees are covered now, in the order they were come by; empty when there are
    /// more than 20.
    #[serde(serialize_with = "serialize::each_short")]
    pub commits: Vec<CommitId>,
    /// Number of these commits.
    pub commits_total: usize,
    /// Documents those trees need.
    pub documents_needed: usize,
    /// Documents extracted by this run; the others were covered before.
    pub documents_added: usize,
    /// Source bytes of the documents extracted.
    pub source_bytes: u64,
    /// What was not extracted, by reason: paths by their names, documents by their content. A path
    /// counts once for each content it had.
    pub skipped: Vec<Skipped>,
    /// What went wrong without stopping the run; one sentence each.
    pub warnings: Vec<String>,
}

/// Covers what is selected and publishes the new segments. `threads` of 0 means one for each core.
///
/// A partial clone is given the blobs it lacks, in one fetch, if it may ask for them. Fails also when
/// nothing could be stored.
pub fn index(
    repo: &Repo,
    selection: &Selection,
    threads: usize,
    progress: &dyn Progress,
) -> Result<IndexReport, Error> {
    run(repo, selection, threads, progress, Occasion::Asked)
}

/// As [`index`], behind the back of somebody who is at work: what takes a costly model is left to who
/// asks for it, unless `sverklo.embedInHooks` is true.
pub fn behind(
    repo: &Repo,
    selection: &Selection,
    threads: usize,
    progress: &dyn Progress,
) -> Result<IndexReport, Error> {
    run(repo, selection, threads, progress, Occasion::Behind)
}

/// Covers what configuration keeps warm. This is for those who work unasked: nothing is fetched,
/// and history that was covered before is not walked again.
pub fn warm(repo: &Repo, threads: usize, progress: &dyn Progress) -> Result<IndexReport, Error> {
    let selection = Selection::default();
    run(repo, &selection, threads, progress, Occasion::Unasked)
}

/// On whose behalf an index is extended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Occasion {
    /// Somebody asked for it and waits.
    Asked,
    /// Somebody did what calls for it, and does not wait.
    Behind,
    /// Nobody did.
    Unasked,
}

fn run(
    repo: &Repo,
    selection: &Selection,
    threads: usize,
    progress: &dyn Progress,
    occasion: Occasion,
) -> Result<IndexReport, Error> {
    let snapshot = Snapshot::open(repo)?;
    let mut cover = Cover {
        repo,
        threads: match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        },
        progress,
        may_fetch: occasion != Occasion::Unasked && promisor::is_allowed(repo),
        // What is mended now is told to who asked.
        trouble: warnings(&snapshot),
        snapshot,
        report: store::Report {
            published: true,
            ..store::Report::default()
        },
        keys: Vec::new(),
    };
    if let Some(mended) = store::restore(repo, &cover.snapshot)? {
        cover.snapshot = mended;
    }
    let mut gather = Gather {
        repo,
        trees: TreeWalk::new(repo),
        shard: selection.shard,
        progress,
        commits: FxHashSet::default(),
        listed: Vec::new(),
        keys: Vec::new(),
        skipped: BTreeMap::new(),
        covered: match occasion {
            Occasion::Asked | Occasion::Behind => Vec::new(),
            Occasion::Unasked => walked::load(repo, &cover.snapshot),
        },
        reached: Vec::new(),
        too_large: None,
    };
    let is_plain = Selection {
        shard: None,
        ..selection.clone()
    } == Selection::default();
    if is_plain {
        // First what the next question is most likely about: it need not wait for the rest.
        if let Head::Commit { id, .. } = repo.head()? {
            gather.commit(id)?;
        }
        cover.cover(std::mem::take(&mut gather.keys))?;
    }
    let first = cover.keys.clone();
    gather.select(selection)?;
    cover.cover(std::mem::take(&mut gather.keys))?;
    if selection.shard.is_none() && !gather.reached.is_empty() && cover.is_complete() {
        walked::save(repo, &cover.snapshot, &gather.reached);
    }
    // Each shard would read the same history.
    if selection.shard.is_none_or(|shard| shard.is_first()) {
        cover.read_history()?;
    }
    Blocks::new(repo).complete(&cover.snapshot, cover.threads);
    if occasion == Occasion::Asked || repo.config_bool(keys::EMBED_IN_HOOKS) == Some(true) {
        let said = embed::complete(repo, &cover.snapshot, &first, &cover.keys, progress);
        cover.trouble.extend(said);
    }
    cover.snapshot = vectors::record(repo, &cover.snapshot)?;
    // A question can be answered from memory; an index that is not stored was made for nobody.
    if let Some(reason) = cover.report.refusal.take() {
        return Err(Error::NotStored(reason));
    }
    Ok(cover.report(gather))
}

/// Goes through commits and collects the documents their trees need.
struct Gather<'a> {
    repo: &'a Repo,
    trees: TreeWalk<'a>,
    shard: Option<Shard>,
    progress: &'a dyn Progress,
    commits: FxHashSet<CommitId>,
    listed: Vec<CommitId>,
    keys: Vec<DocKey>,
    skipped: BTreeMap<&'static str, usize>,
    /// Tips whose whole history needs no walk.
    covered: Vec<CommitId>,
    /// Tips whose whole history is gathered.
    reached: Vec<CommitId>,
    /// Why commits that nobody named were passed over: the first of them, and how many there are.
    too_large: Option<(git::Error, usize)>,
}

impl Gather<'_> {
    fn select(&mut self, selection: &Selection) -> Result<(), Error> {
        let since = match &selection.since {
            Some(date) => Some(revisions::date(self.repo, date)?),
            None => None,
        };
        let mut named = Vec::new();
        for revision in &selection.revisions {
            named.push(self.repo.resolve(revision)?);
        }
        match since {
            None => named.iter().try_for_each(|id| self.commit(*id))?,
            Some(_) => self.history(&named, &[], since)?,
        }
        for range in &selection.ranges {
            let listed = revisions::range(self.repo, range, since)?;
            listed.into_iter().try_for_each(|id| self.met(id))?;
        }
        let explicit = !selection.revisions.is_empty() || !selection.ranges.is_empty();
        let history = match selection.history {
            None if explicit => return Ok(()),
            None if since.is_some() => History::All,
            None => Policy::of(self.repo)?.history,
            Some(history) => history,
        };
        self.reach(history, since)
    }

    fn reach(&mut self, history: History, since: Option<i64>) -> Result<(), Error> {
        let tips = match history {
            History::Tips | History::Recent => history::tips(self.repo, TipSet::Local)?,
            History::All => history::tips(self.repo, TipSet::All)?,
        };
        match history {
            History::Tips => tips.into_iter().try_for_each(|tip| self.met(tip)),
            History::Recent => {
                let window = Policy::of(self.repo)?.window.seconds;
                tips.into_iter().try_for_each(|tip| {
                    let date = history::commit_date(self.repo, tip)?;
                    self.history(&[tip], &[], Some(date.saturating_sub(window)))
                })
            }
            History::All => {
                let covered = std::mem::take(&mut self.covered);
                self.history(&tips, &covered, since)?;
                if since.is_none() {
                    self.reached = tips;
                }
                Ok(())
            }
        }
    }

    fn history(
        &mut self,
        tips: &[CommitId],
        hidden: &[CommitId],
        since: Option<i64>,
    ) -> Result<(), Error> {
        let mut outcome = Ok(());
        history::commits(self.repo, tips, hidden, since, &mut |commit| {
            outcome = self.met(commit);
            match outcome {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        outcome
    }

    /// As [`Gather::commit`], for a commit that was met on the way: one whose tree lists more than is followed may be a
    /// stranger's, and keeps nobody from all others.
    fn met(&mut self, commit: CommitId) -> Result<(), Error> {
        match self.commit(commit) {
            Err(Error::Git(err)) if err.is_too_large() => {
                let (_, count) = self.too_large.get_or_insert((err, 0));
                *count += 1;
                Ok(())
            }
            other => other,
        }
    }

    fn commit(&mut self, commit: CommitId) -> Result<(), Error> {
        if !self.commits.insert(commit) {
            return Ok(());
        }
        if self.progress.cancelled() {
            return Err(store::Error::Cancelled.into());
        }
        if self.listed.len() < MAX_LISTED {
            self.listed.push(commit);
        }
        let Self {
            trees,
            shard,
            keys,
            skipped,
            ..
        } = self;
        let _ = trees.commit(commit, &mut |entry| {
            if shard.is_none_or(|shard| shard.holds(entry.id)) {
                match Reading::of(&entry.path, entry.mode) {
                    Reading::Document(grammar) => keys.push(DocKey {
                        blob: entry.id,
                        grammar,
                    }),
                    other => {
                        let reason = other.skip_label().unwrap_or("other");
                        *skipped.entry(reason).or_default() += 1;
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        Ok(())
    }
}

/// Extends the index step by step and sums up what it took.
struct Cover<'a> {
    repo: &'a Repo,
    threads: usize,
    progress: &'a dyn Progress,
    may_fetch: bool,
    snapshot: Snapshot,
    report: store::Report,
    /// What was asked for so far; sorted and distinct.
    keys: Vec<DocKey>,
    trouble: Vec<String>,
}

impl Cover<'_> {
    fn cover(&mut self, mut keys: Vec<DocKey>) -> Result<(), Error> {
        keys.sort_unstable();
        keys.dedup();
        keys.retain(|key| self.keys.binary_search(key).is_err());
        if self.may_fetch {
            self.fetch(&keys);
        }
        let (repo, threads) = (self.repo, self.threads);
        let (snapshot, report) =
            store::ensure(repo, &self.snapshot, &keys, threads, self.progress)?;
        self.snapshot = snapshot;
        self.report.extracted += report.extracted;
        self.report.source_bytes += report.source_bytes;
        self.report.missing.extend(report.missing);
        self.report.unreadable.extend(report.unreadable);
        self.report.published &= report.published;
        self.report.refusal = self.report.refusal.take().or(report.refusal);
        self.keys.append(&mut keys);
        self.keys.sort_unstable();
        Ok(())
    }

    /// Fetches the blobs of documents that are to be extracted and are not here.
    fn fetch(&mut self, keys: &[DocKey]) {
        let objects = self.repo.objects();
        let mut missing: Vec<BlobId> = keys
            .iter()
            .filter(|key| self.snapshot.find(key).is_none())
            .map(|key| key.blob)
            .filter(|blob| !self.snapshot.ledger().denies(*blob))
            .filter(|blob| !objects.contains(blob.as_object()))
            .collect();
        missing.dedup();
        if !missing.is_empty()
            && let Err(err) = promisor::fetch(self.repo, &missing)
        {
            self.trouble.push(err.to_string());
        }
    }

    /// Adds what commits say that lead to `HEAD`.
    fn read_history(&mut self) -> Result<(), Error> {
        // What of history cannot be had is said by the question that lacks it.
        if let Head::Commit { id, .. } = self.repo.head()? {
            self.snapshot = store::log::record(self.repo, &self.snapshot, id, self.progress)?;
        }
        Ok(())
    }

    /// Whether everything asked for was to be had and is stored.
    fn is_complete(&self) -> bool {
        let report = &self.report;
        report.published && report.missing.is_empty() && report.unreadable.is_empty()
    }

    fn report(self, gather: Gather) -> IndexReport {
        let mut skipped = gather.skipped;
        for key in &self.keys {
            if let Some(reason) = skip_reason(&self.snapshot, key) {
                *skipped.entry(reason.label()).or_default() += 1;
            }
        }
        let mut warnings = warnings(&self.snapshot);
        let is_news = |said: &String| !warnings.contains(said);
        let news: Vec<String> = self.trouble.into_iter().filter(is_news).collect();
        warnings.extend(news);
        warnings.extend(not_covered(&self.report));
        warnings.extend(gather.too_large.map(|(first, count)| match count {
            1 => format!("1 commit was passed over: {first}"),
            n => format!("{n} commits were passed over, the first: {first}"),
        }));
        let commits_total = gather.commits.len();
        let is_short = commits_total <= MAX_LISTED;
        IndexReport {
            index: IndexState::of(&self.snapshot),
            commits: if is_short { gather.listed } else { Vec::new() },
            commits_total,
            documents_needed: self.keys.len(),
            documents_added: self.report.extracted,
            source_bytes: self.report.source_bytes,
            skipped: Skipped::most_first(skipped),
            warnings,
        }
    }
}
