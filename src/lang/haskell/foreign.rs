//! Haskell that is written for hsc2hs: what C knows of a name stands in an expression, a pattern or a type, as in
//! `#const EOF`, `(#type int)` and `#{size struct a}`.
//!
//! Where a file has errors it is parsed again without the sign and the word, and with parentheses for braces: what is
//! left is a name, or one that is applied to others.

use crate::syntax::blanked::Blanked;

/// Words of hsc2hs that give a value or a type.
const WORDS: &[&[u8]] = byte_words!("alignment const const_str offset peek poke ptr size type");
/// Longest text in braces.
const MAX_LEN: usize = 256;

/// Writes what is for hsc2hs plainly; `None` where there is nothing.
pub(super) fn blank(src: &[u8]) -> Option<Blanked> {
    let mut bytes = src.to_vec();
    let mut changed = false;
    for at in memchr::memchr_iter(b'#', src) {
        let rest = &src[at + 1..];
        let braces = rest.starts_with(b"{");
        let word = &rest[usize::from(braces)..];
        let len = word
            .iter()
            .take_while(|b| b.is_ascii_lowercase() || **b == b'_');
        let len = len.count();
        let is_one = WORDS.contains(&&word[..len]) && word.get(len) == Some(&b' ');
        let ends = memchr::memchr(b'}', &rest[..rest.len().min(MAX_LEN)]);
        if !is_one || braces && ends.is_none() {
            continue;
        }
        let of = [&b" struct "[..], b" union ", b" enum "];
        let of = of.iter().find(|of| word[len..].starts_with(of));
        let len = len + of.map_or(0, |of| of.len());
        bytes[at..at + 1 + usize::from(braces) + len].fill(b' ');
        if let Some(end) = ends.filter(|_| braces) {
            (bytes[at], bytes[at + 1 + end]) = (b'(', b')');
        }
        changed = true;
    }
    changed.then_some(Blanked {
        bytes,
        words: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_c_knows_is_a_name() {
        for (source, expected) in [
            ("a = #const EOF\n", "a =        EOF\n"),
            ("  (#const B) -> c\n", "  (       B) -> c\n"),
            ("a = #{size struct b}\n", "a = (             b)\n"),
        ] {
            let found = blank(source.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(found.bytes).unwrap(), expected);
        }
        for same in [
            "a # b",
            "#include <a.h>\n",
            "a = #constant b",
            "a = #{size b",
            "f #label",
        ] {
            assert!(blank(same.as_bytes()).is_none(), "{same}");
        }
    }
}
