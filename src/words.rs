//! Lists of words, written as one text and split when the program is compiled.
//!
//! A list that is a page of quoted lines hides the code around it; as a text it reads like what it
//! is, and what is told of a language or a convention stays in one glance.

/// How many words a text has.
pub(crate) const fn count(text: &str) -> usize {
    let (bytes, mut at, mut words) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        let starts = at == 0 || bytes[at - 1].is_ascii_whitespace();
        if starts && !bytes[at].is_ascii_whitespace() {
            words += 1;
        }
        at += 1;
    }
    words
}

/// The words of a text, of which there are `N`.
pub(crate) const fn split<const N: usize>(text: &'static str) -> [&'static str; N] {
    let (mut list, mut found, mut rest) = ([""; N], 0, text.trim_ascii());
    while found < N {
        let mut end = 0;
        while end < rest.len() && !rest.as_bytes()[end].is_ascii_whitespace() {
            end += 1;
        }
        let (word, after) = rest.split_at(end);
        list[found] = word;
        (found, rest) = (found + 1, after.trim_ascii_start());
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
        const WORDS: [&str; $crate::words::count($text)] = $crate::words::split($text);
        &WORDS
    }};
}

/// `byte_words!("a b c")` is `&[b"a", b"b", b"c"]`, each of them a slice.
macro_rules! byte_words {
    ($text:literal) => {{
        const WORDS: [&[u8]; $crate::words::count($text)] =
            $crate::words::bytes($crate::words::split($text));
        &WORDS
    }};
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
    }
}
