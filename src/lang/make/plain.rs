//! Makefiles with what the grammar takes for more than it is written plainly, byte for byte as long.
//!
//! A parenthesis in a value (`LICENSE = MIT (docs)`) is the member of an archive to it, a colon in a condition a
//! rule, and a name that is computed no name; each of them costs all that follows. So may signs of a shell in
//! `$(shell ...)`, and a text of `define` in another language. Where a file has errors it is parsed again without
//! them. Names that are blanked out are recorded as what they are, names that are read. Deliberately absent: recipes,
//! which the grammar reads as they are.

use crate::syntax::blanked::Blanked;
use std::ops::Range;

/// What may stand before the name in an assignment.
const BEFORE: &[&[u8]] = byte_words!("export override private");
/// How long a reference may be that is seen through.
const MAX_REFERENCE: usize = 512;
/// Signs of a shell that mean something else to the grammar.
const SHELL: &[u8] = b"()'\"\\;:{}#|&<>@*`";
/// Names that make itself sets for each rule, by their first byte.
const AUTOMATIC: &[u8] = b"@<^?*+%|";

/// Writes a file plainly; `None` where there is nothing to do.
pub(super) fn blank(src: &[u8]) -> Option<Blanked> {
    let mut plain = Plain {
        bytes: src.to_vec(),
        words: Vec::new(),
    };
    plain.close_references(src);
    let closed = plain.bytes.clone();
    plain.lines(&closed);
    (plain.bytes != src).then_some(Blanked {
        bytes: plain.bytes,
        words: plain.words,
    })
}

struct Plain {
    bytes: Vec<u8>,
    words: Vec<Range<usize>>,
}

impl Plain {
    /// Blanks out references that are not closed on their line, so that one does not hide all that comes below,
    /// and the conditions of Automake.
    fn close_references(&mut self, src: &[u8]) {
        // Whether each condition that is open is one of Automake's.
        let mut conditions: Vec<bool> = Vec::new();
        // Starts of the references that are open on the line, which may be continued.
        let mut open: Vec<usize> = Vec::new();
        let mut start = 0;
        for line in src.split_inclusive(|b| *b == b'\n') {
            let text = line.trim_ascii_end();
            let mut words = text.split(u8::is_ascii_whitespace);
            let own = match words.next() {
                Some(b"if") => {
                    conditions.push(true);
                    true
                }
                Some(b"ifeq" | b"ifneq" | b"ifdef" | b"ifndef") => {
                    conditions.push(false);
                    false
                }
                Some(b"else") => conditions.last() == Some(&true),
                Some(b"endif") => conditions.pop() == Some(true),
                _ => false,
            };
            if own {
                self.bytes[start..start + text.len()].fill(b' ');
            }
            for (at, byte) in text.iter().enumerate() {
                match byte {
                    b'(' | b'{' if at > 0 && text[at - 1] == b'$' => open.push(start + at - 1),
                    b')' | b'}' => drop(open.pop()),
                    _ => {}
                }
            }
            let end = start + text.len();
            if !text.ends_with(b"\\") {
                if let Some(first) = open.first() {
                    let rest = self.bytes[*first..end].iter_mut();
                    rest.filter(|b| **b != b'\n').for_each(|b| *b = b' ');
                }
                open.clear();
            }
            start += line.len();
        }
    }

    /// Writes conditions and assignments plainly.
    fn lines(&mut self, src: &[u8]) {
        let (mut in_define, mut in_value, mut start) = (false, false, 0);
        for line in src.split_inclusive(|b| *b == b'\n') {
            let text = line.trim_ascii_end();
            let head = text.trim_ascii_start();
            let from = match in_value {
                _ if in_define => None,
                true => Some(0),
                false if line.starts_with(b"\t") => None,
                false => {
                    self.condition(text, start);
                    assigned(text).map(|(name, value)| {
                        self.name(&text[name.clone()], start + name.start);
                        value
                    })
                }
            };
            if let Some(from) = from {
                self.value(&text[from..], start + from);
            }
            if in_define && !head.starts_with(b"endef") {
                self.text(text, start);
            }
            in_define = match in_define {
                true => !head.starts_with(b"endef"),
                false => head.starts_with(b"define ") || head.starts_with(b"override define "),
            };
            in_value = from.is_some() && text.ends_with(b"\\");
            start += line.len();
        }
    }

    /// Signs outside of references in `ifeq (a:$(b),y)`.
    fn condition(&mut self, text: &[u8], start: usize) {
        let head = text.trim_ascii_start();
        let head = head
            .strip_prefix(b"else ")
            .unwrap_or(head)
            .trim_ascii_start();
        let Some(rest) = ["ifeq", "ifneq"]
            .iter()
            .find_map(|word| head.strip_prefix(word.as_bytes()))
        else {
            return;
        };
        let rest = rest.trim_ascii_start();
        let Some(close) = memchr::memrchr(b')', rest).filter(|_| rest.starts_with(b"(")) else {
            return;
        };
        let from = start + text.len() - rest.len() + 1;
        let inner = &rest[1..close];
        for at in outside(inner) {
            if b":\"'()".contains(&inner[at]) {
                self.bytes[from + at] = b'_';
            }
        }
    }

    /// References in a name become a part of a word.
    fn name(&mut self, name: &[u8], start: usize) {
        let mut at = 0;
        while let Some(len) = reference(&name[at..]).or((at < name.len()).then_some(0)) {
            if len > 0 {
                self.bytes[start + at..start + at + len].fill(b'_');
                let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
                let inner = &name[at + 2..at + len - 1];
                if inner.iter().all(is_part) && inner.first().is_some_and(|b| !b.is_ascii_digit()) {
                    self.words.push(start + at + 2..start + at + len - 1);
                }
            }
            at += len.max(1);
        }
    }

    /// What stands between the references of a line of `define`, but for the sign that it is continued by.
    fn text(&mut self, text: &[u8], start: usize) {
        for at in outside(text) {
            if at + 1 < text.len() || text[at] != b'\\' {
                self.bytes[start + at] = b' ';
            }
        }
    }

    /// Parentheses that belong to no reference, references to what only a rule has, and what is put in place of
    /// endings.
    fn value(&mut self, text: &[u8], start: usize) {
        for at in outside(text) {
            if matches!(text[at], b'(' | b')') {
                self.bytes[start + at] = b' ';
            }
        }
        for at in memchr::memchr_iter(b'$', text) {
            let Some(len) = reference(&text[at..]) else {
                continue;
            };
            let inner = &text[at + 2..at + len - 1];
            let all = start + at..start + at + len;
            if inner.first().is_some_and(|b| AUTOMATIC.contains(b)) {
                self.bytes[all].fill(b' ');
            } else if let Some(command) = inner.strip_prefix(b"shell ") {
                let from = all.end - 1 - command.len();
                for at in outside(command) {
                    if SHELL.contains(&command[at]) {
                        self.bytes[from + at] = b' ';
                    }
                }
            } else if let Some(colon) = memchr::memchr(b':', inner)
                && inner.ends_with(b"=")
            {
                // `$(a:/=)` as `$(a)`.
                let end = all.start + 2 + colon;
                self.bytes[end] = self.bytes[all.end - 1];
                self.bytes[end + 1..all.end].fill(b' ');
            }
        }
    }
}

/// How long a reference is that a text begins with; none that is not closed.
fn reference(text: &[u8]) -> Option<usize> {
    if !text.starts_with(b"$(") && !text.starts_with(b"${") {
        return None;
    }
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate().take(MAX_REFERENCE) {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Which bytes of a text lie outside of references.
fn outside(text: &[u8]) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(len) = text.get(at..).and_then(reference) {
            at += len;
        }
        let this = at;
        at += 1;
        (this < text.len()).then_some(this)
    })
}

/// Where in a line the name of an assignment stands, and where its value begins.
fn assigned(text: &[u8]) -> Option<(Range<usize>, usize)> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut open = None;
    let mut at = 0;
    while at < text.len() {
        if let Some(len) = reference(&text[at..]) {
            open.get_or_insert(at);
            at += len;
            continue;
        }
        let signs = text[at..].iter().take_while(|b| b":+?!".contains(b));
        let signs = signs.count();
        let is_end = text.get(at + signs) == Some(&b'=');
        if is_end || text[at].is_ascii_whitespace() {
            words.extend(open.take().map(|start| start..at));
        }
        if is_end {
            let name = words.pop()?;
            let is_known = |word: &Range<usize>| BEFORE.contains(&&text[word.clone()]);
            return words.iter().all(is_known).then_some((name, at + signs + 1));
        }
        match text[at] {
            b'#' | b'(' | b')' | b':' => return None,
            b if b.is_ascii_whitespace() => {}
            _ => {
                open.get_or_insert(at);
            }
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(source: &str) -> String {
        match blank(source.as_bytes()) {
            Some(found) => String::from_utf8(found.bytes).unwrap(),
            None => source.to_owned(),
        }
    }

    #[test]
    fn signs_that_mislead_the_grammar_go() {
        for (source, plain) in [
            (
                "A = MIT (b), $(call c,(d))\n",
                "A = MIT  b , $(call c,(d))\n",
            ),
            ("A := $(B:/=)/c $(@D)\n", "A := $(B)   /c      \n"),
            ("A-$(B) += c\n", "A-____ += c\n"),
            ("ifeq ($(A):$(B),y:)\n", "ifeq ($(A)_$(B),y_)\n"),
            ("else ifneq (\"$(A)\",\"\")\n", "else ifneq (_$(A)_,__)\n"),
            ("A = \\\n  (b)\nc: (d)\n", "A = \\\n   b \nc: (d)\n"),
            ("A = $(b\nc: d\n", "A =    \nc: d\n"),
            (
                "A = $(shell (b -c $(D)) | e 'f')\n",
                "A = $(shell  b -c $(D)    e  f )\n",
            ),
            (
                "define A\n{b, $(c)}. \\\nendef\n",
                "define A\n    $(c)   \\\nendef\n",
            ),
        ] {
            assert_eq!(written(source), plain, "{source}");
        }
        for same in [
            "a: b = (c)\n",
            "a:\n\tb (c) = d\n",
            "# A = (b)\n",
            "A = $(b:.c=.o)\n",
            "= (b)\n$(",
        ] {
            let whole = same.strip_suffix("$(").unwrap_or(same);
            assert_eq!(&written(same)[..whole.len()], whole, "{same}");
        }
    }

    #[test]
    fn a_name_in_a_name_is_read() {
        let found = blank(b"A-$(BC)-$(1) = d\n").unwrap();
        assert_eq!(found.words.len(), 1);
        assert_eq!(found.words[0], 4..6);
    }
}
