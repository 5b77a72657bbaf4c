//! What is known of a language, apart from its rows: one value of [`Language`] for each grammar.

use crate::record::Grammar;
use crate::syntax::blanked::Blanked;
use crate::syntax::found::{Found, Input};
use crate::syntax::intern::Interner;
use crate::syntax::rows::{LangSpec, Tables};
use crate::syntax::walk::InnerTrees;
use tree_sitter::Tree;

/// One language: how its files are recognised, how they are read, and what questions have to know
/// of it. What is usual stands in [`Language::new`]; a language says what it has other than that.
pub struct Language {
    /// Its code and its label.
    pub grammar: Grammar,
    pub(crate) reader: Reader,
    /// Grammars of which its documents may have parts.
    pub(crate) parts: &'static [Grammar],
    /// Endings of file names after the last dot, in lower case; found in either case.
    pub(crate) extensions: &'static [&'static str],
    /// Extensions that are its own in capitals only.
    pub(crate) capital_extensions: &'static [&'static str],
    pub(crate) file_names: &'static [&'static str],
    /// Programs named in a `#!` line.
    pub(crate) interpreters: &'static [&'static str],
    /// Says by content what a document really is.
    pub(crate) by_content: Option<fn(&[u8]) -> Grammar>,
}

impl Language {
    /// What is usual.
    pub(crate) const fn new(grammar: Grammar) -> Self {
        Self {
            grammar,
            reader: Reader::Words,
            parts: &[],
            extensions: &[],
            capital_extensions: &[],
            file_names: &[],
            interpreters: &[],
            by_content: None,
        }
    }
}

/// What reads a language.
pub(crate) enum Reader {
    /// Nothing: its words are searched, and that is all.
    Words,
    /// A scanner of ours.
    Scanner(fn(&Input<'_>, &mut Interner) -> Found),
    /// A tree-sitter grammar.
    Tree(TreeReader),
}

impl Reader {
    /// A grammar with the rows that steer the walk over its trees.
    pub(crate) const fn tree(parser: Option<Parser>, rows: &'static LangSpec) -> Self {
        Self::Tree(TreeReader::new(parser, rows))
    }
}

/// Makes a tree-sitter language.
pub(crate) type Parser = fn() -> tree_sitter::Language;

/// How a language is read by its syntax trees.
pub(crate) struct TreeReader {
    /// `None` when this build was made without it.
    pub(crate) parser: Option<Parser>,
    pub(crate) rows: &'static LangSpec,
    /// Whether the grammar's own scanner could run out of stack over a file.
    pub(crate) overflows: Option<fn(&[u8]) -> bool>,
    /// Blanks out what is no syntax in a file that has errors, which is then parsed again.
    pub(crate) blank: Option<fn(&[u8]) -> Option<Blanked>>,
    /// Parses parts that the grammar leaves as tokens.
    pub(crate) inner: Option<fn(&[u8], &Tree, &Tables) -> InnerTrees>,
}

impl TreeReader {
    /// One that needs nothing but the grammar and the rows.
    pub(crate) const fn new(parser: Option<Parser>, rows: &'static LangSpec) -> Self {
        Self {
            parser,
            rows,
            overflows: None,
            blank: None,
            inner: None,
        }
    }

    /// The tables of the rows; `None` when this build was made without the grammar.
    pub(crate) fn tables(&self) -> Option<Tables> {
        let language = (self.parser?)();
        Some(Tables::new(language, self.rows, self.overflows))
    }
}

/// The grammar of a crate, when the build has its feature.
macro_rules! parser {
    ($feature:literal, $language:expr) => {{
        #[cfg(feature = $feature)]
        const PARSER: Option<crate::lang::language::Parser> = Some(|| $language.into());
        #[cfg(not(feature = $feature))]
        const PARSER: Option<crate::lang::language::Parser> = None;
        PARSER
    }};
}
pub(crate) use parser;
