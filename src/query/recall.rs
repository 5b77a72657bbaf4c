//! `recall`: which memories hold at a revision, as far as was known at a moment.
//!
//! What holds is found by [`crate::memory`]; here a question is put to it, its facts are picked, and those
//! that a query is about are ranked ([`rank`]). What a new memory may contradict is found by [`similar`].

pub mod about;
pub mod archive;
pub mod bodies;
pub mod empty;
pub mod named;
pub mod rank;
pub mod related;
pub mod similar;
pub mod target;
mod went;
pub mod words;

use self::about::{Elsewhere, is_named};
use self::archive::Archive;
use self::empty::EmptyAnswer;
use self::named::{author, ids_of, label};
use self::target::{Placed, Survey};
use super::Error;
use super::engine::Engine;
use super::question::{self, Question, warned};
use crate::clean;
use crate::git::{self, Repo, refs, revisions};
use crate::history::message;
use crate::id::{CommitId, EventId};
use crate::memory;
use crate::memory::event::{Body, Event, Kind};
use crate::memory::fold::{Contest, Fact, Fold, Verdict, Version};
use crate::memory::known;
use crate::memory::ladder::{Absence, Reason, Rung};
use crate::memory::log::Log;
use crate::store::Progress;
use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// Memories that are listed unless the question says otherwise.
pub const DEFAULT_LIMIT: usize = 50;
/// Memories, the best of an answer, whose targets are followed where they have gone and of which is told
/// what changed them: that takes a look at history.
const MAX_FOLLOWED: usize = 8;
/// Part of the best score below which a memory has little to do with the query.
const LEAST_SHARE: f64 = 0.3;

/// The words for kinds of memories.
pub const KINDS: [&str; 7] = {
    let mut words = [""; 7];
    let mut at = 0;
    while at < words.len() {
        words[at] = Kind::ALL[at].label();
        at += 1;
    }
    words
};

/// `recall`: finds memories.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecallRequest {
    /// What the memories are to be about; empty: everything.
    pub query: String,
    /// Paths, directories, symbol ids or names that a memory must be about.
    pub targets: Vec<String>,
    /// Kinds, by label; none: all.
    pub kinds: Vec<String>,
    /// The revision at which it must hold; `HEAD` without.
    pub at: Option<String>,
    /// A commit of the memory log, or a date: what came later is not known.
    pub known_at: Option<String>,
    /// How many of the first to leave out.
    pub offset: usize,
    /// Most memories.
    pub limit: usize,
    /// Only what is contested.
    pub conflicts: bool,
    /// Also what does not hold.
    pub all: bool,
}

labelled! {
    /// Whether a memory holds, in the fewest words.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum State {
        /// It holds.
        Holds = "holds",
        /// It cannot be told.
        Unknown = "unknown",
        /// It does not yet: it was said of a later commit.
        Later = "later",
        /// It was said of another line of work.
        Elsewhere = "elsewhere",
        /// It was ended.
        Ended = "ended",
        /// Another claim has taken its place.
        Replaced = "replaced",
    }
}

/// One memory: a version of a fact, at a commit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Memory {
    /// The fact's id, as short as it can be told apart.
    pub id: String,
    /// The version's own id, likewise; the same as `id` for the first one.
    pub version: String,
    /// Label of its kind; empty for one whose text was taken out.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub kind: &'static str,
    /// What it says; `None` when that was taken out.
    #[serde(serialize_with = "clean_text", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What it is about: symbol ids and paths, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// Where these are now, in their order; none when they were not looked at. Those that are as they were
    /// are left out of JSON.
    #[serde(
        rename = "standing",
        serialize_with = "target::not_fresh",
        skip_serializing_if = "target::are_fresh"
    )]
    pub standings: Vec<Placed>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether it should be known before anything else.
    pub core: bool,
    /// Who said it: `Name <mail>`.
    #[serde(serialize_with = "clean::serialize_whole")]
    pub author: String,
    /// With which program.
    pub tool: String,
    /// When, as they say.
    pub date: String,
    /// Abbreviated id of the commit from which on it holds.
    pub pin: String,
    /// First line of that commit.
    #[serde(serialize_with = "clean::serialize_whole")]
    pub subject: String,
    /// Whether it holds.
    pub state: State,
    /// How that is known: the rung of the ladder, what ended it, or why it cannot be told.
    pub why: String,
    /// What speaks against relying on it, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contested: Vec<String>,
}

fn clean_text<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    clean::serialize_text(text.as_deref().unwrap_or_default(), serializer)
}

impl Memory {
    /// Adds where its targets are, if it may hold: of what does not, nobody asks.
    pub fn look_at(&mut self, fold: &Fold, version: &Version, survey: &mut Survey) {
        if let (State::Holds | State::Unknown, Some(event)) =
            (self.state, fold.nodes()[version.node].event)
        {
            let standings = self.targets.iter().cloned().zip(survey.of(event));
            self.standings = standings
                .map(|(target, is)| Placed { target, is })
                .collect();
        }
    }
}

/// Answer of `recall`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecallAnswer {
    /// The commit it speaks of, abbreviated.
    pub at: String,
    /// The commit of the memory log it speaks from, abbreviated; `None` while there is none.
    pub known_at: Option<String>,
    /// How many of the first were left out.
    pub offset: usize,
    /// Memories, best first.
    pub memories: Vec<Memory>,
    /// Number of memories found, listed or not.
    pub total: usize,
    /// What went wrong without stopping the answer; one sentence each.
    pub warnings: Vec<String>,
    /// Set when none was found: what keeps the others out.
    pub unmet: Option<EmptyAnswer>,
}

/// The log as it was known at a moment, folded at a commit.
pub struct Recalled {
    /// The commit.
    pub at: CommitId,
    /// The log.
    pub log: Arc<Log>,
}

impl Recalled {
    /// Opens the log for a question. Fails on an unknown revision, or a log that cannot be read.
    pub fn open(
        repo: &Repo,
        archive: &Archive,
        at: Option<&str>,
        known_at: Option<&str>,
    ) -> Result<Self, Error> {
        let at = repo.resolve(at.unwrap_or("HEAD"))?;
        let log = match known_at {
            None => archive.log(repo)?,
            Some(moment) => Arc::new(known(repo, moment)?),
        };
        Ok(Self { at, log })
    }

    /// The facts of the log at the commit. Fails on history that cannot be read.
    pub fn facts(
        &self,
        repo: &Repo,
        archive: &Archive,
        fold: &Fold,
    ) -> Result<Arc<Vec<Fact>>, Error> {
        archive.facts(repo, self.at, &self.log, fold)
    }

    /// Ids of all facts and events, in order, to shorten and to find them by.
    pub fn ids(&self) -> Vec<EventId> {
        ids_of(&self.log)
    }
}

/// Finds the log as it was known at one of its commits, or at a date.
fn known(repo: &Repo, moment: &str) -> Result<Log, Error> {
    let name = repo.ref_names().memory();
    let Some(tip) = refs::read(repo, &name)?.map(CommitId::new) else {
        return Ok(Log::default());
    };
    // An abbreviation of digits alone could be a date too; a revision of the log comes first.
    if let Ok(commit) = repo.resolve(moment)
        && is_log(repo, commit)
    {
        return Ok(Log::at(repo, commit, moment)?);
    }
    let seconds = revisions::moment(repo, moment)?;
    Ok(known::at_date(repo, tip, &name, seconds)?)
}

/// Whether a commit is one of a memory log and not of the user's code.
fn is_log(repo: &Repo, commit: CommitId) -> bool {
    let path = git::RepoPath::new("format");
    let Ok(path) = path else { return false };
    let Ok(root) = repo.commit_tree(commit) else {
        return false;
    };
    let mut objects = repo.objects();
    let found = git::tree::find(&mut objects, root, &path);
    let Ok(Some(git::tree::Found::Leaf(_, blob))) = found else {
        return false;
    };
    let mut bytes = Vec::new();
    objects.blob_size(blob).is_ok_and(|size| size < 1000)
        && objects.blob(blob, &mut bytes).is_ok()
        && bytes.starts_with(b"sverklo memory\n")
}

warned!(RecallAnswer, warnings);

impl Question for RecallRequest {
    type Pin = Recalled;
    type Answer = RecallAnswer;

    fn check(&self) -> Result<(), Error> {
        question::words("query", &self.query)?;
        question::list("target", &self.targets)?;
        question::list("kind", &self.kinds)?;
        question::argument("revision", self.at.as_deref().unwrap_or_default())?;
        question::argument("moment", self.known_at.as_deref().unwrap_or_default())
    }

    fn pin(&self, engine: &Engine, _progress: &dyn Progress) -> Result<Recalled, Error> {
        let (at, known_at) = (self.at.as_deref(), self.known_at.as_deref());
        Recalled::open(engine.repo(), &engine.archive, at, known_at)
    }

    fn answer(
        &self,
        engine: &Engine,
        recalled: &Recalled,
        _progress: &dyn Progress,
    ) -> Result<RecallAnswer, Error> {
        recall(engine.repo(), &engine.archive, recalled, self)
    }
}

/// Answers `recall` from the log at a commit.
fn recall(
    repo: &Repo,
    archive: &Archive,
    recalled: &Recalled,
    request: &RecallRequest,
) -> Result<RecallAnswer, Error> {
    let fold = Fold::of(&recalled.log);
    let facts = recalled.facts(repo, archive, &fold)?;
    let ids = recalled.ids();
    let mut survey = Survey::of_many(archive.reader(repo), repo, recalled.at)?;
    let all = facts.iter().flat_map(|fact| {
        let versions = fact.versions.iter();
        versions.map(move |version| (fact.id, version))
    });
    let event = |version: &Version| fold.nodes()[version.node].event;
    let mut wanted: Vec<(EventId, &Version)> = all
        .clone()
        .filter(|(_, version)| is_wanted(request, version, event(version)))
        .collect();
    let mut left_out = 0;
    if !request.targets.is_empty() {
        // What is wanted may have had other names when something was said of it.
        let anything = RecallRequest {
            targets: Vec::new(),
            ..request.clone()
        };
        let others = all.filter_map(|(fact, version)| {
            let event = event(version)?;
            let is_other = is_wanted(&anything, version, Some(event))
                && !is_wanted(request, version, Some(event));
            is_other.then_some((event, (fact, version)))
        });
        let others: Vec<_> = others.collect();
        let mut elsewhere = Elsewhere::new(&request.targets, &mut survey);
        wanted.extend(elsewhere.formerly(&others, &mut survey));
        if wanted.is_empty() {
            wanted = elsewhere.now(&others, &mut survey);
        }
        left_out = elsewhere.left_out;
    }
    let found = wanted.into_iter().map(|(fact, version)| {
        let node = &fold.nodes()[version.node];
        Found {
            score: 0.0,
            core: node.event.is_some_and(is_core),
            date: node.pin.date.seconds,
            id: node.id,
            version,
            fact,
        }
    });
    let mut found: Vec<Found> = found.collect();
    if !request.query.trim().is_empty() {
        let ranked = archive.ask(&recalled.log, |memories| memories.rank(&request.query));
        asked_for(&mut found, &ranked);
    }
    found.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| (!a.core, -a.date, a.id).cmp(&(!b.core, -b.date, b.id)))
    });
    let shown = found.iter().skip(request.offset).take(request.limit);
    let memories = shown.enumerate().map(|(number, found)| {
        if number == MAX_FOLLOWED {
            survey.stay();
        }
        let mut memory = memory(&fold, found.version, found.fact, &ids);
        memory.look_at(&fold, found.version, &mut survey);
        memory
    });
    let memories = memories.collect();
    archive.keep(survey.reader);
    let mut warnings = of_log(&recalled.log);
    if left_out > 0 {
        warnings.push(format!(
            "{left_out} memories are about files that are not there any more and were not followed; ask for words of theirs"
        ));
    }
    Ok(RecallAnswer {
        at: recalled.at.short(),
        known_at: known_at_of(&recalled.log),
        memories,
        offset: request.offset,
        total: found.len(),
        warnings,
        unmet: found
            .is_empty()
            .then(|| EmptyAnswer::of(request, &facts, &fold)),
    })
}

/// The commits of a log, abbreviated.
fn known_at_of(log: &Log) -> Option<String> {
    let all = log.tip.iter().chain(&log.others);
    let all: Vec<String> = all.map(|commit| commit.short()).collect();
    (!all.is_empty()).then(|| all.join("+"))
}

/// What is to be said of a log that was read, and of what was found damaged on the way.
pub fn warnings(repo: &Repo, log: &Log) -> Vec<String> {
    let mut out = of_log(log);
    let recovered = repo.kept().recovered();
    out.extend(recovered.map(|recovered| recovered.to_string()));
    out
}

pub(super) fn of_log(log: &Log) -> Vec<String> {
    let mut out = Vec::new();
    match log.newer() {
        0 => {}
        n => out.push(format!(
            "{n} events of the memory log are of a later version and not understood; update git-sverklo"
        )),
    }
    if log.mended > 0 {
        out.push(format!(
            "{} objects of the memory log were gone and have been written again",
            log.mended
        ));
    }
    out
}

/// Whether a claim should be known before anything else.
fn is_core(event: &Event) -> bool {
    matches!(event.body, Body::Claim { core: true, .. })
}

/// Whether a version is one that was asked for, but for the query.
fn is_wanted(request: &RecallRequest, version: &Version, event: Option<&Event>) -> bool {
    let is_open = matches!(version.verdict, Verdict::Holds(_) | Verdict::Unknown(..));
    if !request.all && (!is_open || event.is_none()) {
        return false;
    }
    if request.conflicts && version.contests.is_empty() {
        return false;
    }
    let Some(event) = event else {
        return request.targets.is_empty() && request.kinds.is_empty();
    };
    let Body::Claim { kind, .. } = &event.body else {
        return false;
    };
    let is_kind = request.kinds.is_empty() || request.kinds.iter().any(|k| k == kind.label());
    is_kind && (request.targets.is_empty() || is_named(event, &request.targets))
}

/// A version that may be listed.
struct Found<'a> {
    /// How well it answers the query; 0 without one.
    score: f64,
    core: bool,
    date: i64,
    id: EventId,
    version: &'a Version,
    fact: EventId,
}

/// Leaves what of the versions found a query is about.
fn asked_for(found: &mut Vec<Found>, ranked: &[(EventId, f64)]) {
    let scores: FxHashMap<EventId, f64> = ranked.iter().copied().collect();
    for found in found.iter_mut() {
        found.score = scores.get(&found.id).copied().unwrap_or_default();
    }
    let best = found.iter().map(|found| found.score).fold(0.0, f64::max);
    found.retain(|found| found.score > 0.0 && found.score >= LEAST_SHARE * best);
}

/// Shows one version of a fact.
pub fn memory(fold: &Fold, version: &Version, fact: EventId, ids: &[EventId]) -> Memory {
    let node = &fold.nodes()[version.node];
    let short = |id: EventId| memory::short(id, ids);
    let (state, why) = verdict(node.id, &version.verdict, &short);
    let mut out = Memory {
        id: short(fact),
        version: short(node.id),
        kind: "",
        text: None,
        targets: Vec::new(),
        standings: Vec::new(),
        tags: Vec::new(),
        core: false,
        author: String::new(),
        tool: String::new(),
        date: String::new(),
        pin: node.pin.commit.short(),
        subject: subject(&node.pin.subject),
        state,
        why,
        contested: version
            .contests
            .iter()
            .map(|c| contest(*c, &short))
            .collect(),
    };
    let Some(event) = node.event else {
        return out;
    };
    if let Body::Claim {
        kind, tags, core, ..
    } = &event.body
    {
        out.kind = kind.label();
        out.tags = tags.iter().cloned().collect();
        out.core = *core;
    }
    out.text = Some(event.text.clone());
    out.targets = event.targets().map(label).collect();
    out.author = author(event);
    out.tool = event.by.tool.clone();
    out.date = event.by.date.to_string();
    out
}

/// The subject of a pin, masked again: another program may have stored it as it was.
fn subject(stored: &str) -> String {
    String::from_utf8_lossy(&message::subject(stored.as_bytes())).into_owned()
}

fn verdict(own: EventId, verdict: &Verdict, short: &dyn Fn(EventId) -> String) -> (State, String) {
    match verdict {
        Verdict::Holds(rung) => {
            let why = match rung {
                Rung::Ancestor => "its commit is an ancestor".to_owned(),
                Rung::Repin(id) => format!("its commit was rewritten as {}", id.short()),
                Rung::Copy(id) => format!("{} is a copy of its commit", id.short()),
                Rung::Content(id) => {
                    format!(
                        "its commit is gone; what it is about came with {}",
                        id.short()
                    )
                }
            };
            (State::Holds, why)
        }
        Verdict::Unknown(event, reason) => {
            let why = match reason {
                Reason::Shallow => {
                    "the clone is shallow; `git fetch --unshallow` brings the rest".to_owned()
                }
                Reason::Missing(id) => format!("commit {} is missing", id.short()),
                Reason::Lost => {
                    "no branch or tag has its commit, and no copy of it was found".to_owned()
                }
                Reason::Gone => {
                    "its commit is not in this clone, and no copy of it was found".to_owned()
                }
            };
            let what = match *event == own {
                true => "it".to_owned(),
                false => format!("{}, which ends or replaces it,", short(*event)),
            };
            (State::Unknown, format!("{what} cannot be placed: {why}"))
        }
        Verdict::Absent(Absence::Later) => (State::Later, "its commit comes later".to_owned()),
        Verdict::Absent(Absence::Elsewhere) => {
            (State::Elsewhere, "its commit is not merged here".to_owned())
        }
        Verdict::Ended(by) => (State::Ended, format!("ended by {}", short(*by))),
        Verdict::Replaced(by) => (State::Replaced, format!("replaced by {}", short(*by))),
    }
}

fn contest(contest: Contest, short: &dyn Fn(EventId) -> String) -> String {
    match contest {
        Contest::Version(other) => format!("{} is another version that holds", short(other)),
        Contest::Ended(end) => format!(
            "the same, or what it replaces, was ended by {}, unknown to the author",
            short(end)
        ),
    }
}
