//! What code from outside does with definitions that no code here names.
//!
//! Interfaces that a type has without saying so, and that are not in the repository: whoever made one calls the methods of
//! what is handed over as one, and no code here names them (Go).
//!
//! What a package hands over it has to import, or what uses the package does. Guarantee: what neither imports has no
//! interface that could be meant; deliberately absent is which values go there, which takes the types of all of them.

use super::exposure;
use crate::extract::record::SymbolKind;
use crate::graph::edges::{Graph, Target};
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;

/// Files that are looked at for what they import.
const MAX_FILES: usize = 256;
/// Imports of a file that are looked at.
const MAX_IMPORTS: usize = 256;

/// The first import of something outside, other than the standard library, that may have an interface for the types of a
/// file: one of its own, of its package, or of what uses it. `None` where types say which interfaces they have.
pub fn interfaces_elsewhere(view: &View, graph: &Graph, file: FileId) -> Option<(FileId, u32)> {
    let brings = exposure::language(view, file).liveness.foreign_interfaces?;
    let own = view.file(file).path.as_bytes();
    let folder = &own[..own.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1)];
    let files = view.files();
    let first = files.partition_point(|other| other.path.as_bytes() < folder);
    let is_of_folder = |id: &FileId| {
        let path = view.file(*id).path.as_bytes();
        path.strip_prefix(folder)
            .is_some_and(|rest| !rest.contains(&b'/'))
    };
    let below = (first as u32..files.len() as u32).map(FileId);
    let below = below.take_while(|id| view.file(*id).path.as_bytes().starts_with(folder));
    let package = below.filter(is_of_folder).take(MAX_FILES);
    let users = graph.dependents(file).take(MAX_FILES);
    let mut all = std::iter::once(file).chain(package).chain(users);
    all.find_map(|of| {
        let doc = view
            .file(of)
            .doc
            .filter(|_| view.file(of).role != FileRole::Test)?;
        let segment = &view.segment(doc.segment).segment;
        let mut outside = graph
            .dependencies(of)
            .take(MAX_IMPORTS)
            .filter(|one| one.target == Target::External);
        let found = outside.find(|one| {
            let import = segment.imports(doc.doc).nth(one.import as usize);
            import.is_some_and(|import| brings(&import.specifier))
        })?;
        Some((of, found.line))
    })
}

/// The line of the first include below a macro of something outside, or of a file that holds no code that is read: it may
/// ask for the macro (`#define _GNU_SOURCE`, `#include "commands.def"`). Whoever defines a macro for the file itself writes
/// that below what the file includes.
pub fn include_below(
    (view, graph): (&View, &Graph),
    file: FileId,
    (kind, name, line): (SymbolKind, &[u8], u32),
) -> Option<u32> {
    if kind != SymbolKind::Macro || !exposure::language(view, file).liveness.headers_read_macros {
        return None;
    }
    let doc = view.file(file).doc?;
    let segment = &view.segment(doc.segment).segment;
    let first = segment.imports(doc.doc).take(MAX_IMPORTS);
    let mut below = first.filter(|one| one.line > line);
    let is_unread = |line: u32| {
        let mut all = graph.dependencies(file).filter(|one| one.line == line);
        let is_code = |id| {
            let doc = view.file(id).doc;
            doc.is_some() && exposure::language(view, id).genre.is_code()
        };
        all.any(|one| !one.files().all(is_code))
    };
    let found = below.find(|one| one.specifier.starts_with(b"<") || is_unread(one.line));
    // Names that begin so are the library's alone (C17, 7.1.3), so that it is told something by them.
    let is_its = name.starts_with(b"_") && name.get(1).is_some_and(u8::is_ascii_uppercase);
    found.map(|one| one.line).or(is_its.then_some(line))
}
