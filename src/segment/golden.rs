//! Golden bytes: what the records described here are written as, for as long as the layout lasts.
//!
//! `format-spec/vectors/<name>.txt` tells the records to people and to other implementations,
//! `<name>.hex` is the segment. Run with `UPDATE_VECTORS=1` to write them anew, which only a new
//! layout version allows, or a new way of splitting words (see `SUBW`).

use super::Segment;
use super::arbitrary::resolve;
use super::builder::build_rows;
use crate::extract::record::*;
use crate::golden;
use crate::id::{BlobId, LocalName};
use gix::ObjectId;
use gix::hash::Kind;
use std::fmt::Write;

/// Not those of any extractor, so that the vectors outlive them.
const OLDER: Fingerprint = Fingerprint(0x0807_0605_0403_0201);
const NEWER: Fingerprint = Fingerprint(0xfedc_ba98_7654_3210);

fn key(hash: Kind, byte: u8, grammar: Grammar, extractor: Fingerprint) -> RowKey {
    let id = ObjectId::try_from(&[byte; 32][..hash.len_in_bytes()]).unwrap();
    let doc = DocKey {
        blob: BlobId::new(id),
        grammar,
    };
    RowKey { doc, extractor }
}

fn table(names: &[&str]) -> NameTable {
    let mut table = NameTable::default();
    for name in names {
        table.push(name.as_bytes());
    }
    table
}

fn occurrence(name: u32, line: u32, col: u32, kind: OccurrenceKind) -> Occurrence<LocalName> {
    Occurrence {
        name: LocalName(name),
        line,
        col,
        kind,
        qualifier: Qualifier::None,
    }
}

/// Every part of the stream of `FLOW`: hints with and without an occurrence, before and after what
/// they are about, a scope that begins before its local, and a local of which nothing is known.
fn hints() -> TypeHints {
    let hint = |kind, occurrence| TypeHint { kind, occurrence };
    let local = |declared, scope, hint| Local {
        declared,
        scope,
        hint,
    };
    TypeHints {
        locals: vec![
            local(2, 3..8, Some(hint(HintKind::Type, 1))),
            local(3, 2..5, Some(hint(HintKind::Element, 4))),
            local(3, 4..4, None),
        ],
        values: vec![
            (1, hint(HintKind::Result, 4)),
            (2, hint(HintKind::Literal, 0)),
            (3, hint(HintKind::Value, 3)),
        ],
        receivers: vec![
            (4, hint(HintKind::This, 0)),
            (7, hint(HintKind::ResultElement, 4)),
        ],
    }
}

/// One document that uses every code of the layout that small numbers reach.
fn full() -> DocRecord {
    let class = Symbol {
        name: LocalName(0),
        kind: SymbolKind::Class,
        flags: SymbolFlags::EXPORTED,
        container: None,
        receiver: None,
        span: 40..400,
        start_line: 3,
        start_col: 0,
        end_line: 20,
        end_col: 1,
        name_line: 3,
        name_col: 13,
        signature: 40..62,
        doc: 10..39,
        body_hash: 0x0123_4567_89ab_cdef,
    };
    let method = Symbol {
        name: LocalName(1),
        kind: SymbolKind::Method,
        flags: SymbolFlags::EXPORTED.with(SymbolFlags::DECORATED),
        container: Some(0),
        receiver: Some(LocalName(0)),
        span: 100..220,
        start_line: 6,
        start_col: 4,
        end_line: 11,
        end_col: 5,
        name_line: 7,
        name_col: 4,
        signature: 110..140,
        doc: 150..170,
        body_hash: 7,
    };
    let field = Symbol {
        name: LocalName(2),
        kind: SymbolKind::Field,
        flags: SymbolFlags::default(),
        receiver: None,
        span: 230..240,
        start_line: 13,
        end_line: 13,
        end_col: 14,
        name_line: 13,
        signature: 230..240,
        doc: 0..0,
        body_hash: u64::MAX,
        ..method.clone()
    };
    let function = Symbol {
        container: None,
        span: 410..420,
        start_line: 22,
        ..field.clone()
    };
    let this = Qualifier::This;
    let freq = |term, tf| TermFreq {
        term: LocalName(term),
        tf,
    };
    DocRecord {
        flags: DocFlags::GENERATED,
        lines: 22,
        names: table(words!("HttpServer listenOn port_2 näme naïf os unused")),
        symbols: vec![class, method, field, function],
        occurrences: vec![
            occurrence(5, 1, 7, OccurrenceKind::Import),
            occurrence(3, 1, 10, OccurrenceKind::Type),
            Occurrence {
                qualifier: this,
                ..occurrence(2, 8, 8, OccurrenceKind::Write)
            },
            occurrence(4, 8, 17, OccurrenceKind::Read),
            occurrence(1, 9, 70, OccurrenceKind::Call),
            occurrence(1, 200, 63, OccurrenceKind::Mention),
            occurrence(1, 201, 0, OccurrenceKind::Inherit),
            Occurrence {
                qualifier: Qualifier::Expression,
                ..occurrence(1, 202, 4, OccurrenceKind::Call)
            },
        ],
        imports: vec![
            Import {
                kind: ImportKind::Import,
                line: 1,
                specifier: b"./os".to_vec(),
                bindings: vec![
                    Binding {
                        imported: Some(LocalName(5)),
                        local: Some(LocalName(5)),
                    },
                    Binding {
                        imported: Some(LocalName(3)),
                        local: Some(LocalName(4)),
                    },
                    Binding {
                        imported: Some(LocalName(3)),
                        local: None,
                    },
                    Binding {
                        imported: None,
                        local: Some(LocalName(4)),
                    },
                ],
            },
            Import {
                kind: ImportKind::Reexport,
                line: 2,
                specifier: Vec::new(),
                bindings: vec![Binding {
                    imported: None,
                    local: None,
                }],
            },
        ],
        hints: hints(),
        gaps: Gaps {
            bytes: 300,
            lines: vec![
                Lines { first: 9, last: 9 },
                Lines {
                    first: 150,
                    last: 300,
                },
            ],
        },
        entries: entries(),
        terms: table(&["a", "listen", "listenon", "server"]),
        chunks: vec![
            Chunk {
                start_line: 1,
                end_line: 5,
                symbol: None,
                field_len: [0, 0, 3, 1],
                content_hash: 99,
                terms: vec![
                    freq(0, [0, 0, 1, 0]),
                    freq(1, [0, 0, 0, 1]),
                    freq(3, [0, 0, 2, 0]),
                ],
            },
            Chunk {
                start_line: 6,
                end_line: 22,
                symbol: Some(1),
                field_len: [1, 2, 300, 1],
                content_hash: 100,
                terms: vec![freq(1, [1, 2, 255, 0]), freq(2, [0, 0, 0, 2])],
            },
        ],
        ..DocRecord::empty(Grammar::TypeScript, 421)
    }
}

/// A document with so many names that some need ordinals of two bytes.
fn wide() -> DocRecord {
    let mut record = DocRecord::empty(Grammar::C, 70_000);
    for i in 0..150u32 {
        record.names.push(format!("name{i:03}").as_bytes());
        for _ in 0..=i % 3 {
            record
                .occurrences
                .push(occurrence(i, i + 1, 2, OccurrenceKind::Read));
        }
    }
    record
}

type Vector = (&'static str, Kind, Vec<(RowKey, DocRecord)>);

fn vectors() -> Vec<Vector> {
    let small = |hash| {
        vec![
            (key(hash, 0x22, Grammar::TypeScript, NEWER), full()),
            (key(hash, 0x11, Grammar::CHeader, OLDER), wide()),
            (
                key(hash, 0x22, Grammar::Text, OLDER),
                DocRecord::skipped(Grammar::Text, 1 << 40, SkipReason::TooLarge),
            ),
        ]
    };
    // One document by two extractors, and one in a language that has no code here.
    let mixed = || {
        let stranger = Grammar::from_code(200);
        vec![
            (key(Kind::Sha1, 0x22, Grammar::Ruby, NEWER), full()),
            (key(Kind::Sha1, 0x22, Grammar::Ruby, OLDER), wide()),
            (
                key(Kind::Sha1, 0x11, stranger, NEWER),
                DocRecord::empty(stranger, 7),
            ),
        ]
    };
    vec![
        ("segment-empty-sha1", Kind::Sha1, Vec::new()),
        ("segment-small-sha1", Kind::Sha1, small(Kind::Sha1)),
        ("segment-small-sha256", Kind::Sha256, small(Kind::Sha256)),
        ("segment-mixed-sha1", Kind::Sha1, mixed()),
    ]
}

/// Every kind of entry, of part and of what is reached.
fn entries() -> Vec<Entry> {
    let part = |at: usize, kind: PartKind| PathPart {
        kind,
        range: match kind.has_text() {
            true => at as u32 * 7..at as u32 * 8,
            false => 0..0,
        },
    };
    let parts: Vec<PathPart> = PartKind::ALL
        .iter()
        .enumerate()
        .map(|(at, kind)| part(at, *kind))
        .collect();
    let reached = [
        Reached::Nothing,
        Reached::Inline(3),
        Reached::Symbol(0),
        Reached::Place(200, 9),
        Reached::Text(90..95),
    ];
    let kinds = EntryKind::ALL.iter().enumerate();
    let entry = |(at, kind): (usize, &EntryKind)| Entry {
        kind: *kind,
        methods: Methods([0, 1, 1023][at % 3]),
        on: (at > 1).then_some(at as u32 / 2),
        line: 10 + at as u32 % 4,
        path: parts.iter().skip(at * 3).take(4).cloned().collect(),
        reached: reached[at % reached.len()].clone(),
    };
    kinds.map(entry).collect()
}

/// Writes records as text, one line a fact.
fn describe(docs: &[(RowKey, DocRecord)]) -> String {
    let mut text = String::new();
    for (key, record) in docs {
        let name = |id: LocalName| record.names.get(id).escape_ascii().to_string();
        let maybe = |id: Option<LocalName>| id.map_or("-".to_owned(), name);
        let number = |n: Option<u32>| n.map_or("-".to_owned(), |n| n.to_string());
        let mut line = |fact: String| writeln!(text, "{fact}").unwrap();
        let called = |grammar: Grammar| match Grammar::ALL.contains(&grammar) {
            true => grammar.label().to_owned(),
            false => format!("grammar {}", grammar.code()),
        };
        let (blob, grammar, lang) = (key.doc.blob, called(key.doc.grammar), called(record.lang));
        line(format!("document {blob} {grammar} by {}", key.extractor));
        let skip = record.skip.map_or("-", SkipReason::label);
        let (flags, size, lines) = (record.flags.0, record.size, record.lines);
        line(format!(
            "  lang {lang}, skip {skip}, flags {flags}, size {size}, lines {lines}"
        ));
        for s in &record.symbols {
            let head = format!(
                "  symbol {} {}, flags {}",
                name(s.name),
                s.kind.label(),
                s.flags.0
            );
            let within = format!("in {}, receiver {}", number(s.container), maybe(s.receiver));
            let place = format!(
                "span {:?}, {}:{} to {}:{}, name {}:{}",
                s.span, s.start_line, s.start_col, s.end_line, s.end_col, s.name_line, s.name_col
            );
            let rest = format!(
                "signature {:?}, doc {:?}, {:016x}",
                s.signature, s.doc, s.body_hash
            );
            line(format!("{head}, {within}, {place}, {rest}"));
        }
        for o in &record.occurrences {
            let (kind, qualifier) = (o.kind.label(), o.qualifier.code());
            let place = format!("{}:{}", o.line, o.col);
            line(format!(
                "  occurrence {} {place} {kind}, qualifier {qualifier}",
                name(o.name)
            ));
        }
        for i in &record.imports {
            let specifier = i.specifier.escape_ascii();
            line(format!(
                "  {} at line {} of \"{specifier}\"",
                i.kind.label(),
                i.line
            ));
            for b in &i.bindings {
                line(format!(
                    "    binds {} as {}",
                    maybe(b.imported),
                    maybe(b.local)
                ));
            }
        }
        let kind = |hint: TypeHint| match hint.kind {
            HintKind::This | HintKind::Literal | HintKind::Never => hint.kind.label().to_owned(),
            kind => format!("{} of {}", kind.label(), hint.occurrence),
        };
        for l in &record.hints.locals {
            let (declared, scope) = (l.declared, &l.scope);
            let hint = l.hint.map_or("-".to_owned(), kind);
            line(format!("  local {declared}, scope {scope:?}, {hint}"));
        }
        for &(symbol, hint) in &record.hints.values {
            line(format!("  value of symbol {symbol}, {}", kind(hint)));
        }
        for &(occurrence, hint) in &record.hints.receivers {
            line(format!("  receiver of {occurrence}, {}", kind(hint)));
        }
        if record.gaps.bytes > 0 {
            line(format!("  gaps {} bytes", record.gaps.bytes));
        }
        for gap in &record.gaps.lines {
            line(format!("  gap {} to {}", gap.first, gap.last));
        }
        for e in &record.entries {
            let path = e.path.iter().map(|part| match part.kind.has_text() {
                true => format!("{} {:?}", part.kind.label(), part.range),
                false => part.kind.label().to_owned(),
            });
            let path = path.collect::<Vec<_>>().join(", ");
            let (kind, methods, on) = (e.kind.label(), e.methods.0, number(e.on));
            let head = format!(
                "  point {kind} at line {}, methods {methods}, on {on}",
                e.line
            );
            line(format!("{head}, path [{path}], to {:?}", e.reached));
        }
        for c in &record.chunks {
            let place = format!(
                "{} to {}, symbol {}",
                c.start_line,
                c.end_line,
                number(c.symbol)
            );
            line(format!(
                "  chunk {place}, lengths {:?}, {:016x}",
                c.field_len, c.content_hash
            ));
            for f in &c.terms {
                line(format!(
                    "    {} {:?}",
                    record.terms.get(f.term).escape_ascii(),
                    f.tf
                ));
            }
        }
    }
    text
}

#[test]
fn segments_are_the_golden_bytes() {
    for (name, hash, docs) in vectors() {
        let bytes = build_rows(hash, docs.clone()).unwrap();
        golden::assert_same(&format!("{name}.txt"), &describe(&docs));
        golden::assert_same(&format!("{name}.hex"), &golden::hex(&bytes));
    }
}

#[test]
fn golden_bytes_are_read_as_their_records() {
    for (_, hash, docs) in vectors() {
        let bytes = build_rows(hash, docs.clone()).unwrap();
        let segment = Segment::open(bytes).unwrap();
        segment.verify().unwrap();
        let decoded = segment.to_records().unwrap();
        assert_eq!(decoded.len(), docs.len());
        for (key, record) in &decoded {
            let (_, wanted) = docs.iter().find(|(wanted, _)| wanted == key).unwrap();
            assert_eq!(resolve(record), resolve(wanted));
        }
    }
}

#[test]
fn rows_of_other_extractors_are_kept_and_not_found_as_ours() {
    let (_, hash, docs) = vectors().pop().unwrap();
    let segment = Segment::open(build_rows(hash, docs.clone()).unwrap()).unwrap();
    assert_eq!(segment.extractors(), [OLDER, NEWER]);
    for (key, _) in &docs {
        assert!(segment.find_row(key).is_some());
        assert_eq!(segment.find(&key.doc), None);
    }
}
