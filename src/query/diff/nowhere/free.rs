//! Files in which a function that nothing defines may be there all the same: components, whose markup has names of its
//! framework, and files that say, or take from somebody, names for all of them.

use crate::extract::record::{Import, ImportKind};
use crate::id::NameId;
use crate::query::exposure;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts};

/// Files of a package that are looked at: in more, nothing is sure.
const MAX_FILES: usize = 256;

/// What runs text as code of the module where it stands at its top, in Python.
const RUNNING: &[&[u8]] = byte_words!("exec exec_ execfile");
/// What puts names into a module, wherever it stands.
const FILLING: &[&[u8]] = &[
    b"globals()[",
    b"globals().",
    b"globals(), ",
    b"globals())",
    b"vars()[",
    b"vars().",
    b"locals().",
];
/// Blanks before a line that may still be at the top of a module.
const MAX_INDENT: usize = 4;
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
pub(in crate::query::diff) fn has_more(
    view: &View,
    file: FileId,
    imports: &[Import<NameId>],
    texts: &mut Texts,
) -> bool {
    let Some(text) = texts.if_here(view, file) else {
        return true;
    };
    let language = exposure::language(view, file);
    if language.liveness.markup_uses_script {
        return true;
    }
    if language.naming.object_modules {
        let bytes = text.bytes();
        let says = |words: &&[u8]| memchr::memmem::find(bytes, words).is_some();
        return SAYING.iter().any(says) || imports.iter().any(brings_names);
    }
    if language.naming.passes_imports_on {
        return fills_itself(&text);
    }
    is_made_package(view, file, texts)
}

/// Whether a module of Python gives itself names that it does not write.
pub(super) fn fills_itself(text: &Text) -> bool {
    let fills = |words: &&[u8]| memchr::memmem::find(text.bytes(), words).is_some();
    FILLING.iter().any(fills) || runs_at_top(text.bytes())
}

/// Whether a line that is not indented, or only below a condition or a `with`, runs text as code.
fn runs_at_top(text: &[u8]) -> bool {
    let mut lines = text.split(|b| *b == b'\n');
    lines.any(|line| {
        let written = line.trim_ascii_start();
        let mut words = RUNNING.iter();
        line.len() - written.len() <= MAX_INDENT
            && words.any(|word| {
                let rest = written.strip_prefix(*word);
                rest.is_some_and(|rest| rest.starts_with(b"("))
            })
    })
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
