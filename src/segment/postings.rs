//! The `NPST` chunk: for each name, the documents that define it and those it occurs in.
//!
//! A segment is cut at a size where it holds some thousands of documents, so that the longest
//! list is decoded in microseconds; bitmaps were considered and have nothing to win here.

use super::lists::ListsWriter;
use super::names::UsedNames;
use super::varint::{Cursor, put, put32};
use crate::id::DocId;

/// One document that has to do with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DocUse {
    /// The document.
    pub doc: DocId,
    /// How often the name occurs in it, definitions not counted.
    pub count: u32,
    /// Whether the document defines a symbol of this name.
    pub defines: bool,
}

/// Entry code: occurs once, not defined.
const ONCE: u64 = 0;
/// Entry code: occurs as often as follows, plus two; not defined.
const OFTEN: u64 = 1;
/// Entry code: defined, does not occur.
const DEFINED: u64 = 2;
/// Entry code: defined, and occurs as often as follows, plus one.
const DEFINED_OFTEN: u64 = 3;

/// Encodes the lists of all names.
pub(super) fn encode(names: &UsedNames<'_>) -> Vec<u8> {
    let used = || names.iter().filter(|(_, u)| u.count > 0 || u.defined);
    // A counting sort by name: documents come in order, so each list comes out in order.
    let mut ends = vec![0usize; names.sorted.len() + 1];
    used().for_each(|(_, u)| ends[u.name.index() + 1] += 1);
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
    let total = ends.last().copied().unwrap_or(0);
    let mut entries = vec![(DocId(0), 0, false); total];
    let mut free = ends.clone();
    for (doc, u) in used() {
        let slot = &mut free[u.name.index()];
        entries[*slot] = (doc, u.count, u.defined);
        *slot += 1;
    }
    let mut lists = ListsWriter::default();
    let mut list = Vec::new();
    for range in ends.windows(2) {
        list.clear();
        let mut next = 0;
        for &(doc, count, defined) in &entries[range[0]..range[1]] {
            let delta = u64::from(doc.0 - next) << 2;
            match (defined, count) {
                (true, 0) => put(&mut list, delta | DEFINED),
                (true, _) => put(&mut list, delta | DEFINED_OFTEN),
                (false, 1) => put(&mut list, delta | ONCE),
                (false, _) => put(&mut list, delta | OFTEN),
            }
            match (defined, count) {
                (true, 0) | (false, 1) => {}
                (true, _) => put32(&mut list, count - 1),
                (false, _) => put32(&mut list, count - 2),
            }
            next = doc.0 + 1;
        }
        lists.push(&list);
    }
    let mut out = Vec::new();
    lists.finish(&mut out);
    out
}

/// Iterates over the documents of one name, in order.
#[derive(Clone)]
pub struct DocUses<'a> {
    cursor: Cursor<'a>,
    next: u32,
    docs: u32,
}

impl<'a> DocUses<'a> {
    pub(super) fn new(cursor: Cursor<'a>, docs: u32) -> Self {
        Self {
            cursor,
            next: 0,
            docs,
        }
    }

    fn read(&mut self) -> Option<DocUse> {
        let word = self.cursor.u64()?;
        let delta = u32::try_from(word >> 2).ok()?;
        let doc = self
            .next
            .checked_add(delta)
            .filter(|&doc| doc < self.docs)?;
        let (count, defines) = match word & 3 {
            ONCE => (1, false),
            OFTEN => (self.cursor.u32()?.checked_add(2)?, false),
            DEFINED => (0, true),
            _ => (self.cursor.u32()?.checked_add(1)?, true),
        };
        self.next = doc + 1;
        Some(DocUse {
            doc: DocId(doc),
            count,
            defines,
        })
    }
}

impl Iterator for DocUses<'_> {
    type Item = DocUse;

    fn next(&mut self) -> Option<DocUse> {
        let found = self.read();
        if found.is_none() {
            self.cursor = Cursor::default();
        }
        found
    }
}
