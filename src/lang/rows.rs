//! Rows of a language that say the same of many kinds of nodes, written as one text.

use crate::syntax::rows::Rule;

/// A row of [`LangSpec::roles`](crate::syntax::rows::LangSpec::roles).
pub(super) type Role = (&'static str, &'static str, Rule);

/// Each word of some texts with what the text is told of; there are `N` words.
pub(super) const fn each<T: Copy, const N: usize>(
    texts: &[(T, &[&'static str])],
) -> [(&'static str, T); N] {
    let (mut rows, mut found, mut text) = ([("", texts[0].0); N], 0, 0);
    while text < texts.len() {
        let ((told, words), mut at) = (texts[text], 0);
        while at < words.len() {
            rows[found] = (words[at], told);
            (found, at) = (found + 1, at + 1);
        }
        text += 1;
    }
    rows
}

/// The kind and the field of each `kind.field`; a kind alone stands for its children without a row.
pub(super) const fn roles<const N: usize>(words: [(&'static str, Rule); N]) -> [Role; N] {
    let (mut rows, mut row) = ([("", "", Rule::Pass); N], 0);
    while row < N {
        let (word, rule) = words[row];
        let mut end = 0;
        while end < word.len() && word.as_bytes()[end] != b'.' {
            end += 1;
        }
        let (kind, field) = word.split_at(end);
        rows[row] = match field.split_at_checked(1) {
            Some((_, field)) => (kind, field, rule),
            None => (kind, "", rule),
        };
        row += 1;
    }
    rows
}

/// `hooks! { function => "a b" }` is `&[("a", function), ("b", function)]`.
macro_rules! hooks {
    ($($hook:expr => $text:literal),* $(,)?) => {{
        const HOOKS: [(&str, $crate::syntax::rows::Hook); 0 $(+ words!($text).len())*] =
            $crate::lang::rows::each(&[$(($hook, words!($text))),*]);
        &HOOKS
    }};
}

/// `roles! { Pass => "a.b c" }` is `&[("a", "b", Pass), ("c", "", Pass)]`.
macro_rules! roles {
    ($($rule:expr => $text:literal),* $(,)?) => {{
        const ROLES: [$crate::lang::rows::Role; 0 $(+ words!($text).len())*] =
            $crate::lang::rows::roles($crate::lang::rows::each(&[$(($rule, words!($text))),*]));
        &ROLES
    }};
}
