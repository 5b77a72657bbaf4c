//! Macros before declarations of C and C++: `LIB_API int open(void);`.
//!
//! A grammar takes the macro for the type and the type for an error, and may lose the name. Where a
//! file has errors, it is parsed again with such macros blanked out; they are recorded as what they
//! are, names that are read. Deliberately absent: macros anywhere else, and what they stand for.

use crate::syntax::blanked::Blanked;

/// Most prefixes blanked out in one file.
const MAX_PREFIXES: usize = 4096;

/// Blanks out the prefixes of a file; `None` where there are none.
pub(in crate::lang) fn blank(bytes: &[u8]) -> Option<Blanked> {
    let mut prefixes = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let mut at = line.len() - line.trim_ascii_start().len();
        while let Some(len) = prefix(&line[at..]) {
            if prefixes.len() == MAX_PREFIXES {
                break;
            }
            prefixes.push(start + at..start + at + len);
            at += len;
            at += line[at..].len() - line[at..].trim_ascii_start().len();
        }
        start += line.len();
    }
    if prefixes.is_empty() {
        return None;
    }
    let mut blanked = bytes.to_vec();
    for prefix in &prefixes {
        blanked[prefix.clone()].fill(b' ');
    }
    Some(Blanked {
        bytes: blanked,
        words: prefixes,
    })
}

/// Length of a name in capitals that a type and what it declares follow.
fn prefix(line: &[u8]) -> Option<usize> {
    let len = word(line);
    let name = &line[..len];
    let capitals = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    if len < 3 || !name[0].is_ascii_uppercase() || !name.iter().all(capitals) {
        return None;
    }
    let rest = line[len..].trim_ascii_start();
    let kind = word(rest);
    if kind == 0
        || rest[0].is_ascii_digit()
        || rest.len() == line.len() - len
        || matches!(&rest[..kind], b"const" | b"volatile")
    {
        return None;
    }
    let after = rest[kind..].trim_ascii_start();
    let declares = match after.first()? {
        b'*' => true,
        b'(' => after[1..].trim_ascii_start().first() == Some(&b'*'),
        b => b.is_ascii_alphabetic() || *b == b'_',
    };
    declares.then_some(len)
}

/// Length of the word that bytes begin with.
fn word(bytes: &[u8]) -> usize {
    let part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
    bytes.iter().take_while(part).count()
}

#[cfg(test)]
mod tests {
    use crate::extract::extract;
    use crate::record::Grammar;

    fn prefixes(source: &str) -> Vec<&str> {
        let blanked = super::blank(source.as_bytes());
        let found = blanked.map_or_else(Vec::new, |blanked| blanked.words);
        found.into_iter().map(|range| &source[range]).collect()
    }

    #[test]
    fn only_what_a_type_and_a_name_follow_is_a_prefix() {
        assert_eq!(prefixes("LIB_API int open(void);\n"), ["LIB_API"]);
        assert_eq!(
            prefixes("  LIB_API LIB_INLINE node *next;"),
            ["LIB_API", "LIB_INLINE"]
        );
        assert_eq!(prefixes("LIB_API int (*hook)(void);"), ["LIB_API"]);
        for plain in
            *phrases!("FILE *file;, BOOL f(int);, HANDLE h;, UINT const x;, LIB_API, A b c;")
        {
            assert!(prefixes(plain).is_empty(), "{plain}");
        }
    }

    #[test]
    fn what_a_macro_stands_before_is_defined_and_the_macro_is_read() {
        let source =
            b"LIB_API int (*first)(void) LIB_END;\nLIB_STATIC node *second(node *a, node *b);\n";
        let record = extract(source, Grammar::C);
        let names = |name| String::from_utf8_lossy(record.names.get(name)).into_owned();
        let symbols: Vec<_> = record.symbols.iter().map(|s| names(s.name)).collect();
        assert_eq!(symbols, ["first", "second"]);
        let read: Vec<_> = record.occurrences.iter().map(|o| names(o.name)).collect();
        assert!(read.contains(&"LIB_API".to_owned()) && read.contains(&"LIB_STATIC".to_owned()));
        assert!(record.occurrences.is_sorted_by_key(|o| (o.line, o.col)));
    }
}
