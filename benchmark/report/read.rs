//! Raw lines, read back: of all lines about one thing the last one counts.

use crate::Result;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// What identifies the thing that a line is about, for every kind of line.
const IDENTITY: [(&str, &[&str]); 18] = [
    ("quality", &["set", "repo", "task", "contender"]),
    ("ready", &["set", "repo", "contender"]),
    ("absent", &["contender"]),
    ("cost", &["repo"]),
    ("cost-beside", &["repo", "contender"]),
    ("scale", &["contender", "files"]),
    ("growth", &["contender", "cost"]),
    ("instructions", &["workload", "profile"]),
    ("faith", &["repo"]),
    ("life-growth", &["repo", "variant"]),
    ("life-curve", &["repo", "variant", "commits"]),
    ("life-moves", &["repo", "move"]),
    ("ablation", &["set", "by", "group", "without"]),
    ("sweep", &["channel", "factor", "set"]),
    ("weight", &["kind", "what", "fit"]),
    ("fit", &["fit", "on"]),
    ("search-growth", &["series", "chunks"]),
    ("extraction", &["language", "state"]),
];

/// The files of a folder of runs, without `.jsonl`.
pub const FILES: [&str; 8] = [
    "quality",
    "fit",
    "cost",
    "scale",
    "instructions",
    "faith",
    "life",
    "extraction",
];

/// Everything that a folder of raw runs says.
#[derive(Debug, Default)]
pub struct Raw {
    /// The folder, as the page names it.
    pub folder: String,
    /// For each file, the runs that some line still stands for, in the order of the file.
    pub runs: BTreeMap<String, Vec<Header>>,
    pub answers: Vec<Answered>,
    pub ready: Vec<Figures>,
    /// With the file it was said in, under `file`.
    pub absent: Vec<Figures>,
    pub costs: Vec<Figures>,
    pub beside: Vec<Figures>,
    pub scale: Vec<Figures>,
    pub growth: Vec<Figures>,
    pub instructions: Vec<Figures>,
    pub faith: Vec<Figures>,
    pub life_growth: Vec<Figures>,
    pub curve: Vec<Figures>,
    pub moves: Vec<Figures>,
    pub ablation: Vec<Figures>,
    pub sweeps: Vec<Figures>,
    pub weights: Vec<Figures>,
    pub fits: Vec<Figures>,
    pub search_growth: Vec<Figures>,
    pub extraction: Vec<Figures>,
    /// Kinds of lines that this report knows nothing about.
    pub unknown: Vec<String>,
}

/// Which command, program and machine made the lines that follow.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Header {
    pub command: String,
    pub program: String,
    pub commit: Option<String>,
    pub machine: String,
    pub cpu: Option<String>,
    pub date: String,
}

/// One contender's answer to one task.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Answered {
    pub set: String,
    pub repo: String,
    pub task: String,
    pub kind: String,
    #[serde(default)]
    pub lang: String,
    /// What the set's authors call the kind of question, such as `architecture`.
    pub category: Option<String>,
    pub contender: String,
    /// False when the contender has nothing for this kind of question.
    pub offered: bool,
    /// The figure that the set is judged by: F1, or NDCG@10 of a `locate`.
    #[serde(default)]
    pub score: f64,
    pub precision: Option<f64>,
    pub recall: Option<f64>,
    pub f1: Option<f64>,
    pub first: Option<f64>,
    #[serde(default)]
    pub recall_at: BTreeMap<String, f64>,
    pub mrr: Option<f64>,
    pub ndcg10: Option<f64>,
    pub tokens: Option<f64>,
    pub calls: Option<f64>,
    pub wall_ms: Option<f64>,
    #[serde(default)]
    pub found: Vec<String>,
    #[serde(default)]
    pub truth: Vec<String>,
    pub query: Option<String>,
    pub error: Option<String>,
}

impl Answered {
    /// Whether this is a question about dead code where nothing is dead: saying nothing scores 1.
    pub fn nothing_to_find(&self) -> bool {
        self.kind == "unused" && self.truth.is_empty()
    }

    /// What tells tasks apart.
    pub fn task_key(&self) -> (&str, &str, &str) {
        (&self.set, &self.repo, &self.task)
    }
}

/// A line of figures whose names the tables know.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Figures(Map<String, Value>);

impl Figures {
    /// A text; empty when absent.
    pub fn text(&self, key: &str) -> &str {
        self.0.get(key).and_then(Value::as_str).unwrap_or("")
    }

    /// A number, unless absent or null.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.0.get(key).and_then(Value::as_f64)
    }

    /// A number of an object that stands under a key.
    pub fn nested(&self, key: &str, inner: &str) -> Option<f64> {
        self.0.get(key)?.get(inner)?.as_f64()
    }

    /// A yes or no, unless absent or null.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.0.get(key).and_then(Value::as_bool)
    }

    /// The texts of a list.
    pub fn texts(&self, key: &str) -> impl Iterator<Item = &str> {
        let list = self.0.get(key).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str)
    }

    /// The figures of a list.
    pub fn list(&self, key: &str) -> Vec<Self> {
        let list = self.0.get(key).and_then(Value::as_array);
        let lines = list.into_iter().flatten();
        lines
            .filter_map(|line| line.as_object().cloned().map(Self))
            .collect()
    }

    /// One number divided by another.
    pub fn ratio(&self, key: &str, of: &str) -> Option<f64> {
        let of = self.number(of).filter(|of| *of > 0.0)?;
        Some(self.number(key)? / of)
    }
}

/// Reads the files of a folder; any may be missing, but not all.
pub fn read(folder: &Path, shown: String) -> Result<Raw> {
    let mut texts = Vec::new();
    for file in FILES {
        let path = folder.join(format!("{file}.jsonl"));
        match std::fs::read_to_string(&path) {
            Ok(text) => texts.push((file, text)),
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => {}
            Err(err) => return Err(format!("{}: {err}", path.display()).into()),
        }
    }
    if texts.is_empty() {
        return Err(format!(
            "{}: no raw lines there (any of {}.jsonl); `cargo benchmark quality` writes some",
            folder.display(),
            FILES.join(".jsonl, ")
        )
        .into());
    }
    let mut raw = parse(&texts)?;
    raw.folder = shown;
    Ok(raw)
}

/// Reads the text of each file.
pub fn parse(files: &[(&str, String)]) -> Result<Raw> {
    let mut raw = Raw::default();
    for (file, text) in files {
        let (headers, lines) = latest(file, text, &mut raw.unknown)?;
        let mut stands = vec![false; headers.len()];
        for line in &lines {
            if let Some(run) = line.run {
                stands[run] = true;
            }
        }
        let standing = headers.into_iter().zip(stands);
        raw.runs.insert(
            (*file).to_owned(),
            standing
                .filter(|(_, stands)| *stands)
                .map(|(h, _)| h)
                .collect(),
        );
        for line in lines {
            let Line {
                bench,
                mut value,
                at,
                ..
            } = line;
            let figures = match bench {
                "quality" => {
                    raw.answers.push(decode(file, at, value)?);
                    continue;
                }
                "ready" => &mut raw.ready,
                "cost" => &mut raw.costs,
                "cost-beside" => &mut raw.beside,
                "scale" => &mut raw.scale,
                "growth" => &mut raw.growth,
                "instructions" => &mut raw.instructions,
                "faith" => &mut raw.faith,
                "life-growth" => &mut raw.life_growth,
                "life-curve" => &mut raw.curve,
                "life-moves" => &mut raw.moves,
                "ablation" => &mut raw.ablation,
                "sweep" => &mut raw.sweeps,
                "weight" => &mut raw.weights,
                "fit" => &mut raw.fits,
                "search-growth" => &mut raw.search_growth,
                "extraction" => &mut raw.extraction,
                _ => {
                    value["file"] = Value::from(*file);
                    &mut raw.absent
                }
            };
            figures.push(decode(file, at, value)?);
        }
    }
    share_truth(&mut raw.answers);
    Ok(raw)
}

/// A line that counts.
struct Line {
    bench: &'static str,
    /// Which of the file's headers it stands under.
    run: Option<usize>,
    /// Line of the file, from 1.
    at: usize,
    value: Value,
}

/// The last line about each thing, ordered by what they are about.
fn latest(file: &str, text: &str, unknown: &mut Vec<String>) -> Result<(Vec<Header>, Vec<Line>)> {
    let mut headers = Vec::new();
    let mut lines: BTreeMap<(&str, Vec<String>), Line> = BTreeMap::new();
    for (at, row) in text.lines().enumerate() {
        let at = at + 1;
        if row.trim().is_empty() {
            continue;
        }
        let value: Value =
            serde_json::from_str(row).map_err(|err| format!("{file}.jsonl:{at}: {err}"))?;
        let bench = value["bench"].as_str().unwrap_or("");
        if bench == "run" {
            headers.push(decode::<Header>(file, at, value)?);
            continue;
        }
        let Some((bench, keys)) = IDENTITY.iter().copied().find(|(name, _)| *name == bench) else {
            let bench = bench.to_owned();
            if !unknown.contains(&bench) {
                unknown.push(bench);
            }
            continue;
        };
        if bench != "absent" {
            // Whoever answers later is no longer absent.
            let contender = value["contender"].as_str().unwrap_or("").to_owned();
            lines.remove(&("absent", vec![contender]));
        }
        let key = keys.iter().map(|key| sortable(&value[*key])).collect();
        let run = headers.len().checked_sub(1);
        lines.insert(
            (bench, key),
            Line {
                bench,
                run,
                at,
                value,
            },
        );
    }
    Ok((headers, lines.into_values().collect()))
}

/// Numbers sort as numbers.
fn sortable(value: &Value) -> String {
    match value {
        Value::Number(number) => format!("{:>24}", number.to_string()),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn decode<T: DeserializeOwned>(file: &str, at: usize, value: Value) -> Result<T> {
    serde_json::from_value(value).map_err(|err| format!("{file}.jsonl:{at}: {err}").into())
}

/// A line of a contender that offers nothing need not repeat what is known of the task.
fn share_truth(answers: &mut [Answered]) {
    let key = |a: &Answered| (a.set.clone(), a.repo.clone(), a.task.clone());
    let mut known: BTreeMap<_, Answered> = BTreeMap::new();
    for answer in answers.iter() {
        let task = known.entry(key(answer)).or_default();
        if task.truth.len() < answer.truth.len() {
            task.truth.clone_from(&answer.truth);
        }
        if task.lang.is_empty() {
            task.lang.clone_from(&answer.lang);
        }
        if task.category.is_none() {
            task.category.clone_from(&answer.category);
        }
        if task.query.is_none() {
            task.query.clone_from(&answer.query);
        }
    }
    for answer in answers {
        if let Some(task) = known.get(&key(answer)) {
            answer.truth.clone_from(&task.truth);
            answer.lang.clone_from(&task.lang);
            answer.category.clone_from(&task.category);
            answer.query.clone_from(&task.query);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"bench":"run","command":"cargo benchmark quality","program":"git-sverklo 0.1.0","commit":"a","machine":"m","cpu":null,"date":"2026-11-22"}"#;

    fn answer(task: &str, contender: &str, score: f64) -> String {
        format!(
            r#"{{"bench":"quality","set":"own","repo":"r","task":"{task}","kind":"definition","contender":"{contender}","offered":true,"score":{score}}}"#
        )
    }

    fn quality(lines: &[&str]) -> Raw {
        parse(&[("quality", lines.join("\n"))]).unwrap()
    }

    #[test]
    fn the_last_line_about_a_task_counts_and_a_run_without_lines_is_not_named() {
        let second = HEADER.replace("quality\"", "quality --set own\"");
        let old = answer("t1", "ctags", 0.25);
        let new = answer("t1", "ctags", 0.5);
        let raw = quality(&[HEADER, &old, "", &second, &new]);
        assert_eq!(raw.answers.len(), 1);
        assert_eq!(raw.answers[0].score, 0.5);
        let commands: Vec<_> = raw.runs["quality"].iter().map(|h| &h.command[..]).collect();
        assert_eq!(commands, ["cargo benchmark quality --set own"]);
    }

    #[test]
    fn who_answers_later_is_not_absent() {
        let absent = |name: &str| {
            format!(r#"{{"bench":"absent","contender":"{name}","reason":"no program"}}"#)
        };
        let raw = quality(&[
            &absent("ctags"),
            &absent("semble"),
            &answer("t1", "ctags", 1.0),
        ]);
        let names: Vec<_> = raw.absent.iter().map(|a| a.text("contender")).collect();
        assert_eq!(names, ["semble"]);
        assert_eq!(raw.absent[0].text("file"), "quality");
    }

    #[test]
    fn a_line_without_truth_takes_it_from_another_contenders_line() {
        let told = answer("t1", "ctags", 1.0).replace("}", r#","truth":["a.rs:1"],"query":"f"}"#);
        let raw = quality(&[&answer("t1", "bm25", 0.0), &told]);
        assert_eq!(raw.answers[0].contender, "bm25");
        assert_eq!(raw.answers[0].truth, ["a.rs:1"]);
        assert_eq!(raw.answers[0].query.as_deref(), Some("f"));
    }

    #[test]
    fn lines_are_ordered_by_number_where_they_are_about_numbers() {
        let line = |files: u32| {
            format!(r#"{{"bench":"scale","files":{files},"contender":"git-sverklo"}}"#)
        };
        let text = format!("{}\n{}\n{}", line(10_000), line(1_000), line(300));
        let raw = parse(&[("scale", text)]).unwrap();
        let files: Vec<_> = raw.scale.iter().filter_map(|l| l.number("files")).collect();
        assert_eq!(files, [300.0, 1_000.0, 10_000.0]);
    }

    #[test]
    fn a_broken_line_is_named_and_an_unknown_one_is_told() {
        let err = parse(&[("cost", "{\"bench\":\"cost\"}\n{".to_owned())]).unwrap_err();
        assert!(err.to_string().starts_with("cost.jsonl:2: "), "{err}");
        assert_eq!(quality(&[r#"{"bench":"magic"}"#]).unknown, ["magic"]);
    }
}
