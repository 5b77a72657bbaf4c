//! The chunk container: header, table of contents, chunks one behind the other.
//!
//! The header's checksum covers the table of contents and is checked on open; a chunk's checksum
//! is checked only by a deep check, so that opening costs the same for any size.

use super::error::Error;
use super::format::{
    CHUNKS, ChunkTag, HEADER_BYTES, LAYOUT_VERSION, MAGIC, TOC_ENTRY_BYTES, hash_code, hash_kind,
};
use crate::limits::MAX_SEGMENT_BYTES;
use gix::hash::Kind;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// What no layout has a use for yet.
const RESERVED: u32 = 0;
const TOC_END: usize = HEADER_BYTES + CHUNKS * TOC_ENTRY_BYTES;

/// What the header and the table of contents say.
#[derive(Clone, Debug)]
pub(super) struct Container {
    /// Hash of the blob ids.
    pub(super) hash: Kind,
    chunks: [(Range<usize>, u64); CHUNKS],
}

/// Joins the chunks, given in stored order, to a segment.
pub(super) fn write(hash: Kind, chunks: &[Vec<u8>; CHUNKS]) -> Result<Vec<u8>, Error> {
    let code = hash_code(hash).ok_or(Error::Hash {
        found: hash,
        expected: Kind::Sha1,
    })?;
    let total = TOC_END + chunks.iter().map(Vec::len).sum::<usize>();
    check_size(total)?;
    let mut toc = Vec::with_capacity(TOC_END - HEADER_BYTES);
    for (tag, chunk) in ChunkTag::ALL.iter().zip(chunks) {
        toc.extend_from_slice(&tag.id());
        toc.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
        toc.extend_from_slice(&xxh3_64(chunk).to_le_bytes());
    }
    let mut out = Vec::with_capacity(total);
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&LAYOUT_VERSION.to_le_bytes());
    out.push(code);
    out.push(CHUNKS as u8);
    out.extend_from_slice(&RESERVED.to_le_bytes());
    out.extend_from_slice(&(total as u64).to_le_bytes());
    let checksum = header_checksum(&out, &toc);
    out.extend_from_slice(&checksum.to_le_bytes());
    out.extend_from_slice(&toc);
    chunks.iter().for_each(|chunk| out.extend_from_slice(chunk));
    Ok(out)
}

fn header_checksum(head: &[u8], toc: &[u8]) -> u64 {
    xxh3_64(&[head, toc].concat())
}

fn check_size(bytes: usize) -> Result<(), Error> {
    if bytes > MAX_SEGMENT_BYTES {
        let (found, limit) = (bytes as u64, MAX_SEGMENT_BYTES as u64);
        return Err(Error::TooLarge {
            what: "bytes",
            found,
            limit,
        });
    }
    Ok(())
}

impl Container {
    /// Reads and checks header and table of contents; the chunks' own bytes are not looked at.
    pub(super) fn open(bytes: &[u8]) -> Result<Self, Error> {
        if !bytes.starts_with(&MAGIC) {
            return Err(Error::Magic);
        }
        check_size(bytes.len())?;
        let expected = TOC_END as u64;
        let short = Error::Length {
            expected,
            actual: bytes.len() as u64,
        };
        let mut walk = Walk::new(bytes, MAGIC.len()..bytes.len());
        let Ok(found) = walk.u16() else {
            return Err(short);
        };
        if found != LAYOUT_VERSION {
            return Err(Error::Layout {
                found,
                known: LAYOUT_VERSION,
            });
        }
        if bytes.len() < TOC_END {
            return Err(short);
        }
        let hash = walk.byte()?;
        let count = walk.byte()?;
        let reserved = walk.u32()?;
        let expected = walk.u64()?;
        let checksum = walk.u64()?;
        let (head, toc) = (&bytes[..HEADER_BYTES - 8], &bytes[HEADER_BYTES..TOC_END]);
        if header_checksum(head, toc) != checksum {
            return Err(Error::Damaged("checksum of the header"));
        }
        if usize::from(count) != CHUNKS {
            return Err(Error::Damaged("number of chunks"));
        }
        if reserved != RESERVED {
            return Err(Error::Damaged("reserved bytes of the header"));
        }
        let hash = hash_kind(hash).ok_or(Error::Damaged("code of the hash"))?;
        let mut chunks = [const { (0..0, 0) }; CHUNKS];
        let mut start = TOC_END;
        for (tag, chunk) in ChunkTag::ALL.iter().zip(&mut chunks) {
            if walk.u32()? != u32::from_le_bytes(tag.id()) {
                return Err(Error::Damaged("order of chunks"));
            }
            let end = start + walk.u32()? as usize;
            *chunk = (start..end, walk.u64()?);
            start = end;
        }
        let actual = bytes.len() as u64;
        if actual != expected || start != bytes.len() {
            return Err(Error::Length { expected, actual });
        }
        Ok(Self { hash, chunks })
    }

    /// Returns where a chunk lies.
    pub(super) fn chunk(&self, tag: ChunkTag) -> Range<usize> {
        self.chunks[tag as usize].0.clone()
    }

    /// Returns a walk over a chunk.
    pub(super) fn walk<'a>(&self, bytes: &'a [u8], tag: ChunkTag) -> Walk<'a> {
        Walk::new(bytes, self.chunk(tag))
    }

    /// Compares every chunk with its checksum.
    pub(super) fn verify(&self, bytes: &[u8]) -> Result<(), Error> {
        for (chunk, (range, checksum)) in ChunkTag::ALL.into_iter().zip(&self.chunks) {
            if bytes.get(range.clone()).map(xxh3_64) != Some(*checksum) {
                return Err(Error::Checksum(chunk));
            }
        }
        Ok(())
    }
}

/// Walks over a chunk to find where its parts lie.
pub(crate) struct Walk<'a> {
    bytes: &'a [u8],
    rest: Range<usize>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(bytes: &'a [u8], range: Range<usize>) -> Self {
        Self { bytes, rest: range }
    }

    /// Steps over `len` bytes and returns where they lie.
    pub(crate) fn skip(&mut self, len: usize) -> Result<Range<usize>, Error> {
        if self.rest.len() < len {
            return Err(Error::Damaged("a chunk is too short"));
        }
        let start = self.rest.start;
        self.rest.start += len;
        Ok(start..self.rest.start)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let range = self.skip(N)?;
        let found = self
            .bytes
            .get(range)
            .and_then(|bytes| bytes.try_into().ok());
        found.ok_or(Error::Damaged("a chunk is too short"))
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Error> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_le_bytes)
    }

    /// Checks that nothing is left over.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Error::Damaged("a chunk is too long"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let chunks = std::array::from_fn(|i| vec![i as u8; i]);
        write(Kind::Sha256, &chunks).unwrap()
    }

    #[test]
    fn chunks_are_found_where_they_were_put() {
        let bytes = sample();
        let container = Container::open(&bytes).unwrap();
        assert_eq!(container.hash, Kind::Sha256);
        assert_eq!(bytes[container.chunk(ChunkTag::Imports)], [7; 7]);
        container.verify(&bytes).unwrap();
    }

    #[test]
    fn every_truncation_and_every_changed_header_byte_is_refused() {
        let bytes = sample();
        for len in 0..bytes.len() {
            assert!(Container::open(&bytes[..len]).is_err(), "{len}");
        }
        for at in 0..TOC_END {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            assert!(Container::open(&bytes).is_err(), "{at}");
        }
    }

    #[test]
    fn changed_chunks_open_but_do_not_verify() {
        let mut bytes = sample();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        let opened = Container::open(&bytes).unwrap();
        let error = opened.verify(&bytes).unwrap_err();
        assert!(matches!(error, Error::Checksum(ChunkTag::TermPostings)));
    }

    #[test]
    fn other_layouts_are_told_apart_from_damage() {
        let mut bytes = sample();
        bytes[8] = 1;
        let error = Container::open(&bytes).unwrap_err();
        assert!(matches!(error, Error::Layout { found: 1, known: 5 }));
    }
}
