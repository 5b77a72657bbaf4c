//! The code of a file without comments and formatting, so that two versions of it can be compared.

use std::ops::Range;
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64;

/// Stands for a definition's own name, so that renaming it changes nothing else of it.
const OWN_NAME: u64 = 0x6f77_6e5f_6e61_6d65;
/// Stands for the beginning of a line, where indentation is syntax; its depth is added.
const LINE: u64 = 0x6c69_6e65_0000_0000;

/// A word, a sign, or the beginning of a line where indentation is syntax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Byte where it begins.
    pub start: u32,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// xxh3-64 of its bytes.
    Bytes(u64),
    /// How many blocks a line lies in.
    Line(u32),
}

/// The tokens of a file, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tokens(Vec<Token>);

impl Tokens {
    /// Reads the tokens of a file. White space counts between quotes only (as far as one line tells) and,
    /// where it is `indented`, at the beginning of lines outside of brackets. `comments` are in order. A comma behind the
    /// last of a list is formatting, too, but for the one that makes `(a,)` a tuple.
    pub fn of(bytes: &[u8], comments: &[Range<u32>], indented: bool) -> Self {
        let mut lexer = Lexer {
            bytes,
            tokens: Vec::with_capacity(bytes.len() / 4),
            signs: signs(),
            brackets: 0,
            lists: Vec::new(),
            levels: vec![0],
        };
        let (mut comments, mut quote, mut is_line_start) = (comments, None, true);
        let mut at = 0usize;
        while at < bytes.len() {
            // A comment is passed over from where it begins, or from within.
            let mut limit = bytes.len();
            if let [comment, rest @ ..] = comments {
                let (start, end) = (comment.start as usize, comment.end as usize);
                if end <= at {
                    comments = rest;
                    continue;
                }
                if start <= at {
                    at = end;
                    continue;
                }
                limit = start.min(limit);
            }
            while at < limit {
                let byte = bytes[at];
                let class = CLASSES[usize::from(byte)];
                if class == Class::Space {
                    match (byte, quote) {
                        (b'\n', _) => (quote, is_line_start) = (None, true),
                        (_, Some(_)) => lexer.push_sign(at),
                        (_, None) => {}
                    }
                    at += 1;
                    continue;
                }
                if std::mem::take(&mut is_line_start) && indented {
                    lexer.begin_line(at);
                }
                if class == Class::Word {
                    let end = lexer.word_end(at);
                    lexer.push(at, end);
                    at = end;
                    continue;
                }
                if quote.is_none() {
                    lexer.list(at);
                }
                lexer.push_sign(at);
                match byte {
                    b'"' | b'\'' | b'`' if quote == Some(byte) => quote = None,
                    b'"' | b'\'' | b'`' if quote.is_none() => quote = Some(byte),
                    b'(' | b'[' | b'{' => lexer.brackets += 1,
                    b')' | b']' | b'}' => lexer.brackets = lexer.brackets.saturating_sub(1),
                    _ => {}
                }
                at += 1;
            }
        }
        Self(lexer.tokens)
    }

    /// The tokens that begin in a range of bytes.
    pub fn within(&self, bytes: &Range<u32>) -> &[Token] {
        let first = self.0.partition_point(|token| token.start < bytes.start);
        let after = self.0.partition_point(|token| token.start < bytes.end);
        &self.0[first..after.max(first)]
    }
}

/// What a byte is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Word,
    Sign,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Sign; 256];
    let mut byte = 0;
    while byte < 256 {
        let of = byte as u8;
        if of.is_ascii_whitespace() {
            classes[byte] = Class::Space;
        } else if of.is_ascii_alphanumeric() || of == b'_' || !of.is_ascii() {
            classes[byte] = Class::Word;
        }
        byte += 1;
    }
    classes
};

/// The tokens that signs are.
fn signs() -> &'static [u64; 256] {
    static SIGNS: OnceLock<[u64; 256]> = OnceLock::new();
    SIGNS.get_or_init(|| std::array::from_fn(|byte| xxh3_64(&[byte as u8])))
}

/// Tokens under construction.
struct Lexer<'a> {
    bytes: &'a [u8],
    tokens: Vec<Token>,
    signs: &'static [u64; 256],
    brackets: usize,
    /// The lists that are open, outermost first.
    lists: Vec<List>,
    /// Columns of the blocks that are open.
    levels: Vec<usize>,
}

/// What stands between brackets.
struct List {
    /// Whether it is what something takes or is given: its bracket stands right behind a name.
    is_given: bool,
    commas: usize,
}

impl Lexer<'_> {
    /// Counts the commas between brackets, and takes away the one behind the last of a list.
    fn list(&mut self, at: usize) {
        match self.bytes[at] {
            b',' => {
                if let Some(list) = self.lists.last_mut() {
                    list.commas += 1;
                }
            }
            open @ (b'(' | b'[' | b'{') => {
                let before = at.checked_sub(1).map(|before| self.bytes[before]);
                let is_named =
                    |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'>');
                let is_given = open == b'(' && before.is_some_and(is_named);
                let commas = 0;
                self.lists.push(List { is_given, commas });
            }
            b')' | b']' | b'}' => {
                let list = self.lists.pop();
                let is_list = list.is_some_and(|list| list.is_given || list.commas > 1);
                let byte = |token: &Token| self.bytes.get(token.start as usize).copied();
                if let [.., one, last] = &self.tokens[..]
                    && byte(last) == Some(b',')
                    && is_list
                    && !matches!(byte(one), Some(b',' | b'(' | b'[' | b'{'))
                {
                    self.tokens.pop();
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, start: usize, end: usize) {
        let what = What::Bytes(xxh3_64(&self.bytes[start..end]));
        let start = start as u32;
        self.tokens.push(Token { start, what });
    }

    /// Adds what is of one byte.
    fn push_sign(&mut self, at: usize) {
        let what = What::Bytes(self.signs[usize::from(self.bytes[at])]);
        let start = at as u32;
        self.tokens.push(Token { start, what });
    }

    /// Where the word at a place ends.
    fn word_end(&self, start: usize) -> usize {
        let mut rest = self.bytes[start..].iter();
        let word = rest.position(|byte| CLASSES[usize::from(*byte)] != Class::Word);
        word.map_or(self.bytes.len(), |length| start + length)
    }

    /// Says how deep a line lies that begins at a byte.
    fn begin_line(&mut self, at: usize) {
        if self.brackets > 0 {
            return;
        }
        let line = memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |end| end + 1);
        let (column, start) = (at - line, at as u32);
        while self.levels.last().is_some_and(|level| *level > column) {
            self.levels.pop();
        }
        if self.levels.last().is_none_or(|level| *level < column) {
            self.levels.push(column);
        }
        let what = What::Line(self.levels.len() as u32);
        self.tokens.push(Token { start, what });
    }
}

/// What tokens are, as one number, with a definition's own names left out.
pub fn digest<'a>(tokens: impl Iterator<Item = &'a Token> + Clone, own: OwnNames) -> u64 {
    let (mut sum, mut has_lines) = (Sum::default(), false);
    for token in tokens.clone() {
        match token.what {
            What::Bytes(hash) => sum.add(own.mask(hash)),
            What::Line(_) => {
                has_lines = true;
                break;
            }
        }
    }
    if has_lines {
        sum = Sum::default();
        masked(tokens, own).for_each(|token| sum.add(token));
    }
    sum.number()
}

/// Some hashes, mixed in their order. They are hashes already, so little is needed of each; two sequences of which
/// one token differs are never the same.
#[derive(Default)]
struct Sum(u64);

impl Sum {
    fn add(&mut self, token: u64) {
        self.0 = (self.0.rotate_left(26) ^ token).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn number(&self) -> u64 {
        xxh3_64(&self.0.to_le_bytes())
    }
}

/// The names that a definition has or had, as tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnNames([u64; 2]);

impl OwnNames {
    /// The one name of a definition.
    pub fn one(name: u64) -> Self {
        Self([name, name])
    }

    /// Those of a definition that may have been renamed: a parameter that was called like it stays what it is.
    pub fn both(before: u64, after: u64) -> Self {
        Self([before, after])
    }

    fn mask(self, token: u64) -> u64 {
        match self.0.contains(&token) {
            true => OWN_NAME,
            false => token,
        }
    }
}

/// Tokens as numbers: a definition's own names left out, and lines as deep as they lie in what is given.
pub fn masked<'a>(
    tokens: impl Iterator<Item = &'a Token> + Clone,
    own: OwnNames,
) -> impl Iterator<Item = u64> {
    let depths = tokens.clone().filter_map(|token| match token.what {
        What::Line(depth) => Some(depth),
        What::Bytes(_) => None,
    });
    let least = depths.min().unwrap_or(0);
    tokens.map(move |token| match token.what {
        What::Bytes(hash) => own.mask(hash),
        What::Line(depth) => LINE + u64::from(depth - least),
    })
}

/// The token that a name is.
pub fn name_token(name: &[u8]) -> u64 {
    xxh3_64(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest_of(text: &str, comments: &[Range<u32>], indented: bool) -> u64 {
        let tokens = Tokens::of(text.as_bytes(), comments, indented);
        digest(
            tokens.within(&(0..text.len() as u32)).iter(),
            OwnNames::one(name_token(b"f")),
        )
    }

    #[test]
    fn formatting_and_comments_are_nothing() {
        let code = digest_of("fn f(a: u8) { a+1 }", &[], false);
        assert_ne!(digest_of("fn f(a: u8) { 1+a }", &[], false), code);
        assert_ne!(digest_of("", &[], false), digest_of("f", &[], false));
        assert_eq!(digest_of("fn f(a: u8)\n{\n  a + 1\n}\n", &[], false), code);
        assert_eq!(
            digest_of(
                "fn f(a: u8) { /* a */ a+1 }",
                std::slice::from_ref(&(14..21)),
                false
            ),
            code
        );
        assert_ne!(digest_of("fn f(a: u8) { a+2 }", &[], false), code);
        assert_ne!(digest_of("fn f(a: u8) { a+ 1 1 }", &[], false), code);
    }

    #[test]
    fn a_comma_behind_the_last_is_formatting() {
        let of = |text: &str| digest_of(text, &[], false);
        for (one, other) in [
            ("fn f(a: u8, b: u8) {}", "fn f(\n  a: u8,\n  b: u8,\n) {}"),
            ("f(a)", "f(a,)"),
            ("f<T>(a)", "f<T>(\n  a,\n)"),
            ("x = [1, 2]", "x = [\n  1,\n  2, // two\n]"),
            ("x = (1, 2)", "x = (1, 2,)"),
            ("g(f(1), (2,))", "g(f(1,), (2,),)"),
        ] {
            let comments: Vec<Range<u32>> = other
                .find("//")
                .map(|at| at as u32..at as u32 + 6)
                .into_iter()
                .collect();
            assert_eq!(of(one), digest_of(other, &comments, false), "{other}");
        }
        for (one, other) in [
            ("x = (1)", "x = (1,)"),
            ("return (a)", "return (\n  a,\n)"),
            ("let x: (T,) = y", "let x: (T) = y"),
            ("x = [a,, ]", "x = [a]"),
            ("f(,)", "f()"),
            ("f(\"a,)\")", "f(\"a)\")"),
        ] {
            assert_ne!(of(one), of(other), "{other}");
        }
    }

    #[test]
    fn its_own_name_is_nothing_and_space_in_strings_is_something() {
        let named = |name: &str| {
            let text = format!("def {name}(x): return {name}(x - 1)");
            let tokens = Tokens::of(text.as_bytes(), &[], false);
            let own = OwnNames::one(name_token(name.as_bytes()));
            digest(tokens.within(&(0..text.len() as u32)).iter(), own)
        };
        assert_eq!(named("f"), named("other"));
        let (one, two) = ("x = \"a b\"", "x = \"a  b\"");
        assert_ne!(digest_of(one, &[], false), digest_of(two, &[], false));
        // A lone apostrophe ends with its line.
        let (one, two) = ("fn a<'a>() {\n  x  y }", "fn a<'a>() {\n  x y }");
        assert_eq!(digest_of(one, &[], false), digest_of(two, &[], false));
    }

    #[test]
    fn indentation_counts_where_it_is_syntax() {
        let inside = "for x in y:\n    a(x)\n    b()\n";
        let outside = "for x in y:\n    a(x)\nb()\n";
        let wider = "for x in y:\n        a(x)\n        b()\n";
        assert_ne!(digest_of(inside, &[], true), digest_of(outside, &[], true));
        assert_eq!(
            digest_of(inside, &[], false),
            digest_of(outside, &[], false)
        );
        assert_eq!(digest_of(inside, &[], true), digest_of(wider, &[], true));
        let broken = "f(a,\n      b)\n";
        assert_eq!(
            digest_of(broken, &[], true),
            digest_of("f(a, b)\n", &[], true)
        );
    }
}
