//! What pages and style sheets take in.

use crate::modules::prelude::*;

/// `href`, `src`, `@import`: relative to the page, or to the folder that is served.
pub(crate) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let end = specifier.iter().position(|b| matches!(b, b'?' | b'#'));
    let path = &specifier[..end.unwrap_or(specifier.len())];
    if path.is_empty() || path.starts_with(b"//") || path.contains(&b':') {
        return Resolution::External;
    }
    if path.iter().any(|b| matches!(b, b'{' | b'$' | b'%')) {
        // A template's placeholder.
        return Resolution::Unresolved;
    }
    let at = |folder: &[u8], path: &[u8]| {
        let path = join(folder, path)?;
        let ends: [&[u8]; 3] = [b"", b".css", b"/index.html"];
        ends.iter()
            .find_map(|end| layout.file(&[&path, *end].concat()))
    };
    if !path.starts_with(b"/") {
        let found = at(layout.home_path(from), path);
        // A style sheet may take another one from a package by its bare name.
        let is_bare = !path.starts_with(b".") && file_name(path) == path && !path.contains(&b'.');
        return match found {
            None if is_bare || path.starts_with(b"~") => Resolution::External,
            found => found.into(),
        };
    }
    let found = layout.paths.upward(layout.home(from)).find_map(|folder| {
        let folder = layout.path(folder);
        let served: [&[u8]; 4] = [b"", b"public", b"static", b"src"];
        served
            .iter()
            .find_map(|name| at(&join(folder, name)?, path))
    });
    found.into()
}
