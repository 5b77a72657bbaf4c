//! Fortran: modules by the files that define them, whatever these are called, and included files.

use crate::modules::prelude::*;
use rustc_hash::FxHashMap;

/// Modules of a view by name, in lower case: names are the same in either case.
pub(crate) struct Fortran {
    modules: FxHashMap<Vec<u8>, FileId>,
}

impl Fortran {
    pub(crate) fn new(configs: &Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut modules = FxHashMap::default();
        for (file, doc) in layout.documents(Grammar::Fortran) {
            for symbol in doc.symbols() {
                if symbol.kind == SymbolKind::Module && symbol.container.is_none() {
                    let mut name = Vec::new();
                    doc.name(symbol.name, &mut name);
                    name.make_ascii_lowercase();
                    modules.entry(name).or_insert(file);
                }
            }
        }
        Self { modules }
    }
}

impl Resolver for Fortran {
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        if site.kind == ImportKind::Include {
            let near = layout.file_from(layout.home_path(site.from), specifier);
            return near.or_else(|| layout.closest(site.from, specifier)).into();
        }
        match self.modules.get(&specifier.to_ascii_lowercase()) {
            Some(file) => Resolution::Found(Place::file(*file)),
            None => Resolution::External,
        }
    }
}
