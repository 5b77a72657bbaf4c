//! What others than the repository see of a definition, and whether they find it where it was, by what a document and its
//! language say ([`crate::lang::liveness`]). Whether they get the file at all is for [`crate::query::exposure`] to say.

use super::units::{Side, UnitId};
use crate::extract::record::{ImportKind, SymbolFlags, SymbolKind};
use crate::graph::semantics;
use crate::query::exposure;
use crate::query::inventory::is_callable;
use crate::view::live::FileId;

/// Whether others see a definition: it and all around it is exported, and nothing says that it is the library's own.
pub(in crate::query) fn is_given_out(side: &Side<'_>, unit: UnitId) -> bool {
    side.around(unit).all(|at| {
        let symbol = side.symbol(at);
        symbol.is_some_and(|symbol| symbol.flags.contains(SymbolFlags::EXPORTED))
    }) && !is_own(side, unit)
}

/// Whether a definition, or something around it, is for the library alone although it counts as exported: `pub(crate)`,
/// `internal`, what Java shows to a package.
pub(in crate::query) fn is_own(side: &Side<'_>, unit: UnitId) -> bool {
    let liveness = &exposure::language(side.view, side.unit(unit).file).liveness;
    let (own, given) = (liveness.own_marks, liveness.given_marks);
    if own.is_empty() && given.is_empty() {
        return false;
    }
    side.around(unit).any(|at| {
        let before = before_name(side, at);
        let has = |marks: &[&str]| {
            let mut marks = marks.iter();
            marks.any(|mark| memchr::memmem::find(&before, mark.as_bytes()).is_some())
        };
        !has(given) && (has(own) || !given.is_empty() && needs_mark(side, at, &before))
    })
}

/// Whether a definition is one of those that others see only where a word says so: types and what is called. What
/// interfaces, enums and extensions hold is as these are, and so is a part of a type whose other parts may say it.
fn needs_mark(side: &Side<'_>, unit: UnitId, before: &[u8]) -> bool {
    let of = side.unit(unit);
    let outer = of.container.map(|outer| side.unit(outer).kind);
    let is_as_outer = matches!(
        outer,
        Some(SymbolKind::Interface | SymbolKind::Trait | SymbolKind::Enum | SymbolKind::Impl)
    );
    let is_part = memchr::memmem::find(before, b"partial ").is_some();
    (semantics::is_type(of.kind) || is_callable(of.kind)) && !is_as_outer && !is_part
}

/// What stands before a definition's name: on its line, and all of a head that begins before.
fn before_name(side: &Side<'_>, unit: UnitId) -> Vec<u8> {
    let before = side.symbol(unit).and_then(|symbol| {
        let text = &side.code(side.unit(unit).file)?.text;
        let line = text.line(symbol.name_line);
        let head = text.slice(symbol.signature.clone());
        let upto = line.get(..symbol.name_col as usize).unwrap_or_default();
        let begins = symbol.start_line < symbol.name_line;
        Some([upto, if begins { head } else { b"" }].concat())
    });
    before.unwrap_or_default()
}

/// Whether two files, of two states, are one place to who imports something: in one namespace, or of one path below
/// folders that were moved.
pub(in crate::query) fn is_same_place(
    (old, before): (&Side<'_>, FileId),
    (new, after): (&Side<'_>, FileId),
) -> bool {
    let (from, to) = (&old.view.file(before).path, &new.view.file(after).path);
    let (from, to) = (from.as_bytes(), to.as_bytes());
    if from == to || is_end_of(from, to) || is_end_of(to, from) {
        return true;
    }
    let namespace = namespace(old, before);
    namespace.is_some() && namespace == self::namespace(new, after)
}

/// Whether a path is another one behind some folders.
fn is_end_of(end: &[u8], path: &[u8]) -> bool {
    path.strip_suffix(end)
        .is_some_and(|rest| rest.ends_with(b"/"))
}

/// What a file says that it belongs to, where its path does not matter to who imports it: a package by its whole
/// name, or one that is all of a folder.
fn namespace(side: &Side<'_>, file: FileId) -> Option<Vec<u8>> {
    let of = side.view.file(file);
    let doc = of.doc?;
    let mut imports = side.view.segment(doc.segment).segment.imports(doc.doc);
    let package = imports.find(|import| import.kind == ImportKind::Package)?;
    let name = package.specifier;
    if name.iter().any(|b| b".\\:".contains(b)) {
        return Some(name);
    }
    let path = of.path.as_bytes();
    let end = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    Some([&path[..end], &name].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_around_all_code_is_no_part_of_its_names() {
        assert!(is_end_of(b"lib/a.py", b"src/lib/a.py"));
        assert!(!is_end_of(b"lib/a.py", b"mylib/a.py"));
    }
}
