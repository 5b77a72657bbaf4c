//! What the imports of a view's files lead to, found when somebody asks: after an edit nobody does for most files.

use super::documents::Documents;
use super::modules::{Modules, Resolution, Site};
use super::parallel;
use crate::extract::record::ImportKind;
use crate::view::live::{FileId, View};
use std::sync::OnceLock;

/// What the imports of each file lead to.
pub(super) struct Imports {
    of: Vec<OnceLock<Vec<Resolution>>>,
}

impl Imports {
    /// Resolves the imports of some files, on as many threads; those of all others wait.
    pub(super) fn resolving(
        (view, modules, docs): (&View, &Modules, &Documents),
        files: &[FileId],
        threads: usize,
    ) -> Self {
        let mut of = vec![OnceLock::new(); docs.len()];
        let found = parallel::map(files, threads, |file| of_file(view, modules, docs, *file));
        for (file, found) in files.iter().zip(found) {
            of[file.0 as usize] = OnceLock::from(found);
        }
        Self { of }
    }

    /// What the imports of a file lead to, in their order.
    pub(super) fn of(
        &self,
        view: &View,
        modules: &Modules,
        docs: &Documents,
        file: FileId,
    ) -> &[Resolution] {
        let of = self.of.get(file.0 as usize);
        of.map_or(&[], |of| {
            of.get_or_init(|| of_file(view, modules, docs, file))
        })
    }
}

fn of_file(view: &View, modules: &Modules, docs: &Documents, file: FileId) -> Vec<Resolution> {
    let imports = docs.get(file).into_iter().flat_map(|doc| &doc.imports);
    imports
        .map(|import| match import.kind {
            ImportKind::Export | ImportKind::Package => Resolution::Unresolved,
            kind => {
                let (from, line) = (file, import.line);
                modules.resolve(view, Site { from, kind, line }, &import.specifier)
            }
        })
        .collect()
}
