//! One number for each name of a view, whichever segment it was read from.
//!
//! Guarantee: two occurrences have the same [`Name`] exactly when their bytes are equal. The numbers
//! depend on how documents are cut into segments, so they are compared and looked up, never ordered
//! by and never shown.

use crate::id::NameId;
use crate::segment::Segment;
use crate::view::live::View;
use rustc_hash::FxHashMap;

/// A name of a view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(pub u32);

/// The names of a view's segments.
pub struct Names {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    by_bytes: FxHashMap<Box<[u8]>, Name>,
    /// By segment, by its own number of a name.
    of_segment: Vec<Vec<Name>>,
}

impl Names {
    /// Numbers the names of all segments of a view.
    pub fn of(view: &View) -> Self {
        let mut names = Self {
            bytes: Vec::new(),
            ends: Vec::new(),
            by_bytes: FxHashMap::default(),
            of_segment: Vec::new(),
        };
        for live in view.segments() {
            let numbers = match live.docs.is_empty() {
                true => Vec::new(),
                false => names.number(&live.segment),
            };
            names.of_segment.push(numbers);
        }
        names
    }

    fn number(&mut self, segment: &Segment) -> Vec<Name> {
        let mut numbers = Vec::with_capacity(segment.name_count() as usize);
        let mut cursor = segment.all_names();
        while let Some((_, bytes)) = cursor.advance() {
            let known = self.by_bytes.get(bytes).copied();
            numbers.push(known.unwrap_or_else(|| self.add(bytes)));
        }
        numbers
    }

    fn add(&mut self, bytes: &[u8]) -> Name {
        let name = Name(self.ends.len() as u32);
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len() as u32);
        self.by_bytes.insert(bytes.into(), name);
        name
    }

    /// The name that a segment numbers so; `None` for a number it has not handed out.
    pub fn from_segment(&self, segment: usize, id: NameId) -> Option<Name> {
        self.of_segment.get(segment)?.get(id.index()).copied()
    }

    /// The name with these bytes, if any document has it.
    pub fn find(&self, bytes: &[u8]) -> Option<Name> {
        self.by_bytes.get(bytes).copied()
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
