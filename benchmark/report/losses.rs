//! Every task that another contender answers better, and why.

use super::aggregate::{OURS, group, kind_order, set_order};
use super::evidence::{Class, classify, describe};
use super::read::Answered;
use super::table::{Table, code, plural, share, whole};
use crate::Result;
use serde::Deserialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;

/// Scores that differ by less are the same figure, summed in another order.
const SAME: f64 = 1e-9;

/// One line of `losses.jsonl`: a reason that somebody found, for one task or for a class of them.
/// What a line does not say holds for all.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    set: Option<String>,
    repo: Option<String>,
    task: Option<String>,
    kind: Option<String>,
    class: Option<String>,
    why: String,
}

impl Rule {
    fn holds(&self, ours: &Answered, class: Class) -> bool {
        let is = |wanted: &Option<String>, it: &str| wanted.as_ref().is_none_or(|w| w == it);
        is(&self.set, &ours.set)
            && is(&self.repo, &ours.repo)
            && is(&self.task, &ours.task)
            && is(&self.kind, &ours.kind)
            && is(&self.class, class.name())
    }
}

/// The reasons found by hand; none when the file is missing.
pub fn rules(path: &Path) -> Result<Vec<Rule>> {
    match std::fs::read_to_string(path) {
        Ok(text) => parse_rules(&text),
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(err) => Err(format!("{}: {err}", path.display()).into()),
    }
}

fn parse_rules(text: &str) -> Result<Vec<Rule>> {
    let mut rules = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let rule: Rule =
            serde_json::from_str(line).map_err(|err| format!("losses.jsonl:{}: {err}", at + 1))?;
        if let Some(class) = &rule.class
            && !Class::ALL.iter().any(|known| known.name() == class)
        {
            let known = Class::ALL.map(Class::name).join("`, `");
            return Err(format!(
                "losses.jsonl:{}: no class `{class}`, only `{known}`",
                at + 1
            )
            .into());
        }
        rules.push(rule);
    }
    Ok(rules)
}

/// A task that somebody answers better than git-sverklo.
pub struct Loss<'a> {
    pub ours: &'a Answered,
    /// The best of the others; of equals the one with the fewest tokens.
    pub best: &'a Answered,
    pub class: Class,
    pub why: String,
}

/// How git-sverklo stands against the others, task by task.
#[derive(Default)]
pub struct Standing<'a> {
    /// In the order of the sets, kinds, repositories and tasks.
    pub losses: Vec<Loss<'a>>,
    /// By set and kind.
    pub counts: BTreeMap<Group<'a>, Counts>,
    /// Places in the file of reasons that no lost task needs any more.
    pub idle_rules: Vec<usize>,
}

type Group<'a> = ((usize, &'a str), (usize, &'a str));

/// Tasks by outcome.
#[derive(Debug, Default, PartialEq)]
pub struct Counts {
    pub tasks: usize,
    /// Nobody else is as good.
    pub won: usize,
    /// Somebody else is as good, nobody better.
    pub even: usize,
    /// Somebody else is better.
    pub lost: usize,
    /// Nobody scores 1; these are among the others.
    pub unsolved: usize,
}

/// Compares, on every task that git-sverklo was asked.
pub fn standing<'a>(answers: &'a [Answered], rules: &[Rule]) -> Standing<'a> {
    let mut standing = Standing::default();
    let mut needed = vec![false; rules.len()];
    let tasks = group(answers, |a| {
        (set_order(&a.set), kind_order(kind(a)), &a.repo, &a.task)
    });
    for ((set, kind, ..), answers) in tasks {
        let Some(ours) = answers.iter().copied().find(|a| a.contender == OURS) else {
            continue;
        };
        let others = answers.iter().copied().filter(|a| a.contender != OURS);
        let best = others.max_by(|a, b| {
            let cheap = |a: &Answered| -a.tokens.unwrap_or(f64::MAX);
            compare(a, b).then(cheap(a).total_cmp(&cheap(b)))
        });
        let counts = standing.counts.entry((set, kind)).or_default();
        counts.tasks += 1;
        if answers.iter().all(|a| a.score < 1.0 - SAME) {
            counts.unsolved += 1;
        }
        match best.map(|best| (best, compare(best, ours))) {
            Some((best, Ordering::Greater)) => {
                counts.lost += 1;
                let class = classify(ours);
                let rule = rules.iter().position(|rule| rule.holds(ours, class));
                if let Some(at) = rule {
                    needed[at] = true;
                }
                let why = rule.map_or(class.why(), |at| &rules[at].why).to_owned();
                standing.losses.push(Loss {
                    ours,
                    best,
                    class,
                    why,
                });
            }
            Some((_, Ordering::Equal)) => counts.even += 1,
            Some((_, Ordering::Less)) | None => counts.won += 1,
        }
    }
    let idle = needed.iter().enumerate().filter(|(_, needed)| !**needed);
    standing.idle_rules = idle.map(|(at, _)| at + 1).collect();
    standing
}

/// Which answer is better: by score, and of definitions that score the same by the first place.
fn compare(a: &Answered, b: &Answered) -> Ordering {
    if (a.score - b.score).abs() > SAME {
        return a.score.total_cmp(&b.score);
    }
    match (a.first, b.first) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => Ordering::Equal,
    }
}

/// The kind of a task, as counted here.
fn kind(a: &Answered) -> &str {
    match a.nothing_to_find() {
        true => "unused, where nothing is",
        false => &a.kind,
    }
}

impl Standing<'_> {
    /// All groups together.
    pub fn total(&self) -> Counts {
        self.counts
            .values()
            .fold(Counts::default(), |sum, one| Counts {
                tasks: sum.tasks + one.tasks,
                won: sum.won + one.won,
                even: sum.even + one.even,
                lost: sum.lost + one.lost,
                unsolved: sum.unsolved + one.unsolved,
            })
    }

    /// The section of the page.
    pub fn render(&self) -> String {
        let mut out = String::from("## Every task we lose\n\n");
        let total = self.total();
        if total.tasks == 0 {
            out.push_str("No quality run is in this folder.\n");
            return out;
        }
        out.push_str(
            "A task is lost when another contender scores higher, or scores the same on a definition and \
             has the right place first where git-sverklo has not. *Even* means that the best of the others \
             is as good. *Unsolved* tasks, where nobody scores 1, are counted apart: they \
             are among the other three columns too.\n\n",
        );
        let mut table = Table::new(
            2,
            &["set", "kind", "tasks", "won", "even", "lost", "unsolved"],
        );
        let cells = |c: &Counts| {
            [c.tasks, c.won, c.even, c.lost, c.unsolved].map(|n| whole(Some(n as f64)))
        };
        for (((_, set), (_, kind)), counts) in &self.counts {
            let names = [(*set).to_owned(), (*kind).to_owned()];
            table.row(names.into_iter().chain(cells(counts)));
        }
        let names = ["**all**".to_owned(), String::new()];
        table.row(names.into_iter().chain(cells(&total)));
        out.push_str(&table.render());
        if self.losses.is_empty() {
            out.push_str("\nNone is lost.\n");
            return out;
        }
        out.push_str("\nWhy, most frequent first; each opens to its tasks:\n");
        let mut by_why: BTreeMap<&str, Vec<&Loss>> = BTreeMap::new();
        for loss in &self.losses {
            by_why.entry(&loss.why).or_default().push(loss);
        }
        let mut by_why: Vec<_> = by_why.into_iter().collect();
        by_why.sort_by_key(|(_, losses)| std::cmp::Reverse(losses.len()));
        for (why, losses) in by_why {
            out.push_str(&details(why, &losses));
        }
        out
    }
}

/// One reason and its tasks.
fn details(why: &str, losses: &[&Loss]) -> String {
    let mut table = Table::new(
        7,
        &[
            "task",
            "kind",
            "class",
            "asked",
            "evidence",
            "said first",
            "lost to",
            "its score",
            "ours",
        ],
    );
    for loss in losses {
        let Loss { ours, best, .. } = loss;
        table.row([
            format!("{} / {} / {}", ours.set, ours.repo, ours.task),
            kind(ours).to_owned(),
            loss.class.name().to_owned(),
            code(ours.query.as_deref().unwrap_or_default()),
            describe(ours),
            code(ours.found.first().map_or("", String::as_str)),
            best.contender.clone(),
            share(Some(best.score)),
            share(Some(ours.score)),
        ]);
    }
    let by_set = group(losses.iter().map(|loss| loss.ours), |a| set_order(&a.set));
    let by_set: Vec<String> = by_set
        .into_iter()
        .map(|((_, set), lost)| format!("{set} {}", lost.len()))
        .collect();
    let gap: f64 = losses.iter().map(|l| l.best.score - l.ours.score).sum();
    format!(
        "\n<details><summary>{}: {} ({}), {:.2} behind the best on average</summary>\n\n{}\n</details>\n",
        why.replace('&', "&amp;").replace('<', "&lt;"),
        plural(losses.len(), "task", "tasks"),
        by_set.join(", "),
        gap / losses.len() as f64,
        table.render()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(task: &str, contender: &str, score: f64, tokens: f64) -> Answered {
        Answered {
            set: "own".to_owned(),
            repo: "self".to_owned(),
            task: task.to_owned(),
            kind: "definition".to_owned(),
            contender: contender.to_owned(),
            offered: true,
            score,
            precision: Some(score),
            recall: Some(1.0),
            first: Some(1.0),
            tokens: Some(tokens),
            found: vec!["b.rs:1".to_owned()],
            truth: vec!["b.rs:1".to_owned()],
            ..Answered::default()
        }
    }

    fn sample() -> Vec<Answered> {
        vec![
            // Lost, to the cheaper of two equals.
            answer("a", OURS, 0.5, 10.0),
            answer("a", "ctags", 0.9, 99.0),
            answer("a", "grep", 0.9, 98.0),
            // Even, and nobody is right.
            answer("b", OURS, 0.5, 10.0),
            answer("b", "ctags", 0.5, 10.0),
            // Won.
            answer("c", OURS, 1.0, 10.0),
            answer("c", "ctags", 0.9, 10.0),
            // Nobody else was asked.
            answer("d", OURS, 0.2, 10.0),
            // We were not asked.
            answer("e", "ctags", 1.0, 10.0),
        ]
    }

    #[test]
    fn every_task_is_won_even_or_lost_and_unsolved_ones_are_counted_apart() {
        let answers = sample();
        let standing = standing(&answers, &[]);
        let expected = Counts {
            tasks: 4,
            won: 2,
            even: 1,
            lost: 1,
            unsolved: 3,
        };
        assert_eq!(standing.total(), expected);
        let loss = &standing.losses[0];
        assert_eq!(
            (&loss.ours.task[..], &loss.best.contender[..]),
            ("a", "grep")
        );
        assert_eq!(loss.class, Class::Extra);
        assert_eq!(loss.why, Class::Extra.why());
    }

    #[test]
    fn of_equal_definitions_the_one_that_comes_first_wins() {
        let mut answers = vec![answer("a", OURS, 1.0, 10.0), answer("a", "grep", 1.0, 10.0)];
        assert_eq!(standing(&answers, &[]).total().even, 1);
        answers[0].first = Some(0.0);
        let lost = standing(&answers, &[]);
        assert_eq!(
            (lost.total().lost, lost.losses[0].class),
            (1, Class::NotFirst)
        );
        answers[1].first = Some(0.0);
        assert_eq!(standing(&answers, &[]).total().even, 1);
        answers[0].first = Some(1.0);
        assert_eq!(standing(&answers, &[]).total().won, 1);
    }

    #[test]
    fn the_first_rule_that_holds_gives_the_reason() {
        let rules = parse_rules(concat!(
            r#"{"set":"own","repo":"self","task":"zz","why":"never"}"#,
            "\n\n",
            r#"{"set":"own","kind":"definition","class":"extra","why":"two macros of one name"}"#,
            "\n",
            r#"{"why":"anything"}"#,
        ))
        .unwrap();
        let answers = sample();
        let standing = standing(&answers, &rules);
        assert_eq!(standing.losses[0].why, "two macros of one name");
        assert_eq!(standing.idle_rules, [1, 3]);
    }

    #[test]
    fn a_rule_about_an_unknown_class_or_field_is_an_error() {
        let class = parse_rules(r#"{"class":"bad luck","why":"x"}"#).unwrap_err();
        assert!(class.to_string().contains("no class `bad luck`"), "{class}");
        assert!(parse_rules(r#"{"tsk":"a","why":"x"}"#).is_err());
    }

    #[test]
    fn the_section_names_each_lost_task() {
        let answers = sample();
        let text = standing(&answers, &[]).render();
        assert!(text.contains(
            "| own / self / a | definition | extra | truth at rank 1 | `b.rs:1` | grep | 0.900 | 0.500 |"
        ), "{text}");
        assert!(
            text.contains("1 task (own 1), 0.40 behind the best on average"),
            "{text}"
        );
    }
}
