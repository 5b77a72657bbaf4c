//! Citations in running text: in words, in backticks, in the targets of links, and in answers that name their commit
//! at the end.

use super::citation::{Citation, Cited, is_id};
use crate::limits::MAX_ARGUMENT_BYTES;

/// Longest path in quotes that is looked for, in bytes.
const MAX_QUOTED: usize = 1024;

/// Finds the citations in running text, in order. Those that name no commit are of the one that the next footer of an
/// answer names, if that has no uncommitted files.
pub fn find(text: &str) -> Vec<Citation> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let quoted = rest.starts_with('"').then(|| quoted_end(rest)).flatten();
        let begin = quoted.unwrap_or(0);
        let length = rest[begin..].find(is_edge).unwrap_or(rest.len() - begin);
        let end = begin + length;
        // A quoted path is a citation only with something behind it.
        if end > 0 && (quoted.is_none() || length > 0) {
            // What is longer is no citation that could be asked about.
            if end <= MAX_ARGUMENT_BYTES {
                words(&rest[..end], at, &mut found);
            }
            at += end;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    date(text, &mut found);
    found
}

/// Gives citations the commit of the footer below them.
fn date(text: &str, found: &mut [Citation]) {
    let (mut begin, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        at += line.len();
        let Some(state) = line.strip_prefix("index ") else {
            continue;
        };
        let commit = state.split(" | ").next().filter(|commit| is_id(commit));
        let end = found.partition_point(|one| one.span.end <= at);
        let above = found[begin..end].iter_mut();
        for cited in above.filter_map(|one| one.cited.as_mut()) {
            cited.rev = cited.rev.take().or(commit.map(str::to_owned));
        }
        begin = end;
    }
}

fn is_edge(c: char) -> bool {
    c.is_whitespace() || "`<>\"'|,;".contains(c)
}

/// Where a quoted path ends that a text begins with.
fn quoted_end(text: &str) -> Option<usize> {
    let line = text.split('\n').next().unwrap_or(text);
    let mut is_escaped = false;
    let mut bytes = line.bytes().enumerate().take(MAX_QUOTED).skip(1);
    let close = bytes.find(|(_, byte)| {
        let is_close = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_close
    });
    let end = close?.0 + 1;
    line[end..].starts_with([':', '@', '#']).then_some(end)
}

/// Reads a run of characters: a citation, or the parts of a link (`[a](b)`), without what sentences put around.
fn words(run: &str, at: usize, found: &mut Vec<Citation>) {
    let mut start = 0;
    for part in run.split("](") {
        let left = part.trim_start_matches(BEFORE);
        let mut right = left.trim_end_matches(BEHIND);
        while let Some(inner) = enclosed(right) {
            right = inner;
        }
        let right = unclosed(unopened(right)).trim_end_matches(BEHIND);
        // All that was cut away in front.
        let begin = start + (right.as_ptr() as usize - part.as_ptr() as usize);
        start += part.len() + 2;
        let Some(cited) = Cited::read(right).filter(Cited::is_plain) else {
            continue;
        };
        found.push(Citation {
            text: right.to_owned(),
            span: at + begin..at + begin + right.len(),
            cited: Some(cited),
        });
    }
}

const BEFORE: [char; 4] = ['*', '!', '~', '='];
const BEHIND: [char; 6] = ['.', ':', '!', '?', '*', '~'];
const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];

/// What stands between a bracket and the one that closes it.
fn enclosed(text: &str) -> Option<&str> {
    let mut pairs = BRACKETS.iter();
    pairs.find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close))
}

/// A text without the brackets at its beginning that nothing closes.
fn unopened(text: &str) -> &str {
    let mut spare = BRACKETS.map(|(open, close)| excess(text, open, close));
    text.trim_start_matches(|c| {
        let at = BRACKETS.iter().position(|(open, _)| *open == c);
        at.is_some_and(|at| take(&mut spare[at]))
    })
}

/// A text without the brackets at its end that nothing opened.
fn unclosed(text: &str) -> &str {
    let mut spare = BRACKETS.map(|(open, close)| excess(text, close, open));
    text.trim_end_matches(|c| {
        let at = BRACKETS.iter().position(|(_, close)| *close == c);
        at.is_some_and(|at| take(&mut spare[at]))
    })
}

/// How many more there are of one character than of another.
fn excess(text: &str, of: char, than: char) -> usize {
    text.matches(of)
        .count()
        .saturating_sub(text.matches(than).count())
}

fn take(left: &mut usize) -> bool {
    let is_left = *left > 0;
    *left = left.saturating_sub(1);
    is_left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::verify::citation::tests::said;

    fn in_text(text: &str) -> Vec<String> {
        let all = find(text);
        for one in &all {
            assert_eq!(&text[one.span.clone()], one.text);
        }
        all.iter()
            .filter_map(|one| one.cited.as_ref().map(said))
            .collect()
    }

    #[test]
    fn running_text_is_searched_for_them() {
        assert_eq!(
            in_text(
                "See `src/a.rs:3-9` (and lib/b.js:7@v1), [here](docs/c.md#L4-L5). At 12:30 mail a@b.org.\n"
            ),
            ["src/a.rs 3-9", "lib/b.js 7-7 @v1", "docs/c.md 4-5"]
        );
        assert_eq!(
            in_text(
                "[a](https://h/o/n/blob/deadbeef/x.c#L1-L2) app/(x)/[id]/p.tsx:4@deadbeef: \"a b.md\":1@v1"
            ),
            [
                "x.c 1-2 @deadbeef",
                "app/(x)/[id]/p.tsx 4-4 @deadbeef",
                "a b.md 1-1 @v1"
            ]
        );
        assert_eq!(
            in_text("x.py::f#function@v1, x.py@deadbeef."),
            ["x.py f#function @v1", "x.py @deadbeef"]
        );
        assert_eq!(
            in_text("(a.rs:3@v1), [(b.rs:4@v1)]. (see c.rs:5@v1) **d.rs:6@v1**"),
            [
                "a.rs 3-3 @v1",
                "b.rs 4-4 @v1",
                "c.rs 5-5 @v1",
                "d.rs 6-6 @v1"
            ]
        );
        for none in [
            "vite@5.0.1 and a@b.c",
            "localhost:8080",
            "http://127.0.0.1:80/",
            "std::io::Read",
            "1:2",
            "",
            "\"",
            "\"\":",
        ] {
            assert!(in_text(none).is_empty(), "{none}: {:?}", in_text(none));
        }
    }

    #[test]
    fn answers_name_the_commit_of_what_is_above_their_footer() {
        assert_eq!(
            in_text(
                "a.rs:1-2 f\nb.rs:3@v1\nindex 0123456789 | shown 2 of 2\nc.rs:4\nindex 0123456789+2 dirty | shown 1 of 1\nd.rs:5\n"
            ),
            [
                "a.rs 1-2 @0123456789",
                "b.rs 3-3 @v1",
                "c.rs 4-4",
                "d.rs 5-5"
            ]
        );
    }

    #[test]
    fn any_text_is_searched_without_harm() {
        for hostile in ["(", "\"\\", "](", "\"", "a:1", "index ", "[)", "@", "a@"] {
            find(&hostile.repeat(100_000));
        }
        for text in [
            "](](](",
            "((((((",
            "\"\\\":3",
            "é`é:3é",
            "\u{202e}a.rs:3\n",
            "a.rs:99999999999",
        ] {
            in_text(text);
        }
    }
}
