//! Names that are those of a type and of a member, `public Color Color { get; }`, or of a type and of a variable.
//!
//! Where a type is wanted, a member that is called like it hides nothing, and where a value may stand, C# lets the name
//! mean both when the member is of that type: what is taken out of it tells which. Guarantee: what is found without this is
//! given up only for a type that the same place sees.

use super::documents::{DocOccurrence, Document};
use super::names::Name;
use super::resolve::{Meaning, Resolver, Sought};
use super::semantics;
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::{OccurrenceKind, Qualifier, SymbolKind};
use crate::lang;
use crate::view::live::FileId;

impl Resolver<'_> {
    /// The types that a name means behind the members that were found, when a type is wanted and none of these is one;
    /// or when what is called is a field, and the name is that of a class: its object cannot be called.
    pub(super) fn types_behind(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        owner: Option<u32>,
        (kind, found): (OccurrenceKind, &[SymbolId]),
    ) -> Option<Meaning> {
        use SymbolKind::{Class, Constant, Field, Struct};
        let naming = &lang::of(doc.lang).naming;
        let of = |id: &SymbolId| self.table.symbol(*id).kind;
        let wanted = match kind {
            OccurrenceKind::Type | OccurrenceKind::Inherit => {
                !found.iter().any(|id| semantics::is_type(of(id)))
            }
            OccurrenceKind::Call => {
                naming.implicit_members && found.iter().all(|id| matches!(of(id), Field | Constant))
            }
            _ => false,
        };
        if !wanted || !naming.types_are_declared {
            return None;
        }
        let types = self.types_seen(file, doc, name, owner)?;
        let Meaning::Symbols(symbols, _) = &types else {
            return None;
        };
        let is_made = |id: &SymbolId| matches!(of(id), Class | Struct);
        (kind != OccurrenceKind::Call || symbols.iter().all(is_made)).then_some(types)
    }

    /// The types of a function's body that a name means where types and values have names of their own: a variable may
    /// be called like one of them. A type parameter is nearer than what is around its function.
    pub(super) fn types_beside_local(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        found: &DocOccurrence,
    ) -> Option<Vec<SymbolId>> {
        if !lang::of(doc.lang).naming.types_apart {
            return None;
        }
        let (_, local) = doc.local_at(found.name, at)?;
        let holder = doc.occurrences().get(local.declared as usize)?.owner()?;
        let mut inside = found.owner();
        while let Some(i) = inside {
            let is_type = |id: &SymbolId| semantics::is_type(self.table.symbol(*id).kind);
            let types = self.table.inside(self.table.id(file, i), found.name);
            let types: Vec<SymbolId> = types.filter(is_type).collect();
            if !types.is_empty() {
                return Some(types);
            }
            if i == holder {
                break;
            }
            inside = doc.symbols.get(i as usize)?.container;
        }
        None
    }

    /// What a name means where only types count.
    fn types_seen(
        &self,
        file: FileId,
        doc: &Document,
        name: Name,
        owner: Option<u32>,
    ) -> Option<Meaning> {
        let sought = Sought {
            kind: OccurrenceKind::Type,
            only_types: true,
            no_methods: false,
            may_ask: true,
        };
        match self.bare_name_past(file, doc, name, owner, sought) {
            Meaning::Symbols(types, rule) => {
                let is_type = |id: &SymbolId| semantics::is_type(self.table.symbol(*id).kind);
                let types: Vec<SymbolId> = types.into_iter().filter(is_type).collect();
                (!types.is_empty()).then_some(Meaning::Symbols(types, rule))
            }
            _ => None,
        }
    }

    /// `Color.Red`, where a member `Color` is of the type `Color`: the type, as its objects have no constants or types.
    pub(super) fn or_its_type(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        meaning: Meaning,
    ) -> Meaning {
        match self.type_taken_from(file, doc, at, &meaning) {
            Some(types) => types,
            None => meaning,
        }
    }

    fn type_taken_from(
        &self,
        file: FileId,
        doc: &Document,
        at: u32,
        meaning: &Meaning,
    ) -> Option<Meaning> {
        use SymbolKind::{Constant, Field, Variant};
        let naming = &lang::of(doc.lang).naming;
        let (Meaning::Symbols(found, _), true) = (
            meaning,
            naming.implicit_members && naming.types_are_declared,
        ) else {
            return None;
        };
        let written = doc.occurrences().get(at as usize)?;
        let next = doc.occurrences().get(at as usize + 1)?;
        let [field] = **found else {
            return None;
        };
        if written.kind != OccurrenceKind::Read
            || next.qualifier != Qualifier::Previous
            || self.table.symbol(field).kind != Field
        {
            return None;
        }
        let Some(Value::Instance(class)) = self.values.of(field) else {
            return None;
        };
        let fixed = |id: &SymbolId| {
            let kind = self.table.symbol(*id).kind;
            matches!(kind, Constant | Variant) || semantics::is_type(kind)
        };
        let (members, _) = self.members_named(*class, next.name);
        if members.is_empty() || !members.iter().all(fixed) {
            return None;
        }
        let types = self.types_seen(file, doc, written.name, written.owner())?;
        let Meaning::Symbols(seen, _) = &types else {
            return None;
        };
        let is_own = |id: &SymbolId| self.members.canonical(*id) == *class;
        seen.iter().any(is_own).then_some(types)
    }
}
