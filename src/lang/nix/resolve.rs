//! What Nix files import.

use crate::id::FileId;
use crate::modules::paths::{Layout, join};
use crate::modules::place::Resolution;

/// `./a.nix`, `./a`, which is the `default.nix` in it; `<nixpkgs>` is found on the machine.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    if !specifier.starts_with(b".") {
        return Resolution::External;
    }
    let Some(path) = join(layout.home_path(from), specifier) else {
        return Resolution::External;
    };
    let inner = [&path[..], b"/default.nix"].concat();
    let at_top: &[u8] = if path.is_empty() {
        b"default.nix"
    } else {
        &inner
    };
    layout.file(&path).or_else(|| layout.file(at_top)).into()
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;

    #[test]
    fn nix_paths_are_files_or_folders() {
        let tree = Tree::new(&[
            (
                "a/default.nix",
                "{\n  b = import ./b.nix;\n  c = import ./c { };\n  d = import ../.;\n  e = import <nixpkgs> { };\n  \
                 f = import ./gone.nix;\n}\n",
            ),
            ("a/b.nix", "{ }\n"),
            ("a/c/default.nix", "{ }\n"),
            ("default.nix", "{ }\n"),
        ]);
        assert_eq!(
            tree.resolved("a/default.nix"),
            *phrases!(
                "./b.nix -> a/b.nix, ./c -> a/c/default.nix, ../. -> default.nix,
                 <nixpkgs> -> external, ./gone.nix -> unresolved"
            )
        );
    }
}
