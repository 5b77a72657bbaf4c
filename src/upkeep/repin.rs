//! What the post-rewrite hook leaves for memories: which commit became which.

use super::{Error, memory};
use crate::git::rewritten::{self, Rewritten};
use crate::git::{Repo, refs};
use crate::id::CommitId;
use crate::memory::event::{Body, Event, How};
use crate::memory::log::{self, Log};
use std::collections::BTreeSet;

/// Keeps the pairs that git tells its post-rewrite hook (`old new`, a line each), and records those in memories that
/// are pinned to the old commits. Returns how many were recorded.
///
/// An event says that this user saw them. Fails when the log cannot be read or written.
pub fn record(repo: &Repo, pairs: &str) -> Result<usize, Error> {
    let locked = rewritten::lock(repo);
    let all = Rewritten::note(repo, pairs, &locked);
    // Most repositories have no memories, and a hook should be done soon.
    if refs::read(repo, &repo.ref_names().memory())?.is_none() {
        return Ok(0);
    }
    append(repo, &all)
}

/// Adds those of the pairs to the log that lead on from pins, over any number of steps.
fn append(repo: &Repo, all: &Rewritten) -> Result<usize, Error> {
    let pairs: BTreeSet<(CommitId, CommitId)> = all.pairs().collect();
    if pairs.is_empty() {
        return Ok(0);
    }
    let log = Log::open(repo)?;
    let mut known: BTreeSet<CommitId> = BTreeSet::new();
    let mut recorded: BTreeSet<(CommitId, CommitId)> = BTreeSet::new();
    for (_, event) in log.readable() {
        known.extend(event.pin().map(|pin| pin.commit));
        if let Body::Repin { old, new, .. } = &event.body {
            known.insert(*new);
            recorded.insert((*old, *new));
        }
    }
    known.extend(log.stubs.values().map(|(_, stub)| stub.pin.commit));
    let pinned: Vec<CommitId> = known.iter().copied().collect();
    for old in pinned {
        known.extend(all.became(old));
    }
    let by = memory::by(repo, "post-rewrite")?;
    let wanted = pairs
        .into_iter()
        .filter(|pair| known.contains(&pair.0) && !recorded.contains(pair));
    let events: Vec<Event> = wanted
        .map(|(old, new)| Event {
            body: Body::Repin {
                old,
                new,
                how: match all.count_sources(new) {
                    2.. => How::Squash,
                    _ => How::Rewrite,
                },
            },
            by: by.clone(),
            text: String::new(),
        })
        .collect();
    if !events.is_empty() {
        log::append(repo, &events)?;
    }
    Ok(events.len())
}
