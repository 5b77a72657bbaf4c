//! What two heads of a definition say of its types, where that is less than that they are others: a type that is not
//! written down, or written in another way.

use crate::query::diff::effects::Because;

/// What two heads that are not the same say of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heads {
    /// The types are the same.
    Same,
    /// They may be others.
    Perhaps(Because),
    /// They are others.
    Other,
}

/// Compares the types of two heads, what was before and what is now.
pub(super) fn compare(was: &str, is: &str) -> Heads {
    if plain(was) == plain(is) {
        return Heads::Same;
    }
    if is_wider(was, is) || is_wider(is, was) {
        return Heads::Perhaps(Because::Wider);
    }
    if is_untyped(was) || is_untyped(is) || untold(was) == untold(is) {
        return Heads::Perhaps(Because::Unwritten);
    }
    Heads::Other
}

/// Whether a type takes what another took and more: `A | B` after `A`. Who gets it may fail, who gives it does not.
fn is_wider(was: &str, is: &str) -> bool {
    let more = is.strip_prefix(was).map(str::trim_start);
    more.is_some_and(|more| more.starts_with('|'))
}

/// Whether a head of a variable or field gives it a value and says no type: `a = 1`, and not `a: int = 1` or
/// `int a = 1`.
fn is_untyped(head: &str) -> bool {
    let before = head.split_once('=').map(|(before, _)| before.trim_end());
    before.is_some_and(|before| {
        let words = before.split_whitespace();
        let words = words.filter(|word| !BINDERS.contains(word));
        !before.contains([':', '(']) && words.count() < 2
    })
}

/// Words that say that something is bound, and nothing of its type.
const BINDERS: [&str; 14] = [
    "const", "let", "var", "val", "export", "default", "public", "private", "static", "readonly",
    "final", "pub", "mut", "internal",
];

/// A head without what says nothing of its types: the ways to names, and that what may be left out may be undefined.
fn plain(head: &str) -> String {
    let words = head.replace("| undefined", "");
    unqualified(&words).split_whitespace().collect()
}

/// A head without the types of parameters that have a default, from which they follow where they are not written.
fn untold(head: &str) -> String {
    let parts = plain(head);
    let parts = parts.split(',').map(|part| match part.split_once('=') {
        Some((before, default)) if !default.starts_with('>') => {
            let name = before.split(':').next().unwrap_or(before);
            // What closes the list, and the result behind it.
            let behind = default.rfind("):").map_or("", |at| &default[at..]);
            format!("{name}={behind}")
        }
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join(",")
}

/// A head without the ways to its names: `Location` of `std::panic::Location`.
fn unqualified(head: &str) -> String {
    let parts = head.split("::").collect::<Vec<_>>();
    let Some((last, before)) = parts.split_last() else {
        return String::new();
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let ways = before.iter().map(|part| part.trim_end_matches(is_word));
    ways.chain(std::iter::once(*last)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_compared_by_what_they_say_of_types() {
        let other = |was: &str, is: &str| assert_eq!(compare(was, is), Heads::Other, "{was}, {is}");
        let same = |was: &str, is: &str| assert_eq!(compare(was, is), Heads::Same, "{was}, {is}");
        let perhaps = |was: &str, is: &str, because: Because| {
            assert_eq!(compare(was, is), Heads::Perhaps(because), "{was}, {is}");
            assert_eq!(compare(is, was), Heads::Perhaps(because), "{is}, {was}");
        };
        perhaps("a?: B", "a?: B | 'c'", Because::Wider);
        other("a: B", "a: Bc");
        perhaps(
            "JSON = jsonBinding{}",
            "JSON Binding = jsonBinding{}",
            Because::Unwritten,
        );
        perhaps("val V = C", "val V: String", Because::Unwritten);
        other("int v = 1", "long v = 1");
        other("a: u8", "a: u16");
        same("-> &'a std::panic::Location<'a>", "-> &'a Location<'a>");
        other("-> a::B", "-> a::C");
        same("f(a?: B | undefined)", "f(a?: B)");
        perhaps(
            "f(a: B, c: number = 1): D",
            "f(a: B, c = 1): D",
            Because::Unwritten,
        );
        perhaps(
            "f(c = new E<F>()): D",
            "f(c: E<F> = new E()): D",
            Because::Unwritten,
        );
        other("f(a: B, c = 1): D", "f(a: C, c = 1): D");
        other("f(c = 1): D", "f(c: number = 1): E");
        other("f(a: () => B)", "f(a: () => C)");
    }
}
