//! What of an Erlang file stands in a text: a documentation attribute holds many lines in one pair of quotes, with examples
//! that ctags reads as code.

use std::ops::Range;

/// The lines, from 1, that begin within a text in double quotes.
pub fn ranges(lines: &[&str]) -> Vec<(Range<u32>, &'static str)> {
    let mut found = Vec::new();
    // The quotes that are open, and the line behind that they stand in.
    let mut open: Option<(&str, u32)> = None;
    for (line, number) in lines.iter().zip(1..) {
        let mut rest = *line;
        while let Some(first) = rest.chars().next() {
            let mut len = first.len_utf8();
            match open {
                Some((quotes, from)) => {
                    if first == '\\' && quotes.len() == 1 {
                        len += rest[len..].chars().next().map_or(0, char::len_utf8);
                    } else if rest.starts_with(quotes) && (quotes.len() == 1 || rest.len() >= 3) {
                        len = quotes.len();
                        if number >= from && quotes != "'" {
                            found.push((from..number + 1, "in a text"));
                        }
                        open = None;
                    }
                }
                None => match first {
                    '%' => break,
                    // A character, as in `$"`.
                    '$' => {
                        let escape = rest[len..].starts_with('\\');
                        let next = rest[len..].chars().take(1 + usize::from(escape));
                        len += next.map(char::len_utf8).sum::<usize>();
                    }
                    '"' if rest.starts_with("\"\"\"") => {
                        open = Some(("\"\"\"", number + 1));
                        len = 3;
                    }
                    '"' => open = Some(("\"", number + 1)),
                    '\'' => open = Some(("'", number + 1)),
                    _ => {}
                },
            }
            rest = &rest[len..];
        }
        // A name in quotes does not go on in another line.
        open = open.filter(|(quotes, _)| *quotes != "'");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_lines() {
        let lines = [
            "-doc(\"",
            "a \\\" b",
            "c() ->",
            "\").",
            "d() -> [$\", '\"', \"e\"]. % \"",
            "f() -> ok.",
            "-doc \"\"\"",
            "g(\") ->",
            "\"\"\".",
            "h() -> ok.",
        ];
        let found = ranges(&lines).into_iter();
        let texts: Vec<u32> = found.flat_map(|(lines, _)| lines).collect();
        assert_eq!(texts, [2, 3, 4, 8, 9]);
    }
}
