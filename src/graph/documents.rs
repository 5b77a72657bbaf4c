//! The documents of a view, decoded for resolution: names numbered across segments, and for every
//! occurrence the symbol it lies in.
//!
//! A document at several paths is decoded once; what its imports lead to depends on the path and is
//! found elsewhere.

use super::names::{Name, Names};
use crate::extract::record::{
    Grammar, ImportKind, Local, OccurrenceKind, Qualifier, Symbol, SymbolFlags, SymbolKind,
    TypeHint, TypeHints,
};
use crate::id::{DocAddress, DocId};
use crate::lang;
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
    pub hints: TypeHints,
    /// Positions of local bindings, by name, then by where their scope begins.
    locals: Vec<(Name, u32)>,
    /// What imports bind, by name, then as (import, binding) in source order.
    bound: Vec<(Name, u32, u32)>,
    /// Positions of the imports that say what the document gives out.
    exports: Vec<u32>,
    /// Positions of the imports that the document passes on.
    pub(crate) reexports: Vec<u32>,
    /// Positions of the imports of which bare names are taken.
    pub(crate) wildcard_imports: Vec<u32>,
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
        let mut symbols: Vec<DocSymbol> = segment.symbols(doc).map_while(symbol).collect();
        symbols.shrink_to_fit();
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
        let mut occurrences: Vec<DocOccurrence> = occurrences.collect();
        // All documents lie in memory at once, and lists grow by doubling.
        occurrences.shrink_to_fit();
        let mut hints = segment.hints(doc);
        hints.locals.shrink_to_fit();
        hints.values.shrink_to_fit();
        hints.receivers.shrink_to_fit();
        let named = |(i, local): (u32, &Local)| {
            let declared = occurrences.get(local.declared as usize)?;
            Some((declared.name, i))
        };
        let mut locals: Vec<_> = (0..).zip(&hints.locals).filter_map(named).collect();
        locals.sort_by_key(|(name, i)| (*name, hints.locals[*i as usize].scope.start, *i));
        let mut read = Self {
            lang: segment.doc(doc).lang,
            imports: imports.collect(),
            locals,
            bound: Vec::new(),
            exports: Vec::new(),
            reexports: Vec::new(),
            wildcard_imports: Vec::new(),
            hints,
            symbols,
            occurrences,
        };
        read.sort_imports();
        read
    }

    /// Notes which imports to look at for what.
    fn sort_imports(&mut self) {
        for (import, i) in self.imports.iter().zip(0..) {
            if import.kind == ImportKind::Export {
                self.exports.push(i);
                continue;
            }
            if passes_on(import.kind, self.lang) {
                self.reexports.push(i);
            }
            if takes_whole(import, self.lang) {
                self.wildcard_imports.push(i);
            }
            if import.kind != ImportKind::Package {
                let locals = import.bindings.iter().map(|binding| binding.local);
                let bound = locals.zip(0..).filter_map(|(l, at)| Some((l?, i, at)));
                self.bound.extend(bound);
            }
        }
        self.bound.sort_unstable();
    }

    /// Number of names that imports bind, each counted as often as it is bound.
    pub fn bound_count(&self) -> usize {
        self.bound.len()
    }

    /// Where the bindings of a name are among all; `None` when it is not bound.
    pub fn first_bound(&self, name: Name) -> Option<usize> {
        let first = self.bound.partition_point(|(bound, ..)| *bound < name);
        let found = self.bound.get(first)?;
        (found.0 == name).then_some(first)
    }

    /// The bindings of a name by imports, in source order, each with the position of its import.
    pub fn bound(&self, name: Name) -> impl Iterator<Item = (u32, &DocBinding)> {
        let first = self.first_bound(name).unwrap_or(self.bound.len());
        let same = self.bound[first..].iter();
        same.take_while(move |(bound, ..)| *bound == name)
            .map(|(_, i, at)| (*i, &self.imports[*i as usize].bindings[*at as usize]))
    }

    /// What the document says that it gives out, in source order.
    pub fn exports(&self) -> impl Iterator<Item = &DocBinding> {
        let exports = self.exports.iter().map(|i| &self.imports[*i as usize]);
        exports.flat_map(|export| &export.bindings)
    }

    /// The local binding that a name means where an occurrence stands.
    pub fn local_at(&self, name: Name, occurrence: u32) -> Option<(u32, &Local)> {
        let of = |entry: &(Name, u32)| (entry.0, self.hints.locals[entry.1 as usize].scope.start);
        let end = self
            .locals
            .partition_point(|entry| of(entry) <= (name, occurrence));
        let before = self.locals[..end].iter().rev();
        before
            .take_while(|(of, _)| *of == name)
            .map(|(_, i)| (*i, &self.hints.locals[*i as usize]))
            .find(|(_, local)| local.scope.contains(&occurrence))
    }

    /// What is known of the object of a member access.
    pub fn receiver(&self, occurrence: u32) -> Option<TypeHint> {
        let receivers = &self.hints.receivers;
        let i = receivers.binary_search_by_key(&occurrence, |(at, _)| *at);
        i.ok().map(|i| receivers[i].1)
    }

    /// What is known of the value of a symbol.
    pub fn value(&self, symbol: u32) -> Option<TypeHint> {
        let values = &self.hints.values;
        let i = values.binary_search_by_key(&symbol, |(at, _)| *at);
        i.ok().map(|i| values[i].1)
    }
}

/// Whether others can find what an import of this kind brings.
fn passes_on(kind: ImportKind, lang: Grammar) -> bool {
    match kind {
        ImportKind::Reexport | ImportKind::Module => true,
        ImportKind::Import | ImportKind::Include => lang::of(lang).naming.passes_imports_on,
        _ => false,
    }
}

/// Whether an import brings all names of what it is from.
fn takes_whole(import: &DocImport, lang: Grammar) -> bool {
    let no_bindings = import.bindings.is_empty() && lang::of(lang).naming.imports_are_whole;
    let mut bindings = import.bindings.iter();
    matches!(
        import.kind,
        ImportKind::Import | ImportKind::Require | ImportKind::Include
    ) && (no_bindings || bindings.any(|b| b.local.is_none() && b.imported.is_none()))
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
        let mut distinct: Vec<DocAddress> =
            view.files().iter().filter_map(|file| file.doc).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let decode = |live: &DocAddress| {
            let at = live.segment.index();
            let segment = &view.segment(live.segment).segment;
            Arc::new(Document::decode(names, segment, at, live.doc))
        };
        let decoded = super::parallel::map(&distinct, threads, decode);
        let of_file = |live: DocAddress| {
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
