//! `search` for a text or a regular expression: every line that matches, in any state of the repository.
//!
//! Only files that can match are read: the index knows each document's words, and a pattern that needs
//! `parse_` in a row needs a word that holds it. Guarantee: what is found is what reading every file
//! would find, but for matches that lie wholly inside a word longer than [`MAX_TERM_BYTES`] that is no name in code
//! (base 64): the terms of the index leave such words out, and its names do not. Binary files and those that
//! are passed over by their path (lock files, keys) are not read.

use super::Error;
use super::nothing::{Few, Nothing};
use super::request::{Mode, Scope, SearchRequest};
use super::scope::Filter;
use super::search::answer::{Cost, Exact, SearchAnswer, SearchHit};
use super::state::Stamp;
use super::verified::VerifiedSymbols;
use crate::id::NameId;
use crate::limits::MAX_TERM_BYTES;
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use regex_syntax::hir::{Hir, HirKind};
use roaring::RoaringBitmap;

/// Shortest run of letters that files are chosen by: shorter ones are in most words.
const MIN_FRAGMENT: usize = 3;
/// Runs that files are chosen by, the longest first.
const MAX_FRAGMENTS: usize = 3;
/// Largest automaton of a pattern, in bytes.
const MAX_AUTOMATON: usize = 16 << 20;

/// Answers `search` for a text or an expression, in the files that a filter admits. Fails on a pattern that
/// cannot be read.
pub fn grep(
    view: &View,
    texts: &mut Texts,
    (request, filter): (&SearchRequest, &Filter),
    stamp: Stamp,
) -> Result<SearchAnswer, Error> {
    if request.query.is_empty() {
        return Err(Error::EmptyQuery);
    }
    let matcher = matcher(&request.query, request.mode)?;
    let candidates = Candidates::of(view, &fragments(&request.query, request.mode));
    let mut files: Vec<FileId> = (0..view.files().len() as u32).map(FileId).collect();
    files.retain(|id| filter.admits(view, view.file(*id)) && candidates.has(view, *id));
    files.sort_by_key(|id| (view.file(*id).role, *id));
    let mut searcher = SearcherBuilder::new()
        .line_number(true)
        .before_context(request.context)
        .after_context(request.context)
        .binary_detection(BinaryDetection::quit(0))
        .build();
    let mut exact = Exact::default();
    let (mut hits, mut total) = (Vec::new(), 0);
    for id in files {
        let Some(text) = texts.get(view, id) else {
            continue;
        };
        exact.read += 1;
        let mut passages = passages(&mut searcher, &matcher, &text);
        let lines: usize = passages.iter().map(|passage| passage.lines.len()).sum();
        exact.files += usize::from(lines > 0);
        exact.lines += lines;
        let room = request.limit.saturating_sub(hits.len());
        let before = request.offset.saturating_sub(total);
        if lines > 0 && (room > 0 || filter.restricts_kinds()) {
            let symbols = Symbols::of(view, id);
            passages.retain(|passage| admitted(filter, &symbols, passage));
            let shown = passages.iter().skip(before).take(room);
            hits.extend(shown.map(|passage| hit(view, id, (texts, &text), &symbols, passage)));
        }
        total += passages.len();
    }
    let nothing = match total {
        0 => Some(Box::new(nothing(view, texts, request, filter)?)),
        _ => None,
    };
    Ok(SearchAnswer {
        stamp,
        query: request.query.clone(),
        offset: request.offset,
        hits,
        total,
        files: filter.count(view),
        within: filter.extent().cloned(),
        unknown_words: Vec::new(),
        history: None,
        vectors: None,
        cost: Cost::default(),
        confidence: None,
        narrower: Vec::new(),
        exact: Some(exact),
        memories: Vec::new(),
        nothing,
    })
}

/// Says where lines were looked for in vain, and what is near them.
fn nothing(
    view: &View,
    texts: &mut Texts,
    request: &SearchRequest,
    filter: &Filter,
) -> Result<Nothing, Error> {
    let mut nothing = Nothing::within(view, filter, &request.scope);
    // Lines are read as they are, whatever a parser makes of them.
    nothing.broken = Few::default();
    let fragments = fragments(&request.query, request.mode);
    // Without a word to choose files by, all of them would be read.
    if !filter.is_open() && !fragments.is_empty() {
        let everywhere = SearchRequest {
            scope: Scope::default(),
            limit: 1,
            ..request.clone()
        };
        let found = grep(
            view,
            texts,
            (&everywhere, &Filter::open()),
            Stamp::default(),
        )?
        .total;
        nothing = nothing.beyond(found as u64);
    }
    Ok(nothing.near_words(view, texts, &request.query, request.mode))
}

/// Lower-case letters in a pattern match both cases, as long as it has no capital.
pub(crate) fn matcher(pattern: &str, mode: Mode) -> Result<RegexMatcher, Error> {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .case_smart(true)
        .multi_line(true)
        .line_terminator(Some(b'\n'))
        .fixed_strings(mode == Mode::Text)
        .size_limit(MAX_AUTOMATON)
        .dfa_size_limit(MAX_AUTOMATON);
    builder.build(pattern).map_err(|err| Error::BadPattern {
        pattern: pattern.to_owned(),
        reason: err.to_string(),
    })
}

/// Runs of letters, digits and `_` that every match holds, folded, the longest first.
pub(crate) fn fragments(pattern: &str, mode: Mode) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    match mode {
        Mode::Regex => {
            let parsed = regex_syntax::ParserBuilder::new().utf8(false).build();
            if let Ok(hir) = { parsed }.parse(pattern) {
                needed(&hir, &mut found);
            }
        }
        _ => found.push(pattern.as_bytes().to_vec()),
    }
    let mut runs: Vec<Vec<u8>> = found
        .iter()
        .flat_map(|literal| literal.split(|b| !(b.is_ascii_alphanumeric() || *b == b'_')))
        .filter(|run| run.len() >= MIN_FRAGMENT)
        .map(<[u8]>::to_ascii_lowercase)
        .collect();
    runs.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    runs.dedup();
    runs.truncate(MAX_FRAGMENTS);
    runs
}

/// Literals that every match of an expression holds.
fn needed(hir: &Hir, found: &mut Vec<Vec<u8>>) {
    match hir.kind() {
        HirKind::Literal(literal) => found.push(literal.0.to_vec()),
        HirKind::Capture(capture) => needed(&capture.sub, found),
        HirKind::Repetition(repeated) if repeated.min > 0 => needed(&repeated.sub, found),
        HirKind::Concat(parts) => parts.iter().for_each(|part| needed(part, found)),
        _ => {}
    }
}

/// The documents that can match.
pub(in crate::query) struct Candidates {
    /// By segment; `None` when any can.
    docs: Option<Vec<RoaringBitmap>>,
}

impl Candidates {
    /// Those that can hold a text.
    pub(in crate::query) fn of_text(view: &View, text: &str) -> Self {
        Self::of(view, &fragments(text, Mode::Text))
    }

    fn of(view: &View, fragments: &[Vec<u8>]) -> Self {
        if fragments.is_empty() {
            return Self { docs: None };
        }
        let holding = view.segments().iter();
        let holding = holding.map(|live| self::holding(&live.segment, fragments));
        Self {
            docs: Some(holding.collect()),
        }
    }

    /// Whether a file can match. One that was not extracted can, as long as it is text.
    pub(in crate::query) fn has(&self, view: &View, id: FileId) -> bool {
        let Some(doc) = view.file(id).doc else {
            return view.file(id).reading.skip_label().is_none();
        };
        let live = view.segment(doc.segment);
        self.docs.as_ref().is_none_or(|docs| {
            docs[doc.segment.index()].contains(doc.doc.0)
                || live.segment.doc(doc.doc).skip.is_some()
        })
    }
}

/// Documents of a segment that hold all of the fragments, each in some word.
pub(in crate::query) fn holding(segment: &Segment, fragments: &[Vec<u8>]) -> RoaringBitmap {
    let mut found = vec![RoaringBitmap::new(); fragments.len()];
    let finders: Vec<_> = fragments.iter().map(memchr::memmem::Finder::new).collect();
    let mut terms = segment.all_terms();
    while let Some((_, term)) = terms.advance() {
        for (finder, docs) in finders.iter().zip(&mut found) {
            if finder.find(term).is_none() {
                continue;
            }
            let postings = segment.postings(term).into_iter().flatten();
            let holders = segment.chunk_docs(postings.map(|posting| posting.chunk));
            docs.extend(holders.map(|doc| doc.0));
        }
    }
    let mut names = segment.all_names();
    while let Some((name, bytes)) = names.advance() {
        if bytes.len() <= MAX_TERM_BYTES {
            continue;
        }
        let name = NameId(name);
        let folded = bytes.to_ascii_lowercase();
        for (finder, docs) in finders.iter().zip(&mut found) {
            if finder.find(&folded).is_some() {
                docs.extend(segment.uses(name).map(|found| found.doc.0));
            }
        }
    }
    let all = found.into_iter().reduce(|all, docs| all & docs);
    all.unwrap_or_default()
}

/// Lines that match and stand together, with those around them.
struct Passage {
    first: u32,
    last: u32,
    lines: Vec<u32>,
}

fn passages(searcher: &mut Searcher, matcher: &RegexMatcher, text: &Text) -> Vec<Passage> {
    let mut sink = Collect { found: Vec::new() };
    // Reading memory does not fail, and the sink never does.
    let _ = searcher.search_slice(matcher, text.bytes(), &mut sink);
    sink.found
}

/// The lines of a text that match, from 1.
pub(in crate::query) fn lines(matcher: &RegexMatcher, text: &[u8]) -> Vec<u32> {
    let mut searcher = SearcherBuilder::new()
        .line_number(true)
        .binary_detection(BinaryDetection::quit(0))
        .build();
    let mut sink = Collect { found: Vec::new() };
    let _ = searcher.search_slice(matcher, text, &mut sink);
    sink.found
        .into_iter()
        .flat_map(|passage| passage.lines)
        .collect()
}

/// Collects passages; a line that does not follow the one before begins another.
struct Collect {
    found: Vec<Passage>,
}

impl Collect {
    fn line(&mut self, line: u64, matches: bool) {
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        match self.found.last_mut() {
            Some(last) if line <= last.last + 1 => last.last = last.last.max(line),
            _ => self.found.push(Passage {
                first: line,
                last: line,
                lines: Vec::new(),
            }),
        }
        if let Some(last) = self.found.last_mut().filter(|_| matches) {
            last.lines.push(line);
        }
    }
}

impl Sink for Collect {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        self.line(found.line_number().unwrap_or(1), true);
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> Result<bool, Self::Error> {
        self.line(found.line_number().unwrap_or(1), false);
        Ok(true)
    }
}

/// The definitions of a file, if it has any.
struct Symbols<'a>(Option<VerifiedSymbols<'a>>);

impl<'a> Symbols<'a> {
    fn of(view: &'a View, id: FileId) -> Self {
        Self(VerifiedSymbols::of(view, id))
    }

    fn around(&self, line: u32) -> Option<(&VerifiedSymbols<'a>, usize)> {
        let verified = self.0.as_ref()?;
        Some((verified, verified.symbols().around(line)?))
    }
}

fn admitted(filter: &Filter, symbols: &Symbols<'_>, passage: &Passage) -> bool {
    !filter.restricts_kinds()
        || passage.lines.iter().any(|line| {
            let found = symbols.around(*line);
            found.is_some_and(|(verified, at)| {
                verified
                    .symbols()
                    .get(at)
                    .is_some_and(|symbol| filter.admits_kind(symbol.kind))
            })
        })
}

fn hit(
    view: &View,
    id: FileId,
    (texts, text): (&mut Texts, &Text),
    symbols: &Symbols<'_>,
    passage: &Passage,
) -> SearchHit {
    let file = view.file(id);
    let path = file.path.to_string();
    let first = passage.lines.first().copied().unwrap_or(passage.first);
    let lines = text.lines(passage.first, passage.last);
    SearchHit {
        symbol: symbols
            .around(first)
            .and_then(|(verified, at)| verified.reference(texts, at)),
        path,
        start_line: passage.first,
        end_line: passage.last,
        headline: String::new(),
        text: String::from_utf8_lossy(lines).into_owned(),
        telling_lines: passage.lines.clone(),
        found_by: Vec::new(),
        role: 1.0,
        marks: None,
        score: 1.0,
        blob: file.blob,
        copies: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(pattern: &str, mode: Mode) -> Vec<String> {
        let found = fragments(pattern, mode).into_iter();
        found.map(|run| String::from_utf8(run).unwrap()).collect()
    }

    #[test]
    fn files_are_chosen_by_what_every_match_holds() {
        assert_eq!(runs("fn parse_Request(", Mode::Text), ["parse_request"]);
        assert_eq!(runs("a.b", Mode::Text), [""; 0]);
        assert_eq!(
            runs(r"fn\s+parse(\w+)Request", Mode::Regex),
            ["request", "parse"]
        );
        assert_eq!(runs("colou?r", Mode::Regex), ["colo"]);
        assert_eq!(runs("(retry|again)", Mode::Regex), [""; 0]);
        assert_eq!(runs("(?i)retry", Mode::Regex), [""; 0]);
        assert_eq!(runs("(retry){2,}x*", Mode::Regex), ["retry"]);
        assert_eq!(runs("(", Mode::Regex), [""; 0]);
    }

    #[test]
    fn lines_beside_one_another_are_one_passage() {
        let text = Text::new(b"one\ntwo\nthree\nfour\nfive\nsix\nseven one\n".to_vec());
        let found = |pattern, context| {
            let mut searcher = SearcherBuilder::new()
                .line_number(true)
                .before_context(context)
                .after_context(context)
                .build();
            let matcher = matcher(pattern, Mode::Regex).unwrap();
            let found = passages(&mut searcher, &matcher, &text).into_iter();
            found
                .map(|p| (p.first, p.last, p.lines))
                .collect::<Vec<_>>()
        };
        assert_eq!(found("one", 0), [(1, 1, vec![1]), (7, 7, vec![7])]);
        assert_eq!(found("one|three", 1), [(1, 4, vec![1, 3]), (6, 7, vec![7])]);
        assert_eq!(found("ONE", 0), []);
    }

    #[test]
    fn a_pattern_that_cannot_be_read_is_named() {
        let err = matcher("(", Mode::Regex).unwrap_err().to_string();
        assert!(err.contains('('), "{err}");
        assert!(matcher("(", Mode::Text).is_ok());
    }
}
