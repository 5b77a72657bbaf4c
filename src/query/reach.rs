//! What is reached from some definitions over references: who uses them and who uses those, or what they rest on,
//! each with the shortest path to it.

use crate::extract::record::OccurrenceKind;
use crate::graph::edges::{Edge, EdgeReader, Graph};
use crate::graph::rule::{Certainty, Rule};
use crate::graph::table::SymbolId;
use crate::query::answer::SymbolRef;
use crate::query::ids::DocSymbols;
use crate::query::refs::answer::Reached;
use crate::query::request::Direction;
use crate::query::verified;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use crate::view::written::Written;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Least confidence of a path of several steps: three inferred ones are in, one ambiguous is not.
const LEAST_CONFIDENCE: f32 = 0.2;

/// What is walked over, and how far.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The files.
    pub view: &'a View,
    /// Their references.
    pub graph: &'a Graph,
    /// Kinds of references that are followed; all when empty.
    pub kinds: &'a [OccurrenceKind],
    /// Most steps.
    pub depth: usize,
}

/// Something reached: a symbol, or the top level of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// A definition.
    Symbol(SymbolId),
    /// The top level of a file.
    File(FileId),
}

/// How something was reached first.
#[derive(Clone, Copy)]
pub struct Step {
    /// Number of steps.
    pub depth: usize,
    /// Product of the confidence of the steps.
    pub confidence: f32,
    /// Certainty of the least sure step.
    pub certainty: Certainty,
    /// Where the edge stands: in the file of the user.
    pub at: (FileId, u32),
    /// The node before, towards the target.
    pub before: Option<Node>,
    /// References that make up the last step.
    pub uses: usize,
}

/// What is reached from some definitions, themselves included. Breadth first: what is nearest is found first, and of equal distance what is surest.
pub fn walk(
    asked: Around<'_>,
    direction: Direction,
    symbols: &[SymbolId],
) -> FxHashMap<Node, Step> {
    let mut steps: FxHashMap<Node, Step> = FxHashMap::default();
    let mut front: Vec<Node> = symbols.iter().copied().map(Node::Symbol).collect();
    for node in &front {
        let at = (file_of(asked, *node), 0);
        let start = Step {
            depth: 0,
            confidence: 1.0,
            certainty: Certainty::Resolved,
            at,
            before: None,
            uses: 0,
        };
        steps.insert(*node, start);
    }
    let mut reader = asked.graph.reader();
    for depth in 1..=asked.depth {
        let mut next: BTreeMap<Node, Step> = BTreeMap::new();
        let likeliest = match direction {
            Direction::In => likeliest(asked, &front, &steps),
            Direction::Out => FxHashMap::default(),
        };
        for node in &front {
            let from = steps[node];
            let told = |set: u32| likeliest.get(&set) == Some(node);
            for (to, at, rule) in neighbours(asked, (direction, &told), *node, &mut reader) {
                let confidence = from.confidence * rule.confidence();
                if confidence < LEAST_CONFIDENCE && depth > 1 || steps.contains_key(&to) {
                    continue;
                }
                let step = Step {
                    depth,
                    confidence,
                    certainty: from.certainty.max(rule.certainty()),
                    at,
                    before: Some(*node),
                    uses: 1,
                };
                next.entry(to)
                    .and_modify(|known| {
                        let uses = known.uses + 1;
                        if known.confidence < confidence {
                            *known = step;
                        }
                        known.uses = uses;
                    })
                    .or_insert(step);
            }
        }
        front = next.keys().copied().collect();
        steps.extend(next);
        if front.is_empty() {
            break;
        }
    }
    steps
}

/// Of each set of definitions that uses may mean any of: the first of those that it is reached from most surely. It speaks
/// for the set, so that a use is followed once, however many it may mean.
fn likeliest(
    asked: Around<'_>,
    front: &[Node],
    steps: &FxHashMap<Node, Step>,
) -> FxHashMap<u32, Node> {
    let mut found: FxHashMap<u32, Node> = FxHashMap::default();
    for node in front {
        let Node::Symbol(id) = node else { continue };
        for set in asked.graph.sets_of(*id) {
            let known = found.entry(*set).or_insert(*node);
            if steps[known].confidence < steps[node].confidence {
                *known = *node;
            }
        }
    }
    found
}

/// What was reached, in order of distance, of confidence, and of how much depends on its file.
pub fn nearest_first(asked: Around<'_>, steps: &FxHashMap<Node, Step>) -> Vec<(Node, Step)> {
    let rank = |node: Node| asked.graph.rank(file_of(asked, node));
    let steps = steps.iter().filter(|(_, step)| step.depth > 0);
    // Ranks are looked up once each, not for each comparison.
    let steps = steps.map(|(node, step)| (rank(*node), *node, *step));
    let mut reached: Vec<(f64, Node, Step)> = steps.collect();
    reached.sort_unstable_by(|(one_rank, a, one), (other_rank, b, other)| {
        one.depth
            .cmp(&other.depth)
            .then(other.confidence.total_cmp(&one.confidence))
            .then(other_rank.total_cmp(one_rank))
            .then(a.cmp(b))
    });
    let reached = reached.into_iter();
    reached.map(|(_, node, step)| (node, step)).collect()
}

/// Who uses a node, or what it uses. Uses that may mean any of a set are told of the node that speaks for it.
fn neighbours(
    asked: Around<'_>,
    (direction, speaks_for): (Direction, &dyn Fn(u32) -> bool),
    node: Node,
    reader: &mut EdgeReader<'_>,
) -> Vec<(Node, (FileId, u32), Rule)> {
    let graph = asked.graph;
    let wanted = |edge: &Edge| {
        edge.rule.certainty() != Certainty::Text
            && (asked.kinds.is_empty() || asked.kinds.contains(&edge.kind))
    };
    let mut found = Vec::new();
    match (direction, node) {
        (Direction::In, Node::Symbol(id)) => {
            let sets = graph.sets_of(id).iter().filter(|set| speaks_for(**set));
            let of_sets = sets.flat_map(|set| graph.incoming_of_set(*set));
            let alone = graph.incoming_alone(id).iter();
            let mut edges: Vec<u32> = alone.chain(of_sets).copied().collect();
            edges.sort_unstable();
            for edge in edges.into_iter().map(|edge| reader.edge(edge)) {
                if wanted(&edge) {
                    let user = edge.from.map_or(Node::File(edge.file), Node::Symbol);
                    found.push((user, (edge.file, edge.line), edge.rule));
                }
            }
            // Whoever calls the method of a base may call this one.
            for base in graph.overridden(id) {
                let at = graph.place(base).0;
                found.push((Node::Symbol(base), (at, 0), Rule::Inherited));
            }
        }
        // Code at the top of a file runs when the file is imported; nobody calls it.
        (Direction::In, Node::File(_)) => {}
        (Direction::Out, node) => {
            let (file, inside) = match node {
                Node::Symbol(id) => (graph.place(id).0, Some(id)),
                Node::File(file) => (file, None),
            };
            let symbols = asked.view.file(file).doc.map(|doc| {
                let segment = &asked.view.segment(doc.segment).segment;
                DocSymbols::load(segment, doc.doc)
            });
            let within = |from: Option<SymbolId>| match (inside, from) {
                (None, None) => true,
                (Some(outer), Some(from)) => symbols
                    .as_ref()
                    .is_some_and(|symbols| is_within(asked, symbols, from, outer)),
                _ => false,
            };
            for number in graph.edges_of(file) {
                let edge = reader.edge(number);
                if !wanted(&edge) || !within(edge.from) {
                    continue;
                }
                for to in graph.targets(number) {
                    let own = symbols
                        .as_ref()
                        .zip(inside)
                        .is_some_and(|(symbols, outer)| {
                            graph.place(to).0 == file && is_within(asked, symbols, to, outer)
                        });
                    if !own {
                        found.push((Node::Symbol(to), (edge.file, edge.line), edge.rule));
                    }
                }
            }
        }
    }
    found
}

/// Whether a symbol is another one or nested in it, both of one file.
fn is_within(
    asked: Around<'_>,
    symbols: &DocSymbols<'_>,
    inner: SymbolId,
    outer: SymbolId,
) -> bool {
    let position = |id| asked.graph.place(id).1;
    symbols.is_within(position(inner), position(outer))
}

/// The file that something lies in.
pub fn file_of(asked: Around<'_>, node: Node) -> FileId {
    match node {
        Node::Symbol(id) => asked.graph.place(id).0,
        Node::File(file) => file,
    }
}

/// Describes something that was reached.
pub fn describe(
    asked: Around<'_>,
    texts: &mut Texts,
    steps: &FxHashMap<Node, Step>,
    node: Node,
    step: &Step,
) -> Reached {
    let mut via = Vec::new();
    let mut at = step.before;
    while let Some(before) = at {
        let of = &steps[&before];
        if of.depth == 0 {
            break;
        }
        via.push(match before {
            Node::Symbol(_) => {
                reference(asked, texts, before).map_or_else(Written::unknown, |s| s.qualified)
            }
            Node::File(file) => Written::path(asked.view, file),
        });
        at = of.before;
    }
    Reached {
        path: asked.view.file(file_of(asked, node)).path.to_string(),
        symbol: reference(asked, texts, node),
        depth: step.depth,
        certainty: step.certainty,
        confidence: step.confidence,
        line: step.at.1,
        via,
        uses: step.uses,
    }
}

fn reference(asked: Around<'_>, texts: &mut Texts, node: Node) -> Option<SymbolRef> {
    match node {
        Node::Symbol(id) => verified::reference(asked.view, asked.graph, texts, id),
        Node::File(_) => None,
    }
}
