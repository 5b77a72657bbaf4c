//! Languages whose imports are paths, or become paths by one rule: Lua, Haskell, OCaml, Zig, Bash,
//! HTML, CSS and Terraform.

use super::config::Configs;
use super::paths::{FolderId, Layout, join};
use super::{Place, Resolution};
use crate::view::live::FileId;
use rustc_hash::FxHashMap;

/// `require "a.b"`: `a/b.lua` or `a/b/init.lua`, from the folders around the file and the roots
/// that Lua programs and editors have.
pub(super) fn lua(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let mut path: Vec<u8> = specifier.to_vec();
    if !specifier.contains(&b'/') {
        path.iter_mut()
            .filter(|b| **b == b'.')
            .for_each(|b| *b = b'/');
    }
    let at = |folder: &[u8]| {
        let whole = join(folder, &path)?;
        let ends: [&[u8]; 3] = [b".lua", b"/init.lua", b".luau"];
        ends.iter()
            .find_map(|end| layout.file(&[&whole, *end].concat()))
    };
    let found = layout.paths.upward(layout.home(from)).find_map(|folder| {
        let folder = layout.path(folder);
        let roots: [&[u8]; 4] = [b"", b"lua", b"src", b"lib"];
        roots.iter().find_map(|root| at(&join(folder, root)?))
    });
    match found.or_else(|| layout.closest(from, &[&path[..], b".lua"].concat())) {
        Some(file) => Resolution::Found(Place::file(file)),
        None => Resolution::External,
    }
}

/// `import A.B`: the file whose path ends in `A/B.hs`.
pub(super) fn haskell(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let path: Vec<u8> = specifier
        .iter()
        .map(|b| if *b == b'.' { b'/' } else { *b })
        .collect();
    let ends: [&[u8]; 3] = [b".hs", b".lhs", b".hsc"];
    let found = ends
        .iter()
        .find_map(|end| layout.closest(from, &[&path, *end].concat()));
    found.map_or(Resolution::External, |file| {
        Resolution::Found(Place::file(file))
    })
}

/// `@import("x.zig")`: a file beside; another name is a module that the build names.
pub(super) fn zig(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
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
    found.map_or(Resolution::External, |file| {
        Resolution::Found(Place::file(file))
    })
}

/// `source x.sh`: from the file's folder, the folders around it, else by its end.
pub(super) fn bash(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
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

/// `href`, `src`, `@import`: relative to the page, or to the folder that is served.
pub(super) fn web(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let end = specifier.iter().position(|b| matches!(b, b'?' | b'#'));
    let path = &specifier[..end.unwrap_or(specifier.len())];
    if path.is_empty() || path.starts_with(b"//") || path.contains(&b':') {
        return Resolution::External;
    }
    if path.iter().any(|b| matches!(b, b'{' | b'$' | b'%')) {
        // A template's placeholder.
        return Resolution::Unresolved;
    }
    let at = |folder: &[u8], path: &[u8]| {
        let path = join(folder, path)?;
        let ends: [&[u8]; 3] = [b"", b".css", b"/index.html"];
        ends.iter()
            .find_map(|end| layout.file(&[&path, *end].concat()))
    };
    if !path.starts_with(b"/") {
        let found = at(layout.home_path(from), path);
        // A style sheet may take another one from a package by its bare name.
        let is_bare = !path.starts_with(b".")
            && super::paths::file_name(path) == path
            && !path.contains(&b'.');
        return match found {
            None if is_bare || path.starts_with(b"~") => Resolution::External,
            found => found.into(),
        };
    }
    let found = layout.paths.upward(layout.home(from)).find_map(|folder| {
        let folder = layout.path(folder);
        let served: [&[u8]; 4] = [b"", b"public", b"static", b"src"];
        served
            .iter()
            .find_map(|name| at(&join(folder, name)?, path))
    });
    found.into()
}

/// `source = "./modules/x"`: all configuration of that folder is one module.
pub(super) fn terraform(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    if !specifier.starts_with(b".") {
        return Resolution::External;
    }
    let folder = join(layout.home_path(from), specifier).and_then(|path| layout.folder(&path));
    let files = folder
        .map(|folder| terraform_files(layout, folder))
        .unwrap_or_default();
    match files.is_empty() {
        true => Resolution::Unresolved,
        false => Resolution::Found(Place {
            files,
            ..Place::default()
        }),
    }
}

fn terraform_files(layout: Layout<'_>, folder: FolderId) -> Vec<FileId> {
    let files = layout.paths.files_in(folder).iter().copied();
    files
        .filter(|file| layout.path_of(*file).ends_with(b".tf"))
        .collect()
}

/// Folders that are one Terraform module each.
pub(super) struct Terraform {
    modules: FxHashMap<FolderId, Vec<FileId>>,
}

impl Terraform {
    pub(super) fn new(layout: Layout<'_>) -> Self {
        let mut modules: FxHashMap<FolderId, Vec<FileId>> = FxHashMap::default();
        for (file, id) in layout.view.files().iter().zip(0u32..) {
            if file.path.as_bytes().ends_with(b".tf") {
                modules
                    .entry(layout.home(FileId(id)))
                    .or_default()
                    .push(FileId(id));
            }
        }
        Self { modules }
    }

    /// The files of the module that a file is of.
    pub(super) fn package_of(&self, folder: FolderId, file: FileId) -> Option<&[FileId]> {
        let files = self.modules.get(&folder)?;
        files.binary_search(&file).ok().map(|_| &files[..])
    }
}

/// Libraries of `dune` files, by name.
pub(super) struct OCaml {
    libraries: FxHashMap<Vec<u8>, FolderId>,
}

impl OCaml {
    pub(super) fn new(configs: &mut Configs<'_>) -> Self {
        let layout = configs.layout;
        let mut libraries = FxHashMap::default();
        for file in configs.named("dune") {
            let text = configs.text(file).unwrap_or_default();
            for (at, _) in text.match_indices("(library") {
                let name = text[at..]
                    .split("(name")
                    .nth(1)
                    .and_then(|rest| rest.split(')').next());
                if let Some(name) = name {
                    libraries
                        .entry(name.trim().as_bytes().to_vec())
                        .or_insert(layout.home(file));
                }
            }
        }
        Self { libraries }
    }

    /// `open A.B`: `a.ml`, or `b.ml` in the library `a`.
    pub(super) fn resolve(&self, layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
        let parts: Vec<&[u8]> = specifier.split(|b| *b == b'.').collect();
        let Some((first, rest)) = parts.split_first() else {
            return Resolution::Unresolved;
        };
        let inner = |rest: &[&[u8]]| rest.iter().map(|part| part.to_vec()).collect();
        let beside = |folder: &[u8], name: &[u8]| {
            let ends: [&[u8]; 2] = [b".ml", b".mli"];
            ends.iter()
                .find_map(|end| layout.file_from(folder, &[&lowered(name), *end].concat()))
        };
        let place = |file: FileId, rest: &[&[u8]]| {
            Resolution::Found(Place {
                inner: inner(rest),
                ..Place::file(file)
            })
        };
        if let Some(file) = beside(layout.home_path(from), first) {
            return place(file, rest);
        }
        if let Some(folder) = self.libraries.get(&lowered(first)) {
            let path = layout.path(*folder);
            if let Some(file) = rest.first().and_then(|name| beside(path, name)) {
                return place(file, &rest[1..]);
            }
            if let Some(file) = beside(path, first) {
                return place(file, rest);
            }
            let files = layout.paths.files_in(*folder).iter().copied();
            let files = files.filter(|file| layout.path_of(*file).ends_with(b".ml"));
            return Resolution::Found(Place {
                files: files.collect(),
                inner: inner(rest),
                whole: None,
            });
        }
        match layout.closest(from, &[&lowered(first)[..], b".ml"].concat()) {
            Some(file) => place(file, rest),
            None => Resolution::External,
        }
    }

    /// The module `name` beside a module or in its library.
    pub(super) fn child(&self, layout: Layout<'_>, place: &Place, name: &[u8]) -> Option<Place> {
        let file = *place.files.first()?;
        let path = [&lowered(name)[..], b".ml"].concat();
        layout
            .file_from(layout.home_path(file), &path)
            .filter(|_| place.files.len() > 1)
            .map(Place::file)
    }
}

/// A module's name as its file has it.
fn lowered(name: &[u8]) -> Vec<u8> {
    let mut name = name.to_vec();
    if let Some(first) = name.first_mut() {
        first.make_ascii_lowercase();
    }
    name
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Made, Tree};
    use crate::extract::record::Grammar;
    use crate::extract::record::ImportKind::{Import, Include, Require};

    #[test]
    fn dotted_names_become_paths() {
        let tree = Tree::with(
            &[("core/dune", "(library\n (public_name x)\n (name core))\n")],
            vec![
                Made::new("lua/app/init.lua", Grammar::Lua)
                    .import(Require, "app.log")
                    .import(Require, "app")
                    .import(Require, "cjson"),
                Made::new("lua/app/log.lua", Grammar::Lua),
                Made::new("src/Data/Map/Own.hs", Grammar::Haskell).import(Import, "Data.List"),
                Made::new("app/Main.hs", Grammar::Haskell).import(Import, "Data.Map.Own"),
                Made::new("core/graph.ml", Grammar::OCaml),
                Made::new("core/core_types.ml", Grammar::OCaml),
                Made::new("bin/main.ml", Grammar::OCaml)
                    .import(Import, "Core.Graph.Node")
                    .import(Import, "Core")
                    .import(Import, "Stdlib"),
                Made::new("src/main.zig", Grammar::Zig)
                    .import(Import, "std")
                    .import(Import, "net/tcp.zig")
                    .import(Import, "gone.zig"),
                Made::new("src/net/tcp.zig", Grammar::Zig),
            ],
        );
        assert_eq!(
            tree.resolved("lua/app/init.lua"),
            [
                "app.log -> lua/app/log.lua",
                "app -> lua/app/init.lua",
                "cjson -> external"
            ]
        );
        assert_eq!(
            tree.resolved("app/Main.hs"),
            ["Data.Map.Own -> src/Data/Map/Own.hs"]
        );
        assert_eq!(
            tree.resolved("src/Data/Map/Own.hs"),
            ["Data.List -> external"]
        );
        assert_eq!(
            tree.resolved("bin/main.ml"),
            [
                "Core.Graph.Node -> core/graph.ml ::Node",
                "Core -> core/core_types.ml core/graph.ml",
                "Stdlib -> external",
            ]
        );
        assert_eq!(
            tree.resolved("src/main.zig"),
            [
                "std -> external",
                "net/tcp.zig -> src/net/tcp.zig",
                "gone.zig -> unresolved"
            ]
        );
    }

    #[test]
    fn scripts_pages_and_configurations_name_paths() {
        let tree = Tree::with(
            &[("site/public/logo.svg", ""), ("modules/net/notes.txt", "")],
            vec![
                Made::new("bin/run.sh", Grammar::Bash)
                    .import(Include, "lib/log.sh")
                    .import(Include, "./near.sh")
                    .import(Include, "/etc/profile")
                    .import(Include, "gone.sh"),
                Made::new("lib/log.sh", Grammar::Bash),
                Made::new("bin/near.sh", Grammar::Bash),
                Made::new("site/index.html", Grammar::Html)
                    .import(Import, "main.js?v=1")
                    .import(Import, "/logo.svg")
                    .import(Import, "https://x.y/z.css")
                    .import(Import, "{{ url }}")
                    .import(Import, "gone.css"),
                Made::new("site/main.css", Grammar::Css)
                    .import(Import, "base.css")
                    .import(Import, "tailwindcss"),
                Made::new("site/base.css", Grammar::Css),
                Made::new("site/main.js", Grammar::JavaScript),
                Made::new("main.tf", Grammar::Hcl)
                    .import(Import, "./modules/net")
                    .import(Import, "hashicorp/consul/aws")
                    .import(Import, "./none"),
                Made::new("modules/net/a.tf", Grammar::Hcl),
                Made::new("modules/net/b.tf", Grammar::Hcl),
            ],
        );
        assert_eq!(
            tree.resolved("bin/run.sh"),
            [
                "lib/log.sh -> lib/log.sh",
                "./near.sh -> bin/near.sh",
                "/etc/profile -> external",
                "gone.sh -> unresolved",
            ]
        );
        assert_eq!(
            tree.resolved("site/index.html"),
            [
                "main.js?v=1 -> site/main.js",
                "/logo.svg -> site/public/logo.svg",
                "https://x.y/z.css -> external",
                "{{ url }} -> unresolved",
                "gone.css -> unresolved",
            ]
        );
        assert_eq!(
            tree.resolved("site/main.css"),
            ["base.css -> site/base.css", "tailwindcss -> external"]
        );
        assert_eq!(
            tree.resolved("main.tf"),
            [
                "./modules/net -> modules/net/a.tf modules/net/b.tf",
                "hashicorp/consul/aws -> external",
                "./none -> unresolved",
            ]
        );
        assert_eq!(
            tree.package("modules/net/a.tf"),
            ["modules/net/a.tf", "modules/net/b.tf"]
        );
    }
}
