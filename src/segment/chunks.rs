//! The `CHNK` chunk: one row a searchable span, in document order.

use super::column::Column;
use super::container::Walk;
use super::error::Error;
use crate::extract::record::{Chunk, FIELDS};
use crate::id::{ChunkId, DocId};
use std::ops::Range;

const HASH_BYTES: usize = 8;

/// What a segment's table says of one chunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChunkRow {
    /// The document it is part of.
    pub doc: DocId,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Position of the symbol it shows in the document's symbols. Of a segment that is not
    /// verified it may be past their end.
    pub symbol: Option<u32>,
    /// Number of terms by field.
    pub field_len: [u16; FIELDS],
    /// xxh3-64 of the chunk's bytes.
    pub content_hash: u64,
}

/// Encodes the table.
pub(super) fn encode<'a>(chunks: impl Iterator<Item = &'a Chunk> + Clone) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(&(chunks.clone().count() as u32).to_le_bytes());
    let extent = |chunk: &Chunk| u64::from(chunk.end_line.wrapping_sub(chunk.start_line));
    let symbol = |chunk: &Chunk| chunk.symbol.map_or(0, |symbol| u64::from(symbol) + 1);
    Column::write(
        &mut out,
        chunks.clone().map(|chunk| u64::from(chunk.start_line)),
    );
    Column::write(&mut out, chunks.clone().map(extent));
    Column::write(&mut out, chunks.clone().map(symbol));
    for field in 0..FIELDS {
        Column::write(
            &mut out,
            chunks
                .clone()
                .map(|chunk| u64::from(chunk.field_len[field])),
        );
    }
    for chunk in chunks {
        out.extend_from_slice(&chunk.content_hash.to_le_bytes());
    }
    out
}

/// Where the table lies in its segment.
#[derive(Clone, Debug)]
pub(super) struct Chunks {
    count: u32,
    start_line: Column,
    extent: Column,
    symbol: Column,
    field_len: [Column; FIELDS],
    content_hash: Range<usize>,
}

impl Chunks {
    /// Locates the table.
    pub(super) fn parse(mut walk: Walk<'_>) -> Result<Self, Error> {
        let count = walk.u32()?;
        let mut column = || Column::parse(&mut walk, count as usize);
        let mut chunks = Self {
            count,
            start_line: column()?,
            extent: column()?,
            symbol: column()?,
            field_len: Default::default(),
            content_hash: 0..0,
        };
        for field in &mut chunks.field_len {
            *field = column()?;
        }
        // Eight bytes a chunk, which bounds the number of chunks by the bytes there are.
        chunks.content_hash = walk.skip(count as usize * HASH_BYTES)?;
        walk.finish()?;
        Ok(chunks)
    }

    pub(super) fn len(&self) -> u32 {
        self.count
    }

    /// First and last line of a chunk.
    pub(super) fn lines(&self, bytes: &[u8], chunk: ChunkId) -> (u32, u32) {
        let i = chunk.index();
        let start = self.start_line.get32(bytes, i);
        (start, start.wrapping_add(self.extent.get32(bytes, i)))
    }

    /// Returns a chunk's row; of `doc` as told.
    pub(super) fn row(&self, bytes: &[u8], chunk: ChunkId, doc: DocId) -> ChunkRow {
        let i = chunk.index();
        let start_line = self.start_line.get32(bytes, i);
        ChunkRow {
            doc,
            start_line,
            end_line: start_line.wrapping_add(self.extent.get32(bytes, i)),
            symbol: self.symbol(bytes, chunk),
            field_len: self.field_len(bytes, chunk),
            content_hash: self.content_hash(bytes, i),
        }
    }

    /// Returns the position of the symbol that a chunk shows.
    pub(super) fn symbol(&self, bytes: &[u8], chunk: ChunkId) -> Option<u32> {
        let symbol = self.symbol.get(bytes, chunk.index()).checked_sub(1);
        symbol.map(|symbol| symbol as u32)
    }

    fn content_hash(&self, bytes: &[u8], i: usize) -> u64 {
        let hashes = bytes.get(self.content_hash.clone()).unwrap_or_default();
        let hash = hashes
            .get(i * HASH_BYTES..)
            .and_then(|rest| rest.first_chunk());
        hash.map_or(0, |&hash| u64::from_le_bytes(hash))
    }

    /// Returns the number of terms of a chunk by field.
    pub(super) fn field_len(&self, bytes: &[u8], chunk: ChunkId) -> [u16; FIELDS] {
        std::array::from_fn(|field| self.field_len[field].get(bytes, chunk.index()) as u16)
    }
}
