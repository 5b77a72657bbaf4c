//! `memory import`: takes over what was written down elsewhere, each as a memory of its own.
//!
//! Guarantees: all that is taken is one commit of the log; importing the same again takes nothing; what
//! is not taken is named with the reason. A memory holds from the commit that last changed its source, if
//! that is in history, else from the revision that was asked for.

use super::memory::{by, clean, tags, targets};
use super::{Error, place};
use crate::git::tree::{self, EntryMode};
use crate::git::{Repo, refs};
use crate::history::window::Window;
use crate::id::CommitId;
use crate::limits::MAX_MEMORY_TEXT;
use crate::memory;
use crate::memory::event::{Body, Event, Kind};
use crate::memory::import::{self, Draft, Drafts, adr};
use crate::memory::log::{self, Log};
use crate::query::recall::archive::Archive;
use crate::store::{self, Quiet, Snapshot};
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Largest source that is read, in bytes.
const MAX_SOURCE: u64 = 16 << 20;
/// Deepest folder that is looked into for records.
const MAX_DEPTH: usize = 8;
/// Where git keeps notes unless told otherwise.
const NOTES: &str = "refs/notes/commits";

labelled! {
    /// What a source is written in.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Format {
        /// Architecture decision records.
        Adr = "adr",
        /// Lists of rules for agents.
        Rules = "rules",
        /// The journal of sverklo.
        Journal = "sverklo",
        /// What `memory export --json` writes.
        Export = "json",
        /// Git notes; the source is their ref.
        Notes = "notes",
    }
}

impl Format {
    /// What a file is written in, by its name; `None` if that does not tell.
    fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        match name.as_str() {
            "claude.md"
            | "agents.md"
            | "gemini.md"
            | ".cursorrules"
            | ".windsurfrules"
            | "copilot-instructions.md" => Some(Self::Rules),
            name if name.ends_with(".mdc") => Some(Self::Rules),
            name if name.ends_with(".jsonl") => Some(Self::Journal),
            name if name.ends_with(".json") => Some(Self::Export),
            _ if adr::is_record(&path.to_string_lossy()) => Some(Self::Adr),
            _ => None,
        }
    }
}

/// What to take over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportRequest {
    /// Files, folders of records, or refs of notes.
    pub sources: Vec<PathBuf>,
    /// What they are written in; without, their names tell.
    pub format: Option<Format>,
    /// From which revision on what has no commit of its own holds; `HEAD` without.
    pub at: Option<String>,
    /// Words to find all of it by, beside its own.
    pub tags: Vec<String>,
    /// Whether to store nothing.
    pub dry_run: bool,
    /// Whether to store what looks like a secret.
    pub force: bool,
}

/// A memory that was taken over, or would be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Taken {
    /// Its id, abbreviated; empty if nothing was stored.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Label of its kind.
    pub kind: &'static str,
    /// Its first line.
    pub text: String,
    /// Where it was: `path:line`.
    pub from: String,
    /// Abbreviated id of the commit from which on it holds.
    pub pin: String,
}

/// Something that was not taken over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Left {
    /// Where it is: `path:line`.
    pub from: String,
    /// Why.
    pub reason: String,
}

/// What became of the sources.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Imported {
    /// What was taken, in the order of the sources.
    pub taken: Vec<Taken>,
    /// What was not.
    pub left: Vec<Left>,
    /// What was taken, but for something it was about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A source as it was read.
struct Source {
    /// How it is called in the answer.
    name: String,
    /// Its path in the repository, if it lies there.
    path: Option<String>,
    drafts: Drafts,
}

/// Takes memories over. Fails on a source that cannot be read or whose format is not known, an unknown
/// revision, or a log that cannot be read. Then nothing is stored.
pub fn import(repo: &Repo, request: &ImportRequest) -> Result<Imported, Error> {
    let at = repo.resolve(request.at.as_deref().unwrap_or("HEAD"))?;
    let mut sources = Vec::new();
    for source in &request.sources {
        read(repo, source, request.format, &mut sources)?;
    }
    let log = Log::open(repo)?;
    let claims = log
        .readable()
        .filter(|(_, event)| matches!(event.body, Body::Claim { .. }));
    let mut known: HashSet<String> = claims.map(|(_, event)| event.text.clone()).collect();
    let history = store::log::window(repo, &Snapshot::open(repo)?, at, &Quiet)?;
    let mut maker = Maker {
        repo,
        archive: Archive::default(),
        history,
        at,
        tags: tags(&request.tags, request.force)?,
        force: request.force,
        notes: Vec::new(),
    };
    let mut out = Imported::default();
    let mut events = Vec::new();
    for source in sources {
        let place = |line: usize| format!("{}:{line}", source.name);
        for left in source.drafts.left {
            let from = place(left.line);
            out.left.push(Left {
                from,
                reason: left.reason,
            });
        }
        for draft in source.drafts.drafts {
            let from = place(draft.line);
            let event = match maker.event(&draft, source.path.as_deref(), &from) {
                Ok(event) => event,
                // A memory that may not be stored is no reason to leave the others.
                Err(Error::Memory(memory::Error::Refused(reason))) => {
                    out.left.push(Left { from, reason });
                    continue;
                }
                Err(Error::Memory(err @ memory::Error::Secret { .. })) => {
                    let reason = err.to_string();
                    out.left.push(Left { from, reason });
                    continue;
                }
                Err(err) => return Err(err),
            };
            if !known.insert(event.text.clone()) {
                let reason = "it is remembered already".to_owned();
                out.left.push(Left { from, reason });
                continue;
            }
            out.taken.push(Taken {
                id: String::new(),
                kind: draft.kind.label(),
                text: event.text.lines().next().unwrap_or_default().to_owned(),
                from,
                pin: event.pin().map_or(String::new(), |pin| pin.commit.short()),
            });
            events.push(event);
        }
    }
    out.notes = maker.notes;
    if !request.dry_run && !events.is_empty() {
        let ids = log::append(repo, &events)?;
        for (taken, id) in out.taken.iter_mut().zip(ids) {
            taken.id = id.short();
        }
    }
    Ok(out)
}

/// Makes events of drafts.
struct Maker<'a> {
    repo: &'a Repo,
    archive: Archive,
    history: Window,
    at: CommitId,
    tags: BTreeSet<String>,
    force: bool,
    notes: Vec<String>,
}

impl Maker<'_> {
    fn event(&mut self, draft: &Draft, path: Option<&str>, from: &str) -> Result<Event, Error> {
        let text = clean(&draft.text, self.force)?;
        let commit = self.commit(draft, path);
        let mut about = BTreeSet::new();
        for target in &draft.targets {
            match targets(self.repo, commit, std::slice::from_ref(target)) {
                Ok(found) => about.extend(found),
                // Not with its name.
                Err(Error::Memory(memory::Error::SecretTarget(rule))) => self.notes.push(format!(
                    "{from}: a target holds what looks like {rule}; it is not among what the memory is about"
                )),
                Err(_) => self.notes.push(format!(
                    "{from}: there is no {target:?} at {}; it is not among what the memory is about",
                    commit.short()
                )),
            }
        }
        let mut words = tags(&draft.tags, self.force)?;
        words.extend(self.tags.iter().cloned());
        Ok(Event {
            body: Body::Claim {
                kind: draft.kind,
                pin: self.archive.pin(self.repo, commit)?,
                targets: about,
                tags: words,
                core: draft.core,
                replaces: BTreeSet::new(),
                again: BTreeSet::new(),
            },
            by: by(self.repo, "import")?,
            text,
        })
    }

    /// From which commit on a draft holds: its own if there is one here, that which last changed its
    /// source, or the one that was asked for.
    fn commit(&mut self, draft: &Draft, path: Option<&str>) -> CommitId {
        let own = draft.pin.as_deref();
        if let Some(commit) = own.and_then(|own| self.repo.resolve(own).ok()) {
            return commit;
        }
        if let Some(own) = own {
            let at = self.at.short();
            self.notes.push(format!(
                "line {}: commit {own:?} is not here; the memory holds from {at} on",
                draft.line
            ));
            return self.at;
        }
        let changed = path.and_then(|path| {
            let ages = self.history.touching(path.as_bytes());
            self.history.commit(*ages.first()?)
        });
        changed.unwrap_or(self.at)
    }
}

/// Reads a source: a file, all records in a folder, or notes.
fn read(
    repo: &Repo,
    source: &Path,
    format: Option<Format>,
    out: &mut Vec<Source>,
) -> Result<(), Error> {
    if format == Some(Format::Notes) {
        out.push(notes(repo, &source.to_string_lossy())?);
        return Ok(());
    }
    // A clone can bring a link under any name; what it leads to outside would travel with a push.
    let absolute = std::path::absolute(source).map_err(Error::file(source))?;
    if let Some(top) = repo.work_dir().filter(|top| absolute.starts_with(top)) {
        place::stays_in(&absolute, top)?;
    }
    if source.is_dir() {
        let mut files = Vec::new();
        records(source, 0, &mut files)?;
        files.sort();
        if files.is_empty() {
            return Err(refused(format!(
                "{} holds no decision records: Markdown in a folder adr or decisions, or numbered",
                source.display()
            )));
        }
        for file in files {
            out.push(file_source(repo, &file, format.unwrap_or(Format::Adr))?);
        }
        return Ok(());
    }
    let Some(format) = format.or_else(|| Format::of(source)) else {
        return Err(refused(format!(
            "{}: its name does not tell what it is; say --from {}",
            source.display(),
            Format::ALL.map(Format::label).join("|")
        )));
    };
    out.push(file_source(repo, source, format)?);
    Ok(())
}

/// The records below a folder.
fn records(folder: &Path, depth: usize, out: &mut Vec<PathBuf>) -> Result<(), Error> {
    let failed = |err: std::io::Error| refused(format!("{}: {err}", folder.display()));
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        let path = entry.path();
        if kind.is_dir() && depth < MAX_DEPTH && entry.file_name() != ".git" {
            records(&path, depth + 1, out)?;
        } else if kind.is_file() && adr::is_record(&path.to_string_lossy()) {
            out.push(path);
        }
    }
    Ok(())
}

fn file_source(repo: &Repo, file: &Path, format: Format) -> Result<Source, Error> {
    let failed = |err: std::io::Error| refused(format!("{}: {err}", file.display()));
    let mut bytes = Vec::new();
    // To open a pipe is to wait for somebody who writes.
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(refused(format!(
            "{}: it is a pipe or a device, and no file",
            file.display()
        )));
    }
    let opened = std::fs::File::open(file).map_err(failed)?;
    opened
        .take(MAX_SOURCE + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_SOURCE {
        return Err(refused(format!("{} is larger than 16 MiB", file.display())));
    }
    let text = String::from_utf8_lossy(&bytes);
    let path = in_repository(repo, file);
    let name = path.clone().unwrap_or_else(|| file.display().to_string());
    let drafts = match format {
        Format::Adr => adr::record(&name, &text),
        Format::Rules => import::rules::rules(&text),
        Format::Journal => import::journal::journal(&text),
        // Notes have no file.
        Format::Export | Format::Notes => import::own::export(&text),
    };
    Ok(Source { name, path, drafts })
}

/// The path of a file in the work tree, with `/`.
fn in_repository(repo: &Repo, file: &Path) -> Option<String> {
    let root = repo.work_dir()?.canonicalize().ok()?;
    let file = file.canonicalize().ok()?;
    let inside = file.strip_prefix(root).ok()?;
    let parts = inside
        .components()
        .map(|part| part.as_os_str().to_string_lossy());
    Some(parts.collect::<Vec<_>>().join("/"))
}

/// The notes of a ref: each is about the commit it is attached to, and holds from there on.
fn notes(repo: &Repo, name: &str) -> Result<Source, Error> {
    let name = match name {
        "" | "." | "commits" => NOTES.to_owned(),
        name if name.starts_with("refs/") => name.to_owned(),
        name => format!("refs/notes/{name}"),
    };
    let Some(tip) = refs::read(repo, &name)?.map(CommitId::new) else {
        return Err(refused(format!("there are no notes at {name}")));
    };
    let root = repo.commit_tree(tip)?;
    let mut objects = repo.objects();
    let mut drafts = Drafts::default();
    for (line, entry) in (1..).zip(tree::list(&mut objects, root)?) {
        let hex = entry.path.to_string().replace('/', "");
        let Some(commit) = CommitId::from_hex(hex.as_bytes()) else {
            continue;
        };
        if !matches!(entry.mode, EntryMode::File | EntryMode::Executable) {
            continue;
        }
        let mut bytes = Vec::new();
        if objects.blob_size(entry.id)? > MAX_MEMORY_TEXT as u64 {
            drafts.left.push(import::Left {
                line,
                reason: format!("the note of {} is too long", commit.short()),
            });
            continue;
        }
        objects.blob(entry.id, &mut bytes)?;
        drafts.drafts.push(Draft {
            kind: Kind::Fact,
            text: String::from_utf8_lossy(&bytes).into_owned(),
            targets: Vec::new(),
            tags: vec!["note".to_owned()],
            core: false,
            pin: Some(commit.to_string()),
            line,
        });
    }
    Ok(Source {
        name,
        path: None,
        drafts,
    })
}

fn refused(reason: String) -> Error {
    memory::Error::Refused(reason).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_format() {
        for (path, format) in [
            ("CLAUDE.md", Some(Format::Rules)),
            ("sub/AGENTS.md", Some(Format::Rules)),
            (".sverklo/memories.jsonl", Some(Format::Journal)),
            ("out.json", Some(Format::Export)),
            ("docs/adr/use-it.md", Some(Format::Adr)),
            ("README.md", None),
        ] {
            assert_eq!(Format::of(Path::new(path)), format, "{path}");
        }
        for format in Format::ALL {
            assert_eq!(Format::from_label(format.label()), Some(format));
        }
    }
}
