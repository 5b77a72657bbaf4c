//! Erlang that is a template: the name of its module is put in, as in `-module({{name}}_server).`, `-module(@@name@@).`
//! and `-module(%%NAME%%).`
//!
//! Without it the grammar takes the file for a script, and all that follows for expressions. Where such a file has
//! errors it is parsed again with an atom in place of each such word.

use crate::syntax::blanked::Blanked;

/// Longest word that is put in.
const MAX_LEN: usize = 64;
/// What such words begin and end with.
const MARKS: [[&[u8]; 2]; 3] = [[b"{{", b"}}"], [b"@@", b"@@"], [b"%%", b"%%"]];

/// Writes atoms in place of words that are put in; `None` for what is no template.
pub(super) fn blank(src: &[u8]) -> Option<Blanked> {
    const HEAD: &[u8] = b"-module(";
    let head = memchr::memmem::find(src, HEAD)?;
    let named = src[head + HEAD.len()..].split(|b| *b == b')').next()?;
    let is_put_in = |marks: &&[&[u8]; 2]| {
        let at = memchr::memmem::find(named, marks[0]);
        at.is_some_and(|at| word(&named[at..], marks).is_some())
    };
    let marks = MARKS.iter().find(is_put_in)?;
    let mut bytes = src.to_vec();
    let mut end = 0;
    for at in memchr::memmem::find_iter(src, marks[0]) {
        if let Some(len) = word(&src[at..], marks).filter(|_| at >= end) {
            bytes[at..at + len].fill(b'x');
            end = at + len;
        }
    }
    Some(Blanked {
        bytes,
        words: Vec::new(),
    })
}

/// Whether a part of a name is put in.
pub(super) fn is_put_in(name: &[u8]) -> bool {
    let is_marked = |marks: &[&[u8]; 2]| memchr::memmem::find(name, marks[0]).is_some();
    name.contains(&b'{') || MARKS.iter().any(is_marked)
}

/// How long the `{{word}}` is that a text begins with.
fn word(text: &[u8], [opens, closes]: &[&[u8]; 2]) -> Option<usize> {
    let inner = text.strip_prefix(*opens)?;
    let inner = &inner[..inner.len().min(MAX_LEN)];
    let len = memchr::memmem::find(inner, closes)?;
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    // Between signs of a comment space does not count.
    let word = match opens[0] {
        b'{' => inner[..len].trim_ascii(),
        _ => &inner[..len],
    };
    (!word.is_empty() && word.iter().all(is_part)).then_some(len + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_put_in_are_atoms() {
        let source = b"-module({{name}}_a).\nb() -> {{ c }, {{d}}}.\n";
        let found = blank(source).unwrap();
        let expected = b"-module(xxxxxxxx_a).\nb() -> {{ c }, xxxxx}.\n";
        assert_eq!(found.bytes, expected);
        let source = b"%% @doc %%A%%\n-module(%%A%%_b).\n%% c %% d\n";
        let found = blank(source).unwrap();
        let expected = b"%% @doc xxxxx\n-module(xxxxx_b).\n%% c %% d\n";
        assert_eq!(found.bytes, expected);
        let found = blank(b"{{=@@ @@=}}\n-module(@@a@@).\n").unwrap();
        assert_eq!(found.bytes, b"{{=@@ @@=}}\n-module(xxxxx).\n");
        for same in [
            "-module(a).\nb() -> {{c}}.\n",
            "-module({{a, b}}).\n",
            "{{a}}",
        ] {
            assert!(blank(same.as_bytes()).is_none(), "{same}");
        }
    }
}
