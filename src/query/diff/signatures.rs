//! What changed between two signatures of a definition, and which calls no longer fit.
//!
//! A call is broken when its arguments fitted what the definition took, as far as that can be said, and do not fit
//! what it takes now: a call that never fitted says that something was not understood.

use super::Comparison;
use super::changes::Change as SymbolChange;
use super::lines::LineMap;
use super::possible::{PossibleUse, Why};
use super::units::{Side, UnitId};
use crate::extract::calls::{
    Arguments, By, Change, Fit, Misfit, Need, Parameters, Parsed, fit_any,
};
use crate::extract::record::{OccurrenceKind, SymbolKind};
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::graph::table::SymbolId;
use crate::lang;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

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

/// What became of the calls of what takes something else.
#[derive(Default)]
pub struct Calls {
    /// Those that fitted and do not fit any more, in order of definitions, files and lines.
    pub bad: Vec<BadCall>,
    /// Uses that may be broken, in no order.
    pub possible: Vec<PossibleUse>,
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
    /// Where the lines of files of the new state were.
    lines: FxHashMap<FileId, Option<LineMap>>,
}

impl<'a> Signatures<'a> {
    /// Knows nothing yet.
    pub fn of(found: &'a Comparison<'a>) -> Self {
        Self {
            found,
            parsed: FxHashMap::default(),
            lines: FxHashMap::default(),
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
        let checks_types = self.checks_types(new);
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

    /// What became of the calls of what takes something else.
    pub fn calls(&mut self, texts: &mut Texts) -> Calls {
        let mut calls = Calls::default();
        for Called {
            old,
            new,
            is_signed,
        } in self.called()
        {
            let after = self.overloads(texts, State::New, new);
            let before = self.overloads(texts, State::Old, old);
            if !is_signed && after.iter().all(Option::is_none) {
                continue;
            }
            let blind = match is_signed {
                true => Blind::of(&before, &after, self.checks_types(new)),
                // Of what decorators do to it nothing is known.
                false => Blind::default(),
            };
            let unit = self.found.new.unit(new);
            let is_function = semantics::is_callable(unit.kind);
            for used in self.uses_of(unit.id) {
                let judged = match used.is_call {
                    true => {
                        let parsed = self.parsed(texts, State::New, used.file);
                        let given = parsed.and_then(|parsed| parsed.arguments(used.line, used.col));
                        judge(&before, &after, given.as_ref())
                    }
                    false => Judged::Uncounted,
                };
                let why = match (judged, used.certainty) {
                    (Judged::Broken(..), Certainty::Ambiguous) => Some(Why::Ambiguous),
                    (Judged::Broken(misfit, is_loose), certainty) => {
                        calls.bad.push(BadCall {
                            old,
                            new,
                            file: used.file,
                            line: used.line,
                            col: used.col,
                            misfit,
                            certainty: match is_loose {
                                true => certainty.max(Certainty::Inferred),
                                false => certainty,
                            },
                        });
                        None
                    }
                    // What may mean another is told where it would be broken for sure.
                    (_, Certainty::Ambiguous) => None,
                    (Judged::Uncounted, _) => match (used.is_call, is_function) {
                        (true, _) => blind.to_number.then_some(Why::Arguments),
                        (false, true) => {
                            (blind.to_number || blind.to_types).then_some(Why::HandedOn)
                        }
                        (false, false) => None,
                    },
                    (Judged::Fits, _) => (used.is_call && blind.to_types).then_some(Why::Types),
                };
                // Who wrote the line has seen the change.
                if let Some(why) = why
                    && !self.is_new(used.file, used.line)
                {
                    calls.possible.push(PossibleUse {
                        why,
                        file: used.file,
                        line: used.line,
                        was: old,
                    });
                }
            }
        }
        calls
            .bad
            .sort_by_key(|call| (call.old, call.file, call.line, call.col));
        calls
            .bad
            .dedup_by_key(|call| (call.file, call.line, call.col));
        calls
    }

    /// Whether a line of the new state was changed or added.
    fn is_new(&mut self, file: FileId, line: u32) -> bool {
        let found = self.found;
        let Some(after) = found.new.code(file) else {
            return false;
        };
        let lines = self.lines.entry(file).or_insert_with(|| {
            let mut files = found.files.iter();
            let was = files
                .find(|change| change.after() == Some(file))?
                .before()?;
            let before = found.old.code(was)?;
            Some(LineMap::of(before.text.bytes(), after.text.bytes()))
        });
        lines.as_ref().is_none_or(|lines| lines.is_new(line))
    }

    /// What is called and takes something else now: functions, and types whose constructors do.
    fn called(&self) -> Vec<Called> {
        let found = self.found;
        let mut all: FxHashMap<(UnitId, UnitId), bool> = FxHashMap::default();
        let mut add = |pair: Option<(UnitId, UnitId)>, is_signed: bool| {
            if let Some(pair) = pair {
                *all.entry(pair).or_default() |= is_signed;
            }
        };
        for change in &found.changes {
            let (old, new, is_signed) = match *change {
                SymbolChange::Changed { old, new, how } if how.signature || how.modifiers => {
                    (old, new, how.signature)
                }
                SymbolChange::Added(new) => {
                    // A constructor that is new takes the place of one that was not written.
                    let outer = found.new.unit(new).container;
                    let pair = outer.and_then(|new| Some((found.matches.old_of(new)?, new)));
                    add(pair.filter(|_| is_constructor(&found.new, new)), true);
                    continue;
                }
                _ => continue,
            };
            let unit = found.new.unit(new);
            if is_constructor(&found.new, new) {
                let outer = found.old.unit(old).container.zip(unit.container);
                add(outer, is_signed);
            }
            if semantics::is_callable(unit.kind) {
                add(Some((old, new)), is_signed);
            }
        }
        let all = all.into_iter();
        let mut all: Vec<Called> = all
            .map(|((old, new), is_signed)| Called {
                old,
                new,
                is_signed,
            })
            .collect();
        all.sort_unstable_by_key(|called| (called.old, called.new));
        all
    }

    /// The calls of a definition in the new state, and where else its value is read.
    fn uses_of(&self, id: SymbolId) -> Vec<Used> {
        let graph = self.found.new.graph;
        let edges = graph.incoming(id).into_iter().map(|edge| graph.edge(edge));
        let used = edges.filter_map(|edge| {
            let certainty = edge.rule.certainty();
            let is_call = edge.kind.is_call();
            let is_use = is_call || edge.kind == OccurrenceKind::Read;
            (is_use && certainty != Certainty::Text).then_some(Used {
                file: edge.file,
                line: edge.line,
                col: edge.col,
                certainty,
                is_call,
            })
        });
        used.collect()
    }

    /// Whether the language of a definition of the new state checks types before anything runs.
    fn checks_types(&self, new: UnitId) -> bool {
        let side = &self.found.new;
        let grammar = side.view.file(side.unit(new).file).doc.map(|doc| {
            let segment = &side.view.segment(doc.segment).segment;
            segment.doc(doc.doc).lang
        });
        grammar.is_none_or(|grammar| !lang::of(grammar).types_are_hints)
    }
}

/// What is called and takes something else.
struct Called {
    old: UnitId,
    new: UnitId,
    /// Whether its signature is another, and not only what decorates it.
    is_signed: bool,
}

/// A use of the new state.
struct Used {
    file: FileId,
    line: u32,
    col: u32,
    certainty: Certainty,
    is_call: bool,
}

/// What of a change of parameters is not seen by counting arguments.
#[derive(Clone, Copy, Default)]
struct Blind {
    /// Whether there is another number or other names to give, so that who cannot be counted may be broken.
    to_number: bool,
    /// Whether types or the order are others, so that who gives the same number may be broken.
    to_types: bool,
}

impl Blind {
    fn of(before: &[Option<Parameters>], after: &[Option<Parameters>], checks_types: bool) -> Self {
        let is_one = before.len() == 1 && after.len() == 1;
        let ([Some(before), ..], [Some(after), ..]) = (before, after) else {
            let to_number = before != after || before.iter().all(Option::is_none);
            return Self {
                to_number,
                to_types: false,
            };
        };
        let changes = Parameters::compare(before, after);
        let breaks = |change: &Change| match change {
            Change::Added(_, need) => *need == Need::Required,
            Change::Renamed { is_used, .. } => *is_used,
            Change::Removed(_) | Change::Required(_) | Change::Reached(_) | Change::Receiver => {
                true
            }
            _ => false,
        };
        let retypes = |change: &Change| match change {
            Change::Retyped(_) | Change::Result => checks_types,
            Change::Reordered | Change::Asynchronous => true,
            _ => false,
        };
        // What stood in a place stands in another.
        let placed = |all: &Parameters| {
            let all = all.list.iter().filter(|one| one.by != By::Name);
            all.map(|one| one.name.clone()).collect::<Vec<_>>()
        };
        let (was, is) = (placed(before), placed(after));
        let is_renamed = |name: &String| {
            let mut all = changes.iter();
            all.any(|change| matches!(change, Change::Renamed { from, .. } if from == name))
        };
        let mut both = was.iter().zip(&is);
        let shifts = both.any(|(was, is)| was != is && !is_renamed(was));
        Self {
            to_number: !is_one || changes.iter().any(breaks),
            to_types: shifts || changes.iter().any(retypes),
        }
    }
}

fn is_constructor(side: &Side<'_>, unit: UnitId) -> bool {
    let unit = side.unit(unit);
    unit.kind == SymbolKind::Constructor || &*unit.name == b"__init__"
}

/// What became of a call.
enum Judged {
    /// It fits, or never did: then something was not understood.
    Fits,
    /// It no longer fits; the flag says whether the language lets it pass.
    Broken(Misfit, bool),
    /// What it gives cannot be counted.
    Uncounted,
}

/// Judges a call by what it gives; `None` where that cannot be read.
fn judge(
    before: &[Option<Parameters>],
    after: &[Option<Parameters>],
    given: Option<&Arguments>,
) -> Judged {
    let Some(given) = given else {
        return Judged::Uncounted;
    };
    let (misfit, is_loose) = match fit_any(after, given) {
        Fit::No(misfit) => (misfit, false),
        Fit::Loosely(misfit) => (misfit, true),
        // What is spread is taken for as many as are wanted.
        Fit::Fits if !given.spreads && !given.spreads_names => return Judged::Fits,
        Fit::Fits | Fit::Unknown => return Judged::Uncounted,
    };
    match fit_any(before, given) {
        Fit::No(_) | Fit::Loosely(_) => Judged::Fits,
        // What lets everything pass is broken only where it is known to have fitted.
        Fit::Unknown if is_loose => Judged::Uncounted,
        Fit::Fits | Fit::Unknown => Judged::Broken(misfit, is_loose),
    }
}
