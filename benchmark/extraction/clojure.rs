//! What of a Clojure file stands in a text: ctags reads examples there as code.

use std::ops::Range;

/// The lines, from 1, that begin within a text.
pub fn ranges(lines: &[&str]) -> Vec<(Range<u32>, &'static str)> {
    let mut found = Vec::new();
    let mut open: Option<u32> = None;
    for (line, number) in lines.iter().zip(1..) {
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match (c, open) {
                // Of an escape in a text, and of a character, the second is no sign.
                ('\\', _) => {
                    chars.next();
                }
                ('"', None) => open = Some(number),
                ('"', Some(from)) => {
                    found.push((from + 1..number + 1, "in a text"));
                    open = None;
                }
                (';', None) => break,
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_lines() {
        let lines = ["(def a \\\" ; \"", "\"b\\\"", "(defn c)\" d)"];
        assert_eq!(ranges(&lines), [(3..4, "in a text")]);
    }
}
