//! What of a Perl file stands in a text: ctags reads here-documents, documentation and what follows the end of the
//! program as code.

use std::ops::Range;

/// The lines, from 1, that begin within a text.
pub fn ranges(lines: &[&str]) -> Vec<(Range<u32>, &'static str)> {
    let mut found = Vec::new();
    let mut open: Vec<(String, bool)> = Vec::new();
    let (mut from, mut in_pod) = (0, false);
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
        } else if in_pod || text.starts_with('=') && text[1..].starts_with(char::is_alphabetic) {
            in_pod = text != "=cut";
            found.push((number..number + 1, "in a text"));
        } else if text == "__END__" || text == "__DATA__" {
            found.push((number..lines.len() as u32 + 1, "in a text"));
            return found;
        } else {
            open = ends(text);
            from = number + 1;
        }
    }
    found
}

/// What ends the here-documents that a line begins, and whether it may be indented: `<<"A"`, `<<~B`, `<<'C D'`.
fn ends(line: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let code = match line.trim_start().starts_with('#') {
        true => "",
        false => line,
    };
    for (at, _) in code.match_indices("<<") {
        let rest = &code[at + 2..];
        let (rest, is_indented) = match rest.strip_prefix('~') {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let end = match quote {
            Some(quote) => rest[1..].split_once(quote).map(|(end, _)| end),
            None => {
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                let end = rest.split(|c| !is_part(c)).next();
                // A number is shifted by.
                end.filter(|end| end.starts_with(|c: char| c.is_alphabetic() || c == '_'))
            }
        };
        if let Some(end) = end.filter(|end| !end.is_empty()) {
            found.push((end.to_owned(), is_indented));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

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
