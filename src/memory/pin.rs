//! Making a pin: what is kept of a commit.

use super::Error;
use super::date::Date;
use super::event::Pin;
use crate::git::{Repo, commit, patch};
use crate::id::CommitId;
use gix::bstr::ByteSlice;

/// Longest subject that is kept, in characters.
const MAX_SUBJECT: usize = 100;

/// Reads what a pin keeps of a commit. Fails when the commit cannot be read.
pub fn of(repo: &Repo, id: CommitId) -> Result<Pin, Error> {
    let mut objects = repo.objects();
    let read = commit::read(&mut objects, id)?;
    let author = commit::origins(&mut objects, id)?.author;
    Ok(Pin {
        commit: id,
        tree: read.tree,
        patch: patch::id(repo, id)?,
        date: Date::new(author.seconds, author.offset),
        subject: subject(&read.message),
    })
}

/// The first line of a message, as a line of an event may be.
fn subject(message: &[u8]) -> String {
    let first = message.lines().next().unwrap_or_default();
    let text = first.to_str_lossy();
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let cut: String = clean.take(MAX_SUBJECT).collect();
    cut.trim().to_owned()
}
