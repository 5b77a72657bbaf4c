//! The versions of a file, through its renamings, and of a directory.

use super::ancestry::{Ancestry, Entry, Event, Trail};
use super::answer::Place;
use super::follow::{Found, Past};
use super::request::Wanted;
use crate::clean;
use crate::git::RepoPath;
use crate::git::tree;
use crate::id::{BlobId, CommitId, TreeId};
use crate::query::Error;
use crate::query::diff::lines::LineMap;
use crate::query::renamed::came_from;
use crate::store::Progress;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Versions that are looked for: more than this nobody reads.
const MAX_VERSIONS: usize = 20_000;

/// What is followed: a file, or a directory, which without a path is the root.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Followed {
    /// A file.
    File(RepoPath),
    /// A directory.
    Folder(Option<RepoPath>),
}

impl Followed {
    /// The trail to it.
    pub fn trail(&self) -> Trail {
        match self {
            Self::File(path) => Trail::to_file(path),
            Self::Folder(path) => Trail::to_folder(path.as_ref()),
        }
    }

    fn place(&self) -> Place {
        Place::Path(match self {
            Self::File(path) => path.to_string(),
            Self::Folder(path) => path
                .as_ref()
                .map_or("./".to_owned(), |path| format!("{path}/")),
        })
    }
}

/// Follows a path back from a commit; `entry` is what stands there. Fails when commits or trees cannot be read.
pub fn follow(
    ancestry: &mut Ancestry,
    from: CommitId,
    followed: &Followed,
    entry: Option<Entry>,
    wanted: Wanted,
    progress: &dyn Progress,
) -> Result<Past, Error> {
    let mut walk = Walk {
        ancestry,
        past: Past::default(),
        waiting: Vec::new(),
        queue: BinaryHeap::new(),
        seen: FxHashSet::default(),
    };
    walk.descend(from, followed.clone(), entry)?;
    while let Some((date, Reverse(at))) = walk.queue.pop() {
        if walk.past.versions.len() >= MAX_VERSIONS || progress.cancelled() {
            walk.past.end = Some(format!("the newest {} versions", walk.past.versions.len()));
            break;
        }
        if wanted.is_met(&walk.past.versions, date) {
            break;
        }
        if let Some((event, followed, entry)) = walk.waiting[at].take() {
            walk.look(&event, &followed, entry)?;
        }
    }
    Ok(walk.past)
}

/// Said where so much is before a commit that nobody looks whether something was there.
pub(super) fn far(commit: CommitId) -> String {
    let short = commit.short();
    format!("whether it was there long before {short} was not looked at")
}

struct Walk<'w> {
    ancestry: &'w mut Ancestry,
    past: Past,
    /// What was not looked at yet.
    waiting: Vec<Option<(Event, Followed, Option<Entry>)>>,
    queue: BinaryHeap<(i64, Reverse<usize>)>,
    seen: FxHashSet<(CommitId, Followed)>,
}

impl Walk<'_> {
    fn descend(
        &mut self,
        from: CommitId,
        followed: Followed,
        entry: Option<Entry>,
    ) -> Result<(), Error> {
        let event = match self.ancestry.origin(from, entry, &mut followed.trail()) {
            Ok(event) => event,
            Err(err) if err.is_missing_object() => {
                self.past.end = Some(format!("this clone lacks what came before: {err}"));
                return Ok(());
            }
            Err(err) => return Err(err.into()),
        };
        self.wait(event, followed, entry);
        Ok(())
    }

    fn look(
        &mut self,
        event: &Event,
        followed: &Followed,
        entry: Option<Entry>,
    ) -> Result<(), Error> {
        if event.is_cut_off {
            let short = event.commit.short();
            self.past.end = Some(format!("history ends at {short}: the clone is shallow"));
            if entry.is_some() {
                self.push(event, followed, "there at the end of history", None);
            }
            return Ok(());
        }
        if event.parents.is_empty() {
            if entry.is_some() {
                self.push(event, followed, "introduced", None);
            }
            return Ok(());
        }
        let there = event.parents.iter().any(|(_, there)| there.is_some());
        match (entry, there) {
            (Some(_), false) => self.appeared(event, followed, entry),
            (None, false) => Ok(()),
            (entry, true) => {
                let did = if entry.is_some() {
                    "changed"
                } else {
                    "removed"
                };
                let detail = self.detail(followed, entry, event);
                self.push(event, followed, did, None);
                if let Some(last) = self.past.versions.last_mut() {
                    last.detail = detail;
                }
                for (parent, there) in &event.parents {
                    match there {
                        Some(_) => self.descend(*parent, followed.clone(), *there)?,
                        // One side of a merge had removed it.
                        None => drop(self.was_there(*parent, followed)?),
                    }
                }
                Ok(())
            }
        }
    }

    /// A path that no parent has: it was somewhere else, or is new, and may have been there before.
    fn appeared(
        &mut self,
        event: &Event,
        followed: &Followed,
        entry: Option<Entry>,
    ) -> Result<(), Error> {
        if let (Followed::File(path), Some(entry)) = (followed, entry) {
            for (parent, _) in &event.parents {
                let (before, after) = (
                    self.ancestry.root(*parent)?,
                    self.ancestry.root(event.commit)?,
                );
                let all = tree::diff(self.ancestry.objects(), before, after)
                    .map_err(|err| err.at_one_of(&[(before, *parent), (after, event.commit)]))?;
                let came = came_from(self.ancestry.objects(), &all, path, BlobId::new(entry));
                if let Some((old, blob)) = came {
                    let was = Place::Path(old.to_string());
                    self.push(event, followed, "moved", Some(was));
                    return self.descend(*parent, Followed::File(old), Some(blob.as_object()));
                }
            }
        }
        self.push(event, followed, "introduced", None);
        let at = self.past.versions.len() - 1;
        for (parent, _) in &event.parents {
            if self.was_there(*parent, followed)? {
                self.past.versions[at].did = vec!["brought back"];
            }
        }
        Ok(())
    }

    /// Looks for what removed a path before a commit that does not have it. Returns whether something did.
    fn was_there(&mut self, from: CommitId, followed: &Followed) -> Result<bool, Error> {
        let mut trail = followed.trail();
        let removed = match followed {
            Followed::File(_) => self.ancestry.removal(from, &mut trail),
            Followed::Folder(_) => self.ancestry.origin(from, None, &mut trail).map(Some),
        };
        let event = match removed {
            Ok(Some(event)) => event,
            Ok(None) => {
                self.past.end = Some(far(from));
                return Ok(false);
            }
            Err(err) if err.is_missing_object() => {
                self.past.end = Some(format!("this clone lacks what came before: {err}"));
                return Ok(false);
            }
            Err(err) => return Err(err.into()),
        };
        let is_removal = event.parents.iter().any(|(_, there)| there.is_some());
        if is_removal {
            self.wait(event, followed.clone(), None);
        }
        Ok(is_removal)
    }

    fn wait(&mut self, event: Event, followed: Followed, entry: Option<Entry>) {
        if self.seen.insert((event.commit, followed.clone())) {
            self.queue.push((event.date, Reverse(self.waiting.len())));
            self.waiting.push(Some((event, followed, entry)));
        }
    }

    fn push(&mut self, event: &Event, followed: &Followed, did: &'static str, was: Option<Place>) {
        self.past.versions.push(Found {
            commit: Some((event.commit, event.date)),
            is_merge: event.parents.len() > 1,
            was,
            ..Found::new(did, followed.place())
        });
    }

    /// What changed, against the first side that has it.
    fn detail(
        &mut self,
        followed: &Followed,
        entry: Option<Entry>,
        event: &Event,
    ) -> Option<String> {
        let (old, new) = (event.parents.iter().find_map(|(_, there)| *there)?, entry?);
        match followed {
            Followed::File(_) => {
                let before = self.ancestry.blob(BlobId::new(old)).ok()?;
                let after = self.ancestry.blob(BlobId::new(new)).ok()?;
                let (added, removed) = LineMap::of(&before, &after).counts();
                Some(format!("+{added} -{removed}"))
            }
            Followed::Folder(_) => {
                let (old, new) = (TreeId::new(old), TreeId::new(new));
                let all = tree::diff(self.ancestry.objects(), old, new).ok()?;
                let names: Vec<String> = all
                    .iter()
                    .take(3)
                    .map(|change| clean::path(&change.path.to_string()))
                    .collect();
                let more = all.len().saturating_sub(names.len());
                let more = if more > 0 {
                    format!(" and {more} more")
                } else {
                    String::new()
                };
                Some(format!("{}{more}", names.join(", ")))
            }
        }
    }
}
