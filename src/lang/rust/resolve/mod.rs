//! Rust: crates of `Cargo.toml`, the module tree that `mod` declarations make, paths from `crate`,
//! `self`, `super` and the names of crates.
//!
//! A path is followed as far as there are files for its parts; the rest (inline modules, enums,
//! re-exported names) stays to be walked inside the last file.

mod cargo;
#[cfg(test)]
mod tests;
mod tree;

use crate::modules::prelude::*;
use cargo::Crates;
use tree::{ModuleTree, Standing};

/// How many imports of a file are followed from one to the next.
const MAX_HOPS: u32 = 4;

/// Crates and modules of a tree.
pub(crate) struct Rust {
    crates: Crates,
    tree: ModuleTree,
}

impl Rust {
    pub(crate) fn new(configs: &mut Configs<'_>) -> Self {
        let crates = Crates::new(configs);
        let tree = ModuleTree::new(configs.layout, &crates);
        Self { crates, tree }
    }

    fn follow(
        &self,
        layout: Layout<'_>,
        standing: &Standing,
        specifier: &[u8],
        hops: u32,
    ) -> Resolution {
        let global = specifier.starts_with(b"::");
        let mut parts = parts(specifier);
        let Some(first) = parts.next() else {
            return Resolution::Unresolved;
        };
        let mut rest: Vec<&[u8]> = parts.collect();
        let file = standing.file;
        let mut at = match first {
            b"crate" | b"$crate" => Place::file(self.tree.root(file)),
            b"self" => standing.place(),
            b"super" => {
                let mut up = standing.clone();
                loop {
                    match self.tree.above(up) {
                        Some(above) => up = above,
                        None => return Resolution::Unresolved,
                    }
                    match rest.first() {
                        Some(&b"super") => rest.remove(0),
                        _ => break,
                    };
                }
                up.place()
            }
            first => {
                if !global && let Some(place) = self.beside(layout, standing, first) {
                    return Resolution::Found(self.walk(layout, place, &rest));
                }
                if let Some(root) = self.crates.named(layout, file, first) {
                    return Resolution::Found(self.walk(layout, Place::file(root), &rest));
                }
                if LANGUAGE.contains(&first) || self.crates.is_dependency(layout, file, first) {
                    return Resolution::External;
                }
                return self.in_scope(layout, standing, first, &rest, hops);
            }
        };
        at = self.walk(layout, at, &rest);
        Resolution::Found(at)
    }

    /// The module of a name right below where an import stands.
    fn beside(&self, layout: Layout<'_>, standing: &Standing, name: &[u8]) -> Option<Place> {
        let below = self
            .tree
            .child(layout, standing.file, &standing.inline, name);
        below.map(Place::file)
    }

    /// A first name that is no module and no crate: a symbol of the file, or what another import
    /// of the file brings.
    fn in_scope(
        &self,
        layout: Layout<'_>,
        standing: &Standing,
        first: &[u8],
        rest: &[&[u8]],
        hops: u32,
    ) -> Resolution {
        let Some(doc) = layout.tree.document(standing.file) else {
            return Resolution::Unresolved;
        };
        let Some(name) = doc.name_id(first) else {
            return Resolution::External;
        };
        for import in doc.imports() {
            let bound = import
                .bindings
                .iter()
                .find(|binding| binding.local == Some(name));
            let Some(binding) = bound.filter(|_| hops < MAX_HOPS) else {
                continue;
            };
            // The import of the very path that is being followed.
            let same_start = parts(&import.specifier).next() == Some(first);
            if same_start || import.kind == ImportKind::Module {
                continue;
            }
            let site = self.tree.standing(layout, standing.file, import.line);
            return match self.follow(layout, &site, &import.specifier, hops + 1) {
                Resolution::Found(place) => {
                    let mut names = Vec::new();
                    let mut bytes = Vec::new();
                    if let Some(imported) = binding.imported {
                        doc.name(imported, &mut bytes);
                        names.push(&bytes[..]);
                    }
                    names.extend_from_slice(rest);
                    Resolution::Found(self.walk(layout, place, &names))
                }
                other => other,
            };
        }
        let is_symbol = doc
            .symbols()
            .any(|symbol| symbol.name == name && symbol.kind != SymbolKind::Impl);
        if is_symbol {
            let mut place = standing.place();
            place.inner.push(first.to_vec());
            place.inner.extend(rest.iter().map(|part| part.to_vec()));
            return Resolution::Found(place);
        }
        // Crates of a 2015 edition write paths from the root; later ones cannot mean it.
        match self
            .tree
            .child(layout, self.tree.root(standing.file), &[], first)
        {
            Some(file) => Resolution::Found(self.walk(layout, Place::file(file), rest)),
            None => Resolution::External,
        }
    }

    fn walk(&self, layout: Layout<'_>, mut place: Place, parts: &[&[u8]]) -> Place {
        for part in parts {
            match self.child(layout, &place, part) {
                Some(child) => place = child,
                None => place.inner.push(part.to_vec()),
            }
        }
        place
    }
}

impl Resolver for Rust {
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        let standing = self.tree.standing(layout, site.from, site.line);
        if site.kind == ImportKind::Module {
            let found = self
                .tree
                .child(layout, site.from, &standing.inline, raw(specifier));
            return found.into();
        }
        self.follow(layout, &standing, specifier, 0)
    }

    fn has_children(&self) -> bool {
        true
    }

    fn known_as(&self, file: FileId) -> Vec<&[u8]> {
        self.crates.names_of(file)
    }

    // The module `name` below one that is a file.
    fn child(&self, layout: Layout<'_>, place: &Place, name: &[u8]) -> Option<Place> {
        let ([file], []) = (&place.files[..], &place.inner[..]) else {
            return None;
        };
        let found = self.tree.child(layout, *file, &[], raw(name))?;
        Some(Place::file(found))
    }
}

/// Parts of a path, without `r#` and without the arguments of generics.
fn parts(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|b| *b == b':')
        .map(|part| raw(part.trim_ascii()))
        .filter(|part| !part.is_empty())
}

fn raw(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"r#").unwrap_or(name)
}

/// Crates that come with the language.
const LANGUAGE: [&[u8]; 5] = [b"std", b"core", b"alloc", b"proc_macro", b"test"];
