//! Documents that sketches had to extract, kept beside the object store: the next question about the past needs most
//! of the versions of files that the last one did.
//!
//! They are in no index, so nobody is sent them. Each file is a segment, which says itself what made its documents.

use crate::cache::Kept;
use crate::segment::{self, Segment};
use gix::hash::Kind;
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

const FOLDER: &str = "sketch";
/// Files kept, and bytes of them all; the latest stay.
const MAX_FILES: usize = 64;
const MAX_BYTES: usize = 64 << 20;
/// Fewer documents than this are extracted again.
const MIN_KEPT: u32 = 32;
/// Segments of fewer documents are kept as one.
const SMALL: u32 = 256;

/// What is kept, read when a document is first lacking.
#[derive(Default)]
pub struct Sketched {
    /// `None` before that, and when there is more now.
    open: Mutex<Option<Vec<Arc<Segment>>>>,
}

impl Sketched {
    /// What is kept, the latest first. What is over the limits is removed.
    pub fn segments(&self, kept: &Kept) -> Vec<Arc<Segment>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.get_or_insert_with(|| read(kept)).clone()
    }

    /// Keeps documents that were extracted. A failure to write costs time later, nothing else.
    pub fn keep(&self, kept: &Kept, hash: Kind, made: &[Arc<Segment>]) {
        let (small, large): (Vec<&Segment>, Vec<&Segment>) = made
            .iter()
            .map(Arc::as_ref)
            .partition(|segment| segment.doc_count() < SMALL);
        let documents: u32 = small.iter().map(|segment| segment.doc_count()).sum();
        let small = match documents >= MIN_KEPT {
            true => segment::merge(hash, &small, |_| true).ok(),
            false => None,
        };
        let large = large.into_iter().map(Segment::bytes);
        for bytes in large.chain(small.as_deref()) {
            let name = format!("{FOLDER}/{:016x}", xxh3_64(bytes));
            let _ = kept.write(&name, bytes);
            *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// Removes all that is kept: something that it holds must be nowhere.
    pub fn clear(kept: &Kept) {
        kept.retain(FOLDER, |_| false);
    }
}

fn read(kept: &Kept) -> Vec<Arc<Segment>> {
    let (mut found, mut bytes) = (Vec::new(), 0);
    for entry in kept.list(FOLDER).into_iter().rev() {
        let name = format!("{FOLDER}/{}", entry.name);
        let has_room = found.len() < MAX_FILES && bytes < MAX_BYTES;
        let body = has_room.then(|| kept.read(&name)).flatten();
        match body.and_then(|body| Segment::open(body).ok()) {
            Some(segment) => {
                bytes += segment.bytes().len();
                found.push(Arc::new(segment));
            }
            // There is no room for it, or it is of another layout.
            None => kept.remove(&name),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract;
    use crate::git::write::blob_id;
    use crate::record::{DocKey, Grammar};

    fn segment(texts: impl Iterator<Item = String>) -> Arc<Segment> {
        let documents = texts.map(|text| {
            let blob = blob_id(Kind::Sha1, text.as_bytes()).unwrap();
            let grammar = Grammar::Python;
            let key = DocKey { blob, grammar };
            (key, extract::extract(text.as_bytes(), grammar))
        });
        let bytes = segment::build(Kind::Sha1, documents.collect()).unwrap();
        Arc::new(Segment::open(bytes).unwrap())
    }

    #[test]
    fn what_was_extracted_is_there_the_next_time() {
        let temp = tempfile::tempdir().unwrap();
        let kept = Kept::new(temp.path());
        let sketched = Sketched::default();
        assert!(sketched.segments(&kept).is_empty());
        let part = |of: u32| segment((0..20).map(move |n| format!("def f{of}_{n}(): pass\n")));
        // Too few to be worth a file, and two segments in one.
        sketched.keep(&kept, Kind::Sha1, &[part(0)]);
        assert!(sketched.segments(&kept).is_empty());
        sketched.keep(&kept, Kind::Sha1, &[part(1), part(2)]);
        sketched.keep(&kept, Kind::Sha1, &[part(1), part(2)]);
        for sketched in [sketched, Sketched::default()] {
            let [found] = &sketched.segments(&kept)[..] else {
                panic!("one file");
            };
            let keys = [part(1), part(2)];
            let keys = keys
                .iter()
                .flat_map(|of| of.doc_ids().map(|doc| of.key(doc)));
            assert!(keys.into_iter().all(|key| found.find(&key).is_some()));
        }
        Sketched::clear(&kept);
        assert!(Sketched::default().segments(&kept).is_empty());
    }

    #[test]
    fn what_is_no_segment_goes() {
        let temp = tempfile::tempdir().unwrap();
        let kept = Kept::new(temp.path());
        kept.write("sketch/00", b"something else").unwrap();
        assert!(Sketched::default().segments(&kept).is_empty());
        assert!(kept.list(FOLDER).is_empty());
    }
}
