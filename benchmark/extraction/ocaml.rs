//! What of an OCaml file stands in a comment or a text of several lines, in which ctags finds definitions.

use std::ops::Range;

/// The lines, from 1, that begin within one.
pub fn ranges(lines: &[&str]) -> Vec<(Range<u32>, &'static str)> {
    let text = lines.join("\n");
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut number) = (0, 1);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (len, why) = match rest {
            [b'(', b'*', ..] => (comment(rest), "in a comment"),
            [b'"', ..] => (string(rest), "in a text"),
            [b'{', ..] => (quoted(rest).unwrap_or(1), "in a text"),
            [b'\'', ..] => (character(rest), "in a text"),
            _ => (1, ""),
        };
        let len = len.min(rest.len());
        let over = rest[..len].iter().filter(|b| **b == b'\n').count() as u32;
        if over > 0 && !why.is_empty() {
            found.push((number + 1..number + over + 1, why));
        }
        number += over;
        at += len;
    }
    found
}

/// How long the comment is that a text begins with: comments in it and texts in it are skipped.
fn comment(text: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while at < text.len() {
        match &text[at..] {
            [b'(', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b')', ..] => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return at;
                }
            }
            rest @ [b'"', ..] => at += string(rest),
            rest @ [b'{', ..] => at += quoted(rest).unwrap_or(1),
            rest @ [b'\'', ..] => at += character(rest),
            _ => at += 1,
        }
    }
    at
}

fn string(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

/// `{|text|}`, `{sql|text|sql}`.
fn quoted(text: &[u8]) -> Option<usize> {
    let id = text[1..]
        .iter()
        .take_while(|b| b.is_ascii_lowercase() || **b == b'_');
    let id = id.count();
    if text.get(1 + id) != Some(&b'|') {
        return None;
    }
    let end = [b"|", &text[1..=id], b"}"].concat();
    let inner = &text[id + 2..];
    let len = inner.windows(end.len()).position(|part| part == end)?;
    Some(id + 2 + len + end.len())
}

/// `'"'` and `'\''`; of a type parameter only the sign.
fn character(text: &[u8]) -> usize {
    match text {
        [_, b'\\', _, b'\'', ..] => 4,
        [_, first, b'\'', ..] if *first != b'\'' => 3,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_have_lines() {
        let lines = [
            "let a = '\"' and b = '\\''",
            "(* a (* \"*)\" *)",
            "type b *)",
            "let c = \"a \\\" \\",
            "  type d\"",
            "let e = {x|",
            "let f |} |x}",
            "let g : 'a",
            "let h",
        ];
        let found = ranges(&lines);
        let texts: Vec<u32> = found.into_iter().flat_map(|(lines, _)| lines).collect();
        assert_eq!(texts, [3, 5, 7]);
    }
}
