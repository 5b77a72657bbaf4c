//! `git sverklo mcp`.

use super::Error;
use super::exit::Outcome;
use std::path::Path;

/// What `help mcp` says.
pub const LONG_ABOUT: &str = "\
Serve the tools to a coding agent over standard input and output.

Speaks the Model Context Protocol, one JSON message a line, and ends when its input does. The \
tools only read. The repository is opened at the first question, so the server may be started \
anywhere; each of its answers then says what is wrong.

To register it: claude mcp add sverklo -- git sverklo mcp";

/// Runs the command until standard input ends.
pub fn run(dir: &Path) -> Result<Outcome, Error> {
    crate::mcp::serve::run(dir)?;
    Ok(Outcome::Found)
}
