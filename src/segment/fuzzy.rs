//! Names within a few edits of a word, by one walk over the dictionary of names.
//!
//! The rows of the edit-distance table are kept for the bytes that a key shares with the one
//! before, and a prefix that is already too far off rules out all keys that begin with it; most
//! keys cost a few instructions.

use super::folded::Folded;
use crate::extract::terms::fold;
use crate::id::NameId;

/// Longest word that is compared, in characters.
const MAX_WORD: usize = 64;
/// Most edits: beyond these nearly everything of a common length is near.
const MAX_DISTANCE: u32 = 3;

/// Returns names whose folded form is within `distance` edits (insert, delete or replace one
/// character) of `folded`, nearest first, then by id; at most `limit`. Names that are not UTF-8 are
/// near nothing.
pub(super) fn within(
    dict: &Folded,
    bytes: &[u8],
    folded: &str,
    distance: u32,
    limit: usize,
) -> Vec<(NameId, u32)> {
    let word: Vec<char> = folded.chars().take(MAX_WORD + 1).collect();
    if word.len() > MAX_WORD {
        return dict
            .lookup(bytes, folded.as_bytes())
            .take(limit)
            .map(|name| (name, 0))
            .collect();
    }
    let mut defined = vec![false; dict.names().len() as usize];
    dict.iter_from(bytes, 0)
        .for_each(|name| defined[name.index()] = true);
    let mut found = Vec::new();
    let distance = distance.min(MAX_DISTANCE);
    let lengths = word.len().saturating_sub(distance as usize)..=word.len() + distance as usize;
    let mut rows = Rows::new(word, distance);
    let mut names = dict.names().cursor(bytes, 0);
    let mut key = Vec::new();
    while let Some((id, name)) = names.advance() {
        // Most names are out by their length, before anything is compared.
        if !defined[id as usize] || name.is_ascii() && !lengths.contains(&name.len()) {
            continue;
        }
        key.clear();
        fold(name, &mut key);
        let distance = std::str::from_utf8(&key)
            .ok()
            .and_then(|key| rows.advance(key));
        found.extend(distance.map(|edits| (NameId(id), edits)));
    }
    found.sort_unstable_by_key(|&(name, edits)| (edits, name));
    found.truncate(limit);
    found
}

/// The edit-distance table of one word against a walk over sorted keys.
struct Rows {
    word: Vec<char>,
    distance: u32,
    /// For each character of the current key: where it starts, and the row before it.
    rows: Vec<(usize, Vec<u32>)>,
    /// Rows in use.
    depth: usize,
    /// The current key.
    key: Vec<u8>,
    /// Length of the prefix of the current key that rules it out; the maximum when none does.
    dead: usize,
}

impl Rows {
    fn new(word: Vec<char>, distance: u32) -> Self {
        let first = (0..=word.len() as u32).collect();
        Self {
            word,
            distance,
            rows: vec![(0, first)],
            depth: 1,
            key: Vec::new(),
            dead: usize::MAX,
        }
    }

    /// Goes on to `key`; returns its distance when it is within bounds.
    fn advance(&mut self, key: &str) -> Option<u32> {
        let shared = self
            .key
            .iter()
            .zip(key.as_bytes())
            .take_while(|(a, b)| a == b)
            .count();
        if shared >= self.dead {
            return None;
        }
        self.key.truncate(shared);
        self.key.extend_from_slice(&key.as_bytes()[shared..]);
        while self.depth > 1 && self.rows[self.depth - 1].0 > shared {
            self.depth -= 1;
        }
        self.dead = usize::MAX;
        let mut at = self.rows[self.depth - 1].0;
        // Where a row of the key before ends, a character of this one begins.
        for letter in key.get(at..).unwrap_or_default().chars() {
            at += letter.len_utf8();
            if self.push(letter, at) > self.distance {
                self.dead = at;
                return None;
            }
        }
        let last = *self.rows[self.depth - 1].1.last()?;
        (last <= self.distance).then_some(last)
    }

    /// Adds the row after `letter`, which ends at byte `end`; returns its least value.
    fn push(&mut self, letter: char, end: usize) -> u32 {
        if self.rows.len() == self.depth {
            self.rows
                .push((end, Vec::with_capacity(self.word.len() + 1)));
        }
        let (before, after) = self.rows.split_at_mut(self.depth);
        let (last, next) = (&before[self.depth - 1].1, &mut after[0]);
        next.0 = end;
        next.1.clear();
        let mut left = last[0] + 1;
        let mut least = left;
        next.1.push(left);
        for (i, &other) in self.word.iter().enumerate() {
            let replace = last[i] + u32::from(other != letter);
            left = replace.min(last[i + 1] + 1).min(left + 1);
            least = least.min(left);
            next.1.push(left);
        }
        self.depth += 1;
        least
    }
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary::cases;
    use super::super::{Segment, build};
    use crate::extract::record::*;
    use crate::extract::terms::fold;
    use crate::id::{BlobId, NameId};
    use gix::hash::Kind;
    use proptest::collection::btree_set;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn segment(names: &BTreeSet<String>) -> Segment {
        let mut record = DocRecord::empty(Grammar::Rust, 0);
        for name in names {
            let name = record.names.push(name.as_bytes());
            record.symbols.push(Symbol {
                name,
                kind: SymbolKind::Function,
                flags: SymbolFlags::default(),
                container: None,
                receiver: None,
                span: 0..0,
                start_line: 1,
                start_col: 0,
                end_line: 1,
                end_col: 0,
                name_line: 1,
                name_col: 0,
                signature: 0..0,
                doc: 0..0,
                body_hash: 0,
            });
        }
        let key = DocKey {
            blob: BlobId::new(Kind::Sha1.null()),
            grammar: Grammar::Rust,
        };
        Segment::open(build(Kind::Sha1, vec![(key, record)]).unwrap()).unwrap()
    }

    fn folded(name: &str) -> String {
        let mut out = Vec::new();
        fold(name.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    /// The textbook definition.
    fn distance(a: &[char], b: &[char]) -> u32 {
        let (Some((x, a_rest)), Some((y, b_rest))) = (a.split_first(), b.split_first()) else {
            return (a.len() + b.len()) as u32;
        };
        if x == y {
            return distance(a_rest, b_rest);
        }
        1 + distance(a_rest, b)
            .min(distance(a, b_rest))
            .min(distance(a_rest, b_rest))
    }

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    proptest! {
        #![proptest_config(cases(150))]

        #[test]
        fn near_names_are_those_of_the_textbook(
            names in btree_set("[abAé漢]{0,5}", 0..60),
            word in "[abé漢]{0,5}",
            edits in 0..4u32,
        ) {
            let segment = segment(&names);
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            let mut wanted: Vec<(NameId, u32)> = (0..)
                .map(NameId)
                .zip(&names)
                .map(|(id, name)| (id, distance(&letters(&folded(name)), &letters(&word))))
                .filter(|(_, distance)| *distance <= edits)
                .collect();
            wanted.sort_by_key(|(id, distance)| (*distance, *id));
            prop_assert_eq!(segment.names_within(&word, edits, 1000), wanted.clone());
            wanted.truncate(3);
            prop_assert_eq!(segment.names_within(&word, edits, 3), wanted);
        }
    }

    #[test]
    fn words_too_long_to_compare_are_only_looked_up() {
        let long = "x".repeat(100);
        let segment = segment(&set(&[&long, &"x".repeat(99)]));
        assert_eq!(segment.names_within(&long, 2, 10), [(NameId(1), 0)]);
    }

    #[test]
    fn prefixes_are_matched_whatever_the_case() {
        let segment = segment(&set(&["GetNode", "getlist", "gE", "set"]));
        let spelled = |limit| {
            let spell = |id| {
                let mut out = Vec::new();
                segment.name(id, &mut out);
                String::from_utf8(out).unwrap()
            };
            segment
                .names_with_prefix(b"ge", limit)
                .into_iter()
                .map(spell)
                .collect::<Vec<_>>()
        };
        assert_eq!(spelled(10), ["gE", "getlist", "GetNode"]);
        assert_eq!(spelled(2), ["gE", "getlist"]);
        assert!(segment.names_with_prefix(b"x", 10).is_empty());
    }
}
