//! Sources that no person writes, for every grammar that is built in: what opens and never ends, what
//! nests, what is all errors, what is one line, what is a hundred thousand definitions.
//!
//! Each is extracted on a thread of its own with the stack that threads have. Asserted are bytes held
//! and lengths of records; the long form prints seconds, too.

use crate::memory::most_held;
use crate::random;
use git_sverklo::extract::record::{DocRecord, Grammar, SkipReason};
use git_sverklo::extract::{extract, most_parser_bytes};
use git_sverklo::lang;
use git_sverklo::limits::{MAX_NAME_BYTES, MAX_PARSED_BYTES, MAX_SYMBOL_NESTING};
use std::time::Instant;

/// Bytes of a source in the short form, and in the long one.
const SHORT: usize = 20_000;
const LONG: usize = 1_000_000;
/// How many patterns of each grammar the short form takes.
const SHORT_PATTERNS: usize = 8;

/// Bytes that the parser may hold at once, and the program, for a source of no length, and for each byte.
const PARSER: (u64, u64) = (192 << 20, 256);
const PROGRAM: (u64, u64) = (4 << 20, 240);

/// What opens something in one language or another, or never comes to a decision.
const UNITS: &[&str] = &[
    "(",
    "[",
    "{",
    "<",
    "\"",
    "'",
    "`",
    "/*",
    "//",
    "#",
    "#if A\n",
    "\r",
    "\u{feff}",
    "\u{e9}",
    "\\",
    "class A{ ",
    "fn a(){ ",
    "function a(){",
    "func a() {",
    "def a():\n",
    "def a\n",
    "module A\n",
    "namespace A{",
    "impl A{",
    "struct A{",
    "enum A{",
    "trait A{",
    "interface A{",
    "object A {",
    "if(a){",
    "if(a)b;else ",
    "if a then ",
    "elif a:\n",
    "for(;;)",
    "while(a)",
    "switch(a){case 1:",
    "try{",
    "do ",
    "begin ",
    "case a of ",
    "match a {",
    "let a = ",
    "lambda a: ",
    "a => ",
    "\\a -> ",
    "a.",
    "a?.",
    "a::",
    "a->",
    "a()",
    "a[0]",
    "a?b:",
    "a,",
    "a;",
    "a+",
    "a&&",
    "a|",
    "a ",
    "-",
    "!",
    "*",
    "&",
    "A<",
    "A<B,",
    "template<",
    "@a\n",
    "@a(",
    "#[a]\n",
    "$",
    "$(",
    "${",
    "`${",
    "\"${",
    "\"#{",
    "\"$(",
    "f\"{",
    "<<A\n",
    "<<~A\n",
    "=begin\n",
    "(*",
    "{-",
    "--[[",
    "[[",
    "%{",
    "<a>",
    "<a ",
    "<!--",
    "<div>",
    "<script>",
    "{{",
    "{#if a}",
    "<?php ",
    "?>",
    "- ",
    "> ",
    "* ",
    "  - ",
    "# a\n",
    "a: ",
    "{\"a\":",
    "[1,",
    "[a.b]\n",
    "SELECT (",
    "CREATE TABLE a (",
    "CASE WHEN ",
    "use a::{",
    "import a.{",
    "int a,",
    "a = ",
    "a: A -> ",
    "type A = B | ",
    "x y ",
    "a for ",
    ";/*",
    "{ a = ",
    "{ a, b }: ",
    "inherit (a) b; ",
    "@{a=",
    "@'\n",
    "| % { ",
    "message A { oneof a { ",
    "contract A { ",
    "mapping(a => ",
    "type A { a: [",
    "{ a { ...on A { ",
    "define a\n",
    "ifeq (a,b)\n",
    "a: b\n\tc\n",
    "FROM a AS b\n",
    "RUN <<A <<B\n",
];

/// Definitions by the thousand; `@` is a number.
const DEFINITIONS: &[&str] = &[
    "int n@;\n",
    "int n@() {}\n",
    "def n@(): pass\n",
    "def n@; end\n",
    "function n@() {}\n",
    "function n@() end\n",
    "const n@ = 1;\n",
    "fn n@() {}\n",
    "func n@() {}\n",
    "let n@ = 1\n",
    "let n@ x = x\n",
    "n@ = 1\n",
    "n@ x = x\n",
    "n@ :: Int\n",
    "def n@(a), do: a\n",
    "class n@ {}\n",
    ".n@ { a: b }\n",
    "val n@ = 1\n",
    "local n@ = 1\n",
    "# n@\n",
    "n@: 1\n",
    "a.n@ = 1\n",
    "resource \"n\" \"n@\" {}\n",
    "CREATE TABLE n@ (a int);\n",
    "import n@\n",
    "use n@;\n",
    "#include \"n@\"\n",
    "type n@ = int\n",
    "$n@ = 1;\n",
    "alias n@=a\n",
    "/** a */ int n@;\n",
    "var n@ = function(a) { return a; }\n",
    "foo(a@, b@);\n",
    "\"n@\",\n",
    "exports.n@ = a;\n",
    "n@: a\n\tb\n",
    "n@ := $(n@)\n",
    "FROM a AS n@\n",
    "ENV n@=$n@\n",
    "message n@ { n@ a = 1; }\n",
    "type n@ { a: n@ }\n",
    "contract n@ is A { n@ a; }\n",
    "n@ = { a = n@; };\n",
    "function n@ { $n@ = 1 }\n",
];

/// What opens, what closes it, and what stands within.
const PAIRS: &[(&str, &str, &str)] = &[
    ("(", "a", ")"),
    ("[", "a", "]"),
    ("{", "a", "}"),
    ("{\"a\":", "1", "}"),
    ("a(", "b", ")"),
    ("if(a){", "b;", "}"),
    ("class A{", "a", "}"),
    ("function a(){", "b()", "}"),
    ("fn a(){", "b()", "}"),
    ("func a(){", "b()", "}"),
    ("\"${", "a", "}\""),
    ("\"#{", "a", "}\""),
    ("(a)=>{", "b()", "}"),
    ("A<", "B", ">"),
    ("<a>", "b", "</a>"),
    ("begin ", "a", " end"),
    ("do ", "a", " end"),
    ("(a,", "b", ")"),
    ("/*", "a", "*/"),
    ("(*", "a", "*)"),
    ("`${", "a", "}`"),
    ("let a = ", "b", " in a"),
    ("{ a = ", "b", "; }"),
    ("$(a ", "b", ")"),
    ("@{a=", "b", "}"),
    ("a { ", "b", " }"),
];

/// How a unit becomes a file.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Over and over, in lines that people could write.
    Lines,
    /// As much of it on one line as is not taken for minified, and short lines.
    Line,
    /// A number in it counts up.
    Counted,
    /// The same, with one number.
    Same,
    /// Many nests, each as deep as said.
    Nested(usize),
    /// Each line is indented deeper than that before, up to as deep as said.
    Indented(usize),
}

type Pattern = (Shape, &'static str, &'static str, &'static str);

fn patterns() -> Vec<Pattern> {
    let unit = |shape| move |unit: &&'static str| (shape, *unit, "", "");
    let mut all: Vec<Pattern> = UNITS.iter().map(unit(Shape::Lines)).collect();
    all.extend(UNITS.iter().step_by(3).map(unit(Shape::Line)));
    all.extend(DEFINITIONS.iter().map(unit(Shape::Counted)));
    all.extend(DEFINITIONS.iter().map(unit(Shape::Same)));
    all.extend(DEFINITIONS.iter().step_by(2).map(unit(Shape::Line)));
    for depth in [20, 300] {
        all.extend(
            PAIRS
                .iter()
                .map(|(a, b, c)| (Shape::Nested(depth), *a, *b, *c)),
        );
    }
    all.extend(
        ["if a:", "- a:", "class A:", "def a():", "a", "- a"]
            .iter()
            .map(unit(Shape::Indented(100))),
    );
    all
}

fn in_lines(unit: &str, size: usize) -> String {
    let mut text = String::with_capacity(size + 200);
    let mut line = 0;
    while text.len() < size {
        text.push_str(unit);
        line = if unit.ends_with('\n') {
            0
        } else {
            line + unit.len()
        };
        if line > 120 {
            text.push('\n');
            line = 0;
        }
    }
    text
}

fn source(pattern: &Pattern, size: usize) -> Vec<u8> {
    let (shape, open, within, close) = *pattern;
    let text = match shape {
        Shape::Lines | Shape::Same => in_lines(&open.replace('@', "1"), size),
        Shape::Line => {
            let unit = open.replace('@', "1").replace('\n', " ");
            let line = unit.repeat(size * 45 / 100 / unit.len());
            format!(
                "{}{line}\n{}",
                " \n".repeat(size / 8),
                " \n".repeat(size / 7)
            )
        }
        Shape::Counted => {
            let mut text = String::new();
            for n in 0.. {
                text.push_str(&open.replace('@', &n.to_string()));
                if text.len() > size {
                    break;
                }
            }
            text
        }
        Shape::Nested(depth) => {
            let one = format!("{}{within}{}\n", broken(open, depth), broken(close, depth));
            one.repeat((size / one.len()).max(1))
        }
        Shape::Indented(depth) => {
            let lines = (0..depth).map(|n| format!("{}{open}\n", " ".repeat(n)));
            let one: String = lines.collect();
            one.repeat((size / one.len()).max(1))
        }
    };
    text.into_bytes()
}

/// A unit so many times, in lines.
fn broken(unit: &str, times: usize) -> String {
    let per_line = 100 / unit.len() + 1;
    let mut text = String::new();
    for n in 1..=times {
        text.push_str(unit);
        if n % per_line == 0 && !unit.contains('"') {
            text.push('\n');
        }
    }
    text
}

/// Makes a text one of a grammar: what every file of it begins with.
fn dressed(grammar: Grammar, text: Vec<u8>) -> Vec<u8> {
    let before: &[u8] = match grammar {
        Grammar::Php => b"<?php\n",
        Grammar::Vue | Grammar::Svelte | Grammar::Html => b"<script>\n",
        _ => b"",
    };
    match grammar {
        Grammar::Notebook => {
            let lines = text.split_inclusive(|b| *b == b'\n');
            let quoted: Vec<String> = lines
                .map(|line| {
                    let line = String::from_utf8_lossy(line);
                    let line = line.replace('\\', "\\\\").replace('"', "\\\"");
                    format!("\"{}\"", line.replace('\n', "\\n").replace('\r', "\\r"))
                })
                .collect();
            let cells = format!(
                "{{\"cells\":[{{\"cell_type\":\"code\",\"source\":[\n{}\n]}}]}}",
                quoted.join(",\n")
            );
            cells.into_bytes()
        }
        _ => [before, &text].concat(),
    }
}

struct Cell {
    grammar: Grammar,
    pattern: String,
    seconds: f64,
    parser: u64,
    program: u64,
    record: DocRecord,
}

fn measure(grammar: Grammar, pattern: &Pattern, size: usize) -> Cell {
    let bytes = dressed(grammar, source(pattern, size));
    let began = Instant::now();
    most_parser_bytes();
    let (record, program) = most_held(|| extract(&bytes, grammar));
    Cell {
        grammar,
        pattern: format!("{:?} {:?}", pattern.0, pattern.1),
        seconds: began.elapsed().as_secs_f64(),
        parser: most_parser_bytes(),
        program,
        record,
    }
}

impl Cell {
    fn check(&self, size: usize) {
        let Self { record, .. } = self;
        let what = format!("{} {} of {size} bytes", self.grammar.label(), self.pattern);
        let size = size as u64 + (size as u64) / 2;
        assert!(
            self.parser < PARSER.0 + PARSER.1 * size,
            "{what}: parser {}",
            self.parser
        );
        assert!(
            self.program < PROGRAM.0 + PROGRAM.1 * size,
            "{what}: {}",
            self.program
        );
        let records = record.symbols.len() + record.occurrences.len() + record.imports.len();
        assert!(records as u64 <= size, "{what}: {records} records");
        let hints = record.hints.locals.len() + record.hints.receivers.len();
        assert!(hints as u64 <= 2 * size, "{what}: {hints} hints");
        let terms: usize = record.chunks.iter().map(|chunk| chunk.terms.len()).sum();
        assert!(terms as u64 <= size, "{what}: {terms} terms");
    }
}

/// Every grammar that is built in, so that a new one is not forgotten.
fn grammars() -> Vec<Grammar> {
    let built = Grammar::ALL.iter().copied();
    built.filter(|grammar| lang::is_built(*grammar)).collect()
}

#[test]
fn no_pattern_costs_more_than_its_bytes_are_worth() {
    let (all, long) = (patterns(), random::scale() > 1);
    let size = std::env::var("SVERKLO_SIEGE_BYTES")
        .ok()
        .and_then(|n| n.parse().ok());
    let size = size.unwrap_or(if long { LONG } else { SHORT });
    let only = std::env::var("SVERKLO_SIEGE_GRAMMAR").unwrap_or_default();
    let many = std::env::var("SVERKLO_SIEGE_PATTERNS")
        .ok()
        .and_then(|n| n.parse().ok());
    let many = many.unwrap_or(if long { all.len() } else { SHORT_PATTERNS });
    let mut cells = Vec::new();
    for (at, grammar) in grammars().into_iter().enumerate() {
        if !only.is_empty() && only != grammar.label() {
            continue;
        }
        let mut random = random::Random(random::seed() + at as u64);
        let begin = random.below(all.len());
        let step = (all.len() / many.max(1)).max(1);
        for pattern in all.iter().cycle().skip(begin).take(all.len()).step_by(step) {
            let cell = std::thread::scope(|scope| {
                let cell = scope.spawn(|| measure(grammar, pattern, size)).join();
                cell.unwrap_or_else(|_| panic!("{} {pattern:?}", grammar.label()))
            });
            if cell.seconds > 1.5 || (size > SHORT && cell.parser + cell.program > 200 << 20) {
                print(&cell);
            }
            cell.check(size);
            cells.push(cell);
        }
    }
    if long || size > SHORT {
        for grammar in grammars() {
            let mine = || cells.iter().filter(|cell| cell.grammar == grammar);
            let slowest = mine().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
            let largest = mine().max_by_key(|cell| cell.parser + cell.program);
            println!(
                "-- {} ({} cells, {:.1} s)",
                grammar.label(),
                mine().count(),
                mine().map(|c| c.seconds).sum::<f64>()
            );
            slowest.into_iter().chain(largest).for_each(print);
        }
    }
    println!(
        "patterns: {} files of {size} bytes, {} grammars",
        cells.len(),
        grammars().len()
    );
}

fn print(cell: &Cell) {
    println!(
        "{} {} {:.2} s, parser {} MB, program {} MB, {:?}, {} symbols",
        cell.grammar.label(),
        cell.pattern,
        cell.seconds,
        cell.parser >> 20,
        cell.program >> 20,
        cell.record.skip,
        cell.record.symbols.len(),
    );
}

/// `class A{` over and over, as in a file that nobody ends.
fn unended(depth: usize) -> String {
    "class A{\n".repeat(depth)
}

#[test]
fn symbols_may_nest_so_deep_and_no_deeper() {
    for grammar in [Grammar::TypeScript, Grammar::JavaScript, Grammar::Svelte] {
        let text = |depth| dressed(grammar, unended(depth).into_bytes());
        let most = extract(&text(MAX_SYMBOL_NESTING + 1), grammar);
        // A component is a symbol, too.
        let component = usize::from(grammar == Grammar::Svelte);
        assert_eq!(
            (most.skip, most.symbols.len()),
            (None, MAX_SYMBOL_NESTING + 1 + component),
            "{grammar:?}"
        );
        let deeper = extract(&text(MAX_SYMBOL_NESTING + 2), grammar);
        assert_eq!(deeper.skip, Some(SkipReason::TooComplex), "{grammar:?}");
    }
}

#[test]
fn classes_that_do_not_end_cost_their_file_and_nothing_else() {
    let line = "class A{ class A{ class A{ \n";
    let source = line.repeat(560_000 / line.len());
    let grammars = if random::scale() > 1 {
        grammars()
    } else {
        vec![Grammar::TypeScript, Grammar::Python]
    };
    for grammar in grammars {
        extract(&dressed(grammar, source.clone().into_bytes()), grammar);
    }
}

#[test]
fn names_declared_together_are_not_nested() {
    let names: Vec<String> = (0..20_000).map(|n| format!("n{n},\n")).collect();
    let record = extract(
        format!("int {} last;\n", names.concat()).as_bytes(),
        Grammar::C,
    );
    assert_eq!((record.skip, record.symbols.len()), (None, 20_001));
    let hash = record.symbols[0].body_hash;
    assert!(record.symbols.iter().all(|symbol| symbol.body_hash == hash));
    assert!(record.chunks.len() > 20, "{}", record.chunks.len());
}

#[test]
fn a_prefix_that_many_imports_share_is_not_repeated_without_end() {
    let prefix = "p".repeat(MAX_NAME_BYTES);
    let uses = |count: usize| {
        let paths: String = (0..count).map(|n| format!("a{n}::b,\n")).collect();
        extract(
            format!("use {prefix}::{{{paths}}};\n").as_bytes(),
            Grammar::Rust,
        )
        .skip
    };
    assert_eq!(uses(100), None);
    assert_eq!(uses(MAX_PARSED_BYTES / 16), Some(SkipReason::TooComplex));
}

#[test]
fn chains_of_any_length_are_no_reason_to_end() {
    // Left-recursive: deep as they are long, and next to nothing of the parser's stack.
    let links = [
        "a.",
        "a::",
        "a?.",
        "!",
        "a+",
        "a()",
        "a[0]",
        "f()",
        "require('a').",
        "@import(\"a\").",
        "-",
    ];
    let size = if random::scale() > 1 { LONG } else { SHORT };
    for grammar in grammars() {
        for link in links {
            let chain = in_lines(link, size);
            for head in [
                "",
                "x = ",
                "local x = ",
                "const x = ",
                "let x = ",
                "var x = ",
            ] {
                let text = format!("{head}{chain}a;\n");
                std::thread::scope(|scope| {
                    scope.spawn(|| extract(&dressed(grammar, text.into_bytes()), grammar));
                });
            }
            if size == SHORT {
                break;
            }
        }
    }
}
