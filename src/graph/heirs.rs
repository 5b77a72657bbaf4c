//! What a method means by a name that its own type has not (Ruby): in a module or an abstract class, members of the types that
//! mix it in or are below it; anywhere, what is added to types that every object is of (`Kernel`). And what a call on the
//! object itself gives where types below override the method.
//!
//! Guarantee: what is found does not depend on the order of files; files of bases are looked at again when a type below
//! changes ([`super::reuse`]). Left out: types that more than [`MAX_HEIRS`] are below, and names that more than
//! [`MAX_NAMED`] definitions have.

use super::documents::{DocOccurrence, Document};
use super::hops::Hops;
use super::members::Members;
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::table::{SymbolId, SymbolTable};
use super::value::Value;
use crate::extract::record::{Qualifier, SymbolKind};
use crate::lang;
use crate::view::live::FileId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Types below one that are looked at. What more have in common, they seldom have under one name.
const MAX_HEIRS: usize = 64;

/// Definitions that one name may mean at once. Of more, nothing is told for sure.
const MAX_TOLD: usize = 4;

/// Definitions of a name among which those of the types below are.
const MAX_NAMED: usize = 256;

/// The types that say of a type that it is their base.
#[derive(Default)]
pub(super) struct Heirs {
    direct: FxHashMap<SymbolId, Vec<SymbolId>>,
    /// What was asked for.
    known: Mutex<FxHashMap<SymbolId, Option<Arc<Below>>>>,
}

/// All types below one.
struct Below {
    heirs: Vec<SymbolId>,
    /// These, and all that any of them has for a base.
    around: FxHashSet<SymbolId>,
}

impl Heirs {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Notes of a base which type says it, where that is asked for.
    pub(super) fn add(&mut self, table: &SymbolTable<'_>, class: SymbolId, base: SymbolId) {
        if lang::of(table.lang(class)).naming.names_are_calls {
            self.direct.entry(base).or_default().push(class);
            self.known = Mutex::default();
        }
    }

    /// All types below one; `None` where there are none, or too many.
    fn below(&self, class: SymbolId) -> Option<Vec<SymbolId>> {
        let mut found = vec![class];
        let mut next = 0;
        while let Some(of) = found.get(next) {
            next += 1;
            for heir in self.direct.get(of).map_or(&[][..], Vec::as_slice) {
                if found.contains(heir) {
                    continue;
                }
                if found.len() > MAX_HEIRS {
                    return None;
                }
                found.push(*heir);
            }
        }
        found.remove(0);
        (!found.is_empty()).then_some(found)
    }
}

impl Members {
    /// All types below one; `None` where there are none, or too many.
    fn below(&self, class: SymbolId) -> Option<Arc<Below>> {
        if self.heirs.direct.is_empty() {
            return None;
        }
        let known = || {
            self.heirs
                .known
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(below) = known().get(&class) {
            return below.clone();
        }
        let below = self.heirs.below(class).map(|heirs| {
            let around = heirs
                .iter()
                .flat_map(|heir| self.with_bases(*heir))
                .collect();
            Arc::new(Below { heirs, around })
        });
        known().insert(class, below.clone());
        below
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
        if self.is_common(found) {
            return None;
        }
        let named = self.table.named(found.name);
        let members: Vec<SymbolId> = named.filter(is_common).take(MAX_TOLD).collect();
        (!members.is_empty()).then_some(Meaning::Symbols(members, Rule::Inherited))
    }

    /// Whether more definitions have a name than are looked through.
    fn is_common(&self, found: &DocOccurrence) -> bool {
        self.table.named(found.name).nth(MAX_NAMED).is_some()
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
        if self.table.named(found.name).nth(1).is_none() {
            return value;
        }
        let class = self.this_type(file, doc, found.owner());
        let class = class.map(|class| self.members.canonical(class));
        let Some(below) = class.and_then(|class| self.members.below(class)) else {
            return value;
        };
        let overriding = below
            .heirs
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
        self.table.named(found.name).next()?;
        let class = self.this_type(file, doc, found.owner())?;
        let below = self.members.below(self.members.canonical(class))?;
        let holds = |id: SymbolId| {
            let around = || Some(self.members.canonical(self.table.container(id)?));
            let holder = self.members.owner(id).or_else(around);
            holder.is_some_and(|holder| below.around.contains(&holder))
        };
        if self.is_common(found) || !self.table.named(found.name).any(holds) {
            return None;
        }
        let members = below.heirs.iter();
        let members = members.flat_map(|heir| self.members_named(*heir, found.name).0);
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
