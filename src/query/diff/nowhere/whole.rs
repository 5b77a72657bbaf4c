//! Whether a module or a type has nothing under a name, as far as its text goes.

use super::super::dangling::document;
use super::super::units::Side;
use super::{filled, parts};
use crate::extract::record::{ImportKind, OccurrenceKind, SymbolFlags};
use crate::graph::edges::Target;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang;
use crate::record::Import;
use crate::view::live::FileId;
use crate::view::text::{Text, Texts};
use rustc_hash::FxHashSet;

/// Files and types that are looked at for what one module or type may have.
const MAX_LOOKED_AT: usize = 32;

/// What a module of Python uses or defines that answers to names which are not written there.
const OF_MODULES: &[&[u8]] = byte_words!("__getattr__ __path__ meta_path path_hooks");
/// The same of a type.
const OF_TYPES: &[&[u8]] = byte_words!("__getattr__ __getattribute__ Proxy");

/// Whether a module gives out nothing under a name: it is all there, and so is what it passes on.
pub(super) fn gives_out_no(
    side: &Side<'_>,
    module: FileId,
    name: &[u8],
    texts: &mut Texts,
) -> bool {
    all(vec![module], |file| {
        let (segment, doc) = document(side, file)?;
        let naming = &lang::of(segment.doc(doc).lang).naming;
        let answers: &[&[u8]] = if naming.object_modules {
            &[]
        } else {
            OF_MODULES
        };
        if !is_read(side, file, (name, answers), false, texts)
            || filled::is_open_module(side, file, texts)
        {
            return None;
        }
        let imports: Vec<Import<NameId>> = segment.imports(doc).collect();
        let gives = |import: &Import<NameId>| {
            matches!(import.kind, ImportKind::Export | ImportKind::Reexport)
        };
        let mut symbols = segment.symbols(doc);
        // A module of JavaScript that gives out nothing as such may be one that is required.
        if naming.object_modules
            && !imports.iter().any(gives)
            && !symbols.any(|symbol| symbol.flags.contains(SymbolFlags::EXPORTED))
        {
            return None;
        }
        let mut passed_on = Vec::new();
        for dependency in side.graph.dependencies(file) {
            let import = imports.get(dependency.import as usize);
            let mut bindings = import.into_iter().flat_map(|import| &import.bindings);
            let passes = match dependency.kind {
                ImportKind::Reexport => true,
                ImportKind::Import | ImportKind::Require => naming.passes_imports_on,
                _ => false,
            };
            if !passes || !bindings.any(|of| of.imported.is_none() && of.local.is_none()) {
                continue;
            }
            if dependency.target != Target::Found {
                return None;
            }
            passed_on.extend(dependency.files());
        }
        Some(passed_on)
    })
}

/// Whether all of some things pass, and what each says is to be looked at with it: none says `None`, and they are not many.
pub(super) fn all<T: Copy + PartialEq>(
    mut open: Vec<T>,
    mut look: impl FnMut(T) -> Option<Vec<T>>,
) -> bool {
    let mut next = 0;
    while let Some(one) = open.get(next).copied() {
        next += 1;
        let Some(further) = look(one).filter(|_| open.len() <= MAX_LOOKED_AT) else {
            return false;
        };
        for other in further {
            if !open.contains(&other) {
                open.push(other);
            }
        }
    }
    true
}

/// Whether a type and its bases have nothing under a name, nor may what is below it have it from elsewhere: what is mixed in
/// calls members of those that it is mixed into.
pub(super) fn has_no(side: &Side<'_>, class: SymbolId, name: &[u8], texts: &mut Texts) -> bool {
    if parts::are_told(side, class) {
        return parts::have_no(side, class, name, texts);
    }
    let has_nothing = |class| {
        let (file, position) = side.graph.place(class);
        let (segment, doc) = document(side, file)?;
        let symbol = segment.symbols(doc).nth(position)?;
        let text = texts.if_here(side.view, file)?;
        let is_plain = !symbol.flags.contains(SymbolFlags::DECORATED)
            && !is_made(text.slice(symbol.signature.clone()));
        let is_whole = is_plain
            && is_read(side, file, (name, OF_TYPES), true, texts)
            && !filled::is_open_type(side, class, &symbol, texts);
        is_whole.then(|| side.graph.bases(class).collect())
    };
    let heirs = side.graph.derived(class).collect();
    all(vec![class], has_nothing) && all(heirs, |heir| heirs_of_ours(side, heir))
}

/// Whether the head of a type has a base that is made by a call (`extends mix(A)`), or something that makes the type.
pub(in super::super) fn is_made(head: &[u8]) -> bool {
    let bases = match memchr::memmem::find(head, b"extends") {
        Some(extends) => &head[extends..],
        // Those of Python stand in parentheses.
        None => match memchr::memchr(b'(', head) {
            Some(open) => &head[open + 1..],
            None => return false,
        },
    };
    bases.contains(&b'(') || memchr::memmem::find(bases, b"metaclass").is_some()
}

/// The types below one of which all bases are in the repository; `None` of any other.
pub(super) fn heirs_of_ours(side: &Side<'_>, heir: SymbolId) -> Option<Vec<SymbolId>> {
    let (file, position) = side.graph.place(heir);
    let (segment, doc) = document(side, file)?;
    let symbol = segment.symbols(doc).nth(position)?;
    let mut reader = side.graph.reader();
    let edges = side.graph.edges_of(file).map(|edge| reader.edge(edge));
    let known: FxHashSet<(u32, u32)> = edges.map(|edge| (edge.line, edge.col)).collect();
    let lines = symbol.start_line..=symbol.end_line;
    let mut bases = segment
        .occurrences(doc)
        .filter(|used| used.kind == OccurrenceKind::Inherit && lines.contains(&used.line));
    let is_ours = bases.all(|base| known.contains(&(base.line, base.col)));
    is_ours.then(|| side.graph.derived(heir).collect())
}

/// Whether a file was understood, and holds a name nowhere but where it is called, and nothing that answers to all names.
fn is_read(
    side: &Side<'_>,
    file: FileId,
    (name, answers): (&[u8], &[&[u8]]),
    is_type: bool,
    texts: &mut Texts,
) -> bool {
    let Some((segment, doc)) = document(side, file) else {
        return false;
    };
    let naming = &lang::of(segment.doc(doc).lang).naming;
    let mut answers = answers.iter().filter_map(|word| segment.name_id(word));
    let is_whole = naming.members_are_written
        && segment.gaps(doc).lines.is_empty()
        && !answers.any(|id| segment.uses(id).any(|of| of.doc == doc));
    // Nothing is fetched for a guess.
    let text = texts.if_here(side.view, file).filter(|_| is_whole);
    let id = segment.name_id(name);
    let uses = id.map(|id| segment.occurrences_of(doc, id));
    let calls = (uses.into_iter().flatten()).filter(|used| used.kind == OccurrenceKind::Call);
    let calls = calls.count();
    text.is_some_and(|text| {
        text.words(name).count() == calls && !(is_type && naming.object_modules && has_index(&text))
    })
}

/// Whether some type in a file says of all names what they are: `[name: string]: T`.
fn has_index(text: &Text) -> bool {
    let bytes = text.bytes();
    memchr::memmem::find_iter(bytes, b"]:").any(|end| {
        let begin = memchr::memrchr(b'[', &bytes[..end]);
        begin.is_some_and(|begin| bytes[begin..end].contains(&b':'))
    })
}
