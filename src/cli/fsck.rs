//! `git sverklo fsck`.

use super::prelude::*;
use crate::upkeep::fsck::{self, FsckOptions};

/// Shown by `--help`.
pub const LONG_ABOUT: &str = "\
Check the stored index, and mend it.

Checks the tip, the bytes of every segment, the file that is kept of it, and that the indexes \
fetched from remotes can be read. With --rederive, part of the documents is extracted again and \
compared with what is recorded.

A segment that is damaged or wrong leaves the index, and its documents are extracted again. \
Nothing is deleted from the object store. Exit status: 0 nothing was wrong, 1 something was, 2 the \
check itself failed.";

/// Arguments of `fsck`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Extract this share of each segment's documents again, and compare [default: 0]
    #[arg(long, value_name = "PERCENT", value_parser = in_range(0, 100))]
    rederive: Option<usize>,

    /// Only look; mend nothing
    #[arg(short = 'n', long)]
    dry_run: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let options = FsckOptions {
        rederive: u8::try_from(args.rederive.unwrap_or(0)).unwrap_or(100),
        dry_run: args.dry_run,
    };
    let report = fsck::fsck(&Repo::discover(dir)?, &options, &Quiet)?;
    let rendered = render::upkeep::fsck::fsck(&report);
    args.reporting.tell(output, &rendered, &report.warnings)
}
