//! What changed between two signatures of a definition, and which calls no longer fit.
//!
//! A call is broken when its arguments fitted what the definition took, as far as that can be said, and do not fit
//! what it takes now: a call that never fitted says that something was not understood, unless it was written with the
//! change. Calls that were written so are held against what is as it was, too (`new_calls`).

mod gone;
mod new_calls;
mod parsed;
mod readings;

use super::Comparison;
use super::changes::Change as SymbolChange;
use super::dangling::{Expected, Fault, StaleUse};
use super::lines::LineMap;
use super::matching::Matches;
use super::possible::{PossibleUse, Why};
use super::units::{Side, UnitId};
use crate::extract::calls::{
    Arguments, Change, Fit, Misfit, Need, Parameters, Parsed, displaced, fit, fit_any,
};
use crate::extract::record::{OccurrenceKind, SymbolKind};
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::graph::table::{MAX_NAMESAKES, SymbolId};
use crate::lang;
use crate::view::live::FileId;
use crate::view::text::Texts;
pub use new_calls::UnfitCall;
use new_calls::is_settled;
use readings::{MadeIn, TakenIn};
use rustc_hash::FxHashMap;
use std::ops::{Range, RangeInclusive};

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

impl BadCall {
    /// Its place, and what it expects there.
    pub fn stale_use(&self) -> StaleUse {
        StaleUse {
            expected: Expected::Definition(self.old),
            by_member: false,
            file: self.file,
            line: self.line,
            col: self.col,
            fault: Fault::Misfit,
            certainty: self.certainty,
        }
    }
}

/// What became of the calls of what takes something else.
#[derive(Default)]
pub struct Calls {
    /// Those that fitted and do not fit any more, in order of definitions, files and lines.
    pub bad: Vec<BadCall>,
    /// Uses that may be broken, in no order.
    pub possible: Vec<PossibleUse>,
}

/// Overloads of one definition that are looked at: a use of their name leads to no more of them.
const MAX_OVERLOADS: usize = MAX_NAMESAKES;

/// What a definition takes, and after it what its overloads take; `None` for what cannot be read.
pub(super) type Overloads = Vec<Option<Parameters>>;

/// Where a name stands: its file, its line, its column.
pub(in crate::query::diff) type Place = (FileId, u32, u32);

/// Which of the two states something is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum State {
    Old,
    New,
}

/// Signatures of both states, read when they are asked for.
pub struct Signatures<'a> {
    found: &'a Comparison<'a>,
    parsed: FxHashMap<(State, FileId), Option<Parsed>>,
    /// What definitions take: overloads are asked for once for each of them.
    taken: FxHashMap<(State, UnitId), Option<Parameters>>,
    /// What calls of the new state give that were counted, and whose files need not be parsed.
    given: FxHashMap<Place, Option<Arguments>>,
    /// Where the lines of files of the new state were.
    lines: FxHashMap<FileId, Option<LineMap>>,
}

impl<'a> Signatures<'a> {
    /// Knows nothing yet.
    pub fn of(found: &'a Comparison<'a>) -> Self {
        Self {
            found,
            parsed: FxHashMap::default(),
            taken: FxHashMap::default(),
            given: FxHashMap::default(),
            lines: FxHashMap::default(),
        }
    }

    /// One of the two states.
    pub(super) fn side(&self, state: State) -> &'a Side<'a> {
        match state {
            State::Old => &self.found.old,
            State::New => &self.found.new,
        }
    }

    /// What became of each definition.
    pub(super) fn changes(&self) -> &'a [super::changes::Change] {
        &self.found.changes
    }

    /// What stands at a place of a file of the new state takes.
    pub(super) fn parameters_at(
        &mut self,
        texts: &mut Texts,
        file: FileId,
        span: Range<u32>,
    ) -> Option<Parameters> {
        self.read(texts, (State::New, file), TakenIn::from(span))
    }

    /// Which definition is which.
    pub(super) fn matches(&self) -> &'a Matches {
        &self.found.matches
    }

    /// What a definition takes; `None` where it cannot be read.
    pub(super) fn parameters(
        &mut self,
        texts: &mut Texts,
        state: State,
        unit: UnitId,
    ) -> Option<Parameters> {
        if let Some(known) = self.taken.get(&(state, unit)) {
            return known.clone();
        }
        let side = self.side(state);
        let file = side.unit(unit).file;
        let span = side.symbol(unit).map(|symbol| symbol.span);
        let found = span.and_then(|span| self.read(texts, (state, file), TakenIn::from(span)));
        self.taken.insert((state, unit), found.clone());
        found
    }

    /// What may be called where a definition is: itself before its overloads, or the constructors of a type.
    fn overloads(&mut self, texts: &mut Texts, state: State, unit: UnitId) -> Overloads {
        let side = self.side(state);
        let of = side.unit(unit);
        if semantics::is_type(of.kind) {
            let span = side.symbol(unit).map(|symbol| symbol.span);
            let made = span.and_then(|span| self.read(texts, (state, of.file), MadeIn::from(span)));
            return match made {
                Some(made) => made.into_iter().map(Some).collect(),
                None => vec![None],
            };
        }
        let is_overload = |other: &UnitId| {
            let other = side.unit(*other);
            (other.file, other.container, &other.name) == (of.file, of.container, &of.name)
        };
        let others = side.of_file(of.file).filter(|id| *id != unit);
        let others = others.filter(is_overload).take(MAX_OVERLOADS);
        let all: Vec<UnitId> = std::iter::once(unit).chain(others).collect();
        all.into_iter()
            .map(|unit| self.parameters(texts, state, unit))
            .collect()
    }

    /// What became of the calls of what takes something else.
    pub fn calls(&mut self, texts: &mut Texts) -> Calls {
        let mut calls = Calls::default();
        let asked = self.called().into_iter();
        let asked: Vec<Called> = asked.filter(|called| self.is_asked_about(called)).collect();
        let compared = asked.into_iter().filter_map(|called| {
            let compared = self.compared(texts, &called)?;
            // Of each use whether what it gives is to be counted.
            let uses = self.uses_of(called.new).into_iter();
            let uses = uses.map(|used| (self.is_counted(&used, &compared), used));
            let uses: Vec<(bool, Used)> = uses.collect();
            Some((called, compared, uses))
        });
        let compared: Vec<_> = compared.collect();
        let used = compared.iter().flat_map(|(_, _, uses)| uses);
        let calling = used.filter(|(is_counted, _)| *is_counted);
        let calling = calling.map(|(_, used)| (used.file, used.line, used.col));
        self.count_all(texts, calling.collect());
        for (called, (before, after, blind), uses) in compared {
            let Called { old, new, .. } = called;
            let unit = self.found.new.unit(new);
            let is_function = semantics::is_callable(unit.kind);
            for (is_counted, used) in uses {
                let given = match is_counted {
                    true => self.given(texts, (used.file, used.line, used.col)),
                    false => None,
                };
                // What was written with the change never had to fit what was there before.
                let is_written =
                    || used.certainty == Certainty::Resolved && self.is_new(used.file, used.line);
                let judged = judge(&before, &after, given.as_ref(), is_written);
                let end = given.map_or(used.line, |given| given.end_line);
                let why = match (judged, used.certainty) {
                    // Who wrote the call has seen which parameter takes what.
                    (Judged::Broken(Misfit::Displaced { .. }, _), _)
                        if self.is_edited(used.file, used.line..=end) =>
                    {
                        None
                    }
                    (Judged::Broken(..), Certainty::Ambiguous) => Some(Why::Ambiguous),
                    (Judged::Broken(..), _)
                        if !is_settled(&self.found.new, (used.file, used.line, used.col)) =>
                    {
                        Some(Why::Ambiguous)
                    }
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
            if before.len() > 1 {
                self.overloaded(texts, old, (&before, &after), &mut calls.possible);
            }
        }
        self.gone_overloads(texts, &mut calls);
        calls
            .bad
            .sort_by_key(|call| (call.old, call.file, call.line, call.col));
        calls
            .bad
            .dedup_by_key(|call| (call.file, call.line, call.col));
        calls
    }

    /// Whether anything may be told of the calls of something: it is used, or was.
    pub(super) fn is_asked_about(&self, called: &Called) -> bool {
        let old = &self.found.old;
        called.is_signed
            || !self.uses_of(called.new).is_empty()
            || !old.graph.incoming(old.unit(called.old).id).is_empty()
    }

    /// Whether anything that a use gives may make a difference, so that its file is worth parsing. Where something
    /// takes as many as before, under the same names, no call of it is broken by that.
    fn is_counted(
        &mut self,
        used: &Used,
        (before, after, blind): &(Overloads, Overloads, Blind),
    ) -> bool {
        let takes_as = |(was, is): (&Option<Parameters>, &Option<Parameters>)| match (was, is) {
            (Some(was), Some(is)) => was.takes_as(is),
            (was, is) => was.is_none() && is.is_none(),
        };
        let all = before.iter().zip(after);
        if !used.is_call || before.len() != after.len() || !all.into_iter().all(takes_as) {
            return used.is_call;
        }
        used.certainty != Certainty::Ambiguous
            && (blind.to_number || blind.to_types)
            && !self.is_new(used.file, used.line)
    }

    /// What something took and takes, with its overloads, and what counting arguments does not see of the change;
    /// `None` where nothing changed that could be read.
    pub(super) fn compared(
        &mut self,
        texts: &mut Texts,
        called: &Called,
    ) -> Option<(Overloads, Overloads, Blind)> {
        let after = self.overloads(texts, State::New, called.new);
        let before = self.overloads(texts, State::Old, called.old);
        if !called.is_signed && after.iter().all(Option::is_none) {
            return None;
        }
        let blind = match called.is_signed {
            true => Blind::of(&before, &after, self.checks_types(called.new)),
            // Of what decorators do to it nothing is known.
            false => Blind::default(),
        };
        Some((before, after, blind))
    }

    /// Calls that fitted the one of several overloads that changed, do not fit it any more, and fit another of the
    /// name by number alone, which the new graph takes them for.
    fn overloaded(
        &mut self,
        texts: &mut Texts,
        old: UnitId,
        (before, after): (&[Option<Parameters>], &[Option<Parameters>]),
        possible: &mut Vec<PossibleUse>,
    ) {
        let ([Some(was), ..], [Some(is), ..]) = (before, after) else {
            return;
        };
        for used in self.calls_before(old) {
            let (file, line) = (used.file, used.line);
            let Some(given) = self.given(texts, (file, line, used.col)) else {
                continue;
            };
            if fit(was, &given) == Fit::Fits
                && fit(is, &given) != Fit::Fits
                && fit_any(after, &given) == Fit::Fits
            {
                possible.push(PossibleUse {
                    why: Why::Types,
                    file,
                    line,
                    was: old,
                });
            }
        }
    }

    /// Calls that meant a definition of the old state or one of its overloads for sure, where they stand in the new one.
    fn calls_before(&mut self, old: UnitId) -> Vec<Used> {
        let found = self.found;
        let (graph, id) = (found.old.graph, found.old.unit(old).id);
        let mut used = Vec::new();
        for number in graph.incoming(id) {
            let edge = graph.edge(number);
            let certainty = certainty(&found.old, number, old);
            let path = &found.old.view.file(edge.file).path;
            let Some(file) = found.new.view.file_at(path.as_bytes()) else {
                continue;
            };
            let line = match found.new.code(file) {
                None => Some(edge.line),
                Some(_) => self
                    .lines_of(file)
                    .and_then(|lines| lines.new_line(edge.line)),
            };
            let is_sure = certainty <= Certainty::Inferred;
            let Some(line) = line.filter(|_| is_sure && edge.kind.is_call()) else {
                continue;
            };
            used.push(Used {
                file,
                line,
                col: edge.col,
                certainty,
                is_call: true,
            });
        }
        used
    }

    /// Whether a line of the new state was changed or added.
    pub(super) fn is_new(&mut self, file: FileId, line: u32) -> bool {
        let is_same = self.found.new.code(file).is_none();
        !is_same && self.lines_of(file).is_none_or(|lines| lines.is_new(line))
    }

    /// Whether lines of the new state were changed, or some between them were removed.
    fn is_edited(&mut self, file: FileId, lines: RangeInclusive<u32>) -> bool {
        let is_same = self.found.new.code(file).is_none();
        !is_same
            && self
                .lines_of(file)
                .is_none_or(|map| map.is_edited(*lines.start(), *lines.end()))
    }

    /// Where the lines of a file of the new state that differs were; `None` where it was not there.
    fn lines_of(&mut self, file: FileId) -> Option<&LineMap> {
        let found = self.found;
        let compare = || {
            let after = found.new.code(file)?;
            let mut files = found.files.iter();
            let was = files
                .find(|change| change.after() == Some(file))?
                .before()?;
            let before = found.old.code(was)?;
            Some(LineMap::of(before.text.bytes(), after.text.bytes()))
        };
        self.lines.entry(file).or_insert_with(compare).as_ref()
    }

    /// What is called and takes something else now: functions, and types whose constructors do.
    pub(super) fn called(&self) -> Vec<Called> {
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
    fn uses_of(&self, unit: UnitId) -> Vec<Used> {
        let id = self.found.new.unit(unit).id;
        let graph = self.found.new.graph;
        let used = graph.incoming(id).into_iter().filter_map(|number| {
            let edge = graph.edge(number);
            let certainty = certainty(&self.found.new, number, unit);
            let is_call = edge.kind.is_call();
            // `const { run } = jobs` is a writing of a name.
            let is_use =
                matches!(edge.kind, OccurrenceKind::Read | OccurrenceKind::Write) || is_call;
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
    pub(super) fn checks_types(&self, new: UnitId) -> bool {
        let side = &self.found.new;
        let grammar = side.view.file(side.unit(new).file).doc.map(|doc| {
            let segment = &side.view.segment(doc.segment).segment;
            segment.doc(doc.doc).lang
        });
        grammar.is_none_or(|grammar| !lang::of(grammar).types_are_hints)
    }
}

/// What is called and takes something else.
pub(super) struct Called {
    /// In the old state.
    pub old: UnitId,
    /// In the new state.
    pub new: UnitId,
    /// Whether its signature is another, and not only what decorates it.
    pub is_signed: bool,
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
pub(super) struct Blind {
    /// Whether there is another number or other names to give, so that who cannot be counted may be broken.
    pub to_number: bool,
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
            Change::Asynchronous => true,
            // Of one signature it is seen which parameter takes what.
            Change::Reordered => !is_one,
            _ => false,
        };
        Self {
            to_number: !is_one || changes.iter().any(breaks),
            to_types: changes.iter().any(retypes),
        }
    }
}

/// How sure it is that an edge means a definition or one of its overloads, which are tried together.
fn certainty(side: &Side<'_>, number: u32, unit: UnitId) -> Certainty {
    let of = side.unit(unit);
    let is_overload = |target: SymbolId| {
        let other = side.find(target).map(|other| side.unit(other));
        other.is_some_and(|other| {
            (other.file, other.container, &other.name) == (of.file, of.container, &of.name)
        })
    };
    match side.graph.edge(number).rule.certainty() {
        Certainty::Ambiguous if side.graph.targets(number).all(is_overload) => Certainty::Inferred,
        certainty => certainty,
    }
}

fn is_constructor(side: &Side<'_>, unit: UnitId) -> bool {
    let unit = side.unit(unit);
    unit.kind == SymbolKind::Constructor || &*unit.name == b"__init__"
}

/// What became of a call.
pub(super) enum Judged {
    /// It fits, or never did: then something was not understood.
    Fits,
    /// It no longer fits; the flag says whether the language lets it pass.
    Broken(Misfit, bool),
    /// What it gives cannot be counted.
    Uncounted,
}

/// Judges a call by what it gives; `None` where that cannot be read. One that `is_written` with the change has to fit
/// what is there now, where the language asks for it.
pub(super) fn judge(
    before: &[Option<Parameters>],
    after: &[Option<Parameters>],
    given: Option<&Arguments>,
    mut is_written: impl FnMut() -> bool,
) -> Judged {
    let Some(given) = given else {
        return Judged::Uncounted;
    };
    let (misfit, is_loose) = match fit_any(after, given) {
        Fit::No(misfit) => (misfit, false),
        Fit::Loosely(misfit) => (misfit, true),
        // What is spread is taken for as many as are wanted.
        Fit::Fits if !given.spreads && !given.spreads_names => {
            return match (before, after) {
                // It is let pass where the types are the same, and does something else.
                ([Some(before)], [Some(after)]) if fit(before, given) == Fit::Fits => {
                    match displaced(before, after, given) {
                        Some(misfit) => Judged::Broken(misfit, true),
                        None => Judged::Fits,
                    }
                }
                _ => Judged::Fits,
            };
        }
        Fit::Fits | Fit::Unknown => return Judged::Uncounted,
    };
    match fit_any(before, given) {
        Fit::No(_) | Fit::Loosely(_) if !is_loose && is_written() => {
            Judged::Broken(misfit, is_loose)
        }
        Fit::No(_) | Fit::Loosely(_) => Judged::Fits,
        // What lets everything pass is broken only where it is known to have fitted.
        Fit::Unknown if is_loose => Judged::Uncounted,
        Fit::Fits | Fit::Unknown => Judged::Broken(misfit, is_loose),
    }
}
