//! `git sverklo index`.

use super::Error;
use super::args::{Reporting, in_range};
use super::exit::Outcome;
use super::meter::Meter;
use super::output::{Form, Output};
use crate::git::Repo;
use crate::render;
use crate::upkeep::cover;
use std::path::Path;

/// Most threads that may be asked for.
const MAX_THREADS: usize = 512;

/// Arguments of `index`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Revisions to cover [default: HEAD]
    #[arg(value_name = "REV")]
    revisions: Vec<String>,

    /// Threads to extract with [default: one for each core]
    #[arg(long, value_parser = in_range(1, MAX_THREADS), value_name = "N")]
    threads: Option<usize>,

    /// Print the report even when no terminal watches
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command. Like git's own commands, it says nothing of success to a pipe.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let meter = Meter::new(output, args.reporting.quiet);
    let repo = Repo::discover(dir)?;
    let report = cover::index(&repo, &args.revisions, args.threads.unwrap_or(0), &meter)?;
    drop(meter);
    let form = match args.reporting.form() {
        Form::Text if !args.verbose && !output.interactive() => Form::Silent,
        form => form,
    };
    if !args.reporting.quiet {
        output.warn(&report.warnings);
    }
    output.answer(&render::upkeep::index(&report), form)
}
