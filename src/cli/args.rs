//! The arguments of all commands, and the flags they share. Help, manual pages and completions
//! are made from these definitions, so they cannot disagree.

use super::output::Form;
use super::{
    audit, completions, doctor, fetch, forget, fsck, gate, gc, help, hook, index, init, man, map,
    mcp, memory, model, push, recall, refs, remember, search, status, symbol, sync, trace, trust,
};
use crate::lang;
use crate::query;
use crate::query::request::{MAX_LIMIT, MAX_TARGETS, Revision, Scope};
use crate::render::{MAX_BUDGET, MIN_BUDGET, Style, Voice};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

const ABOUT: &str = "Answer questions about code from an index inside the repository";

const LONG_ABOUT: &str = "\
Answer questions about code from an index inside the repository.

The index lives in the repository's own object store under refs/sverklo/. It is \
derived from the repository's content: it may be deleted at any time and is built again when asked \
for. Every question takes a revision (--at) and a token budget (--budget), and speaks of the work \
tree with its uncommitted changes unless told otherwise. HEAD, the git index, the work tree and \
the repository's configuration are never touched, but for what 'init' names.";

const AFTER_HELP: &str = "\
Every answer ends with one line: the commit it speaks from, how much of it is shown, and how to \
get the rest. A place above it is citable as path:start-end@<commit>.

'git sverklo help TOPIC' says more: agents, certainty, ranking, memory, sharing, ci, configuration, \
storage, limits.

Exit status:
  0  something was found, or done
  1  nothing was found
  2  something went wrong; standard error says what

Examples:
  git sverklo search where are retries configured
  git sverklo symbol Router.use --body
  git sverklo refs parse_config --kind call --at v1.2.0
  git sverklo map src/ --depth 3";

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "git-sverklo",
    bin_name = "git sverklo",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_long_help = AFTER_HELP,
    max_term_width = 100,
    disable_help_flag = true,
    disable_help_subcommand = true
)]
pub struct Arguments {
    /// Run as if started in PATH
    #[arg(
        short = 'C',
        value_name = "PATH",
        default_value = ".",
        global = true,
        hide_default_value = true
    )]
    pub dir: PathBuf,

    /// Print help: -h in short, --help in full
    #[arg(short, long, action = clap::ArgAction::Help, global = true)]
    help: Option<bool>,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Find code by words: natural language, identifiers or a mix
    Search(search::Args),
    /// Look up a definition by name or id, or outline a file
    Symbol(symbol::Args),
    /// List where a name is used
    Refs(refs::Args),
    /// Show what is in the repository: languages, directories, main symbols
    Map(map::Args),
    /// Look for what is unused, untested, imports itself, or carries the most
    #[command(long_about = super::audit::LONG_ABOUT)]
    Audit(audit::Args),
    /// Refuse a change that brings an import cycle
    #[command(long_about = super::gate::LONG_ABOUT)]
    Gate(gate::Args),
    /// Set a repository up: index, hooks, and how to tell coding agents
    #[command(long_about = super::init::LONG_ABOUT)]
    Init(init::Args),
    /// Look whether everything is in place, and say what mends it
    Doctor(doctor::Args),
    /// What hooks run
    #[command(hide = true)]
    Hook(hook::Args),
    /// Bring the index up to date with a revision
    Index(index::Args),
    /// Say what the index covers
    Status(status::Args),
    /// Take the index of a remote into this one
    Fetch(fetch::Args),
    /// Give a remote what it may have of the index
    ///
    /// Only documents of content that the remote's branches and tags reach are sent. Nothing there
    /// is changed but the ref of the index.
    Push(push::Args),
    /// Fetch, then push
    Sync(sync::Args),
    /// Compact the index into its canonical form
    Gc(gc::Args),
    /// Check the stored index, and mend it
    #[command(long_about = fsck::LONG_ABOUT)]
    Fsck(fsck::Args),
    /// Take content out of the index for good
    #[command(long_about = forget::LONG_ABOUT)]
    Forget(forget::Args),
    /// Record what ran under test, from the reports of coverage tools
    #[command(long_about = super::trace::LONG_ABOUT)]
    Trace(trace::Args),
    /// Say which model turns code into vectors, and fetch another
    #[command(long_about = super::model::LONG_ABOUT)]
    Model(model::Args),
    /// Consent to what this repository's own configuration names
    #[command(long_about = super::trust::LONG_ABOUT)]
    Trust(trust::Args),
    /// Remember something about the repository, from a commit on
    #[command(long_about = super::remember::LONG_ABOUT)]
    Remember(remember::Args),
    /// List what is remembered and holds at a revision
    #[command(long_about = super::recall::LONG_ABOUT)]
    Recall(recall::Args),
    /// Show, change and end memories
    Memory(memory::Args),
    /// Serve the tools to a coding agent over standard input and output (MCP)
    #[command(long_about = super::mcp::LONG_ABOUT)]
    Mcp(mcp::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Print the manual page in roff
    Man(man::Args),
    /// Print the help of a command, or a page on a topic
    #[command(long_about = super::help::LONG_ABOUT)]
    Help(help::Args),
}

/// Flags of every question.
#[derive(Args, Debug)]
pub struct Asking {
    /// Revision to speak of [default: the work tree]
    ///
    /// Anything git understands as a commit: a branch, a tag, an abbreviated id, HEAD~3. Without
    /// it the answer speaks of HEAD with uncommitted and untracked files on top.
    #[arg(long, value_name = "REV")]
    pub at: Option<String>,

    /// Look only at paths that match; may be repeated; a leading '!' excludes
    ///
    /// A glob without a slash matches the file name in any directory; a trailing slash means
    /// everything below.
    #[arg(long, value_name = "GLOB")]
    pub scope: Vec<String>,

    /// Most tokens the answer may take [default: 2000; 1500 for refs]
    ///
    /// Bodies are dropped first, then signatures, then the last items; the footer says what is
    /// missing.
    #[arg(long, value_name = "TOKENS", value_parser = in_range(MIN_BUDGET, MAX_BUDGET))]
    pub budget: Option<usize>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Print nothing; the exit status is the answer
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
}

impl Asking {
    /// Returns the revision asked about.
    pub fn revision(&self) -> Revision {
        self.at.clone().map_or(Revision::WorkTree, Revision::At)
    }

    /// Returns how to lay the answer out.
    pub fn style(&self, default_budget: usize) -> Style {
        Style {
            budget: self.budget.unwrap_or(default_budget),
            voice: Voice::Command,
        }
    }

    /// Returns the form of the output.
    pub fn form(&self) -> Form {
        match (self.quiet, self.json) {
            (true, _) => Form::Silent,
            (_, true) => Form::Json,
            _ => Form::Text,
        }
    }

    /// Returns the part of the repository asked about.
    pub fn scope(&self, languages: &[String], kinds: &[String]) -> Scope {
        Scope {
            globs: self.scope.clone(),
            languages: languages.to_vec(),
            kinds: kinds.to_vec(),
        }
    }
}

/// Flags that report commands share.
#[derive(Args, Debug)]
pub struct Reporting {
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,

    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
}

impl Reporting {
    /// Returns the form of the output.
    pub fn form(&self) -> Form {
        match (self.quiet, self.json) {
            (true, _) => Form::Silent,
            (_, true) => Form::Json,
            _ => Form::Text,
        }
    }
}

/// Accepts whole numbers from `least` to `most`, and says so to others.
pub fn in_range(least: usize, most: usize) -> impl TypedValueParser<Value = usize> {
    clap::builder::StringValueParser::new().try_map(move |text: String| {
        text.parse::<usize>()
            .ok()
            .filter(|n| (least..=most).contains(n))
            .ok_or_else(|| format!("give a whole number from {least} to {most}"))
    })
}

/// Refuses more targets than one question may be about.
pub fn at_most_so_many(targets: &[String]) -> Result<(), query::Error> {
    match targets.len() {
        found if found > MAX_TARGETS => Err(query::Error::TooMany {
            what: "targets",
            found,
            limit: MAX_TARGETS,
        }),
        _ => Ok(()),
    }
}

/// Accepts the number of items a question may ask for.
pub fn limit() -> impl TypedValueParser<Value = usize> {
    in_range(1, MAX_LIMIT)
}

/// Accepts one of `labels`.
pub fn one_of(labels: impl Iterator<Item = &'static str>) -> PossibleValuesParser {
    PossibleValuesParser::new(labels.map(PossibleValue::new))
}

/// Accepts a language by label or abbreviation.
pub fn language() -> impl TypedValueParser<Value = String> {
    let short = lang::aliases().map(|short| PossibleValue::new(short).hide(true));
    PossibleValuesParser::new(lang::labels().map(PossibleValue::new).chain(short))
        .map(|word| lang::by_word(&word).map_or(word, |known| known.label().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn definitions_are_consistent() {
        Arguments::command().debug_assert();
    }
}
