//! `git sverklo gc`.

use super::prelude::*;
use crate::upkeep::collect::{self, GcOptions};
use crate::upkeep::retention::Retention;

/// Arguments of `gc`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Keep what is reachable so far back from each tip [default: sverklo.retain, else all]
    ///
    /// A time span such as 1.year or 90.days, counted back from the date of each branch, tag and
    /// HEAD, or 'all' for everything that any of them can reach. Files of the tips themselves are
    /// always kept. What is dropped is extracted again when somebody asks about it.
    #[arg(long, value_name = "WHEN")]
    retain: Option<String>,

    /// Only say what would be dropped
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Print all of the report even when no terminal watches
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let retention = args.retain.as_deref().map(Retention::parse).transpose()?;
    let options = GcOptions {
        retention,
        dry_run: args.dry_run,
    };
    let report = collect::gc(&Repo::discover(dir)?, &options)?;
    args.reporting.warn(output, &report.warnings);
    let rendered = render::upkeep::gc::gc(&report);
    let brief = rendered.text.lines().last().unwrap_or_default();
    let is_asked = args.verbose || args.dry_run;
    output.report(&rendered, brief, args.reporting.form(), is_asked)
}
