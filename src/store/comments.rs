//! Where the comments of documents are, kept beside the object store: to find them a file is parsed, and whoever
//! extracts a document has just done so.
//!
//! One table a language, under the fingerprint of what reads it. It holds no word of any file.

use crate::cache::{Body, Kept};
use crate::extract::fingerprint;
use crate::id::BlobId;
use crate::lang::{self, language::Genre};
use crate::record::Grammar;
use crate::segment::varint::{self, Cursor};
use gix::ObjectId;
use gix::hash::Kind;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;

const FOLDER: &str = "comments";
/// Languages of which a table is kept; those of earlier programs go first.
const MAX_TABLES: usize = 64;
/// Documents of one table, and their bytes.
const MAX_DOCUMENTS: usize = 100_000;
const MAX_BYTES: usize = 16 << 20;
/// For fewer documents of fewer bytes than this a table is neither read nor written: they are parsed sooner.
const MIN_DOCUMENTS: usize = 16;
const MIN_BYTES: usize = 32 << 10;

/// A document: its blob, and how it was read.
pub type Key = (BlobId, Grammar);

/// Bytes of the comments of a document, in order.
pub type Comments = Vec<Range<u32>>;

/// Returns where the comments of some documents are, as far as that is kept. Each comes with its bytes.
pub fn known(kept: &Kept, hash: Kind, keys: &[(Key, usize)]) -> FxHashMap<Key, Comments> {
    let mut found = FxHashMap::default();
    for (lang, blobs) in by_language(keys.iter().copied()) {
        let bytes = blobs.iter().map(|(_, bytes)| bytes).sum();
        let table = is_worth_it(blobs.len(), bytes)
            .then(|| Table::open(kept, hash, lang))
            .flatten();
        let Some(table) = table else { continue };
        found.extend(blobs.into_iter().filter_map(|(blob, _)| {
            let all = table.get(&blob)?;
            Some(((BlobId::new(blob), lang), decoded(all)))
        }));
    }
    found
}

/// Whether so many documents of so many bytes take longer to parse than a table to read.
fn is_worth_it(documents: usize, bytes: usize) -> bool {
    documents >= MIN_DOCUMENTS || bytes >= MIN_BYTES
}

/// Keeps where the comments of documents are, each with its bytes. A failure to write costs time later, nothing else.
pub fn keep(kept: &Kept, hash: Kind, found: impl IntoIterator<Item = (Key, (Comments, usize))>) {
    for (lang, new) in by_language(found.into_iter()) {
        let bytes = new.iter().map(|(_, (_, bytes))| bytes).sum();
        if !is_worth_it(new.len(), bytes) {
            continue;
        }
        let new = new
            .into_iter()
            .map(|(blob, (all, _))| (blob, encoded(&all)));
        let mut all: BTreeMap<ObjectId, Vec<u8>> = new.take(MAX_DOCUMENTS).collect();
        let mut bytes: usize = all.values().map(Vec::len).sum();
        let table = Table::open(kept, hash, lang);
        for (blob, known) in table.iter().flat_map(Table::each) {
            if all.len() < MAX_DOCUMENTS && bytes < MAX_BYTES {
                bytes += known.len();
                all.entry(blob).or_insert_with(|| known.to_vec());
            }
        }
        if kept.write(&name(lang), &written(&all)).is_ok() {
            kept.evict(FOLDER, MAX_TABLES);
        }
    }
}

/// Removes all that is kept.
pub fn clear(kept: &Kept) {
    kept.retain(FOLDER, |_| false);
}

/// Documents of code, by their language: nobody asks for the comments of others.
fn by_language<T>(all: impl Iterator<Item = (Key, T)>) -> BTreeMap<Grammar, Vec<(ObjectId, T)>> {
    let mut found: BTreeMap<Grammar, Vec<(ObjectId, T)>> = BTreeMap::new();
    for ((blob, lang), value) in all {
        let genre = lang::of(lang).genre;
        if genre.is_code() && genre != Genre::Data {
            let of = found.entry(lang).or_default();
            of.push((blob.as_object(), value));
        }
    }
    found
}

fn name(lang: Grammar) -> String {
    format!("{FOLDER}/{:016x}", fingerprint(lang, lang).0)
}

/// Where each begins, counted from where the one before began, and how long it is.
fn encoded(all: &[Range<u32>]) -> Vec<u8> {
    let (mut out, mut last) = (Vec::with_capacity(all.len() * 3), 0u32);
    for range in all {
        varint::put32(&mut out, range.start.wrapping_sub(last));
        varint::put32(&mut out, range.end.wrapping_sub(range.start));
        last = range.start;
    }
    out
}

fn decoded(bytes: &[u8]) -> Vec<Range<u32>> {
    let (mut cursor, mut last) = (Cursor::new(bytes), 0u32);
    let next = || {
        let start = last.wrapping_add(cursor.u32()?);
        last = start;
        Some(start..start.wrapping_add(cursor.u32()?))
    };
    std::iter::from_fn(next).collect()
}

/// Documents in the order of their ids: how many, these, where what is said of each ends, and all of that.
fn written(all: &BTreeMap<ObjectId, Vec<u8>>) -> Vec<u8> {
    let mut out = (all.len() as u32).to_le_bytes().to_vec();
    all.keys().for_each(|id| out.extend(id.as_slice()));
    let mut end = 0u32;
    for said in all.values() {
        end = end.saturating_add(said.len() as u32);
        out.extend(end.to_le_bytes());
    }
    all.values().for_each(|said| out.extend(said));
    out
}

/// What is kept of one language, read in place.
struct Table {
    body: Body,
    width: usize,
    count: usize,
}

impl Table {
    fn open(kept: &Kept, hash: Kind, lang: Grammar) -> Option<Self> {
        let body = kept.read(&name(lang))?;
        let count = u32::from_le_bytes(body.as_ref().get(..4)?.try_into().ok()?) as usize;
        let width = hash.len_in_bytes();
        Some(Self { body, width, count })
    }

    fn part(&self, start: usize, length: usize) -> Option<&[u8]> {
        self.body.as_ref().get(start..start.checked_add(length)?)
    }

    fn id(&self, at: usize) -> Option<ObjectId> {
        ObjectId::try_from(self.part(4 + at * self.width, self.width)?).ok()
    }

    fn end(&self, at: usize) -> Option<usize> {
        let raw = self.part(4 + self.count * self.width + at * 4, 4)?;
        Some(u32::from_le_bytes(raw.try_into().ok()?) as usize)
    }

    fn said(&self, at: usize) -> Option<&[u8]> {
        let first = match at.checked_sub(1) {
            Some(before) => self.end(before)?,
            None => 0,
        };
        let begun = 4 + self.count * (self.width + 4);
        self.part(begun + first, self.end(at)?.checked_sub(first)?)
    }

    fn get(&self, id: &ObjectId) -> Option<&[u8]> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.id(middle)?.cmp(id) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return self.said(middle),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn each(&self) -> impl Iterator<Item = (ObjectId, &[u8])> {
        (0..self.count).map_while(|at| Some((self.id(at)?, self.said(at)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::write::blob_id;

    const HASH: Kind = Kind::Sha1;

    type Document = (Key, (Vec<Range<u32>>, usize));

    fn document(n: u32, lang: Grammar) -> Document {
        let blob = blob_id(HASH, &n.to_le_bytes()).unwrap();
        let all = (0..n % 5).map(|at| at * 300 + n..at * 300 + n * 2);
        ((blob, lang), (all.collect(), 100))
    }

    fn documents(range: Range<u32>) -> Vec<Document> {
        let data = range.clone().map(|n| document(n, Grammar::Json));
        data.chain(range.map(|n| document(n, Grammar::Python)))
            .collect()
    }

    #[test]
    fn what_was_found_is_there_the_next_time() {
        let temp = tempfile::tempdir().unwrap();
        let kept = Kept::new(temp.path());
        let keys = documents(0..200).into_iter().map(|(key, _)| (key, 100));
        let keys: Vec<(Key, usize)> = keys.collect();
        assert!(known(&kept, HASH, &keys).is_empty());
        for range in [0..100, 50..150, 150..153] {
            keep(&kept, HASH, documents(range));
        }
        let found = known(&kept, HASH, &keys);
        // Too few are not kept, and of data nobody asks.
        assert_eq!(found.len(), 150);
        for n in 0..150 {
            let (key, (all, _)) = document(n, Grammar::Python);
            assert_eq!(found.get(&key), Some(&all));
        }
        clear(&kept);
        assert!(known(&kept, HASH, &keys).is_empty());
    }

    #[test]
    fn a_few_large_documents_are_kept_as_well() {
        let temp = tempfile::tempdir().unwrap();
        let kept = Kept::new(temp.path());
        let (key, (all, _)) = document(4, Grammar::Python);
        keep(&kept, HASH, [(key, (all.clone(), MIN_BYTES - 1))]);
        assert!(known(&kept, HASH, &[(key, MIN_BYTES)]).is_empty());
        keep(&kept, HASH, [(key, (all.clone(), MIN_BYTES))]);
        assert!(known(&kept, HASH, &[(key, 10)]).is_empty(), "parsed sooner");
        assert_eq!(
            known(&kept, HASH, &[(key, MIN_BYTES)]).get(&key),
            Some(&all)
        );
    }

    #[test]
    fn bytes_that_do_not_fit_say_nothing() {
        let temp = tempfile::tempdir().unwrap();
        let kept = Kept::new(temp.path());
        let all = documents(0..20);
        let keys: Vec<(Key, usize)> = all.iter().map(|(key, _)| (*key, 100)).collect();
        keep(&kept, HASH, all);
        let name = name(Grammar::Python);
        let whole = kept.read(&name).unwrap().as_ref().to_vec();
        for cut in 0..whole.len() {
            kept.write(&name, &whole[..cut]).unwrap();
            let _ = known(&kept, HASH, &keys);
        }
        kept.write(&name, &[0xff; 64]).unwrap();
        let _ = known(&kept, HASH, &keys);
        keep(&kept, HASH, documents(0..20));
        assert_eq!(known(&kept, HASH, &keys).len(), 20);
    }
}
