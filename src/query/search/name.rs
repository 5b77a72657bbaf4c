//! The name channel: definitions whose name is made of words of the query.

use super::admitted::Admitted;
use super::chunk::{LiveChunk, chunk_at};
use super::kind::AskedFor;
use super::memo::Memo;
use super::query::QueryTerms;
use super::text::idf;
use crate::extract::terms;
use crate::id::{DocId, NameId, SegmentOrd};
use crate::query::definitions::kind_rank;
use crate::store::parallel;
use crate::view::live::{FileId, LiveSegment, View};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

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

/// Names that one core takes at a time: fewer are looked up sooner than another one begins.
const NAMES_AT_ONCE: usize = 4096;
/// Bytes of lists kept for a view.
const ROOM: usize = 16 << 20;

/// What the channel keeps of a view between questions: the defined names that hold a sub-word.
pub struct NameTables {
    lists: Memo<Vec<Held>>,
}

/// A name that some live document defines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    segment: SegmentOrd,
    name: NameId,
    /// Sub-words it consists of.
    parts: u16,
}

impl NameTables {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            lists: Memo::new(ROOM),
        }
    }

    /// The names that hold a sub-word, in order.
    fn holding(&self, view: &View, part: &[u8]) -> Arc<Vec<Held>> {
        let size = |list: &Vec<Held>| list.len() * size_of::<Held>();
        self.lists.get(part, size, || {
            let segments = view.segments().iter().zip((0..).map(SegmentOrd));
            let names = segments.flat_map(|(live, segment)| {
                let names = live.segment.names_with_subword(part);
                names.map(move |name| (segment, name))
            });
            let names: Vec<(SegmentOrd, NameId)> = names.collect();
            // A word of many names is looked up by all cores.
            let pieces: Vec<_> = names.chunks(NAMES_AT_ONCE).collect();
            let lists = parallel::map(&pieces, parallel::cores(), Vec::new, |spelt, piece| {
                let all = piece.iter().filter_map(|name| held(view, *name, spelt));
                all.collect::<Vec<Held>>()
            });
            let mut list = lists.concat();
            list.sort_unstable();
            list
        })
    }
}

/// A name, if a live document defines it. What it is spelt like is written over what was there.
fn held(view: &View, (segment, name): (SegmentOrd, NameId), spelt: &mut Vec<u8>) -> Option<Held> {
    let live = view.segment(segment);
    if !is_defined(live, name) {
        return None;
    }
    spelt.clear();
    live.segment.name(name, spelt);
    let mut parts = 0u16;
    terms::for_each_subword(spelt, |_| parts = parts.saturating_add(1));
    Some(Held {
        segment,
        name,
        parts,
    })
}

impl Default for NameTables {
    fn default() -> Self {
        Self::new()
    }
}

/// A name with the places it is known at.
struct Name {
    score: f64,
    spelt: Vec<u8>,
    places: Vec<(SegmentOrd, NameId)>,
}

/// Chunks that define what the query names, with their scores, best first, at most `limit`, each
/// once; and how many names were compared. `containing` counts the live chunks that hold each of the query's terms.
pub fn rank(
    view: &View,
    tables: &NameTables,
    admitted: &Admitted<'_>,
    query: &QueryTerms,
    asked: &AskedFor,
    containing: &[u64],
    limit: usize,
) -> (Vec<(LiveChunk, f64)>, usize) {
    let mut ranked = Vec::new();
    // Chunks that nothing of a later name with a lower score can come before.
    let mut settled = FxHashSet::default();
    let mut before = f64::INFINITY;
    let (names, compared) = names_by_score(view, tables, query, containing);
    for name in names {
        if settled.len() >= limit && name.score < before {
            break;
        }
        before = name.score;
        for (file, ord, doc, id) in defining_files(view, admitted, &name) {
            let segment = &view.segment(ord).segment;
            let role = view.file(file).role;
            for symbol in segment.symbols(doc) {
                if symbol.name != id || !admitted.kind(symbol.kind) {
                    continue;
                }
                let Some(chunk) = chunk_at(segment, doc, symbol.name_line) else {
                    continue;
                };
                let score = name.score * asked.weight(role);
                let tie = (kind_rank(symbol.kind), role, file, symbol.name_line);
                let chunk = LiveChunk {
                    segment: ord,
                    chunk,
                };
                if score >= name.score {
                    settled.insert(chunk);
                }
                ranked.push((score, tie, chunk));
            }
        }
    }
    ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut seen = FxHashSet::default();
    let ranked = ranked
        .into_iter()
        .map(|(score, _, chunk)| (chunk, score))
        .filter(|(chunk, _)| seen.insert(*chunk))
        .take(limit);
    (ranked.collect(), compared)
}

/// Files that define a name, best first.
fn defining_files(
    view: &View,
    admitted: &Admitted<'_>,
    name: &Name,
) -> Vec<(FileId, SegmentOrd, DocId, NameId)> {
    let mut files = Vec::new();
    for (ord, id) in &name.places {
        let live = view.segment(*ord);
        for doc in live.segment.defining_docs(*id) {
            let mut of_doc = live.files_of(doc);
            if let Some(file) = of_doc.find(|f| admitted.file(*f)) {
                files.push((file, *ord, doc, *id));
            }
        }
    }
    files.sort_unstable_by_key(|(file, ..)| (view.file(*file).role, *file));
    files.truncate(MAX_FILES_PER_NAME);
    files
}

/// Defined names that hold sub-words of the query, best first, and how many were compared.
///
/// The score is the share of the query's weight that the name covers, less what the name has
/// beside it, and one more when the query spells the name. Sub-words weigh as they do in the text,
/// by live chunks: how many names hold one would count names that only dead documents define.
fn names_by_score(
    view: &View,
    tables: &NameTables,
    query: &QueryTerms,
    containing: &[u64],
) -> (Vec<Name>, usize) {
    let (parts, weights) = weighted_parts(view, query, containing);
    let total: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let share = |mask: u64| -> f64 {
        let held = weights
            .iter()
            .enumerate()
            .filter(|(i, _)| mask >> i & 1 == 1);
        held.map(|(_, weight)| weight).sum::<f64>() / total
    };
    let held = holding_enough(view, tables, &parts, &weights);
    let compared = held.len();
    let mut shares: FxHashMap<u64, f64> = FxHashMap::default();
    let mut scored: Vec<(f64, f64, Held)> = Vec::new();
    for (name, mask) in held {
        let share = *shares.entry(mask).or_insert_with(|| share(mask));
        let beside = u32::from(name.parts).saturating_sub(mask.count_ones());
        scored.push((share / (1.0 + BESIDE * f64::from(beside)), share, name));
    }
    let best = scored.iter().map(|(_, share, _)| *share);
    let least = MIN_SHARE * best.fold(0.0, f64::max);
    scored.retain(|(_, share, _)| *share >= least);
    let mut names = spelt_out(view, query, |word| share(mask_of(word, &parts)));
    let known: FxHashSet<Vec<u8>> = names.iter().map(|name| name.spelt.clone()).collect();
    let mut by_spelling: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
    for (score, _, held) in best_of_each_segment(scored) {
        let mut spelt = Vec::new();
        view.segment(held.segment)
            .segment
            .name(held.name, &mut spelt);
        if known.contains(&spelt) {
            continue;
        }
        let place = (held.segment, held.name);
        match by_spelling.get(&spelt) {
            Some(at) => names[*at].places.push(place),
            None => {
                by_spelling.insert(spelt.clone(), names.len());
                names.push(Name {
                    score,
                    spelt,
                    places: vec![place],
                });
            }
        }
    }
    sort(&mut names);
    names.truncate(MAX_NAMES);
    (names, compared)
}

/// The names that may hold [`MIN_SHARE`] of what the best one holds, in order, each with the parts that it holds.
///
/// The best name holds at least the heaviest part that any name holds. Parts so light that all of them together do not
/// make up the least share of that bring in no name, so that their lists, the longest, are neither made nor united:
/// what the segments say of them is only held against the names that the other parts brought in.
fn holding_enough(
    view: &View,
    tables: &NameTables,
    parts: &[Vec<u8>],
    weights: &[f64],
) -> Vec<(Held, u64)> {
    let mut heaviest_first: Vec<usize> = (0..parts.len()).collect();
    heaviest_first.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]));
    let mut left: f64 = weights.iter().sum();
    let mut heaviest = 0.0;
    let mut held: Vec<(Held, u64)> = Vec::new();
    let mut light = Vec::new();
    for part in heaviest_first {
        // A little less than the least share, whatever sums are rounded to.
        if left < heaviest * MIN_SHARE * (1.0 - 1e-9) {
            light.push(part);
            continue;
        }
        let list = tables.holding(view, &parts[part]);
        if !list.is_empty() {
            heaviest = f64::max(heaviest, weights[part]);
        }
        held.extend(list.iter().map(|name| (*name, 1 << part)));
        left -= weights[part];
    }
    // Lists behind one another, each in order: merged, not sorted.
    held.sort();
    held.dedup_by(|same, first| {
        let is_same = same.0 == first.0;
        if is_same {
            first.1 |= same.1;
        }
        is_same
    });
    for part in light {
        for of_segment in held.chunk_by_mut(|a, b| a.0.segment == b.0.segment) {
            let segment = &view.segment(of_segment[0].0.segment).segment;
            let mut names = of_segment.iter_mut().peekable();
            for holder in segment.names_with_subword(&parts[part]) {
                while names.next_if(|name| name.0.name < holder).is_some() {}
                match names.peek_mut() {
                    None => break,
                    Some(name) if name.0.name == holder => name.1 |= 1 << part,
                    Some(_) => {}
                }
            }
        }
    }
    held
}

/// Of each segment the best [`MAX_NAMES`], of equals the first in the order of their spelling, which
/// is that of their numbers: so the best of all are among them, however documents are cut into
/// segments. They come by segment.
fn best_of_each_segment(mut scored: Vec<(f64, f64, Held)>) -> Vec<(f64, f64, Held)> {
    let better = |a: &(f64, f64, Held), b: &(f64, f64, Held)| {
        b.0.total_cmp(&a.0).then_with(|| a.2.cmp(&b.2))
    };
    // Still in the order of segments.
    let mut kept = Vec::new();
    for of_segment in scored.chunk_by_mut(|a, b| a.2.segment == b.2.segment) {
        let mut of_segment = &mut *of_segment;
        if of_segment.len() > MAX_NAMES {
            of_segment.select_nth_unstable_by(MAX_NAMES, better);
            of_segment = &mut of_segment[..MAX_NAMES];
        }
        kept.extend_from_slice(of_segment);
    }
    kept
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;
    use crate::extract::record::Grammar;
    use crate::git::path::RepoPath;
    use crate::git::tree::{EntryMode, TreeEntry};
    use crate::id::BlobId;
    use crate::segment::{Segment, build};
    use crate::view::files::File;
    use gix::hash::Kind;
    use proptest::prelude::*;

    /// A view of documents that define these names, each in a segment of its own.
    fn view(documents: &[Vec<String>]) -> View {
        let (mut files, mut segments) = (Vec::new(), Vec::new());
        for (names, at) in documents.iter().zip(1u8..) {
            let text: String = names
                .iter()
                .map(|name| format!("fn {name}() {{}}\n"))
                .collect();
            let entry = TreeEntry {
                path: RepoPath::new(format!("{at:03}.rs").as_bytes()).unwrap(),
                mode: EntryMode::File,
                id: BlobId::from_bytes(&[at; 20]).unwrap(),
            };
            let file = File::new(entry, false);
            let rows = vec![(file.key().unwrap(), extract(text.as_bytes(), Grammar::Rust))];
            segments.push(Arc::new(
                Segment::open(build(Kind::Sha1, rows).unwrap()).unwrap(),
            ));
            files.push(file);
        }
        View::join(files, &segments, 0)
    }

    /// Every list united, as if no part were light.
    fn exhaustive(view: &View, parts: &[Vec<u8>]) -> Vec<(Held, u64)> {
        let tables = NameTables::new();
        let mut held: Vec<(Held, u64)> = Vec::new();
        for (part, at) in parts.iter().zip(0..) {
            let list = tables.holding(view, part);
            held.extend(list.iter().map(|name| (*name, 1u64 << at)));
        }
        held.sort();
        let same = held.chunk_by(|a, b| a.0 == b.0);
        same.map(|same| (same[0].0, same.iter().fold(0, |mask, (_, bit)| mask | bit)))
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn light_parts_bring_in_no_name_that_is_kept(
            documents in proptest::collection::vec(
                proptest::collection::vec("(get|set|user|row|zip)(_(get|set|user|row|zip)){0,2}", 1..12),
                1..6,
            ),
            weights in proptest::collection::vec(0.01..9.0f64, 5),
        ) {
            let view = view(&documents);
            let parts: Vec<Vec<u8>> =
                ["get", "set", "user", "row", "zip"].map(|part| part.as_bytes().to_vec()).into();
            let share = |mask: u64| -> f64 {
                let held = weights.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
                held.map(|(_, weight)| weight).sum()
            };
            let kept = |mut held: Vec<(Held, u64)>| {
                let best = held.iter().map(|(_, mask)| share(*mask)).fold(0.0, f64::max);
                held.retain(|(_, mask)| share(*mask) >= MIN_SHARE * best);
                let kept = held.into_iter();
                kept.map(|(name, mask)| (name.segment, name.name, mask)).collect::<Vec<_>>()
            };
            let pruned = holding_enough(&view, &NameTables::new(), &parts, &weights);
            prop_assert!(!pruned.is_empty());
            prop_assert_eq!(kept(pruned), kept(exhaustive(&view, &parts)));
        }
    }
}
