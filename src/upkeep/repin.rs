//! What the post-rewrite hook leaves for memories: which commit became which.

use super::{Error, memory};
use crate::git::{Repo, make_below, refs};
use crate::id::CommitId;
use crate::memory::event::{Body, Event, How};
use crate::memory::log::{self, Log};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;

/// Most pairs that are looked at.
const MAX_PAIRS: usize = 1 << 16;
/// Bytes of pairs that are kept for the rewrites to come.
const MAX_KEPT: usize = 256 << 10;
/// Where they are kept.
const KEPT: &str = "rewritten";

/// Records the pairs that git tells its post-rewrite hook (`old new`, a line each), as far as memories
/// are pinned to the old commits. Returns how many were recorded.
///
/// Hooks run beside git and each other: a second rewrite may be told before the first was recorded. So
/// pairs are kept, under the user's seal because an event says that this user saw them; a lock lets one
/// hook in at a time, and each looks at all of them. Fails when the log cannot be read or written.
pub fn record(repo: &Repo, pairs: &str) -> Result<usize, Error> {
    // Most repositories have no memories, and a hook should be done soon.
    if refs::read(repo, &repo.ref_names().memory())?.is_none() {
        return Ok(0);
    }
    let Ok(_lock) = lock(repo) else {
        return append(repo, pairs);
    };
    let kept = repo.kept();
    let before = kept.read(KEPT);
    let before = before
        .as_ref()
        .and_then(|body| std::str::from_utf8(body.as_ref()).ok());
    let mut all = before.unwrap_or_default().to_owned();
    all.push_str(pairs.trim_end());
    all.push('\n');
    let surplus = all.len().saturating_sub(MAX_KEPT);
    // Not from the middle of a line.
    let next = all.as_bytes()[surplus..].iter().position(|b| *b == b'\n');
    let from = match surplus {
        0 => 0,
        _ => next.map_or(all.len(), |at| surplus + at + 1),
    };
    // Without a key only the pairs of one call lead on from one another.
    let _ = kept.write(KEPT, all.get(from..).unwrap_or_default().as_bytes());
    append(repo, &all)
}

/// Waits for the hooks that came before. The file says nothing.
fn lock(repo: &Repo) -> std::io::Result<File> {
    let folder = repo.common_dir().join("sverklo");
    make_below(repo.common_dir(), &folder)?;
    let mut options = File::options();
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = options.open(folder.join("rewrites"))?;
    file.lock()?;
    Ok(file)
}

/// Adds those of the pairs to the log that lead on from pins, over any number of steps.
fn append(repo: &Repo, pairs: &str) -> Result<usize, Error> {
    let mut steps: BTreeMap<CommitId, BTreeSet<CommitId>> = BTreeMap::new();
    let mut sources: BTreeMap<CommitId, BTreeSet<CommitId>> = BTreeMap::new();
    let pairs = pairs.lines().rev().take(MAX_PAIRS).filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        let old = CommitId::from_hex(words.next()?.as_bytes())?;
        let new = CommitId::from_hex(words.next()?.as_bytes())?;
        (old != new && old.as_object().kind() == repo.hash()).then_some((old, new))
    });
    for (old, new) in pairs {
        steps.entry(old).or_default().insert(new);
        sources.entry(new).or_default().insert(old);
    }
    if steps.is_empty() {
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
    let mut open: Vec<CommitId> = known.iter().copied().collect();
    while let Some(old) = open.pop() {
        let next = steps.get(&old).into_iter().flatten().copied();
        open.extend(next.filter(|new| known.insert(*new)));
    }
    let by = memory::by(repo, "post-rewrite")?;
    let pairs = steps
        .iter()
        .flat_map(|(old, new)| new.iter().map(|new| (*old, *new)));
    let wanted = pairs.filter(|pair| known.contains(&pair.0) && !recorded.contains(pair));
    let events: Vec<Event> = wanted
        .map(|(old, new)| Event {
            body: Body::Repin {
                old,
                new,
                how: match sources[&new].len() {
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
