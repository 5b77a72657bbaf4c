//! The program's formula with its constants as parameters: what order would other weights give?

use super::candidates::{Query, Table};
use git_sverklo::query::search::kind::QueryKind;
use std::collections::BTreeMap;

/// Hits of one file in an answer, as the program has it.
const MOST_OF_A_FILE: usize = 3;

/// Everything that is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Weights by kind of query and channel. Only their ratios within a kind count.
    pub weights: Vec<Vec<f64>>,
    /// What a chunk's file says, against what the chunk says.
    pub of_file: f64,
    /// Factor on the score of a file's second hit, squared for its third.
    pub further: f64,
    /// Factors by role; a role that is not here, and one that was asked for, has 1.
    pub roles: BTreeMap<String, f64>,
}

impl Model {
    /// The constants of the program that made a table, read off its own explanations; weights are
    /// those against the table's unit.
    pub fn of_program(table: &Table, of_file: f64, further: f64) -> Self {
        let count = table.channels.len();
        let most = table.unit();
        let mut weights = vec![vec![0.0; count]; QueryKind::ALL.len()];
        for query in &table.queries {
            let Some(whole) = query.weights.get(most).filter(|w| **w > 0.0) else {
                continue;
            };
            for (channel, weight) in query.weights.iter().enumerate().filter(|(_, w)| **w > 0.0) {
                weights[query.kind][channel] = weight / whole;
            }
        }
        let mut roles = BTreeMap::new();
        for file in table.queries.iter().flat_map(|query| &query.files) {
            if file.factor < 1.0 {
                roles.insert(file.role.clone(), file.factor);
            }
        }
        Self {
            weights,
            of_file,
            further,
            roles,
        }
    }
}

/// The order that a model gives, with room that is used again.
#[derive(Default)]
pub struct Ranker {
    of_file: Vec<f64>,
    seen: Vec<usize>,
    ranked: Vec<(f64, u32)>,
}

impl Ranker {
    /// Hits of a query as places in its list, best first, with their scores.
    pub fn rank(&mut self, query: &Query, model: &Model) -> &[(f64, u32)] {
        let weights = &model.weights[query.kind];
        let of = |channel: usize| weights.get(channel).copied().unwrap_or(0.0);
        let present = (0..query.weights.len()).filter(|channel| query.weights[*channel] > 0.0);
        let whole: f64 = present.map(of).sum::<f64>().max(f64::MIN_POSITIVE);
        let sum = |shares: &[f64]| {
            let weighed = shares
                .iter()
                .zip(weights)
                .map(|(share, weight)| share * weight);
            weighed.sum::<f64>() / whole
        };
        self.of_file.clear();
        self.of_file
            .extend(query.files.iter().map(|file| sum(&file.shares)));
        self.ranked.clear();
        for (hit, at) in query.hits.iter().zip(0u32..) {
            let file = &query.files[hit.file as usize];
            let of_file = self.of_file[hit.file as usize];
            let score = (sum(&hit.shares) + model.of_file * of_file) / (1.0 + model.of_file);
            let asked_for = file.factor >= 1.0;
            let role = match asked_for {
                true => 1.0,
                false => model.roles.get(&file.role).copied().unwrap_or(1.0),
            };
            if score > 0.0 {
                self.ranked.push((score * role, at));
            }
        }
        // Hits are in the order of equals.
        self.ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.seen.clear();
        self.seen.resize(query.files.len(), 0);
        let seen = &mut self.seen;
        self.ranked.retain_mut(|(score, at)| {
            let earlier = &mut seen[query.hits[*at as usize].file as usize];
            *score *= model.further.powi(*earlier as i32);
            *earlier += 1;
            *earlier <= MOST_OF_A_FILE
        });
        self.ranked
            .sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        &self.ranked
    }
}

/// How many queries a model gives the program's own scores, of how many with a hit: all, if it is the
/// program's formula with the program's constants.
pub fn agreeing(table: &Table, model: &Model) -> (usize, usize) {
    let mut ranker = Ranker::default();
    let found = table.queries.iter().filter(|query| !query.hits.is_empty());
    let mut counts = (0, 0);
    for query in found {
        let ranked = ranker.rank(query, model);
        let agrees =
            |(score, at): &(f64, u32)| (query.hits[*at as usize].score - score).abs() < 1e-9;
        counts.0 += usize::from(ranked.len() == query.hits.len() && ranked.iter().all(agrees));
        counts.1 += 1;
    }
    counts
}

impl Table {
    /// The channel that most queries have, of equals the first: its weight is the unit of the others.
    pub fn unit(&self) -> usize {
        let has = |channel: usize| {
            let said = |query: &&Query| query.weights.get(channel).is_some_and(|w| *w > 0.0);
            self.queries.iter().filter(said).count()
        };
        let channels = (0..self.channels.len()).rev();
        channels.max_by_key(|channel| has(*channel)).unwrap_or(0)
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::candidates::{File, Hit};
    use super::*;

    /// A query about files with one hit each, by the shares of two channels; the first is meant.
    pub fn query(shares: &[[f64; 2]]) -> Query {
        let each = shares.iter().zip(0u32..);
        Query {
            fitted: true,
            set: "s".to_owned(),
            repo: "r".to_owned(),
            lang: String::new(),
            category: String::new(),
            kind: 0,
            truth: 1,
            weights: vec![0.75, 0.25],
            files: shares
                .iter()
                .enumerate()
                .map(|(at, shares)| File {
                    role: String::new(),
                    factor: 1.0,
                    shares: shares.to_vec(),
                    is: if at == 0 { vec![0] } else { Vec::new() },
                })
                .collect(),
            hits: each
                .map(|(shares, at)| Hit {
                    file: at,
                    shares: shares.to_vec(),
                    is: if at == 0 { vec![0] } else { Vec::new() },
                    score: 0.0,
                })
                .collect(),
            answer: None,
        }
    }

    pub fn model(weights: [f64; 2]) -> Model {
        Model {
            weights: vec![weights.to_vec(); QueryKind::ALL.len()],
            of_file: 2.0,
            further: 0.4,
            roles: BTreeMap::new(),
        }
    }

    fn order(query: &Query, model: &Model) -> Vec<u32> {
        Ranker::default()
            .rank(query, model)
            .iter()
            .map(|(_, at)| *at)
            .collect()
    }

    #[test]
    fn weights_decide_the_order_and_what_scores_nothing_is_left_out() {
        let query = query(&[[0.5, 1.0], [1.0, 0.0], [0.0, 0.25]]);
        assert_eq!(order(&query, &model([3.0, 1.0])), [1, 0, 2]);
        assert_eq!(order(&query, &model([1.0, 1.0])), [0, 1, 2]);
        assert_eq!(order(&query, &model([1.0, 0.0])), [1, 0]);
    }

    #[test]
    fn a_files_further_hits_lose_and_the_fourth_is_gone() {
        let mut query = query(&[[1.0, 0.0], [0.9, 0.0], [0.8, 0.0], [0.7, 0.0], [0.5, 0.0]]);
        for hit in &mut query.hits[..4] {
            hit.file = 0;
        }
        // .9 with its file's 1 is .967, of which .4 is left; .5 alone is .5.
        assert_eq!(order(&query, &model([1.0, 1.0])), [0, 4, 1, 2]);
    }

    #[test]
    fn a_role_counts_unless_it_was_asked_for() {
        let mut query = query(&[[1.0, 0.0], [0.9, 0.0]]);
        query.files[0].role = "test".to_owned();
        let mut model = model([1.0, 1.0]);
        model.roles.insert("test".to_owned(), 0.5);
        assert_eq!(order(&query, &model), [0, 1]);
        query.files[0].factor = 0.5;
        assert_eq!(order(&query, &model), [1, 0]);
    }

    #[test]
    fn the_constants_of_the_program_are_read_off_its_explanations() {
        let mut one = query(&[[1.0, 0.5]]);
        one.hits[0].score = 0.75 + 0.125;
        let table = Table {
            channels: vec!["text".to_owned(), "name".to_owned()],
            queries: vec![one],
        };
        let program = Model::of_program(&table, 2.0, 0.4);
        assert!((program.weights[0][1] - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(agreeing(&table, &program), (1, 1));
        assert_eq!(agreeing(&table, &model([1.0, 1.0])), (0, 1));
    }
}
