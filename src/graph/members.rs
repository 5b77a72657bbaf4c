//! The members of types: those inside them, those written elsewhere, and those of their bases.

use super::documents::{DocOccurrence, Document};
use super::heirs::Heirs;
use super::hops::{Hops, Search};
use super::names::Name;
use super::numbers::{Column, Numbers};
use super::parallel;
use super::resolve::{Meaning, Resolver};
use super::semantics;
use super::table::{SymbolId, SymbolTable, keep_first, offsets, range};
use crate::extract::record::{OccurrenceKind, SymbolFlags, SymbolKind};
use crate::lang::{self, naming::TypeParts};
use crate::view::live::FileId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Bases looked at for one member. Deeper hierarchies are made, not written.
const MAX_BASES: usize = 64;

/// Types that are passed on the way to a base that a type around has from one of its own.
const MAX_PASSED: usize = 16;

/// That a file says of a type on which other it is based.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Based {
    pub(super) file: FileId,
    pub(super) class: SymbolId,
    /// `None` for one that is not in the repository.
    pub(super) base: Option<SymbolId>,
}

/// A block for a type that lies in another one.
struct Nested {
    block: SymbolId,
    /// That other one, or its name where it is not in the repository.
    outer: Result<SymbolId, Name>,
    name: Name,
}

/// Which members belong to which type.
#[derive(Default)]
pub struct Members {
    owned: Arc<Owned>,
    /// Direct bases of a type, in source order.
    bases: FxHashMap<SymbolId, Vec<SymbolId>>,
    /// Types that say of one that it is a direct base, in some languages.
    pub(super) heirs: Heirs,
    /// Types with a base that is not in the repository.
    external: FxHashSet<SymbolId>,
    /// In which rounds bases were found by following values, as digits.
    rounds: FxHashMap<SymbolId, u64>,
}

/// Members without those of bases: what names alone tell, so that trees that define and import the same share it.
#[derive(Default, PartialEq)]
pub struct Owned {
    /// What a block adds to: the type that an `impl` is for, the first of a type's several parts.
    canonical: FxHashMap<SymbolId, SymbolId>,
    /// What other files add to a module's types (`declare module "./a"`), by type.
    added: FxHashMap<SymbolId, Vec<SymbolId>>,
    /// The type of a member that stands outside of it (a Go method, `A::f` in C++).
    owner: FxHashMap<SymbolId, SymbolId>,
    /// (type, name, member), sorted.
    members: Vec<(SymbolId, Name, SymbolId)>,
    /// Where the members of each symbol begin, and one more.
    offsets: Vec<u32>,
    /// Blocks for types that are not in the repository, by the names of these.
    foreign: FxHashMap<Name, Vec<SymbolId>>,
    /// Members of types that are not in the repository, by name.
    extensions: FxHashMap<Name, Vec<SymbolId>>,
    /// By definition, whether it has members: 1 for yes.
    pub(super) has_any: Numbers<u8>,
}

impl std::ops::Deref for Members {
    type Target = Owned;

    fn deref(&self) -> &Owned {
        &self.owned
    }
}

impl Owned {
    /// The type that a block of members belongs to; the symbol itself for all others.
    pub fn canonical(&self, id: SymbolId) -> SymbolId {
        self.canonical.get(&id).copied().unwrap_or(id)
    }

    /// Lets a type stand for a part of it. Nothing of it is a part itself.
    pub(super) fn join(&mut self, part: SymbolId, whole: SymbolId) {
        if part != whole && !self.canonical.contains_key(&whole) {
            self.canonical.insert(part, whole);
        }
    }

    /// All parts of some types but the first of each.
    pub(super) fn parts_of(&self, wholes: &FxHashSet<SymbolId>) -> impl Iterator<Item = SymbolId> {
        let parts = self.canonical.iter();
        parts.filter_map(|(part, whole)| wholes.contains(whole).then_some(*part))
    }

    /// Notes that a file adds to a type of a module.
    pub(super) fn add_part(&mut self, whole: SymbolId, part: SymbolId) {
        self.added.entry(whole).or_default().push(part);
    }

    /// What other files add to a module's type.
    pub(super) fn added_to(&self, whole: SymbolId) -> &[SymbolId] {
        self.added.get(&whole).map_or(&[], Vec::as_slice)
    }

    /// The type of a member that stands outside of it.
    pub fn owner(&self, id: SymbolId) -> Option<SymbolId> {
        self.owner.get(&id).copied()
    }

    /// Notes the type of a member that stands outside of it.
    pub(super) fn own(&mut self, member: SymbolId, class: SymbolId) {
        self.owner.insert(member, class);
    }

    /// Members of a type under a name, its bases not looked at.
    pub fn direct(&self, class: SymbolId, name: Name) -> impl Iterator<Item = SymbolId> + '_ {
        let of_class = &self.members[range(&self.offsets, class.index())];
        let first = of_class.partition_point(|(_, n, _)| *n < name);
        of_class[first..]
            .iter()
            .take_while(move |(_, n, _)| *n == name)
            .map(|(.., id)| *id)
    }

    /// Members of this name of types that are not in the repository, in order.
    pub(super) fn extensions(&self, name: Name) -> &[SymbolId] {
        self.extensions.get(&name).map_or(&[], Vec::as_slice)
    }

    /// All members of a type, its bases not looked at.
    pub fn all(&self, class: SymbolId) -> impl Iterator<Item = (Name, SymbolId)> + '_ {
        let of_class = &self.members[range(&self.offsets, class.index())];
        of_class.iter().map(|(_, name, id)| (*name, *id))
    }

    /// Whether a symbol has members.
    pub fn has_any(&self, class: SymbolId) -> bool {
        self.all(class).next().is_some()
    }

    /// Whether a block adds to a type of this name that is not in the repository.
    pub(super) fn adds_to_foreign(&self, name: Name) -> bool {
        self.foreign.contains_key(&name)
    }

    /// What is no thing of its own: members that stand outside of their types, and parts of what has several, in order.
    pub(super) fn outside(&self) -> Vec<SymbolId> {
        sorted(self.owner.keys().chain(self.canonical.keys()).copied())
    }
}

impl Members {
    /// Of what is owned; nothing is known of bases.
    pub(super) fn of(owned: Arc<Owned>) -> Self {
        Self {
            owned,
            ..Self::default()
        }
    }

    /// Members without those of bases, for the next tree.
    pub(super) fn owned(&self) -> &Arc<Owned> {
        &self.owned
    }

    /// The types that have bases in the repository, in order.
    pub(super) fn based(&self) -> Vec<SymbolId> {
        let based = self.bases.iter().filter(|(_, bases)| !bases.is_empty());
        sorted(based.map(|(id, _)| *id))
    }

    /// Direct bases of a type that are in the repository.
    pub fn bases(&self, class: SymbolId) -> &[SymbolId] {
        self.bases.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Tells in which rounds bases of a type came from values.
    pub(super) fn rounds(&self, class: SymbolId) -> u64 {
        self.rounds.get(&class).copied().unwrap_or(0)
    }

    /// Whether a type, or one of its bases, has a base that is not in the repository.
    pub fn has_external_base(&self, class: SymbolId) -> bool {
        self.with_bases(class)
            .any(|class| self.external.contains(&class))
    }

    /// A type and its bases: the type, its bases in order, their bases.
    pub fn with_bases(&self, class: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        let mut queue = vec![class];
        let mut next = 0;
        std::iter::from_fn(move || {
            let class = *queue.get(next)?;
            next += 1;
            for base in self.bases(class) {
                if queue.len() < MAX_BASES && !queue.contains(base) {
                    queue.push(*base);
                }
            }
            Some(class)
        })
    }
}

fn sorted(ids: impl Iterator<Item = SymbolId>) -> Vec<SymbolId> {
    let mut ids: Vec<SymbolId> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

impl Resolver<'_> {
    /// Members of a type under a name, and whether a base had to be asked.
    pub(super) fn members_named(&self, class: SymbolId, name: Name) -> (Vec<SymbolId>, bool) {
        let class = self.members.canonical(class);
        for of in self.members.with_bases(class) {
            let mut found: Vec<SymbolId> = self.members.direct(of, name).collect();
            if !found.is_empty() {
                if of == class {
                    self.add_beside(class, name, &mut found);
                }
                return (found, of != class);
            }
        }
        (Vec::new(), false)
    }

    /// The same of what is used in a way: where a field and a method of one name have nothing to do with each other, a
    /// base may have the one that is meant.
    pub(super) fn members_used(
        &self,
        class: SymbolId,
        name: Name,
        kind: OccurrenceKind,
    ) -> (Vec<SymbolId>, bool) {
        let (all, inherited) = self.members_named(class, name);
        if !self.is_another_sort(&all, kind) {
            return (all, inherited);
        }
        let class = self.members.canonical(class);
        let mut bases = self.members.with_bases(class).skip(1);
        let found = bases.find_map(|of| {
            let found: Vec<SymbolId> = self.members.direct(of, name).collect();
            let found: Vec<SymbolId> = match self.is_another_sort(&found, kind) {
                true => Vec::new(),
                false => found,
            };
            (!found.is_empty()).then_some(found)
        });
        match found {
            Some(found) => (found, true),
            None => (all, inherited),
        }
    }

    /// Whether all of these members are fields where a method is called, or methods where a field is meant, in a
    /// language where these have nothing to do with each other.
    pub(super) fn is_another_sort(&self, members: &[SymbolId], kind: OccurrenceKind) -> bool {
        let Some(first) = members.first() else {
            return false;
        };
        let is_other = |id: &SymbolId| {
            let of = self.table.symbol(*id).kind;
            match kind {
                OccurrenceKind::Call => matches!(
                    of,
                    SymbolKind::Field | SymbolKind::Constant | SymbolKind::Variable
                ),
                OccurrenceKind::Read | OccurrenceKind::Write => {
                    matches!(of, SymbolKind::Method | SymbolKind::Function)
                }
                _ => false,
            }
        };
        lang::of(self.table.lang(*first)).naming.methods_apart && members.iter().all(is_other)
    }

    /// Members of a type's bases under a name.
    pub(super) fn base_members_named(&self, class: SymbolId, name: Name) -> Vec<SymbolId> {
        let class = self.members.canonical(class);
        for of in self.members.with_bases(class).skip(1) {
            let found: Vec<SymbolId> = self.members.direct(of, name).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Finds out which members belong to which type. Types are looked up by name only here, so no
    /// member is needed yet.
    pub(super) fn collect_members(&self) -> Owned {
        let mut members = Owned::default();
        // Blocks for a type that lies in another one.
        let mut nested: Vec<Nested> = Vec::new();
        self.unite_parts(&mut members);
        self.unite_globals(&mut members);
        self.add_to_modules(&mut members);
        for (file, doc) in self.docs.iter().filter(|(_, doc)| doc.has_outside) {
            for (symbol, i) in doc.symbols.iter().zip(0..) {
                let id = self.table.id(file, i);
                let named = match symbol.kind {
                    SymbolKind::Impl => symbol.receiver.unwrap_or(symbol.name),
                    _ => match symbol.receiver {
                        Some(receiver) => receiver,
                        None => continue,
                    },
                };
                let class = self.type_named(file, doc, named, symbol.container);
                let class = class.map(|class| members.canonical(class));
                if symbol.kind == SymbolKind::Impl && symbol.receiver.is_some() {
                    nested.push(Nested {
                        block: id,
                        outer: class.ok_or(named),
                        name: symbol.name,
                    });
                    continue;
                }
                let Some(class) = class else {
                    if symbol.kind == SymbolKind::Impl {
                        members.foreign.entry(named).or_default().push(id);
                    }
                    continue;
                };
                match symbol.kind {
                    SymbolKind::Impl => members.canonical.insert(id, class),
                    _ => members.owner.insert(id, class),
                };
            }
        }
        self.find_nested(&mut members, &nested);
        let defined = self.add_defined(&mut members);
        let nested = self.table.nested().iter().chain(&defined);
        members.members = nested
            .map(|(container, name, id)| (members.canonical(*container), *name, *id))
            .collect();
        for (id, class) in &members.owner {
            members
                .members
                .push((*class, self.table.symbol(*id).name, *id));
        }
        members.members.sort_unstable();
        members.members.dedup();
        // A type in many parts has what each of them has.
        keep_first(&mut members.members, 0, |(of, name, _)| (*of, *name));
        let classes = members.members.iter().map(|(class, ..)| class.index());
        members.offsets = offsets(self.table.len(), classes);
        members.extensions = self.collect_extensions(&members);
        let has_any = self.table.ids().map(|id| u8::from(members.has_any(id)));
        members.has_any = has_any.collect::<Vec<u8>>().into();
        members.has_any.share();
        members
    }

    /// Finds the types that blocks are for which lie in other types: in them, or in blocks for them.
    fn find_nested(&self, members: &mut Owned, blocks: &[Nested]) {
        if blocks.is_empty() {
            return;
        }
        let mut parts: Vec<(SymbolId, SymbolId)> = members
            .canonical
            .iter()
            .map(|(part, of)| (*of, *part))
            .collect();
        parts.sort_unstable();
        for Nested { block, outer, name } in blocks {
            let around: Vec<SymbolId> = match outer {
                Ok(outer) => {
                    let first = parts.partition_point(|(of, _)| of < outer);
                    let of_outer = parts[first..].iter().take_while(|(of, _)| of == outer);
                    let parts = of_outer.map(|(_, part)| *part);
                    std::iter::once(*outer).chain(parts).collect()
                }
                Err(named) => members.foreign.get(named).cloned().unwrap_or_default(),
            };
            let inside = around.iter().flat_map(|of| self.table.inside(*of, *name));
            let inside: Vec<SymbolId> = inside.collect();
            if let Some(class) = self.first_type(&inside) {
                members.canonical.insert(*block, members.canonical(class));
            }
        }
    }

    /// `Readonly<Omit<A, "x">>` has the members of `A`: the position of the type inside.
    pub(super) fn past_wrappers(&self, doc: &Document, at: u32) -> u32 {
        let wrappers = lang::of(doc.lang).naming.type_wrappers;
        let mut inner = at;
        while let Some(found) = doc.occurrences().get(inner as usize)
            && wrappers.contains(&self.names.bytes(found.name))
            && let Some(next) = doc.occurrences().get(inner as usize + 1)
            && next.kind == OccurrenceKind::Type
        {
            inner += 1;
        }
        inner
    }

    /// Where a type may be written in several parts, the first part stands for all.
    fn unite_parts(&self, members: &mut Owned) {
        let mut declared: FxHashSet<(FileId, Vec<Name>)> = FxHashSet::default();
        let mut first: FxHashMap<(FileId, Vec<Name>, bool), SymbolId> = FxHashMap::default();
        let parts = |doc: &Document| lang::of(doc.lang).naming.type_parts;
        for (file, doc) in self.docs.iter() {
            if parts(doc) != TypeParts::Declared {
                continue;
            }
            for (symbol, i) in doc.symbols.iter().zip(0..) {
                if semantics::is_type(symbol.kind)
                    && symbol.flags.contains(SymbolFlags::DECLARATION)
                {
                    declared.insert((self.package(file), self.qualified(doc, i)));
                }
            }
        }
        for (file, doc) in self.docs.iter() {
            let parts = parts(doc);
            if parts == TypeParts::One {
                continue;
            }
            for (symbol, i) in doc.symbols.iter().zip(0..) {
                if !semantics::is_type(symbol.kind) {
                    continue;
                }
                let id = self.table.id(file, i);
                let of = match parts {
                    TypeParts::Anywhere => FileId(u32::MAX),
                    TypeParts::File => file,
                    _ => self.package(file),
                };
                let path = self.qualified(doc, i);
                if parts == TypeParts::Declared && !declared.contains(&(of, path.clone())) {
                    continue;
                }
                let is_generic = symbol.flags.contains(SymbolFlags::GENERIC);
                let known = *first.entry((of, path, is_generic)).or_insert(id);
                if known != id {
                    members.canonical.insert(id, known);
                }
            }
        }
    }

    /// Names of a symbol's containers and itself, outermost first, with what is written before them: `class A::B` is
    /// what `class B` in `module A` is, and not what `class B` is.
    fn qualified(&self, doc: &Document, index: u32) -> Vec<Name> {
        let mut path = Vec::new();
        let mut at = Some(index);
        while let Some(symbol) = at.and_then(|i| doc.symbols.get(i as usize)) {
            path.push(symbol.name);
            if let Some(before) = symbol.receiver {
                let parts = self.names.bytes(before).split(|b| matches!(b, b':' | b'.'));
                let parts = parts.filter(|part| !part.is_empty());
                let parts: Option<Vec<Name>> = parts.map(|part| self.names.find(part)).collect();
                path.extend(parts.unwrap_or_else(|| vec![before]).into_iter().rev());
            }
            at = symbol.container;
        }
        path.reverse();
        path
    }

    /// The file that stands for the package of another.
    fn package(&self, file: FileId) -> FileId {
        let package = self.modules.package_of(file).first().copied();
        package.unwrap_or(file)
    }

    /// Finds the bases that types have by what these files say.
    pub(super) fn collect_bases(&self, files: &[FileId], threads: usize) -> Vec<Based> {
        let found = parallel::map(files, threads, |file| match self.docs.get(*file) {
            Some(doc) => self.bases_in(*file, doc),
            None => Vec::new(),
        });
        let of_file = |(found, file): (Vec<_>, &FileId)| {
            let file = *file;
            found
                .into_iter()
                .map(move |(class, base)| Based { file, class, base })
        };
        found.into_iter().zip(files).flat_map(of_file).collect()
    }

    fn bases_in(&self, file: FileId, doc: &Document) -> Vec<(SymbolId, Option<SymbolId>)> {
        let mut found = Vec::new();
        for (occurrence, written) in doc.occurrences().iter().zip(0..) {
            if occurrence.kind != OccurrenceKind::Inherit {
                continue;
            }
            let at = self.past_wrappers(doc, written);
            let Some(class) = based(doc, occurrence) else {
                continue;
            };
            let outer = doc.symbols[class as usize].container;
            let class = self.members.canonical(self.table.id(file, class));
            match self.meaning(file, doc, at, Hops::new(&Search::new())) {
                Meaning::Symbols(symbols, rule) if rule != super::rule::Rule::Ambiguous => {
                    let base = self.first_type(&symbols);
                    let base = base.map(|base| self.members.canonical(base));
                    if base != Some(class) {
                        found.push((class, base));
                    }
                }
                // The module in `module.Base`; a type parameter.
                Meaning::Module(..) | Meaning::Local(_) => {}
                _ => {
                    let name = doc.occurrences()[at as usize].name;
                    let base = self.handed_down(file, doc, name, outer);
                    let base = base.map(|base| self.members.canonical(base));
                    found.push((class, base.filter(|base| *base != class)));
                }
            }
        }
        if lang::of(doc.lang).naming.last_base_first {
            found.reverse();
        }
        found
    }

    fn first_type(&self, symbols: &[SymbolId]) -> Option<SymbolId> {
        let mut symbols = symbols.iter().copied();
        symbols.find(|id| semantics::is_type(self.table.symbol(*id).kind))
    }

    /// The type of a name that the types around a place have from a base of theirs:
    /// `class Base64 extends Codec { class Builder extends BuilderOfCodec {} }`. Nothing is known of bases yet: those
    /// that are passed are looked up by name, a few of them.
    fn handed_down(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        outer: Option<u32>,
    ) -> Option<SymbolId> {
        if !lang::of(doc.lang).naming.implicit_members {
            return None;
        }
        let mut around = outer;
        while let Some(outer) = around {
            let mut passed = vec![self.table.id(file, outer)];
            let mut next = 0;
            while let Some(of) = passed.get(next).copied().filter(|_| next < MAX_PASSED) {
                next += 1;
                for base in self.written_bases(of) {
                    let inside: Vec<SymbolId> = self.table.inside(base, name).collect();
                    if let Some(found) = self.first_type(&inside) {
                        return Some(found);
                    }
                    if !passed.contains(&base) {
                        passed.push(base);
                    }
                }
            }
            around = doc.symbols.get(outer as usize)?.container;
        }
        None
    }

    /// The bases of a type that its own file names, as far as their names alone tell which they are.
    fn written_bases(&self, class: SymbolId) -> Vec<SymbolId> {
        let (file, own) = (self.table.file(class), self.table.position(class));
        let Some(doc) = self.docs.get(file) else {
            return Vec::new();
        };
        let written = doc.occurrences().iter().zip(0..).filter(|(found, _)| {
            found.kind == OccurrenceKind::Inherit && based(doc, found) == Some(own)
        });
        let bases = written.filter_map(|(_, at)| {
            let at = self.past_wrappers(doc, at);
            match self.meaning(file, doc, at, Hops::new(&Search::new())) {
                Meaning::Symbols(symbols, rule) if rule != super::rule::Rule::Ambiguous => {
                    self.first_type(&symbols)
                }
                _ => None,
            }
        });
        bases.take(MAX_PASSED).collect()
    }
}

impl Members {
    /// Takes in the bases that files say, in order of files, in place of all others.
    pub(super) fn set_bases(&mut self, table: &SymbolTable<'_>, found: &[Based]) {
        self.bases.clear();
        self.heirs.clear();
        self.external.clear();
        self.rounds.clear();
        for Based { class, base, .. } in found {
            match base {
                Some(base) => self.add_base(table, *class, *base),
                None => _ = self.external.insert(*class),
            }
        }
    }

    /// Takes in a base that was found in a round of following values.
    pub(super) fn add_found(
        &mut self,
        table: &SymbolTable<'_>,
        class: SymbolId,
        base: SymbolId,
        round: u64,
    ) {
        self.add_base(table, class, base);
        let rounds = self.rounds.entry(class).or_default();
        *rounds = rounds.wrapping_mul(8).wrapping_add(round);
    }

    fn add_base(&mut self, table: &SymbolTable<'_>, class: SymbolId, base: SymbolId) {
        let bases = self.bases.entry(class).or_default();
        if !bases.contains(&base) {
            bases.push(base);
            self.heirs.add(table, class, base);
        }
    }
}

/// The type that an occurrence names a base of: the innermost around it, functions not passed. An embedded type is a
/// field of its own name, and a base of what that stands in.
fn based(doc: &Document, base: &DocOccurrence) -> Option<u32> {
    let i = base.owner()?;
    let symbol = doc.symbols.get(i as usize)?;
    let embeds = lang::of(doc.lang).naming.embeds_types;
    if embeds && symbol.kind == SymbolKind::Field && symbol.name == base.name {
        return symbol.container;
    }
    semantics::has_members(symbol.kind).then_some(i)
}
