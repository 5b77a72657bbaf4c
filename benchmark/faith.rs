//! Past equals fresh, on a real repository: for 20 commits spread over the newest 2,000 of the
//! first-parent history, the answers at `--at SHA` of one accumulated index are compared with
//! those of a fresh index in a clean checkout of that commit.

use crate::Result;
use crate::program::Program;
use crate::run::Run;
use crate::subject::{Subject, run_git};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Commits compared.
const COMMITS: usize = 20;
/// How far back they reach.
const WINDOW: usize = 2000;

/// What to check.
#[derive(clap::Args)]
pub struct Args {
    /// Repositories.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

/// Checks each repository; fails when any answer differs.
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    for path in &args.paths {
        past_equals_fresh(&Subject::clone_of(path)?, program, run)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn past_equals_fresh(subject: &Subject, program: &Program, run: &Run) -> Result<()> {
    let log = subject.git(&["rev-list", "--first-parent", &format!("-n{WINDOW}"), "HEAD"])?;
    let all: Vec<&str> = log.lines().collect();
    let step = (all.len() / COMMITS).max(1);
    let commits: Vec<&str> = all.iter().step_by(step).take(COMMITS).copied().collect();
    // In an order that is not that of history, so that the index has seen the future.
    let mut order = commits.clone();
    order.rotate_left(commits.len() / 2);
    for commit in &order {
        answer(program, &subject.dir, &["index", commit])?;
    }
    let mut compared = 0;
    let mut different = Vec::new();
    for (i, commit) in commits.iter().enumerate() {
        let dir = subject.checkout(commit, &format!("fresh{i}"))?;
        for question in questions(&dir)? {
            let question: Vec<&str> = question.iter().map(String::as_str).collect();
            let fresh = json_answer(program, &dir, &question)?;
            let mut at = question.clone();
            at.extend(["--at", commit]);
            compared += 1;
            if json_answer(program, &subject.dir, &at)? != fresh {
                different.push(format!("{} at {commit}", question.join(" ")));
            }
        }
        std::fs::remove_dir_all(&dir)?;
    }
    let line = json!({
        "bench": "faith", "repo": subject.name, "commits": commits.len(),
        "answers": compared, "different": different.len(),
    });
    println!(
        "{}: {} answers at {} commits, {} differ",
        subject.name,
        compared,
        commits.len(),
        different.len()
    );
    run.record("faith", &line)?;
    match different.first() {
        None => Ok(()),
        Some(first) => {
            Err(format!("{} answers differ, the first: {first}", different.len()).into())
        }
    }
}

/// A fixed set of questions and a few about names the commit itself has.
fn questions(dir: &Path) -> Result<Vec<Vec<String>>> {
    let mut questions: Vec<Vec<String>> = [
        &["search", "parse request header"][..],
        &["search", "error handling when a connection is closed"],
        &["search", "test helper", "--limit", "30"],
        &["symbol", "get", "--limit", "50"],
        &["symbol", "Error"],
        &["symbol", "parse config"],
        &["refs", "name", "--limit", "200"],
        &["refs", "assert"],
        &["map"],
    ]
    .iter()
    .map(|question| question.iter().map(|word| (*word).to_owned()).collect())
    .collect();
    let files = run_git(
        dir,
        &[
            "ls-files", "*.js", "*.ts", "*.py", "*.go", "*.rs", "*.c", "*.java",
        ],
    )?;
    let files: Vec<&str> = files
        .lines()
        .filter(|path| !path.starts_with('"'))
        .collect();
    for path in files.iter().step_by((files.len() / 4).max(1)).take(4) {
        questions.push(vec!["symbol".to_owned(), (*path).to_owned()]);
    }
    Ok(questions)
}

fn json_answer(program: &Program, dir: &Path, question: &[&str]) -> Result<Value> {
    let mut args = question.to_vec();
    args.extend(["--json", "--budget", "20000"]);
    let mut value: Value = serde_json::from_str(&answer(program, dir, &args)?)?;
    // `map` also tells of the store, which is no part of the answer about the commit.
    if let Some(object) = value.as_object_mut() {
        object.remove("store");
    }
    Ok(value)
}

fn answer(program: &Program, dir: &Path, args: &[&str]) -> Result<String> {
    let out = program.command(dir, args).output()?;
    match out.status.code() {
        Some(0 | 1) => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        _ => Err(format!("{args:?}: {}", String::from_utf8_lossy(&out.stderr)).into()),
    }
}
