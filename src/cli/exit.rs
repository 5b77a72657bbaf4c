//! Exit statuses, as `grep` has them; decided here and nowhere else.

use super::error::Error;

/// What a command came to, when it did not fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It found something, or did what it was told.
    Found,
    /// It looked and found nothing.
    Nothing,
}

impl Outcome {
    /// Returns the outcome of having found something or not.
    pub fn from_found(found: bool) -> Self {
        if found { Self::Found } else { Self::Nothing }
    }
}

/// Exit status of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ExitCode {
    /// Something was found, or done.
    Found = 0,
    /// Nothing was found.
    Nothing = 1,
    /// Something went wrong; standard error says what.
    Error = 2,
}

impl ExitCode {
    /// Returns the status for what a command came to.
    pub(super) fn of(outcome: &Result<Outcome, Error>) -> Self {
        match outcome {
            Ok(Outcome::Found) => Self::Found,
            Ok(Outcome::Nothing) => Self::Nothing,
            // The reader has seen enough (`git sverklo map | head -1`).
            Err(Error::Write(err)) if err.kind() == std::io::ErrorKind::BrokenPipe => Self::Found,
            Err(_) => Self::Error,
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}
