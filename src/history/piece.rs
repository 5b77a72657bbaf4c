//! Many commits' documents in columns, as they are saved and looked up.
//!
//! Lists of different lengths lie one after the other in one column, and another column says where
//! each ends. A piece that was read from a file is used only if every such end and every number that
//! points somewhere is in range ([`Piece::is_sound`]), so that nothing after that can go wrong.

use super::document::Document;
use super::message::Counts;
use crate::git::RepoPath;
use crate::id::CommitId;
use std::collections::BTreeMap;

/// A commit as it enters a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The commit.
    pub id: CommitId,
    /// Its committer's date, in seconds since 1970.
    pub date: i64,
    /// Its parents.
    pub parents: Vec<CommitId>,
    /// What it says; `None` for a merge, which only says what others did.
    pub document: Option<Document>,
}

/// Lists one after the other.
#[derive(Clone, PartialEq, Eq, Debug, bincode::Encode, bincode::Decode)]
struct Lists<T> {
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn new() -> Self {
        let (ends, items) = (Vec::new(), Vec::new());
        Self { ends, items }
    }

    fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        // 4 GB of terms or paths are more than a window of commits can have; then a list is short.
        self.ends
            .push(u32::try_from(self.items.len()).unwrap_or(u32::MAX));
    }

    fn get(&self, at: usize) -> &[T] {
        let start = match at.checked_sub(1) {
            Some(before) => self.ends[before],
            None => 0,
        };
        &self.items[start as usize..self.ends[at] as usize]
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn is_sound(&self, len: usize) -> bool {
        let last = self.ends.last().map_or(0, |end| *end as usize);
        self.ends.len() == len && self.ends.is_sorted() && last == self.items.len()
    }

    fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|at| self.get(at))
    }
}

impl Lists<u8> {
    fn find(&self, wanted: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle).cmp(wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn is_strictly_sorted(&self) -> bool {
        (1..self.len()).all(|at| self.get(at - 1) < self.get(at))
    }
}

/// Commits with their documents; immutable.
#[derive(Clone, PartialEq, Eq, Debug, bincode::Encode, bincode::Decode)]
pub struct Piece {
    /// Raw ids, sorted.
    ids: Lists<u8>,
    dates: Vec<i64>,
    /// Raw ids of each commit's parents.
    parents: Lists<u8>,
    /// Number of terms, each as often as it counts.
    lengths: Vec<u32>,
    changed: Vec<u32>,
    /// Places in `paths`.
    touched: Lists<u32>,
    /// Places in `paths`, the old path before the new one.
    renames: Lists<u32>,
    paths: Lists<u8>,
    terms: Lists<u8>,
    /// For each term the commits that hold it, in order.
    holders: Lists<u32>,
    /// How often, for each of `holders`.
    counts: Vec<u8>,
}

impl Piece {
    /// Makes a piece. Of several entries of one commit the first counts.
    pub fn of(mut entries: Vec<Entry>) -> Self {
        entries.sort_by_key(|entry| entry.id);
        entries.dedup_by_key(|entry| entry.id);
        let mut piece = Self {
            ids: Lists::new(),
            dates: Vec::with_capacity(entries.len()),
            parents: Lists::new(),
            lengths: Vec::with_capacity(entries.len()),
            changed: Vec::with_capacity(entries.len()),
            touched: Lists::new(),
            renames: Lists::new(),
            paths: Lists::new(),
            terms: Lists::new(),
            holders: Lists::new(),
            counts: Vec::new(),
        };
        let documents = || entries.iter().filter_map(|entry| entry.document.as_ref());
        let mut paths: BTreeMap<&[u8], u32> = BTreeMap::new();
        for document in documents() {
            let renamed = document.renames.iter().flat_map(|(old, new)| [old, new]);
            for path in document.touched.iter().chain(renamed) {
                paths.insert(path.as_bytes(), 0);
            }
        }
        for ((path, place), next) in paths.iter_mut().zip(0..) {
            *place = next;
            piece.paths.push(path.iter().copied());
        }
        let none = Document::default();
        let mut terms: BTreeMap<&[u8], Vec<(u32, u8)>> = BTreeMap::new();
        for (entry, at) in entries.iter().zip(0..) {
            let document = entry.document.as_ref().unwrap_or(&none);
            piece.ids.push(entry.id.as_bytes().iter().copied());
            piece.dates.push(entry.date);
            let raw = entry.parents.iter().flat_map(|id| id.as_bytes());
            piece.parents.push(raw.copied());
            let length = document.terms.values().map(|n| u32::from(*n)).sum();
            piece.lengths.push(length);
            piece.changed.push(document.changed);
            let place = |path: &RepoPath| paths[path.as_bytes()];
            piece.touched.push(document.touched.iter().map(place));
            let moves = document.renames.iter();
            let moves = moves.flat_map(|(old, new)| [place(old), place(new)]);
            piece.renames.push(moves);
            for (term, count) in &document.terms {
                terms.entry(term).or_default().push((at, *count));
            }
        }
        for (term, holders) in terms {
            piece.terms.push(term.iter().copied());
            piece.holders.push(holders.iter().map(|(at, _)| *at));
            piece.counts.extend(holders.iter().map(|(_, count)| *count));
        }
        piece
    }

    /// Gives the entries back, to make another piece of them.
    pub fn entries(&self) -> Vec<Entry> {
        let mut terms = vec![Counts::new(); self.len()];
        for at in 0..self.terms.len() {
            for (holder, count) in self.holders_at(at) {
                terms[holder as usize].insert(self.terms.get(at).to_vec(), count);
            }
        }
        let path = |place: u32| RepoPath::new(self.path(place)).ok();
        let entries = terms.into_iter().enumerate().filter_map(|(at, terms)| {
            let parents = self.parents(at as u32);
            let moves = self.renames.get(at).chunks_exact(2);
            let document = (parents.len() < 2).then(|| Document {
                terms,
                changed: self.changed[at],
                touched: self
                    .touched
                    .get(at)
                    .iter()
                    .filter_map(|p| path(*p))
                    .collect(),
                renames: moves
                    .filter_map(|pair| Some((path(pair[0])?, path(pair[1])?)))
                    .collect(),
            });
            Some(Entry {
                id: CommitId::from_bytes(self.ids.get(at))?,
                date: self.dates[at],
                parents,
                document,
            })
        });
        entries.collect()
    }

    /// Number of commits.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no commit.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place of a commit.
    pub fn find(&self, commit: CommitId) -> Option<u32> {
        self.ids.find(commit.as_bytes()).map(|at| at as u32)
    }

    /// The date of the commit at a place.
    pub fn date(&self, at: u32) -> i64 {
        self.dates[at as usize]
    }

    /// The parents of the commit at a place.
    pub fn parents(&self, at: u32) -> Vec<CommitId> {
        let length = self.ids.get(at as usize).len();
        let raw = self.parents.get(at as usize).chunks_exact(length.max(1));
        raw.filter_map(CommitId::from_bytes).collect()
    }

    /// Number of terms of the commit at a place, each as often as it counts.
    pub fn length(&self, at: u32) -> u32 {
        self.lengths[at as usize]
    }

    /// Number of files that the commit at a place changed.
    pub fn changed(&self, at: u32) -> u32 {
        self.changed[at as usize]
    }

    /// The paths that the commit at a place left changed.
    pub fn touched(&self, at: u32) -> impl Iterator<Item = &[u8]> {
        let places = self.touched.get(at as usize).iter();
        places.map(|place| self.path(*place))
    }

    /// Old and new paths of what the commit at a place moved.
    pub fn renames(&self, at: u32) -> impl Iterator<Item = (&[u8], &[u8])> {
        let pairs = self.renames.get(at as usize).chunks_exact(2);
        pairs.map(|pair| (self.path(pair[0]), self.path(pair[1])))
    }

    /// Places of the commits that hold a term, in order, with how often it counts.
    pub fn holders(&self, term: &[u8]) -> impl Iterator<Item = (u32, u8)> {
        let at = self.terms.find(term);
        at.into_iter().flat_map(|at| self.holders_at(at))
    }

    fn holders_at(&self, at: usize) -> impl Iterator<Item = (u32, u8)> {
        let end = self.holders.ends[at] as usize;
        let start = end - self.holders.get(at).len();
        let counts = self.counts[start..end].iter();
        self.holders.get(at).iter().copied().zip(counts.copied())
    }

    fn path(&self, place: u32) -> &[u8] {
        self.paths.get(place as usize)
    }

    /// Whether all that the other methods rely on holds.
    pub fn is_sound(&self) -> bool {
        let len = self.len();
        let lists = self.ids.is_sound(len)
            && self.parents.is_sound(len)
            && self.touched.is_sound(len)
            && self.renames.is_sound(len)
            && self.paths.is_sound(self.paths.len())
            && self.terms.is_sound(self.terms.len())
            && self.holders.is_sound(self.terms.len());
        // Only now can the lists be read.
        lists
            && [self.dates.len(), self.lengths.len(), self.changed.len()] == [len; 3]
            && self.counts.len() == self.holders.items.len()
            && self.ids.is_strictly_sorted()
            && self.ids.iter().all(|id| CommitId::from_bytes(id).is_some())
            && self.terms.is_strictly_sorted()
            && self
                .holders
                .iter()
                .all(|list| list.is_sorted_by(|a, b| a < b))
            && self.holders.items.iter().all(|at| (*at as usize) < len)
            && [&self.touched.items, &self.renames.items]
                .iter()
                .all(|places| places.iter().all(|p| (*p as usize) < self.paths.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn entry(n: u8, parents: &[u8], subject: &str, paths: &[&str]) -> Entry {
        let id = |n: &u8| CommitId::from_bytes(&[*n; 20]).unwrap();
        let path = |path: &&str| RepoPath::new(*path).unwrap();
        let moved = |path: &&str| (RepoPath::new(format!("old/{path}")).unwrap(), path_of(path));
        fn path_of(path: &str) -> RepoPath {
            RepoPath::new(path).unwrap()
        }
        Entry {
            id: id(&n),
            date: 1000 + i64::from(n),
            parents: parents.iter().map(id).collect(),
            document: (parents.len() < 2).then(|| Document {
                terms: super::super::message::terms(subject.as_bytes()),
                changed: paths.len() as u32,
                touched: paths.iter().map(path).collect(),
                renames: paths.iter().take(1).map(moved).collect(),
            }),
        }
    }

    fn entries() -> Vec<Entry> {
        vec![
            entry(1, &[], "add parser", &["a.rs", "src/b.rs"]),
            entry(2, &[1], "mend parser", &["src/b.rs"]),
            entry(3, &[1], "", &[]),
            entry(4, &[2, 3], "merge", &[]),
        ]
    }

    #[test]
    fn what_went_in_comes_out() {
        let mut shuffled = entries();
        shuffled.reverse();
        shuffled.push(entry(2, &[1], "a copy", &["c"]));
        let piece = Piece::of(shuffled);
        assert!(piece.is_sound());
        assert_eq!(piece.entries(), entries());
        assert_eq!(Piece::of(piece.entries()), piece);
        assert_eq!(
            piece.holders(b"parser").collect::<Vec<_>>(),
            [(0, 3), (1, 3)]
        );
        assert_eq!(piece.holders(b"merge").count(), 0);
        assert_eq!(piece.touched(1).collect::<Vec<_>>(), [b"src/b.rs"]);
        assert_eq!(
            piece.renames(0).next().unwrap(),
            (&b"old/a.rs"[..], &b"a.rs"[..])
        );
        assert!(Piece::of(Vec::new()).is_sound());
    }

    #[test]
    fn numbers_out_of_range_are_noticed() {
        let sound = Piece::of(entries());
        let spoil: [fn(&mut Piece); 8] = [
            |p| p.ids.ends[1] = 90,
            |p| p.dates.truncate(1),
            |p| p.touched.items[0] = 99,
            |p| p.renames.items[0] = 99,
            |p| p.holders.items[0] = 4,
            |p| p.counts.truncate(1),
            |p| p.paths.ends.swap(0, 1),
            |p| p.terms.items[0] = b'z',
        ];
        for (at, spoil) in spoil.iter().enumerate() {
            let mut piece = sound.clone();
            spoil(&mut piece);
            assert!(!piece.is_sound(), "{at}");
        }
    }
}
