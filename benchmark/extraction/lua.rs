//! What of a Lua file stands in a text, a comment or a function: ctags reads it line by line and knows
//! none of them.

use std::ops::Range;

/// Something that is open.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Function,
    Block,
}

/// The lines, from 1, that begin within a text of several lines or within a function, with which it is.
pub fn ranges(lines: &[&str]) -> Vec<(Range<u32>, &'static str)> {
    let mut found = Vec::new();
    let mut open: Vec<(Open, u32)> = Vec::new();
    let mut text: Option<(String, u32)> = None;
    for (line, number) in lines.iter().zip(1..) {
        let mut rest = *line;
        while !rest.is_empty() {
            if let Some((close, from)) = &text {
                let Some(at) = rest.find(close.as_str()) else {
                    break;
                };
                rest = &rest[at + close.len()..];
                found.push((from + 1..number + 1, "in a text"));
                text = None;
                continue;
            }
            let comment = rest.strip_prefix("--");
            if let Some(close) = closing(comment.unwrap_or(rest)) {
                rest = &rest[close.len() + 2 * usize::from(comment.is_some())..];
                text = Some((close, number));
            } else if comment.is_some() {
                break;
            } else if rest.starts_with(['"', '\'']) {
                rest = behind_quotes(rest);
            } else {
                let len = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
                match &rest[..len] {
                    "function" => open.push((Open::Function, number)),
                    "if" | "do" | "repeat" => open.push((Open::Block, number)),
                    "end" | "until" => {
                        if let Some((Open::Function, from)) = open.pop() {
                            found.push((from + 1..number + 1, "local"));
                        }
                    }
                    _ => {}
                }
                let other = rest.chars().next().map_or(1, char::len_utf8);
                rest = &rest[len.max(other)..];
            }
        }
    }
    found
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What closes the long bracket that a line begins with.
fn closing(rest: &str) -> Option<String> {
    let inner = rest.strip_prefix('[')?;
    let level = inner.len() - inner.trim_start_matches('=').len();
    let is_long = inner[level..].starts_with('[');
    is_long.then(|| format!("]{}]", "=".repeat(level)))
}

/// Behind the text in quotes that a line begins with.
fn behind_quotes(rest: &str) -> &str {
    let quote = rest.chars().next();
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if Some(c) == quote => return &rest[at + 1..],
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_texts_have_lines() {
        let lines = [
            "function a() if b then c() end -- end",
            "  d = 'end' .. \"\\\"end\"",
            "end",
            "e = [==[",
            "function f() ]]",
            "]==]",
            "--[[ g",
            "]] h = function() end",
        ];
        let wanted = [
            (2..4, "local"),
            (5..7, "in a text"),
            (8..9, "in a text"),
            (9..9, "local"),
        ];
        assert_eq!(ranges(&lines), wanted);
    }
}
