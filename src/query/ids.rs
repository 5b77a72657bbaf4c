//! Symbol ids: `path::Qualified.name#kind[~n]`.
//!
//! An id survives edits of the body and moves inside the file; it changes with the path, the name,
//! the containers or the kind. `~n` (from 2) tells apart symbols that agree in all of these, in
//! source order.

use crate::extract::record::{Symbol, SymbolKind};
use crate::id::{DocId, NameId};
use crate::segment::Segment;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A name, and the line (from 1) and byte column where it is said to stand; `None` where the segment
/// does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The name.
    pub name: NameId,
    /// Its place.
    pub at: Option<(u32, u32)>,
}

/// The symbols of one document with their names at hand, as the segment has them: to be compared, not
/// to be shown. What is shown comes by way of [`super::verified`].
pub struct DocSymbols<'a> {
    segment: &'a Segment,
    symbols: Vec<Symbol<NameId>>,
    /// Which of its like each symbol is, once one was asked for that has some: a file may have thousands of one name.
    ordinals: OnceLock<Vec<usize>>,
}

impl<'a> DocSymbols<'a> {
    /// Decodes the symbols of a document.
    pub fn load(segment: &'a Segment, doc: DocId) -> Self {
        Self {
            segment,
            symbols: segment.symbols(doc).collect(),
            ordinals: OnceLock::new(),
        }
    }

    /// The symbols, in source order.
    pub fn all(&self) -> &[Symbol<NameId>] {
        &self.symbols
    }

    /// Symbol number `index`; `None` past the end.
    pub fn get(&self, index: usize) -> Option<&Symbol<NameId>> {
        self.symbols.get(index)
    }

    /// A symbol's own name.
    pub fn name(&self, index: usize) -> String {
        self.symbols
            .get(index)
            .map(|s| self.text(s.name))
            .unwrap_or_default()
    }

    /// A symbol's name with its containers, outermost first, joined by dots.
    pub fn qualified(&self, index: usize) -> String {
        let names = self.names(index).into_iter();
        names
            .map(|name| self.text(name.name))
            .collect::<Vec<String>>()
            .join(".")
    }

    /// The names that a symbol's qualified name is made of, outermost first. A heading stands for itself: a
    /// chain of headings is no name.
    pub fn names(&self, index: usize) -> Vec<Placed> {
        let mut parts = Vec::new();
        let mut at = Some(index);
        while let Some(symbol) = at.and_then(|i| self.symbols.get(i)) {
            let place = (symbol.name_line, symbol.name_col);
            parts.push(Placed {
                name: symbol.name,
                at: Some(place),
            });
            parts.extend(symbol.receiver.map(|name| Placed { name, at: None }));
            // Containers come before what they contain, so the walk ends.
            at = symbol
                .container
                .map(|c| c as usize)
                .filter(|c| Some(*c) < at);
            if matches!(symbol.kind, SymbolKind::Section | SymbolKind::Test) {
                break;
            }
        }
        parts.reverse();
        parts
    }

    /// Which of the symbols that agree with it in name, containers and kind a symbol is, from 1.
    pub fn ordinal(&self, index: usize) -> usize {
        let Some(symbol) = self.symbols.get(index) else {
            return 1;
        };
        let mut before = self.symbols[..index].iter();
        if !before.any(|s| s.name == symbol.name && s.kind == symbol.kind) {
            return 1;
        }
        let ordinals = self.ordinals.get_or_init(|| self.ordinals());
        ordinals.get(index).copied().unwrap_or(1)
    }

    fn ordinals(&self) -> Vec<usize> {
        let mut counts: FxHashMap<(SymbolKind, String), usize> = FxHashMap::default();
        let all = self.symbols.iter().enumerate();
        let numbered = all.map(|(index, symbol)| {
            let count = counts.entry((symbol.kind, self.qualified(index)));
            let count = count.or_default();
            *count += 1;
            *count
        });
        numbered.collect()
    }

    /// The id of a symbol of a file at `path`.
    pub fn id(&self, index: usize, path: &str) -> Option<String> {
        let kind = self.symbols.get(index)?.kind.label();
        let id = format!("{path}::{}#{kind}", self.qualified(index));
        Some(match self.ordinal(index) {
            0 | 1 => id,
            more => format!("{id}~{more}"),
        })
    }

    /// The innermost symbol that a line lies in.
    pub fn around(&self, line: u32) -> Option<usize> {
        let at = |symbol: &Symbol<NameId>| symbol.start_line <= line && line <= symbol.end_line;
        self.symbols.iter().rposition(at)
    }

    /// The symbols that some lines mean: those of exactly these lines, else the innermost around all of
    /// them, else the outermost that overlap them. Of one line it is the innermost there.
    pub fn of_lines(&self, first: u32, last: u32) -> Vec<usize> {
        let all = || self.symbols.iter().enumerate();
        let exact = |symbol: &Symbol<NameId>| (symbol.start_line, symbol.end_line) == (first, last);
        if first < last {
            let exact: Vec<usize> = all().filter(|(_, s)| exact(s)).map(|(i, _)| i).collect();
            if !exact.is_empty() {
                return exact;
            }
        }
        let around: Vec<usize> = all()
            .filter(|(_, s)| s.start_line <= first && last <= s.end_line)
            .map(|(i, _)| i)
            .collect();
        let holds_another = |outer: usize| {
            let mut inner = around.iter().filter(|inner| **inner > outer);
            inner.any(|inner| self.is_within(*inner, outer))
        };
        let innermost: Vec<usize> = (around.iter().copied())
            .filter(|i| !holds_another(*i))
            .collect();
        if !innermost.is_empty() || first == last {
            return innermost;
        }
        let has_some = |i: usize| {
            let symbol = self.symbols.get(i);
            symbol.is_some_and(|s| s.start_line <= last && first <= s.end_line)
        };
        let container = |i: usize| self.symbols[i].container.map(|c| c as usize);
        (0..self.symbols.len())
            .filter(|i| has_some(*i) && !container(*i).is_some_and(has_some))
            .collect()
    }

    /// The innermost symbol that contains a place.
    pub fn enclosing(&self, line: u32, col: u32) -> Option<usize> {
        // Symbols are ordered by start, so the last one that starts before the place and ends
        // after it is the innermost.
        let end = self
            .symbols
            .partition_point(|s| (s.start_line, s.start_col) <= (line, col));
        let at = end.checked_sub(1)?;
        // Walking up the containers visits every enclosing symbol; siblings are skipped.
        let mut candidate = Some(at);
        while let Some(i) = candidate {
            let symbol = &self.symbols[i];
            if (line, col) < (symbol.end_line, symbol.end_col) {
                return Some(i);
            }
            candidate = symbol.container.map(|c| c as usize).filter(|c| *c < i);
        }
        None
    }

    /// Whether a symbol is another one or nested in it, at any depth.
    pub fn is_within(&self, inner: usize, outer: usize) -> bool {
        let mut at = Some(inner);
        while let Some(i) = at {
            if i == outer {
                return true;
            }
            // Containers come before what they contain, so the walk ends.
            let container = self.get(i).and_then(|symbol| symbol.container);
            at = container.map(|c| c as usize).filter(|c| *c < i);
        }
        false
    }

    /// The line on which the outermost definition around one begins; 0 where there is none.
    pub fn outermost(&self, index: usize) -> u32 {
        let mut line = 0;
        let mut at = Some(index);
        while let Some(i) = at {
            let symbol = self.get(i);
            line = symbol.map_or(line, |symbol| symbol.start_line);
            let container = symbol.and_then(|symbol| symbol.container);
            at = container.map(|c| c as usize).filter(|c| *c < i);
        }
        line
    }

    /// The bytes of a name.
    pub fn bytes(&self, id: NameId) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.segment.name(id, &mut bytes);
        bytes
    }

    fn text(&self, id: NameId) -> String {
        String::from_utf8_lossy(&self.bytes(id)).into_owned()
    }
}

/// A symbol id taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedId<'a> {
    /// Path of the file, as displayed.
    pub path: &'a str,
    /// Name with containers.
    pub qualified: &'a str,
    /// Kind.
    pub kind: SymbolKind,
    /// Which of several, from 1.
    pub ordinal: usize,
}

impl<'a> ParsedId<'a> {
    /// Takes an id apart; `None` when the text is not of an id's form.
    pub fn parse(text: &'a str) -> Option<Self> {
        // In quotes anything may stand.
        let end = match text.strip_prefix('"') {
            Some(quoted) => 1 + quoted.find("\"::")? + 1,
            None => text.find("::")?,
        };
        let (path, rest) = (&text[..end], &text[end + 2..]);
        let (qualified, kind) = rest.rsplit_once('#')?;
        let (kind, ordinal) = match kind.split_once('~') {
            Some((kind, n)) => (kind, n.parse().ok().filter(|n| *n >= 1)?),
            None => (kind, 1),
        };
        let kind = SymbolKind::from_label(kind)?;
        (!path.is_empty() && !qualified.is_empty()).then_some(Self {
            path,
            qualified,
            kind,
            ordinal,
        })
    }

    /// The unqualified name: what follows the last container.
    pub fn name(&self) -> &'a str {
        match self.kind {
            SymbolKind::Section | SymbolKind::Test => self.qualified,
            _ => self.qualified.rsplit('.').next().unwrap_or(self.qualified),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_taken_apart() {
        let id = ParsedId::parse("lib/a.js::Router.use#method~2").unwrap();
        assert_eq!(
            (id.path, id.qualified, id.ordinal),
            ("lib/a.js", "Router.use", 2)
        );
        assert_eq!((id.kind, id.name()), (SymbolKind::Method, "use"));
        let odd = ParsedId::parse("\"a::b\\n.js\"::f#function").unwrap();
        assert_eq!((odd.path, odd.qualified), ("\"a::b\\n.js\"", "f"));
        let heading = ParsedId::parse("README.md::C# and you. Really#section").unwrap();
        assert_eq!(heading.name(), "C# and you. Really");
        for bad in [
            "",
            "a::b",
            "a::b#nokind",
            "::b#class",
            "a::#class",
            "a::b#class~0",
            "a#class",
        ] {
            assert_eq!(ParsedId::parse(bad), None, "{bad}");
        }
    }
}
