//! Bytes to a segment that can be asked.

use super::chunks::{ChunkRow, Chunks};
use super::container::Container;
use super::dict::{Dict, DictCursor};
use super::docs::{DocRow, Docs, STREAMS};
use super::error::Error;
use super::folded::{DefinedNames, Folded};
use super::format::{ChunkTag, HEADER_BYTES};
use super::imports::Imports;
use super::lists::Lists;
use super::names::WordDict;
use super::occurrences::{Occurrences, OccurrencesOf};
use super::postings::{DocUse, DocUses};
use super::symbols::Symbols;
use super::terms::Postings;
use super::{entries, gaps, hints};
use crate::extract::record::{
    DocFlags, DocKey, Entry, FIELDS, Fingerprint, Gaps, RowKey, TypeHints,
};
use crate::id::{ChunkId, DocId, NameId, SegmentId};
use gix::hash::Kind;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// An opened segment: its bytes, and where in them each part lies.
///
/// Cloning is cheap and shares the bytes. Ids that are not of this segment give empty answers.
#[derive(Clone)]
pub struct Segment {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    pub(super) container: Container,
    docs: Docs,
    names: Dict,
    folded: Folded,
    subwords: WordDict,
    name_postings: Lists,
    chunks: Chunks,
    terms: Dict,
    term_postings: Lists,
    /// Which segment of an index it is; `None` for documents that this user's programs have extracted
    /// and that are in no index.
    pub(crate) name: Option<SegmentId>,
}

impl Segment {
    /// Opens a segment after a check of its header and of the extent of every part.
    ///
    /// The cost does not grow with the bytes of the segment but for one comparison a document;
    /// [`Segment::verify`] is the deep check. Fails when the bytes are no segment, of another layout,
    /// over a limit, or damaged.
    pub fn open(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, Error> {
        let shared: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(bytes);
        let bytes = (*shared).as_ref();
        let container = Container::open(bytes)?;
        let walk = |tag| container.walk(bytes, tag);
        let docs = Docs::parse(walk(ChunkTag::Docs), container.hash)?;
        let chunks = Chunks::parse(walk(ChunkTag::Chunks))?;
        let streams = STREAMS.map(|tag| (tag, container.chunk(tag).len()));
        docs.check(bytes, chunks.len(), streams)?;
        let (names, name_postings) =
            dict_with_lists(walk(ChunkTag::Names), walk(ChunkTag::NamePostings))?;
        let (terms, term_postings) =
            dict_with_lists(walk(ChunkTag::Terms), walk(ChunkTag::TermPostings))?;
        let folded = Folded::parse(walk(ChunkTag::Folded), names.clone())?;
        let subwords = WordDict::parse(walk(ChunkTag::Subwords), names.len())?;
        Ok(Self {
            container,
            docs,
            names,
            folded,
            subwords,
            name_postings,
            chunks,
            terms,
            term_postings,
            bytes: shared,
            name: None,
        })
    }

    /// Says which segment of an index it is; whoever says so has compared its bytes with the id.
    pub fn named(mut self, id: SegmentId) -> Self {
        self.name = Some(id);
        self
    }

    /// Returns the hash of the blob ids.
    pub fn hash_kind(&self) -> Kind {
        self.container.hash
    }

    /// Returns the fingerprints of the extractors that made its records, in order.
    pub fn extractors(&self) -> &[Fingerprint] {
        &self.docs.extractors
    }

    /// Returns the checksum of its header, which covers those of all parts: it names the content.
    pub fn checksum(&self) -> u64 {
        let head = self.bytes().get(..HEADER_BYTES);
        let checksum = head.and_then(|head| head.last_chunk::<8>());
        checksum.map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// Returns the whole segment.
    pub fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// Returns how many bytes each part takes.
    pub fn sizes(&self) -> [(ChunkTag, usize); super::format::CHUNKS] {
        ChunkTag::ALL.map(|tag| (tag, self.container.chunk(tag).len()))
    }

    /// Number of documents.
    pub fn doc_count(&self) -> u32 {
        self.docs.len()
    }

    /// Number of chunks.
    pub fn chunk_count(&self) -> u32 {
        self.chunks.len()
    }

    /// Number of names.
    pub fn name_count(&self) -> u32 {
        self.names.len()
    }

    /// Number of terms.
    pub fn term_count(&self) -> u32 {
        self.terms.len()
    }

    /// Iterates over all documents.
    pub fn doc_ids(&self) -> impl ExactSizeIterator<Item = DocId> + use<> {
        (0..self.doc_count()).map(DocId)
    }

    /// Finds what this program's extractor says of a document.
    pub fn find(&self, key: &DocKey) -> Option<DocId> {
        self.docs.find(self.bytes(), key)
    }

    /// Finds what an extractor says of a document.
    pub fn find_row(&self, key: &RowKey) -> Option<DocId> {
        self.docs.find_row(self.bytes(), key)
    }

    /// Returns which document a row is of.
    pub fn key(&self, doc: DocId) -> DocKey {
        self.docs.key(self.bytes(), doc)
    }

    /// Returns the key of a row.
    pub fn row_key(&self, doc: DocId) -> RowKey {
        self.docs.row_key(self.bytes(), doc)
    }

    /// Returns the first and the last key; `None` when there are no documents.
    pub fn key_range(&self) -> Option<(RowKey, RowKey)> {
        let last = self.doc_count().checked_sub(1)?;
        Some((self.row_key(DocId(0)), self.row_key(DocId(last))))
    }

    /// Returns what is recorded of a document as a whole.
    pub fn doc(&self, doc: DocId) -> DocRow {
        self.docs.row(self.bytes(), doc)
    }

    /// Returns the flags of a document, without the rest of its row.
    pub fn flags(&self, doc: DocId) -> DocFlags {
        self.docs.flags(self.bytes(), doc)
    }

    /// Returns the chunks of a document, without the rest of its row.
    pub fn chunks_of(&self, doc: DocId) -> Range<ChunkId> {
        self.docs.chunks(self.bytes(), doc)
    }

    /// Appends the bytes of a name to `out`.
    pub fn name(&self, name: NameId, out: &mut Vec<u8>) {
        self.names.get(self.bytes(), name.0, out);
    }

    /// Returns the number of a name.
    pub fn name_id(&self, name: &[u8]) -> Option<NameId> {
        self.names.find(self.bytes(), name).map(NameId)
    }

    /// Walks over all names in byte order; the ranks it gives are [`NameId`]s.
    pub fn all_names(&self) -> DictCursor<'_> {
        self.names.cursor(self.bytes(), 0)
    }

    /// Iterates over the documents that define a name or in which it occurs.
    pub fn uses(&self, name: NameId) -> DocUses<'_> {
        DocUses::new(
            self.name_postings.get(self.bytes(), name.0),
            self.doc_count(),
        )
    }

    /// Iterates over the documents with a symbol of this name.
    pub fn defining_docs(&self, name: NameId) -> impl Iterator<Item = DocId> + '_ {
        self.uses(name)
            .filter(|found| found.defines)
            .map(|found| found.doc)
    }

    /// Iterates over the documents in which a name occurs, with how often.
    pub fn occurring_docs(&self, name: NameId) -> impl Iterator<Item = (DocId, u32)> + '_ {
        let occurs = |found: DocUse| (found.count > 0).then_some((found.doc, found.count));
        self.uses(name).filter_map(occurs)
    }

    fn stream(&self, tag: ChunkTag, doc: DocId) -> &[u8] {
        let chunk = self
            .bytes()
            .get(self.container.chunk(tag))
            .unwrap_or_default();
        chunk
            .get(self.docs.stream(self.bytes(), tag, doc))
            .unwrap_or_default()
    }

    /// Iterates over the symbols of a document, in order.
    pub fn symbols(&self, doc: DocId) -> Symbols<'_> {
        Symbols::new(self.stream(ChunkTag::Symbols, doc), self.name_count())
    }

    /// Iterates over the occurrences of a document, in source order.
    pub fn occurrences(&self, doc: DocId) -> Occurrences<'_> {
        Occurrences::new(self.stream(ChunkTag::Occurrences, doc), self.name_count())
    }

    /// Iterates over the occurrences of one name in a document, in source order.
    pub fn occurrences_of(&self, doc: DocId, name: NameId) -> OccurrencesOf<'_> {
        OccurrencesOf::new(self.occurrences(doc), name)
    }

    /// Iterates over the imports of a document, in source order.
    pub fn imports(&self, doc: DocId) -> Imports<'_> {
        Imports::new(self.stream(ChunkTag::Imports, doc), self.name_count())
    }

    /// Reads the local names of a document and what is known of its values. What a malformed stream
    /// says before it goes wrong counts.
    pub fn hints(&self, doc: DocId) -> TypeHints {
        hints::read(self.stream(ChunkTag::Hints, doc)).0
    }

    /// Reads the hints of a document; `None` when their stream is malformed.
    pub(super) fn whole_hints(&self, doc: DocId) -> Option<TypeHints> {
        let (hints, whole) = hints::read(self.stream(ChunkTag::Hints, doc));
        whole.then_some(hints)
    }

    /// Reads what of a document was not understood. What a malformed stream says before it goes wrong counts.
    pub fn gaps(&self, doc: DocId) -> Gaps {
        gaps::read(self.stream(ChunkTag::Gaps, doc)).0
    }

    /// Reads what of a document was not understood; `None` when the stream is malformed.
    pub(super) fn whole_gaps(&self, doc: DocId) -> Option<Gaps> {
        let (gaps, whole) = gaps::read(self.stream(ChunkTag::Gaps, doc));
        whole.then_some(gaps)
    }

    /// The entry points that a document states, in its order, up to where they are malformed.
    pub fn entries(&self, doc: DocId) -> Vec<Entry> {
        entries::read(self.stream(ChunkTag::Entries, doc)).0
    }

    /// Whether a document states entry points, which costs nothing to ask.
    pub fn has_entries(&self, doc: DocId) -> bool {
        !self.stream(ChunkTag::Entries, doc).is_empty()
    }

    /// The same as [`Segment::entries`]; `None` when the stream is malformed.
    pub(super) fn whole_entries(&self, doc: DocId) -> Option<Vec<Entry>> {
        let (entries, whole) = entries::read(self.stream(ChunkTag::Entries, doc));
        whole.then_some(entries)
    }

    /// Returns the document that a chunk is part of.
    pub fn chunk_doc(&self, chunk: ChunkId) -> DocId {
        self.docs.of_chunk(self.bytes(), chunk)
    }

    /// The documents that chunks belong to, each once and in order, of chunks in ascending order.
    pub fn chunk_docs<'a>(
        &'a self,
        chunks: impl Iterator<Item = ChunkId> + 'a,
    ) -> impl Iterator<Item = DocId> + 'a {
        self.docs.of_chunks(self.bytes(), chunks)
    }

    /// Returns what is recorded of a chunk as a whole.
    pub fn chunk(&self, chunk: ChunkId) -> ChunkRow {
        self.chunks.row(self.bytes(), chunk, self.chunk_doc(chunk))
    }

    /// Returns the position of the symbol that a chunk shows, in those of its document.
    pub fn chunk_symbol(&self, chunk: ChunkId) -> Option<u32> {
        self.chunks.symbol(self.bytes(), chunk)
    }

    /// Returns the first and the last line of a chunk.
    pub fn chunk_lines(&self, chunk: ChunkId) -> (u32, u32) {
        self.chunks.lines(self.bytes(), chunk)
    }

    /// Returns the number of terms of a chunk by field.
    pub fn field_len(&self, chunk: ChunkId) -> [u16; FIELDS] {
        self.chunks.field_len(self.bytes(), chunk)
    }

    /// Returns the number of terms of all chunks of a document, by field.
    pub fn chunk_lengths_sum(&self, doc: DocId) -> [u64; FIELDS] {
        let Range { start, end } = self.chunks_of(doc);
        let mut sum = [0; FIELDS];
        for chunk in (start.0..end.0).map(ChunkId) {
            let lengths = self.field_len(chunk);
            sum.iter_mut()
                .zip(lengths)
                .for_each(|(sum, len)| *sum += u64::from(len));
        }
        sum
    }

    /// Hands out the chunks of each of several terms, which are in ascending order, with its position
    /// among them; terms that no chunk has are left out.
    pub fn postings_each<T: AsRef<[u8]>>(
        &self,
        terms: &[T],
        mut found: impl FnMut(usize, Postings<'_>),
    ) {
        let bytes = self.bytes();
        self.terms.find_each(bytes, terms, |at, term| {
            let list = self.term_postings.get(bytes, term);
            found(at, Postings::new(list, self.chunk_count()));
        });
    }

    /// Iterates over the chunks that have a term; `None` when none has.
    pub fn postings(&self, term: &[u8]) -> Option<Postings<'_>> {
        let term = self.terms.find(self.bytes(), term)?;
        let list = self.term_postings.get(self.bytes(), term);
        Some(Postings::new(list, self.chunk_count()))
    }

    /// Walks over all terms in byte order.
    pub fn all_terms(&self) -> DictCursor<'_> {
        self.terms.cursor(self.bytes(), 0)
    }

    /// Iterates over the posting lists of all terms, in the order of [`Segment::all_terms`].
    pub fn all_postings(&self) -> impl Iterator<Item = Postings<'_>> {
        let chunks = self.chunk_count();
        self.term_postings
            .iter(self.bytes())
            .map(move |list| Postings::new(list, chunks))
    }

    /// Iterates over the names of symbols that are `folded` when folded.
    pub fn names_folded<'a>(&'a self, folded: &'a [u8]) -> impl Iterator<Item = NameId> + 'a {
        self.folded.lookup(self.bytes(), folded)
    }

    /// Iterates over the names of symbols that have `subword`, itself folded, as a part.
    pub fn names_with_subword(&self, subword: &[u8]) -> impl Iterator<Item = NameId> + '_ {
        self.subwords.lookup(self.bytes(), subword)
    }

    /// Walks over the names of symbols in the order of their bytes.
    pub fn defined_names(&self) -> DefinedNames<'_> {
        self.folded.defined(self.bytes())
    }

    /// Returns how many names symbols have.
    pub fn defined_name_count(&self) -> usize {
        self.folded.len()
    }
}

/// Locates a dictionary and the lists of its keys, each alone in its chunk.
fn dict_with_lists(
    mut dict: super::container::Walk<'_>,
    mut lists: super::container::Walk<'_>,
) -> Result<(Dict, Lists), Error> {
    let found = Dict::parse(&mut dict)?;
    dict.finish()?;
    let of_keys = Lists::parse(&mut lists, found.len())?;
    lists.finish()?;
    Ok((found, of_keys))
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segment")
            .field("docs", &self.doc_count())
            .field("chunks", &self.chunk_count())
            .field("names", &self.name_count())
            .field("bytes", &self.bytes().len())
            .finish()
    }
}
