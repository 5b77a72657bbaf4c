//! What said the import path of a repository before `go.mod` was: the files of the tools that kept dependencies.

use crate::modules::paths::parent;
use crate::modules::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Folders that imports have to lead to before they are taken for those of the repository itself.
const ENOUGH: usize = 3;

/// Folders, and the import path that each is the root of.
pub(super) fn roots(configs: &mut Configs<'_>) -> Vec<(FolderId, Vec<u8>)> {
    let layout = configs.layout;
    let mut roots = Vec::new();
    for (name, inside, key) in [
        ("Godeps.json", "Godeps", "ImportPath"),
        ("vendor.json", "vendor", "rootPath"),
    ] {
        for file in configs.named(name) {
            let folder = layout.home_path(file);
            if file_name(folder) != inside.as_bytes() {
                continue;
            }
            let text = configs.text(file).unwrap_or_default();
            let path = json(&text).and_then(|value| {
                let path = value.as_object()?.get_string(key)?;
                Some(path.value.as_bytes().to_vec())
            });
            roots.extend(layout.folder(parent(folder)).zip(path));
        }
    }
    for file in configs.named("glide.yaml") {
        let text = configs.text(file).unwrap_or_default();
        let path = text.lines().find_map(|line| line.strip_prefix("package:"));
        let path = path.and_then(|rest| rest.split_whitespace().next());
        let path = path.map(|path| path.trim_matches(['"', '\'']).as_bytes().to_vec());
        roots.extend(path.map(|path| (layout.home(file), path)));
    }
    roots.retain(|(_, path)| !path.is_empty());
    roots
}

/// The import path of a tree of which no manifest says it, as all were before `go.mod`: the `host/owner/name` that is
/// imported with what are folders here, several and hardly one that is not.
pub(super) fn guessed(layout: Layout<'_>) -> Option<Vec<u8>> {
    let mut imported: FxHashMap<Vec<u8>, FxHashSet<Vec<u8>>> = FxHashMap::default();
    for (file, doc) in layout.documents(Grammar::Go) {
        let folders = layout.home_path(file).split(|byte| *byte == b'/');
        if folders
            .clone()
            .any(|name| matches!(name, b"vendor" | b"Godeps" | b"testdata"))
        {
            continue;
        }
        for import in doc
            .imports()
            .filter(|import| import.kind != ImportKind::Package)
        {
            let path = import.specifier;
            let mut ends = memchr::memchr_iter(b'/', &path);
            let host = ends.next().map(|end| &path[..end]);
            let Some(end) = ends
                .nth(1)
                .filter(|_| host.is_some_and(|host| host.contains(&b'.')))
            else {
                continue;
            };
            let rest = path[end + 1..].to_vec();
            imported
                .entry(path[..end].to_vec())
                .or_default()
                .insert(rest);
        }
    }
    let own = imported.into_iter().filter(|(_, rests)| {
        let here = rests
            .iter()
            .filter(|rest| layout.folder(rest).is_some())
            .count();
        here >= ENOUGH && here > 2 * (rests.len() - here)
    });
    let mut own: Vec<Vec<u8>> = own.map(|(path, _)| path).collect();
    // Of two nothing tells which it is.
    own.pop().filter(|_| own.is_empty())
}
