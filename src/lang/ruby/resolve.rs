//! Ruby: `require_relative`, and `require` from the folders that gems and their tests load from.

use crate::modules::paths::{TOP, below};
use crate::modules::prelude::*;
use rustc_hash::FxHashSet;

/// Folders of a gem that code is required from.
const LOADED: [&[u8]; 4] = [b"lib", b"test", b"spec", b"ext"];

/// Folders that code is required from, gems' own first.
pub(crate) struct Ruby {
    roots: Vec<FolderId>,
    /// Names that files of the roots begin with; another one is another gem's.
    first: FxHashSet<Vec<u8>>,
}

impl Ruby {
    pub(crate) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut gems: Vec<FolderId> = Vec::new();
        for file in layout.files() {
            let name = layout.name_of(file);
            if name.ends_with(b".gemspec") || name == b"Gemfile" {
                gems.push(layout.home(file));
            }
        }
        gems.push(TOP);
        gems.dedup();
        let mut roots = Vec::new();
        for gem in gems {
            let folders = LOADED
                .iter()
                .filter_map(|name| join(layout.path(gem), name));
            for folder in folders.filter_map(|path| layout.folder(&path)) {
                if !roots.contains(&folder) {
                    roots.push(folder);
                }
            }
        }
        let is_root: FxHashSet<FolderId> = roots.iter().copied().collect();
        let mut first = FxHashSet::default();
        for file in layout.files() {
            let Some(path) = layout.path_of(file).strip_suffix(b".rb") else {
                continue;
            };
            let around = layout.paths.upward(layout.home(file));
            for root in around.filter(|folder| is_root.contains(folder)) {
                if let Some(rest) = below(path, layout.path(root)) {
                    let name = rest.split(|b| *b == b'/').next().unwrap_or(rest);
                    first.insert(name.to_vec());
                }
            }
        }
        Self { roots, first }
    }
}

impl Resolver for Ruby {
    fn reads_documents(&self) -> bool {
        false
    }

    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        let home = layout.home_path(site.from);
        let at = |folder: &[u8]| {
            let path = join(folder, specifier)?;
            let ruby = layout.file(&[&path[..], b".rb"].concat());
            ruby.or_else(|| layout.file(&path))
        };
        if specifier.starts_with(b".") {
            return at(home).into();
        }
        // The gem that the file is of comes first.
        let (near, far): (Vec<FolderId>, Vec<FolderId>) = self.roots.iter().partition(|root| {
            let gem = layout.paths.above(**root).unwrap_or(TOP);
            gem != TOP && below(home, layout.path(gem)).is_some()
        });
        let mut roots = near.iter().chain(&far);
        if let Some(file) = roots.find_map(|root| at(layout.path(*root))) {
            return Resolution::Found(Place::file(file));
        }
        let first = specifier.split(|b| *b == b'/').next().unwrap_or(specifier);
        let is_ours = specifier.contains(&b'/') && self.first.contains(first);
        match is_ours {
            true => Resolution::Unresolved,
            false => Resolution::External,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;

    #[test]
    fn files_are_required_from_load_paths() {
        Tree::made(
            &[("gems/inner/inner.gemspec", "")],
            "
                lib/shop.rb
                  require ./shop/cart -> lib/shop/cart.rb
                  require shop/cart -> lib/shop/cart.rb
                  require shop/gone -> unresolved
                  require json -> external
                  require inner -> gems/inner/lib/inner.rb
                lib/shop/cart.rb
                gems/inner/lib/inner.rb
                  require version -> gems/inner/lib/version.rb
                gems/inner/lib/version.rb
                lib/version.rb
                spec/a_spec.rb
                  require spec_helper -> spec/spec_helper.rb
                spec/spec_helper.rb
            ",
        );
    }
}
