//! A text by its lines, and what became of some of them in another version of it.

use crate::extract::record::Lines;
use crate::query::diff::lines::LineMap;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// Least share of words that lines and what stands in their place have in common, to be the same lines, edited.
const MIN_LIKE: f64 = 0.5;
/// Letters and digits that a line has at least which tells it from any other: more than `});`, `end` or `0,`.
const MIN_LETTERS: usize = 4;

/// A text and where its lines begin.
pub struct Text {
    bytes: Arc<Vec<u8>>,
    /// Where each line begins, and the end of the last one.
    starts: Vec<usize>,
}

impl Text {
    /// Divides a text. The end of the last line begins no other one.
    pub fn new(bytes: Arc<Vec<u8>>) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', &bytes).map(|at| at + 1));
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        Self { bytes, starts }
    }

    /// All of it.
    pub fn bytes(&self) -> &Arc<Vec<u8>> {
        &self.bytes
    }

    /// Number of lines.
    pub fn len(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// Lines with what stands between them, without the end of the last; those that are not there are left out.
    pub fn cut(&self, lines: Lines) -> &[u8] {
        let at = |line: u32| self.starts[line.min(self.len()) as usize];
        let cut = &self.bytes[at(lines.first.saturating_sub(1))..at(lines.last)];
        cut.strip_suffix(b"\n").unwrap_or(cut)
    }

    /// A line (from 1) without white space around it; empty past the end.
    pub fn line(&self, line: u32) -> &[u8] {
        let of = Lines {
            first: line,
            last: line,
        };
        self.cut(of).trim_ascii()
    }

    /// The lines that tell this place from others; where none does, all of them.
    pub fn telling(&self, lines: Lines) -> Vec<u32> {
        let all = lines.first..=lines.last;
        let telling: Vec<u32> = all.clone().filter(|n| is_telling(self.line(*n))).collect();
        match telling.is_empty() {
            true => all.collect(),
            false => telling,
        }
    }

    /// The only place where other lines stand as they are; `None` where there is none, or several.
    pub fn only(&self, wanted: &[u8]) -> Option<Lines> {
        let is_whole = |at: &usize| {
            let end = at + wanted.len();
            (*at == 0 || self.bytes[at - 1] == b'\n')
                && (end == self.bytes.len() || self.bytes[end] == b'\n')
        };
        let mut places = memchr::memmem::find_iter(&self.bytes, wanted).filter(is_whole);
        let at = places.next().filter(|_| places.next().is_none())?;
        let first = self.starts.partition_point(|start| *start <= at) as u32;
        let more = memchr::memchr_iter(b'\n', wanted).count() as u32;
        Some(Lines {
            first,
            last: first + more,
        })
    }

    fn words(&self, lines: Lines) -> FxHashSet<&[u8]> {
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii();
        let words = self.cut(lines).split(move |b| !is_word(b));
        words.filter(|word| !word.is_empty()).collect()
    }

    /// Whether lines are so much like some of another text that they are those, edited: as many words in common.
    pub fn is_like(&self, lines: Lines, other: &Text, others: Lines) -> bool {
        let (was, is) = (self.words(lines), other.words(others));
        let both = was.intersection(&is).count();
        both > 0 && 2.0 * both as f64 >= MIN_LIKE * (was.len() + is.len()) as f64
    }
}

/// Whether a line has more in it than brackets and the like.
pub fn is_telling(line: &[u8]) -> bool {
    let letters = line
        .iter()
        .filter(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
    letters.take(MIN_LETTERS).count() == MIN_LETTERS
}

/// What became of lines within their file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traced {
    /// Where they are, when all of them stayed together.
    pub whole: Option<Lines>,
    /// The lines that stand in their place; `None` when nothing does.
    pub region: Option<Lines>,
    /// Whether one of those that tell them from others stayed.
    pub is_there: bool,
}

impl Traced {
    /// Follows lines of a text to another one.
    pub fn of(map: &LineMap, old: &Text, lines: Lines) -> Self {
        let first = map.new_line(lines.first);
        let whole = first.map(|first| Lines {
            first,
            last: first + (lines.last - lines.first),
        });
        let stayed = |whole: &Lines| {
            let mut both = (lines.first..=lines.last).zip(whole.first..=whole.last);
            both.all(|(old, new)| map.new_line(old) == Some(new))
        };
        let mut telling = old.telling(lines).into_iter();
        Self {
            whole: whole.filter(stayed),
            region: lines_of(map.region(lines.first, lines.last)),
            is_there: telling.any(|line| map.new_line(line).is_some()),
        }
    }
}

fn lines_of(range: Range<u32>) -> Option<Lines> {
    (!range.is_empty()).then(|| Lines {
        first: range.start,
        last: range.end - 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(of: &str) -> Text {
        Text::new(Arc::new(of.as_bytes().to_vec()))
    }

    fn lines(first: u32, last: u32) -> Lines {
        Lines { first, last }
    }

    fn traced(old: &str, new: &str, first: u32, last: u32) -> Traced {
        let map = LineMap::of(old.as_bytes(), new.as_bytes());
        Traced::of(&map, &text(old), lines(first, last))
    }

    #[test]
    fn lines_are_followed() {
        let old = "alpha\nbeta\ngamma\ndelta\n";
        assert_eq!(traced(old, old, 2, 3).whole, Some(lines(2, 3)));
        let below = traced(old, "new\nalpha\nbeta\ngamma\ndelta\n", 2, 3);
        assert_eq!(below.whole, Some(lines(3, 4)));
        let parted = traced(old, "alpha\nbeta\nnew\ngamma\ndelta\n", 2, 3);
        assert_eq!(
            (parted.whole, parted.is_there, parted.region),
            (None, true, Some(lines(2, 4)))
        );
        let edited = traced(old, "alpha\nbeta!\ngamma\ndelta\n", 2, 2);
        assert_eq!(
            (edited.whole, edited.is_there, edited.region),
            (None, false, Some(lines(2, 2)))
        );
        let gone = traced(old, "alpha\ndelta\n", 2, 3);
        assert_eq!((gone.is_there, gone.region), (false, None));
    }

    #[test]
    fn brackets_tell_only_where_nothing_else_does() {
        let old = "alpha {\n}\n\nbeta {\n}\n";
        assert!(!traced(old, "gamma {\n}\n", 1, 2).is_there);
        assert!(traced("alpha {\n}\n", "alpha {\n  x\n}\n", 2, 2).is_there);
        assert!(is_telling(b"let x;") && !is_telling(b"});") && !is_telling(b""));
    }

    #[test]
    fn a_text_has_as_many_lines_as_an_editor_shows() {
        for (of, count) in [("", 0), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\nb", 2)] {
            assert_eq!(text(of).len(), count, "{of:?}");
        }
        let text = text("  a\r\nb\n\nc");
        assert_eq!(text.line(1), b"a");
        assert_eq!(text.cut(lines(1, 2)), b"  a\r\nb");
        assert_eq!(text.cut(lines(3, 4)), b"\nc");
        assert_eq!(text.cut(lines(4, 9)), b"c");
        assert_eq!(text.cut(lines(7, 9)), b"");
    }

    #[test]
    fn lines_that_stand_once_are_found() {
        let text = text("one\ntwo\nthree\ntwo\nfour");
        assert_eq!(text.only(b"two\nfour"), Some(lines(4, 5)));
        assert_eq!(text.only(b"one"), Some(lines(1, 1)));
        assert_eq!(text.only(b"two"), None, "twice");
        assert_eq!(text.only(b"hree"), None, "part of a line");
        assert_eq!(text.only(b"three\ntwo\nf"), None);
    }

    #[test]
    fn edited_lines_are_told_from_others() {
        let old = text("return price * rate\n");
        let new = text("return price * (rate + 1)\nlog(done)\n");
        assert!(old.is_like(lines(1, 1), &new, lines(1, 1)));
        assert!(!old.is_like(lines(1, 1), &new, lines(2, 2)));
        assert!(!old.is_like(lines(1, 1), &new, lines(3, 3)));
    }
}
