//! How good is an order? The figures of `score`, from the table, and their means.

use super::candidates::{Query, Table};
use super::model::{Model, Ranker};
use serde::Serialize;

/// Results that count for NDCG.
const DEPTH: usize = 10;

/// Figures of one query, or means of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// NDCG@10 of the answer as it is, several chunks of a file and all.
    pub ndcg10: f64,
    /// With one result a file, lines aside.
    pub files_ndcg10: f64,
    /// One over the rank of the first file that is a target.
    pub files_mrr: f64,
    /// Share of the targets among the first 5, 10 and 20 files.
    pub recall5: f64,
    pub recall10: f64,
    pub recall20: f64,
    /// Share of the targets whose files are among as many hits as one short answer holds; of the
    /// queries of which that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
}

impl Figures {
    /// What is fitted: both readings of NDCG alike.
    pub fn goal(&self) -> f64 {
        (self.ndcg10 + self.files_ndcg10) / 2.0
    }

    /// Means.
    pub fn mean(all: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> f64| all.iter().map(of).sum::<f64>() / all.len().max(1) as f64;
        let within: Vec<f64> = all.iter().filter_map(|figures| figures.within).collect();
        Self {
            ndcg10: mean(|f| f.ndcg10),
            files_ndcg10: mean(|f| f.files_ndcg10),
            files_mrr: mean(|f| f.files_mrr),
            recall5: mean(|f| f.recall5),
            recall10: mean(|f| f.recall10),
            recall20: mean(|f| f.recall20),
            within: (!within.is_empty()).then(|| within.iter().sum::<f64>() / within.len() as f64),
        }
    }
}

/// The figures of a query in a model's order.
pub fn figures(query: &Query, model: &Model, ranker: &mut Ranker) -> Figures {
    let ranked = ranker.rank(query, model);
    let mut ranks = vec![None; query.truth];
    for (rank, (_, at)) in ranked.iter().enumerate() {
        for target in &query.hits[*at as usize].is {
            ranks[usize::from(*target)].get_or_insert(rank);
        }
    }
    let mut seen = vec![false; query.files.len()];
    let mut in_files = vec![None; query.truth];
    let mut files = 0;
    let mut short = 0;
    let room = query.answer.map(|answer| answer.hits);
    for (rank, (_, at)) in ranked.iter().enumerate() {
        let file = query.hits[*at as usize].file as usize;
        if !std::mem::replace(&mut seen[file], true) {
            for target in &query.files[file].is {
                if in_files[usize::from(*target)].is_none() {
                    in_files[usize::from(*target)] = Some(files);
                    short += usize::from(room.is_some_and(|room| rank < room));
                }
            }
            files += 1;
        }
    }
    let share = |count: usize| count as f64 / query.truth.max(1) as f64;
    let within = |depth: usize| share(in_files.iter().flatten().filter(|r| **r < depth).count());
    let first = in_files.iter().flatten().min();
    Figures {
        ndcg10: ndcg(&ranks),
        files_ndcg10: ndcg(&in_files),
        files_mrr: first.map_or(0.0, |rank| 1.0 / (*rank as f64 + 1.0)),
        recall5: within(5),
        recall10: within(10),
        recall20: within(20),
        within: room.map(|_| share(short)),
    }
}

/// NDCG@10 of targets of equal worth at these ranks, as `score` has it.
fn ndcg(ranks: &[Option<usize>]) -> f64 {
    let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let found = ranks.iter().flatten().filter(|rank| **rank < DEPTH);
    let ideal: f64 = (0..ranks.len().min(DEPTH)).map(gain).sum();
    match ranks.is_empty() {
        true => 0.0,
        false => found.map(|rank| gain(*rank)).sum::<f64>() / ideal,
    }
}

/// The figures of every query of a table.
pub fn all(table: &Table, model: &Model) -> Vec<Figures> {
    let mut ranker = Ranker::default();
    let each = table
        .queries
        .iter()
        .map(|query| figures(query, model, &mut ranker));
    each.collect()
}

/// The mean of some differences and its standard error.
pub fn difference(with: &[f64], without: &[f64]) -> (f64, f64) {
    let count = with.len().max(1) as f64;
    let differences: Vec<f64> = with.iter().zip(without).map(|(a, b)| a - b).collect();
    let mean = differences.iter().sum::<f64>() / count;
    let spread = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>();
    (mean, (spread / (count - 1.0).max(1.0) / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::candidates::OneAnswer;
    use super::super::model::tests::{model, query};
    use super::*;
    use crate::contender::{Found, Span};
    use crate::score::score;
    use crate::task::{Question, Target};

    #[test]
    fn figures_are_those_of_the_score() {
        // The target's file is second, its chunk third: another chunk of the file comes first.
        let mut query = query(&[[0.5, 0.0], [1.0, 0.0], [0.95, 0.0]]);
        query.hits[2].file = 0;
        query.files[0].shares = vec![0.95, 0.0];
        query.files.pop();
        let mut ranker = Ranker::default();
        let found = figures(&query, &model([1.0, 1.0]), &mut ranker);
        let span = |path: &str, line| Span {
            path: path.to_owned(),
            lines: Some((line, line)),
        };
        let question = Question::Locate {
            query: String::new(),
            truth: vec![Target {
                path: "a".to_owned(),
                span: Some((1, 1)),
            }],
            depth: 10,
        };
        let spans = Found::Spans(vec![span("b", 1), span("a", 9), span("a", 1)]);
        let truth = score(&question, &spans);
        assert_eq!(Some(found.ndcg10), truth.ndcg10);
        assert_eq!(found.ndcg10, 0.5);
        assert_eq!((found.files_mrr, found.recall5), (0.5, 1.0));
        assert!((found.files_ndcg10 - 1.0 / 3f64.log2()).abs() < 1e-12);
    }

    #[test]
    fn a_short_answer_holds_the_first_hits() {
        let mut query = query(&[[0.5, 0.0], [1.0, 0.0]]);
        let mut ranker = Ranker::default();
        let mut within = |hits| {
            query.answer = Some(OneAnswer {
                tokens: 9,
                hits,
                recall: 0.0,
            });
            figures(&query, &model([1.0, 1.0]), &mut ranker).within
        };
        assert_eq!((within(1), within(2)), (Some(0.0), Some(1.0)));
    }

    #[test]
    fn differences_have_the_error_of_pairs() {
        let (mean, error) = difference(&[1.0, 0.5, 0.0], &[0.5, 0.5, 0.5]);
        assert_eq!(mean, 0.0);
        // Spread .5 over two degrees of freedom and three pairs.
        assert!((error - (0.25f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
