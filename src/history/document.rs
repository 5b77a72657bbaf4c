//! What is recorded of one commit.

use super::message::{self, Counts};
use super::piece::is_recordable;
use crate::git::commit::Commit;
use crate::git::tree::{self, Change, EntryMode};
use crate::git::{Error, Objects, RepoPath, commit};
use crate::id::{BlobId, TreeId};
use gix::ObjectId;
use std::collections::BTreeMap;

/// Raised when other things are recorded of a commit.
pub const DOCUMENT_VERSION: u8 = 3;
/// Raised when a message is divided into other terms.
pub const TERMS_VERSION: u32 = 1;
/// Most paths recorded of a commit; of one that changed more only its renames are. A walk back along a file reads the
/// trees of those: prisma has two of 7,983 commits, and had 194 with a bound of 64.
pub const MAX_TOUCHED: usize = 1024;
/// Most files that a commit changes which is about each of them; one that changed more is about no file in particular.
pub const MAX_ABOUT: u32 = 64;
/// Number of files changed that is recorded of a merge that changed more than [`MAX_TOUCHED`].
pub const MANY: u32 = MAX_TOUCHED as u32 + 1;
/// Most renames recorded of a commit: enough for a folder that moves with all that is in it.
const MAX_RENAMES: usize = 1 << 14;

/// What is recorded of one commit: a pure function of its message, its tree and its first parent's. Of a merge only what
/// differs is, by path: the words and the moves are those of the commits that it brings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// The terms of the message.
    pub terms: Counts,
    /// Number of files that were added, changed, removed or renamed; of a merge no more than [`MANY`].
    pub changed: u32,
    /// The paths that it leaves changed, in order; none if `changed` is over [`MAX_TOUCHED`]. Paths
    /// of more than 1,024 bytes are left out.
    pub touched: Vec<RepoPath>,
    /// The paths where its first parent has a file and it has none, as [`Document::touched`].
    pub gone: Vec<RepoPath>,
    /// Old and new paths of files that it moved, ordered by the new path.
    pub renames: Vec<(RepoPath, RepoPath)>,
}

impl Document {
    /// Reads what is recorded of a commit. Fails as [`tree::diff`] of this commit and its first parent
    /// does.
    pub fn of(objects: &mut Objects, commit: &Commit) -> Result<Self, Error> {
        let old = match commit.parent {
            Some(parent) => commit::read(objects, parent)?.tree,
            None => TreeId::new(ObjectId::empty_tree(objects.hash())),
        };
        let mut changes = tree::diff(objects, old, commit.tree)?;
        changes.retain(|change| file(change.old).is_some() || file(change.new).is_some());
        let empty = BlobId::new(ObjectId::empty_blob(objects.hash()));
        let mut renames = renames(&changes, empty);
        let changed = changes.len() - renames.len();
        let (touched, gone) = match changed <= MAX_TOUCHED {
            true => left(changes),
            false => Default::default(),
        };
        renames.retain(|(old, new)| is_recordable(old) && is_recordable(new));
        renames.truncate(MAX_RENAMES);
        Ok(Self {
            terms: message::terms(&commit.message),
            changed: u32::try_from(changed).unwrap_or(u32::MAX),
            touched,
            gone,
            renames,
        })
    }

    /// Reads what is recorded of a merge. No more is read than it takes to know that it changed very much. Fails as
    /// [`Document::of`] does.
    pub fn of_merge(objects: &mut Objects, commit: &Commit) -> Result<Self, Error> {
        let Some(parent) = commit.parent else {
            return Ok(Self::default());
        };
        let old = commit::read(objects, parent)?.tree;
        let Some(mut changes) = tree::diff_within(objects, old, commit.tree, MAX_TOUCHED)? else {
            return Ok(Self {
                changed: MANY,
                ..Self::default()
            });
        };
        changes.retain(|change| file(change.old).is_some() || file(change.new).is_some());
        let changed = changes.len() as u32;
        let (touched, gone) = left(changes);
        Ok(Self {
            changed,
            touched,
            gone,
            ..Self::default()
        })
    }
}

/// The paths that changes leave with a file, and those that they leave without one.
fn left(changes: Vec<Change>) -> (Vec<RepoPath>, Vec<RepoPath>) {
    let (mut touched, mut gone) = (Vec::new(), Vec::new());
    for change in changes.into_iter().filter(|c| is_recordable(&c.path)) {
        match file(change.new) {
            Some(_) => touched.push(change.path),
            None => gone.push(change.path),
        }
    }
    (touched, gone)
}

fn file(side: Option<(EntryMode, BlobId)>) -> Option<BlobId> {
    side.filter(|(mode, _)| mode.is_file())
        .map(|(_, blob)| blob)
}

/// Finds what moved, from the trees alone, so that a clone without the contents finds the same: a
/// file that is gone and one that appeared with its content, or else with its name, if each is the
/// only one of that name. Of several with one content the one that kept its name goes first.
fn renames(changes: &[Change], empty: BlobId) -> Vec<(RepoPath, RepoPath)> {
    let mut gone: Vec<Option<(&RepoPath, BlobId)>> = Vec::new();
    let mut new: Vec<(&RepoPath, BlobId)> = Vec::new();
    for change in changes {
        match (file(change.old), file(change.new)) {
            (Some(blob), None) if change.new.is_none() => gone.push(Some((&change.path, blob))),
            (None, Some(blob)) if change.old.is_none() => new.push((&change.path, blob)),
            _ => {}
        }
    }
    if gone.is_empty() || new.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut by_content: BTreeMap<BlobId, Vec<usize>> = BTreeMap::new();
    for (at, entry) in gone.iter().enumerate().rev() {
        if let Some((_, blob)) = entry.filter(|(_, blob)| *blob != empty) {
            by_content.entry(blob).or_default().push(at);
        }
    }
    for keeps_name in [true, false] {
        new.retain(|(path, blob)| {
            let Some(candidates) = by_content.get_mut(blob) else {
                return true;
            };
            let fits = |at: &usize| {
                let name = |(old, _): (&RepoPath, _)| old.file_name() == path.file_name();
                !keeps_name || gone[*at].is_some_and(name)
            };
            // The last is the first in path order. A hostile tree may repeat one content for ever.
            let Some(place) = candidates.iter().rev().take(64).position(fits) else {
                return true;
            };
            let at = candidates.remove(candidates.len() - 1 - place);
            let old = gone[at].take();
            found.extend(old.map(|(old, _)| (old.clone(), (*path).clone())));
            false
        });
    }
    let mut names: BTreeMap<&[u8], (Vec<&RepoPath>, Vec<&RepoPath>)> = BTreeMap::new();
    for (path, _) in gone.iter().flatten() {
        names.entry(path.file_name()).or_default().0.push(path);
    }
    for (path, _) in &new {
        names.entry(path.file_name()).or_default().1.push(path);
    }
    for pair in names.into_values() {
        if let ([old], [new]) = (&*pair.0, &*pair.1) {
            found.push(((*old).clone(), (*new).clone()));
        }
    }
    found.sort_unstable_by(|a, b| a.1.cmp(&b.1));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(n: u8) -> BlobId {
        BlobId::from_bytes(&[n; 20]).unwrap()
    }

    fn changes(entries: &[(&str, u8, u8)]) -> Vec<Change> {
        let side = |n: u8| (n > 0).then(|| (EntryMode::File, blob(n)));
        let change = |(path, old, new): &(&str, u8, u8)| Change {
            path: RepoPath::new(*path).unwrap(),
            old: side(*old),
            new: side(*new),
        };
        entries.iter().map(change).collect()
    }

    fn moved(entries: &[(&str, u8, u8)]) -> Vec<String> {
        let found = renames(&changes(entries), blob(9));
        let shown = |(old, new): &(RepoPath, RepoPath)| format!("{old} > {new}");
        found.iter().map(shown).collect()
    }

    #[test]
    fn a_file_moves_with_its_content_or_with_its_name() {
        let entries = [
            ("a/x.rs", 1, 0),
            ("a/y.rs", 2, 0),
            ("b/x.rs", 0, 3),
            ("b/z.rs", 0, 2),
        ];
        assert_eq!(moved(&entries), ["a/x.rs > b/x.rs", "a/y.rs > b/z.rs"]);
        // A change in place is none, an empty file is like any other.
        assert!(moved(&[("a", 1, 2), ("b", 9, 0), ("c", 0, 9)]).is_empty());
    }

    #[test]
    fn of_several_candidates_the_name_decides_or_nobody() {
        let same = [
            ("a/m.rs", 1, 0),
            ("a/n.rs", 1, 0),
            ("b/m.rs", 0, 1),
            ("b/o.rs", 0, 1),
        ];
        assert_eq!(moved(&same), ["a/m.rs > b/m.rs", "a/n.rs > b/o.rs"]);
        let unclear = [("a/i.ts", 1, 0), ("b/i.ts", 2, 0), ("c/i.ts", 0, 3)];
        assert!(moved(&unclear).is_empty());
    }
}
