//! What each channel and rule of search is worth, and the weights that were fitted.

use super::aggregate::group;
use super::quality::folded;
use super::read::{Figures, Raw};
use super::table::{Table, plural, share, whole};
use std::collections::BTreeMap;

/// Figures of an ablation, by title and key.
const FIGURES: [(&str, &str); 7] = [
    ("NDCG@10", "ndcg10"),
    ("one result a file", "files_ndcg10"),
    ("MRR of files", "files_mrr"),
    ("R@5", "recall5"),
    ("R@10", "recall10"),
    ("R@20", "recall20"),
    ("R in 1,500 tokens", "within"),
];
/// What is said of a set that weights were chosen on.
const FITTED: &str = " (fitted)";

/// The section of the page.
pub fn render(raw: &Raw) -> String {
    if raw.ablation.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "## Channels, rules and weights of search\n\n\
         Every question is asked once with `--explain`; the other orders are computed from what each \
         channel said of each result. *Lost* is what the figure in bold loses without the channel or rule, \
         the other weights as they are, with the standard error of the paired differences: less than \
         twice that tells nothing. *R in 1,500 tokens* counts as many hits as one answer of that size \
         holds.\n",
    );
    let sets = group(&raw.ablation, |line| line.text("set"));
    for (set, lines) in sets.iter().filter(|(set, _)| !set.ends_with(FITTED)) {
        out.push_str(&of_set(set, lines));
    }
    out.push_str(&fitted(raw));
    out
}

/// The key of the figure that a set is judged by; `benchmark/fit/ablation.rs` has the same.
fn main(set: &str) -> &'static str {
    match set.trim_end_matches(FITTED) {
        "swe" => "recall10",
        "history" => "files_ndcg10",
        _ => "ndcg10",
    }
}

fn of_set(set: &str, lines: &[&Figures]) -> String {
    let whole_set: Vec<&&Figures> = lines.iter().filter(|l| l.text("by").is_empty()).collect();
    let mut head = vec!["without".to_owned()];
    head.extend(FIGURES.iter().map(|(title, key)| match *key == main(set) {
        true => format!("**{title}**"),
        false => (*title).to_owned(),
    }));
    head.push("lost".to_owned());
    let mut table = Table::new(1, &head);
    let mut rows: Vec<&&Figures> = whole_set.clone();
    rows.sort_by_key(|line| order(line.text("without")));
    for line in rows {
        let without = match line.text("without") {
            "" => "nothing",
            without => without,
        };
        let cells = FIGURES.iter().map(|(_, key)| share(line.number(key)));
        let row = std::iter::once(without.to_owned()).chain(cells);
        table.row(row.chain([lost(line)]));
    }
    let base = whole_set
        .iter()
        .find(|line| line.text("without").is_empty());
    let tasks = base.and_then(|line| line.number("tasks")).unwrap_or(0.0);
    let mut out = format!(
        "\n### Set `{set}`: {}\n\n{}",
        plural(tasks as usize, "question", "questions"),
        table.render()
    );
    if let Some(line) = base.filter(|line| line.number("answer_recall").is_some()) {
        out.push_str(&format!(
            "\nMeasured, one answer of `search` over MCP with a budget of 1,500 tokens: recall {}, {} hits in {} \
             tokens (o200k) on average.\n",
            share(line.number("answer_recall")),
            whole(line.number("answer_hits")),
            whole(line.number("answer_tokens")),
        ));
    }
    for (by, lines) in group(lines.iter().copied(), |line| line.text("by")) {
        if !by.is_empty() {
            out.push_str(&folded(
                &format!("Set {set} by {by}"),
                &by_group(set, by, &lines),
            ));
        }
    }
    out
}

/// Channels before rules, after the whole.
fn order(without: &str) -> (bool, bool, String) {
    (
        !without.is_empty(),
        without.starts_with("rule"),
        without.to_owned(),
    )
}

fn lost(line: &Figures) -> String {
    match (
        line.text("without"),
        line.number("lost"),
        line.number("lost_se"),
    ) {
        ("", ..) | (_, None, _) | (_, _, None) => String::new(),
        (_, Some(lost), Some(error)) => format!("{:+.3} ± {error:.3}", lost + 0.0),
    }
}

/// A row a group: the whole, and what is lost without each channel and rule.
fn by_group(set: &str, by: &str, lines: &[&Figures]) -> Table {
    let mut without: Vec<&str> = lines.iter().map(|line| line.text("without")).collect();
    without.sort_by_key(|name| order(name));
    without.dedup();
    let mut head = vec![by, "questions"];
    head.extend(without.iter().map(|name| match *name {
        "" => "whole",
        name => name,
    }));
    let mut table = Table::new(1, &head);
    for (group, lines) in group(lines.iter().copied(), |line| line.text("group")) {
        let of = |name: &&str| lines.iter().find(|line| line.text("without") == *name);
        let cell = |name: &&str| match (*name, of(name)) {
            (_, None) => String::new(),
            ("", Some(line)) => share(line.number(main(set))),
            (_, Some(line)) => line
                .number("lost")
                .map_or(String::new(), |v| format!("{:+.3}", v + 0.0)),
        };
        let tasks = lines.first().and_then(|line| line.number("tasks"));
        let name = if group.is_empty() { "not said" } else { group };
        let first = [name.to_owned(), whole(tasks)];
        table.row(first.into_iter().chain(without.iter().map(cell)));
    }
    table
}

/// The weights, and what they would change.
fn fitted(raw: &Raw) -> String {
    if raw.weights.is_empty() {
        return String::new();
    }
    let mut fits: Vec<&str> = raw.weights.iter().map(|line| line.text("fit")).collect();
    fits.sort_unstable();
    fits.dedup();
    let mut head = vec!["kind of query", "what", "now"];
    head.extend(&fits);
    let mut table = Table::new(2, &head);
    let mut rows: BTreeMap<(&str, &str), BTreeMap<&str, &Figures>> = BTreeMap::new();
    for line in &raw.weights {
        let row = rows
            .entry((line.text("kind"), line.text("what")))
            .or_default();
        row.insert(line.text("fit"), line);
    }
    for ((kind, what), of_fits) in rows {
        let now = of_fits
            .values()
            .next()
            .and_then(|line| line.number("before"));
        let cell = |fit: &&str| {
            let line = of_fits.get(fit)?;
            let (after, sd) = (line.number("after")?, line.number("folds_sd")?);
            Some(format!("{after:.2} ± {sd:.2}"))
        };
        let first = [kind.to_owned(), what.to_owned(), share(now)];
        table.row(
            first
                .into_iter()
                .chain(fits.iter().map(|fit| cell(fit).unwrap_or_default())),
        );
    }
    let mut out = format!(
        "\n### Fitted weights\n\nBy coordinate ascent on commits and doc comments of repositories that are in no \
         set above, from the program's own weights; against the weight of the most frequent channel. After ± is \
         the standard deviation of fits that each leave a fifth of the repositories out.\n\n{}",
        table.render()
    );
    let mut table = Table::new(
        2,
        &[
            "fit",
            "on",
            "questions",
            "NDCG@10",
            "fitted",
            "one result a file",
            "fitted",
            "MRR of files",
            "fitted",
        ],
    );
    for line in &raw.fits {
        let pair = |key: &str| ["before", "after"].map(|when| share(line.nested(when, key)));
        let first = [
            line.text("fit").to_owned(),
            line.text("on").to_owned(),
            whole(line.number("tasks")),
        ];
        let figures = ["ndcg10", "files_ndcg10", "files_mrr"].map(pair);
        table.row(first.into_iter().chain(figures.into_iter().flatten()));
    }
    out.push_str(
        "\nWhat they would change; *held out* are the repositories that a fit left out:\n\n",
    );
    out.push_str(&table.render());
    let channels = group(&raw.sweeps, |line| line.text("channel"));
    for (channel, lines) in channels {
        let title = format!("Weight of `{channel}` times a factor, all else as it is");
        out.push_str(&folded(&title, &sweep(&lines)));
    }
    out
}

fn sweep(lines: &[&Figures]) -> Table {
    let mut sets: Vec<&str> = lines.iter().map(|line| line.text("set")).collect();
    sets.sort_unstable();
    sets.dedup();
    let mut head = vec!["factor"];
    head.extend(&sets);
    let mut table = Table::new(0, &head);
    let mut factors: Vec<f64> = lines
        .iter()
        .filter_map(|line| line.number("factor"))
        .collect();
    factors.sort_by(f64::total_cmp);
    factors.dedup();
    for factor in factors {
        let cell = |set: &&str| {
            let of = |line: &&&Figures| {
                line.text("set") == *set && line.number("factor") == Some(factor)
            };
            share(
                lines
                    .iter()
                    .find(of)
                    .and_then(|line| line.number(main(set))),
            )
        };
        table.row(std::iter::once(format!("{factor}")).chain(sets.iter().map(cell)));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn what_a_channel_is_worth_stands_beside_its_error() {
        let text = [
            r#"{"bench":"ablation","without":"","set":"ndcg","by":"","group":"","tasks":3,"ndcg10":0.875,"lost":0.0,"lost_se":0.0}"#,
            r#"{"bench":"ablation","without":"rule roles","set":"ndcg","by":"","group":"","tasks":3,"ndcg10":0.75,"lost":0.125,"lost_se":0.01}"#,
            r#"{"bench":"ablation","without":"channel path","set":"ndcg","by":"","group":"","tasks":3,"ndcg10":0.9,"lost":-0.025,"lost_se":0.02}"#,
            r#"{"bench":"ablation","without":"","set":"ndcg (fitted)","by":"","group":"","tasks":9,"ndcg10":0.1}"#,
            r#"{"bench":"weight","fit":"everything","kind":"question","what":"channel path","before":0.4,"after":0.25,"folds_sd":0.125}"#,
            r#"{"bench":"fit","fit":"everything","on":"held out","tasks":9,"before":{"ndcg10":0.5},"after":{"ndcg10":0.625}}"#,
        ];
        let raw = read::parse(&[("fit", text.join("\n"))]).unwrap();
        let page = render(&raw);
        assert!(page.contains("| nothing | 0.875 |"), "{page}");
        assert!(
            page.contains("| channel path | 0.900 | -0.025 ± 0.020 |"),
            "{page}"
        );
        assert!(page.find("channel path").unwrap() < page.find("rule roles").unwrap());
        assert!(
            page.contains("| question | channel path | 0.400 | 0.25 ± 0.12 |"),
            "{page}"
        );
        assert!(
            page.contains("| everything | held out | 9 | 0.500 | 0.625 |"),
            "{page}"
        );
        assert!(!page.contains("0.100"), "{page}");
        assert!(render(&Raw::default()).is_empty());
    }
}
