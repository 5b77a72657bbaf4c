//! TODO

use crate::Result;
use std::process::ExitCode;

/// What to write.
#[derive(clap::Args)]
pub struct Args {}

/// Runs it.
pub fn run(_args: &Args) -> Result<ExitCode> {
    Err("not written yet".into())
}
