//! Finds every mark that a secret can be known by, in one pass over the bytes.
//!
//! Three tables say which of 64 groups of marks a byte can be the first, second and third byte of; where
//! the three agree, the marks of the group are compared. Made in some thousand steps: an automaton would
//! take millions, which every start of the program would pay.

use super::{formats, keys, named, shapes};
use std::sync::OnceLock;

/// What a mark in the bytes may be the beginning, the middle or the name of.
#[derive(Clone, Copy)]
pub enum Mark {
    /// A token of a form of [`formats::FORMATS`].
    Format(&'static formats::Format),
    /// A form that has its own reading.
    Shape(shapes::Shape),
    /// Armour of a private key.
    Key(keys::Armour),
    /// A name of a secret.
    Name(&'static named::Name),
}

/// A mark and its letters. But for prefixes of tokens capitals are as small letters.
struct Known {
    text: &'static [u8],
    is_exact: bool,
    mark: Mark,
}

impl Known {
    fn stands_at(&self, bytes: &[u8]) -> bool {
        bytes
            .get(..self.text.len())
            .is_some_and(|there| match self.is_exact {
                true => there == self.text,
                false => there.eq_ignore_ascii_case(self.text),
            })
    }
}

/// Bytes of a mark that the tables look at. A mark may be a byte shorter.
const LOOKED_AT: usize = 3;
/// One for each bit of a word.
const GROUPS: usize = 64;

/// Every mark, and the tables.
pub struct Marks {
    tables: [[u64; 256]; LOOKED_AT],
    groups: Vec<Vec<Known>>,
}

impl Marks {
    /// The one there is.
    pub fn get() -> &'static Self {
        static MARKS: OnceLock<Marks> = OnceLock::new();
        MARKS.get_or_init(Self::new)
    }

    fn new() -> Self {
        let known = |text: &'static str, is_exact, mark| Known {
            text: text.as_bytes(),
            is_exact,
            mark,
        };
        let begun = |format: &'static formats::Format| {
            let prefixes = format.prefixes.iter();
            prefixes.map(move |prefix| known(prefix, true, Mark::Format(format)))
        };
        let all = { formats::FORMATS.iter() }
            .flat_map(begun)
            .chain(
                shapes::SHAPES
                    .iter()
                    .map(|(text, shape)| known(text, false, Mark::Shape(*shape))),
            )
            .chain(
                keys::ARMOURS
                    .iter()
                    .map(|(text, armour)| known(text, false, Mark::Key(*armour))),
            )
            .chain(
                named::NAMES
                    .iter()
                    .map(|name| known(name.text, false, Mark::Name(name))),
            );
        let mut marks = Self {
            tables: [[0; 256]; LOOKED_AT],
            groups: (0..GROUPS).map(|_| Vec::new()).collect(),
        };
        let mut heads: Vec<Vec<u8>> = Vec::new();
        for known in all {
            let head = known.text[..known.text.len().min(LOOKED_AT)].to_ascii_lowercase();
            let place = heads.iter().position(|other| *other == head);
            let group = place.unwrap_or(heads.len()) % GROUPS;
            if place.is_none() {
                heads.push(head);
            }
            for (at, table) in marks.tables.iter_mut().enumerate() {
                let bit = 1 << group;
                match known.text.get(at) {
                    None => table.iter_mut().for_each(|of| *of |= bit),
                    Some(byte) if known.is_exact => table[usize::from(*byte)] |= bit,
                    Some(byte) => {
                        table[usize::from(byte.to_ascii_lowercase())] |= bit;
                        table[usize::from(byte.to_ascii_uppercase())] |= bit;
                    }
                }
            }
            marks.groups[group].push(known);
        }
        marks
    }

    /// Calls `found` for each place of a mark, in order, with the bytes it takes; of those at one place
    /// for the longest.
    pub fn each(&self, bytes: &[u8], mut found: impl FnMut(std::ops::Range<usize>, Mark)) {
        let mut from = 0;
        while let Some((at, mut groups)) = self.next(bytes, from) {
            from = at + 1;
            let mut longest: Option<&Known> = None;
            while groups != 0 {
                for known in &self.groups[groups.trailing_zeros() as usize] {
                    let longer = longest.is_none_or(|other| known.text.len() > other.text.len());
                    if longer && known.stands_at(&bytes[at..]) {
                        longest = Some(known);
                    }
                }
                groups &= groups - 1;
            }
            if let Some(known) = longest {
                found(at..at + known.text.len(), known.mark);
            }
        }
    }

    /// The first place from one on where a mark may stand, and the groups that it may be of. By itself, so that the
    /// few steps that each byte takes stay few: what is done about a mark is a hundred times as much code.
    #[inline(never)]
    fn next(&self, bytes: &[u8], from: usize) -> Option<(usize, u64)> {
        let [first, second, third] = &self.tables;
        let [a, b, rest @ ..] = bytes.get(from..)? else {
            return None;
        };
        // Groups that have the byte before, and those that have the two before.
        let mut begun = first[usize::from(*b)];
        let mut going_on = first[usize::from(*a)] & second[usize::from(*b)];
        for (at, byte) in rest.iter().enumerate() {
            let byte = usize::from(*byte);
            let groups = going_on & third[byte];
            if groups != 0 {
                return Some((from + at, groups));
            }
            going_on = begun & second[byte];
            begun = first[byte];
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every place of a mark, found by trying all of them everywhere.
    fn everywhere(bytes: &[u8]) -> Vec<(usize, usize)> {
        let marks = Marks::get();
        let longest = |at: usize| {
            let all = marks.groups.iter().flatten();
            let there = all.filter(|known| known.stands_at(&bytes[at..]));
            there.map(|known| known.text.len()).max()
        };
        // A mark of two bytes at the very end is none: nothing can follow it.
        let places = 0..bytes.len().saturating_sub(LOOKED_AT - 1);
        places.filter_map(|at| Some((at, longest(at)?))).collect()
    }

    fn found(bytes: &[u8]) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        Marks::get().each(bytes, |range, _| all.push((range.start, range.len())));
        all
    }

    #[test]
    fn a_mark_is_found_at_both_ends_and_right_behind_another() {
        for text in [
            "",
            "k",
            "pw",
            "pwd",
            "xpwd",
            "PWDx",
            "ghp_ghp_",
            "passwordpassword",
            "Q~a",
            "aQ~",
        ] {
            assert_eq!(
                found(text.as_bytes()),
                everywhere(text.as_bytes()),
                "{text}"
            );
        }
        assert_eq!(found(b"pwdpwd"), [(0, 3), (3, 3)]);
    }

    proptest! {
        #[test]
        fn every_mark_is_found(text in "((pass|word|pwd|api|_|-|key|sk-|gh|p_|to|ken|Q~|[a-zA-Z=:\" ]){0,4}){0,20}") {
            prop_assert_eq!(found(text.as_bytes()), everywhere(text.as_bytes()));
        }
    }
}
