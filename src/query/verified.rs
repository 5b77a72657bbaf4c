//! What an answer says of symbols and imports in words. It is the one way from a segment to an answer:
//! every word was found in the file it is said of ([`crate::view::written`]).

use super::answer::SymbolRef;
use super::exposure;
use super::ids::DocSymbols;
use crate::extract::record::{Import, SymbolFlags};
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use crate::view::written::Written;

/// The symbols of a file, for an answer.
pub struct VerifiedSymbols<'a> {
    view: &'a View,
    file: FileId,
    symbols: DocSymbols<'a>,
}

impl<'a> VerifiedSymbols<'a> {
    /// Decodes the symbols of a file; `None` where it has no document.
    pub fn of(view: &'a View, file: FileId) -> Option<Self> {
        let doc = view.file(file).doc?;
        Some(Self {
            view,
            file,
            symbols: DocSymbols::load(&view.segment(doc.segment).segment, doc.doc),
        })
    }

    /// The symbols as the segment has them.
    pub fn symbols(&self) -> &DocSymbols<'a> {
        &self.symbols
    }

    /// Whether a symbol is what the file of a component passes on, which has no name in it.
    fn is_component(&self, index: usize) -> bool {
        let symbol = self.symbols.get(index);
        symbol.is_some_and(|symbol| {
            symbol.flags.contains(SymbolFlags::DEFAULT)
                && self.symbols.bytes(symbol.name) == b"default"
                && exposure::language(self.view, self.file)
                    .liveness
                    .markup_uses_script
        })
    }

    /// The names as they are said: those of the document, but for a component.
    fn said(&self, texts: &mut Texts, index: usize) -> Vec<Option<Written>> {
        match self.is_component(index) {
            true => vec![Some(Written::component(self.view, self.file))],
            false => self.names(texts, index),
        }
    }

    fn names(&self, texts: &mut Texts, index: usize) -> Vec<Option<Written>> {
        let names = self.symbols.names(index).into_iter();
        let said = names.map(|placed| {
            let words = self.symbols.bytes(placed.name);
            texts.verified(self.view, self.file, &words, placed.at)
        });
        said.collect()
    }

    /// A symbol's own name, if it may be shown.
    pub fn name(&self, texts: &mut Texts, index: usize) -> Option<Written> {
        if self.is_component(index) {
            return Some(Written::component(self.view, self.file));
        }
        let symbol = self.symbols.get(index)?;
        let words = self.symbols.bytes(symbol.name);
        let at = (symbol.name_line, symbol.name_col);
        texts.verified(self.view, self.file, &words, Some(at))
    }

    /// The names of a symbol's containers and its own, outermost first, if all of them may be shown.
    pub fn chain(&self, texts: &mut Texts, index: usize) -> Option<Vec<String>> {
        let names = self.names(texts, index).into_iter();
        names.map(|name| name.map(String::from)).collect()
    }

    /// A symbol's name with its containers, if all of it may be shown.
    pub fn qualified(&self, texts: &mut Texts, index: usize) -> Option<Written> {
        let names = self.said(texts, index);
        names
            .iter()
            .all(Option::is_some)
            .then(|| Written::dotted(&names))
    }

    /// The names of a symbol's containers, if all of them may be shown.
    pub fn outer(&self, texts: &mut Texts, index: usize) -> Option<Written> {
        let mut names = self.names(texts, index);
        names.pop();
        names
            .iter()
            .all(Option::is_some)
            .then(|| Written::dotted(&names))
    }

    /// A symbol in the fewest words.
    pub fn reference(&self, texts: &mut Texts, index: usize) -> Option<SymbolRef> {
        let symbol = self.symbols.get(index)?;
        let path = self.view.file(self.file).path.to_string();
        let own = Written::dotted(&self.names(texts, index));
        Some(SymbolRef {
            id: own.id(&path, symbol.kind, self.symbols.ordinal(index)),
            qualified: Written::dotted(&self.said(texts, index)),
            kind: symbol.kind,
            path,
            start_line: symbol.start_line,
            end_line: symbol.end_line,
        })
    }
}

/// A definition of the graph in the fewest words.
pub fn reference(view: &View, graph: &Graph, texts: &mut Texts, id: SymbolId) -> Option<SymbolRef> {
    let (file, index) = graph.place(id);
    VerifiedSymbols::of(view, file)?.reference(texts, index)
}

/// The module that an import of a file names; what cannot be checked is [`Written::unknown`].
pub fn specifier(view: &View, texts: &mut Texts, file: FileId, import: &Import<NameId>) -> Written {
    let said = texts.verified(view, file, &import.specifier, None);
    said.unwrap_or_else(Written::unknown)
}

/// The names that an import of a file brings in.
pub fn bindings(
    view: &View,
    texts: &mut Texts,
    (file, segment): (FileId, &Segment),
    import: &Import<NameId>,
) -> Vec<Written> {
    let mut say = |name: NameId| {
        let mut words = Vec::new();
        segment.name(name, &mut words);
        let said = texts.verified(view, file, &words, None);
        said.unwrap_or_else(Written::unknown)
    };
    let names = import.bindings.iter().map(|binding| {
        let (imported, local) = (binding.imported.map(&mut say), binding.local.map(&mut say));
        Written::renamed(imported.as_ref(), local.as_ref())
    });
    names.collect()
}
