//! Files in which a function that nothing defines may be there all the same: components, whose markup has names of its
//! framework, and files that say, or take from somebody, names for all of them.

use super::filled::calls;
use crate::extract::record::{Import, ImportKind};
use crate::id::NameId;
use crate::query::exposure;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// Files of a package that are looked at: in more, nothing is sure.
const MAX_FILES: usize = 256;

/// What runs text as code or puts names into a module, in Python.
const FILLING: &[&[u8]] = byte_words!("eval exec exec_ execfile globals locals vars");
/// Parts of specifiers that are imported for the names that they bring for all.
const BRINGING: &[&[u8]] = byte_words!(
    "auto bootstrap global globals init inject install polyfill polyfills register setup shim shims types"
);
/// Comments that say which names there are.
const SAYING: &[&[u8]] = &[
    b"/* global",
    b"/*global",
    b"/* eslint-env",
    b"/*eslint-env",
    b"/// <reference",
];
/// What a package in Go is made whole from, which gives it names.
const SOURCES: &[&[u8]] = &[
    b".y", b".proto", b".rl", b".s", b".c", b".thrift", b".templ", b".qtpl",
];

/// Whether functions of a file are not judged.
pub(super) fn has_more(
    view: &View,
    file: FileId,
    imports: &[Import<NameId>],
    texts: &mut Texts,
) -> bool {
    let Some(text) = texts.if_here(view, file) else {
        return true;
    };
    let language = exposure::language(view, file);
    let path = view.file(file).path.as_bytes();
    if language.liveness.markup_uses_script {
        return true;
    }
    if language.naming.object_modules {
        let bytes = text.bytes();
        let says = |words: &&[u8]| memchr::memmem::find(bytes, words).is_some();
        return SAYING.iter().any(says) || imports.iter().any(brings_names);
    }
    if language.naming.passes_imports_on {
        // Jupyter and others hand such files a function.
        let is_config = path.ends_with(b"_config.py") || path.ends_with(b"/conf.py");
        return is_config || calls(&text, FILLING);
    }
    is_made_package(view, file, texts)
}

/// Whether an import is there for what it does, and is called as those are that bring names.
fn brings_names(import: &Import<NameId>) -> bool {
    let takes_none = matches!(import.kind, ImportKind::Import | ImportKind::Require)
        && import.bindings.is_empty();
    let mut parts = import
        .specifier
        .split(|b| matches!(b, b'/' | b'.' | b'-' | b':'));
    takes_none && parts.any(|part| BRINGING.contains(&part))
}

/// Whether the package of a file of Go may have more than its files write: some of them are made, or are in another
/// language.
pub(super) fn is_made_package(view: &View, file: FileId, texts: &mut Texts) -> bool {
    let path = view.file(file).path.as_bytes();
    let folder = &path[..memchr::memrchr(b'/', path).map_or(0, |at| at + 1)];
    let files = view.files();
    let start = files.partition_point(|file| file.path.as_bytes() < folder);
    let own = (start..files.len())
        .map(|at| (FileId(at as u32), files[at].path.as_bytes()))
        .take_while(|(_, path)| path.starts_with(folder))
        .filter(|(_, path)| memchr::memchr(b'/', &path[folder.len()..]).is_none());
    let mut own = own.take(MAX_FILES + 1).enumerate();
    own.any(|(count, (id, path))| {
        let mut makes = || {
            let text = texts.if_here(view, id);
            text.is_none_or(|text| memchr::memmem::find(text.bytes(), b"//go:generate").is_some())
        };
        count == MAX_FILES
            || SOURCES.iter().any(|end| path.ends_with(end))
            || (path.ends_with(b".go") && makes())
    })
}
