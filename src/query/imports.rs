//! The import graph of a view: which product files load which others, and where that goes round.
//!
//! Only imports that run when the file is loaded count: not those inside functions, not `import()`
//! at run time, not the declaration of a module (`mod x;`), not what TypeScript erases because
//! only types are used.

use super::audit::inventory::{Inventory, is_callable};
use crate::extract::record::{Grammar, ImportKind, OccurrenceKind};
use crate::graph::edges::Target;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::view::live::FileId;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Files of a component from which shortest cycles are looked for; those after them lie on cycles
/// that were seen, or the component is a tangle of which any cycle is typical.
const MAX_STARTS: usize = 200;

/// One import of a file by another; of several the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Import {
    /// The importing file.
    pub from: FileId,
    /// The imported file.
    pub to: FileId,
    /// Line of the first import statement.
    pub line: u32,
    /// Number of definitions of the imported file that the importing one uses.
    pub names: u32,
}

/// The imports between the product files of a view, sorted by both ends.
pub struct ImportGraph {
    imports: Vec<Import>,
    files: usize,
}

impl ImportGraph {
    /// Collects the imports of a view.
    pub fn of(inventory: &Inventory<'_>) -> Self {
        let mut imports: Vec<Import> = Vec::new();
        for file in inventory.files().filter(|file| inventory.is_product(*file)) {
            let uses = uses(inventory, file);
            for dependency in inventory.graph.dependencies(file) {
                let loads = matches!(
                    dependency.kind,
                    ImportKind::Import
                        | ImportKind::Reexport
                        | ImportKind::Require
                        | ImportKind::Include
                );
                if dependency.target != Target::Found || !loads {
                    continue;
                }
                if is_late(inventory, file, dependency.line) {
                    continue;
                }
                for to in dependency.files() {
                    let used = uses.get(&to);
                    let erased = dependency.kind == ImportKind::Import
                        && erases_types(inventory.lang(file))
                        && used.is_some_and(|used| used.only_types);
                    if to == file || erased || !inventory.is_product(to) {
                        continue;
                    }
                    imports.push(Import {
                        from: file,
                        to,
                        line: dependency.line,
                        names: used.map_or(0, |used| used.names.len() as u32),
                    });
                }
            }
        }
        Self::from_imports(imports, inventory.files().len())
    }

    /// Makes a graph of imports in any order between so many files.
    pub fn from_imports(mut imports: Vec<Import>, files: usize) -> Self {
        imports.sort_unstable();
        imports.dedup_by_key(|import| (import.from, import.to));
        Self { imports, files }
    }

    /// All imports, sorted by both ends.
    pub fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// The import of one file by another.
    pub fn find(&self, from: FileId, to: FileId) -> Option<&Import> {
        let at = self
            .imports
            .binary_search_by_key(&(from, to), |import| (import.from, import.to));
        at.ok().map(|at| &self.imports[at])
    }

    /// Number of files that import each file.
    pub fn fan_in(&self) -> Vec<u32> {
        let mut counts = vec![0; self.files];
        for import in &self.imports {
            counts[import.to.0 as usize] += 1;
        }
        counts
    }

    /// For each file the number of the component it is in when that has several files, and the
    /// components, each sorted.
    pub fn components(&self) -> (Vec<Option<u32>>, Vec<Vec<FileId>>) {
        components(self.files, &self.imports)
    }

    /// A shortest cycle among some imports, which are sorted, that begins at its first file in
    /// path order; `among` is a component. Empty when there is none.
    pub fn shortest_cycle(imports: &[Import], among: &[FileId]) -> Vec<Import> {
        let mut best: Vec<Import> = Vec::new();
        for start in among.iter().take(MAX_STARTS) {
            let longest = best.len().checked_sub(1).unwrap_or(usize::MAX);
            if let Some(path) = shortest_path(imports, among, *start, *start, longest) {
                best = path;
            }
            if best.len() == 2 {
                break;
            }
        }
        let first = (0..best.len()).min_by_key(|at| best[*at].from);
        best.rotate_left(first.unwrap_or(0));
        best
    }

    /// A shortest way from one file to another inside a component.
    pub fn path(&self, among: &[FileId], from: FileId, to: FileId) -> Option<Vec<Import>> {
        shortest_path(&self.imports, among, from, to, usize::MAX)
    }
}

/// Components of several files.
pub fn components(files: usize, imports: &[Import]) -> (Vec<Option<u32>>, Vec<Vec<FileId>>) {
    let mut graph = DiGraph::<(), (), u32>::with_capacity(files, imports.len());
    for _ in 0..files {
        graph.add_node(());
    }
    for import in imports {
        graph.add_edge(
            NodeIndex::from(import.from.0),
            NodeIndex::from(import.to.0),
            (),
        );
    }
    // Kosaraju's algorithm, because petgraph's version of Tarjan's is recursive.
    let found = petgraph::algo::kosaraju_scc(&graph);
    let mut components: Vec<Vec<FileId>> = found
        .into_iter()
        .filter(|component| component.len() > 1)
        .map(|component| {
            component
                .iter()
                .map(|at| FileId(at.index() as u32))
                .collect()
        })
        .collect();
    components
        .iter_mut()
        .for_each(|component| component.sort_unstable());
    components.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    let mut of = vec![None; files];
    for (component, number) in components.iter().zip(0..) {
        for file in component {
            of[file.0 as usize] = Some(number);
        }
    }
    (of, components)
}

/// A shortest way of at most `longest` imports, at least one, inside a sorted set of files.
fn shortest_path(
    imports: &[Import],
    among: &[FileId],
    from: FileId,
    to: FileId,
    longest: usize,
) -> Option<Vec<Import>> {
    let mut reached: FxHashMap<FileId, Import> = FxHashMap::default();
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((file, length)) = queue.pop_front() {
        if length >= longest {
            return None;
        }
        let first = imports.partition_point(|import| import.from < file);
        let own = imports[first..]
            .iter()
            .take_while(|import| import.from == file);
        for import in own {
            if among.binary_search(&import.to).is_err() || reached.contains_key(&import.to) {
                continue;
            }
            reached.insert(import.to, *import);
            if import.to == to {
                let mut path = vec![*import];
                let mut at = import.from;
                while at != from {
                    let step = reached[&at];
                    path.push(step);
                    at = step.from;
                }
                path.reverse();
                return Some(path);
            }
            queue.push_back((import.to, length + 1));
        }
    }
    None
}

/// What a file uses of another.
#[derive(Default)]
struct Used {
    names: FxHashSet<SymbolId>,
    only_types: bool,
}

fn uses(inventory: &Inventory<'_>, file: FileId) -> FxHashMap<FileId, Used> {
    let graph = inventory.graph;
    let mut uses: FxHashMap<FileId, Used> = FxHashMap::default();
    for at in graph.edges_of(file) {
        let edge = graph.edge(at);
        let sure = matches!(
            edge.rule.certainty(),
            Certainty::Resolved | Certainty::Inferred
        );
        if edge.kind == OccurrenceKind::Import || !sure {
            continue;
        }
        for id in graph.targets(at) {
            let used = uses.entry(inventory.get(id).file).or_insert_with(|| Used {
                only_types: true,
                ..Used::default()
            });
            used.names.insert(id);
            used.only_types &= edge.kind == OccurrenceKind::Type;
        }
    }
    uses
}

fn erases_types(lang: Grammar) -> bool {
    matches!(lang, Grammar::TypeScript | Grammar::Tsx)
}

/// Whether a line lies in a function.
fn is_late(inventory: &Inventory<'_>, file: FileId, line: u32) -> bool {
    let mut at = inventory.around(file, (line, 0));
    while let Some(id) = at {
        let entry = inventory.get(id);
        if is_callable(entry.kind) {
            return true;
        }
        at = entry.container;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(files: usize, pairs: &[(u32, u32)]) -> ImportGraph {
        let import = |(from, to): &(u32, u32)| Import {
            from: FileId(*from),
            to: FileId(*to),
            line: 1,
            names: 1,
        };
        ImportGraph::from_imports(pairs.iter().map(import).collect(), files)
    }

    fn ends(path: &[Import]) -> Vec<(u32, u32)> {
        path.iter()
            .map(|import| (import.from.0, import.to.0))
            .collect()
    }

    #[test]
    fn components_are_what_goes_round() {
        let graph = graph(7, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (5, 6), (6, 5)]);
        let (of, components) = graph.components();
        assert_eq!(components.len(), 2);
        assert_eq!(components[0], [FileId(0), FileId(1), FileId(2)]);
        assert_eq!(of[3], None);
        assert_eq!(of[6], Some(1));
    }

    #[test]
    fn the_shortest_cycle_begins_at_its_first_file() {
        let graph = graph(5, &[(0, 1), (1, 2), (2, 3), (3, 0), (4, 2), (3, 4)]);
        let (_, components) = graph.components();
        let cycle = ImportGraph::shortest_cycle(graph.imports(), &components[0]);
        assert_eq!(ends(&cycle), [(2, 3), (3, 4), (4, 2)]);
        let way = graph.path(&components[0], FileId(1), FileId(0)).unwrap();
        assert_eq!(ends(&way), [(1, 2), (2, 3), (3, 0)]);
    }

    #[test]
    fn a_long_chain_is_walked_without_recursion() {
        let pairs: Vec<(u32, u32)> = (0..100_000).map(|i| (i, (i + 1) % 100_000)).collect();
        let (_, components) = graph(100_000, &pairs).components();
        assert_eq!(components[0].len(), 100_000);
    }
}
