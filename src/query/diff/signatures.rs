//! What changed between two signatures of a definition, and which calls no longer fit.
//!
//! A call is broken when its arguments fitted what the definition took, as far as that can be said, and do not fit
//! what it takes now: a call that never fitted says that something was not understood.

use super::Comparison;
use super::changes::Change as SymbolChange;
use super::units::{Side, UnitId};
use crate::extract::calls::{Arguments, Change, Fit, Misfit, Need, Parameters, Parsed, fit_any};
use crate::extract::record::SymbolKind;
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::graph::table::SymbolId;
use crate::lang;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a change of a signature means for those who call as before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Nothing, as far as the language looks at it.
    None,
    /// They may give more, or less.
    Additive,
    /// They may fail.
    Breaking,
}

/// A call that fitted and does not fit any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadCall {
    /// What is called, in the old state.
    pub old: UnitId,
    /// The same in the new state.
    pub new: UnitId,
    /// File of the call in the new state.
    pub file: FileId,
    /// Its line.
    pub line: u32,
    /// Byte column of the name that is called.
    pub col: u32,
    /// Why it does not fit.
    pub misfit: Misfit,
    /// How sure it is.
    pub certainty: Certainty,
}

/// Which of the two states something is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum State {
    Old,
    New,
}

/// Signatures of both states, read when they are asked for.
pub struct Signatures<'a> {
    found: &'a Comparison<'a>,
    parsed: FxHashMap<(State, FileId), Option<Parsed>>,
}

impl<'a> Signatures<'a> {
    /// Knows nothing yet.
    pub fn of(found: &'a Comparison<'a>) -> Self {
        Self {
            found,
            parsed: FxHashMap::default(),
        }
    }

    fn side(&self, state: State) -> &'a Side<'a> {
        match state {
            State::Old => &self.found.old,
            State::New => &self.found.new,
        }
    }

    fn parsed(&mut self, texts: &mut Texts, state: State, file: FileId) -> Option<&Parsed> {
        let view = self.side(state).view;
        let parse = || {
            let doc = view.file(file).doc?;
            let grammar = view.segment(doc.segment).segment.doc(doc.doc).lang;
            Parsed::of(grammar, texts.get(view, file)?.bytes())
        };
        let entry = self.parsed.entry((state, file));
        entry.or_insert_with(parse).as_ref()
    }

    /// What a definition takes; `None` where it cannot be read.
    fn parameters(&mut self, texts: &mut Texts, state: State, unit: UnitId) -> Option<Parameters> {
        let side = self.side(state);
        let span = side.symbol(unit)?.span;
        self.parsed(texts, state, side.unit(unit).file)?
            .parameters(span)
    }

    /// What may be called where a definition is: itself before its overloads, or the constructors of a type.
    fn overloads(
        &mut self,
        texts: &mut Texts,
        state: State,
        unit: UnitId,
    ) -> Vec<Option<Parameters>> {
        let side = self.side(state);
        let of = side.unit(unit);
        if semantics::is_type(of.kind) {
            let span = side.symbol(unit).map(|symbol| symbol.span);
            let parsed = self.parsed(texts, state, of.file);
            let made = span.and_then(|span| parsed?.constructors(span));
            return match made {
                Some(made) => made.into_iter().map(Some).collect(),
                None => vec![None],
            };
        }
        let is_overload = |other: &UnitId| {
            let other = side.unit(*other);
            (other.file, other.container, &other.name) == (of.file, of.container, &of.name)
        };
        let others = side.ids().filter(|id| *id != unit).filter(is_overload);
        let all: Vec<UnitId> = std::iter::once(unit).chain(others).collect();
        all.into_iter()
            .map(|unit| self.parameters(texts, state, unit))
            .collect()
    }

    /// What a change of a definition's signature means for those who use it as before.
    pub fn effect(&mut self, texts: &mut Texts, old: UnitId, new: UnitId) -> Effect {
        let side = self.side(State::New);
        let unit = side.unit(new);
        let grammar = side.view.file(unit.file).doc.map(|doc| {
            let segment = &side.view.segment(doc.segment).segment;
            segment.doc(doc.doc).lang
        });
        let checks_types = grammar.is_none_or(|grammar| !lang::of(grammar).types_are_hints);
        let before = self.parameters(texts, State::Old, old);
        let after = self.parameters(texts, State::New, new);
        let (Some(before), Some(after)) = (before, after) else {
            return match checks_types {
                true => Effect::Breaking,
                false => Effect::None,
            };
        };
        let changes = Parameters::compare(&before, &after);
        let effects = changes.iter().map(|change| match change {
            Change::Retyped(_) | Change::Result if !checks_types => Effect::None,
            Change::Renamed { is_used: false, .. } => Effect::None,
            Change::Added(_, Need::Optional | Need::Rest) | Change::Relaxed(_) => Effect::Additive,
            _ => Effect::Breaking,
        });
        effects.max().unwrap_or(Effect::None)
    }

    /// Calls that fitted and do not fit any more, in order of definitions, files and lines.
    pub fn bad_calls(&mut self, texts: &mut Texts) -> Vec<BadCall> {
        let mut found: Vec<BadCall> = Vec::new();
        for (old, new) in self.called() {
            let after = self.overloads(texts, State::New, new);
            if after.iter().all(Option::is_none) {
                continue;
            }
            let before = self.overloads(texts, State::Old, old);
            let id = self.found.new.unit(new).id;
            for call in self.calls_of(id) {
                let (file, line, col, certainty) = call;
                let parsed = self.parsed(texts, State::New, file);
                let Some(given) = parsed.and_then(|parsed| parsed.arguments(line, col)) else {
                    continue;
                };
                if let Some((misfit, is_loose)) = misfit(&before, &after, &given) {
                    found.push(BadCall {
                        old,
                        new,
                        file,
                        line,
                        col,
                        misfit,
                        certainty: match is_loose {
                            true => certainty.max(Certainty::Inferred),
                            false => certainty,
                        },
                    });
                }
            }
        }
        found.sort_by_key(|call| (call.old, call.file, call.line, call.col));
        found.dedup_by_key(|call| (call.file, call.line, call.col));
        found
    }

    /// What is called and takes something else now: functions, and types whose constructors do.
    fn called(&self) -> Vec<(UnitId, UnitId)> {
        let found = self.found;
        let mut all: FxHashSet<(UnitId, UnitId)> = FxHashSet::default();
        for change in &found.changes {
            let (old, new) = match *change {
                SymbolChange::Changed { old, new, how } if how.signature || how.modifiers => {
                    (old, new)
                }
                SymbolChange::Added(new) => {
                    // A constructor that is new takes the place of one that was not written.
                    let outer = found.new.unit(new).container;
                    if let Some(pair) =
                        outer.and_then(|new| Some((found.matches.old_of(new)?, new)))
                        && is_constructor(&found.new, new)
                    {
                        all.insert(pair);
                    }
                    continue;
                }
                _ => continue,
            };
            let unit = found.new.unit(new);
            if is_constructor(&found.new, new) {
                let outer = found.old.unit(old).container.zip(unit.container);
                all.extend(outer);
            }
            if semantics::is_callable(unit.kind) {
                all.insert((old, new));
            }
        }
        let mut all: Vec<(UnitId, UnitId)> = all.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The sure calls of a definition in the new state.
    fn calls_of(&self, id: SymbolId) -> Vec<(FileId, u32, u32, Certainty)> {
        let graph = self.found.new.graph;
        let edges = graph.incoming(id).into_iter().map(|edge| graph.edge(edge));
        let calls = edges.filter(|edge| {
            let certainty = edge.rule.certainty();
            edge.kind.is_call() && matches!(certainty, Certainty::Resolved | Certainty::Inferred)
        });
        calls
            .map(|edge| (edge.file, edge.line, edge.col, edge.rule.certainty()))
            .collect()
    }
}

fn is_constructor(side: &Side<'_>, unit: UnitId) -> bool {
    let unit = side.unit(unit);
    unit.kind == SymbolKind::Constructor || &*unit.name == b"__init__"
}

/// Why a call no longer fits, and whether the language lets it pass; `None` where it fits, where it did not fit
/// before, and where that cannot be said.
fn misfit(
    before: &[Option<Parameters>],
    after: &[Option<Parameters>],
    given: &Arguments,
) -> Option<(Misfit, bool)> {
    let (misfit, is_loose) = match fit_any(after, given) {
        Fit::No(misfit) => (misfit, false),
        Fit::Loosely(misfit) => (misfit, true),
        Fit::Fits | Fit::Unknown => return None,
    };
    match fit_any(before, given) {
        Fit::No(_) | Fit::Loosely(_) => None,
        // What lets everything pass is broken only where it is known to have fitted.
        Fit::Unknown if is_loose => None,
        Fit::Fits | Fit::Unknown => Some((misfit, is_loose)),
    }
}
