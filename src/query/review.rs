//! What of a change a pull request is stopped for, or told of: findings of `diff`, each by a rule that has a name.

use super::diff::answer::{Broken, ChangedSymbol, Compatibility, DiffAnswer};
use super::diff::dangling::Fault;
use super::diff::risk::Risk;
use super::gate::{NewCycle, NewHub};
use crate::graph::rule::Certainty;

labelled! {
    /// A sort of finding.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Rule {
        /// A use of what is gone, or is called otherwise.
        Dangling = "dangling",
        /// A call that gives other arguments than are taken now.
        Misfit = "misfit",
        /// An override or an implementation of what is gone, or is another.
        LeftBehind = "left-behind",
        /// A type that lacks what its interface wants.
        Missing = "missing",
        /// A name in new code that leads nowhere.
        Nowhere = "nowhere",
        /// A change of what others may use, after which they may fail.
        Breaking = "breaking",
        /// An import that closes a cycle.
        Cycle = "cycle",
        /// A file that more import than the limit of the repository allows.
        FanIn = "fan-in",
    }
}

/// One finding.
#[derive(Clone, Copy, Debug)]
pub enum Finding<'a> {
    /// A place that expects what is no longer there.
    Broken(&'a Broken),
    /// A definition that is another to those who use it.
    Breaking(&'a ChangedSymbol),
    /// A new import cycle.
    Cycle(&'a NewCycle),
    /// A file that too many import.
    Hub(&'a NewHub),
}

impl Finding<'_> {
    /// The rule that it goes by.
    pub fn rule(self) -> Rule {
        match self {
            Self::Broken(broken) => match broken.fault {
                Fault::Dangling | Fault::Hidden | Fault::Unbound => Rule::Dangling,
                Fault::Misfit | Fault::Unfit => Rule::Misfit,
                Fault::LeftBehind | Fault::Declared => Rule::LeftBehind,
                Fault::Missing => Rule::Missing,
                Fault::Absent | Fault::Nowhere => Rule::Nowhere,
            },
            Self::Breaking(_) => Rule::Breaking,
            Self::Cycle(_) => Rule::Cycle,
            Self::Hub(_) => Rule::FanIn,
        }
    }

    /// Whether it is more than a guess among several.
    fn is_sure(self) -> bool {
        match self {
            Self::Broken(broken) => broken.unmet.certainty <= Certainty::Inferred,
            Self::Breaking(_) | Self::Cycle(_) | Self::Hub(_) => true,
        }
    }
}

labelled! {
    /// What becomes of a change for a finding.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Level {
        /// It is refused.
        Error = "error",
        /// Somebody should look.
        Warning = "warning",
        /// It may be nothing.
        Note = "note",
    }
}

/// A change with its findings, each judged.
pub struct Review<'a> {
    /// What `diff` says of it.
    pub answer: &'a DiffAnswer,
    /// What was found: uses that are broken, then cycles and files that too many import, then
    /// what is breaking for others.
    pub findings: Vec<(Level, Finding<'a>)>,
    /// The rules that it is refused by, once each, in order.
    pub refused_by: Vec<Rule>,
    /// Its risk and the most that may pass, where it is above; an unknown risk is not.
    pub too_risky: Option<(f64, f64)>,
}

impl<'a> Review<'a> {
    /// Judges a change: it is refused for findings of some rules, unless they are guesses.
    pub fn of(answer: &'a DiffAnswer, refuses: &[Rule]) -> Self {
        let broken = answer.broken.iter().map(Finding::Broken);
        let cycles = answer.cycles.iter().map(Finding::Cycle);
        let hubs = answer.hubs.iter().map(Finding::Hub);
        let breaking = answer.symbols.iter();
        let breaking = breaking.filter(|symbol| symbol.compatibility == Compatibility::Breaking);
        let all = broken
            .chain(cycles)
            .chain(hubs)
            .chain(breaking.map(Finding::Breaking));
        let level = |finding: Finding<'_>| match finding.is_sure() {
            true if refuses.contains(&finding.rule()) => Level::Error,
            true => Level::Warning,
            false => Level::Note,
        };
        let findings: Vec<_> = all.map(|finding| (level(finding), finding)).collect();
        let errors = findings.iter().filter(|(level, _)| *level == Level::Error);
        let mut refused_by: Vec<Rule> = errors.map(|(_, finding)| finding.rule()).collect();
        refused_by.sort_unstable();
        refused_by.dedup();
        Self {
            answer,
            findings,
            refused_by,
            too_risky: None,
        }
    }

    /// The same, refused also where the risk is known and above a limit, both from 0 to 1.
    pub fn at_most(self, limit: f64) -> Self {
        let risk = match &self.answer.outlook.risk {
            Risk::Known { score, .. } => Some(*score),
            Risk::Unknown(_) => None,
        };
        let too_risky = risk.filter(|risk| *risk > limit).map(|risk| (risk, limit));
        Self { too_risky, ..self }
    }

    /// Whether it may pass.
    pub fn passes(&self) -> bool {
        self.refused_by.is_empty() && self.too_risky.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::diff::answer::Unmet;

    fn broken(fault: Fault, certainty: Certainty) -> Broken {
        Broken {
            fault,
            unmet: Unmet {
                path: "a.py".into(),
                line: 3,
                text: "f()".into(),
                inside: None,
                certainty,
                expected: "f".into(),
                at: "b.py:1-2".into(),
                now: None,
                reason: None,
            },
        }
    }

    #[test]
    fn a_change_is_refused_for_what_was_asked_and_for_no_guess() {
        let answer = DiffAnswer {
            broken: vec![
                broken(Fault::Dangling, Certainty::Ambiguous),
                broken(Fault::LeftBehind, Certainty::Inferred),
            ],
            ..DiffAnswer::default()
        };
        let levels = |refuses: &[Rule]| -> Vec<Level> {
            let review = Review::of(&answer, refuses);
            review.findings.iter().map(|(level, _)| *level).collect()
        };
        assert_eq!(levels(&[]), [Level::Note, Level::Warning]);
        assert_eq!(levels(&[Rule::Dangling]), [Level::Note, Level::Warning]);
        assert!(Review::of(&answer, &[Rule::Dangling]).passes());
        let review = Review::of(&answer, &Rule::ALL);
        assert_eq!(review.refused_by, [Rule::LeftBehind]);
        assert_eq!(levels(&Rule::ALL), [Level::Note, Level::Error]);
        assert!(!review.passes());
    }
}
