//! The commands, and what each runs. Help, manual pages and completions are made from these definitions,
//! so they cannot disagree.

use super::error::Error;
use super::exchange::Way;
use super::exit::Outcome;
use super::output::Output;
use super::{
    audit, completions, diff, doctor, exchange, facts, forget, fsck, gate, gc, help, history, hook,
    index, init, man, map, mcp, memory, model, recall, refs, remember, review, search, status,
    symbol, trace, trust, verify,
};
use clap::{Parser, Subcommand};
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
    #[command(long_about = super::map::LONG_ABOUT)]
    Map(map::Args),
    /// Show what a change breaks, what it changes, and where
    #[command(long_about = super::diff::LONG_ABOUT)]
    Diff(diff::Args),
    /// Show what became of a definition, a file or a directory along history
    #[command(long_about = super::history::LONG_ABOUT)]
    History(history::Args),
    /// Say whether cited places still say what they said, and where they are now
    #[command(long_about = super::verify::LONG_ABOUT)]
    Verify(verify::Args),
    /// Look for what is unused, untested, imports itself, or carries the most
    #[command(long_about = super::audit::LONG_ABOUT)]
    Audit(audit::Args),
    /// Refuse a change that brings an import cycle
    #[command(long_about = super::gate::LONG_ABOUT)]
    Gate(gate::Args),
    /// Say what of a change stops a pull request, for people and for CI
    #[command(long_about = super::review::LONG_ABOUT)]
    Review(review::Args),
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
    Fetch(exchange::Args),
    /// Give a remote what it may have of the index
    ///
    /// Only documents of content that the remote's branches and tags reach are sent. Nothing there
    /// is changed but the ref of the index.
    Push(exchange::Args),
    /// Fetch, then push
    Sync(exchange::Args),
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
    /// Record what compilers say names what, from their SCIP indexes
    #[command(long_about = super::facts::LONG_ABOUT)]
    Facts(facts::Args),
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

impl Arguments {
    /// Runs the command.
    pub fn run(self, output: &Output) -> Result<Outcome, Error> {
        let dir = self.dir.as_path();
        match self.command {
            Command::Search(args) => search::run(&args, dir, output),
            Command::Symbol(args) => symbol::run(&args, dir, output),
            Command::Refs(args) => refs::run(&args, dir, output),
            Command::Map(args) => map::run(&args, dir, output),
            Command::Diff(args) => diff::run(&args, dir, output),
            Command::History(args) => history::run(&args, dir, output),
            Command::Verify(args) => verify::run(&args, dir, output),
            Command::Audit(args) => audit::run(&args, dir, output),
            Command::Gate(args) => gate::run(&args, dir, output),
            Command::Review(args) => review::run(&args, dir, output),
            Command::Init(args) => init::run(&args, dir, output),
            Command::Doctor(args) => doctor::run(&args, dir, output),
            Command::Hook(args) => hook::run(&args, dir),
            Command::Index(args) => index::run(&args, dir, output),
            Command::Gc(args) => gc::run(&args, dir, output),
            Command::Forget(args) => forget::run(&args, dir, output),
            Command::Fsck(args) => fsck::run(&args, dir, output),
            Command::Fetch(args) => exchange::run(&args, Way::Fetch, dir, output),
            Command::Push(args) => exchange::run(&args, Way::Push, dir, output),
            Command::Sync(args) => exchange::run(&args, Way::Sync, dir, output),
            Command::Status(args) => status::run(&args, dir, output),
            Command::Trace(args) => trace::run(&args, dir, output),
            Command::Facts(args) => facts::run(&args, dir, output),
            Command::Model(args) => model::run(&args, dir, output),
            Command::Trust(args) => trust::run(&args, dir, output),
            Command::Remember(args) => remember::run(&args, dir, output),
            Command::Recall(args) => recall::run(&args, dir, output),
            Command::Memory(args) => memory::run(&args, dir, output),
            Command::Mcp(args) => mcp::run(&args, dir),
            Command::Completions(args) => completions::run(&args, output),
            Command::Man(args) => man::run(&args, output),
            Command::Help(args) => help::run(&args, output),
        }
    }
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
