//! Elixir: modules by the files that define them.

use super::paths::Layout;
use super::{Place, Resolution};
use crate::extract::record::{Grammar, SymbolKind};
use crate::view::live::FileId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A definition: its file and the symbols to be walked to it.
type Defined = (FileId, Vec<Vec<u8>>);

/// Modules of a view.
pub(super) struct Beam {
    modules: FxHashMap<Vec<u8>, Vec<Defined>>,
    /// First parts of names.
    first: FxHashSet<Vec<u8>>,
}

impl Beam {
    pub(super) fn new(layout: Layout<'_>) -> Self {
        let mut modules: FxHashMap<Vec<u8>, Vec<Defined>> = FxHashMap::default();
        let mut first = FxHashSet::default();
        for (file, id) in layout.view.files().iter().zip(0u32..) {
            let Some(live) = file.doc else { continue };
            let segment = &layout.view.segment(live.segment).segment;
            if segment.doc(live.doc).lang != Grammar::Elixir {
                continue;
            }
            let mut names: FxHashMap<u32, Vec<Vec<u8>>> = FxHashMap::default();
            for (symbol, at) in segment.symbols(live.doc).zip(0u32..) {
                if !matches!(
                    symbol.kind,
                    SymbolKind::Module | SymbolKind::Trait | SymbolKind::Interface
                ) {
                    continue;
                }
                let above = symbol.container.and_then(|at| names.get(&at));
                let mut path = above.cloned().unwrap_or_default();
                let mut name = Vec::new();
                segment.name(symbol.name, &mut name);
                path.push(name);
                names.insert(at, path.clone());
                let whole = path.join(&b'.');
                let start = whole.split(|b| *b == b'.').next().unwrap_or_default();
                first.insert(start.to_vec());
                modules.entry(whole).or_default().push((FileId(id), path));
            }
        }
        Self { modules, first }
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
        let whole = [&place.inner.join(&b'.')[..], b".", name].concat();
        self.place(&whole)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Made, Tree};
    use crate::extract::record::Grammar::Elixir;
    use crate::extract::record::ImportKind::Import;
    use crate::extract::record::SymbolKind::Module;

    #[test]
    fn modules_are_found_by_their_whole_names() {
        let tree = Tree::with(
            &[],
            vec![
                Made::new("lib/shop.ex", Elixir)
                    .symbol(Module, "Shop.Cart", None)
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
                "Shop.Cart -> lib/shop.ex ::Shop.Cart",
                "Shop.Cart.Item -> lib/shop.ex ::Shop.Cart ::Item",
                "Shop.Gone -> unresolved",
                "GenServer -> external",
            ]
        );
    }
}
