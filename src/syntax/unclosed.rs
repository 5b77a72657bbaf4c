//! Classes that do not end, as in a file that is being edited.
//!
//! A parser makes an error of the head of such a class and leaves its members where they are. The
//! head is read from the text, so that the members keep their container.

use super::symbols::Draft;
use super::walk::Walk;
use crate::record::{SymbolFlags, SymbolKind};
use tree_sitter::{Node, Point};

/// Longest head that is looked at, in bytes.
const MAX_HEAD: usize = 512;

const KEYWORDS: &[(&[u8], SymbolKind)] = &[
    (b"class", SymbolKind::Class),
    (b"enum", SymbolKind::Enum),
    (b"impl", SymbolKind::Impl),
    (b"interface", SymbolKind::Interface),
    (b"struct", SymbolKind::Struct),
    (b"trait", SymbolKind::Trait),
];

/// The head of a class: what it is, where it begins and what spans its name.
struct Head {
    kind: SymbolKind,
    start: usize,
    name: std::ops::Range<usize>,
    exported: bool,
}

impl<'t> Walk<'t> {
    /// Defines the class whose `{` stands in the error that is being visited, up to the error's end;
    /// says whether there is one.
    pub(crate) fn open_class(&mut self, brace: Node<'t>) -> bool {
        let Some(head) = self.class_head(brace.start_byte()) else {
            return false;
        };
        let Some(mut frame) = self.stack.last().copied() else {
            return false;
        };
        let name_at = self.place(head.name.start, brace);
        let around = frame.symbol.map(|at| &self.symbols[at as usize]);
        // `struct Flags: u8 {` in a macro.
        let is_known = around.is_some_and(|of| {
            (of.name_line, of.name_col) == (name_at.row as u32 + 1, name_at.column as u32)
        });
        if is_known && self.tables.spec.heads_are_read {
            return true;
        }
        let mut draft = Draft::new(head.kind, brace, frame.node);
        (draft.start, draft.start_at) = (head.start, self.place(head.start, brace));
        (draft.name_at, draft.name) = (name_at, head.name);
        draft.lead_row = draft.start_at.row;
        draft.body = Some(brace.start_byte());
        draft.set_if(SymbolFlags::EXPORTED, head.exported);
        // Its name was taken for that of something used, which it is not but after `impl`.
        let at = (draft.name_at.row as u32 + 1, draft.name_at.column as u32);
        let recent = self.occurrences.len().saturating_sub(16);
        let mut names = self.occurrences[recent..].iter();
        if let Some(used) = names.position(|found| (found.line, found.col) == at)
            && head.kind != SymbolKind::Impl
        {
            self.occurrences.remove(recent + used);
        }
        let defined = self.define(draft, &mut frame).is_some();
        if let Some(error) = self.stack.last_mut() {
            *error = frame;
        }
        defined
    }

    /// Reads the head of a class that ends before `end`.
    fn class_head(&self, end: usize) -> Option<Head> {
        let from = end.saturating_sub(MAX_HEAD);
        let text = self.src.get(from..end)?;
        let cut = text.iter().rposition(|b| b";{}()".contains(b));
        // What follows `(` is a parameter.
        if cut.is_some_and(|at| text[at] == b'(') {
            return None;
        }
        let begin = cut.map_or(0, |at| at + 1);
        let (mut kind, mut start, mut exported) = (None, 0, false);
        let (mut name, mut depth) = (None, 0);
        let mut at = begin;
        while at < text.len() {
            let len = word_len(&text[at..]);
            if len == 0 {
                // What type parameters are called is no name of a class.
                match text[at] {
                    b'<' => depth += 1,
                    b'>' => depth -= 1,
                    b'/' | b'"' => return None,
                    _ => {}
                }
                at += 1;
                continue;
            }
            let word = &text[at..at + len];
            let keyword = KEYWORDS.iter().find(|(keyword, _)| *keyword == word);
            match (kind, keyword) {
                (None, Some((_, of))) => (kind, start) = (Some(*of), at),
                (None, None) => exported |= matches!(word, b"public" | b"pub" | b"export"),
                // `impl A for B`.
                (Some(SymbolKind::Impl), None) if word == b"for" => name = None,
                (Some(_), _) if depth == 0 && name.is_none() => {
                    name = Some(from + at..from + at + len);
                }
                _ => {}
            }
            at += len;
        }
        Some(Head {
            kind: kind?,
            start: from + start,
            name: name?,
            exported,
        })
    }

    /// The row and column of a byte that stands a little before a node.
    fn place(&self, at: usize, node: Node<'t>) -> Point {
        let between = self.src.get(at..node.start_byte()).unwrap_or(b"");
        let rows = between.iter().filter(|b| **b == b'\n').count();
        let before = self.src.get(..at).unwrap_or(b"");
        let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        Point {
            row: node.start_position().row - rows,
            column: at - line,
        }
    }
}

/// Length of the word that bytes begin with.
pub(super) fn word_len(bytes: &[u8]) -> usize {
    let part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || **b >= 0x80;
    bytes.iter().take_while(part).count()
}

#[cfg(test)]
mod tests {
    use crate::extract::extract;
    use crate::record::{Grammar, SymbolKind};

    /// Every symbol with its container.
    fn members(source: &str, grammar: Grammar) -> Vec<String> {
        let record = extract(source.as_bytes(), grammar);
        let name = |i: usize| {
            let name = record.names.get(record.symbols[i].name);
            String::from_utf8_lossy(name).into_owned()
        };
        let symbols = record.symbols.iter().enumerate();
        symbols
            .map(|(i, symbol)| match symbol.container {
                Some(container) => format!("{}.{}", name(container as usize), name(i)),
                None => name(i),
            })
            .collect()
    }

    #[test]
    fn members_of_a_class_that_does_not_end_keep_it() {
        let java = "public class Store<K> extends Base {\n  int size;\n  int size() { return size; }\n  void put(\n";
        let found = members(java, Grammar::Java);
        assert_eq!(found[..3], ["Store", "Store.size", "Store.size"]);
        let record = extract(java.as_bytes(), Grammar::Java);
        assert_eq!(record.symbols[0].kind, SymbolKind::Class);
        assert!(
            !record
                .occurrences
                .iter()
                .any(|found| (found.line, found.col) == (1, 13)),
            "its name is no use of it"
        );
    }

    #[test]
    fn a_head_that_an_item_has_is_read_once() {
        let rust = "flags! {\n    pub struct Ime: u8 {\n        const ONE = 1;\n        const TWO = 2;\n    }\n}\n";
        assert_eq!(members(rust, Grammar::Rust), ["Ime"]);
    }

    #[test]
    fn text_before_a_brace_is_no_head_by_itself() {
        assert_eq!(members("int f( { class }", Grammar::Java), ["f"]);
        assert!(members("{ impl {", Grammar::Rust).is_empty());
        assert!(members("enum {{{{", Grammar::C).is_empty());
    }
}
