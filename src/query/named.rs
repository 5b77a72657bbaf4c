//! The name channel: definitions whose name is made of words of the query.

use super::definitions::kind_rank;
use super::kind::AskedFor;
use super::lexical::{LiveChunk, QueryTerms, idf};
use super::scope::Filter;
use crate::extract::terms;
use crate::id::{ChunkId, DocId, NameId, SegmentOrd};
use crate::segment::Segment;
use crate::view::live::{FileId, LiveSegment, View};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names looked at, those that hold most of the query first.
const MAX_NAMES: usize = 120;
/// Part of the best share below which names hold too little of the query to be worth a look: one
/// frequent word of several is held by thousands.
const MIN_SHARE: f64 = 0.34;
/// Files looked at for one name; a name that more files define tells nothing.
const MAX_FILES_PER_NAME: usize = 40;
/// Sub-words of a query that take part; they are numbered by the bits of a mask.
const MAX_PARTS: usize = 64;
/// What each sub-word that a name has beside those of the query takes from its score.
const BESIDE: f64 = 0.15;

/// A name with the places it is known at.
struct Name {
    score: f64,
    spelt: Vec<u8>,
    places: Vec<(SegmentOrd, NameId)>,
}

/// Chunks that define what the query names, with their scores, best first, at most `limit`, each
/// once. `containing` counts the live chunks that hold each of the query's terms.
pub fn rank(
    view: &View,
    filter: &Filter,
    query: &QueryTerms,
    asked: &AskedFor,
    containing: &[u64],
    limit: usize,
) -> Vec<(LiveChunk, f64)> {
    let mut ranked = Vec::new();
    for name in names_by_score(view, query, containing) {
        for (file, ord, doc, id) in defining_files(view, filter, &name) {
            let segment = &view.segment(ord).segment;
            let role = view.file(file).role;
            for symbol in segment.symbols(doc) {
                if symbol.name != id || !filter.admits_kind(symbol.kind) {
                    continue;
                }
                let Some(chunk) = chunk_at(segment, doc, symbol.name_line) else {
                    continue;
                };
                let score = name.score * asked.weight(role);
                let tie = (kind_rank(symbol.kind), role, file, symbol.name_line);
                ranked.push((
                    score,
                    tie,
                    LiveChunk {
                        segment: ord,
                        chunk,
                    },
                ));
            }
        }
    }
    ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut seen = FxHashSet::default();
    ranked
        .into_iter()
        .map(|(score, _, chunk)| (chunk, score))
        .filter(|(chunk, _)| seen.insert(*chunk))
        .take(limit)
        .collect()
}

/// Files that define a name, best first.
fn defining_files(
    view: &View,
    filter: &Filter,
    name: &Name,
) -> Vec<(FileId, SegmentOrd, DocId, NameId)> {
    let mut files = Vec::new();
    for (ord, id) in &name.places {
        let live = view.segment(*ord);
        for doc in live.segment.defining_docs(*id) {
            let mut of_doc = live.files_of(doc);
            if let Some(file) = of_doc.find(|f| filter.admits(view, view.file(*f))) {
                files.push((file, *ord, doc, *id));
            }
        }
    }
    files.sort_unstable_by_key(|(file, ..)| (view.file(*file).role, *file));
    files.truncate(MAX_FILES_PER_NAME);
    files
}

/// Defined names that hold sub-words of the query, best first.
///
/// The score is the share of the query's weight that the name covers, less what the name has
/// beside it, and one more when the query spells the name. Sub-words weigh as they do in the text,
/// by live chunks: how many names hold one would count names that only dead documents define.
fn names_by_score(view: &View, query: &QueryTerms, containing: &[u64]) -> Vec<Name> {
    let (parts, weights) = weighted_parts(view, query, containing);
    let total: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let mut by_mask: FxHashMap<u64, Vec<(SegmentOrd, NameId)>> = FxHashMap::default();
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        let mut held: FxHashMap<NameId, u64> = FxHashMap::default();
        for (i, part) in parts.iter().enumerate() {
            for id in live.segment.names_with_subword(part) {
                *held.entry(id).or_default() |= 1 << i;
            }
        }
        for (id, mask) in held {
            by_mask.entry(mask).or_default().push((ord, id));
        }
    }
    let share = |mask: u64| -> f64 {
        let held = weights
            .iter()
            .enumerate()
            .filter(|(i, _)| mask >> i & 1 == 1);
        held.map(|(_, weight)| weight).sum::<f64>() / total
    };
    let mut masks: Vec<(f64, u64)> = by_mask.keys().map(|mask| (share(*mask), *mask)).collect();
    masks.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut names = spelt_out(view, query, |word| share(mask_of(word, &parts)));
    let known: FxHashSet<Vec<u8>> = names.iter().map(|name| name.spelt.clone()).collect();
    let mut best_share: Option<f64> = None;
    for (share, mask) in masks {
        if best_share.is_some_and(|best| share < MIN_SHARE * best) {
            break;
        }
        // No name of this mask or a later one can be better than its share.
        if names.len() >= MAX_NAMES {
            sort(&mut names);
            names.truncate(MAX_NAMES);
            if names[MAX_NAMES - 1].score > share {
                break;
            }
        }
        let places = by_mask.remove(&mask).unwrap_or_default();
        let scored = score_names(view, places, share, mask.count_ones());
        let before = names.len();
        names.extend(scored.filter(|name| !known.contains(&name.spelt)));
        // Only a live name counts here, so that dead documents do not move the bound.
        if names.len() > before {
            best_share.get_or_insert(share);
        }
    }
    sort(&mut names);
    names.truncate(MAX_NAMES);
    names
}

/// The query's sub-words, each once, with their weights.
fn weighted_parts(view: &View, query: &QueryTerms, containing: &[u64]) -> (Vec<Vec<u8>>, Vec<f64>) {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for word in &query.words {
        terms::for_each_subword(word.as_bytes(), |part| {
            if parts.len() < MAX_PARTS && !parts.iter().any(|p| p == part) {
                parts.push(part.to_vec());
            }
        });
    }
    let all = view.statistics().chunks;
    let weights = parts
        .iter()
        .map(|part| {
            let at = query.terms.iter().position(|term| term == part);
            idf(
                at.and_then(|i| containing.get(i)).copied().unwrap_or(0),
                all,
            )
        })
        .collect();
    (parts, weights)
}

fn mask_of(word: &str, parts: &[Vec<u8>]) -> u64 {
    let mut mask = 0;
    terms::for_each_subword(word.as_bytes(), |part| {
        if let Some(i) = parts.iter().position(|p| p == part) {
            mask |= 1 << i;
        }
    });
    mask
}

/// Defined names that are words of the query, each once.
fn spelt_out(view: &View, query: &QueryTerms, share: impl Fn(&str) -> f64) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    for word in query.names() {
        let spelt = word.as_bytes();
        let places: Vec<(SegmentOrd, NameId)> = view
            .segments()
            .iter()
            .zip((0..).map(SegmentOrd))
            .filter_map(|(live, ord)| {
                let id = live.segment.name_id(spelt)?;
                is_defined(live, id).then_some((ord, id))
            })
            .collect();
        if !places.is_empty() && names.iter().all(|name| name.spelt != spelt) {
            let (score, spelt) = (1.0 + share(word), spelt.to_vec());
            names.push(Name {
                score,
                spelt,
                places,
            });
        }
    }
    names
}

/// Scores the names that hold the same sub-words of the query; those that no live document
/// defines are left out.
fn score_names(
    view: &View,
    places: Vec<(SegmentOrd, NameId)>,
    share: f64,
    held: u32,
) -> impl Iterator<Item = Name> {
    let mut by_spelling: FxHashMap<Vec<u8>, Vec<(SegmentOrd, NameId)>> = FxHashMap::default();
    for (ord, id) in places {
        let live = view.segment(ord);
        if is_defined(live, id) {
            let mut spelt = Vec::new();
            live.segment.name(id, &mut spelt);
            by_spelling.entry(spelt).or_default().push((ord, id));
        }
    }
    by_spelling.into_iter().map(move |(spelt, places)| {
        let mut own = 0u32;
        terms::for_each_subword(&spelt, |_| own += 1);
        let beside = f64::from(own.saturating_sub(held));
        Name {
            score: share / (1.0 + BESIDE * beside),
            spelt,
            places,
        }
    })
}

fn sort(names: &mut [Name]) {
    names.sort_unstable_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.spelt.cmp(&b.spelt))
    });
}

fn is_defined(live: &LiveSegment, id: NameId) -> bool {
    live.segment.defining_docs(id).any(|doc| live.is_live(doc))
}

/// The chunk of a document that holds a line.
pub fn chunk_at(segment: &Segment, doc: DocId, line: u32) -> Option<ChunkId> {
    let range = segment.doc(doc).chunks;
    let (mut low, mut high) = (range.start.0, range.end.0);
    while low < high {
        let middle = low + (high - low) / 2;
        if segment.chunk(ChunkId(middle)).end_line < line {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    (low < range.end.0).then_some(ChunkId(low))
}
