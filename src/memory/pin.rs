//! Making a pin: what is kept of a commit.

use super::Error;
use super::date::Date;
use super::event::Pin;
use crate::git::{Repo, commit, patch};
use crate::id::CommitId;
use crate::secrets;
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

/// The first line of a message, as a line of an event may be. What looks like a secret is masked: an event is shared
/// by push. All of the message is looked at, for some secrets are told by what stands further down.
fn subject(message: &[u8]) -> String {
    let masked = secrets::mask(message);
    let first = masked.lines().next().unwrap_or_default();
    let text = first.to_str_lossy();
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let cut: String = clean.take(MAX_SUBJECT).collect();
    cut.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_keeps_no_secret_of_a_subject() {
        let key = format!("AKIA{}", "Z7QW3X5R6T2LKNHP");
        let said = subject(format!("use {key} now\n\nbody").as_bytes());
        assert_eq!(said, format!("use {} now", ".".repeat(key.len())));
        // Also not the half that would be left of one at the cut.
        let long = subject(format!("{} {key}", "word ".repeat(18)).as_bytes());
        assert!(!long.contains("AKIA"), "{long}");
    }
}
