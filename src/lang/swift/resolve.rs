//! Swift: modules are the targets of `Package.swift`, or the folders below `Sources` and `Tests`.

use crate::modules::paths::below;
use crate::modules::prelude::*;
use rustc_hash::FxHashMap;

/// Folders whose folders are targets unless a manifest says otherwise.
const SOURCES: [&str; 4] = ["Sources", "Tests", "Source", "Plugins"];

/// Modules of a tree.
pub(crate) struct Swift {
    by_name: FxHashMap<Vec<u8>, u32>,
    rows: Vec<Vec<FileId>>,
    of_file: FxHashMap<FileId, u32>,
}

impl Swift {
    pub(crate) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut swift = Self {
            by_name: FxHashMap::default(),
            rows: Vec::new(),
            of_file: FxHashMap::default(),
        };
        // Folders of targets, each with the target's name.
        let mut targets: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for file in configs.named("Package.swift") {
            let home = layout.home_path(file);
            for (name, place) in declared(&configs.text(file).unwrap_or_default()) {
                let usual = |sources: &&str| join(home, format!("{sources}/{name}").as_bytes());
                let folder = match place {
                    Some(place) => join(home, place.as_bytes()),
                    None => SOURCES
                        .iter()
                        .filter_map(usual)
                        .find(|path| layout.folder(path).is_some()),
                };
                targets.extend(folder.map(|folder| (folder, name.as_bytes().to_vec())));
            }
        }
        // The innermost target around a file is its own.
        targets.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
        for (file, _) in layout.documents(Grammar::Swift) {
            let path = layout.path_of(file);
            if layout.name_of(file) == b"Package.swift" {
                continue;
            }
            let target = targets
                .iter()
                .find(|(folder, _)| below(path, folder).is_some());
            let name = match target {
                Some((_, name)) => Some(&name[..]),
                None => by_convention(path),
            };
            if let Some(name) = name {
                swift.add(name, file);
            }
        }
        swift
    }

    fn add(&mut self, name: &[u8], file: FileId) {
        let at = match self.by_name.get(name) {
            Some(at) => *at,
            None => {
                let at = self.rows.len() as u32;
                self.rows.push(Vec::new());
                self.by_name.insert(name.to_vec(), at);
                at
            }
        };
        self.rows[at as usize].push(file);
        self.of_file.insert(file, at);
    }
}

impl Resolver for Swift {
    // `import A`, `import struct A.B`, `@testable import A`.
    fn resolve(&self, _: Layout<'_>, _: Site, specifier: &[u8]) -> Resolution {
        let mut parts = specifier.split(|b| *b == b'.');
        let Some(at) = parts.next().and_then(|name| self.by_name.get(name)) else {
            return Resolution::External;
        };
        Resolution::Found(Place {
            files: self.rows[*at as usize].clone(),
            inner: parts.map(<[u8]>::to_vec).collect(),
            whole: None,
        })
    }

    fn package_of(&self, _: &Paths, file: FileId) -> Option<&[FileId]> {
        Some(&self.rows[*self.of_file.get(&file)? as usize])
    }
}

fn by_convention(path: &[u8]) -> Option<&[u8]> {
    let mut parts = path.split(|b| *b == b'/');
    parts.find(|part| SOURCES.iter().any(|name| name.as_bytes() == *part))?;
    let name = parts.next()?;
    // A file right below `Sources` is of no target.
    parts.next().map(|_| name)
}

/// Targets of a manifest with the folders they are given. The manifest is a program; what is read
/// are the string literals of its `target` calls.
fn declared(text: &str) -> Vec<(&str, Option<&str>)> {
    let mut targets = Vec::new();
    let kinds = words!(".target( .executableTarget( .testTarget( .macro( .plugin(");
    let mut starts: Vec<usize> = kinds
        .iter()
        .flat_map(|kind| text.match_indices(kind).map(|(at, kind)| at + kind.len()))
        .collect();
    starts.sort_unstable();
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(text.len());
        let call = &text[*start..end];
        let string = |label: &str| {
            let rest = call[call.find(label)? + label.len()..]
                .trim_start()
                .strip_prefix('"')?;
            Some(&rest[..rest.find('"')?])
        };
        // A dependency is written like a target and has a product or a package, not a path.
        if let Some(name) = string("name:") {
            targets.push((name, string("path:")));
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;

    #[test]
    fn modules_are_targets() {
        let manifest = r#"let package = Package(targets: [
            .target(name: "Net", dependencies: ["Core"], path: "Source"),
            .target(name: "Core"),
            .testTarget(name: "NetTests", dependencies: ["Net"], path: "Tests"),
        ])"#;
        Tree::made(
            &[("Package.swift", manifest)],
            "
                Source/a/A.swift
                  import Foundation -> external
                Source/B.swift
                  sees Source/B.swift Source/a/A.swift
                Sources/Core/C.swift
                Tests/T.swift
                  import Net -> Source/B.swift Source/a/A.swift
                  import Core.Thing -> Sources/Core/C.swift ::Thing
                other/Sources/Lone/L.swift
                  import Lone -> other/Sources/Lone/L.swift
            ",
        );
    }
}
