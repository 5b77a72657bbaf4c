//! Lua: `require` by dotted names, from the folders around and the roots that programs have.

use crate::modules::prelude::*;

/// `require "a.b"`: `a/b.lua` or `a/b/init.lua`, from the folders around the file and the roots
/// that Lua programs and editors have.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let mut path: Vec<u8> = specifier.to_vec();
    if !specifier.contains(&b'/') {
        path.iter_mut()
            .filter(|b| **b == b'.')
            .for_each(|b| *b = b'/');
    }
    let at = |folder: &[u8]| {
        let whole = join(folder, &path)?;
        let ends: [&[u8]; 3] = [b".lua", b"/init.lua", b".luau"];
        ends.iter()
            .find_map(|end| layout.file(&[&whole, *end].concat()))
    };
    let found = layout.paths.upward(layout.home(from)).find_map(|folder| {
        let folder = layout.path(folder);
        let roots: [&[u8]; 4] = [b"", b"lua", b"src", b"lib"];
        roots.iter().find_map(|root| at(&join(folder, root)?))
    });
    match found.or_else(|| layout.closest(from, &[&path[..], b".lua"].concat())) {
        Some(file) => Resolution::Found(Place::file(file)),
        None => Resolution::External,
    }
}
