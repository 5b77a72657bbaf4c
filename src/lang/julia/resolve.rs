//! Julia: files that are included, and packages and modules by the file that has their name.

use crate::modules::prelude::*;

/// Names of files and of what is in them.
pub(crate) struct Julia;

impl Resolver for Julia {
    fn reads_documents(&self) -> bool {
        false
    }

    /// `include("x.jl")`: from the file's folder. `using A.B`: the file that is called like the last of the
    /// names that has one; the names after it are modules in it. `using ..A` is of this package.
    fn resolve(&self, layout: Layout<'_>, site: Site, specifier: &[u8]) -> Resolution {
        if site.kind == ImportKind::Include {
            return layout
                .file_from(layout.home_path(site.from), specifier)
                .into();
        }
        let dots = specifier.iter().take_while(|b| **b == b'.').count();
        let parts: Vec<&[u8]> = specifier[dots..].split(|b| *b == b'.').collect();
        for (i, name) in parts.iter().enumerate().rev() {
            let file = [name, &b".jl"[..]].concat();
            // A package `A` has its module in `src/A.jl`.
            let package = join(b"src", &file).and_then(|path| layout.closest(site.from, &path));
            let found = package.or_else(|| layout.closest(site.from, &file));
            if let Some(file) = found {
                return Resolution::Found(Place {
                    inner: parts[i + 1..].iter().map(|part| part.to_vec()).collect(),
                    ..Place::file(file)
                });
            }
        }
        match dots {
            0 => Resolution::External,
            _ => Resolution::Unresolved,
        }
    }
}
