//! What sets Fortran apart.

use super::{conditions, fypp, resolve};
use crate::lang::language::*;
use crate::syntax::blanked::Blanked;

/// Fortran.
pub(crate) static FORTRAN: Language = Language {
    reader: Reader::Tree(TreeReader {
        blank: Some(plain),
        blank_for_less: true,
        ..TreeReader::new(
            parser!("grammar-fortran", tree_sitter_fortran::LANGUAGE),
            &super::FORTRAN,
        )
    }),
    version: 3,
    extensions: &[
        "f90", "f95", "f03", "f08", "f18", "f23", "f", "for", "ftn", "f77", "fpp",
    ],
    by_content: Some(by_content),
    naming: Naming {
        open_namespaces: true,
        ..Naming::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::Fortran::new(configs))),
    liveness: Liveness {
        names_are_fixed: true,
        ..Liveness::new()
    },
    ..Language::new(Grammar::Fortran)
};

/// In fixed form a comment begins with a letter in the first column: that is written as `!`. Of what is for
/// preprocessors, see [`fypp`] and [`conditions`].
fn plain(bytes: &[u8]) -> Option<Blanked> {
    let mut blanked = bytes.to_vec();
    let mut changed = false;
    let mut start = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let comment = match line {
            [b'*', ..] => true,
            [b'C' | b'c', next, ..] => !next.is_ascii_alphanumeric() && !b"=(%".contains(next),
            _ => false,
        };
        if comment {
            blanked[start] = b'!';
            changed = true;
        }
        start += line.len();
    }
    changed |= fypp::plain(&mut blanked);
    let mut words = Vec::new();
    changed |= conditions::plain(&mut blanked, &mut words);
    changed.then_some(Blanked {
        bytes: blanked,
        words,
    })
}

/// Words that a line of Fortran begins with. `.f` and `.for` are the extensions of Forth, too.
const WORDS: &[&[u8]] = byte_words!(
    "program module submodule subroutine function block end use implicit integer real double
     complex logical character type parameter common dimension data call interface pure elemental
     recursive include contains return save external"
);

fn by_content(bytes: &[u8]) -> Grammar {
    let begins = |line: &[u8]| {
        let line = line.trim_ascii_start();
        let word = line.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let word = line[..word].to_ascii_lowercase();
        WORDS.contains(&&word[..])
    };
    match bytes.is_empty() || bytes.split(|b| *b == b'\n').any(begins) {
        true => Grammar::Fortran,
        false => Grammar::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forth_is_no_fortran_and_old_comments_are_comments() {
        assert_eq!(by_content(b": square dup * ;\n5 square .\n"), Grammar::Text);
        assert_eq!(
            by_content(b"      SUBROUTINE A\n      END\n"),
            Grammar::Fortran
        );
        let found = plain(b"C A note\n* b\ncall x\nc = 1\n      END\n").unwrap();
        assert_eq!(found.bytes, b"! A note\n! b\ncall x\n! = 1\n      END\n");
        assert!(plain(b"program a\nend\n").is_none());
    }
}
