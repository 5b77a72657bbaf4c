//! `git sverklo mcp`.

use super::prelude::*;
use crate::mcp::serve;
use crate::mcp::tools::Form;

/// What `help mcp` says.
pub const LONG_ABOUT: &str = "\
Serve the tools to a coding agent over standard input and output.

Speaks the Model Context Protocol, one JSON message a line, and ends when its input does. All \
tools but 'remember', which stores a memory, only read; what they learn is kept below .git/sverklo. The repository is opened at the first question, so the server may be started \
anywhere; each of its answers then says what is wrong.

Results are text, because many hosts show their model nothing else when a result has both. \
With --structured they hold the same items as JSON besides, for a client that is a program.

To register it: claude mcp add sverklo -- git sverklo mcp";

/// Arguments of `mcp`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Add the items of each answer as JSON, within the same budget
    #[arg(long)]
    structured: bool,
}

/// Runs the command until standard input ends.
pub fn run(args: &Args, dir: &Path) -> Result<Outcome, Error> {
    let form = match args.structured {
        true => Form::Structured,
        false => Form::Text,
    };
    serve::run(dir, form)?;
    Ok(Outcome::Found)
}
