//! Uniting two logs, and taking texts out of one for good.
//!
//! Guarantees: the union has every event of both, without texts that either has redacted; it is the same
//! whoever makes it and in whatever order (the commit of a union is a function of its two parents). A
//! text that is taken out leaves the tree *and* the history of the ref: commits that have it are written
//! anew, as a function of what they were and of what is taken out, so that clones that do it apart come
//! to the same history, and a stale clone cannot bring the text back.

use super::event::{Event, Stub};
use super::log::{EVENTS, Log, STUBS};
use super::text;
use super::{Error, cache, path_of};
use crate::git::identity::Signature;
use crate::git::lineage::Lineage;
use crate::git::refs::{self, Swap, backoff};
use crate::git::tree_edit::{self, Edits};
use crate::git::write::PackWriter;
use crate::git::{Objects, Repo, RepoPath, commit, tree};
use crate::id::{BlobId, CommitId, EventId, TreeId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How often a union is tried while others move the ref.
const ATTEMPTS: u32 = 64;
/// Who unites: nobody. The date is that of the later parent.
const NAME: &str = "sverklo";
const MAIL: &str = "sverklo@localhost";
const MESSAGE: &str = "memory: union";

/// What uniting brought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct United {
    /// The commit of our log afterwards.
    pub tip: Option<CommitId>,
    /// Events that were not here before, in the order of their ids.
    pub came: Vec<(EventId, Event)>,
    /// Number of texts that were here before and are taken out now.
    pub redacted: usize,
    /// Whether the other log still has texts that were taken out here.
    pub is_stale: bool,
}

/// Takes another log into ours, whose commit is in the object store; `name` is what led there.
///
/// # Errors
/// [`Error::Corrupt`] when one of the logs cannot be read: nothing is changed then;
/// [`Error::Contended`], or what the repository said.
pub fn unite(repo: &Repo, theirs: CommitId, name: &str) -> Result<United, Error> {
    let own = repo.ref_names().memory();
    let their_log = Log::at(repo, theirs, name)?;
    for attempt in 1..=ATTEMPTS {
        let tip = refs::read(repo, &own)?.map(CommitId::new);
        let ours = match tip {
            Some(tip) => Log::at(repo, tip, &own)?,
            None => Log::default(),
        };
        let came = their_log.readable().filter(|(id, _)| !ours.contains(*id));
        let mut out = United {
            tip,
            came: came.map(|(id, event)| (id, event.clone())).collect(),
            redacted: lacking(&ours, &their_log).len(),
            is_stale: !lacking(&their_log, &ours).is_empty(),
        };
        let mut pack = PackWriter::new(repo.hash());
        let new = merge(repo, &mut pack, &ours, &their_log)?;
        if tip == Some(new) {
            return Ok(out);
        }
        pack.write(repo)?;
        let expected = tip.map(|tip| tip.as_object());
        match refs::compare_and_swap(repo, &own, new.as_object(), expected)? {
            Swap::Moved => {
                if out.redacted > 0 {
                    cache::remove(repo);
                }
                out.tip = Some(new);
                return Ok(out);
            }
            Swap::Lost => std::thread::sleep(backoff(attempt)),
        }
    }
    Err(Error::Contended(ATTEMPTS))
}

/// The stubs of `from` for which `of` still has the text, or another stub.
fn lacking(of: &Log, from: &Log) -> Stubs {
    let is_news = |(id, (blob, _)): &(&EventId, &(BlobId, Stub))| match of.stubs.get(id) {
        Some((own, _)) => blob < own,
        None => of.contains(**id),
    };
    from.stubs
        .iter()
        .filter(is_news)
        .map(|(id, (blob, _))| (*id, *blob))
        .collect()
}

/// Stubs by the event they stand for.
type Stubs = BTreeMap<EventId, BlobId>;

/// Returns the commit that unites two logs, and collects what it takes.
fn merge(repo: &Repo, pack: &mut PackWriter, ours: &Log, theirs: &Log) -> Result<CommitId, Error> {
    let Some(their_tip) = theirs.tip else {
        return Err(Error::Refused("there is no log to unite with".to_owned()));
    };
    let Some(our_tip) = ours.tip else {
        return Ok(their_tip);
    };
    let mut objects = repo.objects();
    let left = Rewritten::of(repo, &mut objects, pack, our_tip, &lacking(ours, theirs))?;
    let right = Rewritten::of(repo, &mut objects, pack, their_tip, &lacking(theirs, ours))?;
    if left.has(right.tip) {
        return Ok(left.tip);
    }
    if right.has(left.tip) {
        return Ok(right.tip);
    }
    // What the other side has of everything, on top of the tree that needs fewer changes.
    let mut edits = Edits::new();
    let (base, added) = match ours.events.len() >= theirs.events.len() {
        true => (ours, theirs),
        false => (theirs, ours),
    };
    for (id, _) in added.events.iter().filter(|(id, _)| !base.contains(*id)) {
        edits.insert(
            path_of(EVENTS, id.as_object()),
            Some(BlobId::new(id.as_object())),
        );
    }
    for (id, (blob, _)) in &added.stubs {
        if base.stubs.get(id).is_none_or(|(own, _)| blob < own) {
            edits.insert(path_of(EVENTS, id.as_object()), None);
            edits.insert(path_of(STUBS, id.as_object()), Some(*blob));
        }
    }
    let tree = tree_edit::apply(&mut objects, pack, base.tree, &edits)?;
    let tree = tree.ok_or_else(|| Error::Refused("the union is empty".to_owned()))?;
    // The later one first, so that going back by first parents goes back in time.
    let mut parents = [(left.date, left.tip), (right.date, right.tip)];
    parents.sort_unstable_by(|a, b| b.cmp(a));
    let by = Signature {
        name: NAME.to_owned(),
        mail: MAIL.to_owned(),
        seconds: parents[0].0,
        offset: 0,
    };
    Ok(pack.commit_by(tree, &parents.map(|(_, tip)| tip), &by, MESSAGE)?)
}

/// A history without certain texts.
struct Rewritten {
    tip: CommitId,
    /// When the tip was made, in seconds since 1970.
    date: i64,
    /// All commits, as they are now.
    commits: FxHashMap<CommitId, ()>,
}

impl Rewritten {
    fn has(&self, commit: CommitId) -> bool {
        self.commits.contains_key(&commit)
    }

    /// Takes texts out of every commit behind `tip`. With none to take out, only looks around.
    fn of(
        repo: &Repo,
        objects: &mut Objects,
        pack: &mut PackWriter,
        tip: CommitId,
        stubs: &Stubs,
    ) -> Result<Self, Error> {
        let mut lineage = Lineage::new(repo)?;
        lineage.read(&[tip])?;
        let all = lineage.find(tip).map(|tip| lineage.ancestors(&[tip]));
        let all = all.unwrap_or_default();
        let date = commit::origins(objects, tip)?.committer.seconds;
        if stubs.is_empty() {
            let commits = all.nodes().map(|node| (lineage.id(node), ()));
            return Ok(Self {
                tip,
                date,
                commits: commits.collect(),
            });
        }
        let mut renamed: FxHashMap<CommitId, CommitId> = FxHashMap::default();
        let mut trees: FxHashMap<TreeId, TreeId> = FxHashMap::default();
        let mut open = vec![tip];
        while let Some(id) = open.last().copied() {
            if renamed.contains_key(&id) {
                open.pop();
                continue;
            }
            let parents = repo.commit_parents(id)?;
            let waiting = parents.iter().filter(|id| !renamed.contains_key(id));
            let waiting: Vec<CommitId> = waiting.copied().collect();
            if !waiting.is_empty() {
                open.extend(waiting);
                continue;
            }
            open.pop();
            let before = repo.commit_tree(id)?;
            let after = match trees.get(&before) {
                Some(known) => *known,
                None => without(objects, pack, before, stubs)?,
            };
            trees.insert(before, after);
            let new: Vec<CommitId> = parents.iter().map(|id| renamed[id]).collect();
            let same = after == before && new == parents;
            let now = match same {
                true => id,
                false => pack.commit_like(objects, id, after, &new)?,
            };
            renamed.insert(id, now);
        }
        let tip = renamed[&tip];
        Ok(Self {
            tip,
            date,
            commits: renamed.into_values().map(|id| (id, ())).collect(),
        })
    }
}

/// Returns a log's tree with stubs in the place of the events that it has of these.
fn without(
    objects: &mut Objects,
    pack: &mut PackWriter,
    root: TreeId,
    stubs: &Stubs,
) -> Result<TreeId, Error> {
    let mut edits = Edits::new();
    for (id, stub) in stubs {
        let event = path_of(EVENTS, id.as_object());
        let place = path_of(STUBS, id.as_object());
        let has_event = tree::find(objects, root, &RepoPath::new(event.clone())?)?.is_some();
        let has_stub = tree::find(objects, root, &RepoPath::new(place.clone())?)?.is_some();
        if has_event || has_stub {
            edits.insert(event, None);
            edits.insert(place, Some(*stub));
        }
    }
    if edits.is_empty() {
        return Ok(root);
    }
    let edited = tree_edit::apply(objects, pack, Some(root), &edits)?;
    Ok(edited.unwrap_or(root))
}

/// Takes the texts of events out of our log and its history, and says why in an event of its own.
///
/// The old objects stay in the object store until git collects them.
///
/// # Errors
/// [`Error::Refused`] for an event that has no text of anybody's, [`Error::Contended`],
/// [`Error::Corrupt`], or what the repository said.
pub fn redact(repo: &Repo, id: EventId, reason: Event) -> Result<EventId, Error> {
    let name = repo.ref_names().memory();
    for attempt in 1..=ATTEMPTS {
        let log = Log::open(repo)?;
        let (Some(tip), Some(event)) = (log.tip, log.event(id)) else {
            return Err(Error::Refused(format!(
                "{} has no text to take out",
                id.short()
            )));
        };
        let stub = event
            .stub()
            .ok_or_else(|| Error::Refused(format!("a {} cannot be redacted", event.label())))?;
        let mut pack = PackWriter::new(repo.hash());
        let mut objects = repo.objects();
        let stub = pack.blob(text::encode_stub(&stub).into_bytes())?;
        let stubs = Stubs::from([(id, stub)]);
        let cleaned = Rewritten::of(repo, &mut objects, &mut pack, tip, &stubs)?;
        pack.write(repo)?;
        let expected = Some(tip.as_object());
        match refs::compare_and_swap(repo, &name, cleaned.tip.as_object(), expected)? {
            Swap::Moved => {
                cache::remove(repo);
                return match super::log::append(repo, &[reason]) {
                    Ok(ids) => Ok(ids[0]),
                    // Nobody should believe that the text is still there.
                    Err(Error::Unsigned(err)) => Err(Error::Refused(format!(
                        "the text is taken out, but who did it and why is not recorded: {err}"
                    ))),
                    Err(err) => Err(err),
                };
            }
            Swap::Lost => std::thread::sleep(backoff(attempt)),
        }
    }
    Err(Error::Contended(ATTEMPTS))
}
