//! A look at real repositories: how many imports are found, external and unresolved, and which.
//!
//! ```text
//! MODULES_OF=/path/to/repository cargo test --lib graph::modules::measure -- --ignored --nocapture
//! ```
//!
//! Several paths are separated by colons.

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
    external: usize,
    unresolved: BTreeMap<String, (usize, String)>,
    externals: BTreeMap<String, usize>,
}

#[test]
#[ignore = "reads the repositories that MODULES_OF names"]
fn real_repositories() {
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
    let answers: Vec<Resolution> = imports
        .iter()
        .map(|(file, site, specifier)| modules.resolve(view, *file, *site, specifier))
        .collect();
    let resolved = started.elapsed();
    let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
    for ((file, site, specifier), answer) in imports.iter().zip(&answers) {
        let counts = counts.entry(language(view, *file).label()).or_default();
        let specifier = String::from_utf8_lossy(specifier).into_owned();
        match answer {
            Resolution::Found(_) => counts.found += 1,
            Resolution::External => {
                counts.external += 1;
                *counts.externals.entry(specifier).or_default() += 1;
            }
            Resolution::Unresolved => {
                let at = format!("{}:{}", view.file(*file).path, site.line);
                let row = counts.unresolved.entry(specifier).or_insert((0, at));
                row.0 += 1;
            }
        }
    }
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
        if std::env::var_os("MODULES_EXTERNAL").is_some() {
            for (specifier, count) in &counts.externals {
                println!("      external {count:>4} {specifier}");
            }
        }
    }
}

fn imports(view: &View) -> Vec<(FileId, Site, Vec<u8>)> {
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
