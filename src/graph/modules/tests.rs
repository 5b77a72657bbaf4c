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

#[test]
fn includes_are_paths_and_modules_are_files() {
    use crate::record::Grammar;
    use crate::record::ImportKind::{Import, Include};
    let tree = Tree::with(
        &[],
        vec![
            Made::new("src/Shop.jl", Grammar::Julia)
                .import(Include, "parts/cart.jl")
                .import(Include, "gone.jl")
                .import(Import, "Dates")
                .import(Import, "..Gone"),
            Made::new("src/parts/cart.jl", Grammar::Julia).import(Import, "..Shop"),
            Made::new("test/runtests.jl", Grammar::Julia)
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

#[test]
fn files_are_sourced_and_packages_are_folders() {
    use crate::record::Grammar;
    use crate::record::ImportKind::{Import, Include};
    let tree = Tree::with(
        &[],
        vec![
            Made::new("analysis/run.R", Grammar::R)
                .import(Include, "helpers/log.R")
                .import(Include, "gone.R")
                .import(Import, "shop")
                .import(Import, "dplyr"),
            Made::new("helpers/log.R", Grammar::R),
            Made::new("shop/R/cart.R", Grammar::R),
            Made::new("shop/R/queue.R", Grammar::R),
        ],
    );
    assert_eq!(
        tree.resolved("analysis/run.R"),
        [
            "helpers/log.R -> helpers/log.R",
            "gone.R -> unresolved",
            "shop -> shop/R/cart.R shop/R/queue.R",
            "dplyr -> external",
        ]
    );
    assert_eq!(
        tree.package("shop/R/cart.R"),
        ["shop/R/cart.R", "shop/R/queue.R"]
    );
}

#[test]
fn packages_become_paths() {
    use crate::record::Grammar;
    use crate::record::ImportKind::{Import, Include};
    let tree = Tree::with(
        &[],
        vec![
            Made::new("lib/Shop/Queue.pm", Grammar::Perl)
                .import(Import, "Shop::Log")
                .import(Include, "helpers.pl")
                .import(Import, "List::Util"),
            Made::new("lib/Shop/Log.pm", Grammar::Perl),
            Made::new("lib/Shop/helpers.pl", Grammar::Perl),
        ],
    );
    assert_eq!(
        tree.resolved("lib/Shop/Queue.pm"),
        [
            "Shop::Log -> lib/Shop/Log.pm",
            "helpers.pl -> lib/Shop/helpers.pl",
            "List::Util -> external",
        ]
    );
}

#[test]
fn namespaces_become_paths() {
    use crate::record::Grammar;
    use crate::record::ImportKind::Import;
    let tree = Tree::with(
        &[],
        vec![
            Made::new("src/shop/queue.clj", Grammar::Clojure)
                .import(Import, "shop.log-store")
                .import(Import, "clojure.string"),
            Made::new("src/shop/log_store.cljc", Grammar::Clojure),
        ],
    );
    assert_eq!(
        tree.resolved("src/shop/queue.clj"),
        [
            "shop.log-store -> src/shop/log_store.cljc",
            "clojure.string -> external",
        ]
    );
}

#[test]
fn headers_are_paths_and_modules_are_files() {
    use crate::record::Grammar;
    use crate::record::ImportKind::{Import, Include};
    let tree = Tree::with(
        &[],
        vec![
            Made::new("src/queue.erl", Grammar::Erlang)
                .import(Include, "queue.hrl")
                .import(Include, "shop/include/log.hrl")
                .import(Include, "kernel/include/file.hrl")
                .import(Include, "gone.hrl")
                .import(Import, "store")
                .import(Import, "lists"),
            Made::new("include/queue.hrl", Grammar::Erlang),
            Made::new("include/log.hrl", Grammar::Erlang),
            Made::new("src/store.erl", Grammar::Erlang),
        ],
    );
    assert_eq!(
        tree.resolved("src/queue.erl"),
        [
            "queue.hrl -> include/queue.hrl",
            "shop/include/log.hrl -> include/log.hrl",
            "kernel/include/file.hrl -> external",
            "gone.hrl -> unresolved",
            "store -> src/store.erl",
            "lists -> external",
        ]
    );
}

#[test]
fn modules_are_found_by_name_in_any_case() {
    use crate::record::Grammar;
    use crate::record::ImportKind::{Import, Include};
    use crate::record::SymbolKind::Module;
    let tree = Tree::with(
        &[],
        vec![
            Made::new("app/main.f90", Grammar::Fortran)
                .import(Import, "Shop_Queue")
                .import(Import, "iso_fortran_env")
                .import(Include, "limits.inc"),
            Made::new("src/queues.f90", Grammar::Fortran).symbol(Module, "shop_queue", None),
        ],
    );
    assert_eq!(
        tree.resolved("app/main.f90"),
        [
            "Shop_Queue -> src/queues.f90",
            "iso_fortran_env -> external",
            "limits.inc -> unresolved",
        ]
    );
}
