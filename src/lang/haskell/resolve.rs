//! Haskell: modules by the end of their path.

use crate::modules::prelude::*;

/// `import A.B`: the file whose path ends in `A/B.hs`.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let path: Vec<u8> = specifier
        .iter()
        .map(|b| if *b == b'.' { b'/' } else { *b })
        .collect();
    let ends: [&[u8]; 3] = [b".hs", b".lhs", b".hsc"];
    let found = ends
        .iter()
        .find_map(|end| layout.closest(from, &[&path, *end].concat()));
    Resolution::or_external(found)
}
