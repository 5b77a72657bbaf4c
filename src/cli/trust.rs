//! `git sverklo trust`.

use super::prelude::*;
use crate::upkeep::trust::{self, Wish};

/// Shown by `--help`.
pub const LONG_ABOUT: &str = "\
Consent to what this repository's own configuration names.

A repository's own configuration (its 'config', 'config.worktree' and what these include) comes with an \
unpacked archive, or with a bare repository that somebody committed. What it says of programs, libraries, \
addresses, variables and files outside is not in effect until you consent: a model and its library, a \
server to embed and its key, the remote that a question may fetch missing texts from and how it is \
reached, what memories are signed with, core.excludesFile, \
core.pager, a work tree elsewhere. The same lines in your \
own configuration ('git config --global') need no consent.

The lines are printed, and your consent to exactly these is kept in your own data folder. Any change of \
them asks again. What they name, the bytes of a library say, is not looked at.

Exit status:
  0  the lines are in effect; or with --dry-run, there are some
  1  there is nothing to consent to, to list, or to take back
  2  something went wrong; standard error says what";

/// Arguments of `trust`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print the lines, and consent to nothing
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Take the consent back
    #[arg(long, conflicts_with_all = ["dry_run", "list"])]
    revoke: bool,

    /// List the repositories that you have consented to
    #[arg(long, conflicts_with = "dry_run")]
    list: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let form = args.reporting.form();
    if args.list {
        return output.answer(&render::upkeep::trust::list(&trust::list()?), form);
    }
    let wish = match (args.dry_run, args.revoke) {
        (true, _) => Wish::Look,
        (_, true) => Wish::Revoke,
        _ => Wish::Give,
    };
    let report = trust::trust(&Repo::discover(dir)?, wish)?;
    output.answer(&render::upkeep::trust::trust(&report, wish), form)
}
