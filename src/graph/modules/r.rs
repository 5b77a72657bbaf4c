//! R: files that are sourced, and the files of a package, which see each other.

use super::paths::{FolderId, Layout, file_name};
use super::{Place, Resolution, Site};
use crate::record::{Grammar, ImportKind};
use crate::view::live::FileId;
use rustc_hash::FxHashMap;

/// Packages of a view: their code is in folders `R`.
pub(super) struct R {
    packages: FxHashMap<FolderId, Vec<FileId>>,
}

impl R {
    pub(super) fn new(layout: Layout<'_>) -> Self {
        let mut packages: FxHashMap<FolderId, Vec<FileId>> = FxHashMap::default();
        for id in (0..layout.view.files().len() as u32).map(FileId) {
            let home = layout.home(id);
            if super::language(layout.view, id) == Grammar::R
                && file_name(layout.path(home)) == b"R"
            {
                packages.entry(home).or_default().push(id);
            }
        }
        Self { packages }
    }

    /// The files of the package that a file is of.
    pub(super) fn package_of(&self, folder: FolderId, file: FileId) -> Option<&[FileId]> {
        let files = self.packages.get(&folder)?;
        files.binary_search(&file).ok().map(|_| &files[..])
    }

    /// `source("a.R")`: from the file's folder or one around it, where the program is started; a package
    /// of the tree is the folder of its name.
    pub(super) fn resolve(
        &self,
        layout: Layout<'_>,
        from: FileId,
        site: Site,
        specifier: &[u8],
    ) -> Resolution {
        if site.kind == ImportKind::Include {
            let mut around = layout.paths.upward(layout.home(from));
            let found = around.find_map(|folder| layout.file_from(layout.path(folder), specifier));
            return found.into();
        }
        let named = self.packages.iter().find(|(folder, _)| {
            let above = layout.paths.above(**folder);
            above.is_some_and(|above| file_name(layout.path(above)) == specifier)
        });
        named.map_or(Resolution::External, |(_, files)| {
            Resolution::Found(Place {
                files: files.clone(),
                ..Place::default()
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Made, Tree};
    use crate::record::Grammar::R;
    use crate::record::ImportKind::{Import, Include};

    #[test]
    fn files_are_sourced_and_packages_are_folders() {
        let tree = Tree::with(
            &[],
            vec![
                Made::new("analysis/run.R", R)
                    .import(Include, "helpers/log.R")
                    .import(Include, "gone.R")
                    .import(Import, "shop")
                    .import(Import, "dplyr"),
                Made::new("helpers/log.R", R),
                Made::new("shop/R/cart.R", R),
                Made::new("shop/R/queue.R", R),
            ],
        );
        assert_eq!(
            tree.resolved("analysis/run.R"),
            [
                "helpers/log.R -> helpers/log.R",
                "gone.R -> unresolved",
                "shop -> shop/R/cart.R shop/R/queue.R",
                "dplyr -> external",
            ]
        );
        assert_eq!(
            tree.package("shop/R/cart.R"),
            ["shop/R/cart.R", "shop/R/queue.R"]
        );
    }
}
