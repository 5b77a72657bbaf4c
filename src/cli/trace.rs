//! `git sverklo trace`.

use super::prelude::*;
use crate::trace::Format;
use crate::upkeep::reported::ImportOptions;
use crate::upkeep::trace::{self, show};

/// Shown by `--help`.
pub const LONG_ABOUT: &str = "\
Record what ran under test, from the reports of coverage tools.

Which lines ran is kept with the index, by the content of each file, so it holds in every commit \
and clone that has the same content; and by function, so it holds for those that did not change \
when others did. What was recorded before stays: a line ran if it did in any report. It travels \
with push and fetch as the index does.";

/// Arguments of `trace`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Record what the reports of coverage tools say
    Import(Import),
    /// Say what is known to have run
    Show(Show),
}

/// Arguments of `trace import`.
#[derive(clap::Args, Debug)]
struct Import {
    /// Reports: LCOV, coverage.py JSON, Istanbul JSON, Go coverprofile, llvm-cov JSON
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// What the reports are [default: told by their content]
    #[arg(long, value_parser = one_of(Format::ALL.iter().map(|format| format.label())), value_name = "FORMAT")]
    format: Option<String>,

    /// Revision that ran [default: the work tree as it is]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    /// Take a prefix off the paths of the reports; may be repeated
    ///
    /// For tests that ran on another machine or in a container. Without it, the prefix is taken
    /// that makes files of most paths.
    #[arg(long, value_name = "PREFIX")]
    strip: Vec<String>,

    /// Only say what would be recorded
    #[arg(short = 'n', long)]
    dry_run: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// Arguments of `trace show`.
#[derive(clap::Args, Debug)]
struct Show {
    /// Files or directories [default: all]
    #[arg(value_name = "PATH")]
    paths: Vec<String>,

    /// Revision to speak of [default: the work tree]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let repo = Repo::discover(dir)?;
    match &args.command {
        Command::Import(args) => {
            let options = ImportOptions {
                files: args.files.clone(),
                at: args.at.clone(),
                strip: args.strip.clone(),
                dry_run: args.dry_run,
            };
            let meter = Meter::new(output, args.reporting.quiet);
            let format = args.format.as_deref().and_then(Format::from_label);
            let report = trace::import(&repo, &options, format, dir, &meter)?;
            drop(meter);
            let rendered = render::upkeep::trace::import(&report);
            args.reporting
                .tell(output, &rendered, &report.imports.warnings)
        }
        Command::Show(args) => {
            let meter = Meter::new(output, args.reporting.quiet);
            let shown = show::show(&repo, args.at.as_deref(), &args.paths, &meter)?;
            drop(meter);
            let rendered = render::upkeep::trace::show(&shown);
            args.reporting.tell(output, &rendered, &shown.warnings)
        }
    }
}
