//! Are the answers right, and what do they cost an agent? Every contender that is present gets the same
//! questions about the same trees, and its answers are scored against the same truth.

use crate::Result;
use crate::contender::{self, Answer, Contender, Found};
use crate::program::{Program, root};
use crate::run::Run;
use crate::score::{Score, score, without_neutral};
use crate::task::suite::{self, Batch, Entry, Roots};
use crate::task::{Place, Question, Task};
use crate::tokens;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// What to ask, and whom.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Args {
    /// A suite of tasks (JSON; see benchmark/README.md); default: our own tasks, offline.
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,
    /// Where a suite's task files are.
    #[arg(long, value_name = "DIR", default_value = ".")]
    data: PathBuf,
    /// Where a suite's repositories are, as OWNER/NAME, OWNER+NAME/repo or NAME.
    #[arg(long, value_name = "DIR", default_value = ".")]
    repositories: PathBuf,
    /// Localise 30 commits of the history of this repository.
    #[arg(long, value_name = "REPOSITORY")]
    history: Vec<PathBuf>,
    /// Ask only these contenders.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    contender: Vec<String>,
    /// Ask only about repositories with this name.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    repository: Vec<String>,
    /// Print every answer of git-sverklo that scores less than 1.
    #[arg(long)]
    verbose: bool,
}

/// Commits asked about with `--history`.
const HISTORY_TASKS: usize = 30;
/// Places of an answer that are written down.
const NOTED: usize = 10;

/// Asks everybody everything, records every answer and prints a summary.
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    let contenders = contender::present(&args.contender, program, run, "quality")?;
    let mut table = Table::default();
    for (entry, roots) in entries(args)? {
        let wanted = |name: &str| {
            args.repository.is_empty() || args.repository.iter().any(|wanted| wanted == name)
        };
        for batch in entry.load(&roots, &wanted)? {
            let name = &batch.subject.name;
            if batch.tasks.is_empty() {
                eprintln!("{name}: no tasks");
            }
            for (contender, version) in &contenders {
                ask(contender.as_ref(), version, &batch, args, run, &mut table)?;
            }
        }
    }
    if table.rows.is_empty() {
        return Err("no task was asked; does --repository name one of the suite?".into());
    }
    table.print();
    println!("raw lines: {}", run.folder().display());
    Ok(ExitCode::SUCCESS)
}

fn entries(args: &Args) -> Result<Vec<(Entry, Roots)>> {
    let mut entries = Vec::new();
    for path in &args.suite {
        for entry in suite::read(path)? {
            let roots = Roots {
                data: args.data.clone(),
                repositories: args.repositories.clone(),
            };
            entries.push((entry, roots));
        }
    }
    for repository in &args.history {
        let path = repository
            .canonicalize()
            .map_err(|err| format!("{}: {err}", repository.display()))?;
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let roots = Roots {
            data: PathBuf::new(),
            repositories: path.parent().map(PathBuf::from).unwrap_or_default(),
        };
        entries.push((
            Entry::History {
                repository: name,
                count: HISTORY_TASKS,
            },
            roots,
        ));
    }
    if entries.is_empty() {
        let roots = Roots {
            data: root(),
            repositories: root(),
        };
        entries.push((Entry::Own { tasks: None }, roots));
    }
    Ok(entries)
}

/// Asks one contender all questions about one repository. A contender that cannot start, or fails at
/// a question, scores nothing there and the run goes on.
fn ask(
    contender: &dyn Contender,
    version: &str,
    batch: &Batch,
    args: &Args,
    run: &Run,
    table: &mut Table,
) -> Result<()> {
    let repo = &batch.subject.name;
    let Some(first) = batch.tasks.first() else {
        return Ok(());
    };
    let start = Instant::now();
    let opened = contender.open(&batch.subject);
    let mut ready = json!({
        "bench": "ready", "set": first.set, "repo": repo, "contender": contender.name(),
        "version": version, "ready_s": start.elapsed().as_secs_f64(),
    });
    let mut session = match opened {
        Ok(session) => Ok(session),
        Err(err) => {
            eprintln!("{} on {repo}: {err}", contender.name());
            ready["error"] = json!(err.to_string());
            Err(err.to_string())
        }
    };
    run.record("quality", &ready)?;
    for task in &batch.tasks {
        let outcome = match &mut session {
            Ok(session) => session.answer(task).map_err(|err| err.to_string()),
            Err(reason) => Err(reason.clone()),
        };
        let line = judged(task, repo, contender.name(), &outcome);
        if args.verbose && contender.name() == "git-sverklo" && line["score"].as_f64() < Some(1.0) {
            eprintln!(
                "{:.2} {repo} {} {:?}\n     found {}\n     truth {}",
                line["score"].as_f64().unwrap_or(0.0),
                task.id,
                task.question.query(),
                line["found"],
                line["truth"]
            );
        }
        table.add(&line);
        run.record("quality", &line)?;
    }
    Ok(())
}

/// One answer with its figures, as it is recorded.
fn judged(
    task: &Task,
    repo: &str,
    contender: &str,
    outcome: &std::result::Result<Option<Answer>, String>,
) -> Value {
    let mut line = json!({
        "bench": "quality", "set": task.set, "repo": repo, "task": task.id,
        "kind": task.question.kind(), "lang": task.lang, "category": task.category,
        "contender": contender, "offered": true, "score": 0.0,
        "truth": noted(&truth(&task.question)),
    });
    // Public sentences are not copied into the project, not even by way of its raw runs.
    if task.set == "own" {
        line["query"] = json!(task.question.query());
    }
    match outcome {
        Ok(None) => line["offered"] = json!(false),
        Err(reason) => line["error"] = json!(reason),
        Ok(Some(answer)) => {
            let figures = figures(&score(
                &task.question,
                &without_neutral(task, &answer.found),
            ));
            for (key, value) in figures {
                line[key] = value;
            }
            let count = |all: &[String]| all.iter().map(|call| tokens::count(call)).sum::<usize>();
            line["tokens"] = json!(count(&answer.calls));
            // What the other kind of host puts before its model.
            line["tokens_structured"] = json!(match answer.structured.is_empty() {
                true => count(&answer.calls),
                false => count(&answer.structured),
            });
            line["calls"] = json!(answer.calls.len());
            line["wall_ms"] = json!(answer.wall.as_secs_f64() * 1e3);
            line["found"] = noted(&found(&answer.found));
        }
    }
    line
}

fn figures(score: &Score) -> serde_json::Map<String, Value> {
    match serde_json::to_value(score) {
        Ok(Value::Object(map)) => map,
        _ => unreachable!("a struct is written as an object"),
    }
}

fn noted(list: &[String]) -> Value {
    json!(list.iter().take(NOTED).collect::<Vec<_>>())
}

fn truth(question: &Question) -> Vec<String> {
    match question {
        Question::Definition { truth, .. } | Question::References { truth, .. } => {
            truth.iter().map(shown).collect()
        }
        Question::Dependencies {
            imports, importers, ..
        } => both(imports, importers),
        Question::Unused { truth } => truth.clone(),
        Question::Locate { truth, .. } => truth.iter().map(|target| target.path.clone()).collect(),
    }
}

fn found(found: &Found) -> Vec<String> {
    match found {
        Found::Places(places) => places.iter().map(shown).collect(),
        Found::Spans(spans) => spans
            .iter()
            .map(|span| match span.lines {
                Some((start, end)) => format!("{}:{start}-{end}", span.path),
                None => span.path.clone(),
            })
            .collect(),
        Found::Dependencies { imports, importers } => both(imports, importers),
        Found::Names(names) => names.clone(),
    }
}

fn both(imports: &[String], importers: &[String]) -> Vec<String> {
    let imports = imports.iter().map(|path| format!("imports {path}"));
    imports
        .chain(importers.iter().map(|path| format!("imported by {path}")))
        .collect()
}

fn shown(place: &Place) -> String {
    format!("{}:{}", place.path, place.line)
}

/// Means for the terminal; the report computes its own from the raw lines.
#[derive(Default)]
struct Table {
    /// (set, kind, contender) in the order they came, with sums.
    rows: BTreeMap<(String, String, String), Row>,
}

#[derive(Default)]
struct Row {
    tasks: u32,
    offered: u32,
    score: f64,
    first: f64,
    tokens: f64,
    calls: f64,
    wall_ms: f64,
}

impl Table {
    fn add(&mut self, line: &Value) {
        let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| line[key].as_f64().unwrap_or(0.0);
        let row = self
            .rows
            .entry((text("set"), text("kind"), text("contender")))
            .or_default();
        row.tasks += 1;
        row.offered += u32::from(line["offered"] == true);
        row.score += number("score");
        row.first += number("first");
        row.tokens += number("tokens");
        row.calls += number("calls");
        row.wall_ms += number("wall_ms");
    }

    fn print(&self) {
        println!(
            "{:<11} {:<12} {:<12} {:>5} {:>6} {:>6} {:>8} {:>6} {:>9}",
            "set", "kind", "contender", "tasks", "score", "first", "tokens", "calls", "wall ms"
        );
        for ((set, kind, contender), row) in &self.rows {
            if row.offered == 0 {
                println!(
                    "{set:<11} {kind:<12} {contender:<12} {:>5} not offered",
                    row.tasks
                );
                continue;
            }
            let (tasks, offered) = (f64::from(row.tasks), f64::from(row.offered));
            let first = if kind == "definition" {
                format!("{:.3}", row.first / tasks)
            } else {
                String::new()
            };
            println!(
                "{set:<11} {kind:<12} {contender:<12} {:>5} {:>6.3} {first:>6} {:>8.0} {:>6.1} {:>9.2}",
                row.tasks,
                row.score / tasks,
                row.tokens / offered,
                row.calls / offered,
                row.wall_ms / offered
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::Span;
    use crate::task::{Sense, Target};

    fn task(question: Question) -> Task {
        Task {
            id: "t".to_owned(),
            set: "own".to_owned(),
            lang: String::new(),
            category: String::new(),
            neutral: Vec::new(),
            scope: Vec::new(),
            question,
        }
    }

    fn place(path: &str, line: u32) -> Place {
        Place {
            path: path.to_owned(),
            line,
        }
    }

    /// One question of each kind.
    fn questions() -> Vec<Question> {
        vec![
            Question::Definition {
                name: "f".to_owned(),
                truth: vec![place("a", 3)],
            },
            Question::References {
                name: "f".to_owned(),
                truth: vec![place("a", 9), place("b", 1)],
                sense: Sense::Meaning,
            },
            Question::Dependencies {
                path: "a".to_owned(),
                imports: vec!["b".to_owned()],
                importers: vec!["c".to_owned()],
            },
            Question::Unused {
                truth: vec!["f".to_owned()],
            },
            Question::Locate {
                query: "q".to_owned(),
                truth: vec![
                    Target {
                        path: "a".to_owned(),
                        span: None,
                    },
                    Target {
                        path: "b".to_owned(),
                        span: Some((3, 9)),
                    },
                ],
                depth: 10,
            },
        ]
    }

    /// Somebody who knows the truth.
    fn oracle(question: &Question) -> Found {
        match question.clone() {
            Question::Definition { truth, .. } | Question::References { truth, .. } => {
                Found::Places(truth)
            }
            Question::Dependencies {
                imports, importers, ..
            } => Found::Dependencies { imports, importers },
            Question::Unused { truth } => Found::Names(truth),
            Question::Locate { truth, .. } => Found::Spans(
                truth
                    .into_iter()
                    .map(|target| Span {
                        path: target.path,
                        lines: target.span,
                    })
                    .collect(),
            ),
        }
    }

    #[test]
    fn an_oracle_scores_one_in_every_figure() {
        for question in questions() {
            let answer = Answer {
                found: oracle(&question),
                ..Answer::default()
            };
            let line = judged(&task(question), "r", "oracle", &Ok(Some(answer)));
            assert_eq!(line["score"], 1.0, "{line}");
            for key in ["precision", "recall", "f1", "first", "mrr", "ndcg10"] {
                assert!(line[key].is_null() || line[key] == 1.0, "{key}: {line}");
            }
            for (depth, recall) in line["recall_at"].as_object().into_iter().flatten() {
                assert_eq!(recall, 1.0, "recall at {depth}: {line}");
            }
        }
    }

    #[test]
    fn silence_failure_and_nothing_on_offer_are_told_apart() {
        for question in questions() {
            let empty = judged(
                &task(question.clone()),
                "r",
                "x",
                &Ok(Some(Answer::default())),
            );
            assert_eq!(
                (&empty["score"], &empty["offered"]),
                (&json!(0.0), &json!(true)),
                "{empty}"
            );
            let failed = judged(
                &task(question.clone()),
                "r",
                "x",
                &Err("it hung".to_owned()),
            );
            assert_eq!(
                (&failed["score"], &failed["error"]),
                (&json!(0.0), &json!("it hung"))
            );
            let none = judged(&task(question), "r", "x", &Ok(None));
            assert_eq!(
                (&none["score"], &none["offered"]),
                (&json!(0.0), &json!(false))
            );
        }
    }

    #[test]
    fn only_our_own_sentences_are_recorded() {
        let mut public = task(questions().remove(4));
        public.set = "ndcg".to_owned();
        assert!(judged(&public, "r", "x", &Ok(None))["query"].is_null());
        assert_eq!(
            judged(&task(questions().remove(4)), "r", "x", &Ok(None))["query"],
            "q"
        );
    }

    #[test]
    fn tokens_are_those_of_all_calls() {
        let answer = Answer {
            calls: vec!["hello world".to_owned(), "hello".to_owned()],
            ..Answer::default()
        };
        let line = judged(&task(questions().remove(0)), "r", "x", &Ok(Some(answer)));
        assert_eq!((&line["tokens"], &line["calls"]), (&json!(3), &json!(2)));
    }
}
