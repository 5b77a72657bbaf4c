//! Dart: packages of `pubspec.yaml`, relative files, libraries made of parts.

use crate::modules::prelude::*;
use rustc_hash::FxHashMap;

/// Packages of a tree.
pub(crate) struct Dart {
    packages: FxHashMap<Vec<u8>, Vec<FolderId>>,
    /// Files of each library that has parts, by every one of them.
    libraries: FxHashMap<FileId, Vec<FileId>>,
}

impl Dart {
    pub(crate) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut packages: FxHashMap<Vec<u8>, Vec<FolderId>> = FxHashMap::default();
        for file in configs.named("pubspec.yaml") {
            let text = configs.text(file).unwrap_or_default();
            let name = text.lines().find_map(|line| line.strip_prefix("name:"));
            let Some(name) = name.and_then(|name| name.split_whitespace().next()) else {
                continue;
            };
            let name = name.trim_matches(['"', '\'']).as_bytes().to_vec();
            packages.entry(name).or_default().push(layout.home(file));
        }
        let mut dart = Self {
            packages,
            libraries: FxHashMap::default(),
        };
        dart.libraries = dart.libraries(layout);
        dart
    }

    fn libraries(&self, layout: Layout<'_>) -> FxHashMap<FileId, Vec<FileId>> {
        let mut libraries = FxHashMap::default();
        for (id, doc) in layout.documents(Grammar::Dart) {
            let mut files = vec![id];
            for import in doc.imports() {
                if matches!(import.kind, ImportKind::Include | ImportKind::Module)
                    && let Resolution::Found(part) =
                        self.resolve(layout, Site::of(id, &import), &import.specifier)
                {
                    files.extend(part.files);
                }
            }
            files.sort_unstable();
            files.dedup();
            if files.len() > 1 {
                for file in &files {
                    libraries.entry(*file).or_insert_with(|| files.clone());
                }
            }
        }
        libraries
    }
}

impl Resolver for Dart {
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        if specifier.starts_with(b"dart:") {
            return Resolution::External;
        }
        let Some(path) = specifier.strip_prefix(b"package:") else {
            return layout
                .file_from(layout.home_path(site.from), specifier)
                .into();
        };
        let slash = path.iter().position(|b| *b == b'/');
        let (name, rest) = path.split_at(slash.unwrap_or(path.len()));
        let Some(folders) = self.packages.get(name) else {
            return Resolution::External;
        };
        let found = folders
            .iter()
            .find_map(|folder| layout.file_from(&join(layout.path(*folder), b"lib")?, rest));
        found.into()
    }

    // The files of the library that a file is of, when it has parts.
    fn package_of(&self, _: &Paths, file: FileId) -> Option<&[FileId]> {
        self.libraries.get(&file).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;

    #[test]
    fn packages_and_parts_are_found() {
        Tree::made(
            &[(
                "pkgs/shelf/pubspec.yaml",
                "# a package\nname: 'shelf' # its name\nversion: 1.0.0\n",
            )],
            "
                pkgs/shelf/lib/shelf.dart
                  import dart:io -> external
                  import package:http/http.dart -> external
                  import package:shelf/src/a.dart -> pkgs/shelf/lib/src/a.dart
                  import package:shelf/gone.dart -> unresolved
                  import src/a.dart -> pkgs/shelf/lib/src/a.dart
                  include src/part.dart -> pkgs/shelf/lib/src/part.dart
                pkgs/shelf/lib/src/a.dart
                pkgs/shelf/lib/src/part.dart
                  sees pkgs/shelf/lib/shelf.dart pkgs/shelf/lib/src/part.dart
            ",
        );
    }
}
