//! Where words stand in a text, for who asks for many of them: the names of all definitions that nothing reaches.
//!
//! Guarantee: what is found is what [`Text::words`] finds. A text is searched for the first words that are asked for, and
//! gone through once for all that come after them, so that thousands of names of a file cost no more than it is long.

use super::text::{Text, adjoins};
use std::cell::{Cell, OnceCell};

/// Words for which a text is searched before all of its words are put in order.
const MAX_SEARCHES: u32 = 64;

/// The words of one text, once many were asked for.
#[derive(Default)]
pub struct WordPlaces {
    asked: Cell<u32>,
    /// Where words begin and end, in order of their bytes, and of places.
    sorted: OnceCell<Vec<(u32, u32)>>,
}

impl WordPlaces {
    /// Offsets at which a word stands whole, in order. It is always asked of the same text.
    pub fn of<'a>(&'a self, text: &'a Text, word: &'a [u8]) -> Box<dyn Iterator<Item = u32> + 'a> {
        let asked = self.asked.get().saturating_add(1);
        self.asked.set(asked);
        if asked <= MAX_SEARCHES || word.is_empty() || !word.iter().all(adjoins) {
            return Box::new(text.words(word));
        }
        let bytes = text.bytes();
        let sorted = self.sorted.get_or_init(|| sorted(bytes));
        let first = sorted.partition_point(|found| at(bytes, *found) < word);
        let found = sorted[first..].iter();
        let found = found.take_while(move |found| at(bytes, **found) == word);
        Box::new(found.map(|(begin, _)| *begin))
    }
}

fn at(bytes: &[u8], (begin, end): (u32, u32)) -> &[u8] {
    bytes.get(begin as usize..end as usize).unwrap_or_default()
}

fn sorted(bytes: &[u8]) -> Vec<(u32, u32)> {
    let mut all = Vec::new();
    let mut from = 0;
    for word in bytes.split(|b| !adjoins(b)) {
        let end = from + word.len();
        if let (false, Ok(begin), Ok(end)) =
            (word.is_empty(), u32::try_from(from), u32::try_from(end))
        {
            all.push((begin, end));
        }
        from = end + 1;
    }
    all.sort_unstable_by(|one, other| (at(bytes, *one), one).cmp(&(at(bytes, *other), other)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_stand_where_a_search_finds_them() {
        let text = Text::new("get getter _get x.get() geté get é -get- aa a aa".into());
        let places = WordPlaces::default();
        let words = [
            "get", "getter", "_get", "geté", "é", "x", "aa", "a", "no", ".get", "", "t",
        ];
        for round in 0..20 {
            for word in words {
                let found: Vec<u32> = places.of(&text, word.as_bytes()).collect();
                let searched: Vec<u32> = text.words(word.as_bytes()).collect();
                assert_eq!(found, searched, "{word} {round}");
            }
        }
        assert!(places.sorted.get().is_some());
    }
}
