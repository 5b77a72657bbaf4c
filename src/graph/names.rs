//! One number for each name of a view, whichever segment it was read from.
//!
//! Guarantee: two occurrences have the same [`Name`] exactly when their bytes are equal. The numbers
//! depend on how documents are cut into segments, so they are compared and looked up, never ordered
//! by and never shown.

use crate::id::NameId;
use crate::segment::Segment;
use crate::view::live::View;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

/// A name of a view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(pub u32);

/// The names of a view's segments.
#[derive(Default)]
pub struct Names {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    hashes: Vec<u64>,
    by_hash: FxHashMap<u64, Name>,
    /// Names whose hash is that of an earlier one.
    collided: Vec<Name>,
    /// By segment, by its own number of a name.
    of_segment: Vec<Vec<Name>>,
    default: Option<Name>,
}

impl Names {
    /// Numbers the names of all segments of a view.
    pub fn of(view: &View) -> Self {
        let live = |i: &usize| !view.segments()[*i].docs.is_empty();
        let size = |i: &usize| view.segments()[*i].segment.name_count() as usize;
        let segments = view.segments().len();
        // Most names of the smaller segments are in the largest one, too.
        let most = (0..segments).filter(live).map(|i| size(&i)).max();
        let most = most.unwrap_or(0);
        let mut names = Self {
            ends: Vec::with_capacity(most),
            hashes: Vec::with_capacity(most),
            by_hash: FxHashMap::with_capacity_and_hasher(most, Default::default()),
            ..Self::default()
        };
        for i in 0..segments {
            let numbers = match live(&i) {
                true => names.number(&view.segments()[i].segment),
                false => Vec::new(),
            };
            names.of_segment.push(numbers);
        }
        names.default = names.find(b"default");
        names
    }

    fn number(&mut self, segment: &Segment) -> Vec<Name> {
        let mut numbers = Vec::with_capacity(segment.name_count() as usize);
        let mut cursor = segment.all_names();
        while let Some((_, bytes)) = cursor.advance() {
            let hash = xxh3_64(bytes);
            let known = self.find_hashed(hash, bytes);
            numbers.push(known.unwrap_or_else(|| self.add(hash, bytes)));
        }
        numbers
    }

    fn add(&mut self, hash: u64, bytes: &[u8]) -> Name {
        let name = Name(self.ends.len() as u32);
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len() as u32);
        self.hashes.push(hash);
        if *self.by_hash.entry(hash).or_insert(name) != name {
            self.collided.push(name);
        }
        name
    }

    fn find_hashed(&self, hash: u64, bytes: &[u8]) -> Option<Name> {
        let first = *self.by_hash.get(&hash)?;
        if self.bytes(first) == bytes {
            return Some(first);
        }
        let mut others = self.collided.iter().copied();
        others.find(|name| self.bytes(*name) == bytes)
    }

    /// The name that a segment numbers so; `None` for a number it has not handed out.
    pub fn from_segment(&self, segment: usize, id: NameId) -> Option<Name> {
        self.of_segment.get(segment)?.get(id.index()).copied()
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
        self.hashes.get(name.0 as usize).copied().unwrap_or(0)
    }

    /// The names with this hash of their bytes.
    pub fn hashed(&self, hash: u64) -> impl Iterator<Item = Name> + '_ {
        let others = self.collided.iter().copied();
        let others = others.filter(move |name| self.hash(*name) == hash);
        self.by_hash.get(&hash).copied().into_iter().chain(others)
    }

    /// The bytes of a name.
    pub fn bytes(&self, name: Name) -> &[u8] {
        let i = name.0 as usize;
        let end = self.ends.get(i).map_or(0, |end| *end as usize);
        let start = i
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .map_or(0, |end| *end as usize);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}
