//! Elixir: modules by the files that define them.

use crate::modules::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// A definition: its file and the symbols to be walked to it.
type Defined = (FileId, Vec<Vec<u8>>);

/// Modules of a tree.
pub(crate) struct Beam {
    modules: FxHashMap<Vec<u8>, Vec<Defined>>,
    /// Whole names of definitions.
    whole: FxHashMap<Defined, Vec<u8>>,
    /// First parts of names.
    first: FxHashSet<Vec<u8>>,
}

impl Beam {
    pub(crate) fn new(configs: &Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut modules: FxHashMap<Vec<u8>, Vec<Defined>> = FxHashMap::default();
        let mut whole_names = FxHashMap::default();
        let mut first = FxHashSet::default();
        for (id, doc) in layout.documents(Grammar::Elixir) {
            // A module is a symbol by the last part of its name; the whole name is declared where it
            // begins.
            let declared: FxHashMap<u32, Vec<u8>> = doc
                .imports()
                .filter(|import| import.kind == ImportKind::Package)
                .map(|import| (import.line, import.specifier))
                .collect();
            // Whole names, and the symbols to be walked.
            let mut names: FxHashMap<u32, (Vec<u8>, Vec<Vec<u8>>)> = FxHashMap::default();
            for (symbol, at) in doc.symbols().zip(0u32..) {
                if !matches!(
                    symbol.kind,
                    SymbolKind::Module | SymbolKind::Trait | SymbolKind::Interface
                ) {
                    continue;
                }
                let above = symbol.container.and_then(|at| names.get(&at));
                let (above, mut path) = above.cloned().unwrap_or_default();
                let mut name = Vec::new();
                doc.name(symbol.name, &mut name);
                let whole = match declared.get(&symbol.start_line) {
                    Some(whole) if path.is_empty() => whole.clone(),
                    _ if path.is_empty() => name.clone(),
                    _ => [&above[..], b".", &name].concat(),
                };
                path.push(name);
                names.insert(at, (whole.clone(), path.clone()));
                let start = whole.split(|b| *b == b'.').next().unwrap_or_default();
                first.insert(start.to_vec());
                whole_names.insert((id, path.clone()), whole.clone());
                modules.entry(whole).or_default().push((id, path));
            }
        }
        Self {
            modules,
            whole: whole_names,
            first,
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
}

impl Resolver for Beam {
    fn resolve(&self, _: Layout<'_>, _: Site, specifier: &[u8]) -> Resolution {
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

    fn namespace(&self, _: FileId, parts: &[&[u8]]) -> Option<Place> {
        let name = parts.join(&b'.');
        self.place(name.strip_prefix(b"Elixir.").unwrap_or(&name))
    }

    fn has_children(&self) -> bool {
        true
    }

    // The module `name` below the one that a place is.
    fn child(&self, _: Layout<'_>, place: &Place, name: &[u8]) -> Option<Place> {
        let of_place = (*place.files.first()?, place.inner.clone());
        let whole = self.whole.get(&of_place)?;
        self.place(&[&whole[..], b".", name].concat())
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;

    #[test]
    fn modules_are_found_by_their_whole_names() {
        Tree::made(
            &[],
            "
                lib/shop.ex
                  package Shop.Cart
                  module Cart
                    module Item
                lib/use.ex
                  import Shop.Cart -> lib/shop.ex ::Cart
                  import Shop.Cart.Item -> lib/shop.ex ::Cart ::Item
                  import Shop.Gone -> unresolved
                  import GenServer -> external
            ",
        );
    }
}
