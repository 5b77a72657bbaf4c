//! `git sverklo forget`.

use super::prelude::*;
use crate::upkeep::forget;

/// Shown by `--help`.
pub const LONG_ABOUT: &str = "\
Take content out of the index for good.

For content that should never have been committed. Nothing is recorded of a forgotten blob any \
more: not here, and not in any other clone once it has united with this index. It cannot be taken \
back.

This is about the index alone. The history of the code keeps the content; rewriting it is the \
work of other tools. The segments as they were stay in the object store until they are pruned \
('git gc --prune=now'), and with remotes until 'git sverklo push' and their own collection.";

/// Arguments of `forget`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Id of a blob, or a path: then every blob that any commit of any ref has there
    #[arg(value_name = "BLOB|PATH", required_unless_present = "list")]
    target: Option<String>,

    /// List the blobs that are forgotten
    #[arg(long, conflicts_with_all = ["target", "dry_run"])]
    list: bool,

    /// Only say what would be forgotten
    #[arg(short = 'n', long)]
    dry_run: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let repo = Repo::discover(dir)?;
    let form = args.reporting.form();
    let Some(target) = &args.target else {
        let blobs = forget::forgotten(&repo)?;
        return output.answer(&render::upkeep::forget::list(&blobs), form);
    };
    let report = forget::forget(&repo, target, args.dry_run)?;
    let rendered = render::upkeep::forget::forget(&report);
    args.reporting.tell(output, &rendered, &report.warnings)
}
