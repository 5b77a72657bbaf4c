//! Names within a few edits of a word, by one walk over the folded dictionary.
//!
//! The rows of the edit-distance table are kept for the bytes that a key shares with the one
//! before, and a prefix that is already too far off rules out all keys that begin with it; most
//! keys cost a few instructions.

use super::names::WordDict;
use crate::id::NameId;

/// Longest word that is compared, in characters.
const MAX_WORD: usize = 64;
/// Most edits: beyond these nearly everything of a common length is near.
const MAX_DISTANCE: u32 = 3;

/// Returns names whose folded form is within `distance` edits (insert, delete or replace one
/// character) of `folded`, nearest first, then by id; at most `limit`. Names that are not UTF-8 are
/// near nothing.
pub(super) fn within(
    dict: &WordDict,
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
    let mut found = Vec::new();
    let mut rows = Rows::new(word, distance.min(MAX_DISTANCE));
    let mut cursor = dict.words.cursor(bytes, 0);
    let mut shared = 0;
    while let Some((id, _)) = cursor.advance() {
        shared = cursor.shared().min(shared);
        if shared >= rows.dead {
            continue;
        }
        let Ok(key) = std::str::from_utf8(cursor.key()) else {
            continue;
        };
        if let Some(edits) = rows.advance(key, shared) {
            found.extend(dict.names(bytes, id).map(|name| (name, edits)));
        }
        shared = usize::MAX;
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
            dead: usize::MAX,
        }
    }

    /// Goes on to `key`, of which `shared` bytes are as before; returns its distance when it is
    /// within bounds.
    fn advance(&mut self, key: &str, shared: usize) -> Option<u32> {
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
