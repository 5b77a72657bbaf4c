//! Every reader of bytes that others may have written, fed with what the fuzzers of `tests/fuzz` know: their
//! seeds, what they have found, and both with changes. So what a fuzzer found once is looked for wherever
//! tests run, without a fuzzer.

mod change;
mod seeds;

use crate::random::{Random, scale, seed};
use git_sverklo::fuzzing::{TARGETS, Target};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Changed inputs for each reader and each part of [`scale`].
const CHANGED: usize = 160;

fn folder(of: &str, target: &Target) -> PathBuf {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    fuzz.join(of).join(target.name)
}

/// The files of a folder, in order; none when there is no folder.
fn inputs(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = paths
        .map(|path| (path.clone(), fs::read(path).expect("an input")))
        .collect();
    files.sort();
    files
}

/// Feeds a reader; on a panic the input is kept and named.
fn read(target: &Target, bytes: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| (target.read)(bytes))).unwrap_or_else(|_| {
        let path =
            std::env::temp_dir().join(format!("sverklo-{}-{}", target.name, std::process::id()));
        fs::write(&path, bytes).expect("a file beside");
        panic!("{} does not hold out: {}", target.name, path.display())
    })
}

#[test]
fn every_seed_and_every_finding_is_read() {
    if std::env::var_os("UPDATE_SEEDS").is_some() {
        seeds::write(&folder);
    }
    let (mut seeds, mut found) = (0, 0);
    for target in &TARGETS {
        let of_target = inputs(&folder("seeds", target));
        let taken = of_target
            .iter()
            .filter(|(_, bytes)| read(target, bytes))
            .count();
        assert!(
            taken > 0,
            "no seed of {} is one; UPDATE_SEEDS=1 makes them anew",
            target.name
        );
        seeds += of_target.len();
        for (path, bytes) in inputs(&folder("regressions", target)) {
            println!("{}", path.display());
            read(target, &bytes);
            found += 1;
        }
    }
    println!(
        "corpus: {seeds} seeds and {found} findings of {} readers",
        TARGETS.len()
    );
}

#[test]
fn changed_seeds_do_no_harm() {
    let mut random = Random(seed());
    let (mut executions, mut taken) = (0, 0);
    for target in &TARGETS {
        let mut known = inputs(&folder("seeds", target));
        known.extend(inputs(&folder("regressions", target)));
        let known: Vec<Vec<u8>> = known.into_iter().map(|(_, bytes)| bytes).collect();
        for _ in 0..CHANGED * scale() {
            let bytes = change::changed(&mut random, &known);
            taken += usize::from(read(target, &bytes));
            executions += 1;
        }
    }
    println!("corpus: {executions} changed inputs, {taken} of them taken");
}

#[test]
fn the_fuzzers_are_the_readers() {
    let listed = include_str!("../fuzz/Cargo.toml");
    let bins = listed.split("[[bin]]\nname = \"").skip(1);
    let bins: Vec<&str> = bins
        .filter_map(|bin| Some(bin.split_once('"')?.0))
        .collect();
    let readers: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(
        bins, readers,
        "tests/fuzz/Cargo.toml and src/fuzzing differ"
    );
    // What was found stays findable by the name of its reader.
    for of in ["seeds", "regressions"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fuzz")
            .join(of);
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let name = entry.expect("an entry").file_name();
            assert!(
                readers.iter().any(|reader| name == *reader),
                "{of}/{name:?}"
            );
        }
    }
}
