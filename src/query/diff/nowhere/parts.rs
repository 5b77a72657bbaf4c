//! Whether a type has nothing under a name, in languages that say of each part of a type whether more than is written
//! belongs to it: its declaration, blocks of members, and what opens it again.
//!
//! Guarantees: all parts that the repository holds under the name of the type are looked at, of whatever type of that name
//! they are; one that was not understood, that speaks of the name, or that something may be written into leaves it open.

use super::super::dangling::document;
use super::super::units::Side;
use super::whole;
use crate::extract::calls::Parsed;
use crate::extract::record::{OccurrenceKind, SymbolKind};
use crate::graph::semantics;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang;
use crate::record::{Grammar, Symbol};
use crate::view::live::FileId;
use crate::view::text::{Text, Texts};

/// Files that define types of one name: where there are more, nothing is said.
const MAX_FILES: usize = 32;

/// Whether a type is in a language that says of each part of it what may be in it.
pub(super) fn are_told(side: &Side<'_>, class: SymbolId) -> bool {
    let (file, _) = side.graph.place(class);
    document(side, file).is_some_and(|(segment, doc)| {
        let rows = lang::of(segment.doc(doc).lang).calls;
        rows.is_some_and(|rows| rows.is_open_type.is_some())
    })
}

/// Whether a type and its bases have nothing under a name, nor what is below it where that may be meant.
pub(super) fn have_no(side: &Side<'_>, class: SymbolId, name: &[u8], texts: &mut Texts) -> bool {
    let (file, _) = side.graph.place(class);
    let Some((segment, doc)) = document(side, file) else {
        return false;
    };
    let grammar = segment.doc(doc).lang;
    let naming = &lang::of(grammar).naming;
    let is_whole = whole::all(vec![class], |class| {
        is_whole(side, (class, grammar), name, texts)?;
        Some(side.graph.bases(class).collect())
    });
    let heirs = side.graph.derived(class).collect();
    is_whole && (!naming.heirs_answer || whole::all(heirs, |heir| whole::heirs_of_ours(side, heir)))
}

/// That all parts of a type are there and have nothing under a name.
fn is_whole(
    side: &Side<'_>,
    (class, grammar): (SymbolId, Grammar),
    name: &[u8],
    texts: &mut Texts,
) -> Option<()> {
    let (file, position) = side.graph.place(class);
    let (segment, doc) = document(side, file)?;
    let symbol = segment.symbols(doc).nth(position)?;
    let mut of = Vec::new();
    segment.name(symbol.name, &mut of);
    let mut files = files_that_define(side, &of);
    if files.len() > MAX_FILES {
        return None;
    }
    if !files.contains(&file) {
        files.push(file);
    }
    let mut are_whole = files.into_iter().map(|part| {
        let (segment, doc) = document(side, part)?;
        // What is called so in another language is something else, but a base is not.
        let is_same = segment.doc(doc).lang == grammar;
        if !is_same && part != file {
            return Some(());
        }
        let is_readable = is_same && segment.gaps(doc).lines.is_empty();
        let parts: Vec<Symbol<NameId>> = segment
            .symbols(doc)
            .filter(|symbol| is_part(symbol.kind) && segment.name_id(&of) == Some(symbol.name))
            .collect();
        if parts.is_empty() && part != file {
            return Some(());
        }
        let text = texts.if_here(side.view, part).filter(|_| is_readable)?;
        let id = segment.name_id(name);
        let uses = id.map(|id| segment.occurrences_of(doc, id));
        let calls = uses.into_iter().flatten();
        let calls = calls.filter(|used| used.kind == OccurrenceKind::Call);
        let ignores_case = lang::of(grammar).naming.methods_ignore_case;
        if mentions(&text, name, ignores_case) > calls.count() {
            return None;
        }
        let parsed = Parsed::of(grammar, text.bytes())?;
        let is_open = parts
            .iter()
            .any(|part| parsed.is_open_type(part.span.clone()));
        (!is_open && !parts.is_empty()).then_some(())
    });
    are_whole.all(|one| one.is_some()).then_some(())
}

/// Whether a definition of such a kind is a type, or a part of one.
fn is_part(kind: SymbolKind) -> bool {
    semantics::is_type(kind) || matches!(kind, SymbolKind::Impl | SymbolKind::Module)
}

/// How often a text holds a name.
fn mentions(text: &Text, name: &[u8], ignores_case: bool) -> usize {
    if !ignores_case {
        return text.words(name).count();
    }
    let bytes = text.bytes().to_ascii_lowercase();
    memchr::memmem::find_iter(&bytes, &name.to_ascii_lowercase()).count()
}

/// Files that define something of a name.
pub(super) fn files_that_define(side: &Side<'_>, name: &[u8]) -> Vec<FileId> {
    let mut files = Vec::new();
    for live in side.view.segments() {
        let Some(id) = live.segment.name_id(name) else {
            continue;
        };
        let uses = live.segment.uses(id);
        let defines = uses.filter(|of| live.is_live(of.doc) && of.defines);
        files.extend(defines.flat_map(|of| live.files_of(of.doc)));
    }
    files.sort_unstable();
    files.dedup();
    files
}
