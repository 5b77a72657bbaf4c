//! Fortran: modules by the files that define them, whatever these are called, and included files.

use super::paths::Layout;
use super::{Place, Resolution, Site};
use crate::record::{Grammar, ImportKind, SymbolKind};
use crate::view::live::FileId;
use rustc_hash::FxHashMap;

/// Modules of a view by name, in lower case: names are the same in either case.
pub(super) struct Fortran {
    modules: FxHashMap<Vec<u8>, FileId>,
}

impl Fortran {
    pub(super) fn new(layout: Layout<'_>) -> Self {
        let mut modules = FxHashMap::default();
        for (file, id) in layout.view.files().iter().zip(0u32..) {
            let Some(live) = file.doc else { continue };
            let segment = &layout.view.segment(live.segment).segment;
            if segment.doc(live.doc).lang != Grammar::Fortran {
                continue;
            }
            for symbol in segment.symbols(live.doc) {
                if symbol.kind == SymbolKind::Module && symbol.container.is_none() {
                    let mut name = Vec::new();
                    segment.name(symbol.name, &mut name);
                    name.make_ascii_lowercase();
                    modules.entry(name).or_insert(FileId(id));
                }
            }
        }
        Self { modules }
    }

    pub(super) fn resolve(
        &self,
        layout: Layout<'_>,
        from: FileId,
        site: Site,
        specifier: &[u8],
    ) -> Resolution {
        if site.kind == ImportKind::Include {
            let near = layout.file_from(layout.home_path(from), specifier);
            return near.or_else(|| layout.closest(from, specifier)).into();
        }
        match self.modules.get(&specifier.to_ascii_lowercase()) {
            Some(file) => Resolution::Found(Place::file(*file)),
            None => Resolution::External,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Made, Tree};
    use crate::record::Grammar::Fortran;
    use crate::record::ImportKind::{Import, Include};
    use crate::record::SymbolKind::Module;

    #[test]
    fn modules_are_found_by_name_in_any_case() {
        let tree = Tree::with(
            &[],
            vec![
                Made::new("app/main.f90", Fortran)
                    .import(Import, "Shop_Queue")
                    .import(Import, "iso_fortran_env")
                    .import(Include, "limits.inc"),
                Made::new("src/queues.f90", Fortran).symbol(Module, "shop_queue", None),
            ],
        );
        assert_eq!(
            tree.resolved("app/main.f90"),
            [
                "Shop_Queue -> src/queues.f90",
                "iso_fortran_env -> external",
                "limits.inc -> unresolved",
            ]
        );
    }
}
