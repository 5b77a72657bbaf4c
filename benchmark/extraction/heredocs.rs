//! Here-documents of Perl, Ruby and PowerShell, and what a shell is given to `eval`, which are texts.

use std::ops::Range;

/// What ends the here-documents that a line begins, and whether it may be indented: `<<"A"`, `<<~B`,
/// `<<'C D'`, `<<-E` of Ruby.
pub fn ends(line: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let code = match line.trim_start().starts_with('#') {
        true => "",
        false => line,
    };
    for (at, _) in code.match_indices("<<") {
        let rest = &code[at + 2..];
        let (rest, is_indented) = match rest.strip_prefix(['~', '-']) {
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

/// The lines of a Ruby file, from 1, that begin within a here-document.
pub fn ruby(lines: &[&str]) -> Vec<(Range<u32>, &'static str)> {
    let mut found = Vec::new();
    let mut open: Vec<(String, bool)> = Vec::new();
    let mut from = 0;
    for (line, number) in lines.iter().zip(1..) {
        match open.first() {
            // A name alone may as well be what is added to a list, and then ends nowhere.
            Some((end, _)) if line.trim() == end => {
                open.remove(0);
                found.push((from..number + 1, "in a text"));
                from = number + 1;
            }
            Some(_) => {}
            None => {
                open = ends(line);
                from = number + 1;
            }
        }
    }
    found
}

/// The lines of a shell script, from 1, that begin within the text of an `eval`.
pub fn shell(lines: &[&str]) -> Vec<(Range<u32>, &'static str)> {
    let mut found = Vec::new();
    let mut open: Option<(char, u32)> = None;
    for (line, number) in lines.iter().zip(1..) {
        match open {
            Some((quote, from)) if line.starts_with(quote) => {
                found.push((from..number + 1, "in a text"));
                open = None;
            }
            Some(_) => {}
            None => {
                let quote = line.trim_end().strip_prefix("eval ").unwrap_or_default();
                let mark = quote.chars().next().filter(|c| matches!(c, '"' | '\''));
                open = mark
                    .filter(|_| quote.len() == 1)
                    .map(|mark| (mark, number + 1));
            }
        }
    }
    found
}

/// The lines of a PowerShell file, from 1, that begin within a text of several lines: one begins with `@"` or `@'` at the
/// end of a line, and ends with the same behind nothing.
pub fn powershell(lines: &[&str]) -> Vec<(Range<u32>, &'static str)> {
    let mut found = Vec::new();
    let mut open: Option<(&str, u32)> = None;
    for (line, number) in lines.iter().zip(1..) {
        match open {
            Some((end, from)) if line.starts_with(end) => {
                found.push((from..number + 1, "in a text"));
                open = None;
            }
            Some(_) => {}
            None if line.trim_start().starts_with('#') => {}
            None => {
                let text = line.trim_end();
                let marks = [("@'", "'@"), ("@\"", "\"@")].into_iter();
                let end = marks
                    .filter(|(begin, _)| text.ends_with(begin))
                    .map(|(_, end)| end)
                    .next();
                open = end.map(|end| (end, number + 1));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn here_strings_of_powershell_have_lines() {
        let lines = [
            "$a = @'",
            "function b {}",
            "@\"",
            "'@",
            "function c {}",
            "# @'",
            "d @\"",
            "e",
            "\"@ -f 1",
            "function g {}",
        ];
        let found = powershell(&lines);
        let texts: Vec<u32> = found.into_iter().flat_map(|(lines, _)| lines).collect();
        assert_eq!(texts, [2, 3, 4, 8, 9]);
    }

    #[test]
    fn an_eval_has_lines() {
        let lines = [
            "eval '", "  a() {", "  }", "'", "b() {", "eval 'c'", "d() {",
        ];
        let found = shell(&lines);
        let texts: Vec<u32> = found.into_iter().flat_map(|(lines, _)| lines).collect();
        assert_eq!(texts, [2, 3, 4]);
    }

    #[test]
    fn here_documents_of_ruby_have_lines() {
        let lines = [
            "class << self",
            "A.class_eval <<-'end;', __FILE__",
            "  def b",
            "  end;",
            "c <<~D",
            "def d",
            "D",
            "def e",
        ];
        let found = ruby(&lines);
        let texts: Vec<u32> = found.into_iter().flat_map(|(lines, _)| lines).collect();
        assert_eq!(texts, [3, 4, 6, 7]);
    }
}
