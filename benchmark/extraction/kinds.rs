//! Which languages are compared, and which kinds of ctags' definitions.

use super::aside::Rule;
use super::rules::*;
use super::tags::Tag;
use super::{clojure, erlang, heredocs, lua, ocaml, perl};
use crate::Result;
use git_sverklo::extract::record::Grammar;
use std::ops::Range;

/// Lines of a file, and what stands in them.
type Within = (Range<u32>, &'static str);

/// A language as both sides call it.
pub struct Language {
    /// What git-sverklo calls it.
    pub label: &'static str,
    /// Other languages of ours that ctags reads by the same parser.
    also: &'static [&'static str],
    /// What ctags calls it.
    pub ctags: &'static str,
    /// Kinds that are classes, types, functions or methods.
    pub kinds: &'static [&'static str],
    /// Kinds of things that have locals.
    pub functions: &'static [&'static str],
    /// What begins a line that is a comment.
    pub comments: &'static [&'static str],
    /// What begins and ends a text of several lines that ctags reads as code.
    pub texts: &'static [&'static str],
    /// The lines, from 1, that begin within what has no definitions, and within what; for a language in
    /// which ctags knows no ends.
    pub within: fn(&[&str]) -> Vec<Within>,
    /// Whether ctags tells each clause of a function, of which one definition is made.
    pub clauses: bool,
    /// What of what ctags says is no definition.
    pub aside: &'static [Rule],
    /// Definitions that are known and not taken.
    not_taken: &'static [Rule],
}

impl Language {
    /// Whether documents of a grammar are of the language.
    pub fn reads(&self, grammar: Grammar) -> bool {
        grammar.label() == self.label || self.also.contains(&grammar.label())
    }

    /// Which kind of definition that is not taken a tag is.
    pub fn not_taken(&self, tag: &Tag, line: &str) -> Option<&'static str> {
        let kind = self.not_taken.iter().find(|kind| (kind.is)(tag, line));
        kind.map(|kind| kind.why)
    }
}

/// The languages with these labels; all if none is named.
pub fn chosen(labels: &[String]) -> Result<Vec<&'static Language>> {
    let known = |label: &&String| LANGUAGES.iter().any(|language| language.label == **label);
    if let Some(label) = labels.iter().find(|label| !known(label)) {
        let known: Vec<_> = LANGUAGES.iter().map(|language| language.label).collect();
        return Err(format!("{label}: not one of {}", known.join(", ")).into());
    }
    let is_chosen = |language: &&Language| {
        labels.is_empty() || labels.iter().any(|label| language.label == *label)
    };
    Ok(LANGUAGES.iter().filter(is_chosen).collect())
}

/// Comments of several lines, which nest, and files that are templates of a program.
fn haskell(lines: &[&str]) -> Vec<Within> {
    let is_template = |line: &&str| line.starts_with("{%") || line.starts_with("{{");
    if lines.iter().any(is_template) {
        return vec![(1..lines.len() as u32 + 1, "in a template")];
    }
    let mut found = Vec::new();
    let (mut depth, mut from) = (0_usize, 0);
    for (line, number) in lines.iter().zip(1..) {
        for pair in line.as_bytes().windows(2) {
            match pair {
                b"{-" => {
                    if depth == 0 {
                        from = number + 1;
                    }
                    depth += 1;
                }
                b"-}" if depth > 0 => {
                    depth -= 1;
                    if depth == 0 {
                        found.push((from..number + 1, "in a comment"));
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// Programs for the graphics card, which are given to a macro and end with a parenthesis on a line of its own.
fn shaders(lines: &[&str]) -> Vec<Within> {
    let mut found = Vec::new();
    let mut open = None;
    for (line, number) in lines.iter().zip(1..) {
        match open {
            None if line.contains("SHADER_STRING") && !line.contains("#define") => {
                open = Some(number + 1);
            }
            Some(from) if line.trim_end() == ");" || line.trim_end() == " );" => {
                found.push((from..number + 1, "in a shader"));
                open = None;
            }
            _ => {}
        }
    }
    found
}

const SLASHES: &[&str] = &["//", "/*", "* ", "*/"];
const HASH: &[&str] = &["#"];

/// A language in which nothing known is left out.
const fn language(
    label: &'static str,
    ctags: &'static str,
    kinds: &'static [&'static str],
    functions: &'static [&'static str],
    comments: &'static [&'static str],
) -> Language {
    Language {
        label,
        also: &[],
        ctags,
        kinds,
        functions,
        comments,
        texts: &[],
        within: |_| Vec::new(),
        clauses: false,
        aside: &[],
        not_taken: &[],
    }
}

/// Every language that both read and that has definitions.
static LANGUAGES: &[Language] = &[
    Language {
        aside: BASH,
        within: heredocs::shell,
        ..language("bash", "Sh", &["function"], &["function"], HASH)
    },
    Language {
        aside: C,
        ..language(
            "c",
            "C",
            &["enum", "function", "struct", "typedef", "union"],
            &["function"],
            SLASHES,
        )
    },
    Language {
        aside: CLOJURE,
        within: clojure::ranges,
        ..language(
            "clojure",
            "Clojure",
            &["function", "namespace"],
            &["function"],
            &[";"],
        )
    },
    Language {
        aside: C,
        ..language(
            "cpp",
            "C++",
            &["class", "enum", "function", "struct", "typedef", "union"],
            &["function"],
            SLASHES,
        )
    },
    Language {
        aside: CSHARP,
        ..language(
            "csharp",
            "C#",
            &["class", "enum", "interface", "method", "struct"],
            &["method"],
            SLASHES,
        )
    },
    Language {
        texts: &["\"\"\"", "'''"],
        clauses: true,
        ..language(
            "elixir",
            "Elixir",
            &[
                "callback",
                "delegate",
                "exception",
                "function",
                "guard",
                "macro",
                "module",
                "operator",
                "protocol",
                "record",
                "type",
            ],
            &["function", "macro"],
            HASH,
        )
    },
    Language {
        within: erlang::ranges,
        clauses: true,
        aside: ERLANG,
        ..language(
            "erlang",
            "Erlang",
            &["function", "macro", "module", "record", "type"],
            &["function"],
            &["%"],
        )
    },
    Language {
        aside: FORTRAN,
        ..language(
            "fortran",
            "Fortran",
            &[
                "function",
                "interface",
                "module",
                "program",
                "submodule",
                "subroutine",
                "type",
            ],
            &[],
            &["!"],
        )
    },
    language(
        "go",
        "Go",
        &["alias", "func", "interface", "methodSpec", "struct", "type"],
        &["func"],
        SLASHES,
    ),
    Language {
        clauses: true,
        aside: HASKELL,
        within: haskell,
        ..language(
            "haskell",
            "Haskell",
            &["constructor", "function", "module", "type"],
            &["function"],
            &["--", "{-"],
        )
    },
    language(
        "java",
        "Java",
        &["annotation", "class", "enum", "interface", "method"],
        &["method"],
        SLASHES,
    ),
    Language {
        aside: JAVASCRIPT,

        also: &["jsx"],
        ..language(
            "javascript",
            "JavaScript",
            &[
                "class",
                "function",
                "generator",
                "getter",
                "method",
                "setter",
            ],
            &["function", "generator", "method"],
            SLASHES,
        )
    },
    Language {
        aside: JULIA,
        ..language(
            "julia",
            "Julia",
            &["function", "macro", "module", "struct", "type"],
            &["function", "macro"],
            HASH,
        )
    },
    Language {
        aside: KOTLIN,
        ..language(
            "kotlin",
            "Kotlin",
            &["class", "interface", "method", "object", "typealias"],
            &["method"],
            SLASHES,
        )
    },
    Language {
        aside: LUA,
        within: lua::ranges,
        ..language("lua", "Lua", &["function"], &["function"], &["--"])
    },
    Language {
        // A variable that is set again is still the first one.
        clauses: true,
        aside: MAKE,
        ..language("make", "Make", &["macro", "target"], &[], HASH)
    },
    Language {
        aside: OBJECTIVE_C,
        within: shaders,
        ..language(
            "objective-c",
            "ObjectiveC",
            &[
                "class",
                "enum",
                "function",
                "implementation",
                "interface",
                "method",
                "protocol",
                "struct",
                "typedef",
            ],
            &["function", "method"],
            SLASHES,
        )
    },
    Language {
        aside: OCAML,
        within: ocaml::ranges,
        also: &["ocaml-interface"],
        ..language(
            "ocaml",
            "OCaml",
            &[
                "class",
                "Exception",
                "function",
                "method",
                "module",
                "type",
                "val",
            ],
            &["function", "method"],
            &["(*"],
        )
    },
    Language {
        aside: PERL,
        within: perl::ranges,
        ..language(
            "perl",
            "Perl",
            &["package", "subroutine"],
            &["subroutine"],
            HASH,
        )
    },
    language(
        "php",
        "PHP",
        &["class", "function", "interface", "trait"],
        &["function"],
        &["//", "/*", "* ", "*/", "#"],
    ),
    Language {
        within: heredocs::powershell,
        ..language(
            "powershell",
            "PowerShell",
            &["function"],
            &["function"],
            HASH,
        )
    },
    language(
        "proto",
        "Protobuf",
        &["enum", "message", "rpc", "service"],
        &[],
        SLASHES,
    ),
    language(
        "python",
        "Python",
        &["class", "function", "member"],
        &["function", "member"],
        HASH,
    ),
    language("r", "R", &["function"], &["function"], HASH),
    Language {
        within: heredocs::ruby,
        ..language(
            "ruby",
            "Ruby",
            &["class", "method", "module", "singletonMethod"],
            &["method", "singletonMethod"],
            HASH,
        )
    },
    language(
        "rust",
        "Rust",
        &[
            "enum",
            "function",
            "interface",
            "macro",
            "method",
            "struct",
            "typedef",
        ],
        &["function", "method"],
        SLASHES,
    ),
    language(
        "sql",
        "SQL",
        &["function", "procedure", "table", "view"],
        &["function", "procedure"],
        &["--"],
    ),
    Language {
        aside: TYPESCRIPT,

        also: &["tsx"],
        ..language(
            "typescript",
            "TypeScript",
            &[
                "alias",
                "class",
                "enum",
                "function",
                "generator",
                "interface",
                "method",
            ],
            &["function", "generator", "method"],
            SLASHES,
        )
    },
];
