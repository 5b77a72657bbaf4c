//! R: files that are sourced, and the files of a package, which see each other.

use crate::modules::prelude::*;
use rustc_hash::FxHashMap;

/// Packages of a view: their code is in folders `R`.
pub(crate) struct R {
    packages: FxHashMap<FolderId, Vec<FileId>>,
}

impl R {
    pub(crate) fn new(configs: &Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut packages: FxHashMap<FolderId, Vec<FileId>> = FxHashMap::default();
        for (file, _) in layout.documents(Grammar::R) {
            let home = layout.home(file);
            if file_name(layout.path(home)) == b"R" {
                packages.entry(home).or_default().push(file);
            }
        }
        Self { packages }
    }
}

impl Resolver for R {
    fn package_of(&self, paths: &Paths, file: FileId) -> Option<&[FileId]> {
        let files = self.packages.get(&paths.folder_of(file))?;
        files.binary_search(&file).ok().map(|_| &files[..])
    }

    // `source("a.R")`: from the file's folder or one around it, where the program is started; a package
    // of the tree is the folder of its name.
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        if site.kind == ImportKind::Include {
            let mut around = layout.paths.upward(layout.home(site.from));
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
