//! How likely a change is to be fixed soon after, from 0 to 1, as named terms that add up.
//!
//! The repository's own past is the judge: a commit that changed code counts as fixed when within 30 days another one
//! whose subject says so changed one of its files. A logistic regression ([`logistic`]) is fitted to the newest
//! commits when somebody asks, on what history knew of each before it was made ([`past`]); the features are those of
//! Kamei, Shihab, Adams, Hassan, Mockus, Sinha and Ubayashi: A large-scale empirical study of just-in-time quality
//! assurance (TSE 2013) that need no look into files. On eleven repositories that are not among those of the benchmark
//! the mean area under the curve of what was held out was .70, of churn alone .64, of size alone .57; without size
//! .69, without churn .68, without the history of fixes .67, without the pace .69. Ownership earned nothing, and is
//! there for the repositories where it does; how lately a file was changed earned nothing either, and is not. What history does not tell of old commits (who depends on what
//! changed, whether a test reaches it, whether an interface breaks) is added with fixed weights, which are judgement.
//!
//! How much to believe is said with it: the model is fitted to the first part of the cases and told the rest, in the
//! order of time. Guarantees: a pure function of the base, its history and the change, without a clock; where there
//! are too few cases the answer is that nothing is known.

pub mod logistic;
pub mod past;
#[cfg(test)]
mod tests;

use crate::history::window::Window;
use crate::id::CommitId;
use logistic::{Weights, area, brier, probability};
use past::{FEATURES, FIX_DAYS, Features, Outcome, Past, Subject};

/// Share of the cases, the oldest, that the model is fitted to before it is told the rest.
const FITTED: f64 = 0.7;
/// Fewer cases than this say nothing.
pub const LEAST_CASES: usize = 200;
/// Fewer cases than this of either outcome say nothing: some ten for each feature (Peduzzi, Concato, Kemper, Holford
/// and Feinstein: A simulation study of the number of events per variable in logistic regression, 1996), halved,
/// since weights are penalised.
pub const LEAST_OF_EACH: usize = 30;
/// Log-odds for each doubling of the files that depend on what changed: a hundred of them count less than a broken
/// interface.
const REACH: f64 = 0.07;
/// Log-odds when no test comes near anything that changed: half as likely again to be wrong where that is rare.
const UNTESTED: f64 = 0.41;
/// Log-odds of a change that breaks a public interface: twice as likely, where that is rare.
const BREAKING: f64 = 0.69;

labelled! {
    /// What a term of the risk is about.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Factor {
        /// How often any change of the repository is fixed soon after.
        Usual = "usual",
        /// Files that change.
        Size = "size",
        /// Changes of the busiest file in the last 90 days.
        Churn = "churn",
        /// Share of fixes among the changes of the file that has most.
        Fixes = "history of fixes",
        /// Share of the files' changes that others made.
        Ownership = "ownership",
        /// Commits of the repository in the last 30 days.
        Pace = "pace",
        /// Files that depend on what changed.
        Reach = "reach",
        /// Changed code that no test reaches.
        Untested = "untested",
        /// Public interfaces that break.
        Breaking = "breaking API",
    }
}

impl Factor {
    /// What is learned from history, in the order of [`Features`].
    pub const LEARNED: [Self; FEATURES] = [
        Self::Size,
        Self::Churn,
        Self::Fixes,
        Self::Ownership,
        Self::Pace,
    ];
}

/// What the graph says of a change.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Structure {
    /// Files of code that depend on what changed.
    pub dependents: usize,
    /// Share of the changed files of code that no test comes near; `None` where nobody looked.
    pub untested: Option<f64>,
    /// Whether a public interface breaks.
    pub is_breaking: bool,
}

/// A part of the risk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// What it is about.
    pub factor: Factor,
    /// What it adds to the score, or takes away.
    pub adds: f64,
}

/// How well the model told what it had not seen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Calibration {
    /// Commits that the model is fitted to.
    pub cases: usize,
    /// Those of them that were fixed within 30 days.
    pub fixed: usize,
    /// Commits, the newest, that were held out.
    pub held_out: usize,
    /// Area under the curve on these: .5 is a coin, 1 is never wrong.
    pub auc: f64,
    /// Mean squared error on these.
    pub brier: f64,
    /// That of who says of each what is usual.
    pub brier_of_usual: f64,
}

/// How likely a change is to be fixed soon after.
#[derive(Clone, PartialEq, Debug)]
pub enum Risk {
    /// It is known.
    Known {
        /// From 0 to 1: the sum of the terms.
        score: f64,
        /// What it consists of: the usual first, then those that weigh most.
        terms: Vec<Term>,
        /// How much to believe.
        calibration: Calibration,
    },
    /// It is not.
    Unknown(Reason),
}

/// Why nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// There are too few commits of code that are over 30 days old.
    FewCommits(usize),
    /// Too few of the commits were fixed soon after.
    FewFixes(usize),
    /// Nearly all of the commits were fixed soon after, so that it says nothing of one.
    AllFixed(usize),
    /// No code changed that history could know.
    NoCode,
}

impl Reason {
    /// The reason in words.
    pub fn words(self) -> String {
        match self {
            Self::FewCommits(found) => {
                format!(
                    "{found} commits of code older than {FIX_DAYS} days, {LEAST_CASES} are needed"
                )
            }
            Self::FewFixes(found) => {
                format!(
                    "{found} commits were fixed within {FIX_DAYS} days, {LEAST_OF_EACH} are needed"
                )
            }
            Self::AllFixed(left) => {
                format!("all commits but {left} were fixed within {FIX_DAYS} days")
            }
            Self::NoCode => "no code changed".to_owned(),
        }
    }
}

/// What a repository's past teaches.
#[derive(Debug)]
pub struct Model {
    past: Past,
    learned: Result<(Weights<FEATURES>, Calibration), Reason>,
}

impl Model {
    /// Learns from the newest commits of a window. `author` says by mail address who made one.
    pub fn learn(window: &Window, author: &mut dyn FnMut(CommitId) -> Option<String>) -> Self {
        let (past, outcomes) = Past::read(window, author);
        Self {
            learned: learn(&outcomes),
            past,
        }
    }

    /// Assesses a change.
    pub fn assess(&self, subject: &Subject, structure: Structure) -> Risk {
        let Some(features) = self.past.of(subject) else {
            return Risk::Unknown(Reason::NoCode);
        };
        match &self.learned {
            Err(reason) => Risk::Unknown(*reason),
            Ok((weights, calibration)) => {
                let mut effects = weights.effects(&features);
                if subject.author.is_none() {
                    // Nobody is nobody's owner, which is no reason to fear them.
                    let at = Factor::LEARNED.iter().position(|f| *f == Factor::Ownership);
                    at.into_iter().for_each(|at| effects[at] = 0.0);
                }
                let learned = Factor::LEARNED.into_iter().zip(effects);
                let (score, terms) = terms(weights.usual, learned.chain(structure.effects()));
                Risk::Known {
                    score,
                    terms,
                    calibration: *calibration,
                }
            }
        }
    }
}

impl Structure {
    fn effects(self) -> [(Factor, f64); 3] {
        let reach = REACH * ((1 + self.dependents) as f64).log2();
        let untested = UNTESTED * self.untested.unwrap_or(0.0);
        let breaking = if self.is_breaking { BREAKING } else { 0.0 };
        [
            (Factor::Reach, reach),
            (Factor::Untested, untested),
            (Factor::Breaking, breaking),
        ]
    }
}

/// Turns log-odds into parts of a probability that add up: each has its share of the way from the usual probability
/// to this one. By the mean value theorem a unit of log-odds never gets more than a quarter.
fn terms(usual: f64, effects: impl Iterator<Item = (Factor, f64)>) -> (f64, Vec<Term>) {
    let effects: Vec<(Factor, f64)> = effects.filter(|(_, effect)| *effect != 0.0).collect();
    let way: f64 = effects.iter().map(|(_, effect)| effect).sum();
    let (from, to) = (probability(usual), probability(usual + way));
    let unit = match way.abs() < 1e-6 {
        true => from * (1.0 - from),
        false => (to - from) / way,
    };
    let mut terms: Vec<Term> = effects
        .into_iter()
        .map(|(factor, effect)| Term {
            factor,
            adds: effect * unit,
        })
        .collect();
    terms.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
    let usual = Term {
        factor: Factor::Usual,
        adds: from,
    };
    terms.insert(0, usual);
    (to, terms)
}

/// Fits a model to cases, the oldest first, and says how well one that saw the older of them told the newer.
pub fn learn(outcomes: &[Outcome]) -> Result<(Weights<FEATURES>, Calibration), Reason> {
    let cases: Vec<(Features, bool)> = outcomes.iter().map(|o| (o.features, o.was_fixed)).collect();
    let fixed = cases.iter().filter(|(_, was_fixed)| *was_fixed).count();
    if cases.len() < LEAST_CASES {
        return Err(Reason::FewCommits(cases.len()));
    }
    if fixed < LEAST_OF_EACH {
        return Err(Reason::FewFixes(fixed));
    }
    if cases.len() - fixed < LEAST_OF_EACH {
        return Err(Reason::AllFixed(cases.len() - fixed));
    }
    let split = (cases.len() as f64 * FITTED) as usize;
    // What became of the last of the older ones was not known yet when the first of the newer was made.
    let known = outcomes[split].date.saturating_sub(FIX_DAYS * 86_400);
    let older = outcomes[..split].partition_point(|outcome| outcome.date <= known);
    let (older, newer) = (&cases[..older], &cases[split..]);
    let model = Weights::fit(older);
    let share = older.iter().filter(|(_, was_fixed)| *was_fixed).count() as f64;
    let usual = share / older.len().max(1) as f64;
    let told = |tell: &dyn Fn(&Features) -> f64| -> Vec<(f64, bool)> {
        newer.iter().map(|(x, y)| (tell(x), *y)).collect()
    };
    let by_model = told(&|x| model.probability(x));
    let calibration = Calibration {
        cases: cases.len(),
        fixed,
        held_out: newer.len(),
        // Where all that was held out came to the same there is nothing to tell apart.
        auc: area(&by_model).unwrap_or(0.5),
        brier: brier(&by_model),
        brier_of_usual: brier(&told(&|_| usual)),
    };
    Ok((Weights::fit(&cases), calibration))
}
