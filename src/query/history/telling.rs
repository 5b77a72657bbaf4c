//! The lines of a file that tell whether something in it uses something: a number that is the same for two versions
//! in which these lines are, so that the second needs no reading.
//!
//! With each line that holds a word counts what it stands in: the lines above it that are indented less.

use xxhash_rust::xxh3::Xxh3Default;

/// Words that begin, in one language or another, what brings another file in.
const IMPORTING: &[&[u8]] = &[
    b"import",
    b"include",
    b"require",
    b"export",
    b"from",
    b"use",
    b"using",
    b"mod",
    b"load",
    b"source",
    b"part",
    b"open",
    b"extern",
    b"autoload",
    b"library",
    b"package",
    b"namespace",
];

/// Which lines tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Telling {
    /// Those that hold one of some names, and those that may bring one of some files in.
    Words {
        /// The names.
        names: Vec<Vec<u8>>,
        /// What the files are called.
        files: Vec<Vec<u8>>,
    },
    /// Those that may bring another file in.
    Imports,
    /// All of them.
    Whole,
}

impl Telling {
    /// Sums up the lines of a text that tell; 0 where none does.
    pub fn sum(&self, text: &[u8]) -> u64 {
        let mut hasher = Xxh3Default::new();
        match self {
            Self::Whole => hasher.update(text),
            Self::Imports => {
                let lines = text.split(|byte| *byte == b'\n');
                for line in lines.filter(|line| is_importing(line)) {
                    hasher.update(line);
                    hasher.update(b"\n");
                }
            }
            Self::Words { names, files } => {
                if !of_words(text, (names, files), &mut hasher) {
                    return 0;
                }
            }
        }
        hasher.digest().max(1)
    }
}

/// Whether a text holds one of some words.
pub fn holds(text: &[u8], words: &[Vec<u8>]) -> bool {
    words.iter().any(|word| has_word(text, word))
}

fn is_importing(line: &[u8]) -> bool {
    IMPORTING.iter().any(|word| has_word(line, word))
}

fn line_around(text: &[u8], at: usize) -> &[u8] {
    let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end);
    &text[start..end]
}

fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

fn has_word(text: &[u8], word: &[u8]) -> bool {
    places(text, word).next().is_some()
}

/// Where a word stands whole.
fn places<'t>(text: &'t [u8], word: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let is_whole = move |at: &usize| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        !before.is_some_and(is_letter) && !text.get(at + word.len()).is_some_and(is_letter)
    };
    memchr::memmem::find_iter(text, word).filter(is_whole)
}

/// Hashes the lines that tell; `false` where there are none.
fn of_words(
    text: &[u8],
    (names, files): (&[Vec<u8>], &[Vec<u8>]),
    hasher: &mut Xxh3Default,
) -> bool {
    let mut found: Vec<usize> = names.iter().flat_map(|word| places(text, word)).collect();
    let of_files = files.iter().flat_map(|word| places(text, word));
    found.extend(of_files.filter(|at| is_importing(line_around(text, *at))));
    found.sort_unstable();
    let Some(last) = found.last().copied() else {
        return false;
    };
    let mut found = found.into_iter().peekable();
    // Lines that the current one stands in, with their indents, and whether they were told.
    let mut outer: Vec<(usize, &[u8], bool)> = Vec::new();
    let mut start = 0;
    while start <= last {
        let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
        let line = &text[start..end];
        let bare = line.trim_ascii();
        if !bare.is_empty() {
            let indent = line.len() - line.trim_ascii_start().len();
            // A bracket on a line of its own opens what the line above names.
            let is_outer = bare.len() > 2 && bare[0] != b'#' && bare[0] != b'{';
            if is_outer {
                while outer.last().is_some_and(|(other, ..)| *other >= indent) {
                    outer.pop();
                }
            }
            let mut is_telling = false;
            while found.next_if(|at| *at <= end).is_some() {
                is_telling = true;
            }
            if is_telling {
                for (_, above, is_told) in &mut outer {
                    if !std::mem::replace(is_told, true) {
                        hasher.update(above);
                        hasher.update(b"\n");
                    }
                }
                hasher.update(line);
                hasher.update(b"\n");
            }
            if is_outer {
                outer.push((indent, line, is_telling));
            }
        }
        start = end + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(text: &str) -> u64 {
        let telling = Telling::Words {
            names: vec![b"target".to_vec()],
            files: vec![b"lib".to_vec()],
        };
        telling.sum(text.as_bytes())
    }

    const TEXT: &str = "int one(void)\n{\n#if X\n    if (a) {\n        target();\n    }\n}\n\nint two(void)\n{\n    other();\n}\n";

    #[test]
    fn lines_beside_do_not_tell() {
        assert_eq!(sum(TEXT), sum(&TEXT.replace("other", "another")));
        assert_eq!(sum(TEXT), sum(&format!("int zero;\n\n{TEXT}")));
        assert_eq!(sum("nothing here, my_target, lib\n"), 0);
        assert_ne!(sum("import x from './lib'\n"), 0);
    }

    #[test]
    fn the_line_and_what_it_stands_in_do() {
        for changed in [
            TEXT.replace("target()", "target(1)"),
            TEXT.replace("(a)", "(b)"),
            TEXT.replace("one", "uno"),
            TEXT.replace("other()", "target()"),
        ] {
            assert_ne!(sum(TEXT), sum(&changed), "{changed}");
        }
    }

    #[test]
    fn imports_are_told_by_their_words() {
        let sum = |text: &str| Telling::Imports.sum(text.as_bytes());
        assert_eq!(sum("import a\nx = 1\n"), sum("import a\n\nx = 2\n"));
        assert_ne!(sum("import a\n"), sum("import b\n"));
    }
}
