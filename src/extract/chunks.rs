//! Cutting a document into chunks, and counting the terms of each.
//!
//! Guarantees: chunks tile the document's non-blank lines in order and never overlap; where they
//! are cut depends on the document alone. A definition with its doc comment is a chunk of its own
//! unless it is so small that it is joined with its neighbours or so large that it is cut.

use crate::id::LocalName;
use crate::record::{Chunk, FIELDS, Field, NameTable, Symbol, SymbolKind, TermFreq};
use crate::syntax::intern::Interner;
use crate::syntax::terms;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Neighbours are joined up to this many bytes.
const JOIN_BYTES: usize = 1_500;
/// What is larger than this many bytes is cut.
const CUT_BYTES: usize = 3_000;
/// What is longer than this many lines is cut.
const CUT_LINES: u32 = 60;

/// What chunks are made from.
pub(crate) struct Document<'a> {
    pub(crate) src: &'a [u8],
    /// Its text with blanks for what is not searched; as long as `src`.
    pub(crate) words: &'a [u8],
    /// Byte at which each line begins.
    pub(crate) lines: &'a [u32],
    pub(crate) symbols: &'a [Symbol<LocalName>],
    /// First line of each symbol with its doc comment and decorators.
    pub(crate) leads: &'a [u32],
    /// Comments and prose, in order.
    pub(crate) comments: &'a [Range<u32>],
    /// Whether blank lines, not symbols, divide the document.
    pub(crate) paragraphs: bool,
}

/// Lines that stay together. 1-based, inclusive.
#[derive(Clone, Copy, Debug)]
struct Unit {
    start: u32,
    end: u32,
    symbol: Option<u32>,
    /// The symbol it lies in: units of different owners are not joined.
    owner: Option<u32>,
}

impl Unit {
    fn of(start: u32, end: u32, symbol: Option<u32>, owner: Option<u32>) -> Self {
        Self {
            start,
            end,
            symbol,
            owner,
        }
    }
}

impl Document<'_> {
    fn bytes_of(&self, start: u32, end: u32) -> &[u8] {
        let from = self.lines[start as usize - 1] as usize;
        let to = self
            .lines
            .get(end as usize)
            .map_or(self.src.len(), |next| *next as usize);
        &self.src[from..to]
    }

    fn is_blank(&self, line: u32) -> bool {
        self.bytes_of(line, line)
            .iter()
            .all(u8::is_ascii_whitespace)
    }

    fn fits(&self, start: u32, end: u32) -> bool {
        end - start < CUT_LINES && self.bytes_of(start, end).len() <= CUT_BYTES
    }

    /// Drops blank lines at both ends.
    fn trim(&self, mut unit: Unit) -> Option<Unit> {
        while unit.start <= unit.end && self.is_blank(unit.start) {
            unit.start += 1;
        }
        while unit.end > unit.start && self.is_blank(unit.end) {
            unit.end -= 1;
        }
        (unit.start <= unit.end).then_some(unit)
    }

    fn units(&self) -> Vec<Unit> {
        let mut units = Vec::new();
        let last = self.lines.len() as u32;
        if last == 0 {
            return units;
        }
        if self.paragraphs {
            let mut start = 1;
            for line in 1..=last + 1 {
                if line > last || self.is_blank(line) {
                    if start < line {
                        self.cut_lines(Unit::of(start, line - 1, None, None), &mut units);
                    }
                    start = line + 1;
                }
            }
        } else {
            self.cut(last, &mut units);
        }
        units
    }

    /// Cuts the lines of the document at its symbols, and large symbols at those in them. What is
    /// being cut is kept in a list, since symbols may nest as deep as there are symbols.
    fn cut(&self, last: u32, units: &mut Vec<Unit>) {
        let nesting = self.nesting();
        let mut open = vec![Cut {
            at: 1,
            last,
            inside: nesting.top.iter(),
            owner: None,
        }];
        while let Some(cut) = open.last_mut() {
            let Some(index) = cut.inside.next() else {
                let (start, end, owner) = (cut.at, cut.last, cut.owner);
                open.pop();
                if start <= end {
                    self.cut_lines(Unit::of(start, end, owner, owner), units);
                }
                continue;
            };
            let symbol = &self.symbols[*index as usize];
            let start = self.leads[*index as usize].max(cut.at);
            let end = symbol.end_line.min(cut.last);
            if end < start {
                continue;
            }
            let (before, owner) = (cut.at, cut.owner);
            cut.at = end + 1;
            if before < start {
                self.cut_lines(Unit::of(before, start - 1, owner, owner), units);
            }
            let children = &nesting.children[*index as usize];
            if children.is_empty() || self.fits(start, end) {
                self.cut_lines(Unit::of(start, end, Some(*index), owner), units);
            } else {
                open.push(Cut {
                    at: start,
                    last: end,
                    inside: children.iter(),
                    owner: Some(*index),
                });
            }
        }
    }

    /// Cuts what is too large: at the last blank line of the second half of what fits, else where
    /// it no longer fits.
    fn cut_lines(&self, unit: Unit, units: &mut Vec<Unit>) {
        let Some(mut unit) = self.trim(unit) else {
            return;
        };
        while !self.fits(unit.start, unit.end) {
            let mut end = unit.start;
            let mut size = self.bytes_of(end, end).len();
            while end < unit.end && end + 1 - unit.start < CUT_LINES {
                size += self.bytes_of(end + 1, end + 1).len();
                if size > CUT_BYTES {
                    break;
                }
                end += 1;
            }
            if end == unit.end {
                break;
            }
            let half = unit.start + (end - unit.start) / 2;
            let cut = (half + 1..=end)
                .rev()
                .find(|line| self.is_blank(*line))
                .unwrap_or(end);
            units.extend(self.trim(Unit { end: cut, ..unit }));
            unit.start = cut + 1;
            match self.trim(unit) {
                Some(rest) => unit = rest,
                None => return,
            }
        }
        units.push(unit);
    }

    /// Which symbol lies in which by their spans (a container may be elsewhere in the file).
    fn nesting(&self) -> Nesting {
        let mut nesting = Nesting {
            top: Vec::new(),
            children: vec![Vec::new(); self.symbols.len()],
        };
        let mut open: Vec<u32> = Vec::new();
        for (index, symbol) in self.symbols.iter().enumerate() {
            while open
                .last()
                .is_some_and(|top| self.symbols[*top as usize].span.end < symbol.span.end)
            {
                open.pop();
            }
            match open.last() {
                Some(top) => nesting.children[*top as usize].push(index as u32),
                None => nesting.top.push(index as u32),
            }
            open.push(index as u32);
        }
        nesting
    }

    /// The symbol that two joined units show: the first, unless it only binds a value and the
    /// second does not.
    fn shown(&self, first: Option<u32>, second: Option<u32>) -> Option<u32> {
        let binds = |index: u32| {
            let kind = self.symbols[index as usize].kind;
            matches!(
                kind,
                SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field
            )
        };
        match (first, second) {
            (Some(first), Some(second)) if binds(first) && !binds(second) => Some(second),
            (first, second) => first.or(second),
        }
    }

    /// Joins small neighbours of the same owner.
    fn join(&self, units: Vec<Unit>) -> Vec<Unit> {
        let mut joined: Vec<Unit> = Vec::with_capacity(units.len());
        for unit in units {
            if let Some(last) = joined.last_mut() {
                let together = self.bytes_of(last.start, unit.end).len() <= JOIN_BYTES;
                if together && last.owner == unit.owner && unit.end - last.start < CUT_LINES {
                    last.end = unit.end;
                    last.symbol = self.shown(last.symbol, unit.symbol);
                    continue;
                }
            }
            joined.push(unit);
        }
        joined
    }
}

/// Lines that are being cut at the symbols in them.
struct Cut<'a> {
    /// First line that is not cut yet.
    at: u32,
    last: u32,
    inside: std::slice::Iter<'a, u32>,
    /// The symbol they are the lines of.
    owner: Option<u32>,
}

struct Nesting {
    top: Vec<u32>,
    children: Vec<Vec<u32>>,
}

/// Counts terms; keeps its room between documents.
#[derive(Default)]
pub(crate) struct TermCounter {
    words: Interner,
    terms: Interner,
    /// Range of `flat` by word.
    word_terms: Vec<(u32, u32)>,
    flat: Vec<LocalName>,
    word_counts: Vec<[u16; FIELDS]>,
    touched_words: Vec<u32>,
    term_counts: Vec<[u16; FIELDS]>,
    touched_terms: Vec<u32>,
}

/// A union of sorted ranges, asked at rising positions.
struct Cover<'a> {
    ranges: std::iter::Peekable<std::slice::Iter<'a, Range<u32>>>,
    end: u32,
}

impl<'a> Cover<'a> {
    fn new(ranges: &'a [Range<u32>]) -> Self {
        Self {
            ranges: ranges.iter().peekable(),
            end: 0,
        }
    }

    /// Leaves out the ranges that begin before `at`.
    fn forget(&mut self, at: u32) {
        while self.ranges.next_if(|range| range.start < at).is_some() {}
        self.end = 0;
    }

    fn holds(&mut self, at: u32) -> bool {
        while let Some(range) = self.ranges.next_if(|range| range.start <= at) {
            self.end = self.end.max(range.end);
        }
        at < self.end
    }
}

/// Cuts a document and counts; returns the chunks and the terms they refer to.
pub(crate) fn chunks(
    document: &Document<'_>,
    names: &Interner,
    counter: &mut TermCounter,
) -> (Vec<Chunk>, NameTable) {
    let units = document.join(document.units());
    let mut name_spans: Vec<Range<u32>> = Vec::with_capacity(document.symbols.len());
    let mut signatures: Vec<Range<u32>> = Vec::with_capacity(document.symbols.len());
    for symbol in document.symbols {
        let start = document
            .lines
            .get(symbol.name_line as usize - 1)
            .map_or(0, |line| line + symbol.name_col);
        name_spans.push(start..start + names.get(symbol.name).len() as u32);
        signatures.push(symbol.signature.clone());
    }
    name_spans.sort_unstable_by_key(|span| span.start);
    signatures.sort_unstable_by_key(|span| span.start);
    let mut cover = [
        Cover::new(&name_spans),
        Cover::new(&signatures),
        Cover::new(document.comments),
    ];
    let mut chunks = Vec::with_capacity(units.len());
    for unit in units {
        let text = document.bytes_of(unit.start, unit.end);
        let base = document.lines[unit.start as usize - 1];
        let words = &document.words[base as usize..base as usize + text.len()];
        // What is left of a signature that began in another chunk is code like any other.
        cover[1].forget(base);
        terms::for_each_word(words, |word, at| {
            let at = base + at as u32;
            let [names, signatures, comments] = &mut cover;
            let field = if names.holds(at) {
                Field::Name
            } else if comments.holds(at) {
                Field::Comment
            } else if signatures.holds(at) {
                Field::Signature
            } else {
                Field::Body
            };
            counter.count(word, field);
        });
        let (terms, field_len) = counter.finish_chunk();
        chunks.push(Chunk {
            start_line: unit.start,
            end_line: unit.end,
            symbol: unit.symbol,
            field_len,
            content_hash: xxh3_64(text),
            terms,
        });
    }
    let table = counter.finish_document(&mut chunks);
    (chunks, table)
}

impl TermCounter {
    fn count(&mut self, word: &[u8], field: Field) {
        let (id, new) = self.words.intern(word);
        if new {
            let start = self.flat.len() as u32;
            let Self {
                terms,
                flat,
                term_counts,
                ..
            } = self;
            terms::for_each_term(word, |term| {
                let (term, new) = terms.intern(term);
                if new {
                    term_counts.push([0; FIELDS]);
                }
                flat.push(term);
            });
            self.word_terms.push((start, self.flat.len() as u32));
            self.word_counts.push([0; FIELDS]);
        }
        let counts = &mut self.word_counts[id.index()];
        if *counts == [0; FIELDS] {
            self.touched_words.push(id.0);
        }
        let count = &mut counts[field as usize];
        *count = count.saturating_add(1);
    }

    fn finish_chunk(&mut self) -> (Vec<TermFreq>, [u16; FIELDS]) {
        let mut field_len = [0u16; FIELDS];
        for word in self.touched_words.drain(..) {
            let counts = std::mem::take(&mut self.word_counts[word as usize]);
            let (start, end) = self.word_terms[word as usize];
            for term in &self.flat[start as usize..end as usize] {
                let sums = &mut self.term_counts[term.index()];
                if *sums == [0; FIELDS] {
                    self.touched_terms.push(term.0);
                }
                for field in 0..FIELDS {
                    sums[field] = sums[field].saturating_add(counts[field]);
                    field_len[field] = field_len[field].saturating_add(counts[field]);
                }
            }
        }
        let mut terms = Vec::with_capacity(self.touched_terms.len());
        for term in self.touched_terms.drain(..) {
            let sums = std::mem::take(&mut self.term_counts[term as usize]);
            terms.push(TermFreq {
                term: LocalName(term),
                tf: sums.map(|sum| sum.min(u8::MAX.into()) as u8),
            });
        }
        (terms, field_len)
    }

    /// Puts the terms of every chunk in the order of their bytes and empties the counter.
    fn finish_document(&mut self, chunks: &mut [Chunk]) -> NameTable {
        let mut order: Vec<u32> = (0..self.terms.len() as u32).collect();
        order.sort_unstable_by(|a, b| {
            self.terms
                .get(LocalName(*a))
                .cmp(self.terms.get(LocalName(*b)))
        });
        let mut rank = vec![0u32; order.len()];
        for (at, term) in order.iter().enumerate() {
            rank[*term as usize] = at as u32;
        }
        for chunk in chunks {
            chunk
                .terms
                .sort_unstable_by_key(|freq| rank[freq.term.index()]);
        }
        self.words.take();
        self.word_terms.clear();
        self.flat.clear();
        self.word_counts.clear();
        self.term_counts.clear();
        self.terms.take()
    }
}
