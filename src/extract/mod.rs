//! Extraction: bytes and a grammar in, one [`record::DocRecord`] out.
//!
//! Guarantees: the record is a pure function of (blob bytes, grammar, [`fingerprint`](fn@fingerprint)). Nothing
//! here reads a path, a commit, a clock, the environment or another file, and nothing depends on
//! thread count or order. Deliberately absent: object access, import resolution, ranking.

mod bounds;
pub mod calls;
mod chunks;
pub mod fingerprint;
mod gaps;
pub mod skip;

pub use crate::record;
pub use crate::syntax::terms;
pub use fingerprint::fingerprint;

use crate::lang::{self, Reader, TreeReader, language::Genre};
use crate::syntax::found::{Found, Input, line_starts};
use crate::syntax::intern::Interner;
use crate::syntax::walk::{InnerTrees, Walk};
use crate::syntax::{blanked, entry_points, memory, parse, recover};
use chunks::{Document, TermCounter};
use record::{DocFlags, DocRecord, Grammar, SkipReason};
use std::ops::Range;

/// Extracts one document. For many documents, keep an [`Extractor`].
pub fn extract(bytes: &[u8], grammar: Grammar) -> DocRecord {
    Extractor::new().extract(bytes, grammar)
}

/// Scratch memory, for one thread. What it extracts does not depend on what it
/// extracted before.
#[derive(Default)]
pub struct Extractor {
    names: Interner,
    counter: TermCounter,
    /// Whether nobody searches what is extracted, so that it needs neither chunks nor terms.
    is_unsearched: bool,
}

impl Extractor {
    /// Makes an extractor.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes one whose records have neither chunks nor terms: they are compared, and neither kept nor searched.
    pub fn of_unsearched() -> Self {
        Self {
            is_unsearched: true,
            ..Self::default()
        }
    }

    /// Extracts one document from the bytes of a blob.
    pub fn extract(&mut self, bytes: &[u8], grammar: Grammar) -> DocRecord {
        self.extract_with_comments(bytes, grammar).0
    }

    /// Extracts one document, and with it the bytes of its comments and its prose, in order; `None` of what is not
    /// recorded.
    pub fn extract_with_comments(
        &mut self,
        bytes: &[u8],
        grammar: Grammar,
    ) -> (DocRecord, Option<Vec<Range<u32>>>) {
        let lang = lang::by_content(bytes, grammar);
        let size = bytes.len() as u64;
        let readable = match skip::readable(bytes, lang) {
            Ok(readable) => readable,
            Err(reason) => return (DocRecord::skipped(lang, size, reason), None),
        };
        let bytes = &*readable;
        let mut record = DocRecord::empty(lang, size);
        if skip::is_generated(bytes) {
            record.flags = record.flags.with(DocFlags::GENERATED);
        }
        let lines = line_starts(bytes);
        record.lines = lines.len() as u32;
        let language = lang::of(lang);
        let found = self.read(bytes, &lines, lang);
        let Some(found) = found else {
            self.names.take();
            return (DocRecord::skipped(lang, size, SkipReason::TooComplex), None);
        };
        if found.syntax_errors {
            record.flags = record.flags.with(DocFlags::SYNTAX_ERRORS);
        }
        if bounds::exceeded(&found, bytes.len()) {
            self.names.take();
            return (DocRecord::skipped(lang, size, SkipReason::TooComplex), None);
        }
        record.symbols = found.symbols;
        bounds::hash_bodies(bytes, &mut record.symbols);
        record.occurrences = found.occurrences;
        record.imports = found.imports;
        record.hints = found.hints;
        record.gaps = gaps::of(bytes, &lines, found.errors);
        record.entries = found.entries;
        // An export record is made before the re-exports inside it, which may end it lines below.
        record.imports.sort_by_key(|import| import.line);
        if !self.is_unsearched {
            let document = Document {
                src: bytes,
                words: found.words.as_deref().unwrap_or(bytes),
                lines: &lines,
                symbols: &record.symbols,
                leads: &found.leads,
                comments: &found.comments,
                paragraphs: language.genre == Genre::Text,
            };
            (record.chunks, record.terms) =
                chunks::chunks(&document, &self.names, &mut self.counter);
        }
        record.names = self.names.take();
        (record, Some(found.comments))
    }

    /// Bytes of the comments and the prose of a document in which secrets are masked, in order; `None` for what would
    /// not be recorded.
    pub fn comments(&mut self, bytes: &[u8], grammar: Grammar) -> Option<Vec<Range<u32>>> {
        let lang = lang::by_content(bytes, grammar);
        if skip::reason(bytes, lang).is_some() {
            return None;
        }
        let found = self.read(bytes, &line_starts(bytes), lang);
        self.names.take();
        Some(found?.comments)
    }

    /// Reads a document with the reader of its language; `None` when it is too complex.
    fn read(&mut self, bytes: &[u8], lines: &[u32], lang: Grammar) -> Option<Found> {
        let input = Input {
            src: bytes,
            lines,
            grammar: lang,
            tables: &lang::tables,
        };
        match &lang::of(lang).reader {
            Reader::Words => Some(Found::default()),
            Reader::Scanner(scan) => Some(scan(&input, &mut self.names)),
            Reader::Tree(reader) => self.walk(&input, reader),
        }
    }

    /// Reads a document that is one syntax tree; one whose grammar this build lacks holds nothing.
    /// `None` when it is too complex.
    fn walk(&mut self, input: &Input<'_>, reader: &TreeReader) -> Option<Found> {
        let mut found = Found::default();
        let bytes = input.src;
        let Some(tables) = lang::tables(input.grammar) else {
            return Some(found);
        };
        let (tree, blanked) = blanked::parse(bytes, tables, reader.blank, reader.blank_for_less)?;
        found.syntax_errors = tree.root_node().has_error();
        let mut inner = InnerTrees::default();
        if let Some(parse) = reader.inner {
            inner = parse(bytes, &tree, tables);
        }
        let mut walk = Walk::new(bytes, tables, &inner, &mut self.names);
        walk.run(&tree).ok()?;
        let again = reader.shape.filter(|_| found.syntax_errors);
        let groups = again.map(|shape| {
            let read = blanked.as_ref().map_or(bytes, |blanked| &blanked.bytes);
            recover::recover(read, input.lines, tables, shape, &tree, &walk.symbols)
        });
        found.errors = match &groups {
            Some(Ok(groups)) => groups.errors.clone(),
            Some(Err(errors)) => errors.clone(),
            None if found.syntax_errors => recover::errors(&tree),
            None => Vec::new(),
        };
        if let Some(Ok(groups)) = &groups {
            drop(walk);
            self.names.take();
            found.syntax_errors = !groups.errors.is_empty();
            if let Some(parse) = reader.inner {
                let trees = groups.trees();
                trees.for_each(|tree| inner.extend(parse(bytes, tree, tables)));
            }
            walk = Walk::new(bytes, tables, &inner, &mut self.names);
            walk.run_groups(groups).ok()?;
        }
        let words = blanked.map(|blanked| blanked.words).unwrap_or_default();
        walk.add_blanked(&words, input.lines);
        found.take(walk);
        if let Some(entry_points) = reader.rows.entry_points {
            let trees: Vec<_> = match &groups {
                Some(Ok(groups)) => groups.trees().collect(),
                _ => vec![&tree],
            };
            found.entries =
                entry_points::read(bytes, trees.into_iter(), entry_points, &found.symbols);
        }
        Some(found)
    }

    /// Parses a blob, walks its syntax tree and returns the number of nodes; 0 when the blob would
    /// not be parsed. This is the part of extraction that cannot be saved: `benchmark/` states the
    /// cost of everything else as a multiple of it.
    pub fn count_nodes(&mut self, bytes: &[u8], grammar: Grammar) -> usize {
        let lang = lang::by_content(bytes, grammar);
        let Ok(readable) = skip::readable(bytes, lang) else {
            return 0;
        };
        let tree = lang::tables(lang).and_then(|tables| parse::parse(&readable, tables));
        let Some(tree) = tree else {
            return 0;
        };
        let mut cursor = tree.walk();
        let mut nodes = 1;
        loop {
            if cursor.goto_first_child() || cursor.goto_next_sibling() {
                nodes += 1;
                continue;
            }
            while cursor.goto_parent() {
                if cursor.goto_next_sibling() {
                    nodes += 1;
                    break;
                }
            }
            if cursor.depth() == 0 {
                return nodes;
            }
        }
    }
}

/// The most bytes that tree-sitter has held at once on this thread since this was asked before, for
/// whoever measures.
pub fn most_parser_bytes() -> u64 {
    let counts = memory::counts();
    memory::forget_peak();
    counts.peak.saturating_sub(counts.held)
}
