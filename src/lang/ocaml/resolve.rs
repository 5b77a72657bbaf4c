//! OCaml: modules are files, in libraries that `dune` names.

use crate::modules::prelude::*;
use rustc_hash::FxHashMap;

/// Libraries of `dune` files, by name.
pub(crate) struct OCaml {
    libraries: FxHashMap<Vec<u8>, FolderId>,
}

impl OCaml {
    pub(crate) fn new(configs: &mut Configs<'_>) -> Self {
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
}

impl Resolver for OCaml {
    fn reads_documents(&self) -> bool {
        false
    }

    // `open A.B`: `a.ml`, or `b.ml` in the library `a`.
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
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
        if let Some(file) = beside(layout.home_path(site.from), first) {
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
        match layout.closest(site.from, &[&lowered(first)[..], b".ml"].concat()) {
            Some(file) => place(file, rest),
            None => Resolution::External,
        }
    }

    fn has_children(&self) -> bool {
        true
    }

    // The module `name` beside a module or in its library.
    fn child(&self, layout: Layout<'_>, place: &Place, name: &[u8]) -> Option<Place> {
        let file = *place.files.first().filter(|_| place.inner.is_empty())?;
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
