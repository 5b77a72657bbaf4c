//! Syntax that the grammar does not know: fields that stay as they are (`const name::Type` in a `mutable struct`,
//! Julia 1.8), which cost it the whole type, and names in parentheses in a tuple (`((+) = 1, (a) = 2)`), after which it
//! never decides what all that follows is.
//!
//! Where a file has errors it is parsed again with the `const` of such lines blanked out, and with a name for an operator. A
//! constant outside of types has a value, and so a `=` in its line.

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
        for at in memchr::memmem::find_iter(line, b") = ") {
            if let Some(open) = key(&line[..at]).filter(|_| count < MAX_LINES) {
                let name = &mut changed[start + open..=start + at];
                let is_operator = !is_part(name[1]);
                name[0] = b' ';
                name[at - open] = b' ';
                if is_operator {
                    name[1..at - open].fill(b'o');
                }
                count += 1;
            }
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

/// Where the parenthesis stands of a name in a tuple that ends where a text does.
fn key(before: &[u8]) -> Option<usize> {
    let open = memchr::memrchr(b'(', before)?;
    let name = &before[open + 1..];
    let is_sign = |b: &u8| b"!%&*+-/<>\\^|~=".contains(b);
    let is_name = name.iter().all(|b| is_part(*b)) || name.iter().all(is_sign);
    // In the first column it is a method or a destructured value.
    let is_in_tuple = match before[..open].trim_ascii().last() {
        None => open > 0,
        Some(last) => matches!(last, b'(' | b','),
    };
    (!name.is_empty() && is_name && is_in_tuple).then_some(open)
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
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

    #[test]
    fn names_in_parentheses_of_a_tuple_are_names() {
        let source = "const a = ((+) = 1, (\\) = 2, (b) = 3)\n  (.+) = 4\n    (||) = 5\n";
        let found = blank(source.as_bytes()).unwrap();
        assert_eq!(
            String::from_utf8(found.bytes).unwrap(),
            "const a = ( o  = 1,  o  = 2,  b  = 3)\n  (.+) = 4\n     oo  = 5\n"
        );
        for source in ["(+) = 1\n", "f(a) = 1\n", "Base.:(+)(a) = b\n", "(a) = 1\n"] {
            assert!(blank(source.as_bytes()).is_none(), "{source}");
        }
    }
}
