//! Lines of Fortran for the preprocessor of C that may hold half of a construct: `#ifdef A` around `associate (b => c)`,
//! and again around its end.
//!
//! Where a file has errors, a condition without another branch is taken to hold: it is parsed again without the two
//! lines, which is the text that a compiler sees where it does. Names in them are recorded as names that are read.

use std::ops::Range;

/// Words of a condition that are no names.
const WORDS: &[&[u8]] = &[b"defined", b"if", b"ifdef", b"ifndef"];

/// Blanks the lines out, and adds the names; says whether there was anything.
pub(super) fn plain(bytes: &mut [u8], words: &mut Vec<Range<usize>>) -> bool {
    if memchr::memmem::find(bytes, b"#endif").is_none() {
        return false;
    }
    // The first lines of the conditions that are open, none of those that have another branch.
    let mut open: Vec<Option<Range<usize>>> = Vec::new();
    let mut found: Vec<[Range<usize>; 2]> = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let text = line.trim_ascii_end();
        let place = start..start + text.len();
        start += line.len();
        let Some(rest) = text.strip_prefix(b"#") else {
            continue;
        };
        let rest = rest.trim_ascii_start();
        if rest.starts_with(b"if") {
            // What `#if 0` holds is for nobody.
            let may_hold = !text.ends_with(b"\\") && rest[2..].trim_ascii() != b"0";
            open.push(may_hold.then_some(place));
        } else if rest.starts_with(b"el") {
            open.last_mut().into_iter().for_each(|first| *first = None);
        } else if rest.starts_with(b"endif")
            && let Some(Some(first)) = open.pop()
        {
            found.push([first, place]);
        }
    }
    found.sort_by_key(|[first, _]| first.start);
    for [first, last] in &found {
        words.extend(names(bytes, first));
        bytes[first.clone()].fill(b' ');
        bytes[last.clone()].fill(b' ');
    }
    !found.is_empty()
}

/// The names in a line.
fn names(bytes: &[u8], line: &Range<usize>) -> Vec<Range<usize>> {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut found = Vec::new();
    let mut at = line.start;
    while at < line.end {
        let len = bytes[at..line.end]
            .iter()
            .take_while(|b| is_part(**b))
            .count();
        let word = &bytes[at..at + len];
        if len > 0 && !word[0].is_ascii_digit() && !WORDS.contains(&word) {
            found.push(at..at + len);
        }
        at += len.max(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_without_another_branch_hold() {
        for (source, expected, names) in [
            ("#ifndef A\na\n#endif\n", "         \na\n      \n", "A"),
            (
                "#if A\n#ifdef B_1\nb\n#endif\n#else\nc\n#endif\n",
                "#if A\n          \nb\n      \n#else\nc\n#endif\n",
                "B_1",
            ),
            (
                "#if defined(A) && B > 3 /* */\n#endif",
                "                             \n      ",
                "A B",
            ),
        ] {
            let mut bytes = source.as_bytes().to_vec();
            let mut words = Vec::new();
            assert!(plain(&mut bytes, &mut words), "{source}");
            assert_eq!(String::from_utf8(bytes).unwrap(), expected);
            let words: Vec<&str> = words.into_iter().map(|word| &source[word]).collect();
            assert_eq!(words.join(" "), names);
        }
        for same in [
            "#if A\n#else\n#endif\n",
            "#endif\n",
            "#if A \\\n  B\n#endif\n",
        ] {
            assert!(
                !plain(&mut same.as_bytes().to_vec(), &mut Vec::new()),
                "{same}"
            );
        }
    }
}
