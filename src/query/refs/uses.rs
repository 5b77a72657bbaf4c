//! The uses of a symbol, grouped by file, each with how it was resolved.

use super::Asked;
use crate::extract::record::OccurrenceKind;
use crate::graph::edges::Edge;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::query::answer::{FileReferences, Reference, RefsAnswer};
use crate::query::ids::DocSymbols;
use crate::view::live::FileId;
use crate::view::text::{Texts, fold_line};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest line text shown, in bytes.
const LINE_BYTES: usize = 200;

/// One use, before its text is cut.
struct Found {
    line: u32,
    col: u32,
    kind: OccurrenceKind,
    certainty: Certainty,
    rule: Option<&'static str>,
    candidates: usize,
}

/// Fills in the uses of some symbols. Prose and strings that hold exactly the name are listed with
/// them; what else merely has the same letters is counted, and listed only when there is nothing
/// better.
pub(super) fn answer(
    asked: &Asked<'_>,
    texts: &mut Texts,
    symbols: &[SymbolId],
    answer: &mut RefsAnswer,
) {
    let mut files = resolved(asked, symbols);
    let in_words = by_name(asked, answer.name.as_bytes());
    answer.certainty[Certainty::Text as usize] = in_words.values().map(|f| f.len() as u64).sum();
    let any = files
        .values()
        .flatten()
        .any(|found| found.certainty != Certainty::Text);
    if !any {
        for (file, found) in in_words {
            files.entry(file).or_default().extend(found);
        }
    }
    let defining: FxHashSet<FileId> = symbols.iter().map(|id| asked.graph.place(*id).0).collect();
    let mut ordered: Vec<(FileId, Vec<Found>)> = files.into_iter().collect();
    // Product code first, the surest before the rest, beside its definition before elsewhere.
    ordered.sort_by_cached_key(|(file, found)| {
        let surest = found.iter().map(|f| f.certainty).min();
        let role = asked.view.file(*file).role;
        (role, surest, !defining.contains(file), *file)
    });
    for (_, found) in &mut ordered {
        found.sort_by_key(|f| (f.line, f.col));
        for f in found.iter().filter(|f| f.certainty != Certainty::Text) {
            answer.certainty[f.certainty as usize] += 1;
        }
    }
    answer.total = ordered.iter().map(|(_, found)| found.len() as u64).sum();
    answer.files_total = ordered.len();
    let mut left = asked.request.limit;
    for (file, found) in ordered {
        if left == 0 {
            break;
        }
        let group = group(asked, texts, file, found, left);
        left -= group.references.len();
        answer.files.push(group);
    }
}

/// The edges that arrive at some symbols, by the file they start in.
fn resolved(asked: &Asked<'_>, symbols: &[SymbolId]) -> FxHashMap<FileId, Vec<Found>> {
    let graph = asked.graph;
    let mut edges: Vec<u32> = symbols.iter().flat_map(|id| graph.arriving(*id)).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut files: FxHashMap<FileId, Vec<Found>> = FxHashMap::default();
    for number in edges {
        let edge = graph.edge(number);
        if !admits(asked, &edge) {
            continue;
        }
        let outside = graph.targets(number).filter(|id| !symbols.contains(id));
        files.entry(edge.file).or_default().push(Found {
            line: edge.line,
            col: edge.col,
            kind: edge.kind,
            certainty: edge.rule.certainty(),
            rule: Some(edge.rule.label()),
            candidates: outside.count(),
        });
    }
    files
}

fn admits(asked: &Asked<'_>, edge: &Edge) -> bool {
    (asked.kinds.is_empty() || asked.kinds.contains(&edge.kind))
        && asked.filter.admits(asked.view, asked.view.file(edge.file))
}

/// Occurrences of a name that were not resolved to anything: what grep would add.
fn by_name(asked: &Asked<'_>, name: &[u8]) -> FxHashMap<FileId, Vec<Found>> {
    let mut files: FxHashMap<FileId, Vec<Found>> = FxHashMap::default();
    for live in asked.view.segments() {
        let Some(id) = live.segment.name_id(name) else {
            continue;
        };
        let docs = live.segment.occurring_docs(id);
        for (doc, _) in docs.filter(|(doc, _)| live.is_live(*doc)) {
            let admitted = live
                .files_of(doc)
                .filter(|file| asked.filter.admits(asked.view, asked.view.file(*file)));
            for file in admitted {
                let found = unresolved(asked, file, id);
                if !found.is_empty() {
                    files.insert(file, found);
                }
            }
        }
    }
    files
}

fn unresolved(asked: &Asked<'_>, file: FileId, name: NameId) -> Vec<Found> {
    let Some(doc) = asked.view.file(file).doc else {
        return Vec::new();
    };
    let segment = &asked.view.segment(doc.segment).segment;
    segment
        .occurrences_of(doc.doc, name)
        .filter(|o| asked.kinds.is_empty() || asked.kinds.contains(&o.kind))
        .filter(|o| !asked.graph.has_edge_at(file, o.line, o.col))
        .map(|o| Found {
            line: o.line,
            col: o.col,
            kind: o.kind,
            certainty: Certainty::Text,
            rule: None,
            candidates: 0,
        })
        .collect()
}

fn group(
    asked: &Asked<'_>,
    texts: &mut Texts,
    file: FileId,
    found: Vec<Found>,
    limit: usize,
) -> FileReferences {
    let of = asked.view.file(file);
    let total = found.len() as u64;
    let text = texts.get(asked.view, file);
    let symbols = of.doc.map(|doc| {
        let segment = &asked.view.segment(doc.segment).segment;
        DocSymbols::load(segment, doc.doc)
    });
    let reference = |found: Found| Reference {
        line: found.line,
        col: found.col + 1,
        kind: found.kind,
        certainty: found.certainty,
        rule: found.rule,
        candidates: found.candidates,
        enclosing: symbols.as_ref().and_then(|symbols| {
            let enclosing = symbols.enclosing(found.line, found.col)?;
            Some(symbols.qualified(enclosing))
        }),
        text: text
            .as_deref()
            .map(|text| fold_line(text.line(found.line), LINE_BYTES))
            .unwrap_or_default(),
    };
    FileReferences {
        path: of.path.to_string(),
        references: found.into_iter().take(limit).map(reference).collect(),
        total,
        blob: of.blob,
    }
}
