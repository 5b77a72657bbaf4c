//! What a document defines, imports and names, as it is asked for.

use super::{DocBinding, DocImport, DocSymbol, Head};
use crate::extract::record::{Grammar, ImportKind, SymbolKind};
use crate::graph::bindings::{Bindings, Seen};
use crate::graph::names::Name;
use crate::lang;
use xxhash_rust::xxh3::xxh3_64;

/// Symbols before a member that are looked at for the function that it is written in.
const MAX_BEFORE: usize = 64;

impl Head {
    /// Whether another one has the same definitions, wherever these stand.
    pub(in crate::graph) fn defines_as(&self, other: &Self) -> bool {
        let known = |of: &DocSymbol| (of.name, of.receiver, of.kind, of.flags, of.container);
        let (is, was) = (
            self.symbols.iter().map(known),
            other.symbols.iter().map(known),
        );
        self.lang == other.lang && is.eq(was)
    }

    /// Whether another one has the same imports and exports, wherever these stand.
    pub(in crate::graph) fn imports_as(&self, other: &Self) -> bool {
        let is_same = |(is, was): (&DocImport, &DocImport)| {
            (is.kind, is.scope) == (was.kind, was.scope)
                && is.specifier == was.specifier
                && is.bindings == was.bindings
        };
        let mut all = self.imports.iter().zip(&other.imports);
        self.imports.len() == other.imports.len() && all.all(is_same)
    }

    /// The symbol that one is written in. A member that a function gives to its object (`self.a = a`) belongs to the type, and
    /// stands in the function.
    pub(in crate::graph) fn around(&self, symbol: u32) -> Option<u32> {
        let of = self.symbols.get(symbol as usize)?;
        let outer = of.container;
        if of.kind != SymbolKind::Field {
            return outer;
        }
        let first = outer.map_or(0, |outer| outer + 1);
        let before = (first..symbol).rev().take(MAX_BEFORE);
        let is_around = |at: &u32| {
            let other = &self.symbols[*at as usize];
            other.start <= of.start && of.end <= other.end
        };
        before.clone().find(is_around).or(outer)
    }

    pub(super) fn apart(&self) -> Box<[Name]> {
        let receivers = self.symbols.iter().map(|symbol| symbol.receiver);
        let bindings = self.imports.iter().flat_map(|import| &import.bindings);
        let bound = bindings.flat_map(|b| [b.imported, b.local]);
        let mut all: Vec<Name> = receivers.chain(bound).flatten().collect();
        all.sort_unstable();
        all.dedup();
        all.into()
    }

    /// Every name of a receiver or an import, each once.
    pub(in crate::graph) fn names_apart(&self) -> &[Name] {
        &self.apart
    }

    pub(super) fn specified(&self) -> Box<[u64]> {
        if !self.specifies_names() {
            return Box::default();
        }
        let specifiers = self.imports.iter().map(|import| &import.specifier[..]);
        let mut words: Vec<u64> = specifiers.flat_map(words_of).map(xxh3_64).collect();
        words.sort_unstable();
        words.dedup();
        words.into()
    }

    /// Hashes of the words of what its imports are from; none where those are files alone.
    pub(in crate::graph) fn words(&self) -> &[u64] {
        &self.specified
    }

    /// Whether what an import is from may end in the names of definitions, not of files alone.
    pub(in crate::graph) fn specifies_names(&self) -> bool {
        let naming = &lang::of(self.lang).naming;
        naming.imports_types || naming.linked || naming.specifies_names
    }

    /// Notes which imports to look at for what.
    pub(super) fn sort_imports(&mut self) {
        for (import, i) in self.imports.iter().zip(0..) {
            if import.kind == ImportKind::Export {
                self.exports.push(i);
                continue;
            }
            if passes_on(import.kind, self.lang) {
                self.reexports.push(i);
                self.passes_all |= names_all(import);
            }
            if takes_whole(import, self.lang) {
                self.wildcard_imports.push(i);
            }
        }
        // What all of the file sees is what others find in it first.
        self.reexports
            .sort_by_key(|i| self.imports[*i as usize].scope.is_some());
        self.bindings = Bindings::of(&self.imports);
    }

    /// The bindings of a name by imports, in source order, each with the position of its import.
    pub(in crate::graph) fn bound(
        &self,
        name: Name,
        seen: Seen,
    ) -> impl Iterator<Item = (u32, &DocBinding)> {
        self.bindings.named(&self.imports, name, seen)
    }

    /// The position of the one import that the document passes on as a whole, where it does nothing else: `module.exports =
    /// require("./lib")`.
    pub fn only_passes_on(&self) -> Option<usize> {
        if !self.symbols.is_empty() || !self.exports.is_empty() {
            return None;
        }
        let mut whole =
            (self.imports.iter().enumerate()).filter(|(_, import)| is_passed_whole(import));
        let (at, _) = whole.next()?;
        whole.next().is_none().then_some(at)
    }

    /// What the document says that it gives out, in source order.
    pub fn exports(&self) -> impl Iterator<Item = &DocBinding> {
        let exports = self.exports.iter().map(|i| &self.imports[*i as usize]);
        exports.flat_map(|export| &export.bindings)
    }
}

/// The words of a specifier that may be names.
pub(in crate::graph) fn words_of(specifier: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$' || *b >= 0x80;
    specifier.split(move |b| !is_part(b))
}

/// Whether all of what an import is from is passed on.
pub(in crate::graph) fn is_passed_whole(import: &DocImport) -> bool {
    import.kind == ImportKind::Reexport && names_all(import)
}

/// Whether an import is said to be of all names.
fn names_all(import: &DocImport) -> bool {
    let is_all = |binding: &DocBinding| binding.imported.is_none() && binding.local.is_none();
    import.bindings.iter().any(is_all)
}

/// Whether others can find what an import of this kind brings.
fn passes_on(kind: ImportKind, lang: Grammar) -> bool {
    match kind {
        ImportKind::Reexport | ImportKind::Module => true,
        ImportKind::Import | ImportKind::Include => lang::of(lang).naming.passes_imports_on,
        _ => false,
    }
}

/// Whether an import brings all names of what it is from.
fn takes_whole(import: &DocImport, lang: Grammar) -> bool {
    let no_bindings = import.bindings.is_empty() && lang::of(lang).naming.imports_are_whole;
    matches!(
        import.kind,
        ImportKind::Import | ImportKind::Require | ImportKind::Include
    ) && (no_bindings || names_all(import))
}
