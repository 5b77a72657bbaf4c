//! What `init` wrote into files that are not ours, kept so that it can be taken back exactly.
//!
//! The journal is `<common dir>/sverklo-init.json`, beside the folder `sverklo/` and not in it:
//! that folder may be deleted at any time, and with it would go the bytes that people wrote.
//! An entry is durable before its file is changed, so a killed `init` can be undone as well.

use super::agents::PLUGIN;
use super::{Error, place};
use crate::git::{Repo, failpoint};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Name of the journal in the common directory.
const NAME: &str = "sverklo-init.json";
/// Version of its form; another one is refused.
const VERSION: u32 = 1;

/// In the line that begins our part of a file, in whatever way the file marks comments.
pub(super) const BEGIN: &str = "git-sverklo: begin";
/// In the line that ends it.
pub(super) const END: &str = "git-sverklo: end";

/// What of a file is ours.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Part {
    /// Everything between the lines with [`BEGIN`] and [`END`], and these.
    Block,
    /// A property of a JSON object: the name of the object and its own.
    Property(String, String),
    /// The whole file, which is [`PLUGIN`]. A journal may be planted, so it does not say what the file holds.
    Plugin,
}

impl Part {
    /// Returns the file without our part; `None` when it is not there.
    pub fn remove(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Block => without_block(bytes),
            Self::Property(object, name) => without_property(bytes, object, name),
            Self::Plugin => (bytes == PLUGIN.as_bytes()).then(Vec::new),
        }
    }

    /// Whether nothing but what our part needs around it is left of a file.
    fn is_all_but(&self, rest: &[u8]) -> bool {
        let rest = without_space(rest);
        match self {
            Self::Block | Self::Plugin => rest.is_empty(),
            Self::Property(object, _) => {
                rest == b"{}" || rest == format!("{{\"{object}\":{{}}}}").as_bytes()
            }
        }
    }
}

/// Returns the range of our block in a file.
pub(super) fn block(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let begin = memchr::memmem::find(bytes, BEGIN.as_bytes())?;
    let start = memchr::memrchr(b'\n', &bytes[..begin]).map_or(0, |at| at + 1);
    let end = begin + memchr::memmem::find(&bytes[begin..], END.as_bytes())?;
    let end = memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |at| end + at + 1);
    Some(start..end)
}

fn without_block(bytes: &[u8]) -> Option<Vec<u8>> {
    let block = block(bytes)?;
    Some([&bytes[..block.start], &bytes[block.end..]].concat())
}

fn without_property(bytes: &[u8], object: &str, name: &str) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let bare = text.trim_start_matches('\u{feff}');
    let root = CstRootNode::parse(bare, &ParseOptions::default()).ok()?;
    let servers = root.object_value()?.object_value(object)?;
    servers.get(name)?.remove();
    let bom = &text[..text.len() - bare.len()];
    Some(format!("{bom}{root}").into_bytes())
}

/// Bytes as they look best in JSON: as text, or in hexadecimal where they are none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Hex { hex: String },
}

impl Bytes {
    fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Hex {
                hex: bytes.iter().map(|b| format!("{b:02x}")).collect(),
            },
        }
    }

    fn get(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.clone().into_bytes()),
            Self::Hex { hex } => (0..hex.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok())
                .collect(),
        }
    }
}

/// One file that was changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Entry {
    path: PathBuf,
    part: Part,
    /// The bytes before; absent when there was no file.
    original: Option<Bytes>,
    /// XXH3-128 of the bytes we wrote.
    written: String,
    /// Folders made for it, outermost first.
    folders: Vec<PathBuf>,
    /// The folder that it must stay in when links are followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    within: Option<PathBuf>,
}

/// A change of one file, decided and not yet made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// Its bytes now; `None` when it does not exist.
    pub before: Option<Vec<u8>>,
    /// Its bytes afterwards; `None` to delete it.
    pub after: Option<Vec<u8>>,
    /// Whether it must be executable.
    pub executable: bool,
    /// What of it is ours.
    pub(super) part: Part,
    /// The folder that it must stay in when links are followed; none for a file of the user's own.
    pub(super) within: Option<PathBuf>,
}

/// All files that were changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    version: u32,
    files: Vec<Entry>,
    #[serde(skip)]
    path: PathBuf,
    /// The folders of the repository.
    #[serde(skip)]
    inside: Vec<PathBuf>,
}

impl Journal {
    /// Reads the journal of a repository; an empty one when there is none.
    pub fn open(repo: &Repo) -> Result<Self, Error> {
        let path = repo.common_dir().join(NAME);
        let folders = [
            Some(repo.common_dir()),
            Some(repo.git_dir()),
            repo.work_dir(),
        ];
        let inside = folders.into_iter().flatten().map(Path::to_owned).collect();
        let bytes = match read(&path)? {
            None => {
                return Ok(Self {
                    version: VERSION,
                    files: Vec::new(),
                    path,
                    inside,
                });
            }
            Some(bytes) => bytes,
        };
        let left_alone = |reason: String| Error::LeftAlone {
            path: path.clone(),
            reason,
        };
        let journal: Self = serde_json::from_slice(&bytes)
            .map_err(|err| left_alone(format!("it is no journal of init ({err})")))?;
        if journal.version != VERSION {
            return Err(left_alone("another version of git-sverklo wrote it".into()));
        }
        Ok(Self {
            path,
            inside,
            ..journal
        })
    }

    /// Returns the files it tells of.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|entry| entry.path.as_path())
    }

    fn save(&self) -> Result<(), Error> {
        if self.files.is_empty() {
            return remove(&self.path);
        }
        let mut bytes = serde_json::to_vec_pretty(self).map_err(|err| Error::LeftAlone {
            path: self.path.clone(),
            reason: err.to_string(),
        })?;
        bytes.push(b'\n');
        write(&self.path, &bytes, false)
    }

    /// Makes a change that [`Journal::undo`] will take back.
    pub fn apply(&mut self, change: &Change) -> Result<(), Error> {
        let Some(after) = &change.after else {
            return put(change);
        };
        let before = change.before.as_deref();
        let known = self.files.iter_mut().find(|e| e.path == change.path);
        match known {
            Some(entry) => {
                // Somebody changed the file since: what is not ours of it is the new original.
                if before.map(digest).as_ref() != Some(&entry.written) {
                    entry.original = before
                        .map(|now| change.part.remove(now).unwrap_or_else(|| now.to_vec()))
                        .map(|rest| Bytes::new(&rest));
                }
                entry.written = digest(after);
            }
            None => {
                // A block from before, of which no journal tells, is ours as well.
                let original = before.map(|now| change.part.remove(now).unwrap_or(now.to_vec()));
                self.files.push(Entry {
                    path: change.path.clone(),
                    part: change.part.clone(),
                    original: original.map(|bytes| Bytes::new(&bytes)),
                    written: digest(after),
                    folders: missing_folders(&change.path),
                    within: change.within.clone(),
                });
            }
        }
        self.save()?;
        failpoint::hit("journal-written");
        put(change)?;
        failpoint::hit("file-written");
        Ok(())
    }

    /// Says how each file would be put back; a problem where one must be left alone.
    pub fn reversals(&self) -> Vec<Result<Change, Error>> {
        let reversals = self.files.iter().rev();
        reversals.filter_map(|entry| self.reversal(entry)).collect()
    }

    /// Puts every file back, removes the folders that were made, and the journal.
    ///
    /// Returns what was changed, and what had to be left alone because somebody changed it since.
    pub fn undo(&mut self) -> Result<(Vec<Change>, Vec<Error>), Error> {
        let (mut changes, mut problems) = (Vec::new(), Vec::new());
        while let Some(entry) = self.files.last() {
            match self.reversal(entry) {
                None => {}
                Some(Ok(change)) => {
                    put(&change)?;
                    changes.push(change);
                }
                Some(Err(err)) => problems.push(err),
            }
            for folder in entry.folders.iter().rev() {
                // Fails when something else is in it by now, as it should.
                let _ = std::fs::remove_dir(folder);
            }
            self.files.pop();
        }
        self.save()?;
        Ok((changes, problems))
    }
}

/// Makes a change that nobody will want back.
pub(super) fn put(change: &Change) -> Result<(), Error> {
    if let Some(top) = &change.within {
        place::stays_in(&change.path, top)?;
    }
    match &change.after {
        Some(bytes) => write(&change.path, bytes, change.executable),
        None => remove(&change.path),
    }
}

impl Journal {
    /// Whether a file is part of the repository, whatever its name leads through.
    fn is_inside(&self, path: &Path) -> bool {
        let mut inside = self.inside.iter();
        let real = path.canonicalize();
        real.is_ok_and(|real| inside.any(|top| real.starts_with(top)))
    }

    /// Decides how a file goes back; `None` when there is nothing to do.
    ///
    /// The journal lies in the repository, so another may have written it. Into files outside nothing is
    /// put that it says: our part is taken out of them, and one that is then empty is removed.
    fn reversal(&self, entry: &Entry) -> Option<Result<Change, Error>> {
        if let Some(top) = &entry.within
            && let Err(err) = place::stays_in(&entry.path, top)
        {
            return Some(Err(err));
        }
        let now = match read(&entry.path) {
            Ok(now) => now?,
            Err(err) => return Some(Err(err)),
        };
        let original = match &entry.original {
            None => None,
            Some(bytes) => Some(bytes.get()?),
        };
        if original.as_ref() == Some(&now) {
            return None;
        }
        let rest = entry.part.remove(&now);
        let is_ours = match self.is_inside(&entry.path) {
            true => digest(&now) == entry.written,
            false => rest.as_ref().is_some_and(|rest| match &original {
                Some(original) => {
                    let is_empty = |bytes: &[u8]| entry.part.is_all_but(bytes);
                    without_space(rest) == without_space(original)
                        || is_empty(rest) && is_empty(original)
                }
                None => entry.part.is_all_but(rest),
            }),
        };
        reversal(entry, now, rest, is_ours.then_some(original))
    }
}

/// What is left of a text without white space and trailing commas, which editing in place may move.
fn without_space(bytes: &[u8]) -> Vec<u8> {
    let kept = bytes
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace() && **byte != b',');
    kept.copied().collect()
}

/// Makes a change of what was decided: the `original`, or the `rest` without our part.
fn reversal(
    entry: &Entry,
    now: Vec<u8>,
    rest: Option<Vec<u8>>,
    original: Option<Option<Vec<u8>>>,
) -> Option<Result<Change, Error>> {
    let after = if let Some(original) = original {
        original
    } else {
        match rest {
            Some(rest) => Some(rest),
            None if mentions_us(&now) => {
                return Some(Err(Error::LeftAlone {
                    path: entry.path.clone(),
                    reason: "it was changed since and our part is not to be recognised; \
                             remove it by hand"
                        .to_owned(),
                }));
            }
            None => return None,
        }
    };
    Some(Ok(Change {
        path: entry.path.clone(),
        before: Some(now),
        after,
        executable: false,
        part: entry.part.clone(),
        within: entry.within.clone(),
    }))
}

fn mentions_us(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"sverklo").is_some()
}

fn digest(bytes: &[u8]) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(bytes))
}

/// Returns the folders that do not exist and would have to be made for a file, outermost first.
fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let parents = path.ancestors().skip(1);
    let mut missing: Vec<PathBuf> = parents
        .take_while(|folder| !folder.exists())
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    missing
}

/// Reads a file; `None` when it does not exist.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    // To open a pipe is to wait for somebody who writes.
    if path
        .metadata()
        .is_ok_and(|found| !found.is_file() && !found.is_dir())
    {
        return Err(Error::LeftAlone {
            path: path.to_owned(),
            reason: "it is a pipe or a device, and no file; remove it".to_owned(),
        });
    }
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => Ok(None),
        // A parent that is a file.
        Err(err) if err.kind() == std::io::ErrorKind::NotADirectory => Ok(None),
        Err(err) => Err(Error::file(path)(err)),
    }
}

fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(err) if err.kind() != std::io::ErrorKind::NotFound => Err(Error::file(path)(err)),
        _ => Ok(()),
    }
}

/// Writes a file whole: its name is on the old bytes or on the new ones at any time.
///
/// A file keeps its permissions and, when its name is a symbolic link, its place.
fn write(path: &Path, bytes: &[u8], executable: bool) -> Result<(), Error> {
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let fail = |err| Error::file(path)(err);
    if let Some(folder) = place.parent() {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    let name = place.file_name().unwrap_or_default();
    let mut temp = name.to_owned();
    match name == "config" {
        // The lock that git takes on its configuration.
        true => temp.push(".lock"),
        false => temp.push(format!(".sverklo-{}", std::process::id())),
    }
    let temp = place.with_file_name(temp);
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if executable {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o777);
    }
    let _ = executable;
    let mut file = options.open(&temp).map_err(Error::file(&temp))?;
    let written = file
        .write_all(bytes)
        .and_then(|()| match std::fs::metadata(&place) {
            Ok(old) => file.set_permissions(old.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| file.sync_all());
    drop(file);
    let renamed = written.and_then(|()| std::fs::rename(&temp, &place));
    if renamed.is_err() {
        let _ = std::fs::remove_file(&temp);
    }
    renamed.map_err(fail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_goes_and_everything_else_stays() {
        let file = b"#!/bin/sh\n# git-sverklo: begin x\nours\n# git-sverklo: end\ntheirs\n";
        assert_eq!(Part::Block.remove(file).unwrap(), b"#!/bin/sh\ntheirs\n");
        let open = b"#!/bin/sh\n# git-sverklo: begin x\ntheirs\n";
        assert_eq!(Part::Block.remove(open), None);
        let last = b"a\n# git-sverklo: begin\n# git-sverklo: end";
        assert_eq!(Part::Block.remove(last).unwrap(), b"a\n");
    }

    #[test]
    fn a_property_goes_and_comments_stay() {
        let part = Part::Property("servers".into(), "sverklo".into());
        let file = "\u{feff}{\n  // mine\n  \"servers\": {\n    \"a\": 1,\n    \"sverklo\": {\"x\": 2}\n  },\n}\n";
        let rest = String::from_utf8(part.remove(file.as_bytes()).unwrap()).unwrap();
        assert!(rest.starts_with("\u{feff}{\n  // mine\n"), "{rest}");
        assert!(rest.contains("\"a\": 1") && !rest.contains("sverklo"));
        assert_eq!(part.remove(b"{}"), None);
        assert_eq!(part.remove(b"{"), None);
        assert_eq!(part.remove(b"\xff"), None);
    }

    #[test]
    fn bytes_that_are_no_text_survive_the_journal() {
        for bytes in [&b"plain\r\n"[..], b"\xff\x00", b""] {
            let json = serde_json::to_string(&Bytes::new(bytes)).unwrap();
            let back: Bytes = serde_json::from_str(&json).unwrap();
            assert_eq!(back.get().unwrap(), bytes);
        }
    }
}
