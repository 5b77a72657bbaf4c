//! `git sverklo gate`.

use super::prelude::*;
use crate::query::request::{GateRequest, Revision};

/// Help of `gate`.
pub const LONG_ABOUT: &str = "\
Refuse a change that brings an import cycle, or a file that too many import.

The work tree (or --head) is compared with where it left --base. Without --base that is the \
default branch of the remote as last fetched; for a work tree that did not leave it, HEAD when \
there are uncommitted changes, else the parent of HEAD. Cycles that were there before pass, also \
when their files were moved. An import inside a function, import() and what TypeScript erases load \
nothing and close no cycle. Where files of either state could not be read, it passes \
\"as far as was looked\" and says how many.

Exit status:
  0  nothing of the kind
  1  a new cycle, or a file over the limit
  2  something went wrong; standard error says what";

/// Arguments of `gate`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Revision to compare with [default: the remote's default branch]
    #[arg(long, value_name = "REV")]
    base: Option<String>,

    /// Revision to judge [default: the work tree]
    #[arg(long, value_name = "REV")]
    head: Option<String>,

    /// Most files that may import a file [default: sverklo.gate.maxFanIn, else any number]
    #[arg(long, value_name = "N", value_parser = in_range(1, 1_000_000))]
    max_fan_in: Option<usize>,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let request = GateRequest {
        base: args.base.clone(),
        head: args.head.clone().map_or(Revision::WorkTree, Revision::At),
        max_fan_in: args.max_fan_in,
    };
    let meter = Meter::new(output, args.reporting.quiet);
    let engine = Engine::open(dir)?;
    let answer = engine.ask(&request, &meter)?;
    drop(meter);
    let outcome = output.answer(&render::gate::render(&answer), args.reporting.form());
    engine.leave();
    outcome
}
