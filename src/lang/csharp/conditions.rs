//! Bodies under a condition of the preprocessor: `void A()`, `#if B`, `{ ... }`, `#else`, `;`, `#endif`.
//!
//! The grammar wants whole members between two directives. Where a file has errors it is parsed again as one reading of
//! it goes, in which the method has its body: without those directives and without the semicolon of the other branch,
//! byte for byte as long. Deliberately absent: conditions within conditions, and other branches with more than that.

use crate::syntax::blanked::Blanked;
use std::ops::Range;

/// Most conditions that are seen through in one file.
const MAX_PLACES: usize = 4096;
/// Most lines of a condition.
const MAX_LINES: usize = 1000;

/// Leaves such directives out; `None` where there are none.
pub(super) fn blank(bytes: &[u8]) -> Option<Blanked> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        lines.push(start..start + line.len());
        start += line.len();
    }
    let text = |at: usize| bytes[lines[at].clone()].trim_ascii();
    let mut changed = bytes.to_vec();
    let (mut at, mut places, mut is_behind_parameters) = (0, 0, false);
    while at < lines.len() && places < MAX_PLACES {
        let line = text(at);
        if is_behind_parameters
            && line.starts_with(b"#if")
            && let Some((end, left_out)) = body(at, lines.len(), text)
        {
            for line in left_out {
                let line = lines[line].clone();
                changed[line.clone()]
                    .iter_mut()
                    .filter(|byte| !matches!(byte, b'\n' | b'\r'))
                    .for_each(|byte| *byte = b' ');
            }
            places += 1;
            at = end;
        } else if !line.is_empty() && !line.starts_with(b"//") {
            is_behind_parameters = line.ends_with(b")");
        }
        at += 1;
    }
    (places > 0).then_some(Blanked {
        bytes: changed,
        words: Vec::new(),
    })
}

/// The last line of a condition that begins at a line and holds the body of a method, and the lines that are left out.
fn body<'b>(
    first: usize,
    lines: usize,
    text: impl Fn(usize) -> &'b [u8],
) -> Option<(usize, Vec<usize>)> {
    let mut left_out = vec![first];
    let (mut is_body, mut is_other) = (false, false);
    for at in first + 1..lines.min(first + MAX_LINES) {
        let line = text(at);
        if line.starts_with(b"#endif") {
            left_out.push(at);
            return is_body.then_some((at, left_out));
        }
        if line.starts_with(b"#else") && !is_other {
            is_other = true;
            left_out.push(at);
        } else if line.starts_with(b"#if") || line.starts_with(b"#el") {
            return None;
        } else if is_other && !line.is_empty() {
            if line != b";" {
                return None;
            }
            left_out.push(at);
        } else if !is_body && !line.is_empty() && !line.starts_with(b"//") {
            is_body = line.starts_with(b"{") || line.starts_with(b"=>");
            if !is_body {
                return None;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_has_its_body() {
        for (source, expected) in [
            (
                "void A()\n#if B\n{\n}\n#else\n  ;\n#endif\nint C;\n",
                "void A()\n     \n{\n}\n     \n   \n      \nint C;\n",
            ),
            (
                "A B()\n#if C\n  => d\n#endif\n;\n",
                "A B()\n     \n  => d\n      \n;\n",
            ),
        ] {
            let found = blank(source.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(found.bytes).unwrap(), expected);
        }
        for same in [
            "void A();\n#if B\n{\n}\n#endif\n",
            "void A()\n#if B\n#if C\n{\n}\n#endif\n#endif\n",
            "void A()\n#if B\n{\n}\n#else\n{\n}\n#endif\n",
            "void A()\n#if B\nwhere C\n#endif\n",
            "void A()\n#if B\n{\n",
            "void A()\n#if B",
        ] {
            assert!(blank(same.as_bytes()).is_none(), "{same}");
        }
    }
}
