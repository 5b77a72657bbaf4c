//! What Makefiles include.

use crate::id::FileId;
use crate::modules::paths::Layout;
use crate::modules::place::Resolution;

/// `include a.mk`: from the folder that make runs in, which is that of the file or one around it, else by
/// its end.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    if specifier.starts_with(b"/") {
        return Resolution::External;
    }
    let mut around = layout.paths.upward(layout.home(from));
    let found = around.find_map(|folder| layout.file_from(layout.path(folder), specifier));
    let up = specifier
        .iter()
        .take_while(|b| matches!(b, b'.' | b'/'))
        .count();
    found
        .or_else(|| layout.closest(from, &specifier[up..]))
        .into()
}
