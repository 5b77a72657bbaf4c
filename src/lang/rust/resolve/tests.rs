use crate::graph::modules::testing::Tree;
use crate::modules::place::Place;

#[test]
fn paths_follow_the_module_tree() {
    let tree = Tree::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"my-lib\"\nedition = \"2021\"\n[dependencies]\nserde = \"1\"\n",
        ),
        (
            "src/lib.rs",
            "mod a;\npub mod b;\nmod inline {\n    pub mod deep;\n    use super::a::A;\n}\n",
        ),
        (
            "src/a.rs",
            "mod child;\nuse crate::b::{self, B};\nuse self::child::C;\nuse child::D;\nuse super::b::Kind::One;\n\
             use std::fmt;\nuse serde::Serialize;\nuse unknown::X;\n\
             mod tests {\n    use super::*;\n    use super::super::b;\n    use self::inner::Y;\n    mod inner {\n        use super::super::child;\n    }\n}\n",
        ),
        (
            "src/a/child.rs",
            "use super::super::b;\nuse super::super::super::x;\n",
        ),
        ("src/b/mod.rs", "mod gone;\n"),
        ("src/inline/deep.rs", "use super::Z;\n"),
        ("src/main.rs", "use my_lib::a::A;\nmod only_main;\n"),
        ("src/only_main.rs", "use crate::m;\n"),
        (
            "tests/it.rs",
            "mod common;\nuse my_lib::b;\nuse common::help;\n",
        ),
        ("tests/common/mod.rs", "use crate::x;\n"),
        ("src/stray.rs", "use crate::a;\nuse super::b;\n"),
    ]);
    tree.check(
        "
        src/a.rs
          child -> src/a/child.rs
          crate::b -> src/b/mod.rs
          self::child -> src/a/child.rs
          child -> src/a/child.rs
          super::b::Kind -> src/b/mod.rs ::Kind
          std -> external
          serde -> external
          unknown -> external
          super -> src/a.rs
          super::super -> src/lib.rs
          self::inner -> src/a.rs ::tests ::inner
          super::super -> src/a.rs
        src/a/child.rs
          super::super -> src/lib.rs
          super::super::super -> unresolved
        src/lib.rs
          a -> src/a.rs
          b -> src/b/mod.rs
          deep -> src/inline/deep.rs
          super::a -> src/a.rs
        src/b/mod.rs
          gone -> unresolved
        src/main.rs
          my_lib::a -> src/a.rs
          only_main -> src/only_main.rs
        src/only_main.rs
          crate -> src/main.rs
        tests/it.rs
          common -> tests/common/mod.rs
          my_lib -> src/lib.rs
          common -> tests/common/mod.rs
        tests/common/mod.rs
          crate -> tests/it.rs
        src/stray.rs
          crate -> src/lib.rs
          super -> src/lib.rs
    ",
    );
}

#[test]
fn crates_of_the_workspace_are_known_by_any_name() {
    let tree = Tree::new(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/*\"]\n[workspace.dependencies]\nshared = { path = \"crates/util\", package = \"the-util\" }\n",
        ),
        (
            "crates/app/Cargo.toml",
            "[package]\nname = \"app\"\n[dependencies]\nhelper = { path = \"../util\", package = \"the-util\" }\n\
             shared = { workspace = true }\nother = { path = \"../other\" }\n[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n\
             [[bin]]\nname = \"tool\"\npath = \"cmd/tool.rs\"\n",
        ),
        (
            "crates/app/src/main.rs",
            "use helper::x::Y;\nuse shared::Z;\nuse other_name::x::W;\nuse libc::c_int;\nextern crate alloc;\n\
             use Local::{A, B};\nenum Local { A, B }\nuse helper as h;\nuse h::x::V;\nuse ::helper::U;\n",
        ),
        ("crates/app/cmd/tool.rs", "use crate::T;\n"),
        ("crates/util/Cargo.toml", "[package]\nname = \"the-util\"\n"),
        ("crates/util/src/lib.rs", "pub mod x;\n"),
        ("crates/util/src/x.rs", ""),
        (
            "crates/other/Cargo.toml",
            "[package]\nname = \"other\"\n[lib]\nname = \"other_name\"\npath = \"main_of_lib.rs\"\n",
        ),
        ("crates/other/main_of_lib.rs", "mod x;\n"),
        ("crates/other/x.rs", ""),
        ("broken/Cargo.toml", "[package\n"),
    ]);
    tree.check(
        "
        crates/app/src/main.rs
          helper::x -> crates/util/src/x.rs
          shared -> crates/util/src/lib.rs
          other_name::x -> crates/other/x.rs
          libc -> external
          alloc -> external
          Local -> crates/app/src/main.rs ::Local
          helper -> crates/util/src/lib.rs
          h::x -> crates/util/src/x.rs
          ::helper -> crates/util/src/lib.rs
        crates/app/cmd/tool.rs
          crate -> crates/app/cmd/tool.rs
    ",
    );
    let modules = tree.modules();
    let root = Place::file(tree.file("crates/util/src/lib.rs").unwrap());
    let child = modules.below(tree.view(), &root, b"x").unwrap();
    assert_eq!(tree.shown_place(&child), "crates/util/src/x.rs");
    assert_eq!(modules.below(tree.view(), &child, b"lib"), None);
}
