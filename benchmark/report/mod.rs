//! The report: raw lines are read, the last about each thing kept, averaged, and written as a page of
//! tables and plots. Nothing is measured here, and the same lines give the same bytes.

mod aggregate;
mod charts;
mod costs;
mod evidence;
mod losses;
mod page;
mod plot;
mod quality;
mod read;
mod readme;
mod table;

use crate::Result;
use crate::program::root;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to write.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of raw lines; default: the newest under benchmark/runs.
    #[arg(value_name = "RUNS_DIR")]
    folder: Option<PathBuf>,
    /// Write nothing; exit with 1 when the page, a plot or README.md is not what the lines give.
    #[arg(long, conflicts_with = "to")]
    check: bool,
    /// Write REPORT.md and plots/ into this folder instead, and leave README.md alone.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

/// Everything that one folder of raw lines gives.
struct Report {
    page: String,
    plots: Vec<plot::Plot>,
    figures: String,
    /// Lines of `losses.jsonl` that explain no lost task.
    idle_rules: Vec<usize>,
}

/// Writes the report, or checks it.
pub fn run(args: &Args) -> Result<ExitCode> {
    let folder = match &args.folder {
        Some(folder) => folder.clone(),
        None => newest(&root().join("benchmark/runs"))?,
    };
    let raw = read::read(&folder, shown(&folder, &root()))?;
    for bench in &raw.unknown {
        eprintln!("warning: lines of kind {bench:?} are in no table of the report");
    }
    let rules = losses::rules(&root().join("benchmark/losses.jsonl"))?;
    let report = compose(&raw, &rules)?;
    // A rule may be about a set that this run did not ask.
    if !raw.answers.is_empty() {
        for line in &report.idle_rules {
            eprintln!("warning: losses.jsonl: reason {line} explains no lost task");
        }
    }
    let to = args.to.clone().unwrap_or_else(|| root().join("benchmark"));
    let mut files = vec![(to.join("REPORT.md"), report.page)];
    for plot in report.plots {
        files.push((to.join("plots").join(plot.file), plot.svg));
    }
    if args.to.is_none() {
        let path = root().join("README.md");
        let readme = std::fs::read_to_string(&path)?;
        files.push((path, readme::replace(&readme, &report.figures)?));
    }
    if args.check {
        return check(&files);
    }
    for (path, text) in &files {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text).map_err(|err| format!("{}: {err}", path.display()))?;
        println!("wrote {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Turns lines into text; reads and writes nothing.
fn compose(raw: &read::Raw, rules: &[losses::Rule]) -> Result<Report> {
    let standing = losses::standing(&raw.answers, rules);
    let plots = charts::draw(raw)?;
    Ok(Report {
        page: page::render(raw, &standing, &plots),
        plots,
        figures: readme::figures(raw),
        idle_rules: standing.idle_rules,
    })
}

/// Compares what is there with what should be.
fn check(files: &[(PathBuf, String)]) -> Result<ExitCode> {
    let mut stale = false;
    for (path, text) in files {
        let there = match std::fs::read_to_string(path) {
            Ok(there) => there,
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(err) => return Err(format!("{}: {err}", path.display()).into()),
        };
        // A checkout may have turned the ends of lines.
        if there.replace("\r\n", "\n") != *text {
            eprintln!("{}: not what the raw lines give", path.display());
            stale = true;
        }
    }
    if stale {
        eprintln!("`cargo benchmark report` writes them anew");
    }
    Ok(ExitCode::from(u8::from(stale)))
}

/// The last folder by name: names begin with the date.
fn newest(runs: &Path) -> Result<PathBuf> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(runs).map_err(|err| format!("{}: {err}", runs.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.push(entry.path());
        }
    }
    let newest = folders.into_iter().max();
    newest.ok_or_else(|| format!("{}: no runs yet", runs.display()).into())
}

/// A folder as the page names it: the same on every machine if it is one of the sources.
fn shown(folder: &Path, root: &Path) -> String {
    let known = folder.canonicalize().ok().zip(root.canonicalize().ok());
    let inside = known
        .as_ref()
        .and_then(|(folder, root)| folder.strip_prefix(root).ok());
    let Some(inside) = inside else {
        return folder.display().to_string();
    };
    let parts = inside.components();
    let parts: Vec<_> = parts
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}
