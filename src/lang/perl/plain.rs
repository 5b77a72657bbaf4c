//! Perl without what the grammar takes for more than it is: signs in the lists of `tr`, where `@`, `$` and `#` are
//! characters like others, and digits that a part of a name begins with, as in `package A::7Z;`.
//!
//! Where a file has errors it is parsed again with a plain character in their place; names are read as they are written.

use crate::syntax::blanked::Blanked;

/// Longest list of `tr`.
const MAX_LIST: usize = 256;

/// Writes a file plainly; `None` where there is nothing to do.
pub(super) fn blank(src: &[u8]) -> Option<Blanked> {
    let mut bytes = src.to_vec();
    for at in memchr::memmem::find_iter(src, b"::") {
        let is_part = at > 0 && is_name(src[at - 1]);
        if is_part && src.get(at + 2).is_some_and(u8::is_ascii_digit) {
            bytes[at + 2] = b'x';
        }
    }
    for at in memchr::memmem::find_iter(src, b"=~") {
        let Some(list) = list(&src[at + 2..]) else {
            continue;
        };
        for byte in &mut bytes[at + 2 + list.start..at + 2 + list.end] {
            if b"@$#".contains(byte) {
                *byte = b'_';
            }
        }
    }
    (bytes != src).then_some(Blanked {
        bytes,
        words: Vec::new(),
    })
}

/// What the first list of a `tr` or `y` holds that a text begins with.
fn list(text: &[u8]) -> Option<std::ops::Range<usize>> {
    let rest = text.trim_ascii_start();
    let rest = rest.strip_prefix(b"tr").or(rest.strip_prefix(b"y"))?;
    let opens = *rest.first()?;
    if is_name(opens) || opens.is_ascii_whitespace() {
        return None;
    }
    let closes = match opens {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    };
    let from = text.len() - rest.len() + 1;
    let (mut at, mut depth) = (from, 0);
    while at < text.len().min(from + MAX_LIST) {
        match text[at] {
            b'\\' => at += 1,
            byte if byte == closes && depth == 0 => return Some(from..at),
            byte if byte == closes => depth -= 1,
            byte if byte == opens => depth += 1,
            _ => {}
        }
        at += 1;
    }
    None
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_in_lists_and_digits_in_names_are_plain() {
        for (source, expected) in [
            ("$a =~ tr(b@#$(c\\)))(@)d;", "$a =~ tr(b___(c\\)))(@)d;"),
            ("$a =~ y/#/-/;", "$a =~ y/_/-/;"),
            ("package A::7Z;", "package A::xZ;"),
            ("A::2::3b->new", "A::x::xb->new"),
        ] {
            let found = blank(source.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(found.bytes).unwrap(), expected);
        }
        for same in [
            "$a =~ try{@b}",
            "$a =~ tr(@",
            "$a =~ s/@#//",
            "a ::2",
            "A::b",
        ] {
            assert!(blank(same.as_bytes()).is_none(), "{same}");
        }
    }
}
