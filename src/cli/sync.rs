//! `git sverklo sync`.

use super::Error;
use super::exchanging::{Exchanged, Exchanging};
use super::exit::Outcome;
use super::output::{Output, first_line};
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
        let both = [
            render::sync::fetch(&fetched).text,
            render::sync::push(&pushed).text,
        ];
        Ok(Exchanged {
            report: render::sync::sync(&fetched, &pushed),
            brief: both.each_ref().map(|text| first_line(text)).join("\n"),
            warnings: [fetched.warnings, pushed.warnings].concat(),
        })
    })
}
