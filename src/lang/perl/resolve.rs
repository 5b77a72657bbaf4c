//! Perl: packages by the files that are called like them.

use crate::modules::prelude::*;

/// `A::B` is in `A/B.pm`, below some folder that modules are loaded from; `"a.pl"` is a path.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    if specifier.ends_with(b".pl") || specifier.ends_with(b".pm") {
        let near = layout.file_from(layout.home_path(from), specifier);
        return near.or_else(|| layout.closest(from, specifier)).into();
    }
    let mut path = Vec::with_capacity(specifier.len() + 3);
    for part in specifier
        .split(|b| *b == b':')
        .filter(|part| !part.is_empty())
    {
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(part);
    }
    path.extend_from_slice(b".pm");
    Resolution::or_external(layout.closest(from, &path))
}
