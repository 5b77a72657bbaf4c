//! Renders what history says of a change: each omission with the commits that say so, and the risk as a sum.

use super::{clean, count};
use crate::query::diff::omissions::Omission;
use crate::query::diff::risk::{Factor, Risk};

/// Longest subject shown, in characters.
const SUBJECT_CHARS: usize = 100;

/// An omission in one line, and with its commits.
pub(super) fn omission_levels(omission: &Omission) -> Vec<String> {
    let line = format!(
        "not changed: {} | {} | {} of {} to {} | {:.2}\n",
        clean::path(&omission.path),
        omission.relation.label(),
        omission.together,
        count(omission.of as u64, "commit"),
        clean::path(&omission.because),
        omission.confidence
    );
    let mut cited = line.clone();
    let commits = omission.commits.iter();
    let commits: Vec<String> = commits
        .map(|commit| {
            format!(
                "{} {}",
                commit.id,
                clean::line(&commit.subject, SUBJECT_CHARS)
            )
        })
        .collect();
    clean::block(&mut cited, commits.iter().map(String::as_str));
    vec![line, cited]
}

/// The risk and its terms, and how much to believe.
pub(super) fn risk_line(risk: &Risk) -> String {
    let (score, terms, calibration) = match risk {
        Risk::Unknown(reason) => return format!("risk unknown: {}\n", reason.words()),
        Risk::Known {
            score,
            terms,
            calibration,
        } => (score, terms, calibration),
    };
    let mut sum = format!("risk {score:.2} of being fixed within 30 days =");
    for term in terms {
        let sign = match (term.factor, term.adds < 0.0) {
            (Factor::Usual, _) => "",
            (_, true) => " -",
            (_, false) => " +",
        };
        sum.push_str(&format!(
            "{sign} {} {:.2}",
            term.factor.label(),
            term.adds.abs()
        ));
    }
    format!(
        "{sum} | by {}, {} fixed | newest {} held out: area under the curve {:.2}, Brier {:.3}, {:.3} without it\n",
        count(calibration.cases as u64, "commit"),
        calibration.fixed,
        calibration.held_out,
        calibration.auc,
        calibration.brier,
        calibration.brier_of_usual
    )
}
