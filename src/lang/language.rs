//! What is known of a language, apart from its rows: one value of [`Language`] for each grammar, and
//! all that such a value is written with.

pub(crate) use super::liveness::{Liveness, Manifest, Outlet, Published, has};
pub(crate) use super::naming::{
    Accessors, CollectionMembers, Counts, Extensions, Handing, InFull, Labels, MapGives, Naming,
    Packages, TypeParts,
};
pub(crate) use super::versioning::{Part, Versioning};
use crate::modules::MakeResolver;
pub(crate) use crate::record::Grammar;
use crate::syntax::blanked::Blank;
use crate::syntax::calls::rows::CallRows;
use crate::syntax::found::{Found, Input};
use crate::syntax::intern::Interner;
use crate::syntax::parse;
pub(crate) use crate::syntax::recover::Shape;
use crate::syntax::rows::{LangSpec, Tables};
use crate::syntax::walk::InnerTrees;
use std::ops::Range;
use tree_sitter::Tree;

usual! {
    /// One language: how its files are recognised, how they are read, and what questions have to know
    /// of it. What is usual stands in [`Language::new`]; a language says what it has other than that.
    pub struct Language(grammar: Grammar) {
        /// Its code and its label.
        pub grammar: Grammar = grammar,
        /// Raised when what is recorded of its documents changes, be it by its rows or by its grammar: those that
        /// earlier versions made are then made anew. For what the content decides, when the rule changes.
        pub version: u32 = 1,
        pub(crate) reader: Reader = Reader::Words,
        /// Grammars of which its documents may have parts.
        pub(crate) parts: &'static [Grammar] = &[],
        /// Endings of file names after the last dot, in lower case; found in either case.
        pub(crate) extensions: &'static [&'static str] = &[],
        /// Extensions that are its own in capitals only.
        pub(crate) capital_extensions: &'static [&'static str] = &[],
        /// Whole names; one that ends in a dot stands for all that begin so and end in no known extension.
        pub(crate) file_names: &'static [&'static str] = &[],
        /// Programs named in a `#!` line.
        pub(crate) interpreters: &'static [&'static str] = &[],
        /// Says by content what a document really is: one of its parts.
        pub(crate) by_content: Option<fn(&[u8]) -> Grammar> = None,
        /// A `#!` line that names a program of another language says what a document really is, whatever its file is called.
        pub(crate) by_interpreter: bool = false,
        /// What people call it besides its label.
        pub(crate) aliases: &'static [&'static str] = &[],
        /// The language whose name stands for this one too.
        pub dialect_of: Option<Grammar> = None,
        /// What is written in it.
        pub genre: Genre = Genre::Code,
        /// Whether nothing looks at the types that are written when a program is built or run.
        pub types_are_hints: bool = false,
        /// Whether indentation is syntax.
        pub(crate) indented: bool = false,
        /// Lines may be of any length without a program having made them.
        pub(crate) long_lines: bool = false,
        /// The language that stands for all of a family, whose files define names for each other.
        pub family: Grammar = grammar,
        /// How its definitions and calls are written; `None` where nobody has said it.
        pub(crate) calls: Option<&'static CallRows> = None,
        /// Which bytes of its documents are in which of its parts; `None` where they are no bytes of the file.
        pub(crate) embedded: Option<FindParts> = None,
        /// What a change of what a library gives out means for others.
        pub versioning: Versioning = Versioning::new(),
        /// How names find their definitions.
        pub naming: Naming = Naming::new(),
        /// Which files its imports name. Where a language stands for a family, for all of that.
        pub resolver: Option<MakeResolver> = None,
        /// Whether what its imports name follows from what other files declare, and not from paths and configuration
        /// alone. Where a language stands for a family, of all of that.
        pub declares_modules: bool = false,
        /// What is used although no code says so.
        pub liveness: Liveness = Liveness::new(),
        /// What the names of files say of what they are for.
        pub(crate) roles: Roles = Roles::new(),
    }
}

impl Language {
    /// The feature of this crate that brings its grammar; `None` when it takes none.
    pub fn feature(&self) -> Option<&'static str> {
        match &self.reader {
            Reader::Tree(reader) => Some(reader.parser.feature),
            _ => None,
        }
    }

    /// Whether its name says only that the content decides, so that no document is in it in the end.
    pub(crate) fn is_undecided(&self) -> bool {
        self.by_content.is_some() && matches!(self.reader, Reader::Words)
    }
}

/// What is written in a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Genre {
    /// Whatever there is.
    Text,
    /// What people are told.
    Prose,
    /// Settings and lists.
    Data,
    /// Pages for people to look at.
    Page,
    /// What things are to be like, not what to do: styles, queries, infrastructure.
    Description,
    /// How programs are built and started: names in it are theirs as often as its own.
    Recipe,
    /// What programs in other languages implement, under the same names.
    Schema,
    /// Programs.
    Code,
}

impl Genre {
    /// Whether it is written for a program to read, and in a language of its own.
    pub fn is_code(self) -> bool {
        !matches!(self, Self::Text | Self::Prose)
    }

    /// Whether a name in it may be that of code in any language.
    pub fn speaks_of_code(self) -> bool {
        matches!(self, Self::Text | Self::Prose | Self::Page)
    }

    /// Whether names in it stand for code without being code.
    pub fn is_data(self) -> bool {
        matches!(
            self,
            Self::Text | Self::Data | Self::Page | Self::Recipe | Self::Schema
        )
    }
}

usual! {
    /// What the names of files, in lower case, say of what they are for.
    pub(crate) struct Roles() {
        /// Files that only tests use.
        pub(crate) tests: &'static [&'static str] = &[],
        /// Endings of the files of a language whose tests are told by `_test` at the end of their names and by nothing
        /// else: `test_routing.go` is built into the program.
        pub(crate) built: &'static [&'static str] = &[],
        /// Endings of files that are tests.
        pub(crate) test_endings: &'static [&'static str] = &[],
        /// Endings of files that are tests when a class in them is called so: `ParserTest.java`.
        pub(crate) class_tests: &'static [&'static str] = &[],
        /// Endings of files that declare what is elsewhere.
        pub(crate) declarations: &'static [&'static str] = &[],
        /// Manifests and recipes that are programs or have a form of their own.
        pub(crate) settings: &'static [&'static str] = &[],
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
    pub(crate) const fn tree(parser: Parser, rows: &'static LangSpec) -> Self {
        Self::Tree(TreeReader::new(parser, rows))
    }

    /// The same, of a language whose layout tells declarations apart.
    pub(crate) const fn shaped(
        parser: Parser,
        rows: &'static LangSpec,
        shape: &'static Shape,
    ) -> Self {
        Self::Tree(TreeReader {
            shape: Some(shape),
            ..TreeReader::new(parser, rows)
        })
    }
}

/// A tree-sitter grammar.
#[derive(Clone, Copy)]
pub(crate) struct Parser {
    /// The feature of this crate that brings it.
    pub(crate) feature: &'static str,
    /// Makes it; `None` when this build was made without it.
    pub(crate) make: Option<fn() -> tree_sitter::Language>,
}

/// Finds the parts of a file that are in other languages.
pub(crate) type FindParts = fn(&[u8], Grammar) -> Vec<(Range<usize>, Grammar)>;

/// Parses parts of a file whose tree is there, with the tables of its language.
pub(crate) type ParseInner = fn(&[u8], &Tree, &Tables) -> InnerTrees;

usual! {
    /// How a language is read by its syntax trees.
    pub(crate) struct TreeReader(parser: Parser, rows: &'static LangSpec) {
        pub(crate) parser: Parser = parser,
        pub(crate) rows: &'static LangSpec = rows,
        /// How often the lexer may read the file, where that is more than [`parse::MAX_READS`].
        pub(crate) most_reads: usize = parse::MAX_READS,
        /// Whether the grammar's own scanner could run out of stack over a file, or never come back.
        pub(crate) overflows: Option<fn(&[u8]) -> bool> = None,
        /// Blanks out what is no syntax in a file that has errors, which is then parsed again.
        pub(crate) blank: Option<Blank> = None,
        /// Whether nothing is blanked out where more of the file lies in errors without it.
        pub(crate) blank_for_less: bool = false,
        /// Parses parts that the grammar leaves as tokens.
        pub(crate) inner: Option<ParseInner> = None,
        /// How declarations are told apart where there are errors; `None` where layout does not say it.
        pub(crate) shape: Option<&'static Shape> = None,
    }
}

impl TreeReader {
    /// The tables of the rows; `None` when this build was made without the grammar.
    pub(crate) fn tables(&self) -> Option<Tables> {
        let language = (self.parser.make?)();
        Some(Tables::new(
            language,
            self.rows,
            self.overflows,
            self.most_reads,
        ))
    }
}

/// The grammar of a crate, when the build has its feature.
macro_rules! parser {
    ($feature:literal, $language:expr) => {{
        #[cfg(feature = $feature)]
        const MAKE: Option<fn() -> tree_sitter::Language> = Some(|| $language.into());
        #[cfg(not(feature = $feature))]
        const MAKE: Option<fn() -> tree_sitter::Language> = None;
        crate::lang::language::Parser {
            feature: $feature,
            make: MAKE,
        }
    }};
}
pub(crate) use parser;
