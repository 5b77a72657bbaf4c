//! Why a command failed, and what may be done about it.

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
    /// A file that was named cannot be read.
    #[error("cannot read {}", .0.display())]
    Unreadable(std::path::PathBuf, #[source] std::io::Error),
    /// A file that was named is no text.
    #[error("{} is not UTF-8", .0.display())]
    NoText(std::path::PathBuf),
    /// There is no command of that name to describe.
    #[error("no command is named '{0}'")]
    NoSuchCommand(String),
    /// There is neither a command nor a topic of that name.
    #[error("no command or topic is named '{0}'")]
    NoSuchTopic(String),
    /// A view of `audit` that knows no exports.
    #[error("--exported goes with unused, not with {0}")]
    NoExports(&'static str),
}

impl Error {
    /// What may be done about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuchCommand(_) => Some("'git sverklo -h' lists the commands".to_owned()),
            Self::NoSuchTopic(_) => Some("'git sverklo help' lists them".to_owned()),
            _ => None,
        }
    }
}
