//! What recorded coverage says of the way from a test to a change. It knows no tests by name, only which lines ran;
//! a call on a line that did not run under any test carries no change to one.

use crate::graph::edges::Edge;
use crate::graph::table::SymbolId;
use crate::query::inventory::Inventory;
use crate::store::trace::Traces;
use crate::trace::lines::{Lines, Ran};

/// Recorded coverage of the definitions of a view.
#[derive(Clone, Copy)]
pub struct Coverage<'a> {
    inventory: &'a Inventory<'a>,
    traces: &'a Traces,
}

impl<'a> Coverage<'a> {
    /// What was recorded of a view.
    pub fn of(inventory: &'a Inventory<'a>, traces: &'a Traces) -> Self {
        Self { inventory, traces }
    }

    /// Whether there is any.
    pub fn is_empty(self) -> bool {
        self.traces.is_empty()
    }

    /// Whether a definition ran under test.
    pub fn definition(self, id: SymbolId) -> Ran {
        let entry = self.inventory.get(id);
        let blob = self.inventory.view.file(entry.file).blob;
        self.traces
            .symbol(blob, entry.start.0, entry.end.0, entry.body_hash)
    }

    /// Whether the line of a use ran under test: by the trace of its file, else by that of an equal definition
    /// around it.
    pub fn line(self, edge: &Edge) -> Ran {
        let blob = self.inventory.view.file(edge.file).blob;
        let known = self
            .traces
            .lines(blob)
            .map_or(Ran::Unknown, |lines| lines.line(edge.line));
        let (Ran::Unknown, Some(from)) = (known, edge.from) else {
            return known;
        };
        let entry = self.inventory.get(from);
        let line = |lines: &Lines| lines.line(edge.line.saturating_sub(entry.start.0));
        self.traces.seen(entry.body_hash).map_or(Ran::Unknown, line)
    }
}
