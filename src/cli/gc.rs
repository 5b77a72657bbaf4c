//! `git sverklo gc`.

use super::Error;
use super::args::Reporting;
use super::exit::Outcome;
use super::output::{Form, Output};
use crate::git::Repo;
use crate::render;
use crate::upkeep::collect;
use std::path::Path;

/// Arguments of `gc`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print the report even when no terminal watches
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let report = collect::gc(&Repo::discover(dir)?)?;
    let form = match args.reporting.form() {
        Form::Text if !args.verbose && !output.interactive() => Form::Silent,
        form => form,
    };
    if !args.reporting.quiet {
        output.warn(&report.warnings);
    }
    output.answer(&render::upkeep::gc(&report), form)
}
