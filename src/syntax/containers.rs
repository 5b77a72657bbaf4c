//! What generic types hold.

/// Generic types that say something of the values of their arguments.
pub(crate) struct Containers {
    /// Used as what they hold is, which is of their first argument.
    pub(crate) wrappers: &'static [&'static [u8]],
    /// Collections of instances of their first argument.
    pub(crate) collections: &'static [&'static [u8]],
    /// Collections of instances of their second argument, found by instances of the first.
    pub(crate) maps: &'static [&'static [u8]],
}

impl Containers {
    /// Whether the type of this name is a collection, found by keys or not.
    pub(crate) fn has_elements(&self, name: &[u8]) -> bool {
        self.collections.contains(&name) || self.maps.contains(&name)
    }

    /// Which argument of the type of this name says what it holds, and how many levels of a
    /// collection that is below.
    pub(crate) fn held(&self, name: &[u8]) -> Option<(u32, usize)> {
        if self.wrappers.contains(&name) {
            Some((0, 0))
        } else if self.collections.contains(&name) {
            Some((0, 1))
        } else {
            self.maps.contains(&name).then_some((1, 1))
        }
    }
}

/// Whether a type may be one of the language's own, by how it is written: it is one word, or a path that begins with one
/// of these libraries. `Token.Character` is not, whatever `Character` is.
pub(crate) fn may_be_own(written: &[u8], libraries: &[&[u8]]) -> bool {
    let end = written.iter().position(|b| matches!(b, b'<' | b'['));
    let path = &written[..end.unwrap_or(written.len())];
    match path.iter().position(|b| matches!(b, b'.' | b':')) {
        Some(first) => first == 0 || libraries.contains(&&path[..first]),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_of_the_library_that_it_begins_with() {
        let own = |written: &str| may_be_own(written.as_bytes(), byte_words!("java std"));
        for written in [
            "List",
            "List<a.B>",
            "java.util.List<a.B>",
            "std::string",
            "::string",
            "Map[a.B]",
            "",
        ] {
            assert!(own(written), "{written}");
        }
        for written in [
            "Token.Character",
            "token::string",
            "Token.List<java.B>",
            "a.",
        ] {
            assert!(!own(written), "{written}");
        }
    }

    #[test]
    fn containers_say_what_they_hold() {
        let known = Containers {
            wrappers: byte_words!("Option"),
            collections: byte_words!("List"),
            maps: byte_words!("Map"),
        };
        let held = |name: &str| known.held(name.as_bytes());
        assert_eq!(held("Option"), Some((0, 0)));
        assert_eq!(held("List"), Some((0, 1)));
        assert_eq!(held("Map"), Some((1, 1)));
        assert_eq!(held("Shop"), None);
    }
}
