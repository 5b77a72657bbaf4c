//! `verify`: whether places that somebody cited still say what they said, and where they are now.
//!
//! [`citation`] reads them, [`prose`] finds them in running text. Each is compared with the state that is asked about
//! ([`judge`]): the cited text with that of today at its path ([`text`]); where there is none, the file is followed
//! through its renamings along history, to the commit that removed it ([`trail`]); lines that are no longer in their file
//! are looked for in all others ([`elsewhere`]); definitions are found by name ([`definitions`]). [`fix`] writes a text
//! again.
//!
//! Guarantees: an answer is a pure function of the citations, the state that is asked about, and the history behind
//! it and behind the cited commits. What is called unchanged or moved is the same byte for byte; where a cited commit is
//! gone since it was rewritten here, that is said of what it became, and so is this. No text of a file is
//! shown. Citations of one file at one commit share all work.

pub mod answer;
pub mod citation;
mod contents;
mod definitions;
mod elsewhere;
pub mod fix;
mod judge;
pub mod prose;
mod text;
mod trail;

use super::Error;
use super::engine::{Engine, Pinned};
use super::question::{self, Question, warned};
use super::request::Revision;
use crate::limits::{MAX_CITATIONS, MAX_CITED_BYTES};
use crate::store::Progress;
use answer::VerifyAnswer;
use citation::Citation;
use judge::Judge;

warned!(VerifyAnswer, stamp.warnings);

/// `verify`: what became of places that somebody cited.
#[derive(Clone, Debug, Default)]
pub struct VerifyRequest {
    /// The citations.
    pub citations: Vec<Citation>,
    /// The commit of those that name none.
    pub from: Option<String>,
    /// How many places that name none were passed over.
    pub plain: usize,
    /// What they are held against.
    pub at: Revision,
}

impl Question for VerifyRequest {
    type Pin = Pinned;
    type Answer = VerifyAnswer;

    fn check(&self) -> Result<(), Error> {
        let (found, limit) = (self.citations.len(), MAX_CITATIONS);
        if found > limit {
            let what = "citations";
            return Err(Error::TooMany { what, found, limit });
        }
        for citation in &self.citations {
            question::argument("citation", &citation.text)?;
        }
        question::argument("revision", self.from.as_deref().unwrap_or_default())?;
        question::revision(&self.at)
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pinned, Error> {
        engine.pin_whole(&self.at, progress)
    }

    fn answer(
        &self,
        engine: &Engine,
        pinned: &Pinned,
        _: &dyn Progress,
    ) -> Result<VerifyAnswer, Error> {
        let from = self.from.as_ref().map(|rev| engine.repo().resolve(rev));
        let mut judge = Judge::new(engine, pinned, &self.citations, from.transpose()?)?;
        let verdicts = self.citations.iter().map(|one| judge.verdict(one));
        Ok(VerifyAnswer {
            verdicts: verdicts.collect::<Result<_, _>>()?,
            plain: self.plain,
            is_partial: judge.is_partial(),
            stamp: pinned.stamp.clone(),
        })
    }
}

impl VerifyRequest {
    /// Asks about the citations in a text. Places that name no commit are passed over where `from` is not given:
    /// nobody said that they are to be checked. Fails with [`Error::TooLong`].
    pub fn of_text(text: &str, from: Option<String>, at: Revision) -> Result<Self, Error> {
        let (found, limit) = (text.len(), MAX_CITED_BYTES);
        if found > limit {
            let what = "text";
            return Err(Error::TooLong { what, found, limit });
        }
        let mut citations = prose::find(text);
        let found = citations.len();
        let is_of_commit = |one: &Citation| one.cited.as_ref().is_some_and(|c| c.rev.is_some());
        citations.retain(|one| from.is_some() || is_of_commit(one));
        Ok(Self {
            plain: found - citations.len(),
            citations,
            from,
            at,
        })
    }
}
