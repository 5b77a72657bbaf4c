//! The files that a commit changed, as far as a definition may come from them: what one step of a comparison reads.

use super::ancestry::Ancestry;
use super::step::{Held, Stepper};
use crate::git::tree::{self, Change as TreeChange, EntryMode};
use crate::git::{Objects, RepoPath};
use crate::id::{BlobId, CommitId, TreeId};
use crate::query::Error;
use crate::query::engine::few::Content;
use crate::view::files::Reading;
use rustc_hash::FxHashSet;

/// Files of one commit that are looked through for where a definition came from, of each side.
const MAX_FILES: usize = 200;
/// Files that a commit added or removed, beyond which only those of the same name are compared.
const MAX_MOVED: usize = 60;

/// One of so many lines of a definition must have been lost by an edited file to which it may have belonged.
const LOST_OF: usize = 4;
/// Bytes of a line from which on it tells something.
const MIN_TELLING: usize = 8;

/// Files before and after.
#[derive(Default)]
pub struct Changed {
    pub(super) old: Vec<Content>,
    pub(super) new: Vec<Content>,
}

impl Stepper<'_> {
    /// The files that a commit changed against a parent, as far as a definition may come from them; of no commit,
    /// those that are not committed. Fails when trees or blobs cannot be read.
    pub fn changed(
        &self,
        ancestry: &mut Ancestry<'_>,
        commit: Option<CommitId>,
        parent: CommitId,
        held: &Held,
    ) -> Result<Changed, Error> {
        let before = ancestry.root(parent)?;
        let all = match commit {
            Some(commit) => {
                let after = ancestry.root(commit)?;
                tree::diff(ancestry.objects(), before, after)?
            }
            None => self.uncommitted_changes(ancestry, before)?,
        };
        let mut changed = Changed {
            new: vec![held.content()],
            ..Changed::default()
        };
        let is_one_sided = |change: &&TreeChange| change.old.is_none() || change.new.is_none();
        let is_crowded = all.iter().filter(is_one_sided).count() > MAX_MOVED;
        let lines = telling_lines(&held.bytes[held.span.start as usize..held.span.end as usize]);
        for change in all {
            if changed.old.len().max(changed.new.len()) >= MAX_FILES {
                break;
            }
            let (old, new) = (readable(&change, change.old), readable(&change, change.new));
            let is_own = change.path == held.path;
            let same_name = change.path.file_name() == held.path.file_name();
            let old = old.map(|blob| self.content(ancestry.objects(), &change.path, blob));
            let old = old.transpose()?.flatten();
            let has_name = old
                .as_ref()
                .is_some_and(|old| memchr::memmem::find(&old.bytes, &held.name).is_some());
            let may_be_moved = !is_crowded || same_name;
            let is_wanted = match (&old, new) {
                _ if is_own => true,
                (Some(old), Some(new)) => {
                    has_name || self.lost(ancestry.objects(), &lines, (old, new))?
                }
                (Some(_), None) => has_name || may_be_moved,
                (None, _) => may_be_moved,
            };
            if !is_wanted {
                continue;
            }
            changed.old.extend(old);
            if let Some(blob) = new.filter(|_| !is_own) {
                let new = self.content(ancestry.objects(), &change.path, blob)?;
                changed.new.extend(new);
            }
        }
        Ok(changed)
    }

    /// Whether a file lost so many of some lines that what they are of may have been in it.
    fn lost(
        &self,
        objects: &mut Objects,
        lines: &FxHashSet<&[u8]>,
        (old, new): (&Content, BlobId),
    ) -> Result<bool, Error> {
        let here = telling_lines(&old.bytes);
        let mut had: Vec<&&[u8]> = lines.intersection(&here).collect();
        let least = lines.len().div_ceil(LOST_OF).max(1);
        if had.len() < least {
            return Ok(false);
        }
        let Some(new) = self.content(objects, &old.path, new)? else {
            return Ok(false);
        };
        let now = telling_lines(&new.bytes);
        had.retain(|line| !now.contains(**line));
        Ok(had.len() >= least)
    }

    fn content(
        &self,
        objects: &mut Objects,
        path: &RepoPath,
        blob: BlobId,
    ) -> Result<Option<Content>, Error> {
        let known = self.uncommitted.iter().find(|file| file.blob == blob);
        let bytes = match known {
            Some(known) => known.bytes.clone(),
            None => {
                let mut bytes = Vec::new();
                objects.blob(blob, &mut bytes)?;
                bytes
            }
        };
        Ok(Some(Content {
            path: path.clone(),
            blob,
            bytes,
        }))
    }

    fn uncommitted_changes(
        &self,
        ancestry: &mut Ancestry<'_>,
        before: TreeId,
    ) -> Result<Vec<TreeChange>, Error> {
        let old = tree::list(ancestry.objects(), before)?;
        let mut out = Vec::new();
        for entry in old {
            let now = self.at_hand.file_at(entry.path.as_bytes());
            let now = now.map(|file| self.at_hand.file(file));
            if now.is_none_or(|now| now.dirty && now.blob != entry.id) {
                out.push(TreeChange {
                    new: now.map(|now| (now.mode, now.blob)),
                    old: Some((entry.mode, entry.id)),
                    path: entry.path,
                });
            }
        }
        let known: FxHashSet<RepoPath> = out.iter().map(|change| change.path.clone()).collect();
        let fresh = self.uncommitted.iter();
        let fresh = fresh.filter(|file| !known.contains(&file.path));
        out.extend(fresh.map(|file| TreeChange {
            path: file.path.clone(),
            old: None,
            new: Some((EntryMode::File, file.blob)),
        }));
        Ok(out)
    }
}

/// The lines of a text that are more than brackets and single words, without their indentation.
fn telling_lines(text: &[u8]) -> FxHashSet<&[u8]> {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| line.len() >= MIN_TELLING).collect()
}

/// A side's blob where it is read as a document.
fn readable(change: &TreeChange, side: Option<(EntryMode, BlobId)>) -> Option<BlobId> {
    let (mode, blob) = side?;
    let reading = Reading::of(&change.path, mode);
    matches!(reading, Reading::Document(_)).then_some(blob)
}
