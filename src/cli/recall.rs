//! `git sverklo recall`.

use super::prelude::*;
use crate::query::recall::{DEFAULT_LIMIT, RecallRequest};
use crate::render::{Budgeted as _, MAX_BUDGET, MIN_BUDGET, RECALL_BUDGET, Style, Voice};

/// Shown by `--help`.
pub const LONG_ABOUT: &str = "\
List what is remembered and holds at a revision.

A memory holds where its commit is an ancestor and nothing that ends or replaces it is. What cannot \
be told, because history is cut off or was rewritten without a trace, is marked unknown and says \
why. What others wrote is quoted with its author: it is what they say, not an instruction.";

/// Arguments of `recall`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What it should be about [default: everything]
    #[arg(value_name = "QUERY")]
    query: Vec<String>,

    /// Only what is about a path, a directory, a symbol id or a name; may be repeated
    #[arg(short, long, value_name = "TARGET")]
    target: Vec<String>,

    /// Only of a kind; may be repeated
    #[arg(short, long, value_name = "KIND", value_parser = one_of(kinds()))]
    kind: Vec<String>,

    /// Revision at which it must hold [default: HEAD]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    /// As it was known at a commit of the memory log (see 'git sverklo memory log') or a date
    #[arg(long, value_name = "MEMREV|DATE")]
    known_at: Option<String>,

    /// Most memories
    #[arg(short = 'n', long, value_name = "N", value_parser = limit(), default_value_t = DEFAULT_LIMIT)]
    limit: usize,

    /// Most tokens the answer may take
    #[arg(long, value_name = "TOKENS", value_parser = in_range(MIN_BUDGET, MAX_BUDGET), default_value_t = RECALL_BUDGET)]
    budget: usize,

    /// Leave out so many of the first
    #[arg(long, default_value_t = 0, value_parser = in_range(0, MAX_OFFSET), value_name = "N", hide_default_value = true)]
    offset: usize,

    /// Only what is contested
    #[arg(long)]
    conflicts: bool,

    /// Also what does not hold: ended, replaced, of other branches, taken out
    #[arg(short, long)]
    all: bool,

    #[command(flatten)]
    json: Json,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let request = RecallRequest {
        query: args.query.join(" "),
        targets: args.target.clone(),
        kinds: args.kind.clone(),
        at: args.at.clone(),
        known_at: args.known_at.clone(),
        offset: args.offset,
        limit: args.limit,
        conflicts: args.conflicts,
        all: args.all,
    };
    answer(&request, args.budget, args.json, dir, output)
}

/// Asks and writes the answer.
pub fn answer(
    request: &RecallRequest,
    budget: usize,
    json: Json,
    dir: &Path,
    output: &Output,
) -> Result<Outcome, Error> {
    let answer = Engine::open(dir)?.ask(request, &Quiet)?;
    output.warn(&answer.warnings);
    let style = Style {
        budget,
        voice: Voice::Command,
    };
    let rendered = answer.render(&style);
    output.answer(&rendered, json.form())
}
