//! Enums that Apple's macros declare, and macros before declarations.
//!
//! `typedef NS_ENUM(NSUInteger, Level) { ... };` is an error to the grammar. Where a file has errors it is
//! parsed again with such heads written as `enum Level`, byte for byte as long, besides what is done for C.
//! Lines that are one word in capitals (`NS_ASSUME_NONNULL_BEGIN`) and what is said of declarations
//! ([`super::attributes`]) are blanked out as well, and so are lines of `#pragma`.

use super::attributes;
use crate::lang::c;
use crate::syntax::blanked::Blanked;

/// Most heads that are written anew in one file.
const MAX_HEADS: usize = 4096;

const MACROS: &[&[u8]] =
    byte_words!("NS_ENUM NS_OPTIONS NS_CLOSED_ENUM NS_ERROR_ENUM CF_ENUM CF_OPTIONS");

/// Writes the heads of a file anew; `None` where there is nothing to do.
pub(super) fn blank(bytes: &[u8]) -> Option<Blanked> {
    let prefixes = c::blank_prefixes(bytes);
    let changed = prefixes.is_some();
    let mut found = prefixes.unwrap_or_else(|| Blanked {
        bytes: bytes.to_vec(),
        words: Vec::new(),
    });
    let mut heads = 0;
    let mut start = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        if heads == MAX_HEADS {
            break;
        }
        let out = &mut found.bytes[start..start + line.len()];
        if let Some(name) = head(line) {
            let before = line.len() - line.trim_ascii_start().len();
            let end = name.end + 1;
            out[before..name.start].fill(b' ');
            out[before..before + 4].copy_from_slice(b"enum");
            out[name.end..end].fill(b' ');
            heads += 1;
        } else if line.trim_ascii_start().starts_with(b"#pragma ")
            && !line.trim_ascii_end().ends_with(b"\\")
        {
            // Between the head of a class and its fields it costs the class.
            let len = line.trim_ascii_end().len();
            out[..len].fill(b' ');
            heads += 1;
        } else if is_lone_macro(line) {
            let word = line.trim_ascii();
            let at = start + (line.len() - line.trim_ascii_start().len());
            out[..word.len() + (at - start)].fill(b' ');
            found.words.push(at..at + word.len());
            heads += 1;
        }
        start += line.len();
    }
    for (all, name) in attributes::find(bytes, MAX_HEADS) {
        for byte in &mut found.bytes[all] {
            // Lines stay where they are.
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        found.words.push(name);
        heads += 1;
    }
    found.words.sort_by_key(|word| word.start);
    found.words.dedup();
    (changed || heads > 0).then_some(found)
}

/// Where the name stands in `typedef NS_ENUM(Type, Name) {`.
fn head(line: &[u8]) -> Option<std::ops::Range<usize>> {
    let rest = line.trim_ascii_start().strip_prefix(b"typedef")?;
    let rest = rest.trim_ascii_start();
    let after = MACROS.iter().find_map(|word| rest.strip_prefix(*word))?;
    let inner = after.trim_ascii_start().strip_prefix(b"(")?;
    let close = inner.iter().position(|b| *b == b')')?;
    let comma = inner[..close].iter().position(|b| *b == b',')?;
    let name = inner[comma + 1..close].trim_ascii();
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    if name.is_empty() || !name.iter().all(word) {
        return None;
    }
    let at = name.as_ptr() as usize - line.as_ptr() as usize;
    // Blanks between the name and the parenthesis may stay: the parenthesis goes.
    let close = inner.as_ptr() as usize - line.as_ptr() as usize + close;
    (close == at + name.len()).then_some(at..at + name.len())
}

/// Whether a line is one long word in capitals.
fn is_lone_macro(line: &[u8]) -> bool {
    let word = line.trim_ascii();
    word.len() > 8
        && word.contains(&b'_')
        && word.iter().all(|b| b.is_ascii_uppercase() || *b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_become_enums_of_the_same_length() {
        let source = b"NS_ASSUME_NONNULL_BEGIN\ntypedef NS_ENUM(NSUInteger, Level) {\n  Low,\n};\n";
        let found = blank(source).unwrap();
        let text = String::from_utf8(found.bytes).unwrap();
        assert_eq!(text.len(), source.len());
        assert_eq!(
            text.lines().nth(1),
            Some("enum                        Level  {")
        );
        assert_eq!(found.words.len(), 1);
        assert_eq!(found.words[0], 0..23);
        assert!(blank(b"int a;\ntypedef NS_ENUM(a\n").is_none());
    }
}
