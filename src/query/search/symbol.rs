//! The symbol channel: definitions of the one name that a query consists of.

use super::chunk::{LiveChunk, Pointed, chunk_at};
use crate::query::answer::MatchKind;
use crate::query::definitions;
use crate::query::scope::Filter;
use crate::query::target::Target;
use crate::view::live::View;
use rustc_hash::FxHashSet;

/// How slowly the score of a definition falls with its rank, as in reciprocal rank fusion.
const K: f64 = 10.0;

/// What the channel found.
#[derive(Default)]
pub struct Spelt {
    /// The definitions, best first, each chunk once.
    pub ranked: Vec<Pointed>,
    /// Whether the name is defined as it is typed, but for case.
    pub is_defined: bool,
}

/// Looks the name up. Names a few letters off, and those it has the first letters of, count where the
/// word occurs nowhere, which is what `is_known` denies: then it is a slip or an acronym.
pub fn rank(view: &View, filter: &Filter, query: &str, is_known: bool, limit: usize) -> Spelt {
    let target = Target::read(query);
    if target.text.contains(char::is_whitespace) || target.text.contains('/') {
        return Spelt::default();
    }
    // What ends like a file may be a name (`res.json`), but only as it is spelt.
    let doubtful = target.is_like_a_path();
    let mut found = definitions::of_name(view, filter, &target.name, doubtful);
    let is_defined =
        (found.first()).is_some_and(|first| first.matched <= MatchKind::CaseInsensitive);
    found.retain(|definition| match definition.matched {
        MatchKind::Fuzzy | MatchKind::Acronym => !is_known,
        matched => matched <= MatchKind::CaseInsensitive,
    });
    let places = found.into_iter().filter_map(|definition| {
        let segment = &view.segment(definition.doc.segment).segment;
        let symbol = segment.symbols(definition.doc.doc).nth(definition.index)?;
        let chunk = chunk_at(segment, definition.doc.doc, symbol.name_line)?;
        let segment = definition.doc.segment;
        Some((LiveChunk { segment, chunk }, symbol.name_line))
    });
    // They are in order, which says more than any measure of each: a type before its members, what is
    // exported before what is hidden.
    let mut seen = FxHashSet::default();
    let ranked = places.take(limit).zip(1u32..);
    let ranked = ranked.filter(|((chunk, _), _)| seen.insert(*chunk));
    Spelt {
        ranked: ranked
            .map(|((chunk, line), rank)| Pointed {
                chunk,
                line,
                score: 1.0 / (K + f64::from(rank)),
            })
            .collect(),
        is_defined,
    }
}
