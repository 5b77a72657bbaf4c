//! The log: events as blobs in the tree of one ref, whose commits say when what was known.
//!
//! ```text
//! format                     the layout, as text
//! event/<2 hex>/<rest>       one event, named by its own id
//! redacted/<2 hex>/<rest>    what stays of an event whose text was taken out, named by the event's id
//! ```
//!
//! Guarantees: objects are durable before the ref moves; it moves by compare and swap, and a lost race
//! starts over from what is there then, so no event is lost. What is read may come from anyone: every
//! name is checked against its blob and every event against its spelling, within bounds. One thing wrong
//! makes the log unreadable, with a word on how to go on; half a log would give wrong answers.

use super::cache::{self, Cache};
use super::event::{Event, Stub};
use super::spare;
use super::text;
use super::{Error, path_of};
use crate::git::identity::{self, Signature};
use crate::git::packs::Held;
use crate::git::refs::{self, Swap, Turn, backoff};
use crate::git::tree::{self, EntryMode};
use crate::git::tree_edit::{self, Edits};
use crate::git::write::{PackWriter, blob_id};
use crate::git::{Objects, Repo, RepoPath, keys, reflog, sign};
use crate::id::{BlobId, CommitId, EventId, TreeId};
use crate::limits::{MAX_MEMORY_EVENT, MAX_MEMORY_EVENTS};
use std::collections::{BTreeMap, BTreeSet};

/// Name of the folder of events.
pub(super) const EVENTS: &str = "event";
/// Name of the folder of stubs.
pub(super) const STUBS: &str = "redacted";
/// Name of the file that says what the tree is.
pub(super) const FORMAT: &str = "format";
/// Version of the tree's layout.
const LAYOUT: u32 = 1;
/// How often a write is tried while others move the ref.
const ATTEMPTS: u32 = 64;
/// What was read is kept when it is a share of what is kept already, or the file would be written anew for
/// every event.
const KEEP_SHARE: usize = 16;
/// And so much at least.
const KEEP_AT_LEAST: usize = 16;
/// Number of events to read from the object store from which on delta bases are kept, and how many bytes
/// of them.
pub(super) const MANY: usize = 100;
pub(super) const MAX_BASES: usize = 64 << 20;
/// Commits that are looked at for one that can be read, when the tip cannot.
const MAX_LOOK_BACK: usize = 200;

/// What a log holds under one id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stored {
    /// An event.
    Event(Box<Event>),
    /// An event of a later version; it is kept as it is.
    Newer(u32),
}

/// The events of one commit of the log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// The commit; `None` while nothing is remembered.
    pub tip: Option<CommitId>,
    /// Further commits, when it is what several of them hold together.
    pub others: Vec<CommitId>,
    /// Objects of it that were missing when it was read, and have been written again.
    pub mended: usize,
    /// Its tree.
    pub tree: Option<TreeId>,
    /// Events in the order of their ids.
    pub events: Vec<(EventId, Stored)>,
    /// What stays of events whose text was taken out: the blob of each, and what it says.
    pub stubs: BTreeMap<EventId, (BlobId, Stub)>,
}

/// The text of `format`.
pub(super) fn format_text(hash: gix::hash::Kind) -> String {
    format!("sverklo memory\nlayout {LAYOUT}\nhash {hash}\n")
}

/// Whether a text that is not ours is the `format` of a later layout, rather than no `format` at all.
fn is_later(found: &str) -> bool {
    let mut lines = found.lines();
    let is_log = lines.next() == Some("sverklo memory");
    let layout = lines.next().and_then(|line| line.strip_prefix("layout "));
    is_log
        && layout
            .and_then(|n| n.parse::<u32>().ok())
            .is_some_and(|n| n > LAYOUT)
}

/// The files of a log's tree, checked as far as that goes without reading them.
#[derive(Default)]
pub(crate) struct Listing {
    pub events: BTreeSet<EventId>,
    pub stubs: BTreeMap<EventId, BlobId>,
    pub has_format: bool,
}

/// The bytes of events that were read from the object store.
pub(crate) type Fresh = BTreeMap<EventId, Vec<u8>>;

/// What is wrong with a log, before it is known what may be done.
pub(super) struct Flaw {
    what: &'static str,
    object: String,
    reason: String,
}

impl Flaw {
    pub(super) fn of(what: &'static str, object: impl ToString, reason: impl ToString) -> Self {
        Self {
            what,
            object: object.to_string(),
            reason: reason.to_string(),
        }
    }
}

/// Why a tree is no log.
pub(super) enum Trouble {
    Flaw(Flaw),
    Newer(String),
}

impl Log {
    /// Reads the log as it is now. Fails with [`Error::Corrupt`], [`Error::Newer`], or what the
    /// repository said.
    pub fn open(repo: &Repo) -> Result<Self, Error> {
        let name = repo.ref_names().memory();
        match refs::read(repo, &name)? {
            None => Ok(Self::default()),
            Some(tip) => Self::at(repo, CommitId::new(tip), &name),
        }
    }

    /// Reads the log as it was at one of its commits; `name` is what led there. Fails as [`Log::open`]
    /// does.
    pub fn at(repo: &Repo, tip: CommitId, name: &str) -> Result<Self, Error> {
        reflog::expire_if_due(repo, &repo.ref_names().memory());
        let trouble = match Self::read(repo, tip) {
            Ok(log) => return Ok(log),
            Err(trouble) => trouble,
        };
        // What was said last may be kept besides.
        if let Trouble::Flaw(_) = trouble
            && is_own_tip(repo, tip)
            && let Ok((mended, _held)) = spare::restore(repo)
            && mended > 0
            && let Ok(log) = Self::read(repo, tip)
        {
            return Ok(Self { mended, ..log });
        }
        Err(explain(repo, tip, name, trouble))
    }

    fn read(repo: &Repo, tip: CommitId) -> Result<Self, Trouble> {
        let tree = repo
            .commit_tree(tip)
            .map_err(|err| Trouble::Flaw(Flaw::of("commit", tip, err)))?;
        let mut cache = Cache::open(repo);
        let mut objects = repo.objects();
        let mut listed = listing(&mut objects, tree, &cache)?;
        // Whoever took a text out may have been stopped before it was gone from here too.
        if cache.has_any(listed.stubs.keys()) && is_own_tip(repo, tip) {
            cache::remove(repo);
            cache = Cache::open(repo);
            listed = listing(&mut objects, tree, &cache)?;
        }
        let (mut log, fresh) = Self::load(&mut objects, &listed, &cache)?;
        // Another log, or a past one, may have texts that were taken out of ours.
        let is_worth = fresh.len() >= cache.len() / KEEP_SHARE + KEEP_AT_LEAST;
        if is_worth && is_own_tip(repo, tip) {
            cache.keep(tree, &log, &fresh);
            if !is_own_tip(repo, tip) {
                cache::remove(repo);
            }
        }
        (log.tip, log.tree) = (Some(tip), Some(tree));
        Ok(log)
    }

    /// Reads what is listed, and returns besides the bytes of what was not kept.
    fn load(
        objects: &mut Objects,
        listing: &Listing,
        cache: &Cache,
    ) -> Result<(Self, Fresh), Trouble> {
        let hash = objects.hash();
        let mut log = Self::default();
        let mut fresh = Fresh::default();
        let mut bytes = Vec::new();
        if listing.events.len() > cache.len() + MANY {
            objects.keep_bases(MAX_BASES);
        }
        for (id, kept) in cache.read_all(&listing.events) {
            if let Some(stored) = kept {
                log.events.push((id, stored));
                continue;
            }
            let blob = BlobId::new(id.as_object());
            let flaw =
                |reason: &dyn std::fmt::Display| Trouble::Flaw(Flaw::of("event", id, reason));
            fetch(objects, blob, &mut bytes).map_err(|err| flaw(&err))?;
            let stored = match text::decode(&bytes, hash) {
                Ok(event) => Stored::Event(Box::new(event)),
                Err(text::Error::Newer(version)) => Stored::Newer(version),
                Err(err) => return Err(flaw(&err)),
            };
            fresh.insert(id, bytes.clone());
            log.events.push((id, stored));
        }
        for (id, blob) in &listing.stubs {
            let flaw =
                |reason: &dyn std::fmt::Display| Trouble::Flaw(Flaw::of("stub", blob, reason));
            fetch(objects, *blob, &mut bytes).map_err(|err| flaw(&err))?;
            let stub = text::decode_stub(&bytes, hash).map_err(|err| flaw(&err))?;
            log.stubs.insert(*id, (*blob, stub));
        }
        Ok((log, fresh))
    }

    /// Finds an event that can be read.
    pub fn event(&self, id: EventId) -> Option<&Event> {
        let at = self.events.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        match &self.events[at].1 {
            Stored::Event(event) => Some(event),
            Stored::Newer(_) => None,
        }
    }

    /// Whether an event is in the log with its text.
    pub(super) fn has_event(&self, id: EventId) -> bool {
        self.events.binary_search_by_key(&id, |(id, _)| *id).is_ok()
    }

    /// Whether an event is in the log, as a text or as what stays of it.
    pub fn contains(&self, id: EventId) -> bool {
        self.has_event(id) || self.stubs.contains_key(&id)
    }

    /// Number of events and stubs.
    pub(super) fn len(&self) -> usize {
        self.events.len() + self.stubs.len()
    }

    /// The events that can be read, in the order of their ids.
    pub fn readable(&self) -> impl Iterator<Item = (EventId, &Event)> {
        self.events.iter().filter_map(|(id, stored)| match stored {
            Stored::Event(event) => Some((*id, &**event)),
            Stored::Newer(_) => None,
        })
    }

    /// Number of events of later versions, which nothing is known of.
    pub fn newer(&self) -> usize {
        let newer = |stored: &&(EventId, Stored)| matches!(stored.1, Stored::Newer(_));
        self.events.iter().filter(newer).count()
    }
}

/// Reads a blob of a size that an event may have, and sees that its bytes are those it is named for.
fn fetch(objects: &mut Objects, blob: BlobId, out: &mut Vec<u8>) -> Result<(), String> {
    let size = objects.blob_size(blob).map_err(|err| err.to_string())?;
    if size > MAX_MEMORY_EVENT as u64 {
        return Err(format!("it is over {MAX_MEMORY_EVENT} bytes"));
    }
    objects.blob(blob, out).map_err(|err| err.to_string())?;
    match blob_id(objects.hash(), out) {
        Ok(id) if id == blob => Ok(()),
        Ok(id) => Err(format!("its bytes are those of {id}")),
        Err(err) => Err(err.to_string()),
    }
}

/// Lists the tree of a log, which must hold nothing else. Where another tree was listed before, only
/// what differs is looked at.
fn listing(objects: &mut Objects, root: TreeId, cache: &Cache) -> Result<Listing, Trouble> {
    let Some(before) = cache.tree else {
        return list(objects, root);
    };
    let mut out = cache.listing();
    if before == root {
        return Ok(out);
    }
    // A tree that git has dropped since is as good as none.
    let Ok(changes) = tree::diff(objects, before, root) else {
        return list(objects, root);
    };
    for change in changes {
        match change.new {
            Some((mode, blob)) => out.add(objects, &change.path, mode, blob)?,
            None => out.remove(&change.path),
        }
    }
    out.check()
}

/// Lists the whole tree of a log.
fn list(objects: &mut Objects, root: TreeId) -> Result<Listing, Trouble> {
    let files =
        tree::list(objects, root).map_err(|err| Trouble::Flaw(Flaw::of("tree", root, err)))?;
    let mut out = Listing::default();
    for file in files {
        out.add(objects, &file.path, file.mode, file.id)?;
    }
    out.check()
}

impl Listing {
    /// Takes a file, if it may be there.
    fn add(
        &mut self,
        objects: &mut Objects,
        path: &RepoPath,
        mode: EntryMode,
        blob: BlobId,
    ) -> Result<(), Trouble> {
        let hash = objects.hash();
        let flaw = |reason: &str| Trouble::Flaw(Flaw::of("path", path, reason));
        if mode != EntryMode::File {
            return Err(flaw("it is no plain file"));
        }
        if path.as_bytes() == FORMAT.as_bytes() {
            let mut bytes = Vec::new();
            fetch(objects, blob, &mut bytes).map_err(|reason| flaw(&reason))?;
            if bytes != format_text(hash).as_bytes() {
                let found = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]);
                return Err(match is_later(&found) {
                    true => Trouble::Newer(found.lines().collect::<Vec<_>>().join(", ")),
                    false => flaw(&format!("it is damaged: it says {found:?}")),
                });
            }
            self.has_format = true;
            return Ok(());
        }
        let named =
            |folder| named_in(path.as_bytes(), folder).filter(|id| id.as_object().kind() == hash);
        if let Some(id) = named(EVENTS) {
            if id.as_object() != blob.as_object() {
                return Err(flaw("its name is not that of its content"));
            }
            self.events.insert(id);
        } else if let Some(id) = named(STUBS) {
            self.stubs.insert(id, blob);
        } else {
            return Err(flaw("nothing of this name belongs there"));
        }
        if self.events.len() + self.stubs.len() > MAX_MEMORY_EVENTS {
            return Err(flaw("there are too many events"));
        }
        Ok(())
    }

    fn remove(&mut self, path: &RepoPath) {
        let path = path.as_bytes();
        if path == FORMAT.as_bytes() {
            self.has_format = false;
        } else if let Some(id) = named_in(path, EVENTS) {
            self.events.remove(&id);
        } else if let Some(id) = named_in(path, STUBS) {
            self.stubs.remove(&id);
        }
    }

    fn check(self) -> Result<Self, Trouble> {
        if !self.has_format {
            return Err(Trouble::Flaw(Flaw::of("file", FORMAT, "it is missing")));
        }
        match self.stubs.keys().find(|id| self.events.contains(id)) {
            None => Ok(self),
            Some(both) => Err(Trouble::Flaw(Flaw::of(
                "event",
                both,
                "it was redacted and is there",
            ))),
        }
    }
}

/// Takes the id out of `<folder>/<2 hex>/<rest>`.
pub(super) fn named_in(path: &[u8], folder: &str) -> Option<EventId> {
    let rest = path.strip_prefix(folder.as_bytes())?.strip_prefix(b"/")?;
    let (first, rest) = rest.split_at_checked(2)?;
    let hex = [first, rest.strip_prefix(b"/")?].concat();
    let id = EventId::from_hex(&hex)?;
    (id.to_string().as_bytes() == hex).then_some(id)
}

/// Whether a commit is the tip of our own log.
fn is_own_tip(repo: &Repo, commit: CommitId) -> bool {
    let tip = refs::read(repo, &repo.ref_names().memory());
    tip.is_ok_and(|tip| tip == Some(commit.as_object()))
}

/// Says what may be done about a log that cannot be read.
fn explain(repo: &Repo, tip: CommitId, name: &str, trouble: Trouble) -> Error {
    match trouble {
        Trouble::Newer(found) => Error::Newer(found),
        Trouble::Flaw(flaw) => explain_flaw(repo, tip, name, flaw),
    }
}

/// As [`explain`]. Only at the tip of our own log is there a ref to move back.
pub(super) fn explain_flaw(repo: &Repo, tip: CommitId, name: &str, flaw: Flaw) -> Error {
    let own = repo.ref_names().memory();
    let missing = format!(
        "An object that is only missing here comes back with `git fetch --refetch <remote> {own}`"
    );
    let recover = if !is_own_tip(repo, tip) {
        match name == own {
            true => missing,
            false => "Ask whoever moved it last to mend it".to_owned(),
        }
    } else if let Some(good) = last_good(repo, tip) {
        format!(
            "{missing}; else `git update-ref {own} {good}` goes back to the last commit that can be read, and what came after it stays in {tip}"
        )
    } else {
        format!(
            "{missing}; else `git update-ref -d {own}` starts over, `git sverklo fetch` brings what a remote has, and what is here stays in {tip}"
        )
    };
    Error::Corrupt {
        name: name.to_owned(),
        tip: tip.to_string(),
        flaw: format!("{} {}: {}", flaw.what, flaw.object, flaw.reason),
        recover,
    }
}

/// Finds the last commit of a log, going back by first parents or else by the log of its ref, that can be
/// read.
fn last_good(repo: &Repo, tip: CommitId) -> Option<CommitId> {
    let mut at = tip;
    for _ in 0..MAX_LOOK_BACK {
        let Some(parent) = repo
            .commit_parents(at)
            .ok()
            .and_then(|all| all.first().copied())
        else {
            break;
        };
        at = parent;
        if Log::read(repo, at).is_ok() {
            return Some(at);
        }
    }
    // Where a commit is gone, the log of the ref still tells what came before.
    let past = reflog::entries(repo, &repo.ref_names().memory()).unwrap_or_default();
    let mut past = past.into_iter().take(MAX_LOOK_BACK);
    past.find(|past| *past != tip && Log::read(repo, *past).is_ok())
}

/// Adds events in one commit, and returns the ids of all of them. What is in the log already is not
/// added again; what was redacted is refused. Fails with [`Error::Contended`], [`Error::Corrupt`],
/// [`Error::Refused`], or what the repository said.
pub fn append(repo: &Repo, events: &[Event]) -> Result<Vec<EventId>, Error> {
    append_to(repo, None, events)
}

/// As [`append`], by somebody who has read the log: it is not read again unless it has moved.
pub fn append_to(
    repo: &Repo,
    known: Option<&Log>,
    events: &[Event],
) -> Result<Vec<EventId>, Error> {
    let by = identity::committer(repo)?;
    let name = repo.ref_names().memory();
    let mut turn = Turn::default();
    for attempt in 1..=ATTEMPTS {
        turn.take(repo, attempt - 1);
        let tip = refs::read(repo, &name)?.map(CommitId::new);
        let mut objects = repo.objects();
        let mut pack = PackWriter::new(repo.hash());
        let mut edits = Edits::new();
        let mut ids = Vec::new();
        for event in events {
            let text = text::encode(event);
            text::decode(text.as_bytes(), repo.hash())
                .map_err(|err| Error::Refused(err.to_string()))?;
            let blob = pack.blob(text.into_bytes())?;
            edits.insert(path_of(EVENTS, blob.as_object()), Some(blob));
            ids.push(EventId::new(blob.as_object()));
        }
        let root = match tip {
            Some(tip) => {
                // Nothing is put on top of a log that cannot be read.
                let fresh;
                let log = match known.filter(|log| log.tip == Some(tip)) {
                    Some(log) => log,
                    None => {
                        fresh = Log::at(repo, tip, &name)?;
                        &fresh
                    }
                };
                if let Some(id) = ids.iter().find(|id| log.stubs.contains_key(id)) {
                    return Err(Error::Refused(format!(
                        "{id} was redacted; say it in other words"
                    )));
                }
                if ids.iter().all(|id| log.contains(*id)) {
                    return Ok(ids);
                }
                if log.events.len() + log.stubs.len() + ids.len() > MAX_MEMORY_EVENTS {
                    return Err(Error::Refused(format!(
                        "the log is full: it has {MAX_MEMORY_EVENTS} events"
                    )));
                }
                log.tree
            }
            None => None,
        };
        if root.is_none() {
            let format = pack.blob(format_text(repo.hash()).into_bytes())?;
            edits.insert(FORMAT.into(), Some(format));
        }
        let Some(tree) = tree_edit::apply(&mut objects, &mut pack, root, &edits)? else {
            return Ok(ids);
        };
        let parents: Vec<CommitId> = tip.into_iter().collect();
        let said = message(events, &ids);
        let (commit, held) = commit(repo, pack, tree, &parents, &by, &said)?;
        let expected = tip.map(|tip| tip.as_object());
        match refs::compare_and_swap(
            repo,
            &name,
            commit.as_object(),
            expected,
            &held,
            first(&said),
        )? {
            Swap::Moved => return Ok(ids),
            Swap::Lost => std::thread::sleep(backoff(attempt)),
        }
    }
    Err(Error::Contended(ATTEMPTS))
}

/// Writes what is in a pack and a commit of its tree, signed if that is asked for, and holds both.
pub(super) fn commit(
    repo: &Repo,
    mut pack: PackWriter,
    tree: TreeId,
    parents: &[CommitId],
    by: &Signature,
    message: &str,
) -> Result<(CommitId, Held), Error> {
    if repo.config_bool(keys::SIGN_MEMORY) == Some(true) {
        let kept = pack.to_bytes();
        let mut held = pack.write(repo)?;
        let commit = sign::commit(repo, tree, parents, by, message).map_err(Error::Unsigned)?;
        // git has written it where it may be pruned.
        let mut alone = PackWriter::new(repo.hash());
        alone.copy(&mut repo.objects(), commit)?;
        spare::keep(repo, commit, &[kept, alone.to_bytes()].concat());
        held.join(alone.write(repo)?);
        return Ok((commit, held));
    }
    let commit = pack.commit_by(tree, parents, by, message)?;
    spare::keep(repo, commit, &pack.to_bytes());
    Ok((commit, pack.write(repo)?))
}

/// The first line of a message.
pub(super) fn first(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

/// The message of a commit. It repeats nothing that somebody may want to take back.
pub(super) fn message(events: &[Event], ids: &[EventId]) -> String {
    let lines: Vec<String> = events
        .iter()
        .zip(ids)
        .map(|(event, id)| format!("{} {}", event.label(), id.short()))
        .collect();
    match &lines[..] {
        [one] => format!("memory: {one}"),
        all => format!("memory: {} events\n\n{}", all.len(), all.join("\n")),
    }
}
