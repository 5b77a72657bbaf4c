//! Texts that an answer quotes and a partial clone lacks: fetched together, or said to be missing.

use super::Error;
use super::question::Warned;
use crate::git::{Repo, promisor};
use crate::view::text::Texts;
use std::sync::{Mutex, PoisonError};

/// Asks; and when texts were missing that a remote has promised, fetches all of them in one go and
/// asks once more. What is missing then is said in the answer's warnings. `asked` are the words of the
/// question. Errors are those of `ask`. That a text cannot be had is none.
pub fn complete<A: Warned>(
    repo: &Repo,
    texts: &Mutex<Texts>,
    asked: &str,
    ask: impl Fn(&mut Texts) -> Result<A, Error>,
) -> Result<A, Error> {
    // Not held while a remote is waited for: other questions need the texts too.
    let ask = || {
        let mut texts = texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.take_missing();
        texts.begin(asked);
        let answer = ask(&mut texts);
        texts.end();
        Ok::<_, Error>((answer?, texts.take_missing()))
    };
    let (mut answer, mut missing) = ask()?;
    if missing.is_empty() {
        return Ok(answer);
    }
    let why = if promisor::is_allowed(repo) {
        match promisor::fetch(repo, &missing) {
            Ok(()) => {
                (answer, missing) = ask()?;
                "the remote did not provide it".to_owned()
            }
            Err(err) => err.to_string(),
        }
    } else if repo.is_partial() {
        promisor::remedy(repo).to_owned()
    } else {
        "run `git fsck`".to_owned()
    };
    if !missing.is_empty() {
        let files = match missing.len() {
            1 => "1 file".to_owned(),
            n => format!("{n} files"),
        };
        let said = format!("the text of {files} is not in this clone; {why}");
        answer.warnings_mut().push(said);
    }
    Ok(answer)
}
