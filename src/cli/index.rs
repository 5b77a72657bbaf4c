//! `git sverklo index`.

use super::output::first_line;
use super::prelude::*;
use crate::upkeep::cover;
use crate::upkeep::selection::{History, Selection, Shard};

/// Most threads that may be asked for.
const MAX_THREADS: usize = 512;

/// Arguments of `index`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Revisions to cover [default: HEAD, then what is kept warm]
    ///
    /// What is kept warm are the branches and the HEAD of every work tree, each with what led to
    /// it within two weeks; sverklo.history and sverklo.window say otherwise.
    #[arg(value_name = "REV")]
    revisions: Vec<String>,

    /// Cover every commit that a branch, a remote-tracking branch, a tag or a work tree reaches
    #[arg(long, conflicts_with_all = ["revisions", "recent", "rev_range"])]
    all: bool,

    /// Cover branches and work trees with the recent past of each, whatever sverklo.history says
    #[arg(long, conflicts_with_all = ["revisions", "since", "rev_range"])]
    recent: bool,

    /// Cover the history of REV, or of everything, since a date such as 2.weeks or 2026-01-31
    #[arg(long, value_name = "DATE")]
    since: Option<String>,

    /// Cover a range of commits such as v1..v2; may be repeated
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    rev_range: Vec<String>,

    /// Extract only the K-th of N shares, for N machines that then push
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,

    /// Threads to extract with [default: one for each core]
    #[arg(long, value_parser = in_range(1, MAX_THREADS), value_name = "N")]
    threads: Option<usize>,

    /// Print all of the report even when no terminal watches
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    reporting: Reporting,
}

/// Runs the command. Where nobody watches, it says one line.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let meter = Meter::new(output, args.reporting.quiet);
    let repo = Repo::discover(dir)?;
    let selection = Selection {
        revisions: args.revisions.clone(),
        ranges: args.rev_range.clone(),
        history: match (args.all, args.recent) {
            (true, _) => Some(History::All),
            (_, true) => Some(History::Recent),
            _ => None,
        },
        since: args.since.clone(),
        shard: args.shard,
    };
    let report = cover::index(&repo, &selection, args.threads.unwrap_or(0), &meter)?;
    drop(meter);
    args.reporting.warn(output, &report.warnings);
    let rendered = render::upkeep::index(&report);
    let brief = first_line(&rendered.text);
    output.report(&rendered, brief, args.reporting.form(), args.verbose)
}
