//! The part of a file that a definition can be read in by itself, in two versions of it: between lines that are the
//! same in both. To parse a part of a long file takes far less time than to parse all of it.

use super::verbatim::Lines;
use crate::query::diff::lines::LineMap;
use std::ops::Range;

/// Lines around a definition that are looked at for one that is the same in both versions.
const MAX_AROUND: usize = 200;
/// A file of fewer bytes is read as a whole.
const MIN_BYTES: usize = 8 << 10;

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its bytes.
    pub bytes: Range<usize>,
    /// Lines before it.
    pub lines: u32,
}

/// The parts of two versions of a text that hold a definition of the new one and what became of it; `None` where they
/// would be most of it.
pub fn around(new: &[u8], span: &Range<u32>, old: &[u8]) -> Option<(Region, Region)> {
    if new.len() < MIN_BYTES {
        return None;
    }
    let lines = Lines::of(new, span).range;
    let starts = starts(new);
    let line_of = |at: usize| starts.partition_point(|start| *start <= at) - 1;
    let (first, last) = (line_of(lines.start), line_of(lines.end.min(new.len())));
    let is_blank = |line: usize| text(new, &starts, line).trim_ascii().is_empty();
    let map = LineMap::of(new, old);
    // Lines from 0, exclusive on both sides.
    let same = |line: usize| {
        let there = map.new_line(line as u32 + 1).filter(|_| !is_blank(line))?;
        Some((line, there as usize - 1))
    };
    let above = (0..first).rev().take(MAX_AROUND).find_map(same);
    let below = (last + 1..starts.len()).take(MAX_AROUND).find_map(same);
    if (above.is_none() && first > MAX_AROUND)
        || (below.is_none() && starts.len() - last > MAX_AROUND)
    {
        return None;
    }
    let old_starts = self::starts(old);
    let region = |text: &[u8], starts: &[usize], above: Option<usize>, below: Option<usize>| {
        let at = |line: usize| starts.get(line).copied().unwrap_or(text.len());
        let first = above.map_or(0, |line| line + 1);
        let end = below.map_or(text.len(), at);
        let start = at(first);
        (start < end).then_some(Region {
            bytes: start..end,
            lines: first as u32,
        })
    };
    let now = region(new, &starts, above.map(|at| at.0), below.map(|at| at.0))?;
    let then = region(old, &old_starts, above.map(|at| at.1), below.map(|at| at.1))?;
    (now.bytes.len() + then.bytes.len() < (new.len() + old.len()) / 2).then_some((now, then))
}

fn starts(text: &[u8]) -> Vec<usize> {
    let ends = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
    std::iter::once(0)
        .chain(ends.filter(|at| *at < text.len()))
        .collect()
}

fn text<'t>(text: &'t [u8], starts: &[usize], line: usize) -> &'t [u8] {
    let end = starts.get(line + 1).copied().unwrap_or(text.len());
    &text[starts[line]..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Functions of some lines, one of which says `said`.
    fn file(said: &str, gone: bool) -> String {
        let mut text = String::new();
        for n in 0..400 {
            let word = if n == 200 { said } else { "same" };
            if n != 201 || !gone {
                text.push_str(&format!(
                    "// about {n}\nint f{n}(void) {{\n    return {word};\n}}\n\n"
                ));
            }
        }
        text
    }

    #[test]
    fn a_part_lies_between_lines_that_are_the_same() {
        let (new, old) = (file("new", true), file("old", false));
        let at = new.find("int f200").unwrap() as u32;
        let end = at + new[at as usize..].find('}').unwrap() as u32 + 1;
        let (now, then) = around(new.as_bytes(), &(at..end), old.as_bytes()).unwrap();
        let now = &new[now.bytes.clone()];
        assert!(now.trim_start().starts_with("// about 200\nint f200") && now.ends_with("}\n\n"));
        let part = &old[then.bytes.clone()];
        assert!(part.contains("return old") && part.contains("int f201") && part.len() < 300);
        assert_eq!(
            old[..then.bytes.start].matches('\n').count(),
            then.lines as usize
        );
        assert_eq!(around(b"int f;\n", &(0..6), b"int f;\n"), None);
    }
}
