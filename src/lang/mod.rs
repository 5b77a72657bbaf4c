//! Languages: one folder each, with its facts, its extractor and its import resolver, and one table
//! that says which there are.
//!
//! To add a language, add its folder, its line to [`LANGUAGES`] and its code to
//! [`Grammar`]; everything else asks the table.
//!
//! Guarantees: [`by_file_name`] looks at a name only and [`by_content`] at bytes only, so the view
//! can choose a grammar without reading blobs and extraction never sees a name.

#[macro_use]
mod rows;

pub mod language;
pub mod liveness;
pub mod naming;
pub mod versioning;

mod bash;
mod c;
mod clojure;
mod csharp;
mod css;
mod dart;
mod dockerfile;
mod elixir;
mod erlang;
mod fortran;
mod go;
mod graphql;
mod haskell;
mod hcl;
mod html;
mod java;
mod javascript;
mod json;
mod julia;
mod kotlin;
mod lua;
mod make;
mod markdown;
mod nix;
mod notebook;
mod objc;
mod ocaml;
mod perl;
mod php;
mod powershell;
mod proto;
mod python;
mod r;
mod ruby;
mod rust;
mod scala;
mod solidity;
mod sql;
mod swift;
mod text;
mod toml;
mod yaml;
mod zig;

use crate::record::Grammar;
use crate::syntax::rows::Tables;
pub use language::Language;
pub(crate) use language::{Reader, TreeReader};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

/// Every language. Of several that claim a name, the first has it.
pub static LANGUAGES: &[&Language] = &[
    &text::facts::TEXT,
    &javascript::facts::TYPESCRIPT,
    &javascript::facts::TSX,
    &javascript::facts::JAVASCRIPT,
    &python::facts::PYTHON,
    &go::facts::GO,
    &rust::facts::RUST,
    &java::facts::JAVA,
    &c::facts::C,
    &c::facts::CPP,
    &c::facts::C_HEADER,
    &markdown::facts::MARKDOWN,
    &csharp::facts::CSHARP,
    &php::facts::PHP,
    &kotlin::facts::KOTLIN,
    &ruby::facts::RUBY,
    &swift::facts::SWIFT,
    &scala::facts::SCALA,
    &dart::facts::DART,
    &bash::facts::BASH,
    &lua::facts::LUA,
    &json::facts::JSON,
    &yaml::facts::YAML,
    &toml::facts::TOML,
    &html::facts::VUE,
    &html::facts::SVELTE,
    &html::facts::HTML,
    &css::facts::CSS,
    &elixir::facts::ELIXIR,
    &hcl::facts::HCL,
    &zig::facts::ZIG,
    &haskell::facts::HASKELL,
    &ocaml::facts::OCAML,
    &ocaml::facts::OCAML_INTERFACE,
    &sql::facts::SQL,
    &notebook::facts::NOTEBOOK,
    &julia::facts::JULIA,
    &r::facts::R,
    &perl::facts::PERL,
    &clojure::facts::CLOJURE,
    &objc::facts::OBJECTIVE_C,
    &erlang::facts::ERLANG,
    &fortran::facts::FORTRAN,
    &graphql::facts::GRAPHQL,
    &proto::facts::PROTO,
    &solidity::facts::SOLIDITY,
    &dockerfile::facts::DOCKERFILE,
    &make::facts::MAKE,
    &nix::facts::NIX,
    &powershell::facts::POWERSHELL,
];

/// Codes that grammars may have.
const CODES: usize = 128;

/// The languages by the codes of their grammars.
static BY_CODE: [Option<&Language>; CODES] = {
    let mut rows = [None; CODES];
    let mut at = 0;
    while at < LANGUAGES.len() {
        rows[LANGUAGES[at].grammar.code() as usize] = Some(LANGUAGES[at]);
        at += 1;
    }
    rows
};

/// What the names of methods end in that are called by writing a member.
pub fn setter_endings() -> impl Iterator<Item = &'static [u8]> {
    let all = LANGUAGES
        .iter()
        .map(|language| language.naming.setter_ending);
    all.filter(|ending| !ending.is_empty())
}

/// The own names of types that groups of tests are types below.
pub fn bases_of_tests() -> impl Iterator<Item = &'static str> {
    let all = LANGUAGES.iter();
    all.flat_map(|language| language.naming.bases_of_tests)
        .map(|[_, name]| *name)
}

/// Calls of all languages that load the files of a folder.
pub fn folder_loaders() -> BTreeSet<&'static str> {
    let all = LANGUAGES.iter();
    all.flat_map(|language| language.liveness.folder_loaders)
        .copied()
        .collect()
}

/// The language of a grammar; of one that this version does not know, what is known of text.
pub fn of(grammar: Grammar) -> &'static Language {
    let row = BY_CODE.get(usize::from(grammar.code()));
    row.copied().flatten().unwrap_or(&text::facts::TEXT)
}

/// Tables of a grammar that is parsed, compiled on first use; `None` when this build lacks it, or
/// when it is not parsed at all.
pub(crate) fn tables(grammar: Grammar) -> Option<&'static Tables> {
    static TABLES: [OnceLock<Option<Tables>>; CODES] = [const { OnceLock::new() }; CODES];
    let Reader::Tree(reader) = &of(grammar).reader else {
        return None;
    };
    let of_code = TABLES.get(usize::from(grammar.code()))?;
    of_code.get_or_init(|| reader.tables()).as_ref()
}

/// Whether this build can read documents of a grammar: it has the grammar, and those of what such
/// documents are made of. One that resolves to a grammar it lacks is not read at all, since records
/// do not depend on how the program was built.
pub fn is_built(grammar: Grammar) -> bool {
    let has = |grammar: Grammar| match &of(grammar).reader {
        Reader::Tree(reader) => reader.parser.make.is_some(),
        _ => true,
    };
    has(grammar) && of(grammar).parts.iter().all(|part| has(*part))
}

/// Whether this build can read some documents of a grammar: where content says which of several they
/// are in, one is enough.
pub fn may_be_built(grammar: Grammar) -> bool {
    let language = of(grammar);
    match language.is_undecided() {
        true => language.parts.iter().any(|part| is_built(*part)),
        false => is_built(grammar),
    }
}

/// Returns the language a person or agent means by `word`: its label, or what else people call it.
pub fn by_word(word: &str) -> Option<Grammar> {
    let word = word.to_ascii_lowercase();
    let called = |language: &&&Language| {
        language.grammar.label() == word || language.aliases.contains(&word.as_str())
    };
    let mut asked = LANGUAGES.iter().filter(|row| !row.is_undecided());
    asked.find(called).map(|language| language.grammar)
}

/// What people call languages besides their labels.
pub fn aliases() -> impl Iterator<Item = &'static str> {
    LANGUAGES
        .iter()
        .flat_map(|language| language.aliases.iter().copied())
}

/// Labels of the languages that documents may be in.
pub fn labels() -> impl Iterator<Item = &'static str> {
    let grammars = Grammar::ALL.iter().map(|grammar| of(*grammar));
    let decided = grammars.filter(|language| !language.is_undecided());
    decided.map(|language| language.grammar.label())
}

/// Chooses the grammar for a file by its name: the last path component, without folders.
///
/// `.h` is [`Grammar::CHeader`], to be resolved by content; an unknown name is [`Grammar::Text`].
pub fn by_file_name(name: &[u8]) -> Grammar {
    // A name that is not UTF-8 has an extension that is.
    let name = &*String::from_utf8_lossy(name);
    let names = &*NAMES;
    if let Some(whole) = names.whole.get(name) {
        return *whole;
    }
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return Grammar::Text;
    };
    if stem.is_empty() {
        return Grammar::Text;
    }
    let lower = extension.to_ascii_lowercase();
    let known = names.capital_extensions.get(extension);
    let known = known.or_else(|| names.extensions.get(lower.as_str()));
    known.copied().unwrap_or_else(|| {
        let mut begins = names.beginnings.iter();
        let found = begins.find(|(begin, _)| name.starts_with(begin));
        found.map_or(Grammar::Text, |(_, grammar)| *grammar)
    })
}

/// The names of files that languages claim, put together once; of several languages the first has one.
struct Names {
    whole: FxHashMap<&'static str, Grammar>,
    capital_extensions: FxHashMap<&'static str, Grammar>,
    extensions: FxHashMap<&'static str, Grammar>,
    /// Names that end in a dot: what follows is anybody's.
    beginnings: Vec<(&'static str, Grammar)>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let claimed = |says: fn(&Language) -> &'static [&'static str]| {
        LANGUAGES.iter().flat_map(move |language| {
            let names = says(language).iter();
            names.map(|name| (*name, language.grammar))
        })
    };
    let first = |says| {
        let mut known = FxHashMap::default();
        claimed(says).for_each(|(name, grammar)| {
            known.entry(name).or_insert(grammar);
        });
        known
    };
    Names {
        whole: first(|language| language.file_names),
        capital_extensions: first(|language| language.capital_extensions),
        extensions: first(|language| language.extensions),
        beginnings: claimed(|language| language.file_names)
            .filter(|(name, _)| name.ends_with('.'))
            .collect(),
    }
});

/// Resolves the grammar asked for by what the content says: the `#!` line of a [`Grammar::Text`],
/// C or C++ for a [`Grammar::CHeader`]; most grammars stay as they are.
pub fn by_content(bytes: &[u8], grammar: Grammar) -> Grammar {
    if grammar == Grammar::Text {
        return by_interpreter(bytes).unwrap_or(Grammar::Text);
    }
    let language = of(grammar);
    if language.by_interpreter {
        return by_interpreter(bytes).unwrap_or(grammar);
    }
    let look = language.by_content;
    look.map_or(grammar, |look| look(bytes))
}

fn by_interpreter(bytes: &[u8]) -> Option<Grammar> {
    let line = bytes.strip_prefix(b"#!")?.split(|b| *b == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_ascii_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    // `python3.12` is `python3`.
    let program = program.rsplit('/').next()?.split('.').next()?;
    LANGUAGES
        .iter()
        .find(|language| language.interpreters.contains(&program))
        .map(|language| language.grammar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::rows::LangSpec;

    #[test]
    fn names_choose_grammars() {
        assert_eq!(by_file_name(b"a.ts"), Grammar::TypeScript);
        assert_eq!(by_file_name(b"a.d.ts"), Grammar::TypeScript);
        assert_eq!(by_file_name(b"A.TSX"), Grammar::Tsx);
        assert_eq!(by_file_name(b"a.cjs"), Grammar::JavaScript);
        assert_eq!(by_file_name(b"README.md"), Grammar::Markdown);
        assert_eq!(by_file_name(b"stdio.h"), Grammar::CHeader);
        assert_eq!(by_file_name(b".py"), Grammar::Text);
        assert_eq!(by_file_name(b"Makefile"), Grammar::Make);
        assert_eq!(by_file_name(b"Dockerfile.alpine"), Grammar::Dockerfile);
        assert_eq!(by_file_name(b"Dockerfile.py"), Grammar::Python);
        assert_eq!(by_file_name(b"Makefile.old"), Grammar::Text);
        assert_eq!(by_file_name(b".bashrc"), Grammar::Bash);
        assert_eq!(by_file_name(b"Cargo.toml"), Grammar::Toml);
        assert_eq!(by_file_name(b"a.test.vue"), Grammar::Vue);
        assert_eq!(by_file_name(b"caf\xe9.py"), Grammar::Python);
    }

    #[test]
    fn shebangs_resolve_text() {
        assert_eq!(
            by_content(b"#!/usr/bin/env -S python3.12 -u\n", Grammar::Text),
            Grammar::Python
        );
        assert_eq!(
            by_content(b"#!/usr/bin/node\n", Grammar::Text),
            Grammar::JavaScript
        );
        assert_eq!(by_content(b"#!/bin/sh\n", Grammar::Text), Grammar::Bash);
        assert_eq!(by_content(b"#!/bin/awk\n", Grammar::Text), Grammar::Text);
        assert_eq!(
            by_content(b"#!/usr/bin/node\n", Grammar::Python),
            Grammar::Python
        );
        assert_eq!(by_content(b"#!", Grammar::Text), Grammar::Text);
        // A script may be called `tool.sh` and be none of a shell.
        let php = by_content(b"#!/usr/bin/env php\n<?php\n", Grammar::Bash);
        assert_eq!(php, Grammar::Php);
        for shell in [&b"#!/bin/bash\n"[..], b"#!/bin/awk -f\n", b"echo"] {
            assert_eq!(by_content(shell, Grammar::Bash), Grammar::Bash);
        }
    }

    #[test]
    fn what_is_built_follows_the_features() {
        let features = [
            (Grammar::Python, cfg!(feature = "grammar-python")),
            (Grammar::Notebook, cfg!(feature = "grammar-python")),
            (Grammar::Bash, cfg!(feature = "grammar-bash")),
            (
                Grammar::CHeader,
                cfg!(all(feature = "grammar-c", feature = "grammar-cpp")),
            ),
            (
                Grammar::Vue,
                cfg!(all(
                    feature = "grammar-javascript",
                    feature = "grammar-typescript",
                    feature = "grammar-css"
                )),
            ),
            (Grammar::Text, true),
            (Grammar::Json, true),
        ];
        for (grammar, built) in features {
            assert_eq!(is_built(grammar), built, "{grammar:?}");
        }
    }

    #[test]
    fn every_grammar_has_one_row() {
        for grammar in Grammar::ALL {
            let rows = LANGUAGES.iter().filter(|row| row.grammar == *grammar);
            assert_eq!(rows.count(), 1, "{grammar:?}");
            assert_eq!(of(*grammar).grammar, *grammar);
        }
    }

    /// Names of a specification that no grammar of the family has.
    fn unknown(spec: &LangSpec, family: &[tree_sitter::Language]) -> Vec<String> {
        let mut kinds: Vec<&str> = Vec::new();
        let mut fields: Vec<&str> = Vec::new();
        for row in spec.defs {
            kinds.push(row.node);
            fields.extend([row.name, row.body]);
        }
        kinds.extend(spec.hooks.iter().map(|(kind, _)| *kind));
        for (kind, field, _) in spec.roles {
            kinds.push(kind);
            fields.push(field);
        }
        kinds.extend(spec.identifiers.iter().map(|(kind, _)| *kind));
        kinds.extend(
            spec.this_kinds
                .iter()
                .chain(spec.comments)
                .chain(spec.strings),
        );
        let no_kind = |kind: &&str| family.iter().all(|l| l.id_for_node_kind(kind, true) == 0);
        let no_field = |field: &&str| {
            !field.is_empty() && family.iter().all(|l| l.field_id_for_name(field).is_none())
        };
        let kinds = kinds
            .into_iter()
            .filter(no_kind)
            .map(|kind| format!("node {kind}"));
        let fields = fields
            .into_iter()
            .filter(no_field)
            .map(|field| format!("field {field}"));
        kinds.chain(fields).collect()
    }

    #[test]
    fn every_row_names_what_a_grammar_has() {
        let readers: Vec<(&Language, &TreeReader)> = LANGUAGES
            .iter()
            .filter_map(|row| match &row.reader {
                Reader::Tree(reader) => Some((*row, reader)),
                _ => None,
            })
            .collect();
        // Related grammars share rows, each of which one of them has.
        let made = |rows: &LangSpec| -> Vec<tree_sitter::Language> {
            let roles = |of: &LangSpec| {
                of.roles
                    .iter()
                    .map(|(kind, field, _)| (*kind, *field))
                    .collect::<Vec<_>>()
            };
            let same = readers
                .iter()
                .filter(|(_, other)| roles(other.rows) == roles(rows));
            same.filter_map(|(_, reader)| Some((reader.parser.make?)()))
                .collect()
        };
        let mut missing = Vec::new();
        for (row, reader) in &readers {
            for name in unknown(reader.rows, &made(reader.rows)) {
                missing.push(format!("{:?}: {name}", row.grammar));
            }
        }
        assert!(
            missing.is_empty(),
            "misspelt or gone from the grammar: {missing:#?}"
        );
        let go = made(&go::GO);
        assert!(!unknown(&rust::RUST, &go).is_empty(), "the test can fail");
    }
}
