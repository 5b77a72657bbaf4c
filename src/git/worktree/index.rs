//! The git index as it was read: what is tracked, and what a sparse checkout leaves out.

use crate::git::error::Error;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::Entry;
use gix::index::decode::Options;
use gix::index::entry::Flags;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::ops::Deref;

/// The entries of the git index.
pub(super) struct Index {
    file: gix::index::File,
    /// Directories that a sparse index holds as one entry, sorted; everything below is unchanged.
    sparse: Vec<BString>,
}

impl Index {
    /// Reads it. Fails when it is there and cannot be read.
    pub(super) fn read(repo: &gix::Repository) -> Result<Self, Error> {
        let path = repo.index_path();
        let file = match path.exists() {
            false => {
                let state = gix::index::State::new(repo.object_hash());
                gix::index::File::from_state(state, path)
            }
            // As git does, its checksum is not looked into: that takes as long as all else that is done with it.
            true => gix::index::File::at(&path, repo.object_hash(), true, Options::default())
                .map_err(|err| Error::Index {
                    path,
                    reason: err.to_string(),
                })?,
        };
        let sparse = file.entries().iter().filter(|entry| entry.mode.is_sparse());
        let sparse = sparse.map(|entry| entry.path(&file).to_owned()).collect();
        Ok(Self { file, sparse })
    }

    /// Whether a path lies in a directory that a sparse index holds as one entry.
    pub(super) fn is_in_sparse_dir(&self, path: &BStr) -> bool {
        // They are sorted and end in a slash.
        let at = self.sparse.partition_point(|dir| dir.as_bstr() <= path);
        at > 0 && path.starts_with_str(&self.sparse[at - 1])
    }

    /// Returns the entries at exactly this path: none, one, or the sides of a conflict.
    pub(super) fn at(&self, path: &BStr) -> &[Entry] {
        let range = self.entry_range(path);
        range.map_or(&[], |range| &self.entries()[range])
    }

    /// Returns the entries below a directory; all for an empty path.
    pub(super) fn below(&self, dir: &BStr) -> &[Entry] {
        let mut prefix = dir.to_owned();
        if !prefix.is_empty() {
            prefix.push(b'/');
        }
        self.prefixed_entries(prefix.as_bstr()).unwrap_or(&[])
    }

    /// Returns the directories in which tracked files lie, and all above these, the outer ones first.
    pub(super) fn dirs(&self) -> Vec<&BStr> {
        let mut seen = FxHashSet::default();
        let mut all = vec![BStr::new(b"")];
        for entry in self.entries() {
            let path = entry.path(self);
            let (from, mut end) = (all.len(), path.len());
            while let Some(slash) = path[..end].rfind_byte(b'/') {
                let dir = path[..slash].as_bstr();
                if !seen.insert(dir) {
                    break;
                }
                all.push(dir);
                end = slash;
            }
            all[from..].reverse();
        }
        all
    }

    /// Returns the paths of which an older one said something else, whatever they know of times and sizes.
    pub(super) fn changed_since(&self, old: &Self) -> Vec<BString> {
        let mut changed = Vec::new();
        let (mut ours, mut theirs) = (self.entries().iter(), old.entries().iter());
        let (mut new, mut before) = (ours.next(), theirs.next());
        loop {
            let order = match (new, before) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(new), Some(before)) => {
                    let place = (new.path(self), new.stage_raw());
                    place.cmp(&(before.path(old), before.stage_raw()))
                }
            };
            match (order, new, before) {
                (Ordering::Less, Some(entry), _) => changed.push(entry.path(self).to_owned()),
                (Ordering::Greater, _, Some(entry)) => changed.push(entry.path(old).to_owned()),
                (_, Some(new), Some(before)) if said(new) != said(before) => {
                    changed.push(new.path(self).to_owned());
                }
                _ => {}
            }
            if order != Ordering::Greater {
                new = ours.next();
            }
            if order != Ordering::Less {
                before = theirs.next();
            }
        }
        changed.dedup();
        changed
    }

    /// Returns those directories above `changed` paths that a walk treats another way than with an older index:
    /// another repository in one is left out unless something below is tracked, and so is all of one whose tracked
    /// files are left out.
    pub(super) fn other_dirs(&self, old: &Self, changed: &[BString]) -> Vec<BString> {
        let mut seen = FxHashSet::default();
        let slashes = |path: &BStr| -> Vec<usize> { path.find_iter("/").collect() };
        for path in changed {
            for slash in slashes(path.as_ref()) {
                let dir = BStr::new(&path[..slash]);
                if self.walked_as(dir) != old.walked_as(dir) {
                    seen.insert(dir);
                }
            }
        }
        seen.into_iter().map(BStr::to_owned).collect()
    }

    fn walked_as(&self, dir: &BStr) -> Walked {
        let left_out = |entry: &Entry| entry.flags.contains(Flags::SKIP_WORKTREE);
        match self.below(dir) {
            [] => Walked::Untracked,
            entries if entries.iter().all(left_out) => Walked::LeftOut,
            _ => Walked::Tracked,
        }
    }
}

/// What an entry says that an answer may depend on.
fn said(entry: &Entry) -> (gix::ObjectId, u32, Flags) {
    let counts = Flags::SKIP_WORKTREE | Flags::ASSUME_VALID | Flags::INTENT_TO_ADD;
    (entry.id, entry.mode.bits(), entry.flags & counts)
}

/// What a walk takes a directory for.
#[derive(PartialEq, Eq)]
enum Walked {
    Untracked,
    LeftOut,
    Tracked,
}

impl Deref for Index {
    type Target = gix::index::File;

    fn deref(&self) -> &Self::Target {
        &self.file
    }
}
