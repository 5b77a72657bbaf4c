//! What is each channel and each rule worth? The program's order, and the order without one of them,
//! the others as they are.

use super::candidates::{Query, Table};
use super::measure::{Figures, all, difference};
use super::model::Model;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Factors on a channel's weight whose effect is recorded.
const SWEEP: [f64; 9] = [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0];
/// What is said of a set that weights are chosen on.
const FITTED: &str = " (fitted)";

/// What is left out, with the model that lacks it; first the whole.
fn variants(table: &Table, base: &Model) -> Vec<(String, Model)> {
    let mut variants = vec![(String::new(), base.clone())];
    for (at, name) in table.channels.iter().enumerate() {
        let mut model = base.clone();
        model
            .weights
            .iter_mut()
            .for_each(|weights| weights[at] = 0.0);
        variants.push((format!("channel {name}"), model));
    }
    let mut rule = |name: &str, change: fn(&mut Model)| {
        let mut model = base.clone();
        change(&mut model);
        variants.push((format!("rule {name}"), model));
    };
    rule("roles", |model| model.roles.clear());
    rule("further hits", |model| model.further = 1.0);
    rule("of file", |model| model.of_file = 0.0);
    variants
}

/// A line for every variant and group of queries: means, and what is lost against the whole.
pub fn lines(table: &Table, base: &Model) -> Vec<Value> {
    let whole = all(table, base);
    let mut lines = Vec::new();
    for (without, model) in variants(table, base) {
        let figures = all(table, &model);
        for (set, by, group, places) in groups(table) {
            let pick = |all: &[Figures]| places.iter().map(|at| all[*at]).collect::<Vec<_>>();
            let (with, these) = (pick(&whole), pick(&figures));
            let goals = |all: &[Figures]| all.iter().map(main(&set)).collect::<Vec<_>>();
            let (lost, error) = difference(&goals(&with), &goals(&these));
            let mut line = json!({
                "bench": "ablation", "without": without, "set": set, "by": by, "group": group,
                "tasks": places.len(), "lost": rounded(lost), "lost_se": rounded(error),
            });
            put(&mut line, &Figures::mean(&these));
            if without.is_empty() {
                put_answer(&mut line, table, &places);
            }
            lines.push(line);
        }
    }
    lines
}

/// The figure that a set is judged by here: NDCG@10 as published, or of files where files are asked.
fn main(set: &str) -> fn(&Figures) -> f64 {
    match set {
        "swe" => |figures| figures.recall10,
        "history" => |figures| figures.files_ndcg10,
        _ => |figures| figures.ndcg10,
    }
}

fn put(line: &mut Value, figures: &Figures) {
    if let Ok(Value::Object(map)) = serde_json::to_value(figures) {
        for (key, value) in map {
            line[key] = rounded(value.as_f64().unwrap_or(0.0));
        }
    }
}

/// With as many digits as a thousand questions can tell.
pub fn rounded(value: f64) -> Value {
    json!((value * 1e5).round() / 1e5)
}

/// What one short answer was measured to hold.
fn put_answer(line: &mut Value, table: &Table, places: &[usize]) {
    let answers = places.iter().filter_map(|at| table.queries[*at].answer);
    let answers: Vec<_> = answers.collect();
    if !answers.is_empty() {
        let mean = |sum: f64| sum / answers.len() as f64;
        line["answer_recall"] = rounded(mean(answers.iter().map(|a| a.recall).sum()));
        line["answer_tokens"] = rounded(mean(answers.iter().map(|a| a.tokens as f64).sum()));
        line["answer_hits"] = rounded(mean(answers.iter().map(|a| a.hits as f64).sum()));
    }
}

/// The queries by set; within it those that are never fitted on by category, language and number of
/// targets, and commits by repository.
fn groups(table: &Table) -> Vec<(String, String, String, Vec<usize>)> {
    type Key = fn(&Query) -> String;
    let kinds: [(&str, Key); 5] = [
        ("", |_| String::new()),
        ("category", |query| query.category.clone()),
        ("language", |query| query.lang.clone()),
        ("repository", |query| query.repo.clone()),
        ("targets", |query| match query.truth {
            1 => "1".to_owned(),
            2 | 3 => "2 to 3".to_owned(),
            _ => "4 and more".to_owned(),
        }),
    ];
    let mut groups = Vec::new();
    for set in sets(table) {
        let of_set: Vec<usize> = (0..table.queries.len())
            .filter(|at| name(&table.queries[*at]) == set)
            .collect();
        for (by, key) in kinds {
            let keys: BTreeSet<String> = of_set.iter().map(|at| key(&table.queries[*at])).collect();
            let told_apart = by.is_empty() || keys.len() > 1 && !set.ends_with(FITTED);
            if !told_apart || by == "repository" && set != "history" {
                continue;
            }
            for group in keys {
                let of_group = of_set
                    .iter()
                    .copied()
                    .filter(|at| key(&table.queries[*at]) == group);
                groups.push((
                    set.clone(),
                    by.to_owned(),
                    group.clone(),
                    of_group.collect(),
                ));
            }
        }
    }
    groups
}

/// The name of a query's set; those that are fitted on are told apart.
pub fn name(query: &Query) -> String {
    match query.fitted {
        true => format!("{}{FITTED}", query.set),
        false => query.set.clone(),
    }
}

/// Names of all sets.
pub fn sets(table: &Table) -> BTreeSet<String> {
    table.queries.iter().map(name).collect()
}

/// Each set's figures as one channel's weight grows from nothing.
pub fn sweeps(table: &Table, base: &Model) -> Vec<Value> {
    let mut lines = Vec::new();
    for (channel, name_of_channel) in table.channels.iter().enumerate() {
        for factor in SWEEP {
            let mut model = base.clone();
            model
                .weights
                .iter_mut()
                .for_each(|weights| weights[channel] *= factor);
            let figures = all(table, &model);
            for set in sets(table) {
                let of_set = table.queries.iter().zip(&figures);
                let of_set = of_set
                    .filter(|(query, _)| name(query) == set)
                    .map(|(_, f)| *f);
                let of_set: Vec<Figures> = of_set.collect();
                let mut line = json!({
                    "bench": "sweep", "channel": name_of_channel, "factor": factor, "set": set,
                });
                put(&mut line, &Figures::mean(&of_set));
                lines.push(line);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::{model, query};
    use super::*;

    #[test]
    fn a_channel_is_worth_what_is_lost_without_it() {
        let mut right = query(&[[0.5, 1.0], [1.0, 0.0]]);
        right.fitted = false;
        let table = Table {
            channels: vec!["text".to_owned(), "name".to_owned()],
            queries: vec![right],
        };
        let lines = lines(&table, &model([1.0, 1.0]));
        let lost = |without: &str| {
            let line = lines
                .iter()
                .find(|line| line["without"] == without)
                .unwrap();
            line["lost"].as_f64().unwrap()
        };
        assert_eq!(lost(""), 0.0);
        assert!((lost("channel name") - (1.0 - 1.0 / 3f64.log2())).abs() < 1e-4);
        assert_eq!(lost("channel text"), 0.0);
        assert_eq!(lost("rule roles"), 0.0);
        let sweep = sweeps(&table, &model([1.0, 1.0]));
        let at = |factor: f64| {
            let of = |line: &&Value| line["channel"] == "name" && line["factor"] == factor;
            sweep.iter().find(of).unwrap()["ndcg10"].as_f64().unwrap()
        };
        assert!(at(0.0) < 1.0 && at(1.0) == 1.0);
    }
}
