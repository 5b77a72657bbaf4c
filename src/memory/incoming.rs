//! What comes from elsewhere, judged before it is united: once it is in our history it stays there.
//!
//! Guarantees: a stub says what its event makes it, wherever either side has the event or another stub of
//! it, and a `redact` event says who took the text out; the history behind a log holds no file that its
//! tip does not account for. So nothing comes along unseen: no file of another kind, no text that was
//! taken out, no event that was dropped again. The cost follows what changed from commit to commit.

use super::event::Body;
use super::log::{EVENTS, Flaw, Log, MANY, MAX_BASES, STUBS, format_text, named_in};
use super::{Error, log};
use crate::git::lineage::{Lineage, Marked};
use crate::git::write::{NewEntry, PackWriter, blob_id};
use crate::git::{Objects, Repo, commit, tree};
use crate::id::{BlobId, CommitId, EventId, TreeId};
use crate::limits::MAX_MEMORY_EVENTS;
use gix::ObjectId;
use gix::bstr::BString;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Most commits that may come at once: every event in one of its own, and every one united.
const MAX_COMMITS: usize = 2 * MAX_MEMORY_EVENTS;

/// Folders that a file of a log lies in.
const FOLDERS: usize = 2;

/// Judges a log, which can be read itself, before it is united with ours; `name` is what led to it.
/// Fails with [`Error::Corrupt`] that names the log to blame, or what the repository said.
pub(super) fn check(repo: &Repo, ours: &Log, theirs: &Log, name: &str) -> Result<(), Error> {
    let blame = |commit: CommitId, flaw: Flaw| log::explain_flaw(repo, commit, name, flaw);
    let Some(tip) = theirs.tip else {
        return Ok(());
    };
    if let Some(flaw) = wrong_stub(ours, theirs) {
        return Err(blame(tip, flaw));
    }
    let own = repo.ref_names().memory();
    for (id, (_, stub)) in &ours.stubs {
        // The event is what its id says, so the stub is what is wrong.
        if theirs
            .event(*id)
            .is_some_and(|event| event.stub().as_ref() != Some(stub))
        {
            return Err(Error::Corrupt {
                tip: ours.tip.map_or(String::new(), |tip| tip.to_string()),
                flaw: format!("stub of {id}: the event, which {name} has, says something else"),
                recover: format!(
                    "`git log {own}` shows what brought it, and `git update-ref {own} <commit>` goes back before that"
                ),
                name: own,
            });
        }
    }
    check_history(repo, ours, theirs, tip, &blame)
}

/// Finds a stub of `theirs` that cannot be right.
fn wrong_stub(ours: &Log, theirs: &Log) -> Option<Flaw> {
    let redacts = theirs.readable().filter_map(|(_, event)| match event.body {
        Body::Redact { event } => Some(event),
        _ => None,
    });
    let explained: BTreeSet<EventId> = redacts.collect();
    for (id, (blob, stub)) in &theirs.stubs {
        if !explained.contains(id) {
            return Some(Flaw::of(
                "stub of",
                id,
                "nothing says who took the text out",
            ));
        }
        let is_right = match (ours.event(*id), ours.stubs.get(id)) {
            (Some(event), _) => event.stub().as_ref() == Some(stub),
            (None, Some((own, _))) => own == blob,
            (None, None) => true,
        };
        if !is_right {
            let reason = "it is not what is known here of the event";
            return Some(Flaw::of("stub of", id, reason));
        }
    }
    None
}

/// Sees that the commits which we do not have hold nothing but what the tip holds.
fn check_history(
    repo: &Repo,
    ours: &Log,
    theirs: &Log,
    tip: CommitId,
    blame: &dyn Fn(CommitId, Flaw) -> Error,
) -> Result<(), Error> {
    let mut lineage = Lineage::new(repo)?;
    let tips: Vec<CommitId> = ours.tip.into_iter().chain([tip]).collect();
    lineage.read(&tips)?;
    let behind = |tip: Option<CommitId>| match tip.and_then(|tip| lineage.find(tip)) {
        Some(node) => lineage.ancestors(&[node]),
        None => Marked::default(),
    };
    let known = behind(ours.tip);
    let come = behind(Some(tip));
    let new: Vec<CommitId> = come
        .nodes()
        .filter(|node| !known.has(*node))
        .map(|node| lineage.id(node))
        .collect();
    if new.len() > MAX_COMMITS {
        let reason = format!("over {MAX_COMMITS} commits come with it");
        return Err(blame(tip, Flaw::of("history", "", reason)));
    }
    let mut sieve = Sieve {
        objects: repo.objects(),
        log: theirs,
        format: blob_id(repo.hash(), format_text(repo.hash()).as_bytes())?,
        seen: FxHashSet::default(),
    };
    if new.len() > MANY {
        sieve.objects.keep_bases(MAX_BASES);
    }
    let mut roots = Vec::with_capacity(new.len());
    for id in &new {
        let (root, parents) = commit::links(&mut sieve.objects, *id)?;
        roots.push(root);
        for parent in parents {
            let is_ours = lineage.find(parent).is_some_and(|node| known.has(node));
            if is_ours && let Ok((root, _)) = commit::links(&mut sieve.objects, parent) {
                sieve.know("", root).map_err(|flaw| blame(parent, flaw))?;
            }
        }
    }
    for (id, root) in new.iter().zip(roots) {
        sieve.pass("", root).map_err(|flaw| blame(*id, flaw))?;
    }
    Ok(())
}

/// Lets trees pass that hold what a log accounts for.
struct Sieve<'a> {
    objects: Objects,
    log: &'a Log,
    format: BlobId,
    /// Trees that passed, each at the path it had.
    seen: FxHashSet<(BString, TreeId)>,
}

/// One entry: its name, whether it is a tree, and its id.
type Entry = (BString, bool, ObjectId);

impl Sieve<'_> {
    fn entries(&mut self, id: TreeId) -> Result<Vec<Entry>, Flaw> {
        let mut out = Vec::new();
        tree::for_each_entry(&mut self.objects, id, |name, mode, id| {
            out.push((name.into(), mode.is_none(), id));
        })
        .map_err(|err| Flaw::of("tree", id, err))?;
        Ok(out)
    }

    /// Takes the trees of a commit of ours for good, without reading those at the bottom.
    fn know(&mut self, path: &str, id: TreeId) -> Result<(), Flaw> {
        if self.seen.insert((path.into(), id)) && path.split('/').count() < FOLDERS {
            for (name, is_tree, id) in self.entries(id)? {
                if is_tree && let Ok(name) = std::str::from_utf8(&name) {
                    self.know(&join(path, name), TreeId::new(id))?;
                }
            }
        }
        Ok(())
    }

    /// Looks at one tree and those in it. The paths of a log are three names long, so this ends.
    fn pass(&mut self, path: &str, id: TreeId) -> Result<(), Flaw> {
        if !self.seen.insert((path.into(), id)) {
            return Ok(());
        }
        let entries = self.entries(id)?;
        // Written anew it must be the same: this tells of other modes, of names that come twice, and of
        // those that git hides.
        let mut pack = PackWriter::new(self.objects.hash());
        let plain = |(name, is_tree, id): &Entry| match is_tree {
            true => (name.clone(), NewEntry::Tree(TreeId::new(*id))),
            false => (name.clone(), NewEntry::Blob(BlobId::new(*id))),
        };
        match pack.tree(entries.iter().map(plain).collect()) {
            Ok(same) if same == id => {}
            Ok(_) => return Err(Flaw::of("tree", id, "it holds what is no plain file")),
            Err(err) => return Err(Flaw::of("tree", id, err)),
        }
        for (name, is_tree, id) in entries {
            let unknown = || Flaw::of("path", join(path, &name.to_string()), STRANGE);
            let here = std::str::from_utf8(&name).map_err(|_| unknown())?;
            let here = join(path, here);
            if is_tree {
                match here.split('/').collect::<Vec<_>>()[..] {
                    [EVENTS | STUBS] => self.pass(&here, TreeId::new(id))?,
                    [_, folder] if folder.len() == 2 => self.pass(&here, TreeId::new(id))?,
                    _ => return Err(unknown()),
                }
            } else {
                self.file(&here, BlobId::new(id))?;
            }
        }
        Ok(())
    }

    /// Looks at one file, of which the tip must have what it says.
    fn file(&self, path: &str, blob: BlobId) -> Result<(), Flaw> {
        let flaw = |reason: &str| Err(Flaw::of("path", path, reason));
        if path == log::FORMAT {
            return match blob == self.format {
                true => Ok(()),
                false => flaw("it is not that of this layout"),
            };
        }
        if let Some(id) = named_in(path.as_bytes(), EVENTS) {
            return match (self.log.has_event(id), self.log.stubs.contains_key(&id)) {
                _ if id.as_object() != blob.as_object() => {
                    flaw("its name is not that of its content")
                }
                (true, _) => Ok(()),
                (false, true) => flaw("its text was taken out and is still in history"),
                (false, false) => flaw("the event was dropped later"),
            };
        }
        match named_in(path.as_bytes(), STUBS) {
            None => flaw(STRANGE),
            Some(id) => match self.log.stubs.get(&id) {
                Some((own, _)) if *own == blob => Ok(()),
                _ => flaw("the stub was changed or dropped later"),
            },
        }
    }
}

/// What is wrong with a name of another kind.
const STRANGE: &str = "nothing of this name belongs there";

fn join(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        _ => format!("{path}/{name}"),
    }
}
