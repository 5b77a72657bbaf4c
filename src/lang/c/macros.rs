//! C and C++: the text of macros, which has no syntax.

use crate::record::OccurrenceKind::{Call, Read};
use crate::syntax::prelude::*;
use crate::syntax::terms::for_each_word;

const KEYWORDS: &[&[u8]] = byte_words!(
    "break case char class const continue defined do double else enum extern float for goto
     if inline int long return short signed sizeof static struct switch typedef union
     unsigned void volatile while"
);

/// The text of a macro has no syntax; its identifiers are uses all the same.
pub(super) fn macro_text<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    // Other directives take prose (`#error`, `#pragma`).
    if !walk
        .ancestor(0)
        .is_some_and(|above| above.node.kind_name().ends_with("def"))
    {
        return frame.skip();
    }
    let text = walk.text(node);
    let (mut row, mut line_start, mut seen) = (node.start_position().row, 0, 0);
    let first_col = node.start_position().column;
    let (mut quoted, mut named, mut is_remark) = (false, false, false);
    for_each_word(text, |word, at| {
        let mut before = 0;
        for (i, byte) in text[seen..at].iter().enumerate() {
            match byte {
                b'\n' => {
                    row += 1;
                    line_start = seen + i + 1;
                    quoted = false;
                }
                b'*' if before == b'/' && !quoted => is_remark = true,
                b'/' if before == b'*' => is_remark = false,
                b'"' if !is_remark => quoted = !quoted,
                _ => {}
            }
            before = *byte;
        }
        let qualifier = match text[seen..at].trim_ascii() {
            b"." | b"->" | b"::" if seen > 0 && named => Qualifier::Previous,
            gap if gap.ends_with(b".") || gap.ends_with(b"->") => Qualifier::Expression,
            _ => Qualifier::None,
        };
        seen = at + word.len();
        named = !quoted && !is_remark && !word[0].is_ascii_digit() && !KEYWORDS.contains(&word);
        if !named {
            return;
        }
        let col = if line_start == 0 {
            first_col + at
        } else {
            at - line_start
        };
        let kind = if text[seen..].starts_with(b"(") {
            Call
        } else {
            Read
        };
        walk.occurrence(word, row, col, kind, qualifier);
    });
    frame.skip();
}
