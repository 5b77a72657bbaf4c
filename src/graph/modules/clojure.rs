//! Clojure: namespaces by the files that are called like them.

use super::paths::Layout;
use super::{Place, Resolution};
use crate::view::live::FileId;

/// `a.b-c` is in `a/b_c.clj`, or a class of the JVM.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let path: Vec<u8> = specifier
        .iter()
        .map(|b| match b {
            b'.' => b'/',
            b'-' => b'_',
            other => *other,
        })
        .collect();
    let ends: [&[u8]; 5] = [b".clj", b".cljc", b".cljs", b".bb", b".java"];
    let found = ends
        .iter()
        .find_map(|end| layout.closest(from, &[&path, *end].concat()));
    found.map_or(Resolution::External, |file| {
        Resolution::Found(Place::file(file))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Made, Tree};
    use crate::record::Grammar::Clojure;
    use crate::record::ImportKind::Import;

    #[test]
    fn namespaces_become_paths() {
        let tree = Tree::with(
            &[],
            vec![
                Made::new("src/shop/queue.clj", Clojure)
                    .import(Import, "shop.log-store")
                    .import(Import, "clojure.string"),
                Made::new("src/shop/log_store.cljc", Clojure),
            ],
        );
        assert_eq!(
            tree.resolved("src/shop/queue.clj"),
            [
                "shop.log-store -> src/shop/log_store.cljc",
                "clojure.string -> external",
            ]
        );
    }
}
