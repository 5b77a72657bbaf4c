//! What most of a view uses: its definitions and files, in the order of how much depends on them.
//!
//! Guarantee: a pure function of a view and its graph. It is made once for a state and kept with that, since it is small:
//! only exported types and functions of the code proper are in it, and files that others depend on. Deliberately
//! absent: names, which take longer to number than all of this to count.

use super::definitions::kind_rank;
use super::exposure::language;
use crate::extract::record::{OccurrenceKind, Symbol, SymbolFlags};
use crate::graph::edges::Graph;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang::language::Genre;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use std::cmp::Reverse;

/// Smallest definition worth a place, in lines.
const MIN_LINES: u32 = 3;

/// How much product code uses each definition, resolved or inferred.
pub struct Uses {
    /// By definition: files that use it, its own not counted.
    pub files: Vec<u32>,
    /// By definition: uses.
    pub uses: Vec<u32>,
}

/// A definition that may be shown, in the order of importance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Candidate {
    /// Files that use it, uses and lines, all the other way round.
    files: Reverse<u32>,
    uses: Reverse<u32>,
    lines: Reverse<u32>,
    /// The file it is in.
    pub file: FileId,
    /// The definition.
    pub id: SymbolId,
}

/// A file that others depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hub {
    /// The file.
    pub file: FileId,
    /// Product files that depend on it.
    pub fan_in: usize,
}

/// What most of a view uses.
pub struct Overview {
    /// Exported types and functions of product code, those first that most files use.
    pub definitions: Vec<Candidate>,
    /// Product files that others depend on, highest rank first.
    pub hubs: Vec<Hub>,
}

impl Overview {
    /// Looks at all edges of a view.
    pub fn of(view: &View, graph: &Graph) -> Self {
        let mut definitions = Vec::new();
        let uses = Uses::counted(view, graph, &mut |id, symbol, file| {
            let lines = symbol.end_line.saturating_sub(symbol.start_line) + 1;
            let shown = kind_rank(symbol.kind) == 0
                && symbol.flags.contains(SymbolFlags::EXPORTED)
                && lines >= MIN_LINES;
            if shown {
                definitions.push((id, lines, file));
            }
        });
        let candidate = |(id, lines, file): (SymbolId, u32, FileId)| Candidate {
            files: Reverse(uses.files[id.index()]),
            uses: Reverse(uses.uses[id.index()]),
            lines: Reverse(lines),
            file,
            id,
        };
        let mut definitions: Vec<Candidate> = definitions.into_iter().map(candidate).collect();
        definitions.sort_unstable();
        Self {
            definitions,
            hubs: hubs(view, graph),
        }
    }
}

impl Uses {
    /// Counts the uses in product code.
    pub fn of(view: &View, graph: &Graph) -> Self {
        Self::counted(view, graph, &mut |_, _, _| {})
    }

    /// The same, and tells of each definition that is passed: those of schemas and data are too, whose uses do not count.
    fn counted(
        view: &View,
        graph: &Graph,
        passed: &mut dyn FnMut(SymbolId, &Symbol<NameId>, FileId),
    ) -> Self {
        let count = graph.symbol_count();
        let mut uses = Self {
            files: vec![0; count],
            uses: vec![0; count],
        };
        let mut last = vec![None; count];
        let mut reader = graph.reader();
        let mut tests: Vec<bool> = Vec::new();
        for file in (0..view.files().len() as u32).map(FileId) {
            let genre = language(view, file).genre;
            let is_shown = view.file(file).role == FileRole::Product && genre.is_code();
            let Some(doc) = view.file(file).doc.filter(|_| is_shown) else {
                continue;
            };
            let own = graph.symbols_of(file) as u32;
            let first = graph.symbol(file, 0).map_or(0, |first| first.0);
            let segment = &view.segment(doc.segment).segment;
            tests.clear();
            for (symbol, id) in segment.symbols(doc.doc).zip(first..first + own) {
                tests.push(symbol.flags.contains(SymbolFlags::TEST));
                passed(SymbolId(id), &symbol, file);
            }
            let counted = if genre == Genre::Code {
                graph.edges_of(file)
            } else {
                0..0
            };
            for at in counted {
                let edge = reader.edge(at);
                let sure = matches!(
                    edge.rule.certainty(),
                    Certainty::Resolved | Certainty::Inferred
                );
                let in_test = edge.from.is_some_and(|from| {
                    let at = from.0.checked_sub(first).map(|at| at as usize);
                    at.and_then(|at| tests.get(at)).copied().unwrap_or(false)
                });
                if !sure || in_test || edge.kind == OccurrenceKind::Import {
                    continue;
                }
                for id in graph.targets(at) {
                    uses.uses[id.index()] += 1;
                    let elsewhere = !(first..first + own).contains(&id.0);
                    if elsewhere && last[id.index()].replace(file) != Some(file) {
                        uses.files[id.index()] += 1;
                    }
                }
            }
        }
        uses
    }
}

/// Whether a file is product code in a language people write programs in.
pub fn is_product(view: &View, file: FileId) -> bool {
    view.file(file).role == FileRole::Product && language(view, file).genre == Genre::Code
}

/// Product files that others depend on, highest rank first.
pub fn hubs(view: &View, graph: &Graph) -> Vec<Hub> {
    let is_product: Vec<bool> = (0..view.files().len() as u32)
        .map(|file| is_product(view, FileId(file)))
        .collect();
    let all = (0..).map(FileId).zip(&is_product);
    let product = all.filter_map(|(file, is_one)| is_one.then_some(file));
    let mut hubs: Vec<Hub> = product
        .map(|file| {
            let users = graph.dependents(file);
            let fan_in = users.filter(|user| is_product[user.0 as usize]).count();
            Hub { file, fan_in }
        })
        .filter(|hub| hub.fan_in > 0)
        .collect();
    hubs.sort_by(|a, b| {
        let ranks = graph.rank(b.file).total_cmp(&graph.rank(a.file));
        ranks
            .then(b.fan_in.cmp(&a.fan_in))
            .then(a.file.cmp(&b.file))
    });
    hubs
}
