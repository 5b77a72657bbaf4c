//! Terraform: a folder is a module.

use crate::modules::prelude::*;
use rustc_hash::FxHashMap;

fn terraform_files(layout: Layout<'_>, folder: FolderId) -> Vec<FileId> {
    let files = layout.paths.files_in(folder).iter().copied();
    files
        .filter(|file| layout.path_of(*file).ends_with(b".tf"))
        .collect()
}

/// Folders that are one Terraform module each.
pub(crate) struct Terraform {
    modules: FxHashMap<FolderId, Vec<FileId>>,
}

impl Terraform {
    pub(crate) fn new(configs: &Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut modules: FxHashMap<FolderId, Vec<FileId>> = FxHashMap::default();
        for file in layout.files() {
            if layout.path_of(file).ends_with(b".tf") {
                modules.entry(layout.home(file)).or_default().push(file);
            }
        }
        Self { modules }
    }
}

impl Resolver for Terraform {
    fn reads_documents(&self) -> bool {
        false
    }

    // `source = "./modules/x"`: all configuration of that folder is one module.
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        if !specifier.starts_with(b".") {
            return Resolution::External;
        }
        let folder =
            join(layout.home_path(site.from), specifier).and_then(|path| layout.folder(&path));
        let files = folder
            .map(|folder| terraform_files(layout, folder))
            .unwrap_or_default();
        match files.is_empty() {
            true => Resolution::Unresolved,
            false => Resolution::Found(Place {
                files,
                ..Place::default()
            }),
        }
    }

    fn package_of(&self, paths: &Paths, file: FileId) -> Option<&[FileId]> {
        let files = self.modules.get(&paths.folder_of(file))?;
        files.binary_search(&file).ok().map(|_| &files[..])
    }
}
