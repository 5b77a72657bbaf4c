//! Coordinate ascent: one parameter after another is tried larger and smaller, and the best value is
//! kept, until none helps. The goal is the mean of repositories within a set, and of sets: neither a
//! large repository nor a set with many questions decides alone.

use super::candidates::{Query, Table};
use super::measure::figures;
use super::model::{Model, Ranker};
use std::collections::BTreeMap;

/// Factors that a parameter is tried with.
const STEPS: [f64; 8] = [0.0, 0.5, 0.7, 0.85, 1.2, 1.4, 2.0, 3.0];
/// What a weight of 0 is tried with, against the heaviest channel's 1.
const FROM_NOTHING: [f64; 3] = [0.05, 0.15, 0.4];
/// Gains below this are noise: with a thousand questions one rank of one of them is as much.
const LEAST_GAIN: f64 = 3e-4;
/// Rounds over all parameters; it never took as many.
const ROUNDS: usize = 8;

/// One number of a model.
///
/// Roles are none of them: the truths that weights are fitted on are product files by the way they are
/// made, and any fit would make all else worthless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameter {
    /// Of a kind of query and a channel.
    Weight(usize, usize),
    OfFile,
    Further,
}

impl Parameter {
    /// All of a model but the weights of the heaviest channel: that is the unit.
    pub fn of(model: &Model, fixed: &[usize]) -> Vec<Self> {
        let mut all = Vec::new();
        for (kind, weights) in model.weights.iter().enumerate() {
            let free = (0..weights.len()).filter(|channel| !fixed.contains(channel));
            all.extend(free.map(|channel| Self::Weight(kind, channel)));
        }
        all.extend([Self::OfFile, Self::Further]);
        all
    }

    /// Its value.
    pub fn get(&self, model: &Model) -> f64 {
        match self {
            Self::Weight(kind, channel) => model.weights[*kind][*channel],
            Self::OfFile => model.of_file,
            Self::Further => model.further,
        }
    }

    /// Sets its value.
    pub fn set(&self, model: &mut Model, value: f64) {
        match self {
            Self::Weight(kind, channel) => model.weights[*kind][*channel] = value,
            Self::OfFile => model.of_file = value,
            Self::Further => model.further = value.min(1.0),
        }
    }

    /// Whether it takes part in a query's order.
    fn touches(&self, query: &Query) -> bool {
        match self {
            Self::Weight(kind, channel) => {
                query.kind == *kind && query.weights.get(*channel).is_some_and(|w| *w > 0.0)
            }
            Self::OfFile | Self::Further => true,
        }
    }
}

/// What is to be made large: the questions with their shares in the mean.
pub struct Goal<'a> {
    queries: Vec<(&'a Query, f64)>,
}

impl<'a> Goal<'a> {
    /// Of the queries that are wanted. Sets count alike, and within a set repositories.
    pub fn new(table: &'a Table, wanted: impl Fn(&Query) -> bool) -> Self {
        let wanted: Vec<&Query> = table.queries.iter().filter(|query| wanted(query)).collect();
        let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for query in &wanted {
            *counts
                .entry(&query.set)
                .or_default()
                .entry(&query.repo)
                .or_default() += 1;
        }
        let sets = counts.len();
        let share = |query: &Query| {
            let repos = &counts[query.set.as_str()];
            1.0 / (sets * repos.len() * repos[query.repo.as_str()]) as f64
        };
        let queries = wanted.iter().map(|query| (*query, share(query))).collect();
        Self { queries }
    }

    /// How well a model does.
    pub fn value(&self, model: &Model) -> f64 {
        let mut ranker = Ranker::default();
        self.each(model, &mut ranker).iter().sum()
    }

    fn each(&self, model: &Model, ranker: &mut Ranker) -> Vec<f64> {
        let each = self.queries.iter();
        each.map(|(query, share)| share * figures(query, model, ranker).goal())
            .collect()
    }

    /// The best model that is reached from this one by moving the free parameters.
    pub fn climb(&self, from: &Model, free: &[Parameter]) -> Model {
        let mut ranker = Ranker::default();
        let mut best = from.clone();
        let mut values = self.each(&best, &mut ranker);
        for _ in 0..ROUNDS {
            let mut moved = false;
            for parameter in free {
                let now = parameter.get(&best);
                let touched: Vec<usize> = (0..self.queries.len())
                    .filter(|at| parameter.touches(self.queries[*at].0))
                    .collect();
                let before: f64 = touched.iter().map(|at| values[*at]).sum();
                let tried: Vec<f64> = match now > 0.0 {
                    true => STEPS.iter().map(|step| now * step).collect(),
                    false => FROM_NOTHING.to_vec(),
                };
                let mut found: Option<(f64, Model, Vec<f64>)> = None;
                for value in tried {
                    let mut model = best.clone();
                    parameter.set(&mut model, value);
                    if parameter.get(&model) == now {
                        continue;
                    }
                    let new: Vec<f64> = touched
                        .iter()
                        .map(|at| {
                            let (query, share) = self.queries[*at];
                            share * figures(query, &model, &mut ranker).goal()
                        })
                        .collect();
                    let gain = new.iter().sum::<f64>() - before;
                    if gain > LEAST_GAIN && found.as_ref().is_none_or(|(most, ..)| gain > *most) {
                        found = Some((gain, model, new));
                    }
                }
                if let Some((_, model, new)) = found {
                    best = model;
                    for (at, value) in touched.into_iter().zip(new) {
                        values[at] = value;
                    }
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
        best
    }
}

/// Repositories in so many parts, of which each is left out once. Those of all sets count as one.
pub fn folds(table: &Table, count: usize, wanted: impl Fn(&Query) -> bool) -> Vec<Vec<String>> {
    let wanted = table.queries.iter().filter(|query| wanted(query));
    let mut repos: Vec<&str> = wanted.map(|query| query.repo.as_str()).collect();
    repos.sort_unstable();
    repos.dedup();
    let mut folds = vec![Vec::new(); count.min(repos.len())];
    for (at, repo) in repos.iter().enumerate() {
        let fold = at % folds.len();
        folds[fold].push((*repo).to_owned());
    }
    folds
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::{model, query};
    use super::*;

    fn table(queries: Vec<Query>) -> Table {
        Table {
            channels: vec!["text".to_owned(), "name".to_owned()],
            queries,
        }
    }

    #[test]
    fn a_weight_that_helps_is_found_and_one_that_harms_is_lost() {
        // The second channel is right, the first is wrong.
        let right = table(vec![query(&[[0.5, 1.0], [1.0, 0.0]])]);
        let goal = Goal::new(&right, |_| true);
        let start = model([1.0, 0.4]);
        let free = Parameter::of(&start, &[0]);
        let best = goal.climb(&start, &free);
        assert!(best.weights[0][1] > 0.5, "{best:?}");
        assert!(goal.value(&best) > goal.value(&start));
        let wrong = table(vec![query(&[[1.0, 0.0], [0.9, 1.0]])]);
        let best = Goal::new(&wrong, |_| true).climb(&model([1.0, 1.0]), &free);
        assert!(best.weights[0][1] < 0.1, "{best:?}");
        // What no query speaks of stays.
        assert_eq!(best.weights[1][1], 1.0);
    }

    #[test]
    fn repositories_and_sets_count_alike() {
        let one = |set: &str, repo: &str, right: bool| {
            let mut one = query(&[[1.0, 0.0], [0.5, 0.0]]);
            (one.set, one.repo) = (set.to_owned(), repo.to_owned());
            if !right {
                one.hits[0].is.clear();
                one.files[0].is.clear();
            }
            one
        };
        let table = table(vec![
            one("a", "x", true),
            one("a", "y", false),
            one("a", "y", false),
            one("a", "y", false),
            one("b", "x", false),
        ]);
        assert_eq!(Goal::new(&table, |_| true).value(&model([1.0, 1.0])), 0.25);
        assert_eq!(
            Goal::new(&table, |q| q.set == "a").value(&model([1.0, 1.0])),
            0.5
        );
        assert_eq!(folds(&table, 5, |_| true), [["x"], ["y"]]);
    }
}
