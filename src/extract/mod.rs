//! Extraction: bytes and a grammar in, one [`record::DocRecord`] out.
//!
//! Guarantees: the record is a pure function of (blob bytes, grammar, extractor version). Nothing
//! here reads a path, a commit, a clock, the environment or another file, and nothing depends on
//! thread count or order. Deliberately absent: object access, import resolution, ranking.

mod bounds;
mod chunks;
mod embedded;
mod flows;
mod hooks;
mod imports;
mod intern;
mod interpolated;
mod item_macros;
mod keys;
mod lang;
pub mod language;
mod macro_prefixes;
mod markdown;
mod markup;
mod memory;
mod notebook;
mod occurrences;
mod parse;
pub mod record;
pub mod skip;
mod sql;
mod symbols;
mod syntax;
pub mod terms;
mod unclosed;
mod walk;
mod words;

use crate::id::LocalName;
use chunks::{Document, TermCounter};
use intern::Interner;
use lang::Tables;
use record::{DocFlags, DocRecord, Flows, Grammar, Import, Occurrence, SkipReason, Symbol};
use std::ops::Range;
use std::sync::OnceLock;
use tree_sitter::Point;
use walk::Walk;

/// Fingerprint of what extraction records. Raised whenever any golden in `tests/corpus` changes:
/// records of different versions are never mixed.
pub const EXTRACTOR_VERSION: u32 = 4;

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
}

impl Extractor {
    /// Makes an extractor.
    pub fn new() -> Self {
        Self::default()
    }

    /// Extracts one document from the bytes of a blob.
    pub fn extract(&mut self, bytes: &[u8], grammar: Grammar) -> DocRecord {
        let lang = language::by_content(bytes, grammar);
        let size = bytes.len() as u64;
        let readable = match skip::readable(bytes, lang) {
            Ok(readable) => readable,
            Err(reason) => return DocRecord::skipped(lang, size, reason),
        };
        let bytes = &*readable;
        let mut record = DocRecord::empty(lang, size);
        if skip::is_generated(bytes) {
            record.flags = record.flags.with(DocFlags::GENERATED);
        }
        let lines = line_starts(bytes);
        record.lines = lines.len() as u32;
        // What is searched, where that is not the whole file.
        let mut words = None;
        let found = match lang {
            Grammar::Markdown => markdown::scan(bytes, &lines, &mut self.names),
            Grammar::Json | Grammar::Yaml | Grammar::Toml => {
                keys::scan(bytes, &lines, lang, &mut self.names)
            }
            Grammar::Html | Grammar::Vue | Grammar::Svelte => {
                embedded::read(bytes, &lines, lang, &mut self.names)
            }
            Grammar::Notebook => {
                let notebook = notebook::read(bytes, &lines, &mut self.names);
                words = Some(notebook.words);
                notebook.found
            }
            Grammar::Sql => sql::scan(bytes, &lines, &mut self.names),
            _ => match self.walk(bytes, &lines, lang) {
                Some(found) => found,
                None => {
                    self.names.take();
                    return DocRecord::skipped(lang, size, SkipReason::TooComplex);
                }
            },
        };
        if found.syntax_errors {
            record.flags = record.flags.with(DocFlags::SYNTAX_ERRORS);
        }
        if bounds::exceeded(&found, bytes.len()) {
            self.names.take();
            return DocRecord::skipped(lang, size, SkipReason::TooComplex);
        }
        record.symbols = found.symbols;
        bounds::hash_bodies(bytes, &mut record.symbols);
        record.occurrences = found.occurrences;
        record.imports = found.imports;
        record.flows = found.flows;
        // An export record is made before the re-exports inside it, which may end it lines below.
        record.imports.sort_by_key(|import| import.line);
        let document = Document {
            src: bytes,
            words: words.as_deref().unwrap_or(bytes),
            lines: &lines,
            symbols: &record.symbols,
            leads: &found.leads,
            comments: &found.comments,
            paragraphs: lang == Grammar::Text,
        };
        (record.chunks, record.terms) = chunks::chunks(&document, &self.names, &mut self.counter);
        record.names = self.names.take();
        record
    }

    /// Reads a document that is one syntax tree; one without a grammar holds nothing. `None` when it
    /// is too complex.
    fn walk(&mut self, bytes: &[u8], lines: &[u32], lang: Grammar) -> Option<Found> {
        let mut found = Found::default();
        let Some(tables) = tables(lang) else {
            return Some(found);
        };
        let mut tree = parse::parse(bytes, lang)?;
        let mut prefixes = Vec::new();
        if matches!(lang, Grammar::C | Grammar::Cpp)
            && tree.root_node().has_error()
            && let Some(blanked) = macro_prefixes::blank(bytes)
            && let Some(again) = parse::parse(&blanked.bytes, lang)
        {
            tree = again;
            prefixes = blanked.prefixes;
        }
        found.syntax_errors = tree.root_node().has_error();
        let items = match lang {
            Grammar::Rust => item_macros::parse(bytes, &tree),
            _ => Default::default(),
        };
        let mut walk = Walk::new(bytes, tables, &items, &mut self.names);
        walk.run(&tree).ok()?;
        walk.add_prefixes(&prefixes, lines);
        found.take(walk);
        Some(found)
    }

    /// Parses a blob, walks its syntax tree and returns the number of nodes; 0 when the blob would
    /// not be parsed. This is the part of extraction that cannot be saved: `benchmark/` states the
    /// cost of everything else as a multiple of it.
    pub fn count_nodes(&mut self, bytes: &[u8], grammar: Grammar) -> usize {
        let lang = language::by_content(bytes, grammar);
        let Ok(readable) = skip::readable(bytes, lang) else {
            return 0;
        };
        let Some(tree) = parse::parse(&readable, lang) else {
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

/// What was read of a document, before it is cut into chunks.
#[derive(Default)]
struct Found {
    symbols: Vec<Symbol<LocalName>>,
    /// First line of each symbol with its doc comment and decorators, 1-based.
    leads: Vec<u32>,
    occurrences: Vec<Occurrence<LocalName>>,
    imports: Vec<Import<LocalName>>,
    flows: Flows,
    /// Bytes of comments and prose, in order.
    comments: Vec<Range<u32>>,
    syntax_errors: bool,
}

impl Found {
    /// Takes over what a walk has found.
    fn take(&mut self, mut walk: Walk<'_>) {
        walk.order_symbols();
        let comments = walk.comments.iter();
        self.comments
            .extend(comments.map(|comment| comment.start..comment.end));
        self.comments.sort_by_key(|comment| comment.start);
        self.leads = walk.leads;
        self.symbols = walk.symbols;
        self.flows = walk.flows.finish(&walk.occurrences);
        self.occurrences = walk.occurrences;
        self.imports = walk.imports;
    }
}

/// Tables of a grammar that is parsed, compiled on first use.
fn tables(grammar: Grammar) -> Option<&'static Tables> {
    static TABLES: [OnceLock<Tables>; 64] = [const { OnceLock::new() }; 64];
    let language = language::language(grammar)?;
    let (grammar_of, spec) = language.parser.language().zip(language.spec)?;
    Some(
        TABLES
            .get(grammar.code() as usize)?
            .get_or_init(|| Tables::new(&grammar_of, spec)),
    )
}

/// Row and column of a byte, in a file whose lines begin at `lines`.
fn point(lines: &[u32], byte: usize) -> Point {
    let row = lines
        .partition_point(|start| *start as usize <= byte)
        .saturating_sub(1);
    let start = lines.get(row).copied().unwrap_or(0);
    Point {
        row,
        column: byte - start as usize,
    }
}

/// Byte at which each line begins; a last line without a newline counts.
fn line_starts(bytes: &[u8]) -> Vec<u32> {
    let mut starts = Vec::with_capacity(bytes.len() / 32 + 1);
    if !bytes.is_empty() {
        starts.push(0);
    }
    starts.extend(
        bytes
            .iter()
            .enumerate()
            .filter(|(_, b)| **b == b'\n')
            .map(|(at, _)| at as u32 + 1),
    );
    if starts
        .last()
        .is_some_and(|last| *last as usize == bytes.len())
    {
        starts.pop();
    }
    starts
}
