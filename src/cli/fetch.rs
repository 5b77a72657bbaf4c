//! `git sverklo fetch`.

use super::Error;
use super::exchanging::{Exchanged, Exchanging};
use super::exit::Outcome;
use super::output::Output;
use crate::render;
use crate::upkeep::sync;
use std::path::Path;

/// Arguments of `fetch`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    exchanging: Exchanging,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    args.exchanging.run(dir, output, |exchange| {
        let report = sync::fetch(exchange)?;
        Ok(Exchanged::new(
            render::sync::fetch(&report),
            report.warnings,
        ))
    })
}
