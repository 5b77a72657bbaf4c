//! What git's own file system monitor tells, where the user has it on (`core.fsmonitor`, git-fsmonitor--daemon(1)): which
//! paths changed since it was asked before.
//!
//! It answers when it has heard of all that was done before it was asked: it writes a file of its own, and waits until the
//! system tells it of that. It is asked as git asks it (`fsmonitor-ipc.c`, `simple-ipc.h` and `pkt-line.h` of git 2.55), at its
//! socket in the git directory. It is never begun, and never told to do anything; hooks that may stand in its place are not run.
//! Deliberately absent: Windows, where it listens at a named pipe, and sockets elsewhere, which it has for work trees on a
//! network.

use super::events::Told;
use crate::git::{Repo, keys};
use std::path::{Path, PathBuf};

/// A monitor that answers, and up to where it has told.
pub(super) struct Monitor {
    socket: PathBuf,
    token: Vec<u8>,
    /// Whether one file answers to names that are spelt in several ways.
    pub(super) is_loose: bool,
}

/// What it answers.
#[derive(PartialEq, Eq, Debug)]
struct Answer {
    /// Stands for now.
    token: Vec<u8>,
    /// What changed since the token that it was asked with, directories perhaps with a slash at the end; `None` when that
    /// is not known any more.
    changed: Option<Vec<Vec<u8>>>,
}

impl Monitor {
    /// Begins to ask, from now on; `None` where the user has it off, and where nobody answers.
    pub(super) fn open(repo: &Repo) -> Option<Self> {
        if repo.config_bool(keys::MONITOR) != Some(true) {
            return None;
        }
        let files = repo.local().filesystem_options().ok()?;
        let is_loose = files.ignore_case || files.precompose_unicode;
        Self::at(&repo.git_dir().join("fsmonitor--daemon.ipc"), is_loose)
    }

    fn at(socket: &Path, is_loose: bool) -> Option<Self> {
        // As git does: no token is like that, so it says from where it may be asked.
        let answer = ask(socket, b"builtin:fake")?;
        Some(Self {
            socket: socket.to_owned(),
            token: answer.token,
            is_loose,
        })
    }

    /// Asks what changed since it was asked before.
    pub(super) fn told(&mut self) -> Told {
        let mut told = Told::default();
        let answer = ask(&self.socket, &self.token);
        let Some((token, changed)) =
            answer.and_then(|answer| Some((answer.token, answer.changed?)))
        else {
            told.lost = true;
            return told;
        };
        self.token = token;
        for path in changed {
            told.note(&path);
        }
        told
    }
}

impl Told {
    /// Takes down a path as the monitor has it.
    fn note(&mut self, path: &[u8]) {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let mut names = path.split(|byte| *byte == b'/');
        // Another repository came or went, or something happened in it.
        self.lost |= names.clone().any(|name| name.eq_ignore_ascii_case(b".git"));
        let last = names.next_back().unwrap_or_default();
        self.rules |= matches!(last, b".gitignore" | b".gitattributes");
        // What was a directory may be none any more, and the other way round.
        self.touched.files.insert(path.into());
        self.touched.dirs.insert(path.into());
    }
}

#[cfg(not(unix))]
fn ask(_socket: &Path, _token: &[u8]) -> Option<Answer> {
    None
}

#[cfg(unix)]
use unix::ask;

#[cfg(unix)]
mod unix {
    use super::*;
    use std::io::{Error, ErrorKind, Read, Result, Write};
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    /// How long it may take over each part of its answer. It answers in milliseconds; whoever waits longer looks himself.
    const PATIENCE: Duration = Duration::from_secs(2);

    /// Most bytes of an answer. So many changed paths are looked for sooner than read.
    const MOST_BYTES: usize = 4 << 20;

    /// What its tokens begin with; those of hooks may begin with anything.
    const TOKEN: &[u8] = b"builtin:";

    /// Most bytes of a token; they have some fifty.
    const LONGEST: usize = 1 << 10;

    /// Asks what changed since a token was given out; `None` without an answer that can be read.
    pub(super) fn ask(socket: &Path, token: &[u8]) -> Option<Answer> {
        read(&send(socket, token).ok()?)
    }

    /// Takes apart what it has written, all of which has come.
    fn read(answer: &[u8]) -> Option<Answer> {
        let mut parts = answer.strip_suffix(b"\0")?.split(|byte| *byte == 0);
        let token = parts
            .next()
            .filter(|token| token.starts_with(TOKEN) && token.len() <= LONGEST)?
            .to_vec();
        let changed: Vec<Vec<u8>> = parts.map(<[u8]>::to_vec).collect();
        let is_known = !changed.iter().any(|path| matches!(&path[..], b"/" | b""));
        Some(Answer {
            token,
            changed: is_known.then_some(changed),
        })
    }

    /// Sends one command, and returns the answer.
    fn send(socket: &Path, command: &[u8]) -> Result<Vec<u8>> {
        // A link may lead to what somebody else listens at.
        if !std::fs::symlink_metadata(socket)?.file_type().is_socket() {
            return Err(ErrorKind::Unsupported.into());
        }
        let mut stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut request = format!("{:04x}", command.len() + LENGTH).into_bytes();
        request.extend_from_slice(command);
        request.extend_from_slice(b"0000");
        stream.write_all(&request)?;
        let mut answer = Vec::new();
        while let Some(length) = length_of_packet(&mut stream)? {
            let begin = answer.len();
            if begin + length > MOST_BYTES {
                return Err(ErrorKind::FileTooLarge.into());
            }
            answer.resize(begin + length, 0);
            stream.read_exact(&mut answer[begin..])?;
        }
        Ok(answer)
    }

    /// Digits that a packet begins with, which say how long it is together with them.
    const LENGTH: usize = 4;

    /// Reads the head of a packet; `None` for that which ends an answer.
    fn length_of_packet(stream: &mut UnixStream) -> Result<Option<usize>> {
        let mut digits = [0; LENGTH];
        stream.read_exact(&mut digits)?;
        let invalid = || Error::from(ErrorKind::InvalidData);
        let text = std::str::from_utf8(&digits).map_err(|_| invalid())?;
        match usize::from_str_radix(text, 16).map_err(|_| invalid())? {
            0 => Ok(None),
            length => length.checked_sub(LENGTH).map(Some).ok_or_else(invalid),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
