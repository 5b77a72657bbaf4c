//! Copies: hits that say the same lines again, elsewhere.
//!
//! A package that is kept twice, one function for each platform, a migration after a migration: the
//! second is no news, and takes the place of what is. It is told beside the first instead.

use crate::query::search::answer::{Elsewhere, SearchHit};
use rustc_hash::FxHashSet;

/// A hit of fewer different lines has too little of its own to be called a copy.
const LEAST_LINES: usize = 4;
/// Share of the different lines of two hits that both have, from which on one is a copy: one line in ten
/// may be another. A test that was copied and then made to test something else is below.
const SHARE: f64 = 0.8;
/// Copies told of one hit.
const MOST_COPIES: usize = 5;

/// The hits that an answer shows, each with its different lines.
#[derive(Default)]
pub(super) struct Folded {
    /// The hits, in the order they came.
    pub(super) hits: Vec<SearchHit>,
    lines: Vec<FxHashSet<Box<str>>>,
}

impl Folded {
    /// How many are shown.
    pub(super) fn len(&self) -> usize {
        self.hits.len()
    }

    /// Shows a hit, or tells it beside the one that it is a copy of.
    pub(super) fn push(&mut self, hit: SearchHit) {
        let lines = distinct_lines(&hit.text);
        let original = (self.hits.iter_mut().zip(&self.lines))
            .find(|(shown, of_shown)| is_copy(&hit, &lines, shown, of_shown));
        match original {
            Some((shown, _)) if shown.copies.len() < MOST_COPIES => shown.copies.push(Elsewhere {
                path: hit.path,
                start_line: hit.start_line,
                end_line: hit.end_line,
            }),
            Some(_) => {}
            None => {
                self.hits.push(hit);
                self.lines.push(lines);
            }
        }
    }
}

/// The lines of a text without what surrounds them, each once; empty ones do not count.
fn distinct_lines(text: &str) -> FxHashSet<Box<str>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(Box::from).collect()
}

fn is_copy(
    hit: &SearchHit,
    lines: &FxHashSet<Box<str>>,
    shown: &SearchHit,
    of_shown: &FxHashSet<Box<str>>,
) -> bool {
    let name = |hit: &SearchHit| hit.symbol.as_ref().map(|symbol| symbol.qualified.clone());
    let (fewer, more) = (
        lines.len().min(of_shown.len()),
        lines.len().max(of_shown.len()),
    );
    // What has much fewer lines cannot share enough, and need not be compared.
    if fewer < LEAST_LINES || (fewer as f64) < SHARE * more as f64 || name(hit) != name(shown) {
        return false;
    }
    let both = lines.intersection(of_shown).count();
    let all = lines.len() + of_shown.len() - both;
    both as f64 >= SHARE * all as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::record::SymbolKind;
    use crate::id::BlobId;
    use crate::query::answer::SymbolRef;

    fn hit(path: &str, text: &str) -> SearchHit {
        SearchHit {
            path: path.to_owned(),
            start_line: 1,
            end_line: 5,
            symbol: None,
            headline: String::new(),
            text: text.to_owned(),
            telling_lines: Vec::new(),
            found_by: Vec::new(),
            role: 1.0,
            marks: None,
            score: 1.0,
            blob: BlobId::new(gix::hash::Kind::Sha1.null()),
            copies: Vec::new(),
        }
    }

    fn fold(hits: Vec<SearchHit>) -> Vec<(String, usize)> {
        let mut folded = Folded::default();
        hits.into_iter().for_each(|hit| folded.push(hit));
        let hits = folded.hits.into_iter();
        hits.map(|hit| (hit.path, hit.copies.len())).collect()
    }

    #[test]
    fn a_copy_is_told_beside_the_original() {
        let text = "fn a() {\n  one();\n  two();\n  three();\n}";
        let moved = text.replace("  ", "\t");
        let other = text.replace("two", "four");
        let hits = vec![hit("a", text), hit("b", &moved), hit("c", &other)];
        assert_eq!(fold(hits), [("a".to_owned(), 1), ("c".to_owned(), 0)]);
    }

    #[test]
    fn what_has_another_name_or_few_lines_is_no_copy() {
        let text = "fn a() {\n  one();\n  two();\n  three();\n}";
        let mut named = hit("b", text);
        named.symbol = Some(SymbolRef {
            id: "b::other#function".into(),
            qualified: "other".into(),
            kind: SymbolKind::Function,
            path: "b".to_owned(),
            start_line: 1,
            end_line: 5,
        });
        assert_eq!(fold(vec![hit("a", text), named]).len(), 2);
        assert_eq!(
            fold(vec![hit("a", "a\nb\nc"), hit("b", "a\nb\nc")]).len(),
            2
        );
    }

    #[test]
    fn a_hit_tells_a_few_copies() {
        let text = "one\ntwo\nthree\nfour";
        let hits = (0..9).map(|i| hit(&i.to_string(), text)).collect();
        assert_eq!(fold(hits), [("0".to_owned(), MOST_COPIES)]);
    }
}
