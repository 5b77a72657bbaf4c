//! Syntax that is newer than the grammar: fields that stay as they are (`const name::Type` in a `mutable struct`,
//! Julia 1.8), which cost it the whole type.
//!
//! Where a file has errors it is parsed again with the `const` of such lines blanked out. A constant outside of types has a
//! value, and so a `=` in its line.

use crate::syntax::blanked::Blanked;

/// Most lines that are changed in one file.
const MAX_LINES: usize = 4096;

/// Blanks the `const` of fields out; `None` where there is none.
pub(super) fn blank(bytes: &[u8]) -> Option<Blanked> {
    let mut changed = bytes.to_vec();
    let (mut start, mut count) = (0, 0);
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        if is_field(line) && count < MAX_LINES {
            let at = start + (line.len() - line.trim_ascii_start().len());
            changed[at..at + b"const".len()].fill(b' ');
            count += 1;
        }
        start += line.len();
    }
    (count > 0).then_some(Blanked {
        bytes: changed,
        words: Vec::new(),
    })
}

/// Whether a line declares a field that stays as it is.
fn is_field(line: &[u8]) -> bool {
    let mut parts = line.split(|b| *b == b'#');
    let code = parts.next().unwrap_or(b"").trim_ascii();
    let is_indented = line.first().is_some_and(u8::is_ascii_whitespace);
    is_indented && code.starts_with(b"const ") && !code.contains(&b'=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fields_lose_their_const() {
        let source = "mutable struct A\n  const b::Int # = 1\n  const c\nend\n";
        let found = blank(source.as_bytes()).unwrap();
        assert_eq!(found.bytes.len(), source.len());
        let text = String::from_utf8(found.bytes).unwrap();
        assert!(text.contains("        b::Int # = 1") && text.contains("        c\n"));
        for source in [
            "const a = 1\n",
            "  const a::Int = 1\n",
            "const a\n",
            "  constant\n",
            "",
        ] {
            assert!(blank(source.as_bytes()).is_none(), "{source}");
        }
    }
}
