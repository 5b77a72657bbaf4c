//! The files of both states that are asked what their definitions take and their calls give, each parsed once.

use super::readings::{Ask, GivenAt, MadeIn, TakenIn};
use super::{Place, Signatures, State};
use crate::extract::calls::{Arguments, Parsed};
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::query::diff::changes::Change;
use crate::query::diff::dangling::symbol_at;
use crate::query::diff::units::{Side, UnitId};
use crate::store::parallel;
use crate::view::live::FileId;
use crate::view::text::{PARALLEL_FROM, Text, Texts};
use std::sync::Arc;

/// Files of callers of which the trees are kept.
const MAX_TREES: usize = 64;

impl Signatures<'_> {
    /// A file, parsed when it is first asked for; `None` where it cannot be.
    pub(super) fn parsed(
        &mut self,
        texts: &mut Texts,
        state: State,
        file: FileId,
    ) -> Option<&Parsed> {
        let side = self.side(state);
        let parse = || {
            // Of a file that differs the text is at hand.
            let held = side.code(file).map(|code| code.text.clone());
            let text = held.or_else(|| texts.get(side.view, file))?;
            parse(side, file, &text)
        };
        let entry = self.parsed.entry((state, file));
        entry.or_insert_with(parse).as_ref()
    }

    /// What a call of the new state gives; `None` where it cannot be read.
    pub(in crate::query::diff) fn given(
        &mut self,
        texts: &mut Texts,
        place: Place,
    ) -> Option<Arguments> {
        let (file, line, col) = place;
        let mut given = match self.given.get(&place) {
            Some(given) => given.clone()?,
            None => self.read(texts, (State::New, file), GivenAt(line, col))?,
        };
        // `f(g())` gives what `g` is declared to give.
        if let Some((line, col)) = given.several_of
            && let Some(values) = self.values_of(texts, (file, line, col))
        {
            (given.positional, given.may_be_several) = (values, false);
        }
        Some(given)
    }

    /// How many values the function gives whose name stands at a place; `None` where it is not known for sure.
    fn values_of(&mut self, texts: &mut Texts, (file, line, col): Place) -> Option<usize> {
        let side = self.side(State::New);
        let number = side.graph.edge_at(file, line, col)?;
        let is_sure = side.graph.edge(number).rule.certainty() == Certainty::Resolved;
        let mut targets = side.graph.targets(number);
        let (target, None) = (targets.next()?, targets.next()) else {
            return None;
        };
        let (file, position) = side.graph.place(target);
        let (_, symbol) = symbol_at(side, file, position)?;
        let is_function = is_sure && semantics::is_callable(symbol.kind);
        is_function.then_some(())?;
        self.parameters_at(texts, file, symbol.span)?.gives()
    }

    /// Counts what some calls of the new state give, on all cores. The callers of what changed may be most of a
    /// repository: trees of so many are not kept.
    pub(super) fn count_all(&mut self, texts: &mut Texts, mut places: Vec<Place>) {
        places.sort_unstable();
        places.dedup();
        // What is kept may be given up before the question ends.
        places.retain(|place| {
            let (file, line, col) = *place;
            let known = self.known(texts, (State::New, file), GivenAt(line, col));
            let is_unknown = known.is_none();
            self.given.extend(known.map(|given| (*place, given)));
            is_unknown
        });
        let files = places.chunk_by(|one, other| one.0 == other.0);
        let is_unread = |places: &&[Place]| !self.parsed.contains_key(&(State::New, places[0].0));
        let files: Vec<&[Place]> = files.filter(is_unread).collect();
        let keys: Vec<(State, FileId)> = files.iter().map(|of| (State::New, of[0].0)).collect();
        if files.len() <= MAX_TREES {
            return self.parse_all(texts, keys);
        }
        let side = self.side(State::New);
        let read = self.texts_of(texts, &keys);
        let count = |(): &mut (), (_, file, text): &(State, FileId, Arc<Text>)| {
            let parsed = parse(side, *file, text)?;
            let first = places.partition_point(|place| place.0 < *file);
            let own = places[first..].iter().take_while(|place| place.0 == *file);
            let given = own.map(|place| (*place, GivenAt(place.1, place.2).of(&parsed)));
            Some(given.collect::<Vec<_>>())
        };
        let given = parallel::map(&read, parallel::cores(), || (), count);
        for (place, given) in given.into_iter().flatten().flatten() {
            let (file, line, col) = place;
            self.keep(texts, (State::New, file), GivenAt(line, col), given.clone());
            self.given.insert(place, given);
        }
    }

    /// Parses files that will be asked about, on all cores.
    pub(super) fn parse_all(&mut self, texts: &mut Texts, mut files: Vec<(State, FileId)>) {
        files.retain(|file| !self.parsed.contains_key(file));
        files.sort_unstable();
        files.dedup();
        if files.len() < PARALLEL_FROM {
            return;
        }
        let read = self.texts_of(texts, &files);
        let parsed = parallel::map(
            &read,
            parallel::cores(),
            || (),
            |(), (state, file, text)| parse(self.side(*state), *file, text),
        );
        let keys = read.iter().map(|(state, file, _)| (*state, *file));
        self.parsed.extend(keys.zip(parsed));
    }

    /// The texts of some files, as far as they are at hand.
    fn texts_of(
        &self,
        texts: &mut Texts,
        files: &[(State, FileId)],
    ) -> Vec<(State, FileId, Arc<Text>)> {
        let mut read: Vec<(State, FileId, Arc<Text>)> = Vec::with_capacity(files.len());
        for state in [State::Old, State::New] {
            let side = self.side(state);
            let of_state = files.iter().filter(|(of, _)| *of == state);
            let (held, others): (Vec<FileId>, Vec<FileId>) = of_state
                .map(|(_, file)| *file)
                .partition(|file| side.code(*file).is_some());
            let held = held
                .into_iter()
                .map(|file| (file, side.code(file).map(|code| code.text.clone())));
            let others = others.iter().copied().zip(texts.all(side.view, &others));
            let all = held.chain(others);
            read.extend(all.filter_map(|(file, text)| Some((state, file, text?))));
        }
        read
    }

    /// Parses the files of definitions that take something else, in both states.
    pub fn parse_called(&mut self, texts: &mut Texts) {
        let called = self.called().into_iter();
        let called = called.filter(|called| self.is_asked_about(called));
        let pairs = called.map(|called| (called.old, called.new)).collect();
        self.parse_pairs(texts, pairs);
    }

    /// Parses the files of those of some definitions that have another signature, in both states.
    pub(in crate::query::diff) fn parse_signed(
        &mut self,
        texts: &mut Texts,
        changes: impl Iterator<Item = Change>,
    ) {
        let signed = changes.filter_map(|change| match change {
            Change::Changed { old, new, how } if how.signature => Some((old, new)),
            _ => None,
        });
        self.parse_pairs(texts, signed.collect());
    }

    fn parse_pairs(&mut self, texts: &mut Texts, pairs: Vec<(UnitId, UnitId)>) {
        let pairs = pairs.into_iter();
        let units = pairs.flat_map(|(old, new)| [(State::Old, old), (State::New, new)]);
        let unread = units.filter_map(|(state, unit)| {
            let side = self.side(state);
            let of = side.unit(unit);
            let key = (state, of.file);
            let span = side.symbol(unit)?.span;
            let is_read = match semantics::is_type(of.kind) {
                true => self.known(texts, key, MadeIn::from(span)).is_some(),
                false => self.known(texts, key, TakenIn::from(span)).is_some(),
            };
            (!is_read).then_some(key)
        });
        let unread: Vec<(State, FileId)> = unread.collect();
        self.parse_all(texts, unread);
    }
}

/// Parses a file of one of the two states.
fn parse(side: &Side<'_>, file: FileId, text: &Text) -> Option<Parsed> {
    let doc = side.view.file(file).doc?;
    let grammar = side.view.segment(doc.segment).segment.doc(doc.doc).lang;
    Parsed::of(grammar, text.bytes())
}
