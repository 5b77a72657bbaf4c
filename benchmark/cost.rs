//! What indexing and asking cost, each figure beside what it is to be compared with.

use crate::Result;
use crate::measure::{Usage, measure, own_cpu, percentile};
use crate::program::Program;
use crate::run::Run;
use crate::session::Session;
use crate::subject::Subject;
use git_sverklo::extract::Extractor;
use git_sverklo::id::BlobId;
use git_sverklo::query::engine::{Engine, Pinned};
use git_sverklo::query::request::{
    Detail, RefsRequest, Revision, Scope, SearchRequest, SymbolRequest,
};
use git_sverklo::query::{Quiet, ids::DocSymbols};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Cold runs; the least counts.
const COLD_RUNS: usize = 3;
/// Runs of short commands, taken in turns with what they are compared with.
const SHORT_RUNS: usize = 15;
/// Look-ups by name.
const LOOKUPS: usize = 1000;
/// Searches.
const SEARCHES: usize = 200;

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Repositories; default: this one.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Measures each repository and prints a few lines of it.
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    let subjects = args.paths.iter().map(|path| Subject::clone_of(path));
    for subject in subjects {
        let subject = subject?;
        let mut line = json!({"bench": "cost", "repo": subject.name});
        cold(&subject, program, &mut line)?;
        sizes(&subject, &mut line)?;
        warm(&subject, program, &mut line)?;
        queries(&subject, &mut line)?;
        serving(&subject, program, &mut line)?;
        report(&line);
        run.record("cost", &line)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Parsing alone, indexing on one thread and indexing on all, in turns: whatever else the machine
/// does meets all three. CPU is compared on one thread, because two threads of one core slow each
/// other and so cost more CPU seconds for the same instructions.
fn cold(subject: &Subject, program: &Program, line: &mut Value) -> Result<()> {
    let (mut parse, mut one, mut all) = (f64::MAX, None, None);
    for _ in 0..COLD_RUNS {
        let mut command = Command::new(std::env::current_exe()?);
        // The child prints the CPU seconds of parsing and walking, reading excluded.
        let (_, out) = measure(command.arg("parse-only").arg(&subject.dir))?;
        parse = parse.min(String::from_utf8_lossy(&out.stdout).trim().parse()?);
        for (args, best) in [
            (&["index", "--threads", "1"][..], &mut one),
            (&["index"], &mut all),
        ] {
            subject.forget_index()?;
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

fn sizes(subject: &Subject, line: &mut Value) -> Result<()> {
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

fn warm(subject: &Subject, program: &Program, line: &mut Value) -> Result<()> {
    let in_turns = |commands: &[&dyn Fn() -> Command]| -> Result<Vec<Usage>> {
        let mut samples = vec![(Vec::new(), Vec::new()); commands.len()];
        for _ in 0..SHORT_RUNS {
            for (command, (wall, cpu)) in commands.iter().zip(&mut samples) {
                let (usage, _) = measure(&mut command())?;
                wall.push(usage.wall);
                cpu.push(usage.cpu);
            }
        }
        Ok(samples
            .iter_mut()
            .map(|(wall, cpu)| Usage {
                wall: percentile(wall, 0.5),
                cpu: percentile(cpu, 0.5),
                peak_mb: 0.0,
            })
            .collect())
    };
    let status = || {
        let mut command = Command::new("git");
        command
            .current_dir(&subject.dir)
            .args(["status", "--porcelain"]);
        command
    };
    let index = || program.command(&subject.dir, &["index"]);
    let ask = || program.command(&subject.dir, &["symbol", "main"]);
    measure(&mut ask())?;
    let usage = in_turns(&[&status, &index, &ask])?;
    line["git_status_ms"] = json!(usage[0].wall_ms());
    line["noop_index_ms"] = json!(usage[1].wall_ms());
    line["clean_question_ms"] = json!(usage[2].wall_ms());

    // One changed file: the first question after an edit, every time a new edit.
    let listing = subject.git(&[
        "ls-files", "*.js", "*.ts", "*.py", "*.go", "*.rs", "*.c", "*.java",
    ])?;
    let paths: Vec<&str> = listing
        .lines()
        .filter(|path| !path.starts_with('"'))
        .collect();
    let path = subject
        .dir
        .join(paths.get(paths.len() / 2).ok_or("no source file")?);
    let original = std::fs::read(&path)?;
    let (mut edited, mut clean) = (Vec::new(), Vec::new());
    for i in 0..SHORT_RUNS {
        std::fs::write(&path, &original)?;
        measure(&mut status())?;
        measure(Command::new("git").current_dir(&subject.dir).args([
            "update-index",
            "-q",
            "--refresh",
        ]))?;
        clean.push(measure(&mut ask())?.0.wall);
        let mut changed = original.clone();
        changed.extend_from_slice(format!("\n// edit number {i}\n").as_bytes());
        std::fs::write(&path, &changed)?;
        edited.push(measure(&mut ask())?.0.wall);
    }
    line["one_edit_more_ms"] =
        json!((percentile(&mut edited, 0.5) - percentile(&mut clean, 0.5)) * 1e3);

    // One changed file committed: the run of `index` that a hook would do.
    let mut committed = Vec::new();
    for i in 0..SHORT_RUNS {
        let mut changed = original.clone();
        changed.extend_from_slice(format!("\n// commit number {i}\n").as_bytes());
        std::fs::write(&path, &changed)?;
        subject.git(&[
            "-c",
            "user.name=b",
            "-c",
            "user.email=b@localhost",
            "commit",
            "-qam",
            "edit",
            "--no-verify",
        ])?;
        committed.push(measure(&mut index())?.0.wall);
    }
    let committed = percentile(&mut committed, 0.5) * 1e3;
    line["one_commit_more_ms"] = json!(committed - usage[1].wall_ms());
    Ok(())
}

fn queries(subject: &Subject, line: &mut Value) -> Result<()> {
    let engine = Engine::open(&subject.dir)?;
    let pinned = engine.pin(&Revision::At("HEAD".to_owned()), &Quiet)?;
    let names = sample_names(&pinned);
    let timed = |count: usize, ask: &dyn Fn(usize) -> Result<()>| -> Result<(f64, f64)> {
        let mut samples = Vec::with_capacity(count);
        for i in 0..count {
            let start = Instant::now();
            ask(i)?;
            samples.push(start.elapsed().as_secs_f64() * 1e3);
        }
        Ok((
            percentile(&mut samples, 0.5),
            percentile(&mut samples, 0.95),
        ))
    };
    let name = |i: usize| names[i * 7919 % names.len()].clone();
    let symbol = timed(LOOKUPS, &|i| {
        let request = SymbolRequest {
            target: name(i),
            detail: Detail::Card,
            scope: Scope::default(),
            at: Revision::WorkTree,
            limit: 10,
        };
        engine.symbol_in(&pinned, &request)?;
        Ok(())
    })?;
    let refs = timed(LOOKUPS, &|i| {
        let request = RefsRequest {
            target: name(i),
            kinds: Vec::new(),
            scope: Scope::default(),
            at: Revision::WorkTree,
            limit: 50,
        };
        engine.refs_in(&pinned, &request)?;
        Ok(())
    })?;
    let search = timed(SEARCHES, &|i| {
        let request = SearchRequest {
            query: format!("{} {}", words(&name(i)), words(&name(i + 1))),
            scope: Scope::default(),
            at: Revision::WorkTree,
            limit: 10,
        };
        engine.search_in(&pinned, &request)?;
        Ok(())
    })?;
    for (key, (p50, p95)) in [("symbol", symbol), ("refs", refs), ("search", search)] {
        line[format!("{key}_p50_ms")] = json!(p50);
        line[format!("{key}_p95_ms")] = json!(p95);
    }
    Ok(())
}

/// Distinct names of symbols, sorted: the sample is the same in every run.
fn sample_names(pinned: &Pinned) -> Vec<String> {
    let view = pinned.view();
    let mut names = BTreeSet::new();
    for file in view.files() {
        let Some(doc) = file.doc else { continue };
        let symbols = DocSymbols::load(&view.segment(doc.segment).segment, doc.doc);
        names.extend((0..symbols.all().len()).map(|i| symbols.name(i)));
    }
    // Headings are prose: looking one up is a search.
    names
        .into_iter()
        .filter(|name| !name.is_empty() && !name.contains([' ', '#', '/']))
        .collect()
}

/// A name as somebody would say it.
fn words(name: &str) -> String {
    let mut words = Vec::new();
    git_sverklo::extract::terms::for_each_subword(name.as_bytes(), |part| {
        words.push(String::from_utf8_lossy(part).into_owned());
    });
    words.join(" ")
}

fn serving(subject: &Subject, program: &Program, line: &mut Value) -> Result<()> {
    let engine = Engine::open(&subject.dir)?;
    let names = sample_names(&engine.pin(&Revision::At("HEAD".to_owned()), &Quiet)?);
    drop(engine);
    let mut first = Vec::new();
    for _ in 0..SHORT_RUNS {
        let start = Instant::now();
        let mut session = Session::start(&mut program.command(&subject.dir, &["mcp"]))?;
        session.call("symbol", json!({"name": names[names.len() / 2]}))?;
        first.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut session = Session::start(&mut program.command(&subject.dir, &["mcp"]))?;
    for i in 0..50 {
        let name = &names[i * 7919 % names.len()];
        session.call("symbol", json!({"name": name}))?;
        session.call("refs", json!({"target": name}))?;
        session.call("search", json!({"query": words(name)}))?;
    }
    line["mcp_first_answer_ms"] = json!(percentile(&mut first, 0.5));
    line["serving_peak_mb"] = json!(session.peak_mb());
    Ok(())
}

fn report(line: &Value) {
    let number = |key: &str| line[key].as_f64().unwrap_or(f64::NAN);
    let mb = |key: &str| number(key) / 1e6;
    println!(
        "{}: {} blobs, {:.1} MB of which {:.1} MB indexed",
        line["repo"].as_str().unwrap_or(""),
        line["blobs"],
        mb("source_bytes"),
        mb("indexed_bytes")
    );
    println!(
        "  cold index           one thread {:.2} s CPU = {:.2} x parse and walk ({:.2} s); all threads {:.2} s CPU, wall {:.2} s = {:.2} x CPU; peak {:.0} MB",
        number("cold_1_cpu_s"),
        number("cold_1_cpu_s") / number("parse_cpu_s"),
        number("parse_cpu_s"),
        number("cold_cpu_s"),
        number("cold_wall_s"),
        number("cold_wall_s") / number("cold_cpu_s"),
        number("cold_peak_mb")
    );
    println!(
        "  index bytes          {:.2} MB stored = {:.2} x source ({:.2} x indexed), {:.2} MB mapped = {:.2} x source; source as stored {:.2} MB",
        mb("index_disk_bytes"),
        number("index_disk_bytes") / number("source_bytes"),
        number("index_disk_bytes") / number("indexed_bytes"),
        mb("index_bytes"),
        number("index_bytes") / number("source_bytes"),
        mb("source_disk_bytes")
    );
    println!(
        "  no-op index          {:.1} ms = {:.2} x git status ({:.1} ms)",
        number("noop_index_ms"),
        number("noop_index_ms") / number("git_status_ms"),
        number("git_status_ms")
    );
    println!(
        "  a question           {:.1} ms; after one edit {:+.1} ms; index after one commit {:+.1} ms",
        number("clean_question_ms"),
        number("one_edit_more_ms"),
        number("one_commit_more_ms")
    );
    println!(
        "  in process p50/p95   symbol {:.3}/{:.3} ms, refs {:.3}/{:.3} ms, search {:.3}/{:.3} ms",
        number("symbol_p50_ms"),
        number("symbol_p95_ms"),
        number("refs_p50_ms"),
        number("refs_p95_ms"),
        number("search_p50_ms"),
        number("search_p95_ms")
    );
    println!(
        "  MCP first answer     {:.1} ms from process start; serving peak {:.0} MB",
        number("mcp_first_answer_ms"),
        number("serving_peak_mb")
    );
}
