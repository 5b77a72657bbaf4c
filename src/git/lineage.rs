//! Which commits come before which: history read once into memory and asked any number of times.
//!
//! Of each commit its parents and its date are kept, about 40 bytes. They come from the commit-graph
//! where there is one. What cannot be read, or is cut off in a shallow clone, is remembered where it
//! was met: an answer that depends on it is not known, which is not the same as no.

use super::error::Error;
use super::history::Headers;
use super::keys;
use super::repo::Repo;
use crate::id::{CommitId, TreeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Whether a commit is met on the way back from another one, or is that one, within `most` commits.
/// `false` says nothing.
pub fn is_close_behind(repo: &Repo, commit: CommitId, from: CommitId, most: usize) -> bool {
    let Ok(mut headers) = Headers::new(repo) else {
        return false;
    };
    let mut seen = FxHashSet::default();
    let mut open = VecDeque::from([from]);
    while let Some(id) = open.pop_front() {
        if id == commit {
            return true;
        }
        if seen.insert(id) {
            if seen.len() > most {
                return false;
            }
            open.extend(
                headers
                    .read(id)
                    .into_iter()
                    .flat_map(|(_, parents)| parents),
            );
        }
    }
    false
}

/// Why history ends at a commit that has parents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// The clone is shallow.
    Shallow,
    /// A parent is not in the object store.
    Missing(CommitId),
}

/// A set of commits of one lineage, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marked(Vec<bool>);

impl Marked {
    /// Whether a commit is in the set.
    pub fn has(&self, node: Node) -> bool {
        self.0.get(node.0 as usize).copied().unwrap_or(false)
    }

    /// Puts a commit in; `false` when it was there.
    fn add(&mut self, node: u32) -> bool {
        let at = node as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, false);
        }
        !std::mem::replace(&mut self.0[at], true)
    }

    /// The commits of the set.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        (0u32..)
            .zip(&self.0)
            .filter(|(_, is_in)| **is_in)
            .map(|(at, _)| Node(at))
    }
}

/// A commit of a lineage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(u32);

/// Ways from all commits behind one up to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ways {
    top: Node,
    /// Of each commit the next one on its way.
    next: Vec<Option<u32>>,
}

impl Ways {
    /// The commits from one to the top, each a parent of the next; `None` when it is not behind that.
    pub fn from(&self, node: Node) -> Option<Vec<Node>> {
        let mut way = vec![node];
        let mut at = node;
        while at != self.top {
            at = Node((*self.next.get(at.0 as usize)?)?);
            way.push(at);
        }
        Some(way)
    }
}

/// History behind some tips.
pub struct Lineage {
    headers: Headers,
    numbers: FxHashMap<CommitId, u32>,
    ids: Vec<CommitId>,
    dates: Vec<i64>,
    /// Where the parents of a commit end in `links`; they begin where those of the one before end.
    ends: Vec<u32>,
    links: Vec<CommitId>,
    cuts: Vec<(u32, Cut)>,
    /// What is to be read next, with the commit that leads there.
    open: VecDeque<(CommitId, Option<u32>)>,
}

/// Number of packed objects, where history is read commit by commit for want of a commit-graph; `None`
/// where there is one, or it would not be used.
///
/// Nothing is read but the headers of packs' indexes: how many of the objects are commits is not known.
pub fn objects_without_graph(repo: &Repo) -> Option<u64> {
    let local = repo.local();
    let is_used = repo.config_bool(keys::COMMIT_GRAPH) != Some(false) && !repo.is_shallow();
    let has_graph = matches!(local.commit_graph_if_enabled(), Ok(Some(_)));
    match is_used && !has_graph {
        true => local.objects.packed_object_count().ok(),
        false => None,
    }
}

impl Lineage {
    /// Starts with nothing read. Fails with [`Error::Unsupported`] when the boundary of a shallow clone
    /// cannot be read.
    pub fn new(repo: &Repo) -> Result<Self, Error> {
        Ok(Self {
            headers: Headers::new(repo)?,
            numbers: FxHashMap::default(),
            ids: Vec::new(),
            dates: Vec::new(),
            ends: Vec::new(),
            links: Vec::new(),
            cuts: Vec::new(),
            open: VecDeque::new(),
        })
    }

    /// As [`Lineage::new`], for tips that are here ([`Headers::of_kept`]).
    pub fn of_kept(repo: &Repo) -> Result<Self, Error> {
        Ok(Self {
            headers: Headers::of_kept(repo)?,
            ..Self::new(repo)?
        })
    }

    /// The root tree of a commit. Fails as [`Headers::root`] does.
    pub fn root(&mut self, commit: CommitId) -> Result<TreeId, Error> {
        self.headers.root(commit)
    }

    /// Reads what tips reach and was not read yet. A tip that is not in the object store is left out.
    /// Fails with [`Error::WrongKind`] and [`Error::CorruptObject`].
    pub fn read(&mut self, tips: &[CommitId]) -> Result<(), Error> {
        self.read_until(tips, &FxHashSet::default())
    }

    /// As [`Lineage::read`] of what somebody else says are commits: what is none, or cannot be read, is as what is
    /// not in the object store.
    pub fn read_claimed(&mut self, tips: &[CommitId]) -> Result<(), Error> {
        self.open.extend(tips.iter().map(|tip| (*tip, None)));
        while let Some((id, child)) = self.open.pop_front() {
            match self.take(id, child) {
                Err(Error::WrongKind { .. } | Error::CorruptObject { .. }) => {
                    self.cut_off(id, child)
                }
                other => drop(other?),
            }
        }
        Ok(())
    }

    /// As [`Lineage::read`], until all of some commits were read: what is asked about is often recent.
    /// The next call goes on. With none wanted, everything is read.
    pub fn read_until(
        &mut self,
        tips: &[CommitId],
        wanted: &FxHashSet<CommitId>,
    ) -> Result<(), Error> {
        self.open.extend(tips.iter().map(|tip| (*tip, None)));
        let mut left = wanted.len();
        while let Some((id, child)) = self.open.pop_front() {
            let is_new = self.take(id, child)?;
            if is_new && wanted.contains(&id) {
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Reads one commit that is to be read, and says which come next. `false` when it was read before, or is not in
    /// the object store.
    fn take(&mut self, id: CommitId, child: Option<u32>) -> Result<bool, Error> {
        if self.numbers.contains_key(&id) {
            return Ok(false);
        }
        let (date, parents) = match self.headers.read(id) {
            Ok(found) => found,
            Err(Error::MissingObject { .. }) => {
                self.cut_off(id, child);
                return Ok(false);
            }
            Err(err) => return Err(err),
        };
        let number = self.ids.len() as u32;
        self.numbers.insert(id, number);
        self.ids.push(id);
        self.dates.push(date);
        if self.headers.is_cut_off(id) {
            self.cuts.push((number, Cut::Shallow));
        }
        self.open
            .extend(parents.iter().map(|parent| (*parent, Some(number))));
        self.links.extend(parents);
        self.ends.push(self.links.len() as u32);
        Ok(true)
    }

    /// Takes note that a parent of a commit is not there.
    fn cut_off(&mut self, id: CommitId, child: Option<u32>) {
        self.cuts
            .extend(child.map(|child| (child, Cut::Missing(id))));
    }

    /// Finds a commit among those that were read.
    pub fn find(&self, commit: CommitId) -> Option<Node> {
        self.numbers.get(&commit).copied().map(Node)
    }

    /// Which commit it is.
    pub fn id(&self, node: Node) -> CommitId {
        self.ids[node.0 as usize]
    }

    /// When it was committed, in seconds since 1970.
    pub fn date(&self, node: Node) -> i64 {
        self.dates[node.0 as usize]
    }

    fn parents(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let at = node as usize;
        let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let links = &self.links[begin as usize..self.ends[at] as usize];
        links
            .iter()
            .filter_map(|parent| self.numbers.get(parent).copied())
    }

    /// The commit and all that come before it.
    pub fn ancestors(&self, of: &[Node]) -> Marked {
        let mut marked = Marked(vec![false; self.ids.len()]);
        let mut open: Vec<u32> = of.iter().map(|node| node.0).collect();
        while let Some(node) = open.pop() {
            if marked.add(node) {
                open.extend(self.parents(node));
            }
        }
        marked
    }

    /// The commit and all that come after it, as far as they were read.
    pub fn descendants(&self, of: Node) -> Marked {
        let mut children: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for node in 0..self.ids.len() as u32 {
            for parent in self.parents(node) {
                children.entry(parent).or_default().push(node);
            }
        }
        let mut marked = Marked(vec![false; self.ids.len()]);
        let mut open = vec![of.0];
        while let Some(node) = open.pop() {
            if marked.add(node) {
                open.extend(children.get(&node).into_iter().flatten());
            }
        }
        marked
    }

    /// The shortest ways from all commits behind one up to it.
    pub fn ways(&self, top: Node) -> Ways {
        let mut next = vec![None; self.ids.len()];
        let mut open = VecDeque::from([top.0]);
        while let Some(node) = open.pop_front() {
            for parent in self.parents(node) {
                let at = &mut next[parent as usize];
                if at.is_none() && parent != top.0 {
                    *at = Some(node);
                    open.push_back(parent);
                }
            }
        }
        Ways { top, next }
    }

    /// Where history behind a set of commits was cut off, if it was.
    pub fn cut_in(&self, marked: &Marked) -> Option<Cut> {
        let mut inside = self.cuts.iter().filter(|(at, _)| marked.has(Node(*at)));
        inside.next().map(|(_, cut)| *cut)
    }

    /// The commits of `known` at which the way back from a commit enters it: where a line of work
    /// left what `known` has.
    pub fn entrances(&self, from: Node, known: &Marked) -> Vec<Node> {
        let mut seen = Marked::default();
        let mut open = vec![from.0];
        let mut out = Vec::new();
        while let Some(node) = open.pop() {
            if !seen.add(node) {
                continue;
            }
            match known.has(Node(node)) {
                true => out.push(Node(node)),
                false => open.extend(self.parents(node)),
            }
        }
        out
    }

    /// The best common ancestor of two commits, as `git merge-base` has it: one behind which no other lies, of several
    /// the newest. `None` when they have none, as far as was read.
    pub fn common(&self, a: Node, b: Node) -> Option<Node> {
        let mut all = self.entrances(a, &self.ancestors(&[b]));
        all.sort_unstable_by_key(|node| (Reverse(self.date(*node)), self.id(*node)));
        let is_behind = |node: &Node| {
            let others: Vec<Node> = all.iter().copied().filter(|other| other != node).collect();
            self.ancestors(&others).has(*node)
        };
        match all[..] {
            [] | [_] => all.first().copied(),
            _ => all.iter().copied().find(|node| !is_behind(node)),
        }
    }

    /// The commits of a set that no other of the set has among its parents, of those made until a moment.
    pub fn tops(&self, marked: &Marked, until: i64) -> Vec<Node> {
        let inside = |node: &Node| marked.has(*node) && self.date(*node) <= until;
        let all: Vec<Node> = marked.nodes().filter(inside).collect();
        let mut below = Marked::default();
        for node in &all {
            for parent in self.parents(node.0) {
                below.add(parent);
            }
        }
        all.into_iter().filter(|node| !below.has(*node)).collect()
    }

    /// The commits of a set that are not older than `since`, newest first, at most `limit`.
    pub fn newest(&self, marked: &Marked, since: i64, limit: usize) -> Vec<Node> {
        let mut out: Vec<Node> = marked
            .nodes()
            .filter(|node| self.date(*node) >= since)
            .collect();
        out.sort_unstable_by_key(|node| (Reverse(self.date(*node)), self.id(*node)));
        out.truncate(limit);
        out
    }
}
