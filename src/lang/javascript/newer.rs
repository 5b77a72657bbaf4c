//! TypeScript that the grammar does not know: what comes after it loses a word or an interface its end.
//!
//! - a signature with type parameters on a line of its own, below a member that no `;` ends
//! - type arguments of a tagged template (`` styled.div<Props>`...` ``), of a type of another module
//!   (`import("./a").T<U>`), and a call's that begin with `typeof import("./a")`
//! - `export type * from "./a"`, `abstract override`, attributes of what is exported from a file, a comma behind the path in `import("./a",)`, and `using` as a name
//!
//! Where a file has errors it is parsed again with these made older, byte for byte as long: such a signature gets the `;`
//! that is missing above it, and the rest is blanked out, its types recorded as names that are read. Deliberately absent: a
//! signature at the beginning of its line, which has no place for the `;`, and lists of
//! what is imported in place (`import("./a").T[]`), which would be taken for one.

use crate::syntax::blanked::Blanked;
use std::ops::Range;

/// Most places that are changed in one file.
const MAX_PLACES: usize = 4096;
/// Most bytes between `<` and its `>`.
const MAX_TYPES: usize = 4000;
/// How often all bytes may be looked at for what closes a `<`.
const MAX_READS: usize = 16;
/// Most lines of comments above a signature.
const MAX_COMMENTS: usize = 60;
/// Most bytes of a path to another module.
const MAX_PATH: usize = 1000;

/// Makes newer syntax older; `None` where there is none.
pub(super) fn blank(bytes: &[u8]) -> Option<Blanked> {
    let mut older = Older {
        bytes,
        changed: bytes.to_vec(),
        words: Vec::new(),
        places: 0,
        left: bytes.len().saturating_mul(MAX_READS),
    };
    let mut at = 0;
    while at < bytes.len() && older.places < MAX_PLACES {
        at += match bytes[at] {
            b'<' => older.types(at),
            b'a'..=b'z' if at == 0 || !is_part(bytes[at - 1]) => older.word(at),
            _ => 1,
        };
    }
    (older.places > 0).then_some(Blanked {
        bytes: older.changed,
        words: older.words,
    })
}

struct Older<'b> {
    bytes: &'b [u8],
    changed: Vec<u8>,
    words: Vec<Range<usize>>,
    places: usize,
    /// Bytes that may yet be looked at for what closes a `<`.
    left: usize,
}

impl Older<'_> {
    /// Looks at a `<`; says how many bytes are done with.
    fn types(&mut self, at: usize) -> usize {
        let before = at.checked_sub(1).map(|before| self.bytes[before]);
        let Some(before) = before else { return 1 };
        let is_argument = is_part(before) || before == b')';
        let is_indented = matches!(before, b' ' | b'\t');
        if !is_argument && !is_indented {
            return 1;
        }
        let Some(end) = self.closed(at) else {
            return 1;
        };
        let behind = self.bytes[end..].trim_ascii_start();
        if is_indented {
            if behind.starts_with(b"(") && ends_a_member(&self.bytes[..at]) {
                self.changed[at - 1] = b';';
                self.places += 1;
            }
            return 1;
        }
        let is_of_module = self.bytes[at..].starts_with(b"<typeof import(");
        if self.bytes[end..].starts_with(b"`") || is_of_module && behind.starts_with(b"(") {
            self.blank(at..end);
            return end - at;
        }
        1
    }

    /// Looks at the word that begins at a byte; says how many bytes are done with.
    fn word(&mut self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        let len = rest.iter().take_while(|byte| is_part(**byte)).count();
        match &rest[..len] {
            b"type" => {
                let is_star = rest[len..].trim_ascii_start().starts_with(b"*");
                if is_star && self.bytes[..at].trim_ascii_end().ends_with(b"export") {
                    self.blank(at..at + len);
                }
            }
            b"override" if self.bytes[..at].trim_ascii_end().ends_with(b"abstract") => {
                self.blank(at..at + len);
            }
            b"using" => {
                let next = rest[len..].trim_ascii_start().first();
                if next.is_some_and(|next| b",)].:=;?".contains(next)) {
                    self.changed[at] = b'_';
                    self.places += 1;
                }
            }
            b"import" if rest[len..].starts_with(b"(") => self.imported(at + len),
            b"with" => self.attributes(at),
            _ => {}
        }
        len
    }

    /// What follows the `import` of a module in a type: a comma behind its path, arguments of the type.
    fn imported(&mut self, open: usize) {
        let rest = &self.bytes[open + 1..];
        let path = rest.len() - rest.trim_ascii_start().len();
        let Some(quote) = rest.get(path).filter(|byte| b"'\"".contains(byte)) else {
            return;
        };
        let inside = &rest[path + 1..];
        let Some(len) = inside.iter().take(MAX_PATH).position(|b| b == quote) else {
            return;
        };
        let mut at = open + 1 + path + 1 + len + 1;
        at += spaces(&self.bytes[at..]);
        if self.bytes.get(at) == Some(&b',') {
            let behind = at + 1 + spaces(&self.bytes[at + 1..]);
            if self.bytes.get(behind) != Some(&b')') {
                return;
            }
            self.blank(at..at + 1);
            at = behind;
        }
        if self.bytes.get(at) != Some(&b')') {
            return;
        }
        at += 1;
        while self.bytes.get(at) == Some(&b'.') {
            let name = &self.bytes[at + 1..];
            at += 1 + name.iter().take_while(|byte| is_part(**byte)).count();
        }
        if self.bytes.get(at) == Some(&b'<')
            && let Some(end) = self.closed(at)
        {
            self.blank(at..end);
        }
    }

    /// `with { type: "json" }` behind what is exported from a file.
    fn attributes(&mut self, at: usize) {
        let rest = &self.bytes[at + b"with".len()..];
        let is_behind_path = matches!(self.bytes[..at].trim_ascii_end().last(), Some(b'\'' | b'"'));
        if is_behind_path
            && rest.trim_ascii_start().starts_with(b"{")
            && let Some(len) = rest.iter().take(MAX_PATH).position(|byte| *byte == b'}')
        {
            self.blank(at..at + b"with".len() + len + 1);
        }
    }

    /// Where the `<` at a byte is closed; `None` also where too much was looked at before.
    fn closed(&mut self, open: usize) -> Option<usize> {
        let most = self.left.min(MAX_TYPES);
        let (end, looked_at) = closed(&self.bytes[open..], most);
        self.left -= looked_at;
        end.map(|len| open + len)
    }

    /// Blanks bytes out, and notes the types that they name. Lines stay where they are.
    fn blank(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            let part = &self.bytes[at..range.end];
            let len = part.iter().take_while(|byte| is_part(**byte)).count();
            if part[0].is_ascii_uppercase() {
                self.words.push(at..at + len);
            }
            at += len.max(1);
        }
        for byte in &mut self.changed[range] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        self.places += 1;
    }
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn spaces(bytes: &[u8]) -> usize {
    bytes.len() - bytes.trim_ascii_start().len()
}

/// How long it is from the `<` that these bytes begin with to behind what closes it, and how many bytes were looked at,
/// of so many at most.
fn closed(bytes: &[u8], most: usize) -> (Option<usize>, usize) {
    let mut depth = 0_usize;
    let mut braces = 0_usize;
    let mut quoted = None;
    let mut before = b' ';
    let most = most.min(bytes.len());
    for (at, byte) in bytes[..most].iter().enumerate() {
        if let Some(quote) = quoted {
            if *byte == quote {
                quoted = None;
            }
            continue;
        }
        match byte {
            b'\'' | b'"' => quoted = Some(*byte),
            b'(' | b'[' | b'{' => braces += 1,
            b')' | b']' | b'}' if braces == 0 => return (None, at),
            b')' | b']' | b'}' => braces -= 1,
            b'<' => depth += 1,
            b'>' if before != b'=' && depth <= 1 => {
                return ((braces == 0).then_some(at + 1), at);
            }
            b'>' if before != b'=' => depth -= 1,
            // Types hold these between braces only.
            b';' if braces == 0 => return (None, at),
            _ => {}
        }
        before = *byte;
    }
    (None, most)
}

/// Whether what stands above the line that is begun here, comments aside, may end a member without a `;`.
fn ends_a_member(bytes: &[u8]) -> bool {
    // Not by lines: one may be long, and hold many of these.
    let indent = bytes.iter().rev().take_while(|byte| b" \t".contains(byte));
    let Some(above) = bytes[..bytes.len() - indent.count()].strip_suffix(b"\n") else {
        return false;
    };
    let lines = above.rsplit(|byte| *byte == b'\n');
    let is_comment = |line: &[u8]| {
        let line = line.trim_ascii();
        line.is_empty()
            || line.starts_with(b"//")
            || line.starts_with(b"*")
            || line.starts_with(b"/*")
    };
    let mut lines = lines.take(MAX_COMMENTS);
    let above = lines.find(|line| !is_comment(line));
    let last = above.and_then(|line| line.trim_ascii_end().last());
    last.is_some_and(|last| is_part(*last) || b">)]}'\"`".contains(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn older(text: &str) -> String {
        let blanked = blank(text.as_bytes());
        let bytes = blanked.map_or_else(|| text.as_bytes().to_vec(), |blanked| blanked.bytes);
        assert_eq!(bytes.len(), text.len());
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_signature_gets_the_end_of_the_member_above() {
        let text = "interface A {\n  (): B<C>\n\n  // more\n  <T>(of: T): void\n  <U>(of: U): void;\n  <V>(v: V): V\n}\n";
        let made = older(text);
        assert_eq!(
            made,
            "interface A {\n  (): B<C>\n\n  // more\n ;<T>(of: T): void\n ;<U>(of: U): void;\n  <V>(v: V): V\n}\n"
        );
        // The first member, and what is no signature.
        assert_eq!(
            older("interface A {\n  <T>(): T\n}\n"),
            "interface A {\n  <T>(): T\n}\n"
        );
        let element = "const a = (\n  <B>text</B>\n)\n";
        assert_eq!(older(element), element);
    }

    #[test]
    fn type_arguments_of_templates_and_modules_are_blanked_out() {
        let text = "const a = styled(Link)<{ of: Kind }>`x`;";
        let blanked = blank(text.as_bytes()).unwrap();
        let names: Vec<&str> = blanked
            .words
            .iter()
            .map(|word| &text[word.clone()])
            .collect();
        assert_eq!(names, ["Kind"]);
        assert_eq!(older(text), "const a = styled(Link)              `x`;");
        assert_eq!(
            older("type A = import('./a').T<U>;"),
            "type A = import('./a').T   ;"
        );
        assert_eq!(
            older("f<typeof import('a')['b']>();"),
            "f                         ();"
        );
        assert_eq!(older("a < b > `c`"), "a < b > `c`");
    }

    #[test]
    fn words_that_the_grammar_does_not_know_are_blanked_out() {
        assert_eq!(older("export type * from 'a'"), "export      * from 'a'");
        assert_eq!(
            older("abstract override readonly a: b"),
            "abstract          readonly a: b"
        );
        assert_eq!(
            older("export { a } from './a' with { type: 'json' };"),
            "export { a } from './a'                      ;"
        );
        assert_eq!(older("await import('a',\n)"), "await import('a' \n)");
        assert_eq!(
            older("f(using: string) { using x = using; }"),
            "f(_sing: string) { using x = _sing; }"
        );
    }

    #[test]
    fn much_that_is_not_closed_is_looked_at_a_few_times() {
        let open = "a<".repeat(50_000);
        let mut older = Older {
            bytes: open.as_bytes(),
            changed: Vec::new(),
            words: Vec::new(),
            places: 0,
            left: open.len() * MAX_READS,
        };
        let closed = (0..open.len()).filter(|at| older.closed(*at).is_some());
        assert_eq!(closed.count(), 0);
        assert_eq!(older.left, 0);
    }

    #[test]
    fn many_places_of_one_line_do_not_read_it_again() {
        // 200 billion bytes to who does.
        let line = "x= <b>(1);".repeat(200_000);
        assert!(blank(line.as_bytes()).is_none());
    }

    #[test]
    fn nothing_is_changed_where_nothing_is_newer() {
        for text in [
            "",
            "<",
            "import(",
            "import('",
            "a<b>(c)",
            "with",
            "type *",
            "const type = a < b;",
        ] {
            assert_eq!(older(text), text);
        }
    }
}
