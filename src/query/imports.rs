//! The import graph of a view: which product files load which others, and where that goes round.
//!
//! Only imports that run when the file is loaded count: not those inside functions, not `import()`
//! at run time, not the declaration of a module (`mod x;`), not what TypeScript erases because
//! only types are used, not what Python reads only for type checkers.

use super::inventory::{Inventory, is_callable};
use crate::extract::record::{ImportKind, OccurrenceKind};
use crate::graph::csr::Csr;
use crate::graph::cycles::{self, Cycle};
use crate::graph::edges::Target;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ops::Range;

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
    /// The same imports, in the same order.
    csr: Csr,
}

impl ImportGraph {
    /// Collects the imports of a view.
    pub fn of(inventory: &Inventory<'_>, texts: &mut Texts) -> Self {
        let mut imports: Vec<Import> = Vec::new();
        for file in inventory.files().filter(|file| inventory.is_product(*file)) {
            let uses = uses(inventory, file);
            let checked = type_checking(inventory, file, texts);
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
                let line = dependency.line;
                let checked = checked.iter().any(|lines| lines.contains(&line));
                if checked || is_late(inventory, file, line) {
                    continue;
                }
                for to in dependency.files() {
                    let used = uses.get(&to);
                    let erased = dependency.kind == ImportKind::Import
                        && inventory.language(file).liveness.erases_types
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
        let ends: Vec<(u32, u32)> = imports.iter().map(|i| (i.from.0, i.to.0)).collect();
        Self {
            csr: Csr::of_edges(files as u32, &ends),
            imports,
        }
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
        let mut counts = vec![0; self.csr.nodes() as usize];
        for import in &self.imports {
            counts[import.to.0 as usize] += 1;
        }
        counts
    }

    /// The cycles among the imports: what goes round, a shortest way round, and what to cut.
    /// Cutting costs as many names as the import brings.
    pub fn cycles(&self) -> Vec<Cycle> {
        let costs: Vec<u32> = self.imports.iter().map(|i| i.names.max(1)).collect();
        cycles::cycles(&self.csr, Some(&costs))
    }

    /// For each file the number of the component it is in when that has several files, and the
    /// components by their first files, the files of each in order.
    pub fn components(&self) -> (Vec<Option<u32>>, Vec<Vec<u32>>) {
        let mut components = cycles::components(&self.csr);
        components.retain(|component| component.len() > 1);
        let mut of = vec![None; self.csr.nodes() as usize];
        for (component, number) in components.iter().zip(0..) {
            for file in component {
                of[*file as usize] = Some(number);
            }
        }
        (of, components)
    }

    /// A shortest way from one file to another; empty when there is none.
    pub fn path(&self, from: FileId, to: FileId) -> Vec<Import> {
        let mut reached: FxHashMap<u32, u32> = FxHashMap::default();
        let mut queue = VecDeque::from([from.0]);
        while let Some(file) = queue.pop_front() {
            for next in self.csr.targets(file) {
                if reached.contains_key(next) {
                    continue;
                }
                reached.insert(*next, file);
                if *next != to.0 {
                    queue.push_back(*next);
                    continue;
                }
                let mut way = vec![*next];
                let mut at = file;
                while at != from.0 {
                    way.push(at);
                    at = reached[&at];
                }
                way.push(from.0);
                way.reverse();
                return self.along(&way);
            }
        }
        Vec::new()
    }

    /// The imports along files that import each other in turn.
    pub fn along(&self, files: &[u32]) -> Vec<Import> {
        files
            .windows(2)
            .filter_map(|ends| self.find(FileId(ends[0]), FileId(ends[1])).copied())
            .collect()
    }
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
    let mut reader = graph.reader();
    for at in graph.edges_of(file) {
        let edge = reader.edge(at);
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

/// Lines of a file that only type checkers read: those below `if TYPE_CHECKING:` in Python.
fn type_checking(inventory: &Inventory<'_>, file: FileId, texts: &mut Texts) -> Vec<Range<u32>> {
    let mut found = Vec::new();
    let Some(doc) = inventory.view.file(file).doc else {
        return found;
    };
    let segment = &inventory.view.segment(doc.segment).segment;
    let flag = inventory.language(file).liveness.type_checking;
    let Some(flag) = flag.and_then(|flag| segment.name_id(flag)) else {
        return found;
    };
    let mut places = segment.occurrences_of(doc.doc, flag).peekable();
    // A text that is not here leaves every import where it is.
    let Some(text) = places.peek().and_then(|_| texts.get(inventory.view, file)) else {
        return found;
    };
    let last = segment.doc(doc.doc).lines;
    let indent = |line: &[u8]| line.len() - line.trim_ascii_start().len();
    for place in places {
        let line = text.line(place.line);
        if !line.trim_ascii_start().starts_with(b"if ") {
            continue;
        }
        let own = indent(line);
        let inside = |line: &u32| {
            let line = text.line(*line);
            line.trim_ascii().is_empty() || indent(line) > own
        };
        let end = (place.line + 1..=last).find(|line| !inside(line));
        found.push(place.line..end.unwrap_or(last + 1));
    }
    found
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
    fn what_goes_round_has_a_way_round_and_a_way_back() {
        let graph = graph(6, &[(0, 1), (1, 2), (2, 3), (3, 0), (4, 2), (3, 4), (4, 5)]);
        let (of, components) = graph.components();
        assert_eq!(components, [[0, 1, 2, 3, 4]]);
        assert_eq!((of[4], of[5]), (Some(0), None));
        let cycles = graph.cycles();
        assert_eq!(cycles[0].path, [2, 3, 4]);
        assert_eq!(
            ends(&graph.path(FileId(1), FileId(0))),
            [(1, 2), (2, 3), (3, 0)]
        );
        assert_eq!(ends(&graph.path(FileId(5), FileId(0))), []);
        assert_eq!(graph.fan_in(), [1, 1, 2, 1, 1, 1]);
    }
}
