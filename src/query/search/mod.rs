//! `search`: channels, their fusion, code-aware order.
//!
//! A filter is turned into sets of the view ([`admitted`], made of [`facets`]) before anything is scored. A [`plan`]
//! is put to the channels, each a ranked list with a file of its own: [`text`], [`name`], [`symbol`], [`path`],
//! [`definition`], [`history`], [`vector`] (under the model of the embedding [`backend`]), [`frame`] and [`phrase`],
//! and once these are fused [`cochange`]. The [`fuse`]d scores are weighed by what a file is for ([`kind`]), few hits
//! of one file stay, a [`reader`] cuts what is shown, and a [`duplicate`] is told beside its original.
//! Guarantee: the order depends on the request, the view's
//! live documents and the history before the revision (with a model of the user's own also on what of
//! them was embedded, which the answer says), and on nothing of how documents are cut into segments.
//! Deliberately absent: text search line by line (see `query::grep`).

mod admitted;
pub mod answer;
mod asked;
pub mod backend;
pub mod chunk;
pub mod cochange;
pub mod confidence;
pub mod definition;
mod duplicate;
mod facets;
pub mod frame;
pub mod fuse;
pub mod history;
pub mod impacts;
pub mod kind;
pub mod memo;
pub mod name;
pub mod norms;
pub mod path;
pub mod path_table;
pub mod phrase;
mod plan;
pub mod query;
mod reader;
pub mod stems;
pub mod symbol;
pub mod text;
mod top;
pub mod vector;

use super::Error;
use super::nothing::Nothing;
use super::request::{Scope, SearchRequest};
use super::scope::Filter;
use super::search::answer::{FoundBy, SearchAnswer};
use super::state::Stamp;
use crate::extract::terms;
use crate::graph::edges::Graph;
use crate::history::window::Window;
use crate::id::DocAddress;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use backend::VectorSource;
use chunk::LiveChunk;
use confidence::Evidence;
use duplicate::Folded;
use fuse::{ChannelScore, Fused, Fusion};
use impacts::TextTables;
use name::NameTables;
use path_table::PathTerms;
use plan::{Place, QueryPlan};
use query::QueryTerms;
use reader::Reader;
use rustc_hash::FxHashMap;

/// Hits of one file, so that an answer reaches many files.
pub const MAX_HITS_PER_FILE: i32 = 3;
/// Factor on the score of a file's second hit, squared for its third.
pub const FURTHER_HIT: f64 = 0.4;
/// What a chunk's file says, against what the chunk says.
pub const OF_FILE: f64 = 2.0;

/// Hits that are read for one that is shown, when most are copies.
const MOST_READ: usize = 3;

/// What a search looks at.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The state of the repository.
    pub view: &'a View,
    /// Impacts of words.
    pub text: &'a TextTables,
    /// Names by their sub-words.
    pub names: &'a NameTables,
    /// Words of paths.
    pub paths: &'a PathTerms,
    /// Vectors of chunks.
    pub vectors: &'a VectorSource<'a>,
    /// Commits before the revision.
    pub window: &'a Window,
    /// Who calls whom, if that is known already.
    pub graph: Option<&'a Graph>,
}

/// Answers `search` from the files of a view that a filter admits. Fails on a query without a word in it.
pub fn search(
    sources: &Sources<'_>,
    texts: &mut Texts,
    (request, filter): (&SearchRequest, &Filter),
    stamp: Stamp,
) -> Result<SearchAnswer, Error> {
    let question = QueryPlan::new(*sources, request, filter)?;
    let asked = question.ask(texts);
    let mut fusion = Fusion::new();
    let document = |item: LiveChunk| {
        let segment = &sources.view.segment(item.segment).segment;
        DocAddress {
            segment: item.segment,
            doc: segment.chunk_doc(item.chunk),
        }
    };
    for channel in &asked.channels {
        fusion.add(channel, document);
    }
    // What changes together with the best hits is known once there are hits.
    let together = question.changed_with(fusion.groups());
    fusion.add(&together, document);
    fusion.score();
    let ranked = order(&question, &fusion.items);
    let total = asked.matching.max(ranked.len());
    let query = &question.query;
    let reader = Reader::new(
        sources.view,
        sources.graph,
        query,
        question.containing(),
        asked.pointed,
    );
    let mut covered = None;
    let mut folded = Folded::default();
    let mut cost = asked.cost;
    // A copy takes no place, and what comes after the last place is not read.
    let wanted = request.offset.saturating_add(request.limit);
    let mut ranked = ranked.iter().take(wanted.saturating_mul(MOST_READ));
    while folded.len() < wanted
        && let Some(ranked) = ranked.next()
    {
        cost.read += 1;
        let (hit, share) = reader.hit(texts, ranked, found_by(&fusion, ranked.fused));
        covered = covered.or(Some(share));
        folded.push(hit);
    }
    let mut hits = folded.hits;
    let nothing = match hits.is_empty() {
        true => Some(Box::new(nothing(sources, texts, (request, filter))?)),
        false => None,
    };
    let unknown = unknown_words(query, question.containing());
    let evidence = Evidence {
        words: &query.words,
        unknown: &unknown,
        slip: query
            .names()
            .find(|name| unknown.contains(name))
            .map(String::as_str),
        covered: covered.unwrap_or(1.0),
        is_defined: asked.is_defined,
    };
    let confidence = confidence::judge(&hits, &evidence);
    let is_low = confidence.is_none_or(|judged| judged.level == confidence::Level::Low);
    let narrower = match is_low {
        true => confidence::narrower(sources.view, texts, &hits, &evidence),
        false => Vec::new(),
    };
    hits.drain(..request.offset.min(hits.len()));
    Ok(SearchAnswer {
        stamp,
        query: request.query.clone(),
        offset: request.offset,
        hits,
        total,
        files: question.files(),
        within: filter.extent().cloned(),
        unknown_words: unknown,
        confidence,
        narrower,
        exact: None,
        history: sources.window.extent().remark(),
        vectors: asked.vectors,
        cost,
        memories: Vec::new(),
        nothing,
    })
}

/// Says where words were looked for in vain, and what is near them.
fn nothing(
    sources: &Sources<'_>,
    texts: &mut Texts,
    (request, filter): (&SearchRequest, &Filter),
) -> Result<Nothing, Error> {
    let nothing = Nothing::within(sources.view, filter, &request.scope);
    let found = match filter.is_open() {
        true => 0,
        false => {
            let everywhere = SearchRequest {
                scope: Scope::default(),
                limit: 1,
                ..request.clone()
            };
            search(
                sources,
                texts,
                (&everywhere, &Filter::open()),
                Stamp::default(),
            )?
            .total
        }
    };
    let nothing = nothing.beyond(found as u64);
    Ok(nothing.near_words(sources.view, texts, &request.query, request.mode))
}

/// A chunk with its score.
struct Ranked<'a> {
    score: f64,
    /// What of the score its file's role left.
    role: f64,
    place: Place,
    fused: &'a Fused<LiveChunk, DocAddress>,
}

/// Orders fused hits: product code first, few hits of one file.
fn order<'a>(
    question: &QueryPlan<'_>,
    fused: &'a [Fused<LiveChunk, DocAddress>],
) -> Vec<Ranked<'a>> {
    let mut ranked: Vec<Ranked> = fused
        .iter()
        .filter_map(|fused| {
            let place = question.place(fused.item)?;
            let role = question.role(place.file);
            let score = (fused.score + OF_FILE * fused.of_group) / (1.0 + OF_FILE);
            Some(Ranked {
                score: score * role,
                role,
                place,
                fused,
            })
        })
        .collect();
    sort(&mut ranked);
    // Each further hit of a file tells less than the first hit of another.
    let mut per_file: FxHashMap<FileId, i32> = FxHashMap::default();
    ranked.retain_mut(|hit| {
        let earlier = per_file.entry(hit.place.file).or_default();
        hit.score *= FURTHER_HIT.powi(*earlier);
        *earlier += 1;
        *earlier <= MAX_HITS_PER_FILE
    });
    sort(&mut ranked);
    ranked
}

/// Orders by score, then path, then line.
fn sort(ranked: &mut [Ranked]) {
    ranked.sort_unstable_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.place.cmp(&b.place))
    });
}

/// What each channel said of a hit or of its file, by what it added to the score.
fn found_by(
    fusion: &Fusion<LiveChunk, DocAddress>,
    fused: &Fused<LiveChunk, DocAddress>,
) -> Vec<FoundBy> {
    let mut scores: Vec<ChannelScore> = fusion.scores_of(fused).collect();
    let added = |of: &ChannelScore| of.weight * (of.share + OF_FILE * of.of_group);
    scores.sort_by(|a, b| added(b).total_cmp(&added(a)));
    let scores = scores.into_iter().map(|of| FoundBy {
        channel: of.channel,
        rank: of.rank,
        share: of.share,
        of_file: of.of_group,
        weight: of.weight,
    });
    scores.collect()
}

/// Words of the query none of whose terms occur.
fn unknown_words(query: &QueryTerms, containing: &[u64]) -> Vec<String> {
    let occurs = |word: &String| {
        let mut any = false;
        terms::for_each_term(word.as_bytes(), |term| {
            let at = query.terms.iter().position(|t| t == term);
            any |= at.and_then(|i| containing.get(i)).is_some_and(|n| *n > 0);
        });
        any
    };
    query
        .words
        .iter()
        .filter(|word| !occurs(word))
        .cloned()
        .collect()
}
