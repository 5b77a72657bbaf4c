//! History between a cited commit and the state that is asked about: where a file went, and which commit removed
//! something.
//!
//! What was there at one end of a way through history and is not at the other went away between two neighbours on
//! it, which are found by halving: the commit that is named did remove it, also where it came and went several times.
//! At a merge the search goes on in the side that brought the removal. Of a commit that was rewritten in this clone the way
//! begins at what it became.

use super::answer::Removal;
use super::contents::Contents;
use crate::git::lineage::{Lineage, Ways};
use crate::git::mailmap::Mailmap;
use crate::git::rewritten::Rewritten;
use crate::git::tree::{self, EntryMode, Found};
use crate::git::{Error, Objects, Repo, RepoPath, commit};
use crate::id::{BlobId, CommitId, TreeId};
use crate::query::history::commits;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Renamings that a file is followed through, and merges that a removal is followed into.
const MAX_STEPS: usize = 64;
/// Share of two files that both have, from which on one is the other: what git takes.
const MIN_SHARED: f64 = 0.5;
/// Files that one commit added of which the lines are compared.
const MAX_COMPARED: usize = 1000;
/// Bytes of trees and of what they are made from that are kept.
const MAX_BASES: usize = 64 << 20;
/// Ways through history that are kept.
const MAX_WAYS: usize = 64;

/// Why no commit can be named.
const UNCOMMITTED: Removal = Removal::Untold("in the work tree, by nothing that is committed");
const UNRELATED: Removal = Removal::Untold("its commit is no ancestor, and it never came here");
const SHALLOW: Removal = Removal::Untold("this clone is shallow: which commit did it is not known");
const FAR: Removal = Removal::Untold("its file was renamed too often to be followed");
const UNBORN: Removal = Removal::Untold("nothing is committed here");

/// Where a file went.
#[derive(Clone, Debug)]
pub struct Way {
    /// The paths that it had, the cited one first.
    pub names: Vec<RepoPath>,
    /// How it went; `None` when it is there, under the last of its names.
    pub gone: Option<Removal>,
}

/// Files that a commit added.
struct Added {
    files: Vec<(RepoPath, BlobId)>,
    /// The contents of files that it removed: what was added with one of these is the same file.
    removed: FxHashSet<BlobId>,
}

/// History behind the state that is asked about.
pub struct Trail<'a> {
    repo: &'a Repo,
    objects: Objects,
    names: Mailmap,
    lineage: Lineage,
    rewritten: Rewritten,
    tip: Option<CommitId>,
    ways: FxHashMap<CommitId, Option<Rc<Ways>>>,
    starts: FxHashMap<CommitId, Option<CommitId>>,
    roots: FxHashMap<CommitId, TreeId>,
    entries: FxHashMap<(CommitId, RepoPath), Option<BlobId>>,
    added: FxHashMap<(CommitId, CommitId), Rc<Added>>,
    followed: FxHashMap<(CommitId, RepoPath), Rc<Way>>,
}

impl<'a> Trail<'a> {
    /// History behind the commit of the state that is asked about; read when it is needed. People go by `names`. Fails as
    /// [`Lineage::new`] does.
    pub fn new(repo: &'a Repo, tip: Option<CommitId>, names: Mailmap) -> Result<Self, Error> {
        let mut objects = repo.objects();
        // The same trees are looked through again and again.
        objects.keep_bases(MAX_BASES);
        Ok(Self {
            repo,
            objects,
            names,
            lineage: Lineage::of_kept(repo)?,
            rewritten: Rewritten::of(repo),
            tip,
            ways: FxHashMap::default(),
            starts: FxHashMap::default(),
            roots: FxHashMap::default(),
            entries: FxHashMap::default(),
            added: FxHashMap::default(),
            followed: FxHashMap::default(),
        })
    }

    fn root(&mut self, commit: CommitId) -> Result<TreeId, Error> {
        if let Some(root) = self.roots.get(&commit) {
            return Ok(*root);
        }
        let root = self.lineage.root(commit)?;
        self.roots.insert(commit, root);
        Ok(root)
    }

    /// The blob of the file at a path of a commit. Fails when its trees cannot be read.
    pub fn blob(&mut self, commit: CommitId, path: &RepoPath) -> Result<Option<BlobId>, Error> {
        let key = (commit, path.clone());
        if let Some(known) = self.entries.get(&key) {
            return Ok(*known);
        }
        let root = self.root(commit)?;
        let found = match tree::find(&mut self.objects, root, path)? {
            Some(Found::Leaf(mode, blob)) if mode.is_file() => Some(blob),
            _ => None,
        };
        self.entries.insert(key, found);
        Ok(found)
    }

    /// The commits from `base` up to `top`, each a parent of the next; `None` when `base` is not behind it.
    fn line(&mut self, base: CommitId, top: CommitId) -> Result<Option<Vec<CommitId>>, Error> {
        if self.ways.len() > MAX_WAYS {
            self.ways.clear();
        }
        self.lineage.read(&[top])?;
        let node = self.lineage.find(top);
        let ways = self.ways.entry(top);
        let ways = ways.or_insert_with(|| node.map(|top| Rc::new(self.lineage.ways(top))));
        let (Some(ways), Some(base)) = (ways, self.lineage.find(base)) else {
            return Ok(None);
        };
        let line = ways.from(base);
        Ok(line.map(|line| line.into_iter().map(|node| self.lineage.id(node)).collect()))
    }

    /// What became of a commit that is no longer here, of which `hex` are the first digits; what is behind the state that is
    /// asked about before all else. `None` when nobody said so. Fails when history cannot be read.
    pub fn became(&mut self, hex: &str) -> Result<Option<CommitId>, Error> {
        let all: Vec<CommitId> = self.rewritten.became_of(hex).collect();
        self.nearest(&all)
    }

    fn nearest(&mut self, all: &[CommitId]) -> Result<Option<CommitId>, Error> {
        let mut last = None;
        for new in all.iter().copied() {
            if self.objects.contains(new.as_object()) {
                last = Some(new);
                if let Some(tip) = self.tip
                    && self.line(new, tip)?.is_some()
                {
                    break;
                }
            }
        }
        Ok(last)
    }

    /// Where a commit and the state that is asked about last had the same history: the commit itself, when it is an
    /// ancestor, or what it became. `None` when they have none in common.
    fn start(&mut self, from: CommitId, tip: CommitId) -> Result<Option<CommitId>, Error> {
        if let Some(known) = self.starts.get(&from) {
            return Ok(*known);
        }
        let start = match self.line(from, tip)? {
            Some(_) => Some(from),
            None => {
                let became = self.rewritten.became(from);
                match self.nearest(&became)? {
                    Some(new) if self.line(new, tip)?.is_some() => Some(new),
                    _ => self.common(from, tip)?,
                }
            }
        };
        self.starts.insert(from, start);
        Ok(start)
    }

    fn common(&mut self, one: CommitId, other: CommitId) -> Result<Option<CommitId>, Error> {
        self.lineage.read(&[one])?;
        let both = (self.lineage.find(one), self.lineage.find(other));
        let common = match both {
            (Some(one), Some(other)) => self.lineage.common(one, other),
            _ => None,
        };
        Ok(common.map(|node| self.lineage.id(node)))
    }

    /// The commit that removed what `holds` at `base` and not at `top`, with the parent that still has it; `None`
    /// when `base` is not behind `top`.
    fn removal(
        &mut self,
        base: CommitId,
        mut top: CommitId,
        holds: &mut dyn FnMut(&mut Self, CommitId) -> Result<bool, Error>,
    ) -> Result<Option<(CommitId, CommitId)>, Error> {
        let mut found = None;
        for _ in 0..MAX_STEPS {
            let Some(line) = self.line(base, top)?.filter(|line| line.len() > 1) else {
                return Ok(found);
            };
            let (mut there, mut gone) = (0, line.len() - 1);
            while gone - there > 1 {
                let middle = there + (gone - there) / 2;
                match holds(self, line[middle])? {
                    true => there = middle,
                    false => gone = middle,
                }
            }
            let (remover, parent) = (line[gone], line[there]);
            found = Some((remover, parent));
            // A merge takes over what one of its sides removed.
            let parents = commit::links(&mut self.objects, remover)?.1;
            let mut side = None;
            for other in parents.into_iter().filter(|other| *other != parent) {
                if self.line(base, other)?.is_some() && !holds(self, other)? {
                    side = Some(other);
                    break;
                }
            }
            match side {
                Some(side) => top = side,
                None => return Ok(found),
            }
        }
        Ok(found)
    }

    /// Follows a file that a commit has to the state that is asked about, of which `is_here` knows the paths. Fails
    /// when history cannot be read.
    pub fn follow(
        &mut self,
        contents: &mut Contents<'_>,
        from: CommitId,
        path: &RepoPath,
        is_here: &dyn Fn(&RepoPath) -> bool,
    ) -> Result<Rc<Way>, Error> {
        let key = (from, path.clone());
        if let Some(known) = self.followed.get(&key) {
            return Ok(known.clone());
        }
        let mut names = vec![path.clone()];
        let gone = match is_here(path) {
            true => None,
            false => self.follow_anew(contents, from, &mut names, is_here)?,
        };
        let way = Rc::new(Way { names, gone });
        self.followed.insert(key, way.clone());
        Ok(way)
    }

    fn follow_anew(
        &mut self,
        contents: &mut Contents<'_>,
        from: CommitId,
        names: &mut Vec<RepoPath>,
        is_here: &dyn Fn(&RepoPath) -> bool,
    ) -> Result<Option<Removal>, Error> {
        let Some(tip) = self.tip else {
            return Ok(Some(UNBORN));
        };
        let Some(mut base) = self.start(from, tip)? else {
            return Ok(Some(self.unrelated()));
        };
        let mut path = names[0].clone();
        if base != from && self.blob(base, &path)?.is_none() {
            return Ok(Some(UNRELATED));
        }
        for _ in 0..MAX_STEPS {
            if is_here(&path) {
                return Ok(None);
            }
            if self.blob(tip, &path)?.is_some() {
                return Ok(Some(UNCOMMITTED));
            }
            let mut holds = |trail: &mut Self, commit| Ok(trail.blob(commit, &path)?.is_some());
            let Some((remover, parent)) = self.removal(base, tip, &mut holds)? else {
                return Ok(Some(self.unrelated()));
            };
            match self.renamed(contents, (parent, remover), &path)? {
                // A name may come again; history goes on all the same.
                Some(new) => {
                    names.push(new.clone());
                    (base, path) = (remover, new);
                }
                None => return Ok(Some(self.by(remover)?)),
            }
        }
        Ok(Some(FAR))
    }

    /// Why a commit is not behind the state that is asked about.
    fn unrelated(&self) -> Removal {
        match self.repo.is_shallow() {
            true => SHALLOW,
            false => UNRELATED,
        }
    }

    fn by(&mut self, commit: CommitId) -> Result<Removal, Error> {
        Ok(Removal::By(commits::line(
            &mut self.objects,
            commit,
            &self.names,
        )?))
    }

    /// Which commit removed what held at `from`. `names` are the paths that the file had, `holds` says of a blob
    /// whether something is left of it. Fails when history cannot be read.
    pub fn removed(
        &mut self,
        from: CommitId,
        names: &[RepoPath],
        holds: &mut dyn FnMut(BlobId) -> Result<bool, Error>,
    ) -> Result<Removal, Error> {
        let mut holds = |trail: &mut Self, commit: CommitId| {
            for name in names.iter().rev() {
                if let Some(blob) = trail.blob(commit, name)? {
                    return holds(blob);
                }
            }
            Ok(false)
        };
        let Some(tip) = self.tip else {
            return Ok(UNBORN);
        };
        if holds(self, tip)? {
            return Ok(UNCOMMITTED);
        }
        let Some(base) = self.start(from, tip)? else {
            return Ok(self.unrelated());
        };
        if !holds(self, base)? {
            return Ok(UNRELATED);
        }
        match self.removal(base, tip, &mut holds)? {
            Some((remover, _)) => self.by(remover),
            None => Ok(self.unrelated()),
        }
    }

    fn added(&mut self, before: CommitId, after: CommitId) -> Result<Rc<Added>, Error> {
        if let Some(known) = self.added.get(&(before, after)) {
            return Ok(known.clone());
        }
        let (old, new) = (self.root(before)?, self.root(after)?);
        let mut added = Added {
            files: Vec::new(),
            removed: FxHashSet::default(),
        };
        let file = |side: Option<(EntryMode, BlobId)>| side.filter(|(mode, _)| mode.is_file());
        for change in tree::diff(&mut self.objects, old, new)? {
            match (file(change.old), file(change.new)) {
                (None, Some((_, blob))) => added.files.push((change.path, blob)),
                (Some((_, blob)), None) => {
                    added.removed.insert(blob);
                }
                _ => {}
            }
        }
        let added = Rc::new(added);
        self.added.insert((before, after), Rc::clone(&added));
        Ok(added)
    }

    /// What a file is called after a commit that removed its path: the one that it added with the same content, or
    /// else with the most similar lines, of equals that of the most similar path.
    fn renamed(
        &mut self,
        contents: &mut Contents<'_>,
        (before, after): (CommitId, CommitId),
        path: &RepoPath,
    ) -> Result<Option<RepoPath>, Error> {
        let Some(blob) = self.blob(before, path)? else {
            return Ok(None);
        };
        let added = self.added(before, after)?;
        let same = added.files.iter().filter(|(_, other)| *other == blob);
        if let Some((other, _)) = same.max_by_key(|(other, _)| likeness(path, other)) {
            return Ok(Some(other.clone()));
        }
        let mut best: Option<((f64, usize), &RepoPath)> = None;
        let was = contents.line_set(blob)?;
        let others = added.files.iter();
        let others = others.filter(|(_, other)| !added.removed.contains(other));
        for (other, blob) in others.take(MAX_COMPARED) {
            let is = contents.line_set(*blob)?;
            let shared = was.share(&is);
            let score = (shared, likeness(path, other));
            if shared >= MIN_SHARED && best.is_none_or(|(most, _)| score > most) {
                best = Some((score, other));
            }
        }
        Ok(best.map(|(_, path)| path.clone()))
    }
}

/// Parts that two paths have in common at their ends and at their beginnings.
fn likeness(one: &RepoPath, other: &RepoPath) -> usize {
    let equal = |(a, b): &(_, _)| a == b;
    let ends = one.components().rev().zip(other.components().rev());
    let begins = one.components().zip(other.components());
    2 * ends.take_while(equal).count() + begins.take_while(equal).count()
}
