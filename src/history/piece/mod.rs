//! Many commits' documents as bytes that are read in place; `format-spec/45-log.md` is the normative
//! description.
//!
//! Guarantees: equal sets of commits give equal bytes. After [`Piece::open`] no accessor fails or
//! panics, whatever the bytes: what points nowhere reads as empty. [`Piece::verify`] accepts exactly the
//! bytes that [`Piece::of`] would write.

mod decode;
mod encode;
#[cfg(test)]
mod golden;
#[cfg(test)]
pub(crate) mod tests;

use super::document::{DOCUMENT_VERSION, Document, MAX_ABOUT, TERMS_VERSION};
use crate::git::RepoPath;
use crate::id::CommitId;
use crate::limits::{MAX_SEGMENT_BYTES, SEGMENT_SOURCE_BYTES};
use crate::segment::column::Column;
use crate::segment::container::Walk;
use crate::segment::dict::Dict;
use crate::segment::format::hash_kind;
use crate::segment::lists::{Lists, rising};
use crate::segment::varint::Cursor;
use gix::hash::Kind;
use std::cmp::Ordering;
use std::ops::Range;
use xxhash_rust::xxh3::Xxh3Default;

/// First bytes of every piece.
const MAGIC: [u8; 8] = *b"\x89svlog\r\n";
/// Version of the layout.
const LAYOUT: u16 = 2;
/// Bytes of the header.
const HEADER_BYTES: usize = 32;
/// Where the header's checksum begins; it covers all other bytes.
const CHECKSUM_AT: usize = 24;

/// A commit as it enters a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The commit.
    pub id: CommitId,
    /// Its committer's date, in seconds since 1970.
    pub date: i64,
    /// Its parents.
    pub parents: Vec<CommitId>,
    /// What it says.
    pub document: Document,
}

/// A parent of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parent {
    /// The commit at a place of the same piece.
    Here(u32),
    /// Another one.
    Elsewhere(CommitId),
}

/// Commits with their documents; immutable.
pub struct Piece {
    bytes: Vec<u8>,
    hash: Kind,
    count: u32,
    /// Raw ids of the commits, in order.
    ids: Range<usize>,
    /// Raw ids of parents that are not in the piece, in order.
    elsewhere: Range<usize>,
    dates: Column,
    parents: Lists,
    changed: Column,
    lengths: Column,
    paths: Dict,
    touched: Lists,
    gone: Lists,
    renames: Lists,
    terms: Dict,
    holders: Lists,
}

/// Why bytes are no piece, as the end of a sentence about them.
pub type Flaw = &'static str;

impl Piece {
    /// Makes a piece. Of several entries of one commit the first counts. Every id is of this hash.
    pub fn of(hash: Kind, entries: Vec<Entry>) -> Self {
        let bytes = encode::encode(hash, entries);
        Self::parse(bytes).expect("what was just written can be read")
    }

    /// Reads and checks the header, and finds out where everything lies. Fails for bytes that are
    /// damaged, or of another version or hash.
    pub fn open(bytes: Vec<u8>, hash: Kind) -> Result<Self, Flaw> {
        if bytes.len() > MAX_SEGMENT_BYTES {
            return Err("it is over the limit");
        }
        let stated = bytes.get(CHECKSUM_AT..HEADER_BYTES).ok_or(SHORT)?;
        if !bytes.starts_with(&MAGIC) {
            return Err("it is no piece of the log");
        }
        if stated != checksum(&bytes).to_le_bytes() {
            return Err("its checksum differs");
        }
        let piece = Self::parse(bytes)?;
        match piece.hash == hash {
            true => Ok(piece),
            false => Err("it is of another hash"),
        }
    }

    fn parse(bytes: Vec<u8>) -> Result<Self, Flaw> {
        let unfit = |_| "its parts do not fit";
        let mut walk = Walk::new(&bytes, MAGIC.len()..bytes.len());
        if walk.u16().map_err(unfit)? != LAYOUT {
            return Err("it is of another layout");
        }
        let hash = walk.byte().map_err(unfit)?;
        let hash = hash_kind(hash).ok_or("its hash is unknown")?;
        let made_by = (walk.byte().map_err(unfit)?, walk.u32().map_err(unfit)?);
        if made_by != (DOCUMENT_VERSION, TERMS_VERSION) {
            return Err("its documents are of another version");
        }
        if walk.u64().map_err(unfit)? != bytes.len() as u64 {
            return Err(SHORT);
        }
        walk.u64().map_err(unfit)?;
        let count = walk.u32().map_err(unfit)?;
        let strangers = walk.u32().map_err(unfit)?;
        let raw = |n: u32| (n as usize).saturating_mul(hash.len_in_bytes());
        let ids = walk.skip(raw(count)).map_err(unfit)?;
        let elsewhere = walk.skip(raw(strangers)).map_err(unfit)?;
        let commits = count as usize;
        let dates = Column::parse(&mut walk, commits).map_err(unfit)?;
        let parents = Lists::parse(&mut walk, count).map_err(unfit)?;
        let changed = Column::parse(&mut walk, commits).map_err(unfit)?;
        let lengths = Column::parse(&mut walk, commits).map_err(unfit)?;
        let paths = Dict::parse(&mut walk).map_err(unfit)?;
        let touched = Lists::parse(&mut walk, count).map_err(unfit)?;
        let gone = Lists::parse(&mut walk, count).map_err(unfit)?;
        let renames = Lists::parse(&mut walk, count).map_err(unfit)?;
        let terms = Dict::parse(&mut walk).map_err(unfit)?;
        let holders = Lists::parse(&mut walk, terms.len()).map_err(unfit)?;
        walk.finish().map_err(unfit)?;
        Ok(Self {
            bytes,
            hash,
            count,
            ids,
            elsewhere,
            dates,
            parents,
            changed,
            lengths,
            paths,
            touched,
            gone,
            renames,
            terms,
            holders,
        })
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of commits.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there is no commit.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn raw(&self, of: &Range<usize>, at: u32) -> Option<&[u8]> {
        let width = self.hash.len_in_bytes();
        let start = of.start + at as usize * width;
        let range = start..start + width;
        (range.end <= of.end)
            .then(|| self.bytes.get(range))
            .flatten()
    }

    /// The commit at a place.
    pub fn id(&self, at: u32) -> Option<CommitId> {
        CommitId::from_bytes(self.raw(&self.ids, at)?)
    }

    /// The commits, in order.
    pub fn ids(&self) -> impl Iterator<Item = CommitId> {
        (0..self.count).filter_map(|at| self.id(at))
    }

    /// The place of a commit.
    pub fn find(&self, commit: CommitId) -> Option<u32> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.raw(&self.ids, middle)?.cmp(commit.as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The date of the commit at a place.
    pub fn date(&self, at: u32) -> i64 {
        self.dates.get(&self.bytes, at as usize).cast_signed()
    }

    /// The parents of the commit at a place.
    pub fn parents(&self, at: u32) -> impl Iterator<Item = Parent> {
        let mut numbers = self.parents.get(&self.bytes, at);
        std::iter::from_fn(move || numbers.u32()).filter_map(|n| match n.checked_sub(self.count) {
            None => Some(Parent::Here(n)),
            Some(n) => {
                let raw = self.raw(&self.elsewhere, n)?;
                CommitId::from_bytes(raw).map(Parent::Elsewhere)
            }
        })
    }

    /// The ids of the parents of the commit at a place.
    pub fn parent_ids(&self, at: u32) -> Vec<CommitId> {
        self.parents(at)
            .filter_map(|parent| match parent {
                Parent::Here(at) => self.id(at),
                Parent::Elsewhere(id) => Some(id),
            })
            .collect()
    }

    /// Number of terms of the commit at a place, each as often as it counts.
    pub fn length(&self, at: u32) -> u32 {
        self.lengths.get32(&self.bytes, at as usize)
    }

    /// Number of files that the commit at a place changed; of a merge no more than [`super::document::MANY`].
    pub fn changed(&self, at: u32) -> u32 {
        self.changed.get32(&self.bytes, at as usize)
    }

    /// Places of the paths that the commit at a place left changed, in order.
    pub fn touched(&self, at: u32) -> impl Iterator<Item = u32> {
        rising(self.touched.get(&self.bytes, at), self.paths.len())
    }

    /// Places of the paths where the commit at a place has no file any more, in order.
    pub fn gone(&self, at: u32) -> impl Iterator<Item = u32> {
        rising(self.gone.get(&self.bytes, at), self.paths.len())
    }

    /// The same of a commit that is about the files that it changed, a few of them at most; of another none.
    pub fn about(&self, at: u32) -> impl Iterator<Item = u32> {
        self.few_of(self.touched.get(&self.bytes, at), at)
    }

    /// For each commit, in order, what [`Piece::about`] says.
    pub fn all_about(&self) -> impl Iterator<Item = impl Iterator<Item = u32>> {
        let lists = self.touched.iter(&self.bytes).zip(0..);
        lists.map(|(list, at)| self.few_of(list, at))
    }

    fn few_of<'p>(&'p self, list: Cursor<'p>, at: u32) -> impl Iterator<Item = u32> + use<'p> {
        let few = match self.changed(at) <= MAX_ABOUT {
            true => MAX_ABOUT as usize,
            false => 0,
        };
        rising(list, self.paths.len()).take(few)
    }

    /// Places of the old and new paths of what the commit at a place moved.
    pub fn renames(&self, at: u32) -> impl Iterator<Item = (u32, u32)> {
        pairs(self.renames.get(&self.bytes, at))
    }

    /// The places of commits that moved something, in order.
    pub fn movers(&self) -> impl Iterator<Item = u32> {
        let lists = self.renames.iter(&self.bytes).zip(0..);
        lists.filter_map(|(list, at)| (!list.is_empty()).then_some(at))
    }

    /// Number of paths.
    pub fn paths(&self) -> u32 {
        self.paths.len()
    }

    /// A path by its place; empty when there is none.
    pub fn path(&self, place: u32) -> Vec<u8> {
        let mut path = Vec::new();
        self.paths.get(&self.bytes, place, &mut path);
        path
    }

    /// All paths in order of their places, no more than [`MAX_PLACES`]; for who needs many of them.
    pub fn all_paths(&self) -> Vec<Vec<u8>> {
        let most = (self.paths.len() as usize).min(MAX_PLACES);
        let mut out = Vec::with_capacity(most);
        let mut dict = self.paths.cursor(&self.bytes, 0);
        while out.len() < most
            && let Some((_, path)) = dict.advance()
        {
            out.push(path.to_vec());
        }
        out
    }

    /// The place of a path.
    pub fn find_path(&self, path: &[u8]) -> Option<u32> {
        self.paths.find(&self.bytes, path)
    }

    /// Places of the commits that hold a term, in order, with how often it counts.
    pub fn holders(&self, term: &[u8]) -> impl Iterator<Item = (u32, u8)> {
        let list = self.terms.find(&self.bytes, term);
        let list = list.map(|at| self.holders.get(&self.bytes, at));
        counted(list.unwrap_or_default(), self.count)
    }

    /// How much the commit at a place counts towards the size of a piece.
    pub fn weight(&self, at: u32) -> u64 {
        weight_of(self.length(at), self.places(at))
    }

    /// How often the commit at a place names a path.
    fn places(&self, at: u32) -> u64 {
        let numbers = |mut list: Cursor<'_>| std::iter::from_fn(move || list.u32()).count() as u64;
        let lists = [&self.touched, &self.gone, &self.renames];
        let lists = lists.map(|lists| numbers(lists.get(&self.bytes, at)));
        lists.iter().sum()
    }
}

/// Weight of a commit with so many terms and paths, in the unit of
/// [`crate::limits::SEGMENT_SOURCE_BYTES`]: some 60 times the bytes it takes, so that what is cut by
/// weight takes some 300 kB.
fn weight_of(terms: u32, paths: u64) -> u64 {
    512 + 64 * u64::from(terms) + 512 * paths
}

/// Most that the commits of a piece may weigh together that others may have written. One that is cut has an
/// eighth of that, and one that is merged of a full tier less than half.
pub const MAX_WEIGHT: u64 = 8 * SEGMENT_SOURCE_BYTES;

/// Most paths, and most parents of commits, that a piece may name: what commits of that weight have.
pub const MAX_PLACES: usize = (MAX_WEIGHT / 512) as usize;

const SHORT: Flaw = "it is cut short or too long";

/// The checksum of a piece, which is that of all bytes but its own.
fn checksum(bytes: &[u8]) -> u64 {
    let mut state = Xxh3Default::new();
    state.update(bytes.get(..CHECKSUM_AT).unwrap_or_default());
    state.update(bytes.get(HEADER_BYTES..).unwrap_or_default());
    state.digest()
}

/// Reads rising places below a bound, each with a count.
fn counted(mut list: Cursor<'_>, bound: u32) -> impl Iterator<Item = (u32, u8)> {
    let mut next = 0_u32;
    std::iter::from_fn(move || {
        let place = next.checked_add(list.u32()?)?;
        let count = list.byte()?;
        next = place.checked_add(1)?;
        Some((place, count))
    })
    .take_while(move |(place, _)| *place < bound)
}

/// Reads numbers two by two.
fn pairs(mut list: Cursor<'_>) -> impl Iterator<Item = (u32, u32)> {
    std::iter::from_fn(move || Some((list.u32()?, list.u32()?)))
}

/// Whether a path can be recorded: it is short enough, and no secret.
pub(super) fn is_recordable(path: &RepoPath) -> bool {
    let bytes = path.as_bytes();
    bytes.len() <= crate::segment::format::MAX_KEY_BYTES
        && !crate::secrets::files::names_secret(bytes)
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Piece {}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Piece({} commits, {} bytes)",
            self.count,
            self.bytes.len()
        )
    }
}
