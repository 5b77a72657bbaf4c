//! Reading on after a syntax error.
//!
//! Where a parser stumbles it may give up what follows: seven hundred lines are one error because a class
//! has its constructor on a line of its own. A file with such an error is cut into declarations by its
//! layout ([`outline`]). Those that the error leaves alone stay what the first parse made of them; the others
//! are parsed in groups, each with the heads and ends of what they lie in and without everything else: the
//! declaration that an error begins in by itself, and what follows it, and halves of what is not understood
//! even then, so that in the end one declaration stands alone with what is wrong in it. All trees have the
//! positions of the file, since what is left out is left out of the ranges that the parser is given. One tree
//! of heads and ends alone holds them together: the walk visits it, and each group in its place.
//!
//! Guarantees: what is read is a function of the bytes, the grammar and its [`Shape`]. A file is parsed at
//! most [`MAX_PARSES`] times and some [`MOST_READ`] times its length on top of the first, and not at all
//! where an error costs too few declarations for what it takes to read them ([`WORTH`]). What is read is
//! taken for what the first parse gave only when fewer bytes lie in errors. Deliberately absent: guesses at
//! what the author meant, and errors that stay within one declaration, which lose nothing.

mod errors;
mod groups;
mod heads;
mod outline;
mod rows;
mod search;

use super::rows::Tables;
use crate::id::LocalName;
use crate::record::Symbol;
use rows::Rows;
use search::Search;
use std::ops::Range;
use tree_sitter::{Node, Point, Tree};

/// How many groups are parsed of a file.
const MAX_PARSES: usize = 48;
/// How many times its length is read of a file, and so many bytes of any.
const MOST_READ: usize = 2;
const READ: usize = 8 << 10;
/// How many bytes are read again for a declaration that is not found without.
const WORTH: usize = 2 << 10;

/// What the layout of a language says, as far as declarations are told apart by it.
pub(crate) struct Shape {
    /// What begins a comment that ends with its line.
    pub(crate) comment: &'static [u8],
    /// Whether there are comments in `/*` and `*/`.
    pub(crate) blocks: bool,
    /// Whether these nest.
    pub(crate) nested: bool,
    /// Quotes of strings that may have several lines.
    pub(crate) long: &'static [&'static [u8]],
    /// Whether what stands in single quotes is a character.
    pub(crate) chars: bool,
    /// Whether every declaration ends with a semicolon or a brace.
    pub(crate) terminated: bool,
    /// Whether lines that begin with `#` are for a preprocessor.
    pub(crate) directives: bool,
    /// What a line ends with before those that stand in a block; nothing where indentation says it.
    pub(crate) opens: &'static [u8],
    /// Words that end what stands above them, beside those that do in every language.
    pub(crate) ends: &'static [&'static [u8]],
    /// What may stand in a block that has nothing in it, where it must not be empty.
    pub(crate) filler: &'static [u8],
}

impl Shape {
    /// That of C and what took after it.
    pub(crate) const BRACES: Self = Self {
        comment: b"//",
        blocks: true,
        nested: false,
        long: &[],
        chars: true,
        terminated: true,
        directives: false,
        opens: b"{",
        ends: &[],
        filler: b"",
    };
}

/// A file that was read in groups.
pub(crate) struct Recovered {
    /// Heads and ends of what holds others.
    pub(crate) base: Tree,
    pub(crate) parts: Vec<Part>,
    /// Where what was put in place of the last of a block ends, in order, and where that ends.
    pub(crate) ends: Vec<(usize, usize)>,
    trees: Vec<Tree>,
    /// What was not understood, in order.
    pub(crate) errors: Vec<Range<usize>>,
}

/// Declarations that are read from a tree of their own.
pub(crate) struct Part {
    pub(crate) bytes: Range<usize>,
    /// The same in rows and columns.
    pub(crate) points: Range<Point>,
    tree: usize,
}

impl Recovered {
    /// All its trees.
    pub(crate) fn trees(&self) -> impl Iterator<Item = &Tree> {
        std::iter::once(&self.base).chain(&self.trees)
    }

    /// Whether a part is made of whole nodes that stand in a node.
    pub(crate) fn are_whole(part: &Part, above: Node<'_>) -> bool {
        let mut cursor = above.walk();
        if cursor.goto_first_child_for_byte(part.bytes.start).is_none() {
            return false;
        }
        loop {
            let node = cursor.node();
            if node.start_byte() >= part.bytes.end {
                return true;
            }
            let is_whole = node.is_named() && node.child_count() > 0 || node.is_extra();
            if node.is_error() || !is_whole {
                return false;
            }
            if !cursor.goto_next_sibling() {
                return true;
            }
        }
    }

    /// The innermost node that holds a part and begins before it.
    pub(crate) fn around(&self, part: &Part) -> Option<Node<'_>> {
        let mut cursor = self.trees.get(part.tree)?.walk();
        while cursor.goto_first_child_for_byte(part.bytes.start).is_some() {
            let node = cursor.node();
            if node.start_byte() >= part.bytes.start || node.end_byte() < part.bytes.end {
                cursor.goto_parent();
                break;
            }
        }
        Some(cursor.node())
    }
}

/// Reads a file again whose tree has errors; where that is not worth it or does not help, says what lies in
/// errors. `lines` is where each line begins, `found` what there is in the tree.
pub(crate) fn recover(
    bytes: &[u8],
    lines: &[u32],
    tables: &Tables,
    shape: &'static Shape,
    tree: &Tree,
    found: &[Symbol<LocalName>],
) -> Result<Recovered, Vec<Range<usize>>> {
    let rows = Rows::new(bytes, lines, shape);
    let pieces = outline::pieces(&rows);
    let mut search = Search::new(bytes, lines, tables, rows, pieces);
    let again = search.unsound(tree);
    let lost = |errors: &[Range<usize>]| errors.iter().map(Range::len).sum::<usize>();
    if search.is_worth(&again, found)
        && let Some(recovered) = search.run(tree)
        && lost(&recovered.errors) < lost(&errors::ranges(tree))
    {
        return Ok(recovered);
    }
    Err(search.spoiled(tree).errors)
}

/// What lies in errors of a tree, in order.
pub(crate) fn errors(tree: &Tree) -> Vec<Range<usize>> {
    errors::ranges(tree)
}

#[cfg(test)]
mod tests {
    use crate::extract::extract;
    use crate::record::{DocFlags, DocRecord, Grammar};

    fn names(record: &DocRecord) -> Vec<String> {
        let symbols = record.symbols.iter();
        let name = |id| String::from_utf8_lossy(record.names.get(id)).into_owned();
        symbols
            .map(|symbol| match symbol.container {
                Some(at) => format!(
                    "{}.{}",
                    name(record.symbols[at as usize].name),
                    name(symbol.name)
                ),
                None => name(symbol.name),
            })
            .collect()
    }

    #[test]
    fn a_head_on_two_lines_is_read_on_one() {
        let source = "value class Result<out T>\n@Known internal constructor(val held: Any?) {\n    \
                      fun isRight() = true\n\n    class Wrong\n}\n\ninterface After {\n    fun last()\n}\n";
        let record = extract(source.as_bytes(), Grammar::Kotlin);
        let expected = [
            "Result",
            "Result.held",
            "Result.isRight",
            "Result.Wrong",
            "After",
            "After.last",
        ];
        assert_eq!(names(&record), expected);
        assert!(
            !record.flags.contains(DocFlags::SYNTAX_ERRORS),
            "all of it is understood"
        );
    }

    #[test]
    fn storms_of_errors_end() {
        let units = [
            "class A {\n",
            "fun f( {\n",
            "}\n",
            "  (\n",
            "#if 1\n",
            "def f(\n",
            "namespace a {\n",
            "public:\n",
            "class A\n  constructor( {\n x\n",
            "/*\n",
            "\"\"\"\n",
            "a {\n b (\n}\n",
        ];
        let grammars = [
            Grammar::Kotlin,
            Grammar::Cpp,
            Grammar::Python,
            Grammar::TypeScript,
            Grammar::Ruby,
            Grammar::Rust,
        ];
        for (unit, turn) in units.iter().zip(0..) {
            let grammar = grammars[turn % grammars.len()];
            extract(unit.repeat(8_000 / unit.len()).as_bytes(), grammar);
            for grammar in grammars {
                extract(unit.repeat(30).as_bytes(), grammar);
                extract(
                    format!("{unit}class A {{\n x\n}}\n").repeat(20).as_bytes(),
                    grammar,
                );
            }
        }
    }
}
