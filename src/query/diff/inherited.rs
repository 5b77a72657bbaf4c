//! Uses of members that a type had of a base which it has no more: a class that it extended, a module that it included, a
//! struct that was embedded.
//!
//! Guarantees: the use led there for sure, stands in a file that is as it was, and leads nowhere for sure now; all bases that
//! the type has now are here.

use super::changes::Change;
use super::dangling::{Expected, Fault, Search, StaleUse, document};
use super::units::Side;
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::graph::table::SymbolId;

/// Bases of a type that are looked at.
const MAX_BASES: usize = 64;

impl Search<'_> {
    /// Uses of what a type does not have of a base any more.
    pub(super) fn lost_bases(&mut self, change: Change) {
        let Change::Changed { old, new, how } = change else {
            return;
        };
        let (was, is) = (self.old.unit(old), self.new.unit(new));
        if !semantics::is_type(is.kind) || how.renamed {
            return;
        }
        let (before, after) = (bases(self.old, was.id), bases(self.new, is.id));
        let still = |search: &Self, id| search.matches.still((search.old, search.new), id);
        let lost: Vec<SymbolId> = before
            .into_iter()
            .filter(|base| still(self, *base).is_some_and(|now| !after.contains(&now)))
            .collect();
        if lost.is_empty()
            || self.names_outer_base(is.id)
            || after.iter().any(|base| self.names_outer_base(*base))
        {
            return;
        }
        for base in lost {
            for member in members(self.old, base) {
                if let Some(now) = still(self, member) {
                    self.lost_member(member, now);
                }
            }
        }
    }

    fn lost_member(&mut self, member: SymbolId, now: SymbolId) {
        let mut reader = self.old.graph.reader();
        for number in self.old.graph.incoming(member) {
            let edge = reader.edge(number);
            let Some(file) = self.file_now(edge.file) else {
                continue;
            };
            let is_same = self.old.view.file(edge.file).blob == self.new.view.file(file).blob;
            let leads_on = self.new.graph.edge_at(file, edge.line, edge.col);
            let leads_on = leads_on.is_some_and(|now| {
                self.new.graph.edge(now).rule.certainty() == Certainty::Resolved
            });
            if is_same && edge.rule.certainty() == Certainty::Resolved && !leads_on {
                self.found.insert(StaleUse {
                    expected: Expected::New(now),
                    by_member: false,
                    file,
                    line: edge.line,
                    col: edge.col,
                    fault: Fault::Hidden,
                    certainty: Certainty::Inferred,
                });
            }
        }
    }
}

/// The bases of a type, near and far.
fn bases(side: &Side<'_>, id: SymbolId) -> Vec<SymbolId> {
    let (mut all, mut next): (Vec<SymbolId>, usize) = (side.graph.bases(id).collect(), 0);
    while let Some(base) = all.get(next).copied()
        && next < MAX_BASES
    {
        next += 1;
        for further in side.graph.bases(base) {
            if !all.contains(&further) {
                all.push(further);
            }
        }
    }
    all
}

/// The members of a type, those that are written outside of it too.
fn members(side: &Side<'_>, id: SymbolId) -> Vec<SymbolId> {
    let (file, position) = side.graph.place(id);
    let mut all: Vec<SymbolId> = side.graph.members_outside(id).collect();
    if let Some((segment, doc)) = document(side, file) {
        let inside = segment.symbols(doc).enumerate();
        let inside = inside.filter(|(_, symbol)| symbol.container == Some(position as u32));
        all.extend(inside.filter_map(|(at, _)| side.graph.symbol(file, at)));
    }
    all
}
