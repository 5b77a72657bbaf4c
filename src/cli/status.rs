//! `git sverklo status`.

use super::Error;
use super::args::Reporting;
use super::exit::Outcome;
use super::output::Output;
use crate::git::Repo;
use crate::render;
use crate::upkeep::status;
use std::path::Path;

/// Arguments of `status`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let answer = status::status(&Repo::discover(dir)?)?;
    output.answer(&render::upkeep::status(&answer), args.reporting.form())
}
