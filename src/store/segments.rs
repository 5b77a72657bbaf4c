//! Segments as parts of an index: what extractors said of documents, by blob, grammar and fingerprint.

use super::error::Error;
use super::kind::{Bytes, Files, Kind, Part};
use super::partition::Measured;
use super::scope::{Keep, Subject};
use crate::extract::record::{DocKey, RowKey};
use crate::id::{BlobId, DocId, SegmentId};
use crate::limits::{MAX_SEGMENT_BYTES, MAX_SEGMENTS};
use crate::segment::{self, Segment};
use gix::hash::Kind as Hash;
use std::sync::Arc;

/// The kind of segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Segments {}

/// A segment that is open.
pub type OpenSegment = Part<Segments>;

impl Kind for Segments {
    type Id = SegmentId;
    type Body = Segment;
    type Entry = Measured<RowKey>;

    const NAME: &'static str = "segment";
    const COUNTED: [&'static str; 2] = ["the index", "segments"];
    const FOLDER: &'static str = "seg";
    const MESSAGE: &'static str = "git-sverklo segment\n\nDerived data; see `git sverklo --help`.";
    const MAX_PARTS: usize = MAX_SEGMENTS;
    const MAX_BYTES: usize = MAX_SEGMENT_BYTES;
    const FILES: Files = Files::Mapped;
    const OF_BLOBS: bool = true;
    const COMPACTS_REMOTES: bool = true;

    fn parse(bytes: Bytes, hash: Hash) -> Result<Segment, String> {
        let segment = Segment::open(bytes).map_err(|err| err.to_string())?;
        match segment.hash_kind() == hash {
            true => Ok(segment),
            false => Err(format!("its hash is {}", segment.hash_kind())),
        }
    }
    fn verify(segment: &Segment) -> Result<(), String> {
        segment.verify().map_err(|err| err.to_string())
    }
    fn named(segment: Segment, id: SegmentId) -> Segment {
        segment.named(id)
    }
    fn merge(
        hash: Hash,
        parts: &[&Segment],
        keep: &dyn Fn(&RowKey) -> bool,
    ) -> Result<Segment, segment::Error> {
        Segment::open(segment::merge(hash, parts, keep)?)
    }

    fn bytes(segment: &Segment) -> &[u8] {
        segment.bytes()
    }
    fn len(segment: &Segment) -> usize {
        segment.doc_count() as usize
    }
    fn keys(segment: &Segment) -> impl Iterator<Item = RowKey> {
        segment.doc_ids().map(|doc| segment.row_key(doc))
    }
    fn ends(segment: &Segment) -> Option<(RowKey, RowKey)> {
        segment.key_range()
    }
    fn covers(segment: &Segment, key: &RowKey) -> bool {
        segment.find_row(key).is_some()
    }
    fn entries(segment: &Segment) -> impl Iterator<Item = Measured<RowKey>> {
        segment.doc_ids().map(|doc| Measured {
            key: segment.row_key(doc),
            size: segment.doc(doc).size,
        })
    }
    fn subject(key: &RowKey) -> Subject {
        Subject::Blob(key.doc.blob)
    }
    fn holds(segment: &Segment, blob: BlobId) -> bool {
        let (mut low, mut high) = (0, segment.doc_count());
        while low < high {
            let middle = low + (high - low) / 2;
            if segment.key(DocId(middle)).blob < blob {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low < segment.doc_count() && segment.key(DocId(low)).blob == blob
    }

    fn keeps(keep: Keep, key: &RowKey) -> bool {
        (keep.document)(&key.doc)
    }
}

impl OpenSegment {
    /// Opens a segment that this process has just built.
    pub(super) fn of_bytes(hash: Hash, bytes: Vec<u8>) -> Result<Self, Error> {
        Self::built(hash, Segment::open(bytes)?)
    }

    /// Returns the segment itself.
    pub fn segment(&self) -> &Arc<Segment> {
        &self.body
    }

    /// Finds what this program's extractor says of a document.
    pub fn find(&self, key: &DocKey) -> Option<DocId> {
        let (first, last) = self.ends?;
        let may_have = first.doc <= *key && *key <= last.doc;
        may_have.then(|| self.segment().find(key)).flatten()
    }

    /// Whether it has a document of a blob, under whatever grammar.
    pub(super) fn holds(&self, blob: BlobId) -> bool {
        self.ends
            .is_some_and(|(first, last)| first.doc.blob <= blob && blob <= last.doc.blob)
            && Segments::holds(self.segment(), blob)
    }
}
