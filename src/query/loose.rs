//! Names that are near what was asked for, and names that match a pattern.
//!
//! Both walk over all names of a view ([`crate::view::names`]). A name that no live document defines does not count, and what
//! is cut off is cut off in an order of spellings, so neither dead documents nor the way documents are cut into segments
//! show.

use super::Error;
use super::answer::MatchKind;
use super::cards::MAX_ALIKE;
use super::definitions::{self, Definition};
use super::overlap;
use super::pattern::Pattern;
use super::scope::Filter;
use super::target::Name;
use crate::extract::terms;
use crate::id::{NameId, SegmentOrd};
use crate::view::live::View;
use crate::view::names::automata::{BadExpression, Begins, Expression, Folded, Near};
use crate::view::names::humps::Humps;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Most distinct names that what is near may bring in.
const MAX_NEAR: usize = 200;
/// Most distinct names that a pattern may bring in: each takes its documents to be read.
pub(super) const MAX_MATCHING: usize = 1000;
/// Lengths of what may be first letters of the sub-words of names: two letters begin too many.
const MAY_BE_ACRONYM: std::ops::RangeInclusive<usize> = 3..=8;
/// Longest name that others are a few letters off, in characters.
const MAX_WORD: usize = 64;

/// Names, each with the places it is known at. The order of the keys (match kind, distance, spelling) is one that no
/// segmentation changes, so a cut in it is safe.
struct Names<'a> {
    view: &'a View,
    /// How many are wanted: the first of these.
    most: usize,
    found: BTreeMap<Key, Vec<(SegmentOrd, NameId)>>,
}

/// How a name matched, how many letters it is off, and its spelling.
type Key = (MatchKind, u32, Vec<u8>);

impl<'a> Names<'a> {
    fn of(view: &'a View, most: usize) -> Self {
        let found = BTreeMap::new();
        Self { view, most, found }
    }

    /// Adds a name if a live document defines it. A break says that no name behind it, of those that match so, is wanted.
    fn add(
        &mut self,
        matched: (MatchKind, u32),
        spelt: &[u8],
        (ord, id): (SegmentOrd, NameId),
    ) -> ControlFlow<()> {
        let key = (matched.0, matched.1, spelt.to_vec());
        let is_full = self.found.len() >= self.most;
        if is_full
            && self
                .found
                .last_key_value()
                .is_some_and(|(last, _)| *last < key)
        {
            return ControlFlow::Break(());
        }
        let live = self.view.segment(ord);
        if live.segment.defining_docs(id).any(|doc| live.is_live(doc)) {
            self.found.entry(key).or_default().push((ord, id));
        }
        if self.found.len() > self.most {
            self.found.pop_last();
        }
        ControlFlow::Continue(())
    }

    /// Adds names that share words with one.
    fn add_alike(&mut self, own: &str, container: Option<&str>) {
        for alike in overlap::alike(self.view, own, container) {
            let matched = (MatchKind::Shared, alike.distance);
            // They are few, and in another order than that of bytes.
            let _ = self.add(matched, &alike.spelt, alike.at);
        }
    }

    /// The definitions of the names, until there are enough; best first.
    fn definitions(self, enough: usize, filter: &Filter, name: &Name) -> Vec<Definition> {
        let (view, mut found) = (self.view, Vec::new());
        for ((kind, distance, _), places) in self.found {
            if found.len() >= enough {
                break;
            }
            let matched = (kind, distance);
            for (ord, id) in places {
                let at = (view.segment(ord), ord);
                definitions::collect(view, filter, name, at, id, matched, &mut found);
            }
        }
        definitions::sort(&mut found);
        // A name can match in two ways; the better one stays.
        let mut seen = BTreeSet::new();
        found.retain(|found| seen.insert((found.file, found.index)));
        found
    }
}

/// Definitions whose names have the sub-words, the first letters or the beginning of a name, only if there are none,
/// those a few letters off, and only then those that share most words with it. Where a container was named members of that
/// are looked for which share one.
pub(super) fn near(view: &View, filter: &Filter, name: &Name) -> Vec<Definition> {
    let mut names = Names::of(view, MAX_NEAR);
    with_subwords(&mut names, name.own.as_bytes());
    let mut folded = Vec::new();
    terms::fold(name.own.as_bytes(), &mut folded);
    let folded = String::from_utf8_lossy(&folded);
    with_humps(&mut names, &name.own, &folded);
    if folded.len() >= 2 {
        let begins = Folded(Begins(folded.as_bytes()));
        view.names().walk(&begins, |spelt, _, ord, id| {
            match folded_of(spelt).starts_with(folded.as_bytes()) {
                true => names.add((MatchKind::Prefix, 0), spelt, (ord, id)),
                false => ControlFlow::Continue(()),
            }
        });
    }
    let edits = fuzzy_distance(folded.len());
    if names.found.is_empty() && edits > 0 && folded.chars().count() <= MAX_WORD {
        let word = Folded(Near::new(&folded, edits));
        view.names().walk(&word, |spelt, state, ord, id| {
            if let Some(edits) = word.0.distance(state.inner) {
                // What is behind it may be nearer.
                let _ = names.add((MatchKind::Fuzzy, edits), spelt, (ord, id));
            }
            ControlFlow::Continue(())
        });
    }
    if let Some(container) = name.containers.last() {
        let mut members = Names::of(view, MAX_NEAR);
        members.add_alike(&name.own, Some(container));
        let mut members = members.definitions(MAX_ALIKE, filter, name);
        members.retain(|of| of.is_inside() && !of.is_title());
        if !members.is_empty() {
            let mut found = names.definitions(MAX_ALIKE, filter, name);
            let known: BTreeSet<_> = found.iter().map(|of| (of.file, of.index)).collect();
            members.retain(|of| !known.contains(&(of.file, of.index)));
            found.extend(members);
            definitions::sort(&mut found);
            return found;
        }
    }
    if !names.found.is_empty() {
        return names.definitions(MAX_ALIKE, filter, name);
    }
    names.add_alike(&name.own, None);
    let mut found = names.definitions(MAX_ALIKE, filter, name);
    // A title has words enough to share some with any name.
    found.retain(|of| !of.is_title());
    found
}

/// Definitions whose names a pattern matches, best first, and how many names it matches, of which no more than
/// [`MAX_MATCHING`] are looked at. Fails on an expression that is none.
pub(super) fn matching(
    view: &View,
    filter: &Filter,
    pattern: &Pattern,
) -> Result<(Vec<Definition>, usize), Error> {
    let expression = Expression::new(&pattern.expression, pattern.ignores_case);
    let expression = expression.map_err(|error: BadExpression| Error::BadPattern {
        pattern: pattern.expression.clone(),
        reason: error.to_string(),
    })?;
    let mut names = Names::of(view, usize::MAX);
    match pattern.members_of() {
        Some(container) => members(&mut names, &expression, container),
        None => view.names().walk(&expression, |spelt, _, ord, id| {
            names.add((MatchKind::Pattern, 0), spelt, (ord, id))
        }),
    }
    let count = names.found.len();
    while names.found.len() > MAX_MATCHING {
        names.found.pop_last();
    }
    let found = names.definitions(usize::MAX, filter, &pattern.inside);
    Ok((found, count))
}

/// Names that an expression takes, of definitions in files that name their container.
fn members(names: &mut Names<'_>, expression: &Expression, container: &str) {
    let view = names.view;
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        let Some(container) = live.segment.name_id(container.as_bytes()) else {
            continue;
        };
        let docs = live.segment.uses(container).map(|found| found.doc);
        let symbols = docs
            .filter(|doc| live.is_live(*doc))
            .flat_map(|doc| live.segment.symbols(doc));
        for id in symbols.map(|symbol| symbol.name).collect::<BTreeSet<_>>() {
            let mut spelt = Vec::new();
            live.segment.name(id, &mut spelt);
            if expression.takes(&spelt) {
                let _ = names.add((MatchKind::Pattern, 0), &spelt, (ord, id));
            }
        }
    }
}

fn folded_of(spelt: &[u8]) -> Vec<u8> {
    let mut folded = Vec::with_capacity(spelt.len());
    terms::fold(spelt, &mut folded);
    folded
}

/// Names that have all sub-words of another one. Segments have lists of these, which are shorter than a walk.
fn with_subwords(names: &mut Names<'_>, own: &[u8]) {
    let mut subwords: Vec<Vec<u8>> = Vec::new();
    terms::for_each_word(own, |word, _| {
        terms::for_each_subword(word, |part| subwords.push(part.to_vec()));
    });
    for (live, ord) in names.view.segments().iter().zip((0..).map(SegmentOrd)) {
        let mut sets = subwords.iter().map(|part| {
            let with = live.segment.names_with_subword(part);
            with.collect::<BTreeSet<NameId>>()
        });
        let first = sets.next().unwrap_or_default();
        for id in sets.fold(first, |all, set| &all & &set) {
            let mut spelt = Vec::new();
            live.segment.name(id, &mut spelt);
            let _ = names.add((MatchKind::SubWord, 0), &spelt, (ord, id));
        }
    }
}

/// Names whose sub-words begin with these letters, one each (`lru`), or with these sub-words (`compETag`).
fn with_humps(names: &mut Names<'_>, own: &str, folded: &str) {
    let humps = terms::parts(own.as_bytes()).map(folded_of);
    let humps: Vec<String> = humps
        .map(|hump| String::from_utf8_lossy(&hump).into_owned())
        .collect();
    let has_letters = MAY_BE_ACRONYM.contains(&folded.len()) && folded.is_ascii();
    let letters: Vec<String> = folded.chars().map(String::from).collect();
    let mut ways: Vec<&[String]> = Vec::new();
    ways.extend(has_letters.then_some(&letters[..]));
    ways.extend((humps.len() > 1).then_some(&humps[..]));
    if ways.is_empty() {
        return;
    }
    names
        .view
        .names()
        .walk(&Humps::new(&ways), |spelt, _, ord, id| {
            let parts: Vec<Vec<u8>> = terms::parts(spelt).map(folded_of).collect();
            let begin = |humps: &&[String]| {
                let mut pairs = parts.iter().zip(*humps);
                parts.len() == humps.len()
                    && pairs.all(|(part, hump)| part.starts_with(hump.as_bytes()))
            };
            match ways.iter().any(begin) {
                true => names.add((MatchKind::Acronym, 0), spelt, (ord, id)),
                false => ControlFlow::Continue(()),
            }
        });
}

/// Letters that may be wrong in a name of so many bytes: one from four, two from eight. (Lucene's
/// automatic fuzziness has one from three and two from six; identifiers lie closer together.)
fn fuzzy_distance(len: usize) -> u32 {
    match len {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}
