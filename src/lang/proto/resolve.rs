//! What Protocol Buffers import.

use crate::id::FileId;
use crate::modules::paths::{Layout, join};
use crate::modules::place::Resolution;

/// `import "a/b.proto"`: from a root that the compiler is told, which is a folder around the file or one
/// that such files are mostly kept in.
pub(super) fn resolve(layout: Layout<'_>, from: FileId, specifier: &[u8]) -> Resolution {
    let found = layout.paths.upward(layout.home(from)).find_map(|folder| {
        let folder = layout.path(folder);
        let roots: [&[u8]; 5] = [b"", b"proto", b"protos", b"src/main/proto", b"src"];
        roots
            .iter()
            .find_map(|root| layout.file_from(&join(folder, root)?, specifier))
    });
    Resolution::or_external(found.or_else(|| layout.closest(from, specifier)))
}

#[cfg(test)]
mod tests {
    use crate::graph::modules::testing::Tree;

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
}
