//! `git sverklo facts`.

use super::prelude::*;
use crate::upkeep::facts;
use crate::upkeep::facts::show::{self, Which};
use crate::upkeep::reported::ImportOptions;

/// Shown by `--help`.
pub const LONG_ABOUT: &str = "\
Record what compilers say names what, from the SCIP indexes of their indexers.

What each name of a file means is kept with the index, by the content of the file, so it holds in \
every commit, clone and work tree that has the same content. It outranks what is found without a \
compiler wherever names are resolved, and is marked 'compiler'. It travels with push and fetch as \
the index does, so one job of a CI can compute it for everybody.

Indexes are written by scip-typescript, scip-python, scip-go, scip-java, scip-clang, rust-analyzer \
and others; 'scip convert' makes them of LSIF.";

/// Arguments of `facts`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Record what indexes say
    Import(Import),
    /// Say of which files something is known
    Show(Show),
    /// Drop what was recorded of files
    Drop(Drop),
}

/// Arguments of `facts import`.
#[derive(clap::Args, Debug)]
struct Import {
    /// SCIP indexes
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Revision that was indexed [default: HEAD, but for files that the work tree has changed]
    #[arg(long, visible_alias = "rev", value_name = "REV")]
    at: Option<String>,

    /// Take a prefix off the paths of the indexes; may be repeated
    ///
    /// For indexes that were made on another machine or in a container. Without it, the prefix is
    /// taken that makes files of most paths.
    #[arg(long, value_name = "PREFIX")]
    strip: Vec<String>,

    /// Only say what would be recorded
    #[arg(short = 'n', long)]
    dry_run: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// Arguments of `facts show`.
#[derive(clap::Args, Debug)]
struct Show {
    /// Files or directories [default: all]
    #[arg(value_name = "PATH")]
    paths: Vec<String>,

    /// Revision to speak of [default: HEAD]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    #[command(flatten)]
    reporting: Reporting,
}

/// Arguments of `facts drop`.
#[derive(clap::Args, Debug)]
struct Drop {
    /// Files or directories
    #[arg(
        value_name = "PATH",
        conflicts_with = "all",
        required_unless_present = "all"
    )]
    paths: Vec<String>,

    /// All facts, of whatever content
    #[arg(long)]
    all: bool,

    /// Revision whose files are meant [default: HEAD]
    #[arg(long, value_name = "REV", conflicts_with = "all")]
    at: Option<String>,

    /// Only say what would be dropped
    #[arg(short = 'n', long)]
    dry_run: bool,

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
            let report = facts::import(&repo, &options, dir)?;
            let rendered = render::upkeep::facts::import(&report);
            args.reporting
                .tell(output, &rendered, &report.imports.warnings)
        }
        Command::Show(args) => {
            let shown = show::show(&repo, args.at.as_deref(), &args.paths)?;
            let rendered = render::upkeep::facts::show(&shown);
            args.reporting.tell(output, &rendered, &shown.warnings)
        }
        Command::Drop(args) => {
            let which = match args.all {
                true => Which::All,
                false => Which::Below(args.paths.clone(), args.at.clone()),
            };
            let report = show::drop_facts(&repo, &which, args.dry_run)?;
            let rendered = render::upkeep::facts::dropped(&report);
            args.reporting.tell(output, &rendered, &report.warnings)
        }
    }
}
