//! Julia: files that are included, and packages and modules by the file that has their name.

use super::paths::{Layout, join};
use super::{Place, Resolution, Site};
use crate::record::ImportKind;
use crate::view::live::FileId;

/// `include("x.jl")`: from the file's folder. `using A.B`: the file that is called like the last of the
/// names that has one; the names after it are modules in it. `using ..A` is of this package.
pub(super) fn resolve(
    layout: Layout<'_>,
    from: FileId,
    site: Site,
    specifier: &[u8],
) -> Resolution {
    if site.kind == ImportKind::Include {
        return layout.file_from(layout.home_path(from), specifier).into();
    }
    let dots = specifier.iter().take_while(|b| **b == b'.').count();
    let parts: Vec<&[u8]> = specifier[dots..].split(|b| *b == b'.').collect();
    for (i, name) in parts.iter().enumerate().rev() {
        let file = [name, &b".jl"[..]].concat();
        // A package `A` has its module in `src/A.jl`.
        let package = join(b"src", &file).and_then(|path| layout.closest(from, &path));
        let found = package.or_else(|| layout.closest(from, &file));
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

#[cfg(test)]
mod tests {
    use super::super::testing::{Made, Tree};
    use crate::record::Grammar::Julia;
    use crate::record::ImportKind::{Import, Include};

    #[test]
    fn includes_are_paths_and_modules_are_files() {
        let tree = Tree::with(
            &[],
            vec![
                Made::new("src/Shop.jl", Julia)
                    .import(Include, "parts/cart.jl")
                    .import(Include, "gone.jl")
                    .import(Import, "Dates")
                    .import(Import, "..Gone"),
                Made::new("src/parts/cart.jl", Julia).import(Import, "..Shop"),
                Made::new("test/runtests.jl", Julia)
                    .import(Import, "Shop")
                    .import(Import, "Shop.Inner"),
            ],
        );
        assert_eq!(
            tree.resolved("src/Shop.jl"),
            [
                "parts/cart.jl -> src/parts/cart.jl",
                "gone.jl -> unresolved",
                "Dates -> external",
                "..Gone -> unresolved",
            ]
        );
        assert_eq!(
            tree.resolved("src/parts/cart.jl"),
            ["..Shop -> src/Shop.jl"]
        );
        assert_eq!(
            tree.resolved("test/runtests.jl"),
            ["Shop -> src/Shop.jl", "Shop.Inner -> src/Shop.jl ::Inner"]
        );
    }
}
