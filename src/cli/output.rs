//! Writing: answers to standard output, everything else to standard error.

use super::error::Error;
use super::exit::Outcome;
use super::terminal;
use crate::git::quoting::is_deceptive;
use crate::render::Rendered;
use serde::Serialize;
use std::borrow::Cow;
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
                let json = serde_json::to_string(&answer.wire)?;
                self.raw(format!("{}\n", escaped(&json)).as_bytes())?;
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

/// JSON with `\u` escapes for what drives a terminal or shows text other than it is: the standard asks for no more than
/// those below a space. A reader gets the same text.
fn escaped(json: &str) -> Cow<'_, str> {
    let odd = |c: char| matches!(c, '\u{7f}'..='\u{9f}') || is_deceptive(c);
    if !json.contains(odd) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        match odd(c) {
            false => out.push(c),
            true => {
                let units = &mut [0; 2];
                for unit in c.encode_utf16(units) {
                    out += &format!("\\u{unit:04x}");
                }
            }
        }
    }
    Cow::Owned(out)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_on_a_terminal_is_what_it_shows() {
        let text = "é \u{9b}31m \u{7f} \u{202e}x\u{2028}\u{e0041} \u{1f600} \n";
        let json = serde_json::to_string(text).unwrap();
        let shown = escaped(&json);
        assert!(!shown.contains(|c: char| c.is_control() || is_deceptive(c)));
        assert!(shown.contains("é \\u009b31m") && shown.contains('\u{1f600}'));
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        assert_eq!(escaped("{\"a\":\"é\"}"), "{\"a\":\"é\"}");
    }
}
