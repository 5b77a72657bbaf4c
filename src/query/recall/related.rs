//! Memories that come up by themselves: beside an answer that shows what they are about.
//!
//! Guarantees: only what holds at the commit that is asked about comes up, a few lines of it, rules
//! and decisions first; a repository without memories pays one reading of a ref; the log is folded
//! once for each of its commits and each commit asked about. Of uncommitted work the commit below it
//! decides. Deliberately absent: what a memory says beside the question. That is for `recall`.

use super::archive::Archive;
use super::target::{Standing, Survey};
use crate::git::{Repo, history};
use crate::history::message;
use crate::id::{BlobId, CommitId, EventId};
use crate::memory::event::{Body, Event, Kind, Target};
use crate::memory::fold::{Fold, Verdict};
use crate::memory::log::Log;
use crate::memory::{self, Error};
use crate::query::answer::SymbolRef;
use crate::query::recall::named::ids_of;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Memories that come up because of what an answer shows.
const MAX_NOTES: usize = 3;
/// Core memories that a map begins with.
const MAX_CORE: usize = 5;
/// Targets without a file that are looked for elsewhere.
const MAX_FOLLOWED: usize = 50;
/// Commits whose memories are kept in memory.
const MAX_KEPT: usize = 4;

/// A memory that comes up beside an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The fact's id, as short as it can be told apart.
    pub id: String,
    /// Label of its kind.
    pub kind: &'static str,
    /// Whether it should be known before anything else.
    pub core: bool,
    /// Whether something speaks against relying on it.
    pub contested: bool,
    /// Whether the code it is about is not what it was when it was said.
    pub outdated: bool,
    /// Name of who said it.
    pub author: String,
    /// What it says, in full.
    pub text: String,
}

/// Something that an answer shows.
pub struct Shown<'a> {
    /// Path of a file or a directory.
    pub path: &'a str,
    /// Id of a symbol in it.
    pub symbol: Option<&'a str>,
}

impl<'a> Shown<'a> {
    /// A file or a directory.
    pub fn file(path: &'a str) -> Self {
        Self { path, symbol: None }
    }

    /// A symbol.
    pub fn symbol(symbol: &'a SymbolRef) -> Self {
        Self {
            path: &symbol.path,
            symbol: Some(&symbol.id),
        }
    }
}

/// The memories of a repository, as they hold at the commits that were asked about, latest first.
#[derive(Default)]
pub struct RelatedMemories(Mutex<Vec<(Key, Arc<Holding>)>>);

/// What it depends on what holds.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    tip: CommitId,
    commit: CommitId,
    /// Where the clone's history ends.
    boundary: Vec<CommitId>,
}

impl RelatedMemories {
    /// What holds at a commit; `None` where nothing is remembered. Of a view of the commit `has` says
    /// whether there is a file or a directory at a path. Fails on a log that cannot be read, or history
    /// that cannot.
    pub fn at(
        &self,
        repo: &Repo,
        archive: &Archive,
        commit: CommitId,
        has: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Arc<Holding>>, crate::query::Error> {
        let log = archive.log(repo)?;
        let Some(tip) = log.tip else {
            return Ok(None);
        };
        let key = Key {
            tip,
            commit,
            boundary: history::boundary(repo).unwrap_or_default(),
        };
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = lock().iter().find(|(of, _)| *of == key) {
            return Ok(Some(found.clone()));
        }
        let holding = Arc::new(Holding::of(repo, archive, commit, log, has)?);
        let mut kept = lock();
        kept.retain(|(of, _)| of.tip == tip && *of != key);
        kept.insert(0, (key, holding.clone()));
        kept.truncate(MAX_KEPT);
        Ok(Some(holding))
    }
}

/// One claim that holds.
struct Claim {
    event: EventId,
    fact: EventId,
    contested: bool,
    core: bool,
    rank: u8,
}

/// What holds at a commit.
pub struct Holding {
    commit: CommitId,
    log: Arc<Log>,
    ids: Vec<EventId>,
    /// Those that come up first, first.
    claims: Vec<Claim>,
    /// Which of the claims are about a path or a symbol id.
    about: FxHashMap<String, Vec<usize>>,
    /// Whether what a claim is about is not as it was, as far as that was asked.
    outdated: Mutex<FxHashMap<(usize, String), bool>>,
}

impl Holding {
    fn of(
        repo: &Repo,
        archive: &Archive,
        commit: CommitId,
        log: Arc<Log>,
        has: &dyn Fn(&str) -> bool,
    ) -> Result<Self, crate::query::Error> {
        let fold = Fold::of(&log);
        let facts = archive.facts(repo, commit, &log, &fold)?;
        let mut claims: Vec<(i64, Claim)> = Vec::new();
        for fact in facts.iter() {
            for version in &fact.versions {
                let node = &fold.nodes()[version.node];
                let Some(Body::Claim { kind, core, .. }) = node.event.map(|event| &event.body)
                else {
                    continue;
                };
                if !matches!(version.verdict, Verdict::Holds(_)) {
                    continue;
                }
                let claim = Claim {
                    event: node.id,
                    fact: fact.id,
                    contested: !version.contests.is_empty(),
                    core: *core,
                    rank: rank(*kind),
                };
                claims.push((node.pin.date.seconds, claim));
            }
        }
        claims.sort_by_key(|(date, claim)| {
            (
                !claim.core,
                claim.rank,
                std::cmp::Reverse(*date),
                claim.event,
            )
        });
        let claims: Vec<Claim> = claims.into_iter().map(|(_, claim)| claim).collect();
        let mut about: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        let mut survey = Survey::anywhere(repo, commit)?;
        let mut outdated = FxHashMap::default();
        let mut left = MAX_FOLLOWED;
        for (number, claim) in claims.iter().enumerate() {
            let Some((event, pin)) = log.event(claim.event).and_then(|e| Some((e, e.pin()?)))
            else {
                continue;
            };
            for target in event.targets() {
                let name = shown_as(target);
                let path = name
                    .split_once("::")
                    .map_or(name.as_str(), |(path, _)| path);
                if left > 0 && !has(path) {
                    left -= 1;
                    match survey.target(pin, target) {
                        Standing::Moved(to) => about.entry(to).or_default().push(number),
                        Standing::Changed { to: Some(to), .. } => {
                            outdated.insert((number, to.clone()), tells(repo, target));
                            about.entry(to).or_default().push(number);
                        }
                        _ => {}
                    }
                }
                about.entry(name).or_default().push(number);
            }
        }
        let ids = ids_of(&log);
        drop(fold);
        Ok(Self {
            commit,
            ids,
            claims,
            about,
            outdated: Mutex::new(outdated),
            log,
        })
    }

    /// The memories that come up beside an answer: if wanted the core of all, whatever they are about, then
    /// those about what is shown.
    pub fn beside<'s>(
        &self,
        repo: &Repo,
        with_core: bool,
        shown: impl Iterator<Item = Shown<'s>>,
    ) -> Vec<Note> {
        let core = match with_core {
            true => self.claims.iter().take_while(|claim| claim.core).count(),
            false => 0,
        };
        let told = 0..core.min(MAX_CORE);
        let core = told
            .clone()
            .filter_map(|number| self.note(repo, number, None));
        core.chain(self.about(repo, shown, &told)).collect()
    }

    /// The memories about what is shown: of each sort those about symbols before those about files,
    /// and directories last, the nearest first.
    fn about<'s>(
        &self,
        repo: &Repo,
        shown: impl Iterator<Item = Shown<'s>>,
        told: &Range<usize>,
    ) -> Vec<Note> {
        let mut near: FxHashMap<usize, (usize, &str)> = FxHashMap::default();
        let mut meet = |name: &'s str, distance: usize| {
            for number in self.about.get(name).into_iter().flatten() {
                let found = near.entry(*number).or_insert((distance, name));
                if distance < found.0 {
                    *found = (distance, name);
                }
            }
        };
        for Shown { path, symbol } in shown {
            symbol.into_iter().for_each(|id| meet(id, 0));
            meet(path, 1);
            let mut above = path;
            for distance in 2.. {
                let Some((folder, _)) = above.rsplit_once('/') else {
                    break;
                };
                meet(folder, distance);
                above = folder;
            }
        }
        let mut found: Vec<(usize, (usize, &str))> = near
            .into_iter()
            .filter(|(number, _)| !told.contains(number))
            .collect();
        found.sort_unstable_by_key(|(number, (distance, _))| {
            let claim = &self.claims[*number];
            (!claim.core, claim.rank, *distance, *number)
        });
        found
            .into_iter()
            .take(MAX_NOTES)
            .filter_map(|(number, (_, name))| self.note(repo, number, Some(name)))
            .collect()
    }

    /// A claim as it comes up because of one of its targets, or because it is at the core.
    fn note(&self, repo: &Repo, number: usize, because: Option<&str>) -> Option<Note> {
        let claim = &self.claims[number];
        let event = self.log.event(claim.event)?;
        let Body::Claim { kind, .. } = &event.body else {
            return None;
        };
        Some(Note {
            id: memory::short(claim.fact, &self.ids),
            kind: kind.label(),
            core: claim.core,
            contested: claim.contested,
            outdated: because.is_some_and(|name| self.is_outdated(repo, number, event, name)),
            author: message::person(&event.by.name),
            text: event.text.clone(),
        })
    }

    /// Whether a symbol or file that a claim is about is not as it was.
    fn is_outdated(&self, repo: &Repo, number: usize, event: &Event, name: &str) -> bool {
        let lock = || self.outdated.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (number, name.to_owned());
        if let Some(known) = lock().get(&key) {
            return *known;
        }
        let target = event.targets().find(|target| shown_as(target) == name);
        let standing = (|| {
            let mut survey = Survey::in_place(repo, self.commit).ok()?;
            Some(survey.target(event.pin()?, target?))
        })();
        let outdated = match (standing, target) {
            (Some(Standing::Changed { .. }), Some(target)) => tells(repo, target),
            _ => false,
        };
        lock().insert(key, outdated);
        outdated
    }
}

/// Whether a change of a target tells something. What is in a directory changes all the time and says nothing.
fn tells(repo: &Repo, target: &Target) -> bool {
    match target {
        Target::Symbol { .. } => true,
        Target::Path { object, .. } => repo.objects().blob_size(BlobId::new(*object)).is_ok(),
    }
}

/// A target as answers show it.
fn shown_as(target: &Target) -> String {
    match target {
        Target::Symbol { id, .. } => id.clone(),
        Target::Path { path, .. } => path.to_string(),
    }
}

/// What comes up first: what is to be kept to before what is only so.
fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Rule | Kind::Decision => 0,
        Kind::Correction => 1,
        Kind::Fact | Kind::Howto | Kind::Preference | Kind::Todo => 2,
    }
}

/// What to say when memories cannot be shown.
pub fn complaint(err: &crate::query::Error) -> String {
    match err {
        // What may be done about it is long, and `recall` says it.
        crate::query::Error::Memory(Error::Corrupt { flaw, .. }) => {
            format!("memories are not shown, `git sverklo recall` says more: {flaw}")
        }
        other => format!("memories are not shown: {other}"),
    }
}
