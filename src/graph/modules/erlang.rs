//! Erlang: modules by the files that are called like them, and headers.

use super::paths::{Layout, join};
use super::{Place, Resolution, Site};
use crate::record::ImportKind;
use crate::view::live::FileId;

/// `-include("a.hrl")` is beside the file or in `include`; `-include_lib("app/include/a.hrl")` begins with
/// an application, which the tree may hold under another name; a module `a` is in `a.erl`.
pub(super) fn resolve(
    layout: Layout<'_>,
    from: FileId,
    site: Site,
    specifier: &[u8],
) -> Resolution {
    if site.kind != ImportKind::Include {
        let found = layout.closest(from, &[specifier, b".erl"].concat());
        return found.map_or(Resolution::External, |file| {
            Resolution::Found(Place::file(file))
        });
    }
    let mut around = layout.paths.upward(layout.home(from));
    let near = around.find_map(|folder| {
        let folder = layout.path(folder);
        let beside = layout.file_from(folder, specifier);
        beside.or_else(|| layout.file_from(&join(folder, b"include")?, specifier))
    });
    let end = specifier
        .iter()
        .position(|b| *b == b'/')
        .map_or(0, |slash| slash + 1);
    let library = || layout.closest(from, &specifier[end..]);
    match near.or_else(library) {
        Some(file) => Resolution::Found(Place::file(file)),
        None if end > 0 => Resolution::External,
        None => Resolution::Unresolved,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Made, Tree};
    use crate::record::Grammar::Erlang;
    use crate::record::ImportKind::{Import, Include};

    #[test]
    fn headers_are_paths_and_modules_are_files() {
        let tree = Tree::with(
            &[],
            vec![
                Made::new("src/queue.erl", Erlang)
                    .import(Include, "queue.hrl")
                    .import(Include, "shop/include/log.hrl")
                    .import(Include, "kernel/include/file.hrl")
                    .import(Include, "gone.hrl")
                    .import(Import, "store")
                    .import(Import, "lists"),
                Made::new("include/queue.hrl", Erlang),
                Made::new("include/log.hrl", Erlang),
                Made::new("src/store.erl", Erlang),
            ],
        );
        assert_eq!(
            tree.resolved("src/queue.erl"),
            [
                "queue.hrl -> include/queue.hrl",
                "shop/include/log.hrl -> include/log.hrl",
                "kernel/include/file.hrl -> external",
                "gone.hrl -> unresolved",
                "store -> src/store.erl",
                "lists -> external",
            ]
        );
    }
}
