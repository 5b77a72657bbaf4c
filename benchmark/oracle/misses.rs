//! A list of every miss, to be read by people.

use crate::Result;
use std::fmt::Write as _;
use std::path::Path;

/// Collects misses.
#[derive(Default)]
pub struct Misses {
    text: String,
}

impl Misses {
    /// Begins a new part.
    pub fn note(&mut self, said: &str) {
        self.text.push_str(said);
        self.text.push('\n');
    }

    /// True and not told.
    pub fn missing(&mut self, path: &str, line: u32, kind: &str, name: &str, source: &[u8]) {
        self.add("missing", path, line, kind, name, source);
    }

    /// Told and not true.
    pub fn extra(&mut self, path: &str, line: u32, kind: &str, name: &str, source: &[u8]) {
        self.add("extra", path, line, kind, name, source);
    }

    /// Decided wrongly.
    pub fn decision(
        &mut self,
        what: &str,
        path: &str,
        line: u32,
        kind: &str,
        name: &str,
        source: &[u8],
    ) {
        self.add(what, path, line, kind, name, source);
    }

    fn add(&mut self, what: &str, path: &str, line: u32, kind: &str, name: &str, source: &[u8]) {
        let text = line_of(source, line);
        // Writing to a String does not fail.
        let _ = writeln!(self.text, "{what}: {path}:{line} {kind} {name}    | {text}");
    }

    /// Writes the list.
    pub fn write(&self, path: &Path) -> Result<()> {
        std::fs::write(path, &self.text).map_err(|err| format!("{}: {err}", path.display()).into())
    }
}

/// A line of a file without its indentation, cut to what fits on a screen.
pub fn line_of(source: &[u8], line: u32) -> String {
    let line = source
        .split(|b| *b == b'\n')
        .nth(line.saturating_sub(1) as usize);
    let text = String::from_utf8_lossy(line.unwrap_or_default());
    text.trim().chars().take(120).collect()
}
