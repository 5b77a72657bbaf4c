//! `trust`: the user's consent to what a repository's own configuration names.
//!
//! Consent is theirs and kept in their own folder ([`crate::git::consent`]); nothing is written into the
//! repository.

use super::Error;
use crate::git::Repo;
use crate::git::consent;
use serde::Serialize;

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Consent.
    Give,
    /// Take consent back.
    Revoke,
    /// Only look.
    Look,
}

/// A line of a repository's own configuration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: String,
    /// What it is good for: `model`, `fetch`, `signing` or `files`.
    pub purpose: &'static str,
}

/// The lines that need consent, and whether they have it now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TrustReport {
    /// The repository's common directory.
    #[serde(rename = "repository")]
    pub dir: String,
    /// Whether they are in effect from now on.
    pub trusted: bool,
    /// Whether that was otherwise before.
    pub changed: bool,
    /// The lines, in the order of the configuration.
    pub lines: Vec<Line>,
}

/// A repository that the user has consented to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trusted {
    /// Its common directory.
    #[serde(rename = "repository")]
    pub dir: String,
    /// The lines as they were shown, `key = value`.
    pub lines: Vec<String>,
}

/// Gives consent to what a repository's own configuration names, takes it back, or looks. Fails where
/// the user has no folder, or it cannot be written.
pub fn trust(repo: &Repo, wish: Wish) -> Result<TrustReport, Error> {
    let consent = &repo.consent;
    let lines = consent.lines().iter().map(|line| Line {
        key: line.key.clone(),
        value: line.value.clone(),
        purpose: line.purpose.label(),
    });
    let lines: Vec<Line> = lines.collect();
    let (trusted, changed) = match wish {
        Wish::Look => (consent.is_given, false),
        Wish::Give if lines.is_empty() || consent.is_given => (consent.is_given, false),
        Wish::Give => {
            consent::give(repo.common_dir(), &repo.consent)?;
            (true, true)
        }
        Wish::Revoke => (false, consent::revoke(repo.common_dir())?),
    };
    Ok(TrustReport {
        dir: repo.common_dir().display().to_string(),
        lines,
        trusted,
        changed,
    })
}

/// Lists the repositories that the user has consented to. Fails where the user has no folder, or it
/// cannot be read.
pub fn list() -> Result<Vec<Trusted>, Error> {
    let records = consent::list()?.into_iter();
    let trusted = records.map(|record| Trusted {
        dir: record.dir,
        lines: record.lines,
    });
    Ok(trusted.collect())
}
