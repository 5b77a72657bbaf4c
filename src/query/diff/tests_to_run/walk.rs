//! From a change to the tests that reach it, the best way first.
//!
//! A way is worth the product of what its steps carry, less for each step: nearest and surest first, as in Dijkstra's
//! algorithm. A way goes through at most one use that may mean several definitions.

use super::dependents::{Dependents, Node, Step};
use super::suite::{Suite, Unit};
use crate::extract::record::{SymbolFlags, SymbolKind};
use crate::graph::rule::Certainty;
use crate::query::inventory::is_callable;
use crate::trace::lines::Ran;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is left of a way's worth with each step: of two ways that are equally sure the shorter comes first.
const EACH_STEP: f32 = 0.9;
/// Ways worth less than this are left: a dozen resolved calls are in, two ambiguous ones are not.
const LEAST_WORTH: f32 = 0.01;
/// Definitions and files that one walk looks at.
const MOST_NODES: usize = 20_000;

/// How something is reached.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Way {
    /// What the way is worth, from 0 to 1.
    pub worth: f32,
    /// Its length in steps.
    pub distance: u32,
    /// The least sure of its steps.
    pub certainty: Certainty,
    /// Whether a step of it is no use: a file is loaded, or something that is not here may call it.
    pub loose: bool,
    /// Whether coverage says of every step that can run that it did.
    pub ran: bool,
}

impl Way {
    /// Whether all of it is uses that are sure.
    pub fn is_sure_use(&self) -> bool {
        !self.loose && self.certainty <= Certainty::Inferred
    }

    /// A way of which only the letters tell.
    pub fn told(worth: f32, distance: u32) -> Self {
        Self {
            worth,
            distance,
            certainty: Certainty::Text,
            loose: false,
            ran: false,
        }
    }

    /// The way to what changed.
    pub const START: Self = Self {
        worth: 1.0,
        distance: 0,
        certainty: Certainty::Resolved,
        loose: false,
        ran: true,
    };

    fn step(self, step: &Step) -> Self {
        let faded = if step.counts { EACH_STEP } else { 1.0 };
        Self {
            worth: self.worth * step.carries * faded,
            distance: self.distance + u32::from(step.counts),
            certainty: self.certainty.max(step.certainty),
            loose: self.loose || step.loose,
            ran: self.ran && (step.ran == Ran::Yes || !step.counts),
        }
    }
}

/// A node that is to be looked at.
struct Open(Way, Node);

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_worth = self.0.worth.total_cmp(&other.0.worth);
        by_worth
            .then(other.0.distance.cmp(&self.0.distance))
            .then(other.1.cmp(&self.1))
    }
}

/// What a walk found.
#[derive(Default)]
pub struct Walked {
    /// The tests that reach the change.
    pub units: FxHashMap<Unit, Way>,
    /// All that does, tests or not.
    pub nodes: FxHashMap<Node, Way>,
    /// Whether it was ended before all was looked at.
    pub is_bounded: bool,
}

/// Walks from what changed to the tests. `most` bounds the distance.
pub fn walk(
    dependents: Dependents<'_>,
    suite: &mut Suite<'_>,
    texts: &mut Texts,
    start: Node,
    most: u32,
) -> Walked {
    let mut walked = Walked::default();
    let mut open = BinaryHeap::from([Open(Way::START, start)]);
    if let Node::Symbol(id) = start {
        let held = dependents.held(id);
        open.extend(held.iter().map(|step| Open(Way::START.step(step), step.to)));
    }
    while let Some(Open(way, node)) = open.pop() {
        if walked.nodes.contains_key(&node) {
            continue;
        }
        if walked.nodes.len() == MOST_NODES {
            walked.is_bounded = true;
            break;
        }
        walked.nodes.insert(node, way);
        for unit in units(dependents, suite, texts, node) {
            walked.units.entry(unit).or_insert(way);
        }
        // Nothing depends on a test.
        let is_test = matches!(node, Node::Symbol(id) if suite.is_test(texts, id));
        if is_test || way.distance >= most {
            continue;
        }
        for step in dependents.of(texts, node) {
            let is_second =
                way.certainty == Certainty::Ambiguous && step.certainty == Certainty::Ambiguous;
            let next = way.step(&step);
            if !is_second && next.worth >= LEAST_WORTH && !walked.nodes.contains_key(&step.to) {
                open.push(Open(next, step.to));
            }
        }
    }
    walked
}

/// The tests that a node is, holds or runs around.
fn units(
    dependents: Dependents<'_>,
    suite: &mut Suite<'_>,
    texts: &mut Texts,
    node: Node,
) -> Vec<Unit> {
    let inventory = dependents.inventory;
    let file = match node {
        Node::Symbol(id) => inventory.get(id).file,
        Node::File(file) => file,
    };
    let Some(used) = suite.used(file) else {
        return Vec::new();
    };
    let Node::Symbol(id) = node else {
        return match inventory.is_product(file) {
            // What product code does when it is loaded is not what the tests in it are about.
            true => suite
                .tests_of(texts, file)
                .into_iter()
                .map(Unit::Test)
                .collect(),
            false => vec![Unit::File(file)],
        };
    };
    if used.runner().tests.is_whole() {
        return vec![Unit::File(file)];
    }
    if suite.is_test(texts, id) {
        return vec![Unit::Test(id)];
    }
    let entry = inventory.get(id);
    let is_group = entry.flags.contains(SymbolFlags::TEST) || !inventory.is_product(file);
    let holds = !is_callable(entry.kind) && entry.kind != SymbolKind::Variable;
    if !(is_group && holds) {
        return Vec::new();
    }
    let tests = suite.tests_in(texts, id);
    // A module of tests without any that is known by name: a macro makes them.
    match tests.is_empty() && entry.kind == SymbolKind::Module {
        true => vec![Unit::File(file)],
        false => tests.into_iter().map(Unit::Test).collect(),
    }
}
