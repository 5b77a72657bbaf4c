//! `search`: channels, fusion, code-aware order, snippets.

use super::answer::{FoundBy, SearchAnswer, SearchHit, Stamp};
use super::confidence::{self, Evidence};
use super::fuse::{self, Channel, Fused, Fusion, Level};
use super::impacts::TextTables;
use super::kind::{AskedFor, QueryKind, Weights};
use super::lexical::{self, LiveChunk, Pointed, QueryTerms, Scored};
use super::named::NameTables;
use super::norms::Norms;
use super::places::PathTerms;
use super::reader::Reader;
use super::request::SearchRequest;
use super::scope::Filter;
use super::vectors::{self, Vectors};
use super::{Error, cochange, defined, frames, history, named, phrase, spelt};
use crate::extract::terms;
use crate::graph::edges::Graph;
use crate::history::window::Window;
use crate::id::LiveDoc;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

/// Items of each channel that take part in the fusion.
const CHANNEL_DEPTH: usize = 200;
/// Hits of one file, so that an answer reaches many files.
const MAX_HITS_PER_FILE: i32 = 3;
/// Factor on the score of a file's second hit, squared for its third.
const FURTHER_HIT: f64 = 0.4;
/// What a chunk's file says, against what the chunk says.
const OF_FILE: f64 = 2.0;
/// Longest query, in terms; what follows is ignored. A question has about ten.
const MAX_TERMS: usize = 48;

/// A chunk as seen at one path; in the order of paths and lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) file: FileId,
    start_line: u32,
}

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
    pub vectors: &'a Vectors,
    /// Commits before the revision.
    pub window: &'a Window,
    /// Who calls whom, if that is known already.
    pub graph: Option<&'a Graph>,
}

/// Answers `search` from a view.
///
/// # Errors
/// A bad scope, or a query without a word in it.
pub fn search(
    sources: &Sources<'_>,
    texts: &mut Texts,
    request: &SearchRequest,
    stamp: Stamp,
) -> Result<SearchAnswer, Error> {
    let Sources {
        view,
        text: tables,
        names,
        paths,
        vectors: near,
        window,
        graph,
    } = *sources;
    let filter = Filter::new(&request.scope)?;
    let mut query = QueryTerms::parse(&request.query);
    query.terms.truncate(MAX_TERMS);
    if query.words.is_empty() {
        return Err(Error::EmptyQuery);
    }
    let norms = tables.norms();
    let scored = lexical::score(view, tables, &query);
    let admitted = Admitted::of(view, norms, &filter);
    let (best, total) = scored.best(norms, CHANNEL_DEPTH, |chunk| {
        norms.doc_of(chunk).is_some_and(|doc| admitted.doc(doc))
            && (!filter.restricts_kinds() || place(view, &filter, norms.chunk(chunk)).is_some())
    });
    let mut in_text: Vec<(LiveChunk, f64, Place)> = best
        .into_iter()
        .filter_map(|(chunk, score)| Some((chunk, score, place(view, &filter, chunk)?)))
        .collect();
    in_text.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.2.cmp(&b.2)));
    in_text.truncate(CHANNEL_DEPTH);

    let asked = AskedFor::of(&query);
    let by_path = paths.rank(view, &query, CHANNEL_DEPTH, |id| {
        let file = view.file(id);
        let doc = norms.number(file.doc?);
        admitted.doc(doc).then(|| asked.weight(file.role))
    });
    let mut in_path = Vec::new();
    let mut file_names = Vec::new();
    for found in by_path {
        let Some(chunk) = shown(view, norms, &filter, &scored, found.file) else {
            continue;
        };
        in_path.push((chunk, found.score));
        file_names.extend(found.whole.map(|worth| (chunk, worth)));
    }
    file_names.sort_by(|a, b| b.1.total_cmp(&a.1));
    // A word that occurs nowhere is no name: what is near it may be what is meant.
    let weights = match scored.containing.iter().any(|chunks| *chunks > 0) {
        true => Weights::of(QueryKind::of(&request.query, &query)),
        false => Weights::of(QueryKind::Question),
    };
    let by_history = history::rank(view, norms, window, &query, &scored, CHANNEL_DEPTH);
    let is_known = scored.containing.first().is_some_and(|chunks| *chunks > 0);
    let spelt = spelt::rank(view, &filter, &request.query, is_known, CHANNEL_DEPTH);
    let by_vector = match weights.vector > 0.0 {
        true => vectors::rank(
            view,
            near,
            &query,
            |chunk| place(view, &filter, chunk),
            CHANNEL_DEPTH,
        ),
        false => Vec::new(),
    };
    let framed = frames::rank(view, &filter, &frames::frames(&request.query));
    let phrases = phrase::phrases(&request.query);
    let quoted = phrase::rank(view, texts, &filter, &phrases, CHANNEL_DEPTH);
    let mut channels = vec![
        Channel {
            name: "text",
            level: Level::Item,
            weight: weights.text,
            ranked: in_text.iter().map(|a| (a.0, a.1)).collect(),
        },
        Channel {
            name: "name",
            level: Level::Item,
            weight: weights.name,
            ranked: named::rank(
                view,
                names,
                &filter,
                &query,
                &asked,
                &scored.containing,
                CHANNEL_DEPTH,
            ),
        },
        Channel {
            name: "symbol",
            level: Level::Item,
            weight: weights.symbol,
            ranked: scores(&spelt.ranked),
        },
        Channel {
            name: "path",
            level: Level::Group,
            weight: weights.path,
            ranked: distinct(in_path),
        },
        Channel {
            name: "file",
            level: Level::Group,
            weight: weights.file,
            ranked: distinct(file_names),
        },
        Channel {
            name: "definition",
            level: Level::Item,
            weight: weights.definition,
            ranked: defined::rank(view, &filter, &query, &asked, CHANNEL_DEPTH),
        },
        Channel {
            name: "history",
            level: Level::Group,
            weight: weights.history,
            ranked: by_history,
        },
        Channel {
            name: "vector",
            level: Level::Item,
            weight: weights.vector,
            ranked: by_vector,
        },
        Channel {
            name: "frame",
            level: Level::Item,
            weight: weights.frame,
            ranked: scores(&framed),
        },
        Channel {
            name: "phrase",
            level: Level::Item,
            weight: weights.phrase,
            ranked: scores(&quoted),
        },
    ];
    let document = |item: LiveChunk| LiveDoc {
        segment: item.segment,
        doc: view.segment(item.segment).segment.chunk_doc(item.chunk),
    };
    // What changes together with the best hits is known once there are hits.
    let hits = fuse::convex(&channels, document).items.into_iter();
    let hits = hits.map(|fused| (fused.item, fused.of_group));
    let together = cochange::rank(view, norms, window, hits, &scored, CHANNEL_DEPTH);
    channels.push(Channel {
        name: "co-change",
        level: Level::Group,
        weight: weights.cochange,
        ranked: together,
    });
    let fusion = fuse::convex(&channels, document);
    let mut ranked: Vec<Ranked> = fusion
        .items
        .iter()
        .filter_map(|fused| {
            let place = place(view, &filter, fused.item)?;
            let score = (fused.score + OF_FILE * fused.of_group) / (1.0 + OF_FILE);
            let role = asked.weight(view.file(place.file).role);
            Some(Ranked {
                score: score * role,
                role,
                place,
                fused,
            })
        })
        .collect();
    rank(&mut ranked);
    // Each further hit of a file tells less than the first hit of another.
    let mut per_file: FxHashMap<FileId, i32> = FxHashMap::default();
    ranked.retain_mut(|hit| {
        let earlier = per_file.entry(hit.place.file).or_default();
        hit.score *= FURTHER_HIT.powi(*earlier);
        *earlier += 1;
        *earlier <= MAX_HITS_PER_FILE
    });
    rank(&mut ranked);
    let total = total.max(ranked.len());
    ranked.truncate(request.limit);
    let reader = Reader::new(
        view,
        graph,
        &query,
        &scored.containing,
        [&framed[..], &quoted, &spelt.ranked],
    );
    let mut covered = None;
    let hits: Vec<SearchHit> = ranked
        .into_iter()
        .map(|ranked| {
            let found_by = found_by(&channels, &fusion, ranked.fused);
            let (hit, share) = reader.hit(texts, &ranked, found_by);
            covered = covered.or(Some(share));
            hit
        })
        .collect();
    let unknown = unknown_words(&query, &scored.containing);
    let evidence = Evidence {
        words: &query.words,
        unknown: &unknown,
        covered: covered.unwrap_or(1.0),
        is_defined: spelt.is_defined,
    };
    let confidence = confidence::judge(&hits, &evidence);
    let is_low = confidence.is_none_or(|judged| judged.level == confidence::Level::Low);
    let narrower = match is_low {
        true => confidence::narrower(view, &hits, &evidence),
        false => Vec::new(),
    };
    Ok(SearchAnswer {
        stamp,
        query: request.query.clone(),
        hits,
        total,
        files: filter.count(view),
        unknown_words: unknown,
        confidence,
        narrower,
        exact: None,
        history: window.extent().remark(),
        vectors: near.remark(),
    })
}

/// The documents that stand at a path the filter admits.
struct Admitted(Option<Vec<bool>>);

impl Admitted {
    fn of(view: &View, norms: &Norms, filter: &Filter) -> Self {
        if filter.is_open() {
            return Self(None);
        }
        let mut docs = vec![false; norms.doc_count()];
        for file in view.files().iter().filter(|file| filter.admits(view, file)) {
            if let Some(doc) = file.doc {
                docs[norms.number(doc) as usize] = true;
            }
        }
        Self(Some(docs))
    }

    fn doc(&self, doc: u32) -> bool {
        self.0.as_ref().is_none_or(|docs| docs[doc as usize])
    }
}

/// Where a file that was found by its path is shown: where it speaks of the question, or at its top.
fn shown(
    view: &View,
    norms: &Norms,
    filter: &Filter,
    scored: &Scored,
    file: FileId,
) -> Option<LiveChunk> {
    let doc = view.file(file).doc?;
    let chunks = view.segment(doc.segment).segment.doc(doc.doc).chunks;
    let first = (chunks.start < chunks.end).then_some(LiveChunk {
        segment: doc.segment,
        chunk: chunks.start,
    });
    let chunk = scored.best_of(norms, doc.segment, chunks).or(first)?;
    (!filter.restricts_kinds() || place(view, filter, chunk).is_some()).then_some(chunk)
}

/// A chunk with its score.
pub(super) struct Ranked<'a> {
    pub(super) score: f64,
    /// What of the score its file's role left.
    pub(super) role: f64,
    pub(super) place: Place,
    pub(super) fused: &'a Fused<LiveChunk, LiveDoc>,
}

/// Orders by score, then path, then line.
fn rank(ranked: &mut [Ranked]) {
    ranked.sort_unstable_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.place.cmp(&b.place))
    });
}

/// What each channel said of a hit or of its file, by what it added to the score.
fn found_by(
    channels: &[Channel<LiveChunk>],
    fusion: &Fusion<LiveChunk, LiveDoc>,
    fused: &Fused<LiveChunk, LiveDoc>,
) -> Vec<FoundBy> {
    let of_file = fusion.groups.get(&fused.group).unwrap_or(&fused.shares);
    let mut found: Vec<FoundBy> = (0..channels.len())
        .filter(|at| of_file[*at] > 0.0)
        .map(|at| FoundBy {
            channel: channels[at].name,
            rank: Some(fused.ranks[at]).filter(|rank| *rank > 0),
            share: fused.shares[at],
            of_file: of_file[at],
            weight: fusion.weights[at],
        })
        .collect();
    let added = |found: &FoundBy| found.weight * (found.share + OF_FILE * found.of_file);
    found.sort_by(|a, b| added(b).total_cmp(&added(a)));
    found
}

/// Where a chunk is shown: the first path, in order, that the filter admits.
fn place(view: &View, filter: &Filter, chunk: LiveChunk) -> Option<Place> {
    let live = view.segment(chunk.segment);
    let doc = live.segment.chunk_doc(chunk.chunk);
    if filter.restricts_kinds() {
        let row = live.segment.chunk(chunk.chunk);
        let mut symbols = live.segment.symbols(row.doc);
        let symbol = row.symbol.and_then(|i| symbols.nth(i as usize));
        if !symbol.is_some_and(|s| filter.admits_kind(s.kind)) {
            return None;
        }
    }
    let file = live
        .files_of(doc)
        .find(|f| filter.admits(view, view.file(*f)))?;
    Some(Place {
        file,
        start_line: live.segment.chunk_lines(chunk.chunk).0,
    })
}

fn scores(pointed: &[Pointed]) -> Vec<(LiveChunk, f64)> {
    pointed
        .iter()
        .map(|found| (found.chunk, found.score))
        .collect()
}

fn distinct(items: Vec<(LiveChunk, f64)>) -> Vec<(LiveChunk, f64)> {
    let mut seen = rustc_hash::FxHashSet::default();
    items
        .into_iter()
        .filter(|(item, _)| seen.insert(*item))
        .collect()
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
