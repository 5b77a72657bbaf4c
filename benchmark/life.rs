//! How an index lives: how it grows when every commit is indexed as a hook would, and how soon it
//! answers after the tree has moved under it.

mod disk;
mod growth;
mod moves;

use crate::Result;
use crate::program::Program;
use crate::run::Run;
use crate::subject::Subject;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Repositories; default: this one.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Commits of the first-parent history to index one by one; 0 leaves growth out.
    #[arg(long, value_name = "COUNT", default_value_t = 2000)]
    commits: usize,
    /// Leave out rebase, checkouts and work trees.
    #[arg(long)]
    no_moves: bool,
    /// Names the program in the lines, to compare several.
    #[arg(long, value_name = "TEXT", default_value = "")]
    variant: String,
    /// Two revisions far from each other to check out; default: 1,000 commits back and `HEAD`.
    #[arg(long, num_args = 2, value_names = ["REV", "REV"])]
    distant: Vec<String>,
}

/// Measures each repository.
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    let mut subjects: Vec<Box<dyn Fn() -> Result<Subject>>> = Vec::new();
    if args.paths.is_empty() {
        subjects.push(Box::new(Subject::own));
    }
    for path in &args.paths {
        subjects.push(Box::new(move || Subject::clone_of(path)));
    }
    for make in subjects {
        if args.commits > 0 {
            for mut line in growth::growth(&make()?, program, args.commits)? {
                line["variant"] = json!(args.variant);
                run.record("life", &line)?;
            }
        }
        if !args.no_moves {
            for line in moves::moves(&make()?, program, &args.distant)? {
                run.record("life", &line)?;
            }
        }
    }
    println!("raw lines: {}", run.folder().display());
    Ok(ExitCode::SUCCESS)
}
