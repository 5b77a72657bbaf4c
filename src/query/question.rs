//! What every question has in common: bounds on how long it may be, the state it is pinned to, and an
//! answer that carries warnings. [`super::engine::Engine::ask`] calls these in order.

use super::Error;
use super::engine::Engine;
use super::request::{Revision, Scope};
use super::state::Stamp;
use crate::limits::{MAX_ARGUMENT_BYTES, MAX_ARGUMENTS, MAX_QUESTION_BYTES};
use crate::store::Progress;

/// A question: `search`, `symbol`, `recall` and the like.
pub trait Question: Clone {
    /// What it is answered from: a pinned tree, or the log of memories at a commit.
    type Pin;
    /// What comes of it.
    type Answer: Warned;

    /// Refuses a question with a part that is over its bound, before anything is done with it. What is
    /// over a bound is never said back. Fails with [`Error::TooLong`] or [`Error::TooMany`].
    fn check(&self) -> Result<(), Error>;

    /// Its target and revision, where it has a target: before it is pinned, a revision written after the
    /// target (`name@v1.2`) is moved into the other.
    fn target_at(&mut self) -> Option<(&mut String, &mut Revision)> {
        None
    }

    /// Pins the state that it is about. Fails on an unknown revision, a repository that cannot be read,
    /// or that nobody waits for the answer.
    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Self::Pin, Error>;

    /// Answers it from a pinned state, whatever revision it names.
    fn answer(
        &self,
        engine: &Engine,
        pinned: &Self::Pin,
        progress: &dyn Progress,
    ) -> Result<Self::Answer, Error>;

    /// Adds what is remembered of what an answer shows.
    fn remind(_engine: &Engine, _pinned: &Self::Pin, _answer: &mut Self::Answer) {}
}

/// An answer that says what went wrong on the way to it, one sentence each.
pub trait Warned {
    /// The sentences.
    fn warnings_mut(&mut self) -> &mut Vec<String>;
}

/// Takes warnings to a field of an answer.
macro_rules! warned {
    ($answer:ty, $($field:ident).+) => {
        impl $crate::query::question::Warned for $answer {
            fn warnings_mut(&mut self) -> &mut Vec<String> {
                &mut self.$($field).+
            }
        }
    };
}
pub(super) use warned;

warned!(Stamp, warnings);

fn at_most(what: &'static str, text: &str, limit: usize) -> Result<(), Error> {
    match text.len() {
        found if found > limit => Err(Error::TooLong { what, found, limit }),
        _ => Ok(()),
    }
}

/// Bounds what is asked in words.
pub(super) fn words(what: &'static str, text: &str) -> Result<(), Error> {
    at_most(what, text, MAX_QUESTION_BYTES)
}

/// Bounds one argument.
pub(super) fn argument(what: &'static str, text: &str) -> Result<(), Error> {
    at_most(what, text, MAX_ARGUMENT_BYTES)
}

/// Bounds a list of arguments.
pub(super) fn list(what: &'static str, texts: &[String]) -> Result<(), Error> {
    if texts.len() > MAX_ARGUMENTS {
        let (found, limit) = (texts.len(), MAX_ARGUMENTS);
        return Err(Error::TooMany { what, found, limit });
    }
    texts.iter().try_for_each(|text| argument(what, text))
}

/// Bounds where and when a question is about.
pub(super) fn place(scope: &Scope, at: &Revision) -> Result<(), Error> {
    list("scope", &scope.globs)?;
    list("language", &scope.languages)?;
    list("kind", &scope.kinds)?;
    argument("range", scope.changed.as_deref().unwrap_or_default())?;
    revision(at)
}

/// Bounds a revision.
pub(super) fn revision(at: &Revision) -> Result<(), Error> {
    match at {
        Revision::At(rev) => argument("revision", rev),
        Revision::WorkTree => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::request::SearchRequest;

    #[test]
    fn what_is_over_a_bound_is_refused_and_not_said_back() {
        let query = "word ".repeat(MAX_QUESTION_BYTES);
        let request = SearchRequest {
            query,
            ..SearchRequest::default()
        };
        let said = request.check().unwrap_err().to_string();
        assert_eq!(
            said,
            "the query has 81920 bytes, where 16384 is the limit; ask for less"
        );
        let request = SearchRequest {
            scope: Scope {
                globs: vec!["a".to_owned(); MAX_ARGUMENTS + 1],
                ..Scope::default()
            },
            ..SearchRequest::default()
        };
        let said = request.check().unwrap_err().to_string();
        assert_eq!(
            said,
            "257 of scope were given, where 256 is the limit; ask for less"
        );
        assert!(SearchRequest::default().check().is_ok());
    }
}
