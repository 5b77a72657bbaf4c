//! The `DOCS` chunk: one row a document and extractor, sorted by blob id, grammar and fingerprint.

use super::column::Column;
use super::container::Walk;
use super::error::Error;
use super::format::ChunkTag;
use crate::extract::fingerprint;
use crate::extract::record::{
    DocFlags, DocKey, DocRecord, Fingerprint, Grammar, RowKey, SkipReason,
};
use crate::id::{BlobId, ChunkId, DocId};
use crate::limits::MAX_DOCS_PER_SEGMENT;
use gix::hash::Kind;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;

/// What a segment's table says of one document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocRow {
    /// The grammar it was read with in the end.
    pub lang: Grammar,
    /// Why nothing was extracted.
    pub skip: Option<SkipReason>,
    /// Facts about it.
    pub flags: DocFlags,
    /// Size of the blob in bytes.
    pub size: u64,
    /// Number of lines.
    pub lines: u32,
    /// Its chunks.
    pub chunks: Range<ChunkId>,
}

/// Chunks of the file that have a stream for each document.
pub(super) const STREAMS: [ChunkTag; 6] = [
    ChunkTag::Symbols,
    ChunkTag::Occurrences,
    ChunkTag::Imports,
    ChunkTag::Hints,
    ChunkTag::Gaps,
    ChunkTag::Entries,
];

/// What a row has that names no extractor of its table, which only damage does.
const NO_EXTRACTOR: Fingerprint = Fingerprint(0);

/// Where each document's streams and chunks end, in bytes and chunks of the segment.
#[derive(Default)]
pub(super) struct Ends {
    pub(super) symbols: Vec<u64>,
    pub(super) occurrences: Vec<u64>,
    pub(super) imports: Vec<u64>,
    pub(super) hints: Vec<u64>,
    pub(super) gaps: Vec<u64>,
    pub(super) entries: Vec<u64>,
}

/// Encodes the table of sorted documents.
pub(super) fn encode(docs: &[(RowKey, DocRecord)], ends: &Ends) -> Vec<u8> {
    let mut out = Vec::with_capacity(docs.len() * 48 + 64);
    out.extend_from_slice(&(docs.len() as u32).to_le_bytes());
    docs.iter()
        .for_each(|(key, _)| out.extend_from_slice(key.doc.blob.as_bytes()));
    let extractors: BTreeSet<Fingerprint> = docs.iter().map(|(key, _)| key.extractor).collect();
    let extractors: Vec<Fingerprint> = extractors.into_iter().collect();
    out.extend_from_slice(&(extractors.len() as u32).to_le_bytes());
    for extractor in &extractors {
        out.extend_from_slice(&extractor.0.to_le_bytes());
    }
    let place = |key: &RowKey| extractors.partition_point(|of| *of < key.extractor);
    let mut chunks = 0;
    let chunk_ends: Vec<u64> = docs
        .iter()
        .map(|(_, record)| {
            chunks += record.chunks.len() as u64;
            chunks
        })
        .collect();
    let records = docs.iter().map(|(_, record)| record);
    let skip = |record: &DocRecord| record.skip.map_or(0, |skip| u64::from(skip.code()));
    Column::write(
        &mut out,
        docs.iter()
            .map(|(key, _)| u64::from(key.doc.grammar.code())),
    );
    Column::write(&mut out, docs.iter().map(|(key, _)| place(key) as u64));
    Column::write(
        &mut out,
        records.clone().map(|record| u64::from(record.lang.code())),
    );
    Column::write(&mut out, records.clone().map(skip));
    Column::write(
        &mut out,
        records.clone().map(|record| u64::from(record.flags.0)),
    );
    Column::write(&mut out, records.clone().map(|record| record.size));
    Column::write(
        &mut out,
        records.clone().map(|record| u64::from(record.lines)),
    );
    Column::write(&mut out, ends.symbols.iter().copied());
    Column::write(&mut out, ends.occurrences.iter().copied());
    Column::write(&mut out, ends.imports.iter().copied());
    Column::write(&mut out, ends.hints.iter().copied());
    Column::write(&mut out, ends.gaps.iter().copied());
    Column::write(&mut out, ends.entries.iter().copied());
    Column::write(&mut out, chunk_ends.iter().copied());
    out
}

/// Where the table lies in its segment.
#[derive(Clone, Debug)]
pub(super) struct Docs {
    count: u32,
    hash: Kind,
    ids: Range<usize>,
    /// The fingerprints of all rows, in order.
    pub(super) extractors: Vec<Fingerprint>,
    grammar: Column,
    extractor: Column,
    lang: Column,
    skip: Column,
    flags: Column,
    size: Column,
    lines: Column,
    symbols: Column,
    occurrences: Column,
    imports: Column,
    hints: Column,
    gaps: Column,
    entries: Column,
    chunks: Column,
}

impl Docs {
    /// Locates the table.
    pub(super) fn parse(mut walk: Walk<'_>, hash: Kind) -> Result<Self, Error> {
        let count = walk.u32()?;
        let rows = count as usize;
        if rows > MAX_DOCS_PER_SEGMENT {
            let limit = MAX_DOCS_PER_SEGMENT as u64;
            return Err(Error::TooLarge {
                what: "documents",
                found: rows as u64,
                limit,
            });
        }
        let ids = walk.skip(rows * hash.len_in_bytes())?;
        let extractors = read_extractors(&mut walk, rows)?;
        let mut column = || Column::parse(&mut walk, rows);
        let docs = Self {
            count,
            hash,
            ids,
            extractors,
            grammar: column()?,
            extractor: column()?,
            lang: column()?,
            skip: column()?,
            flags: column()?,
            size: column()?,
            lines: column()?,
            symbols: column()?,
            occurrences: column()?,
            imports: column()?,
            hints: column()?,
            gaps: column()?,
            entries: column()?,
            chunks: column()?,
        };
        walk.finish()?;
        Ok(docs)
    }

    pub(super) fn len(&self) -> u32 {
        self.count
    }

    fn blob<'a>(&self, bytes: &'a [u8], i: usize) -> &'a [u8] {
        let len = self.hash.len_in_bytes();
        let ids = bytes.get(self.ids.clone()).unwrap_or_default();
        ids.get(i * len..(i + 1) * len).unwrap_or_default()
    }

    fn grammar_of(&self, bytes: &[u8], i: usize) -> Grammar {
        grammar(self.grammar.get(bytes, i))
    }

    fn extractor_of(&self, bytes: &[u8], i: usize) -> Fingerprint {
        let place = usize::try_from(self.extractor.get(bytes, i)).ok();
        let found = place.and_then(|place| self.extractors.get(place));
        found.copied().unwrap_or(NO_EXTRACTOR)
    }

    /// Returns the key of a document; the null id when there is no such document.
    pub(super) fn key(&self, bytes: &[u8], doc: DocId) -> DocKey {
        let blob = BlobId::from_bytes(self.blob(bytes, doc.index()));
        DocKey {
            blob: blob.unwrap_or_else(|| BlobId::new(self.hash.null())),
            grammar: self.grammar_of(bytes, doc.index()),
        }
    }

    /// Returns the key of a row.
    pub(super) fn row_key(&self, bytes: &[u8], doc: DocId) -> RowKey {
        RowKey {
            doc: self.key(bytes, doc),
            extractor: self.extractor_of(bytes, doc.index()),
        }
    }

    /// Finds the first row that is not before something, by binary search.
    fn lower_bound(&self, order: impl Fn(usize) -> Ordering) -> usize {
        let (mut low, mut high) = (0, self.count as usize);
        while low < high {
            let middle = low + (high - low) / 2;
            match order(middle) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal | Ordering::Greater => high = middle,
            }
        }
        low
    }

    fn compare(&self, bytes: &[u8], i: usize, key: &DocKey) -> Ordering {
        let order = self.blob(bytes, i).cmp(key.blob.as_bytes());
        order.then_with(|| self.grammar_of(bytes, i).cmp(&key.grammar))
    }

    /// Finds the row that this program's extractor would make of a document.
    pub(super) fn find(&self, bytes: &[u8], key: &DocKey) -> Option<DocId> {
        let is_ours = |i: &usize| {
            let lang = grammar(self.lang.get(bytes, *i));
            self.extractor_of(bytes, *i) == fingerprint(key.grammar, lang)
        };
        let of_document = |i: &usize| self.compare(bytes, *i, key) == Ordering::Equal;
        let first = self.lower_bound(|i| self.compare(bytes, i, key));
        let mut rows = (first..self.count as usize).take_while(of_document);
        Some(DocId(rows.find(is_ours)? as u32))
    }

    /// Finds the row of a document and an extractor.
    pub(super) fn find_row(&self, bytes: &[u8], key: &RowKey) -> Option<DocId> {
        let order = |i| {
            let order = self.compare(bytes, i, &key.doc);
            order.then_with(|| self.extractor_of(bytes, i).cmp(&key.extractor))
        };
        let row = self.lower_bound(order);
        let is_there = row < self.count as usize && order(row) == Ordering::Equal;
        is_there.then_some(DocId(row as u32))
    }

    /// Returns a document's row.
    pub(super) fn row(&self, bytes: &[u8], doc: DocId) -> DocRow {
        let i = doc.index();
        DocRow {
            lang: grammar(self.lang.get(bytes, i)),
            skip: u8::try_from(self.skip.get(bytes, i))
                .ok()
                .and_then(SkipReason::from_code),
            flags: self.flags(bytes, doc),
            size: self.size.get(bytes, i),
            lines: self.lines.get32(bytes, i),
            chunks: self.chunks(bytes, doc),
        }
    }

    /// Returns a document's flags.
    pub(super) fn flags(&self, bytes: &[u8], doc: DocId) -> DocFlags {
        DocFlags(self.flags.get(bytes, doc.index()) as u8)
    }

    /// Returns a document's chunks.
    pub(super) fn chunks(&self, bytes: &[u8], doc: DocId) -> Range<ChunkId> {
        let Range { start, end } = self.chunks.range(bytes, doc.index());
        ChunkId(start)..ChunkId(end)
    }

    /// Returns where a document's stream lies in its chunk.
    pub(super) fn stream(&self, bytes: &[u8], tag: ChunkTag, doc: DocId) -> Range<usize> {
        let column = match tag {
            ChunkTag::Symbols => &self.symbols,
            ChunkTag::Occurrences => &self.occurrences,
            ChunkTag::Imports => &self.imports,
            ChunkTag::Gaps => &self.gaps,
            ChunkTag::Entries => &self.entries,
            _ => &self.hints,
        };
        let range = column.range(bytes, doc.index());
        range.start as usize..range.end as usize
    }

    /// Returns the document that a chunk belongs to.
    pub(super) fn of_chunk(&self, bytes: &[u8], chunk: ChunkId) -> DocId {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.chunks.get32(bytes, middle as usize) <= chunk.0 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        DocId(low.min(self.count.saturating_sub(1)))
    }

    /// The documents that chunks belong to, each once, of chunks in ascending order: what comes next is near what came
    /// last, and found in steps that double.
    pub(super) fn of_chunks<'a>(
        &'a self,
        bytes: &'a [u8],
        chunks: impl Iterator<Item = ChunkId> + 'a,
    ) -> impl Iterator<Item = DocId> + 'a {
        let end = |doc: u32| self.chunks.get32(bytes, doc as usize);
        let mut known: Option<(u32, u32)> = None;
        chunks.filter_map(move |chunk| {
            if known.is_some_and(|(_, end)| chunk.0 < end) {
                return None;
            }
            let (mut low, mut step) = (known.map_or(0, |(doc, _)| doc + 1), 1);
            let is_before = |doc: u32| doc < self.count && end(doc) <= chunk.0;
            while is_before(low.saturating_add(step - 1)) {
                (low, step) = (low + step, step.saturating_mul(2));
            }
            let mut high = low.saturating_add(step - 1).min(self.count);
            while low < high {
                let middle = low + (high - low) / 2;
                match end(middle) <= chunk.0 {
                    true => low = middle + 1,
                    false => high = middle,
                }
            }
            let doc = low.min(self.count.checked_sub(1)?);
            known = Some((doc, end(doc)));
            Some(DocId(doc))
        })
    }

    /// Checks that documents end one after another, the last one where streams and chunks do.
    pub(super) fn check(
        &self,
        bytes: &[u8],
        chunks: u32,
        streams: [(ChunkTag, usize); STREAMS.len()],
    ) -> Result<(), Error> {
        let last = self.count.checked_sub(1).map(DocId);
        let end = last.map_or(0, |last| self.row(bytes, last).chunks.end.0);
        let ends = |(tag, len)| last.map_or(0, |last| self.stream(bytes, tag, last).end) == len;
        if end != chunks || !streams.into_iter().all(ends) {
            return Err(Error::Damaged("end of the last document"));
        }
        // Ids that are handed out have to be in range, and no byte may be read for two documents:
        // a segment could stand for any amount of records otherwise.
        for column in [
            &self.symbols,
            &self.occurrences,
            &self.imports,
            &self.hints,
            &self.gaps,
            &self.entries,
            &self.chunks,
        ] {
            let mut end = 0;
            for i in 0..self.count as usize {
                let next = column.get(bytes, i);
                if next < end {
                    return Err(Error::Damaged("order of the ends of documents"));
                }
                end = next;
            }
        }
        Ok(())
    }
}

fn grammar(code: u64) -> Grammar {
    u8::try_from(code).map_or(Grammar::Text, Grammar::from_code)
}

/// Reads the table of fingerprints, of which there are no more than rows.
fn read_extractors(walk: &mut Walk<'_>, rows: usize) -> Result<Vec<Fingerprint>, Error> {
    let count = walk.u32()? as usize;
    if count > rows {
        return Err(Error::Damaged("number of extractors"));
    }
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        out.push(Fingerprint(walk.u64()?));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<(RowKey, DocRecord)> {
        let id = |byte| BlobId::from_bytes(&[byte; 20]).unwrap();
        let doc = |byte, grammar, extractor| {
            let doc = DocKey {
                blob: id(byte),
                grammar,
            };
            let key = RowKey { doc, extractor };
            (key, DocRecord::empty(grammar, 1 << 40))
        };
        let ours = |grammar| fingerprint(grammar, grammar);
        let mut all = vec![
            doc(1, Grammar::C, ours(Grammar::C)),
            doc(1, Grammar::Cpp, ours(Grammar::Cpp)),
            doc(9, Grammar::Go, ours(Grammar::Go)),
            doc(9, Grammar::Go, Fingerprint(3)),
            doc(9, Grammar::from_code(200), Fingerprint(u64::MAX)),
        ];
        all.sort_by_key(|(key, _)| *key);
        all
    }

    fn table(ends: [u64; 5]) -> (Vec<u8>, Docs) {
        let ends = ends.to_vec();
        let ends = Ends {
            symbols: ends.clone(),
            occurrences: ends.clone(),
            imports: ends.clone(),
            hints: ends.clone(),
            gaps: ends.clone(),
            entries: ends,
        };
        let bytes = encode(&sample(), &ends);
        let docs = Docs::parse(Walk::new(&bytes, 0..bytes.len()), Kind::Sha1).unwrap();
        (bytes, docs)
    }

    #[test]
    fn rows_are_found_by_all_parts_of_their_key() {
        let (bytes, docs) = table([5, 5, 7, 7, 9]);
        for ((key, record), i) in sample().iter().zip(0..) {
            assert_eq!(docs.find_row(&bytes, key), Some(DocId(i)));
            assert_eq!(docs.row_key(&bytes, DocId(i)), *key);
            assert_eq!(docs.row(&bytes, DocId(i)).size, record.size);
            assert_eq!(docs.row(&bytes, DocId(i)).lang, record.lang);
            let ours = fingerprint(record.lang, record.lang);
            let found = docs.find(&bytes, &key.doc);
            assert_eq!(found == Some(DocId(i)), key.extractor == ours, "{key:?}");
        }
        let mut missing = sample()[1].0;
        missing.doc.grammar = Grammar::Rust;
        assert_eq!(docs.find(&bytes, &missing.doc), None);
        assert_eq!(docs.find_row(&bytes, &missing), None);
        assert_eq!(docs.stream(&bytes, ChunkTag::Symbols, DocId(1)), 5..5);
        assert_eq!(docs.stream(&bytes, ChunkTag::Imports, DocId(2)), 5..7);
    }

    #[test]
    fn streams_that_overlap_or_leave_bytes_over_are_refused() {
        let check = |ends, len| {
            let (bytes, docs) = table(ends);
            docs.check(&bytes, 0, STREAMS.map(|tag| (tag, len)))
        };
        check([5, 5, 7, 7, 9], 9).unwrap();
        assert!(check([5, 5, 7, 7, 9], 8).is_err());
        assert!(check([7, 0, 7, 7, 9], 9).is_err());
    }
}
