//! Which definitions of a file are missed, and why.

use super::kinds::Language;
use super::ours::{Named, Read};
use super::tags::Tag;
use std::collections::BTreeMap;

/// How far lines may lie apart: ctags names the line of a return type or of a decorator.
const SLACK: u32 = 2;

/// A definition that is missed.
pub struct Lost<'t> {
    /// What ctags says of it.
    pub tag: &'t Tag,
    /// Why it is missed.
    pub reason: String,
}

/// The tags that nothing of ours stands for. A definition of ours stands for one tag.
pub fn lost<'t>(
    language: &Language,
    read: &Read,
    tags: &[&'t Tag],
    lines: &[&str],
) -> Vec<Lost<'t>> {
    let plain: Vec<String> = read
        .symbols
        .iter()
        .map(|symbol| plain(&symbol.name))
        .collect();
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, name) in plain.iter().enumerate() {
        for name in tails(name) {
            by_name.entry(name).or_default().push(at);
        }
    }
    let mut taken = vec![false; plain.len()];
    let mut lost = Vec::new();
    for tag in tags {
        if !take(language, tag, &read.symbols, &by_name, &mut taken) {
            lost.push(Lost {
                tag,
                reason: reason(language, read, tag, lines),
            });
        }
    }
    lost
}

/// Takes the nearest definition that a tag may stand for; whether there is one.
fn take(
    language: &Language,
    tag: &Tag,
    symbols: &[Named],
    by_name: &BTreeMap<&str, Vec<usize>>,
    taken: &mut [bool],
) -> bool {
    // A selector of several parts stands on several lines; ctags names that of the last one.
    // Of a function with a signature it names that of the first clause.
    let is_selector = tag.name.matches(':').count() > 1 && tag.name.ends_with(':');
    let is_long = is_selector || language.clauses;
    for name in tails(&plain(&tag.name)) {
        let named = by_name.get(name).into_iter().flatten().copied();
        let near = named.filter(|at| {
            let from = symbols[*at].first.saturating_sub(SLACK);
            let to = match is_long {
                true => symbols[*at].last.max(symbols[*at].line),
                false => symbols[*at].line,
            };
            !taken[*at] && (from..=to + SLACK).contains(&tag.line)
        });
        if let Some(at) = near.min_by_key(|at| symbols[*at].line.abs_diff(tag.line)) {
            taken[at] = true;
            return true;
        }
    }
    false
}

/// A name without what it may be written with: space, quotes, and arguments of types.
fn plain(name: &str) -> String {
    let mut text: String = name
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '`')
        .collect();
    if let Some(at) = text.find('{').filter(|at| *at > 0) {
        text.truncate(at);
    }
    // `#secret` of JavaScript is `secret` to ctags.
    if text.len() > 1 && text.starts_with('#') {
        text.remove(0);
    }
    // `interface operator(+)` of Fortran is `+` to ctags.
    let operator = text
        .strip_prefix("operator(")
        .or(text.strip_prefix("assignment("));
    let operator = operator.and_then(|rest| rest.strip_suffix(')'));
    if let Some(operator) = operator.filter(|operator| !operator.is_empty()) {
        text = operator.to_owned();
    }
    // A selector goes by its first part.
    if let Some(at) = text.find(':').filter(|at| *at > 0 && text.ends_with(':')) {
        text.truncate(at);
    }
    text
}

/// A qualified name and its last parts.
fn tails(name: &str) -> impl Iterator<Item = &str> {
    let cuts = name.char_indices().filter_map(|(at, c)| {
        let rest = &name[at + c.len_utf8()..];
        let is_cut = matches!(c, '.' | ':' | '#' | '/') && at > 0;
        (is_cut && rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '~'))
            .then_some(rest)
    });
    std::iter::once(name).chain(cuts)
}

fn reason(language: &Language, read: &Read, tag: &Tag, lines: &[&str]) -> String {
    if let Some(skip) = read.skip {
        return format!("skipped: {skip}");
    }
    if read.gaps.contains(tag.line) {
        return "in a gap".to_owned();
    }
    let line = lines
        .get(tag.line as usize - 1)
        .copied()
        .unwrap_or_default();
    match language.not_taken(tag, line) {
        Some(kind) => format!("not taken: {kind}"),
        None => "not understood".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qualified_name_stands_for_its_last_parts() {
        let of = |name| tails(name).collect::<Vec<_>>();
        assert_eq!(of("a::B.c"), ["a::B.c", "B.c", "c"]);
        assert_eq!(of("A::~A"), ["A::~A", "~A"]);
        assert_eq!(of("/"), ["/"]);
    }

    #[test]
    fn space_and_quotes_are_no_part_of_a_name() {
        assert_eq!(plain("operator []"), "operator[]");
        assert_eq!(plain("`a b`"), "ab");
        assert_eq!(plain("Object{K,V}"), "Object");
        assert_eq!(plain("takeFrom:to:"), "takeFrom");
        assert_eq!(plain("#secret"), "secret");
        assert_eq!(plain("operator(+)"), "+");
        assert_eq!(plain("operator()"), "operator()");
    }
}
