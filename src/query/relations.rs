//! What a definition has to do with others: who calls it, what it calls, which tests use it, what
//! implements or overrides it.

use super::answer::SymbolRef;
use super::cards::{Related, Relations};
use super::ids::DocSymbols;
use super::search::answer::Marks;
use super::shared::Shared;
use super::use_lines;
use super::verdict::{self, Counts, Verdict};
use super::verified::reference;
use crate::extract::record::SymbolFlags;
use crate::graph::edges::Graph;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Others named of each sort; the rest are counted.
const MAX_NAMED: usize = 5;

/// Counts the callers of a definition.
pub fn marks(view: &View, graph: &Graph, id: SymbolId) -> Marks {
    let (callers, tests) = callers(view, graph, id, &mut Counts::default());
    Marks {
        callers: callers.len(),
        tests: tests.len(),
    }
}

/// The tests that call a definition.
pub fn tests(view: &View, graph: &Graph, id: SymbolId) -> Vec<SymbolId> {
    let (_, tests) = callers(view, graph, id, &mut Counts::default());
    tests.into_keys().collect()
}

/// The definition of a file that a reference names.
pub fn at(view: &View, graph: &Graph, file: FileId, symbol: &SymbolRef) -> Option<SymbolId> {
    let doc = view.file(file).doc?;
    let symbols = DocSymbols::load(&view.segment(doc.segment).segment, doc.doc);
    let position = (0..symbols.all().len()).find(|position| {
        let at = &symbols.all()[*position];
        (at.kind, at.start_line, at.end_line) == (symbol.kind, symbol.start_line, symbol.end_line)
            && symbols.id(*position, &symbol.path).as_deref() == Some(&*symbol.id)
    });
    graph.symbol(file, position?)
}

/// Why a definition has no sure use; see [`verdict::of`].
pub fn verdict(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    id: SymbolId,
    shared: &mut Shared,
) -> Option<Verdict> {
    let mut counts = Counts::default();
    callers(view, graph, id, &mut counts);
    verdict::of(view, graph, texts, id, counts, shared)
}

/// Definitions that call, with how often.
type Callers = BTreeMap<SymbolId, usize>;

/// Collects the relations of a definition. Uses that are one of several guesses do not count.
pub fn relations(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    id: SymbolId,
    shared: &mut Shared,
) -> Relations {
    let mut counts = Counts::default();
    let (callers, tests) = callers(view, graph, id, &mut counts);
    let mut relations = Relations {
        uses: counts.uses,
        ambiguous: counts.ambiguous,
        verdict: verdict::of(view, graph, texts, id, counts, shared),
        ..Relations::default()
    };
    let mut related = |found| related(view, graph, texts, found);
    relations.callers = related(by_rank(view, graph, callers));
    relations.tests = related(by_rank(view, graph, tests));
    relations.callees = related(callees(view, graph, id));
    relations.derived = related(graph.derived(id).collect());
    relations.overrides = related(graph.overrides(id).collect());
    relations.overridden = related(graph.overridden(id).collect());
    relations
}

/// A line with sure uses of a definition: who makes all of them.
struct Line {
    in_test: bool,
    own: bool,
}

/// Product code and tests that call a definition; counts its uses on the way.
fn callers(view: &View, graph: &Graph, id: SymbolId, counts: &mut Counts) -> (Callers, Callers) {
    let (mut callers, mut tests) = (Callers::new(), Callers::new());
    let mut flags = Flags::default();
    let mut lines: FxHashMap<(FileId, u32), Line> = FxHashMap::default();
    let mut ambiguous: FxHashMap<(FileId, u32), bool> = FxHashMap::default();
    for edge in use_lines::edges(view, graph, id) {
        let certainty = edge.rule.certainty();
        if certainty == Certainty::Text {
            continue;
        }
        let from = edge.from;
        let in_test = view.file(edge.file).role == FileRole::Test
            || from.is_some_and(|from| flags.is_test(view, graph, from));
        if certainty == Certainty::Ambiguous {
            *ambiguous.entry((edge.file, edge.line)).or_insert(true) &= in_test;
            continue;
        }
        let line = lines.entry((edge.file, edge.line));
        let line = line.or_insert(Line {
            in_test: true,
            own: true,
        });
        line.in_test &= in_test;
        line.own &= !in_test && from == Some(id);
        if !edge.kind.is_call() {
            continue;
        }
        let Some(from) = from.filter(|from| *from != id) else {
            continue;
        };
        let sort = if in_test { &mut tests } else { &mut callers };
        *sort.entry(from).or_default() += 1;
    }
    counts.uses = lines.len() as u64;
    counts.ambiguous = ambiguous.len() as u64;
    counts.ambiguous_of_tests = ambiguous.values().filter(|in_test| **in_test).count() as u64;
    counts.of_tests = lines.values().filter(|line| line.in_test).count() as u64;
    counts.own = lines.values().filter(|line| line.own).count() as u64;
    (callers, tests)
}

/// Product code first, then files that much else depends on.
fn by_rank(view: &View, graph: &Graph, found: Callers) -> Vec<SymbolId> {
    let mut ordered: Vec<SymbolId> = found.into_keys().collect();
    ordered.sort_by(|a, b| {
        let (one, other) = (graph.place(*a).0, graph.place(*b).0);
        let role = view.file(one).role.cmp(&view.file(other).role);
        role.then(graph.rank(other).total_cmp(&graph.rank(one)))
            .then(a.cmp(b))
    });
    ordered
}

/// What a definition calls, in the order of its text, each once.
fn callees(view: &View, graph: &Graph, id: SymbolId) -> Vec<SymbolId> {
    let (file, index) = graph.place(id);
    let Some(doc) = view.file(file).doc else {
        return Vec::new();
    };
    let segment = &view.segment(doc.segment).segment;
    let symbols = DocSymbols::load(segment, doc.doc);
    let inside = |from: SymbolId| symbols.is_within(graph.place(from).1, index);
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    for number in graph.edges_of(file) {
        let edge = graph.edge(number);
        let sure = matches!(
            edge.rule.certainty(),
            Certainty::Resolved | Certainty::Inferred
        );
        if !sure || !edge.kind.is_call() || !edge.from.is_some_and(inside) {
            continue;
        }
        for target in graph.targets(number) {
            if target != id && seen.insert(target) {
                found.push(target);
            }
        }
    }
    found
}

/// What each file's definitions are: a file with thousands of callers is read once.
#[derive(Default)]
struct Flags(FxHashMap<FileId, Vec<SymbolFlags>>);

impl Flags {
    fn is_test(&mut self, view: &View, graph: &Graph, id: SymbolId) -> bool {
        let (file, index) = graph.place(id);
        let of_file = self.0.entry(file).or_insert_with(|| {
            let Some(doc) = view.file(file).doc else {
                return Vec::new();
            };
            let symbols = view.segment(doc.segment).segment.symbols(doc.doc);
            symbols.map(|symbol| symbol.flags).collect()
        });
        let flags = of_file.get(index);
        flags.is_some_and(|flags| flags.contains(SymbolFlags::TEST))
    }
}

fn related(view: &View, graph: &Graph, texts: &mut Texts, found: Vec<SymbolId>) -> Related {
    Related {
        total: found.len(),
        first: found
            .into_iter()
            .take(MAX_NAMED)
            .filter_map(|id| reference(view, graph, texts, id))
            .collect(),
    }
}
