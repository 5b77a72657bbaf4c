//! What of a document was not understood, as lines.

use crate::limits::MAX_GAPS_PER_DOC;
use crate::record::{Gaps, Lines};
use crate::syntax::found::point;
use std::ops::Range;

/// The lines of bytes that lie in errors. `starts` is where each line begins.
pub(super) fn of(bytes: &[u8], starts: &[u32], errors: Vec<Range<usize>>) -> Gaps {
    let mut texts: Vec<Range<usize>> = errors.iter().map(|error| text(bytes, error)).collect();
    texts.retain(|text| !text.is_empty());
    texts.sort_by_key(|text| (text.start, text.end));
    let mut gaps = Gaps::default();
    let mut end = 0;
    for text in texts {
        // Of an error in another nothing is counted twice.
        let start = text.start.max(end);
        end = end.max(text.end);
        if start < text.end {
            gaps.bytes = gaps.bytes.saturating_add((text.end - start) as u32);
            let line = |byte| point(starts, byte).row as u32 + 1;
            gaps.lines.push(Lines {
                first: line(start),
                last: line(text.end - 1),
            });
        }
    }
    let mut distance = 1;
    loop {
        gaps.lines.dedup_by(|next, before| {
            let is_near = next.first <= before.last.saturating_add(distance);
            if is_near {
                before.last = before.last.max(next.last);
            }
            is_near
        });
        if gaps.lines.len() <= MAX_GAPS_PER_DOC {
            return gaps;
        }
        distance = distance.saturating_mul(2);
    }
}

/// A range without the space around it.
fn text(bytes: &[u8], range: &Range<usize>) -> Range<usize> {
    let text = bytes.get(range.clone()).unwrap_or(b"");
    let start = range.start + (text.len() - text.trim_ascii_start().len());
    start..start + text.trim_ascii().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::found::line_starts;

    fn lines(gaps: &Gaps) -> Vec<(u32, u32)> {
        let lines = gaps.lines.iter();
        lines.map(|lines| (lines.first, lines.last)).collect()
    }

    #[test]
    fn lines_next_to_each_other_are_one_gap_and_space_is_none() {
        let source = b"a\nbad\n bad\nc\n\n  d bad\n";
        let errors = vec![2..5, 7..10, 13..14, 18..21, 18..21];
        let gaps = of(source, &line_starts(source), errors);
        assert_eq!((lines(&gaps), gaps.bytes), (vec![(2, 3), (6, 6)], 9));
        assert!(gaps.contains(3) && !gaps.contains(4) && gaps.contains(6));
    }

    #[test]
    fn the_nearest_of_too_many_are_one() {
        let source = b"x\n".repeat(1000);
        let errors = (0..MAX_GAPS_PER_DOC + 1).map(|at| at * 8..at * 8 + 1);
        let errors: Vec<_> = errors.chain(std::iter::once(1900..1901)).collect();
        let gaps = of(&source, &line_starts(&source), errors);
        assert_eq!(lines(&gaps), [(1, 257), (951, 951)]);
    }
}
