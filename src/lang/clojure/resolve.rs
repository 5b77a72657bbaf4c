//! Clojure: namespaces by the files that are called like them.

use crate::modules::prelude::*;

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
    Resolution::or_external(found)
}
