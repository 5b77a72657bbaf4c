//! Names that nothing in sight binds: crates and namespaces with which a path may begin, and modules that are named in
//! full (`com.acme.util.Text`, `\Acme\Util\Text`, `App.Billing.Local`).
//!
//! Guarantee: what is bound in sight stands before all of this. Left out: a name of PHP that begins at the top
//! (`\App`) where `App` is bound, and which of two modules of Elixir is meant that lie in one file and end in one name.

use super::documents::{DocOccurrence, Document};
use super::hops::Hops;
use super::modules::{Place, Resolution, Site};
use super::names::Name;
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::semantics;
use super::table::SymbolId;
use super::trail::Trail;
use super::value::Value;
use super::values::is_sure;
use crate::extract::record::{ImportKind, Qualifier};
use crate::lang::{self, naming::InFull};
use crate::view::live::FileId;

/// Parts of a name that is written in full. Packages of more are not seen.
const MAX_PARTS: usize = 12;

impl Resolver<'_> {
    /// What a name is that nothing in sight defines or imports.
    pub(super) fn unbound(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> Value {
        let bare = |found: &DocOccurrence| found.qualifier == Qualifier::None;
        match doc.occurrences().get(at as usize) {
            // `JSON`, `document`: of the language or its host.
            Some(found) if bare(found) && self.is_global(doc, found.name) => Value::External,
            _ => match self.crate_named(file, doc, at) {
                Value::Unknown => match self.namespace_named(file, doc, at, hops) {
                    Value::Unknown if self.is_foreign_type(doc, at) => Value::External,
                    found => found,
                },
                known => known,
            },
        }
    }

    /// Whether a bare name is written as types are, and is that of nothing in the repository, where imports may bring
    /// types without naming them.
    pub(super) fn is_foreign_type(&self, doc: &Document, at: u32) -> bool {
        let is_foreign = || self.is_type_from_outside(doc, at);
        lang::of(doc.lang).naming.imports_types && is_foreign() || self.is_foreign_constant(doc, at)
    }

    /// Whether a bare name is that of a constant that nothing in the repository defines or adds to.
    fn is_foreign_constant(&self, doc: &Document, at: u32) -> bool {
        doc.occurrences().get(at as usize).is_some_and(|found| {
            let family = lang::of(doc.lang).family;
            let mut named = self.table.named(found.name);
            found.qualifier == Qualifier::None
                && self.is_constant(doc, found.name)
                && !named.any(|id| self.table.family(id) == family)
                && !self.members.adds_to_foreign(found.name)
        })
    }

    /// Whether a name is that of a constant by how it is written, in a language where that says so.
    pub(super) fn is_constant(&self, doc: &Document, name: Name) -> bool {
        let first = || self.names.bytes(name).first().copied();
        lang::of(doc.lang).naming.names_are_calls && first().is_some_and(|b| b.is_ascii_uppercase())
    }

    /// Whether a name is written as types are, and is that of nothing in the repository.
    fn is_type_from_outside(&self, doc: &Document, at: u32) -> bool {
        let found = doc.occurrences().get(at as usize);
        let first = found.and_then(|found| self.names.bytes(found.name).first());
        first.is_some_and(u8::is_ascii_uppercase) && self.is_from_outside(doc, at)
    }

    /// The names of a path that ends at an occurrence, and where it begins; `None` where that is no bare name, or far off.
    fn path_to(&self, doc: &Document, at: u32) -> Option<(u32, Vec<Name>)> {
        let mut names = Vec::new();
        let mut first = at;
        loop {
            let found = doc.occurrences().get(first as usize)?;
            names.push(found.name);
            match (found.qualifier, first.checked_sub(1)) {
                (Qualifier::Previous, Some(before)) if names.len() < MAX_PARTS => first = before,
                (Qualifier::None, _) => break,
                _ => return None,
            }
        }
        names.reverse();
        Some((first, names))
    }

    /// The namespace that a name ends, which with the names before it is written in full: `com.acme.util` in
    /// `com.acme.util.Text`.
    pub(super) fn namespace_named(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        hops: Hops<'_>,
    ) -> Value {
        if lang::of(doc.lang).naming.in_full != InFull::Namespaces {
            return Value::Unknown;
        }
        let found = self.path_to(doc, at).and_then(|(first, names)| {
            let parts: Vec<&[u8]> = names.iter().map(|name| self.names.bytes(*name)).collect();
            let place = self.modules.namespace(file, &parts)?;
            self.is_unbound(file, doc, first, hops).then_some(place)
        });
        found.map_or(Value::Unknown, Value::Module)
    }

    /// The namespace that has the full name of a type, where there is one.
    pub(super) fn namesake(&self, place: &Place) -> Option<Place> {
        let file = *place.files.first()?;
        let doc = self.docs.get(file)?;
        if lang::of(doc.lang).naming.in_full != InFull::Namespaces {
            return None;
        }
        let mut imports = doc.imports.iter();
        let space = imports.find(|import| import.kind == ImportKind::Package)?;
        let mut parts = split(&space.specifier);
        parts.extend(place.inner.iter().map(Vec::as_slice));
        self.modules.namespace(file, &parts)
    }

    /// `Stmt` in `Stmt\Use_` is the namespace, where a class is called so too and has no member of the next name.
    pub(super) fn or_its_namespace(&self, doc: &Document, at: u32, meaning: Meaning) -> Meaning {
        let space = match &meaning {
            Meaning::Symbols(types, _) => self.space_named_like(doc, at, types),
            _ => None,
        };
        match space {
            Some(place) => Meaning::Module(place, Rule::Qualified),
            None => meaning,
        }
    }

    fn space_named_like(&self, doc: &Document, at: u32, types: &[SymbolId]) -> Option<Place> {
        if lang::of(doc.lang).naming.in_full != InFull::Namespaces {
            return None;
        }
        let next = doc.occurrences().get(at as usize + 1)?;
        let first = *types.first()?;
        let is_type = |id: &SymbolId| semantics::is_type(self.table.symbol(*id).kind);
        if next.qualifier != Qualifier::Previous
            || !types.iter().all(is_type)
            || !self.members_named(first, next.name).0.is_empty()
        {
            return None;
        }
        let named = self.names.bytes(self.table.symbol(first).name);
        let space = self.namesake(&Place {
            files: vec![self.table.file(first)],
            inner: vec![named.to_vec()],
            ..Place::default()
        })?;
        let given = self.exported_from(&space, next.name);
        matches!(given, Meaning::Symbols(..) | Meaning::Module(..)).then_some(space)
    }

    /// What a name means by the names before it, where these are a namespace that is written in full, or from what an
    /// import binds on: `Stmt\\Use_` behind `use Parser\\Node\\Stmt`, which may be a class as well.
    pub(super) fn by_its_path(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        found: &DocOccurrence,
    ) -> Option<Meaning> {
        if lang::of(doc.lang).naming.in_full != InFull::Namespaces
            || found.qualifier != Qualifier::Previous
        {
            return None;
        }
        let (first, names) = self.path_to(doc, at)?;
        let (start, rest) = names.split_first()?;
        let (name, between) = rest.split_last()?;
        if doc.local_at(*start, first).is_some() {
            return None;
        }
        let bound = doc.imports.iter().find(|import| {
            let mut bindings = import.bindings.iter();
            bindings.any(|one| one.imported.is_none() && one.local == Some(*start))
        });
        let mut parts: Vec<&[u8]> = match bound {
            Some(import) => split(&import.specifier),
            None => vec![self.names.bytes(*start)],
        };
        parts.extend(between.iter().map(|name| self.names.bytes(*name)));
        let place = self.modules.namespace(file, &parts)?;
        match self.exported_from(&place, *name) {
            Meaning::Symbols(symbols, _) => Some(Meaning::Symbols(symbols, Rule::Qualified)),
            _ => None,
        }
    }

    /// The module that a name ends, where modules may be named in full: by the whole name, or by one that begins with
    /// what an import binds (`alias App.Billing`, `Billing.Local`).
    pub(super) fn module_in_full(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
    ) -> Option<Vec<SymbolId>> {
        if lang::of(doc.lang).naming.in_full != InFull::Modules {
            return None;
        }
        let (_, names) = self.path_to(doc, at)?;
        let (start, rest) = names.split_first()?;
        let bound = doc.imports.iter().find(|import| {
            let mut bindings = import.bindings.iter();
            bindings.any(|one| one.imported.is_none() && one.local == Some(*start))
        });
        let mut parts: Vec<&[u8]> = match bound {
            Some(import) => import.specifier.split(|b| *b == b'.').collect(),
            None => vec![self.names.bytes(*start)],
        };
        parts.extend(rest.iter().map(|name| self.names.bytes(*name)));
        let place = self.modules.namespace(file, &parts)?;
        let found = self.inner(&place, &mut Trail::default());
        (!found.is_empty()).then_some(found)
    }

    /// Whether a bare name is that of nothing in the repository, in a language in which types have to be declared
    /// somewhere: `new StringBuilder()`.
    pub(super) fn is_from_outside(&self, doc: &Document, at: u32) -> bool {
        let naming = &lang::of(doc.lang).naming;
        let found = doc.occurrences().get(at as usize);
        naming.types_are_declared
            && found.is_some_and(|found| {
                let family = lang::of(doc.lang).family;
                let mut named = self.table.named(found.name);
                found.qualifier == Qualifier::None
                    && !named.any(|id| self.table.family(id) == family)
            })
    }

    /// Whether the bare name of an object is that of a type that is not in the repository, by how types are written.
    pub(super) fn is_type_elsewhere(&self, doc: &Document, at: u32) -> bool {
        lang::of(doc.lang).naming.labels.is_some() && self.is_type_from_outside(doc, at)
    }

    /// Whether nothing in sight defines or imports a name.
    fn is_unbound(&self, file: FileId, doc: &Document, at: u32, hops: Hops<'_>) -> bool {
        match self.meaning(file, doc, at, hops) {
            Meaning::Unknown | Meaning::Candidates(..) => true,
            Meaning::Symbols(_, rule) => !is_sure(rule),
            Meaning::Local(_) | Meaning::Module(..) | Meaning::External => false,
        }
    }

    pub(super) fn is_global(&self, doc: &Document, name: Name) -> bool {
        (lang::of(doc.lang).naming.globals)(self.names.bytes(name))
    }

    /// In Rust a path may begin with the name of a crate that nothing imports.
    fn crate_named(&self, file: FileId, doc: &Document, at: u32) -> Value {
        let Some(found) = doc.occurrences().get(at as usize) else {
            return Value::Unknown;
        };
        if !lang::of(doc.lang).naming.names_packages || found.qualifier != Qualifier::None {
            return Value::Unknown;
        }
        let site = Site {
            from: file,
            kind: ImportKind::Import,
            line: found.line,
        };
        let name = self.names.bytes(found.name);
        match self.modules.resolve(self.view, site, name) {
            Resolution::Found(place) => Value::Module(place),
            Resolution::External => Value::External,
            Resolution::Unresolved => Value::Unknown,
        }
    }
}

/// The parts of a namespace's name.
fn split(name: &[u8]) -> Vec<&[u8]> {
    let parts = name.split(|b| matches!(b, b'.' | b'\\'));
    parts.filter(|part| !part.is_empty()).collect()
}
