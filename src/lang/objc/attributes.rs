//! Macros that say since when and where a declaration is to be had: `API_AVAILABLE(ios(14.0))`,
//! `NS_UNAVAILABLE`, `SOME_API_DEPRECATED("...")`.
//!
//! The grammar knows some of them in some places; elsewhere one costs the protocol or the class it stands in.
//! They are never a part of an expression, so they are blanked out wherever they stand.

use crate::lang::c::{Token, is_part, tokens};
use std::ops::Range;

/// What any word in capitals may stand before: `LIB_EXPORT @interface A`.
const DECLARATIONS: &[&[u8]] = byte_words!("class implementation interface protocol");
/// What the name of such a macro has in it.
const WITHIN: &[&[u8]] = byte_words!("AVAILABLE DEPRECATED");
/// What it begins with, or is.
const BEFORE: &[&[u8]] = byte_words!(
    "CF_RETURNS_ NS_DESIGNATED_INITIALIZER NS_REFINED_FOR_SWIFT
    NS_REQUIRES_SUPER NS_RETURNS_ NS_SWIFT_ UI_APPEARANCE_SELECTOR"
);

/// Where such macros stand, each with what it is called with, and their names; no more than `most`.
pub(super) fn find(bytes: &[u8], most: usize) -> Vec<(Range<usize>, Range<usize>)> {
    let tokens = tokens(bytes);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() && found.len() < most {
        let name = tokens[at].bytes.clone();
        let mut end = at;
        let behind = tokens.get(at + 1..at + 3).unwrap_or(&[]);
        let is_before = is_capitals(&bytes[name.clone()])
            && behind
                .first()
                .is_some_and(|mark| bytes[mark.bytes.start] == b'@')
            && behind
                .last()
                .is_some_and(|word| DECLARATIONS.contains(&&bytes[word.bytes.clone()]));
        if is_before {
            found.push((name.clone(), name.clone()));
        } else if is_attribute(&bytes[name.clone()]) {
            let call = tokens.get(at + 1).and_then(|next| next.pair);
            end = call.filter(|close| *close > at).unwrap_or(at);
            found.push((name.start..tokens[end].bytes.end, name));
        } else if let Some(close) = ending(bytes, &tokens, at) {
            end = close;
            found.push((name.start..tokens[end].bytes.end, name));
        } else if is_capitals(&bytes[name.clone()])
            && at > 0
            && bytes[tokens[at - 1].bytes.start] == b'('
            && behind
                .first()
                .is_some_and(|mark| bytes[mark.bytes.start] == b'^')
        {
            // `(void (NS_NOESCAPE ^)(id))block`.
            found.push((name.clone(), name));
        }
        at = end + 1;
    }
    found
}

/// Where what a macro in small letters is called with ends, at the end of a declaration: `- (void)a LibDeprecated("b");`.
fn ending(bytes: &[u8], tokens: &[Token], at: usize) -> Option<usize> {
    let text = |at: usize| tokens.get(at).map_or(&b""[..], |t| &bytes[t.bytes.clone()]);
    let word = text(at).to_ascii_uppercase();
    let is_named = word.len() > 8
        && (WITHIN.iter()).any(|part| word.windows(part.len()).any(|within| within == *part));
    let before = text(at.checked_sub(1)?);
    let is_behind = before == b")" || before.first().is_some_and(|b| is_part(*b));
    let close = tokens.get(at + 1)?.pair.filter(|close| *close > at)?;
    // A function may have such a name, and is declared with no text.
    let given = &bytes[tokens[at + 1].bytes.end..tokens[close].bytes.start];
    let is_call = text(close + 1) == b";" && given.trim_ascii().starts_with(b"\"");
    (is_named && is_behind && before != b"return" && is_call).then_some(close)
}

fn is_capitals(word: &[u8]) -> bool {
    let is_capital = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    word.len() > 2 && word.iter().all(|b| is_part(*b) && is_capital(b))
}

fn is_attribute(word: &[u8]) -> bool {
    word == b"__deprecated_msg"
        || word.len() > 8
            && is_capitals(word)
            && (BEFORE.iter().any(|start| word.starts_with(start))
                || WITHIN
                    .iter()
                    .any(|part| word.windows(part.len()).any(|w| w == *part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_declaration_is_found_with_what_it_is_called_with() {
        let source = b"API_AVAILABLE(ios(14.0), macos(11))\n@interface A\n+ (id)new NS_UNAVAILABLE;\n\
            - (void)a:(int)b MY_DEPRECATED(\"a)\", ios(1));\n@end\n#define NS_UNAVAILABLE x\nint MAX_DEPTH(3);\n";
        let texts: Vec<&[u8]> = find(source, 9)
            .into_iter()
            .map(|(all, _)| &source[all])
            .collect();
        let expected: [&[u8]; 3] = [
            b"API_AVAILABLE(ios(14.0), macos(11))",
            b"NS_UNAVAILABLE",
            b"MY_DEPRECATED(\"a)\", ios(1))",
        ];
        assert_eq!(texts, expected);
        assert_eq!(find(source, 1).len(), 1);
        let source = b"LIB_EXPORT @protocol A\n- (void)b __deprecated_msg(\"c\");\nreturn NO; @end\nYES @selector(a)";
        let names: Vec<&[u8]> = find(source, 9)
            .into_iter()
            .map(|(_, name)| &source[name])
            .collect();
        let expected: [&[u8]; 2] = [b"LIB_EXPORT", b"__deprecated_msg"];
        assert_eq!(names, expected);
        let source = b"- (void)a LibDeprecated(\"b\");\n- (void)c:(void (NS_NOESCAPE ^)(id))d;\nBOOL isAvailable();\n";
        let found = find(source, 9).into_iter();
        let texts: Vec<&[u8]> = found.map(|(all, _)| &source[all]).collect();
        let expected: [&[u8]; 2] = [b"LibDeprecated(\"b\")", b"NS_NOESCAPE"];
        assert_eq!(texts, expected);
    }
}
