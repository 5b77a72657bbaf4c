//! Languages that describe what others build or speak: Protocol Buffers, Solidity, Nix, PowerShell.

use super::paths::{Layout, join};
use super::{Place, Resolution};
use crate::view::live::FileId;

/// A file found, or something that is not of the tree.
fn or_external(found: Option<FileId>) -> Resolution {
    found.map_or(Resolution::External, |file| {
        Resolution::Found(Place::file(file))
    })
}

/// `import "a/b.proto"`: from a root that the compiler is told, which is a folder around the file or one
/// that such files are mostly kept in.
pub(super) fn proto(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let found = layout.paths.upward(layout.home(from)).find_map(|folder| {
        let folder = layout.path(folder);
        let roots: [&[u8]; 5] = [b"", b"proto", b"protos", b"src/main/proto", b"src"];
        roots
            .iter()
            .find_map(|root| layout.file_from(&join(folder, root)?, specifier))
    });
    or_external(found.or_else(|| layout.closest(from, specifier)))
}

/// `import "./a.sol"` from the file's folder; `import "lib/a.sol"` from a folder around it, from where
/// packages are kept, or by a name that is mapped to a folder, which leaves the end of the path.
pub(super) fn solidity(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    if specifier.starts_with(b".") {
        return layout.file_from(layout.home_path(from), specifier).into();
    }
    let found = layout.paths.upward(layout.home(from)).find_map(|folder| {
        let folder = layout.path(folder);
        let roots: [&[u8]; 4] = [b"", b"node_modules", b"lib", b"src"];
        roots
            .iter()
            .find_map(|root| layout.file_from(&join(folder, root)?, specifier))
    });
    let mapped = || {
        let at = memchr::memchr(b'/', specifier)?;
        let rest = &specifier[at + 1..];
        layout
            .closest(from, specifier)
            .or_else(|| layout.closest(from, rest))
    };
    or_external(found.or_else(mapped))
}

/// `./a.nix`, `./a`, which is the `default.nix` in it; `<nixpkgs>` is found on the machine.
pub(super) fn nix(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
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

/// `. ./a.ps1`, `Import-Module ./A.psm1`; a module by its name alone may be a folder of the tree that has
/// a file of that name.
pub(super) fn powershell(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let ends: [&[u8]; 4] = [b"", b".psm1", b".psd1", b".ps1"];
    let mut with_end = ends.iter().map(|end| [specifier, *end].concat());
    let found = with_end.find_map(|path| layout.file_from(layout.home_path(from), &path));
    let is_path = specifier.contains(&b'/') || specifier.contains(&b'.');
    match found {
        Some(file) => Resolution::Found(Place::file(file)),
        None if is_path => {
            let up = specifier
                .iter()
                .take_while(|b| matches!(b, b'.' | b'/'))
                .count();
            let suffix = &specifier[up..];
            ends.iter()
                .find_map(|end| layout.closest(from, &[suffix, *end].concat()))
                .into()
        }
        None => or_external(layout.closest(from, &[specifier, b".psm1"].concat())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Tree;

    #[test]
    fn proto_paths_begin_at_a_root() {
        let tree = Tree::new(&[
            (
                "proto/shop/v1/book.proto",
                "import \"shop/v1/money.proto\";\nimport public \"google/protobuf/any.proto\";\n",
            ),
            ("proto/shop/v1/money.proto", "message Money {}\n"),
        ]);
        assert_eq!(
            tree.resolved("proto/shop/v1/book.proto"),
            [
                "shop/v1/money.proto -> proto/shop/v1/money.proto",
                "google/protobuf/any.proto -> external",
                "google/protobuf/any.proto -> external",
            ]
        );
    }

    #[test]
    fn contracts_are_beside_or_in_a_package() {
        let tree = Tree::new(&[
            (
                "src/vault/Vault.sol",
                "import \"./Base.sol\";\nimport {A} from \"src/A.sol\";\nimport \"@oz/token/B.sol\";\n\
                 import \"../Gone.sol\";\nimport \"@none/C.sol\";\n",
            ),
            ("src/vault/Base.sol", "contract Base {}\n"),
            ("src/A.sol", "contract A {}\n"),
            ("lib/oz/contracts/token/B.sol", "contract B {}\n"),
        ]);
        assert_eq!(
            tree.resolved("src/vault/Vault.sol"),
            [
                "./Base.sol -> src/vault/Base.sol",
                "src/A.sol -> src/A.sol",
                "@oz/token/B.sol -> lib/oz/contracts/token/B.sol",
                "../Gone.sol -> unresolved",
                "@none/C.sol -> external",
            ]
        );
    }

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
            [
                "./b.nix -> a/b.nix",
                "./c -> a/c/default.nix",
                "../. -> default.nix",
                "<nixpkgs> -> external",
                "./gone.nix -> unresolved",
            ]
        );
    }

    #[test]
    fn scripts_and_modules_are_found() {
        let tree = Tree::new(&[
            (
                "src/Shop.psm1",
                ". $PSScriptRoot\\helpers.ps1\nImport-Module ../lib/Prices.psm1\nImport-Module Pester\n\
                 . ./gone.ps1\n",
            ),
            ("src/helpers.ps1", "function Get-A {}\n"),
            ("lib/Prices.psm1", "function Get-B {}\n"),
        ]);
        assert_eq!(
            tree.resolved("src/Shop.psm1"),
            [
                "./helpers.ps1 -> src/helpers.ps1",
                "../lib/Prices.psm1 -> lib/Prices.psm1",
                "Pester -> external",
                "./gone.ps1 -> unresolved",
            ]
        );
    }
}
