//! `git sverklo init`.

use super::prelude::*;
use crate::upkeep::{agents, init};
use clap::builder::PossibleValuesParser;

/// What `help init` says.
pub const LONG_ABOUT: &str = "\
Set a repository up: index it, install hooks, and say how coding agents are told of the server.

Files of agents are only written when named by --write. Every file that is written is named in the \
output, and --undo puts each back as it was; what it needs for that is in sverklo-init.json in the \
git directory. Hooks go into the repository's configuration where git runs them from there (2.54), \
else into its hooks folder; files of other hook managers are left alone, and core.hooksPath is \
never set. Running it again changes nothing more.";

/// In place of an agent's name: every one that shows signs of use.
const ALL_DETECTED: &str = "all-detected";

/// Arguments of `init`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Add the server to an agent's list; may be repeated
    ///
    /// 'all-detected' means every agent that shows signs of use and has a list of its own in the
    /// project; a list in the home directory is only written for an agent that is named.
    #[arg(long, value_name = "AGENT", value_parser = agent_names(), hide_possible_values = false)]
    write: Vec<String>,

    /// Add a few lines on the tools to a file of instructions, such as AGENTS.md
    #[arg(long, value_name = "FILE")]
    instructions: Option<PathBuf>,

    /// Do without hooks
    #[arg(long)]
    no_hooks: bool,

    /// Do without an index; the first question will make it
    #[arg(long)]
    no_index: bool,

    /// Only say what would be written, and where
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Show every agent that is known and how to tell it, and do nothing
    #[arg(long, conflicts_with_all = ["write", "instructions", "undo", "dry_run"])]
    list: bool,

    /// Put every file that was written back as it was, and remove the hooks
    #[arg(long, conflicts_with_all = ["write", "instructions", "no_hooks", "no_index"])]
    undo: bool,

    /// With --undo: delete the index as well
    #[arg(long, requires = "undo")]
    delete_index: bool,

    #[command(flatten)]
    reporting: Reporting,
}

fn agent_names() -> PossibleValuesParser {
    PossibleValuesParser::new(agents::labels().into_iter().chain([ALL_DETECTED]))
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let repo = Repo::discover(dir)?;
    let form = args.reporting.form();
    if args.undo {
        let report = init::undo(&repo, args.delete_index, args.dry_run)?;
        return output.answer(&render::init::undo(&report), form);
    }
    let named = |agent: &&String| agent.as_str() != ALL_DETECTED;
    let wish = init::Wish {
        agents: args.write.iter().filter(named).cloned().collect(),
        all_detected: args.write.iter().any(|agent| agent == ALL_DETECTED),
        // As -C says, and not where the process was started.
        instructions: args.instructions.as_ref().map(|file| dir.join(file)),
        hooks: !args.no_hooks && !args.list,
        index: !args.no_index && !args.list,
        dry_run: args.dry_run || args.list,
    };
    let meter = Meter::new(output, args.reporting.quiet);
    let report = init::init(&repo, &wish, &meter)?;
    drop(meter);
    if let Some(index) = &report.index {
        args.reporting.warn(output, &index.warnings);
    }
    output.answer(&render::init::init(&report, args.list), form)
}
