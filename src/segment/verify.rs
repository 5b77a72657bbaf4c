//! The deep check, and a walk over everything for tests and fuzzers.

use super::builder::build_rows;
use super::error::Error;
use super::reader::Segment;
use crate::id::{ChunkId, NameId};

impl Segment {
    /// Checks that every byte is the one that [`build`](super::build) would write for the
    /// documents of this segment: checksums, order, ranges, and the shortest form of every code.
    ///
    /// Costs as much as decoding and building it; meant to run once, when a segment arrives. Fails when
    /// anything differs. The segment is then to be treated as absent.
    pub fn verify(&self) -> Result<(), Error> {
        self.container.verify(self.bytes())?;
        let rebuilt = build_rows(self.hash_kind(), self.to_records()?)?;
        let same = rebuilt
            .iter()
            .zip(self.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        if same == rebuilt.len() && same == self.bytes().len() {
            return Ok(());
        }
        Err(Error::NotCanonical(same as u64))
    }
}

/// Calls every accessor with every id and returns how many items they gave. For fuzzing: it must
/// return, whatever bytes the segment was opened from.
pub fn walk_all(segment: &Segment) -> u64 {
    let mut items = 0;
    let mut buffer = Vec::new();
    for doc in segment.doc_ids() {
        let key = segment.row_key(doc);
        items += u64::from(segment.find_row(&key).is_some());
        items += u64::from(segment.find(&key.doc).is_some());
        items += segment
            .chunk_lengths_sum(doc)
            .iter()
            .fold(0, |sum, len| sum | (len & 1));
        items += segment.symbols(doc).count() as u64;
        items += segment.imports(doc).count() as u64;
        items += segment.hints(doc).locals.len() as u64;
        items += segment.gaps(doc).lines.len() as u64;
        items += segment.entries(doc).len() as u64;
        let occurrences = segment.occurrences(doc);
        if let Some(first) = occurrences.clone().next() {
            items += segment.occurrences_of(doc, first.name).count() as u64;
        }
        items += occurrences.count() as u64;
    }
    let mut names = segment.all_names();
    while let Some((name, bytes)) = names.advance() {
        items += u64::from(segment.name_id(bytes).is_some());
        items += segment.names_folded(bytes).count() as u64;
        items += segment.names_with_subword(bytes).count() as u64;
        let _ = name;
    }
    for name in (0..segment.name_count()).map(NameId) {
        buffer.clear();
        segment.name(name, &mut buffer);
        items += segment.defining_docs(name).count() as u64;
        items += segment.occurring_docs(name).count() as u64;
    }
    for chunk in (0..segment.chunk_count()).map(ChunkId) {
        items += u64::from(segment.chunk(chunk).doc.0 < segment.doc_count());
    }
    let mut terms = segment.all_terms();
    while let Some((_, term)) = terms.advance() {
        items += segment
            .postings(term)
            .map_or(0, |postings| postings.count() as u64);
    }
    items += segment
        .all_postings()
        .map(|postings| postings.count() as u64)
        .sum::<u64>();
    let mut defined = segment.defined_names();
    while let Some(name) = defined.advance(&mut buffer) {
        items += u64::from(name.0 < segment.name_count());
    }
    items += u64::from(segment.key_range().is_some());
    items
        + segment
            .to_records()
            .map_or(0, |records| records.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary::{cases, docs};
    use super::super::build;
    use super::super::format::{CHUNKS, HEADER_BYTES, TOC_ENTRY_BYTES};
    use super::*;
    use gix::hash::Kind;
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    /// Puts right all checksums, as someone who means harm would.
    fn reseal(bytes: &mut [u8]) {
        let toc_end = HEADER_BYTES + CHUNKS * TOC_ENTRY_BYTES;
        let mut start = toc_end;
        for entry in (HEADER_BYTES..toc_end).step_by(TOC_ENTRY_BYTES) {
            let len = u32::from_le_bytes(bytes[entry + 4..entry + 8].try_into().unwrap());
            let end = start + len as usize;
            let checksum = xxh3_64(&bytes[start..end]);
            bytes[entry + 8..entry + 16].copy_from_slice(&checksum.to_le_bytes());
            start = end;
        }
        let head = [&bytes[..HEADER_BYTES - 8], &bytes[HEADER_BYTES..toc_end]].concat();
        bytes[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&xxh3_64(&head).to_le_bytes());
    }

    proptest! {
        #![proptest_config(cases(60))]

        #[test]
        fn changed_bytes_are_walked_without_panic_and_never_verify(
            docs in docs(Kind::Sha1, 4),
            changes in proptest::collection::vec((any::<proptest::sample::Index>(), 1..=255u8), 40),
        ) {
            let bytes = build(Kind::Sha1, docs).unwrap();
            let start = HEADER_BYTES + CHUNKS * TOC_ENTRY_BYTES;
            for (at, change) in changes {
                let mut bytes = bytes.clone();
                let at = start + at.index(bytes.len() - start);
                bytes[at] ^= change;
                if let Ok(segment) = Segment::open(bytes.clone()) {
                    walk_all(&segment);
                    let refused = matches!(segment.verify(), Err(Error::Checksum { .. }));
                    prop_assert!(refused);
                }
                reseal(&mut bytes);
                if let Ok(segment) = Segment::open(bytes) {
                    walk_all(&segment);
                    // Some changes give another valid segment (a hash, a line): nothing to see.
                    let _ = segment.verify();
                }
            }
        }

        #[test]
        fn truncated_segments_do_not_open(docs in docs(Kind::Sha256, 3)) {
            let bytes = build(Kind::Sha256, docs).unwrap();
            for len in 0..bytes.len() {
                prop_assert!(Segment::open(bytes[..len].to_vec()).is_err());
            }
        }
    }

    #[test]
    fn a_longer_code_for_the_same_content_does_not_verify() {
        let bytes = build(Kind::Sha1, Vec::new()).unwrap();
        let segment = Segment::open(bytes.clone()).unwrap();
        segment.verify().unwrap();
        assert_eq!(walk_all(&segment), 0);
        // The fourteen columns of no documents have width 0; width 1 would read the same.
        let mut bytes = bytes;
        let docs = HEADER_BYTES + CHUNKS * TOC_ENTRY_BYTES;
        assert_eq!(bytes[docs + 8], 0);
        bytes[docs + 8] = 1;
        reseal(&mut bytes);
        let segment = Segment::open(bytes).unwrap();
        let error = segment.verify().unwrap_err();
        assert!(matches!(error, Error::NotCanonical { .. }));
    }
}
