//! `fetch`, `push` and `sync`: exchanging the index with a remote, and memories beside it.
//!
//! Guarantees: documents travel only to where their content is; the remote's ref is moved from
//! the value that was united with ours, or not at all; a lost race is united and tried again. What
//! a remote had last is remembered under a tracking ref, and only there.

use super::Error;
use super::memories::{self, Came};
use super::reach;
use crate::git::packs::Held;
use crate::git::refs::{self, backoff};
use crate::git::remote::last_seen_tips;
use crate::git::transport::{Connection, Refspec, RemoteRef, Step, Update};
use crate::git::{self, Direction, Head, Refusal, Remote, Repo, keys, tree};
use crate::id::{BlobId, CommitId};
use crate::memory::log::Log;
use crate::query::engine::warnings;
use crate::query::serialize::is_zero;
use crate::query::state::IndexState;
use crate::store::facts;
use crate::store::offer::{self, Offer, Terms};
use crate::store::trace::Traces;
use crate::store::{self, Sample, Snapshot, Subject, Warning};
use gix::ObjectId;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// How often a push is tried while others move the ref.
const ATTEMPTS: u32 = 32;
/// Losses without anybody having moved the ref, after which the remote means something else.
const BLIND_LOSSES: u32 = 3;
/// A network takes longer than a local lock: waits between tries are longer by this.
const PATIENCE: u32 = 8;
/// Bytes of segments sent at once unless `sverklo.pushLimit` says otherwise; hosts take 2 GiB.
const PUSH_LIMIT: u64 = 3 << 29;

/// Whom to exchange with, and who watches.
pub struct Exchange<'a> {
    /// Our side.
    pub repo: &'a Repo,
    /// The remote that was asked for; the configuration decides without.
    pub remote: Option<&'a str>,
    /// Where a relative path begins.
    pub dir: &'a Path,
    /// Whether somebody is there to answer a prompt.
    pub interactive: bool,
    /// Whether to say what would be done, and not to do it.
    pub dry_run: bool,
    /// Is told how far a transfer is.
    pub watch: &'a dyn Fn(Step),
    /// Is told who changed which memories that were here, at once: whatever fails later, it has happened.
    pub lost: &'a dyn Fn(&[Came]),
}

/// What `fetch` did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FetchReport {
    /// The remote.
    pub remote: String,
    /// Abbreviated id of the remote's index; `None` when it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
    /// Whether nothing was done.
    pub dry_run: bool,
    /// Whether the remote has what it had when we last met.
    #[serde(rename = "known")]
    pub is_known: bool,
    /// Segments that came.
    pub segments: usize,
    /// Documents that our index did not have.
    pub documents: usize,
    /// Blobs of which we did not know what ran.
    #[serde(skip_serializing_if = "is_zero")]
    pub traces: usize,
    /// Blobs of which compilers had not said what they name.
    #[serde(skip_serializing_if = "is_zero")]
    pub facts: usize,
    /// Commits of which we did not know what they say.
    #[serde(skip_serializing_if = "is_zero")]
    pub commits: usize,
    /// Files of `HEAD` of which nothing may be recorded any more, because the remote says so.
    #[serde(skip_serializing_if = "is_zero")]
    pub forgotten: usize,
    /// Memories that came, by author.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<Came>,
    /// Whether the remote has memories.
    #[serde(skip)]
    pub has_memories: bool,
    /// Our index afterwards.
    #[serde(rename = "store")]
    pub index: IndexState,
    /// What went wrong without stopping the run; one sentence each.
    pub warnings: Vec<String>,
}

/// What `push` did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PushReport {
    /// The remote.
    pub remote: String,
    /// Abbreviated id of the remote's index afterwards; `None` when it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
    /// Whether nothing was done.
    pub dry_run: bool,
    /// Whether the remote had all of this before.
    #[serde(rename = "current")]
    pub is_current: bool,
    /// Segments that were sent, or would be.
    pub segments: usize,
    /// Documents that the remote did not have.
    pub documents: usize,
    /// Blobs of which the remote learned more about what ran, or would.
    #[serde(skip_serializing_if = "is_zero")]
    pub traces: usize,
    /// Blobs of which the remote learned more of what compilers say, or would.
    #[serde(skip_serializing_if = "is_zero")]
    pub facts: usize,
    /// Commits of which the remote learned what they say, or would.
    #[serde(skip_serializing_if = "is_zero")]
    pub commits: usize,
    /// Commits of which that stays here because the remote does not have them.
    #[serde(skip_serializing_if = "is_zero")]
    pub commits_withheld: usize,
    /// Bytes of these segments, uncompressed.
    pub bytes: u64,
    /// Documents that stay here because the remote does not have their content.
    pub withheld: usize,
    /// Segments the remote has afterwards.
    pub segments_there: usize,
    /// Events of the memory log that were sent, or would be.
    #[serde(skip_serializing_if = "is_zero")]
    pub memories: usize,
    /// Memories that came with what ours were united with, by author.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub came: Vec<Came>,
    /// Times somebody else was quicker.
    pub races: u32,
    /// What went wrong without stopping the run; one sentence each.
    pub warnings: Vec<String>,
}

/// Takes the remote's index into ours.
pub fn fetch(exchange: &Exchange) -> Result<FetchReport, Error> {
    let remote = exchange.resolve(Direction::Fetch)?;
    let fetched = fetch_from(exchange, &remote)?;
    match fetched.trouble {
        None => Ok(fetched.report),
        Some(err) => Err(err),
    }
}

/// Gives the remote what may travel of our index.
pub fn push(exchange: &Exchange) -> Result<PushReport, Error> {
    let remote = exchange.resolve(Direction::Push)?;
    push_to(exchange, &remote, None)
}

/// Takes, then gives.
pub fn sync(exchange: &Exchange) -> Result<(FetchReport, PushReport), Error> {
    let from = exchange.resolve(Direction::Fetch)?;
    let to = exchange.resolve(Direction::Push)?;
    let fetched = fetch_from(exchange, &from)?;
    let seen = (from == to && !exchange.dry_run).then_some(fetched.tips);
    let pushed = push_to(exchange, &to, seen);
    match (fetched.trouble, pushed) {
        (None, pushed) => Ok((fetched.report, pushed?)),
        (Some(Error::MemoriesLeft { done, why }), Err(Error::MemoriesLeft { done: more, .. })) => {
            let done = format!("{done}; {more}");
            Err(Error::MemoriesLeft { done, why })
        }
        (Some(err), _) => Err(err),
    }
}

impl Exchange<'_> {
    fn resolve(&self, direction: Direction) -> Result<Remote, Error> {
        Ok(Remote::resolve(
            self.repo,
            self.remote,
            direction,
            self.dir,
        )?)
    }

    fn connection<'a>(&'a self, remote: &'a Remote) -> Connection<'a> {
        Connection {
            repo: self.repo,
            remote,
            interactive: self.interactive,
            watch: self.watch,
        }
    }

    /// Fetches the remote's index and memories into their tracking refs and returns their tips.
    fn fetch_tips(&self, remote: &Remote) -> Result<Tips, Error> {
        let names = self.repo.ref_names();
        let index = Refspec {
            theirs: names.index(),
            ours: remote.tracking_index(),
        };
        let memory = Refspec {
            theirs: names.memory(),
            ours: remote.tracking_memory(),
        };
        let tips = self.connection(remote).fetch(&[index, memory])?;
        let mut tips = tips.into_iter().map(|tip| tip.map(CommitId::new));
        Ok(Tips {
            index: tips.next().flatten(),
            memory: tips.next().flatten(),
        })
    }
}

/// What a remote has.
#[derive(Clone, Copy, Default)]
struct Tips {
    index: Option<CommitId>,
    memory: Option<CommitId>,
}

impl Tips {
    /// Picks what is exchanged out of the refs that a remote lists.
    fn named(repo: &Repo, listed: &[RemoteRef]) -> Self {
        Self {
            index: named(listed, &repo.ref_names().index()),
            memory: named(listed, &repo.ref_names().memory()),
        }
    }
}

/// What was fetched.
struct Fetched {
    report: FetchReport,
    tips: Tips,
    /// Why the memories were not taken.
    trouble: Option<Error>,
}

fn fetch_from(exchange: &Exchange, remote: &Remote) -> Result<Fetched, Error> {
    let repo = exchange.repo;
    let ours = Snapshot::open(repo)?;
    let before = refs::read(repo, &remote.tracking_index())?.map(CommitId::new);
    let tips = if exchange.dry_run {
        Tips::named(repo, &exchange.connection(remote).list(true)?)
    } else {
        exchange.fetch_tips(remote)?
    };
    let mut report = FetchReport {
        remote: remote.to_string(),
        tip: tips.index.map(|tip| tip.short()),
        dry_run: exchange.dry_run,
        is_known: tips.index == before,
        has_memories: tips.memory.is_some(),
        index: IndexState::of(&ours),
        ..FetchReport::default()
    };
    let mut trouble = None;
    if !exchange.dry_run {
        // Neither keeps the other from being taken.
        let index = match tips.index {
            Some(tip) => take_index(repo, &ours, tip, &mut report),
            None => Ok(()),
        };
        let memories = match tips.memory {
            Some(theirs) => memories::take(repo, remote, theirs),
            None => Ok(Vec::new()),
        };
        if let Ok(came) = &memories {
            (exchange.lost)(came);
        }
        index?;
        match (memories, tips.index) {
            (Ok(came), _) => report.memories = came,
            (Err(err), None) => trouble = Some(err),
            (Err(why), Some(tip)) => {
                trouble = Some(Error::MemoriesLeft {
                    done: format!("the index of {remote} was taken ({})", tip.short()),
                    why: Box::new(why),
                });
            }
        }
    }
    Ok(Fetched {
        report,
        tips,
        trouble,
    })
}

/// Unites the index that a remote has into ours.
fn take_index(
    repo: &Repo,
    ours: &Snapshot,
    tip: CommitId,
    report: &mut FetchReport,
) -> Result<(), Error> {
    let theirs = Snapshot::at(repo, tip, ours);
    let had: FxHashSet<_> = ours.segments().iter().map(|open| open.id()).collect();
    let came = theirs.segments().iter().map(|open| open.id());
    report.segments = came.filter(|id| !had.contains(id)).count();
    let unshared = offer::unshared(repo, &theirs, ours);
    report.documents = unshared.documents;
    report.commits = unshared.pieces.log;
    let known = Traces::open(repo, ours).0.len();
    let told = facts::blobs(repo, ours).len();
    let merged = store::union(repo, tip)?;
    report.facts = facts::blobs(repo, &merged).len().saturating_sub(told);
    report.traces = Traces::open(repo, &merged).0.len().saturating_sub(known);
    report.index = IndexState::of(&merged);
    report.warnings = warnings(&merged);
    // What cannot be listed here is said by whoever reads it.
    report.forgotten = newly_forgotten(repo, ours, &theirs).unwrap_or_default();
    if report.forgotten > 0 {
        report.warnings.push(format!(
            "somebody who pushes to {} has had content forgotten that {} of HEAD: nothing is recorded or found of it here any more, and the next push passes that on; `git sverklo forget --list` has the blobs",
            report.remote,
            match report.forgotten {
                1 => "is in 1 file".to_owned(),
                n => format!("is in {n} files"),
            }
        ));
    }
    Ok(())
}

/// Number of files of `HEAD` of which nothing may be recorded because a remote says so, and not because it was known.
fn newly_forgotten(repo: &Repo, ours: &Snapshot, theirs: &Snapshot) -> Result<usize, Error> {
    let known = ours.ledger();
    let new = theirs.ledger().denied().filter(|blob| !known.denies(*blob));
    let new: FxHashSet<BlobId> = new.collect();
    let Head::Commit { id, .. } = repo.head()? else {
        return Ok(0);
    };
    if new.is_empty() {
        return Ok(0);
    }
    let files = tree::list_commit(repo, id)?;
    Ok(files.iter().filter(|file| new.contains(&file.id)).count())
}

/// Returns what a listed ref names.
fn named(listed: &[RemoteRef], name: &str) -> Option<CommitId> {
    let found = listed.iter().find(|listed| listed.name == name)?;
    Some(CommitId::new(found.id))
}

/// What may travel to a remote, found out once for all tries of a push.
struct Public<'a> {
    repo: &'a Repo,
    remote: &'a Remote,
    tips: Option<Vec<ObjectId>>,
    asked: FxHashSet<Subject>,
    reached: FxHashSet<Subject>,
    /// What was passed over, and why.
    passed: Vec<String>,
}

impl Public<'_> {
    /// Finds out for the documents and commits of `ours` that `theirs` lacks.
    fn ask(
        &mut self,
        connection: &Connection,
        ours: &Snapshot,
        theirs: &Snapshot,
    ) -> Result<(), Error> {
        let mut subjects = offer::unshared(self.repo, ours, theirs).subjects;
        subjects.retain(|subject| !self.asked.contains(subject));
        if subjects.is_empty() {
            return Ok(());
        }
        let (mut blobs, mut commits) = (Vec::new(), Vec::new());
        for subject in &subjects {
            match subject {
                Subject::Blob(blob) => blobs.push(*blob),
                Subject::Commit(commit) => commits.push(*commit),
            }
        }
        let tips = match self.tips.take() {
            Some(tips) => tips,
            None => {
                let listed = connection.list(false)?;
                let mut tips = branches_and_tags(&listed);
                tips.extend(last_seen_tips(self.repo, self.remote)?);
                tips
            }
        };
        let label = self.remote.label();
        let found = reach::reachable(self.repo, label, &tips, blobs)?;
        let blobs = found.blobs.into_iter();
        self.reached.extend(blobs.map(Subject::Blob));
        let passed = found.passed.into_iter();
        self.passed
            .extend(passed.map(|err| format!("what only this has is not sent: {err}")));
        let commits = reach::commits(self.repo, &tips, commits)?;
        self.reached
            .extend(commits.into_iter().map(Subject::Commit));
        self.asked.extend(subjects);
        self.tips = Some(tips);
        Ok(())
    }
}

fn branches_and_tags(listed: &[RemoteRef]) -> Vec<ObjectId> {
    let is_users = |listed: &&RemoteRef| {
        listed.name.starts_with("refs/heads/") || listed.name.starts_with("refs/tags/")
    };
    listed
        .iter()
        .filter(is_users)
        .map(|listed| listed.id)
        .collect()
}

fn push_to(exchange: &Exchange, remote: &Remote, seen: Option<Tips>) -> Result<PushReport, Error> {
    let repo = exchange.repo;
    let ours = Snapshot::open(repo)?;
    let remembers = refs::read(repo, &repo.ref_names().memory())?.is_some();
    if ours.tip.is_none() && !remembers {
        return Err(Error::NoIndex);
    }
    let tips = match seen {
        Some(tips) => tips,
        None if exchange.dry_run => Tips::default(),
        None => exchange.fetch_tips(remote)?,
    };
    let mut report = match ours.tip {
        Some(_) => push_index(exchange, remote, &ours, tips.index)?,
        None => PushReport {
            remote: remote.to_string(),
            dry_run: exchange.dry_run,
            is_current: true,
            ..PushReport::default()
        },
    };
    if remembers {
        let given = push_memories(exchange, remote, tips.memory, &mut report);
        given.map_err(|why| match ours.tip.filter(|_| !exchange.dry_run) {
            Some(_) => Error::MemoriesLeft {
                done: format!("the index was given to {remote}"),
                why: Box::new(why),
            },
            None => why,
        })?;
    }
    Ok(report)
}

/// Gives the remote our memories, united with its own.
fn push_memories(
    exchange: &Exchange,
    remote: &Remote,
    mut theirs: Option<CommitId>,
    report: &mut PushReport,
) -> Result<(), Error> {
    let repo = exchange.repo;
    let connection = exchange.connection(remote);
    if exchange.dry_run {
        let known = refs::read(repo, &remote.tracking_memory())?.map(CommitId::new);
        report.memories = memories::lacking(repo, &Log::open(repo)?, remote, known)?;
        return Ok(());
    }
    let (mut races, mut blind) = (0, 0);
    loop {
        let mut told = |came: Vec<Came>| {
            (exchange.lost)(&came);
            report.came.extend(came);
        };
        match memories::give(&connection, theirs, &mut told) {
            Ok(None) => return Ok(()),
            Ok(Some((sent, tip))) => {
                remember(repo, &remote.tracking_memory(), tip, &Held::nothing())?;
                report.memories = sent;
                let there = branches_and_tags(&connection.list(true)?);
                let unplaced = memories::unplaced(repo, &there)?;
                if unplaced > 0 {
                    report.warnings.push(format!(
                        "{unplaced} of the memories count from commits that {remote} does not have; whether they hold stays unknown there until those are pushed"
                    ));
                }
                return Ok(());
            }
            Err(Error::Git(err)) if is_lost(&err) => {
                races += 1;
                report.races += 1;
                if races >= ATTEMPTS || blind >= BLIND_LOSSES {
                    return Err(err.into());
                }
                std::thread::sleep(wait(races));
                let now = exchange.fetch_tips(remote)?.memory;
                blind = if now == theirs { blind + 1 } else { 0 };
                theirs = now;
            }
            Err(err) => return Err(err),
        }
    }
}

/// Gives the remote what may travel of our index.
fn push_index(
    exchange: &Exchange,
    remote: &Remote,
    ours: &Snapshot,
    mut tip: Option<CommitId>,
) -> Result<PushReport, Error> {
    let repo = exchange.repo;
    let connection = exchange.connection(remote);
    let mut report = PushReport {
        remote: remote.to_string(),
        dry_run: exchange.dry_run,
        warnings: warnings(ours),
        ..PushReport::default()
    };
    let terms = terms(repo, &mut report.warnings);
    let mut public = Public {
        repo,
        remote,
        tips: None,
        asked: FxHashSet::default(),
        reached: FxHashSet::default(),
        passed: Vec::new(),
    };
    if exchange.dry_run {
        return foresee(&connection, &mut public, ours, terms, report);
    }
    let mut blind = 0;
    loop {
        let theirs = open(repo, tip, ours)?;
        for warning in warnings(&theirs) {
            if !report.warnings.contains(&warning) {
                report.warnings.push(warning);
            }
        }
        public.ask(&connection, ours, &theirs)?;
        report.warnings.append(&mut public.passed);
        let allowed = store::Public {
            blob: &|blob| public.reached.contains(&Subject::Blob(blob)),
            commit: &|commit| public.reached.contains(&Subject::Commit(commit)),
        };
        let offer = offer::compose(repo, ours, &theirs, allowed, terms)?;
        report.withheld = offer.withheld;
        report.commits_withheld = offer.withheld_pieces.log;
        report.segments_there = offer.segments();
        report.tip = tip.map(|tip| tip.short());
        if offer.is_known {
            report.is_current = report.segments == 0;
            return Ok(report);
        }
        let (new, held) = offer::write(repo, &offer, &theirs, terms)?;
        let update = Update {
            name: repo.ref_names().index(),
            new: new.as_object(),
            expected: tip.map(|tip| tip.as_object()),
        };
        match connection.push(&[update]) {
            Ok(()) => {
                remember(repo, &remote.tracking_index(), new, &held)?;
                account(&mut report, &offer);
                report.tip = Some(new.short());
                if !offer.is_partial {
                    return Ok(report);
                }
                tip = Some(new);
            }
            Err(err) if is_lost(&err) => {
                report.races += 1;
                if report.races >= ATTEMPTS || blind >= BLIND_LOSSES {
                    return Err(err.into());
                }
                std::thread::sleep(wait(report.races));
                let now = exchange.fetch_tips(remote)?.index;
                blind = if now == tip { blind + 1 } else { 0 };
                tip = now;
            }
            Err(err) => return Err(err.into()),
        }
    }
}

/// Says what a push would send, from what is known of the remote without fetching.
fn foresee(
    connection: &Connection,
    public: &mut Public,
    ours: &Snapshot,
    terms: Terms,
    mut report: PushReport,
) -> Result<PushReport, Error> {
    let repo = connection.repo;
    let listed = connection.list(true)?;
    let mut tips = branches_and_tags(&listed);
    tips.extend(last_seen_tips(repo, connection.remote)?);
    public.tips = Some(tips);
    let tip = named(&listed, &repo.ref_names().index());
    report.tip = tip.map(|tip| tip.short());
    let mut theirs = match tip {
        Some(tip) if repo.commit_tree(tip).is_err() => {
            report.warnings.push(
                "the remote's index has changed since it was fetched; a push may send less"
                    .to_owned(),
            );
            refs::read(repo, &connection.remote.tracking_index())?.map(CommitId::new)
        }
        tip => tip,
    };
    let theirs = open(repo, theirs.take(), ours)?;
    public.ask(connection, ours, &theirs)?;
    report.warnings.append(&mut public.passed);
    let allowed = store::Public {
        blob: &|blob| public.reached.contains(&Subject::Blob(blob)),
        commit: &|commit| public.reached.contains(&Subject::Commit(commit)),
    };
    let most_bytes = u64::MAX;
    let terms = Terms {
        most_bytes,
        ..terms
    };
    let offer = offer::compose(repo, ours, &theirs, allowed, terms)?;
    report.withheld = offer.withheld;
    report.commits_withheld = offer.withheld_pieces.log;
    report.is_current = offer.is_known;
    if !offer.is_known {
        account(&mut report, &offer);
    }
    report.segments_there = offer.segments();
    Ok(report)
}

/// Opens what can be believed of the remote's set. One that a newer program made is not replaced by ours.
fn open(repo: &Repo, tip: Option<CommitId>, ours: &Snapshot) -> Result<Snapshot, Error> {
    let Some(tip) = tip else {
        return Ok(Snapshot::default());
    };
    let theirs = store::open_fetched(repo, tip, ours, Sample::configured(repo));
    let foreign = |warning: &&Warning| matches!(warning, Warning::ForeignTip { .. });
    match theirs.warnings.iter().find(foreign) {
        Some(warning) if offer::is_newer(repo, tip) => Err(Error::NewerIndex(warning.to_string())),
        _ => Ok(theirs),
    }
}

fn account(report: &mut PushReport, offer: &Offer) {
    report.segments += offer.new_segments.len();
    report.documents += offer.new_documents;
    report.traces += offer.new_pieces.traces;
    report.facts += offer.new_pieces.facts;
    report.commits += offer.new_pieces.log;
    report.bytes += offer.new_bytes();
}

fn is_lost(err: &git::Error) -> bool {
    let git::Error::Remote { why, .. } = err else {
        return false;
    };
    matches!(why, Refusal::LostLease { .. })
}

/// Waits longer from try to try, and never as long as somebody else.
fn wait(races: u32) -> Duration {
    backoff(races) * PATIENCE
}

/// Moves the tracking ref to what the remote has now. Another process may have moved it further.
fn remember(repo: &Repo, name: &str, tip: CommitId, held: &Held) -> Result<(), Error> {
    let before = refs::read(repo, name)?;
    refs::compare_and_swap(repo, name, tip.as_object(), before, held, "push")?;
    Ok(())
}

/// Reads what the configuration says of pushing.
fn terms(repo: &Repo, warnings: &mut Vec<String>) -> Terms {
    let history = repo.config_str(keys::INDEX_HISTORY);
    if let Some(other) = history
        .as_deref()
        .filter(|v| !matches!(*v, "linear" | "none"))
    {
        warnings.push(format!(
            "sverklo.indexHistory is {other:?}, where only linear and none are known"
        ));
    }
    let limit = repo.config_int(keys::PUSH_LIMIT);
    Terms {
        linear: history.as_deref() == Some("linear"),
        most_bytes: limit
            .and_then(|limit| u64::try_from(limit).ok())
            .unwrap_or(PUSH_LIMIT),
    }
}
