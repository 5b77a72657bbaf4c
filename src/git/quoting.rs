//! Names of files as people read them: git's own manner of quoting, with text that is not ASCII left
//! readable (`core.quotePath` false).

use gix::bstr::ByteSlice;
use std::fmt::Write as _;

/// Whether a character shows nothing and changes what others show or say: marks of direction, characters
/// without width but for the joiners and variants that scripts and emoji need, blanks that are no white space (fillers of
/// Hangul and Khmer, the empty Braille pattern), and the tags that only machines read.
pub fn is_deceptive(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        // These choose a form of the sign before them, which no text of a program needs; of an emoji (15, 16) they may.
        | '\u{fe00}'..='\u{fe0d}' | '\u{1d173}'..='\u{1d17a}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e01ef}')
}

/// Takes apart what runners of pipelines read as a command wherever it stands in a line of a log: `##[error]` (GitHub),
/// `##vso[task.setvariable]` (Azure). What they read at the beginning of a line cannot stand there: each of ours begins
/// with a word of ours, or with a path.
pub fn defused(text: &str) -> String {
    // Of three in a row one pass leaves two.
    text.replace("##", "# #").replace("##", "# #")
}

/// What somebody else said, in quotes that it cannot end.
pub fn said(text: &str) -> String {
    format!("\"{}\"", defused(text).replace('"', "'"))
}

/// A name as it is shown: as it is, or in quotes with escapes where it holds control or deceptive
/// characters, quotes, backslashes, or bytes that are no UTF-8.
pub fn quoted(name: &[u8]) -> String {
    let odd = |c: char| c.is_control() || is_deceptive(c) || matches!(c, '"' | '\\');
    // Most names need no look at their characters.
    let is_plain = |b: &u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\');
    let are_plain = name.iter().all(is_plain);
    if let Ok(text) = name.to_str()
        && (are_plain || !text.contains(odd))
    {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for (start, end, c) in name.char_indices() {
        let bytes = &name[start..end];
        // What stands for bytes that are no character has other bytes of its own.
        let is_whole = c != char::REPLACEMENT_CHARACTER || bytes == "\u{fffd}".as_bytes();
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_whole && !odd(c) => out.push(c),
            _ => bytes.iter().for_each(|byte| {
                write!(out, "\\{byte:03o}").expect("a string takes any text");
            }),
        }
    }
    out.push('"');
    out
}

/// The name that is shown so: takes quotes and escapes off. `None` for what begins with a quote and is
/// not properly quoted.
pub fn unquoted(shown: &str) -> Option<Vec<u8>> {
    let Some(inner) = shown.strip_prefix('"') else {
        return Some(shown.as_bytes().to_vec());
    };
    let mut rest = inner.strip_suffix('"')?.bytes();
    let mut out = Vec::with_capacity(inner.len());
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => return None,
            b'\\' => out.push(match rest.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                first @ b'0'..=b'3' => {
                    let digit = |b: u8| (b'0'..=b'7').contains(&b).then(|| b - b'0');
                    digit(first)? << 6 | digit(rest.next()?)? << 3 | digit(rest.next()?)?
                }
                escaped @ (b'"' | b'\\') => escaped,
                _ => return None,
            }),
            plain => out.push(plain),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn odd_names_are_quoted_as_git_does() {
        assert_eq!(quoted("src/größe.rs".as_bytes()), "src/größe.rs");
        assert_eq!(quoted(b"a b/[id].ts"), "a b/[id].ts");
        assert_eq!(quoted(b"a\n\"\\\x1b\xff"), r#""a\n\"\\\033\377""#);
        assert_eq!(quoted("x\u{202e}é".as_bytes()), "\"x\\342\\200\\256é\"");
        // A sign that chooses a form carries more than it shows; an emoji may have its own.
        assert_eq!(quoted("a\u{fe03}".as_bytes()), "\"a\\357\\270\\203\"");
        assert_eq!(quoted("\u{2764}\u{fe0f}".as_bytes()), "\u{2764}\u{fe0f}");
        assert_eq!(quoted("\u{fffd}".as_bytes()), "\u{fffd}");
        for bad in [
            "\"",
            "\"a",
            "\"a\"b\"",
            "\"\\x\"",
            "\"\\9\"",
            "\"\\400\"",
            "\"\\\"",
        ] {
            assert_eq!(unquoted(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_others_say_ends_no_quotes_and_gives_no_command() {
        assert_eq!(said("not \"today\""), "\"not 'today'\"");
        assert_eq!(said("###vso[a]b"), "\"# # #vso[a]b\"");
    }

    proptest! {
        #[test]
        fn every_name_comes_back(name in prop::collection::vec(any::<u8>(), 0..40)) {
            let shown = quoted(&name);
            prop_assert!(!shown.contains(|c: char| c.is_control() || is_deceptive(c)));
            prop_assert_eq!(unquoted(&shown), Some(name));
        }
    }
}
