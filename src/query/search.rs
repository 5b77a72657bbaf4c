//! `search`: channels, fusion, code-aware order, snippets.

use super::answer::{FoundBy, MatchKind, SearchAnswer, SearchHit, Stamp};
use super::fuse::{self, Channel};
use super::ids::DocSymbols;
use super::kind::{AskedFor, QueryKind, Weights};
use super::lexical::{self, LiveChunk, QueryTerms, Scored};
use super::places::PathTerms;
use super::request::SearchRequest;
use super::scope::Filter;
use super::{Error, cochange, defined, definitions, history, named};
use crate::extract::terms;
use crate::history::window::Window;
use crate::id::LiveDoc;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts, fold_line};
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

/// How slowly the score of a definition falls with its rank, as in reciprocal rank fusion.
const SYMBOL_K: f64 = 10.0;

/// A chunk as seen at one path.
#[derive(Clone, Copy)]
struct Place {
    file: FileId,
    start_line: u32,
}

/// Answers `search` from a view.
///
/// # Errors
/// A bad scope, or a query without a word in it.
pub fn search(
    view: &View,
    paths: &PathTerms,
    window: &Window,
    texts: &mut Texts,
    request: &SearchRequest,
    stamp: Stamp,
) -> Result<SearchAnswer, Error> {
    let filter = Filter::new(&request.scope)?;
    let mut query = QueryTerms::parse(&request.query);
    query.terms.truncate(MAX_TERMS);
    if query.words.is_empty() {
        return Err(Error::EmptyQuery);
    }
    let mut scored = lexical::score(view, &query);
    let mut admitted: Vec<(LiveChunk, f64, Place)> = Vec::new();
    let restricted = !filter.is_open();
    let mut total = scored.chunks.len();
    let mut chunks = std::mem::take(&mut scored.chunks);
    if restricted {
        chunks.retain(|(chunk, _)| place(view, &filter, *chunk).is_some());
        total = chunks.len();
    }
    with_documents(view, &scored, &mut chunks);
    keep_best(&mut chunks, CHANNEL_DEPTH);
    for (chunk, score) in chunks {
        if let Some(place) = place(view, &filter, chunk) {
            admitted.push((chunk, score, place));
        }
    }
    admitted.sort_unstable_by(|a, b| {
        b.1.total_cmp(&a.1)
            .then_with(|| (a.2.file, a.2.start_line).cmp(&(b.2.file, b.2.start_line)))
    });
    admitted.truncate(CHANNEL_DEPTH);

    let asked = AskedFor::of(&query);
    let by_path = paths.rank(view, &query, CHANNEL_DEPTH, |id| {
        let file = view.file(id);
        filter.admits(view, file).then(|| asked.weight(file.role))
    });
    let mut in_path = Vec::new();
    let mut file_names = Vec::new();
    for found in by_path {
        let Some(chunk) = shown(view, &filter, &scored, found.file) else {
            continue;
        };
        in_path.push((chunk, found.score));
        file_names.extend(found.whole.map(|worth| (chunk, worth)));
    }
    file_names.sort_by(|a, b| b.1.total_cmp(&a.1));
    let weights = Weights::of(QueryKind::of(&request.query, &query));
    let by_history = history::rank(view, window, &query, &scored, CHANNEL_DEPTH);
    let mut channels = vec![
        Channel {
            name: "text",
            weight: weights.text,
            ranked: admitted.iter().map(|a| (a.0, a.1)).collect(),
        },
        Channel {
            name: "name",
            weight: weights.name,
            ranked: named::rank(
                view,
                &filter,
                &query,
                &asked,
                &scored.containing,
                CHANNEL_DEPTH,
            ),
        },
        Channel {
            name: "symbol",
            weight: weights.symbol,
            ranked: definitions_of(view, &filter, &request.query),
        },
        Channel {
            name: "path",
            weight: weights.path,
            ranked: distinct(in_path),
        },
        Channel {
            name: "file",
            weight: weights.file,
            ranked: distinct(file_names),
        },
        Channel {
            name: "definition",
            weight: weights.definition,
            ranked: defined::rank(view, &filter, &query, &asked, CHANNEL_DEPTH),
        },
        Channel {
            name: "history",
            weight: weights.history,
            ranked: by_history,
        },
    ];
    let document = |item: LiveChunk| LiveDoc {
        segment: item.segment,
        doc: view.segment(item.segment).segment.chunk_doc(item.chunk),
    };
    let hits = fuse::convex(&channels, document).into_iter();
    let hits = hits.map(|fused| (fused.item, fused.of_group));
    channels.push(Channel {
        name: "co-change",
        weight: weights.cochange,
        ranked: cochange::rank(view, window, hits, &scored, CHANNEL_DEPTH),
    });
    let mut ranked: Vec<Ranked> = fuse::convex(&channels, document)
        .into_iter()
        .filter_map(|fused| {
            let place = place(view, &filter, fused.item)?;
            let score = (fused.score + OF_FILE * fused.of_group) / (1.0 + OF_FILE);
            let score = score * asked.weight(view.file(place.file).role);
            Some((score, place, fused.item, fused.found_by))
        })
        .collect();
    rank(&mut ranked);
    // Each further hit of a file tells less than the first hit of another.
    let mut per_file: FxHashMap<FileId, i32> = FxHashMap::default();
    ranked.retain_mut(|(score, place, _, _)| {
        let earlier = per_file.entry(place.file).or_default();
        *score *= FURTHER_HIT.powi(*earlier);
        *earlier += 1;
        *earlier <= MAX_HITS_PER_FILE
    });
    rank(&mut ranked);
    let total = total.max(ranked.len());
    ranked.truncate(request.limit);
    let hits = ranked
        .into_iter()
        .map(|(score, place, chunk, found_by)| {
            hit(view, texts, &query, score, place, chunk, found_by)
        })
        .collect();
    Ok(SearchAnswer {
        stamp,
        query: request.query.clone(),
        hits,
        total,
        files: filter.count(view),
        unknown_words: unknown_words(&query, &scored.containing),
        history: window.extent().remark(),
    })
}

/// Where a file that was found by its path is shown: where it speaks of the question, or at its top.
fn shown(view: &View, filter: &Filter, scored: &Scored, file: FileId) -> Option<LiveChunk> {
    let doc = view.file(file).doc?;
    let chunks = view.segment(doc.segment).segment.doc(doc.doc).chunks;
    let first = (chunks.start < chunks.end).then_some(LiveChunk {
        segment: doc.segment,
        chunk: chunks.start,
    });
    let chunk = scored.best_of(doc.segment, chunks).or(first)?;
    (!filter.restricts_kinds() || place(view, filter, chunk).is_some()).then_some(chunk)
}

/// Chunks that define the one name a query consists of, best first.
fn definitions_of(view: &View, filter: &Filter, query: &str) -> Vec<(LiveChunk, f64)> {
    let name = query.trim();
    if name.contains(char::is_whitespace) || definitions::looks_like_a_path(name) {
        return Vec::new();
    }
    let chunks = definitions::find(view, filter, name)
        .into_iter()
        .take_while(|definition| definition.matched <= MatchKind::CaseInsensitive)
        .filter_map(|definition| {
            let segment = &view.segment(definition.doc.segment).segment;
            let symbol = segment.symbols(definition.doc.doc).nth(definition.index)?;
            let chunk = named::chunk_at(segment, definition.doc.doc, symbol.name_line)?;
            Some(LiveChunk {
                segment: definition.doc.segment,
                chunk,
            })
        });
    // They are in order, which says more than any measure of each: a type before its members, what is
    // exported before what is hidden.
    let ranked = chunks.take(CHANNEL_DEPTH).zip(1u32..);
    let ranked = ranked.map(|(chunk, rank)| (chunk, 1.0 / (SYMBOL_K + f64::from(rank))));
    distinct(ranked.collect())
}

/// A chunk with its score and what found it.
type Ranked = (f64, Place, LiveChunk, Vec<FoundBy>);

/// Orders by score, then path, then line.
fn rank(ranked: &mut [Ranked]) {
    ranked.sort_unstable_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then_with(|| (a.1.file, a.1.start_line).cmp(&(b.1.file, b.1.start_line)))
    });
}

/// Where a chunk is shown: the first path, in order, that the filter admits.
fn place(view: &View, filter: &Filter, chunk: LiveChunk) -> Option<Place> {
    let live = view.segment(chunk.segment);
    let row = live.segment.chunk(chunk.chunk);
    if filter.restricts_kinds() {
        let mut symbols = live.segment.symbols(row.doc);
        let symbol = row.symbol.and_then(|i| symbols.nth(i as usize));
        if !symbol.is_some_and(|s| filter.admits_kind(s.kind)) {
            return None;
        }
    }
    let file = live
        .files_of(row.doc)
        .find(|f| filter.admits(view, view.file(*f)))?;
    Some(Place {
        file,
        start_line: row.start_line,
    })
}

/// Adds to each chunk's score that of its document, both as shares of the best: the chunk says where,
/// the document says whether this is the file at all.
fn with_documents(view: &View, scored: &Scored, chunks: &mut [(LiveChunk, f64)]) {
    let mut best = (f64::MIN_POSITIVE, f64::MIN_POSITIVE);
    for (chunk, score) in chunks.iter() {
        best = (
            best.0.max(*score),
            best.1.max(scored.document(view, *chunk)),
        );
    }
    for (chunk, score) in chunks {
        *score = *score / best.0 + scored.document(view, *chunk) / best.1;
    }
}

/// Keeps the best `count` and all that tie with the last of them, so that what breaks the tie can
/// be looked up for few.
fn keep_best(chunks: &mut Vec<(LiveChunk, f64)>, count: usize) {
    if chunks.len() > count {
        let (_, (_, threshold), _) =
            chunks.select_nth_unstable_by(count - 1, |a, b| b.1.total_cmp(&a.1));
        let threshold = *threshold;
        chunks.retain(|(_, score)| *score >= threshold);
    }
}

fn distinct(items: Vec<(LiveChunk, f64)>) -> Vec<(LiveChunk, f64)> {
    let mut seen = rustc_hash::FxHashSet::default();
    items
        .into_iter()
        .filter(|(item, _)| seen.insert(*item))
        .collect()
}

fn hit(
    view: &View,
    texts: &mut Texts,
    query: &QueryTerms,
    score: f64,
    place: Place,
    chunk: LiveChunk,
    found_by: Vec<FoundBy>,
) -> SearchHit {
    let file = view.file(place.file);
    let segment = &view.segment(chunk.segment).segment;
    let row = segment.chunk(chunk.chunk);
    let path = file.path.to_string();
    let text = texts.get(view, place.file);
    let symbols = DocSymbols::load(segment, row.doc);
    let telling = text
        .as_deref()
        .map(|t| Telling::find(t, query, row.start_line, row.end_line))
        .unwrap_or_default();
    let index = spelt_out(&symbols, query, row.start_line, row.end_line)
        .or_else(|| telling.best.and_then(|line| symbols.around(line)))
        .or_else(|| {
            row.symbol
                .map(|i| i as usize)
                .filter(|i| *i < symbols.all().len())
        });
    let symbol = index.and_then(|i| symbols.reference(i, &path));
    let headline = text.as_deref().map_or_else(String::new, |text| {
        let signature = index
            .and_then(|i| symbols.get(i))
            .map(|s| fold_line(text.slice(s.signature.clone()), 160))
            .filter(|s| !s.is_empty());
        let line = telling.lines.first().copied().unwrap_or(row.start_line);
        signature.unwrap_or_else(|| fold_line(text.line(line), 160))
    });
    let body = text.as_deref().map_or_else(String::new, |text| {
        String::from_utf8_lossy(text.lines(row.start_line, row.end_line)).into_owned()
    });
    SearchHit {
        path,
        start_line: row.start_line,
        end_line: row.end_line,
        symbol,
        headline,
        text: body,
        telling_lines: telling.lines,
        found_by,
        score,
        blob: file.blob,
    }
}

/// The definition that a chunk holds of a name the query spells out.
fn spelt_out(symbols: &DocSymbols<'_>, query: &QueryTerms, first: u32, last: u32) -> Option<usize> {
    // The last word is the name itself where the query is qualified (`Context.JSON`).
    query.names().rev().find_map(|word| {
        (0..symbols.all().len()).find(|i| {
            (first..=last).contains(&symbols.all()[*i].name_line) && symbols.name(*i) == *word
        })
    })
}

/// The lines of a chunk that hold most of the query's terms.
#[derive(Default)]
struct Telling {
    /// The line that holds most; of equals the first.
    best: Option<u32>,
    /// At most three, in order.
    lines: Vec<u32>,
}

impl Telling {
    fn find(text: &Text, query: &QueryTerms, first: u32, last: u32) -> Self {
        let mut lines: Vec<(usize, u32)> = Vec::new();
        for line in first..=last {
            let mut held = vec![false; query.terms.len()];
            terms::for_each_word(text.line(line), |word, _| {
                terms::for_each_term(word, |term| {
                    if let Some(i) = query.terms.iter().position(|t| t == term) {
                        held[i] = true;
                    }
                });
            });
            let count = held.iter().filter(|h| **h).count();
            if count > 0 {
                lines.push((count, line));
            }
        }
        lines.sort_unstable_by_key(|(count, line)| (std::cmp::Reverse(*count), *line));
        lines.truncate(3);
        let mut lines: Vec<u32> = lines.into_iter().map(|(_, line)| line).collect();
        let best = lines.first().copied();
        lines.sort_unstable();
        Self { best, lines }
    }
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
