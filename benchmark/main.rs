//! How good is git-sverklo? One program measures it against grep and against its peers, on the same
//! work, in one run:
//!
//! ```text
//! cargo benchmark                quality and cost on this very repository, with a page to read
//! cargo benchmark quality        are the answers right, and how many tokens do they cost an agent?
//! cargo benchmark cost           what do indexing and asking cost?
//! cargo benchmark scale          how do the costs grow with the repository?
//! cargo benchmark monorepo       a made-up monorepo, to try things on
//! cargo benchmark instructions   have the hot paths become slower?
//! cargo benchmark faith          is the past as a fresh index tells it, on every machine?
//! cargo benchmark life           how does an index grow, and how soon does it answer after a move?
//! cargo benchmark oracle         does it say what the compilers of the languages say?
//! cargo benchmark extraction     is anything lost that universal-ctags finds?
//! cargo benchmark fit            which weights find most, and what is each channel worth?
//! cargo benchmark omissions      is the file that a commit would have left out named?
//! cargo benchmark risk           are commits that are fixed soon after told from others?
//! cargo benchmark secrets        what is taken for a secret, and what is missed?
//! cargo benchmark report         a page of tables and plots from the raw runs
//! ```
//!
//! The parts, in the order of the data: a `subject` is a repository made ready for measuring; a
//! `task` is a question about it with its truth; a `contender` answers questions; `score` compares
//! answers with truths; every figure goes into a raw `run`, from which `report` writes the page.
//! Nothing is ever written to a repository that was named: each is cloned first.

mod contender;
mod cost;
mod extraction;
mod faith;
mod fit;
mod instructions;
mod life;
mod measure;
mod monorepo;
mod omissions;
mod oracle;
mod program;
mod quality;
mod report;
mod risk;
mod run;
mod scale;
mod score;
mod secrets;
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
    /// Without one: quality and cost on this repository, and the page, in target/benchmark.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Ask every contender the same questions and score the answers.
    Quality(quality::Args),
    /// Measure what indexing and asking cost, beside the contenders.
    Cost(cost::Args),
    /// Measure how costs grow over made-up monorepos of growing size.
    Scale(scale::Args),
    /// Make a made-up monorepo that stays: a bare repository.
    Monorepo(monorepo::Args),
    /// Count instructions of fixed workloads, and compare them with the committed counts.
    Instructions(instructions::Args),
    /// Check that answers do not depend on when, where and in which order the index was made.
    Faith(faith::Args),
    /// Measure how an index grows commit by commit, and first answers after rebase and checkout.
    Life(life::Args),
    /// Compare definitions, references, imports and dead code with what compilers say.
    Oracle(oracle::Args),
    /// Compare the definitions of repositories with those of universal-ctags.
    Extraction(extraction::Args),
    /// Fit the weights of search's channels, and measure what each channel and rule is worth.
    Fit(fit::Args),
    /// Take one file out of real commits, and ask what is missing.
    Omissions(omissions::Args),
    /// Compare the risk of commits with what became of them.
    Risk(risk::Args),
    /// List what is taken for a secret in folders, or count it in examples.
    Secrets(secrets::Args),
    /// Write the page of tables and plots from raw runs, and the figures of README.md.
    Report(report::Args),
    /// Count the tokens of JSON strings, one a line of standard input: what `clients/bed.py` asks.
    #[command(hide = true)]
    Tokens,
    /// Parse and walk every file of HEAD and print the CPU seconds: what `cost` compares with.
    #[command(hide = true)]
    ParseOnly { path: std::path::PathBuf },
}

fn main() -> ExitCode {
    match dispatch(&Args::parse()) {
        Ok(code) => code,
        Err(err) => {
            eprintln!("fatal: {err}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(args: &Args) -> Result<ExitCode> {
    // What needs no program under test comes first: it is built only when it is needed.
    match &args.command {
        Some(Command::Report(args)) => return report::run(args),
        Some(Command::Secrets(args)) => return secrets::run(args),
        Some(Command::Monorepo(args)) => return monorepo::run(args),
        Some(Command::Tokens) => return tokens::of_lines(std::io::stdin().lock()),
        Some(Command::ParseOnly { path }) => return cost::parse_only(path),
        _ => {}
    }
    let program = program::Program::find(args.program.as_deref())?;
    let Some(command) = &args.command else {
        return overview(args, &program);
    };
    let run = run::Run::open(args.runs.as_deref(), &program)?;
    match command {
        Command::Quality(args) => quality::run(args, &program, &run),
        Command::Cost(args) => cost::run(args, &program, &run),
        Command::Scale(args) => scale::run(args, &program, &run),
        Command::Instructions(args) => instructions::run(args, &program, &run),
        Command::Faith(args) => faith::run(args, &program, &run),
        Command::Life(args) => life::run(args, &program, &run),
        Command::Oracle(args) => oracle::run(args, &program, &run),
        Command::Extraction(args) => extraction::run(args, &program, &run),
        Command::Fit(args) => fit::run(args, &program, &run),
        Command::Omissions(args) => omissions::run(args, &run),
        Command::Risk(args) => risk::run(args, &run),
        Command::Report(_)
        | Command::Secrets(_)
        | Command::Monorepo(_)
        | Command::Tokens
        | Command::ParseOnly { .. } => {
            unreachable!("handled above")
        }
    }
}

/// Five minutes for somebody who has just arrived: quality and cost on this repository, beside grep
/// and whoever else is here, and the page. Nothing but the target folder is written to.
fn overview(args: &Args, program: &program::Program) -> Result<ExitCode> {
    let folder = program::root().join("target/benchmark");
    let lines = args.runs.clone().unwrap_or_else(|| folder.join("lines"));
    // Lines of an earlier visit would be mixed in.
    if args.runs.is_none() && lines.exists() {
        std::fs::remove_dir_all(&lines)?;
    }
    let run = run::Run::open(Some(&lines), program)?;
    quality::run(&quality::Args::default(), program, &run)?;
    cost::run(&cost::Args::default(), program, &run)?;
    report::run(&report::Args::of(lines, folder))
}
