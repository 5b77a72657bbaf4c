//! Dresses a rendered text for a person's terminal: colours, columns, links to files.
//!
//! Guarantee: but for the width of blanks between columns, what is seen is the text. What is dressed is
//! told by the shapes that this layer gives its own lines; quoted content never begins in the first
//! column, so it cannot pass for one of them.

use crate::extract::record::SymbolKind;
use std::path::{Path, PathBuf};

/// What a terminal can do and its user wants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Screen {
    /// Whether there are colours.
    pub has_colours: bool,
    /// The folder that paths are in, where they become links.
    pub links: Option<PathBuf>,
}

/// Widest column that others are aligned with; what is wider stands out.
const MAX_COLUMN: usize = 60;

const DIM: &str = "2";
const BOLD: &str = "1";
/// As `git grep` has them: names of files, line numbers.
const FILE: &str = "35";
const LINE: &str = "32";
const KIND: &str = "36";
const NOTICE: &str = "33";

/// A line of an answer, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Row<'a> {
    /// `[lead ]path:start-end[ kind name][  rest]`.
    Place {
        lead: &'a str,
        path: &'a str,
        lines: &'a str,
        kind: &'a str,
        rest: &'a str,
    },
    /// `  12 rest`, `  12: rest` or `  12-20 rest`.
    Inner { line: &'a str, rest: &'a str },
    /// `label: rest`.
    Labelled { label: &'a str, rest: &'a str },
    /// The last line.
    Footer(&'a str),
    /// Anything else.
    Plain(&'a str),
}

/// Dresses a text.
pub fn dress(text: &str, screen: &Screen) -> String {
    let last = text.lines().count().saturating_sub(1);
    let rows: Vec<Row<'_>> = text
        .lines()
        .enumerate()
        .map(|(at, line)| match at == last && is_footer(line) {
            true => Row::Footer(line),
            false => Row::of(line),
        })
        .collect();
    let mut out = String::with_capacity(text.len() * 2);
    let mut at = 0;
    while let Some(first) = rows.get(at) {
        let alike = rows[at..].iter().take_while(|row| row.is_like(first));
        let run = &rows[at..at + alike.count().max(1)];
        let widths = Widths::of(run);
        for row in run {
            row.write(&widths, screen, &mut out);
            out.push('\n');
        }
        at += run.len();
    }
    out
}

fn is_footer(line: &str) -> bool {
    line.starts_with("index ") || line.starts_with("[at ")
}

/// Columns of rows that follow each other.
#[derive(Default)]
struct Widths {
    place: usize,
    kind: usize,
    label: usize,
}

impl Widths {
    fn of(run: &[Row<'_>]) -> Self {
        let mut widths = Self::default();
        let widen = |width: &mut usize, with: usize| {
            if with <= MAX_COLUMN {
                *width = (*width).max(with);
            }
        };
        for row in run {
            match row {
                Row::Place { kind, rest, .. } if !kind.is_empty() || !rest.is_empty() => {
                    widen(&mut widths.place, row.place_width());
                    widen(&mut widths.kind, kind.chars().count());
                }
                Row::Labelled { label, .. } => widen(&mut widths.label, label.len()),
                _ => {}
            }
        }
        widths
    }
}

impl<'a> Row<'a> {
    fn of(line: &'a str) -> Self {
        if let Some(inner) = line.strip_prefix("  ") {
            let end = inner.find(|c: char| !c.is_ascii_digit() && c != '-');
            let (number, rest) = inner.split_at(end.unwrap_or(inner.len()));
            return match number.starts_with(|c: char| c.is_ascii_digit()) {
                true => Self::Inner { line: number, rest },
                false => Self::Plain(line),
            };
        }
        if line.starts_with(char::is_whitespace) {
            return Self::Plain(line);
        }
        if let Some(place) = place(line) {
            return place;
        }
        let is_label = |label: &str| {
            label.len() <= 16 && label.bytes().all(|b| b.is_ascii_lowercase() || b == b' ')
        };
        match line.split_once(": ") {
            Some((label, rest)) if is_label(label) => Self::Labelled { label, rest },
            _ => Self::Plain(line),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    fn place_width(&self) -> usize {
        match self {
            Self::Place {
                lead, path, lines, ..
            } => lead.chars().count() + path.chars().count() + 1 + lines.len(),
            _ => 0,
        }
    }

    fn write(&self, widths: &Widths, screen: &Screen, out: &mut String) {
        let pad = |out: &mut String, from: usize, to: usize| {
            out.extend(std::iter::repeat_n(' ', to.saturating_sub(from)));
        };
        match self {
            Self::Place {
                lead,
                path,
                lines,
                kind,
                rest,
            } => {
                out.push_str(lead);
                screen.file(path, out);
                out.push(':');
                screen.paint(LINE, lines, out);
                if kind.is_empty() && rest.is_empty() {
                    return;
                }
                pad(out, self.place_width(), widths.place);
                if !kind.is_empty() {
                    out.push(' ');
                    screen.paint(KIND, kind, out);
                    pad(out, kind.chars().count(), widths.kind);
                }
                // The name ends where two blanks or a bar begin.
                let end = rest[1.min(rest.len())..]
                    .find("  ")
                    .map_or(rest.len(), |at| at + 1);
                let (name, more) = rest.split_at(end);
                match kind.is_empty() {
                    true => out.push_str(name),
                    false => screen.paint(BOLD, name, out),
                }
                out.push_str(more);
            }
            Self::Inner { line, rest } => {
                out.push_str("  ");
                screen.paint(LINE, line, out);
                out.push_str(rest);
            }
            Self::Labelled { label, rest } => {
                let code = match *label {
                    "nothing found" | "warning" | "next" | "note" => NOTICE,
                    _ => BOLD,
                };
                screen.paint(code, &format!("{label}:"), out);
                pad(out, label.len(), widths.label);
                out.push(' ');
                out.push_str(rest);
            }
            Self::Footer(line) => screen.paint(DIM, line, out),
            Self::Plain(line) if line.ends_with(':') && !line.starts_with(char::is_whitespace) => {
                screen.paint(BOLD, line, out);
            }
            Self::Plain(line) => out.push_str(line),
        }
    }
}

/// Takes a line for a place, if it begins with one.
fn place(line: &str) -> Option<Row<'_>> {
    let bare = line.strip_prefix("def ");
    let stepped = line
        .split_once(' ')
        .filter(|(steps, _)| steps.len() == 1 && steps.bytes().all(|byte| byte.is_ascii_digit()));
    let after = bare.or(stepped.map(|(_, rest)| rest)).unwrap_or(line);
    let (lead, after) = line.split_at(line.len() - after.len());
    for (colon, _) in after.match_indices(':') {
        let lines = &after[colon + 1..];
        let end = lines.find(|c: char| !c.is_ascii_digit() && c != '-');
        let (lines, rest) = lines.split_at(end.unwrap_or(lines.len()));
        let is_range = lines.starts_with(|c: char| c.is_ascii_digit());
        if !is_range || colon == 0 || !(rest.is_empty() || rest.starts_with(' ')) {
            continue;
        }
        let word = rest
            .strip_prefix(' ')
            .and_then(|rest| rest.split(' ').next());
        let is_kind = |word: &&str| SymbolKind::from_label(word).is_some();
        let kind = word.filter(is_kind).unwrap_or_default();
        let rest = match kind.is_empty() {
            true => rest,
            false => &rest[1 + kind.len()..],
        };
        return Some(Row::Place {
            lead,
            path: &after[..colon],
            lines,
            kind,
            rest,
        });
    }
    None
}

impl Screen {
    fn paint(&self, code: &str, text: &str, out: &mut String) {
        match self.has_colours && !text.is_empty() {
            true => *out += &format!("\x1b[{code}m{text}\x1b[m"),
            false => out.push_str(text),
        }
    }

    /// Writes a path; where there is a file and links are wanted, as a link to it.
    fn file(&self, path: &str, out: &mut String) {
        let target = self.links.as_ref().map(|top| top.join(path));
        match target.filter(|target| target.is_file()) {
            Some(target) => {
                *out += &format!("\x1b]8;;{}\x1b\\", address(&target));
                self.paint(FILE, path, out);
                *out += "\x1b]8;;\x1b\\";
            }
            None => self.paint(FILE, path, out),
        }
    }
}

/// The address of a file, as links have it.
fn address(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut out = String::from("file://");
    if !text.starts_with('/') {
        out.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'/' | b':' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Style, Voice, map, refs, samples, search, symbol};

    fn colours() -> Screen {
        Screen {
            has_colours: true,
            links: None,
        }
    }

    /// What is seen of a text.
    fn seen(text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('\x1b') {
            out.push_str(before);
            let end = match after.starts_with(']') {
                true => after.find("\x1b\\").map(|at| at + 2),
                false => after.find('m').map(|at| at + 1),
            };
            rest = &after[end.expect("an end")..];
        }
        out + rest
    }

    fn answers() -> Vec<String> {
        let style = Style {
            budget: 2000,
            voice: Voice::Command,
        };
        vec![
            search::render(&samples::search(), &style).text,
            search::render(&samples::no_search(), &style).text,
            symbol::render(&samples::bodies(), &style).text,
            symbol::render(&samples::outline(), &style).text,
            refs::render(&samples::refs(), &style).text,
            refs::render(&samples::impact(), &style).text,
            map::render(&samples::map(), &style).text,
        ]
    }

    #[test]
    fn what_is_seen_is_the_text_but_for_blanks() {
        let words = |text: &str| -> Vec<Vec<String>> {
            let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
            text.lines().map(words).collect()
        };
        for text in answers() {
            let dressed = dress(&text, &colours());
            assert_eq!(words(&seen(&dressed)), words(&text));
            assert!(dressed.contains("\x1b[2mindex "), "{dressed}");
            let plain = dress(&text, &Screen::default());
            assert!(!plain.contains('\x1b'), "{plain}");
        }
    }

    #[test]
    fn quoted_code_is_left_alone() {
        let text = "\tlib/a.rs:1-2 class X\n\tindex 0 | shown 0 of 0\nindex 1 | shown 1 of 1\n";
        let dressed = dress(text, &colours());
        assert!(
            dressed.starts_with("\tlib/a.rs:1-2 class X\n\tindex 0 | shown 0 of 0\n\x1b[2mindex 1"),
            "{dressed:?}"
        );
    }

    #[test]
    fn places_that_follow_each_other_stand_in_columns() {
        let text = "a.rs:1-20 class Router  class Router {\nlib/long.rs:3-9 function use\n\
                    covered: 1 of 1 file\nkept warm: branches\n";
        insta::assert_snapshot!(dress(text, &Screen::default()), @r"
        a.rs:1-20       class    Router  class Router {
        lib/long.rs:3-9 function use
        covered:   1 of 1 file
        kept warm: branches
        ");
        let painted = dress("a.rs:1-20 class Router\n", &colours());
        assert_eq!(
            painted,
            "\x1b[35ma.rs\x1b[m:\x1b[32m1-20\x1b[m \x1b[36mclass\x1b[m\x1b[1m Router\x1b[m\n"
        );
    }

    #[test]
    fn a_path_is_a_link_where_there_is_a_file() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a b.rs"), "").unwrap();
        let screen = Screen {
            has_colours: false,
            links: Some(dir.path().to_owned()),
        };
        let dressed = dress("a b.rs:1-2\nno.rs:1-2\n", &screen);
        let link = address(&dir.path().join("a b.rs"));
        assert!(
            link.starts_with("file:///") && link.ends_with("/a%20b.rs"),
            "{link}"
        );
        assert_eq!(
            dressed,
            format!("\x1b]8;;{link}\x1b\\a b.rs\x1b]8;;\x1b\\:1-2\nno.rs:1-2\n")
        );
    }
}
