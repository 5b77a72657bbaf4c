//! Whether a segment says of a document what its blob says.
//!
//! Extraction is a pure function of the blob and the grammar, so an honest segment of this
//! extractor never differs, whoever built it and out of whatever documents it was merged.

use super::judge::Derived;
use super::parallel::{cores, map};
use super::partition::Measured;
use super::segments::Segments;
use super::work::Reader;
use crate::extract::Extractor;
use crate::extract::fingerprint;
use crate::extract::record::{DocKey, DocRecord, Import, NameTable, RowKey, SkipReason, Symbol};
use crate::git::Repo;
use crate::id::{DocId, LocalName, NameId};
use crate::lang;
use crate::segment::{self, Segment};
use gix::ObjectId;
use rustc_hash::FxHashMap;
use std::panic::AssertUnwindSafe;

/// Documents below which a thread costs more than it saves.
const PARALLEL_FROM: usize = 16;

/// A document of which a segment says something else than the blob.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lie {
    /// The document.
    pub key: DocKey,
    /// What differs first, as a plural: `symbols`, `terms`.
    pub what: &'static str,
}

impl std::fmt::Display for Lie {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "document {} ({}): recorded {} differ from what the blob says",
            self.key.blob,
            self.key.grammar.label(),
            self.what
        )
    }
}

impl Derived for Segments {
    type Record = DocRecord;

    fn is_derivable(key: &RowKey) -> bool {
        fingerprint::is_ours(key.extractor)
    }
    fn object(key: &RowKey) -> ObjectId {
        key.doc.blob.as_object()
    }
    fn records(
        segment: &Segment,
        is_wanted: &dyn Fn(&RowKey) -> bool,
    ) -> Result<Vec<(RowKey, DocRecord)>, String> {
        let records = segment.records_where(is_wanted);
        records.map_err(|err| err.to_string())
    }
    fn derive(repo: &Repo, keys: &[RowKey]) -> Result<Vec<(RowKey, DocRecord)>, String> {
        let ours = || keys.iter().filter(|key| Self::is_derivable(key));
        let mut documents: Vec<DocKey> = ours().map(|key| key.doc).collect();
        documents.sort_unstable();
        documents.dedup();
        // What we fail to build says nothing about others.
        let found = truths(repo, &documents).unwrap_or_default();
        let found: FxHashMap<DocKey, DocRecord> = found
            .into_iter()
            .map(|(key, record)| (key.doc, record))
            .collect();
        // Under the key that was asked for: who says that a document is in another language lies too.
        let of = |key: &RowKey| Some((*key, found.get(&key.doc)?.clone()));
        Ok(ours().filter_map(of).collect())
    }
    fn difference(recorded: Option<&DocRecord>, truth: &DocRecord) -> Option<&'static str> {
        recorded.map_or(Some("documents"), |recorded| difference(recorded, truth))
    }
    fn lie(key: &RowKey, what: &'static str) -> String {
        Lie { key: key.doc, what }.to_string()
    }
    fn dispute(key: &RowKey, what: &'static str) -> String {
        let (blob, grammar) = (key.doc.blob, key.doc.grammar.label());
        format!("document {blob} ({grammar}): recorded {what} differ from ours")
    }
}

/// Returns what is to be recorded of documents, as it is read back from a segment, sorted by key.
fn truths(repo: &Repo, keys: &[DocKey]) -> Result<Vec<(RowKey, DocRecord)>, segment::Error> {
    let threads = match keys.len() {
        0..PARALLEL_FROM => 1,
        _ => cores(),
    };
    let parts: Vec<&[DocKey]> = keys.chunks(keys.len().div_ceil(threads).max(1)).collect();
    let made = map(&parts, threads, || (), |(), part| extract(repo, part));
    let mut all = Vec::with_capacity(keys.len());
    for made in made {
        all.extend(made?);
    }
    all.sort_by_key(|(key, _)| *key);
    Ok(all)
}

fn extract(repo: &Repo, keys: &[DocKey]) -> Result<Vec<(RowKey, DocRecord)>, segment::Error> {
    let mut reader = Reader::new(repo);
    let mut records = Vec::with_capacity(keys.len());
    for key in keys {
        let Ok(size) = reader.size(key.blob) else {
            continue;
        };
        if let Ok((record, _)) = reader.record(&Measured { key: *key, size }) {
            records.push((*key, record));
        }
    }
    // What is read back numbers names in another order than extraction does.
    let read_back = |records| Segment::open(segment::build(repo.hash(), records)?)?.to_records();
    if let Ok(records) = read_back(records.clone()) {
        return Ok(records);
    }
    // As when an index is made: what cannot be written is recorded as too complex.
    let mut out = Vec::with_capacity(records.len());
    for (key, record) in records {
        let skipped = DocRecord::skipped(record.lang, record.size, SkipReason::TooComplex);
        match read_back(vec![(key, record)]) {
            Ok(records) => out.extend(records),
            Err(_) => out.extend(read_back(vec![(key, skipped)])?),
        }
    }
    Ok(out)
}

/// Says what differs between two records that were read back from segments.
fn difference(a: &DocRecord, b: &DocRecord) -> Option<&'static str> {
    if a == b {
        return None;
    }
    let names = |record: &DocRecord, ids: Vec<LocalName>| -> Vec<Vec<u8>> {
        let table: &NameTable = &record.names;
        ids.into_iter().map(|id| table.get(id).to_vec()).collect()
    };
    let symbols = |r: &DocRecord| names(r, r.symbols.iter().map(|s| s.name).collect());
    let uses = |r: &DocRecord| names(r, r.occurrences.iter().map(|o| o.name).collect());
    Some(
        if (a.lang, a.skip, a.flags, a.size, a.lines) != (b.lang, b.skip, b.flags, b.size, b.lines)
        {
            "facts"
        } else if a.symbols != b.symbols || symbols(a) != symbols(b) {
            "symbols"
        } else if a.occurrences != b.occurrences || uses(a) != uses(b) {
            "occurrences"
        } else if a.imports != b.imports || a.names != b.names {
            "imports"
        } else {
            "terms"
        },
    )
}

/// Extracts documents again whose text is at hand, and compares what answers show of them.
#[derive(Default)]
pub struct Rederiver {
    extractor: Extractor,
}

/// What of a document answers show in words: its symbols and its imports, names spelt out.
#[derive(PartialEq)]
struct Words {
    symbols: Vec<Symbol<Vec<u8>>>,
    imports: Vec<Import<Vec<u8>>>,
}

impl Rederiver {
    /// Makes one. Grammars are loaded as they are needed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Compares the symbols and imports of a document with what extraction says of its bytes. The outer
    /// `None` when extraction cannot tell, the inner one when they agree.
    pub fn words(&mut self, segment: &Segment, doc: DocId, bytes: &[u8]) -> Option<Option<Lie>> {
        let key = segment.key(doc);
        if !lang::is_built(lang::by_content(bytes, key.grammar)) {
            return None;
        }
        let Self { extractor } = self;
        let made =
            std::panic::catch_unwind(AssertUnwindSafe(|| extractor.extract(bytes, key.grammar)));
        let Ok(record) = made else {
            self.extractor = Extractor::new();
            return None;
        };
        // As it is read back: what cannot be written is recorded without symbols.
        let built = segment::build(segment.hash_kind(), vec![(key, record)]);
        let truth = built.and_then(Segment::open).ok();
        let truth = truth.map_or(Words::NONE, |truth| Words::of(&truth, DocId(0)));
        let recorded = Words::of(segment, doc);
        let what = match recorded {
            same if same == truth => return Some(None),
            other if other.symbols != truth.symbols => "symbols",
            _ => "imports",
        };
        Some(Some(Lie { key, what }))
    }
}

impl Words {
    const NONE: Self = Self {
        symbols: Vec::new(),
        imports: Vec::new(),
    };

    fn of(segment: &Segment, doc: DocId) -> Self {
        let spelt = |name: NameId| {
            let mut bytes = Vec::new();
            segment.name(name, &mut bytes);
            bytes
        };
        Self {
            symbols: segment.symbols(doc).map(|s| s.renamed(spelt)).collect(),
            imports: segment.imports(doc).map(|i| i.renamed(spelt)).collect(),
        }
    }
}
