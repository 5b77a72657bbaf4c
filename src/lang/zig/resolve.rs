//! Zig: files beside, and the modules that a build names.

use crate::modules::prelude::*;

/// `@import("x.zig")`: a file beside; another name is a module that the build names.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    if specifier.ends_with(b".zig") || specifier.ends_with(b".zon") {
        return layout.file_from(layout.home_path(from), specifier).into();
    }
    if matches!(specifier, b"std" | b"builtin" | b"root") {
        return Resolution::External;
    }
    let file = [specifier, b".zig"].concat();
    let found = layout.paths.upward(layout.home(from)).find_map(|folder| {
        let folder = layout.path(folder);
        let roots: [&[u8]; 3] = [b"", b"src", b"lib"];
        roots
            .iter()
            .find_map(|root| layout.file_from(&join(folder, root)?, &file))
    });
    Resolution::or_external(found)
}
