//! `audit cycles`: product files that import each other, and the imports to cut.

use super::answer::{ImportCycle, ImportEdge, Place};
use super::inventory::Inventory;
use crate::query::imports::{Import, ImportGraph, components};
use crate::view::live::FileId;

/// Imports that are named for cutting in one component. Who has to cut more has to think first.
const MAX_CUT: usize = 12;

/// Finds import cycles with a file that `admits` lets pass, largest first: the first `limit` and
/// how many there are.
pub fn cycles(
    inventory: &Inventory<'_>,
    admits: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> (Vec<ImportCycle>, usize) {
    let graph = ImportGraph::of(inventory);
    let (of, mut all) = graph.components();
    let number = |file: &FileId| of[file.0 as usize];
    all.retain(|component| component.iter().any(|file| admits(*file)));
    let total = all.len();
    all.truncate(limit);
    let describe = |component: &Vec<FileId>| {
        let own = component.first().and_then(number);
        let inner: Vec<Import> = graph
            .imports()
            .iter()
            .filter(|import| number(&import.from) == own && number(&import.to) == own)
            .copied()
            .collect();
        let (cut, more) = cut(&inner, of.len());
        ImportCycle {
            files: component.len(),
            imports: inner.len(),
            path: edges(inventory, &ImportGraph::shortest_cycle(&inner, component)),
            cut: edges(inventory, &cut),
            more,
        }
    };
    (all.iter().map(describe).collect(), total)
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

/// Of each cycle in turn, shortest first, the import that brings the fewest names; and whether
/// cycles remain.
fn cut(imports: &[Import], files: usize) -> (Vec<Import>, bool) {
    let mut left = imports.to_vec();
    let mut cut = Vec::new();
    loop {
        let (_, components) = components(files, &left);
        let Some(component) = components.first() else {
            return (cut, false);
        };
        let cycle = ImportGraph::shortest_cycle(&left, component);
        let cheapest = cycle.iter().min_by_key(|import| (import.names, **import));
        let Some(cheapest) = cheapest.copied().filter(|_| cut.len() < MAX_CUT) else {
            return (cut, true);
        };
        left.retain(|import| *import != cheapest);
        cut.push(cheapest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_import_with_the_fewest_names_is_cut() {
        let import = |from, to, names| Import {
            from: FileId(from),
            to: FileId(to),
            line: 1,
            names,
        };
        let imports = [
            import(0, 1, 5),
            import(1, 0, 2),
            import(1, 2, 1),
            import(2, 1, 9),
        ];
        let (cut, more) = cut(&imports, 3);
        let ends: Vec<_> = cut.iter().map(|i| (i.from.0, i.to.0)).collect();
        assert_eq!(ends, [(1, 0), (1, 2)]);
        assert!(!more);
    }
}
