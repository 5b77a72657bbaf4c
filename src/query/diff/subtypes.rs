//! Members of subtypes that a change leaves behind: they override what is gone or takes something else, or are missing
//! where an interface wants them since now, or wants them still.

use super::changes::Change;
use super::dangling::{Expected, Fault, Search, StaleUse, document, own_bytes, symbol_at};
use super::units::{Side, UnitId};
use crate::extract::record::{Symbol, SymbolFlags, SymbolKind};
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use rustc_hash::FxHashSet;

/// Bases of a type that are looked at.
const MAX_BASES: usize = 64;

impl Search<'_> {
    /// Members of subtypes that override or implement what is gone, has another name or takes something else.
    pub(super) fn overrides(&mut self, change: Change) {
        let Some(was) = change.before() else {
            return;
        };
        let (now, how) = (change.after(), change.how());
        if now.is_some() && !how.renamed && !how.signature {
            return;
        }
        let unit = self.old.unit(was);
        if !matches!(
            unit.kind,
            SymbolKind::Method | SymbolKind::Function | SymbolKind::Constructor
        ) {
            return;
        }
        let name = self.old.own_name(was);
        for of_subtype in self.old.graph.overrides(unit.id) {
            let (file, position) = self.old.graph.place(of_subtype);
            let Some(file_now) = self.file_now(file) else {
                continue;
            };
            // Where the file is the same, so is the member.
            let id = match self.old.find(of_subtype) {
                None => self.new.graph.symbol(file_now, position),
                Some(member) => {
                    let Some(now) = self.matches.new_of(member) else {
                        continue;
                    };
                    let (before, after) = (self.old.unit(member), self.new.unit(now));
                    let is_left = self.new.own_name(now) == name
                        && before.digests.signature == after.digests.signature;
                    is_left.then_some(after.id)
                }
            };
            let Some(id) = id else {
                continue;
            };
            // It may have found another base.
            let base = now.map(|now| self.new.unit(now).id);
            let mut bases = self.new.graph.overridden(id);
            if how.renamed && bases.any(|other| Some(other) != base) {
                continue;
            }
            let (file, position) = self.new.graph.place(id);
            let Some((segment, doc)) = document(self.new, file) else {
                continue;
            };
            if let Some(symbol) = segment.symbols(doc).nth(position) {
                self.found.insert(StaleUse {
                    expected: Expected::Definition(was),
                    by_member: false,
                    file,
                    line: symbol.name_line,
                    col: symbol.name_col,
                    fault: Fault::LeftBehind,
                    certainty: Certainty::Inferred,
                });
            }
        }
    }

    /// Types that lack a member that their interface wants since now.
    pub(super) fn members(&mut self, change: Change) {
        let Change::Added(member) = change else {
            return;
        };
        let Some(outer) = self.new.unit(member).container else {
            return;
        };
        let wants = matches!(
            self.new.unit(outer).kind,
            SymbolKind::Interface | SymbolKind::Trait
        );
        let is_bare = self
            .new
            .symbol(member)
            .is_some_and(|symbol| symbol.flags.contains(SymbolFlags::DECLARATION));
        let is_callable = matches!(
            self.new.unit(member).kind,
            SymbolKind::Method | SymbolKind::Function
        );
        let is_known = self.matches.old_of(outer).is_some();
        // `@abstractmethod` of Python.
        let is_abstract = memchr::memmem::find(self.new.lead(member), b"abstractmethod").is_some();
        if !(wants && is_bare || is_abstract)
            || !is_callable
            || !is_known
            || self.is_optional(member)
        {
            return;
        }
        let (id, outer) = (self.new.unit(member).id, self.new.unit(outer).id);
        let name = own_bytes(&self.new.unit(member).name);
        for derived in self.new.graph.derived(outer) {
            // One that others are based on may be abstract itself, which no word of it says.
            if is_abstract && self.new.graph.derived(derived).next().is_some() {
                continue;
            }
            self.lacking(derived, (id, outer), name);
        }
    }

    /// The type of an implementation that is gone or has another name, where what it implemented is still wanted.
    pub(super) fn implementations(&mut self, change: Change) {
        let Some(was) = change.before() else {
            return;
        };
        if change.after().is_some() && !change.how().renamed {
            return;
        }
        let unit = self.old.unit(was);
        if !matches!(unit.kind, SymbolKind::Method | SymbolKind::Function) {
            return;
        }
        let name = own_bytes(&unit.name);
        let graph = self.old.graph;
        let still = |id| self.matches.still((self.old, self.new), id);
        let Some(of) = outer(self.old, unit.id).and_then(still) else {
            return;
        };
        for wanted in graph.overridden(unit.id) {
            let (Some(id), Some(outer)) = (still(wanted), outer(self.old, wanted)) else {
                continue;
            };
            let Some(outer_now) = still(outer) else {
                continue;
            };
            let (file, position) = self.new.graph.place(id);
            let is_wanted = symbol_at(self.new, file, position).is_some_and(|(segment, symbol)| {
                segment.name_id(name) == Some(symbol.name)
                    && symbol.flags.contains(SymbolFlags::DECLARATION)
            });
            let is_base = self
                .new
                .graph
                .derived(outer_now)
                .any(|derived| derived == of);
            if is_wanted && is_base {
                self.lacking(of, (id, outer_now), name);
            }
        }
    }

    /// Notes a type of the new state that lacks a member of a base of its own, unless that is abstract itself.
    pub(super) fn lacking(
        &mut self,
        derived: SymbolId,
        (member, outer): (SymbolId, SymbolId),
        name: &[u8],
    ) {
        let graph = self.new.graph;
        let (file, position) = graph.place(derived);
        let Some((segment, doc)) = document(self.new, file) else {
            return;
        };
        let symbols: Vec<_> = segment.symbols(doc).collect();
        let Some(of) = symbols.get(position) else {
            return;
        };
        let is_abstract = matches!(of.kind, SymbolKind::Interface | SymbolKind::Trait)
            || of.flags.contains(SymbolFlags::DECLARATION);
        let has = segment.name_id(name).is_some_and(|name| {
            let inside = |inner: &_| is_inside(&symbols, inner, position);
            let mut named = (0..symbols.len()).filter(|i| symbols[*i].name == name);
            named.any(|i| inside(&i))
        });
        // Of those in its file what lies in another type is that one's; of the others it may not be known.
        let is_own = |id: SymbolId| {
            let (of, at) = graph.place(id);
            let container = symbols.get(at).and_then(|symbol| symbol.container);
            let container = container.map(|container| container as usize);
            graph.owner(id) == Some(derived)
                || of == file
                    && container.is_none_or(|container| {
                        let kind = symbols.get(container).map(|symbol| symbol.kind);
                        let block = graph.symbol(file, container);
                        let owner = block.and_then(|block| graph.owner(block));
                        !kind.is_some_and(semantics::is_type)
                            && owner.is_none_or(|owner| owner == derived)
                    })
        };
        let has = has || graph.overrides(member).any(is_own);
        if !is_abstract && !has && !self.inherits(derived, outer, name) {
            self.found.insert(StaleUse {
                expected: Expected::New(member),
                by_member: false,
                file,
                line: of.name_line,
                col: of.name_col,
                fault: Fault::Missing,
                certainty: Certainty::Inferred,
            });
        }
    }

    /// Whether a member of an interface may be left out: `name?(): string` of TypeScript.
    fn is_optional(&self, member: UnitId) -> bool {
        let code = self.new.code(self.new.unit(member).file);
        let (Some(code), Some(symbol)) = (code, self.new.symbol(member)) else {
            return false;
        };
        let head = code.text.slice(symbol.signature.clone());
        let name = own_bytes(&self.new.unit(member).name);
        head.strip_prefix(name)
            .is_some_and(|rest| rest.first() == Some(&b'?'))
    }

    /// Whether a type has a member with code from one of its other bases, near or far. Those that are not of the
    /// repository say nothing.
    fn inherits(&self, of: SymbolId, but: SymbolId, name: &[u8]) -> bool {
        let graph = self.new.graph;
        let mut seen: FxHashSet<SymbolId> = [of, but].into_iter().collect();
        let mut open: Vec<SymbolId> = graph.bases(of).collect();
        while let Some(base) = open.pop() {
            if seen.len() > MAX_BASES {
                return true;
            }
            if !seen.insert(base) {
                continue;
            }
            open.extend(graph.bases(base));
            let (file, position) = graph.place(base);
            let Some((segment, doc)) = document(self.new, file) else {
                return true;
            };
            let Some(name) = segment.name_id(name) else {
                continue;
            };
            let symbols: Vec<_> = segment.symbols(doc).collect();
            let mut named = (0..symbols.len()).filter(|i| {
                let symbol = &symbols[*i];
                symbol.name == name && !symbol.flags.contains(SymbolFlags::DECLARATION)
            });
            if named.any(|i| is_inside(&symbols, &i, position)) {
                return true;
            }
        }
        false
    }
}

/// The type that a member is of. What lies in a block that implements something is of the type of that.
pub(super) fn outer(side: &Side<'_>, member: SymbolId) -> Option<SymbolId> {
    side.graph.owner(member).or_else(|| {
        let (file, position) = side.graph.place(member);
        let (_, symbol) = symbol_at(side, file, position)?;
        let container = symbol.container?;
        let container = side.graph.symbol(file, container as usize)?;
        Some(side.graph.owner(container).unwrap_or(container))
    })
}

fn is_inside(symbols: &[Symbol<NameId>], inner: &usize, outer: usize) -> bool {
    let mut at = Some(*inner);
    while let Some(i) = at {
        if i == outer {
            return true;
        }
        let container = symbols.get(i).and_then(|symbol| symbol.container);
        at = container.map(|c| c as usize).filter(|c| *c < i);
    }
    false
}
