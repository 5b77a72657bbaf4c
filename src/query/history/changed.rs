//! The files that a commit changed, as far as a definition may come from them: what one step of a comparison reads.

use super::ancestry::Ancestry;
use super::step::{Held, Stepper};
use super::telling;
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

/// One of so many lines of a definition must be in a file where it may have stood.
const SHARE: usize = 4;
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
        ancestry: &mut Ancestry,
        commit: Option<CommitId>,
        parent: CommitId,
        held: &Held,
    ) -> Result<Changed, Error> {
        let before = ancestry.root(parent)?;
        let all = match commit {
            Some(commit) => {
                let after = ancestry.root(commit)?;
                let all = tree::diff(ancestry.objects(), before, after);
                all.map_err(|err| err.at_one_of(&[(before, parent), (after, commit)]))?
            }
            None => self.uncommitted_changes(ancestry, before)?,
        };
        let mut changed = Changed {
            new: vec![held.content()],
            ..Changed::default()
        };
        let is_one_sided = |change: &&TreeChange| change.old.is_none() || change.new.is_none();
        let is_crowded = all.iter().filter(is_one_sided).count() > MAX_MOVED;
        let is_new = all
            .iter()
            .any(|change| change.path == held.path && change.old.is_none());
        let lines = HeldLines::of(held, is_new);
        let names = [held.name.clone()];
        for change in all {
            if changed.old.len().max(changed.new.len()) >= MAX_FILES {
                break;
            }
            let (old, new) = (readable(&change, change.old), readable(&change, change.new));
            let is_own = change.path == held.path;
            let same_name = change.path.file_name() == held.path.file_name();
            let may_be_moved = !is_crowded || same_name;
            let mut content = |blob: Option<BlobId>| {
                let read = blob.map(|blob| self.content(ancestry.objects(), &change.path, blob));
                read.transpose().map(Option::flatten)
            };
            let old = content(old)?;
            let has_name = |text: &Content| telling::holds(&text.bytes, &names);
            let is_wanted = match (&old, new) {
                _ if is_own => true,
                (Some(old), Some(_)) if has_name(old) => true,
                (Some(old), Some(new)) => lines.lost_by(old, || content(Some(new)))?,
                (Some(old), None) => has_name(old) || may_be_moved && lines.may_be_in(old),
                (None, Some(_)) => may_be_moved,
                (None, None) => false,
            };
            if !is_wanted {
                continue;
            }
            if let Some(new) = content(new.filter(|_| !is_own))?
                && (old.is_some() || has_name(&new) || lines.may_be_in(&new))
            {
                changed.new.push(new);
            }
            changed.old.extend(old);
        }
        Ok(changed)
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
        ancestry: &mut Ancestry,
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

/// What a definition looks like: of a file that has nothing of it nothing need be understood.
struct HeldLines<'a> {
    /// Lines of the definition.
    own: Lines<'a>,
    /// Lines of its file, where that is a new one: it may be the whole of another.
    file: Lines<'a>,
}

impl<'a> HeldLines<'a> {
    fn of(held: &'a Held, is_new: bool) -> Self {
        let span = held.span.start as usize..held.span.end as usize;
        Self {
            own: Lines::of(held.bytes.get(span).unwrap_or_default()),
            file: match is_new {
                true => Lines::of(&held.bytes),
                false => Lines::default(),
            },
        }
    }

    /// Whether a file may have the definition under another name.
    fn may_be_in(&self, text: &Content) -> bool {
        let has = |lines: &Lines<'_>| {
            let both = match lines.count() {
                0 => 0,
                _ => lines.among(&text.bytes).len(),
            };
            both > 0 && both * SHARE >= lines.count()
        };
        self.own.count() == 0 || has(&self.own) || has(&self.file)
    }

    /// Whether an edited file lost enough lines of the definition for it to have been there.
    fn lost_by(
        &self,
        old: &Content,
        new: impl FnOnce() -> Result<Option<Content>, Error>,
    ) -> Result<bool, Error> {
        let mut had = self.own.among(&old.bytes);
        if had.is_empty() || had.len() * SHARE < self.own.count() {
            return Ok(false);
        }
        let Some(new) = new()? else {
            return Ok(false);
        };
        let has = self.own.among(&new.bytes);
        had.retain(|line| !has.contains(line));
        Ok(!had.is_empty() && had.len() * SHARE >= self.own.count())
    }
}

/// The lines of a text that are more than brackets and single words, without their indentation.
#[derive(Default)]
struct Lines<'a> {
    all: FxHashSet<&'a [u8]>,
    /// How long they are, one bit for each length, the longest of them together.
    lengths: [u64; 4],
}

impl<'a> Lines<'a> {
    fn of(text: &'a [u8]) -> Self {
        let mut lines = Self {
            all: telling_lines(text).collect(),
            lengths: [0; 4],
        };
        for line in &lines.all {
            let (word, bit) = length_of(line);
            lines.lengths[word] |= bit;
        }
        lines
    }

    fn count(&self) -> usize {
        self.all.len()
    }

    /// Those that another text has too. Most of its lines are told by their lengths to be none of them.
    fn among(&self, text: &[u8]) -> FxHashSet<&'a [u8]> {
        let mut found = FxHashSet::default();
        for line in telling_lines(text) {
            let (word, bit) = length_of(line);
            if self.lengths[word] & bit != 0
                && let Some(own) = self.all.get(line)
            {
                found.insert(*own);
            }
        }
        found
    }
}

fn length_of(line: &[u8]) -> (usize, u64) {
    let length = line.len().min(255);
    (length / 64, 1 << (length % 64))
}

fn telling_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
    let lines = ends.map(move |end| {
        let line = &text[start..end];
        start = end + 1;
        line.trim_ascii()
    });
    lines.filter(|line| line.len() >= MIN_TELLING)
}

/// A side's blob where it is read as a document.
fn readable(change: &TreeChange, side: Option<(EntryMode, BlobId)>) -> Option<BlobId> {
    let (mode, blob) = side?;
    let reading = Reading::of(&change.path, mode);
    matches!(reading, Reading::Document(_)).then_some(blob)
}
