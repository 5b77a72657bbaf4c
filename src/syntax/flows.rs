//! Local names and what is known of values, collected during the walk.
//!
//! Hooks speak of places in the source, since the occurrence that a clue follows from is often met
//! only later; [`FlowDraft::finish`] turns places into positions of occurrences. Guarantees: what is
//! said of a name that is not recorded (a limit was reached) is dropped. Deliberately absent: what a
//! name means, which takes other files.

use super::symbols::Draft;
use super::walk::Walk;
use crate::id::LocalName;
use crate::limits::MAX_OCCURRENCES_PER_DOC;
use crate::record::{Flow, Flows, Hint, Local, Occurrence};
use rustc_hash::FxHashSet;
use std::ops::Range;
use tree_sitter::{Node, Point};

/// Most local names, and most receivers, that are noted of a document: each is of an occurrence.
const MAX_CLUES: usize = MAX_OCCURRENCES_PER_DOC;

/// What a value follows from: the identifier at a place. See [`Flow`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clue {
    pub(crate) flow: Flow,
    /// Where the identifier starts; ignored by flows that follow from none.
    at: Point,
    /// Whether it stands in quotes.
    quoted: bool,
}

impl Clue {
    /// Makes a clue that follows from an identifier.
    pub(crate) fn of(flow: Flow, identifier: Node<'_>) -> Self {
        Self {
            flow,
            at: identifier.start_position(),
            quoted: false,
        }
    }

    /// Makes a clue that follows from a name in quotes.
    pub(crate) fn of_quoted(flow: Flow, string: Node<'_>) -> Self {
        let mut at = string.start_position();
        at.column += 1;
        Self {
            flow,
            at,
            quoted: true,
        }
    }

    /// Where the identifier starts that the value follows from; `None` when it follows from none, or
    /// from a name in quotes.
    pub(crate) fn identifier(self) -> Option<Point> {
        (!self.is_alone() && !self.quoted).then_some(self.at)
    }

    /// Whether it follows from no occurrence.
    fn is_alone(self) -> bool {
        matches!(
            self.flow,
            Flow::This | Flow::Super | Flow::Literal | Flow::Never
        )
    }

    /// The value is the object itself.
    pub(crate) const THIS: Self = Self {
        flow: Flow::This,
        at: Point { row: 0, column: 0 },
        quoted: false,
    };

    /// The value is the object itself, seen as an instance of its base type.
    pub(crate) const SUPER: Self = Self {
        flow: Flow::Super,
        at: Point { row: 0, column: 0 },
        quoted: false,
    };

    /// There is no value.
    pub(crate) const NEVER: Self = Self {
        flow: Flow::Never,
        at: Point { row: 0, column: 0 },
        quoted: false,
    };

    /// The value is a literal, or of a type of the language itself.
    pub(crate) const LITERAL: Self = Self {
        flow: Flow::Literal,
        at: Point { row: 0, column: 0 },
        quoted: false,
    };
}

/// A language whose expressions say nothing of their values.
pub(crate) fn no_clue(_: &Walk<'_>, _: Node<'_>) -> Option<Clue> {
    None
}

/// Flows in the making.
#[derive(Default)]
pub(crate) struct FlowDraft {
    locals: Vec<(Point, Range<Point>, Option<Clue>)>,
    values: Vec<(u32, Clue)>,
    receivers: Vec<(Point, Clue)>,
}

impl<'t> Walk<'t> {
    /// Notes that `name` is bound for uses between two places, its own included when it lies there.
    pub(crate) fn local(&mut self, name: Node<'t>, scope: Range<Point>, clue: Option<Clue>) {
        self.local_at(name.start_position(), scope, clue);
    }

    /// The same of a name that begins inside of a node.
    pub(crate) fn local_at(&mut self, at: Point, scope: Range<Point>, clue: Option<Clue>) {
        if self.flows.locals.len() < MAX_CLUES {
            self.flows.locals.push((at, scope, clue));
        }
    }

    /// Notes the value of a symbol: of a field or variable, or what a function returns. What is
    /// noted first counts.
    pub(crate) fn value(&mut self, symbol: u32, clue: Clue) {
        self.flows.values.push((symbol, clue));
    }

    /// Notes what the object of the member access is whose member stands at `member`.
    pub(crate) fn receiver(&mut self, member: Point, clue: Clue) {
        if self.flows.receivers.len() < MAX_CLUES {
            self.flows.receivers.push((member, clue));
        }
    }

    /// The span of the nearest enclosing node of one of these kinds, the node being entered not
    /// counted; the whole file if there is none.
    pub(crate) fn scope_within(&self, kinds: &[&str]) -> Range<Point> {
        let found = self
            .stack
            .iter()
            .rev()
            .find(|frame| kinds.contains(&frame.node.kind()));
        let node = found.or(self.stack.first()).map(|frame| frame.node);
        node.map_or(Point::default()..Point::default(), |node| {
            node.start_position()..node.end_position()
        })
    }
}

impl Draft<'_> {
    /// Notes the value of what is defined: of a field or variable, or what a function returns.
    pub(crate) fn value(&mut self, clue: Option<Clue>) {
        self.value = clue.or(self.value);
    }
}

impl FlowDraft {
    /// Follows a new order of the symbols: `new[i]` is where symbol `i` is now.
    pub(crate) fn reorder_symbols(&mut self, new: &[u32]) {
        for (symbol, _) in &mut self.values {
            *symbol = new[*symbol as usize];
        }
    }

    /// Names that functions and blocks bind.
    pub(crate) fn declared(
        &self,
        occurrences: &[Occurrence<LocalName>],
    ) -> impl Iterator<Item = LocalName> {
        let key = |(at, ..): &(Point, _, _)| (at.row as u32 + 1, at.column as u32);
        let places: FxHashSet<_> = self.locals.iter().map(key).collect();
        let declares = move |found: &&Occurrence<_>| places.contains(&(found.line, found.col));
        occurrences.iter().filter(declares).map(|found| found.name)
    }

    /// Looks up the occurrences that the clues name. `occurrences` is in source order.
    pub(crate) fn finish(mut self, occurrences: &[Occurrence<LocalName>]) -> Flows {
        let place = |found: &Occurrence<_>| (found.line, found.col);
        if !occurrences.is_sorted_by_key(place) {
            return Flows::default();
        }
        let key = |at: Point| (at.row as u32 + 1, at.column as u32);
        let first = |at: Point| occurrences.partition_point(|found| place(found) < key(at)) as u32;
        let exact = |at: Point| {
            let i = first(at);
            let found = occurrences.get(i as usize)?;
            (place(found) == key(at)).then_some(i)
        };
        let hint = |clue: Clue| {
            let occurrence = match clue.is_alone() {
                true => 0,
                false => exact(clue.at)?,
            };
            Some(Hint {
                flow: clue.flow,
                occurrence,
            })
        };
        let local = |(at, scope, clue): (Point, Range<Point>, Option<Clue>)| {
            Some(Local {
                declared: exact(at)?,
                scope: first(scope.start)..first(scope.end).max(first(scope.start)),
                hint: clue.and_then(hint),
            })
        };
        let mut locals: Vec<Local> = self.locals.into_iter().filter_map(local).collect();
        locals.sort_by_key(|local| local.declared);
        self.values.sort_by_key(|(symbol, _)| *symbol);
        self.values.dedup_by_key(|(symbol, _)| *symbol);
        self.receivers.sort_by_key(|(at, _)| key(*at));
        let values = self.values.into_iter();
        let receivers = self.receivers.into_iter();
        Flows {
            locals,
            values: values
                .filter_map(|(symbol, clue)| Some((symbol, hint(clue)?)))
                .collect(),
            receivers: receivers
                .filter_map(|(at, clue)| Some((exact(at)?, hint(clue)?)))
                .collect(),
        }
    }
}
