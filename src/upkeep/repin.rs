//! What the post-rewrite hook leaves for memories: which commit became which.

use super::Error;
use crate::git::{Repo, identity, refs};
use crate::id::CommitId;
use crate::memory::date::Date;
use crate::memory::event::{Body, By, Event, How};
use crate::memory::log::{self, Log};
use std::collections::{BTreeMap, BTreeSet};

/// Most pairs that are looked at of one rewrite.
const MAX_PAIRS: usize = 1 << 16;

/// Records the pairs that git tells its post-rewrite hook (`old new`, a line each), as far as memories
/// are pinned to the old commits. Returns how many were recorded.
///
/// # Errors
/// When the log cannot be read or written.
pub fn record(repo: &Repo, pairs: &str) -> Result<usize, Error> {
    // Most repositories have no memories, and a hook should be done soon.
    if refs::read(repo, &repo.ref_names().memory())?.is_none() {
        return Ok(0);
    }
    let pairs: BTreeMap<CommitId, CommitId> = pairs
        .lines()
        .take(MAX_PAIRS)
        .filter_map(|line| {
            let mut words = line.split_ascii_whitespace();
            let old = CommitId::from_hex(words.next()?.as_bytes())?;
            let new = CommitId::from_hex(words.next()?.as_bytes())?;
            (old != new && old.as_object().kind() == repo.hash()).then_some((old, new))
        })
        .collect();
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
    let mut sources: BTreeMap<CommitId, usize> = BTreeMap::new();
    for new in pairs.values() {
        *sources.entry(*new).or_default() += 1;
    }
    let by = identity::committer(repo)?;
    let by = By {
        name: by.name,
        mail: by.mail,
        tool: "post-rewrite".to_owned(),
        date: Date::new(by.seconds, by.offset),
    };
    let wanted = pairs
        .iter()
        .filter(|(old, new)| known.contains(old) && !recorded.contains(&(**old, **new)));
    let events: Vec<Event> = wanted
        .map(|(old, new)| Event {
            body: Body::Repin {
                old: *old,
                new: *new,
                how: match sources.get(new) {
                    Some(2..) => How::Squash,
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
