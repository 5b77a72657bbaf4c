//! What a method of a module, or of an abstract class, means by a name that its own type has not: members of the types
//! that mix it in, or that are below it (Ruby).
//!
//! Guarantee: what is found does not depend on the order of files. Left out: types that more than [`MAX_HEIRS`] are below.

use super::documents::{DocOccurrence, Document};
use super::hops::Hops;
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::table::{SymbolId, SymbolTable};
use super::value::Value;
use crate::extract::record::{Qualifier, SymbolKind};
use crate::lang;
use crate::view::live::FileId;
use rustc_hash::FxHashMap;

/// Types below one that are looked at. What more have in common, they seldom have under one name.
const MAX_HEIRS: usize = 64;

/// Definitions that one name may mean at once. Of more, nothing is told for sure.
const MAX_TOLD: usize = 4;

/// Definitions of a name among which those of the types below are.
const MAX_NAMED: usize = 1024;

/// The types that say of a type that it is their base.
#[derive(Default)]
pub(super) struct Heirs(FxHashMap<SymbolId, Vec<SymbolId>>);

impl Heirs {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Notes of a base which type says it, where that is asked for.
    pub(super) fn add(&mut self, table: &SymbolTable<'_>, class: SymbolId, base: SymbolId) {
        if lang::of(table.lang(class)).naming.names_are_calls {
            self.0.entry(base).or_default().push(class);
        }
    }

    /// All types below one; `None` where there are too many.
    fn below(&self, class: SymbolId) -> Option<Vec<SymbolId>> {
        let mut found = vec![class];
        let mut next = 0;
        while let Some(of) = found.get(next) {
            next += 1;
            for heir in self.0.get(of).map_or(&[][..], Vec::as_slice) {
                if !found.contains(heir) {
                    found.push(*heir);
                }
            }
            if found.len() > MAX_HEIRS + 1 {
                return None;
            }
        }
        found.remove(0);
        Some(found)
    }
}

impl Resolver<'_> {
    /// Whether types of a file may have members of their bases look at theirs.
    pub(super) fn asks_heirs(&self, file: FileId) -> bool {
        let doc = self.docs.get(file);
        doc.is_some_and(|doc| lang::of(doc.lang).naming.names_are_calls)
    }

    /// What was found, or what the types below the one around have under the name of a call.
    pub(super) fn or_of_heirs(
        &self,
        file: FileId,
        doc: &Document,
        found: &DocOccurrence,
        meaning: Meaning,
    ) -> Meaning {
        let is_open = match (found.qualifier, &meaning) {
            (Qualifier::None, Meaning::Unknown) => !self.is_global(doc, found.name),
            (Qualifier::This, Meaning::Unknown | Meaning::External) => true,
            _ => false,
        };
        let is_asked = is_open && found.kind.is_call() && !self.is_constant(doc, found.name);
        if !is_asked || !lang::of(doc.lang).naming.names_are_calls {
            return meaning;
        }
        let known = self.of_heirs(file, doc, found);
        let known = known.or_else(|| self.of_common_bases(doc, found));
        known.unwrap_or(meaning)
    }

    /// What the repository adds, under the name of a call, to types that every object is of.
    fn of_common_bases(&self, doc: &Document, found: &DocOccurrence) -> Option<Meaning> {
        let bases = lang::of(doc.lang).naming.common_bases;
        let is_common = |id: &SymbolId| {
            let around = self.table.container(*id);
            around.is_some_and(|around| {
                let name = self.names.bytes(self.table.symbol(around).name);
                self.table.container(around).is_none() && bases.contains(&name)
            })
        };
        let named = self.table.named(found.name).take(MAX_NAMED);
        let members: Vec<SymbolId> = named.filter(is_common).take(MAX_TOLD).collect();
        (!members.is_empty()).then_some(Meaning::Symbols(members, Rule::Inherited))
    }

    /// What a call of a method on the object itself gives: what the method does, or what those give that take its place in
    /// types below.
    pub(super) fn or_overriding_result(
        &self,
        (file, doc): (FileId, &Document),
        found: &DocOccurrence,
        (called, value): (&[SymbolId], Value),
        hops: Hops<'_>,
    ) -> Value {
        let is_own = matches!(found.qualifier, Qualifier::None | Qualifier::This);
        let is_asked = is_own && value != Value::Unknown && self.asks_heirs(file);
        let ([method], true) = (called, is_asked) else {
            return value;
        };
        if self.table.symbol(*method).kind != SymbolKind::Method {
            return value;
        }
        let class = self.this_type(file, doc, found.owner());
        let heirs = class.and_then(|class| self.members.heirs.below(class));
        let heirs = heirs.unwrap_or_default();
        let overriding = heirs
            .iter()
            .flat_map(|heir| self.members.direct(*heir, found.name))
            .map(|id| self.result_of_symbol(id));
        let all = Value::several(std::iter::once(value.clone()).chain(overriding).collect());
        if all != value {
            hops.note_guess();
        }
        all
    }

    fn of_heirs(&self, file: FileId, doc: &Document, found: &DocOccurrence) -> Option<Meaning> {
        let class = self.this_type(file, doc, found.owner())?;
        if self.table.named(found.name).nth(MAX_NAMED).is_some() {
            return None;
        }
        let heirs = self.members.heirs.below(class)?;
        let members = heirs
            .iter()
            .flat_map(|heir| self.members_named(*heir, found.name).0);
        let mut members: Vec<SymbolId> = members.collect();
        members.sort_unstable();
        members.dedup();
        match members.len() {
            0 => None,
            1..=MAX_TOLD => Some(Meaning::Symbols(members, Rule::Presumed)),
            _ => Some(Meaning::Symbols(members, Rule::Ambiguous)),
        }
    }
}
