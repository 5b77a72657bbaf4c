//! What of a document of an index becomes facts.

use crate::limits::MAX_PARSED_BYTES;
use crate::scip::symbol::{Parsed, Symbol, parse};
use crate::scip::{Document, Occurrence, Unit};
use crate::secrets;
use crate::store::facts::{BlobFacts, Lines};
use rustc_hash::FxHashSet;

/// Of so many names one may stand elsewhere than an index says, and one more, before it is about another content.
/// Indexers are not exact: the range of an alias, a name that is written otherwise. Of their own contents about
/// one name in a hundred differs.
const EXACT: usize = 8;

/// The symbols that an index defines.
#[derive(Default)]
pub(super) struct Symbols {
    defined: FxHashSet<Symbol>,
    packages: FxHashSet<String>,
}

/// What a document says.
pub(super) enum Read {
    /// It is about another content.
    OfAnother,
    /// Facts, and how many occurrences are none.
    Facts {
        /// The facts.
        facts: BlobFacts,
        /// Occurrences that were left out.
        left_out: usize,
    },
}

impl Symbols {
    /// Notes what a document defines.
    pub fn define(&mut self, document: &Document) {
        for found in document.occurrences.iter().filter(|o| o.is_definition) {
            let Some(Parsed { symbol, .. }) = parse(&found.symbol) else {
                continue;
            };
            if !self.packages.contains(symbol.package()) {
                self.packages.insert(symbol.package().to_owned());
            }
            self.defined.insert(symbol);
        }
    }

    /// Whether a symbol leads somewhere: out of the packages that the index defines symbols of, or to one of
    /// these.
    fn leads(&self, symbol: &Symbol) -> bool {
        self.defined.contains(symbol) || !self.packages.contains(symbol.package())
    }

    /// Takes what a document says of a content, as far as the names of symbols stand there.
    pub fn facts(&self, document: &Document, content: &[u8]) -> Read {
        let is_other = document
            .text
            .as_ref()
            .is_some_and(|text| text.as_bytes() != content);
        if is_other || content.len() > MAX_PARSED_BYTES {
            return Read::OfAnother;
        }
        // What looks like a secret is no name, here as anywhere.
        let masked = secrets::mask(content);
        let lines = Lines::of(&masked);
        let mut definitions: Vec<(u32, u32, Symbol)> = Vec::new();
        let mut uses: Vec<(u32, u32, Symbol)> = Vec::new();
        let (mut named, mut exact, mut left_out) = (0, 0, 0);
        for found in &document.occurrences {
            let Some(parsed) = parse(&found.symbol) else {
                continue;
            };
            // Where a constructor is written its type's name need not stand.
            if parsed.is_constructor && found.is_definition {
                continue;
            }
            named += 1;
            let at = place(&lines, document.unit, found, parsed.symbol.name());
            exact += usize::from(at.is_some());
            let symbol = parsed.symbol;
            let Some((line, col)) = at.filter(|_| self.leads(&symbol)) else {
                left_out += 1;
                continue;
            };
            let list = match found.is_definition {
                true => &mut definitions,
                false => &mut uses,
            };
            list.push((line, col, symbol));
        }
        if named - exact > 1 + named / EXACT {
            return Read::OfAnother;
        }
        fn borrowed(all: &[(u32, u32, Symbol)]) -> impl Iterator<Item = (u32, u32, &Symbol)> {
            all.iter().map(|(line, col, symbol)| (*line, *col, symbol))
        }
        Read::Facts {
            facts: BlobFacts::of(borrowed(&definitions), borrowed(&uses)),
            left_out,
        }
    }
}

/// The line and byte column of an occurrence, when the name stands there.
fn place(
    lines: &Lines<'_>,
    unit: Option<Unit>,
    found: &Occurrence,
    name: &str,
) -> Option<(u32, u32)> {
    let line = found.line.checked_add(1)?;
    let text = std::str::from_utf8(lines.get(line)?).ok()?;
    let units: &[Unit] = match &unit {
        Some(unit) => std::slice::from_ref(unit),
        // Most indexers do not say; where it matters, one of them is where the name stands.
        None => &[Unit::Utf16, Unit::Utf8, Unit::Utf32],
    };
    let columns = units
        .iter()
        .filter_map(|unit| u32::try_from(unit.byte(text, found.start as usize)?).ok());
    let mut here = columns.filter(|col| lines.has(line, *col, name));
    Some((line, here.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, start: u32, symbol: &str, is_definition: bool) -> Occurrence {
        Occurrence {
            line,
            start,
            end: start + 1,
            symbol: format!("scip-test x shop 1.0 {symbol}"),
            is_definition,
        }
    }

    fn document(occurrences: Vec<Occurrence>) -> Document {
        Document {
            path: "a.ts".into(),
            occurrences,
            ..Document::default()
        }
    }

    fn said(facts: &BlobFacts) -> Vec<(u32, u32, String)> {
        let all = facts.all();
        all.map(|(line, col, symbol)| {
            let text = symbol.text().rsplit(' ').next().unwrap_or_default();
            (line, col, text.to_owned())
        })
        .collect()
    }

    #[test]
    fn what_stands_where_it_is_said_to_stand_is_a_fact() {
        let one = document(vec![
            at(0, 9, "`a.ts`/add().", true),
            at(1, 9, "`a.ts`/add().", false),
            at(1, 13, "`a.ts`/T#typeLiteral0:x.", true),
            at(2, 0, "`a.ts`/gone().", false),
            at(2, 0, "`a.ts`/", true),
            at(0, 9, "`b.ts`/add().", false),
        ]);
        let other = document(vec![at(0, 0, "`b.ts`/T#typeLiteral0:x.", false)]);
        let mut symbols = Symbols::default();
        symbols.define(&one);
        symbols.define(&other);
        let text = "function add() {}\n/* 🦀 */ add(x)\nother\n".as_bytes();
        let Read::Facts { facts, left_out } = symbols.facts(&one, text) else {
            panic!("it is about this content");
        };
        assert_eq!(
            said(&facts),
            [
                (1, 9, "`a.ts`/add().".to_owned()),
                (2, 15, "`a.ts`/T#typeLiteral:x.".to_owned()),
                (2, 11, "`a.ts`/add().".to_owned()),
            ],
            "columns are bytes, and numbers are left out"
        );
        assert_eq!(left_out, 2, "gone is not there, b.ts does not define add");
        let Read::Facts { facts, left_out } = symbols.facts(&other, b"x") else {
            panic!("it is about this content");
        };
        assert!(facts.is_empty());
        assert_eq!(left_out, 1, "nobody defines that literal");
    }

    #[test]
    fn a_document_of_another_content_is_set_aside() {
        let text = b"a\nb\nc\nd\n";
        let all = |shift: u32| {
            let names = ["a", "b", "c", "d"].into_iter().zip(shift..);
            names.map(|(name, line)| at(line, 0, &format!("{name}()."), true))
        };
        let symbols = Symbols::default();
        let read = |document: &Document| symbols.facts(document, text);
        assert!(matches!(
            read(&document(all(0).collect())),
            Read::Facts { .. }
        ));
        assert!(matches!(read(&document(all(1).collect())), Read::OfAnother));
        let mut said = document(all(0).collect());
        said.text = Some("a\nb\nc\nd\n".into());
        assert!(matches!(read(&said), Read::Facts { .. }));
        said.text = Some("a\nb\nc\nd".into());
        assert!(matches!(read(&said), Read::OfAnother));
    }
}
