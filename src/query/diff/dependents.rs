//! What depends on the code that changed.

use super::Comparison;
use super::answer::Reach;
use super::changes::Change;
use crate::extract::record::{OccurrenceKind, SymbolFlags, SymbolKind};
use crate::graph::table::SymbolId;
use crate::query::reach::{self, Around, Node};
use crate::query::request::Direction;
use crate::view::live::FileId;
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::FxHashSet;

/// Steps that are followed.
const DEPTH: usize = 3;
/// References that are followed: who imports something says with these what for.
const KINDS: [OccurrenceKind; 6] = [
    OccurrenceKind::Call,
    OccurrenceKind::Expand,
    OccurrenceKind::Read,
    OccurrenceKind::Write,
    OccurrenceKind::Type,
    OccurrenceKind::Inherit,
];
/// Dependents that are described.
const MAX_DESCRIBED: usize = 20;

/// The definitions of the new state whose code changed, or that others know by another name or place.
pub fn changed(found: &Comparison<'_>) -> Vec<SymbolId> {
    let changes = found.changes.iter();
    let code = changes.filter_map(|change| match change {
        Change::Changed { new, how, .. } if how.is_code() || how.renamed || how.moved => Some(*new),
        _ => None,
    });
    code.map(|unit| found.new.unit(unit).id).collect()
}

/// Finds what depends on it, the nearest first.
pub fn find(found: &Comparison<'_>, texts: &mut Texts) -> Reach {
    let (view, graph) = (found.new.view, found.new.graph);
    let around = Around {
        view,
        graph,
        kinds: &KINDS,
        depth: DEPTH,
    };
    let symbols = changed(found);
    let own: FxHashSet<SymbolId> = symbols.iter().copied().collect();
    let steps = reach::walk(around, Direction::In, &symbols);
    let is_test = |node: Node| {
        let file = view.file(reach::file_of(around, node));
        // What is in a file of tests need not be decoded.
        if file.role == FileRole::Test {
            return true;
        }
        match node {
            Node::Symbol(id) => {
                let (_, position) = graph.place(id);
                let segment = file
                    .doc
                    .map(|doc| (&view.segment(doc.segment).segment, doc.doc));
                let symbol = segment.and_then(|(segment, doc)| segment.symbols(doc).nth(position));
                symbol.is_some_and(|symbol| {
                    symbol.flags.contains(SymbolFlags::TEST) || symbol.kind == SymbolKind::Test
                })
            }
            Node::File(_) => false,
        }
    };
    let mut reached = reach::nearest_first(around, &steps);
    reached.retain(|(node, _)| {
        let is_own = matches!(node, Node::Symbol(id) if own.contains(id));
        !is_own && !is_test(*node)
    });
    let files: FxHashSet<FileId> = reached
        .iter()
        .map(|(node, _)| reach::file_of(around, *node))
        .collect();
    let nearest = reached.iter().take(MAX_DESCRIBED);
    Reach {
        total: reached.len(),
        files: files.len(),
        nearest: nearest
            .map(|(node, step)| reach::describe(around, texts, &steps, *node, step))
            .collect(),
    }
}
