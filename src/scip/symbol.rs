//! The names that indexers give to what programs define, and what of them holds beyond one run.
//!
//! `scip-typescript npm @shop/cart 1.2.0 src/`cart.ts`/Cart#add().` is a scheme, a package (manager, name,
//! version) and descriptors, from the outermost in. Two runs of an indexer agree in it as long as nothing in
//! it has changed. What changes by itself is left out: the version, with each release and with some indexers each
//! commit, and what is numbered in the order of a file (`typeLiteral3:`, overloads). What only a number tells
//! apart is one symbol then, with several definitions.

use crate::limits::{MAX_NAME_BYTES, MAX_SYMBOL_BYTES};
use std::ops::Range;

/// What something is called wherever it is named: without version and numbers, and with a name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol {
    text: Box<str>,
    /// Where the name starts in the text, and where it ends.
    name: (u32, u32),
    /// Where the package ends in the text.
    package: u32,
    /// Whether several of one name may have been told apart by numbers.
    was_numbered: bool,
}

/// A symbol as an index writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// What is kept of it.
    pub symbol: Symbol,
    /// Whether a function is meant that makes objects of the type that the symbol is.
    pub is_constructor: bool,
}

impl Symbol {
    /// Takes a symbol as it was stored; `None` for what is none.
    pub fn stored(text: &str) -> Option<Self> {
        let (found, rest) = parts(text, 3)?;
        let parsed = of_descriptors(&text[..found], rest)?;
        let is_itself = *parsed.symbol.text == *text && !parsed.is_constructor;
        is_itself.then_some(parsed.symbol)
    }

    /// Scheme, manager, package and descriptors.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether several of one name may have been told apart by numbers, so that of several definitions one is
    /// meant. (Of overloads, which are named in one place, all are.)
    pub fn was_numbered(&self) -> bool {
        self.was_numbered
    }

    /// What stands wherever it is named.
    pub fn name(&self) -> &str {
        let range = self.name.0 as usize..self.name.1 as usize;
        self.text.get(range).unwrap_or_default()
    }

    /// Scheme, manager and package.
    pub fn package(&self) -> &str {
        self.text.get(..self.package as usize).unwrap_or_default()
    }
}

/// Takes a symbol apart. `None` for what is local to a document, has no name that stands in the code
/// (packages, modules), is too long, is no symbol, or would be none without its numbers.
pub fn parse(text: &str) -> Option<Parsed> {
    if text.starts_with("local ") {
        return None;
    }
    let (package, rest) = parts(text, 3)?;
    let (_, descriptors) = parts(rest, 1)?;
    let parsed = of_descriptors(&text[..package], descriptors)?;
    let stored = Symbol::stored(&parsed.symbol.text);
    (stored.as_ref() == Some(&parsed.symbol)).then_some(parsed)
}

/// The length of so many parts of a symbol, without the space behind the last, and what follows that. A space
/// in a part is written twice.
fn parts(text: &str, count: usize) -> Option<(usize, &str)> {
    let mut left = count;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b' ' {
            if bytes.get(at + 1) == Some(&b' ') {
                at += 1;
            } else {
                left -= 1;
                if left == 0 {
                    return Some((at, text.get(at + 1..)?));
                }
            }
        }
        at += 1;
    }
    None
}

/// What a descriptor describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Suffix {
    Namespace,
    Type,
    Term,
    Method,
    Parameter,
    Meta,
    Macro,
}

/// One descriptor: where its name stands, and where it ends.
struct Descriptor {
    name: Range<usize>,
    suffix: Suffix,
    end: usize,
}

/// Names that stand for the functions that make objects of a type.
const CONSTRUCTORS: [&str; 2] = ["<constructor>", "<init>"];
/// What is put before the names of functions that stand for a property.
const ACCESSORS: [&str; 2] = ["<get>", "<set>"];

fn of_descriptors(package: &str, text: &str) -> Option<Parsed> {
    let mut out = format!("{package} ");
    let mut was_numbered = false;
    // What is left of the last two descriptors: where the name stands, what they are, and where they end.
    let mut before: Option<(Range<usize>, Suffix, usize)> = None;
    let mut last: Option<(Range<usize>, Suffix, usize)> = None;
    let mut at = 0;
    while at < text.len() || last.is_none() {
        let next = descriptor(text, at)?;
        let name = match next.suffix {
            // Indexers number what has no name: `typeLiteral3:`.
            Suffix::Meta => text[next.name.clone()].trim_end_matches(|c: char| c.is_ascii_digit()),
            _ => &text[next.name.clone()],
        };
        was_numbered |= next.suffix == Suffix::Meta;
        out.push_str(&text[at..next.name.start]);
        let start = out.len();
        out.push_str(name);
        let range = start..out.len();
        match next.suffix {
            // Without what tells overloads apart.
            Suffix::Method => {
                let quote = text[next.name.end..].starts_with('`');
                out.push_str(if quote { "`()." } else { "()." });
            }
            _ => out.push_str(&text[next.name.end..next.end]),
        }
        at = next.end;
        before = last.replace((range, next.suffix, out.len()));
    }
    let mut last = last?;
    let is_constructor = CONSTRUCTORS.contains(&&out[last.0.clone()]);
    if is_constructor {
        last = before.filter(|(_, suffix, _)| *suffix == Suffix::Type)?;
        out.truncate(last.2);
    }
    let (own, suffix, _) = last;
    if matches!(suffix, Suffix::Namespace | Suffix::Meta) {
        return None;
    }
    let accessor = ACCESSORS
        .iter()
        .find(|prefix| out[own.clone()].starts_with(**prefix));
    let start = own.start + accessor.map_or(0, |prefix| prefix.len());
    let name = &out[start..own.end];
    let is_name = (1..=MAX_NAME_BYTES).contains(&name.len())
        && !name.contains(|c: char| c == '`' || c.is_control() || c.is_whitespace());
    (is_name && out.len() <= MAX_SYMBOL_BYTES).then(|| Parsed {
        symbol: Symbol {
            name: (start as u32, own.end as u32),
            package: package.len() as u32,
            was_numbered,
            text: out.into(),
        },
        is_constructor,
    })
}

/// Reads the descriptor that starts at a byte.
fn descriptor(text: &str, start: usize) -> Option<Descriptor> {
    let open = text.as_bytes().get(start)?;
    let close = match open {
        b'[' => "]",
        b'(' => ")",
        _ => {
            let (name, end) = identifier(text, start)?;
            let rest = &text[end..];
            let suffix = match rest.as_bytes().first()? {
                b'/' => Suffix::Namespace,
                b'#' => Suffix::Type,
                b'.' => Suffix::Term,
                b':' => Suffix::Meta,
                b'!' => Suffix::Macro,
                b'(' => {
                    let (mark, _) = rest[1..].split_once(").")?;
                    return Some(Descriptor {
                        name,
                        suffix: Suffix::Method,
                        end: end + 1 + mark.len() + 2,
                    });
                }
                _ => return None,
            };
            return Some(Descriptor {
                name,
                suffix,
                end: end + 1,
            });
        }
    };
    let (name, end) = identifier(text, start + 1)?;
    text[end..].starts_with(close).then_some(Descriptor {
        name,
        suffix: Suffix::Parameter,
        end: end + 1,
    })
}

/// Where a name stands that starts at a byte, and where what follows it does. Between backticks it may hold
/// anything.
fn identifier(text: &str, start: usize) -> Option<(Range<usize>, usize)> {
    let rest = text.get(start..)?;
    let Some(quoted) = rest.strip_prefix('`') else {
        let len = rest.find(['/', '#', '.', ':', '!', '(', ')', '[', ']', '`'])?;
        return (len > 0).then_some((start..start + len, start + len));
    };
    let mut from = 0;
    loop {
        let at = from + quoted[from..].find('`')?;
        if quoted[at + 1..].starts_with('`') {
            from = at + 2;
            continue;
        }
        let end = start + 1 + at;
        return Some((start + 1..end, end + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Option<(String, String, bool, bool)> {
        let Parsed {
            symbol,
            is_constructor,
        } = parse(text)?;
        assert!(symbol.text().starts_with(symbol.package()));
        let was_numbered = symbol.was_numbered();
        let (text, name) = (symbol.text().to_owned(), symbol.name().to_owned());
        Some((text, name, was_numbered, is_constructor))
    }

    #[test]
    fn what_holds_beyond_one_run_is_kept() {
        const NUMBERED: &str = "numbered";
        const MAKES: &str = "makes";
        for (text, want, name, what) in [
            (
                "scip-typescript npm @shop/cart 1.2.0 src/`cart.ts`/Cart#add().",
                "scip-typescript npm @shop/cart src/`cart.ts`/Cart#add().",
                "add",
                "",
            ),
            (
                "scip-typescript npm . . `a.ts`/Cart#`<get>total`().",
                "scip-typescript npm . `a.ts`/Cart#`<get>total`().",
                "total",
                "",
            ),
            (
                "scip-typescript npm . . `a.ts`/Cart#`<constructor>`().",
                "scip-typescript npm . `a.ts`/Cart#",
                "Cart",
                MAKES,
            ),
            (
                "semanticdb maven maven/a  b 1 p/Cart#`<init>`(+1).",
                "semanticdb maven maven/a  b p/Cart#",
                "Cart",
                MAKES,
            ),
            (
                "semanticdb maven m 1 p/Cart#add(+1).",
                "semanticdb maven m p/Cart#add().",
                "add",
                "",
            ),
            (
                "semanticdb maven m 1 p/Cart#`add it`(+1).(line)",
                "semanticdb maven m p/Cart#`add it`().(line)",
                "line",
                "",
            ),
            (
                "scip-typescript npm . . `a.ts`/T#typeLiteral10:`'x y'2`:z.",
                "scip-typescript npm . `a.ts`/T#typeLiteral:`'x y'`:z.",
                "z",
                NUMBERED,
            ),
            (
                "scip-python python click 2c8c `src.click`/f().(ctx)",
                "scip-python python click `src.click`/f().(ctx)",
                "ctx",
                "",
            ),
            (
                "rust-analyzer cargo c 1 m/impl#[T]f().",
                "rust-analyzer cargo c m/impl#[T]f().",
                "f",
                "",
            ),
        ] {
            let (numbered, makes) = (what == NUMBERED, what == MAKES);
            let want = (want.to_owned(), name.to_owned(), numbered, makes);
            assert_eq!(one(text).as_ref(), Some(&want), "{text}");
            let stored = Symbol::stored(&want.0).unwrap();
            assert_eq!((stored.text(), stored.name()), (&*want.0, &*want.1));
            assert_eq!(stored.was_numbered(), numbered);
        }
        for text in [
            "semanticdb maven m p/Cart#add(+1).",
            "scip-typescript npm . `a.ts`/T#typeLiteral0:x.",
            "scip-typescript npm . `a.ts`/Cart#`<constructor>`().",
        ] {
            assert_eq!(Symbol::stored(text), None, "{text}");
        }
        // What would be left could not be read again.
        for text in [
            "scip-typescript npm . . `a.ts`/T#3:z.",
            "scip-typescript npm . . `a.ts`/`<constructor>`#`<constructor>`().",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_has_no_name_is_nothing() {
        for text in [
            "",
            "local 3",
            "scip-python python click 1 `a.b`/__init__:",
            "scip-typescript npm . . `a.ts`/",
            "scip-typescript npm . . `a.ts`/key0:",
            "scip-typescript npm . . `a.ts/f().",
            "scip-typescript npm . . `a.ts`/f()",
            "scip-typescript npm . . `a.ts`/f(",
            "scip-typescript npm . . `a.ts`/`<constructor>`().",
            "scip-typescript npm . . ",
            "scip-typescript npm . .",
            "a b c d e",
            "a b c d `x y`.",
            "a b c d `x``y`.",
            "a b c d [",
            "a b c d [x",
            "a b c d ().",
        ] {
            assert_eq!(one(text), None, "{text}");
        }
        let long = |n| format!("a b c d {}.", "x".repeat(n));
        assert!(one(&long(MAX_NAME_BYTES)).is_some());
        assert!(one(&long(MAX_NAME_BYTES + 1)).is_none());
        let deep = format!("a b c d {}x.", "y/".repeat(MAX_SYMBOL_BYTES));
        assert!(one(&deep).is_none());
    }
}
