//! One number for each name of a view, whichever segment it was read from.
//!
//! Guarantee: two occurrences have the same [`Name`] exactly when their bytes are equal. The numbers
//! depend on how documents are cut into segments, so they are compared and looked up, never ordered
//! by and never shown.
//!
//! The names of a view that is nearly the same share what was numbered, so that after an edit only its own names
//! are looked up, and what was decoded with numbers of before stays right.

mod sorted;

use self::sorted::Sorted;
use crate::id::{DocId, NameId};
use crate::segment::Segment;
use crate::view::live::{LiveSegment, View};
use roaring::RoaringBitmap;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// A segment of which less than one in so many documents is live has the names of these numbered alone: a checkout of a
/// few folders has a hundredth of the documents of each segment.
const FEW: u64 = 4;

/// Stands for a name that no live document has.
pub(super) const UNNUMBERED: Name = Name(u32::MAX);

/// A name of a view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(pub u32);

/// The names of a view's segments.
#[derive(Default)]
pub struct Names {
    /// Those that were numbered first, which the names of later views share.
    first: Arc<Sorted>,
    /// Those that came later.
    later: Numbered,
    /// By segment of the view.
    segments: Vec<OfSegment>,
    default: Option<Name>,
}

/// A segment and, by its own number of a name, the view's.
#[derive(Clone)]
struct OfSegment {
    segment: Arc<Segment>,
    /// `None` while nothing of the segment is live.
    numbers: Option<Arc<[Name]>>,
    /// The documents whose names have a number; `None` for all.
    covers: Option<RoaringBitmap>,
}

/// Names under successive numbers, as they came.
#[derive(Clone, Default)]
struct Numbered {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    hashes: Vec<u64>,
    /// By hash, the place among these.
    by_hash: FxHashMap<u64, u32>,
    /// Places of names whose hash is that of an earlier one.
    collided: Vec<u32>,
}

/// Names that may come later to each that was there first, before all are numbered anew: those that no document
/// has any more go then.
const LATER: usize = 4;

impl Names {
    /// Numbers the names of all segments of a view.
    pub fn of(view: &View) -> Self {
        let live = view.segments().iter().filter(|live| !live.docs.is_empty());
        let live = live.map(|live| (&*live.segment, wanted_of(live)));
        let (first, numbers) = Sorted::of(live.collect());
        let mut numbers = numbers.into_iter();
        let of_segment = |live: &LiveSegment| OfSegment {
            segment: live.segment.clone(),
            numbers: match live.docs.is_empty() {
                true => None,
                false => numbers.next(),
            },
            covers: has_few(live).then(|| live.docs.clone()),
        };
        let segments = view.segments().iter().map(of_segment).collect();
        Self {
            first: Arc::new(first),
            segments,
            ..Self::default()
        }
        .with_default()
    }

    fn with_default(mut self) -> Self {
        self.default = self.find(b"default");
        self
    }

    /// Bytes that they take, but for spare room.
    pub fn held_bytes(&self) -> usize {
        let numbers = self.segments.iter().filter_map(|of| of.numbers.as_deref());
        let numbered = self.first.held_bytes() + self.later.held_bytes();
        numbers.map(size_of_val).sum::<usize>() + numbered
    }

    /// Numbers the names of a view as far as they were not for another one: who has a number keeps it. `None`
    /// when too many came since all were numbered.
    pub(super) fn after(before: &Self, view: &View) -> Option<Self> {
        let mut names = Self {
            first: before.first.clone(),
            later: before.later.clone(),
            ..Self::default()
        };
        names.number_segments(view, &before.segments);
        let room = 1024 + names.first.len() / LATER;
        (names.later.ends.len() <= room).then(|| names.with_default())
    }

    fn number_segments(&mut self, view: &View, known: &[OfSegment]) {
        for live in view.segments() {
            let same = |known: &&OfSegment| Arc::ptr_eq(&known.segment, &live.segment);
            let known = known.iter().find(same);
            let known = known.and_then(|of| Some((of.numbers.clone()?, of.covers.as_ref())));
            let (numbers, covers) = match known {
                Some((numbers, None)) => (Some(numbers), None),
                Some((numbers, Some(covers))) => {
                    let more = &live.docs - covers;
                    let numbers = self.number_more(&live.segment, numbers, &more);
                    (Some(numbers), Some(covers | more))
                }
                None if live.docs.is_empty() => (None, None),
                None => {
                    let wanted = wanted_of(live);
                    let numbers = self.number(&live.segment, wanted.as_ref());
                    (Some(numbers), wanted.map(|_| live.docs.clone()))
                }
            };
            self.segments.push(OfSegment {
                segment: live.segment.clone(),
                numbers,
                covers,
            });
        }
    }

    fn number(&mut self, segment: &Segment, wanted: Option<&RoaringBitmap>) -> Arc<[Name]> {
        let mut numbers = Vec::with_capacity(segment.name_count() as usize);
        let mut cursor = segment.all_names();
        while let Some((id, bytes)) = cursor.advance() {
            numbers.push(match wanted {
                Some(wanted) if !wanted.contains(id) => UNNUMBERED,
                _ => self.known_or_new(bytes),
            });
        }
        numbers.into()
    }

    /// Numbers the names of some more documents of a segment.
    fn number_more(
        &mut self,
        segment: &Segment,
        numbers: Arc<[Name]>,
        docs: &RoaringBitmap,
    ) -> Arc<[Name]> {
        let wanted = names_of(segment, docs);
        let mut open = wanted
            .iter()
            .filter(|id| numbers[*id as usize] == UNNUMBERED);
        let Some(first) = open.next() else {
            return numbers;
        };
        let mut more = numbers.to_vec();
        let mut bytes = Vec::new();
        for id in std::iter::once(first).chain(open) {
            bytes.clear();
            segment.name(NameId(id), &mut bytes);
            more[id as usize] = self.known_or_new(&bytes);
        }
        more.into()
    }

    fn known_or_new(&mut self, bytes: &[u8]) -> Name {
        let hash = xxh3_64(bytes);
        let known = self.find_hashed(hash, bytes);
        known.unwrap_or_else(|| Name(self.first.len() as u32 + self.later.add(hash, bytes)))
    }

    fn find_hashed(&self, hash: u64, bytes: &[u8]) -> Option<Name> {
        let first = self.first.find(hash, bytes).map(Name);
        let later = || self.later.find(hash, bytes);
        first.or_else(|| Some(Name(self.first.len() as u32 + later()?)))
    }

    /// The place of a name among those that came later.
    fn later(&self, name: Name) -> Option<usize> {
        (name.0 as usize).checked_sub(self.first.len())
    }

    /// The name that a segment numbers so; `None` for a number it has not handed out.
    pub fn from_segment(&self, segment: usize, id: NameId) -> Option<Name> {
        let numbers = self.segments.get(segment)?.numbers.as_ref()?;
        numbers
            .get(id.index())
            .copied()
            .filter(|name| *name != UNNUMBERED)
    }

    /// Where segments hold one of these names, as segments number it. A walk over numbers that lie side by side, so it
    /// takes no longer when many are wanted.
    pub(super) fn wanted(
        &self,
        is_wanted: impl Fn(Name) -> bool,
    ) -> impl Iterator<Item = (usize, NameId)> {
        let numbers = self.segments.iter().map(|of| of.numbers.as_deref());
        numbers.enumerate().flat_map(move |(segment, numbers)| {
            let all = numbers.unwrap_or_default().iter().zip(0..);
            let wanted = all.filter(|(name, _)| **name != UNNUMBERED && is_wanted(**name));
            let wanted: Vec<_> = wanted.map(|(_, id)| (segment, NameId(id))).collect();
            wanted
        })
    }

    /// By a segment's own number of a name, the view's; none when nothing of it is live.
    pub(super) fn of_segment(&self, segment: usize) -> Arc<[Name]> {
        let of = self.segments.get(segment);
        of.and_then(|of| of.numbers.clone())
            .unwrap_or_else(|| Arc::from([]))
    }

    /// The name with these bytes, if any document has it.
    pub fn find(&self, bytes: &[u8]) -> Option<Name> {
        self.find_hashed(xxh3_64(bytes), bytes)
    }

    /// Whether a name is `default`, by which JavaScript imports what has no name.
    pub fn is_default(&self, name: Name) -> bool {
        self.default == Some(name)
    }

    /// Hash of a name's bytes: the same in every view.
    pub fn hash(&self, name: Name) -> u64 {
        let hash = match self.later(name) {
            None => self.first.hash(name.0 as usize),
            Some(later) => self.later.hashes.get(later).copied(),
        };
        hash.unwrap_or(0)
    }

    /// The names with this hash of their bytes.
    pub fn hashed(&self, hash: u64) -> impl Iterator<Item = Name> + '_ {
        let later = self.first.len() as u32;
        let later = self.later.hashed(hash).map(move |i| Name(later + i));
        self.first.hashed(hash).map(Name).chain(later)
    }

    /// The bytes of a name.
    pub fn bytes(&self, name: Name) -> &[u8] {
        match self.later(name) {
            None => self.first.spelled(name.0 as usize),
            Some(later) => self.later.spelled(later),
        }
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.first.len() + self.later.ends.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Whether so few documents of a segment are live that their names alone are numbered.
fn has_few(live: &LiveSegment) -> bool {
    live.docs.len() * FEW < u64::from(live.segment.doc_count())
}

/// The names of a segment that are numbered, as it numbers them; `None` for all.
fn wanted_of(live: &LiveSegment) -> Option<RoaringBitmap> {
    has_few(live).then(|| names_of(&live.segment, &live.docs))
}

/// The names that some documents of a segment have, as it numbers them.
fn names_of(segment: &Segment, docs: &RoaringBitmap) -> RoaringBitmap {
    let mut names: Vec<u32> = Vec::new();
    for doc in docs.iter().map(DocId) {
        for symbol in segment.symbols(doc) {
            names.push(symbol.name.0);
            names.extend(symbol.receiver.map(|name| name.0));
        }
        for import in segment.imports(doc) {
            let bound = import
                .bindings
                .iter()
                .flat_map(|of| [of.imported, of.local]);
            names.extend(bound.flatten().map(|name| name.0));
        }
        names.extend(segment.occurrences(doc).map(|found| found.name.0));
    }
    names.sort_unstable();
    names.into_iter().collect()
}

impl Numbered {
    fn held_bytes(&self) -> usize {
        let columns = [
            self.bytes.len(),
            size_of_val(&*self.ends),
            size_of_val(&*self.hashes),
            size_of_val(&*self.collided),
        ];
        columns.iter().sum::<usize>() + self.by_hash.len() * size_of::<(u64, u32)>()
    }

    /// Adds a name that is not there, and returns its place.
    fn add(&mut self, hash: u64, bytes: &[u8]) -> u32 {
        let place = self.ends.len() as u32;
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len() as u32);
        self.hashes.push(hash);
        if *self.by_hash.entry(hash).or_insert(place) != place {
            self.collided.push(place);
        }
        place
    }

    fn find(&self, hash: u64, bytes: &[u8]) -> Option<u32> {
        let first = *self.by_hash.get(&hash)?;
        if self.spelled(first as usize) == bytes {
            return Some(first);
        }
        let mut others = self.collided.iter().copied();
        others.find(|place| self.spelled(*place as usize) == bytes)
    }

    fn hashed(&self, hash: u64) -> impl Iterator<Item = u32> + '_ {
        let others = self.collided.iter().copied();
        let others = others.filter(move |place| self.hashes[*place as usize] == hash);
        self.by_hash.get(&hash).copied().into_iter().chain(others)
    }

    fn spelled(&self, i: usize) -> &[u8] {
        let end = self.ends.get(i).map_or(0, |end| *end as usize);
        let start = i
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .map_or(0, |end| *end as usize);
        self.bytes.get(start..end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
