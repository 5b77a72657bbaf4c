//! What indexing and asking cost, each figure beside what it is to be compared with.
//!
//! Machines are noisy, so what is compared is measured in turns; of long runs the least counts, of
//! short ones the median; and ratios say more than seconds.

pub mod beside;
mod cold;
mod edit;
mod latency;
mod names;
mod pristine;
mod queries;
mod switch;
mod upkeep;
mod warm;

pub use cold::parse_only;
pub use names::Sample;
pub use queries::first_answer_ms;

use crate::Result;
use crate::contender;
use crate::program::Program;
use crate::run::Run;
use crate::subject::Subject;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

/// What git-sverklo is called among the contenders. Its index is in the object store, and its
/// questions need no indexing before them: what measures it must know.
pub const OURS: &str = "git-sverklo";

/// What to measure.
#[derive(clap::Args, Default)]
pub struct Args {
    /// Repositories; default: this one.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Put only these contenders beside; default: all that are here.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    contender: Vec<String>,
}

/// Measures each repository and prints a few lines of it.
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    let present = contender::present(&args.contender, program, run, "cost")?;
    if args.paths.is_empty() {
        measure_one(&Subject::own, &present, program, run)?;
    }
    for path in &args.paths {
        measure_one(&|| Subject::clone_of(path), &present, program, run)?;
    }
    println!("raw lines: {}", run.folder().display());
    Ok(ExitCode::SUCCESS)
}

/// Measures git-sverklo alone in one clone, and everybody in another that nobody has used.
fn measure_one(
    clone: &dyn Fn() -> Result<Subject>,
    present: &[contender::Present],
    program: &Program,
    run: &Run,
) -> Result<()> {
    let subject = clone()?;
    // First of all: where it makes commits, none of what they change may be indexed already.
    let history = edit::History::of(&subject)?;
    let mut line = json!({"bench": "cost", "repo": subject.name});
    cold::cold(&subject, program, &mut line)?;
    cold::sizes(&subject, &mut line)?;
    warm::warm(&subject, program, &mut line)?;
    queries::queries(&subject, &mut line)?;
    queries::serving(&subject, program, &mut line)?;
    switch::switch(&subject, &history, program, &mut line)?;
    switch::hook(&subject, &history, program, &mut line)?;
    print(&line);
    run.record("cost", &line)?;
    drop(subject);
    beside::run(present, &clone()?, program, run)
}

fn print(line: &Value) {
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
        "  MCP                  initialize answered {:.1} ms from process start ({:.0} MB), first answer {:.1} ms; serving peak {:.0} MB",
        number("server_start_ms"),
        number("server_start_peak_mb"),
        number("mcp_first_answer_ms"),
        number("serving_peak_mb")
    );
    println!(
        "  branch switch        git {:.1} ms; then a question {:.1} ms or index {:.1} ms where never indexed, {:.1} or {:.1} ms where it was",
        number("git_switch_ms"),
        number("switch_question_ms"),
        number("switch_index_ms"),
        number("return_question_ms"),
        number("return_index_ms")
    );
    println!(
        "  hook                 commit {:.1} ms, with an indexing hook {:+.1} ms",
        number("commit_ms"),
        number("commit_hook_ms") - number("commit_ms")
    );
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::monorepo::Monorepo;

    /// A small repository with so many commits after the first.
    pub fn small(commits: usize) -> Subject {
        let made = tempfile::tempdir().unwrap();
        let monorepo = Monorepo {
            files: 40,
            commits,
            seed: 1,
        };
        monorepo.write(made.path()).unwrap();
        Subject::clone_of(made.path()).unwrap()
    }
}
