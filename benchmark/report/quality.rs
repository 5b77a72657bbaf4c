//! The tables of quality.

use super::aggregate::{
    OURS, Summary, contenders, count_tasks, group, kind_order, set_order, summaries,
};
use super::read::{Answered, Raw};
use super::table::{Table, code, figure, plural, share, whole};

use std::collections::BTreeSet;

/// What a cell says where a contender has nothing for a kind.
const NOT_OFFERED: &str = "not offered";
/// What it says where no line has the contender's answer.
const NOT_ASKED: &str = "not asked";

/// Score and mean tokens by set and kind, contenders in columns. A mean over other tasks is another figure, so who was asked only some is shown beside ours on those.
pub fn headline(answers: &[Answered]) -> Table {
    let names = contenders(answers.iter().map(|a| a.contender.as_str()));
    let mut head = vec!["set", "kind", "judged by"];
    head.extend(&names);
    head.insert(3, "tasks");
    let mut table = Table::new(3, &head);
    let shown = answers.iter().filter(|a| !a.nothing_to_find());
    for (((_, set), (_, kind)), answers) in
        group(shown, |a| (set_order(&a.set), kind_order(&a.kind)))
    {
        let rows = summaries(&answers);
        let tasks = count_tasks(&answers);
        let best = rows
            .iter()
            .filter(|(_, s)| s.asked == tasks)
            .filter_map(|(_, s)| s.score_all)
            .fold(0.0, f64::max);
        let cell = |name: &&str| {
            let Some((_, summary)) = rows.iter().find(|(row, _)| row == name) else {
                return NOT_ASKED.to_owned();
            };
            if summary.offered == 0 {
                return NOT_OFFERED.to_owned();
            }
            let score = share(summary.score_all);
            let tokens = whole(summary.tokens);
            if summary.asked < tasks {
                let ours = share(ours_beside(&answers, name));
                return format!("{score} / {tokens} on {}, ours {ours}", summary.asked);
            }
            match best > 0.0 && score == share(Some(best)) {
                true => format!("**{score}** / {tokens}"),
                false => format!("{score} / {tokens}"),
            }
        };
        let first = [
            set.to_owned(),
            kind.to_owned(),
            judged_by(kind).to_owned(),
            whole(Some(tasks as f64)),
        ];
        table.row(first.into_iter().chain(names.iter().map(cell)));
    }
    table
}

/// The kinds of task that README.md has room for: our own, which everybody was asked, and two sets that the
/// authors of other tools made.
const IN_SHORT: [(&str, &str); 6] = [
    ("own", "definition"),
    ("own", "references"),
    ("own", "dependencies"),
    ("own", "locate"),
    ("ndcg", "locate"),
    ("swe", "locate"),
];

/// Score and mean tokens of the kinds that README.md tells, contenders in rows.
pub fn in_short(answers: &[Answered]) -> Table {
    let names = contenders(answers.iter().map(|a| a.contender.as_str()));
    let kinds = IN_SHORT.map(|(set, kind)| {
        let of = |a: &&Answered| a.set == set && a.kind == kind && !a.nothing_to_find();
        let answers: Vec<&Answered> = answers.iter().filter(of).collect();
        let head = format!("{set} {kind}, {}", count_tasks(&answers));
        (head, answers)
    });
    let kinds: Vec<_> = kinds.iter().filter(|(_, a)| !a.is_empty()).collect();
    let head = kinds.iter().map(|(head, _)| head.as_str());
    let head: Vec<&str> = std::iter::once("").chain(head).collect();
    let mut table = Table::new(1, &head);
    for name in &names {
        let cell = |(_, answers): &&(String, Vec<&Answered>)| {
            let rows = summaries(answers);
            let Some((_, summary)) = rows.iter().find(|(row, _)| row == name) else {
                return String::new();
            };
            if summary.offered == 0 {
                return String::new();
            }
            let score = share(summary.score_all);
            let tokens = whole(summary.tokens);
            match summary.asked < count_tasks(answers) {
                true => {
                    let ours = share(ours_beside(answers, name));
                    format!("{score} (ours {ours}) / {tokens}")
                }
                false => format!("{score} / {tokens}"),
            }
        };
        let cells = kinds.iter().map(cell);
        table.row(std::iter::once((*name).to_owned()).chain(cells));
    }
    table
}

/// Our mean score on the tasks that another contender was asked.
fn ours_beside(answers: &[&Answered], name: &str) -> Option<f64> {
    let key = |a: &Answered| (a.repo.clone(), a.task.clone());
    let asked: BTreeSet<_> = answers
        .iter()
        .filter(|a| a.contender == name)
        .map(|a| key(a))
        .collect();
    let ours: Vec<&Answered> = answers
        .iter()
        .copied()
        .filter(|a| a.contender == OURS && asked.contains(&key(a)))
        .collect();
    Summary::of(&ours).score_all
}

fn judged_by(kind: &str) -> &'static str {
    match kind {
        "locate" => "NDCG@10",
        _ => "F1",
    }
}

/// The section of the page.
pub fn render(raw: &Raw) -> String {
    let mut out = String::from("## Quality\n");
    if raw.answers.is_empty() {
        out.push_str("\nNo quality run is in this folder.\n");
        return out;
    }
    for ((_, set), answers) in group(&raw.answers, |a| set_order(&a.set)) {
        out.push_str(&format!("\n### {}\n\n{}\n", title(set), counted(&answers)));
        let (nothing, answers): (Vec<&Answered>, Vec<&Answered>) =
            answers.iter().partition(|a| a.nothing_to_find());
        let kinds = group(answers.iter().copied(), |a| kind_order(&a.kind));
        if kinds.len() > 1 {
            out.push_str("\nAll kinds:\n\n");
            out.push_str(&overview(&answers).render());
        }
        for ((_, kind), answers) in kinds {
            out.push_str(&format!("\n#### {set}: {kind}\n\n"));
            out.push_str(&metrics(kind, &answers).render());
            out.push_str(&breakdowns(kind, &answers));
        }
        if !nothing.is_empty() {
            out.push_str(&format!(
                "\n#### {set}: unused, where nothing is unused\n\n"
            ));
            out.push_str(
                "The truth of these tasks is empty: answering nothing scores 1, and so does any tool \
                 that finds nothing. They count in no other table of quality.\n\n",
            );
            out.push_str(&metrics("unused", &nothing).render());
        }
    }
    out.push_str(&ready(raw));
    out
}

fn title(set: &str) -> String {
    let about = match set {
        "own" => "our own tasks, over this repository and crates that every Rust user has",
        "primitives" => "bench:primitives, by the authors of sverklo",
        "corrected" => "tasks of bench:primitives with a truth that was read from the code",
        "swe" => "bench:swe, by the authors of sverklo",
        "ndcg" => "natural-language and symbol queries, by the authors of semble",
        "history" => "commit localisation, from each repository's history",
        _ => return format!("Set `{set}`"),
    };
    format!("Set `{set}`: {about}")
}

/// How much a set asks.
fn counted(answers: &[&Answered]) -> String {
    let repos = group(answers.iter().copied(), |a| &a.repo);
    let langs = group(answers.iter().copied(), |a| &a.lang);
    let langs: Vec<&str> = langs.keys().map(|lang| lang.as_str()).collect();
    let langs: Vec<&str> = langs.into_iter().filter(|lang| !lang.is_empty()).collect();
    let mut text = format!(
        "{} about {}",
        plural(count_tasks(answers), "task", "tasks"),
        plural(repos.len(), "repository", "repositories")
    );
    if !langs.is_empty() {
        text.push_str(&format!(" ({})", langs.join(", ")));
    }
    text.push('.');
    text
}

/// All kinds of a set together.
fn overview(answers: &[&Answered]) -> Table {
    let mut table = Table::new(
        1,
        &[
            "contender",
            "tasks",
            "offered",
            "failed",
            "score, of offered",
            "s.e.",
            "score, of all",
            "tokens",
            "calls",
            "wall, ms",
            "correct",
            "gated tokens",
            "ungated tokens",
        ],
    );
    for (name, s) in summaries(answers) {
        let first = [
            name.to_owned(),
            whole(Some(s.asked as f64)),
            whole(Some(s.offered as f64)),
        ];
        let scores = [
            failures(&s),
            share(s.score),
            share(s.error),
            share(s.score_all),
        ];
        table.row(first.into_iter().chain(scores).chain(price(&s)));
    }
    table
}

/// How many tasks failed; nothing when none.
fn failures(summary: &Summary) -> String {
    match summary.failed {
        0 => String::new(),
        failed => whole(Some(failed as f64)),
    }
}

/// What answers cost the agent.
fn price(s: &Summary) -> [String; 6] {
    let correct = (s.offered > 0).then_some(s.correct as f64);
    [
        whole(s.tokens),
        figure(s.calls),
        figure(s.wall_ms),
        whole(correct),
        whole(s.gated),
        whole(s.ungated),
    ]
}

/// The metrics of a kind, a row a contender.
fn metrics(kind: &str, answers: &[&Answered]) -> Table {
    table_of(
        kind,
        &["contender"],
        summaries(answers)
            .iter()
            .map(|(name, s)| (vec![(*name).to_owned()], s)),
    )
}

/// Rows of a kind's metrics after some columns of text.
fn table_of<'a>(
    kind: &str,
    texts: &[&str],
    rows: impl Iterator<Item = (Vec<String>, &'a Summary)>,
) -> Table {
    let metrics: &[&str] = match kind {
        "locate" => &["NDCG@10", "s.e.", "R@5", "R@10", "R@20", "R@50", "MRR"],
        _ => &["F1", "s.e.", "precision", "recall", "first right"],
    };
    let price = [
        "tokens",
        "calls",
        "wall, ms",
        "correct",
        "gated tokens",
        "ungated tokens",
    ];
    let mut head = texts.to_vec();
    head.extend(["tasks", "failed"]);
    head.extend(metrics);
    head.push("of all");
    head.extend(price);
    let mut table = Table::new(texts.len(), &head);
    for (mut cells, s) in rows {
        cells.push(whole(Some(s.asked as f64)));
        cells.push(failures(s));
        if s.offered == 0 {
            cells.push(NOT_OFFERED.to_owned());
            cells.extend(std::iter::repeat_n(String::new(), metrics.len() - 1));
            cells.push(share(s.score_all));
        } else {
            match kind {
                "locate" => {
                    cells.extend([s.ndcg10, s.error].map(share));
                    cells.extend(s.recall_at.map(share));
                    cells.push(share(s.mrr));
                }
                _ => cells.extend([s.score, s.error, s.precision, s.recall, s.first].map(share)),
            }
            cells.push(share(s.score_all));
            cells.extend(self::price(s));
        }
        table.row(cells);
    }
    table
}

/// The same by repository, and the score by category and language, folded away.
fn breakdowns(kind: &str, answers: &[&Answered]) -> String {
    let mut out = String::new();
    let by_category = group(answers.iter().copied(), |a| {
        a.category.as_deref().unwrap_or("")
    });
    if by_category.keys().any(|category| !category.is_empty()) {
        out.push_str(&format!("\n{} by category:\n\n", judged_by(kind)));
        out.push_str(&score_by("category", &by_category.into_iter().collect::<Vec<_>>()).render());
    }
    let by_lang = group(answers.iter().copied(), |a| a.lang.as_str());
    if by_lang.len() > 1 {
        let table = score_by("language", &by_lang.into_iter().collect::<Vec<_>>());
        let title = format!("{} by language", judged_by(kind));
        out.push_str(&folded(&title, &table));
    }
    let by_repo = group(answers.iter().copied(), |a| a.repo.as_str());
    if by_repo.len() > 1 {
        let rows: Vec<(Vec<String>, Summary)> = by_repo
            .iter()
            .flat_map(|(repo, answers)| {
                let row = |(name, summary): (&str, Summary)| {
                    (vec![(*repo).to_owned(), name.to_owned()], summary)
                };
                summaries(answers).into_iter().map(row)
            })
            .collect();
        let rows = rows.iter().map(|(texts, summary)| (texts.clone(), summary));
        let table = table_of(kind, &["repository", "contender"], rows);
        out.push_str(&folded("By repository", &table));
    }
    out
}

/// Mean scores over all tasks, a row a group and a column a contender.
fn score_by(title: &str, groups: &[(&str, Vec<&Answered>)]) -> Table {
    let all = groups.iter().flat_map(|(_, answers)| answers);
    let names = contenders(all.map(|a| a.contender.as_str()));
    let mut head = vec![title, "tasks"];
    head.extend(&names);
    let mut table = Table::new(1, &head);
    for (group, answers) in groups {
        let cell = |name: &&str| {
            let own = answers.iter().copied().filter(|a| a.contender == *name);
            let summary = Summary::of(&own.collect::<Vec<_>>());
            match (summary.asked, summary.offered) {
                (0, _) => NOT_ASKED.to_owned(),
                (_, 0) => NOT_OFFERED.to_owned(),
                _ => share(summary.score_all),
            }
        };
        let group = if group.is_empty() { "not said" } else { group };
        let first = [group.to_owned(), whole(Some(count_tasks(answers) as f64))];
        table.row(first.into_iter().chain(names.iter().map(cell)));
    }
    table
}

/// A table behind a line that opens it.
pub fn folded(title: &str, table: &Table) -> String {
    format!(
        "\n<details><summary>{title}</summary>\n\n{}\n</details>\n",
        table.render()
    )
}

/// Versions, and how long each contender took to be ready for questions.
fn ready(raw: &Raw) -> String {
    if raw.ready.is_empty() {
        return String::new();
    }
    let names = contenders(raw.ready.iter().map(|line| line.text("contender")));
    let mut table = Table::new(
        3,
        &[
            "contender",
            "version",
            "could not start",
            "repositories",
            "ready, mean s",
            "slowest s",
        ],
    );
    for name in names {
        let own: Vec<_> = raw
            .ready
            .iter()
            .filter(|l| l.text("contender") == name)
            .collect();
        let failed = own.iter().filter(|l| !l.text("error").is_empty());
        let failed: Vec<&str> = failed.map(|l| l.text("repo")).collect();
        let seconds: Vec<f64> = own.iter().filter_map(|l| l.number("ready_s")).collect();
        let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
        let slowest = seconds.iter().copied().fold(0.0, f64::max);
        let known = !seconds.is_empty();
        table.row([
            name.to_owned(),
            code(own.last().map_or("", |line| line.text("version"))),
            failed.join(", "),
            whole(Some(own.len() as f64)),
            figure(known.then_some(mean)),
            figure(known.then_some(slowest)),
        ]);
    }
    format!(
        "\n### Who was asked\n\n*Ready* is the time to index and to start before the first \
         question.\n\n{}",
        table.render()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(contender: &str, task: &str, score: f64) -> Answered {
        Answered {
            set: "own".to_owned(),
            repo: "r".to_owned(),
            task: task.to_owned(),
            kind: "locate".to_owned(),
            contender: contender.to_owned(),
            offered: true,
            score,
            tokens: Some(100.0),
            truth: vec!["a".to_owned()],
            ..Answered::default()
        }
    }

    #[test]
    fn who_was_asked_some_tasks_is_compared_on_those() {
        let answers = [
            answer(OURS, "one", 0.75),
            answer(OURS, "two", 0.25),
            answer("peer", "one", 0.875),
        ];
        let table = headline(&answers).render();
        // The peer's mean is higher, and over another set of tasks: ours stays the best of all.
        assert!(table.contains("**0.500** / 100"), "{table}");
        assert!(table.contains("0.875 / 100 on 1, ours 0.750"), "{table}");
    }
}
