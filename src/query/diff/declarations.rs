//! Declarations that a change leaves behind: a prototype that declares what the definition takes no longer, or the
//! definition, where the prototype was changed. A C compiler calls that conflicting types.

use super::dangling::{Expected, Fault, StaleUse, document, own_bytes, symbol_at};
use super::signatures::{Signatures, State};
use super::units::UnitId;
use crate::extract::calls::{Need, Parameters};
use crate::extract::record::{Symbol, SymbolFlags};
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang;
use crate::query::definitions;
use crate::query::scope::Filter;
use crate::view::text::Texts;

impl Signatures<'_> {
    /// Declarations of functions whose definitions take something else now, and the other way round, where they say
    /// what was.
    pub fn declarations(&mut self, texts: &mut Texts) -> Vec<StaleUse> {
        let mut stale = Vec::new();
        for change in self.changes() {
            match (change.before(), change.after()) {
                (Some(old), Some(_)) if change.how().renamed => stale.extend(self.undefined(old)),
                (Some(old), None) => stale.extend(self.undefined(old)),
                (Some(old), Some(new)) if change.how().signature => {
                    stale.extend(self.left_of(texts, old, new));
                }
                _ => {}
            }
        }
        stale.sort_unstable();
        stale.dedup();
        stale
    }

    /// Declarations of a function that is defined nowhere any more: what calls it compiles and cannot be linked.
    fn undefined(&self, old: UnitId) -> Vec<StaleUse> {
        let (before, after) = (self.side(State::Old), self.side(State::New));
        let unit = before.unit(old);
        let name = own_bytes(&unit.name);
        let grammar = document(before, unit.file).map(|(segment, doc)| segment.doc(doc).lang);
        let is_linked = grammar.is_some_and(|grammar| lang::of(grammar).naming.linked);
        let of = before.symbol(old).filter(|of| {
            is_linked
                && semantics::is_callable(unit.kind)
                && is_seen(of)
                && !of.flags.contains(SymbolFlags::DECLARATION)
        });
        let Some(of) = of else {
            return Vec::new();
        };
        let bodies = definitions::find_exact(after.view, &Filter::open(), name);
        // Those that define a function of that name still, by what it belongs to.
        let owners = bodies.into_iter().filter_map(|other| {
            let (_, symbol) = symbol_at(after, other.file, other.index)?;
            let id = after.graph.symbol(other.file, other.index)?;
            let is_body = semantics::is_callable(symbol.kind)
                && !symbol.flags.contains(SymbolFlags::DECLARATION);
            is_body.then(|| after.graph.owner(id))
        });
        let owners: Vec<Option<SymbolId>> = owners.collect();
        let owner = before.graph.owner(unit.id);
        let mut stale = Vec::new();
        for other in definitions::find_exact(before.view, &Filter::open(), name) {
            let declared = symbol_at(before, other.file, other.index);
            let id = before.graph.symbol(other.file, other.index);
            let Some(id) = id.filter(|id| before.graph.owner(*id) == owner) else {
                continue;
            };
            if !declared.is_some_and(|(_, symbol)| is_pair(&of, &symbol)) {
                continue;
            }
            let now = self.matches().still((before, after), id);
            let Some((now, (file, position))) = now.map(|now| (now, after.graph.place(now))) else {
                continue;
            };
            let Some((segment, symbol)) = symbol_at(after, file, position) else {
                continue;
            };
            let is_called_so = segment.name_id(name) == Some(symbol.name);
            if is_called_so && !owners.contains(&after.graph.owner(now)) {
                stale.push(StaleUse {
                    expected: Expected::Definition(old),
                    by_member: false,
                    file,
                    line: symbol.name_line,
                    col: symbol.name_col,
                    fault: Fault::Declared,
                    certainty: Certainty::Inferred,
                });
            }
        }
        stale
    }

    fn left_of(&mut self, texts: &mut Texts, old: UnitId, new: UnitId) -> Vec<StaleUse> {
        let side = self.side(State::New);
        let unit = side.unit(new);
        let grammar = document(side, unit.file).map(|(segment, doc)| segment.doc(doc).lang);
        let is_linked = grammar.is_some_and(|grammar| lang::of(grammar).naming.linked);
        let Some(of) = side
            .symbol(new)
            .filter(|_| is_linked && semantics::is_callable(unit.kind))
        else {
            return Vec::new();
        };
        let (before, after) = (
            self.parameters(texts, State::Old, old),
            self.parameters(texts, State::New, new),
        );
        let (Some(before), Some(after)) = (before, after) else {
            return Vec::new();
        };
        let owner = side.graph.owner(unit.id);
        let mut stale = Vec::new();
        for other in definitions::find_exact(side.view, &Filter::open(), own_bytes(&unit.name)) {
            let id = side.graph.symbol(other.file, other.index);
            let Some((segment, doc)) = document(side, other.file) else {
                continue;
            };
            let Some(symbol) = segment.symbols(doc).nth(other.index) else {
                continue;
            };
            let is_same_thing = id.is_some_and(|id| id != unit.id && side.graph.owner(id) == owner)
                && lang::of(segment.doc(doc).lang).naming.linked
                && is_pair(&of, &symbol)
                && (other.file == unit.file || is_seen(&of) && is_seen(&symbol));
            if !is_same_thing {
                continue;
            }
            let says = self.parameters_at(texts, other.file, symbol.span.clone());
            if says.is_some_and(|says| is_alike(&says, &before) && !is_alike(&says, &after)) {
                stale.push(StaleUse {
                    expected: Expected::Definition(old),
                    by_member: false,
                    file: other.file,
                    line: symbol.name_line,
                    col: symbol.name_col,
                    fault: Fault::Declared,
                    certainty: Certainty::Inferred,
                });
            }
        }
        stale
    }
}

/// Whether one declares what the other defines.
fn is_pair(one: &Symbol<NameId>, other: &Symbol<NameId>) -> bool {
    let declares = |symbol: &Symbol<NameId>| symbol.flags.contains(SymbolFlags::DECLARATION);
    semantics::is_callable(other.kind) && declares(one) != declares(other)
}

/// Whether other files may mean it: it is not `static`.
fn is_seen(symbol: &Symbol<NameId>) -> bool {
    symbol.flags.contains(SymbolFlags::EXPORTED) || symbol.flags.contains(SymbolFlags::DECLARATION)
}

/// Whether two parameter lists take the same: declarations may leave names out, and say alone what is given when nothing is.
fn is_alike(one: &Parameters, other: &Parameters) -> bool {
    let types = |of: &Parameters| -> Vec<_> {
        let types = of.list.iter();
        types
            .map(|one| (one.need == Need::Rest, one.written_type.clone()))
            .collect()
    };
    types(one) == types(other) && (one.result.is_none() || one.result == other.result)
}
