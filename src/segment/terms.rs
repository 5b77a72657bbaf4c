//! The `TERM` and `TPST` chunks: the words of all chunks, and for each word the chunks it is in.

use super::Error;
use super::dict;
use super::intern::Interner;
use super::lists::ListsWriter;
use super::varint::{Cursor, put};
use crate::extract::record::{DocKey, DocRecord, FIELDS, Field};
use crate::id::{ChunkId, LocalName};
use crate::limits::MAX_NAME_BYTES;

/// Posting code: once in the body, nowhere else.
const BODY_ONCE: u64 = 0;
/// Posting code: once in comments, nowhere else.
const COMMENT_ONCE: u64 = 1;
/// Posting code: only in the body, as often as the next byte says.
const BODY: u64 = 2;
/// Posting code: a byte follows with the set of fields (low half) and of those with a frequency
/// over one (high half), then a byte for each of the latter.
const FIELD_SET: u64 = 3;

const ONCE_IN_BODY: [u8; FIELDS] = once(Field::Body);
const ONCE_IN_COMMENT: [u8; FIELDS] = once(Field::Comment);

const fn once(field: Field) -> [u8; FIELDS] {
    let mut tf = [0; FIELDS];
    tf[field as usize] = 1;
    tf
}

/// Encodes dictionary and postings.
pub(super) fn encode(docs: &[(DocKey, DocRecord)]) -> Result<(Vec<u8>, Vec<u8>), Error> {
    const UNSEEN: u32 = u32::MAX;
    let mut interner = Interner::default();
    // Provisional numbers of each document's terms, one document behind the other.
    let mut ids: Vec<u32> = Vec::new();
    let mut counts: Vec<usize> = Vec::new();
    for (key, record) in docs {
        let bad = |what| Error::Record { key: *key, what };
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
        let delta = u64::from(chunk.0.checked_sub(next).ok_or(chunk)?) << 2;
        next = chunk.0 + 1;
        match tf {
            ONCE_IN_BODY => put(out, delta | BODY_ONCE),
            ONCE_IN_COMMENT => put(out, delta | COMMENT_ONCE),
            [0, 0, body, 0] if body > 1 => {
                put(out, delta | BODY);
                out.push(body);
            }
            _ => {
                put(out, delta | FIELD_SET);
                let set = |least| (0..FIELDS).fold(0, |s, i| s | u8::from(tf[i] >= least) << i);
                out.push(set(1) | set(2) << 4);
                out.extend(tf.iter().filter(|&&count| count > 1));
            }
        }
    }
    Ok(())
}

/// Returns the key of the document that has a chunk.
fn owner(docs: &[(DocKey, DocRecord)], chunk: ChunkId) -> DocKey {
    let mut end = 0;
    let has = |(_, record): &&(DocKey, DocRecord)| {
        end += record.chunks.len();
        chunk.index() < end
    };
    docs.iter()
        .find(has)
        .map(|(key, _)| *key)
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
        let delta = u32::try_from(word >> 2).ok()?;
        let chunk = self
            .next
            .checked_add(delta)
            .filter(|&chunk| chunk < self.chunks)?;
        self.next = chunk + 1;
        let tf = match word & 3 {
            BODY_ONCE => ONCE_IN_BODY,
            COMMENT_ONCE => ONCE_IN_COMMENT,
            BODY => [0, 0, self.cursor.byte()?, 0],
            _ => self.field_set()?,
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
