//! Indexing from nothing, beside parsing alone; and how large the index is.

use super::pristine::Pristine;
use crate::Result;
use crate::measure::{Usage, measure, own_cpu};
use crate::program::Program;
use crate::subject::Subject;
use git_sverklo::extract::Extractor;
use git_sverklo::id::BlobId;
use git_sverklo::query::Quiet;
use git_sverklo::query::engine::Engine;
use git_sverklo::query::request::Revision;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Cold runs; the least counts.
const COLD_RUNS: usize = 3;

/// Parsing alone, indexing on one thread and indexing on all, in turns: whatever else the machine
/// does meets all three. CPU is compared on one thread, because two threads of one core slow each
/// other and so cost more CPU seconds for the same instructions.
pub fn cold(subject: &Subject, program: &Program, line: &mut Value) -> Result<()> {
    let pristine = Pristine::of(subject)?;
    let (mut parse, mut one, mut all) = (f64::MAX, None, None);
    for _ in 0..COLD_RUNS {
        let mut command = Command::new(std::env::current_exe()?);
        // The child prints the CPU seconds of parsing and walking, reading excluded.
        let (_, out) = measure(command.arg("parse-only").arg(&subject.dir))?;
        parse = parse.min(String::from_utf8_lossy(&out.stdout).trim().parse()?);
        for (args, best) in [
            (&["index", "--threads", "1", "HEAD"][..], &mut one),
            (&["index", "HEAD"], &mut all),
        ] {
            pristine.forget_ours(subject)?;
            let (usage, _) = measure(&mut program.command(&subject.dir, args))?;
            *best = Some(best.map_or(usage, |known: Usage| known.least(usage)));
        }
    }
    let (one, all) = (one.ok_or("no run")?, all.ok_or("no run")?);
    line["parse_cpu_s"] = json!(parse);
    line["cold_1_cpu_s"] = json!(one.cpu);
    line["cold_cpu_s"] = json!(all.cpu);
    line["cold_wall_s"] = json!(all.wall);
    line["cold_peak_mb"] = json!(all.peak_mb);
    Ok(())
}

/// Parses and walks every blob of `HEAD` that has a grammar, on one thread, and prints the CPU
/// seconds that took.
pub fn parse_only(dir: &Path) -> Result<ExitCode> {
    let engine = Engine::open(dir)?;
    let tree = engine.repo().commit_tree(engine.repo().resolve("HEAD")?)?;
    let mut objects = engine.repo().objects();
    let mut seen = BTreeSet::new();
    let mut blobs = Vec::new();
    for entry in git_sverklo::git::tree::list(&mut objects, tree)? {
        let file = git_sverklo::view::files::File::new(entry, false);
        if let Some(key) = file.key().filter(|key| seen.insert(*key)) {
            let mut bytes = Vec::new();
            objects.blob(key.blob, &mut bytes)?;
            blobs.push((key.grammar, bytes));
        }
    }
    let before = own_cpu();
    let mut nodes = 0;
    let mut extractor = Extractor::new();
    for (grammar, bytes) in &blobs {
        nodes += extractor.count_nodes(bytes, *grammar);
    }
    std::hint::black_box(nodes);
    println!("{}", own_cpu() - before);
    Ok(ExitCode::SUCCESS)
}

/// How many bytes the sources and the index have, and take in the object store.
pub fn sizes(subject: &Subject, line: &mut Value) -> Result<()> {
    let disk = |spec: &str| -> Result<(u64, u64, u64)> {
        let listing = subject.git(&[
            "ls-tree",
            "-r",
            "--format=%(objecttype) %(objectname)",
            spec,
        ])?;
        let ids: BTreeSet<&str> = listing
            .lines()
            .filter_map(|l| l.strip_prefix("blob "))
            .collect();
        let mut child = Command::new("git")
            .args(["cat-file", "--batch-check=%(objectsize) %(objectsize:disk)"])
            .current_dir(&subject.dir)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()?;
        let input = ids.iter().map(|id| format!("{id}\n")).collect::<String>();
        let mut stdin = child.stdin.take().ok_or("stdin is piped")?;
        let feed =
            std::thread::spawn(move || std::io::Write::write_all(&mut stdin, input.as_bytes()));
        let out = child.wait_with_output()?;
        feed.join().map_err(|_| "the feeding thread died")??;
        let (mut size, mut on_disk) = (0, 0);
        for row in String::from_utf8_lossy(&out.stdout).lines() {
            let (a, b) = row.split_once(' ').ok_or("two columns were asked for")?;
            size += a.parse::<u64>()?;
            on_disk += b.parse::<u64>()?;
        }
        Ok((ids.len() as u64, size, on_disk))
    };
    let (files, source, source_disk) = disk("HEAD")?;
    let (_, index, index_disk) = disk("refs/sverklo/v1/index")?;
    line["blobs"] = json!(files);
    line["source_bytes"] = json!(source);
    line["source_disk_bytes"] = json!(source_disk);
    line["index_bytes"] = json!(index);
    line["index_disk_bytes"] = json!(index_disk);
    let engine = Engine::open(&subject.dir)?;
    let pinned = engine.pin(&Revision::At("HEAD".to_owned()), &Quiet)?;
    let indexed: BTreeSet<(BlobId, u64)> = pinned
        .view()
        .files()
        .iter()
        .filter_map(|file| {
            let doc = file.doc?;
            let row = pinned.view().segment(doc.segment).segment.doc(doc.doc);
            row.skip.is_none().then_some((file.blob, row.size))
        })
        .collect();
    line["indexed_bytes"] = json!(indexed.iter().map(|(_, size)| size).sum::<u64>());
    Ok(())
}
