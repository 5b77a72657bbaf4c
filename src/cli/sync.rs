//! `git sverklo sync`.

use super::Error;
use super::exchanging::Exchanging;
use super::exit::Outcome;
use super::output::Output;
use crate::render;
use crate::upkeep::sync;
use std::path::Path;

/// Arguments of `sync`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    exchanging: Exchanging,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    args.exchanging.run(dir, output, |exchange| {
        let (fetched, pushed) = sync::sync(exchange)?;
        let rendered = render::sync::sync(&fetched, &pushed);
        Ok((rendered, [fetched.warnings, pushed.warnings].concat()))
    })
}
