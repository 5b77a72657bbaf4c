//! A question made ready, and what each channel answers to it.

use super::admitted::Admitted;
use super::answer::Cost;
use super::chunk::{LiveChunk, Pointed};
use super::fuse::{Channel, Level};
use super::kind::{AskedFor, QueryKind, Weights};
use super::norms::Norms;
use super::query::QueryTerms;
use super::text::{self, Scored};
use super::vector::Compared;
use super::{Sources, cochange, definition, frame, history, name, path, phrase, symbol, vector};
use crate::id::DocAddress;
use crate::query::Error;
use crate::query::request::SearchRequest;
use crate::query::scope::Filter;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashSet;

/// Items of each channel that take part in the fusion.
const CHANNEL_DEPTH: usize = 200;
/// Longest query, in terms; what follows is ignored. A question has about ten.
const MAX_TERMS: usize = 48;

/// A chunk as seen at one path; in the order of paths and lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) file: FileId,
    start_line: u32,
}

/// A question with what every channel needs to know of it.
pub(super) struct QueryPlan<'a> {
    sources: Sources<'a>,
    typed: &'a str,
    pub(super) query: QueryTerms,
    admitted: Admitted<'a>,
    roles: AskedFor,
    scored: Scored<'a>,
    weights: Weights,
}

/// What the channels answered.
pub(super) struct ChannelAnswers {
    /// Their ranked lists.
    pub(super) channels: Vec<Channel<LiveChunk>>,
    /// Chunks that were found by a line, by the channels that know lines, the surest first.
    pub(super) pointed: [Vec<Pointed>; 3],
    /// Whether the query is the name of something that is defined.
    pub(super) is_defined: bool,
    /// What could not be compared by vectors, in a few words.
    pub(super) vectors: Option<String>,
    /// Number of chunks that hold a word of the query.
    pub(super) matching: usize,
    /// What was looked at.
    pub(super) cost: Cost,
}

impl<'a> QueryPlan<'a> {
    /// Takes a request apart and looks its words up. Fails on a query without a word in it.
    pub(super) fn new(
        sources: Sources<'a>,
        request: &'a SearchRequest,
        filter: &'a Filter,
    ) -> Result<Self, Error> {
        let mut query = QueryTerms::parse(&request.query);
        query.terms.truncate(MAX_TERMS);
        if query.words.is_empty() {
            return Err(Error::EmptyQuery);
        }
        let scored = text::score(sources.view, sources.text, &query);
        // A word that occurs nowhere is no name: what is near it may be what is meant.
        let kind = match scored.containing.iter().any(|chunks| *chunks > 0) {
            true => QueryKind::of(&request.query, &query),
            false => QueryKind::Question,
        };
        Ok(Self {
            admitted: Admitted::of(sources.view, sources.text, filter),
            roles: AskedFor::of(&query),
            weights: Weights::of(kind),
            typed: &request.query,
            sources,
            query,
            scored,
        })
    }

    /// Number of live chunks that hold each of the query's terms.
    pub(super) fn containing(&self) -> &[u64] {
        &self.scored.containing
    }

    /// Number of files asked about.
    pub(super) fn files(&self) -> usize {
        self.admitted.count()
    }

    /// Factor on the score of a file, by what it is for.
    pub(super) fn role(&self, file: FileId) -> f64 {
        self.roles.weight(self.sources.view.file(file).role)
    }

    /// Where a chunk is shown: the first path, in order, that the filter admits.
    pub(super) fn place(&self, chunk: LiveChunk) -> Option<Place> {
        let view = self.sources.view;
        if !self.admitted.chunk(self.norms(), chunk) {
            return None;
        }
        let live = view.segment(chunk.segment);
        let doc = live.segment.chunk_doc(chunk.chunk);
        let file = live.files_of(doc).find(|file| self.admitted.file(*file))?;
        Some(Place {
            file,
            start_line: live.segment.chunk_lines(chunk.chunk).0,
        })
    }

    /// Puts the question to every channel that needs no other.
    pub(super) fn ask(&self, texts: &mut Texts) -> ChannelAnswers {
        let (view, weights) = (self.sources.view, &self.weights);
        let mut cost = Cost {
            impacts: self.scored.impacts,
            ..Cost::default()
        };
        let by_text = self.by_text(&mut cost);
        let by_path = self.by_path(&mut cost);
        let is_known = self.scored.containing.first().is_some_and(|n| *n > 0);
        let filter = self.admitted.filter();
        let spelt = symbol::rank(view, filter, self.typed, is_known, CHANNEL_DEPTH);
        let admits = |file| self.admitted.file(file);
        let framed = frame::rank(view, admits, &frame::frames(self.typed));
        let phrases = phrase::phrases(self.typed);
        let quoted = phrase::rank(view, texts, admits, &phrases, CHANNEL_DEPTH);
        let (by_name, names) = name::rank(
            view,
            self.sources.names,
            &self.admitted,
            &self.query,
            &self.roles,
            &self.scored.containing,
            CHANNEL_DEPTH,
        );
        let (query, roles) = (&self.query, &self.roles);
        let by_definition = definition::rank(view, &self.admitted, query, roles, CHANNEL_DEPTH);
        let by_history = history::rank(
            view,
            self.norms(),
            self.sources.window,
            &self.query,
            &self.scored,
            CHANNEL_DEPTH,
        );
        cost.names = names;
        let (by_vector, vectors) = self.by_vector(texts, &mut cost);
        let channel = |name, level, weight, ranked| Channel {
            name,
            level,
            weight,
            ranked,
        };
        let (item, group) = (Level::Item, Level::Group);
        ChannelAnswers {
            channels: vec![
                channel("text", item, weights.text, by_text),
                channel("name", item, weights.name, by_name),
                channel("symbol", item, weights.symbol, scores(&spelt.ranked)),
                channel("path", group, weights.path, by_path.worded),
                channel("file", group, weights.file, by_path.named),
                channel("definition", item, weights.definition, by_definition),
                channel("history", group, weights.history, by_history),
                channel("vector", item, weights.vector, by_vector),
                channel("frame", item, weights.frame, scores(&framed)),
                channel("phrase", item, weights.phrase, scores(&quoted)),
            ],
            pointed: [framed, quoted, spelt.ranked],
            is_defined: spelt.is_defined,
            vectors,
            matching: cost.matching,
            cost,
        }
    }

    /// What changes together with documents that were found.
    pub(super) fn changed_with(
        &self,
        found: impl Iterator<Item = (DocAddress, f64)>,
    ) -> Channel<LiveChunk> {
        Channel {
            name: "co-change",
            level: Level::Group,
            weight: self.weights.cochange,
            ranked: cochange::rank(
                self.sources.view,
                self.norms(),
                self.sources.window,
                found,
                &self.scored,
                CHANNEL_DEPTH,
            ),
        }
    }

    fn norms(&self) -> &'a Norms {
        &self.sources.text.norms
    }

    /// Chunks by their words.
    fn by_text(&self, cost: &mut Cost) -> Vec<(LiveChunk, f64)> {
        let norms = self.norms();
        let passing = self.admitted.chunks();
        let best = self.scored.best(norms, passing, CHANNEL_DEPTH);
        (cost.matching, cost.scored) = (best.matching, best.scored);
        let placed = best.chunks.into_iter().filter_map(|(number, score)| {
            let chunk = norms.chunk(number);
            Some((chunk, f64::from(score), self.place(chunk)?))
        });
        let mut placed: Vec<(LiveChunk, f64, Place)> = placed.collect();
        placed.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.2.cmp(&b.2)));
        placed.truncate(CHANNEL_DEPTH);
        let ranked = placed.into_iter().map(|(chunk, score, _)| (chunk, score));
        ranked.collect()
    }

    /// Files by their paths.
    fn by_path(&self, cost: &mut Cost) -> ByPath {
        let (view, norms) = (self.sources.view, self.norms());
        let table = self.sources.paths;
        let (found, paths) = path::rank(table, view, &self.query, CHANNEL_DEPTH, |id| {
            let doc = norms.number(view.file(id).doc?);
            self.admitted.doc(doc).then(|| self.role(id))
        });
        cost.paths = paths;
        let (mut in_path, mut named) = (Vec::new(), Vec::new());
        for found in found {
            let shown = self.scored.shown(view, norms, found.file);
            let is_wanted = |chunk: &LiveChunk| {
                let any_kind = !self.admitted.filter().restricts_kinds();
                any_kind || self.admitted.chunk(norms, *chunk)
            };
            let Some(chunk) = shown.filter(is_wanted) else {
                continue;
            };
            in_path.push((chunk, found.score));
            named.extend(found.whole.map(|worth| (chunk, worth)));
        }
        named.sort_by(|a, b| b.1.total_cmp(&a.1));
        ByPath {
            worded: distinct(in_path),
            named: distinct(named),
        }
    }

    /// Chunks that are near the question, and what could not be compared. Where nearness counts for
    /// nothing no model is asked.
    fn by_vector(
        &self,
        texts: &mut Texts,
        cost: &mut Cost,
    ) -> (Vec<(LiveChunk, f64)>, Option<String>) {
        if self.weights.vector <= 0.0 {
            return (Vec::new(), None);
        }
        let compared = Compared::new(self.sources.vectors, self.typed, &self.query, texts);
        let within = |segment, rows, scan: &mut dyn FnMut(_)| {
            let base = self.norms().chunk_base(segment);
            self.admitted.each_range(base, rows, scan);
        };
        let place = |chunk| self.place(chunk);
        let (ranked, rows) = vector::rank(&compared, within, place, CHANNEL_DEPTH);
        cost.vectors = rows;
        (ranked, compared.remark)
    }
}

/// Files by what their paths say, best first, each as the chunk that is shown for it.
struct ByPath {
    /// Those that share words with the query.
    worded: Vec<(LiveChunk, f64)>,
    /// Those whose whole name is words of the query.
    named: Vec<(LiveChunk, f64)>,
}

fn scores(pointed: &[Pointed]) -> Vec<(LiveChunk, f64)> {
    pointed
        .iter()
        .map(|found| (found.chunk, found.score))
        .collect()
}

fn distinct(items: Vec<(LiveChunk, f64)>) -> Vec<(LiveChunk, f64)> {
    let mut seen = FxHashSet::default();
    items
        .into_iter()
        .filter(|(item, _)| seen.insert(*item))
        .collect()
}
