//! A look at real repositories: how many imports are found, external and unresolved, and which.
//!
//! ```text
//! MODULES_OF=/path/to/repository cargo test --lib graph::modules::measure -- --nocapture
//! ```
//!
//! Several paths are separated by colons. With `MODULES_ALL` set, what was found and what is taken
//! to be external is listed too.

use super::testing::Tree;
use super::{Modules, Resolution, Site, language, names_a_module};
use crate::extract::record::Grammar;
use crate::query::engine::Engine;
use crate::query::request::Revision;
use crate::store::Quiet;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Unresolved specifiers shown of each language.
const SHOWN: usize = 40;

#[derive(Default)]
struct Counts {
    found: usize,
    places: Vec<String>,
    external: usize,
    unresolved: BTreeMap<String, (usize, String)>,
    externals: BTreeMap<String, usize>,
}

#[test]
fn answers_are_counted_by_language() {
    let tree = Tree::new(&[
        (
            "a.py",
            "import b\nimport os\nfrom . import c\nfrom .gone import d\n",
        ),
        ("b.py", ""),
        ("c.js", "import './c.js';\n"),
    ]);
    let (modules, imports) = (tree.modules(), imports(tree.view()));
    let answers = answers(tree.view(), &modules, &imports);
    let counts = count(tree.view(), &imports, &answers);
    let python = &counts["python"];
    assert_eq!((python.found, python.external), (2, 1));
    assert_eq!(python.unresolved.keys().collect::<Vec<_>>(), [".gone"]);
    assert_eq!(counts["javascript"].found, 1);
    let tops = std::env::var("MODULES_OF").unwrap_or_default();
    for top in tops.split(':').filter(|top| !top.is_empty()) {
        measure(Path::new(top));
    }
}

fn measure(top: &Path) {
    let engine = Engine::open(top).unwrap();
    let pinned = engine.pin(&Revision::WorkTree, &Quiet).unwrap();
    let view = pinned.view();
    let repo = Arc::new(crate::git::Repo::discover(top).unwrap());
    let mut texts = Texts::new(repo);
    let mut read = 0;
    let started = Instant::now();
    let modules = Modules::of(view, &mut |file| {
        read += 1;
        Some(texts.get(view, file)?.slice(0..u32::MAX).to_vec())
    });
    let made = started.elapsed();
    let imports = imports(view);
    let started = Instant::now();
    let answers = answers(view, &modules, &imports);
    let resolved = started.elapsed();
    let counts = count(view, &imports, &answers);
    println!(
        "\n{}: {} files, {read} configuration files, made in {made:.1?}; {} imports in {resolved:.1?}",
        top.display(),
        view.files().len(),
        imports.len(),
    );
    for (language, counts) in counts {
        let unresolved: usize = counts.unresolved.values().map(|(count, _)| count).sum();
        println!(
            "  {language:<12} found {:>6}  external {:>6}  unresolved {unresolved:>5}",
            counts.found, counts.external
        );
        for (specifier, (count, at)) in counts.unresolved.iter().take(SHOWN) {
            println!("      {count:>4} {specifier}  ({at})");
        }
        if std::env::var_os("MODULES_ALL").is_some() {
            for place in &counts.places {
                println!("      found {place}");
            }
            for (specifier, count) in &counts.externals {
                println!("      external {count:>4} {specifier}");
            }
        }
    }
}

fn answers(view: &View, modules: &Modules, imports: &[Row]) -> Vec<Resolution> {
    let imports = imports.iter();
    imports
        .map(|(file, site, specifier)| modules.resolve(view, *file, *site, specifier))
        .collect()
}

fn count(view: &View, imports: &[Row], answers: &[Resolution]) -> BTreeMap<&'static str, Counts> {
    let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
    for ((file, site, specifier), answer) in imports.iter().zip(answers) {
        let counts = counts.entry(language(view, *file).label()).or_default();
        let specifier = String::from_utf8_lossy(specifier).into_owned();
        let at = format!("{}:{}", view.file(*file).path, site.line);
        match answer {
            Resolution::Found(place) => {
                counts.found += 1;
                let files = place.files.iter().take(2);
                let files: Vec<_> = files.map(|id| view.file(*id).path.to_string()).collect();
                let row = format!("{at} {specifier} -> {}", files.join(" "));
                counts.places.push(row);
            }
            Resolution::External => {
                counts.external += 1;
                *counts.externals.entry(specifier).or_default() += 1;
            }
            Resolution::Unresolved => counts.unresolved.entry(specifier).or_insert((0, at)).0 += 1,
        }
    }
    counts
}

/// An import: its file, where it stands and what it names.
type Row = (FileId, Site, Vec<u8>);

fn imports(view: &View) -> Vec<Row> {
    let mut found = Vec::new();
    for (file, id) in view.files().iter().zip(0u32..) {
        let Some(live) = file.doc else { continue };
        if language(view, FileId(id)) == Grammar::Text {
            continue;
        }
        for import in view.segment(live.segment).segment.imports(live.doc) {
            if names_a_module(import.kind) {
                found.push((FileId(id), Site::of(&import), import.specifier));
            }
        }
    }
    found
}
