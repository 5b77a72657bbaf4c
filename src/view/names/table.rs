//! One table: the names that symbols of some segments have, as an `fst`, with the places of each.
//!
//! ```text
//! length of the head  u32, little-endian
//! head                the segments and the sizes of the rest (bincode)
//! fst                 name -> its rank
//! ends                for each rank where its places end, u32
//! places              segment (by its position in the head), number of the name in it, u32 each
//! ```
//!
//! Guarantees: numbers that are out of range read as nothing. The `fst` itself is as the crate wrote it, since
//! the bytes are either made here or sealed ([`crate::cache`]); it is opened without looking at each node.

use crate::cache::Body;
use crate::id::{NameId, SegmentId};
use crate::segment::Segment;
use fst::{Automaton, IntoStreamer, Map, MapBuilder, Streamer};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// Bumped when the layout, or which names are in it, changes.
const VERSION: u32 = 1;
/// Bytes of a place.
const PLACE: usize = 8;
/// Largest head that is read, in bytes: half a million segments.
const MAX_HEAD: usize = 16 << 20;

/// Where a name is known: a segment, by its position in the table, and its number there.
pub(super) type Place = (usize, NameId);

#[derive(bincode::Encode, bincode::Decode)]
struct Head {
    version: u32,
    /// Ids of the segments, one after the other; empty where the table is not kept.
    segments: Vec<u8>,
    /// Names.
    names: u32,
    /// Bytes of the `fst`.
    fst: u64,
}

/// What a table is read from.
enum Bytes {
    Made(Vec<u8>),
    Kept(Body),
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Made(bytes) => bytes,
            Self::Kept(body) => body.as_ref(),
        }
    }
}

/// A part of shared bytes.
#[derive(Clone)]
struct Part(Arc<Bytes>, Range<usize>);

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref().get(self.1.clone()).unwrap_or_default()
    }
}

/// The defined names of some segments.
pub(super) struct Table {
    segments: Vec<SegmentId>,
    names: Map<Part>,
    ends: Part,
    places: Part,
}

impl Table {
    /// Makes the table of some segments. Ids are those of segments of an index; without them it cannot be kept.
    pub(super) fn made(segments: &[Arc<Segment>]) -> Self {
        Self::open(Bytes::Made(encode(segments))).expect("it was written by the function above")
    }

    /// Reads a table that was kept; `None` when it is of another version or not whole.
    pub(super) fn kept(body: Body) -> Option<Self> {
        Self::open(Bytes::Kept(body))
    }

    fn open(bytes: Bytes) -> Option<Self> {
        let all = bytes.as_ref();
        let head_len = u32::from_le_bytes(*all.first_chunk()?) as usize;
        let head_end = head_len.checked_add(4)?;
        let encoding = bincode::config::standard().with_limit::<MAX_HEAD>();
        let head = bincode::decode_from_slice::<Head, _>(all.get(4..head_end)?, encoding);
        let (head, _) = head.ok()?;
        let names = head.names as usize;
        let fst_end = head_end.checked_add(usize::try_from(head.fst).ok()?)?;
        let ends_end = fst_end.checked_add(names.checked_mul(4)?)?;
        if head.version != VERSION || ends_end > all.len() {
            return None;
        }
        let size = all.len();
        let segments = ids(&head.segments)?;
        let bytes = Arc::new(bytes);
        let part = |range: Range<usize>| Part(bytes.clone(), range);
        let map = Map::new(part(head_end..fst_end)).ok()?;
        (map.len() == names).then(|| Self {
            segments,
            names: map,
            ends: part(fst_end..ends_end),
            places: part(ends_end..size),
        })
    }

    /// The bytes to keep it by.
    pub(super) fn bytes(&self) -> &[u8] {
        (*self.ends.0).as_ref()
    }

    /// The segments that it is of, where these have ids.
    pub(super) fn segments(&self) -> &[SegmentId] {
        &self.segments
    }

    /// Number of names.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Where a name is known.
    pub(super) fn lookup(&self, name: &[u8]) -> impl Iterator<Item = Place> {
        let rank = self.names.get(name);
        rank.into_iter().flat_map(|rank| self.places(rank))
    }

    /// Hands out the names that an automaton takes, in order, each with the state it ends in and its places, until
    /// somebody breaks.
    pub(super) fn each<A: Automaton<State: Clone>>(
        &self,
        automaton: A,
        mut found: impl FnMut(&[u8], &A::State, &mut dyn Iterator<Item = Place>) -> ControlFlow<()>,
    ) {
        let mut names = self.names.search_with_state(automaton).into_stream();
        while let Some((name, rank, state)) = names.next() {
            if found(name, &state, &mut self.places(rank)).is_break() {
                return;
            }
        }
    }

    fn places(&self, rank: u64) -> impl Iterator<Item = Place> {
        let ends = self.ends.as_ref();
        let end_of = |rank: usize| Some(u32::from_le_bytes(*ends.get(rank * 4..)?.first_chunk()?));
        let rank = usize::try_from(rank).unwrap_or(usize::MAX / PLACE);
        let start = rank.checked_sub(1).map_or(Some(0), end_of).unwrap_or(0) as usize;
        let end = end_of(rank).unwrap_or(0) as usize;
        let list = self.places.as_ref().get(start * PLACE..end * PLACE);
        list.unwrap_or_default().chunks_exact(PLACE).map(|place| {
            let half = |half: &[u8]| {
                half.first_chunk()
                    .map_or(0, |half| u32::from_le_bytes(*half))
            };
            (half(&place[..4]) as usize, NameId(half(&place[4..])))
        })
    }
}

/// Ids that stand one after the other; those of an index are all of one length.
fn ids(bytes: &[u8]) -> Option<Vec<SegmentId>> {
    let Some((length, ids)) = bytes.split_first() else {
        return Some(Vec::new());
    };
    let ids = ids.chunks(usize::from(*length).max(1));
    ids.map(SegmentId::from_bytes).collect()
}

/// The next name of a segment; the least comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Next {
    name: Vec<u8>,
    segment: usize,
    id: NameId,
}

/// Merges the sorted names of all segments.
fn encode(segments: &[Arc<Segment>]) -> Vec<u8> {
    let mut walks: Vec<_> = segments
        .iter()
        .map(|segment| segment.defined_names())
        .collect();
    let mut heap = BinaryHeap::with_capacity(walks.len());
    for (segment, walk) in walks.iter_mut().enumerate() {
        let mut name = Vec::new();
        if let Some(id) = walk.advance(&mut name) {
            heap.push(Reverse(Next { name, id, segment }));
        }
    }
    let mut names = MapBuilder::memory();
    let (mut ends, mut places) = (Vec::<u8>::new(), Vec::<u8>::new());
    let (mut count, mut last) = (0u32, Vec::new());
    while let Some(mut top) = heap.peek_mut() {
        let next = &mut top.0;
        // A segment may lie about the order of its names; what is out of order is not found, as in the segment.
        let is_new = count == 0 || next.name > last;
        if is_new && names.insert(&next.name, u64::from(count)).is_ok() {
            last.clone_from(&next.name);
            count += 1;
            ends.extend_from_slice(&[0; 4]);
        }
        if next.name == last
            && let Some(end) = ends.last_chunk_mut::<4>()
        {
            places.extend_from_slice(&(next.segment as u32).to_le_bytes());
            places.extend_from_slice(&next.id.0.to_le_bytes());
            *end = ((places.len() / PLACE) as u32).to_le_bytes();
        }
        match walks[next.segment].advance(&mut next.name) {
            Some(id) => next.id = id,
            None => drop(PeekMut::pop(top)),
        }
    }
    let fst = names.into_inner().expect("it is written into memory");
    let mut list = Vec::new();
    for id in segments.iter().filter_map(|segment| segment.name) {
        if list.is_empty() {
            list.push(id.as_bytes().len() as u8);
        }
        list.extend_from_slice(id.as_bytes());
    }
    let head = Head {
        version: VERSION,
        segments: list,
        names: count,
        fst: fst.len() as u64,
    };
    let head = bincode::encode_to_vec(head, bincode::config::standard());
    let head = head.expect("numbers and bytes can be encoded");
    let mut out = Vec::with_capacity(4 + head.len() + fst.len() + ends.len() + places.len());
    out.extend_from_slice(&(head.len() as u32).to_le_bytes());
    for part in [head, fst, ends, places] {
        out.extend_from_slice(&part);
    }
    out
}
