//! Erlang that is a template: the name of its module is put in, as in `-module({{name}}_server).`
//!
//! Without it the grammar takes the file for a script, and all that follows for expressions. Where such a file has
//! errors it is parsed again with an atom in place of each such word.

use crate::syntax::blanked::Blanked;

/// Longest word that is put in.
const MAX_LEN: usize = 64;

/// Writes atoms in place of words that are put in; `None` for what is no template.
pub(super) fn blank(src: &[u8]) -> Option<Blanked> {
    const HEAD: &[u8] = b"-module(";
    let head = memchr::memmem::find(src, HEAD)?;
    let named = src[head + HEAD.len()..].split(|b| *b == b')').next()?;
    word(&named[memchr::memmem::find(named, b"{{")?..])?;
    let mut bytes = src.to_vec();
    for at in memchr::memmem::find_iter(src, b"{{") {
        if let Some(len) = word(&src[at..]) {
            bytes[at..at + len].fill(b'x');
        }
    }
    Some(Blanked {
        bytes,
        words: Vec::new(),
    })
}

/// How long the `{{word}}` is that a text begins with.
fn word(text: &[u8]) -> Option<usize> {
    let inner = text.strip_prefix(b"{{")?;
    let inner = &inner[..inner.len().min(MAX_LEN)];
    let len = memchr::memmem::find(inner, b"}}")?;
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let word = inner[..len].trim_ascii();
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
        for same in [
            "-module(a).\nb() -> {{c}}.\n",
            "-module({{a, b}}).\n",
            "{{a}}",
        ] {
            assert!(blank(same.as_bytes()).is_none(), "{same}");
        }
    }
}
