//! Words, sub-words and terms: how identifiers and prose become what full-text search matches.
//!
//! The query layer runs the same functions over a question, so a question and a document can only
//! differ in what they say, never in how it was cut. Deliberately absent: stop words and stemming
//! (both measured as worth nothing here), and any weighting.

use crate::limits::MAX_TERM_BYTES;
use std::sync::OnceLock;

/// Shortest term, in bytes: single letters tell nothing apart.
pub const MIN_TERM_BYTES: usize = 2;

/// Calls `f` with every word of `text` and its byte offset.
///
/// A word is a maximal run of ASCII letters, digits, `_` and Unicode letters or digits. Bytes that
/// are not valid UTF-8 separate words.
pub fn for_each_word(text: &[u8], mut f: impl FnMut(&[u8], usize)) {
    let mut at = 0;
    while at < text.len() {
        match class(text[at]) {
            SEPARATOR => at += 1,
            WORD => {
                let end = word_end(text, at);
                f(&text[at..end], at);
                at = end;
            }
            _ => match decode(&text[at..]) {
                Some((c, _)) if is_alphanumeric(c) => {
                    let end = word_end(text, at);
                    f(&text[at..end], at);
                    at = end;
                }
                Some((_, len)) => at += len,
                None => at += 1,
            },
        }
    }
}

fn word_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        match class(text[at]) {
            SEPARATOR => break,
            WORD => at += 1,
            _ => match decode(&text[at..]) {
                Some((c, len)) if is_alphanumeric(c) => at += len,
                _ => break,
            },
        }
    }
    at
}

const SEPARATOR: u8 = 0;
const WORD: u8 = 1;
const HIGH: u8 = 2;

static CLASS: [u8; 256] = {
    let mut table = [SEPARATOR; 256];
    let mut b = 0;
    while b < 256 {
        let byte = b as u8;
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            table[b] = WORD;
        } else if byte >= 0x80 {
            table[b] = HIGH;
        }
        b += 1;
    }
    table
};

fn class(byte: u8) -> u8 {
    CLASS[byte as usize]
}

/// Decodes the character `bytes` begins with and its length; `None` when it is not UTF-8.
fn decode(bytes: &[u8]) -> Option<(char, usize)> {
    let low = |at: usize| match bytes.get(at) {
        Some(byte @ 0x80..0xc0) => Some(u32::from(byte & 0x3f)),
        _ => None,
    };
    let first = u32::from(*bytes.first()?);
    // What a longer form than needed could hold is refused by `least`, surrogates by `from_u32`.
    let (code, len, least) = match first {
        0..0x80 => (first, 1, 0),
        0xc2..0xe0 => ((first & 0x1f) << 6 | low(1)?, 2, 0x80),
        0xe0..0xf0 => ((first & 0x0f) << 12 | low(1)? << 6 | low(2)?, 3, 0x800),
        0xf0..0xf5 => (
            (first & 0x07) << 18 | low(1)? << 12 | low(2)? << 6 | low(3)?,
            4,
            0x1_0000,
        ),
        _ => return None,
    };
    let c = char::from_u32(code).filter(|_| code >= least)?;
    Some((c, len))
}

/// Whether a character is a letter or digit in any script.
fn is_alphanumeric(c: char) -> bool {
    // The standard library searches its tables for each character: a quarter of the time that
    // documentation in Chinese, Japanese or Russian took. All of the first plane at once takes
    // milliseconds, and most texts have a dash or two of it.
    static FIRST_PLANE: [OnceLock<u64>; 0x1_0000 / 64] = [const { OnceLock::new() }; 0x1_0000 / 64];
    let code = c as usize;
    let word = |at: usize| {
        let first = (at * 64) as u32;
        let has = |bit: &u32| char::from_u32(first + bit).is_some_and(char::is_alphanumeric);
        (0..64).filter(has).fold(0, |bits, bit| bits | 1 << bit)
    };
    match FIRST_PLANE.get(code / 64) {
        Some(bits) => bits.get_or_init(|| word(code / 64)) >> (code % 64) & 1 == 1,
        None => c.is_alphanumeric(),
    }
}

/// The term by which texts that may have a name are found. A name may hold signs that no word has: `ready?`, `save!`.
pub fn of_name(name: &[u8]) -> Vec<u8> {
    let mut longest = 0..0;
    for_each_word(name, |word, at| {
        if word.len() > longest.len() {
            longest = at..at + word.len();
        }
    });
    let word = match longest.is_empty() {
        true => name,
        false => &name[longest],
    };
    let mut term = Vec::with_capacity(word.len());
    fold(word, &mut term);
    term
}

/// Appends the lower-cased form of `word` to `out`: by Unicode when it is valid UTF-8, else by
/// ASCII only.
pub fn fold(word: &[u8], out: &mut Vec<u8>) {
    if word.is_ascii() {
        out.extend(word.iter().map(u8::to_ascii_lowercase));
        return;
    }
    match std::str::from_utf8(word) {
        Ok(text) => {
            let mut buffer = [0; 4];
            for c in text.chars().flat_map(char::to_lowercase) {
                out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
            }
        }
        Err(_) => out.extend(word.iter().map(u8::to_ascii_lowercase)),
    }
}

/// Calls `f` with every lower-cased part of an identifier, in order.
///
/// Parts end at anything that is not a letter or digit, before an upper-case letter that follows a
/// lower-case letter or digit, and before the last capital of an acronym (`HTTPServer` is `http`,
/// `server`). Digits belong to the letters before them (`utf8`, `sha256Sum` is `sha256`, `sum`),
/// and a part that ends in digits is followed by its letters alone (`sha`). A one-letter part is
/// also given joined to the part after it (`OAuth2` is `o`, `auth2`, `auth`, `oauth2`, `oauth`).
pub fn for_each_subword(word: &[u8], mut f: impl FnMut(&[u8])) {
    let mut part = Vec::with_capacity(word.len());
    let mut single: Option<usize> = None;
    let mut at = 0;
    while let Some((start, end)) = next_part(word, at) {
        part.clear();
        fold(&word[start..end], &mut part);
        give(&part, &mut f);
        if let Some(before) = single.filter(|before| before + 1 == start) {
            part.clear();
            fold(&word[before..end], &mut part);
            give(&part, &mut f);
        }
        single = (end - start == 1 && word[start].is_ascii_alphabetic()).then_some(start);
        at = end;
    }
}

/// The parts of an identifier as they are written, in order, each once.
pub fn parts(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (start, end) = next_part(word, at)?;
        at = end;
        Some(&word[start..end])
    })
}

fn give(part: &[u8], f: &mut impl FnMut(&[u8])) {
    f(part);
    let letters = part
        .iter()
        .rposition(|b| !b.is_ascii_digit())
        .map_or(0, |last| last + 1);
    if letters > 0 && letters < part.len() {
        f(&part[..letters]);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Letter {
    Upper,
    Lower,
    Digit,
    Other,
}

fn letter(bytes: &[u8]) -> (Letter, usize) {
    let byte = bytes[0];
    if byte.is_ascii_lowercase() {
        (Letter::Lower, 1)
    } else if byte.is_ascii_uppercase() {
        (Letter::Upper, 1)
    } else if byte.is_ascii_digit() {
        (Letter::Digit, 1)
    } else if byte < 0x80 {
        (Letter::Other, 1)
    } else {
        match decode(bytes) {
            Some((c, len)) if c.is_uppercase() => (Letter::Upper, len),
            Some((c, len)) if is_alphanumeric(c) => (Letter::Lower, len),
            Some((_, len)) => (Letter::Other, len),
            None => (Letter::Other, 1),
        }
    }
}

/// Bounds of the first part at or after `from`.
fn next_part(word: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut start = from;
    let mut last = loop {
        let (class, len) = letter(word.get(start..).filter(|rest| !rest.is_empty())?);
        if class != Letter::Other {
            break class;
        }
        start += len;
    };
    let mut at = start + letter(&word[start..]).1;
    let mut last_at = start;
    while at < word.len() {
        let (class, len) = letter(&word[at..]);
        let cut = match (last, class) {
            (_, Letter::Other) => Some(at),
            (Letter::Lower | Letter::Digit, Letter::Upper) => Some(at),
            (Letter::Digit, Letter::Lower) => None,
            (Letter::Upper, Letter::Lower) if last_at > start => Some(last_at),
            _ => None,
        };
        if let Some(cut) = cut {
            return Some((start, cut));
        }
        last = class;
        last_at = at;
        at += len;
    }
    Some((start, word.len()))
}

/// Calls `f` with every term of a word, each once: the whole folded word, then its sub-words where
/// they differ. Terms shorter than [`MIN_TERM_BYTES`] or longer than
/// [`MAX_TERM_BYTES`](crate::limits::MAX_TERM_BYTES) are left out.
pub fn for_each_term(word: &[u8], mut f: impl FnMut(&[u8])) {
    let fits = |term: &[u8]| (MIN_TERM_BYTES..=MAX_TERM_BYTES).contains(&term.len());
    // Lower-case ASCII letters only: the usual word of prose and code is its own single term.
    if word.iter().all(u8::is_ascii_lowercase) {
        if fits(word) {
            f(word);
        }
        return;
    }
    let mut whole = Vec::with_capacity(word.len());
    fold(word, &mut whole);
    if fits(&whole) {
        f(&whole);
    }
    let mut seen = vec![whole];
    for_each_subword(word, |part| {
        if fits(part) && !seen.iter().any(|term| term == part) {
            f(part);
            seen.push(part.to_vec());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_what_the_standard_library_says() {
        for c in '\0'..=char::MAX {
            let mut buffer = [0; 4];
            let bytes = c.encode_utf8(&mut buffer).as_bytes();
            assert_eq!(decode(bytes), Some((c, bytes.len())));
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
        }
        // Two bytes decide; the rest need only be possible.
        for start in 0..=u16::MAX {
            let [one, two] = start.to_be_bytes();
            let bytes = [one, two, 0x80, 0xbf];
            let valid = (1..=4).find_map(|len| std::str::from_utf8(&bytes[..len]).ok());
            let want = valid.and_then(|text| Some((text.chars().next()?, text.len())));
            assert_eq!(decode(&bytes), want, "{bytes:x?}");
        }
        assert_eq!(decode("\u{4e16}".as_bytes().split_last().unwrap().1), None);
    }

    fn subwords(word: &str) -> Vec<String> {
        let mut out = Vec::new();
        for_each_subword(word.as_bytes(), |part| {
            out.push(String::from_utf8_lossy(part).into_owned())
        });
        out
    }

    fn terms(word: &str) -> Vec<String> {
        let mut out = Vec::new();
        for_each_term(word.as_bytes(), |part| {
            out.push(String::from_utf8_lossy(part).into_owned())
        });
        out
    }

    fn words(text: &[u8]) -> Vec<(String, usize)> {
        let mut out = Vec::new();
        for_each_word(text, |word, at| {
            out.push((String::from_utf8_lossy(word).into_owned(), at))
        });
        out
    }

    #[test]
    fn splits_the_usual_spellings() {
        assert_eq!(subwords("camelCase"), ["camel", "case"]);
        assert_eq!(subwords("PascalCase"), ["pascal", "case"]);
        assert_eq!(subwords("HTTPServer"), ["http", "server"]);
        assert_eq!(subwords("getHTTP"), ["get", "http"]);
        assert_eq!(subwords("snake_case__x"), ["snake", "case", "x"]);
        assert_eq!(subwords("kebab-case"), ["kebab", "case"]);
        assert_eq!(subwords("__init__"), ["init"]);
        assert_eq!(subwords("UPPER_CASE"), ["upper", "case"]);
        assert_eq!(subwords("ÜberGröße"), ["über", "größe"]);
        assert_eq!(subwords("___"), Vec::<String>::new());
    }

    #[test]
    fn digits_stay_with_the_letters_before_them() {
        assert_eq!(subwords("utf8"), ["utf8", "utf"]);
        assert_eq!(subwords("sha256Sum"), ["sha256", "sha", "sum"]);
        assert_eq!(subwords("base64encode"), ["base64encode"]);
        assert_eq!(subwords("404"), ["404"]);
    }

    #[test]
    fn a_lone_letter_is_also_joined_to_what_follows() {
        assert_eq!(
            subwords("OAuth2Bearer"),
            ["o", "auth2", "auth", "oauth2", "oauth", "bearer"]
        );
        assert_eq!(subwords("IUser"), ["i", "user", "iuser"]);
        assert_eq!(subwords("x_axis"), ["x", "axis"]);
    }

    #[test]
    fn terms_are_distinct_and_bounded() {
        assert_eq!(terms("fooFoo"), ["foofoo", "foo"]);
        assert_eq!(terms("word"), ["word"]);
        assert_eq!(terms("Word"), ["word"]);
        assert_eq!(terms("x"), Vec::<String>::new());
        assert_eq!(terms("a_b"), ["a_b"]);
        assert_eq!(terms(&format!("{}Tail", "a".repeat(60))), ["tail"]);
        assert_eq!(terms("İx"), ["i\u{307}x"]);
    }

    #[test]
    fn words_are_runs_of_letters_of_any_script() {
        assert_eq!(
            words(b"a.b_c(d1)"),
            [("a".into(), 0), ("b_c".into(), 2), ("d1".into(), 6)]
        );
        assert_eq!(
            words("naïve “quote”".as_bytes()),
            [("naïve".into(), 0), ("quote".into(), 10)]
        );
        assert_eq!(
            words(b"ab\xff\xfecd\xc3"),
            [("ab".into(), 0), ("cd".into(), 4)]
        );
    }

    #[test]
    fn folding_keeps_bytes_that_are_not_text() {
        let mut out = Vec::new();
        fold(b"A\xffB", &mut out);
        assert_eq!(out, b"a\xffb");
    }
}
