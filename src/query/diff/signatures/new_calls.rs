//! Calls that were written with the change and do not fit what they call, which is as it was: a function that is there,
//! called as somebody thinks that it is.
//!
//! Guarantees: only what the graph resolved to one function counts, and only where the language refuses the call.
//! Deliberately absent: types of arguments, overloads, and changes of more calls than somebody writes at once.

use super::{Place, Signatures, State};
use crate::extract::calls::{Fit, Misfit, Parameters, fit_any};
use crate::extract::record::{ImportKind, Occurrence, OccurrenceKind, Qualifier};
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::query::diff::dangling::{Expected, Fault, StaleUse, document, symbol_at};
use crate::query::diff::units::Side;
use crate::record::Symbol;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Calls on new lines up to which a change is looked at: what was written in more than a few sittings has been run.
const MAX_CALLS: usize = 2_000;

/// A new call that does not fit.
pub struct UnfitCall {
    /// What it calls, in the new state.
    pub called: SymbolId,
    /// Its place.
    pub place: Place,
    /// Why it does not fit.
    pub misfit: Misfit,
}

impl UnfitCall {
    /// Its place, and what it expects there.
    pub fn stale_use(&self) -> StaleUse {
        let (file, line, col) = self.place;
        StaleUse {
            expected: Expected::New(self.called),
            by_member: false,
            file,
            line,
            col,
            fault: Fault::Unfit,
            certainty: Certainty::Resolved,
        }
    }
}

impl Signatures<'_> {
    /// Finds such calls, those of one function together. Those of what takes something else now are told by
    /// [`Signatures::calls`].
    pub fn new_calls(&mut self, texts: &mut Texts) -> Vec<UnfitCall> {
        let side = self.side(State::New);
        let known: FxHashSet<SymbolId> = self
            .called()
            .iter()
            .map(|one| side.unit(one.new).id)
            .collect();
        let mut written: Vec<(Place, SymbolId)> = Vec::new();
        let files: Vec<_> = self
            .found
            .files
            .iter()
            .filter_map(|file| file.after())
            .collect();
        for file in files {
            if side.code(file).is_none() {
                continue;
            }
            let mut reader = side.graph.reader();
            for number in side.graph.edges_of(file) {
                let edge = reader.edge(number);
                if !edge.kind.is_call() || edge.rule.certainty() != Certainty::Resolved {
                    continue;
                }
                let mut targets = side.graph.targets(number);
                let (Some(called), None) = (targets.next(), targets.next()) else {
                    continue;
                };
                if !known.contains(&called) && self.is_new(file, edge.line) {
                    written.push(((file, edge.line, edge.col), called));
                }
            }
            if written.len() > MAX_CALLS {
                return Vec::new();
            }
        }
        let mut takes = FxHashMap::default();
        let mut found = Vec::new();
        for (place, called) in written {
            let taken = takes
                .entry(called)
                .or_insert_with(|| self.taken_alone(texts, called));
            let Some(taken) = taken.clone() else {
                continue;
            };
            let given = self.given(texts, place);
            if let Some(Fit::No(misfit)) = given.map(|given| fit_any(&[Some(taken)], &given))
                && is_settled(side, place)
            {
                found.push(UnfitCall {
                    called,
                    place,
                    misfit,
                });
            }
        }
        found.sort_unstable_by_key(|call| (call.called, call.place));
        found
    }

    /// What a function takes that has no overloads in its file; `None` where it has, or that cannot be read.
    fn taken_alone(&mut self, texts: &mut Texts, called: SymbolId) -> Option<Parameters> {
        let side = self.side(State::New);
        let (file, position) = side.graph.place(called);
        let (segment, symbol) = symbol_at(side, file, position)?;
        let doc = side.view.file(file).doc?;
        let is_overload =
            |other: &Symbol<_>| other.name == symbol.name && other.container == symbol.container;
        let is_alone = segment
            .symbols(doc.doc)
            .filter(is_overload)
            .nth(1)
            .is_none();
        let is_function = semantics::is_callable(symbol.kind) && is_alone;
        is_function.then_some(())?;
        // `run = lambda self, a: ...` in a class gets its object as a method does.
        let text = texts.get(side.view, file)?;
        let is_given = memchr::memmem::find(text.slice(symbol.signature.clone()), b"lambda");
        if symbol.container.is_some() && is_given.is_some() {
            return None;
        }
        self.parameters_at(texts, file, symbol.span)
    }
}

/// Whether a name means one thing in all of its file: no two imports bind it, as functions do that each import what they
/// use, and nobody puts something else in the place of the member (`car.start = Mock()`).
pub(super) fn is_settled(side: &Side<'_>, (file, line, col): Place) -> bool {
    let Some((segment, doc)) = document(side, file) else {
        return false;
    };
    let all: Vec<Occurrence<NameId>> = segment.occurrences(doc).collect();
    let place = |used: &Occurrence<NameId>| (used.line, used.col);
    let Ok(at) = all.binary_search_by_key(&(line, col), place) else {
        return false;
    };
    let used = &all[at];
    if used.qualifier != Qualifier::None {
        let is_put = |other: &Occurrence<NameId>| {
            other.name == used.name
                && other.kind == OccurrenceKind::Write
                && other.qualifier != Qualifier::None
        };
        return !all.iter().any(is_put);
    }
    let imports = segment.imports(doc).filter(|import| {
        let mut bindings = import.bindings.iter();
        import.kind != ImportKind::Export
            && bindings.any(|binding| binding.local == Some(used.name))
    });
    imports.count() < 2
}
