//! Methods that traits give to types of others: `values.par_iter()` where nothing of the repository made `values`, and
//! to all types (`impl<T> Trait for T`).
//!
//! A trait's method is seen where the trait is. Guarantee: a method that the standard library has, too, is not taken for
//! that of a trait, since nothing here tells which of them is meant.

use super::documents::{DocOccurrence, Document};
use super::hops::Hops;
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::{OccurrenceKind, SymbolFlags, SymbolKind};
use crate::lang;
use crate::view::live::FileId;

/// Definitions of one name that are looked at. Traits have some dozens of implementations.
const MAX_NAMESAKES: usize = 128;

/// The method of one trait.
pub(super) struct OfTrait {
    /// What the trait itself says of it.
    pub(super) declared: SymbolId,
    /// That, and all implementations. Sorted.
    all: Vec<SymbolId>,
}

impl Resolver<'_> {
    /// The method of the only trait in sight that has one of this name, for an object that has none of its own.
    pub(super) fn of_trait(
        &self,
        file: FileId,
        doc: &Document,
        found: &DocOccurrence,
        object: &Value,
        hops: Hops<'_>,
    ) -> Option<OfTrait> {
        let naming = &lang::of(doc.lang).naming;
        if !naming.traits_extend
            || found.kind != OccurrenceKind::Call
            || (naming.library_members)(self.names.bytes(found.name))
        {
            return None;
        }
        // Of a type of the repository it is known that it has no such method itself: `impl<T> Trait for T`.
        let is_foreign = matches!(
            object,
            Value::External
                | Value::Literal
                | Value::Elements(_)
                | Value::Held(..)
                | Value::Type(_)
                | Value::Instance(_)
                | Value::Generic(_)
        );
        if !is_foreign && *object != Value::Unknown {
            return None;
        }
        let family = lang::of(doc.lang).family;
        let mut given = Vec::new();
        let named = self.table.named(found.name);
        for id in named
            .filter(|id| self.table.family(*id) == family)
            .take(MAX_NAMESAKES)
        {
            let symbol = self.table.symbol(id);
            if symbol.kind != SymbolKind::Method {
                continue;
            }
            let Some(container) = self.table.container(id) else {
                continue;
            };
            let of = match self.table.symbol(container).kind {
                SymbolKind::Trait => Some(container),
                _ => self.implemented_by(container, hops),
            };
            match of {
                Some(of) => given.push((of, id)),
                // A method of one type of the repository is none of something from outside, or of another one.
                None if is_foreign => continue,
                None => return None,
            }
        }
        let mut traits: Vec<SymbolId> = given.iter().map(|(of, _)| *of).collect();
        traits.sort_unstable();
        traits.dedup();
        traits.retain(|of| self.is_in_sight(file, doc, *of, found.owner()));
        let [of] = *traits else {
            return None;
        };
        given.retain(|(from, _)| *from == of);
        let is_declared = |id: &SymbolId| self.table.container(*id) == Some(of);
        let mut all: Vec<SymbolId> = given.into_iter().map(|(_, id)| id).collect();
        let declared = all.iter().copied().rfind(is_declared)?;
        all.sort_unstable();
        Some(OfTrait { declared, all })
    }

    /// What a name means that is a method of a trait.
    pub(super) fn meaning_of_trait(&self, method: OfTrait) -> Meaning {
        let OfTrait { declared, all } = method;
        let is_open = |id: &SymbolId| {
            let flags = self.table.symbol(*id).flags;
            *id == declared && flags.contains(SymbolFlags::DECLARATION)
        };
        let mut bodies = all.iter().filter(|id| !is_open(id));
        match (bodies.next(), bodies.next()) {
            (None, _) => Meaning::Symbols(vec![declared], Rule::Unique),
            (Some(only), None) => Meaning::Symbols(vec![*only], Rule::Unique),
            _ => Meaning::Candidates(all.into(), Rule::Ambiguous),
        }
    }

    /// The trait of a block that implements one.
    fn implemented_by(&self, block: SymbolId, hops: Hops<'_>) -> Option<SymbolId> {
        let file = self.table.file(block);
        let doc = self.docs.get(file)?;
        self.trait_of_block(file, doc, self.table.position(block), hops)
    }

    /// Whether the name of a trait means it at a place.
    fn is_in_sight(&self, file: FileId, doc: &Document, of: SymbolId, owner: Option<u32>) -> bool {
        let name = self.table.symbol(of).name;
        self.type_named(file, doc, name, owner) == Some(of)
    }

    /// The member of the only trait that builds on another one, for a value of which no more is known than that it
    /// implements the latter.
    pub(super) fn of_narrower_trait(
        &self,
        of: SymbolId,
        found: &DocOccurrence,
    ) -> Option<SymbolId> {
        if self.table.symbol(of).kind != SymbolKind::Trait || found.kind != OccurrenceKind::Call {
            return None;
        }
        let builds_on = |id: &SymbolId| {
            let container = self.table.container(*id);
            let container = container
                .filter(|container| self.table.symbol(*container).kind == SymbolKind::Trait);
            container.is_some_and(|own| self.members.with_bases(own).any(|base| base == of))
        };
        let named = self.table.named(found.name).take(MAX_NAMESAKES);
        let mut narrower = named.filter(builds_on);
        let only = narrower.next()?;
        narrower.next().is_none().then_some(only)
    }
}
