//! The documents of a view, decoded for resolution: names numbered across segments, and for every
//! occurrence the symbol it lies in.
//!
//! A document at several paths is decoded once; what its imports lead to depends on the path and is
//! found elsewhere.

use super::names::{Name, Names};
use crate::extract::record::{
    Flows, Grammar, Hint, ImportKind, Local, OccurrenceKind, Qualifier, Symbol, SymbolFlags,
    SymbolKind,
};
use crate::id::{DocId, LiveDoc};
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use std::sync::Arc;

/// One definition of a document.
#[derive(Clone, Copy, Debug)]
pub struct DocSymbol {
    /// Its own name.
    pub name: Name,
    /// Name of a container that is no symbol of the document.
    pub receiver: Option<Name>,
    /// What it is.
    pub kind: SymbolKind,
    /// Facts about it.
    pub flags: SymbolFlags,
    /// The symbol of the document it is nested in.
    pub container: Option<u32>,
    /// Where it starts: line, column.
    pub start: (u32, u32),
    /// Just past its end: line, column.
    pub end: (u32, u32),
}

/// One occurrence of a document.
#[derive(Clone, Copy, Debug)]
pub struct DocOccurrence {
    /// The identifier.
    pub name: Name,
    /// Line, from 1.
    pub line: u32,
    /// Byte column, from 0.
    pub col: u32,
    /// How it is used.
    pub kind: OccurrenceKind,
    /// What stands before it.
    pub qualifier: Qualifier,
    /// Position of the innermost symbol it lies in, plus one; 0 for none.
    owner: u32,
}

impl DocOccurrence {
    /// The innermost symbol it lies in.
    pub fn owner(&self) -> Option<u32> {
        self.owner.checked_sub(1)
    }
}

/// A name that an import binds.
#[derive(Clone, Copy, Debug)]
pub struct DocBinding {
    /// Name in the other module; `None` for the whole module.
    pub imported: Option<Name>,
    /// Name in this file; `None` when all names are taken.
    pub local: Option<Name>,
}

/// An import, export, include or declaration of a module.
#[derive(Clone, Debug)]
pub struct DocImport {
    /// What it is.
    pub kind: ImportKind,
    /// Line it stands on.
    pub line: u32,
    /// The module as written.
    pub specifier: Vec<u8>,
    /// Names it binds.
    pub bindings: Vec<DocBinding>,
}

/// A decoded document.
#[derive(Debug)]
pub struct Document {
    /// The grammar it was read with.
    pub lang: Grammar,
    /// Definitions, containers before what they contain.
    pub symbols: Vec<DocSymbol>,
    /// Uses, in source order.
    pub occurrences: Vec<DocOccurrence>,
    /// Imports and exports, in source order.
    pub imports: Vec<DocImport>,
    /// Local names and what is known of values.
    pub flows: Flows,
    /// Positions of local bindings, by name, then by where their scope begins.
    locals: Vec<(Name, u32)>,
}

impl Document {
    /// Decodes a document of a segment.
    fn decode(names: &Names, segment: &Segment, at: usize, doc: DocId) -> Self {
        let name = |id| names.from_segment(at, id);
        let symbol = |symbol: Symbol<_>| {
            Some(DocSymbol {
                name: name(symbol.name)?,
                receiver: symbol.receiver.and_then(name),
                kind: symbol.kind,
                flags: symbol.flags,
                container: symbol.container,
                start: (symbol.start_line, symbol.start_col),
                end: (symbol.end_line, symbol.end_col),
            })
        };
        let symbols: Vec<DocSymbol> = segment.symbols(doc).map_while(symbol).collect();
        let mut owners = Owners::new(&symbols);
        let occurrences = segment.occurrences(doc).map_while(|found| {
            Some(DocOccurrence {
                name: name(found.name)?,
                line: found.line,
                col: found.col,
                kind: found.kind,
                qualifier: found.qualifier,
                owner: owners.at((found.line, found.col)),
            })
        });
        let imports = segment.imports(doc).map(|import| DocImport {
            kind: import.kind,
            line: import.line,
            specifier: import.specifier,
            bindings: import
                .bindings
                .iter()
                .map(|binding| DocBinding {
                    imported: binding.imported.and_then(name),
                    local: binding.local.and_then(name),
                })
                .collect(),
        });
        let occurrences: Vec<DocOccurrence> = occurrences.collect();
        let flows = segment.flows(doc);
        let named = |(i, local): (u32, &Local)| {
            let declared = occurrences.get(local.declared as usize)?;
            Some((declared.name, i))
        };
        let mut locals: Vec<_> = (0..).zip(&flows.locals).filter_map(named).collect();
        locals.sort_by_key(|(name, i)| (*name, flows.locals[*i as usize].scope.start, *i));
        Self {
            lang: segment.doc(doc).lang,
            imports: imports.collect(),
            locals,
            flows,
            symbols,
            occurrences,
        }
    }

    /// The local binding that a name means where an occurrence stands.
    pub fn local_at(&self, name: Name, occurrence: u32) -> Option<(u32, &Local)> {
        let of = |entry: &(Name, u32)| (entry.0, self.flows.locals[entry.1 as usize].scope.start);
        let end = self
            .locals
            .partition_point(|entry| of(entry) <= (name, occurrence));
        let before = self.locals[..end].iter().rev();
        before
            .take_while(|(of, _)| *of == name)
            .map(|(_, i)| (*i, &self.flows.locals[*i as usize]))
            .find(|(_, local)| local.scope.contains(&occurrence))
    }

    /// What is known of the object of a member access.
    pub fn receiver(&self, occurrence: u32) -> Option<Hint> {
        let receivers = &self.flows.receivers;
        let i = receivers.binary_search_by_key(&occurrence, |(at, _)| *at);
        i.ok().map(|i| receivers[i].1)
    }

    /// What is known of the value of a symbol.
    pub fn value(&self, symbol: u32) -> Option<Hint> {
        let values = &self.flows.values;
        let i = values.binary_search_by_key(&symbol, |(at, _)| *at);
        i.ok().map(|i| values[i].1)
    }
}

/// Finds the innermost symbol of places that come in source order.
struct Owners<'a> {
    symbols: &'a [DocSymbol],
    next: usize,
    open: Vec<u32>,
}

impl<'a> Owners<'a> {
    fn new(symbols: &'a [DocSymbol]) -> Self {
        Self {
            symbols,
            next: 0,
            open: Vec::new(),
        }
    }

    /// Position of the symbol plus one; 0 for none.
    fn at(&mut self, place: (u32, u32)) -> u32 {
        while let Some(symbol) = self.symbols.get(self.next)
            && symbol.start <= place
        {
            self.open.push(self.next as u32);
            self.next += 1;
        }
        let symbols = self.symbols;
        let contains = |i: &u32| symbols[*i as usize].end > place;
        // Spans may overlap without nesting (a member assigned elsewhere), so not only the last goes.
        self.open.retain(contains);
        self.open.last().map_or(0, |i| i + 1)
    }
}

/// The documents of a view.
pub struct Documents {
    docs: Vec<Option<Arc<Document>>>,
}

impl Documents {
    /// Decodes the documents of all files, on as many threads.
    pub fn of(view: &View, names: &Names, threads: usize) -> Self {
        let mut distinct: Vec<LiveDoc> = view.files().iter().filter_map(|file| file.doc).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let decode = |live: &LiveDoc| {
            let at = live.segment.index();
            let segment = &view.segment(live.segment).segment;
            Arc::new(Document::decode(names, segment, at, live.doc))
        };
        let decoded = super::parallel::map(&distinct, threads, decode);
        let of_file = |live: LiveDoc| {
            let i = distinct.binary_search(&live).ok()?;
            Some(decoded[i].clone())
        };
        Self {
            docs: view
                .files()
                .iter()
                .map(|file| file.doc.and_then(of_file))
                .collect(),
        }
    }

    /// The document of a file; `None` when it has none.
    pub fn get(&self, file: FileId) -> Option<&Arc<Document>> {
        self.docs.get(file.0 as usize)?.as_ref()
    }

    /// Number of files, with a document or without.
    pub fn len(&self) -> usize {
        self.docs.len()
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.docs.is_empty()
    }

    /// The files that have a document, in path order.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Arc<Document>)> {
        let all = self.docs.iter().zip(0..);
        all.filter_map(|(doc, i)| Some((FileId(i), doc.as_ref()?)))
    }
}
