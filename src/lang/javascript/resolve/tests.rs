use crate::graph::modules::testing::Tree;
use crate::record::ImportKind::Import;

#[test]
fn relative_paths_find_sources_folders_and_assets() {
    let tree = Tree::new(&[
        (
            "src/main.ts",
            "import a from './a';\nimport b from './b.js';\nimport c from './c';\n\
             import d from './d.vue?raw';\nimport e from './data.json';\nimport f from '.';\n\
             import g from './gone';\nimport h from '../../out';\nimport i from './lib/';\n\
             import j from './m.mjs';\nimport k from './style.css';\nimport l from './both';\n",
        ),
        ("src/a.d.ts", ""),
        ("src/a.tsx", ""),
        ("src/b.ts", ""),
        ("src/c/index.jsx", ""),
        ("src/d.vue", ""),
        ("src/data.json", "{}"),
        ("src/index.ts", ""),
        ("src/lib.ts", ""),
        ("src/lib/package.json", r#"{"main": "./deep/start"}"#),
        ("src/lib/deep/start.cjs", ""),
        ("src/m.mts", ""),
        ("src/style.css", ""),
        ("src/both.js", ""),
        ("src/both.ts", ""),
    ]);
    tree.check(
        "
        src/main.ts
          ./a -> src/a.tsx
          ./b.js -> src/b.ts
          ./c -> src/c/index.jsx
          ./d.vue?raw -> src/d.vue
          ./data.json -> src/data.json
          . -> src/index.ts
          ./gone -> unresolved
          ../../out -> unresolved
          ./lib/ -> src/lib/deep/start.cjs
          ./m.mjs -> src/m.mts
          ./style.css -> src/style.css
          ./both -> src/both.ts
    ",
    );
}

#[test]
fn aliases_come_from_the_nearest_configuration_that_has_them() {
    let tree = Tree::new(&[
        (
            "tsconfig.base.json",
            r#"{ // the patterns of all packages
                "compilerOptions": {"paths": {"@lib/*": ["./libs/*/src"], "exact": ["libs/exact.ts"],},}
            }"#,
        ),
        (
            "app/tsconfig.json",
            r#"{"files": [], "references": [{"path": "./tsconfig.app.json"}]}"#,
        ),
        (
            "app/tsconfig.app.json",
            r#"{"extends": "../tsconfig.base", "compilerOptions": {"baseUrl": "code"}}"#,
        ),
        (
            "old/jsconfig.json",
            r#"{"compilerOptions": {"baseUrl": ".", "paths": {"~*": ["./here/*"]}}}"#,
        ),
        ("old/here/x.js", ""),
        (
            "old/main.js",
            "require('~x'); require('here/x'); require('@lib/ui');",
        ),
        ("libs/ui/src/index.ts", ""),
        ("libs/exact.ts", ""),
        ("app/code/pages/home.ts", ""),
        (
            "app/code/main.ts",
            "import '@lib/ui';\nimport 'exact';\nimport 'pages/home';\nimport '@lib/none';\nimport 'react';\n",
        ),
    ]);
    tree.check(
        "
        app/code/main.ts
          @lib/ui -> libs/ui/src/index.ts
          exact -> libs/exact.ts
          pages/home -> app/code/pages/home.ts
          @lib/none -> unresolved
          react -> external
        old/main.js
          ~x -> old/here/x.js
          here/x -> old/here/x.js
          @lib/ui -> external
    ",
    );
}

#[test]
fn root_folders_are_one_folder_once_built() {
    let tree = Tree::new(&[
        (
            "tsconfig.json",
            r#"{"compilerOptions": {"rootDirs": ["src", "generated"]}}"#,
        ),
        ("src/a/view.ts", "import './view.css';"),
        ("generated/a/view.css.ts", ""),
    ]);
    assert_eq!(
        tree.resolved("src/a/view.ts"),
        ["./view.css -> generated/a/view.css.ts"]
    );
}

#[test]
fn packages_of_the_workspace_are_found_by_name() {
    let tree = Tree::new(&[
        (
            "package.json",
            r#"{"name": "top", "workspaces": ["packages/*", "!packages/left-out"]}"#,
        ),
        (
            "packages/core/package.json",
            r##"{
                "name": "@x/core", "main": "dist/index.js",
                "exports": {
                    ".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"},
                    "./features/*": "./dist/features/*.mjs",
                    "./control": "./dist/control.mjs",
                    "./package.json": "./package.json"
                },
                "imports": {"#internal/*": "./src/internal/*.ts", "#fs": "node:fs"}
            }"##,
        ),
        (
            "packages/core/src/index.ts",
            "import '#internal/a';\nimport '#fs';\nimport '@x/core/features/f';\n",
        ),
        ("packages/core/src/internal/a.ts", ""),
        ("packages/core/src/features/f.ts", ""),
        ("packages/core/src/exports/control.ts", ""),
        ("packages/left-out/package.json", r#"{"name": "left-out"}"#),
        ("packages/left-out/index.js", ""),
        (
            "packages/plain/package.json",
            r#"{"name": "plain", "devDependencies": {"linked": "link:../../elsewhere"}}"#,
        ),
        ("packages/plain/lib/util.js", ""),
        (
            "elsewhere/package.json",
            r#"{"name": "other-name", "main": "start.js"}"#,
        ),
        ("elsewhere/start.js", ""),
        ("packages/events/package.json", r#"{"name": "events"}"#),
        ("packages/events/index.js", ""),
        (
            "packages/plain/index.js",
            "require('@x/core'); require('@x/core/features/f'); require('@x/core/control');\n\
             require('@x/core/src/internal/a'); require('plain/lib/util'); require('linked');\n\
             require('left-out'); require('events'); require('@x/core/none'); require('node:fs');\n",
        ),
    ]);
    tree.check(
        "
        packages/core/src/index.ts
          #internal/a -> packages/core/src/internal/a.ts
          #fs -> external
          @x/core/features/f -> packages/core/src/features/f.ts
        packages/plain/index.js
          @x/core -> packages/core/src/index.ts
          @x/core/features/f -> packages/core/src/features/f.ts
          @x/core/control -> packages/core/src/exports/control.ts
          @x/core/src/internal/a -> packages/core/src/internal/a.ts
          plain/lib/util -> packages/plain/lib/util.js
          linked -> elsewhere/start.js
          left-out -> external
          // Node's own module, whatever a package is called.
          events -> external
          @x/core/none -> unresolved
          node:fs -> external
    ",
    );
}

#[test]
fn pnpm_lists_its_packages_in_yaml() {
    let tree = Tree::new(&[
        (
            "pnpm-workspace.yaml",
            "# ours\npackages:\n  - 'apps/**' # all\n  - \"libs/*\"\n\ncatalog:\n  - not/*\n",
        ),
        ("apps/a/b/package.json", r#"{"name": "b"}"#),
        ("apps/a/b/index.ts", "import 'l'; import 'n';"),
        (
            "libs/l/package.json",
            r#"{"name": "l", "exports": "./main.ts"}"#,
        ),
        ("libs/l/main.ts", ""),
        ("not/n/package.json", r#"{"name": "n"}"#),
        ("not/n/index.js", ""),
    ]);
    tree.check(
        "
        apps/a/b/index.ts
          l -> libs/l/main.ts
          n -> external
    ",
    );
}

#[test]
fn configuration_that_is_broken_or_circular_is_as_if_it_were_not_there() {
    let deep = "[".repeat(100_000);
    let tree = Tree::new(&[
        ("package.json", "{\"name\": "),
        (
            "tsconfig.json",
            r#"{"extends": "./b.json", "compilerOptions": {"paths": {"x": 7, "*": []}}}"#,
        ),
        (
            "b.json",
            r#"{"extends": ["./tsconfig.json", "./gone.json"]}"#,
        ),
        ("sub/package.json", &deep),
        ("sub/package2.json", "{}"),
        (
            "me/package.json",
            r##"{"main": ".", "imports": {"#a": "#b", "#b": "#a"}}"##,
        ),
        (
            "me/a.js",
            "require('#a'); require('.'); require('../me'); require('x');",
        ),
        ("sub/a.js", "require('../me/a');"),
    ]);
    tree.check(
        "
        me/a.js
          #a -> unresolved
          . -> unresolved
          ../me -> unresolved
          x -> unresolved
        sub/a.js
          ../me/a -> me/a.js
    ",
    );
}

#[test]
fn conventions_of_bundlers_find_sources_only() {
    let tree = Tree::new(&[
        ("web/package.json", "{}"),
        ("web/src/pages/a.ts", ""),
        (
            "web/src/b/c.ts",
            "import '@/pages/a'; import '~/none'; import '!!raw!../pages/a'; import '/src/pages/a'; import 'https://x.y/z.js';",
        ),
        ("web/test/t.js", "require('../dist/pages/a.js');"),
    ]);
    tree.check(
        "
        web/src/b/c.ts
          @/pages/a -> web/src/pages/a.ts
          ~/none -> unresolved
          !!raw!../pages/a -> web/src/pages/a.ts
          /src/pages/a -> web/src/pages/a.ts
          https://x.y/z.js -> external
        web/test/t.js
          ../dist/pages/a.js -> web/src/pages/a.ts
    ",
    );
    assert_eq!(tree.meant("web/test/t.js", Import, ""), "unresolved");
}
