//! The JSON shapes of what history says of a change.

use crate::query::diff::omissions::Omission;
use crate::query::diff::risk;
use serde::Serialize;

/// Something that usually changes too, and did not.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Omitted {
    /// File, or a folder that usually gains one.
    pub path: String,
    /// What it is to what changed.
    pub relation: &'static str,
    /// The changed file that says most.
    pub because: String,
    /// Commits that changed both.
    pub together: usize,
    /// Commits that changed that file.
    pub of: usize,
    /// How likely it is, from 0 to 1.
    pub confidence: f64,
    /// Commits that say so.
    pub commits: Vec<Commit>,
}

/// A commit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Commit {
    /// Abbreviated id.
    pub id: String,
    /// First line of its message.
    pub subject: String,
}

/// How likely a change is to be fixed within 30 days.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Risk {
    /// It is known.
    Known {
        /// From 0 to 1.
        score: f64,
        /// What it consists of.
        terms: Vec<Term>,
        /// How much to believe.
        calibration: Calibration,
    },
    /// It is not.
    Unknown {
        /// Why not.
        unknown: String,
    },
}

/// A part of the risk.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Term {
    /// What it is about.
    pub term: &'static str,
    /// What it adds to the score.
    pub adds: f64,
}

/// How well the model told commits that it had not seen.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Calibration {
    /// Commits it is fitted to.
    pub commits: usize,
    /// Those that were fixed.
    pub fixed: usize,
    /// Commits that were held out.
    pub held_out: usize,
    /// Area under the curve.
    pub auc: f64,
    /// Brier score.
    pub brier: f64,
    /// Brier score of who says of each what is usual.
    pub brier_of_usual: f64,
}

impl Omitted {
    pub(in crate::render) fn new(omission: &Omission) -> Self {
        let commits = omission.commits.iter().map(|commit| Commit {
            id: commit.id.clone(),
            subject: commit.subject.clone(),
        });
        Self {
            path: omission.path.clone(),
            relation: omission.relation.label(),
            because: omission.because.clone(),
            together: omission.together,
            of: omission.of,
            confidence: rounded(omission.confidence),
            commits: commits.collect(),
        }
    }
}

impl Risk {
    pub(in crate::render) fn new(risk: &risk::Risk) -> Self {
        match risk {
            risk::Risk::Unknown(reason) => Self::Unknown {
                unknown: reason.words(),
            },
            risk::Risk::Known {
                score,
                terms,
                calibration,
            } => Self::Known {
                score: rounded(*score),
                terms: terms.iter().map(term).collect(),
                calibration: Calibration {
                    commits: calibration.cases,
                    fixed: calibration.fixed,
                    held_out: calibration.held_out,
                    auc: rounded(calibration.auc),
                    brier: rounded(calibration.brier),
                    brier_of_usual: rounded(calibration.brier_of_usual),
                },
            },
        }
    }
}

fn term(term: &risk::Term) -> Term {
    Term {
        term: term.factor.label(),
        adds: rounded(term.adds),
    }
}

/// Four decimals: more would say what nobody knows.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
