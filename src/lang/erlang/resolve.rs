//! Erlang: modules by the files that are called like them, and headers.

use crate::modules::prelude::*;

/// Names of files and of what is in them.
pub(crate) struct Erlang;

impl Resolver for Erlang {
    fn reads_documents(&self) -> bool {
        false
    }

    /// `-include("a.hrl")` is beside the file or in `include`; `-include_lib("app/include/a.hrl")` begins with
    /// an application, which the tree may hold under another name; a module `a` is in `a.erl`.
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        if site.kind != ImportKind::Include {
            let found = layout.closest(site.from, &[specifier, b".erl"].concat());
            return Resolution::or_external(found);
        }
        let mut around = layout.paths.upward(layout.home(site.from));
        let near = around.find_map(|folder| {
            let folder = layout.path(folder);
            let beside = layout.file_from(folder, specifier);
            beside.or_else(|| layout.file_from(&join(folder, b"include")?, specifier))
        });
        let end = specifier
            .iter()
            .position(|b| *b == b'/')
            .map_or(0, |slash| slash + 1);
        let library = || layout.closest(site.from, &specifier[end..]);
        match near.or_else(library) {
            Some(file) => Resolution::Found(Place::file(file)),
            None if end > 0 => Resolution::External,
            None => Resolution::Unresolved,
        }
    }
}
