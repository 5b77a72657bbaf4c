//! Makefiles with what the grammar takes for more than it is written plainly, byte for byte as long.
//!
//! A parenthesis in a value (`LICENSE = MIT (docs)`) is the member of an archive to it, a colon in a condition a
//! rule, and a name that is computed no name; each of them costs all that follows. So may signs of a shell in
//! `$(shell ...)`, and a text of `define` in another language. Where a file has errors it is parsed again without
//! them. Names that are blanked out are recorded as what they are, names that are read. Conditions go as well: all
//! branches are read, so that an error in one costs that line and not what the condition holds. Of recipes only
//! parentheses in references that belong to none go (`$(call a,$(b)())`).

use super::conditions::Condition;
use crate::syntax::blanked::Blanked;
use std::ops::Range;

/// What may stand before the name in an assignment.
const BEFORE: &[&[u8]] = byte_words!("export override private");
/// How long a reference may be that is seen through.
const MAX_REFERENCE: usize = 512;
/// Signs of a shell that mean something else to the grammar.
const SHELL: &[u8] = b"()'\"\\;:{}#|&<>@*`";
/// What a line may begin with that has neither a colon nor a sign of assignment.
const DIRECTIVES: &[&[u8]] = byte_words!(
    "-include define endef export include load override private sinclude undefine unexport vpath"
);
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
    /// Blanks out references that are not closed on their line, so that one does not hide all that comes below.
    fn close_references(&mut self, src: &[u8]) {
        // Starts of the references that are open on the line, which may be continued.
        let mut open: Vec<usize> = Vec::new();
        let mut start = 0;
        for line in src.split_inclusive(|b| *b == b'\n') {
            let text = line.trim_ascii_end();
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
        // Whether a line goes on, and whether one that begins with a tab is a line of a recipe.
        let (mut goes_on, mut in_rule) = (false, false);
        let (mut in_condition, mut in_line) = (false, false);
        for line in src.split_inclusive(|b| *b == b'\n') {
            let text = line.trim_ascii_end();
            let head = text.trim_ascii_start();
            let in_recipe = in_rule && line.starts_with(b"\t");
            in_condition &= goes_on;
            // Whether the line that goes on is one of a recipe.
            in_line &= goes_on;
            let mut from = None;
            if in_define {
                if !head.starts_with(b"endef") {
                    self.text(text, start);
                }
                in_define = !head.starts_with(b"endef");
            } else if in_value {
                from = Some(0);
            } else if in_recipe && !goes_on || goes_on && in_line {
                in_line = true;
                self.recipe(text, start);
            } else if in_condition {
                self.bytes[start..start + text.len()].fill(b' ');
            } else if !goes_on && !in_recipe {
                // Of what is no recipe the grammar takes a tab for the beginning of one.
                let tabs = text.len() - head.len();
                self.bytes[start..start + tabs].fill(b' ');
                in_define = head.starts_with(b"define ") || head.starts_with(b"override define ");
                in_condition = self.condition(text, start);
                if !in_condition {
                    from = self.line(text, start, &mut in_rule);
                }
                in_rule &= !in_define;
            }
            if let Some(from) = from {
                self.value(&text[from..], start + from);
            }
            goes_on = text.ends_with(b"\\");
            in_value = from.is_some() && goes_on;
            start += line.len();
        }
    }

    /// Parentheses in the references of a recipe that belong to none of them.
    fn recipe(&mut self, text: &[u8], start: usize) {
        // Whether each bracket that is open is that of a reference; those outside of all are not looked at.
        let mut open: Vec<bool> = Vec::new();
        for (at, byte) in text.iter().enumerate() {
            let is_reference = match byte {
                b'(' | b'{' => {
                    let begins = at > 0 && text[at - 1] == b'$' && !text[..at].ends_with(b"$$");
                    if begins || !open.is_empty() {
                        open.push(begins);
                    }
                    begins || open.is_empty()
                }
                b')' | b'}' => open.pop().unwrap_or(true),
                _ => true,
            };
            if !is_reference && matches!(byte, b'(' | b')') {
                self.bytes[start + at] = b' ';
            }
        }
    }

    /// Blanks out a line of a condition; says whether it is one.
    fn condition(&mut self, text: &[u8], start: usize) -> bool {
        let condition = Condition::read(text);
        if let Some(condition) = &condition {
            self.words.extend(condition.names(text, start));
            self.bytes[start..start + text.len()].fill(b' ');
        }
        condition.is_some()
    }

    /// Writes a line plainly that is neither a recipe nor a part of the one above. Gives where its value begins, and
    /// says whether a rule is open behind it.
    fn line(&mut self, text: &[u8], start: usize, in_rule: &mut bool) -> Option<usize> {
        if let Some((name, value)) = assigned(text) {
            *in_rule = false;
            self.name(&text[name.clone()], start + name.start);
            return Some(value);
        }
        if let Some((colon, value)) = assigned_for(text) {
            self.bytes[start + colon] = b' ';
            return Some(value);
        }
        let head = text.trim_ascii_start();
        let is_comment = head.is_empty() || head.starts_with(b"#");
        if !is_comment && is_nothing(head) {
            self.bytes[start..start + text.len()].fill(b' ');
        } else if !is_comment {
            // The colon may stand in a line that this one goes on in.
            *in_rule = text.ends_with(b"\\") || outside(text).any(|at| text[at] == b':');
        }
        None
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

    /// Parentheses that belong to no reference, signs of a shell's own variables, references to what only a rule has,
    /// and what is put in place of endings.
    fn value(&mut self, text: &[u8], start: usize) {
        let mut unescaped = text.to_vec();
        let mut from = 0;
        // `$$(date)` is for the shell.
        while let Some(at) = memchr::memmem::find(&unescaped[from..], b"$$") {
            let at = from + at;
            unescaped[at..at + 2].fill(b' ');
            self.bytes[start + at..start + at + 2].fill(b' ');
            from = at + 2;
        }
        let text = &unescaped[..];
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
pub(super) fn reference(text: &[u8]) -> Option<usize> {
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

/// Where in `a:: B = c` the second colon stands, which is one too many for the grammar, and where the value begins.
fn assigned_for(text: &[u8]) -> Option<(usize, usize)> {
    let colons = |at: &usize| text[*at..].starts_with(b"::") && text.get(at + 2) != Some(&b'=');
    let colon = outside(text).find(colons)?;
    let (_, value) = assigned(&text[colon + 2..])?;
    Some((colon + 1, colon + 2 + value))
}

/// Whether a line is nothing that make knows: prose in a branch that is never taken.
fn is_nothing(head: &[u8]) -> bool {
    let word = head.split(u8::is_ascii_whitespace).next().unwrap_or(head);
    !DIRECTIVES.contains(&word) && !head.iter().any(|b| b":=$\\".contains(b))
}

/// Where in a line the name of an assignment stands, and where its value begins.
pub(super) fn assigned(text: &[u8]) -> Option<(Range<usize>, usize)> {
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
            ("ifeq ($(A):$(B),y:)\n", "                   \n"),
            ("else ifneq (\"$(A)\",\"\")\n", "                      \n"),
            (
                "ifneq (,)\nNeeds (b).\nendif\n",
                "         \n          \n     \n",
            ),
            ("A = $$(b $${C:-d} $(E))\n", "A =    b   {C:-d} $(E) \n"),
            ("a:: B=c\n", "a:  B=c\n"),
            (
                "a:\n\tb $(c $(d)()) \\\n\t(e $(f (g)))\n",
                "a:\n\tb $(c $(d)  ) \\\n\t(e $(f  g ))\n",
            ),
            (
                "a \\\nb:\nifdef C\n\td (e)\nendif\n",
                "a \\\nb:\n       \n\td (e)\n     \n",
            ),
            (
                "ifeq (a, \\\n  b)\nb: c\n\td \\\n\te\n",
                "          \n    \nb: c\n\td \\\n\te\n",
            ),
            ("ifdef A\n\tB = c\nendif\n", "       \n B = c\n     \n"),
            (
                "a: b\nifdef A\n\tB = (c)\nendif\n",
                "a: b\n       \n\tB = (c)\n     \n",
            ),
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
            "-include $(A)\n",
            "a::=b\n",
            "A += \\\n  b c\n",
            "= (b)\n$(",
        ] {
            let whole = same.strip_suffix("$(").unwrap_or(same);
            assert_eq!(&written(same)[..whole.len()], whole, "{same}");
        }
    }

    #[test]
    fn names_in_conditions_are_read() {
        let source = b"ifeq ($(A),$(call b,c))\nelse ifdef D\nendif\n";
        let found = blank(source).unwrap();
        let words = found.words.iter().map(|word| &source[word.clone()]);
        assert_eq!(words.collect::<Vec<_>>(), [&b"A"[..], b"b", b"D"]);
    }

    #[test]
    fn a_name_in_a_name_is_read() {
        let found = blank(b"A-$(BC)-$(1) = d\n").unwrap();
        assert_eq!(found.words.len(), 1);
        assert_eq!(found.words[0], 4..6);
    }
}
