//! The versions of one definition: back along its file, and to the file and the name it had before.
//!
//! Where its lines stand in a parent as they are ([`verbatim`](super::verbatim)), nothing else is read. Else both
//! versions of the file are compared as `diff` compares two states; only when it is not found there by its name, all
//! files that the commit changed are. Where two sides of a merge both differ from what it came to, both are followed.

use super::ancestry::{Ancestry, Entry, Event, Trail};
use super::answer::Version;
use super::files;
use super::learnt::{Learnt, Spot, Waiting, Walk};
use super::request::Wanted;
use super::step::{Held, Origin, Step, Stepper};
use super::verbatim::{Lines, Naming, in_same_line};
use crate::git::Error as GitError;
use crate::id::{BlobId, CommitId};
use crate::query::Error;
use crate::store::Progress;
use crate::view::text::Texts;
use std::sync::Arc;

/// Versions that are looked for: more than this nobody reads.
const MAX_VERSIONS: usize = 5000;
/// Versions of a file that are read to find an earlier life of a definition.
const MAX_SEARCHED: usize = 2000;

/// A version of what is followed: its commit, not read yet, and the date of that.
pub type Found = Version<(CommitId, i64)>;

/// All that was found of a history.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Past {
    /// Versions, newest first; those that are wanted, and one more where there is one.
    pub versions: Vec<Found>,
    /// Where history ends before its beginning.
    pub end: Option<String>,
}

/// A walk along one definition.
pub struct Follower<'f> {
    pub(super) ancestry: &'f mut Ancestry,
    pub(super) stepper: &'f Stepper<'f>,
    pub(super) texts: &'f mut Texts,
    pub(super) progress: &'f dyn Progress,
    learnt: &'f Learnt,
    wanted: Wanted,
    walk: Walk,
    /// Where the next version of a file is read to: files have hundreds of them, and fresh memory costs as much as they do.
    room: Vec<u8>,
}

impl<'f> Follower<'f> {
    /// Starts with nothing found. What other walks found is in `learnt`.
    pub fn new(
        ancestry: &'f mut Ancestry,
        stepper: &'f Stepper<'f>,
        texts: &'f mut Texts,
        (wanted, learnt): (Wanted, &'f Learnt),
        progress: &'f dyn Progress,
    ) -> Self {
        Self {
            ancestry,
            stepper,
            texts,
            progress,
            learnt,
            wanted,
            walk: Walk::default(),
            room: Vec::new(),
        }
    }

    /// Follows a definition that a commit has. Fails when commits, trees or blobs cannot be read.
    pub fn follow(mut self, from: CommitId, held: Held) -> Result<Past, Error> {
        self.descend(from, held)?;
        self.run()
    }

    /// Follows a definition of the work tree that lies over a commit. Fails as [`Follower::follow`] does.
    pub fn follow_uncommitted(mut self, head: CommitId, held: Held) -> Result<Past, Error> {
        let mut trail = Trail::to_file(&held.path);
        let entry = self.ancestry.entry(head, &mut trail)?;
        if entry == Some(held.blob.as_object()) {
            return self.follow(head, held);
        }
        let step = self.step_from(None, &held, (head, entry))?;
        self.take(None, &held, vec![(head, step)])?;
        self.run()
    }

    /// Looks for what a path had of this name before a commit. Fails as [`Follower::follow`] does.
    pub fn revive(mut self, from: CommitId, held: &Held) -> Result<Past, Error> {
        self.earlier(from, held)?;
        self.run()
    }

    fn run(mut self) -> Result<Past, Error> {
        // Where only one thing is left to look at, all that follows depends on nothing else.
        let mut only: Option<(Spot, usize)> = None;
        // The newest is looked at first, so the first versions are the same however many are wanted.
        while let Some((date, waiting)) = self.walk.pop() {
            if self.walk.versions.len() >= MAX_VERSIONS || self.progress.cancelled() {
                let told = self.walk.versions.len();
                self.walk.cut(format!("the newest {told} versions"));
                break;
            }
            if self.wanted.is_met(&self.walk.versions, date) {
                self.walk.wait(date, waiting);
                break;
            }
            match waiting {
                Waiting::Origin(event, held) => {
                    if self.walk.is_all_looked_at() {
                        let spot = Spot::of(event.commit, &held);
                        let first = self.walk.versions.len();
                        let known = self.learnt.walk(&spot);
                        only.get_or_insert((spot, first));
                        if let Some(known) = known {
                            self.walk.go_on_with(known);
                            continue;
                        }
                    }
                    let held = self.with_bytes(held)?;
                    self.look(&event, &held)?;
                }
                Waiting::Removal(event, version, parent, held) => {
                    let held = self.with_bytes(held)?;
                    self.push(Some(&event), *version);
                    self.descend(parent, held)?;
                }
            }
        }
        if let Some((spot, first)) = only {
            self.learnt.keep_walk(spot, &self.walk, first);
        }
        Ok(Past {
            versions: self.walk.versions,
            end: self.walk.end,
        })
    }

    /// A definition of a walk that was kept, with the text of its file.
    fn with_bytes(&mut self, held: Held) -> Result<Held, Error> {
        if !held.bytes.is_empty() {
            return Ok(held);
        }
        let bytes = self.ancestry.blob(held.blob)?.into();
        Ok(Held { bytes, ..held })
    }

    /// Goes on from a commit that has a definition to the commit it is from.
    fn descend(&mut self, from: CommitId, held: Held) -> Result<(), Error> {
        let begin = Spot::of(from, &held);
        if let Some((event, held)) = self.learnt.origin(&begin) {
            self.wait_at(event, held);
            return Ok(());
        }
        let mut trail = Trail::to_file(&held.path);
        let mut held = held;
        let mut from = from;
        loop {
            let entry: Entry = held.blob.as_object();
            let event = match self.ancestry.origin(from, Some(entry), &mut trail) {
                Ok(event) => event,
                Err(err) => return self.cut(err),
            };
            // Most changes of a file leave a definition alone.
            match self.passed_over(&event, &held)? {
                Some((parent, there)) => {
                    from = parent;
                    let left = std::mem::replace(&mut held, there);
                    self.room = Arc::try_unwrap(left.bytes).unwrap_or_default();
                }
                None => {
                    if self.walk.is_at_its_beginning() {
                        self.learnt.keep_origin(begin, &event, &held);
                    }
                    self.wait_at(event, held);
                    return Ok(());
                }
            }
        }
    }

    fn wait_at(&mut self, event: Event, held: Held) {
        if self.walk.is_news(event.commit, &held) {
            self.walk.wait(event.date, Waiting::Origin(event, held));
        }
    }

    /// The first parent that has the lines of a definition as they are.
    fn passed_over(
        &mut self,
        event: &Event,
        held: &Held,
    ) -> Result<Option<(CommitId, Held)>, Error> {
        let lines = Lines::of(&held.bytes, &held.span);
        for (parent, entry) in &event.parents {
            let Some(entry) = entry else {
                continue;
            };
            let blob = BlobId::new(*entry);
            let mut bytes = std::mem::take(&mut self.room);
            if self.ancestry.blob_into(blob, &mut bytes).is_err() {
                continue;
            }
            if let Some(at) = lines.find(&held.bytes, &bytes) {
                let start = at + held.span.start as usize - lines.range.start;
                let length = held.span.end - held.span.start;
                let outer = held.outer.as_ref().and_then(|outer| {
                    let moved = |at: &u32| in_same_line(&held.bytes, *at, &bytes, start);
                    outer.iter().map(moved).collect()
                });
                let start = start as u32;
                let there = Held {
                    outer,
                    blob,
                    bytes: bytes.into(),
                    span: start..start + length,
                    ..held.clone()
                };
                return Ok(Some((*parent, there)));
            }
            self.room = bytes;
        }
        Ok(None)
    }

    /// Says that history ends where something is not in this clone.
    fn cut(&mut self, err: GitError) -> Result<(), Error> {
        if !err.is_missing_object() {
            return Err(err.into());
        }
        let said = format!("this clone lacks what came before: {err}");
        self.walk.cut(said);
        Ok(())
    }

    /// Looks at a commit that a definition is from.
    fn look(&mut self, event: &Event, held: &Held) -> Result<(), Error> {
        if event.is_cut_off {
            let short = event.commit.short();
            self.walk.end = Some(format!("history ends at {short}: the clone is shallow"));
            let version = self
                .stepper
                .version(self.texts, held, "there at the end of history")?;
            self.push(Some(event), version);
            return Ok(());
        }
        let mut steps = Vec::with_capacity(event.parents.len());
        for (parent, entry) in &event.parents {
            let step = match self.step_from(Some(event.commit), held, (*parent, *entry)) {
                Ok(step) => step,
                Err(Error::Git(err)) => return self.cut(err),
                Err(err) => return Err(err),
            };
            // A merge that took it from one side did nothing to it.
            let is_taken = matches!(&step, Step::Kept(origin) if origin.is_same);
            steps.push((*parent, step));
            if is_taken {
                steps.drain(..steps.len() - 1);
                break;
            }
        }
        self.take(Some(event), held, steps)
    }

    fn step_from(
        &mut self,
        commit: Option<CommitId>,
        held: &Held,
        (parent, entry): (CommitId, Option<Entry>),
    ) -> Result<Step, Error> {
        let step = match entry {
            Some(entry) => {
                let blob = BlobId::new(entry);
                let bytes = self.ancestry.blob(blob)?;
                self.stepper.in_file(self.texts, held, (blob, bytes))?
            }
            None => Step::New(None),
        };
        match step {
            Step::Kept(origin) if origin.is_certain => Ok(Step::Kept(origin)),
            _ => {
                let changed = self.stepper.changed(self.ancestry, commit, parent, held)?;
                self.stepper.in_commit(self.texts, held, changed)
            }
        }
    }

    /// Takes note of what a commit did, and goes on from where things were before it.
    fn take(
        &mut self,
        event: Option<&Event>,
        held: &Held,
        steps: Vec<(CommitId, Step)>,
    ) -> Result<(), Error> {
        let is_merge = steps.len() > 1;
        let mut kept = steps.iter().filter_map(|(parent, step)| match step {
            Step::Kept(origin) => Some((*parent, origin)),
            Step::New(_) => None,
        });
        if let Some((_, first)) = kept.next() {
            if let Some(version) = &first.version {
                let version = Found {
                    is_merge,
                    ..(**version).clone()
                };
                self.push(event, version);
            }
        } else {
            let copied = steps.iter().find_map(|(_, step)| match step {
                Step::New(copied) => copied.clone(),
                Step::Kept(_) => None,
            });
            let mut version = self.stepper.version(self.texts, held, "introduced")?;
            if let Some(from) = copied {
                version.did = vec!["copied"];
                version.was = Some(from);
            }
            for (parent, _) in &steps {
                if self.earlier(*parent, held)? {
                    version.did = vec!["brought back"];
                    break;
                }
            }
            let version = Found {
                is_merge,
                ..version
            };
            self.push(event, version);
            return Ok(());
        }
        for (parent, step) in steps {
            if let Step::Kept(origin) = step {
                let Origin { held, .. } = *origin;
                self.descend(parent, held)?;
            }
        }
        Ok(())
    }

    fn push(&mut self, event: Option<&Event>, version: Found) {
        self.walk.versions.push(Found {
            commit: event.map(|event| (event.commit, event.date)),
            ..version
        });
    }

    /// Looks for an earlier life of a definition: what its path had of its name before a commit in which it is not.
    /// Returns whether there was one.
    fn earlier(&mut self, from: CommitId, held: &Held) -> Result<bool, Error> {
        let mut trail = Trail::to_file(&held.path);
        let mut commit = from;
        let mut entry = self.ancestry.entry(commit, &mut trail)?;
        let mut naming = Naming::of(&held.name, (&held.bytes, &held.span));
        for _ in 0..MAX_SEARCHED {
            let event = match entry {
                Some(_) => self.ancestry.origin(commit, entry, &mut trail).map(Some),
                None => self.ancestry.removal(commit, &mut trail),
            };
            let event = match event {
                Ok(Some(event)) => event,
                Ok(None) => {
                    self.walk.cut(files::far(commit));
                    return Ok(false);
                }
                Err(err) => {
                    self.cut(err)?;
                    return Ok(false);
                }
            };
            for (parent, there) in &event.parents {
                let Some(there) = *there else {
                    continue;
                };
                let blob = BlobId::new(there);
                let bytes = match self.ancestry.blob(blob) {
                    Ok(bytes) => bytes,
                    Err(err) => {
                        self.cut(err)?;
                        return Ok(false);
                    }
                };
                if let Some(before) = self.stepper.of_name(held, (blob, bytes), &mut naming)? {
                    let version = self.stepper.version(self.texts, &before, "removed")?;
                    let (date, parent) = (event.date, *parent);
                    let removal = Waiting::Removal(event, Box::new(version), parent, before);
                    self.walk.wait(date, removal);
                    return Ok(true);
                }
            }
            let Some((parent, there)) = event.parents.first() else {
                return Ok(false);
            };
            (commit, entry) = (*parent, *there);
        }
        Ok(false)
    }
}
