//! Headers and checksums put right around bytes that were changed.
//!
//! Bytes too short to have what is put right stay as they are.

use crate::history::document::TERMS_VERSION;
use crate::segment::Segment;
use crate::segment::format::{CHUNKS, HEADER_BYTES, TOC_ENTRY_BYTES};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Writes over a part of the bytes, if they are that long.
fn put<const N: usize>(bytes: &mut [u8], at: usize, with: [u8; N]) {
    if let Some(to) = bytes.get_mut(at..at + N) {
        to.copy_from_slice(&with);
    }
}

/// A segment with the checksums of all chunks and of its header (`format-spec/20-segment.md`).
pub(super) fn segment(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let toc_end = HEADER_BYTES + CHUNKS * TOC_ENTRY_BYTES;
    let mut start = toc_end;
    for entry in (HEADER_BYTES..toc_end).step_by(TOC_ENTRY_BYTES) {
        let length = bytes
            .get(entry + 4..)
            .and_then(|rest| rest.first_chunk::<4>());
        let Some(length) = length.map(|length| u32::from_le_bytes(*length) as usize) else {
            return bytes;
        };
        let end = start.saturating_add(length);
        if let Some(chunk) = bytes.get(start..end) {
            let checksum = xxh3_64(chunk).to_le_bytes();
            put(&mut bytes, entry + 8, checksum);
        }
        start = end;
    }
    if let Some(toc) = bytes.get(HEADER_BYTES..toc_end) {
        let head = [&bytes[..HEADER_BYTES - 8], toc].concat();
        put(&mut bytes, HEADER_BYTES - 8, xxh3_64(&head).to_le_bytes());
    }
    bytes
}

/// A piece of the history log with its versions, length and checksum (`format-spec/45-log.md`).
pub(super) fn log(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let length = bytes.len() as u64;
    put(&mut bytes, 12, TERMS_VERSION.to_le_bytes());
    put(&mut bytes, 16, length.to_le_bytes());
    if let (Some(head), Some(body)) = (bytes.get(..24), bytes.get(32..)) {
        let mut state = Xxh3Default::new();
        state.update(head);
        state.update(body);
        put(&mut bytes, 24, state.digest().to_le_bytes());
    }
    bytes
}

/// A block with the segment it is of and its checksum (`format-spec/35-vectors.md`).
pub(super) fn vectors(bytes: &[u8], of: &Segment) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    put(&mut bytes, 16, of.checksum().to_le_bytes());
    put(&mut bytes, 28, of.chunk_count().to_le_bytes());
    tail(&bytes)
}

/// Bytes whose last eight are the checksum of those before.
pub(super) fn tail(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if let Some(at) = bytes.len().checked_sub(8) {
        let checksum = xxh3_64(&bytes[..at]).to_le_bytes();
        put(&mut bytes, at, checksum);
    }
    bytes
}
