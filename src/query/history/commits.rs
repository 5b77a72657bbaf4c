//! What a version says of the commit that made it.

use crate::git::mailmap::{self, Mailmap};
use crate::git::rewritten::Rewritten;
use crate::git::{Error, Objects, Repo, commit};
use crate::history::message;
use crate::id::CommitId;
use crate::memory::date::Date;
use crate::view::live::View;
use std::collections::BTreeSet;

/// Issues named of a commit.
const MAX_ISSUES: usize = 4;
/// Words before the number of an issue that a commit brings to an end, as code hosts read them.
const CLOSING: &[&str] =
    words!("close closes closed fix fixes fixed resolve resolves resolved refs see re issue pr");

/// A commit in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommitLine {
    /// Which one it is.
    pub id: CommitId,
    /// Who wrote it.
    pub author: String,
    /// The day it was written.
    pub day: String,
    /// Its first line, secrets masked.
    pub subject: String,
    /// Issues and pull requests that it names, by number.
    pub issues: Vec<u64>,
    /// The commits that were made one in it, as far as this clone was told.
    pub squashed: Vec<Squashed>,
}

/// A commit that was made one with others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Squashed {
    /// Which one it was.
    pub id: CommitId,
    /// Its first line, secrets masked; `None` when it is no longer in this clone.
    pub subject: Option<String>,
}

/// The `.mailmap` of the state that is asked about, so that nothing later leaks into it.
pub fn names(repo: &Repo, view: &View) -> Mailmap {
    let text = view.file_at(mailmap::PATH).and_then(|file| {
        let blob = view.file(file).blob;
        if let Some(content) = view.content(blob) {
            return Some(content.to_vec());
        }
        let mut bytes = Vec::new();
        repo.objects().blob(blob, &mut bytes).ok()?;
        Some(bytes)
    });
    text.map_or_else(Mailmap::default, |text| Mailmap::read(&text))
}

/// Reads a commit; its author goes by the name that a `.mailmap` gives. Fails as [`commit::read`] does.
pub fn line(objects: &mut Objects, id: CommitId, names: &Mailmap) -> Result<CommitLine, Error> {
    let found = commit::read(objects, id)?;
    let author = commit::origins(objects, id)?.author;
    let subject = message::subject(&found.message);
    let date = Date::new(author.seconds, author.offset).to_string();
    Ok(CommitLine {
        id,
        author: message::person(&names.person(&author).0),
        day: date.chars().take(10).collect(),
        subject: String::from_utf8_lossy(&subject).into_owned(),
        issues: issues(&found.message),
        squashed: Vec::new(),
    })
}

/// The commits that were made one in a commit. Fails when one that is here cannot be read.
pub fn squashed(
    objects: &mut Objects,
    rewritten: &Rewritten,
    commit: CommitId,
) -> Result<Vec<Squashed>, Error> {
    let all = rewritten.squashed(commit).into_iter();
    let line = |id| {
        let message = said(objects, id)?;
        let subject = message.map(|message| message::subject(&message));
        Ok(Squashed {
            id,
            subject: subject.map(|line| String::from_utf8_lossy(&line).into_owned()),
        })
    };
    all.map(line).collect()
}

/// The message of a commit; `None` when it is not here. Fails when it cannot be read.
pub fn said(objects: &mut Objects, id: CommitId) -> Result<Option<Vec<u8>>, Error> {
    match commit::read(objects, id) {
        Ok(found) => Ok(Some(found.message)),
        Err(err) if err.is_missing_object() => Ok(None),
        Err(err) => Err(err),
    }
}

/// The numbers of issues and pull requests that a message names: any in its first line, and in the rest those that
/// stand behind a word that says so, or at the end of an address of one.
pub fn issues(message: &[u8]) -> Vec<u64> {
    let text = String::from_utf8_lossy(message);
    let mut found = BTreeSet::new();
    let mut lines = text.lines().skip_while(|line| line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    found.extend(first.split(is_break).filter_map(number));
    for line in lines {
        let words: Vec<&str> = line
            .split(is_break)
            .filter(|word| !word.is_empty())
            .collect();
        for (at, word) in words.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| words[at].to_ascii_lowercase());
            let is_said = before.is_some_and(|before| {
                let before = before.trim_end_matches(':');
                CLOSING.contains(&before)
            });
            found.extend(number(word).filter(|_| is_said));
            found.extend(address(word));
        }
    }
    found.into_iter().take(MAX_ISSUES).collect()
}

fn is_break(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',' | ';' | '.')
}

/// `#12`, as code hosts write it; with the repository before it, it is another's.
fn number(word: &str) -> Option<u64> {
    let digits = word.strip_prefix('#')?.trim_end_matches([':', '!', '?']);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

fn address(word: &str) -> Option<u64> {
    let (before, digits) = word.rsplit_once('/')?;
    let is_issue = before.contains("://")
        && ["/issues", "/pull", "/merge_requests"]
            .iter()
            .any(|end| before.ends_with(end));
    digits.parse().ok().filter(|_| is_issue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issues_are_numbers_that_are_said_to_be_some() {
        let said = |message: &str| issues(message.as_bytes());
        assert_eq!(said("fix: hang (#12)"), [12]);
        assert_eq!(
            said("Merge pull request #7 from a/b\n\nCloses #3, fixes: #4"),
            [3, 4, 7]
        );
        assert_eq!(
            said("x\n\nthe 2nd of #9 items\nhttps://h/a/b/issues/15"),
            [15]
        );
        assert!(said("use C# 12 and colour #fff000x, other/repo#3").is_empty());
    }
}
