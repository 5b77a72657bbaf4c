//! Lists of words that a language gives a meaning, and what generic types hold.

/// Most words of one list.
const MOST: usize = 40;

/// A list of words, written as one text.
pub(crate) struct Words {
    list: [&'static [u8]; MOST],
    len: usize,
}

/// Splits a text at its blanks, when the program is compiled.
pub(crate) const fn words(text: &'static str) -> Words {
    let mut list: [&[u8]; MOST] = [b""; MOST];
    let (mut len, mut rest, mut at) = (0, text.as_bytes(), 0);
    while at < rest.len() {
        if rest[at] != b' ' {
            at += 1;
            continue;
        }
        let (word, after) = rest.split_at(at);
        list[len] = word;
        (len, rest, at) = (len + 1, after.split_at(1).1, 0);
    }
    if !rest.is_empty() {
        list[len] = rest;
        len += 1;
    }
    Words { list, len }
}

impl Words {
    /// Whether a word is one of them.
    pub(crate) fn contains(&self, word: impl AsRef<[u8]>) -> bool {
        self.iter().any(|known| known == word.as_ref())
    }

    /// All of them, as they are written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static [u8]> {
        self.list[..self.len].iter().copied()
    }
}

/// Generic types that say something of the values of their arguments.
pub(crate) struct Containers {
    /// Used as what they hold is, which is of their first argument.
    pub(crate) wrappers: Words,
    /// Collections of instances of their first argument.
    pub(crate) collections: Words,
    /// Collections of instances of their second argument, found by instances of the first.
    pub(crate) maps: Words,
}

impl Containers {
    /// Whether the type of this name is a collection, found by keys or not.
    pub(crate) fn has_elements(&self, name: &[u8]) -> bool {
        self.collections.contains(name) || self.maps.contains(name)
    }

    /// Which argument of the type of this name says what it holds, and how many levels of a
    /// collection that is below.
    pub(crate) fn held(&self, name: &[u8]) -> Option<(u32, usize)> {
        if self.wrappers.contains(name) {
            Some((0, 0))
        } else if self.collections.contains(name) {
            Some((0, 1))
        } else {
            self.maps.contains(name).then_some((1, 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_into_its_words() {
        static THREE: Words = words("a List Vec");
        assert_eq!(
            THREE.iter().collect::<Vec<_>>(),
            [&b"a"[..], b"List", b"Vec"]
        );
        assert!(THREE.contains(b"List") && !THREE.contains(b"Li") && !THREE.contains(b""));
        static NONE: Words = words("");
        assert!(!NONE.contains(b""));
    }

    #[test]
    fn containers_say_what_they_hold() {
        let known = Containers {
            wrappers: words("Option"),
            collections: words("List"),
            maps: words("Map"),
        };
        let held = |name: &str| known.held(name.as_bytes());
        assert_eq!(held("Option"), Some((0, 0)));
        assert_eq!(held("List"), Some((0, 1)));
        assert_eq!(held("Map"), Some((1, 1)));
        assert_eq!(held("Shop"), None);
    }
}
