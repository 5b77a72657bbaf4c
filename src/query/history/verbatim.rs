//! Whether a definition stands in another version of its file as it is, without reading that as code: most versions
//! of a file leave most of its definitions alone, and to parse a file takes far longer than to find some lines.

use crate::view::text::Text;
use rustc_hash::FxHashSet;
use std::ops::Range;
use xxhash_rust::xxh3::Xxh3Default;

/// Lines above a definition that count with it: decorators, attributes, what explains it.
const MAX_ABOVE: usize = 60;

/// The lines of a definition with all that stands right above it, and the line that they are indented below.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Bytes of the lines, without the last line ending.
    pub range: Range<usize>,
    /// The last line before them that is indented less; empty where none is.
    outer: Range<usize>,
    /// White space before the first line of the definition itself, in bytes.
    indent: usize,
}

impl Lines {
    /// The lines around some bytes of a text, and those above them up to one that is empty.
    pub fn of(text: &[u8], span: &Range<u32>) -> Self {
        let end = (span.end as usize).min(text.len());
        let first = line_start(text, (span.start as usize).min(end));
        let end = memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |at| end + at);
        let mut start = first;
        for _ in 0..MAX_ABOVE {
            let Some(above) = start.checked_sub(1).map(|at| line_start(text, at)) else {
                break;
            };
            if text[above..start].trim_ascii().is_empty() {
                break;
            }
            start = above;
        }
        let indent = indent(&text[first..]);
        Self {
            range: start..end,
            outer: outer(text, start, indent),
            indent,
        }
    }

    /// Where the same lines stand in another text, below the same line; `None` when they do not, or more than once.
    pub fn find(&self, text: &[u8], other: &[u8]) -> Option<usize> {
        let lines = &text[self.range.clone()];
        if lines.trim_ascii().is_empty() {
            return None;
        }
        let is_whole = |at: &usize| {
            let end = at + lines.len();
            (*at == 0 || other[at - 1] == b'\n') && (end == other.len() || other[end] == b'\n')
        };
        let mut places = memchr::memmem::find_iter(other, lines).filter(is_whole);
        let at = places.next().filter(|_| places.next().is_none())?;
        let there = outer(other, at, self.indent);
        // Where nothing but indentation ends a definition, it may go on.
        let next = next_line(other, at + lines.len());
        let ends = indent(next) <= self.indent || next == next_line(text, self.range.end);
        (text[self.outer.clone()] == other[there] && ends).then_some(at)
    }
}

/// Where a byte of a line stands in another text that has the same line, before some place; `None` where it has none
/// there, or several.
pub fn in_same_line(text: &[u8], at: u32, other: &[u8], before: usize) -> Option<u32> {
    let at = at as usize;
    let start = line_start(text, at.min(text.len()));
    let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end + 1);
    let other = &other[..before.min(other.len())];
    let mut places = memchr::memmem::find_iter(other, &text[start..end])
        .filter(|place| *place == 0 || other[place - 1] == b'\n');
    let place = places.next().filter(|_| places.next().is_none())?;
    u32::try_from(place + (at - start)).ok()
}

/// Versions of a file in which a definition of some name is looked for.
pub struct Naming {
    name: Vec<u8>,
    /// The most columns that a line is indented by which may begin it.
    deepest: usize,
    seen: FxHashSet<u64>,
}

impl Naming {
    /// Of a definition that is called so in some text: where it is indented, so may be another, be it with other white
    /// space.
    pub fn of(name: &[u8], (text, span): (&[u8], &Range<u32>)) -> Self {
        let own = &text[..(span.end as usize).min(text.len())];
        let own = Text::new(own.to_vec());
        let named = own.words(name).find(|at| span.contains(at));
        let start = line_start(own.bytes(), named.unwrap_or(span.start) as usize);
        Self {
            name: name.to_vec(),
            deepest: columns(&own.bytes()[start..]) * 2,
            seen: FxHashSet::default(),
        }
    }

    /// Whether a version may have one that the versions asked about before had not: it has the name in a line that
    /// may begin a definition, and not in the same lines as one of these.
    pub fn may_have(&mut self, text: &Text) -> bool {
        let mut hasher = Xxh3Default::new();
        let mut last = None;
        for at in text.words(&self.name) {
            let start = line_start(text.bytes(), at as usize);
            let rest = &text.bytes()[start..];
            if last != Some(start) && columns(rest) <= self.deepest {
                let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                hasher.update(&rest[..end]);
                hasher.update(b"\n");
                last = Some(start);
            }
        }
        last.is_some() && self.seen.insert(hasher.digest())
    }
}

/// White space at the beginning of a line, in columns.
fn columns(line: &[u8]) -> usize {
    let white = &line[..indent(line)];
    let width = |byte: &u8| if *byte == b'\t' { 8 } else { 1 };
    white.iter().map(width).sum()
}

fn line_start(text: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1)
}

/// The first line behind a place at the end of a line that is not empty.
fn next_line(text: &[u8], end: usize) -> &[u8] {
    let lines = text[end..].split(|byte| *byte == b'\n').skip(1);
    let mut full = lines.filter(|line| !line.trim_ascii().is_empty());
    full.next().unwrap_or_default()
}

/// White space at the beginning of a line, in bytes.
pub fn indent(line: &[u8]) -> usize {
    line.iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// The last line before a place that is indented less than so much.
fn outer(text: &[u8], before: usize, than: usize) -> Range<usize> {
    let mut end = before;
    while than > 0 && end > 0 {
        let start = line_start(text, end - 1);
        let line = &text[start..end];
        if !line.trim_ascii().is_empty() && indent(line) < than {
            return start..end;
        }
        end = start;
    }
    0..0
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "class A:\n    x = 1\n\n    @deco\n    def f(self):\n        return 1\n\nclass B:\n    def g(self):\n        return 2\n";

    fn lines(text: &str, word: &str) -> Lines {
        let at = text.find(word).unwrap() as u32;
        let end = at
            + text[at as usize..]
                .find("\n\n")
                .unwrap_or(text.len() - at as usize - 1) as u32;
        Lines::of(text.as_bytes(), &(at..end))
    }

    fn found(text: &str, word: &str, other: &str) -> Option<usize> {
        lines(text, word).find(text.as_bytes(), other.as_bytes())
    }

    #[test]
    fn what_stands_above_belongs_to_it() {
        let lines = lines(TEXT, "def f");
        assert_eq!(
            &TEXT[lines.range.clone()],
            "    @deco\n    def f(self):\n        return 1"
        );
        assert_eq!(&TEXT[lines.outer.clone()], "class A:\n");
    }

    #[test]
    fn the_same_lines_are_found_wherever_they_stand() {
        let other = format!("import os\n{TEXT}");
        assert!(found(TEXT, "def f", &other).is_some());
        assert!(found(TEXT, "def f", TEXT).is_some());
        for changed in [
            TEXT.replace("@deco", "@other"),
            TEXT.replace("return 1", "return 3"),
            TEXT.replace("class A", "class C"),
            TEXT.replace("return 1", "return 10"),
            format!("{TEXT}\n{}", &TEXT[..TEXT.find("\n\nclass").unwrap()]),
        ] {
            assert_eq!(found(TEXT, "def f", &changed), None, "{changed}");
        }
    }

    #[test]
    fn what_goes_on_is_not_the_same() {
        let longer = TEXT.replace("return 1\n", "return 1\n        return 3\n");
        assert_eq!(found(TEXT, "def f", &longer), None);
        let spaced = TEXT.replace("return 1\n\n", "return 1\n\n\n");
        assert!(found(TEXT, "def f", &spaced).is_some());
        assert!(found(TEXT, "def g", &format!("{TEXT}\nx = 1\n")).is_some());
    }

    #[test]
    fn a_line_is_found_where_it_stands_once() {
        let at = TEXT.find("A:").unwrap() as u32;
        let other = format!("import os\n\n{TEXT}");
        let find =
            |other: &str, before| in_same_line(TEXT.as_bytes(), at, other.as_bytes(), before);
        let there = find(&other, other.len()).unwrap();
        assert!(other[there as usize..].starts_with("A:\n"));
        assert_eq!(find(&other, 10), None);
        assert_eq!(find(&other.replace("class A", "class C"), 1000), None);
        assert_eq!(find(&TEXT.repeat(2), 1000), None);
        assert_eq!(find(&TEXT.replace("class A", "xclass A"), 1000), None);
    }

    #[test]
    fn what_may_begin_a_definition_is_no_deeper_than_it() {
        let own = "int one;\n\nvoid call(void) {\n  two();\n}\n";
        let mut naming = Naming::of(b"call", (own.as_bytes(), &(10..own.len() as u32)));
        let mut may = |text: &str| naming.may_have(&Text::new(text.as_bytes().to_vec()));
        assert!(!may("void f(void) {\n  call();\n}\n// recall\n"));
        assert!(may("void f(void) {\n  call();\n}\n// call\n"));
        assert!(!may("// call\nvoid f(void) {}\n"));
        assert!(may("void call(int);\n"));
        // A member may be indented by other means.
        let own = "class A {\n    call() {}\n}\n";
        let mut naming = Naming::of(b"call", (own.as_bytes(), &(14..23)));
        let mut may = |text: &str| naming.may_have(&Text::new(text.as_bytes().to_vec()));
        assert!(!may("class A {\n\tdo() {\n\t\t\tx.call();\n"));
        assert!(may("class A {\n\tcall() {\n\t\t\tx.call();\n"));
    }

    #[test]
    fn what_went_to_another_class_is_not_where_it_was() {
        let before = "class A:\n\n    def f(self):\n        return 1\n\nclass B:\n    x = 1\n";
        let after = "class A:\n    y = 1\n\nclass B:\n\n    def f(self):\n        return 1\n";
        assert_eq!(found(after, "def f", before), None);
    }
}
