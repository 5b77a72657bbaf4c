//! C#: namespaces by the files that declare them. Those of a namespace see the ones around it.

use crate::id::FileId;
use crate::modules::Resolver;
use crate::modules::config::Configs;
use crate::modules::namespaces::Namespaces;
use crate::modules::paths::{Layout, Paths};
use crate::modules::place::{Place, Resolution, Site};
use crate::record::Grammar;

/// Namespaces of a tree.
pub(crate) struct DotNet {
    namespaces: Namespaces,
}

impl DotNet {
    pub(crate) fn new(configs: &Configs<'_>) -> Self {
        let layout = configs.layout;
        Self {
            namespaces: Namespaces::new(layout, Grammar::CSharp, b'.', true),
        }
    }
}

impl Resolver for DotNet {
    fn resolve(&self, _: Layout<'_>, from: FileId, _: Site, specifier: &[u8]) -> Resolution {
        let specifier = specifier.strip_prefix(b"global::").unwrap_or(specifier);
        // The arguments of a generic type are not part of its name.
        let end = specifier.iter().position(|b| *b == b'<');
        let specifier = specifier[..end.unwrap_or(specifier.len())].trim_ascii();
        self.namespaces.resolve(from, specifier)
    }

    fn child(&self, _: Layout<'_>, place: &Place, name: &[u8]) -> Option<Place> {
        self.namespaces.child(place, name)
    }

    fn package_of(&self, _: &Paths, file: FileId) -> Option<&[FileId]> {
        self.namespaces.package_of(file)
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::{Made, Tree};
    use crate::record::Grammar;
    use crate::record::ImportKind::{Import, Package};
    use crate::record::SymbolKind::{Class, Module};

    #[test]
    fn namespaces_are_seen_from_inside() {
        let tree = Tree::with(
            &[],
            vec![
                Made::new("a.cs", Grammar::CSharp)
                    .import(Package, "Shop")
                    .symbol(Class, "Root", None),
                Made::new("b.cs", Grammar::CSharp)
                    .import(Package, "Shop.Stock")
                    .symbol(Module, "Shop.Stock", None)
                    .symbol(Class, "Item", Some(0)),
                Made::new("c.cs", Grammar::CSharp)
                    .import(Package, "Shop.Web")
                    .import(Import, "Shop.Stock")
                    .import(Import, "Stock")
                    .import(Import, "Shop.Stock.Item")
                    .import(Import, "System.Text")
                    .import(Import, "global::Shop.Gone"),
                Made::new("d.cs", Grammar::CSharp).import(Package, "System.Ours"),
            ],
        );
        assert_eq!(
            tree.resolved("c.cs"),
            [
                "Shop.Stock -> b.cs",
                "Stock -> b.cs",
                "Shop.Stock.Item -> b.cs ::Item",
                "System.Text -> external",
                "global::Shop.Gone -> unresolved",
            ]
        );
        assert_eq!(tree.package("c.cs"), ["a.cs", "c.cs"]);
        assert_eq!(tree.package("a.cs"), ["a.cs"]);
    }
}
