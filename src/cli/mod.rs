//! The command line: `git sverklo <command>`.
//!
//! Guarantees: answers go to standard output and everything else to standard error, as
//! `fatal: …`, `warning: …` or `hint: …`, but for the line that a report comes to where nobody watches;
//! a program gets the bytes of an answer as they are, a person's terminal the same with colours and by
//! their pager; a reader that goes away ends the program quietly; the
//! exit status is that of [`exit::ExitCode`]. Deliberately absent: any knowledge of how an answer
//! is found or laid out; a command parses its flags, asks the engine and hands on what `render`
//! made of the answer.

pub mod args;
mod audit;
mod completions;
mod doctor;
mod exchange;
pub mod exit;
mod forget;
mod fsck;
mod gate;
mod gc;
mod help;
mod hook;
mod index;
mod init;
mod man;
mod map;
mod mcp;
mod memory;
mod meter;
mod model;
mod output;
mod recall;
mod refs;
mod remember;
mod search;
mod status;
mod symbol;
mod terminal;
mod trace;
mod trust;

use args::{Arguments, Command};
use clap::Parser;
use exchange::Way;
use exit::{ExitCode, Outcome};
use output::Output;
use std::ffi::OsString;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The question has no answer.
    #[error(transparent)]
    Query(#[from] crate::query::Error),
    /// The index could not be kept up.
    #[error(transparent)]
    Upkeep(#[from] crate::upkeep::Error),
    /// There is no repository to work on.
    #[error(transparent)]
    Git(#[from] crate::git::Error),
    /// The server could not be run.
    #[error(transparent)]
    Serve(#[from] crate::mcp::Error),
    /// Output could not be written.
    #[error("cannot write output: {0}")]
    Write(#[from] std::io::Error),
    /// An answer could not be written as JSON.
    #[error("cannot write json: {0}")]
    Json(#[from] serde_json::Error),
    /// What came on standard input is no text.
    #[error("not stored: the text on standard input is not UTF-8")]
    NotText,
    /// There is no command of that name to describe.
    #[error("no command is named '{0}'")]
    NoSuchCommand(String),
    /// There is neither a command nor a topic of that name.
    #[error("no command or topic is named '{0}'")]
    NoSuchTopic(String),
}

impl Error {
    fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuchCommand(_) => Some("'git sverklo -h' lists the commands".to_owned()),
            Self::NoSuchTopic(_) => Some("'git sverklo help' lists them".to_owned()),
            _ => None,
        }
    }
}

/// Runs the program on its arguments (the first is its own name) and returns its exit status.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(args) {
        Ok(arguments) => arguments,
        Err(err) => {
            // Help and version come this way too; clap knows which stream they belong to.
            let code = if err.use_stderr() {
                ExitCode::Error
            } else {
                ExitCode::Found
            };
            return match err.print() {
                Err(io) if io.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::Error,
                _ => code,
            };
        }
    };
    let output = Output::new(&arguments.dir);
    let outcome = dispatch(arguments, &output);
    if let Err(err) = &outcome {
        output.complain(err, err.hint().as_deref());
    }
    ExitCode::of(&outcome)
}

fn dispatch(arguments: Arguments, output: &Output) -> Result<Outcome, Error> {
    let dir = arguments.dir.as_path();
    match arguments.command {
        Command::Search(args) => search::run(&args, dir, output),
        Command::Symbol(args) => symbol::run(&args, dir, output),
        Command::Refs(args) => refs::run(&args, dir, output),
        Command::Map(args) => map::run(&args, dir, output),
        Command::Audit(args) => audit::run(&args, dir, output),
        Command::Gate(args) => gate::run(&args, dir, output),
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
