//! The tools for coding agents, over the Model Context Protocol on standard input and output.
//!
//! Guarantees: `initialize` answers at once, wherever the server was started; neither a question that
//! fails or panics (that is one tool error) nor any line of input ends the server, only the end of its
//! input does. Before each question it looks whether the repository has gone, come or been replaced, and
//! the answer says so; nothing is created where a repository has gone.
//! A protocol error means misuse of the protocol; everything an agent can mend by asking
//! differently is a tool result marked as an error, because only those reach the model.
//!
//! Deliberately absent: logic. A tool reads its parameters, asks the engine and hands on what
//! `render` made of the answer. The server keeps no state between questions but the opened
//! repository.

pub mod arguments;
pub mod handshake;
mod heap;
mod lines;
mod memory;
mod place;
mod ready;
mod schema;
pub mod serve;
pub mod tools;

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The question.
    #[error(transparent)]
    Query(#[from] crate::query::Error),
    /// What was to be written.
    #[error(transparent)]
    Upkeep(#[from] crate::upkeep::Error),
    /// A memory to store and others to end, in one call.
    #[error(
        "not stored: with retire, text is the reason why those memories end and nothing else is; to store what takes their place, use supersedes instead"
    )]
    Mixed,
}

/// Why the server could not be run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The runtime could not be started.
    #[error("cannot start the server: {0}")]
    Runtime(#[source] std::io::Error),
    /// The connection failed before or while it was served.
    #[error("connection failed: {0}")]
    Connection(String),
}
