//! Shell scripts: what they source.

use crate::modules::prelude::*;

/// `source x.sh`: from the file's folder, the folders around it, else by its end.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    if specifier.starts_with(b"/") {
        return Resolution::External;
    }
    let mut around = layout.paths.upward(layout.home(from));
    let found = around.find_map(|folder| layout.file_from(layout.path(folder), specifier));
    let end = specifier
        .iter()
        .skip_while(|b| matches!(b, b'.' | b'/'))
        .count();
    let suffix = &specifier[specifier.len() - end..];
    found.or_else(|| layout.closest(from, suffix)).into()
}
