//! Lists of words, written as one text and split when the program is compiled.
//!
//! A list that is a page of quoted lines hides the code around it; as a text it reads like what it
//! is, and what is told of a language or a convention stays in one glance.

/// Whether a byte stands between two words: a blank, or what a list has instead, and blanks around it.
const fn is_between(byte: u8, separator: u8) -> bool {
    byte == separator || (separator == b' ' && byte.is_ascii_whitespace())
}

/// How many words a text has.
pub(crate) const fn count(text: &str, separator: u8) -> usize {
    let (bytes, mut at, mut words) = (text.trim_ascii().as_bytes(), 0, 0);
    while at < bytes.len() {
        let starts = at == 0 || is_between(bytes[at - 1], separator);
        if starts && !is_between(bytes[at], separator) {
            words += 1;
        }
        at += 1;
    }
    words
}

/// The words of a text, of which there are `N`.
pub(crate) const fn split<const N: usize>(text: &'static str, separator: u8) -> [&'static str; N] {
    let (mut list, mut found, mut rest) = ([""; N], 0, text.trim_ascii());
    while found < N {
        let mut end = 0;
        while end < rest.len() && !is_between(rest.as_bytes()[end], separator) {
            end += 1;
        }
        let (word, mut after) = rest.split_at(end);
        if !after.is_empty() {
            after = after.split_at(1).1.trim_ascii_start();
        }
        list[found] = word;
        (found, rest) = (found + 1, after);
    }
    list
}

/// The same words as bytes.
pub(crate) const fn bytes<const N: usize>(words: [&'static str; N]) -> [&'static [u8]; N] {
    const NONE: &[u8] = b"";
    let (mut list, mut at) = ([NONE; N], 0);
    while at < N {
        list[at] = words[at].as_bytes();
        at += 1;
    }
    list
}

/// `words!("a b c")` is `&["a", "b", "c"]`; lines may be broken wherever there is a blank.
macro_rules! words {
    ($text:literal) => {{
        const WORDS: [&str; $crate::words::count($text, b' ')] = $crate::words::split($text, b' ');
        &WORDS
    }};
}

/// `byte_words!("a b c")` is `&[b"a", b"b", b"c"]`, each of them a slice.
macro_rules! byte_words {
    ($text:literal) => {{
        const WORDS: [&[u8]; $crate::words::count($text, b' ')] =
            $crate::words::bytes($crate::words::split($text, b' '));
        &WORDS
    }};
}

/// `phrases!("so it is, a b")` is `&["so it is", "a b"]`; lines may be broken after a comma.
macro_rules! phrases {
    ($text:literal) => {{
        const PHRASES: [&str; $crate::words::count($text, b',')] =
            $crate::words::split($text, b',');
        &PHRASES
    }};
}

/// `by_words! { A => "a b" }` is `&[(A, &["a", "b"])]`.
macro_rules! by_words {
    ($($told:expr => $text:literal),* $(,)?) => { &[$(($told, words!($text))),*] };
}

/// `by_phrases! { A => "so it is, a b" }` is `&[(A, &["so it is", "a b"])]`.
macro_rules! by_phrases {
    ($($told:expr => $text:literal),* $(,)?) => { &[$(($told, phrases!($text))),*] };
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_text_is_split_into_its_words() {
        const THREE: &[&str] = words!(
            "a List
             Vec"
        );
        assert_eq!(THREE, ["a", "List", "Vec"]);
        const NONE: &[&str] = words!("");
        assert!(NONE.is_empty());
        const BYTES: &[&[u8]] = byte_words!("os  sys ");
        assert_eq!(BYTES, [b"os".as_slice(), b"sys"]);
        const PHRASES: &[&str] = phrases!(
            "so it is,
             a b"
        );
        assert_eq!(PHRASES, ["so it is", "a b"]);
    }
}
