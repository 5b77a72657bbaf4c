//! `git sverklo memory`.

use super::prelude::*;
use super::recall;
use crate::query::memories::{self, ShowRequest};
use crate::query::recall::RecallRequest;
use crate::query::recall::archive::Archive;
use crate::upkeep::import::{self, Format, ImportRequest};
use crate::upkeep::memory::{self, Draft, Reason, Written};
use std::io::Read as _;

/// Most bytes of a text that are read from standard input; more than any memory may have.
const MAX_INPUT: u64 = 1 << 20;

/// Arguments of `memory`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// List memories that hold at a revision, or all
    List(List),
    /// Show one memory with all its versions and what became of them
    Show(Show),
    /// Say a memory in other words, from a commit on
    Edit(Edit),
    /// End memories from a commit on
    End(End),
    /// Tell what was remembered when, latest first
    Log(LogArgs),
    /// List what is contested
    Conflicts(List),
    /// Take a text out of the log and its history for good
    Redact(Redact),
    /// Say that a commit stands for another one that is gone
    Repin(Repin),
    /// Take over decision records, rules for agents, notes and other journals
    Import(Import),
    /// Write what holds at a revision as Markdown or JSON
    Export(List),
}

#[derive(clap::Args, Debug)]
struct Import {
    /// Files, or folders of decision records; with --from notes the refs of notes
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<PathBuf>,

    /// What they are written in [default: as their names tell]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::ALL.iter().map(|format| format.label())))]
    from: Option<String>,

    /// From which revision on what has no commit of its own holds [default: HEAD]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    /// A word to find all of it by; may be repeated
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// Store nothing, say what would be
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Store it even if it looks like a secret
    #[arg(short, long)]
    force: bool,

    #[command(flatten)]
    json: Json,
}

#[derive(clap::Args, Debug)]
struct List {
    /// Revision to speak of [default: HEAD]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    /// Also what does not hold
    #[arg(short, long)]
    all: bool,

    #[command(flatten)]
    json: Json,
}

#[derive(clap::Args, Debug)]
struct Show {
    /// Its id, or what it begins with
    #[arg(value_name = "ID")]
    id: String,

    /// Revision to speak of [default: HEAD]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    #[command(flatten)]
    json: Json,
}

#[derive(clap::Args, Debug)]
struct Edit {
    /// Its id, or what it begins with
    #[arg(value_name = "ID")]
    id: String,

    /// What to say now; '-' reads standard input [default: the same]
    #[arg(value_name = "TEXT")]
    text: Vec<String>,

    /// What sort of thing it is [default: the same]
    #[arg(short, long, value_name = "KIND", value_parser = one_of(kinds()))]
    kind: Option<String>,

    /// What it is about; may be repeated [default: the same, as it is now]
    #[arg(short, long, value_name = "TARGET")]
    target: Vec<String>,

    /// A word to find it by; may be repeated [default: the same]
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// Should be known before anything else
    #[arg(long)]
    core: bool,

    /// Commit from which on it is said so [default: HEAD]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    /// Store it even if it looks like a secret
    #[arg(short, long)]
    force: bool,

    #[command(flatten)]
    json: Json,
}

#[derive(clap::Args, Debug)]
struct End {
    /// Ids, or what they begin with
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,

    /// Commit from which on they hold no more [default: HEAD]
    #[arg(long, value_name = "REV")]
    at: Option<String>,

    /// Why
    #[arg(short, long, value_name = "TEXT", default_value = "")]
    message: String,

    /// Store the reason even if it looks like a secret
    #[arg(short, long)]
    force: bool,

    #[command(flatten)]
    json: Json,
}

#[derive(clap::Args, Debug)]
struct LogArgs {
    /// Most commits of the log
    #[arg(short = 'n', long, value_name = "N", value_parser = in_range(1, 100_000), default_value_t = 20)]
    limit: usize,

    #[command(flatten)]
    json: Json,
}

#[derive(clap::Args, Debug)]
struct Redact {
    /// Id of the version, or what it begins with
    #[arg(value_name = "ID")]
    id: String,

    /// Why; this is kept
    #[arg(short, long, value_name = "TEXT", default_value = "")]
    message: String,

    /// Store the reason even if it looks like a secret
    #[arg(short, long)]
    force: bool,

    #[command(flatten)]
    json: Json,
}

impl End {
    fn reason(&self) -> Reason<'_> {
        Reason {
            text: &self.message,
            force: self.force,
        }
    }
}

impl Redact {
    fn reason(&self) -> Reason<'_> {
        Reason {
            text: &self.message,
            force: self.force,
        }
    }
}

#[derive(clap::Args, Debug)]
struct Repin {
    /// The commit that was, as a full id if it is gone
    #[arg(value_name = "OLD")]
    old: String,

    /// The commit that stands for it
    #[arg(value_name = "NEW")]
    new: String,

    #[command(flatten)]
    json: Json,
}

/// Returns a text given as words, or read from standard input.
pub fn text_of(words: &[String]) -> Result<String, Error> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let mut bytes = Vec::new();
    std::io::stdin().take(MAX_INPUT).read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| Error::NotText)
}

/// Writes what a command did.
pub fn report(written: &Written, json: Json, output: &Output) -> Result<Outcome, Error> {
    output.hint(&written.notes);
    output.hint(&render::memory::suggestions(written));
    output.answer(&render::memory::written(written), json.form())
}

/// Runs the command.
pub fn run(args: &Args, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let engine = || Engine::open(dir);
    let repo = || Repo::discover(dir);
    let archive = Archive::default();
    let tool = "cli";
    match &args.command {
        Command::List(args) => list(args, false, dir, output),
        Command::Conflicts(args) => list(args, true, dir, output),
        Command::Show(args) => {
            let shown = engine()?.ask(
                &ShowRequest {
                    id: args.id.clone(),
                    at: args.at.clone(),
                },
                &Quiet,
            )?;
            output.warn(&shown.warnings);
            output.answer(&render::memory::show(&shown), args.json.form())
        }
        Command::Log(args) => {
            let sessions = memories::sessions(&repo()?, args.limit)?;
            output.answer(&render::memory::log(&sessions), args.json.form())
        }
        Command::Edit(args) => {
            let text = match args.text.is_empty() {
                true => None,
                false => Some(text_of(&args.text)?),
            };
            let draft = Draft {
                text,
                kind: args.kind.clone(),
                targets: args.target.clone(),
                tags: args.tag.clone(),
                core: args.core,
                supersedes: Vec::new(),
                at: args.at.clone(),
                force: args.force,
                tool: tool.to_owned(),
            };
            let written = memory::edit(&repo()?, &archive, &args.id, &draft)?;
            report(&written, args.json, output)
        }
        Command::End(args) => {
            let at = args.at.as_deref();
            let written = memory::end(&repo()?, &archive, &args.ids, at, &args.reason(), tool)?;
            report(&written, args.json, output)
        }
        Command::Redact(args) => {
            let written = memory::redact(&repo()?, &args.id, &args.reason(), tool)?;
            report(&written, args.json, output)
        }
        Command::Import(args) => {
            let format = args.from.as_deref().and_then(Format::from_label);
            let sources = args.sources.iter().map(|source| match format {
                Some(Format::Notes) => source.clone(),
                _ => dir.join(source),
            });
            let request = ImportRequest {
                sources: sources.collect(),
                format,
                at: args.at.clone(),
                tags: args.tag.clone(),
                dry_run: args.dry_run,
                force: args.force,
            };
            let imported = import::import(&repo()?, &request)?;
            output.hint(&imported.notes);
            let rendered = render::exchange::imported(&imported, args.dry_run);
            output.answer(&rendered, args.json.form())
        }
        Command::Export(args) => {
            let request = RecallRequest {
                at: args.at.clone(),
                offset: 0,
                limit: usize::MAX,
                all: args.all,
                ..RecallRequest::default()
            };
            let answer = engine()?.ask(&request, &Quiet)?;
            output.warn(&answer.warnings);
            output.answer(&render::exchange::markdown(&answer), args.json.form())
        }
        Command::Repin(args) => {
            let written = memory::repin(&repo()?, &args.old, &args.new, tool)?;
            report(&written, args.json, output)
        }
    }
}

fn list(args: &List, conflicts: bool, dir: &Path, output: &Output) -> Result<Outcome, Error> {
    let request = RecallRequest {
        at: args.at.clone(),
        offset: 0,
        limit: usize::MAX,
        conflicts,
        all: args.all,
        ..RecallRequest::default()
    };
    recall::answer(&request, usize::MAX, args.json, dir, output)
}
