//! The documents that have a name as a word, by the postings of the full-text index.
//!
//! Words longer than a term may be have none of their own: what their parts have in common may have them. Guarantee: no
//! document that has the name in one of the fields is left out, but of a long name that is one part. Deliberately absent:
//! whether the name itself stands there, which is for who reads the text.

use crate::extract::record::Field;
use crate::extract::terms;
use crate::id::DocId;
use crate::limits::MAX_TERM_BYTES;
use crate::view::live::LiveSegment;

/// Parts of a long name that are looked for.
const MAX_PARTS: usize = 4;

/// The documents of a segment that have a name in one of some fields of a chunk that is alive, in order.
pub fn documents(live: &LiveSegment, name: &[u8], fields: &[Field]) -> Vec<DocId> {
    let term = terms::of_name(name);
    if term.len() <= MAX_TERM_BYTES {
        return of_term(live, &term, fields);
    }
    let mut parts: Vec<Vec<u8>> = Vec::new();
    terms::for_each_subword(name, |part| {
        let fits = (terms::MIN_TERM_BYTES..=MAX_TERM_BYTES).contains(&part.len());
        if fits && !parts.iter().any(|known| known == part) {
            parts.push(part.to_vec());
        }
    });
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    let mut parts = parts.iter().take(MAX_PARTS);
    let mut docs = parts
        .next()
        .map_or_else(Vec::new, |part| of_term(live, part, fields));
    for part in parts {
        let others = of_term(live, part, fields);
        docs.retain(|doc| others.binary_search(doc).is_ok());
    }
    docs
}

fn of_term(live: &LiveSegment, term: &[u8], fields: &[Field]) -> Vec<DocId> {
    let Some(postings) = live.segment.postings(term) else {
        return Vec::new();
    };
    let chunks = postings
        .filter(|posting| fields.iter().any(|field| posting.tf[*field as usize] > 0))
        .map(|posting| posting.chunk)
        .filter(|chunk| live.is_live_chunk(*chunk));
    live.segment.chunk_docs(chunks).collect()
}
