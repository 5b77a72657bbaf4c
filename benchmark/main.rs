//! How good is git-sverklo? One program measures it against grep and against its peers, on the same
//! work, in one run:
//!
//! ```text
//! cargo benchmark quality        are the answers right, and how many tokens do they cost an agent?
//! cargo benchmark cost           what do indexing and asking cost?
//! cargo benchmark scale          how do the costs grow with the repository?
//! cargo benchmark instructions   have the hot paths become slower?
//! cargo benchmark faith          is the past as a fresh index tells it, on every machine?
//! cargo benchmark report         a page of tables and plots from the raw runs
//! ```
//!
//! The parts, in the order of the data: a `subject` is a repository made ready for measuring; a
//! `task` is a question about it with its truth; a `contender` answers questions; `score` compares
//! answers with truths; every figure goes into a raw `run`, from which `report` writes the page.
//! Nothing is ever written to a repository that was named: each is cloned first.

mod contender;
mod cost;
mod faith;
mod instructions;
mod measure;
mod monorepo;
mod program;
mod quality;
mod report;
mod run;
mod scale;
mod score;
mod session;
mod subject;
mod task;
mod tokens;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// What every step may fail with; a benchmark has nobody to recover for.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Measures git-sverklo against grep and its peers.
#[derive(Parser)]
#[command(name = "benchmark", bin_name = "cargo benchmark")]
struct Args {
    /// Measure this git-sverklo instead of the one built from here.
    #[arg(long, global = true, value_name = "FILE")]
    program: Option<std::path::PathBuf>,
    /// Folder for the raw lines; default: benchmark/runs/<date>-<machine>.
    #[arg(long, global = true, value_name = "DIR")]
    runs: Option<std::path::PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Ask every contender the same questions and score the answers.
    Quality(quality::Args),
    /// Measure what indexing and asking cost, beside the contenders.
    Cost(cost::Args),
    /// Measure how costs grow over made-up monorepos of growing size.
    Scale(scale::Args),
    /// Count instructions of fixed workloads, and compare them with the committed counts.
    Instructions(instructions::Args),
    /// Check that answers do not depend on when, where and in which order the index was made.
    Faith(faith::Args),
    /// Write the page of tables and plots from raw runs, and the figures of README.md.
    Report(report::Args),
    /// Parse and walk every file of HEAD and print the CPU seconds: what `cost` compares with.
    #[command(hide = true)]
    ParseOnly { path: std::path::PathBuf },
}

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = match &args.command {
        Command::Report(report) => report::run(report),
        Command::ParseOnly { path } => cost::parse_only(path),
        command => measured(&args, command),
    };
    match outcome {
        Ok(code) => code,
        Err(err) => {
            eprintln!("fatal: {err}");
            ExitCode::from(2)
        }
    }
}

/// The commands that run the program under test and write raw lines.
fn measured(args: &Args, command: &Command) -> Result<ExitCode> {
    let program = program::Program::find(args.program.as_deref())?;
    let run = run::Run::open(args.runs.as_deref(), &program)?;
    match command {
        Command::Quality(args) => quality::run(args, &program, &run),
        Command::Cost(args) => cost::run(args, &program, &run),
        Command::Scale(args) => scale::run(args, &program, &run),
        Command::Instructions(args) => instructions::run(args, &program, &run),
        Command::Faith(args) => faith::run(args, &program, &run),
        Command::Report(_) | Command::ParseOnly { .. } => unreachable!("handled by main"),
    }
}
