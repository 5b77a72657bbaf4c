//! What a child process left.

use std::process::ExitStatus;

/// What a finished child said.
pub(super) struct Finished {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: String,
}
