//! The table that weights are fitted on: for every question what the program found, with what each
//! channel said of it (`search --explain`) and which targets of the truth it is.
//!
//! From that every other choice of weights can be tried without asking again, exactly but for two
//! things: a file's fourth and further chunks are not in the answer, and so not in the table, and a
//! channel's own order, in which roles take part, is that of the program.

use crate::Result;
use crate::contender::{Span, read};
use crate::program::Program;
use crate::score::{is_target, same_file};
use crate::session::Session;
use crate::subject::Subject;
use crate::task::suite::Batch;
use crate::task::{Question, Target, Task};
use crate::tokens;
use git_sverklo::query::search::kind::QueryKind;
use git_sverklo::query::search::query::QueryTerms;
use git_sverklo::view::role::FileRole;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Tokens of the one answer within which the truth of a `swe` question should be.
pub const BUDGET: usize = 1500;
/// Results asked for: more than all channels together can rank.
const ALL: &str = "1000";

/// Questions with what was found.
#[derive(Serialize, Deserialize, Default)]
pub struct Table {
    /// Names of the channels, in the order they were met.
    pub channels: Vec<String>,
    pub queries: Vec<Query>,
}

/// A question with what was found.
#[derive(Clone, Serialize, Deserialize)]
pub struct Query {
    /// Whether weights may be fitted on it; the others are reported.
    pub fitted: bool,
    pub set: String,
    pub repo: String,
    pub lang: String,
    pub category: String,
    /// Place in [`QueryKind::ALL`].
    pub kind: usize,
    /// How many targets there are.
    pub truth: usize,
    /// Part of each channel in the sum, as the program has it; 0 for those that found nothing.
    pub weights: Vec<f64>,
    pub files: Vec<File>,
    /// By path and line: the order of equals.
    pub hits: Vec<Hit>,
    /// What one answer of [`BUDGET`] tokens holds, where that was asked.
    pub answer: Option<OneAnswer>,
}

/// A file with chunks that were found.
#[derive(Clone, Serialize, Deserialize)]
pub struct File {
    pub role: String,
    /// What its role leaves of a score, as the program has it for this query.
    pub factor: f64,
    /// Best share of any chunk by channel.
    pub shares: Vec<f64>,
    /// Targets in this file, lines aside.
    pub is: Vec<u16>,
}

/// A chunk that was found.
#[derive(Clone, Serialize, Deserialize)]
pub struct Hit {
    /// Place in the query's files.
    pub file: u32,
    /// Share of the channel's best, by channel.
    pub shares: Vec<f64>,
    /// Targets that it is.
    pub is: Vec<u16>,
    /// The program's score.
    pub score: f64,
}

/// One answer over MCP.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct OneAnswer {
    pub tokens: usize,
    /// Hits that are in it.
    pub hits: usize,
    /// Share of the targets whose files are in it.
    pub recall: f64,
}

impl Table {
    /// Takes over another table, whose channels may be others.
    pub fn absorb(&mut self, other: Self) {
        let places: Vec<usize> = other
            .channels
            .iter()
            .map(|name| channel(&mut self.channels, name))
            .collect();
        let moved = |list: &mut Vec<f64>| {
            let old = std::mem::take(list);
            for (value, place) in old.into_iter().zip(&places) {
                put(list, *place, value);
            }
        };
        self.queries
            .extend(other.queries.into_iter().map(|mut query| {
                moved(&mut query.weights);
                query
                    .files
                    .iter_mut()
                    .for_each(|file| moved(&mut file.shares));
                query.hits.iter_mut().for_each(|hit| moved(&mut hit.shares));
                query
            }));
    }
}

/// Asks every `Locate` of a batch.
pub fn collect(batch: &Batch, program: &Program) -> Result<Table> {
    let subject = &batch.subject;
    let out = program
        .command(&subject.dir, &["index", "-q", "HEAD"])
        .output()?;
    if !out.status.success() {
        return Err(format!("{}: {}", subject.name, String::from_utf8_lossy(&out.stderr)).into());
    }
    let mut table = Table::default();
    let mut session = None;
    for task in &batch.tasks {
        let Question::Locate { query, truth, .. } = &task.question else {
            continue;
        };
        let mut row = ask(subject, program, task, query, truth, &mut table.channels)?;
        if task.set == "swe" {
            if session.is_none() {
                let mut command = program.command(&subject.dir, &["mcp"]);
                session = Some(Session::start(&mut command)?);
            }
            let session = session.as_mut().ok_or("a session was just started")?;
            row.answer = Some(one_answer(session, query, truth)?);
        }
        table.queries.push(row);
    }
    Ok(table)
}

fn ask(
    subject: &Subject,
    program: &Program,
    task: &Task,
    query: &str,
    truth: &[Target],
    channels: &mut Vec<String>,
) -> Result<Query> {
    let mut args = vec!["search", "--json", "--explain", "-n", ALL];
    args.extend(["--budget", "100000", "--at", "HEAD"]);
    let scope = subject
        .root
        .as_ref()
        .map(|root| format!("{}/", root.trim_end_matches('/')));
    if let Some(scope) = &scope {
        args.extend(["--scope", scope]);
    }
    args.extend(["--", query]);
    let out = program.command(&subject.dir, &args).output()?;
    // 1 is an empty answer.
    if !matches!(out.status.code(), Some(0 | 1)) {
        return Err(format!("{query:?}: {}", String::from_utf8_lossy(&out.stderr)).into());
    }
    let said: Value = serde_json::from_slice(&out.stdout)?;
    let kind = QueryKind::of(query, &QueryTerms::parse(query));
    let kind = QueryKind::ALL.iter().position(|one| *one == kind);
    let mut row = Query {
        fitted: false,
        set: task.set.clone(),
        repo: subject.name.clone(),
        lang: task.lang.clone(),
        category: task.category.clone(),
        kind: kind.ok_or("ALL has every kind")?,
        truth: truth.len(),
        weights: Vec::new(),
        files: Vec::new(),
        hits: Vec::new(),
        answer: None,
    };
    let mut found: Vec<&Value> = said["hits"].as_array().into_iter().flatten().collect();
    found.sort_by_key(|hit| (hit["path"].as_str(), hit["start"].as_u64()));
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    for hit in found {
        let path = hit["path"].as_str().ok_or("a hit has a path")?;
        let line = |key: &str| hit[key].as_u64().unwrap_or(0) as u32;
        let span = Span {
            path: path.to_owned(),
            lines: Some((line("start"), line("end"))),
        };
        let explain = &hit["explain"];
        let file = *files.entry(path).or_insert_with(|| {
            row.files.push(File {
                role: role(path, explain["role"].as_f64()),
                factor: explain["role"].as_f64().unwrap_or(1.0),
                shares: Vec::new(),
                is: targets(truth, |target| same_file(&span, target)),
            });
            row.files.len() - 1
        });
        let mut shares = Vec::new();
        for said in explain["channels"].as_array().into_iter().flatten() {
            let name = said["channel"].as_str().ok_or("a channel has a name")?;
            let at = channel(channels, name);
            let number = |key: &str| said[key].as_f64().unwrap_or(0.0);
            put(&mut row.weights, at, number("weight"));
            put(&mut row.files[file].shares, at, number("of_file"));
            put(&mut shares, at, number("share"));
        }
        row.hits.push(Hit {
            file: file as u32,
            shares,
            is: targets(truth, |target| is_target(&span, target)),
            score: explain["score"]
                .as_f64()
                .ok_or("the program does not explain its scores")?,
        });
    }
    Ok(row)
}

/// The role whose factor a file has. What a path does not tell, the file says of itself.
fn role(path: &str, factor: Option<f64>) -> String {
    let of_path = FileRole::of_path(path.as_bytes());
    let generated = of_path == FileRole::Product && factor < Some(1.0);
    let role = if generated {
        FileRole::Generated
    } else {
        of_path
    };
    role.label().to_owned()
}

fn targets(truth: &[Target], is: impl Fn(&Target) -> bool) -> Vec<u16> {
    let met = truth.iter().zip(0u16..).filter(|(target, _)| is(target));
    met.map(|(_, at)| at).collect()
}

fn channel(channels: &mut Vec<String>, name: &str) -> usize {
    channels
        .iter()
        .position(|known| known == name)
        .unwrap_or_else(|| {
            channels.push(name.to_owned());
            channels.len() - 1
        })
}

/// Sets a value of a list that is 0 wherever nothing was set.
fn put(list: &mut Vec<f64>, at: usize, value: f64) {
    if list.len() <= at {
        list.resize(at + 1, 0.0);
    }
    list[at] = value;
}

fn one_answer(session: &mut Session, query: &str, truth: &[Target]) -> Result<OneAnswer> {
    // As many results as there is room for.
    let said = session.call(
        "search",
        json!({"query": query, "limit": 50, "budget": BUDGET}),
    )?;
    if said.is_error {
        return Err(said.text.into());
    }
    let files: Vec<Span> = read::places(&said.text)
        .map(|line| Span {
            path: line.path.to_owned(),
            lines: None,
        })
        .collect();
    let met = |target: &&Target| files.iter().any(|file| same_file(file, target));
    Ok(OneAnswer {
        tokens: tokens::count(&said.text),
        hits: files.len(),
        recall: truth.iter().filter(met).count() as f64 / truth.len().max(1) as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_numbered_as_they_come() {
        let mut channels = Vec::new();
        assert_eq!(channel(&mut channels, "text"), 0);
        assert_eq!(channel(&mut channels, "vector"), 1);
        assert_eq!(channel(&mut channels, "text"), 0);
        let mut list = Vec::new();
        put(&mut list, 2, 0.5);
        assert_eq!(list, [0.0, 0.0, 0.5]);
    }

    #[test]
    fn a_table_is_told_in_the_channels_of_another() {
        use super::super::model::tests::query;
        let table = |channels: [&str; 2]| Table {
            channels: channels.map(str::to_owned).to_vec(),
            queries: vec![query(&[[1.0, 0.5]])],
        };
        let mut both = table(["text", "name"]);
        both.absorb(table(["vector", "text"]));
        assert_eq!(both.channels, ["text", "name", "vector"]);
        assert_eq!(both.queries[0].hits[0].shares, [1.0, 0.5]);
        assert_eq!(both.queries[1].hits[0].shares, [0.5, 0.0, 1.0]);
        assert_eq!(both.queries[1].files[0].shares, [0.5, 0.0, 1.0]);
        assert_eq!(both.queries[1].weights, [0.25, 0.0, 0.75]);
    }

    #[test]
    fn what_a_path_does_not_tell_its_factor_does() {
        assert_eq!(role("src/a.rs", Some(1.0)), "");
        assert_eq!(role("src/a.rs", Some(0.4)), "generated");
        // A test that was asked for is one still.
        assert_eq!(role("tests/a.rs", Some(1.0)), "test");
    }
}
