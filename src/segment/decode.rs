//! Bytes back to document records.

use super::error::Error;
use super::reader::Segment;
use crate::extract::record::{
    Binding, Chunk, DocRecord, Import, NameTable, Occurrence, RowKey, Symbol, TermFreq,
};
use crate::id::{ChunkId, DocId, LocalName, NameId};
use crate::limits::MAX_SEGMENT_BYTES;

/// Most bytes of names and terms that records may hold together. Records repeat them by document,
/// but no more often than the source does, so only a hostile segment comes near.
const MAX_DECODED_BYTES: usize = 8 * MAX_SEGMENT_BYTES;

impl Segment {
    /// Returns all documents, in order of their keys.
    ///
    /// Names are numbered in order of their first use by symbols, then occurrences, then imports;
    /// terms in byte order. Fails when a stream is malformed.
    pub fn to_records(&self) -> Result<Vec<(RowKey, DocRecord)>, Error> {
        self.records_where(|_| true)
    }

    /// Returns the documents whose key passes `keep`, in order of their keys and as
    /// [`Segment::to_records`] does. Fails when a stream is malformed.
    pub fn records_where(
        &self,
        keep: impl Fn(&RowKey) -> bool,
    ) -> Result<Vec<(RowKey, DocRecord)>, Error> {
        let mut names = Renumber::new(self);
        let mut docs = Vec::new();
        // For each chunk that is kept, its document in `docs` and its position there.
        let mut places = vec![None; self.chunk_count() as usize];
        for doc in self.doc_ids() {
            let key = self.row_key(doc);
            if !keep(&key) {
                continue;
            }
            let record = self.record(doc, &mut names)?;
            let start = self.doc(doc).chunks.start.index();
            for i in 0..record.chunks.len() {
                if let Some(place) = places.get_mut(start + i) {
                    *place = Some((docs.len() as u32, i as u32));
                }
            }
            docs.push((key, record));
        }
        self.fill_terms(&mut docs, &places, names.left)?;
        Ok(docs)
    }

    /// Reads everything of a document but its terms.
    fn record(&self, doc: DocId, names: &mut Renumber<'_>) -> Result<DocRecord, Error> {
        let row = self.doc(doc);
        let mut record = DocRecord::empty(row.lang, row.size);
        (record.skip, record.flags, record.lines) = (row.skip, row.flags, row.lines);
        let mut stream = self.symbols(doc);
        for symbol in stream.by_ref() {
            record.symbols.push(names.symbol(symbol)?);
        }
        let mut occurrences = self.occurrences(doc);
        for occurrence in occurrences.by_ref() {
            record.occurrences.push(names.occurrence(occurrence)?);
        }
        let mut imports = self.imports(doc);
        for import in imports.by_ref() {
            record.imports.push(names.import(import)?);
        }
        let values = self.whole_hints(doc).zip(self.whole_gaps(doc));
        let values = values.zip(self.whole_entries(doc));
        let failed = stream.failed || occurrences.failed || imports.failed;
        let Some(((hints, gaps), entries)) = values.filter(|_| !failed) else {
            return Err(Error::Damaged("a document's stream is malformed"));
        };
        (record.hints, record.gaps, record.entries) = (hints, gaps, entries);
        let chunk = |id| {
            let row = self.chunk(ChunkId(id));
            Chunk {
                start_line: row.start_line,
                end_line: row.end_line,
                symbol: row.symbol,
                field_len: row.field_len,
                content_hash: row.content_hash,
                terms: Vec::new(),
            }
        };
        record.chunks = (row.chunks.start.0..row.chunks.end.0).map(chunk).collect();
        record.names = names.finish();
        Ok(record)
    }

    fn fill_terms(
        &self,
        docs: &mut [(RowKey, DocRecord)],
        places: &[Option<(u32, u32)>],
        mut left: usize,
    ) -> Result<(), Error> {
        let mut terms = self.all_terms();
        for postings in self.all_postings() {
            let Some((_, term)) = terms.advance() else {
                break;
            };
            let mut last = None;
            for posting in postings {
                let place = places.get(posting.chunk.index()).copied().flatten();
                let Some((doc, chunk)) = place else { continue };
                let Some((_, record)) = docs.get_mut(doc as usize) else {
                    continue;
                };
                let local = match last {
                    Some((same, local)) if same == doc => local,
                    _ => {
                        left = left.checked_sub(term.len()).ok_or(TOO_MUCH)?;
                        record.terms.push(term)
                    }
                };
                last = Some((doc, local));
                if let Some(chunk) = record.chunks.get_mut(chunk as usize) {
                    chunk.terms.push(TermFreq {
                        term: local,
                        tf: posting.tf,
                    });
                }
            }
        }
        Ok(())
    }
}

const TOO_MUCH: Error = Error::Damaged("its names would fill memory when decoded");

/// Numbers the names of one document after another in order of first use.
struct Renumber<'a> {
    segment: &'a Segment,
    /// By segment's number, the document's number plus one.
    locals: Vec<u32>,
    seen: Vec<NameId>,
    table: NameTable,
    buffer: Vec<u8>,
    left: usize,
}

impl<'a> Renumber<'a> {
    fn new(segment: &'a Segment) -> Self {
        Self {
            segment,
            locals: vec![0; segment.name_count() as usize],
            seen: Vec::new(),
            table: NameTable::default(),
            buffer: Vec::new(),
            left: MAX_DECODED_BYTES,
        }
    }

    fn local(&mut self, name: NameId) -> Result<LocalName, Error> {
        let bad = Error::Damaged("a name is out of range");
        let local = self.locals.get_mut(name.index()).ok_or(bad)?;
        if *local == 0 {
            self.buffer.clear();
            self.segment.name(name, &mut self.buffer);
            self.left = self.left.checked_sub(self.buffer.len()).ok_or(TOO_MUCH)?;
            *local = self.table.push(&self.buffer).0 + 1;
            self.seen.push(name);
        }
        Ok(LocalName(*local - 1))
    }

    /// Hands out the table and starts the next one.
    fn finish(&mut self) -> NameTable {
        for name in self.seen.drain(..) {
            self.locals[name.index()] = 0;
        }
        std::mem::take(&mut self.table)
    }

    fn symbol(&mut self, symbol: Symbol<NameId>) -> Result<Symbol<LocalName>, Error> {
        Ok(Symbol {
            name: self.local(symbol.name)?,
            receiver: symbol.receiver.map(|name| self.local(name)).transpose()?,
            kind: symbol.kind,
            flags: symbol.flags,
            container: symbol.container,
            span: symbol.span,
            start_line: symbol.start_line,
            start_col: symbol.start_col,
            end_line: symbol.end_line,
            end_col: symbol.end_col,
            name_line: symbol.name_line,
            name_col: symbol.name_col,
            signature: symbol.signature,
            doc: symbol.doc,
            body_hash: symbol.body_hash,
        })
    }

    fn occurrence(&mut self, found: Occurrence<NameId>) -> Result<Occurrence<LocalName>, Error> {
        Ok(Occurrence {
            name: self.local(found.name)?,
            line: found.line,
            col: found.col,
            kind: found.kind,
            qualifier: found.qualifier,
        })
    }

    fn import(&mut self, import: Import<NameId>) -> Result<Import<LocalName>, Error> {
        let mut binding = |found: Binding<NameId>| -> Result<_, Error> {
            let imported = found.imported.map(|name| self.local(name)).transpose()?;
            let local = found.local.map(|name| self.local(name)).transpose()?;
            Ok(Binding { imported, local })
        };
        let bindings = import.bindings.into_iter().map(&mut binding);
        Ok(Import {
            bindings: bindings.collect::<Result<_, _>>()?,
            kind: import.kind,
            line: import.line,
            specifier: import.specifier,
        })
    }
}
