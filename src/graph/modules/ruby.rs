//! Ruby: `require_relative`, and `require` from the folders that gems and their tests load from.

use super::config::Configs;
use super::paths::{FolderId, Layout, TOP, below, join};
use super::{Place, Resolution};
use crate::view::live::FileId;
use rustc_hash::FxHashMap;

/// Folders of a gem that code is required from.
const LOADED: [&[u8]; 4] = [b"lib", b"test", b"spec", b"ext"];

/// Folders that code is required from, gems' own first.
pub(super) struct Ruby {
    roots: Vec<FolderId>,
    /// Names that files of the roots begin with; another one is another gem's.
    first: FxHashMap<Vec<u8>, ()>,
}

impl Ruby {
    pub(super) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut gems: Vec<FolderId> = Vec::new();
        let files = layout.view.files().iter().zip(0u32..);
        for (file, id) in files {
            let name = file.path.file_name();
            if name.ends_with(b".gemspec") || name == "Gemfile" {
                gems.push(layout.home(FileId(id)));
            }
        }
        gems.push(TOP);
        gems.dedup();
        let mut roots = Vec::new();
        for gem in gems {
            let folders = LOADED
                .iter()
                .filter_map(|name| join(layout.path(gem), name));
            for folder in folders.filter_map(|path| layout.folder(&path)) {
                if !roots.contains(&folder) {
                    roots.push(folder);
                }
            }
        }
        let mut first = FxHashMap::default();
        for file in layout.view.files() {
            let path = file.path.as_bytes();
            let Some(path) = path.strip_suffix(b".rb") else {
                continue;
            };
            for root in &roots {
                if let Some(rest) = below(path, layout.path(*root)) {
                    let name = rest.split(|b| *b == b'/').next().unwrap_or(rest);
                    first.entry(name.to_vec()).or_default();
                }
            }
        }
        Self { roots, first }
    }

    pub(super) fn resolve(&self, layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
        let home = layout.home_path(from);
        let at = |folder: &[u8]| {
            let path = join(folder, specifier)?;
            let ruby = layout.file(&[&path[..], b".rb"].concat());
            ruby.or_else(|| layout.file(&path))
        };
        if specifier.starts_with(b".") {
            return at(home).into();
        }
        // The gem that the file is of comes first.
        let (near, far): (Vec<FolderId>, Vec<FolderId>) = self.roots.iter().partition(|root| {
            let gem = layout.paths.above(**root).unwrap_or(TOP);
            gem != TOP && below(home, layout.path(gem)).is_some()
        });
        let mut roots = near.iter().chain(&far);
        if let Some(file) = roots.find_map(|root| at(layout.path(*root))) {
            return Resolution::Found(Place::file(file));
        }
        let first = specifier.split(|b| *b == b'/').next().unwrap_or(specifier);
        let is_ours = specifier.contains(&b'/') && self.first.contains_key(first);
        match is_ours {
            true => Resolution::Unresolved,
            false => Resolution::External,
        }
    }
}
