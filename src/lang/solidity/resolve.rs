//! What contracts import.

use crate::id::FileId;
use crate::modules::paths::{Layout, join};
use crate::modules::place::Resolution;

/// `import "./a.sol"` from the file's folder; `import "lib/a.sol"` from a folder around it, from where
/// packages are kept, or by a name that is mapped to a folder, which leaves the end of the path.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
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
    Resolution::or_external(found.or_else(mapped))
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;

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
            *phrases!(
                "./Base.sol -> src/vault/Base.sol, src/A.sol -> src/A.sol,
                 @oz/token/B.sol -> lib/oz/contracts/token/B.sol, ../Gone.sol -> unresolved,
                 @none/C.sol -> external"
            )
        );
    }
}
