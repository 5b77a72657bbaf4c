//! What commits are made of, kept beside the object store: a walk through thousands of them need not inflate each,
//! where git has no commit-graph.
//!
//! A commit never changes, so what is kept is right as long as it is this user's ([`crate::cache`]). It says nothing of
//! whether a commit is still here: it is for walks that begin at one that is, and not for shallow clones, whose boundary
//! moves.

use crate::cache::{Body, Kept};
use gix::ObjectId;
use gix::hash::Kind;
use rustc_hash::FxHashMap;
use std::cmp::{Ordering, Reverse};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Commits kept, the newest: some 70 bytes each.
const MAX_KEPT: usize = 200_000;
/// Commits from which on they are worth a new file.
const MIN_NEW: usize = 256;
/// Name of the file; its number is that of the layout.
const NAME: &str = "commits/1";

/// A commit, as far as walks want to know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Made {
    pub(super) date: i64,
    pub(super) tree: ObjectId,
    pub(super) parents: Vec<ObjectId>,
}

/// Commits in the order of their ids, read in place.
struct Table {
    body: Body,
    width: usize,
    count: usize,
    ids: Range<usize>,
    trees: Range<usize>,
    dates: Range<usize>,
    /// Where the parents of each commit end among all of them.
    ends: Range<usize>,
    parents: Range<usize>,
    /// The oldest date, once there is no room for more.
    full_from: Option<i64>,
}

impl Table {
    fn open(body: Body, hash: Kind) -> Option<Self> {
        let width = hash.len_in_bytes();
        let bytes = body.as_ref();
        let count = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
        let mut at = 4;
        let mut next = |length: usize| {
            let range = at..at + count.saturating_mul(length);
            at = range.end;
            range
        };
        let (ids, trees) = (next(width), next(width));
        let (dates, ends) = (next(8), next(4));
        let parents = at..bytes.len();
        if at > bytes.len() || !parents.len().is_multiple_of(width) {
            return None;
        }
        let mut table = Self {
            body,
            width,
            count,
            ids,
            trees,
            dates,
            ends,
            parents,
            full_from: None,
        };
        table.full_from = (count >= MAX_KEPT)
            .then(|| (0..count).filter_map(|at| table.date(at)).min())
            .flatten();
        Some(table)
    }

    fn part(&self, of: &Range<usize>, at: usize, length: usize) -> Option<&[u8]> {
        let start = of.start + at * length;
        let end = start + length;
        (end <= of.end).then(|| self.body.as_ref().get(start..end))?
    }

    fn id(&self, of: &Range<usize>, at: usize) -> Option<ObjectId> {
        ObjectId::try_from(self.part(of, at, self.width)?).ok()
    }

    fn date(&self, at: usize) -> Option<i64> {
        let raw = self.part(&self.dates, at, 8)?;
        Some(i64::from_le_bytes(raw.try_into().ok()?))
    }

    fn end(&self, at: usize) -> Option<usize> {
        let raw = self.part(&self.ends, at, 4)?;
        Some(u32::from_le_bytes(raw.try_into().ok()?) as usize)
    }

    fn find(&self, id: &ObjectId) -> Option<usize> {
        let ids = self.body.as_ref().get(self.ids.clone())?;
        let wanted = id.as_slice();
        // Walks look up thousands; the first bytes tell ids apart but for one in ages.
        let first = |id: &[u8]| Some(u64::from_be_bytes(*id.first_chunk()?));
        let wanted_first = first(wanted)?;
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let own = ids.get(middle * self.width..(middle + 1) * self.width)?;
            let order = first(own)?.cmp(&wanted_first);
            match order.then_with(|| own.cmp(wanted)) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn made(&self, at: usize) -> Option<Made> {
        let first = match at.checked_sub(1) {
            Some(before) => self.end(before)?,
            None => 0,
        };
        let parents = (first..self.end(at)?).map(|at| self.id(&self.parents, at));
        Some(Made {
            date: self.date(at)?,
            tree: self.id(&self.trees, at)?,
            parents: parents.collect::<Option<_>>()?,
        })
    }
}

/// Writes commits as a table.
fn encode(mut all: Vec<(ObjectId, Made)>) -> Vec<u8> {
    all.sort_unstable_by_key(|(_, made)| Reverse(made.date));
    all.truncate(MAX_KEPT);
    all.sort_unstable_by_key(|(id, _)| *id);
    let mut out = (all.len() as u32).to_le_bytes().to_vec();
    all.iter().for_each(|(id, _)| out.extend(id.as_slice()));
    let trees = all.iter().map(|(_, made)| made.tree);
    trees.for_each(|tree| out.extend(tree.as_slice()));
    let dates = all.iter().map(|(_, made)| made.date);
    dates.for_each(|date| out.extend(date.to_le_bytes()));
    let mut end = 0u32;
    for (_, made) in &all {
        end += made.parents.len() as u32;
        out.extend(end.to_le_bytes());
    }
    let parents = all.iter().flat_map(|(_, made)| &made.parents);
    parents.for_each(|parent| out.extend(parent.as_slice()));
    out
}

/// The kept commits of a repository, read when they are first asked for.
#[derive(Default)]
pub(super) struct KeptCommits {
    /// `None` before the first question.
    table: Mutex<Option<Option<Arc<Table>>>>,
}

impl KeptCommits {
    fn state(&self) -> MutexGuard<'_, Option<Option<Arc<Table>>>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self, kept: &Kept, hash: Kind) -> Option<Arc<Table>> {
        let open = || Table::open(kept.read(NAME)?, hash).map(Arc::new);
        self.state().get_or_insert_with(open).clone()
    }
}

/// Reads kept commits, and keeps those that had to be read otherwise when it is dropped.
pub(super) struct Reader {
    of: Arc<KeptCommits>,
    kept: Kept,
    hash: Kind,
    table: Option<Arc<Table>>,
    /// What the table has not.
    met: FxHashMap<ObjectId, Made>,
}

impl Reader {
    pub(super) fn new(of: &Arc<KeptCommits>, kept: &Kept, hash: Kind) -> Self {
        Self {
            table: of.table(kept, hash),
            of: of.clone(),
            kept: kept.clone(),
            hash,
            met: FxHashMap::default(),
        }
    }

    /// A commit, if it is kept.
    pub(super) fn get(&self, id: &ObjectId) -> Option<Made> {
        let table = self.table.as_ref()?;
        table.made(table.find(id)?)
    }

    /// Takes note of a commit.
    pub(super) fn meet(&mut self, id: ObjectId, made: &Made) {
        let full_from = self.table.as_ref().and_then(|table| table.full_from);
        let is_wanted = full_from.is_none_or(|oldest| made.date > oldest);
        if is_wanted && self.met.len() < MAX_KEPT {
            self.met.insert(id, made.clone());
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if self.met.len() < MIN_NEW {
            return;
        }
        // Another one may have kept the same meanwhile.
        let table = self.of.table(&self.kept, self.hash);
        let known = table.as_ref().map_or(0, |table| table.count);
        let mut all: Vec<(ObjectId, Made)> = self.met.drain().collect();
        if let Some(table) = &table {
            all.retain(|(id, _)| table.find(id).is_none());
        }
        if all.len() < MIN_NEW {
            return;
        }
        let before = table.iter().flat_map(|table| {
            (0..known).filter_map(|at| Some((table.id(&table.ids, at)?, table.made(at)?)))
        });
        all.extend(before);
        // A failure costs time: they are inflated again.
        let _ = self.kept.write(NAME, &encode(all));
        *self.of.state() = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u32) -> ObjectId {
        let mut raw = [0; 20];
        raw[..4].copy_from_slice(&n.to_be_bytes());
        ObjectId::from(raw)
    }

    fn commits(from: u32, to: u32) -> impl Iterator<Item = (ObjectId, Made)> {
        (from..to).map(|n| {
            let made = Made {
                date: i64::from(n) - 100,
                tree: id(1_000_000 + n),
                parents: (1..n % 4).map(|back| id(n.saturating_sub(back))).collect(),
            };
            (id(n * 7), made)
        })
    }

    fn kept(folder: &std::path::Path) -> Kept {
        Kept::new(folder)
    }

    #[test]
    fn what_was_met_is_there_the_next_time() {
        let temp = tempfile::tempdir().unwrap();
        let (kept, of) = (kept(temp.path()), Arc::new(KeptCommits::default()));
        for (from, to) in [(0, 300), (200, 900), (900, 910)] {
            let mut reader = Reader::new(&of, &kept, Kind::Sha1);
            commits(from, to).for_each(|(id, made)| reader.meet(id, &made));
        }
        for of in [of, Arc::new(KeptCommits::default())] {
            let reader = Reader::new(&of, &kept, Kind::Sha1);
            assert!(commits(0, 900).all(|(id, made)| reader.get(&id) == Some(made)));
            assert!(commits(900, 910).all(|(id, _)| reader.get(&id).is_none()));
            assert_eq!(reader.get(&id(1)), None);
        }
    }

    #[test]
    fn bytes_that_do_not_fit_are_no_table() {
        let temp = tempfile::tempdir().unwrap();
        let kept = kept(temp.path());
        let whole = encode(commits(0, 9).collect());
        for cut in 0..whole.len() {
            kept.write(NAME, &whole[..cut]).unwrap();
            let reader = Reader::new(&Arc::default(), &kept, Kind::Sha1);
            let _ = commits(0, 9).filter_map(|(id, _)| reader.get(&id)).count();
        }
    }
}
