//! Means over answers.

use super::read::Answered;
use std::collections::{BTreeMap, BTreeSet};

/// The contender that the page is about.
pub const OURS: &str = "git-sverklo";

/// Answers at least this good count as correct in the gated tokens, as bench:primitives has it.
const GATE: f64 = 0.8;

/// Depths of recall@k.
pub const DEPTHS: [&str; 4] = ["5", "10", "20", "50"];

/// Means of one contender over a group of tasks. Where it answered with an error it scores 0 in
/// every figure; what it does not offer counts in `score_all` only.
#[derive(Debug, Default, PartialEq)]
pub struct Summary {
    /// Tasks it was asked.
    pub asked: usize,
    /// Tasks of a kind that it offers.
    pub offered: usize,
    /// Tasks at which it failed.
    pub failed: usize,
    /// Mean score over what it offers.
    pub score: Option<f64>,
    /// Standard error of that mean.
    pub error: Option<f64>,
    /// Mean score over all it was asked, with 0 for what it does not offer.
    pub score_all: Option<f64>,
    pub precision: Option<f64>,
    pub recall: Option<f64>,
    /// Share of definitions where the first place answered is right.
    pub first: Option<f64>,
    /// At each of `DEPTHS`.
    pub recall_at: [Option<f64>; 4],
    pub mrr: Option<f64>,
    pub ndcg10: Option<f64>,
    /// Mean tokens of an answer.
    pub tokens: Option<f64>,
    /// Mean calls of an answer.
    pub calls: Option<f64>,
    /// Mean wall milliseconds of an answer.
    pub wall_ms: Option<f64>,
    /// Mean of tokens / recall over the tasks that pass the gate.
    pub gated: Option<f64>,
    /// How many do.
    pub correct: usize,
    /// All tokens / sum of recall.
    pub ungated: Option<f64>,
}

impl Summary {
    /// Summarizes the answers of one contender.
    pub fn of(answers: &[&Answered]) -> Self {
        let offered: Vec<&Answered> = answers.iter().copied().filter(|a| a.offered).collect();
        let over = |figure: &dyn Fn(&Answered) -> Option<f64>| mean(&offered, figure);
        // A failure is a 0 among the figures of its kind, not a gap in the mean.
        let graded = |a: &Answered, figure: Option<f64>, applies: bool| {
            figure.or((applies && a.error.is_some()).then_some(0.0))
        };
        let listed = |a: &Answered| a.kind != "locate";
        let gated: Vec<f64> = offered
            .iter()
            .filter(|a| gate(a) >= GATE && recall(a) > 0.0)
            .filter_map(|a| Some(a.tokens? / recall(a)))
            .collect();
        let recalled: f64 = offered.iter().map(|a| recall(a)).sum();
        let tokens: f64 = offered.iter().filter_map(|a| a.tokens).sum();
        let score = offered.iter().fold(0.0, |sum, a| sum + a.score);
        Self {
            asked: answers.len(),
            offered: offered.len(),
            failed: offered.iter().filter(|a| a.error.is_some()).count(),
            score: (!offered.is_empty()).then(|| score / offered.len() as f64),
            error: standard_error(&offered),
            score_all: (!answers.is_empty()).then(|| score / answers.len() as f64),
            precision: over(&|a| graded(a, a.precision, listed(a))),
            recall: over(&|a| graded(a, a.recall, listed(a))),
            first: over(&|a| graded(a, a.first, a.kind == "definition")),
            recall_at: DEPTHS
                .map(|k| over(&|a| graded(a, a.recall_at.get(k).copied(), !listed(a)))),
            mrr: over(&|a| graded(a, a.mrr, !listed(a))),
            ndcg10: over(&|a| graded(a, a.ndcg10, !listed(a))),
            tokens: over(&|a| a.tokens),
            calls: over(&|a| a.calls),
            wall_ms: over(&|a| a.wall_ms),
            gated: (!gated.is_empty()).then(|| gated.iter().sum::<f64>() / gated.len() as f64),
            correct: gated.len(),
            ungated: (recalled > 0.0).then(|| tokens / recalled),
        }
    }
}

/// The recall that tokens are divided by.
fn recall(a: &Answered) -> f64 {
    let recall = match a.kind.as_str() {
        "locate" => a.recall_at.get("10").copied(),
        _ => a.recall,
    };
    recall.unwrap_or(0.0)
}

/// The figure that must pass the gate: F1, or recall@10 of a `locate`.
fn gate(a: &Answered) -> f64 {
    match a.kind.as_str() {
        "locate" => recall(a),
        _ => a.f1.unwrap_or(0.0),
    }
}

/// How far the mean score of other tasks of the same sort would be from that of these, typically.
fn standard_error(answers: &[&Answered]) -> Option<f64> {
    if answers.len() < 2 {
        return None;
    }
    let count = answers.len() as f64;
    let mean = answers.iter().map(|a| a.score).sum::<f64>() / count;
    let squares: f64 = answers.iter().map(|a| (a.score - mean).powi(2)).sum();
    Some((squares / (count - 1.0) / count).sqrt())
}

fn mean(answers: &[&Answered], figure: &dyn Fn(&Answered) -> Option<f64>) -> Option<f64> {
    let values: Vec<f64> = answers.iter().filter_map(|a| figure(a)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Groups answers; each group keeps their order.
pub fn group<'a, T, K: Ord>(
    answers: impl IntoIterator<Item = &'a T>,
    key: impl Fn(&'a T) -> K,
) -> BTreeMap<K, Vec<&'a T>> {
    let mut groups = BTreeMap::new();
    for answer in answers {
        groups
            .entry(key(answer))
            .or_insert_with(Vec::new)
            .push(answer);
    }
    groups
}

/// Summaries of each contender in a group, in the order of `contenders`.
pub fn summaries<'a>(answers: &[&'a Answered]) -> Vec<(&'a str, Summary)> {
    let mut rows: Vec<_> = group(answers.iter().copied(), |a| a.contender.as_str())
        .into_iter()
        .map(|(name, answers)| (name, Summary::of(&answers)))
        .collect();
    rows.sort_by_key(|(name, _)| *name != OURS);
    rows
}

/// Names, ours first, then by alphabet.
pub fn contenders<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let names: BTreeSet<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by_key(|name| *name != OURS);
    names
}

/// Sets in the order of the page: ours, then the public ones, then any other.
pub fn set_order(set: &str) -> (usize, &str) {
    order(
        &["own", "primitives", "corrected", "swe", "ndcg", "history"],
        set,
    )
}

/// Kinds in the order of the page.
pub fn kind_order(kind: &str) -> (usize, &str) {
    order(
        &[
            "definition",
            "references",
            "dependencies",
            "unused",
            "locate",
        ],
        kind,
    )
}

fn order<'a>(known: &[&str], name: &'a str) -> (usize, &'a str) {
    let place = known.iter().position(|known| *known == name);
    (place.unwrap_or(known.len()), name)
}

/// How many tasks there are among answers.
pub fn count_tasks(answers: &[&Answered]) -> usize {
    let tasks: BTreeSet<_> = answers.iter().map(|a| a.task_key()).collect();
    tasks.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(task: &str, f1: f64, precision: f64, recall: f64, tokens: f64) -> Answered {
        Answered {
            task: task.to_owned(),
            kind: "definition".to_owned(),
            contender: "ctags".to_owned(),
            offered: true,
            score: f1,
            f1: Some(f1),
            precision: Some(precision),
            recall: Some(recall),
            first: Some(if precision > 0.0 { 1.0 } else { 0.0 }),
            tokens: Some(tokens),
            calls: Some(1.0),
            wall_ms: Some(tokens / 100.0),
            ..Answered::default()
        }
    }

    #[test]
    fn means_are_over_what_is_offered_and_beside_it_over_all() {
        let found = definition("a", 1.0, 1.0, 1.0, 100.0);
        let half = definition("b", 0.8, 2.0 / 3.0, 1.0, 300.0);
        let nothing = Answered {
            kind: "references".to_owned(),
            ..Answered::default()
        };
        let failed = Answered {
            offered: true,
            error: Some("killed".to_owned()),
            kind: "definition".to_owned(),
            ..Answered::default()
        };
        let summary = Summary::of(&[&found, &half, &nothing, &failed]);
        assert_eq!((summary.asked, summary.offered, summary.failed), (4, 3, 1));
        // (1 + 0.8 + 0) / 3, and the same sum / 4.
        assert!((summary.score.unwrap() - 0.6).abs() < 1e-12);
        assert!((summary.score_all.unwrap() - 0.45).abs() < 1e-12);
        // Deviations 0.4, 0.2 and -0.6: the root of 0.56 / 2 / 3.
        assert!((summary.error.unwrap() - (0.56f64 / 6.0).sqrt()).abs() < 1e-12);
        // The failure is a 0 in precision and first: (1 + 2/3 + 0) / 3, (1 + 1 + 0) / 3.
        assert!((summary.precision.unwrap() - 5.0 / 9.0).abs() < 1e-12);
        assert!((summary.first.unwrap() - 2.0 / 3.0).abs() < 1e-12);
        // It printed nothing that could be counted.
        assert_eq!(summary.tokens, Some(200.0));
        assert_eq!(summary.mrr, None);
    }

    #[test]
    fn gated_tokens_are_a_mean_of_ratios_and_ungated_a_ratio_of_sums() {
        let right = definition("a", 1.0, 1.0, 1.0, 100.0);
        let most = definition("b", 0.8, 1.0, 2.0 / 3.0, 200.0);
        let below = definition("c", 0.79, 1.0, 0.65, 1000.0);
        let summary = Summary::of(&[&right, &most, &below]);
        // (100 / 1 + 200 / (2/3)) / 2; the third does not pass.
        assert!((summary.gated.unwrap() - 200.0).abs() < 1e-9);
        assert_eq!(summary.correct, 2);
        // 1300 / (1 + 2/3 + 0.65)
        assert!((summary.ungated.unwrap() - 1300.0 / (5.0 / 3.0 + 0.65)).abs() < 1e-9);
    }

    #[test]
    fn a_locate_passes_the_gate_by_recall_at_ten() {
        let locate = |recall: f64, tokens: f64| Answered {
            kind: "locate".to_owned(),
            offered: true,
            score: 0.1,
            recall_at: BTreeMap::from([("5".to_owned(), 0.0), ("10".to_owned(), recall)]),
            mrr: Some(0.1),
            ndcg10: Some(0.1),
            tokens: Some(tokens),
            ..Answered::default()
        };
        let summary = Summary::of(&[&locate(0.8, 400.0), &locate(0.5, 100.0)]);
        assert_eq!((summary.gated, summary.correct), (Some(500.0), 1));
        assert!((summary.ungated.unwrap() - 500.0 / 1.3).abs() < 1e-9);
        assert_eq!(summary.recall_at, [Some(0.0), Some(0.65), None, None]);
        assert_eq!(summary.recall, None);
    }

    #[test]
    fn ours_comes_first_and_sets_in_the_order_of_the_page() {
        assert_eq!(
            contenders(["ripgrep", "bm25", OURS, "", "bm25"]),
            [OURS, "bm25", "ripgrep"]
        );
        let mut sets = ["swe", "custom", "own"];
        sets.sort_by_key(|set| set_order(set));
        assert_eq!(sets, ["own", "swe", "custom"]);
    }
}
