//! Whether it is certain which module an import means, and that what it gives out is written there.

use super::super::dangling::document;
use super::super::units::Side;
use super::{filled, made};
use crate::extract::record::OccurrenceKind;
use crate::query::exposure;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// Files that say that a project begins in their folder.
const ROOTS: &[&[u8]] =
    byte_words!("Pipfile manage.py pyproject.toml requirements.txt setup.cfg setup.py tox.ini");
/// Folders in which the packages of a project lie.
const SOURCES: &[&[u8]] = byte_words!("lib python src");

/// Whether a name that a file imports by a specifier from a module should be written in it.
pub(super) fn is_certain(
    (view, from): (&View, FileId),
    module: FileId,
    (specifier, name): (&[u8], &[u8]),
    texts: &mut Texts,
) -> bool {
    let (importing, giving) = (
        exposure::language(view, from),
        exposure::language(view, module),
    );
    let path = view.file(module).path.as_bytes();
    let folder = &path[..memchr::memrchr(b'/', path).unwrap_or(0)];
    if giving.naming.passes_imports_on {
        let is_package = path.ends_with(b"__init__.py");
        return (specifier.starts_with(b".") || is_at_root(view, from, path, specifier))
            && !(is_package && made::may_lie_in(view, folder, name, texts));
    }
    // Of JavaScript types are declared beside.
    let may_be_type = importing.naming.types_apart || importing.liveness.markup_uses_script;
    !(may_be_type && !giving.naming.types_apart && has_types(view, path, texts))
}

/// Whether a file of Python imports a module that a package of the repository does not have: the package lies where
/// imports begin, says all that it has, and nothing may make the module.
pub(super) fn is_missing(
    side: &Side<'_>,
    from: FileId,
    specifier: &[u8],
    texts: &mut Texts,
) -> bool {
    let view = side.view;
    let naming = &exposure::language(view, from).naming;
    let (Some(dot), true) = (memchr::memchr(b'.', specifier), naming.passes_imports_on) else {
        return false;
    };
    [&b""[..], b"src/"].iter().any(|root| {
        let folder = [root, &specifier[..dot]].concat();
        let own = |folder: &[u8]| view.file_at(&[folder, b"/__init__.py"].concat());
        let package = own(&folder);
        let rest = specifier[dot + 1..].split(|b| *b == b'.');
        // A package that calls something may have changed how its modules are found.
        let mut acts = package.is_some_and(|file| calls_something(side, file));
        let path = rest.fold(folder, |at, part| {
            let at = [&at[..], part].join(&b'/');
            acts |= own(&at).is_some_and(|file| calls_something(side, file));
            at
        });
        if acts {
            return false;
        }
        let last = specifier.rsplit(|b| *b == b'.').next().unwrap_or(specifier);
        package.is_some_and(|package| {
            !filled::is_open_module(side, package, texts)
                && !last.starts_with(b"_")
                && !made::may_lie_at(view, &path, specifier, texts)
        })
    })
}

/// Whether a file calls anything.
fn calls_something(side: &Side<'_>, file: FileId) -> bool {
    document(side, file).is_none_or(|(segment, doc)| {
        let mut uses = segment.occurrences(doc);
        uses.any(|used| used.kind == OccurrenceKind::Call)
    })
}

/// Whether an absolute import means this path of the repository, and no package from outside that is called so.
fn is_at_root(view: &View, from: FileId, path: &[u8], specifier: &[u8]) -> bool {
    let first = specifier.split(|b| *b == b'.').next().unwrap_or(specifier);
    let mut at = 0;
    let root = path.split(|b| *b == b'/').find_map(|part| {
        let root = &path[..at];
        at += part.len() + 1;
        let stem = part.split(|b| *b == b'.').next();
        (stem == Some(first)).then_some(root)
    });
    let Some(root) = root else {
        return false;
    };
    let own = view.file(from).path.as_bytes();
    let own = &own[..memchr::memrchr(b'/', own).map_or(0, |at| at + 1)];
    let has = |folder: &[u8], name: &[u8]| view.file_at(&[folder, name].concat()).is_some();
    let name = root.strip_suffix(b"/").unwrap_or(root);
    let name = name.rsplit(|b| *b == b'/').next().unwrap_or(name);
    // Who runs a script has its folder at hand, but not that of a package.
    (own == root && !has(own, b"__init__.py"))
        || root.is_empty()
        || SOURCES.contains(&name)
        || ROOTS.iter().any(|file| has(root, file))
}

/// Whether types are declared for a module of JavaScript: beside it, or by its package.
fn has_types(view: &View, path: &[u8], texts: &mut Texts) -> bool {
    const DECLARING: &[&[u8]] = &[b"\"types\"", b"\"typings\"", b"\"typesVersions\""];
    let stem = &path[..memchr::memrchr(b'.', path).unwrap_or(path.len())];
    let mut endings = [&b".d.ts"[..], b".d.mts", b".d.cts"].into_iter();
    if endings.any(|end| view.file_at(&[stem, end].concat()).is_some()) {
        return true;
    }
    let mut folders = memchr::memrchr_iter(b'/', path)
        .map(|end| &path[..=end])
        .chain([&b""[..]]);
    let package = folders.find_map(|folder| view.file_at(&[folder, b"package.json"].concat()));
    let text = package.and_then(|file| texts.if_here(view, file));
    text.is_some_and(|text| {
        let mut declares = DECLARING.iter();
        declares.any(|key| memchr::memmem::find(text.bytes(), key).is_some())
    })
}
