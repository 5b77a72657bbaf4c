//! Reads what is found: the lines of a hit that say most of the question, and the definition they are of.

use super::Ranked;
use super::chunk::{LiveChunk, Pointed};
use super::query::QueryTerms;
use super::stems;
use super::text::idf;
use crate::extract::terms;
use crate::graph::edges::Graph;
use crate::query::ids::DocSymbols;
use crate::query::relations;
use crate::query::search::answer::{FoundBy, SearchHit};
use crate::query::verified::VerifiedSymbols;
use crate::view::live::View;
use crate::view::text::{Text, Texts, fold_line};
use rustc_hash::FxHashMap;

/// Longest headline, in characters.
const MAX_HEADLINE: usize = 160;
/// Lines of a hit that are told.
const MAX_TELLING: usize = 3;

/// A question made ready to be looked for in lines.
pub(super) struct Reader<'a> {
    view: &'a View,
    query: &'a QueryTerms,
    graph: Option<&'a Graph>,
    /// Lines by which chunks were found.
    focus: FxHashMap<LiveChunk, u32>,
    /// The stems of its terms, each once, with their weights in the view.
    stems: Vec<(Vec<u8>, f64)>,
}

impl<'a> Reader<'a> {
    /// `containing` counts the live chunks that hold each of the query's terms; `pointed` are found by
    /// lines, of several of one chunk the first.
    pub(super) fn new(
        view: &'a View,
        graph: Option<&'a Graph>,
        query: &'a QueryTerms,
        containing: &[u64],
        pointed: [Vec<Pointed>; 3],
    ) -> Self {
        let mut focus = FxHashMap::default();
        for found in pointed.into_iter().flatten() {
            focus.entry(found.chunk).or_insert(found.line);
        }
        let all = view.statistics().chunks;
        let weighted = |stem: Vec<u8>| {
            let first = query
                .terms
                .iter()
                .position(|term| stems::stem(term) == stem);
            let holding = first.and_then(|at| containing.get(at)).copied();
            (stem, idf(holding.unwrap_or(0), all))
        };
        let stems = query.stems().into_iter().map(weighted).collect();
        Self {
            view,
            query,
            graph,
            focus,
            stems,
        }
    }

    /// The hit of a ranked chunk, and the share of the question's words, by weight, that it holds: all
    /// where its text is not at hand.
    pub(super) fn hit(
        &self,
        texts: &mut Texts,
        ranked: &Ranked,
        found_by: Vec<FoundBy>,
    ) -> (SearchHit, f64) {
        let (place, chunk) = (ranked.place, ranked.fused.item);
        let file = self.view.file(place.file);
        let segment = &self.view.segment(chunk.segment).segment;
        let row = segment.chunk(chunk.chunk);
        let path = file.path.to_string();
        let text = texts.get(self.view, place.file);
        let symbols = DocSymbols::load(segment, row.doc);
        let telling = text
            .as_deref()
            .map(|text| self.telling(text, row.start_line, row.end_line));
        let covered = telling.as_ref().map_or(1.0, |telling| telling.covered);
        let mut telling = telling.unwrap_or_default();
        let focus = self.focus.get(&chunk).copied();
        if let Some(line) = focus {
            telling.show(line);
        }
        let index = focus
            .and_then(|line| symbols.around(line))
            .or_else(|| self.spelt_out(&symbols, row.start_line, row.end_line))
            .or_else(|| telling.best.and_then(|line| symbols.around(line)))
            .or_else(|| {
                row.symbol
                    .map(|i| i as usize)
                    .filter(|i| *i < symbols.all().len())
            });
        let symbol =
            index.and_then(|i| VerifiedSymbols::of(self.view, place.file)?.reference(texts, i));
        let marks = self.graph.and_then(|graph| {
            let id = graph.symbol(place.file, index?)?;
            Some(relations::marks(self.view, graph, id))
        });
        let headline = text.as_deref().map_or_else(String::new, |text| {
            let signature = index
                .and_then(|i| symbols.get(i))
                .map(|s| fold_line(text.slice(s.signature.clone()), MAX_HEADLINE))
                .filter(|s| !s.is_empty());
            let line = telling.lines.first().copied().unwrap_or(row.start_line);
            signature.unwrap_or_else(|| fold_line(text.line(line), MAX_HEADLINE))
        });
        let body = text.as_deref().map_or_else(String::new, |text| {
            String::from_utf8_lossy(text.lines(row.start_line, row.end_line)).into_owned()
        });
        let hit = SearchHit {
            path,
            start_line: row.start_line,
            end_line: row.end_line,
            symbol,
            headline,
            text: body,
            telling_lines: telling.lines,
            found_by,
            role: ranked.role,
            marks,
            score: ranked.score,
            blob: file.blob,
            copies: Vec::new(),
        };
        (hit, covered)
    }

    /// The definition that a chunk holds of a name the query spells out.
    fn spelt_out(&self, symbols: &DocSymbols<'_>, first: u32, last: u32) -> Option<usize> {
        // The last word is the name itself where the query is qualified (`Context.JSON`).
        self.query.names().rev().find_map(|word| {
            (0..symbols.all().len()).find(|i| {
                (first..=last).contains(&symbols.all()[*i].name_line) && symbols.name(*i) == *word
            })
        })
    }

    fn telling(&self, text: &Text, first: u32, last: u32) -> Telling {
        let mut lines: Vec<(usize, u32)> = Vec::new();
        let mut in_all = vec![false; self.stems.len()];
        let mut held = in_all.clone();
        for line in first..=last {
            held.fill(false);
            terms::for_each_word(text.line(line), |word, _| {
                terms::for_each_term(word, |term| {
                    if let Some(i) = self.position(term) {
                        held[i] = true;
                        in_all[i] = true;
                    }
                });
            });
            let count = held.iter().filter(|held| **held).count();
            if count > 0 {
                lines.push((count, line));
            }
        }
        lines.sort_unstable_by_key(|(count, line)| (std::cmp::Reverse(*count), *line));
        lines.truncate(MAX_TELLING);
        let mut lines: Vec<u32> = lines.into_iter().map(|(_, line)| line).collect();
        let best = lines.first().copied();
        lines.sort_unstable();
        let weight: f64 = self.stems.iter().map(|(_, weight)| weight).sum();
        let held = self.stems.iter().zip(&in_all).filter(|(_, held)| **held);
        let held: f64 = held.map(|((_, weight), _)| weight).sum();
        Telling {
            best,
            lines,
            covered: held / weight.max(f64::MIN_POSITIVE),
        }
    }

    /// Which of the stems a term has.
    fn position(&self, term: &[u8]) -> Option<usize> {
        // Most words of a text differ from all of the question in their first letters.
        let head = &term[..term.len().min(2)];
        if !self.stems.iter().any(|(stem, _)| stem.starts_with(head)) {
            return None;
        }
        let of = stems::stem(term);
        self.stems.iter().position(|(stem, _)| *stem == of)
    }
}

/// The lines of a chunk that hold most of the query's words.
#[derive(Default)]
struct Telling {
    /// The line that holds most; of equals the first.
    best: Option<u32>,
    /// At most three, in order.
    lines: Vec<u32>,
    /// Share of the question's words, by weight, that the chunk holds.
    covered: f64,
}

impl Telling {
    /// Tells a line whatever it holds.
    fn show(&mut self, line: u32) {
        if !self.lines.contains(&line) {
            self.lines.truncate(MAX_TELLING - 1);
            self.lines.push(line);
            self.lines.sort_unstable();
        }
    }
}
