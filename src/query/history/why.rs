//! `history --why`: what was said where something became what it is, the most telling first.
//!
//! A commit tells more the more is said below its first line, when it made the thing, when it takes something back,
//! and when it names an issue, where others have said more; a merge tells less, and what only moved something or its
//! comments. What counts how much is in [`weigh`]. A commit that several were made one in tells what they told, too.

use super::commits;
use super::follow::Found;
use crate::clean;
use crate::git::rewritten::Rewritten;
use crate::git::{Error, Objects, commit};
use crate::history::message;
use std::cmp::Reverse;

/// Versions of which the messages are read, the newest and the first.
const MAX_READ: usize = 1000;
/// Words of a message, each so many of which weigh one, and the most that they weigh.
const WORDS: usize = 12;
const MAX_WORDS: i32 = 6;
/// Characters of a message that are told.
const MAX_SAID: usize = 700;

/// Orders versions by how much their commits tell, and puts their words to them. Fails when commits cannot be read.
pub(super) fn order(
    objects: &mut Objects,
    rewritten: &Rewritten,
    found: Vec<Found>,
) -> Result<Vec<Found>, Error> {
    let mut weighed = Vec::new();
    let last = found.len().saturating_sub(1);
    for (at, mut version) in found.into_iter().enumerate() {
        let Some((id, _)) = version.commit.filter(|_| at < MAX_READ || at == last) else {
            continue;
        };
        let mut said = commit::read(objects, id)?.message;
        let mut words = in_a_line(&message::body(&said));
        for part in rewritten.squashed(id) {
            let Some(more) = commits::said(objects, part)? else {
                continue;
            };
            let unsaid = unsaid(&said, &more);
            if !unsaid.is_empty() {
                let space = if words.is_empty() { "" } else { " " };
                words += &format!("{space}[{}] {unsaid}", part.short());
                said.extend_from_slice(b"\n");
                said.extend_from_slice(&more);
            }
        }
        let issues = commits::issues(&said);
        let count = words.split(' ').filter(|word| !word.is_empty()).count();
        let weight = weigh(&version, &said, count, !issues.is_empty());
        let words = words.replace('"', "'");
        version.detail =
            (!words.is_empty()).then(|| format!("\"{}\"", clean::line(&words, MAX_SAID)));
        weighed.push((weight, at, version));
    }
    weighed.sort_by_key(|(weight, at, _)| (Reverse(*weight), *at));
    Ok(weighed.into_iter().map(|(_, _, version)| version).collect())
}

fn in_a_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// What a message says beyond another one: its first line and the rest, as far as these are not in it.
fn unsaid(said: &[u8], more: &[u8]) -> String {
    let said = in_a_line(said);
    let parts = [message::subject(more), message::body(more)];
    let parts = parts.iter().map(|part| in_a_line(part));
    let parts: Vec<String> = parts
        .filter(|part| !part.is_empty() && !said.contains(part.as_str()))
        .collect();
    parts.join(": ")
}

/// How much a commit tells of what it did.
fn weigh(version: &Found, said: &[u8], words: usize, names_issue: bool) -> i32 {
    let did = |any: &[&str]| version.did.iter().any(|did| any.contains(did));
    let begins_with = said.trim_ascii_start().get(..6);
    let is_revert = begins_with.is_some_and(|word| word.eq_ignore_ascii_case(b"revert"));
    let lines = i32::try_from(words / WORDS).unwrap_or(MAX_WORDS);
    let mut weight = lines.min(MAX_WORDS) + i32::from(words > 0);
    weight += 4 * i32::from(is_revert);
    weight += 3 * i32::from(did(&["introduced", "began", "copied", "added"]));
    weight += 2 * i32::from(names_issue);
    weight += i32::from(did(&[
        "removed",
        "ceased",
        "renamed",
        "signature",
        "body",
        "brought back",
    ]));
    weight -= 3 * i32::from(version.is_merge);
    weight -= i32::from(did(&["moved", "comments"]) && version.did.len() == 1);
    weight
}

#[cfg(test)]
mod tests {
    use super::super::answer::Place;
    use super::*;

    fn weight(did: &'static str, said: &str) -> i32 {
        let version = Found::new(did, Place::Path("a".to_owned()));
        let words = message::body(said.as_bytes());
        let words = String::from_utf8_lossy(&words).split_whitespace().count();
        let issues = commits::issues(said.as_bytes());
        weigh(&version, said.as_bytes(), words, !issues.is_empty())
    }

    #[test]
    fn reasons_tell_more_than_subjects() {
        let long = format!("fix\n\n{}", "because of this ".repeat(10));
        assert!(weight("body", &long) > weight("body", "fix"));
        assert!(weight("body", "fix (#12)") > weight("body", "fix"));
        assert!(weight("body", "Revert \"fix\"") > weight("body", "fix"));
        assert!(weight("introduced", "fix") > weight("body", "fix"));
        assert!(weight("body", "fix") > weight("moved", "fix"));
        assert_eq!(
            weight("body", "fix\n\nSigned-off-by: A <a@b>"),
            weight("body", "fix")
        );
    }
}
