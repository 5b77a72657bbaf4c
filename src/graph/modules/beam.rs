//! Elixir: modules by the files that define them.

use super::paths::Layout;
use super::{Place, Resolution};
use crate::extract::record::{Grammar, ImportKind, SymbolKind};
use crate::view::live::FileId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A definition: its file and the symbols to be walked to it.
type Defined = (FileId, Vec<Vec<u8>>);

/// Modules of a view.
pub(super) struct Beam {
    modules: FxHashMap<Vec<u8>, Vec<Defined>>,
    /// Whole names of definitions.
    whole: FxHashMap<Defined, Vec<u8>>,
    /// First parts of names.
    first: FxHashSet<Vec<u8>>,
}

impl Beam {
    pub(super) fn new(layout: Layout<'_>) -> Self {
        let mut modules: FxHashMap<Vec<u8>, Vec<Defined>> = FxHashMap::default();
        let mut whole_names = FxHashMap::default();
        let mut first = FxHashSet::default();
        for (file, id) in layout.view.files().iter().zip(0u32..) {
            let Some(live) = file.doc else { continue };
            let segment = &layout.view.segment(live.segment).segment;
            if segment.doc(live.doc).lang != Grammar::Elixir {
                continue;
            }
            // A module is a symbol by the last part of its name; the whole name is declared where it
            // begins.
            let declared: FxHashMap<u32, Vec<u8>> = segment
                .imports(live.doc)
                .filter(|import| import.kind == ImportKind::Package)
                .map(|import| (import.line, import.specifier))
                .collect();
            // Whole names, and the symbols to be walked.
            let mut names: FxHashMap<u32, (Vec<u8>, Vec<Vec<u8>>)> = FxHashMap::default();
            for (symbol, at) in segment.symbols(live.doc).zip(0u32..) {
                if !matches!(
                    symbol.kind,
                    SymbolKind::Module | SymbolKind::Trait | SymbolKind::Interface
                ) {
                    continue;
                }
                let above = symbol.container.and_then(|at| names.get(&at));
                let (above, mut path) = above.cloned().unwrap_or_default();
                let mut name = Vec::new();
                segment.name(symbol.name, &mut name);
                let whole = match declared.get(&symbol.start_line) {
                    Some(whole) if path.is_empty() => whole.clone(),
                    _ if path.is_empty() => name.clone(),
                    _ => [&above[..], b".", &name].concat(),
                };
                path.push(name);
                names.insert(at, (whole.clone(), path.clone()));
                let start = whole.split(|b| *b == b'.').next().unwrap_or_default();
                first.insert(start.to_vec());
                whole_names.insert((FileId(id), path.clone()), whole.clone());
                modules.entry(whole).or_default().push((FileId(id), path));
            }
        }
        Self {
            modules,
            whole: whole_names,
            first,
        }
    }

    pub(super) fn resolve(&self, specifier: &[u8]) -> Resolution {
        let specifier = specifier.strip_prefix(b"Elixir.").unwrap_or(specifier);
        if let Some(place) = self.place(specifier) {
            return Resolution::Found(place);
        }
        let first = specifier.split(|b| *b == b'.').next().unwrap_or_default();
        match self.first.contains(first) {
            true => Resolution::Unresolved,
            false => Resolution::External,
        }
    }

    fn place(&self, name: &[u8]) -> Option<Place> {
        let defined = self.modules.get(name)?;
        let mut files: Vec<FileId> = defined.iter().map(|(file, _)| *file).collect();
        files.sort_unstable();
        files.dedup();
        Some(Place {
            files,
            inner: defined.first()?.1.clone(),
            whole: None,
        })
    }

    /// The module `name` below the one that a place is.
    pub(super) fn child(&self, place: &Place, name: &[u8]) -> Option<Place> {
        let of_place = (*place.files.first()?, place.inner.clone());
        let whole = self.whole.get(&of_place)?;
        self.place(&[&whole[..], b".", name].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Made, Tree};
    use crate::extract::record::Grammar::Elixir;
    use crate::extract::record::ImportKind::{Import, Package};
    use crate::extract::record::SymbolKind::Module;

    #[test]
    fn modules_are_found_by_their_whole_names() {
        let tree = Tree::with(
            &[],
            vec![
                Made::new("lib/shop.ex", Elixir)
                    .import(Package, "Shop.Cart")
                    .symbol(Module, "Cart", None)
                    .symbol(Module, "Item", Some(0)),
                Made::new("lib/use.ex", Elixir)
                    .import(Import, "Shop.Cart")
                    .import(Import, "Shop.Cart.Item")
                    .import(Import, "Shop.Gone")
                    .import(Import, "GenServer"),
            ],
        );
        assert_eq!(
            tree.resolved("lib/use.ex"),
            [
                "Shop.Cart -> lib/shop.ex ::Cart",
                "Shop.Cart.Item -> lib/shop.ex ::Cart ::Item",
                "Shop.Gone -> unresolved",
                "GenServer -> external",
            ]
        );
    }
}
