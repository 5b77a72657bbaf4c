//! The part of a file that a definition can be read in by itself, in two versions of it: between lines that are the
//! same in both, below the first lines of what it lies in. To parse a part of a long file takes far less time than to
//! parse all of it.

use super::changed::Changed;
use super::step::{Held, Step, Stepper};
use super::verbatim::{Lines, indent};
use crate::id::BlobId;
use crate::query::Error;
use crate::query::diff::lines::LineMap;
use crate::query::engine::few::Content;
use crate::view::text::Texts;
use std::ops::Range;
use std::sync::Arc;

/// Lines around a definition that are looked at for one that is the same in both versions.
const MAX_AROUND: usize = 200;
/// Lines that the head of a class may have.
const MAX_HEAD: usize = 20;
/// A file of fewer bytes is read as a whole.
const MIN_BYTES: usize = 2 << 10;

/// A part of a text, made to be read by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The heads of what it lies in, the part, and what closes them.
    pub text: Vec<u8>,
    /// Bytes of the heads.
    head: usize,
    /// Where the part lies in the whole text.
    range: Range<usize>,
    /// Lines of the whole text before the part that are not in the heads.
    pub lines: u32,
    /// White space before the line that follows in the whole text, in bytes; 0 at its end.
    pub next_indent: usize,
    /// Where the definitions begin that it lies in, in the whole text, outermost first.
    pub outer: Vec<u32>,
}

impl Part {
    /// The same bytes in the part.
    pub fn enter(&self, span: &Range<u32>) -> Option<Range<u32>> {
        let inside = |at: u32| (at as usize).checked_sub(self.range.start);
        let (start, end) = (inside(span.start)?, inside(span.end)?);
        let at = |byte: usize| (byte + self.head) as u32;
        (end <= self.range.len()).then(|| at(start)..at(end))
    }

    /// Whether what begins at a byte of the part ends in it where indentation says so: what follows is indented no
    /// more.
    pub fn holds_block_at(&self, start: u32) -> bool {
        let start = (start as usize).min(self.text.len());
        let line = memchr::memrchr(b'\n', &self.text[..start]).map_or(0, |end| end + 1);
        self.next_indent <= indent(&self.text[line..])
    }

    /// The same bytes in the whole text.
    pub fn leave(&self, span: &Range<u32>) -> Option<Range<u32>> {
        let inside = |at: u32| (at as usize).checked_sub(self.head);
        let (start, end) = (inside(span.start)?, inside(span.end)?);
        let at = |byte: usize| (byte + self.range.start) as u32;
        (end <= self.range.len()).then(|| at(start)..at(end))
    }
}

impl Stepper<'_> {
    /// As [`Stepper::in_file`], reading no more of the file than lies around the definition; `None` where that does
    /// not tell.
    pub(super) fn in_region(
        &self,
        texts: &mut Texts,
        held: &Held,
        (blob, old): (BlobId, &[u8]),
    ) -> Result<Option<Step>, Error> {
        let outer = held.outer.as_ref();
        let parts = outer.and_then(|outer| around(&held.bytes, &held.span, outer, old));
        let Some((now, then)) = parts else {
            return Ok(None);
        };
        let hash = held.blob.as_object().kind();
        let content = |part: &Part| {
            let id = gix::objs::compute_hash(hash, gix::objs::Kind::Blob, &part.text);
            id.ok().map(|id| Content {
                path: held.path.clone(),
                blob: BlobId::new(id),
                bytes: part.text.clone(),
            })
        };
        let (Some(new_part), Some(old_part), Some(span)) =
            (content(&now), content(&then), now.enter(&held.span))
        else {
            return Ok(None);
        };
        let there = Held {
            blob: new_part.blob,
            bytes: new_part.bytes.clone().into(),
            span,
            ..held.clone()
        };
        let changed = Changed {
            old: vec![old_part],
            new: vec![new_part],
        };
        let compared = self.compared(texts, &there, changed, true)?;
        let Some(Step::Kept(mut origin)) =
            compared.filter(|step| matches!(step, Step::Kept(origin) if origin.is_certain))
        else {
            return Ok(None);
        };
        // Where nothing but indentation ends a definition, what is cut off would not be missed.
        if !then.holds_block_at(origin.held.span.start) {
            return Ok(None);
        }
        let Some(span) = then.leave(&origin.held.span) else {
            return Ok(None);
        };
        let outer = origin
            .held
            .outer
            .filter(|outer| outer.len() == then.outer.len());
        origin.held = Held {
            blob,
            bytes: Arc::new(old.to_vec()),
            span,
            outer: outer.map(|_| then.outer),
            ..origin.held
        };
        if let Some(version) = &mut origin.version {
            version.place.shift(now.lines);
            if let Some(was) = &mut version.was {
                was.shift(then.lines);
            }
        }
        Ok(Some(Step::Kept(origin)))
    }
}

/// The first lines of what a definition lies in.
#[derive(Default)]
struct Heads {
    /// Their lines, from 0.
    lines: Vec<usize>,
    /// What closes the brackets that they open.
    closing: Vec<u8>,
}

/// The parts of two versions of a text that hold a definition of the new one and what became of it; `None` where they
/// would be most of it, or cannot be told. `outer` is where the definitions begin that it lies in, outermost first.
pub fn around(new: &[u8], span: &Range<u32>, outer: &[u32], old: &[u8]) -> Option<(Part, Part)> {
    if new.len() < MIN_BYTES {
        return None;
    }
    let lines = Lines::of(new, span).range;
    let (starts, old_starts) = (starts(new), self::starts(old));
    let (first, last) = (
        line_of(&starts, lines.start),
        line_of(&starts, lines.end.min(new.len())),
    );
    let map = LineMap::of(new, old);
    // Lines from 0, exclusive on both sides.
    let there = |line: usize| Some(map.new_line(line as u32 + 1)? as usize - 1);
    let same = |line: usize| {
        let is_blank = text(new, &starts, line).trim_ascii().is_empty();
        let there = there(line).filter(|_| !is_blank)?;
        Some((line, there))
    };
    let heads = heads(new, &starts, outer, first)?;
    let old_heads: Option<Vec<usize>> = heads.lines.iter().map(|line| there(*line)).collect();
    let old_heads = old_heads?;
    let above = (0..first).rev().take(MAX_AROUND).find_map(same);
    let below = (last + 1..starts.len()).take(MAX_AROUND).find_map(same);
    let is_far = first > MAX_AROUND || !heads.lines.is_empty();
    if (above.is_none() && is_far) || (below.is_none() && starts.len() - last > MAX_AROUND) {
        return None;
    }
    let part = |text: &[u8], starts: &[usize], heads: &[usize], ends: [Option<usize>; 2]| {
        let at = |line: usize| starts.get(line).copied().unwrap_or(text.len());
        let first = ends[0].map_or(0, |line| line + 1);
        let end = ends[1].map_or(text.len(), at);
        let start = at(first);
        if start >= end {
            return None;
        }
        let mut own = Vec::new();
        for line in heads {
            own.extend_from_slice(self::text(text, starts, *line));
        }
        Some((own, first, start..end))
    };
    let finish = |text: &[u8], (mut own, first, range): (Vec<u8>, usize, Range<usize>), outer| {
        let head = own.len();
        own.extend_from_slice(&text[range.clone()]);
        own.extend_from_slice(&heads.closing);
        let lines = first.checked_sub(heads.lines.len())? as u32;
        let next_indent = indent(&text[range.end..]);
        Some(Part {
            next_indent,
            text: own,
            head,
            range,
            lines,
            outer,
        })
    };
    let ends = [above.map(|at| at.0), below.map(|at| at.0)];
    let now = part(new, &starts, &heads.lines, ends)?;
    let ends = [above.map(|at| at.1), below.map(|at| at.1)];
    let then = part(old, &old_starts, &old_heads, ends)?;
    if now.2.len() + then.2.len() >= (new.len() + old.len()) / 2 {
        return None;
    }
    // A line of a head is the same in both, so its definition begins as far into it.
    let moved = outer.iter().map(|at| {
        let line = line_of(&starts, *at as usize);
        let into = *at as usize - starts[line];
        Some((old_starts.get(there(line)?)? + into) as u32)
    });
    let moved: Option<Vec<u32>> = moved.collect();
    Some((
        finish(new, now, outer.to_vec())?,
        finish(old, then, moved?)?,
    ))
}

/// The heads of what a definition lies in whose lines begin with `first`: each from the line that it begins in to the
/// one that ends with what opens its body.
fn heads(text: &[u8], starts: &[usize], outer: &[u32], first: usize) -> Option<Heads> {
    let mut heads = Heads::default();
    let mut open = Vec::new();
    for at in outer {
        let begin = line_of(starts, *at as usize);
        let lines = (begin..first).take(MAX_HEAD);
        let opens = |line: &usize| {
            let line = self::text(text, starts, *line).trim_ascii_end();
            matches!(line.last(), Some(b':' | b'{'))
        };
        let end = lines.clone().find(opens)?;
        if heads.lines.last().is_some_and(|last| *last >= begin) {
            return None;
        }
        for line in begin..=end {
            for byte in self::text(text, starts, line) {
                match byte {
                    b'(' => open.push(b')'),
                    b'[' => open.push(b']'),
                    b'{' => open.push(b'}'),
                    b')' | b']' | b'}' if open.pop() != Some(*byte) => return None,
                    _ => {}
                }
            }
        }
        heads.lines.extend(begin..=end);
    }
    heads.closing = open.iter().rev().copied().collect();
    if !open.is_empty() {
        heads.closing.extend_from_slice(b";\n");
    }
    Some(heads)
}

fn line_of(starts: &[usize], at: usize) -> usize {
    starts.partition_point(|start| *start <= at) - 1
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
        let (now, then) = around(new.as_bytes(), &(at..end), &[], old.as_bytes()).unwrap();
        let text = std::str::from_utf8(&now.text).unwrap();
        assert!(text.trim_start().starts_with("// about 200\nint f200") && text.ends_with("}\n\n"));
        let inside = now.enter(&(at..end)).unwrap();
        assert!(text[inside.start as usize..].starts_with("int f200"));
        assert_eq!(now.leave(&inside), Some(at..end));
        let part = std::str::from_utf8(&then.text).unwrap();
        assert!(part.contains("return old") && part.contains("int f201") && part.len() < 300);
        assert_eq!(
            old[..then.range.start].matches('\n').count(),
            then.lines as usize
        );
        assert_eq!(around(b"int f;\n", &(0..6), &[], b"int f;\n"), None);
    }

    /// Members of a class of some lines, one of which says `said`.
    fn class(said: &str, before: &str) -> String {
        let mut text = format!("{before}class A\n    : public B {{\n");
        for n in 0..400 {
            let word = if n == 200 { said } else { "same" };
            text.push_str(&format!(
                "  int f{n}() {{\n    return {word};\n  }}\n  // after {n}\n\n"
            ));
        }
        text + "};\n"
    }

    #[test]
    fn what_a_part_lies_in_stands_before_it() {
        let (new, old) = (class("new", "int x;\n"), class("old", "int y;\nint z;\n"));
        let at = new.find("int f200").unwrap() as u32;
        let end = at + new[at as usize..].find('}').unwrap() as u32 + 1;
        let outer = new.find("class").unwrap() as u32;
        let (now, then) = around(new.as_bytes(), &(at..end), &[outer], old.as_bytes()).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&now.text),
            "class A\n    : public B {\n\n  int f200() {\n    return new;\n  }\n};\n"
        );
        assert_eq!(then.outer, [old.find("class").unwrap() as u32]);
        let was = old.find("int f200").unwrap() as u32;
        let inside = then.enter(&(was..was + 8)).unwrap();
        assert_eq!(
            &then.text[inside.start as usize..inside.end as usize],
            b"int f200"
        );
        let lines = |text: &str, at: u32| text[..at as usize].matches('\n').count() as u32;
        let in_part = String::from_utf8_lossy(&then.text).into_owned();
        assert_eq!(lines(&in_part, inside.start) + then.lines, lines(&old, was));
        // Heads that cannot be told, or are not the same.
        let comment = new.replace("B {", "B { // so");
        let span = at + 6..end + 6;
        assert_eq!(
            around(comment.as_bytes(), &span, &[outer], old.as_bytes()),
            None
        );
        let other = old.replace("public B", "public C");
        assert_eq!(
            around(new.as_bytes(), &(at..end), &[outer], other.as_bytes()),
            None
        );
    }
}
