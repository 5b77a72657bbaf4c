//! Splitting of words into the parts they are searched by.

/// Appends the lower-cased form of `word` to `out`: by Unicode rules when it is valid UTF-8, by
/// ASCII rules otherwise.
pub fn fold(word: &[u8], out: &mut Vec<u8>) {
    match std::str::from_utf8(word) {
        Ok(text) if !text.is_ascii() => out.extend_from_slice(text.to_lowercase().as_bytes()),
        _ => out.extend(word.iter().map(u8::to_ascii_lowercase)),
    }
}

/// Calls `f` with each lower-cased part of a camelCase or snake_case word, digits apart.
pub fn for_each_subword(word: &[u8], mut f: impl FnMut(&[u8])) {
    let mut folded = Vec::new();
    let mut start = 0;
    for i in 0..=word.len() {
        let boundary = i == word.len() || class(word[i]) == Class::Other || i > start && {
            let (before, here) = (class(word[i - 1]), class(word[i]));
            before != here && !(before == Class::Upper && here == Class::Lower && i - start == 1)
        };
        if boundary {
            if i > start {
                folded.clear();
                fold(&word[start..i], &mut folded);
                f(&folded);
            }
            start = if i < word.len() && class(word[i]) == Class::Other { i + 1 } else { i };
        }
    }
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Class {
    Upper,
    Lower,
    Digit,
    Other,
}

fn class(byte: u8) -> Class {
    match byte {
        b'A'..=b'Z' => Class::Upper,
        b'a'..=b'z' | 0x80.. => Class::Lower,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Other,
    }
}
