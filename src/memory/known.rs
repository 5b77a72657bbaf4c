//! What was known at a date.
//!
//! Logs of several people meet in unions, so the commits until a date may have several ends, and what
//! was known is what the trees of all of them hold. A commit that comes later can add to the answer
//! only if it says that it was made before.

use super::Error;
use super::log::Log;
use crate::git::Repo;
use crate::git::lineage::Lineage;
use crate::id::CommitId;
use std::collections::BTreeMap;

/// Reads what a log knew at a moment, in seconds since 1970; `name` is what led to the log. Empty when
/// it had not begun. Fails as [`Log::open`] does.
pub fn at_date(repo: &Repo, tip: CommitId, name: &str, seconds: i64) -> Result<Log, Error> {
    let mut lineage = Lineage::new(repo)?;
    lineage.read(&[tip])?;
    let Some(node) = lineage.find(tip) else {
        return Log::at(repo, tip, name);
    };
    let tops = lineage.tops(&lineage.ancestors(&[node]), seconds);
    let mut tops: Vec<CommitId> = tops.into_iter().map(|node| lineage.id(node)).collect();
    tops.sort_unstable();
    let Some((first, others)) = tops.split_first() else {
        return Ok(Log::default());
    };
    let mut log = Log::at(repo, *first, name)?;
    if others.is_empty() {
        return Ok(log);
    }
    let mut events: BTreeMap<_, _> = log.events.into_iter().collect();
    for other in others {
        let other = Log::at(repo, *other, name)?;
        events.extend(other.events);
        log.stubs.extend(other.stubs);
    }
    events.retain(|id, _| !log.stubs.contains_key(id));
    log.events = events.into_iter().collect();
    log.tree = None;
    log.others = others.to_vec();
    Ok(log)
}
