//! `audit cycles`: product files that import each other, and the imports to cut.

use super::answer::{ImportCycle, ImportEdge, Place};
use crate::graph::cycles::Cycle;
use crate::query::imports::{Import, ImportGraph};
use crate::query::inventory::Inventory;
use crate::view::live::FileId;
use crate::view::text::Texts;
use std::cmp::Reverse;

/// Imports that are named for cutting in one component. Who has to cut more has to think first.
const MAX_CUT: usize = 12;

/// Finds import cycles with a file that `admits` lets pass, largest first: the first `limit` and
/// how many there are.
pub fn cycles(
    inventory: &Inventory<'_>,
    texts: &mut Texts,
    admits: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> (Vec<ImportCycle>, usize) {
    let graph = ImportGraph::of(inventory, texts);
    let mut all = graph.cycles();
    all.retain(|cycle| cycle.nodes.iter().any(|file| admits(FileId(*file))));
    all.sort_by_key(|cycle| Reverse(cycle.nodes.len()));
    let describe = |cycle: &Cycle| {
        let inside = |file: FileId| cycle.nodes.binary_search(&file.0).is_ok();
        let inner = graph.imports().iter();
        let inner = inner.filter(|import| inside(import.from) && inside(import.to));
        let round: Vec<u32> = cycle
            .path
            .iter()
            .chain(cycle.path.first())
            .copied()
            .collect();
        let mut cut: Vec<Import> = cycle
            .cut
            .iter()
            .filter_map(|(from, to)| graph.find(FileId(*from), FileId(*to)).copied())
            .collect();
        cut.sort_by_key(|import| (import.names, *import));
        let more = cut.len().saturating_sub(MAX_CUT);
        cut.truncate(MAX_CUT);
        ImportCycle {
            files: cycle.nodes.len(),
            imports: inner.count(),
            path: edges(inventory, &graph.along(&round)),
            cut: edges(inventory, &cut),
            more,
        }
    };
    (all.iter().take(limit).map(describe).collect(), all.len())
}

/// Imports as they are shown.
pub fn edges(inventory: &Inventory<'_>, imports: &[Import]) -> Vec<ImportEdge> {
    let path = |file: FileId| inventory.view.file(file).path.to_string();
    let edge = |import: &Import| ImportEdge {
        from: Place {
            path: path(import.from),
            line: import.line,
        },
        to: path(import.to),
        names: import.names,
    };
    imports.iter().map(edge).collect()
}
