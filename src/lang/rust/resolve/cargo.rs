//! `Cargo.toml`: which crates a view has, and what they may call each other.

use crate::modules::config::toml;
use crate::modules::paths::{shared_folders, stem};
use crate::modules::prelude::*;
use rustc_hash::FxHashMap;
use toml_edit::{Item, TableLike};

/// Folders whose files, and whose folders' `main.rs`, are crates of their own.
const TARGETS: [&[u8]; 4] = [b"src/bin", b"examples", b"tests", b"benches"];

/// What a dependency says of itself.
#[derive(Clone, Default)]
struct Dependency {
    /// Name of the package, when it is not the name it is used by.
    package: Option<String>,
    /// Folder of the package, when it is given as one.
    path: Option<Vec<u8>>,
    /// Whether the workspace says what it is.
    inherited: bool,
}

/// A package.
struct Package {
    folder: FolderId,
    /// Root of its library and the name that it is used by.
    library: Option<(FileId, Vec<u8>)>,
    /// Its name, as code writes it.
    name: Vec<u8>,
    /// Roots of all of its crates, the library first.
    roots: Vec<FileId>,
    /// By the name they are used by.
    dependencies: FxHashMap<Vec<u8>, Dependency>,
}

/// The crates of a view.
#[derive(Default)]
pub(super) struct Crates {
    packages: Vec<Package>,
    by_folder: FxHashMap<FolderId, u32>,
    by_name: FxHashMap<Vec<u8>, Vec<u32>>,
    /// By the root of a library, its package.
    libraries: FxHashMap<FileId, u32>,
    /// Names of dependencies that are not those of their packages; sorted.
    renamed: Vec<Vec<u8>>,
    /// What workspaces say of dependencies, by the folder of the workspace.
    shared: FxHashMap<FolderId, FxHashMap<Vec<u8>, Dependency>>,
}

impl Crates {
    pub(super) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut crates = Self::default();
        for file in configs.named("Cargo.toml") {
            let Some(text) = configs.text(file) else {
                continue;
            };
            let Some(document) = toml(&text) else {
                continue;
            };
            let (folder, path) = (layout.home(file), layout.home_path(file));
            let root = document.as_table();
            if let Some(workspace) = root.get("workspace").and_then(Item::as_table_like) {
                let mut shared: FxHashMap<_, Dependency> = FxHashMap::default();
                dependencies(workspace, path, &mut shared);
                let renamed = shared.iter().filter(|(_, of)| of.package.is_some());
                crates.renamed.extend(renamed.map(|(name, _)| name.clone()));
                crates.shared.insert(folder, shared);
            }
            if let Some(package) = package(layout, folder, path, root) {
                let at = crates.packages.len() as u32;
                crates.by_folder.insert(folder, at);
                if let Some((root, name)) = &package.library {
                    crates.by_name.entry(name.clone()).or_default().push(at);
                    crates.libraries.entry(*root).or_insert(at);
                }
                let name = &package.name;
                if package.library.as_ref().is_none_or(|(_, own)| own != name) {
                    crates.by_name.entry(name.clone()).or_default().push(at);
                }
                let listed = package.dependencies.iter();
                let renamed = listed.filter(|(_, of)| of.package.is_some());
                crates.renamed.extend(renamed.map(|(name, _)| name.clone()));
                crates.packages.push(package);
            }
        }
        crates.renamed.sort_unstable();
        crates.renamed.dedup();
        crates
    }

    /// Roots of all crates, libraries before what uses them.
    pub(super) fn roots(&self) -> impl Iterator<Item = FileId> + '_ {
        let first = self.packages.iter().filter_map(|p| p.roots.first());
        let rest = self.packages.iter().flat_map(|p| p.roots.iter().skip(1));
        first.chain(rest).copied()
    }

    /// The root that a file belongs to when no `mod` says so: that of the package around it.
    pub(super) fn around(&self, layout: Layout<'_>, file: FileId) -> Option<FileId> {
        self.package(layout, file)?.roots.first().copied()
    }

    fn package(&self, layout: Layout<'_>, file: FileId) -> Option<&Package> {
        let around = layout.paths.upward(layout.home(file));
        let mut around = around.filter_map(|folder| self.by_folder.get(&folder));
        around.next().map(|at| &self.packages[*at as usize])
    }

    /// Root of the library that `name` means in a file.
    pub(super) fn named(&self, layout: Layout<'_>, file: FileId, name: &[u8]) -> Option<FileId> {
        let package = self.package(layout, file);
        let dependency = package.and_then(|package| self.dependency(layout, package, name));
        if let Some(path) = dependency.and_then(|dependency| dependency.path.as_ref()) {
            let at = layout
                .folder(path)
                .and_then(|folder| self.by_folder.get(&folder));
            if let Some((root, _)) = at.and_then(|at| self.packages[*at as usize].library.as_ref())
            {
                return Some(*root);
            }
        }
        let renamed = dependency.and_then(|dependency| dependency.package.as_ref());
        let name = renamed.map_or_else(|| name.to_vec(), |name| underscored(name.as_bytes()));
        let home = layout.home_path(file);
        let same = self
            .by_name
            .get(&name)?
            .iter()
            .map(|at| &self.packages[*at as usize]);
        let nearest = same
            .filter(|package| package.library.is_some())
            .max_by_key(|package| {
                let path = layout.path(package.folder);
                (shared_folders(home, path), std::cmp::Reverse(path.len()))
            });
        Some(nearest?.library.as_ref()?.0)
    }

    /// Names by which a file may be known as the root of a library: its own, and all that anybody gives to a dependency.
    pub(super) fn names_of(&self, file: FileId) -> Vec<&[u8]> {
        let Some(at) = self.libraries.get(&file) else {
            return Vec::new();
        };
        let package = &self.packages[*at as usize];
        let own = package.library.iter().map(|(_, name)| name);
        let all = own.chain([&package.name]).chain(&self.renamed);
        all.map(Vec::as_slice).collect()
    }

    /// Whether a name is that of a dependency of the package around a file.
    pub(super) fn is_dependency(&self, layout: Layout<'_>, file: FileId, name: &[u8]) -> bool {
        let package = self.package(layout, file);
        package.is_some_and(|package| self.dependency(layout, package, name).is_some())
    }

    fn dependency<'a>(
        &'a self,
        layout: Layout<'_>,
        package: &'a Package,
        name: &[u8],
    ) -> Option<&'a Dependency> {
        let own = package.dependencies.get(name)?;
        if !own.inherited {
            return Some(own);
        }
        let mut around = layout.paths.upward(package.folder);
        let shared = around.find_map(|folder| self.shared.get(&folder));
        shared.and_then(|shared| shared.get(name)).or(Some(own))
    }
}

fn underscored(name: &[u8]) -> Vec<u8> {
    name.iter()
        .map(|b| if *b == b'-' { b'_' } else { *b })
        .collect()
}

fn package(
    layout: Layout<'_>,
    folder: FolderId,
    path: &[u8],
    root: &toml_edit::Table,
) -> Option<Package> {
    let name = root
        .get("package")?
        .as_table_like()?
        .get("name")?
        .as_str()?
        .as_bytes();
    let library = root.get("lib").and_then(Item::as_table_like);
    let of_library = |key: &str| library.and_then(|library| library.get(key)?.as_str());
    let file = layout.file_from(path, of_library("path").unwrap_or("src/lib.rs").as_bytes());
    let used_by = of_library("name").map_or(name, str::as_bytes);
    let mut roots: Vec<FileId> = file.into_iter().collect();
    roots.extend(layout.file_from(path, b"src/main.rs"));
    for targets in TARGETS {
        let place = join(path, targets)?;
        let Some(inside) = layout.folder(&place) else {
            continue;
        };
        let files = layout.paths.files_in(inside).iter().copied();
        roots.extend(files.filter(|file| layout.path_of(*file).ends_with(b".rs")));
        let mains = layout
            .named(b"main.rs")
            .filter(|file| layout.paths.above(layout.home(*file)) == Some(inside));
        roots.extend(mains);
    }
    for kind in ["bin", "example", "test", "bench"] {
        let listed = root.get(kind).and_then(Item::as_array_of_tables);
        for target in listed.into_iter().flat_map(|tables| tables.iter()) {
            let place = target.get("path").and_then(Item::as_str);
            roots.extend(place.and_then(|place| layout.file_from(path, place.as_bytes())));
        }
    }
    roots.extend(layout.file_from(path, b"build.rs"));
    let mut listed = FxHashMap::default();
    dependencies(root, path, &mut listed);
    let targets = root.get("target").and_then(Item::as_table_like);
    for (_, target) in targets.into_iter().flat_map(|table| table.iter()) {
        if let Some(target) = target.as_table_like() {
            dependencies(target, path, &mut listed);
        }
    }
    Some(Package {
        folder,
        library: file.map(|file| (file, underscored(used_by))),
        name: underscored(name),
        roots,
        dependencies: listed,
    })
}

/// Adds the dependencies of all kinds that a table lists.
fn dependencies(table: &dyn TableLike, folder: &[u8], listed: &mut FxHashMap<Vec<u8>, Dependency>) {
    for key in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let Some(list) = table.get(key).and_then(Item::as_table_like) else {
            continue;
        };
        for (name, item) in list.iter() {
            let mut dependency = Dependency::default();
            if let Some(table) = item.as_table_like() {
                let string = |key: &str| table.get(key).and_then(Item::as_str);
                dependency.package = string("package").map(str::to_owned);
                dependency.path = string("path").and_then(|path| join(folder, path.as_bytes()));
                dependency.inherited = table
                    .get("workspace")
                    .and_then(Item::as_bool)
                    .unwrap_or(false);
            }
            listed.insert(underscored(name.as_bytes()), dependency);
        }
    }
}

/// Whether the children of a file lie beside it and not in a folder of its name.
pub(super) fn is_folders_own(path: &[u8]) -> bool {
    stem(path) == b"mod"
}
