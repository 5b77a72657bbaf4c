//! Who may behave otherwise when something does: one step from what changed towards the tests.

use super::ran::Coverage;
use crate::extract::record::{OccurrenceKind, SymbolFlags, SymbolKind};
use crate::graph::edges::Edge;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::query::audit::standing::{Standing, Standings};
use crate::query::decorators;
use crate::query::dispatch::is_called_by_language;
use crate::query::inventory::{Inventory, is_callable, is_type};
use crate::trace::lines::Ran;
use crate::view::live::FileId;
use crate::view::text::Texts;

/// Candidates up to which a use that may mean any of them is followed.
const MOST_CANDIDATES: usize = 16;

/// A definition, or the top level of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// A definition.
    Symbol(SymbolId),
    /// What runs when a file is loaded.
    File(FileId),
}

/// How far a change is carried by a kind of step, from 0 to 1. Chosen so that what is called comes before what is
/// only loaded, and that before what merely has the name; of each the order was measured by `benchmark/diff`, the
/// figures are not fitted.
mod carries {
    /// One of several definitions that a use may mean.
    pub const AMBIGUOUS: f32 = 0.2;
    /// An annotation does not run what it names, but what has the type may.
    pub const TYPE: f32 = 0.5;
    /// What runs with another definition, as a constructor with its class.
    pub const PART: f32 = 0.95;
    /// A member that something which is not here may call.
    pub const OUTSIDE: f32 = 0.6;
    /// Something called through the method that it overrides.
    pub const OVERRIDES: f32 = 0.9;
    /// What is registered when its file is loaded, and called by nobody here.
    pub const REGISTERED: f32 = 0.4;
    /// A file is loaded by one that imports it.
    pub const LOADED: f32 = 0.7;
    /// A file whose functions are there for all tests of its folder.
    pub const FIXTURES: f32 = 0.9;
}

/// One step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What may behave otherwise.
    pub to: Node,
    /// How far the change is carried, from 0 to 1.
    pub carries: f32,
    /// How sure the connection is.
    pub certainty: Certainty,
    /// Whether it is a step in the sense of distance, and not a part of the same thing.
    pub counts: bool,
    /// Whether it is no use: a file is loaded, or something that is not here may call it.
    pub loose: bool,
    /// Whether the line of it ran when coverage was recorded.
    pub ran: Ran,
}

impl Step {
    fn part(to: Node, carries: f32) -> Self {
        Self {
            to,
            carries,
            certainty: Certainty::Resolved,
            counts: false,
            loose: false,
            ran: Ran::Unknown,
        }
    }

    fn far(to: Node, carries: f32, certainty: Certainty) -> Self {
        Self {
            counts: true,
            certainty,
            ..Self::part(to, carries)
        }
    }

    /// A file is loaded, and what happens then is not known.
    fn load(file: FileId, carries: f32) -> Self {
        Self {
            loose: true,
            ..Self::far(Node::File(file), carries, Certainty::Inferred)
        }
    }
}

/// What steps are taken over.
#[derive(Clone, Copy)]
pub struct Dependents<'a> {
    /// The definitions.
    pub inventory: &'a Inventory<'a>,
    /// What runs with what.
    pub standings: &'a Standings,
    /// What ran.
    pub coverage: Coverage<'a>,
}

impl Dependents<'_> {
    /// The steps from a node.
    pub fn of(self, texts: &mut Texts, node: Node) -> Vec<Step> {
        let mut steps = Vec::new();
        match node {
            Node::Symbol(id) => {
                self.uses(texts, id, &mut steps);
                self.belongs(id, &mut steps);
            }
            Node::File(file) => {
                let importers = self.inventory.graph.importers(file);
                steps.extend(importers.map(|by| Step::load(by, carries::LOADED)));
                if self.is_fixture_file(file) {
                    self.below(file, &mut steps);
                }
            }
        }
        steps
    }

    /// Those who name it.
    fn uses(self, texts: &mut Texts, id: SymbolId, steps: &mut Vec<Step>) {
        let graph = self.inventory.graph;
        for number in graph.incoming(id) {
            let edge = graph.edge(number);
            let certainty = edge.rule.certainty();
            let carried = match (certainty, edge.kind) {
                (_, OccurrenceKind::Import | OccurrenceKind::Mention) | (Certainty::Text, _) => {
                    continue;
                }
                (Certainty::Ambiguous, _) if graph.targets(number).len() > MOST_CANDIDATES => {
                    continue;
                }
                (Certainty::Ambiguous, _) => carries::AMBIGUOUS,
                (_, OccurrenceKind::Type) => carries::TYPE * edge.rule.confidence(),
                _ => edge.rule.confidence(),
            };
            let ran = self.coverage.line(&edge);
            // A line that no test ran carries nothing to one, unless nobody can know what runs in it now.
            if ran == Ran::No {
                continue;
            }
            let to = self.user(texts, &edge);
            // What somebody does to itself changes nobody else.
            if to != Node::Symbol(id) {
                let step = Step::far(to, carried, certainty);
                steps.push(Step { ran, ..step });
            }
        }
        for base in graph.overridden(id) {
            let step = Step::part(Node::Symbol(base), carries::OVERRIDES);
            steps.push(step);
        }
    }

    /// The definition that a use stands in, or whose decorator it is.
    fn user(self, texts: &mut Texts, edge: &Edge) -> Node {
        let inner = edge.from.map(|from| self.inventory.get(from).kind);
        if inner.is_none_or(|kind| is_type(kind) || kind == SymbolKind::Module)
            && let Some(decorated) = self.decorated(texts, edge)
        {
            return Node::Symbol(decorated);
        }
        edge.from.map_or(Node::File(edge.file), Node::Symbol)
    }

    /// The definition that begins below a use which is part of a decorator of it.
    fn decorated(self, texts: &mut Texts, edge: &Edge) -> Option<SymbolId> {
        let next = self.inventory.next(edge.file, (edge.line, edge.col))?;
        let entry = self.inventory.get(next);
        if !entry.flags.contains(SymbolFlags::DECORATED) {
            return None;
        }
        let text = texts.get(self.inventory.view, edge.file)?;
        let above = decorators::above(&text, entry.start);
        above
            .last()
            .is_some_and(|first| first.line <= edge.line)
            .then_some(next)
    }

    /// What it is a part of, and what stands for it towards others.
    fn belongs(self, id: SymbolId, steps: &mut Vec<Step>) {
        let inventory = self.inventory;
        let entry = inventory.get(id);
        if let Some(outer) = entry
            .container
            .filter(|c| is_callable(inventory.get(*c).kind))
        {
            steps.push(Step::part(Node::Symbol(outer), carries::PART));
        }
        match self.standings.get(id) {
            Standing::Follows(leader)
                if Some(leader) != entry.container || !is_callable(inventory.get(leader).kind) =>
            {
                let runs = !is_callable(entry.kind)
                    || entry.kind == SymbolKind::Constructor
                    || inventory.language(entry.file).naming.implicit_interfaces
                    || is_called_by_language(inventory.lang(entry.file), inventory.name(id));
                steps.push(match runs {
                    true => Step::part(Node::Symbol(leader), carries::PART),
                    false => Step {
                        loose: true,
                        ..Step::part(Node::Symbol(leader), carries::OUTSIDE)
                    },
                });
            }
            Standing::Root if inventory.is_product(entry.file) && is_callable(entry.kind) => {
                steps.push(Step::load(entry.file, carries::REGISTERED));
            }
            // What the language calls of a module, as `__getattr__` in Python.
            _ if entry.container.is_none()
                && is_callable(entry.kind)
                && is_called_by_language(inventory.lang(entry.file), inventory.name(id)) =>
            {
                steps.push(Step::load(entry.file, carries::REGISTERED));
            }
            _ => {}
        }
        if inventory.is_product(entry.file) && !entry.flags.contains(SymbolFlags::TEST) {
            return;
        }
        // Constructors of helpers, and what frameworks call around each test of a class or group.
        if let Some(class) = inventory.class_of(id).or(entry.container) {
            let is_called = inventory
                .graph
                .incoming(id)
                .iter()
                .any(|edge| inventory.graph.edge(*edge).rule.certainty() != Certainty::Text);
            if is_callable(entry.kind) && (!is_called || entry.kind == SymbolKind::Constructor) {
                steps.push(Step::part(Node::Symbol(class), carries::PART));
            }
        } else if self.is_fixture_file(entry.file) && inventory.graph.incoming(id).is_empty() {
            self.below(entry.file, steps);
        }
    }

    fn is_fixture_file(self, file: FileId) -> bool {
        let name = self.inventory.view.file(file).path.file_name();
        let of = self.inventory.language(file).naming.fixture_file;
        of.is_some_and(|of| name == of)
    }

    /// All files in the folder of a file and below it.
    fn below(self, file: FileId, steps: &mut Vec<Step>) {
        let path = self.inventory.view.file(file).path.as_bytes();
        let end = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
        let folder = &path[..end];
        for other in self.inventory.files() {
            let is_below = self
                .inventory
                .view
                .file(other)
                .path
                .as_bytes()
                .starts_with(folder);
            if is_below
                && other != file
                && !self.inventory.is_product(other)
                && self.inventory.is_code(other)
            {
                let step = Step::part(Node::File(other), carries::FIXTURES);
                steps.push(step);
            }
        }
    }

    /// What of a definition that itself changed may behave otherwise beside it: the members of a type.
    pub fn held(self, id: SymbolId) -> Vec<Step> {
        let entry = self.inventory.get(id);
        if !is_type(entry.kind) {
            return Vec::new();
        }
        let graph = self.inventory.graph;
        let count = graph.symbols_of(entry.file);
        let members = (0..count).filter_map(|at| graph.symbol(entry.file, at));
        let members = members.filter(|member| self.inventory.class_of(*member) == Some(id));
        members
            .map(|member| Step::part(Node::Symbol(member), carries::TYPE))
            .collect()
    }
}
