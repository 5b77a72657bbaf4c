//! Go: modules of `go.mod`, packages by folder.

use super::manifests;
use crate::modules::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The files of one package in one folder.
struct Package {
    name: Vec<u8>,
    /// Without tests.
    files: Vec<FileId>,
    /// With the tests that are of the package itself.
    with_tests: Vec<FileId>,
}

/// An import path, and the folder that stands in for it.
type Replaced = (Vec<u8>, Vec<u8>);

/// Modules and packages of a tree.
pub(crate) struct Go {
    /// Folders by module path.
    modules: FxHashMap<Vec<u8>, Vec<FolderId>>,
    /// What is given as a folder: by the folder of the `go.mod`, import paths and their folders.
    replaced: FxHashMap<FolderId, Vec<Replaced>>,
    /// Folders of which another manifest says the import path.
    roots: FxHashSet<FolderId>,
    packages: FxHashMap<FolderId, Vec<Package>>,
}

impl Go {
    pub(crate) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut modules: FxHashMap<Vec<u8>, Vec<FolderId>> = FxHashMap::default();
        let mut replaced = FxHashMap::default();
        let mut roots = FxHashSet::default();
        for file in configs.named("go.mod") {
            let text = configs.text(file).unwrap_or_default();
            let (folder, path) = (layout.home(file), layout.home_path(file));
            let read = Directives::read(&text);
            if let Some(name) = read.module {
                modules
                    .entry(name.as_bytes().to_vec())
                    .or_default()
                    .push(folder);
            }
            let local = read.replaced.iter().filter_map(|(name, place)| {
                Some((name.as_bytes().to_vec(), join(path, place.as_bytes())?))
            });
            replaced.insert(folder, local.collect());
        }
        for (folder, path) in manifests::roots(configs) {
            // A `go.mod` knows it better.
            if !replaced.contains_key(&folder) && roots.insert(folder) {
                modules.entry(path).or_default().push(folder);
            }
        }
        if modules.is_empty()
            && let Some((top, path)) = layout.folder(b"").zip(manifests::guessed(layout))
        {
            roots.insert(top);
            modules.insert(path, vec![top]);
        }
        Self {
            roots,
            modules,
            replaced,
            packages: packages(layout),
        }
    }

    /// The package of a folder as others see it: without tests, and without programs that only
    /// lie beside it.
    fn package_at(
        &self,
        layout: Layout<'_>,
        from: FileId,
        folder: Option<Vec<u8>>,
    ) -> Option<Place> {
        let folder = layout.folder(&folder?)?;
        let own = layout.home(from) == folder;
        let packages = self.packages.get(&folder)?;
        let seen = packages.iter().filter(|package| !package.files.is_empty());
        let package = seen.max_by_key(|package| (package.name != b"main", package.files.len()))?;
        // A test beside the package may use what its other tests export.
        let files = match own {
            true => &package.with_tests,
            false => &package.files,
        };
        Some(Place {
            files: files.clone(),
            ..Place::default()
        })
    }
}

impl Resolver for Go {
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        if specifier.starts_with(b"./") || specifier.starts_with(b"../") {
            let folder = join(layout.home_path(site.from), specifier);
            return self.package_at(layout, site.from, folder).into();
        }
        let mut known = false;
        for folder in layout.paths.upward(layout.home(site.from)) {
            let replaced = self.replaced.get(&folder);
            if replaced.is_none() && !self.roots.contains(&folder) {
                continue;
            }
            for (name, place) in replaced.into_iter().flatten() {
                if let Some(rest) = crate::modules::paths::below(specifier, name) {
                    known = true;
                    let found = self.package_at(layout, site.from, join(place, rest));
                    if found.is_some() {
                        return found.into();
                    }
                }
            }
            let vendored = join(layout.path(folder), b"vendor").and_then(|v| join(&v, specifier));
            if let Some(place) = self.package_at(layout, site.from, vendored) {
                return Resolution::Found(place);
            }
            // Without modules, what is vendored sees what is vendored beside it.
            if replaced.is_some() {
                break;
            }
        }
        // The module whose path is the longest start of the import path.
        let mut name = specifier;
        loop {
            for folder in self.modules.get(name).into_iter().flatten() {
                known = true;
                let rest = &specifier[name.len()..];
                let found = self.package_at(layout, site.from, join(layout.path(*folder), rest));
                if found.is_some() {
                    return found.into();
                }
            }
            match crate::modules::paths::parent(name) {
                b"" => break,
                shorter => name = shorter,
            }
        }
        match known {
            true => Resolution::Unresolved,
            false => Resolution::External,
        }
    }

    fn package_of(&self, paths: &Paths, file: FileId) -> Option<&[FileId]> {
        let packages = self.packages.get(&paths.folder_of(file))?;
        let package = packages
            .iter()
            .find(|package| package.with_tests.binary_search(&file).is_ok())?;
        Some(match package.files.binary_search(&file) {
            Ok(_) => &package.files,
            Err(_) => &package.with_tests,
        })
    }
}

fn packages(layout: Layout<'_>) -> FxHashMap<FolderId, Vec<Package>> {
    let mut packages: FxHashMap<FolderId, Vec<Package>> = FxHashMap::default();
    for (id, doc) in layout.documents(Grammar::Go) {
        let clause = doc
            .imports()
            .find(|import| import.kind == ImportKind::Package);
        let name = clause.map(|import| import.specifier).unwrap_or_default();
        let folder = packages.entry(layout.home(id)).or_default();
        let at = match folder.iter().position(|package| package.name == name) {
            Some(at) => at,
            None => {
                folder.push(Package {
                    name,
                    files: Vec::new(),
                    with_tests: Vec::new(),
                });
                folder.len() - 1
            }
        };
        // In path order, as the files of a tree are.
        folder[at].with_tests.push(id);
        if !layout.path_of(id).ends_with(b"_test.go") {
            folder[at].files.push(id);
        }
    }
    packages
}

/// What is read of a `go.mod`.
struct Directives<'a> {
    module: Option<&'a str>,
    /// Import paths that are replaced by folders.
    replaced: Vec<(&'a str, &'a str)>,
}

impl<'a> Directives<'a> {
    fn read(text: &'a str) -> Self {
        let mut read = Self {
            module: None,
            replaced: Vec::new(),
        };
        let mut block = "";
        for line in text.lines() {
            let line = line.split("//").next().unwrap_or(line);
            let mut words = line.split_whitespace().peekable();
            let verb = match (block, words.peek().copied()) {
                (_, None) => continue,
                ("", Some(verb)) => {
                    words.next();
                    if words.peek() == Some(&"(") {
                        block = verb;
                        continue;
                    }
                    verb
                }
                (_, Some(")")) => {
                    block = "";
                    continue;
                }
                (block, Some(_)) => block,
            };
            let words: Vec<&str> = words.map(|word| word.trim_matches('"')).collect();
            match verb {
                "module" => read.module = read.module.or(words.first().copied()),
                "replace" => {
                    let arrow = words.iter().position(|word| *word == "=>");
                    let sides = arrow.and_then(|at| words.first().zip(words.get(at + 1)));
                    read.replaced.extend(
                        sides
                            .filter(|(_, to)| to.starts_with('.'))
                            .map(|(a, b)| (*a, *b)),
                    );
                }
                _ => {}
            }
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;

    #[test]
    fn packages_are_folders_of_modules() {
        let tree = Tree::new(&[
            (
                "go.mod",
                "module example.com/app // ours\n\ngo 1.22\n\nreplace (\n\texample.com/dep v1.0.0 => ./third/dep\n\texample.com/far => example.org/far v1.2.3\n)\n",
            ),
            (
                "main.go",
                "package main\nimport (\n\"fmt\"\n\"example.com/app/store\"\n\"example.com/app/gone\"\n\"example.com/dep/sub\"\n\"example.com/app/tools/x\"\n\"example.com/far\"\n\"example.com/vend\"\n\"example.com/apple\"\n)\n",
            ),
            ("store/a.go", "package store\n"),
            ("store/b.go", "package store\n"),
            ("store/gen.go", "//go:build ignore\npackage main\n"),
            ("store/a_test.go", "package store\n"),
            (
                "store/x_test.go",
                "package store_test\nimport \"example.com/app/store\"\n",
            ),
            ("third/dep/sub/s.go", "package sub\n"),
            ("tools/go.mod", "module example.com/app/tools\n"),
            ("tools/x/x.go", "package x\n"),
            ("vendor/example.com/vend/v.go", "package vend\n"),
        ]);
        tree.check(
            "
            main.go
              fmt -> external
              example.com/app/store -> store/a.go store/b.go
              example.com/app/gone -> unresolved
              example.com/dep/sub -> third/dep/sub/s.go
              example.com/app/tools/x -> tools/x/x.go
              example.com/far -> external
              example.com/vend -> vendor/example.com/vend/v.go
              example.com/apple -> external
            store/x_test.go
              example.com/app/store -> store/a.go store/a_test.go store/b.go
              sees store/x_test.go
            store/a.go
              sees store/a.go store/b.go
            store/a_test.go
              sees store/a.go store/a_test.go store/b.go
            store/gen.go
              sees store/gen.go
        ",
        );
    }

    #[test]
    fn before_modules_other_manifests_say_the_path() {
        for (path, text) in [
            (
                "app/Godeps/Godeps.json",
                "{ \"ImportPath\": \"example.com/app\", \"GoVersion\": \"go1.4\" }",
            ),
            (
                "app/vendor/vendor.json",
                "{ \"package\": [], \"rootPath\": \"example.com/app\" }",
            ),
            (
                "app/glide.yaml",
                "# ours\npackage: example.com/app # here\nimport:\n- package: example.com/dep\n",
            ),
        ] {
            let tree = Tree::new(&[
                (path, text),
                (
                    "app/main.go",
                    "package main\nimport (\n\"example.com/app/store\"\n\"example.com/dep\"\n\"example.com/app/gone\"\n)\n",
                ),
                ("app/store/a.go", "package store\n"),
                ("app/vendor/example.com/dep/d.go", "package dep\n"),
            ]);
            tree.check(
                "
                app/main.go
                  example.com/app/store -> app/store/a.go
                  example.com/dep -> app/vendor/example.com/dep/d.go
                  example.com/app/gone -> unresolved
            ",
            );
        }
        // Elsewhere than where its tool writes it, it says nothing, nor beside a `go.mod`.
        let tree = Tree::new(&[
            ("app/Godeps.json", "{ \"ImportPath\": \"example.com/app\" }"),
            ("app/store/a.go", "package store\n"),
            ("mod/go.mod", "module example.com/mod\n"),
            ("mod/glide.yaml", "package: example.com/old\n"),
            ("mod/store/a.go", "package store\n"),
            (
                "main.go",
                "package main\nimport (\n\"example.com/app/store\"\n\"example.com/old/store\"\n)\n",
            ),
        ]);
        tree.check(
            "
            main.go
              example.com/app/store -> external
              example.com/old/store -> external
        ",
        );
    }

    #[test]
    fn without_any_manifest_the_folders_tell_the_path() {
        let main = "package main\nimport (\n\"example.com/me/app/a\"\n\"example.com/me/app/b\"\n\"example.com/me/app/c/d\"\n\
            \"example.com/me/app/gone\"\n\"example.com/me/dep/a\"\n\"example.com/me/dep/b\"\n)\n";
        let files = [
            ("a/a.go", "package a\n"),
            ("b/b.go", "package b\n"),
            ("c/d/d.go", "package d\n"),
        ];
        let all: Vec<(&str, &str)> = files.into_iter().chain([("main.go", main)]).collect();
        Tree::new(&all).check(
            "
            main.go
              example.com/me/app/a -> a/a.go
              example.com/me/app/b -> b/b.go
              example.com/me/app/c/d -> c/d/d.go
              example.com/me/app/gone -> unresolved
              example.com/me/dep/a -> external
              example.com/me/dep/b -> external
        ",
        );
        // Two folders may be a coincidence.
        Tree::new(&all[1..]).check(
            "
            main.go
              example.com/me/app/a -> external
              example.com/me/app/b -> external
              example.com/me/app/c/d -> external
              example.com/me/app/gone -> external
              example.com/me/dep/a -> external
              example.com/me/dep/b -> external
        ",
        );
    }
}
