//! The command line: `git sverklo <command>`.
//!
//! Guarantees: answers go to standard output and everything else to standard error, as
//! `fatal: …`, `warning: …` or `hint: …` (and, where output is no terminal, a report as one line without
//! a label); a pipe gets the bytes of an answer as they are, a terminal the same with colours and through
//! the user's pager; a closed pipe ends the program quietly; the
//! exit status is that of [`exit::ExitCode`]. Deliberately absent: any knowledge of how an answer
//! is found or laid out; a command parses its flags, asks the engine and hands on what `render`
//! made of the answer.

pub mod args;
mod audit;
mod completions;
mod diff;
mod doctor;
pub mod error;
mod exchange;
pub mod exit;
mod facts;
mod flags;
mod forget;
mod fsck;
mod gate;
mod gc;
mod help;
mod history;
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
mod prelude;
mod recall;
mod refs;
mod remember;
mod review;
mod search;
mod status;
mod symbol;
mod terminal;
mod trace;
mod trust;
mod verify;

use args::Arguments;
use clap::Parser;
use exit::ExitCode;
use output::Output;
use std::ffi::OsString;

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
    let outcome = arguments.run(&output);
    if let Err(err) = &outcome {
        output.complain(err, err.hint().as_deref());
    }
    ExitCode::of(&outcome)
}
