//! What one process keeps of the memories between questions: the log, what holds at the commits that
//! were asked about, and the memories' words.
//!
//! Guarantee: an answer from here is the one that a fresh look gives. A command asks once and keeps
//! nothing; a server asks the same log again and again.

use super::rank::Memories;
use super::target::Reader;
use crate::git::{Repo, history, refs};
use crate::id::CommitId;
use crate::memory::answers::{self, Answers};
use crate::memory::event::Pin;
use crate::memory::fold::{Fact, Fold};
use crate::memory::ladder::Repins;
use crate::memory::log::Log;
use crate::memory::pin;
use crate::query::Error;
use crate::query::recall::bodies::Bodies;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Commits whose facts are kept.
const MAX_KEPT: usize = 4;

/// See the module.
#[derive(Default)]
pub struct Archive(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    log: Option<Arc<Log>>,
    memories: Memories,
    /// What was read of history, while nobody reads on.
    reader: Option<Reader>,
    /// The last commit that something was pinned to: its patch id takes two runs of git.
    pin: Option<Pin>,
    /// Latest first.
    facts: Vec<(Key, Arc<Vec<Fact>>)>,
}

/// What it depends on what holds.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    tip: CommitId,
    commit: CommitId,
    /// Where the clone's history ends.
    boundary: Vec<CommitId>,
    /// What the refs were, if that matters; else 0.
    refs: u64,
}

impl Archive {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The log as it is now; empty while nothing is remembered. Fails on a log that cannot be read.
    pub fn log(&self, repo: &Repo) -> Result<Arc<Log>, Error> {
        let name = repo.ref_names().memory();
        let Some(tip) = refs::read(repo, &name)?.map(CommitId::new) else {
            return Ok(Arc::default());
        };
        let kept = self.lock().log.clone();
        if let Some(log) = kept.filter(|log| log.tip == Some(tip)) {
            return Ok(log);
        }
        let log = Arc::new(Log::at(repo, tip, &name)?);
        self.lock().log = Some(log.clone());
        Ok(log)
    }

    /// What a log says of a commit. Fails on history that cannot be read.
    pub fn facts(
        &self,
        repo: &Repo,
        commit: CommitId,
        log: &Log,
        fold: &Fold,
    ) -> Result<Arc<Vec<Fact>>, Error> {
        let Some(tip) = log.tip else {
            return Ok(Arc::default());
        };
        let boundary = history::boundary(repo).unwrap_or_default();
        let is_same =
            |key: &Key| key.tip == tip && key.commit == commit && key.boundary == boundary;
        // Of several commits together no single one tells.
        let may_keep = log.others.is_empty();
        let found = {
            let kept = self.lock();
            let mut found = kept
                .facts
                .iter()
                .filter(|(key, _)| may_keep && is_same(key));
            found.next().map(|(key, facts)| (key.refs, facts.clone()))
        };
        if let Some((refs, facts)) = found
            && (refs == 0 || refs == answers::fingerprint(repo)?)
        {
            return Ok(facts);
        }
        let repins = Repins::of(log);
        let mut bodies = Bodies::new(repo);
        let Answers {
            all,
            refs,
            is_lasting,
        } = answers::of(repo, commit, &fold.questions(), &repins, &mut bodies)?;
        let facts = Arc::new(fold.at(&all));
        if is_lasting && may_keep {
            let mut kept = self.lock();
            kept.facts.retain(|(key, _)| !is_same(key));
            let key = Key {
                tip,
                commit,
                boundary,
                refs,
            };
            kept.facts.insert(0, (key, facts.clone()));
            kept.facts.truncate(MAX_KEPT);
        }
        Ok(facts)
    }

    /// Something to read history with, which may have read some of it.
    pub fn reader(&self, repo: &Repo) -> Reader {
        let kept = self.lock().reader.take();
        kept.unwrap_or_else(|| Reader::new(repo))
    }

    /// Keeps what was read for the next question.
    pub fn keep(&self, reader: Reader) {
        self.lock().reader = Some(reader);
    }

    /// What is kept of a commit that something is pinned to. Fails on a commit that cannot be read.
    pub fn pin(&self, repo: &Repo, commit: CommitId) -> Result<Pin, Error> {
        let kept = self.lock().pin.clone();
        if let Some(pin) = kept.filter(|pin| pin.commit == commit) {
            return Ok(pin);
        }
        let pin = pin::of(repo, commit)?;
        self.lock().pin = Some(pin.clone());
        Ok(pin)
    }

    /// Asks something of the words of a log's memories.
    pub fn ask<T>(&self, log: &Log, question: impl FnOnce(&mut Memories) -> T) -> T {
        let mut kept = self.lock();
        // What was known earlier has words of its own: what came later must not weigh them.
        let is_now =
            log.others.is_empty() && kept.log.as_ref().is_none_or(|now| now.tip == log.tip);
        if !is_now {
            drop(kept);
            let mut memories = Memories::default();
            memories.update(log);
            return question(&mut memories);
        }
        kept.memories.update(log);
        question(&mut kept.memories)
    }
}
