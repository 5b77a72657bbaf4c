//! `git sverklo remember`.

use super::memory::{report, text_of};
use super::prelude::*;
use crate::query::recall::archive::Archive;
use crate::upkeep::memory::{self, Draft};

/// Shown by `--help`.
pub const LONG_ABOUT: &str = "\
Remember something about the repository, from a commit on.

It holds at that commit and at all that come after it, until something ends or replaces it: ask \
with 'git sverklo recall --at REV'. It is kept under refs/sverklo/v1/memory and shared by \
'git sverklo push'. Prints the id.";

/// Arguments of `remember`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What to remember, 8 KiB at most; '-' reads standard input
    #[arg(value_name = "TEXT", required = true)]
    text: Vec<String>,

    /// What sort of thing it is
    #[arg(short, long, value_name = "KIND", value_parser = one_of(kinds()), default_value = "fact")]
    kind: String,

    /// What it is about: a path, a symbol id or a name; may be repeated
    #[arg(short, long, value_name = "TARGET")]
    target: Vec<String>,

    /// A word to find it by; may be repeated
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// Should be known before anything else
    #[arg(long)]
    core: bool,

    /// A memory that this one replaces; may be repeated
    #[arg(long, value_name = "ID")]
    supersedes: Vec<String>,

    /// Commit from which on it holds [default: HEAD]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    /// Store it even if it looks like a secret
    #[arg(short, long)]
    force: bool,

    #[command(flatten)]
    json: Json,
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let repo = Repo::discover(dir)?;
    let draft = Draft {
        text: Some(text_of(&args.text)?),
        kind: Some(args.kind.clone()),
        targets: args.target.clone(),
        tags: args.tag.clone(),
        core: args.core,
        supersedes: args.supersedes.clone(),
        at: args.at.clone(),
        force: args.force,
        tool: "cli".to_owned(),
    };
    let written = memory::remember(&repo, &Archive::default(), &draft)?;
    report(&written, args.json, output)
}
