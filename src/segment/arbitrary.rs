//! Arbitrary valid records, for property tests of this layer and of those above.

use crate::extract::record::*;
use crate::id::{BlobId, LocalName};
use crate::segment::own_row;
use gix::ObjectId;
use gix::hash::Kind;
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeMap;

/// Returns the settings of property tests: this many cases, and no files written on failure.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Any set of documents of one hash, sorted by key, keys distinct.
pub(crate) fn docs(hash: Kind, max: usize) -> impl Strategy<Value = Vec<(DocKey, DocRecord)>> {
    btree_map(key(hash), record(), 0..max).prop_map(|docs| docs.into_iter().collect())
}

/// The same with rows of several extractors, of which one is ours, and of languages that are not known yet.
pub(crate) fn rows(hash: Kind, max: usize) -> impl Strategy<Value = Vec<(RowKey, DocRecord)>> {
    btree_map((key(hash), 0..4_u64, any::<bool>()), record(), 0..max).prop_map(|docs| {
        let row = |((doc, version, is_new), mut record): ((DocKey, u64, bool), DocRecord)| {
            let ours = own_row(doc, &record);
            let mut key = match version {
                0 => ours,
                _ => RowKey {
                    doc,
                    extractor: Fingerprint(version),
                },
            };
            if is_new && version == 3 {
                key.doc.grammar = Grammar::from_code(250);
                record.lang = Grammar::from_code(251);
            }
            (key, record)
        };
        let rows: BTreeMap<RowKey, DocRecord> = docs.into_iter().map(row).collect();
        rows.into_iter().collect()
    })
}

/// Any key. Ids are few enough for one blob to be read with several grammars.
pub(crate) fn key(hash: Kind) -> impl Strategy<Value = DocKey> {
    let blob = prop_oneof![(0..20u8).prop_map(|n| [n; 32]), any::<[u8; 32]>()];
    (blob, select(Grammar::ALL)).prop_map(move |(blob, grammar)| {
        let id = ObjectId::try_from(&blob[..hash.len_in_bytes()]).unwrap();
        DocKey {
            blob: BlobId::new(id),
            grammar,
        }
    })
}

/// Any valid record.
pub(crate) fn record() -> impl Strategy<Value = DocRecord> {
    prop_oneof![6 => full_record(), 1 => skipped()]
}

fn skipped() -> impl Strategy<Value = DocRecord> {
    (select(Grammar::ALL), any::<u64>(), select(SkipReason::ALL))
        .prop_map(|(lang, size, reason)| DocRecord::skipped(lang, size, reason))
}

fn table(names: impl IntoIterator<Item = Vec<u8>>) -> NameTable {
    let mut table = NameTable::default();
    names.into_iter().for_each(|name| {
        table.push(&name);
    });
    table
}

/// A word that other documents are likely to have too, or any bytes.
fn word() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => "[a-c]{1,2}([A-C][a-c]{1,2}){0,2}(_[0-9])?".prop_map(String::into_bytes),
        1 => "\\PC{1,8}".prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 0..40),
    ]
}

fn full_record() -> impl Strategy<Value = DocRecord> {
    let names = prop_oneof![
        8 => btree_set(word(), 1..30),
        1 => btree_set(word(), 150..180),
    ];
    let names = names
        .prop_map(|set| set.into_iter().collect::<Vec<_>>())
        .prop_shuffle();
    let head = (
        select(Grammar::ALL),
        any::<u8>(),
        any::<u64>(),
        any::<u32>(),
    );
    (head, names, vec(symbol(), 0..8), vec(occurrence(), 0..200))
        .prop_flat_map(|(head, names, symbols, occurrences)| {
            let rest = (vec(import(), 0..4), vec(chunk(), 0..5), raw_hints(), said());
            (Just((head, names, symbols, occurrences)), rest)
        })
        .prop_map(
            |((head, names, symbols, occurrences), (imports, chunks, hints, (gaps, entries)))| {
                let (has, occurs) = (symbols.len(), occurrences.len());
                let mut record = assemble(head, names, symbols, occurrences, imports, chunks);
                record.hints = settle(hints, has, occurs);
                record.gaps = gaps;
                record.entries = entries;
                record
            },
        )
}

type Terms = std::collections::BTreeMap<Vec<u8>, [u8; FIELDS]>;

fn assemble(
    (lang, flags, size, lines): (Grammar, u8, u64, u32),
    names: Vec<Vec<u8>>,
    symbols: Vec<(Symbol<Index>, Option<Index>)>,
    mut occurrences: Vec<Occurrence<Index>>,
    imports: Vec<Import<Index>>,
    chunks: Vec<(Chunk, Option<Index>, Terms)>,
) -> DocRecord {
    let local = |index: Index| LocalName(index.index(names.len()) as u32);
    occurrences.sort_by_key(|occurrence| (occurrence.line, occurrence.col));
    let symbols: Vec<_> = symbols
        .into_iter()
        .enumerate()
        .map(|(i, (symbol, container))| Symbol {
            container: container
                .filter(|_| i > 0)
                .map(|index| index.index(i) as u32),
            ..symbol.renamed(local)
        })
        .collect();
    let all: std::collections::BTreeSet<_> = chunks
        .iter()
        .flat_map(|(_, _, terms)| terms.keys().cloned())
        .collect();
    let position = |term: &Vec<u8>| LocalName(all.iter().position(|t| t == term).unwrap() as u32);
    let chunks = chunks
        .into_iter()
        .map(|(chunk, symbol, terms)| Chunk {
            symbol: symbol
                .filter(|_| !symbols.is_empty())
                .map(|index| index.index(symbols.len()) as u32),
            terms: terms
                .iter()
                .map(|(t, tf)| TermFreq {
                    term: position(t),
                    tf: *tf,
                })
                .collect(),
            ..chunk
        })
        .collect();
    DocRecord {
        lang,
        skip: None,
        flags: DocFlags(flags),
        size,
        lines,
        symbols,
        occurrences: occurrences
            .into_iter()
            .map(|o| map_occurrence(o, local))
            .collect(),
        imports: imports
            .into_iter()
            .map(|import| map_import(import, local))
            .collect(),
        hints: TypeHints::default(),
        gaps: Gaps::default(),
        entries: Vec::new(),
        chunks,
        terms: table(all),
        names: table(names),
    }
}

/// What is not of names.
fn said() -> impl Strategy<Value = (Gaps, Vec<Entry>)> {
    (gaps(), entries())
}

/// Entry points, each on one that comes before it or on none.
fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let part = || (select(PartKind::ALL), range());
    let reached = prop_oneof![
        Just(Reached::Nothing),
        number().prop_map(Reached::Inline),
        number().prop_map(Reached::Symbol),
        (number(), number()).prop_map(|(line, col)| Reached::Place(line, col)),
        range().prop_map(Reached::Text),
    ];
    let entry = (
        (select(EntryKind::ALL), any::<u16>(), number()),
        (option::of(any::<Index>()), vec(part(), 0..4), reached),
    );
    vec(entry, 0..6).prop_map(|entries| {
        let all = entries.into_iter().enumerate();
        let made = all.map(
            |(at, ((kind, methods, line), (on, parts, reached)))| Entry {
                kind,
                methods: Methods(methods),
                on: on.filter(|_| at > 0).map(|on| on.index(at) as u32),
                line,
                path: parts
                    .into_iter()
                    .map(|(kind, range)| match kind.has_text() {
                        true => PathPart { kind, range },
                        false => PathPart::bare(kind),
                    })
                    .collect(),
                reached,
            },
        );
        made.collect()
    })
}

/// Lines in order.
fn gaps() -> impl Strategy<Value = Gaps> {
    (any::<u32>(), vec((1..500u32, 0..500u32), 0..6)).prop_map(|(bytes, steps)| {
        let mut last = 0;
        let lines = steps.into_iter().map(|(after, len)| {
            let first = last + after;
            last = first + len;
            Lines { first, last }
        });
        Gaps {
            bytes,
            lines: lines.collect(),
        }
    })
}

type RawHint = (HintKind, Index);
type RawHints = (
    Vec<(Index, Index, Index, Option<RawHint>)>,
    Vec<(Index, RawHint)>,
    Vec<(Index, RawHint)>,
);

fn raw_hints() -> impl Strategy<Value = RawHints> {
    let hint = || (select(HintKind::ALL), any::<Index>());
    let place = any::<Index>;
    (
        vec((place(), place(), place(), option::of(hint())), 0..12),
        vec((place(), hint()), 0..5),
        vec((place(), hint()), 0..5),
    )
}

/// Makes hints of what a record with so many symbols and occurrences can have.
fn settle((locals, values, receivers): RawHints, symbols: usize, occurrences: usize) -> TypeHints {
    if occurrences == 0 {
        return TypeHints::default();
    }
    let hint = |(kind, at): RawHint| TypeHint {
        kind,
        occurrence: match kind.is_alone() {
            true => 0,
            false => at.index(occurrences) as u32,
        },
    };
    let local = |(declared, a, b, known): (Index, Index, Index, Option<RawHint>)| {
        let (a, b) = (
            a.index(occurrences + 1) as u32,
            b.index(occurrences + 1) as u32,
        );
        Local {
            declared: declared.index(occurrences) as u32,
            scope: a.min(b)..a.max(b),
            hint: known.map(hint),
        }
    };
    let mut hints = TypeHints {
        locals: locals.into_iter().map(local).collect(),
        values: values
            .into_iter()
            .filter(|_| symbols > 0)
            .map(|(symbol, known)| (symbol.index(symbols) as u32, hint(known)))
            .collect(),
        receivers: receivers
            .into_iter()
            .map(|(at, known)| (at.index(occurrences) as u32, hint(known)))
            .collect(),
    };
    hints.locals.sort_by_key(|local| local.declared);
    hints.values.sort_by_key(|(symbol, _)| *symbol);
    hints.receivers.sort_by_key(|(at, _)| *at);
    hints
}

/// Small numbers mostly, any sometimes.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![8 => 0..10u32, 4 => 0..200u32, 1 => any::<u32>()]
}

fn range() -> impl Strategy<Value = std::ops::Range<u32>> {
    (number(), number()).prop_map(|(a, b)| a.min(b)..a.max(b))
}

fn symbol() -> impl Strategy<Value = (Symbol<Index>, Option<Index>)> {
    let names = (
        any::<Index>(),
        option::of(any::<Index>()),
        option::of(any::<Index>()),
    );
    let kinds = (select(SymbolKind::ALL), any::<u8>(), any::<u64>());
    let places = (number(), number(), number(), number(), number(), number());
    (names, kinds, places, (range(), range(), range())).prop_map(
        |((name, receiver, container), (kind, flags, body_hash), places, ranges)| {
            let (start_line, start_col, end_line, end_col, name_line, name_col) = places;
            let (span, signature, doc) = ranges;
            let flags = SymbolFlags(flags);
            let symbol = Symbol {
                name,
                kind,
                flags,
                container: None,
                receiver,
                span,
                start_line,
                start_col,
                end_line,
                end_col,
                name_line,
                name_col,
                signature,
                doc,
                body_hash,
            };
            (symbol, container)
        },
    )
}

fn occurrence() -> impl Strategy<Value = Occurrence<Index>> {
    let kinds = (select(OccurrenceKind::ALL), select(Qualifier::ALL));
    (any::<Index>(), number(), number(), kinds).prop_map(|(name, line, col, (kind, qualifier))| {
        Occurrence {
            name,
            line,
            col,
            kind,
            qualifier,
        }
    })
}

fn import() -> impl Strategy<Value = Import<Index>> {
    let binding = (
        option::of(any::<Index>()),
        option::of(any::<Index>()),
        any::<bool>(),
    );
    let binding = binding.prop_map(|(imported, local, same)| Binding {
        imported,
        local: if same { imported } else { local },
    });
    (
        select(ImportKind::ALL),
        number(),
        word(),
        vec(binding, 0..4),
    )
        .prop_map(|(kind, line, specifier, bindings)| Import {
            kind,
            line,
            specifier,
            bindings,
        })
}

fn chunk() -> impl Strategy<Value = (Chunk, Option<Index>, Terms)> {
    let tf = prop_oneof![
        Just([0, 0, 1, 0]),
        Just([0, 0, 0, 1]),
        (0..4u8).prop_map(|n| [0, 0, n, 0]),
        any::<[u8; FIELDS]>(),
    ];
    let terms = btree_map(word(), tf, 0..20);
    (
        range(),
        option::of(any::<Index>()),
        any::<[u16; FIELDS]>(),
        any::<u64>(),
        terms,
    )
        .prop_map(|(lines, symbol, field_len, content_hash, terms)| {
            let (start_line, end_line) = (lines.start, lines.end);
            let chunk = Chunk {
                start_line,
                end_line,
                symbol: None,
                field_len,
                content_hash,
                terms: Vec::new(),
            };
            (chunk, symbol, terms)
        })
}

fn map_occurrence<A, B>(found: Occurrence<A>, name: impl Fn(A) -> B) -> Occurrence<B> {
    Occurrence {
        name: name(found.name),
        line: found.line,
        col: found.col,
        kind: found.kind,
        qualifier: found.qualifier,
    }
}

fn map_import<A, B>(import: Import<A>, name: impl Fn(A) -> B) -> Import<B> {
    let binding = |found: Binding<A>| Binding {
        imported: found.imported.map(&name),
        local: found.local.map(&name),
    };
    Import {
        kind: import.kind,
        line: import.line,
        specifier: import.specifier,
        bindings: import.bindings.into_iter().map(binding).collect(),
    }
}

type ResolvedTerms = Vec<(Vec<u8>, [u8; FIELDS])>;

/// A record with names instead of numbers, which is what two equal records have in common.
#[derive(Debug, PartialEq)]
pub(crate) struct Resolved {
    head: (Grammar, Option<SkipReason>, DocFlags, u64, u32),
    symbols: Vec<Symbol<Vec<u8>>>,
    occurrences: Vec<Occurrence<Vec<u8>>>,
    imports: Vec<Import<Vec<u8>>>,
    hints: TypeHints,
    gaps: Gaps,
    entries: Vec<Entry>,
    chunks: Vec<(Chunk, ResolvedTerms)>,
}

/// Resolves the names of a record.
pub(crate) fn resolve(record: &DocRecord) -> Resolved {
    let name = |id: LocalName| record.names.get(id).to_vec();
    let chunk = |chunk: &Chunk| {
        let terms = chunk
            .terms
            .iter()
            .map(|f| (record.terms.get(f.term).to_vec(), f.tf))
            .collect();
        (
            Chunk {
                terms: Vec::new(),
                ..chunk.clone()
            },
            terms,
        )
    };
    Resolved {
        head: (
            record.lang,
            record.skip,
            record.flags,
            record.size,
            record.lines,
        ),
        symbols: record
            .symbols
            .iter()
            .cloned()
            .map(|symbol| symbol.renamed(name))
            .collect(),
        occurrences: record
            .occurrences
            .iter()
            .map(|o| map_occurrence(*o, name))
            .collect(),
        imports: record
            .imports
            .iter()
            .cloned()
            .map(|i| map_import(i, name))
            .collect(),
        hints: record.hints.clone(),
        gaps: record.gaps.clone(),
        entries: record.entries.clone(),
        chunks: record.chunks.iter().map(chunk).collect(),
    }
}
