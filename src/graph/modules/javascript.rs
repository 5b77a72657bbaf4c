//! JavaScript and TypeScript: relative paths for now.

use super::Resolution;
use super::config::Configs;
use super::paths::{Paths, join};
use crate::view::live::{FileId, View};

pub(super) struct JavaScript;

impl JavaScript {
    pub(super) fn new(_: &mut Configs<'_>) -> Self {
        Self
    }

    pub(super) fn resolve(
        &self,
        view: &View,
        paths: &Paths,
        from: FileId,
        specifier: &[u8],
    ) -> Resolution {
        if !specifier.starts_with(b".") {
            return Resolution::External;
        }
        let folder = paths.path(view, paths.folder_of(from));
        let Some(path) = join(folder, specifier) else {
            return Resolution::Unresolved;
        };
        let ends = [
            "",
            ".ts",
            ".tsx",
            ".js",
            ".jsx",
            ".mjs",
            ".cjs",
            "/index.ts",
            "/index.js",
        ];
        let found = ends
            .iter()
            .find_map(|end| paths.file(view, &[&path[..], end.as_bytes()].concat()));
        found.into()
    }
}
