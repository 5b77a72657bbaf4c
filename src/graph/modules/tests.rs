//! Imports of languages whose resolution is one rule each.

use super::testing::{Made, Tree};
use crate::extract::record::Grammar;
use crate::extract::record::ImportKind::{Import, Include, Require};

#[test]
fn dotted_names_become_paths() {
    let tree = Tree::with(
        &[("core/dune", "(library\n (public_name x)\n (name core))\n")],
        vec![
            Made::new("lua/app/init.lua", Grammar::Lua)
                .import(Require, "app.log")
                .import(Require, "app")
                .import(Require, "cjson"),
            Made::new("lua/app/log.lua", Grammar::Lua),
            Made::new("src/Data/Map/Own.hs", Grammar::Haskell).import(Import, "Data.List"),
            Made::new("app/Main.hs", Grammar::Haskell).import(Import, "Data.Map.Own"),
            Made::new("core/graph.ml", Grammar::OCaml),
            Made::new("core/core_types.ml", Grammar::OCaml),
            Made::new("bin/main.ml", Grammar::OCaml)
                .import(Import, "Core.Graph.Node")
                .import(Import, "Core")
                .import(Import, "Stdlib"),
            Made::new("src/main.zig", Grammar::Zig)
                .import(Import, "std")
                .import(Import, "net/tcp.zig")
                .import(Import, "gone.zig"),
            Made::new("src/net/tcp.zig", Grammar::Zig),
        ],
    );
    assert_eq!(
        tree.resolved("lua/app/init.lua"),
        [
            "app.log -> lua/app/log.lua",
            "app -> lua/app/init.lua",
            "cjson -> external"
        ]
    );
    assert_eq!(
        tree.resolved("app/Main.hs"),
        ["Data.Map.Own -> src/Data/Map/Own.hs"]
    );
    assert_eq!(
        tree.resolved("src/Data/Map/Own.hs"),
        ["Data.List -> external"]
    );
    assert_eq!(
        tree.resolved("bin/main.ml"),
        [
            "Core.Graph.Node -> core/graph.ml ::Node",
            "Core -> core/core_types.ml core/graph.ml",
            "Stdlib -> external",
        ]
    );
    assert_eq!(
        tree.resolved("src/main.zig"),
        [
            "std -> external",
            "net/tcp.zig -> src/net/tcp.zig",
            "gone.zig -> unresolved"
        ]
    );
}

#[test]
fn scripts_pages_and_configurations_name_paths() {
    let tree = Tree::with(
        &[("site/public/logo.svg", ""), ("modules/net/notes.txt", "")],
        vec![
            Made::new("bin/run.sh", Grammar::Bash)
                .import(Include, "lib/log.sh")
                .import(Include, "./near.sh")
                .import(Include, "/etc/profile")
                .import(Include, "gone.sh"),
            Made::new("lib/log.sh", Grammar::Bash),
            Made::new("bin/near.sh", Grammar::Bash),
            Made::new("site/index.html", Grammar::Html)
                .import(Import, "main.js?v=1")
                .import(Import, "/logo.svg")
                .import(Import, "https://x.y/z.css")
                .import(Import, "{{ url }}")
                .import(Import, "gone.css"),
            Made::new("site/main.css", Grammar::Css)
                .import(Import, "base.css")
                .import(Import, "tailwindcss"),
            Made::new("site/base.css", Grammar::Css),
            Made::new("site/main.js", Grammar::JavaScript),
            Made::new("main.tf", Grammar::Hcl)
                .import(Import, "./modules/net")
                .import(Import, "hashicorp/consul/aws")
                .import(Import, "./none"),
            Made::new("modules/net/a.tf", Grammar::Hcl),
            Made::new("modules/net/b.tf", Grammar::Hcl),
        ],
    );
    assert_eq!(
        tree.resolved("bin/run.sh"),
        [
            "lib/log.sh -> lib/log.sh",
            "./near.sh -> bin/near.sh",
            "/etc/profile -> external",
            "gone.sh -> unresolved",
        ]
    );
    assert_eq!(
        tree.resolved("site/index.html"),
        [
            "main.js?v=1 -> site/main.js",
            "/logo.svg -> site/public/logo.svg",
            "https://x.y/z.css -> external",
            "{{ url }} -> unresolved",
            "gone.css -> unresolved",
        ]
    );
    assert_eq!(
        tree.resolved("site/main.css"),
        ["base.css -> site/base.css", "tailwindcss -> external"]
    );
    assert_eq!(
        tree.resolved("main.tf"),
        [
            "./modules/net -> modules/net/a.tf modules/net/b.tf",
            "hashicorp/consul/aws -> external",
            "./none -> unresolved",
        ]
    );
    assert_eq!(
        tree.package("modules/net/a.tf"),
        ["modules/net/a.tf", "modules/net/b.tf"]
    );
}
