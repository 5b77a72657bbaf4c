//! The `TERM` and `TPST` chunks: the words of all chunks, and for each word the chunks it is in.

use super::dict;
use super::error::Error;
use super::intern::Interner;
use super::lists::ListsWriter;
use super::varint::{Cursor, put};
use crate::extract::record::{DocKey, DocRecord, FIELDS, Field, RowKey};
use crate::id::{ChunkId, LocalName};
use crate::limits::MAX_NAME_BYTES;

/// Frequencies that need no bytes of their own, by posting code: those that two postings of three
/// have, in code and in prose.
const COMMON: [[u8; FIELDS]; 6] = [
    only(Field::Body, 1),
    only(Field::Comment, 1),
    only(Field::Body, 2),
    only(Field::Comment, 2),
    only(Field::Name, 1),
    only(Field::Signature, 1),
];
/// Posting code: in one field; a byte with the field (high two bits) and the frequency follows.
const ONE_FIELD: u64 = 6;
/// Posting code: a byte follows with the set of fields (low half) and of those with a frequency
/// over one (high half), then a byte for each of the latter.
const FIELD_SET: u64 = 7;
/// Bits of a posting's number that hold its code.
const CODE_BITS: u32 = 3;
/// Frequencies from here on do not fit beside a field.
const HIGH_FREQUENCY: u8 = 1 << 6;

const fn only(field: Field, count: u8) -> [u8; FIELDS] {
    let mut tf = [0; FIELDS];
    tf[field as usize] = count;
    tf
}

/// Returns the only field a term is in, with its frequency, when they fit in a byte.
fn one_field(tf: &[u8; FIELDS]) -> Option<(usize, u8)> {
    let field = tf.iter().position(|&count| count > 0)?;
    let alone = tf[field + 1..].iter().all(|&count| count == 0);
    (alone && tf[field] < HIGH_FREQUENCY).then_some((field, tf[field]))
}

/// Encodes dictionary and postings.
pub(super) fn encode(docs: &[(RowKey, DocRecord)]) -> Result<(Vec<u8>, Vec<u8>), Error> {
    const UNSEEN: u32 = u32::MAX;
    let mut interner = Interner::default();
    // Provisional numbers of each document's terms, one document behind the other.
    let mut ids: Vec<u32> = Vec::new();
    let mut counts: Vec<usize> = Vec::new();
    for (key, record) in docs {
        let bad = |what| Error::Record { key: key.doc, what };
        let start = ids.len();
        ids.resize(start + record.terms.len(), UNSEEN);
        for freq in record.chunks.iter().flat_map(|chunk| &chunk.terms) {
            let id = ids[start..].get_mut(freq.term.index());
            let id = id.ok_or_else(|| bad("a term is not in its table"))?;
            if *id == UNSEEN {
                let term = record.terms.get(LocalName(freq.term.0));
                if term.len() > MAX_NAME_BYTES {
                    return Err(bad("a term is too long"));
                }
                *id = interner.intern(term);
                if *id as usize == counts.len() {
                    counts.push(0);
                }
            }
            counts[*id as usize] += 1;
        }
    }
    let ranked = interner.rank();
    let mut total = 0;
    let mut free: Vec<usize> = counts
        .iter()
        .map(|count| {
            total += count;
            total - count
        })
        .collect();
    // A counting sort by term: chunks come in order, so each list comes out in order.
    let mut slots = vec![(ChunkId(0), [0; FIELDS]); total];
    let (mut base, mut chunk_id) = (0, 0);
    for (_, record) in docs {
        for chunk in &record.chunks {
            for freq in &chunk.terms {
                let id = ids[base + freq.term.index()] as usize;
                slots[free[id]] = (ChunkId(chunk_id), freq.tf);
                free[id] += 1;
            }
            chunk_id += 1;
        }
        base += record.terms.len();
    }
    let mut lists = ListsWriter::default();
    let mut list = Vec::new();
    for &id in &ranked.order {
        let end = free[id as usize];
        list.clear();
        if let Err(chunk) = put_postings(&mut list, &slots[end - counts[id as usize]..end]) {
            return Err(Error::Record {
                key: owner(docs, chunk),
                what: "a chunk has a term twice",
            });
        }
        lists.push(&list);
    }
    let mut dictionary = Vec::new();
    dict::write(&mut dictionary, ranked.strings.iter().copied());
    let mut postings = Vec::new();
    lists.finish(&mut postings);
    Ok((dictionary, postings))
}

/// Appends a posting list; the error is a chunk that is in it twice.
fn put_postings(out: &mut Vec<u8>, postings: &[(ChunkId, [u8; FIELDS])]) -> Result<(), ChunkId> {
    let mut next = 0;
    for &(chunk, tf) in postings {
        let delta = u64::from(chunk.0.checked_sub(next).ok_or(chunk)?) << CODE_BITS;
        next = chunk.0 + 1;
        if let Some(code) = COMMON.iter().position(|common| *common == tf) {
            put(out, delta | code as u64);
        } else if let Some((field, count)) = one_field(&tf) {
            put(out, delta | ONE_FIELD);
            out.push((field as u8) << 6 | count);
        } else {
            put(out, delta | FIELD_SET);
            let set = |least| (0..FIELDS).fold(0, |s, i| s | u8::from(tf[i] >= least) << i);
            out.push(set(1) | set(2) << 4);
            out.extend(tf.iter().filter(|&&count| count > 1));
        }
    }
    Ok(())
}

/// Returns the key of the document that has a chunk.
fn owner(docs: &[(RowKey, DocRecord)], chunk: ChunkId) -> DocKey {
    let mut end = 0;
    let has = |(_, record): &&(RowKey, DocRecord)| {
        end += record.chunks.len();
        chunk.index() < end
    };
    docs.iter()
        .find(has)
        .map(|(key, _)| key.doc)
        .expect("every posting is of some document's chunk")
}

/// One chunk that has a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Posting {
    /// The chunk.
    pub chunk: ChunkId,
    /// How often, by field.
    pub tf: [u8; FIELDS],
}

/// Iterates over the chunks of one term, in order.
#[derive(Clone)]
pub struct Postings<'a> {
    cursor: Cursor<'a>,
    next: u32,
    chunks: u32,
}

impl<'a> Postings<'a> {
    pub(super) fn new(cursor: Cursor<'a>, chunks: u32) -> Self {
        Self {
            cursor,
            next: 0,
            chunks,
        }
    }

    #[inline]
    fn read(&mut self) -> Option<Posting> {
        let word = self.cursor.u64()?;
        let delta = u32::try_from(word >> CODE_BITS).ok()?;
        let chunk = self
            .next
            .checked_add(delta)
            .filter(|&chunk| chunk < self.chunks)?;
        self.next = chunk + 1;
        let tf = match word & ((1 << CODE_BITS) - 1) {
            ONE_FIELD => {
                let byte = self.cursor.byte()?;
                let mut tf = [0; FIELDS];
                tf[usize::from(byte >> 6)] = byte & (HIGH_FREQUENCY - 1);
                tf
            }
            FIELD_SET => self.field_set()?,
            code => COMMON[code as usize],
        };
        Some(Posting {
            chunk: ChunkId(chunk),
            tf,
        })
    }

    fn field_set(&mut self) -> Option<[u8; FIELDS]> {
        let set = self.cursor.byte()?;
        let mut tf = [0; FIELDS];
        for (i, count) in tf.iter_mut().enumerate() {
            *count = match set >> i & 0x11 {
                0x11 => self.cursor.byte()?,
                present => present & 1,
            };
        }
        Some(tf)
    }
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    #[inline]
    fn next(&mut self) -> Option<Posting> {
        let found = self.read();
        if found.is_none() {
            self.cursor = Cursor::default();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_frequencies_take_no_bytes_of_their_own() {
        let list: [(u32, [u8; FIELDS], &[u8]); 8] = [
            (1, [0, 0, 1, 0], &[8]),
            (2, [0, 0, 0, 2], &[3]),
            (17, [1, 0, 0, 0], &[14 << 3 | 4]),
            (33, [0, 0, 0, 63], &[15 << 3 | 6, 3 << 6 | 63]),
            (50, [0, 0, 64, 0], &[0x87, 1, 0x44, 64]),
            (51, [1, 2, 0, 0], &[7, 0x23, 2]),
            (52, [0, 0, 0, 0], &[7, 0]),
            (53, [255, 255, 255, 255], &[7, 0xff, 255, 255, 255, 255]),
        ];
        let postings: Vec<_> = list.iter().map(|(id, tf, _)| (ChunkId(*id), *tf)).collect();
        let mut out = Vec::new();
        put_postings(&mut out, &postings).unwrap();
        assert_eq!(out, list.map(|(_, _, bytes)| bytes.to_vec()).concat());
        let read = Postings::new(Cursor::new(&out), 54);
        assert_eq!(read.map(|p| (p.chunk, p.tf)).collect::<Vec<_>>(), postings);
        assert_eq!(Postings::new(Cursor::new(&out), 50).count(), 4);
    }

    #[test]
    fn a_chunk_twice_in_a_list_is_refused() {
        let postings = [(ChunkId(3), [0, 0, 1, 0]), (ChunkId(3), [0, 0, 1, 0])];
        assert_eq!(put_postings(&mut Vec::new(), &postings), Err(ChunkId(3)));
    }
}
