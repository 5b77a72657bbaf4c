//! A small sound tree for what is read against one: some files, their segment and their view.

use crate::extract::extract;
use crate::git::tree::{EntryMode, TreeEntry};
use crate::git::{RepoPath, write};
use crate::graph::edges::Graph;
use crate::id::{BlobId, EventId};
use crate::segment::{self, Segment};
use crate::view::files::{File, document_keys};
use crate::view::live::{FileId, View};
use gix::hash::Kind;
use std::sync::{Arc, LazyLock};

/// Source files, in the order of their paths.
const SOURCES: &[(&str, &str)] = &[
    (
        "app/Cart.php",
        "<?php\nnamespace App;\nuse App\\Item;\nclass Cart { function add(Item $i) {} }\n",
    ),
    ("app/Item.php", "<?php\nnamespace App;\nclass Item {}\n"),
    (
        "include/list.h",
        "struct list { int n; };\nint list_len(struct list *l);\n",
    ),
    (
        "lib/cart.rb",
        "require_relative 'item'\nclass Cart\n  def add(item) = Item.new\nend\n",
    ),
    ("lib/item.rb", "class Item\nend\n"),
    (
        "pkg/cart/cart.go",
        "package cart\n\nimport \"example.org/shop/pkg/item\"\n\nfunc Add() { item.New() }\n",
    ),
    ("pkg/item/item.go", "package item\n\nfunc New() {}\n"),
    ("py/shop/__init__.py", "from .cart import add\n"),
    ("py/shop/cart.py", "def add(item):\n    return item\n"),
    (
        "src/a.rs",
        "use crate::b::Item;\n\npub fn add(item: Item) -> Item { item }\n",
    ),
    ("src/b.rs", "pub struct Item;\n"),
    ("src/lib.rs", "pub mod a;\npub mod b;\n"),
    (
        "src/list.c",
        "#include \"list.h\"\nint list_len(struct list *l) { return l->n; }\n",
    ),
    (
        "web/cart.ts",
        "import { Item } from '@shop/item';\nexport class Cart { add(item: Item) { return item.price(); } }\n",
    ),
    (
        "web/item.ts",
        "export class Item { price() { return 1; } }\n",
    ),
    (
        "web/main.dart",
        "import 'package:shop/a.dart';\nvoid main() {}\n",
    ),
];

/// Files that say how imports are resolved, in the order in which the first byte of an input chooses.
pub(super) const CONFIGURATION: &[(&str, &str)] = &[
    (
        "package.json",
        r##"{"name": "shop", "workspaces": ["web"], "imports": {"#a": "./web/a.ts"}}"##,
    ),
    (
        "web/package.json",
        r#"{"name": "@shop/web", "main": "cart.ts", "exports": {".": {"import": "./cart.ts"}}}"#,
    ),
    (
        "tsconfig.json",
        r#"{"compilerOptions": {"baseUrl": ".", "paths": {"@shop/*": ["web/*"]}}}"#,
    ),
    (
        "web/tsconfig.json",
        r#"{"extends": "../tsconfig.json", "references": [{"path": ".."}]}"#,
    ),
    ("lerna.json", r#"{"packages": ["web"]}"#),
    ("pnpm-workspace.yaml", "packages:\n  - web\n  - 'lib/*'\n"),
    (
        "go.mod",
        "module example.org/shop\n\nreplace example.org/x => ./pkg\n",
    ),
    ("go.work", "use (\n\t.\n)\n"),
    (
        "composer.json",
        r#"{"autoload": {"psr-4": {"App\\": "app/"}}}"#,
    ),
    (
        "Cargo.toml",
        "[package]\nname = \"shop\"\n\n[workspace]\nmembers = [\"src\"]\n",
    ),
    ("pubspec.yaml", "name: shop\n"),
    (
        "pyproject.toml",
        "[tool.setuptools.packages.find]\nwhere = [\"py\"]\n",
    ),
    ("setup.cfg", "[options]\npackage_dir =\n    = py\n"),
    (
        "setup.py",
        "from setuptools import setup\nsetup(package_dir={'': 'py'})\n",
    ),
    (
        "compile_commands.json",
        r#"[{"directory": "/w", "command": "cc -Iinclude -c src/list.c", "file": "src/list.c"}]"#,
    ),
    (
        "shop.gemspec",
        "Gem::Specification.new { |s| s.require_paths = ['lib'] }\n",
    ),
    (
        "Package.swift",
        "let package = Package(name: \"shop\", targets: [.target(name: \"Shop\", path: \"src\")])\n",
    ),
    (
        "web/shop.csproj",
        "<Project><PropertyGroup><RootNamespace>Shop</RootNamespace></PropertyGroup></Project>\n",
    ),
];

struct Ground {
    segment: Segment,
    view: View,
}

static GROUND: LazyLock<Ground> = LazyLock::new(|| {
    let all = SOURCES.iter().chain(CONFIGURATION);
    let mut files: Vec<File> = all
        .map(|(path, text)| {
            let entry = TreeEntry {
                path: RepoPath::new(*path).expect("a path"),
                mode: EntryMode::File,
                id: write::blob_id(Kind::Sha1, text.as_bytes()).expect("a short text"),
            };
            File::new(entry, false)
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let text_of = |path: &RepoPath| {
        let mut all = SOURCES.iter().chain(CONFIGURATION);
        let found = all.find(|(known, _)| known.as_bytes() == path.as_bytes());
        found.map_or("", |(_, text)| *text)
    };
    let records = document_keys(&files).into_iter().map(|key| {
        let file = files.iter().find(|file| file.blob == key.blob);
        let text = file.map_or("", |file| text_of(&file.path));
        (key, extract(text.as_bytes(), key.grammar))
    });
    let bytes = segment::build(Kind::Sha1, records.collect()).expect("sound records");
    let segment = Segment::open(bytes).expect("it was just written");
    let view = View::join(files, &[Arc::new(segment.clone())], 0);
    Ground { segment, view }
});

/// The segment of the tree.
pub(super) fn segment() -> &'static Segment {
    &GROUND.segment
}

/// The view of the tree.
pub(super) fn view() -> &'static View {
    &GROUND.view
}

/// The id that the bytes have as an event.
pub(super) fn event_id(bytes: &[u8]) -> Option<EventId> {
    let blob: BlobId = write::blob_id(Kind::Sha1, bytes).ok()?;
    Some(EventId::new(blob.as_object()))
}

/// Asks a graph everything.
pub(super) fn walk(graph: &Graph) {
    let mut items = 0;
    for file in (0..graph.files() as u32).map(FileId) {
        items += graph.edges_of(file).len()
            + graph
                .dependencies(file)
                .map(|d| d.files().len())
                .sum::<usize>();
        items += graph.depends(file).len() + graph.dependents(file).len();
        items += graph.importers(file).len() + usize::from(graph.rank(file) > 0.0);
        items += usize::from(graph.edge_at(file, 1, 0).is_some());
        for edge in graph.edges_of(file) {
            let _ = graph.edge(edge);
            for id in graph.targets(edge) {
                let (file, position) = graph.place(id);
                assert_eq!(
                    graph.symbol(file, position),
                    Some(id),
                    "a place is that of its symbol"
                );
            }
        }
        let mut position = 0;
        while let Some(id) = graph.symbol(file, position) {
            items += graph.incoming(id).len() + graph.bases(id).count() + graph.derived(id).count();
            items += graph.overridden(id).count() + graph.overrides(id).count();
            items += usize::from(graph.owner(id).is_some());
            position += 1;
        }
    }
    std::hint::black_box(items);
}
