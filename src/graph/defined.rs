//! What a header declares in a namespace, or in a class in a class, and another file defines (C++).
//!
//! A definition in a namespace lies in the namespace of its own file, and `void Outer::Inner::f()` says of its class only
//! the last name, which no file has at its top. Both are members of what the declaration is in, if the file includes that.
//! Guarantee: where two of its headers declare what could be meant, neither is.

use super::members::Owned;
use super::names::Name;
use super::resolve::Resolver;
use super::semantics::is_type;
use super::table::SymbolId;
use crate::extract::record::{SymbolFlags, SymbolKind};
use crate::lang;

/// Declarations of one name that are looked at for one definition.
const MAX_DECLARED: usize = 512;

impl Resolver<'_> {
    /// Says of such definitions that they are members too: of the classes as what these own, of the namespaces as the list
    /// that it gives back.
    pub(super) fn add_defined(&self, members: &mut Owned) -> Vec<(SymbolId, Name, SymbolId)> {
        let mut of_modules = Vec::new();
        for (file, doc) in self.docs.iter() {
            if !lang::of(doc.lang).naming.linked {
                continue;
            }
            for (symbol, i) in doc.symbols.iter().zip(0..) {
                let is_defined = matches!(
                    symbol.kind,
                    SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor
                ) && !symbol.flags.contains(SymbolFlags::DECLARATION);
                let id = self.table.id(file, i);
                if !is_defined || members.owner(id).is_some() {
                    continue;
                }
                match self.declared_in(id) {
                    Some(class) if is_type(self.table.symbol(class).kind) => {
                        members.own(id, members.canonical(class));
                    }
                    Some(module) => of_modules.push((module, symbol.name, id)),
                    None => {}
                }
            }
        }
        of_modules
    }

    /// What namespaces and classes declare, with what other files define of it.
    pub(super) fn with_defined(&self, mut found: Vec<SymbolId>) -> Vec<SymbolId> {
        let beside = found.iter().flat_map(|id| {
            let symbol = self.table.symbol(*id);
            let around = self.table.container(*id).filter(|of| {
                let kind = self.table.symbol(*of).kind;
                symbol.flags.contains(SymbolFlags::DECLARATION)
                    && (kind == SymbolKind::Module || is_type(kind))
            });
            let all = around.map(|of| {
                let class = self.members.canonical(of);
                self.members.direct(class, symbol.name)
            });
            all.into_iter().flatten()
        });
        let beside: Vec<SymbolId> = beside.collect();
        if !beside.is_empty() {
            found.extend(beside);
            found.sort_unstable();
            found.dedup();
        }
        found
    }

    /// The one namespace or class in a header of its file in which a definition is declared.
    fn declared_in(&self, id: SymbolId) -> Option<SymbolId> {
        let (table, file) = (self.table, self.table.file(id));
        let symbol = table.symbol(id);
        let around = table.container(id).map(|of| table.symbol(of));
        let outer = match symbol.receiver {
            Some(receiver) => receiver,
            None => around.filter(|of| of.kind == SymbolKind::Module)?.name,
        };
        let headers = self.includes.headers(file);
        let mut found = None;
        for other in table.named(symbol.name).take(MAX_DECLARED) {
            let is_declared = table.symbol(other).flags.contains(SymbolFlags::DECLARATION);
            let Some(of) = table.container(other).filter(|_| is_declared) else {
                continue;
            };
            let of_kind = table.symbol(of).kind;
            let fits = table.symbol(of).name == outer
                && (is_type(of_kind) || of_kind == SymbolKind::Module)
                && headers.contains(&table.file(other));
            if fits && found.replace(of).is_some_and(|before| before != of) {
                return None;
            }
        }
        found
    }
}
