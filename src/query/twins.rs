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
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Files that are looked at for one.
const MAX_FILES: usize = 64;
/// Lines of attributes above a declaration.
const MAX_ATTRIBUTES: u32 = 4;

/// Documents that are held decoded.
const MAX_READ: usize = 128;

/// The definitions of a file, by name too: each of a large file is asked for.
struct Defined<'v> {
    segment: &'v Segment,
    symbols: DocSymbols<'v>,
    named: FxHashMap<NameId, Vec<usize>>,
}

impl<'v> Defined<'v> {
    fn of(view: &'v View, file: FileId) -> Option<Self> {
        let doc = view.file(file).doc?;
        let segment = &view.segment(doc.segment).segment;
        let symbols = DocSymbols::load(segment, doc.doc);
        let mut named: FxHashMap<NameId, Vec<usize>> = FxHashMap::default();
        for (at, symbol) in symbols.all().iter().enumerate() {
            named.entry(symbol.name).or_default().push(at);
        }
        Some(Self {
            segment,
            symbols,
            named,
        })
    }

    /// The first definition of a name that is let pass.
    fn first(&self, name: NameId, admits: impl Fn(&Symbol<NameId>) -> bool) -> Option<usize> {
        let mut all = self.named.get(&name)?.iter().copied();
        all.find(|at| self.symbols.get(*at).is_some_and(&admits))
    }

    /// The first of a name of another file.
    fn first_called(&self, name: &[u8], admits: impl Fn(&Symbol<NameId>) -> bool) -> Option<usize> {
        self.first(self.segment.name_id(name)?, admits)
    }
}

/// Finds them, one definition after the other.
pub struct Twins<'v> {
    view: &'v View,
    read: FxHashMap<FileId, Option<Rc<Defined<'v>>>>,
    guarded: FxHashMap<FileId, bool>,
    /// The files beside the one that was asked for last.
    beside: Option<(FileId, Rc<[FileId]>)>,
}

impl<'v> Twins<'v> {
    /// Twins of definitions of a view.
    pub fn of(view: &'v View) -> Self {
        Self {
            view,
            read: FxHashMap::default(),
            guarded: FxHashMap::default(),
            beside: None,
        }
    }

    /// A definition that may be meant where another of its name is.
    pub fn find(&mut self, graph: &Graph, texts: &mut Texts, id: SymbolId) -> Option<SymbolId> {
        let (file, index) = graph.place(id);
        let language = exposure::language(self.view, file);
        if language.liveness.extends_by_receivers {
            return self.by_receiver(graph, file, index);
        }
        if language.naming.linked {
            return graph
                .owner(id)
                .is_none()
                .then(|| self.declared(graph, file, index))?;
        }
        if !self.is_guarded(texts, file) {
            return None;
        }
        let own = self.defined(file)?;
        let symbol = own.symbols.get(index)?;
        let name = own.symbols.bytes(symbol.name);
        let others = self.beside(file);
        others.iter().find_map(|other| {
            let at = self
                .defined(*other)?
                .first_called(&name, |of| of.kind == symbol.kind)?;
            let is_other = self.is_guarded(texts, *other);
            graph.symbol(*other, at).filter(|_| is_other)
        })
    }

    /// What a header declares under the name of a member of a type that is nowhere to be seen: the header was not understood.
    fn declared(&mut self, graph: &Graph, file: FileId, index: usize) -> Option<SymbolId> {
        let own = self.defined(file)?;
        let symbol = own.symbols.get(index)?;
        symbol.receiver?;
        let name = own.symbols.bytes(symbol.name);
        let headers = graph.dependencies(file).take(MAX_FILES);
        let headers = headers.flat_map(|one| one.files().collect::<Vec<_>>());
        let mut headers = headers.filter(|header| *header != file);
        headers.find_map(|header| {
            let of = self.defined(header)?;
            let is_in_type = |one: &Symbol<NameId>| {
                let around = one.container.and_then(|at| of.symbols.get(at as usize));
                around.is_some_and(|around| is_type(around.kind))
            };
            let at = of.first_called(&name, |one| {
                one.flags.contains(SymbolFlags::DECLARATION) && !is_in_type(one)
            })?;
            graph.symbol(header, at)
        })
    }

    /// A function in the same place that extends another type.
    fn by_receiver(&mut self, graph: &Graph, file: FileId, index: usize) -> Option<SymbolId> {
        let own = self.defined(file)?;
        let symbol = own.symbols.get(index)?;
        let receiver = symbol.receiver.filter(|_| is_callable(symbol.kind))?;
        let at = own.first(symbol.name, |of| {
            of.container == symbol.container
                && is_callable(of.kind)
                && of.kind != SymbolKind::Constructor
                && of.receiver.is_some_and(|other| other != receiver)
        })?;
        graph.symbol(file, at)
    }

    /// Whether a file is one that a build may leave out.
    pub fn is_guarded(&mut self, texts: &mut Texts, file: FileId) -> bool {
        let view = self.view;
        let known = self.guarded.entry(file);
        *known.or_insert_with(|| may_be_left_out(view, texts, file))
    }

    fn defined(&mut self, file: FileId) -> Option<Rc<Defined<'v>>> {
        if self.read.len() >= MAX_READ {
            self.read.clear();
        }
        let view = self.view;
        let read = self.read.entry(file);
        read.or_insert_with(|| Defined::of(view, file).map(Rc::new))
            .clone()
    }

    fn beside(&mut self, file: FileId) -> Rc<[FileId]> {
        match &self.beside {
            Some((of, known)) if *of == file => known.clone(),
            _ => {
                let mut all = beside(self.view, file);
                all.retain(|other| *other != file);
                let all: Rc<[FileId]> = all.into();
                self.beside = Some((file, all.clone()));
                all
            }
        }
    }
}

/// Whether a file is one that a build may leave out, as who declares its module says.
fn may_be_left_out(view: &View, texts: &mut Texts, file: FileId) -> bool {
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
