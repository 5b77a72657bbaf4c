//! The part of a tree that a sparse checkout in cone mode has in the work tree (git-sparse-checkout(1)): some folders with
//! all that is in them, and on the way to these the files alone.
//!
//! Deliberately absent: patterns of any other form, which git has to match with each path.

use super::path::RepoPath;
use super::repo::Repo;
use super::{Objects, keys, tree};
use crate::git::error::Error;
use crate::git::tree::TreeEntry;
use crate::id::TreeId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::hash::hasher;
use std::collections::BTreeMap;

/// Most bytes of what says which folders are checked out: some fifty thousand of them.
const MOST_BYTES: u64 = 4 << 20;

/// What of some folders is checked out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cone {
    /// By the path of a folder without a final slash, the top's being empty: whether all of it is.
    folders: BTreeMap<BString, bool>,
}

/// The files of a tree in a cone.
#[derive(Debug, PartialEq, Eq)]
pub struct Within {
    /// In path order.
    pub files: Vec<TreeEntry>,
    /// Folders beside and above these that are left out, in path order.
    pub outside: Vec<RepoPath>,
}

impl Cone {
    /// That of a work tree; `None` where all is checked out, and where it is not said by folders.
    pub fn of(repo: &Repo) -> Option<Self> {
        let is_on = |key, usual| repo.config_bool(key).unwrap_or(usual);
        if !is_on(keys::SPARSE_CHECKOUT, false) || !is_on(keys::SPARSE_CHECKOUT_CONE, true) {
            return None;
        }
        let place = repo.git_dir().join("info/sparse-checkout");
        // An unpacked repository may have anything there, such as a pipe or a link to what has no end.
        let found = std::fs::metadata(&place).ok()?;
        if !found.is_file() || found.len() > MOST_BYTES {
            return None;
        }
        Self::read(std::fs::read(place).ok()?.as_bstr())
    }

    /// Reads what git writes for a cone.
    fn read(text: &BStr) -> Option<Self> {
        let mut lines = text
            .lines()
            .filter(|line| !line.is_empty() && line[0] != b'#');
        if (lines.next()?, lines.next()?) != (b"/*", b"!/*/") {
            return None;
        }
        let mut folders = BTreeMap::from([(BString::default(), false)]);
        for line in lines {
            match line.strip_prefix(b"!/") {
                Some(only) => {
                    let path = unescape(only.strip_suffix(b"/*/")?)?;
                    *folders.get_mut(&path)? = false;
                }
                None => {
                    let path = line.strip_prefix(b"/")?.strip_suffix(b"/")?;
                    folders.insert(unescape(path)?, true);
                }
            }
        }
        Some(Self { folders })
    }

    /// The id of the part of a tree that is in it, which no tree has.
    pub fn id_of(&self, tree: TreeId) -> Option<TreeId> {
        let mut hasher = hasher(tree.as_object().kind());
        hasher.update(b"cone\0");
        hasher.update(tree.as_bytes());
        for (path, is_whole) in &self.folders {
            hasher.update(path);
            hasher.update(&[0, u8::from(*is_whole)]);
        }
        hasher.try_finalize().ok().map(TreeId::new)
    }

    /// Lists the part of a tree that is in it. Fails as [`tree::list`] does.
    pub fn list(&self, objects: &mut Objects, root: TreeId) -> Result<Within, Error> {
        let mut outside = Vec::new();
        let files = tree::list_where(objects, root, &mut |dir| {
            let is_in = self.holds(dir);
            if !is_in {
                outside.extend(RepoPath::new(dir).ok());
            }
            is_in
        })?;
        outside.sort();
        Ok(Within { files, outside })
    }

    /// Whether files of a folder are in it.
    fn holds(&self, dir: &BStr) -> bool {
        if self.folders.contains_key(dir) {
            return true;
        }
        let mut slashes = dir.rfind_iter(b"/");
        slashes.any(|at| self.folders.get(dir[..at].as_bstr()) == Some(&true))
    }
}

/// Takes back what git does to characters that mean something in patterns; `None` for patterns.
fn unescape(path: &[u8]) -> Option<BString> {
    let (mut plain, mut rest) = (BString::default(), path.iter());
    while let Some(byte) = rest.next() {
        plain.push(match byte {
            b'\\' => *rest.next()?,
            b'*' | b'?' | b'[' => return None,
            byte => *byte,
        });
    }
    (!plain.is_empty()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONE: &str = "/*\n!/*/\n/apps/\n!/apps/*/\n/apps/one/\n/li\\*b/\n";

    #[test]
    fn what_git_writes_is_read() {
        let cone = Cone::read(CONE.into()).unwrap();
        let holds = |dir: &str| cone.holds(dir.into());
        for inside in ["", "apps", "apps/one", "apps/one/a/b", "li*b", "li*b/x"] {
            assert!(holds(inside), "{inside}");
        }
        for outside in ["app", "apps/two", "apps/on", "apps/oneself", "li", "tools"] {
            assert!(!holds(outside), "{outside}");
        }
    }

    #[test]
    fn other_patterns_are_none() {
        for text in [
            "",
            "/*\n",
            "*.rs\n",
            "/*\n!/*/\n*.rs\n",
            "/*\n!/*/\n/a*/\n",
            "/*\n!/*/\n!/apps/*/\n",
            "/*\n!/*/\n/apps\n",
            "/*\n!/*/\n//\n",
            "/*\n!/*/\n/a\\/\n",
        ] {
            assert_eq!(Cone::read(text.into()), None, "{text:?}");
        }
    }

    #[test]
    fn another_cone_of_a_tree_has_another_id() {
        let tree = TreeId::new(gix::ObjectId::empty_tree(gix::hash::Kind::Sha1));
        let id = |text: &str| Cone::read(text.into()).unwrap().id_of(tree).unwrap();
        let ids = [
            tree,
            id(CONE),
            id("/*\n!/*/\n/apps/\n"),
            id("/*\n!/*/\n/apps/\n!/apps/*/\n"),
        ];
        for (at, one) in ids.iter().enumerate() {
            assert_eq!(ids.iter().position(|other| other == one), Some(at));
        }
    }
}
