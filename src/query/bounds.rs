//! How long a question may be. Whatever is over a bound is refused before anything is done with it, and
//! never said back.

use super::Error;
use super::recall::RecallRequest;
use super::request::{
    AuditRequest, GateRequest, MapRequest, RefsRequest, Revision, Scope, SearchRequest,
    SymbolRequest,
};
use crate::limits::{MAX_ARGUMENT_BYTES, MAX_ARGUMENTS, MAX_QUESTION_BYTES};

/// A question whose parts have bounds.
pub trait Bounded {
    /// Refuses a question with a part that is over its bound.
    ///
    /// # Errors
    /// [`Error::TooLong`] or [`Error::TooMany`].
    fn check(&self) -> Result<(), Error>;
}

fn at_most(what: &'static str, text: &str, limit: usize) -> Result<(), Error> {
    match text.len() {
        found if found > limit => Err(Error::TooLong { what, found, limit }),
        _ => Ok(()),
    }
}

fn question(what: &'static str, text: &str) -> Result<(), Error> {
    at_most(what, text, MAX_QUESTION_BYTES)
}

fn argument(what: &'static str, text: &str) -> Result<(), Error> {
    at_most(what, text, MAX_ARGUMENT_BYTES)
}

fn list(what: &'static str, texts: &[String]) -> Result<(), Error> {
    if texts.len() > MAX_ARGUMENTS {
        let (found, limit) = (texts.len(), MAX_ARGUMENTS);
        return Err(Error::TooMany { what, found, limit });
    }
    texts.iter().try_for_each(|text| argument(what, text))
}

fn revision(at: &Revision) -> Result<(), Error> {
    match at {
        Revision::At(rev) => argument("revision", rev),
        Revision::WorkTree => Ok(()),
    }
}

fn scope(scope: &Scope) -> Result<(), Error> {
    list("scope", &scope.globs)?;
    list("language", &scope.languages)?;
    list("kind", &scope.kinds)
}

impl Bounded for SearchRequest {
    fn check(&self) -> Result<(), Error> {
        question("query", &self.query)?;
        scope(&self.scope)?;
        revision(&self.at)
    }
}

impl Bounded for SymbolRequest {
    fn check(&self) -> Result<(), Error> {
        argument("target", &self.target)?;
        scope(&self.scope)?;
        revision(&self.at)
    }
}

impl Bounded for RefsRequest {
    fn check(&self) -> Result<(), Error> {
        argument("target", &self.target)?;
        list("kind", &self.kinds)?;
        scope(&self.scope)?;
        revision(&self.at)
    }
}

impl Bounded for MapRequest {
    fn check(&self) -> Result<(), Error> {
        question("task", self.task.as_deref().unwrap_or_default())?;
        scope(&self.scope)?;
        revision(&self.at)
    }
}

impl Bounded for AuditRequest {
    fn check(&self) -> Result<(), Error> {
        scope(&self.scope)?;
        revision(&self.at)
    }
}

impl Bounded for GateRequest {
    fn check(&self) -> Result<(), Error> {
        argument("base", self.base.as_deref().unwrap_or_default())?;
        revision(&self.head)
    }
}

impl Bounded for RecallRequest {
    fn check(&self) -> Result<(), Error> {
        question("query", &self.query)?;
        list("target", &self.targets)?;
        list("kind", &self.kinds)?;
        argument("revision", self.at.as_deref().unwrap_or_default())?;
        argument("moment", self.known_at.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
