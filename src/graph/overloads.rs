//! Functions of one name in several places, told apart by whether they take anything: `fun md5()` of a class is not what
//! `md5(source)` calls.
//!
//! Nothing is recorded of how many arguments a call has; but a name right behind its parenthesis is one. Guarantee: a function
//! is given up only for another of its name that takes something and can be seen. Deliberately absent: what else tells
//! overloads apart.

use super::documents::{DocOccurrence, Document};
use super::resolve::{Meaning, Resolver};
use super::rule::Rule;
use super::table::SymbolId;
use crate::extract::record::{OccurrenceKind, Qualifier, SymbolKind};
use crate::lang;
use crate::view::live::FileId;

/// Definitions of one name in one place that are looked at.
const MAX_OVERLOADS: usize = 32;

impl Resolver<'_> {
    /// What a call means that hands something over, where what was found takes nothing.
    pub(super) fn that_takes_any(
        &self,
        file: FileId,
        doc: &Document,
        (at, found): (u32, &DocOccurrence),
        meaning: Meaning,
    ) -> Meaning {
        let naming = &lang::of(doc.lang).naming;
        let Meaning::Symbols(symbols, _) = &meaning else {
            return meaning;
        };
        if found.kind != OccurrenceKind::Call
            || !naming.overloads
            || !self.is_handed_name(doc, at)
            || !symbols
                .iter()
                .take(MAX_OVERLOADS)
                .all(|id| self.takes_nothing(*id))
        {
            return meaning;
        }
        let of = |all: Vec<SymbolId>, rule: Rule| {
            let mut all: Vec<SymbolId> = all.into_iter().take(MAX_OVERLOADS).collect();
            all.retain(|id| self.is_function(*id) && self.takes_any(*id));
            (!all.is_empty()).then_some(Meaning::Symbols(all, rule))
        };
        let class = symbols.first().and_then(|id| {
            let around = || Some(self.members.canonical(self.table.container(*id)?));
            self.members.owner(*id).or_else(around)
        });
        let bases = class
            .into_iter()
            .flat_map(|class| self.members.with_bases(class).skip(1));
        let mut inherited = bases.filter_map(|base| {
            let members = self.members.direct(base, found.name).collect();
            of(members, Rule::Inherited)
        });
        if let Some(inherited) = inherited.next() {
            return inherited;
        }
        if found.qualifier != Qualifier::None {
            return meaning;
        }
        let imported = match self.imported(file, doc, found.name) {
            Meaning::Symbols(all, rule) => of(all, rule),
            _ => None,
        };
        let package = || self.top_in(found.name, self.modules.package_of(file));
        imported
            .or_else(|| of(self.table.top(file, found.name).collect(), Rule::Scope))
            .or_else(|| of(package(), Rule::Package))
            .unwrap_or(meaning)
    }

    fn is_function(&self, id: SymbolId) -> bool {
        matches!(
            self.table.symbol(id).kind,
            SymbolKind::Function | SymbolKind::Method
        )
    }

    fn takes_nothing(&self, id: SymbolId) -> bool {
        self.is_function(id) && !self.takes_any(id)
    }
}
