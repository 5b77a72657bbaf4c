//! Definitions of one name of which a build takes one, or a call the one that fits what it is called on: what calls one of
//! them may mean the other, and resolution leads to one.
//!
//! Rust: modules that stand under `#[cfg(...)]` in one folder. Kotlin: functions in one place that extend different types.
//! C++: members of a type whose header was not understood, and what that declares.
//! Deliberately absent: items that are guarded one by one, which lie in one file and are found together.

use super::exposure;
use super::ids::DocSymbols;
use super::inventory::{is_callable, is_type};
use crate::extract::record::{Symbol, SymbolFlags, SymbolKind};
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// Files that are looked at for one.
const MAX_FILES: usize = 64;
/// Lines of attributes above a declaration.
const MAX_ATTRIBUTES: u32 = 4;

/// Whether a file is one that a build may leave out, as who declares its module says.
pub fn is_guarded(view: &View, texts: &mut Texts, file: FileId) -> bool {
    let Some(guard) = exposure::language(view, file).liveness.build_guard else {
        return false;
    };
    let name = view.file(file).path.file_name();
    let stem = name.split(|b| *b == b'.').next().unwrap_or(name);
    let declared = [b"mod ", stem, b";"].concat();
    declarers(view, file).into_iter().any(|user| {
        texts.if_here(view, user).is_some_and(|text| {
            let mut all = memchr::memmem::find_iter(text.bytes(), &declared);
            all.any(|at| {
                let Ok(at) = u32::try_from(at) else {
                    return false;
                };
                let (line, _) = text.place(at);
                let above = (line.saturating_sub(MAX_ATTRIBUTES).max(1)..line).rev();
                let above = above.map(|line| text.line(line).trim_ascii_start());
                let mut own = above.take_while(|line| line.starts_with(b"#["));
                own.any(|line| line.starts_with(guard))
            })
        })
    })
}

/// Files that may declare the module of a file: those beside it, and the one that is called like their folder.
fn declarers(view: &View, file: FileId) -> Vec<FileId> {
    let mut all = beside(view, file);
    let folder = folder_of(view, file);
    let outer = [folder.strip_suffix(b"/").unwrap_or(folder), b".rs"].concat();
    all.extend(view.file_at(&outer));
    all
}

fn folder_of(view: &View, file: FileId) -> &[u8] {
    let path = view.file(file).path.as_bytes();
    &path[..path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1)]
}

/// The files of a file's folder.
fn beside(view: &View, file: FileId) -> Vec<FileId> {
    let folder = folder_of(view, file);
    let files = view.files();
    let first = files.partition_point(|other| other.path.as_bytes() < folder);
    let below = (first as u32..files.len() as u32).map(FileId);
    let below = below.take_while(|id| view.file(*id).path.as_bytes().starts_with(folder));
    let is_beside = |id: &FileId| {
        let path = view.file(*id).path.as_bytes();
        !path[folder.len()..].contains(&b'/')
    };
    below.filter(is_beside).take(MAX_FILES).collect()
}

/// A definition that may be meant where another of its name is.
pub fn of(view: &View, graph: &Graph, texts: &mut Texts, id: SymbolId) -> Option<SymbolId> {
    let (file, index) = graph.place(id);
    let language = exposure::language(view, file);
    if language.liveness.extends_by_receivers {
        return by_receiver(view, graph, file, index);
    }
    if language.naming.linked {
        return graph
            .owner(id)
            .is_none()
            .then(|| declared(view, graph, file, index))?;
    }
    if language.liveness.build_guard.is_none() || !is_guarded(view, texts, file) {
        return None;
    }
    let own = symbols_of(view, file)?;
    let (symbol, own_name) = (own.get(index)?, own.bytes(own.get(index)?.name));
    let mut beside = beside(view, file);
    beside.retain(|other| *other != file);
    beside.into_iter().find_map(|other| {
        let symbols = symbols_of(view, other)?;
        let is_twin =
            |of: &Symbol<NameId>| of.kind == symbol.kind && symbols.bytes(of.name) == own_name;
        let at = symbols.all().iter().position(is_twin)?;
        let is_other = is_guarded(view, texts, other);
        graph.symbol(other, at).filter(|_| is_other)
    })
}

/// What a header declares under the name of a member of a type that is nowhere to be seen: the header was not understood.
fn declared(view: &View, graph: &Graph, file: FileId, index: usize) -> Option<SymbolId> {
    let own = symbols_of(view, file)?;
    let symbol = own.get(index)?;
    symbol.receiver?;
    let name = own.bytes(symbol.name);
    let headers = graph.dependencies(file).take(MAX_FILES);
    let headers: Vec<FileId> = headers
        .flat_map(|one| one.files().collect::<Vec<_>>())
        .collect();
    let mut headers = headers.into_iter().filter(|header| *header != file);
    headers.find_map(|header| {
        let symbols = symbols_of(view, header)?;
        let is_in_type = |of: &Symbol<NameId>| {
            let around = of.container.and_then(|at| symbols.get(at as usize));
            around.is_some_and(|around| is_type(around.kind))
        };
        let at = symbols.all().iter().position(|of| {
            of.flags.contains(SymbolFlags::DECLARATION)
                && symbols.bytes(of.name) == name
                && !is_in_type(of)
        })?;
        graph.symbol(header, at)
    })
}

/// A function in the same place that extends another type.
fn by_receiver(view: &View, graph: &Graph, file: FileId, index: usize) -> Option<SymbolId> {
    let symbols = symbols_of(view, file)?;
    let symbol = symbols.get(index)?;
    let receiver = symbol.receiver.filter(|_| is_callable(symbol.kind))?;
    let is_twin = |of: &Symbol<NameId>| {
        of.name == symbol.name
            && of.container == symbol.container
            && is_callable(of.kind)
            && of.kind != SymbolKind::Constructor
            && of.receiver.is_some_and(|other| other != receiver)
    };
    let at = symbols.all().iter().position(is_twin)?;
    graph.symbol(file, at)
}

fn symbols_of(view: &View, file: FileId) -> Option<DocSymbols<'_>> {
    let doc = view.file(file).doc?;
    Some(DocSymbols::load(
        &view.segment(doc.segment).segment,
        doc.doc,
    ))
}
