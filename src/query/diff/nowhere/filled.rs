//! Whether a module or a type is given names by code that does not write them: `setattr`, `Object.assign`, a prototype that
//! is handed on, a mixin.

use super::super::dangling::document;
use super::super::units::Side;
use super::free;
use crate::extract::record::{OccurrenceKind, SymbolKind};
use crate::graph::table::SymbolId;
use crate::id::{DocId, NameId};
use crate::lang;
use crate::record::Symbol;
use crate::segment::Segment;
use crate::view::live::FileId;
use crate::view::text::{Text, Texts};
use rustc_hash::FxHashSet;

/// Files that are looked at for what fills one thing: of more, nothing is said.
const MAX_FILES: usize = 32;

/// Functions that give what they get members that are not written there.
const FILLING: &[&[u8]] = byte_words!(
    "applyMixin applyMixins assign augment copyProperties decorate defineProperties defineProperty extend inherits
     mixIn mixin mixinProto mixins promisifyAll setPrototypeOf setattr vars"
);
/// Of the members of that name those of these objects alone do: `list.extend(a)` does not.
const FILLERS: &[&[u8]] = byte_words!("$ Object Reflect _ angular jQuery lodash util utils");
/// How a type fills its own objects, or itself (Python).
const FILLING_OWN: &[&[u8]] = &[
    b"setattr(self",
    b"setattr(cls",
    b"setattr(type(self)",
    b"self.__dict__",
    b"vars(self)",
];
/// What in a type makes it answer to other names, or gives something else than an instance of it.
const ANSWERING: &[&[u8]] = byte_words!(
    "Reflect __await__ __get__ __getattr__ __getattribute__ __init_subclass__ __metaclass__ __new__ __prepare__"
);
/// What makes the words for the object itself, or for its type, mean something else (Python).
const REBINDING: &[&[u8]] = &[b"cls = ", b"self = "];
/// What in a module of JavaScript gives out names that are not written there.
const IN_JAVASCRIPT: &[&[u8]] = byte_words!(
    "Proxy __createBinding __export __exportStar assign defineProperties setPrototypeOf"
);
/// Whether a module has more names than it writes.
pub(super) fn is_open_module(side: &Side<'_>, module: FileId, texts: &mut Texts) -> bool {
    let Some(((segment, doc), text)) = document(side, module).zip(texts.if_here(side.view, module))
    else {
        return true;
    };
    let is_javascript = lang::of(segment.doc(doc).lang).naming.object_modules;
    let is_open = match is_javascript {
        // What `export` gives out is what is written.
        true if text.words(b"exports").next().is_none() => return false,
        true => holds(&text, IN_JAVASCRIPT) || hands_exports_on(&text),
        false => {
            let replaces = |words: &[u8]| memchr::memmem::find(text.bytes(), words).is_some();
            replaces(b"sys.modules") || free::fills_itself(&text)
        }
    };
    let mut parts = side
        .view
        .file(module)
        .path
        .as_bytes()
        .rsplit(|b| *b == b'/');
    let stem = parts
        .next()
        .and_then(|own| own.split(|b| *b == b'.').next());
    let name = match stem {
        Some(b"__init__" | b"index") => parts.next(),
        stem => stem,
    };
    is_open || name.is_some_and(|name| is_filled_elsewhere(side, module, name, texts))
}

fn holds(text: &Text, words: &[&[u8]]) -> bool {
    words.iter().any(|word| text.words(word).next().is_some())
}

/// Whether what a module gives out is used as more than an object to which one name is added: `f(exports)`, `exports[k]`.
fn hands_exports_on(text: &Text) -> bool {
    text.words(b"exports").any(|at| {
        let rest = text.bytes()[at as usize + b"exports".len()..].trim_ascii_start();
        // `exports = module.exports = f`, and the name of a file.
        let is_plain = matches!(
            rest.first(),
            None | Some(b'.' | b'=' | b'\'' | b'"' | b';' | b'/' | b'}')
        );
        !is_plain
    })
}

/// Whether a type or a base of it is given more members than are written for it.
pub(super) fn is_open_type(
    side: &Side<'_>,
    class: SymbolId,
    symbol: &Symbol<NameId>,
    texts: &mut Texts,
) -> bool {
    let (file, position) = side.graph.place(class);
    let Some(((segment, doc), text)) = document(side, file).zip(texts.if_here(side.view, file))
    else {
        return true;
    };
    let mut name = Vec::new();
    segment.name(symbol.name, &mut name);
    // Another part of it may have a base of its own: `interface A extends B` beside `class A`.
    let has_parts = segment.symbols(doc).enumerate().any(|(at, other)| {
        let is_type = matches!(other.kind, SymbolKind::Class | SymbolKind::Interface);
        at != position
            && is_type
            && other.name == symbol.name
            && other.container == symbol.container
    });
    let own = Text::new(text.lines(symbol.start_line, symbol.end_line).to_vec());
    let is_mixed_in = memchr::memmem::find(&name.to_ascii_lowercase(), b"mixin").is_some();
    has_parts
        || is_mixed_in
        || holds(&own, ANSWERING)
        || hands_this_on(&own)
        || REBINDING
            .iter()
            .any(|words| memchr::memmem::find(own.bytes(), words).is_some())
        || FILLING_OWN
            .iter()
            .any(|words| memchr::memmem::find(own.bytes(), words).is_some())
        || lines_fill(&text, &name)
        || is_opened_again(side, file, &name, texts)
        || is_filled_elsewhere(side, file, &name, texts)
}

/// Whether something is called with the object itself, which may give it members: `Object.assign(this, options)`.
fn hands_this_on(text: &Text) -> bool {
    let bytes = text.bytes();
    memchr::memmem::find_iter(bytes, b"(this").any(|at| {
        let of_function = [&b".bind"[..], b".call", b".apply"];
        let is_whole = matches!(bytes.get(at + 5), Some(b',' | b')'));
        is_whole && !of_function.iter().any(|end| bytes[..at].ends_with(end))
    })
}

/// Whether some place that names a type or a module fills it: it is handed to a function that does, or its prototype to any.
fn lines_fill(text: &Text, name: &[u8]) -> bool {
    text.words(name).any(|at| {
        let (line, col) = text.place(at);
        let written = text.line(line);
        let after = &written[(col as usize + name.len()).min(written.len())..];
        // A member that is written for all to see has its name.
        let of_prototype = after.strip_prefix(b".prototype");
        of_prototype.is_some_and(|rest| !rest.starts_with(b".") || rest.starts_with(b".__proto__"))
            || after.starts_with(b".__dict__")
            || after.starts_with(b".__proto__")
            || is_handed_to_filler(text, (line, col as usize))
    })
}

/// Whether a place is in the arguments of a function that fills what it gets, on its line or from the one before.
fn is_handed_to_filler(text: &Text, (line, col): (u32, usize)) -> bool {
    let before = [text.line(line.saturating_sub(1).max(1)), b"\n"].concat();
    let own = text.line(line);
    let own = &own[..col.min(own.len())];
    let before = if line > 1 {
        [&before, own].concat()
    } else {
        own.to_vec()
    };
    let mut closed = 0;
    for (at, byte) in before.iter().enumerate().rev() {
        match byte {
            b')' => closed += 1,
            b'(' if closed > 0 => closed -= 1,
            b'(' => {
                let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
                let called = before[..at]
                    .rsplit(|b| !is_part(b))
                    .next()
                    .unwrap_or_default();
                let rest = &before[..at - called.len()];
                let object = rest
                    .strip_suffix(b".")
                    .map(|rest| rest.rsplit(|b| !is_part(b)).next().unwrap_or_default());
                if FILLING.contains(&called) && object.is_none_or(|of| FILLERS.contains(&of)) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Whether another file names something beside a word that fills it.
fn is_filled_elsewhere(side: &Side<'_>, own: FileId, name: &[u8], texts: &mut Texts) -> bool {
    let mut files = Vec::new();
    for live in side.view.segments() {
        let segment = &live.segment;
        let Some(id) = segment.name_id(name) else {
            continue;
        };
        let fills = FILLING.iter().filter_map(|word| segment.name_id(word));
        let fills: FxHashSet<DocId> = fills
            .flat_map(|id| segment.uses(id).map(|of| of.doc))
            .collect();
        let named = segment
            .uses(id)
            .filter(|of| live.is_live(of.doc) && fills.contains(&of.doc));
        files.extend(named.flat_map(|of| live.files_of(of.doc)));
    }
    files.retain(|file| *file != own);
    let mut is_filled = |file: &FileId| {
        let text = texts.if_here(side.view, *file);
        text.is_none_or(|text| lines_fill(&text, name))
    };
    files.len() > MAX_FILES || files.iter().any(&mut is_filled)
}

/// Whether another file opens a type again, for a module or for all (`declare module './a' { interface A extends B {} }`).
fn is_opened_again(side: &Side<'_>, own: FileId, name: &[u8], texts: &mut Texts) -> bool {
    let mut files = Vec::new();
    for live in side.view.segments() {
        let Some(id) = live.segment.name_id(name) else {
            continue;
        };
        let defines = live
            .segment
            .uses(id)
            .filter(|of| live.is_live(of.doc) && of.defines);
        files.extend(defines.flat_map(|of| live.files_of(of.doc)));
    }
    files.retain(|file| *file != own);
    let mut opens = |file: &FileId| {
        let text = texts.if_here(side.view, *file);
        text.is_none_or(|text| {
            let has = |words: &[u8]| memchr::memmem::find(text.bytes(), words).is_some();
            has(b"declare module") || has(b"declare global")
        })
    };
    files.len() > MAX_FILES || files.iter().any(&mut opens)
}

/// Whether a type without a base and heirs of its own, in a language of several bases, is one that others are made of:
/// nothing makes an instance of it, or it asks for what is above it.
pub(super) fn is_part_of_others(side: &Side<'_>, class: SymbolId, texts: &mut Texts) -> bool {
    let (file, position) = side.graph.place(class);
    let Some((segment, doc)) = document(side, file) else {
        return true;
    };
    let Some(symbol) = segment.symbols(doc).nth(position) else {
        return true;
    };
    let naming = &lang::of(segment.doc(doc).lang).naming;
    let is_alone = side.graph.bases(class).next().is_none();
    if !naming.passes_imports_on || !is_alone {
        return false;
    }
    let text = texts.if_here(side.view, file);
    let asks_above = text.is_none_or(|text| {
        let own = text.lines(symbol.start_line, symbol.end_line);
        memchr::memmem::find(own, b"super()").is_some()
    });
    let mut name = Vec::new();
    segment.name(symbol.name, &mut name);
    let has_heirs = side.graph.derived(class).next().is_some();
    asks_above || (!has_heirs && !is_made(side, &name))
}

/// Whether something calls a type by its name.
fn is_made(side: &Side<'_>, name: &[u8]) -> bool {
    side.view.segments().iter().any(|live| {
        let is_called = |segment: &Segment, doc, id| {
            let mut uses = segment.occurrences_of(doc, id);
            uses.any(|used| used.kind == OccurrenceKind::Call)
        };
        let id = live.segment.name_id(name);
        id.is_some_and(|id| {
            let mut uses = live.segment.uses(id).filter(|of| live.is_live(of.doc));
            uses.any(|of| is_called(&live.segment, of.doc, id))
        })
    })
}
