//! `refs`: where a name occurs, grouped by file. By name: nothing is resolved here.

use super::Error;
use super::answer::{FileReferences, Reference, RefsAnswer, Stamp};
use super::definitions;
use super::ids::{DocSymbols, ParsedId, split_qualified};
use super::request::RefsRequest;
use super::scope::{Filter, parse_labels};
use crate::extract::record::OccurrenceKind;
use crate::id::NameId;
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::text::{Texts, fold_line};
use rustc_hash::FxHashSet;

/// Definitions named beside the references.
const MAX_DEFINITIONS: usize = 10;
/// Longest line text shown, in bytes.
const LINE_BYTES: usize = 200;
/// Similar names offered when there is nothing.
const MAX_SIMILAR: usize = 5;

/// A file that holds the name.
struct Holder {
    file: FileId,
    name: NameId,
    count: u64,
}

/// Answers `refs` from a view.
///
/// # Errors
/// A bad scope, an unknown kind or an empty target.
pub fn references(
    view: &View,
    texts: &mut Texts,
    request: &RefsRequest,
    stamp: Stamp,
) -> Result<RefsAnswer, Error> {
    let filter = Filter::new(&request.scope)?;
    let kinds = parse_labels(
        "kind",
        &request.kinds,
        OccurrenceKind::ALL,
        OccurrenceKind::label,
    )?;
    let target = request.target.trim();
    if target.is_empty() {
        return Err(Error::EmptyTarget);
    }
    if !definitions::files_shown_as(view, target).is_empty() {
        return Err(Error::FileTarget {
            path: target.to_owned(),
        });
    }
    let name = match ParsedId::parse(target) {
        Some(id) => id.name().to_owned(),
        None => split_qualified(target).1.to_owned(),
    };
    let definitions = definitions::find_exact(view, &Filter::open(), name.as_bytes());
    let defining: FxHashSet<FileId> = definitions.iter().map(|d| d.file).collect();
    let mut holders = holders(view, &filter, name.as_bytes(), &kinds);
    // Product code first, beside its definition before elsewhere, then by path.
    holders.sort_unstable_by_key(|h| (view.file(h.file).role, !defining.contains(&h.file), h.file));
    let total = holders.iter().map(|h| h.count).sum();
    let files_total = holders.len();
    let mut files = Vec::new();
    let mut left = request.limit;
    for holder in holders {
        if left == 0 {
            break;
        }
        let group = group(view, texts, &holder, &kinds, left);
        left -= group.references.len();
        files.push(group);
    }
    let similar = if total == 0 && definitions.is_empty() {
        definitions::similar_names(view, &name, MAX_SIMILAR)
    } else {
        Vec::new()
    };
    Ok(RefsAnswer {
        stamp,
        target: target.to_owned(),
        definitions_total: definitions.len(),
        definitions: definitions
            .iter()
            .take(MAX_DEFINITIONS)
            .filter_map(|d| {
                let segment = &view.segment(d.doc.segment).segment;
                let path = view.file(d.file).path.to_string();
                DocSymbols::load(segment, d.doc.doc).reference(d.index, &path)
            })
            .collect(),
        name,
        files,
        total,
        files_total,
        files_searched: filter.count(view),
        similar,
    })
}

fn holders(view: &View, filter: &Filter, name: &[u8], kinds: &[OccurrenceKind]) -> Vec<Holder> {
    let mut holders = Vec::new();
    for live in view.segments() {
        let Some(id) = live.segment.name_id(name) else {
            continue;
        };
        for (doc, count) in live
            .segment
            .occurring_docs(id)
            .filter(|(doc, _)| live.is_live(*doc))
        {
            let files = live
                .files_of(doc)
                .filter(|f| filter.admits(view, view.file(*f)));
            let mut files = files.peekable();
            if files.peek().is_none() {
                continue;
            }
            // The index knows how many there are, not how many of each kind.
            let count = if kinds.is_empty() {
                u64::from(count)
            } else {
                let of_name = live.segment.occurrences_of(doc, id);
                of_name.filter(|o| kinds.contains(&o.kind)).count() as u64
            };
            if count > 0 {
                holders.extend(files.map(|file| Holder {
                    file,
                    name: id,
                    count,
                }));
            }
        }
    }
    holders
}

fn group(
    view: &View,
    texts: &mut Texts,
    holder: &Holder,
    kinds: &[OccurrenceKind],
    limit: usize,
) -> FileReferences {
    let file = view.file(holder.file);
    let mut references = Vec::new();
    if let Some(doc) = file.doc {
        let segment: &Segment = &view.segment(doc.segment).segment;
        let symbols = DocSymbols::load(segment, doc.doc);
        let text = texts.get(view, holder.file);
        references = segment
            .occurrences_of(doc.doc, holder.name)
            .filter(|o| kinds.is_empty() || kinds.contains(&o.kind))
            .take(limit)
            .map(|o| Reference {
                line: o.line,
                col: o.col + 1,
                kind: o.kind,
                enclosing: symbols
                    .enclosing(o.line, o.col)
                    .map(|i| symbols.qualified(i)),
                text: text
                    .as_deref()
                    .map(|t| fold_line(t.line(o.line), LINE_BYTES))
                    .unwrap_or_default(),
            })
            .collect();
    }
    FileReferences {
        path: file.path.to_string(),
        references,
        total: holder.count,
        blob: file.blob,
    }
}
