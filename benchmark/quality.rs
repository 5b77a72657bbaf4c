//! TODO

use crate::Result;
use crate::program::Program;
use crate::run::Run;
use std::process::ExitCode;

/// What to measure.
#[derive(clap::Args)]
pub struct Args {}

/// Runs it.
pub fn run(_args: &Args, _program: &Program, _run: &Run) -> Result<ExitCode> {
    Err("not written yet".into())
}
