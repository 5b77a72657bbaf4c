//! JavaScript and TypeScript, and the scripts of Vue and Svelte: relative paths as Node and
//! bundlers read them, aliases of `tsconfig.json`, packages of the tree by their names.
//!
//! What a package says of its built files holds for the sources when the built files are not in
//! the tree: `dist/node/index.js` is `src/node/index.ts`.

mod manifest;
#[cfg(test)]
mod tests;
mod tsconfig;

use crate::modules::paths::{below, parent};
use crate::modules::prelude::*;
pub(super) use manifest::entries;
use manifest::{Manifest, Manifests};
use std::cell::Cell;
use tsconfig::Aliases;

/// Endings that a specifier may leave out, in order of preference: sources before what is made of
/// them, code before declarations.
const ENDS: [&[u8]; 14] = [
    b".ts", b".tsx", b".js", b".jsx", b".mjs", b".cjs", b".mts", b".cts", b".vue", b".svelte",
    b".d.ts", b".d.mts", b".d.cts", b".json",
];

/// Endings in a specifier that may stand for other ones in the tree: TypeScript names the file
/// that it will emit.
const EMITTED: [(&[u8], &[&[u8]]); 4] = [
    (b".js", &[b".ts", b".tsx", b".jsx", b".vue", b".d.ts"]),
    (b".jsx", &[b".tsx", b".d.ts"]),
    (b".mjs", &[b".mts", b".ts", b".d.mts"]),
    (b".cjs", &[b".cts", b".ts", b".d.cts"]),
];

/// Folders of a package that its build may start from: those made for just that come first, since
/// the file of the same name in `src` is what they export from.
const SOURCES: &[&[u8]] = byte_words!("src/exports src/entries src/entrypoints src/entry src");

/// How often a specifier may lead to another one.
const MAX_HOPS: u32 = 8;

/// Specifiers and manifests that are looked at for one specifier. A manifest may name many targets that each
/// lead back to it: with hops alone bounded, six of them are looked at a million times.
const MAX_LOOKS: u32 = 256;

/// Packages and aliases of a tree.
pub(crate) struct JavaScript {
    manifests: Manifests,
    aliases: Aliases,
}

impl JavaScript {
    pub(crate) fn new(configs: &mut Configs<'_>) -> Self {
        let manifests = Manifests::new(configs);
        let aliases = Aliases::new(configs, &manifests);
        Self { manifests, aliases }
    }
}

impl Resolver for JavaScript {
    fn reads_documents(&self) -> bool {
        false
    }

    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        let specifier = plain(specifier);
        let lookup = Lookup {
            modules: self,
            layout,
            home: layout.home(site.from),
            looks: &Cell::new(MAX_LOOKS),
        };
        lookup.resolve(specifier, 0)
    }
}

/// Takes webpack's loaders (`raw!./x`) and Vite's queries (`./x?url`) off a specifier.
fn plain(specifier: &[u8]) -> &[u8] {
    let specifier = specifier.rsplit(|b| *b == b'!').next().unwrap_or(specifier);
    let query = specifier.iter().position(|b| *b == b'?');
    &specifier[..query.unwrap_or(specifier.len())]
}

#[derive(Clone, Copy)]
struct Lookup<'a> {
    modules: &'a JavaScript,
    layout: Layout<'a>,
    home: FolderId,
    /// How often it may still look at something.
    looks: &'a Cell<u32>,
}

impl Lookup<'_> {
    /// Whether it may look at one more specifier or manifest.
    fn may_look(self) -> bool {
        let left = self.looks.get();
        self.looks.set(left.saturating_sub(1));
        left > 0
    }

    fn resolve(self, specifier: &[u8], hops: u32) -> Resolution {
        match specifier {
            _ if hops > MAX_HOPS || !self.may_look() => Resolution::Unresolved,
            [] => Resolution::Unresolved,
            [b'.'] | [b'.', b'/', ..] | [b'.', b'.'] | [b'.', b'.', b'/', ..] => {
                self.relative(specifier).into()
            }
            [b'/', ..] => self.absolute(specifier).into(),
            [b'#', ..] => match self.subpath_import(specifier, hops) {
                Resolution::Unresolved => self.aliased(specifier).0.into(),
                other => other,
            },
            _ if specifier.contains(&b':') => Resolution::External,
            _ => self.bare(specifier),
        }
    }

    fn relative(self, specifier: &[u8]) -> Option<FileId> {
        let home = self.layout.path(self.home);
        let path = join(home, specifier)?;
        let is_folder = matches!(file_name(specifier), b"" | b"." | b"..");
        let file = (!is_folder).then(|| self.file(&path)).flatten();
        let found = file.or_else(|| self.folder(&path, 0));
        found
            .or_else(|| {
                self.modules
                    .aliases
                    .through_roots(home, &path, |path| self.module(path))
            })
            .or_else(|| {
                // A file that the build makes, named from outside of what is built.
                let manifest = self.modules.manifests.around(self.layout, self.home)?;
                let folder = self.layout.path(manifest.folder);
                self.source_of(folder, below(&path, folder)?)
            })
            .or_else(|| {
                // The same from another package's folder.
                let manifest = self.modules.manifests.above_path(self.layout, &path)?;
                let folder = self.layout.path(manifest.folder);
                self.source_of(folder, below(&path, folder)?)
            })
    }

    /// `/x` is of the page's root: a folder around this one, or what it serves as it is.
    fn absolute(self, specifier: &[u8]) -> Option<FileId> {
        self.layout.paths.upward(self.home).find_map(|folder| {
            let folder = self.layout.path(folder);
            let found = self.module(&join(folder, specifier)?);
            found.or_else(|| self.layout.file_from(&join(folder, b"public")?, specifier))
        })
    }

    /// `#x` is what the package around this file says it is.
    fn subpath_import(self, specifier: &[u8], hops: u32) -> Resolution {
        let Some(manifest) = self.modules.manifests.around(self.layout, self.home) else {
            return Resolution::Unresolved;
        };
        let folder = self.layout.path(manifest.folder);
        for target in manifest.imports.targets(specifier) {
            if target.starts_with(b"./") {
                if let Some(file) = self.target(folder, &target) {
                    return Resolution::Found(Place::file(file));
                }
            } else if let found @ (Resolution::Found(_) | Resolution::External) =
                self.resolve(&target, hops + 1)
            {
                return found;
            }
        }
        Resolution::Unresolved
    }

    /// What an alias leads to, and whether one was written for just such specifiers.
    fn aliased(self, specifier: &[u8]) -> (Option<FileId>, bool) {
        let aliases = &self.modules.aliases;
        aliases.resolve(self.layout, self.home, specifier, |path| self.module(path))
    }

    fn bare(self, specifier: &[u8]) -> Resolution {
        let (found, meant) = self.aliased(specifier);
        if found.is_some() {
            return found.into();
        }
        let (name, rest) = package_name(specifier);
        if BUILTIN.binary_search(&name).is_ok() {
            return Resolution::External;
        }
        if let Some(manifest) = self.modules.manifests.named(self.layout, self.home, name) {
            return self.of_package(manifest, rest).into();
        }
        // A widespread convention of bundlers: `@` and `~` are the source folder.
        if let Some(rest) = specifier
            .strip_prefix(b"@/")
            .or(specifier.strip_prefix(b"~/"))
        {
            let found = self.layout.paths.upward(self.home).find_map(|folder| {
                let folder = self.layout.path(folder);
                let below = |path: &[u8]| self.module(&join(&join(folder, path)?, rest)?);
                below(b"src")
                    .or_else(|| below(b"app"))
                    .or_else(|| below(b""))
            });
            return found.into();
        }
        match meant {
            true => Resolution::Unresolved,
            false => Resolution::External,
        }
    }

    /// A package of the tree, or a file in it.
    fn of_package(self, manifest: &Manifest, rest: &[u8]) -> Option<FileId> {
        let folder = self.layout.path(manifest.folder);
        let subpath = match rest {
            b"" => b".".to_vec(),
            rest => [b"./", rest].concat(),
        };
        let targets = manifest.exports.targets(&subpath);
        let exported = targets
            .iter()
            .find_map(|target| self.target(folder, target));
        if exported.is_some() {
            return exported;
        }
        if rest.is_empty() {
            return self.folder(folder, 0);
        }
        let module = |path: &[u8]| self.module(&join(&join(folder, path)?, rest)?);
        module(b"")
            .or_else(|| self.source_of(folder, rest))
            .or_else(|| module(b"src"))
    }

    /// A file that a manifest names, or the source it is made of.
    fn target(self, folder: &[u8], target: &[u8]) -> Option<FileId> {
        let path = join(folder, target)?;
        let found = self.module(&path);
        found.or_else(|| self.source_of(folder, below(&path, folder)?))
    }

    /// The source in a package of what its build makes: the same name below `src` or the package
    /// itself, without one or more of the outer folders.
    fn source_of(self, folder: &[u8], built: &[u8]) -> Option<FileId> {
        let ending = ENDS.iter().rev().find(|end| built.ends_with(end));
        let mut rest = &built[..built.len() - ending.map_or(0, |end| end.len())];
        while let Some(slash) = rest.iter().position(|b| *b == b'/') {
            rest = &rest[slash + 1..];
            let at = |inner: &[u8]| self.module(&join(&join(folder, inner)?, rest)?);
            let found = SOURCES.iter().find_map(|inner| at(inner));
            // An `index` at the top is the package itself, not what any of its folders holds.
            let found = found.or_else(|| if rest == b"index" { None } else { at(b"") });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The file or folder at a path.
    fn module(self, path: &[u8]) -> Option<FileId> {
        self.file(path).or_else(|| self.folder(path, 0))
    }

    fn file(self, path: &[u8]) -> Option<FileId> {
        // Nothing is tried below a folder that is not there.
        self.layout.folder(parent(path))?;
        let mut trial = path.to_vec();
        for (emitted, sources) in EMITTED {
            if let Some(stem) = path.strip_suffix(emitted) {
                let mut with = |end: &[u8]| {
                    trial.truncate(stem.len());
                    trial.extend_from_slice(end);
                    self.layout.file(&trial)
                };
                let (declaration, code) = sources.split_last()?;
                let found = code.iter().find_map(|end| with(end));
                let found = found
                    .or_else(|| with(emitted))
                    .or_else(|| with(declaration));
                if found.is_some() {
                    return found;
                }
            }
        }
        if let Some(file) = self.layout.file(path) {
            return Some(file);
        }
        ENDS.iter().find_map(|end| {
            trial.clear();
            trial.extend_from_slice(path);
            trial.extend_from_slice(end);
            self.layout.file(&trial)
        })
    }

    /// What a folder stands for: what its manifest names, or its index.
    fn folder(self, path: &[u8], hops: u32) -> Option<FileId> {
        let id = self.layout.folder(path)?;
        let manifest = self.modules.manifests.at(id);
        if let Some(manifest) = manifest.filter(|_| hops < MAX_HOPS && self.may_look()) {
            let main = manifest.exports.targets(b".");
            let named = main.iter().chain(&manifest.main);
            for target in named {
                let Some(target) = join(path, target) else {
                    continue;
                };
                let found = self.file(&target);
                let found = found.or_else(|| match target == path {
                    true => None,
                    false => self.folder(&target, hops + 1),
                });
                if let Some(found) = found.or_else(|| self.source_of(path, below(&target, path)?)) {
                    return Some(found);
                }
            }
            let at = |inner: &[u8]| self.file(&join(path, inner)?);
            return at(b"index")
                .or_else(|| at(b"src/index"))
                .or_else(|| at(b"src/main"));
        }
        self.file(&join(path, b"index")?)
    }
}

/// Cuts a bare specifier into the package's name and what is below it.
fn package_name(specifier: &[u8]) -> (&[u8], &[u8]) {
    let slashes = 1 + usize::from(specifier.starts_with(b"@"));
    let mut at = specifier.iter().enumerate().filter(|(_, b)| **b == b'/');
    match at.nth(slashes - 1) {
        Some((at, _)) => (&specifier[..at], &specifier[at + 1..]),
        None => (specifier, b""),
    }
}

/// Modules that Node itself has, sorted.
const BUILTIN: &[&[u8]] = byte_words!(
    "assert async_hooks buffer child_process cluster console constants crypto dgram
     diagnostics_channel dns domain events fs http http2 https inspector module net os path
     perf_hooks process punycode querystring readline repl stream string_decoder timers tls
     trace_events tty url util v8 vm wasi worker_threads zlib"
);
