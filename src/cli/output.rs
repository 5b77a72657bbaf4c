//! Writing: answers to standard output, everything else to standard error.

use super::error::Error;
use super::exit::Outcome;
use super::terminal;
use crate::render::Rendered;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// How much a command says on standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Text for people and agents.
    Text,
    /// One line of JSON.
    Json,
    /// Nothing; the exit status is the answer.
    Silent,
}

impl Form {
    /// What two flags come to.
    pub fn of(quiet: bool, json: bool) -> Self {
        match (quiet, json) {
            (true, _) => Self::Silent,
            (_, true) => Self::Json,
            _ => Self::Text,
        }
    }
}

/// The two standard streams.
pub struct Output {
    dir: PathBuf,
    /// Whether a person watches standard error.
    pub(crate) err_is_terminal: bool,
    /// Whether standard output goes to a person.
    pub(crate) out_is_terminal: bool,
}

impl Output {
    /// Looks at the standard streams of the process, which was told to work in `dir`.
    pub fn new(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            err_is_terminal: io::stderr().is_terminal(),
            out_is_terminal: io::stdout().is_terminal(),
        }
    }

    /// Writes an answer in the form asked for.
    pub fn answer<W: Serialize>(&self, answer: &Rendered<W>, form: Form) -> Result<Outcome, Error> {
        match form {
            Form::Text => self.text(&answer.text)?,
            Form::Json => {
                let mut line = serde_json::to_vec(&answer.wire)?;
                line.push(b'\n');
                self.raw(&line)?;
            }
            Form::Silent => {}
        }
        Ok(Outcome::from_found(answer.found))
    }

    /// Writes a text: to a person as they like it, to a program as it is.
    fn text(&self, text: &str) -> Result<(), Error> {
        if !self.out_is_terminal {
            return self.raw(text.as_bytes());
        }
        match terminal::show(&self.dir, text) {
            Some(left) => self.raw(left.as_bytes()),
            None => Ok(()),
        }
    }

    /// Writes a report: all of it to a person and to whoever asks for it, else a line on standard error,
    /// as git's own commands do.
    pub fn report<W: Serialize>(
        &self,
        report: &Rendered<W>,
        brief: &str,
        form: Form,
        is_asked: bool,
    ) -> Result<Outcome, Error> {
        if form != Form::Text || is_asked || self.out_is_terminal {
            return self.answer(report, form);
        }
        tell(brief);
        Ok(Outcome::from_found(report.found))
    }

    /// Writes bytes to standard output.
    pub fn raw(&self, bytes: &[u8]) -> Result<(), Error> {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        out.flush()?;
        Ok(())
    }

    /// Says on standard error what went wrong without stopping the command.
    pub fn warn(&self, warnings: &[String]) {
        for warning in warnings {
            say("warning", warning);
        }
    }

    /// Says on standard error what should be known besides.
    pub fn hint(&self, notes: &[String]) {
        for note in notes {
            say("hint", note);
        }
    }

    /// Says on standard error why the command failed, and what may be done about it.
    pub fn complain(&self, err: &Error, hint: Option<&str>) {
        if matches!(err, Error::Write(io) if io.kind() == io::ErrorKind::BrokenPipe) {
            return;
        }
        say("fatal", &chain(err));
        if let Some(hint) = hint {
            say("hint", hint);
        }
    }
}

/// The first line of a text.
pub fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns an error with its causes, each said once.
pub fn chain(err: &dyn std::error::Error) -> String {
    let mut text = err.to_string();
    let mut cause = err.source();
    while let Some(err) = cause {
        let said = err.to_string();
        if !text.ends_with(&said) {
            text = format!("{text}: {said}");
        }
        cause = err.source();
    }
    text
}

/// Writes one line to standard error.
fn say(label: &str, text: &str) {
    tell(&format!("{label}: {}", crate::clean::whole(text)));
}

/// Writes lines to standard error. There is nobody left to tell when that fails.
fn tell(lines: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", lines.trim_end());
}
