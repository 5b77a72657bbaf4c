//! `git sverklo status`.

use super::prelude::*;
use crate::upkeep::status;

/// Arguments of `status`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// List what was not read instead, by the reason why, and what was read only in part
    #[arg(long)]
    skipped: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let answer = status::status(&Repo::discover(dir)?)?;
    let form = args.reporting.form();
    match args.skipped {
        true => output.answer(&render::upkeep::status::skipped(&answer), form),
        false => output.answer(&render::upkeep::status::status(&answer), form),
    }
}
