//! The documents of a view, decoded for resolution: names numbered across segments, and for every
//! occurrence the symbol it lies in.
//!
//! A document at several paths is decoded once; what its imports lead to depends on the path and is
//! found elsewhere. What it defines and imports is a [`Head`], which the graphs of one tree after the other
//! share; its uses, most of it by far, are read when somebody asks for them, since after an edit nobody does
//! for most documents.

mod head;

use super::bindings::{Bindings, find_scopes};
use super::locals::{Bound, bound, nested};
use super::names::{Name, Names, UNNUMBERED};
use super::owners::Owners;
use super::type_arguments::argument_hint;
use crate::extract::record::{
    Grammar, ImportKind, Local, OccurrenceKind, Qualifier, Symbol, SymbolFlags, SymbolKind,
    TypeHint, TypeHints,
};
use crate::id::{DocAddress, DocId, NameId};
use crate::segment::Segment;
use crate::view::live::{FileId, LiveSegment, View};
pub(super) use head::{is_passed_whole, words_of};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// What is said of uses behind a name that is looked at for its type arguments.
const MAX_ARGUMENT_HINTS: usize = 12;

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
#[derive(Clone, Copy, PartialEq, Debug)]
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
    /// The function that it is written in, where what it binds is seen in that alone.
    pub scope: Option<u32>,
    /// The module as written.
    pub specifier: Box<[u8]>,
    /// Names it binds.
    pub bindings: Box<[DocBinding]>,
}

/// What a document defines, imports and names.
#[derive(Debug)]
pub struct Head {
    /// The grammar it was read with.
    pub lang: Grammar,
    /// Definitions, containers before what they contain.
    pub symbols: Vec<DocSymbol>,
    /// Imports and exports, in source order.
    pub imports: Vec<DocImport>,
    /// What imports bind.
    pub(super) bindings: Bindings,
    /// Positions of the imports that say what the document gives out.
    exports: Vec<u32>,
    /// Positions of the imports that the document passes on.
    pub(crate) reexports: Vec<u32>,
    /// Whether one of these passes all names on.
    pub(crate) passes_all: bool,
    /// Positions of the imports of which bare names are taken.
    pub(crate) wildcard_imports: Vec<u32>,
    /// Whether some of it belongs to a type that is named beside it: a method of Go, an `impl`.
    pub(super) has_outside: bool,
    /// The names that only a receiver or an import has to have: no segment says which documents those stand in.
    apart: Box<[Name]>,
    /// Hashes of the words of what its imports are from, where those may be names of definitions; sorted.
    specified: Box<[u64]>,
}

/// What a document uses.
#[derive(Debug)]
struct Body {
    /// Uses, in source order.
    occurrences: Vec<DocOccurrence>,
    /// Local names and what is known of values.
    hints: TypeHints,
    /// Local bindings by name, then by where their scope begins.
    locals: Vec<Bound>,
    /// Those that say what the function is called on that is their scope, see [`nested`].
    within: Vec<(u32, Option<u32>)>,
    /// By local binding: where the name is bound that it checks, once that was asked for.
    unchecked: OnceLock<Vec<u32>>,
}

/// A decoded document.
pub struct Document {
    head: Arc<Head>,
    body: OnceLock<Box<Body>>,
    held: Held,
}

/// Where a document lies, with the numbers of the segment's names.
#[derive(Clone)]
struct Held {
    segment: Arc<Segment>,
    doc: DocId,
    numbers: Arc<[Name]>,
}

impl Held {
    fn name(&self, id: NameId) -> Option<Name> {
        let name = self.numbers.get(id.index()).copied();
        debug_assert_ne!(name, Some(UNNUMBERED), "its names are numbered before");
        name
    }

    fn head(&self) -> Head {
        let name = |id| self.name(id);
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
        let symbols = self.segment.symbols(self.doc).map_while(symbol);
        let imports = self.segment.imports(self.doc).map(|import| DocImport {
            kind: import.kind,
            line: import.line,
            scope: None,
            specifier: import.specifier.into(),
            bindings: import
                .bindings
                .iter()
                .map(|binding| DocBinding {
                    imported: binding.imported.and_then(name),
                    local: binding.local.and_then(name),
                })
                .collect(),
        });
        // All documents lie in memory at once, and lists grow by doubling.
        let mut symbols: Vec<DocSymbol> = symbols.collect();
        symbols.shrink_to_fit();
        let mut imports: Vec<DocImport> = imports.collect();
        imports.shrink_to_fit();
        find_scopes(&mut imports, &symbols);
        let mut head = Head {
            lang: self.segment.doc(self.doc).lang,
            symbols,
            imports,
            bindings: Bindings::default(),
            exports: Vec::new(),
            reexports: Vec::new(),
            passes_all: false,
            wildcard_imports: Vec::new(),
            has_outside: false,
            apart: Box::default(),
            specified: Box::default(),
        };
        head.sort_imports();
        let is_outside = |of: &DocSymbol| of.kind == SymbolKind::Impl || of.receiver.is_some();
        head.has_outside = head.symbols.iter().any(is_outside);
        head
    }

    fn body(&self, head: &Head) -> Body {
        let mut owners = Owners::new(&head.symbols);
        let occurrences = self.segment.occurrences(self.doc).map_while(|found| {
            Some(DocOccurrence {
                name: self.name(found.name)?,
                line: found.line,
                col: found.col,
                kind: found.kind,
                qualifier: found.qualifier,
                owner: owners.at((found.line, found.col)),
            })
        });
        let mut occurrences: Vec<DocOccurrence> = occurrences.collect();
        occurrences.shrink_to_fit();
        let mut hints = self.segment.hints(self.doc);
        hints.locals.shrink_to_fit();
        hints.values.shrink_to_fit();
        hints.receivers.shrink_to_fit();
        let named = |(i, local): (u32, &Local)| {
            let declared = occurrences.get(local.declared as usize)?;
            // What is bound nowhere is a member of a shape.
            (!local.scope.is_empty()).then_some((declared.name, i))
        };
        let is_within = |local: &Local| local.hint.is_some_and(|hint| hint.kind.is_within());
        let binds = |(_, local): &(u32, &Local)| !is_within(local);
        let all = || (0..).zip(&hints.locals);
        let mut locals: Vec<_> = all().filter(binds).filter_map(named).collect();
        locals.sort_by_key(|(name, i)| (*name, hints.locals[*i as usize].scope.start, *i));
        let locals = bound(&hints.locals, locals);
        let within = all().filter(|one| !binds(one)).map(|(i, _)| i).collect();
        let within = nested(&hints.locals, within);
        Body {
            occurrences,
            hints,
            locals,
            within,
            unchecked: OnceLock::new(),
        }
    }
}

impl Document {
    /// Decodes a document as far as the next graph will need it, too: what lies between would keep memory that
    /// is free from going back.
    fn decode(held: Held) -> Self {
        let mut head = held.head();
        head.apart = head.apart();
        head.specified = head.specified();
        Self::of(Arc::new(head), held)
    }

    /// A document of which the head is known.
    fn of(head: Arc<Head>, held: Held) -> Self {
        Self {
            head,
            body: OnceLock::new(),
            held,
        }
    }

    /// The document as it is while nobody has asked for its uses.
    fn unread(self: &Arc<Self>) -> Arc<Self> {
        match self.body.get() {
            None => self.clone(),
            Some(_) => Arc::new(Self::of(self.head.clone(), self.held.clone())),
        }
    }

    fn body(&self) -> &Body {
        self.body
            .get_or_init(|| Box::new(self.held.body(&self.head)))
    }

    /// Uses, in source order.
    pub fn occurrences(&self) -> &[DocOccurrence] {
        &self.body().occurrences
    }

    /// Local names and what is known of values.
    pub fn hints(&self) -> &TypeHints {
        &self.body().hints
    }

    /// The local binding that a name means where an occurrence stands.
    pub fn local_at(&self, name: Name, occurrence: u32) -> Option<(u32, &Local)> {
        let Body { hints, locals, .. } = self.body();
        let end = locals.partition_point(|of| (of.name, of.start) <= (name, occurrence)) as u32;
        // One that has ended holds nothing, and neither do those that ended before it.
        let mut next = end.checked_sub(1);
        while let Some(of) = next
            .map(|at| &locals[at as usize])
            .filter(|of| of.name == name)
        {
            if occurrence < of.end && of.start <= occurrence {
                return Some((of.local, &hints.locals[of.local as usize]));
            }
            next = of.outer;
        }
        None
    }

    /// The occurrence that binds the name that a local binding is a check of, all checks before it passed; its own where it
    /// is none.
    pub fn unchecked(&self, local: u32) -> Option<u32> {
        let all = self.body().unchecked.get_or_init(|| {
            let mut found: Vec<u32> = Vec::new();
            for local in &self.hints().locals {
                let name = self.occurrences().get(local.declared as usize);
                let is_check = local.hint.is_some_and(|hint| hint.kind.is_of_check());
                let before = name.filter(|_| is_check);
                let before = before.and_then(|of| self.local_at(of.name, local.declared));
                // Those that are bound before stand before.
                let passed = before.and_then(|(before, _)| found.get(before as usize));
                found.push(passed.copied().unwrap_or(local.declared));
            }
            found
        });
        all.get(local as usize).copied()
    }

    /// What is said of the functions around an occurrence that bare names in them may be members of something, the
    /// innermost first.
    pub fn within(&self, occurrence: u32) -> impl Iterator<Item = &Local> {
        let Body { hints, within, .. } = self.body();
        let start = |(i, _): &(u32, Option<u32>)| hints.locals[*i as usize].scope.start;
        let end = within.partition_point(|one| start(one) <= occurrence) as u32;
        let outwards = std::iter::successors(end.checked_sub(1), |at| within[*at as usize].1);
        let all = outwards.map(|at| &hints.locals[within[at as usize].0 as usize]);
        all.filter(move |local| local.scope.contains(&occurrence))
    }

    /// The local binding whose own name an occurrence is.
    pub fn local_bound_at(&self, occurrence: u32) -> Option<u32> {
        let locals = &self.hints().locals;
        let found = locals.binary_search_by_key(&occurrence, |local| local.declared);
        found.ok().map(|at| at as u32)
    }

    /// What is known of the object of a member access.
    pub fn receiver(&self, occurrence: u32) -> Option<TypeHint> {
        let mut said = self.said_of(occurrence);
        said.find(|hint| !hint.kind.is_of_call())
    }

    /// How many arguments a call has, at least and at most, where that is said.
    pub fn counted(&self, called: u32) -> Option<(usize, usize)> {
        let mut said = self.said_of(called);
        said.find_map(|hint| hint.kind.arguments())
    }

    /// What is said of an occurrence: of its object, then of what it is given.
    fn said_of(&self, occurrence: u32) -> impl Iterator<Item = TypeHint> {
        let receivers = &self.hints().receivers;
        let from = receivers.partition_point(|(at, _)| *at < occurrence);
        let said = receivers[from..].iter();
        let said = said.take_while(move |(at, _)| *at == occurrence);
        said.take(2).map(|(_, hint)| *hint)
    }

    /// The types that are written as arguments of what an occurrence names, each with its place.
    pub fn type_arguments(&self, named: u32) -> impl Iterator<Item = (usize, TypeHint)> {
        let receivers = &self.hints().receivers;
        let from = receivers.partition_point(|(at, _)| *at <= named);
        let near = receivers[from..].iter().take(MAX_ARGUMENT_HINTS);
        let of_it = near.filter(move |(_, hint)| hint.occurrence == named);
        of_it.filter_map(|(at, hint)| argument_hint(*at, hint.kind))
    }

    /// The occurrences in a definition, the first counted from where they begin.
    pub(super) fn lying_in(&self, symbol: u32) -> Range<usize> {
        let uses = self.occurrences();
        let span = self.symbols.get(symbol as usize);
        span.map_or(0..0, |of| {
            let first = uses.partition_point(|found| (found.line, found.col) < of.start);
            first..uses.partition_point(|found| (found.line, found.col) < of.end)
        })
    }

    /// Uses in a definition, in source order.
    pub fn occurrences_in(&self, symbol: u32) -> &[DocOccurrence] {
        self.occurrences().get(self.lying_in(symbol)).unwrap_or(&[])
    }

    /// The names of members in a definition without which, or with which alone, a type is taken there: each with what
    /// is said of it.
    pub fn keys_in(&self, symbol: u32) -> impl Iterator<Item = (&DocOccurrence, TypeHint)> {
        let uses = self.occurrences();
        let receivers = &self.hints().receivers;
        let within = self.lying_in(symbol);
        let from = receivers.partition_point(|(at, _)| (*at as usize) < within.start);
        let near = receivers[from..].iter();
        let near = near.take_while(move |(at, _)| (*at as usize) < within.end);
        let keys = near.filter(|(_, hint)| hint.kind.is_of_key());
        keys.filter_map(|(at, hint)| Some((uses.get(*at as usize)?, *hint)))
    }

    /// The object that a local name is taken out of where it is bound.
    pub fn taken_from(&self, declared: u32) -> Option<TypeHint> {
        self.receiver(declared)
            .filter(|hint| !hint.kind.is_of_parameter())
    }

    /// The first occurrence in a definition, and the local names that are bound from there on.
    pub fn locals_from(&self, symbol: u32) -> Option<(u32, &[Local])> {
        let start = self.symbols.get(symbol as usize)?.start;
        let uses = self.occurrences();
        let first = uses.partition_point(|found| (found.line, found.col) < start) as u32;
        let locals = &self.hints().locals;
        let from = locals.partition_point(|local| local.declared < first);
        Some((first, &locals[from..]))
    }

    /// What is known of the value of a symbol, whatever a decorator makes of it.
    pub fn value(&self, symbol: u32) -> Option<TypeHint> {
        match self.told(symbol)? {
            hint if hint.kind.is_of_decorator() => self.receiver(hint.occurrence),
            hint => Some(hint),
        }
    }

    /// What is said of the value of a symbol.
    pub fn told(&self, symbol: u32) -> Option<TypeHint> {
        let values = &self.hints().values;
        let i = values.binary_search_by_key(&symbol, |(at, _)| *at);
        i.ok().map(|i| values[i].1)
    }
}

impl std::ops::Deref for Document {
    type Target = Head;

    fn deref(&self) -> &Head {
        &self.head
    }
}

/// The documents of a view.
pub struct Documents {
    docs: Vec<Option<Arc<Document>>>,
}

/// The documents of a view, for that of the next: without their uses, since after an edit nobody asks for most of them.
#[derive(Default)]
pub struct Unread {
    segments: Vec<OfSegment>,
    /// By file, where its document lies.
    files: Vec<Option<DocAddress>>,
}

/// The documents of a segment that are live, by number.
struct OfSegment {
    segment: Arc<Segment>,
    docs: Vec<Option<Arc<Document>>>,
}

impl Documents {
    /// Decodes the documents of all files, on as many threads. What `known` has, whose names are numbered as
    /// these, is not decoded again.
    pub fn of(view: &View, names: &Names, known: Option<&Unread>, threads: usize) -> Self {
        let known: Vec<&[Option<Arc<Document>>]> = (view.segments().iter())
            .map(|live| known.map_or(&[][..], |known| known.of_segment(&live.segment)))
            .collect();
        let numbers: Vec<Arc<[Name]>> = (0..known.len()).map(|i| names.of_segment(i)).collect();
        let known = |live: &DocAddress| known[live.segment.index()].get(live.doc.index())?.as_ref();
        let all = || view.files().iter().filter_map(|file| file.doc);
        let mut missing: Vec<DocAddress> = all().filter(|live| known(live).is_none()).collect();
        missing.sort_unstable();
        missing.dedup();
        let decode = |live: &DocAddress| {
            Arc::new(Document::decode(Held {
                segment: view.segment(live.segment).segment.clone(),
                doc: live.doc,
                numbers: numbers[live.segment.index()].clone(),
            }))
        };
        let decoded = super::parallel::map(&missing, threads, decode);
        let of_file = |live: DocAddress| {
            let decoded = || decoded.get(missing.binary_search(&live).ok()?);
            known(&live).or_else(decoded).cloned()
        };
        let docs = view
            .files()
            .iter()
            .map(|file| file.doc.and_then(of_file))
            .collect();
        Self { docs }
    }

    /// Whether each of some files, which were there before, has a document that is like the one that it had.
    pub(super) fn are_like(
        &self,
        before: &Unread,
        files: &[FileId],
        is_like: impl Fn(&Head, &Head) -> bool,
    ) -> bool {
        files
            .iter()
            .all(|file| match (self.get(*file), before.get(*file)) {
                (Some(is), Some(was)) => is_like(is, was),
                (is, was) => is.is_none() && was.is_none(),
            })
    }

    /// What the documents of the next view can be made from.
    pub(super) fn unread(&self, view: &View) -> Unread {
        let of_segment = |live: &LiveSegment| OfSegment {
            segment: live.segment.clone(),
            docs: vec![None; live.segment.doc_count() as usize],
        };
        let mut segments: Vec<OfSegment> = view.segments().iter().map(of_segment).collect();
        for (file, doc) in view.files().iter().zip(&self.docs) {
            if let (Some(at), Some(doc)) = (file.doc, doc)
                && let Some(place) = segments[at.segment.index()].docs.get_mut(at.doc.index())
                && place.is_none()
            {
                *place = Some(doc.unread());
            }
        }
        let files = view.files().iter().map(|file| file.doc).collect();
        Unread { segments, files }
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

impl Unread {
    /// The document that a file had.
    pub(super) fn get(&self, file: FileId) -> Option<&Arc<Document>> {
        let at = (*self.files.get(file.0 as usize)?)?;
        let of = self.segments.get(at.segment.index())?;
        of.docs.get(at.doc.index())?.as_ref()
    }

    fn of_segment(&self, segment: &Arc<Segment>) -> &[Option<Arc<Document>>] {
        let mut known = self.segments.iter();
        let of = known.find(|of| Arc::ptr_eq(&of.segment, segment));
        of.map_or(&[], |of| &of.docs)
    }
}
