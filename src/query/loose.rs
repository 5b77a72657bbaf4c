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
use std::collections::{BTreeMap, BTreeSet};

/// Most distinct names that what is near may bring in.
const MAX_NEAR: usize = 200;
/// Most distinct names that a pattern may bring in: each takes its documents to be read.
pub(super) const MAX_MATCHING: usize = 1000;
/// How many names and definitions are near.
const NEAR: (usize, usize) = (MAX_NEAR, MAX_ALIKE);
/// Lengths of what may be first letters of the sub-words of names: two letters begin too many.
const MAY_BE_ACRONYM: std::ops::RangeInclusive<usize> = 3..=8;
/// Longest name that others are a few letters off, in characters.
const MAX_WORD: usize = 64;

/// Names, each with the places it is known at. The order of the keys (match kind, distance, spelling) is one that no
/// segmentation changes, so a cut in it is safe.
struct Names<'a> {
    view: &'a View,
    found: BTreeMap<Key, Vec<(SegmentOrd, NameId)>>,
}

/// How a name matched, how many letters it is off, and its spelling.
type Key = (MatchKind, u32, Vec<u8>);

impl<'a> Names<'a> {
    fn of(view: &'a View) -> Self {
        let found = BTreeMap::new();
        Self { view, found }
    }

    /// Adds a name if a live document defines it.
    fn add(&mut self, matched: (MatchKind, u32), spelt: &[u8], (ord, id): (SegmentOrd, NameId)) {
        let live = self.view.segment(ord);
        if live.segment.defining_docs(id).any(|doc| live.is_live(doc)) {
            let key = (matched.0, matched.1, spelt.to_vec());
            self.found.entry(key).or_default().push((ord, id));
        }
    }

    /// Adds names that share words with one.
    fn add_alike(&mut self, own: &str, container: Option<&str>) {
        for alike in overlap::alike(self.view, own, container) {
            self.add((MatchKind::Shared, alike.distance), &alike.spelt, alike.at);
        }
    }

    /// The definitions of the first names, until there are enough of both; best first.
    fn definitions(
        self,
        (most, enough): (usize, usize),
        filter: &Filter,
        name: &Name,
    ) -> Vec<Definition> {
        let (view, mut found) = (self.view, Vec::new());
        for ((kind, distance, _), places) in self.found.into_iter().take(most) {
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
    let mut names = Names::of(view);
    with_subwords(&mut names, name.own.as_bytes());
    let mut folded = Vec::new();
    terms::fold(name.own.as_bytes(), &mut folded);
    let folded = String::from_utf8_lossy(&folded);
    with_humps(&mut names, &name.own, &folded);
    if folded.len() >= 2 {
        let begins = Folded(Begins {
            with: folded.as_bytes(),
            then: b"",
        });
        view.names().walk(&begins, |spelt, _, ord, id| {
            if folded_of(spelt).starts_with(folded.as_bytes()) {
                names.add((MatchKind::Prefix, 0), spelt, (ord, id));
            }
        });
    }
    let edits = fuzzy_distance(folded.len());
    if names.found.is_empty() && edits > 0 && folded.chars().count() <= MAX_WORD {
        let word = Folded(Near::new(&folded, edits));
        view.names().walk(&word, |spelt, state, ord, id| {
            if let Some(edits) = word.0.distance(state.inner) {
                names.add((MatchKind::Fuzzy, edits), spelt, (ord, id));
            }
        });
    }
    if let Some(container) = name.containers.last() {
        let mut members = Names::of(view);
        members.add_alike(&name.own, Some(container));
        let mut members = members.definitions(NEAR, filter, name);
        members.retain(|of| of.is_inside() && !of.is_title());
        if !members.is_empty() {
            let mut found = names.definitions(NEAR, filter, name);
            let known: BTreeSet<_> = found.iter().map(|of| (of.file, of.index)).collect();
            members.retain(|of| !known.contains(&(of.file, of.index)));
            found.extend(members);
            definitions::sort(&mut found);
            return found;
        }
    }
    if !names.found.is_empty() {
        return names.definitions(NEAR, filter, name);
    }
    names.add_alike(&name.own, None);
    let mut found = names.definitions(NEAR, filter, name);
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
    let mut names = Names::of(view);
    match pattern.members_of() {
        Some(container) => members(&mut names, &expression, container),
        None => view.names().walk(&expression, |spelt, _, ord, id| {
            names.add((MatchKind::Pattern, 0), spelt, (ord, id));
        }),
    }
    let count = names.found.len();
    let found = names.definitions((MAX_MATCHING, usize::MAX), filter, &pattern.inside);
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
                names.add((MatchKind::Pattern, 0), &spelt, (ord, id));
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
            names.add((MatchKind::SubWord, 0), &spelt, (ord, id));
        }
    }
}

/// Names whose sub-words begin with these letters, one each (`lru`), or with these sub-words (`compETag`).
fn with_humps(names: &mut Names<'_>, own: &str, folded: &str) {
    let humps: Vec<Vec<u8>> = terms::parts(own.as_bytes()).map(folded_of).collect();
    let letters = MAY_BE_ACRONYM.contains(&folded.len()) && folded.is_ascii();
    if !letters && humps.len() < 2 {
        return;
    }
    let text = humps.concat();
    let (with, then) = text.split_at(text.len().min(1));
    let begins = Folded(Begins { with, then });
    names.view.names().walk(&begins, |spelt, _, ord, id| {
        let parts: Vec<Vec<u8>> = terms::parts(spelt).map(folded_of).collect();
        let begin = |humps: &[&[u8]]| {
            let mut pairs = parts.iter().zip(humps);
            parts.len() == humps.len() && pairs.all(|(part, hump)| part.starts_with(hump))
        };
        let by_letters = letters && begin(&folded.as_bytes().chunks(1).collect::<Vec<_>>());
        let by_humps =
            || humps.len() > 1 && begin(&humps.iter().map(Vec::as_slice).collect::<Vec<_>>());
        if by_letters || by_humps() {
            names.add((MatchKind::Acronym, 0), spelt, (ord, id));
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
