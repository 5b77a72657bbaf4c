//! The one spelling of an event (`format-spec/40-memory.md`): header lines, an empty line, the text.
//!
//! What is read is spelt again and compared, so two spellings of one event cannot both be accepted,
//! and an event has one id.

use super::date::Date;
use super::event::{Body, By, Event, How, Kind, Pin, Stub, Target};
use crate::git::RepoPath;
pub use crate::git::quoting::is_deceptive;
use crate::id::{CommitId, EventId, TreeId};
use crate::limits::{MAX_MEMORY_EVENT, MAX_MEMORY_LINES, MAX_MEMORY_TEXT};
use gix::ObjectId;
use gix::bstr::ByteSlice;
use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

/// First line of every event of this version.
const FIRST: &str = "sverklo memory 1";
/// What the first line of every version begins with.
const ANY: &str = "sverklo memory ";
/// Longest tag and tool, in bytes.
pub const MAX_WORD: usize = 64;
/// Longest line but those of targets, in bytes.
pub const MAX_LINE: usize = 400;

/// Why bytes are no event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// They are one of a later version.
    #[error("it is of version {0}, which this program does not know")]
    Newer(u32),
    /// They break a rule.
    #[error("{0}")]
    Malformed(String),
}

fn malformed(reason: impl Into<String>) -> Error {
    Error::Malformed(reason.into())
}

/// Returns the bytes of an event.
pub fn encode(event: &Event) -> String {
    let mut out = format!("{FIRST}\n{}\n", event.label());
    let mut line = |key: &str, value: &dyn Display| {
        writeln!(out, "{key} {value}").expect("a string takes any text");
    };
    match &event.body {
        Body::Claim {
            kind,
            pin,
            targets,
            tags,
            core,
            replaces,
            again,
        } => {
            line("kind", &kind.label());
            write_pin(&mut line, pin);
            write_targets(&mut line, targets);
            tags.iter().for_each(|tag| line("tag", tag));
            if *core {
                out.push_str("core\n");
            }
            let mut line = |key: &str, id: &EventId| {
                writeln!(out, "{key} {id}").expect("a string takes any text");
            };
            replaces.iter().for_each(|id| line("replaces", id));
            again.iter().for_each(|id| line("again", id));
        }
        Body::End {
            pin,
            targets,
            closes,
        } => {
            write_pin(&mut line, pin);
            write_targets(&mut line, targets);
            closes.iter().for_each(|id| line("closes", id));
        }
        Body::Repin { old, new, how } => {
            line("old", old);
            line("new", new);
            line("how", &how.label());
        }
        Body::Redact { event } => line("redacts", event),
    }
    let By {
        name,
        mail,
        tool,
        date,
    } = &event.by;
    writeln!(out, "author {name} <{mail}>\ntool {tool}\ndate {date}")
        .expect("a string takes any text");
    if !event.text.is_empty() {
        writeln!(out, "\n{}", event.text).expect("a string takes any text");
    }
    out
}

/// Returns the bytes of a stub.
pub fn encode_stub(stub: &Stub) -> String {
    let mut out = format!("{FIRST}\nredacted {}\n", stub.was);
    let mut line = |key: &str, value: &dyn Display| {
        writeln!(out, "{key} {value}").expect("a string takes any text");
    };
    write_pin(&mut line, &stub.pin);
    let key = if stub.was == "end" {
        "closes"
    } else {
        "replaces"
    };
    stub.names.iter().for_each(|id| line(key, id));
    out
}

fn write_pin(line: &mut dyn FnMut(&str, &dyn Display), pin: &Pin) {
    line("pin", &pin.commit);
    line("pin-tree", &pin.tree);
    if let Some(patch) = &pin.patch {
        line("pin-patch", patch);
    }
    line("pin-date", &pin.date);
    if !pin.subject.is_empty() {
        line("pin-subject", &pin.subject);
    }
}

fn write_targets(line: &mut dyn FnMut(&str, &dyn Display), targets: &BTreeSet<Target>) {
    for target in targets {
        match target {
            Target::Symbol { id, body } => {
                line(
                    "symbol",
                    &format_args!("{} {body:016x}", quoted(id.as_bytes())),
                );
            }
            Target::Path { path, object } => {
                line(
                    "path",
                    &format_args!("{} {object}", quoted(path.as_bytes())),
                );
            }
        }
    }
}

/// Quotes a name as git does in its output, unless it is plain text. Unlike git, text that is not
/// ASCII stays readable.
pub fn quoted(name: &[u8]) -> String {
    if let Ok(text) = name.to_str()
        && !text
            .chars()
            .any(|c| c.is_control() || matches!(c, '"' | '\\'))
    {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for byte in name {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(*byte));
            }
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b' '..=b'~' => out.push(char::from(*byte)),
            other => write!(out, "\\{other:03o}").expect("a string takes any text"),
        }
    }
    out.push('"');
    out
}

/// Takes the quotes off; `None` for what is not properly quoted.
fn unquoted(text: &str) -> Option<Vec<u8>> {
    let Some(inner) = text.strip_prefix('"') else {
        return Some(text.as_bytes().to_vec());
    };
    let mut rest = inner.strip_suffix('"')?.bytes();
    let mut out = Vec::new();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match rest.next()? {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            first @ b'0'..=b'3' => {
                let digits = [first, rest.next()?, rest.next()?];
                let text = std::str::from_utf8(&digits).ok()?;
                out.push(u8::from_str_radix(text, 8).ok()?);
            }
            other => out.push(other),
        }
    }
    Some(out)
}

/// Reads an event, of which every byte must be as it would be written.
///
/// # Errors
/// [`Error::Newer`] for one of a later version, [`Error::Malformed`] for anything else.
pub fn decode(bytes: &[u8], hash: gix::hash::Kind) -> Result<Event, Error> {
    let event = read(bytes, hash)?;
    check_text(&event)?;
    if encode(&event).as_bytes() != bytes {
        return Err(malformed("it is not spelt as an event is written"));
    }
    Ok(event)
}

/// Reads an event that was checked before by [`decode`]. Fails as [`decode`] does.
pub fn read(bytes: &[u8], hash: gix::hash::Kind) -> Result<Event, Error> {
    let (fields, text) = Fields::read(bytes, hash)?;
    fields.event(text)
}

/// Reads a stub. Fails as [`decode`] does.
pub fn decode_stub(bytes: &[u8], hash: gix::hash::Kind) -> Result<Stub, Error> {
    let (fields, _) = Fields::read(bytes, hash)?;
    let was = match fields.word {
        "redacted assert" => "assert",
        "redacted amend" => "amend",
        "redacted end" => "end",
        _ => return Err(malformed("it does not say what was redacted")),
    };
    let stub = Stub {
        was,
        pin: fields.pin()?,
        names: fields.names,
    };
    match encode_stub(&stub).as_bytes() == bytes {
        true => Ok(stub),
        false => Err(malformed("it is not spelt as a stub is written")),
    }
}

fn check_text(event: &Event) -> Result<(), Error> {
    let text = &event.text;
    if text.len() > MAX_MEMORY_TEXT {
        return Err(malformed(format!(
            "its text is over {MAX_MEMORY_TEXT} bytes"
        )));
    }
    if let Some(c) = text.chars().find(|c| is_forbidden(*c)) {
        return Err(malformed(format!("its text holds {}", c.escape_unicode())));
    }
    if text.trim() != text {
        return Err(malformed("its text begins or ends with white space"));
    }
    match (&event.body, text.is_empty()) {
        (Body::Claim { .. }, true) => Err(malformed("it says nothing")),
        _ => Ok(()),
    }
}

/// The beginning of what somebody else wrote, to name it in an error.
fn shortened(text: &str) -> &str {
    let end = text.char_indices().nth(60).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// Whether a character may not be part of a text: control characters drive terminals.
pub fn is_forbidden(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
}

/// Whether a text may be a tag or the name of a tool: short, one line, no space at its ends.
pub fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= MAX_WORD
        && text.trim() == text
        && !text.chars().any(char::is_control)
}

/// The header lines of an event, by key.
#[derive(Default)]
struct Fields<'a> {
    word: &'a str,
    kind: Option<Kind>,
    commit: Option<CommitId>,
    tree: Option<TreeId>,
    patch: Option<ObjectId>,
    pin_date: Option<Date>,
    subject: &'a str,
    targets: BTreeSet<Target>,
    tags: BTreeSet<String>,
    core: bool,
    names: BTreeSet<EventId>,
    again: BTreeSet<EventId>,
    old: Option<CommitId>,
    new: Option<CommitId>,
    how: Option<How>,
    redacts: Option<EventId>,
    author: Option<(&'a str, &'a str)>,
    tool: &'a str,
    date: Option<Date>,
}

impl<'a> Fields<'a> {
    fn read(bytes: &'a [u8], hash: gix::hash::Kind) -> Result<(Self, &'a str), Error> {
        if bytes.len() > MAX_MEMORY_EVENT {
            return Err(malformed(format!("it is over {MAX_MEMORY_EVENT} bytes")));
        }
        let first = bytes.lines().next().unwrap_or_default();
        if first != FIRST.as_bytes() {
            let version = first
                .strip_prefix(ANY.as_bytes())
                .and_then(|v| v.to_str().ok());
            return Err(match version.and_then(|v| v.parse().ok()) {
                Some(version) if version > 1 => Error::Newer(version),
                _ => malformed("its first line is not that of an event"),
            });
        }
        let text = bytes.to_str().map_err(|_| malformed("it is not UTF-8"))?;
        let (header, text) = match text.split_once("\n\n") {
            Some((header, text)) => (header, text.strip_suffix('\n').unwrap_or(text)),
            None => (text, ""),
        };
        let mut lines = header.lines().skip(1);
        let mut fields = Self {
            word: lines.next().unwrap_or_default(),
            ..Self::default()
        };
        for line in lines {
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            fields.take(key, value, hash).ok_or_else(|| {
                malformed(format!("its line {:?} is not understood", shortened(line)))
            })?;
        }
        let lists = [
            fields.targets.len(),
            fields.tags.len(),
            fields.names.len(),
            fields.again.len(),
        ];
        if lists.into_iter().any(|len| len > MAX_MEMORY_LINES) {
            return Err(malformed(format!(
                "it has over {MAX_MEMORY_LINES} lines of a kind"
            )));
        }
        Ok((fields, text))
    }

    /// Takes a line; `None` for one that is not understood.
    fn take(&mut self, key: &str, value: &'a str, hash: gix::hash::Kind) -> Option<()> {
        let id = |hex: &str| {
            let lower = hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
            let id = ObjectId::from_hex(hex.as_bytes()).ok()?;
            (lower && id.kind() == hash).then_some(id)
        };
        let short = value.len() <= MAX_LINE && !value.chars().any(char::is_control);
        match key {
            "kind" => self.kind = Some(Kind::from_label(value)?),
            "pin" => self.commit = Some(CommitId::new(id(value)?)),
            "pin-tree" => self.tree = Some(TreeId::new(id(value)?)),
            // git makes patch ids with SHA-1 or the repository's own hash, as its version has it.
            "pin-patch" => self.patch = Some(ObjectId::from_hex(value.as_bytes()).ok()?),
            "pin-date" => self.pin_date = Some(Date::read(value)?),
            "pin-subject" if short && value.trim() == value => self.subject = value,
            "symbol" => {
                let (name, body) = value.rsplit_once(' ')?;
                let id = String::from_utf8(unquoted(name)?).ok()?;
                let body = u64::from_str_radix(body, 16).ok()?;
                self.targets.insert(Target::Symbol { id, body });
            }
            "path" => {
                let (name, object) = value.rsplit_once(' ')?;
                let path = RepoPath::new(unquoted(name)?).ok()?;
                let object = id(object)?;
                self.targets.insert(Target::Path { path, object });
            }
            "tag" if is_word(value) => drop(self.tags.insert(value.to_owned())),
            "core" if value.is_empty() => self.core = true,
            "replaces" if self.word != "end" && self.word != "redacted end" => {
                self.names.insert(EventId::new(id(value)?));
            }
            "closes" if self.word == "end" || self.word == "redacted end" => {
                self.names.insert(EventId::new(id(value)?));
            }
            "again" => drop(self.again.insert(EventId::new(id(value)?))),
            "old" => self.old = Some(CommitId::new(id(value)?)),
            "new" => self.new = Some(CommitId::new(id(value)?)),
            "how" => self.how = Some(How::from_label(value)?),
            "redacts" => self.redacts = Some(EventId::new(id(value)?)),
            "author" if short => {
                let (name, mail) = value.strip_suffix('>')?.rsplit_once(" <")?;
                let clean = !name.is_empty() && ![name, mail].concat().contains(['<', '>']);
                self.author = Some(clean.then_some((name, mail))?);
            }
            "tool" if is_word(value) => self.tool = value,
            "date" => self.date = Some(Date::read(value)?),
            _ => return None,
        }
        Some(())
    }

    fn pin(&self) -> Result<Pin, Error> {
        let (Some(commit), Some(tree), Some(date)) = (self.commit, self.tree, self.pin_date) else {
            return Err(malformed("its pin is not complete"));
        };
        Ok(Pin {
            commit,
            tree,
            patch: self.patch,
            date,
            subject: self.subject.to_owned(),
        })
    }

    /// Puts the event together. Lines that do not belong to it show when it is spelt again.
    fn event(self, text: &str) -> Result<Event, Error> {
        let lacks = |what: &str| malformed(format!("it has no {what}"));
        let (name, mail) = self.author.ok_or_else(|| lacks("author"))?;
        if self.tool.is_empty() {
            return Err(lacks("tool"));
        }
        let by = By {
            name: name.to_owned(),
            mail: mail.to_owned(),
            tool: self.tool.to_owned(),
            date: self.date.ok_or_else(|| lacks("date"))?,
        };
        let body = match self.word {
            "assert" | "amend" => Body::Claim {
                kind: self.kind.ok_or_else(|| lacks("kind"))?,
                pin: self.pin()?,
                targets: self.targets,
                tags: self.tags,
                core: self.core,
                replaces: self.names,
                again: self.again,
            },
            "end" if self.names.is_empty() => return Err(lacks("closed event")),
            "end" => Body::End {
                pin: self.pin()?,
                targets: self.targets,
                closes: self.names,
            },
            "repin" => Body::Repin {
                old: self.old.ok_or_else(|| lacks("old commit"))?,
                new: self.new.ok_or_else(|| lacks("new commit"))?,
                how: self.how.ok_or_else(|| lacks("word for how"))?,
            },
            "redact" => Body::Redact {
                event: self.redacts.ok_or_else(|| lacks("redacted event"))?,
            },
            other => {
                return Err(malformed(format!(
                    "{:?} is no kind of event",
                    shortened(other)
                )));
            }
        };
        Ok(Event {
            body,
            by,
            text: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests;
