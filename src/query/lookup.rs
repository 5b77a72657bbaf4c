//! `symbol`: cards, outlines and bodies of definitions; outlines of files.

use super::Error;
use super::answer::{FileOutline, OutlineItem, Stamp, SymbolAnswer, SymbolCard};
use super::definitions::{self, Definition};
use super::ids::DocSymbols;
use super::nothing::{Nothing, Step};
use super::relations::relations;
use super::request::{Detail, SymbolRequest};
use super::scope::Filter;
use super::spoken::{self, Spoken};
use crate::extract::record::{Symbol, SymbolFlags, SymbolKind};
use crate::graph::edges::Graph;
use crate::id::NameId;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts, fold_line};
use crate::view::written::Written;

/// Longest signature shown, in bytes.
const SIGNATURE_BYTES: usize = 300;
/// Definitions that are named alike and have a card, unless a large limit asks for more.
const MIN_NEAR: usize = 5;
/// Longest first line of documentation shown, in bytes.
const DOC_BYTES: usize = 200;

/// Answers `symbol` from a view. Without a graph cards have no relations.
///
/// # Errors
/// A bad scope or an empty target.
pub fn symbol(
    view: &View,
    graph: Option<&Graph>,
    texts: &mut Texts,
    request: &SymbolRequest,
    stamp: Stamp,
) -> Result<SymbolAnswer, Error> {
    let filter = Filter::new(&request.scope)?;
    let target = definitions::trimmed(view, &request.target);
    if target.is_empty() {
        return Err(Error::EmptyTarget);
    }
    let mut answer = SymbolAnswer {
        stamp,
        target: target.to_owned(),
        cards: Vec::new(),
        total: 0,
        near: 0,
        outlines: Vec::new(),
        files: filter.count(view),
        memories: Vec::new(),
        nothing: None,
    };
    let files = files_meant(view, target);
    if !files.is_empty() {
        answer.total = files.len();
        answer.outlines = files
            .into_iter()
            .take(request.limit)
            .filter_map(|file| outline(view, texts, &filter, file))
            .collect();
        return Ok(answer);
    }
    let found = definitions::find(view, &filter, target);
    answer.total = found.iter().filter(|d| d.matched.is_exact()).count();
    answer.near = found.len() - answer.total;
    let exact = answer.total.min(request.limit);
    let near = (request.limit - exact).min(MIN_NEAR.max(request.limit / 2));
    answer.cards = found
        .iter()
        .take(exact + near)
        .filter_map(|definition| card(view, graph, texts, definition, request.detail))
        .collect();
    if answer.total == 0 {
        let nothing = nothing(view, texts, &filter, request, target, &answer.cards);
        answer.nothing = Some(Box::new(nothing));
    }
    Ok(answer)
}

/// Says where a definition was looked for in vain, and what is near it. What has a card is not named again.
fn nothing(
    view: &View,
    texts: &mut Texts,
    filter: &Filter,
    request: &SymbolRequest,
    target: &str,
    near: &[SymbolCard],
) -> Nothing {
    let mut nothing = Nothing::within(view, filter, &request.scope);
    if !filter.is_open() {
        let everywhere = definitions::find(view, &Filter::open(), target);
        let exact = everywhere.iter().filter(|d| d.matched.is_exact());
        nothing = nothing.beyond(exact.count() as u64);
    }
    let is_open = nothing.step.is_none();
    nothing = nothing.near(view, texts, target);
    if let Some(first) = near.first() {
        nothing.names.clear();
        nothing.paths.clear();
        if is_open {
            nothing.step = Some(Step::Instead(first.symbol.qualified.clone()));
        }
    }
    nothing
}

/// The files a target names: a whole path, or what a path ends with.
fn files_meant(view: &View, target: &str) -> Vec<FileId> {
    let path = target.strip_prefix("./").unwrap_or(target);
    let whole = definitions::files_shown_as(view, path);
    if !whole.is_empty() || !definitions::looks_like_a_path(path) {
        return whole;
    }
    let mut suffix = vec![b'/'];
    suffix.extend_from_slice(path.as_bytes());
    let mut found: Vec<FileId> = (0u32..)
        .zip(view.files())
        .filter(|(_, file)| file.path.as_bytes().ends_with(&suffix))
        .map(|(i, _)| FileId(i))
        .collect();
    found.sort_by_key(|id| (view.file(*id).role, *id));
    found
}

fn outline(view: &View, texts: &mut Texts, filter: &Filter, id: FileId) -> Option<FileOutline> {
    let file = view.file(id);
    let path = file.path.to_string();
    let Some(doc) = file.doc else {
        return Some(FileOutline {
            path,
            lang: crate::extract::record::Grammar::Text,
            lines: 0,
            bytes: 0,
            skip: file.reading.skip_label().or(Some("not covered")),
            imports: Vec::new(),
            items: Vec::new(),
            blob: file.blob,
        });
    };
    let segment = &view.segment(doc.segment).segment;
    let row = segment.doc(doc.doc);
    let mut imports: Vec<Written> = Vec::new();
    for import in segment.imports(doc.doc) {
        let specifier = spoken::specifier(view, texts, id, &import);
        if !specifier.is_empty() && !imports.contains(&specifier) {
            imports.push(specifier);
        }
    }
    let spoken = Spoken::of(view, id)?;
    let symbols = spoken.symbols();
    let text = if symbols.all().is_empty() {
        None
    } else {
        texts.get(view, id)
    };
    let wanted = (0..symbols.all().len()).filter(|i| filter.admits_kind(symbols.all()[*i].kind));
    let items = outline_items(&spoken, texts, wanted, text.as_deref(), 0);
    Some(FileOutline {
        path,
        lang: row.lang,
        lines: row.lines,
        bytes: row.size,
        skip: row.skip.map(|reason| reason.label()),
        imports,
        items,
        blob: file.blob,
    })
}

fn outline_items(
    spoken: &Spoken<'_>,
    texts: &mut Texts,
    wanted: impl Iterator<Item = usize>,
    text: Option<&Text>,
    root_depth: usize,
) -> Vec<OutlineItem> {
    let symbols = spoken.symbols();
    wanted
        .filter_map(|i| {
            let symbol = symbols.get(i)?;
            Some(OutlineItem {
                symbol: spoken.reference(texts, i)?,
                depth: depth(symbols, i).saturating_sub(root_depth),
                signature: text.map(|t| signature(t, symbol)).unwrap_or_default(),
            })
        })
        .collect()
}

fn depth(symbols: &DocSymbols<'_>, index: usize) -> usize {
    let mut depth = 0;
    let mut at = index;
    while let Some(container) = symbols.get(at).and_then(|s| s.container) {
        if container as usize >= at {
            break;
        }
        at = container as usize;
        depth += 1;
    }
    depth
}

fn card(
    view: &View,
    graph: Option<&Graph>,
    texts: &mut Texts,
    definition: &Definition,
    detail: Detail,
) -> Option<SymbolCard> {
    let file = view.file(definition.file);
    let segment = &view.segment(definition.doc.segment).segment;
    let spoken = Spoken::of(view, definition.file)?;
    let symbols = spoken.symbols();
    let symbol = symbols.get(definition.index)?;
    let text = texts.get(view, definition.file);
    let text = text.as_deref();
    let mut name = Vec::new();
    segment.name(symbol.name, &mut name);
    let members = match detail {
        Detail::Outline => {
            let inside = (definition.index + 1..symbols.all().len())
                .filter(|i| symbols.is_within(*i, definition.index));
            let depth = depth(symbols, definition.index) + 1;
            outline_items(&spoken, texts, inside, text, depth)
        }
        Detail::Card | Detail::Body => Vec::new(),
    };
    let body = match detail {
        Detail::Body => text.map(|t| {
            String::from_utf8_lossy(t.lines(symbol.start_line, symbol.end_line)).into_owned()
        }),
        Detail::Card | Detail::Outline => None,
    };
    Some(SymbolCard {
        symbol: spoken.reference(texts, definition.index)?,
        matched: definition.matched,
        lang: segment.doc(definition.doc.doc).lang,
        signature: text.map(|t| signature(t, symbol)).unwrap_or_default(),
        doc: text
            .map(|t| doc_line(t.slice(symbol.doc.clone())))
            .unwrap_or_default(),
        flags: flags(symbol.flags),
        container: symbol
            .container
            .and_then(|c| spoken.reference(texts, c as usize))
            .map(|container| container.id),
        relations: graph
            .and_then(|graph| {
                let id = graph.symbol(definition.file, definition.index)?;
                Some(relations(view, graph, texts, id))
            })
            .unwrap_or_default(),
        references: definitions::count_occurrences(view, &name),
        members,
        body,
        blob: file.blob,
    })
}

fn signature(text: &Text, symbol: &Symbol<NameId>) -> String {
    match symbol.kind {
        SymbolKind::Section => fold_line(text.line(symbol.start_line), SIGNATURE_BYTES),
        _ => fold_line(text.slice(symbol.signature.clone()), SIGNATURE_BYTES),
    }
}

/// The first line of a doc comment that says something, without its comment marks.
fn doc_line(doc: &[u8]) -> String {
    let is_mark = |c: char| matches!(c, '/' | '*' | '#' | '!' | '"' | '\'' | '-' | '<' | '>');
    for line in doc.split(|b| *b == b'\n') {
        let line = fold_line(line, DOC_BYTES);
        let said = line
            .trim_start_matches(|c: char| is_mark(c) || c.is_whitespace())
            .trim_end_matches(|c: char| matches!(c, '*' | '/' | '"') || c.is_whitespace());
        // A line of tags (`@private`) or of drawn characters says nothing by itself.
        if said.chars().any(char::is_alphanumeric) && !said.starts_with('@') {
            return said.to_owned();
        }
    }
    String::new()
}

fn flags(flags: SymbolFlags) -> Vec<&'static str> {
    [
        (SymbolFlags::EXPORTED, "exported"),
        (SymbolFlags::DEFAULT, "default"),
        (SymbolFlags::DECLARATION, "declaration"),
        (SymbolFlags::DECORATED, "decorated"),
        (SymbolFlags::DEPRECATED, "deprecated"),
        (SymbolFlags::TEST, "test"),
    ]
    .into_iter()
    .filter(|(flag, _)| flags.contains(*flag))
    .map(|(_, label)| label)
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_telling_line_of_documentation_is_shown() {
        assert_eq!(
            doc_line(b"/**\n * Creates an app.\n *\n * @return {Function}\n */"),
            "Creates an app."
        );
        assert_eq!(doc_line(b"/// Opens `path`.\n/// More."), "Opens `path`.");
        assert_eq!(doc_line(b"\"\"\"One line.\"\"\""), "One line.");
        assert_eq!(doc_line(b"// ------\n// ======"), "");
        assert_eq!(doc_line(b"/** @private */"), "");
        assert_eq!(doc_line(b""), "");
    }
}
