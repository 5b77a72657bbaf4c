//! Imports of languages whose resolution is one rule each.

use super::testing::Tree;

#[test]
fn dotted_names_become_paths() {
    Tree::made(
        &[("core/dune", "(library\n (public_name x)\n (name core))\n")],
        "
            lua/app/init.lua
              require app.log -> lua/app/log.lua
              require app -> lua/app/init.lua
              require cjson -> external
            lua/app/log.lua
            src/Data/Map/Own.hs
              import Data.List -> external
            app/Main.hs
              import Data.Map.Own -> src/Data/Map/Own.hs
            core/graph.ml
            core/core_types.ml
            bin/main.ml
              import Core.Graph.Node -> core/graph.ml ::Node
              import Core -> core/core_types.ml core/graph.ml
              import Stdlib -> external
            src/main.zig
              import std -> external
              import net/tcp.zig -> src/net/tcp.zig
              import gone.zig -> unresolved
            src/net/tcp.zig
        ",
    );
}

#[test]
fn scripts_pages_and_configurations_name_paths() {
    Tree::made(
        &[("site/public/logo.svg", ""), ("modules/net/notes.txt", "")],
        "
            bin/run.sh
              include lib/log.sh -> lib/log.sh
              include ./near.sh -> bin/near.sh
              include /etc/profile -> external
              include gone.sh -> unresolved
            lib/log.sh
            bin/near.sh
            site/index.html
              import main.js?v=1 -> site/main.js
              import /logo.svg -> site/public/logo.svg
              import https://x.y/z.css -> external
              import {{ url }} -> unresolved
              import gone.css -> unresolved
            site/main.css
              import base.css -> site/base.css
              import tailwindcss -> external
            site/base.css
            site/main.js
            main.tf
              import ./modules/net -> modules/net/a.tf modules/net/b.tf
              import hashicorp/consul/aws -> external
              import ./none -> unresolved
            modules/net/a.tf
              sees modules/net/a.tf modules/net/b.tf
            modules/net/b.tf
        ",
    );
}

#[test]
fn includes_are_paths_and_modules_are_files() {
    Tree::made(
        &[],
        "
            src/Shop.jl
              include parts/cart.jl -> src/parts/cart.jl
              include gone.jl -> unresolved
              import Dates -> external
              import ..Gone -> unresolved
            src/parts/cart.jl
              import ..Shop -> src/Shop.jl
            test/runtests.jl
              import Shop -> src/Shop.jl
              import Shop.Inner -> src/Shop.jl ::Inner
        ",
    );
}

#[test]
fn files_are_sourced_and_packages_are_folders() {
    Tree::made(
        &[],
        "
            analysis/run.R
              include helpers/log.R -> helpers/log.R
              include gone.R -> unresolved
              import shop -> shop/R/cart.R shop/R/queue.R
              import dplyr -> external
            helpers/log.R
            shop/R/cart.R
              sees shop/R/cart.R shop/R/queue.R
            shop/R/queue.R
        ",
    );
}

#[test]
fn packages_become_paths() {
    Tree::made(
        &[],
        "
            lib/Shop/Queue.pm
              import Shop::Log -> lib/Shop/Log.pm
              include helpers.pl -> lib/Shop/helpers.pl
              import List::Util -> external
            lib/Shop/Log.pm
            lib/Shop/helpers.pl
        ",
    );
}

#[test]
fn namespaces_become_paths() {
    Tree::made(
        &[],
        "
            src/shop/queue.clj
              import shop.log-store -> src/shop/log_store.cljc
              import clojure.string -> external
            src/shop/log_store.cljc
        ",
    );
}

#[test]
fn headers_are_paths_and_modules_are_files() {
    Tree::made(
        &[],
        "
            src/queue.erl
              include queue.hrl -> include/queue.hrl
              include shop/include/log.hrl -> include/log.hrl
              include kernel/include/file.hrl -> external
              include gone.hrl -> unresolved
              import store -> src/store.erl
              import lists -> external
            include/queue.hrl
            include/log.hrl
            src/store.erl
        ",
    );
}

#[test]
fn modules_are_found_by_name_in_any_case() {
    Tree::made(
        &[],
        "
            app/main.f90
              import Shop_Queue -> src/queues.f90
              import iso_fortran_env -> external
              include limits.inc -> unresolved
            src/queues.f90
              module shop_queue
        ",
    );
}
