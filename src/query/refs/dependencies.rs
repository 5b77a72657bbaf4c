//! What a file imports and who imports it, with the names that are taken.

use super::RefsContext;
use crate::extract::record::ImportKind;
use crate::graph::edges::{Dependency, Target};
use crate::graph::rule::Certainty;
use crate::query::refs::answer::{DependencyKind, FileDependency, Reached, RefsAnswer, Side};
use crate::query::request::Direction;
use crate::query::verified;
use crate::view::live::FileId;
use crate::view::text::Texts;
use crate::view::written::Written;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Names listed of one import.
const MAX_NAMES: usize = 12;

/// Adds the dependencies or the dependents of some files, in path order: of one, or of all of a directory,
/// which depend on each other without a word.
pub(super) fn answer(
    asked: &RefsContext<'_>,
    texts: &mut Texts,
    direction: Direction,
    files: &[FileId],
    answer: &mut RefsAnswer,
) {
    let first = files.first().map(|file| asked.view.file(*file));
    answer.file = first.map(|file| file.path.to_string());
    let mut all: Vec<Found> = Vec::new();
    for file in files {
        let found = match direction {
            Direction::Out => imports(asked, texts, *file),
            Direction::In => importers(asked, texts, *file),
        };
        let outside = |of: &Found| of.to.is_none_or(|to| files.binary_search(&to).is_err());
        all.extend(found.into_iter().filter(outside));
    }
    if files.len() > 1 {
        all = united(asked, direction, all);
    }
    all.retain(|of| {
        of.to.is_none_or(|to| {
            let file = asked.view.file(to);
            asked.filter.admits(asked.view, file)
        })
    });
    if asked.depth > 1 {
        further(asked, direction, files, &all, answer);
    }
    let ends = all.iter().filter(|of| of.to.is_some()).count();
    answer.total += all.len() as u64;
    answer.files_total += ends;
    let side = Side {
        direction,
        files: ends,
        shown: all
            .into_iter()
            .skip(asked.request.offset)
            .take(asked.request.limit)
            .map(|of| of.dependency)
            .collect(),
    };
    answer.sides.push(side);
}

/// A dependency and the file at its other end, when that is one of the tree.
struct Found {
    to: Option<FileId>,
    dependency: FileDependency,
}

/// What several files of a directory depend on, or what depends on them: each other end once, with all
/// names that are taken; the most used before the others.
fn united(asked: &RefsContext<'_>, direction: Direction, all: Vec<Found>) -> Vec<Found> {
    let mut ends: BTreeMap<(Option<FileId>, Written), Found> = BTreeMap::new();
    for found in all {
        let outside = match found.to {
            Some(_) => Written::default(),
            None => found.dependency.specifier.clone(),
        };
        match ends.entry((found.to, outside)) {
            Entry::Vacant(entry) => {
                entry.insert(found);
            }
            Entry::Occupied(mut entry) => {
                let known = &mut entry.get_mut().dependency;
                add_names(known, &found.dependency.names);
                known.uses += found.dependency.uses;
                known.kind = known.kind.min(found.dependency.kind);
            }
        }
    }
    let mut ends: Vec<Found> = ends.into_values().collect();
    for end in &mut ends {
        // Each file has it on another line.
        if direction == Direction::Out {
            end.dependency.line = 0;
        }
    }
    ends.sort_by_key(|end| {
        let role = end.to.map(|file| asked.view.file(file).role);
        let uses = std::cmp::Reverse(end.dependency.uses);
        (end.to.is_none(), role, uses, end.to)
    });
    ends
}

/// What a file imports: files of the tree, then what lies outside or is not found, then what it uses
/// of its own package without an import.
fn imports(asked: &RefsContext<'_>, texts: &mut Texts, file: FileId) -> Vec<Found> {
    let graph = asked.graph;
    let mut here: BTreeMap<FileId, FileDependency> = BTreeMap::new();
    let mut outside: Vec<FileDependency> = Vec::new();
    for import in graph.dependencies(file) {
        let (specifier, names) = as_written(asked, texts, file, &import);
        match import.target {
            Target::Found => {
                for to in import.files() {
                    let entry = here.entry(to).or_insert_with(|| FileDependency {
                        path: asked.view.file(to).path.to_string(),
                        specifier: specifier.clone(),
                        line: import.line,
                        names: Vec::new(),
                        kind: kind_of(import.kind),
                        uses: 0,
                    });
                    add_names(entry, &names);
                }
            }
            other => {
                let kind = match other {
                    Target::External => DependencyKind::External,
                    _ => DependencyKind::Unresolved,
                };
                match outside.iter_mut().find(|of| of.specifier == specifier) {
                    Some(known) => add_names(known, &names),
                    None => outside.push(FileDependency {
                        path: String::new(),
                        specifier,
                        line: import.line,
                        names,
                        kind,
                        uses: 0,
                    }),
                }
            }
        }
    }
    for to in graph.depends(file) {
        here.entry(to).or_insert_with(|| used(asked, to, file, to));
    }
    for number in graph.edges_of(file) {
        let edge = graph.edge(number);
        if edge.rule.certainty() != Certainty::Resolved {
            continue;
        }
        let files: FxHashSet<FileId> = graph.targets(number).map(|id| graph.place(id).0).collect();
        for to in files {
            if let Some(of) = here.get_mut(&to) {
                of.uses += 1;
            }
        }
    }
    here.remove(&file);
    let here = here.into_iter().map(|(to, dependency)| Found {
        to: Some(to),
        dependency,
    });
    let outside = outside.into_iter().map(|dependency| Found {
        to: None,
        dependency,
    });
    here.chain(outside).collect()
}

/// Who imports a file: those with an import that leads there, then those that use it without one.
fn importers(asked: &RefsContext<'_>, texts: &mut Texts, file: FileId) -> Vec<Found> {
    let graph = asked.graph;
    let mut found: Vec<Found> = Vec::new();
    let mut candidates: Vec<FileId> = graph.importers(file).collect();
    candidates.extend(graph.dependents(file));
    candidates.sort_unstable();
    candidates.dedup();
    for from in candidates.into_iter().filter(|from| *from != file) {
        let mut of: Option<FileDependency> = None;
        for import in graph.dependencies(from) {
            if !import.files().any(|to| to == file) {
                continue;
            }
            let (specifier, names) = as_written(asked, texts, from, &import);
            let entry = of.get_or_insert_with(|| FileDependency {
                path: asked.view.file(from).path.to_string(),
                specifier,
                line: import.line,
                names: Vec::new(),
                kind: kind_of(import.kind),
                uses: 0,
            });
            add_names(entry, &names);
        }
        let mut dependency = of.unwrap_or_else(|| used(asked, from, from, file));
        let to_file = |number: &u32| {
            graph.edge(*number).rule.certainty() == Certainty::Resolved
                && graph.targets(*number).any(|id| graph.place(id).0 == file)
        };
        dependency.uses = graph.edges_of(from).filter(to_file).count();
        found.push(Found {
            to: Some(from),
            dependency,
        });
    }
    // Product code first; an import before a mere use.
    found.sort_by_key(|of| {
        let role = of.to.map(|file| asked.view.file(file).role);
        (role, of.dependency.kind == DependencyKind::Used, of.to)
    });
    found
}

/// Files reached by more than one step.
fn further(
    asked: &RefsContext<'_>,
    direction: Direction,
    files: &[FileId],
    near: &[Found],
    answer: &mut RefsAnswer,
) {
    let graph = asked.graph;
    let mut seen: BTreeMap<FileId, (usize, Option<FileId>)> = BTreeMap::new();
    seen.extend(files.iter().map(|file| (*file, (0, None))));
    let mut front: Vec<FileId> = near.iter().filter_map(|of| of.to).collect();
    front.sort_unstable();
    front.dedup();
    for near in &front {
        seen.insert(*near, (1, None));
    }
    for depth in 2..=asked.depth {
        let mut next = Vec::new();
        for at in &front {
            let neighbours: Vec<FileId> = match direction {
                Direction::Out => graph.depends(*at).collect(),
                Direction::In => graph.dependents(*at).collect(),
            };
            for to in neighbours {
                if let Entry::Vacant(e) = seen.entry(to) {
                    e.insert((depth, Some(*at)));
                    next.push(to);
                }
            }
        }
        next.sort_unstable();
        front = next;
    }
    let mut reached: Vec<(FileId, usize)> = seen
        .iter()
        .filter(|(_, (depth, _))| *depth > 1)
        .map(|(file, (depth, _))| (*file, *depth))
        .filter(|(file, _)| asked.filter.admits(asked.view, asked.view.file(*file)))
        .collect();
    reached.sort_by(|(a, one), (b, other)| {
        one.cmp(other)
            .then(graph.rank(*b).total_cmp(&graph.rank(*a)))
            .then(a.cmp(b))
    });
    answer.total += reached.len() as u64;
    answer.files_total += reached.len();
    let shown = reached
        .iter()
        .skip(asked.request.offset)
        .take(asked.request.limit);
    answer.reached = shown
        .map(|(to, depth)| {
            let mut via = Vec::new();
            let mut at = seen.get(to).and_then(|(_, before)| *before);
            while let Some(before) = at {
                via.push(Written::path(asked.view, before));
                at = seen.get(&before).and_then(|(_, before)| *before);
            }
            Reached {
                path: asked.view.file(*to).path.to_string(),
                symbol: None,
                depth: *depth,
                certainty: Certainty::Resolved,
                confidence: 1.0,
                line: 0,
                via,
                uses: 0,
            }
        })
        .collect();
}

/// The dependency between two files that no import names.
fn used(asked: &RefsContext<'_>, shown: FileId, from: FileId, to: FileId) -> FileDependency {
    let graph = asked.graph;
    let line = graph.edges_of(from).find_map(|number| {
        let leads = graph.edge(number).rule.certainty() == Certainty::Resolved
            && graph.targets(number).any(|id| graph.place(id).0 == to);
        leads.then(|| graph.edge(number).line)
    });
    FileDependency {
        path: asked.view.file(shown).path.to_string(),
        specifier: Written::default(),
        line: line.unwrap_or(0),
        names: Vec::new(),
        kind: DependencyKind::Used,
        uses: 0,
    }
}

fn kind_of(kind: ImportKind) -> DependencyKind {
    match kind {
        ImportKind::Reexport => DependencyKind::Reexport,
        ImportKind::Module => DependencyKind::Module,
        ImportKind::Include => DependencyKind::Include,
        ImportKind::Dynamic => DependencyKind::Dynamic,
        _ => DependencyKind::Import,
    }
}

/// The specifier and the names of an import statement.
fn as_written(
    asked: &RefsContext<'_>,
    texts: &mut Texts,
    file: FileId,
    import: &Dependency<'_>,
) -> (Written, Vec<Written>) {
    let none = || (Written::default(), Vec::new());
    let Some(doc) = asked.view.file(file).doc else {
        return none();
    };
    let segment = &asked.view.segment(doc.segment).segment;
    let Some(record) = segment.imports(doc.doc).nth(import.import as usize) else {
        return none();
    };
    let specifier = verified::specifier(asked.view, texts, file, &record);
    let names = verified::bindings(asked.view, texts, (file, segment), &record);
    (specifier, names)
}

fn add_names(of: &mut FileDependency, names: &[Written]) {
    for name in names {
        if of.names.len() < MAX_NAMES && !of.names.contains(name) {
            of.names.push(name.clone());
        }
    }
}
