//! Members of the object itself: `this.name`, `self.name`, `Self::Name`.

use super::documents::{DocOccurrence, Document};
use super::hops::Hops;
use super::modules::{Resolution, Site};
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::semantics;
use super::table::SymbolId;
use crate::extract::record::{HintKind, ImportKind, OccurrenceKind, SymbolKind};
use crate::lang::{self, naming::Extensions};
use crate::view::live::FileId;

impl Resolver<'_> {
    /// `this.name`, `self.name`: a member of the class around it.
    pub(super) fn of_this(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        found: &DocOccurrence,
        hops: Hops<'_>,
    ) -> Meaning {
        // `Self::Item` where a trait is implemented is the type that the trait speaks of.
        if found.kind == OccurrenceKind::Type
            && lang::of(doc.lang).naming.traits_extend
            && let Some(of) = self.trait_around(file, doc, found.owner(), hops)
        {
            let (mut types, inherited) = self.members_named(of, found.name);
            types.retain(|id| self.table.symbol(*id).kind == SymbolKind::Type);
            if !types.is_empty() {
                let rule = Rule::This.or_inherited(inherited);
                return Meaning::Symbols(types, rule);
            }
        }
        // Where a function says what the object itself is in it.
        if let Some(hint) = doc.receiver(at).filter(|hint| hint.kind == HintKind::Type) {
            return self.member_by_hint(file, doc, found, hint, hops);
        }
        let Some(class) = self.this_type(file, doc, found.owner()) else {
            return self.of_this_module(file, doc, found);
        };
        let of_base = doc
            .receiver(at)
            .is_some_and(|hint| hint.kind == HintKind::Super);
        let (symbols, inherited) = match of_base {
            true => (self.base_members_named(class, found.name), true),
            false => self.members_used(class, found.name, found.kind),
        };
        if !symbols.is_empty() {
            let rule = Rule::This.or_inherited(inherited);
            return Meaning::Symbols(symbols, rule);
        }
        let accessed = self.field_accessed(class, found.name);
        let accessed = accessed.filter(|(field, _)| self.has_written_accessors(*field));
        if let Some((symbol, inherited)) = accessed {
            return Meaning::Symbols(vec![symbol], Rule::This.or_inherited(inherited));
        }
        let in_module = self.of_this_module(file, doc, found);
        if !in_module.is_unknown() {
            return in_module;
        }
        match self.members.has_external_base(class) {
            true => Meaning::External,
            false => Meaning::Unknown,
        }
    }

    /// `self::name`, `crate::name`, `super::name` (Rust): a path that begins at a module.
    fn of_this_module(&self, file: FileId, doc: &Document, found: &DocOccurrence) -> Meaning {
        let roots = lang::of(doc.lang).naming.path_roots;
        if roots.is_empty() {
            return Meaning::Unknown;
        }
        let own = self.bare_name(file, doc, found.name, None, found.kind);
        if let Meaning::Symbols(_, Rule::Scope) = own {
            return own;
        }
        for root in roots {
            if let Resolution::Found(place) = self.path_root(file, found.line, root) {
                let meaning = self.exported_from(&place, found.name);
                if !meaning.is_unknown() {
                    return meaning;
                }
            }
        }
        own
    }

    /// The module that a path begins at which is written on a line.
    pub(super) fn path_root(&self, file: FileId, line: u32, root: &[u8]) -> Resolution {
        let kind = ImportKind::Import;
        let from = file;
        self.modules
            .resolve(self.view, Site { from, kind, line }, root)
    }

    /// The type that `this` is an instance of inside a symbol.
    pub(super) fn this_type(
        &self,
        file: FileId,
        doc: &Document,
        owner: Option<u32>,
    ) -> Option<SymbolId> {
        let naming = &lang::of(doc.lang).naming;
        let mut inside = owner;
        while let Some(i) = inside {
            let symbol = &doc.symbols[i as usize];
            let id = self.table.id(file, i);
            if semantics::has_members(symbol.kind) && symbol.kind != SymbolKind::Module
                || (symbol.kind == SymbolKind::Module
                    && !naming.open_namespaces
                    && naming.modules_are_objects)
            {
                return Some(self.members.canonical(id));
            }
            if let Some(owner) = self.members.owner(id) {
                return Some(owner);
            }
            // A type in a type, which an import names, is known only once members are.
            if naming.extensions == Extensions::Named
                && let Some(receiver) = symbol.receiver
                && let Some(owner) = self.type_named(file, doc, receiver, symbol.container)
            {
                return Some(self.members.canonical(owner));
            }
            // Constructor functions and objects: members were assigned to them.
            if self.members.has_any(id) && symbol.container.is_none() {
                return Some(id);
            }
            inside = symbol.container;
        }
        None
    }
}
