//! Parsing within a budget, so that a file made to be slow costs a skip record and not the run.
//!
//! tree-sitter follows several readings of broken or ambiguous code at once, and what it does
//! between two of its progress callbacks grows with how much it has not decided yet: where a
//! kilobyte of `/*` ends, Python's parser allocates a gigabyte in one step; after four, 22.
//! Counting steps is therefore not enough. Four counts are kept, and the parse ends when any
//! exceeds its bound:
//!
//! * steps, by [`STEP_BYTES`];
//! * bytes given to the lexer, by [`MAX_READS`];
//! * bytes asked of the allocator, by [`BYTES_PER_BYTE`] and [`BYTES_AHEAD`];
//! * entries of the parser's stack, by [`MAX_STACK`]: the undecided rest, and the only bound on
//!   what one step may cost.
//!
//! Guarantees: the outcome depends on the bytes and the grammar alone. The parser is made anew for
//! each file, since a used one asks for less memory. Deliberately absent: clocks, the size of the
//! process, and ending the input early: the end is what makes undecided code expensive.

use super::memory;
use super::rows::Tables;
use crate::limits::MAX_NESTING;
use std::cell::Cell;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState, Parser, Range, Tree};

/// Steps a blob is always granted, in calls of the parser's progress callback (each about a
/// hundred operations of the parser).
const STEPS: usize = 200;
/// Bytes that grant one more step. Of 8,768 files (the clones of prisma, fastapi, express, vite,
/// tokio, redis and gin), the densest needs one for 48 bytes.
const STEP_BYTES: usize = 8;

/// Reads a blob is always granted.
const READS: usize = 500;
/// Bytes given to the lexer at a time. What it reads again within them is not counted.
const READ_BYTES: usize = 256;
/// How often the lexer may read the file: an unterminated comment is read to the end of the file
/// from each place it might begin at. Of the same files the worst is read twice.
pub(crate) const MAX_READS: usize = 16;

/// Bytes asked of the allocator that a byte of source grants. Over whole files the median is 8,
/// the maximum 130: redis's `fast_float.h`, C++ read as C.
const BYTES_PER_BYTE: u64 = 256;
/// How far requests may run ahead of what the source passed so far grants; what it granted and
/// did not need is lost, so that a harmless beginning buys nothing. The same file runs 1.2 MB
/// ahead, every other less than 0.4 MB.
const BYTES_AHEAD: u64 = 4 << 20;

/// Most entries of the parser's stack, over all readings it follows. The same file needs 640,
/// every other less than 560. The worst step known with this many (Python's `/*a` in lines) asks
/// for 2.3 GB, holds 113 MB and takes a quarter of a second; each of these goes up with the square.
const MAX_STACK: u64 = 2048;

/// Parses a blob; `None` when its budget is spent or its syntax is nested deeper than
/// [`MAX_NESTING`].
pub(crate) fn parse(bytes: &[u8], tables: &Tables) -> Option<Tree> {
    run(bytes, tables, &[])
}

/// Parses a range of a blob as if it were all of it, within the budget of its length; positions stay
/// those of the blob.
pub(crate) fn parse_range(bytes: &[u8], tables: &Tables, range: Range) -> Option<Tree> {
    run(bytes, tables, &[range])
}

/// Parses some ranges of a blob as if they were all of it, one after the other, within the budget of their
/// length; positions stay those of the blob.
pub(crate) fn parse_ranges(bytes: &[u8], tables: &Tables, ranges: &[Range]) -> Option<Tree> {
    match ranges {
        [] => None,
        ranges => run(bytes, tables, ranges),
    }
}

/// Parses ranges of a blob, or all of it where there are none.
fn run(bytes: &[u8], tables: &Tables, ranges: &[Range]) -> Option<Tree> {
    if tables.overflows(bytes) {
        return None;
    }
    memory::count_from_now_on();
    let before = memory::counts();
    let mut parser = Parser::new();
    parser.set_language(tables.language()).ok()?;

    let read_before = Before::new(ranges);
    if !ranges.is_empty() {
        parser.set_included_ranges(ranges).ok()?;
    }
    let len = read_before.count(bytes.len());

    let mut steps = STEPS + len / STEP_BYTES;
    let reads = Cell::new(READS + len / READ_BYTES * tables.most_reads);
    let mut requested = before.requested;
    let mut ahead = 0;
    let mut passed = 0;
    let mut progress = |state: &ParseState| {
        let now = memory::counts();
        // Readings take turns, so the place goes back and forth.
        let at = read_before.count(state.current_byte_offset());
        let gained = at.saturating_sub(passed);
        passed += gained;
        ahead += now.requested - requested;
        ahead = ahead.saturating_sub(gained as u64 * BYTES_PER_BYTE);
        requested = now.requested;
        let stack = now.stack.wrapping_sub(before.stack);
        if steps == 0 || reads.get() == 0 || ahead > BYTES_AHEAD || stack > MAX_STACK {
            return ControlFlow::Break(());
        }
        steps -= 1;
        ControlFlow::Continue(())
    };
    let mut read = |at: usize, _| {
        reads.set(reads.get().saturating_sub(1));
        let rest = bytes.get(at..).unwrap_or(b"");
        &rest[..rest.len().min(READ_BYTES)]
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, None, Some(options))?;
    (!nested_deeper(&tree, MAX_NESTING)).then_some(tree)
}

/// How many bytes are read of those before a place.
struct Before(Vec<(usize, usize, usize)>);

impl Before {
    fn new(ranges: &[Range]) -> Self {
        let mut read = 0;
        let sums = ranges.iter().map(|range| {
            let len = range.end_byte.saturating_sub(range.start_byte);
            read += len;
            (range.start_byte, len, read - len)
        });
        Self(sums.collect())
    }

    fn count(&self, at: usize) -> usize {
        let next = self.0.partition_point(|(start, ..)| *start <= at);
        match next.checked_sub(1).and_then(|last| self.0.get(last)) {
            Some((start, len, before)) => before + (at - start).min(*len),
            None if self.0.is_empty() => at,
            None => 0,
        }
    }
}

/// Whether a node lies in more than `most` others. Only nodes that hold enough others for that are
/// looked into, which are few in any file.
fn nested_deeper(tree: &Tree, most: usize) -> bool {
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        // The count has the node itself in it.
        if depth + cursor.node().descendant_count() > most + 1 && cursor.goto_first_child() {
            depth += 1;
            if depth > most {
                return true;
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::{self, LANGUAGES};
    use crate::record::Grammar;

    fn parse(bytes: &[u8], grammar: Grammar) -> Option<Tree> {
        super::parse(bytes, lang::tables(grammar).unwrap())
    }

    /// What a parse asked for and the most it held, in bytes, and whether it came to an end.
    fn cost(bytes: &[u8], grammar: Grammar) -> (u64, u64, bool) {
        memory::count_from_now_on();
        let before = memory::counts();
        memory::forget_peak();
        let ended = parse(bytes, grammar).is_some();
        let after = memory::counts();
        assert_eq!(after.held, before.held, "a parse leaves nothing behind");
        assert_eq!(after.stack, before.stack);
        (
            after.requested - before.requested,
            after.peak - before.held,
            ended,
        )
    }

    /// What grammars read in several ways at once, or never find the end of.
    const HOSTILE: [&str; 20] = [
        "(", "[", "{", "<", "a.", "/*", "/*a", "\"", "${`", "if(", "a=>", "a<", "a?.", "a?:",
        "x y ", "@a\n", "\u{e9}", "impl<", "a for ", "a;/*",
    ];

    /// Some scanners read all comments that follow a block, once for each of them.
    #[test]
    fn long_runs_of_comments_are_read() {
        for (code, grammar) in [
            (
                "class A:\n    def f(self):\n        return 1\n\n\n",
                Grammar::Python,
            ),
            ("resource \"a\" \"b\" {\n  x = 1\n}\n", Grammar::Hcl),
        ] {
            for indent in ["", "    "] {
                let line = format!("{indent}# a line that says why this is not done otherwise\n");
                let bytes = format!("{code}{}", line.repeat(250));
                assert!(parse(bytes.as_bytes(), grammar).is_some(), "{grammar:?}");
            }
        }
    }

    #[test]
    fn hostile_input_ends_within_the_budget() {
        std::thread::scope(|scope| {
            let grammars = LANGUAGES.iter().map(|language| language.grammar);
            for grammar in grammars.filter(|grammar| lang::tables(*grammar).is_some()) {
                scope.spawn(move || hostile_input_of(grammar));
            }
        });
    }

    fn hostile_input_of(grammar: Grammar) {
        for (piece, turn) in HOSTILE.iter().zip(0..) {
            // Bare, in lines, and thinned out: spaces grant a budget and need none.
            let units = [
                piece.to_string(),
                format!("{}\n", piece.repeat(20)),
                format!("{piece}{}", " ".repeat(40)),
            ];
            let small = units.iter().map(|unit| (unit, 1_500));
            for (unit, size) in small.chain([(&units[turn % 3], 80_000)]) {
                let source = unit.repeat(size / unit.len());
                let (requested, held, _) = cost(source.as_bytes(), grammar);
                let granted = BYTES_AHEAD + size as u64 * BYTES_PER_BYTE;
                let what = format!("{grammar:?} {unit:?} to {size} bytes");
                assert!(requested < granted + (3 << 30), "{what}: {requested}");
                assert!(held < granted + (192 << 20), "{what}: {held}");
            }
        }
    }

    #[test]
    fn each_bound_ends_a_parse() {
        // One entry of the stack for each parenthesis that is open.
        let nested = |deep| format!("{}a{}", "(".repeat(deep), ")".repeat(deep));
        assert!(cost(nested(1_000).as_bytes(), Grammar::Go).2);
        assert!(!cost(nested(4_000).as_bytes(), Grammar::Go).2);
        // Undecided to the end.
        assert!(!cost("/*a".repeat(2_000).as_bytes(), Grammar::Python).2);
        // Read to the end of the file from each comment: the lexer.
        assert!(!cost("a;/*".repeat(20_000).as_bytes(), Grammar::TypeScript).2);
    }

    #[test]
    fn nested_comments_leave_the_stack_alone() {
        for grammar in [Grammar::OCaml, Grammar::OCamlInterface] {
            for size in [8192, 500_000] {
                parse("(*".repeat(size).as_bytes(), grammar);
                parse("(*\"*)\"".repeat(size / 4).as_bytes(), grammar);
            }
        }
    }

    #[test]
    fn a_parse_costs_the_same_each_time() {
        let source = "class A { b() { return c(d => [...d, `${e}`]) } }\n".repeat(50);
        let first = cost(source.as_bytes(), Grammar::TypeScript);
        cost("a=>".repeat(500).as_bytes(), Grammar::TypeScript);
        assert_eq!(cost(source.as_bytes(), Grammar::TypeScript), first);
        assert!(first.2 && first.0 > source.len() as u64);
    }

    #[test]
    fn what_one_read_cuts_is_read_whole() {
        // Characters of several bytes and long tokens across the ends of what is read at a time.
        for shift in 0..4 {
            let source = format!(
                "{}let \u{e9}\u{4e16}{} = 1;",
                " ".repeat(READ_BYTES - 6 - shift),
                "a".repeat(900)
            );
            let tree = parse(source.as_bytes(), Grammar::JavaScript).unwrap();
            assert!(!tree.root_node().has_error(), "{shift}");
        }
    }
}
