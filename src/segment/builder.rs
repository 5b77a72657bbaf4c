//! Document records to canonical bytes.

use super::docs::{self, Ends};
use super::error::Error;
use super::format::CHUNKS;
use super::names::UsedNames;
use super::{
    chunks, container, entries, gaps, hints, imports, names, occurrences, postings, symbols, terms,
};
use crate::extract::fingerprint;
use crate::extract::record::{DocKey, DocRecord, RowKey};
use crate::limits::{MAX_DOCS_PER_SEGMENT, MAX_NAME_BYTES, MAX_SPECIFIER_BYTES};
use gix::hash::Kind;

/// Chunks from which on a second thread is worth starting.
const PARALLEL_CHUNKS: usize = 256;

/// Builds the segment of `docs`, which this program's extractor has read and whose blob ids are of kind
/// `hash`. Fails as [`build_rows`] does.
pub fn build(hash: Kind, docs: Vec<(DocKey, DocRecord)>) -> Result<Vec<u8>, Error> {
    let row = |(doc, record): (DocKey, DocRecord)| (own_row(doc, &record), record);
    build_rows(hash, docs.into_iter().map(row).collect())
}

/// Names the row of a document that this program's extractor has read.
pub fn own_row(doc: DocKey, record: &DocRecord) -> RowKey {
    RowKey {
        doc,
        extractor: fingerprint(doc.grammar, record.lang),
    }
}

/// Builds the segment of documents that any extractors have read.
///
/// The bytes depend on nothing but the set of documents; of several with the same key the first
/// one counts. Names and terms that a record lists but does not use are left out. Fails when a record
/// contradicts itself, a blob id has another hash, or a limit is exceeded.
pub fn build_rows(hash: Kind, mut docs: Vec<(RowKey, DocRecord)>) -> Result<Vec<u8>, Error> {
    docs.sort_by_key(|(key, _)| *key);
    docs.dedup_by_key(|(key, _)| *key);
    if docs.len() > MAX_DOCS_PER_SEGMENT {
        let (found, limit) = (docs.len() as u64, MAX_DOCS_PER_SEGMENT as u64);
        return Err(Error::TooLarge {
            what: "documents",
            found,
            limit,
        });
    }
    for (key, record) in &docs {
        let found = key.doc.blob.as_object().kind();
        if found != hash {
            return Err(Error::Hash {
                found,
                expected: hash,
            });
        }
        check(record).map_err(|what| Error::Record { key: key.doc, what })?;
    }
    let (of_names, of_terms) = halves(&docs);
    let (of_names, (terms, term_postings)) = (of_names?, of_terms?);
    let parts: [Vec<u8>; CHUNKS] = [
        docs::encode(&docs, &of_names.ends),
        of_names.names.names,
        of_names.names.folded,
        of_names.names.subwords,
        of_names.postings,
        of_names.symbols,
        of_names.occurrences,
        of_names.imports,
        of_names.hints,
        of_names.gaps,
        of_names.entries,
        chunks::encode(docs.iter().flat_map(|(_, record)| &record.chunks)),
        terms,
        term_postings,
    ];
    container::write(hash, &parts)
}

/// Looks for what no encoder looks for itself.
fn check(record: &DocRecord) -> Result<(), &'static str> {
    for chunk in &record.chunks {
        if chunk.end_line < chunk.start_line {
            return Err("a chunk ends before it starts");
        }
        if chunk
            .symbol
            .is_some_and(|symbol| symbol as usize >= record.symbols.len())
        {
            return Err("a chunk's symbol is not in the document");
        }
    }
    if record
        .imports
        .iter()
        .any(|import| import.specifier.len() > MAX_SPECIFIER_BYTES)
    {
        return Err("an import specifier is too long");
    }
    hints::check(record)?;
    gaps::check(record)?;
    entries::check(record)
}

/// What is made of symbols, occurrences and imports.
struct OfNames {
    names: names::Encoded,
    postings: Vec<u8>,
    symbols: Vec<u8>,
    occurrences: Vec<u8>,
    imports: Vec<u8>,
    hints: Vec<u8>,
    gaps: Vec<u8>,
    entries: Vec<u8>,
    ends: Ends,
}

type OfTerms = Result<(Vec<u8>, Vec<u8>), Error>;

/// Encodes names and terms, which share nothing, on two threads when that pays.
fn halves(docs: &[(RowKey, DocRecord)]) -> (Result<OfNames, Error>, OfTerms) {
    let chunks: usize = docs.iter().map(|(_, record)| record.chunks.len()).sum();
    if chunks < PARALLEL_CHUNKS {
        return (encode_names(docs), terms::encode(docs));
    }
    std::thread::scope(|scope| {
        let of_terms = scope.spawn(|| terms::encode(docs));
        let of_names = encode_names(docs);
        let of_terms = of_terms.join();
        (
            of_names,
            of_terms.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    })
}

fn encode_names(docs: &[(RowKey, DocRecord)]) -> Result<OfNames, Error> {
    let used = UsedNames::collect(docs)?;
    let lengths: Vec<u8> = used
        .sorted
        .iter()
        .map(|name| name.len().min(MAX_NAME_BYTES) as u8)
        .collect();
    let mut encoder = occurrences::Encoder::default();
    let (mut of_symbols, mut of_occurrences) = (Vec::new(), Vec::new());
    let (mut of_imports, mut of_hints, mut of_gaps) = (Vec::new(), Vec::new(), Vec::new());
    let mut of_entries = Vec::new();
    let mut ends = Ends::default();
    for (i, (key, record)) in docs.iter().enumerate() {
        let uses = used.of(i);
        let id = |name: crate::id::LocalName| uses[name.index()].name.0;
        symbols::encode(&mut of_symbols, &record.symbols, id)
            .map_err(|what| Error::Record { key: key.doc, what })?;
        let length = |name: crate::id::NameId| lengths[name.index()];
        encoder.encode(&mut of_occurrences, &record.occurrences, uses, length);
        imports::encode(&mut of_imports, &record.imports, id);
        ends.symbols.push(of_symbols.len() as u64);
        ends.occurrences.push(of_occurrences.len() as u64);
        ends.imports.push(of_imports.len() as u64);
        hints::encode(&mut of_hints, &record.hints);
        ends.hints.push(of_hints.len() as u64);
        gaps::encode(&mut of_gaps, &record.gaps);
        ends.gaps.push(of_gaps.len() as u64);
        entries::encode(&mut of_entries, &record.entries);
        ends.entries.push(of_entries.len() as u64);
    }
    Ok(OfNames {
        names: names::encode(&used),
        postings: postings::encode(&used),
        symbols: of_symbols,
        occurrences: of_occurrences,
        imports: of_imports,
        hints: of_hints,
        gaps: of_gaps,
        entries: of_entries,
        ends,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Segment;
    use super::super::arbitrary::{cases, docs, resolve, rows};
    use super::*;
    use crate::extract::record::{Chunk, Grammar, Occurrence, OccurrenceKind, Qualifier, TermFreq};
    use crate::id::{BlobId, ChunkId, LocalName};
    use proptest::prelude::*;

    fn open(bytes: &[u8]) -> Segment {
        Segment::open(bytes.to_vec()).unwrap()
    }

    proptest! {
        #![proptest_config(cases(200))]

        #[test]
        fn records_survive(docs in rows(Kind::Sha1, 8)) {
            let bytes = build_rows(Kind::Sha1, docs.clone()).unwrap();
            let segment = open(&bytes);
            let decoded = segment.to_records().unwrap();
            prop_assert_eq!(decoded.len(), docs.len());
            for ((key, record), (wanted_key, wanted)) in decoded.iter().zip(&docs) {
                prop_assert_eq!(key, wanted_key);
                prop_assert_eq!(resolve(record), resolve(wanted));
            }
            prop_assert_eq!(build_rows(Kind::Sha1, decoded).unwrap(), bytes);
            segment.verify().unwrap();
        }

        #[test]
        fn bytes_do_not_depend_on_the_order_of_documents(
            (docs, shuffled) in rows(Kind::Sha256, 6)
                .prop_flat_map(|docs| (Just(docs.clone()), Just(docs).prop_shuffle())),
        ) {
            let bytes = build_rows(Kind::Sha256, docs).unwrap();
            prop_assert_eq!(build_rows(Kind::Sha256, shuffled).unwrap(), bytes);
        }

        #[test]
        fn documents_of_chunks_are_those_of_each(
            docs in docs(Kind::Sha1, 12),
            picked in proptest::collection::btree_set(0..40u32, 0..20),
        ) {
            let segment = open(&build(Kind::Sha1, docs).unwrap());
            let count = segment.doc_ids().last().map_or(0, |doc| segment.doc(doc).chunks.end.0);
            let picked: Vec<_> = picked.into_iter().filter(|at| *at < count).map(ChunkId).collect();
            let mut each: Vec<_> = picked.iter().map(|chunk| segment.chunk_doc(*chunk)).collect();
            each.dedup();
            prop_assert_eq!(segment.chunk_docs(picked.into_iter()).collect::<Vec<_>>(), each);
        }

        #[test]
        fn indexes_say_what_the_streams_say(docs in docs(Kind::Sha1, 6)) {
            let segment = open(&build(Kind::Sha1, docs.clone()).unwrap());
            let mut names = segment.all_names();
            while let Some((id, name)) = names.advance() {
                let id = crate::id::NameId(id);
                prop_assert_eq!(segment.name_id(name), Some(id));
                let defining: Vec<_> = segment
                    .doc_ids()
                    .filter(|doc| segment.symbols(*doc).any(|symbol| symbol.name == id))
                    .collect();
                prop_assert_eq!(segment.defining_docs(id).collect::<Vec<_>>(), defining.clone());
                let mut occurring = Vec::new();
                for doc in segment.doc_ids() {
                    let all: Vec<_> =
                        segment.occurrences(doc).filter(|found| found.name == id).collect();
                    prop_assert_eq!(&segment.occurrences_of(doc, id).collect::<Vec<_>>(), &all);
                    if !all.is_empty() {
                        occurring.push((doc, all.len() as u32));
                    }
                }
                prop_assert_eq!(segment.occurring_docs(id).collect::<Vec<_>>(), occurring);
                let mut folded = Vec::new();
                crate::extract::terms::fold(name, &mut folded);
                let found = segment.names_folded(&folded).any(|found| found == id);
                prop_assert_eq!(found, !defining.is_empty());
                crate::extract::terms::for_each_subword(name, |word| {
                    let found = segment.names_with_subword(word).any(|found| found == id);
                    assert_eq!(found, !defining.is_empty());
                });
            }
            for doc in segment.doc_ids() {
                prop_assert_eq!(segment.find(&segment.key(doc)), Some(doc));
                let chunks = segment.doc(doc).chunks;
                for id in (chunks.start.0..chunks.end.0).map(ChunkId) {
                    prop_assert_eq!(segment.chunk(id).doc, doc);
                }
            }
        }
    }

    fn one(record: DocRecord) -> Vec<(DocKey, DocRecord)> {
        let blob = BlobId::new(Kind::Sha1.empty_blob().to_owned());
        vec![(
            DocKey {
                blob,
                grammar: Grammar::Rust,
            },
            record,
        )]
    }

    #[test]
    fn two_threads_write_what_one_does() {
        let doc = |i: u32| {
            let id = [&i.to_be_bytes()[..], &[7; 16]].concat();
            let blob = BlobId::from_bytes(&id).unwrap();
            let mut record = DocRecord::empty(Grammar::Text, 9);
            let term = record.terms.push(format!("word{}", i % 17).as_bytes());
            record.chunks.push(Chunk {
                start_line: 1,
                end_line: 1,
                symbol: None,
                field_len: [0, 0, 1, 0],
                content_hash: u64::from(i),
                terms: vec![TermFreq {
                    term,
                    tf: [0, 0, 1, 0],
                }],
            });
            (
                DocKey {
                    blob,
                    grammar: Grammar::Text,
                },
                record,
            )
        };
        let docs: Vec<_> = (0..PARALLEL_CHUNKS as u32).map(doc).collect();
        let row = |(doc, record): &(DocKey, DocRecord)| (own_row(*doc, record), record.clone());
        let rows: Vec<_> = docs.iter().map(row).collect();
        let (names, terms) = halves(&rows);
        assert_eq!(terms.unwrap(), terms::encode(&rows).unwrap());
        assert_eq!(
            names.unwrap().names.names,
            encode_names(&rows).unwrap().names.names
        );
        let segment = open(&build(Kind::Sha1, docs).unwrap());
        let chunks: Vec<u32> = segment
            .postings(b"word3")
            .unwrap()
            .map(|p| p.chunk.0)
            .collect();
        assert_eq!(
            chunks,
            (3..PARALLEL_CHUNKS as u32).step_by(17).collect::<Vec<_>>()
        );
    }

    #[test]
    fn records_that_contradict_themselves_are_refused() {
        let mut record = DocRecord::empty(Grammar::Rust, 1);
        let (kind, qualifier) = (OccurrenceKind::Read, Qualifier::None);
        let name = LocalName(0);
        record.occurrences.push(Occurrence {
            name,
            line: 1,
            col: 0,
            kind,
            qualifier,
        });
        let error = build(Kind::Sha1, one(record)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "record of blob e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 as rust: \
             a name is not in its table"
        );
    }

    #[test]
    fn documents_of_another_hash_are_refused() {
        let docs = one(DocRecord::empty(Grammar::Rust, 1));
        assert!(matches!(build(Kind::Sha256, docs), Err(Error::Hash { .. })));
    }

    #[test]
    fn of_equal_keys_the_first_counts() {
        let mut docs = one(DocRecord::empty(Grammar::Rust, 1));
        docs.extend(one(DocRecord::empty(Grammar::Rust, 2)));
        let segment = open(&build(Kind::Sha1, docs).unwrap());
        assert_eq!(segment.doc_count(), 1);
        assert_eq!(segment.doc(crate::id::DocId(0)).size, 1);
    }
}
