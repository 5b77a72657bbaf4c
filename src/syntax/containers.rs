//! What generic types hold.

use super::hints::Hint;
use super::walk::Walk;
use crate::record::HintKind;

/// Generic types that say something of the values of their arguments.
pub(crate) struct Containers {
    /// Used as what they hold is, which is of their first argument.
    pub(crate) wrappers: &'static [&'static [u8]],
    /// Collections of instances of their first argument.
    pub(crate) collections: &'static [&'static [u8]],
    /// Collections of instances of their second argument, found by instances of the first.
    pub(crate) maps: &'static [&'static [u8]],
    /// What gives what it holds when it is asked for it, each with the argument that says what that is.
    pub(crate) cells: &'static [(&'static [&'static [u8]], u32)],
    /// Entries of maps, which hold their second argument.
    pub(crate) entries: &'static [&'static [u8]],
}

/// What a type holds, from the outermost of its parts to the innermost.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Holding {
    /// Collections that are passed.
    levels: usize,
    /// What the outermost part is, where that is no list.
    outer: Option<HintKind>,
}

impl Holding {
    /// Goes one list deeper.
    pub(crate) fn deeper(&mut self) {
        self.levels += 1;
    }

    /// Goes into the type of a name; returns which of its arguments says what it holds. `None` where it holds nothing, or
    /// nothing that can be said.
    pub(crate) fn enter(&mut self, containers: &Containers, name: &[u8]) -> Option<u32> {
        let is_first = self.levels == 0 && self.outer.is_none();
        let cell = containers.cells.iter().find(|(of, _)| of.contains(&name));
        let entry = containers.entries.contains(&name);
        let found = match (cell, entry) {
            (Some((_, at)), _) => Some((*at, HintKind::Cell)),
            (None, true) => Some((1, HintKind::Entry)),
            (None, false) => None,
        };
        if let Some((at, kind)) = found {
            // What a list of them holds is not what they hold.
            self.outer = Some(if is_first { kind } else { HintKind::Literal });
            return Some(at);
        }
        let (at, levels) = containers.held(name)?;
        if is_first && containers.maps.contains(&name) {
            self.outer = Some(HintKind::Map);
        }
        self.levels += levels;
        Some(at)
    }

    /// What is said of the whole, where this is said of the innermost part.
    pub(crate) fn of(self, inner: Hint) -> Option<Hint> {
        match (self.outer, self.levels) {
            (None, levels) => inner.collections(levels),
            (Some(HintKind::Map), 1) => Some(inner.collections(1)?.mapped()),
            (Some(kind @ (HintKind::Cell | HintKind::Entry)), 0) => match inner.kind {
                HintKind::Type => Some(inner.with(kind)),
                HintKind::Literal => Some(inner),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Containers {
    /// None.
    pub(crate) const NONE: Self = Self {
        wrappers: &[],
        collections: &[],
        maps: &[],
        cells: &[],
        entries: &[],
    };

    /// Whether the type of this name is a collection, found by keys or not.
    pub(crate) fn has_elements(&self, name: &[u8]) -> bool {
        self.collections.contains(&name) || self.maps.contains(&name)
    }

    /// Whether the type of this name gives what it holds when it is asked for it.
    pub(crate) fn is_cell(&self, name: &[u8]) -> bool {
        self.cells.iter().any(|(of, _)| of.contains(&name))
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

/// Imports of a file that are looked through for each name: people write fewer.
const MAX_IMPORTS: usize = 1024;

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

impl Walk<'_> {
    /// Whether an import above brings a name from one of these libraries, by itself or with all that stands beside it.
    pub(crate) fn imports_of(&self, libraries: &[&[u8]], name: &[u8]) -> bool {
        self.imports.iter().take(MAX_IMPORTS).any(|import| {
            let of = &import.specifier;
            let last = of.rsplit(|byte| *byte == b'.').next().unwrap_or(of);
            let is_package = last.first().is_some_and(u8::is_ascii_lowercase);
            (last == name || is_package)
                && libraries.iter().any(|library| {
                    let rest = of.strip_prefix(*library);
                    rest.is_some_and(|rest| rest.starts_with(b"."))
                })
        })
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
            ..Containers::NONE
        };
        let held = |name: &str| known.held(name.as_bytes());
        assert_eq!(held("Option"), Some((0, 0)));
        assert_eq!(held("List"), Some((0, 1)));
        assert_eq!(held("Map"), Some((1, 1)));
        assert_eq!(held("Shop"), None);
    }
}
