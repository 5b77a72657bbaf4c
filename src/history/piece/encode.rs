//! Writing a piece: the one form that a set of commits has.

use super::{
    CHECKSUM_AT, DOCUMENT_VERSION, Document, Entry, HEADER_BYTES, LAYOUT, MAGIC, TERMS_VERSION,
    checksum,
};
use crate::segment::column::Column;
use crate::segment::dict;
use crate::segment::format::{HASH_SHA1, hash_code};
use crate::segment::lists::{ListsWriter, put_rising};
use crate::segment::varint::put32;
use gix::hash::Kind;
use rustc_hash::FxHashMap;

/// Encodes commits; of several entries of one commit the first counts.
pub(super) fn encode(hash: Kind, mut entries: Vec<Entry>) -> Vec<u8> {
    entries.sort_by_key(|entry| entry.id);
    entries.dedup_by_key(|entry| entry.id);
    let documents: Vec<&Document> = entries.iter().map(|entry| &entry.document).collect();
    let mut out = header(hash);
    put_commits(&mut out, &entries, &documents);
    put_paths(&mut out, &documents);
    put_terms(&mut out, &documents);
    let total = (out.len() as u64).to_le_bytes();
    out[CHECKSUM_AT - 8..CHECKSUM_AT].copy_from_slice(&total);
    let checksum = checksum(&out).to_le_bytes();
    out[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum);
    out
}

/// The header with nothing in the place of length and checksum.
fn header(hash: Kind) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&LAYOUT.to_le_bytes());
    out.push(hash_code(hash).unwrap_or(HASH_SHA1));
    out.push(DOCUMENT_VERSION);
    out.extend_from_slice(&TERMS_VERSION.to_le_bytes());
    out.resize(HEADER_BYTES, 0);
    out
}

fn put_commits(out: &mut Vec<u8>, entries: &[Entry], documents: &[&Document]) {
    let place = |id| entries.binary_search_by_key(&id, |entry: &Entry| entry.id);
    let parents = entries.iter().flat_map(|entry| &entry.parents);
    let mut elsewhere: Vec<_> = parents.filter(|id| place(**id).is_err()).collect();
    elsewhere.sort_unstable();
    elsewhere.dedup();
    out.extend_from_slice(&(entries.len() as u32).to_le_bytes());
    out.extend_from_slice(&(elsewhere.len() as u32).to_le_bytes());
    for entry in entries {
        out.extend_from_slice(entry.id.as_bytes());
    }
    for id in &elsewhere {
        out.extend_from_slice(id.as_bytes());
    }
    Column::write(out, entries.iter().map(|entry| entry.date.cast_unsigned()));
    let (mut lists, mut list) = (ListsWriter::default(), Vec::new());
    for entry in entries {
        list.clear();
        for id in &entry.parents {
            let number = place(*id).unwrap_or_else(|_| {
                entries.len() + elsewhere.binary_search(&id).unwrap_or_default()
            });
            put32(&mut list, number as u32);
        }
        lists.push(&list);
    }
    lists.finish(out);
    Column::write(out, documents.iter().map(|of| u64::from(of.changed)));
    let length = |of: &&Document| of.terms.values().map(|count| u64::from(*count)).sum();
    Column::write(out, documents.iter().map(length));
}

fn put_paths(out: &mut Vec<u8>, documents: &[&Document]) {
    let renamed = |of: &&Document| -> Vec<Vec<u8>> {
        let pairs = of.renames.iter().flat_map(|(old, new)| [old, new]);
        let all = of.touched.iter().chain(&of.gone).chain(pairs);
        all.map(|path| path.as_bytes().to_vec()).collect()
    };
    let mut paths: Vec<Vec<u8>> = documents.iter().flat_map(renamed).collect();
    paths.sort_unstable();
    paths.dedup();
    dict::write(out, paths.iter().map(Vec::as_slice));
    let places: FxHashMap<&[u8], u32> = paths.iter().map(Vec::as_slice).zip(0..).collect();
    let place = |path: &crate::git::RepoPath| places.get(path.as_bytes()).copied().unwrap_or(0);
    let of_touched: fn(&Document) -> &[_] = |of| &of.touched;
    for of in [of_touched, |of| &of.gone] {
        let mut lists = ListsWriter::default();
        for document in documents {
            let mut list = Vec::new();
            // They are in order, unless they come from a piece that is to be refused.
            let mut places: Vec<u32> = of(document).iter().map(place).collect();
            places.sort_unstable();
            places.dedup();
            put_rising(&mut list, places.into_iter());
            lists.push(&list);
        }
        lists.finish(out);
    }
    let mut lists = ListsWriter::default();
    for document in documents {
        let mut list = Vec::new();
        for (old, new) in &document.renames {
            put32(&mut list, place(old));
            put32(&mut list, place(new));
        }
        lists.push(&list);
    }
    lists.finish(out);
}

fn put_terms(out: &mut Vec<u8>, documents: &[&Document]) {
    let mut holders: FxHashMap<&[u8], Vec<(u32, u8)>> = FxHashMap::default();
    for (document, at) in documents.iter().zip(0..) {
        for (term, count) in &document.terms {
            holders.entry(term).or_default().push((at, *count));
        }
    }
    let mut terms: Vec<&[u8]> = holders.keys().copied().collect();
    terms.sort_unstable();
    dict::write(out, terms.iter().copied());
    let mut lists = ListsWriter::default();
    for term in terms {
        let (mut list, mut next) = (Vec::new(), 0);
        for (at, count) in holders.get(term).into_iter().flatten() {
            put32(&mut list, at - next);
            list.push(*count);
            next = at + 1;
        }
        lists.push(&list);
    }
    lists.finish(out);
}
