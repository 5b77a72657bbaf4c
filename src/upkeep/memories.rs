//! Exchanging memories with a remote, beside the index: theirs into ours, and ours to them.
//!
//! Guarantees: union only, so nothing of either side is lost but texts that either has redacted; the
//! remote's ref is moved from the value that was united with ours, or not at all.

use super::{Error, reach};
use crate::clean;
use crate::git::refs;
use crate::git::transport::{Connection, Update};
use crate::git::{Remote, Repo};
use crate::id::{CommitId, EventId};
use crate::memory;
use crate::memory::event::Body;
use crate::memory::ladder::Repins;
use crate::memory::log::Log;
use crate::memory::union::{self, United};
use crate::query::recall::named::author;
use gix::ObjectId;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::BTreeMap;

/// The first line of what an event says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FirstLine {
    /// The event, or the one it is about, abbreviated.
    pub id: String,
    /// The line.
    #[serde(serialize_with = "clean::serialize_whole")]
    pub text: String,
}

/// What came from one author.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Came {
    /// Who: `Name <mail>`.
    #[serde(serialize_with = "clean::serialize_whole")]
    pub author: String,
    /// Claims, the new and the changed, as ids and first lines.
    #[serde(rename = "memories")]
    pub claims: Vec<FirstLine>,
    /// Number of ends.
    pub ended: usize,
    /// Number of texts taken out.
    pub redacted: usize,
    /// Which: the ids of their events, and the first lines of the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken_out: Vec<FirstLine>,
    /// Number of commits said to stand for others.
    pub repinned: usize,
    /// What became of memories that were here.
    #[serde(rename = "of_ours", skip_serializing_if = "Losses::are_none")]
    pub losses: Losses,
}

/// What somebody did to memories that were here before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Losses {
    /// Number of texts that were taken out.
    pub taken_out: usize,
    /// Number of memories that were ended.
    pub ended: usize,
    /// Number of memories that were said anew.
    pub replaced: usize,
}

impl Losses {
    /// Whether everything is as it was.
    pub fn are_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Unites the log that a remote has into ours.
pub(super) fn take(repo: &Repo, remote: &Remote, theirs: CommitId) -> Result<Vec<Came>, Error> {
    let united = union::unite(repo, theirs, &remote.tracking_memory())?;
    if !united.redacted.is_empty() || united.is_stale {
        forget_tracking(repo)?;
    } else if !united.stubs.is_empty() {
        forget_stale(repo, &united.stubs)?;
    }
    Ok(by_author(&united))
}

/// What came, by author, and who took out what was here.
fn by_author(united: &United) -> Vec<Came> {
    let ids: Vec<_> = united.came.iter().map(|(id, _)| *id).collect();
    let mut out: BTreeMap<String, Came> = BTreeMap::new();
    // Who took out what was here is said, also when the word of it came before.
    let known = |id: &EventId| ids.binary_search(id).is_ok();
    let reasons = united.reasons.iter().filter(|(id, _)| !known(id));
    for (id, event) in united.came.iter().chain(reasons) {
        let author = author(event);
        let came = out.entry(author.clone()).or_default();
        came.author = author;
        let line = |id| FirstLine {
            id,
            text: event.text.lines().next().unwrap_or_default().to_owned(),
        };
        let hit = united.hit.get(id).copied().unwrap_or_default();
        match &event.body {
            Body::Claim { .. } => {
                came.losses.replaced += hit;
                came.claims.push(line(memory::short(*id, &ids)));
            }
            Body::End { .. } => {
                came.losses.ended += hit;
                came.ended += 1;
            }
            Body::Redact { event } => {
                let was_here = united.redacted.binary_search(event).is_ok();
                came.losses.taken_out += usize::from(was_here);
                came.redacted += 1;
                came.taken_out.push(line(event.short()));
            }
            Body::Repin { .. } => came.repinned += 1,
        }
    }
    out.into_values().collect()
}

/// Forgets what remotes had when we last met: a text that was taken out here must not stay reachable.
/// Fails with what git said.
pub(super) fn forget_tracking(repo: &Repo) -> Result<(), Error> {
    for (name, tip) in refs::fetched_memories(repo)? {
        refs::delete(repo, &name, tip.as_object())?;
    }
    Ok(())
}

/// Forgets what remotes had that still has texts which are out here: whoever took them out may have been
/// stopped before this was done.
fn forget_stale(repo: &Repo, stubs: &[EventId]) -> Result<(), Error> {
    let mut objects = repo.objects();
    for (name, tip) in refs::fetched_memories(repo)? {
        // What cannot be read is not ours to judge here.
        if union::has_any(repo, &mut objects, tip, stubs).is_ok_and(|has| has) {
            refs::delete(repo, &name, tip.as_object())?;
        }
    }
    Ok(())
}

/// One try of a push of our log on top of what the remote has, of which `told` hears what came; the number of events
/// sent, and the commit that the remote has then. `None` when there is nothing to send.
pub(super) fn give(
    connection: &Connection,
    theirs: Option<CommitId>,
    told: &mut dyn FnMut(Vec<Came>),
) -> Result<Option<(usize, CommitId)>, Error> {
    let repo = connection.repo;
    let remote = connection.remote;
    if let Some(theirs) = theirs {
        told(take(repo, remote, theirs)?);
    }
    let ours = Log::open(repo)?;
    let Some(tip) = ours.tip.filter(|tip| Some(*tip) != theirs) else {
        return Ok(None);
    };
    let sent = lacking(repo, &ours, remote, theirs)?;
    connection.push(&[Update {
        name: repo.ref_names().memory(),
        new: tip.as_object(),
        expected: theirs.map(|tip| tip.as_object()),
    }])?;
    Ok(Some((sent, tip)))
}

/// Number of our events whose commits are here, and that a remote whose refs name `tips` cannot place.
pub(super) fn unplaced(repo: &Repo, tips: &[ObjectId]) -> Result<usize, Error> {
    let log = Log::open(repo)?;
    let repins = Repins::of(&log);
    let pins = log.readable().filter_map(|(_, event)| event.pin());
    let carriers: Vec<Vec<CommitId>> = pins.map(|pin| repins.carriers(pin.commit)).collect();
    let objects = repo.objects();
    let here: FxHashSet<CommitId> = carriers
        .iter()
        .flatten()
        .copied()
        .filter(|commit| objects.has_commit(*commit))
        .collect();
    let there = reach::commits(repo, tips, here.iter().copied())?;
    let is_unplaced = |carriers: &&Vec<CommitId>| {
        let mut all = carriers.iter();
        all.clone().any(|commit| here.contains(commit)) && !all.any(|commit| there.contains(commit))
    };
    Ok(carriers.iter().filter(is_unplaced).count())
}

/// Number of our events that a log of a remote does not have.
pub(super) fn lacking(
    repo: &Repo,
    ours: &Log,
    remote: &Remote,
    theirs: Option<CommitId>,
) -> Result<usize, Error> {
    let theirs = match theirs {
        Some(tip) => Log::at(repo, tip, &remote.tracking_memory())?,
        None => Log::default(),
    };
    let new = |id: &&EventId| !theirs.contains(**id);
    Ok(ours.events.iter().map(|(id, _)| id).filter(new).count())
}
