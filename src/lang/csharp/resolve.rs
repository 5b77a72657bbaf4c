//! C#: namespaces by the files that declare them. Those of a namespace see the ones around it.

use crate::modules::namespaces::Namespaces;
use crate::modules::prelude::*;

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
    fn resolve(&self, _: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        let specifier = specifier.strip_prefix(b"global::").unwrap_or(specifier);
        // The arguments of a generic type are not part of its name.
        let end = specifier.iter().position(|b| *b == b'<');
        let specifier = specifier[..end.unwrap_or(specifier.len())].trim_ascii();
        self.namespaces.resolve(site.from, specifier)
    }

    fn namespace(&self, from: FileId, parts: &[&[u8]]) -> Option<Place> {
        self.namespaces.named(from, parts)
    }

    fn has_children(&self) -> bool {
        true
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
    use crate::graph::modules::testing::Tree;

    #[test]
    fn namespaces_are_seen_from_inside() {
        Tree::made(
            &[],
            "
                a.cs
                  package Shop
                  class Root
                  sees a.cs
                b.cs
                  package Shop.Stock
                  module Shop.Stock
                    class Item
                c.cs
                  package Shop.Web
                  import Shop.Stock -> b.cs
                  import Stock -> b.cs
                  import Shop.Stock.Item -> b.cs ::Item
                  import System.Text -> external
                  import global::Shop.Gone -> unresolved
                  sees a.cs c.cs
                d.cs
                  package System.Ours
            ",
        );
    }
}
