//! Uniting two logs, and taking texts out of one for good.
//!
//! Guarantees: nothing is united that [`super::incoming`] has not judged; the union has every event of
//! both, without texts that either has redacted; it is the same whoever makes it and in whatever order (the commit of a union is a function of its two parents). A
//! text that is taken out leaves the tree *and* the history of the ref: commits that have it are written
//! anew, as a function of what they were and of what is taken out, so that clones that do it apart come
//! to the same history, and a stale clone cannot bring the text back.

use super::event::{Body, Event};
use super::log::{EVENTS, Log, STUBS};
use super::text;
use super::{Error, cache, incoming, path_of, spare};
use crate::git::identity::{self, Signature};
use crate::git::lineage::Lineage;
use crate::git::refs::{self, Swap, Turn, backoff};
use crate::git::tree_edit::{self, Edits};
use crate::git::write::PackWriter;
use crate::git::{Objects, Repo, RepoPath, commit, reflog, tree};
use crate::id::{BlobId, CommitId, EventId, TreeId};
use crate::limits::MAX_MEMORY_EVENTS;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Events whose texts were here before and are taken out now.
    pub redacted: Vec<EventId>,
    /// The `redact` events that say who took these out, new or not.
    pub reasons: Vec<(EventId, Event)>,
    /// How many memories that were here each event that came ends, or says anew.
    pub hit: BTreeMap<EventId, usize>,
    /// Events that have no text in the union.
    pub stubs: Vec<EventId>,
    /// Whether the other log still has texts that were taken out here.
    pub is_stale: bool,
}

/// Takes another log into ours, whose commit is in the object store; `name` is what led there.
///
/// # Errors
/// [`Error::Corrupt`] when one of the logs cannot be read or believed, [`Error::Refused`] when the union
/// would be too large: nothing is changed then. [`Error::Contended`], or what the repository said.
pub fn unite(repo: &Repo, theirs: CommitId, name: &str) -> Result<United, Error> {
    unite_within(repo, theirs, name, MAX_MEMORY_EVENTS)
}

fn unite_within(
    repo: &Repo,
    theirs: CommitId,
    name: &str,
    most_events: usize,
) -> Result<United, Error> {
    let own = repo.ref_names().memory();
    let their_log = Log::at(repo, theirs, name)?;
    let mut turn = Turn::default();
    for attempt in 1..=ATTEMPTS {
        turn.take(repo, attempt - 1);
        let tip = refs::read(repo, &own)?.map(CommitId::new);
        let ours = match tip {
            Some(tip) => Log::at(repo, tip, &own)?,
            None => Log::default(),
        };
        incoming::check(repo, &ours, &their_log, name)?;
        let theirs = their_log.events.iter().map(|(id, _)| id);
        let theirs = theirs.chain(their_log.stubs.keys());
        let all = ours.len() + theirs.filter(|id| !ours.contains(**id)).count();
        if all > most_events {
            return Err(Error::Refused(format!(
                "united with {name} the log would have {all} events, and {most_events} is the most"
            )));
        }
        let mut out = changes(&ours, &their_log);
        let mut pack = PackWriter::new(repo.hash());
        let new = merge(repo, &mut pack, &ours, &their_log)?;
        if tip == Some(new) {
            out.tip = tip;
            return Ok(out);
        }
        if !out.redacted.is_empty() || out.is_stale {
            reflog::will_expire(repo, &own);
        }
        spare::keep(repo, new, &pack.to_bytes());
        let held = pack.write(repo)?;
        let expected = tip.map(|tip| tip.as_object());
        match refs::compare_and_swap(repo, &own, new.as_object(), expected, &held, MESSAGE)? {
            Swap::Moved => {
                if !out.redacted.is_empty() || out.is_stale {
                    cache::leave_no_way_back(repo);
                }
                out.tip = Some(new);
                return Ok(out);
            }
            Swap::Lost => std::thread::sleep(backoff(attempt)),
        }
    }
    Err(Error::Contended(ATTEMPTS))
}

/// What another log changes in ours.
pub(crate) fn changes(ours: &Log, theirs: &Log) -> United {
    let redacted: Vec<EventId> = lacking(ours, theirs).into_keys().collect();
    let says_why = |event: &Event| matches!(event.body, Body::Redact { event } if redacted.binary_search(&event).is_ok());
    let copied = |(id, event): (EventId, &Event)| (id, event.clone());
    let came = theirs.readable().filter(|(id, _)| !ours.contains(*id));
    let reasons = theirs.readable().filter(|(_, event)| says_why(event));
    // A memory may be named that came with the same log, or that nobody has.
    let hits = |event: &Event| match &event.body {
        Body::End { closes: ids, .. } | Body::Claim { replaces: ids, .. } => {
            ids.iter().filter(|id| ours.has_event(**id)).count()
        }
        _ => 0,
    };
    let came: Vec<(EventId, Event)> = came.map(copied).collect();
    let hit = came.iter().map(|(id, event)| (*id, hits(event)));
    let hit = hit.filter(|(_, count)| *count > 0).collect();
    let reasons = reasons.map(copied).collect();
    let stubs: BTreeSet<&EventId> = ours.stubs.keys().chain(theirs.stubs.keys()).collect();
    United {
        tip: None,
        came,
        reasons,
        hit,
        stubs: stubs.into_iter().copied().collect(),
        redacted,
        is_stale: !lacking(theirs, ours).is_empty(),
    }
}

/// The stubs of `from` for which `of` still has the text.
fn lacking(of: &Log, from: &Log) -> Stubs {
    from.stubs
        .iter()
        .filter(|(id, _)| of.has_event(**id))
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
        if !base.stubs.contains_key(id) {
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
        if tree::find(objects, root, &RepoPath::new(event.clone())?)?.is_some() {
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

/// Whether the tip of a log has the text of any of these events. Fails with what the repository said.
pub fn has_any(
    repo: &Repo,
    objects: &mut Objects,
    tip: CommitId,
    events: &[EventId],
) -> Result<bool, Error> {
    let root = repo.commit_tree(tip)?;
    for id in events {
        let path = RepoPath::new(path_of(EVENTS, id.as_object()))?;
        if tree::find(objects, root, &path)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes the text of an event out of our log and its history, and says why in an event of its own, which
/// comes with the same move of the ref. For an event whose text is out already, what was left undone then
/// is done, and the event that says why is returned.
///
/// The old objects stay in the object store until git collects them.
///
/// # Errors
/// [`Error::Refused`] for an event that has no text of anybody's, [`Error::Contended`],
/// [`Error::Corrupt`], or what the repository said.
pub fn redact(repo: &Repo, id: EventId, reason: Event) -> Result<EventId, Error> {
    let name = repo.ref_names().memory();
    let by = identity::committer(repo)?;
    let said = text::encode(&reason);
    text::decode(said.as_bytes(), repo.hash()).map_err(|err| Error::Refused(err.to_string()))?;
    let mut turn = Turn::default();
    for attempt in 1..=ATTEMPTS {
        turn.take(repo, attempt - 1);
        let log = Log::open(repo)?;
        if log.stubs.contains_key(&id) {
            cache::leave_no_way_back(repo);
            let why = log
                .readable()
                .find(|(_, event)| matches!(event.body, Body::Redact { event } if event == id));
            return match why {
                Some((why, _)) => Ok(why),
                None => Ok(super::log::append(repo, &[reason])?[0]),
            };
        }
        let (Some(tip), Some(event)) = (log.tip, log.event(id)) else {
            return Err(Error::Refused(format!(
                "{} has no text to take out",
                id.short()
            )));
        };
        let stub = event
            .stub()
            .ok_or_else(|| Error::Refused(format!("a {} cannot be redacted", event.label())))?;
        if log.len() >= MAX_MEMORY_EVENTS {
            return Err(Error::Refused(format!(
                "the log is full: it has {MAX_MEMORY_EVENTS} events"
            )));
        }
        let mut pack = PackWriter::new(repo.hash());
        let mut objects = repo.objects();
        let stub = pack.blob(text::encode_stub(&stub).into_bytes())?;
        let why = pack.blob(said.clone().into_bytes())?;
        let stubs = Stubs::from([(id, stub)]);
        let cleaned = Rewritten::of(repo, &mut objects, &mut pack, tip, &stubs)?;
        // The tree of the new tip is not in the object store yet: this begins with that of the old one.
        let edits = Edits::from([
            (path_of(EVENTS, id.as_object()), None),
            (path_of(STUBS, id.as_object()), Some(stub)),
            (path_of(EVENTS, why.as_object()), Some(why)),
        ]);
        let tree = tree_edit::apply(&mut objects, &mut pack, log.tree, &edits)?;
        let tree = tree.ok_or_else(|| Error::Refused("nothing would be left".to_owned()))?;
        let why = EventId::new(why.as_object());
        let message = super::log::message(std::slice::from_ref(&reason), &[why]);
        let (new, held) = super::log::commit(repo, pack, tree, &[cleaned.tip], &by, &message)?;
        let said = super::log::first(&message);
        reflog::will_expire(repo, &name);
        let expected = Some(tip.as_object());
        match refs::compare_and_swap(repo, &name, new.as_object(), expected, &held, said)? {
            Swap::Moved => {
                cache::leave_no_way_back(repo);
                return Ok(why);
            }
            Swap::Lost => std::thread::sleep(backoff(attempt)),
        }
    }
    Err(Error::Contended(ATTEMPTS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::packs::Held;
    use crate::golden;
    use crate::memory::log::{FORMAT, format_text};
    use gix::bstr::BString;
    use std::path::Path;
    use std::process::Command;

    fn git(dir: &Path, args: &[&str]) -> String {
        let out = Command::new("git").arg("-C").arg(dir).args(args).output();
        let out = out.unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{args:?}: {said}");
        String::from_utf8(out.stdout).unwrap()
    }

    fn init() -> (tempfile::TempDir, Repo) {
        let dir = tempfile::tempdir().unwrap();
        git(dir.path(), &["init", "-q", "--object-format=sha1"]);
        let repo = Repo::discover(dir.path()).unwrap();
        (dir, repo)
    }

    /// Writes a log of the events of `vectors/memory-<name>.txt`, on top of another or of nothing.
    fn write(repo: &Repo, names: &[&str], parents: &[CommitId], seconds: i64) -> CommitId {
        let mut pack = PackWriter::new(repo.hash());
        let mut edits = Edits::new();
        let format = pack.blob(format_text(repo.hash()).into_bytes()).unwrap();
        edits.insert(BString::from(FORMAT), Some(format));
        for name in names {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("format-spec/vectors");
            let bytes = std::fs::read(folder.join(format!("memory-{name}.txt"))).unwrap();
            let blob = pack.blob(bytes).unwrap();
            edits.insert(path_of(EVENTS, blob.as_object()), Some(blob));
        }
        let tree = tree_edit::apply(&mut repo.objects(), &mut pack, None, &edits).unwrap();
        let by = Signature {
            name: "A. Author".to_owned(),
            mail: "author@example.com".to_owned(),
            seconds,
            offset: 0,
        };
        let commit = pack
            .commit_by(tree.unwrap(), parents, &by, "memory: vector")
            .unwrap();
        drop(pack.write(repo).unwrap());
        commit
    }

    fn start(repo: &Repo, tip: CommitId) {
        let name = repo.ref_names().memory();
        let before = refs::read(repo, &name).unwrap();
        refs::compare_and_swap(
            repo,
            &name,
            tip.as_object(),
            before,
            &Held::nothing(),
            "test",
        )
        .unwrap();
    }

    #[test]
    fn a_union_and_a_redacted_history_are_the_same_everywhere() {
        let (dir, repo) = init();
        let first = write(&repo, &["assert"], &[], 1000);
        let left = write(&repo, &["assert", "end"], &[first], 3000);
        let right = write(&repo, &["amend", "repin"], &[], 2000);
        start(&repo, left);
        let tip = unite(&repo, right, "right").unwrap().tip.unwrap();
        start(&repo, right);
        assert_eq!(unite(&repo, left, "left").unwrap().tip, Some(tip));

        let log = Log::open(&repo).unwrap();
        let (id, event) = log
            .readable()
            .find(|(_, event)| event.label() == "amend")
            .unwrap();
        let mut pack = PackWriter::new(repo.hash());
        let stub = text::encode_stub(&event.stub().unwrap());
        let stubs = Stubs::from([(id, pack.blob(stub.into_bytes()).unwrap())]);
        let cleaned = Rewritten::of(&repo, &mut repo.objects(), &mut pack, tip, &stubs).unwrap();
        drop(pack.write(&repo).unwrap());
        assert!(cleaned.has(left) && !cleaned.has(right));
        let mut text = format!("left {left}\nright {right}\nunion {tip}\n");
        text += &format!("redacted {}\n", cleaned.tip);
        for commit in [first, left, right, tip, cleaned.tip] {
            let shown = git(dir.path(), &["cat-file", "commit", &commit.to_string()]);
            text += &format!("\ncommit {commit}\n{shown}");
        }
        golden::assert_same("memory-union.txt", &text);
    }

    #[test]
    fn a_union_that_would_be_too_large_moves_nothing() {
        let (_dir, repo) = init();
        let left = write(&repo, &["assert", "end"], &[], 1000);
        let right = write(&repo, &["assert", "amend", "repin"], &[], 2000);
        start(&repo, left);
        let err = unite_within(&repo, right, "theirs", 3).unwrap_err();
        assert!(
            matches!(&err, Error::Refused(why) if why.contains("4 events") && why.contains("theirs")),
            "{err}"
        );
        assert_eq!(Log::open(&repo).unwrap().tip, Some(left));
        assert_eq!(
            unite_within(&repo, right, "theirs", 4).unwrap().came.len(),
            2
        );
        assert_eq!(Log::open(&repo).unwrap().len(), 4);
    }
}
