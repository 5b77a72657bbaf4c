//! What sets Perl apart.

use super::resolve;
use crate::lang::language::*;
use crate::modules::ByPath;

/// Perl.
pub(crate) static PERL: Language = Language {
    reader: Reader::Tree(TreeReader {
        // Its scanner asks for the column, which reads the line again, once for some tokens. Of the
        // files of Mojolicious the worst is read 49 times, a quarter of them more often than 16.
        most_reads: 128,
        blank: Some(super::plain::blank),
        shape: Some(&PERL_SHAPE),
        ..TreeReader::new(
            parser!("grammar-perl", ts_parser_perl::LANGUAGE),
            &super::PERL,
        )
    }),
    version: 2,
    types_are_hints: true,
    extensions: &["pl", "pm", "t", "psgi", "al"],
    file_names: &["cpanfile"],
    interpreters: &["perl"],
    by_content: Some(by_content),
    naming: Naming {
        implicit_members: true,
        open_namespaces: true,
        ..Naming::new()
    },
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    liveness: Liveness {
        dot_joins: true,
        ..Liveness::new()
    },
    ..Language::new(Grammar::Perl)
};

/// How declarations are told apart.
const PERL_SHAPE: Shape = Shape {
    comment: b"#",
    blocks: false,
    chars: false,
    terminated: false,
    ..Shape::BRACES
};

/// Words that a line of Perl begins with, and of hardly anything else that has its extensions.
const WORDS: &[&[u8]] = &[
    b"use ",
    b"package ",
    b"sub ",
    b"my ",
    b"our ",
    b"require ",
    b"=head",
    b"=pod",
    b"1;",
    b"BEGIN",
    b"print ",
    b"plan ",
    b"local ",
];

/// `.pl` is Prolog's and `.t` many a tester's, too.
fn by_content(bytes: &[u8]) -> Grammar {
    let mut perl = bytes.is_empty();
    for line in bytes.split(|b| *b == b'\n') {
        let line = line.trim_ascii();
        // A directive, or the head of a clause.
        if line.starts_with(b":-") || (line.ends_with(b":-") && !line.starts_with(b"#")) {
            return Grammar::Text;
        }
        perl |= WORDS.iter().any(|word| line.starts_with(word))
            || (line.starts_with(b"#!") && memchr::memmem::find(line, b"perl").is_some())
            || (line.starts_with(b"$") && line.ends_with(b";"));
    }
    match perl {
        true => Grammar::Perl,
        false => Grammar::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prolog_and_transcripts_are_not_perl() {
        let perl: [&[u8]; 4] = [
            b"",
            b"#!/usr/bin/env perl\nfoo();\n",
            b"# x\n  use strict;\n",
            b"$a = 1;\n",
        ];
        for source in perl {
            assert_eq!(by_content(source), Grammar::Perl);
        }
        let other: [&[u8]; 4] = [
            b":- module(a, [b/1]).\nuse (x).\n",
            b"b(X) :-\n    a(X).\n",
            b"  $ hg init\n  adding a\n",
            b"father(tom, bob).\n",
        ];
        for source in other {
            assert_eq!(by_content(source), Grammar::Text);
        }
    }
}
