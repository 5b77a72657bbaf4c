//! What came out, as lines for the report and for the terminal.

use super::ablation::{name, rounded, sets};
use super::ascent::{Goal, Parameter};
use super::candidates::{Query, Table};
use super::measure::{Figures, figures};
use super::model::{Model, Ranker};
use git_sverklo::query::search::kind::QueryKind;
use serde_json::{Value, json};

/// A line for every parameter: what it was, what it became, and how far the folds agree on it.
pub fn weights(
    table: &Table,
    base: &Model,
    whole: &Model,
    parts: &[Model],
    free: &[Parameter],
    fit: &str,
) -> Vec<Value> {
    let line = |parameter: &Parameter| {
        let (kind, what) = match parameter {
            Parameter::Weight(kind, channel) => (
                label(*kind),
                format!("channel {}", table.channels[*channel]),
            ),
            Parameter::OfFile => ("all", "rule of file".to_owned()),
            Parameter::Further => ("all", "rule further hits".to_owned()),
        };
        let of_parts: Vec<f64> = parts.iter().map(|model| parameter.get(model)).collect();
        let mean = of_parts.iter().sum::<f64>() / of_parts.len().max(1) as f64;
        let spread = of_parts
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>();
        let spread = (spread / of_parts.len().max(1) as f64).sqrt();
        json!({
            "bench": "weight", "fit": fit, "kind": kind, "what": what,
            "before": rounded(parameter.get(base)), "after": rounded(parameter.get(whole)),
            "folds_mean": rounded(mean), "folds_sd": rounded(spread),
        })
    };
    free.iter().map(line).collect()
}

fn label(kind: usize) -> &'static str {
    match QueryKind::ALL[kind] {
        QueryKind::Symbol => "symbol",
        QueryKind::Keywords => "keywords",
        QueryKind::Question => "question",
    }
}

/// A line for every set, and for the repositories that a fold left out: figures before and after.
pub fn gains(
    table: &Table,
    base: &Model,
    whole: &Model,
    held: &[(&Model, &[String])],
    fit: &str,
    wants: impl Fn(&Query) -> bool,
) -> Vec<Value> {
    let mut ranker = Ranker::default();
    let mut line = |on: &str, goals: (f64, f64), pairs: Vec<(&Query, &Model)>| {
        let before: Vec<Figures> = pairs
            .iter()
            .map(|(query, _)| figures(query, base, &mut ranker))
            .collect();
        let after: Vec<Figures> = pairs
            .iter()
            .map(|(query, model)| figures(query, model, &mut ranker))
            .collect();
        json!({
            "bench": "fit", "fit": fit, "on": on, "tasks": pairs.len(),
            "goal_before": goals.0, "goal_after": goals.1,
            "before": Figures::mean(&before), "after": Figures::mean(&after),
        })
    };
    let mut lines = Vec::new();
    for set in sets(table) {
        let of_set = |query: &Query| name(query) == set;
        let goal = Goal::new(table, of_set);
        let queries = table.queries.iter().filter(|query| of_set(query));
        let pairs = queries.map(|query| (query, whole)).collect();
        lines.push(line(&set, (goal.value(base), goal.value(whole)), pairs));
    }
    let mut pairs = Vec::new();
    let mut goals = (0.0, 0.0);
    for (model, repos) in held {
        let left_out = |query: &Query| wants(query) && repos.contains(&query.repo);
        let goal = Goal::new(table, left_out);
        goals.0 += goal.value(base) / held.len() as f64;
        goals.1 += goal.value(model) / held.len() as f64;
        let queries = table.queries.iter().filter(|query| left_out(query));
        pairs.extend(queries.map(|query| (query, *model)));
    }
    lines.push(line("held out", goals, pairs));
    lines
}

/// Prints a line of [`weights`] or [`gains`].
pub fn print(line: &Value) {
    let number = |value: &Value| value.as_f64().map_or(String::new(), |v| format!("{v:.3}"));
    let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
    if line["bench"] == "weight" {
        println!(
            "{:<16} {:<9} {:<22} {:>7} -> {:>7}  folds {} +- {}",
            text("fit"),
            text("kind"),
            text("what"),
            number(&line["before"]),
            number(&line["after"]),
            number(&line["folds_mean"]),
            number(&line["folds_sd"]),
        );
        return;
    }
    let pair = |key: &str| {
        format!(
            "{key} {} -> {}",
            number(&line["before"][key]),
            number(&line["after"][key])
        )
    };
    println!(
        "{:<16} on {:<22} {:>5}  goal {} -> {}  {}",
        text("fit"),
        text("on"),
        line["tasks"],
        number(&line["goal_before"]),
        number(&line["goal_after"]),
        ["ndcg10", "files_ndcg10", "files_mrr", "recall10", "within"]
            .map(pair)
            .join("  ")
    );
}

/// Prints a line of a whole set of the ablation.
pub fn print_ablation(line: &Value) {
    if line["by"] != "" {
        return;
    }
    let number = |key: &str| {
        line[key]
            .as_f64()
            .map_or("-".to_owned(), |v| format!("{v:.3}"))
    };
    let without = line["without"]
        .as_str()
        .filter(|w| !w.is_empty())
        .unwrap_or("(nothing)");
    println!(
        "{:<22} without {without:<20} {:>5}  ndcg {} files {} mrr {}  recall {} {} {}  within {} ({})  lost {} +- {}",
        line["set"].as_str().unwrap_or_default(),
        line["tasks"],
        number("ndcg10"),
        number("files_ndcg10"),
        number("files_mrr"),
        number("recall5"),
        number("recall10"),
        number("recall20"),
        number("within"),
        number("answer_recall"),
        number("lost"),
        number("lost_se"),
    );
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::{model, query};
    use super::*;

    #[test]
    fn a_weight_is_as_sure_as_the_folds_agree() {
        let table = Table {
            channels: vec!["text".to_owned(), "name".to_owned()],
            queries: vec![query(&[[1.0, 0.0]])],
        };
        let parts = [model([1.0, 0.5]), model([1.0, 1.5])];
        let free = [Parameter::Weight(2, 1), Parameter::OfFile];
        let lines = weights(
            &table,
            &model([1.0, 1.0]),
            &model([1.0, 1.25]),
            &parts,
            &free,
            "f",
        );
        assert_eq!(
            (&lines[0]["kind"], &lines[0]["what"]),
            (&json!("question"), &json!("channel name"))
        );
        assert_eq!(
            (&lines[0]["folds_mean"], &lines[0]["folds_sd"]),
            (&json!(1.0), &json!(0.5))
        );
        assert_eq!(
            (&lines[0]["after"], &lines[1]["folds_sd"]),
            (&json!(1.25), &json!(0.0))
        );
    }

    #[test]
    fn what_was_left_out_is_judged_by_the_model_that_did_not_see_it() {
        let table = Table {
            channels: vec!["text".to_owned(), "name".to_owned()],
            queries: vec![query(&[[0.5, 1.0], [1.0, 0.0]])],
        };
        let (bad, good) = (model([1.0, 0.0]), model([1.0, 1.0]));
        let repos = ["r".to_owned()];
        let lines = gains(&table, &bad, &good, &[(&bad, &repos)], "f", |_| true);
        let after = |on: &str| {
            let line = lines.iter().find(|line| line["on"] == on).unwrap();
            line["after"]["ndcg10"].as_f64().unwrap()
        };
        assert_eq!(after("s (fitted)"), 1.0);
        assert!(after("held out") < 1.0);
    }
}
