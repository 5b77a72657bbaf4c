//! What sets Rust apart.

use super::item_macros;
use super::resolve;
use crate::lang::language::*;

/// Rust.
pub(crate) static RUST: Language = Language {
    reader: Reader::Tree(TreeReader {
        inner: Some(item_macros::parse),
        shape: Some(&RUST_SHAPE),
        ..TreeReader::new(
            parser!("grammar-rust", tree_sitter_rust::LANGUAGE),
            &super::RUST,
        )
    }),
    version: 4,
    extensions: &["rs"],
    interpreters: &["rust-script"],
    aliases: &["rs"],
    naming: Naming {
        sees_class_body: false,
        modules_are_objects: false,
        loose_names: false,
        passes_imports_on: true,
        specifies_names: true,
        path_roots: &[b"super", b"crate"],
        names_packages: true,
        macro_package: Some("Cargo.toml"),
        ..Naming::new()
    },
    liveness: Liveness {
        published: Published::Manifest(&[Manifest {
            name: "Cargo.toml",
            is_library: |text, has_file| has(text, "[lib]") || has_file("src/lib.rs"),
        }]),
        own_marks: &["pub("],
        outlet: Outlet::Declared {
            root: b"lib.rs",
            mark: b"pub mod ",
        },
        ..Liveness::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::Rust::new(configs))),
    calls: Some(&super::arguments::CALLS),
    versioning: Versioning {
        field: Part::BreakingUnlessHidden,
        variant: Part::Breaking,
        open_mark: Some("non_exhaustive"),
        ..Versioning::new()
    },
    ..Language::new(Grammar::Rust)
};

/// How declarations are told apart.
const RUST_SHAPE: Shape = Shape {
    nested: true,
    ..Shape::BRACES
};
