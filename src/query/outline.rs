//! Outlines: what a file defines, what the files of a directory do, and lines that no symbol stands in.

use super::cards::{FileOutline, FolderOutline, OutlineItem, Passage};
use super::ids::DocSymbols;
use super::request::SymbolRequest;
use super::scope::Filter;
use super::target_matches;
use super::verified::{self, VerifiedSymbols};
use crate::extract::record::{Grammar, Symbol, SymbolKind};
use crate::id::NameId;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts, fold_line};
use crate::view::written::Written;

/// Longest signature shown, in bytes.
const SIGNATURE_BYTES: usize = 300;
/// Files of a directory outlined for each symbol that is asked for.
const FILES_A_SYMBOL: usize = 5;
/// Lines of a passage that are quoted.
const MAX_LINES: u32 = 40;

/// The outline of a directory: its own files, then those further down, each with what stands at its top
/// level.
pub fn of_folder(
    view: &View,
    texts: &mut Texts,
    filter: &Filter,
    folder: &target_matches::Folder,
    request: &SymbolRequest,
) -> FolderOutline {
    let depth = |file: &FileId| {
        let path = &view.file(*file).path.as_bytes()[folder.path.len()..];
        memchr::memchr_iter(b'/', path).count()
    };
    let admitted = folder.files.iter().copied();
    let mut files: Vec<FileId> = admitted
        .filter(|file| filter.admits(view, view.file(*file)))
        .collect();
    files.sort_by_key(|file| (depth(file), *file));
    let total = files.len();
    let most = request.limit.saturating_mul(FILES_A_SYMBOL);
    let shown = files.into_iter().skip(request.offset).take(most);
    let outlines = shown.filter_map(|file| {
        let mut outline = of_file(view, texts, filter, file)?;
        outline.items.retain(|item| item.depth == 0);
        Some(outline)
    });
    FolderOutline {
        path: folder.shown(),
        files: outlines.collect(),
        total,
    }
}

/// Lines of a file, as they stand there.
pub fn of_passage(view: &View, texts: &mut Texts, passage: target_matches::Passage) -> Passage {
    let file = view.file(passage.file);
    let lines = file.doc.map_or(0, |doc| {
        view.segment(doc.segment).segment.doc(doc.doc).lines
    });
    let end = passage
        .last
        .min(passage.first.saturating_add(MAX_LINES - 1));
    let text = texts.get(view, passage.file);
    let cut = text.map(|text| String::from_utf8_lossy(text.lines(passage.first, end)).into_owned());
    Passage {
        path: file.path.to_string(),
        start: passage.first,
        end: passage.last,
        lines,
        text: cut.unwrap_or_default(),
        blob: file.blob,
    }
}

/// The outline of a file.
pub fn of_file(view: &View, texts: &mut Texts, filter: &Filter, id: FileId) -> Option<FileOutline> {
    let file = view.file(id);
    let path = file.path.to_string();
    let Some(doc) = file.doc else {
        return Some(FileOutline {
            path,
            lang: Grammar::Text,
            lines: 0,
            bytes: 0,
            skip: file.reading.skip_label().or(Some("not covered")),
            imports: Vec::new(),
            items: Vec::new(),
            gaps: Vec::new(),
            blob: file.blob,
        });
    };
    let segment = &view.segment(doc.segment).segment;
    let row = segment.doc(doc.doc);
    let mut imports: Vec<Written> = Vec::new();
    for import in segment.imports(doc.doc) {
        let specifier = verified::specifier(view, texts, id, &import);
        if !specifier.is_empty() && !imports.contains(&specifier) {
            imports.push(specifier);
        }
    }
    // What a segment says of lines that the file does not have is no line of it.
    let gaps = segment.gaps(doc.doc).lines.into_iter();
    let gaps = gaps.filter(|gap| gap.last <= row.lines);
    let verified = VerifiedSymbols::of(view, id)?;
    let symbols = verified.symbols();
    let text = if symbols.all().is_empty() {
        None
    } else {
        texts.get(view, id)
    };
    let wanted = (0..symbols.all().len()).filter(|i| filter.admits_kind(symbols.all()[*i].kind));
    let items = items(&verified, texts, wanted, text.as_deref(), 0);
    Some(FileOutline {
        path,
        lang: row.lang,
        lines: row.lines,
        bytes: row.size,
        skip: row.skip.map(|reason| reason.label()),
        imports,
        items,
        gaps: gaps.collect(),
        blob: file.blob,
    })
}

/// Lines of an outline, at their depth below `root_depth`.
pub fn items(
    verified: &VerifiedSymbols<'_>,
    texts: &mut Texts,
    wanted: impl Iterator<Item = usize>,
    text: Option<&Text>,
    root_depth: usize,
) -> Vec<OutlineItem> {
    let symbols = verified.symbols();
    wanted
        .filter_map(|i| {
            let symbol = symbols.get(i)?;
            Some(OutlineItem {
                symbol: verified.reference(texts, i)?,
                depth: depth(symbols, i).saturating_sub(root_depth),
                signature: text.map(|t| signature(t, symbol)).unwrap_or_default(),
            })
        })
        .collect()
}

/// How many symbols a symbol is nested in.
pub fn depth(symbols: &DocSymbols<'_>, index: usize) -> usize {
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

/// The signature of a symbol, white space folded.
pub fn signature(text: &Text, symbol: &Symbol<NameId>) -> String {
    match symbol.kind {
        SymbolKind::Section => fold_line(text.line(symbol.start_line), SIGNATURE_BYTES),
        _ => fold_line(text.slice(symbol.signature.clone()), SIGNATURE_BYTES),
    }
}
