//! `tsconfig.json` and `jsconfig.json`: path aliases, base folders, root folders.

use super::manifest::{Manifests, fill};
use super::package_name;
use crate::modules::paths::{below, parent};
use crate::modules::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How many configurations one may extend, one after the other.
const MAX_EXTENDS: usize = 8;

/// Specifiers and the paths they stand for.
#[derive(Default)]
struct Patterns {
    exact: FxHashMap<Vec<u8>, Vec<Vec<u8>>>,
    /// With one `*`.
    open: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
}

/// How much of a specifier a pattern spells out, what its `*` stands for, and its paths.
type Match<'s, 'p> = (usize, &'s [u8], &'p [Vec<u8>]);

impl Patterns {
    fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.open.is_empty()
    }

    /// The patterns that a specifier matches, the longest first: how much of it they spell out,
    /// what their `*` stands for, and the paths.
    fn matching<'s>(&self, specifier: &'s [u8]) -> Vec<Match<'s, '_>> {
        let exact = self.exact.get(specifier);
        let open = self.open.iter().filter_map(|(pattern, targets)| {
            let star = pattern.iter().position(|b| *b == b'*')?;
            let rest = specifier.strip_prefix(&pattern[..star])?;
            let rest = rest.strip_suffix(&pattern[star + 1..])?;
            Some((star, rest, &targets[..]))
        });
        let mut open: Vec<_> = open.collect();
        open.sort_by_key(|(len, ..)| std::cmp::Reverse(*len));
        let exact = exact.map(|targets| (specifier.len(), &specifier[..0], &targets[..]));
        exact.into_iter().chain(open).collect()
    }
}

/// What is read of one configuration, with what it extends.
#[derive(Clone, Default)]
struct Options {
    /// Folder that bare specifiers may start from.
    base: Option<Vec<u8>>,
    paths: Arc<Patterns>,
    /// Folders that are one folder once built.
    roots: Vec<Vec<u8>>,
}

/// Aliases by the folder whose configuration sets them.
pub(super) struct Aliases {
    by_folder: FxHashMap<FolderId, Vec<Options>>,
    /// Sets of folders that are one folder once built.
    roots: Vec<Vec<Vec<u8>>>,
}

impl Aliases {
    pub(super) fn new(configs: &mut Configs<'_>, manifests: &Manifests) -> Self {
        let layout = configs.layout;
        let mut reader = Reader {
            manifests,
            known: FxHashMap::default(),
        };
        let mut by_folder: FxHashMap<FolderId, Vec<Options>> = FxHashMap::default();
        for name in ["tsconfig.json", "jsconfig.json"] {
            for file in configs.named(name) {
                let folder = layout.home(file);
                // A solution's file only points at others, and tools have variants beside it.
                let mut files = vec![file];
                files.extend(reader.references(configs, file));
                files.extend(
                    layout
                        .paths
                        .files_in(folder)
                        .iter()
                        .copied()
                        .filter(|other| {
                            let name = layout.name_of(*other);
                            name.starts_with(b"tsconfig.") && name.ends_with(b".json")
                        }),
                );
                let mut seen = FxHashSet::default();
                files.retain(|file| seen.insert(*file));
                let options = files
                    .into_iter()
                    .map(|file| reader.options(configs, file, 0));
                let options = options.filter(|options| {
                    options.base.is_some() || !options.paths.is_empty() || !options.roots.is_empty()
                });
                by_folder.entry(folder).or_default().extend(options);
            }
        }
        by_folder.retain(|_, options| !options.is_empty());
        let mut roots: Vec<_> = by_folder
            .values()
            .flatten()
            .map(|options| options.roots.clone())
            .collect();
        roots.retain(|roots| roots.len() > 1);
        roots.sort_unstable();
        roots.dedup();
        Self { by_folder, roots }
    }

    /// What an alias leads to, and whether one was written for just such specifiers.
    pub(super) fn resolve(
        &self,
        layout: Layout<'_>,
        home: FolderId,
        specifier: &[u8],
        module: impl Fn(&[u8]) -> Option<FileId>,
    ) -> (Option<FileId>, bool) {
        let mut meant = false;
        let mut tried: Option<&Arc<Patterns>> = None;
        let around = layout
            .paths
            .upward(home)
            .filter_map(|folder| self.by_folder.get(&folder));
        for options in around.flatten() {
            // A configuration that extends the one above has the same patterns.
            let is_new = tried.is_none_or(|tried| !Arc::ptr_eq(tried, &options.paths));
            tried = Some(&options.paths);
            let matching = is_new.then(|| options.paths.matching(specifier));
            for (len, rest, targets) in matching.into_iter().flatten() {
                meant |= len > 0;
                let found = targets
                    .iter()
                    .find_map(|target| module(&fill(target, rest)));
                if found.is_some() {
                    return (found, true);
                }
            }
            let base = options.base.as_ref();
            if let Some(found) = base.and_then(|base| module(&join(base, specifier)?)) {
                return (Some(found), true);
            }
        }
        (None, meant)
    }

    /// The same path below another one of the folders that are one folder once built.
    pub(super) fn through_roots(
        &self,
        home: &[u8],
        path: &[u8],
        module: impl Fn(&[u8]) -> Option<FileId>,
    ) -> Option<FileId> {
        self.roots.iter().find_map(|roots| {
            roots.iter().find(|root| below(home, root).is_some())?;
            let rest = roots.iter().find_map(|root| below(path, root))?;
            roots.iter().find_map(|root| module(&join(root, rest)?))
        })
    }
}

struct Reader<'m> {
    manifests: &'m Manifests,
    known: FxHashMap<FileId, Options>,
}

impl Reader<'_> {
    /// Configurations that this one refers to.
    fn references(&self, configs: &mut Configs<'_>, file: FileId) -> Vec<FileId> {
        let layout = configs.layout;
        let text = configs.text(file).unwrap_or_default();
        let value = json(&text);
        let listed = value
            .as_ref()
            .and_then(|value| value.as_object()?.get_array("references"));
        let Some(listed) = listed else {
            return Vec::new();
        };
        let paths = listed.elements.iter().filter_map(|reference| {
            let path = reference.as_object()?.get_string("path")?;
            join(layout.home_path(file), path.value.as_bytes())
        });
        // Another package's configuration is for that package's files.
        let own = |path: &Vec<u8>| parent(path) == layout.home_path(file);
        paths
            .filter(own)
            .filter_map(|path| layout.file(&path))
            .collect()
    }

    fn options(&mut self, configs: &mut Configs<'_>, file: FileId, depth: usize) -> Options {
        if let Some(known) = self.known.get(&file) {
            return known.clone();
        }
        let options = self.read(configs, file, depth).unwrap_or_default();
        self.known.insert(file, options.clone());
        options
    }

    fn read(&mut self, configs: &mut Configs<'_>, file: FileId, depth: usize) -> Option<Options> {
        let layout = configs.layout;
        let text = configs.text(file)?;
        let value = json(&text)?;
        let object = value.as_object()?;
        let home = layout.home_path(file);
        let mut options = Options::default();
        if let Some(extended) = object.get("extends").filter(|_| depth < MAX_EXTENDS) {
            for specifier in json_strings(&extended.value) {
                if let Some(other) = self.extended(layout, file, specifier.as_bytes()) {
                    options = self.options(configs, other, depth + 1).over(options);
                }
            }
        }
        let Some(compiler) = object.get_object("compilerOptions") else {
            return Some(options);
        };
        let own_base = compiler
            .get_string("baseUrl")
            .and_then(|base| join(home, base.value.as_bytes()));
        let from = own_base
            .clone()
            .or(options.base.clone())
            .unwrap_or_else(|| home.to_vec());
        let mut patterns = Patterns::default();
        let paths = compiler
            .get_object("paths")
            .map(|object| &object.properties[..]);
        for property in paths.unwrap_or_default() {
            let targets = json_strings(&property.value);
            let targets = targets
                .iter()
                .filter_map(|target| join(&from, target.as_bytes()));
            let (pattern, targets) = (property.name.as_str().as_bytes(), targets.collect());
            if pattern.contains(&b'*') {
                patterns.open.push((pattern.to_vec(), targets));
            } else {
                patterns.exact.insert(pattern.to_vec(), targets);
            }
        }
        let mut own = Options {
            base: own_base,
            paths: Arc::new(patterns),
            roots: Vec::new(),
        };
        if let Some(roots) = compiler.get("rootDirs") {
            let roots = json_strings(&roots.value);
            own.roots = roots
                .iter()
                .filter_map(|root| join(home, root.as_bytes()))
                .collect();
        }
        Some(own.over(options))
    }

    /// The configuration that an `extends` names.
    fn extended(&self, layout: Layout<'_>, file: FileId, specifier: &[u8]) -> Option<FileId> {
        let at = |path: Vec<u8>| {
            let with = |end: &[u8]| layout.file(&[&path[..], end].concat());
            with(b"")
                .or_else(|| with(b".json"))
                .or_else(|| with(b"/tsconfig.json"))
        };
        if specifier.starts_with(b".") {
            return at(join(layout.home_path(file), specifier)?);
        }
        let (name, rest) = package_name(specifier);
        let folder = self
            .manifests
            .folder_named(layout, layout.home(file), name)?;
        at(join(layout.path(folder), rest)?)
    }
}

impl Options {
    /// What this configuration sets itself counts, and else what it extends.
    fn over(self, extended: Self) -> Self {
        Self {
            base: self.base.or(extended.base),
            paths: match self.paths.is_empty() {
                true => extended.paths,
                false => self.paths,
            },
            roots: match self.roots.is_empty() {
                true => extended.roots,
                false => self.roots,
            },
        }
    }
}
