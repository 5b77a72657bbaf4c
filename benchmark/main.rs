//! Measures git-sverklo on a repository of your choice:
//!
//! ```text
//! cargo bench --bench sverklo -- cost  PATH...    what indexing and asking cost, as ratios
//! cargo bench --bench sverklo -- faith PATH...    whether answers about the past are those of a fresh index
//! ```
//!
//! Nothing is written to the repositories named: each is cloned into a temporary folder first.
//! Figures go to standard output; the raw run, one JSON object a line, is added to
//! `benchmark/runs/<date>-<machine>/`. Machines differ and are noisy, so read ratios, not seconds.

mod cost;
mod faith;
mod measure;
mod session;

use std::path::PathBuf;
use std::process::ExitCode;

/// What every step may fail with; a benchmark has nobody to recover for.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    // `cargo bench` adds `--bench`; without a sub-command (as in `cargo test --benches`) there is
    // nothing to do.
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| arg != "--bench")
        .collect();
    let outcome = match args.split_first() {
        Some((command, paths)) if command == "cost" && !paths.is_empty() => each(paths, cost::run),
        Some((command, paths)) if command == "faith" && !paths.is_empty() => {
            each(paths, faith::run)
        }
        Some((command, paths)) if command == "parse-only" && paths.len() == 1 => {
            cost::parse_only(&paths[0])
        }
        Some((command, _)) if !command.starts_with('-') => {
            eprintln!("usage: cargo bench --bench sverklo -- cost|faith PATH...");
            return ExitCode::from(2);
        }
        _ => return ExitCode::SUCCESS,
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("fatal: {err}");
            ExitCode::from(2)
        }
    }
}

fn each(paths: &[String], run: fn(&measure::Subject) -> Result<()>) -> Result<()> {
    for path in paths {
        run(&measure::Subject::clone_of(&PathBuf::from(path))?)?;
    }
    Ok(())
}
