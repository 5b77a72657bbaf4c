//! What of a Perl file stands in a text: ctags reads here-documents, documentation and what follows the end of the
//! program as code, and texts in quotes that a program makes a package of.

use super::heredocs::ends;
use std::ops::Range;

/// The lines, from 1, that begin within a text.
pub fn ranges(lines: &[&str]) -> Vec<(Range<u32>, &'static str)> {
    let mut found = Vec::new();
    let mut open: Vec<(String, bool)> = Vec::new();
    let (mut from, mut in_pod) = (0, false);
    let mut quote: Option<Quote> = None;
    for (line, number) in lines.iter().zip(1..) {
        let text = line.trim_end();
        if let Some((end, is_indented)) = open.first() {
            let written = if *is_indented {
                text.trim_start()
            } else {
                text
            };
            if written == end {
                open.remove(0);
                found.push((from..number + 1, "in a text"));
                from = number + 1;
            }
        } else if let Some(text) = &mut quote {
            if text.ends(line) {
                found.push((from..number + 1, "in a text"));
                quote = None;
            }
        } else if in_pod || text.starts_with('=') && text[1..].starts_with(char::is_alphabetic) {
            in_pod = text != "=cut";
            found.push((number..number + 1, "in a text"));
        } else if text == "__END__" || text == "__DATA__" {
            found.push((number..lines.len() as u32 + 1, "in a text"));
            return found;
        } else {
            open = ends(text);
            quote = Quote::begun(text).filter(|_| open.is_empty());
            from = number + 1;
        }
    }
    found
}

/// A text in quotes that a line begins and others go on with: `eval qq{`, `my $a = q|`, `eval "`.
struct Quote {
    opens: char,
    closes: char,
    depth: usize,
}

impl Quote {
    /// The one that is open at the end of a line.
    fn begun(line: &str) -> Option<Self> {
        let opens = line.chars().next_back()?;
        let before = line[..line.len() - opens.len_utf8()].trim_end();
        let word = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_'));
        let is_quoted = matches!(word.into_iter().next(), Some("q" | "qq"));
        let is_plain =
            opens == '"' && line.len() > 1 && line[..line.len() - 1].ends_with([' ', '(']);
        let is_even = line.matches('"').count().is_multiple_of(2);
        let signs = ['{', '(', '[', '<', '|', '!', '/', '~'];
        if line.trim_start().starts_with('#')
            || !(is_plain && !is_even || is_quoted && signs.contains(&opens))
        {
            return None;
        }
        let closes = match opens {
            '{' => '}',
            '(' => ')',
            '[' => ']',
            '<' => '>',
            other => other,
        };
        Some(Self {
            opens,
            closes,
            depth: 1,
        })
    }

    /// Whether it ends in a line.
    fn ends(&mut self, line: &str) -> bool {
        for c in line.chars() {
            if c == self.closes {
                self.depth -= 1;
                if self.depth == 0 {
                    return true;
                }
            } else if c == self.opens {
                self.depth += 1;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_of_several_lines_are_texts() {
        let lines = [
            "eval qq{",
            "package A { sub a {",
            "} }",
            "};",
            "f(\"a\", \"",
            "sub b {",
            "\");",
            "sub c { q{d} }",
            "my %e = {",
        ];
        let found = ranges(&lines);
        let texts: Vec<u32> = found.into_iter().flat_map(|(lines, _)| lines).collect();
        assert_eq!(texts, [2, 3, 4, 6, 7]);
    }

    #[test]
    fn here_documents_and_documentation_have_lines() {
        let lines = [
            "my $a = <<'A' . <<~B;",
            "package C;",
            "A",
            "  sub d {",
            "  B",
            "my $b = 1 << 2; # <<",
            "=head1 E",
            "sub f {",
            "=cut",
            "sub g {",
            "__END__",
            "sub h {",
        ];
        let found = ranges(&lines);
        let texts: Vec<u32> = found.into_iter().flat_map(|(lines, _)| lines).collect();
        assert_eq!(texts, [2, 3, 4, 5, 7, 8, 9, 11, 12]);
    }
}
