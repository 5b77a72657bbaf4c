//! Is the answer the same whenever, wherever and in whichever order the index was made? Four
//! promises of the store, checked on any repository:
//!
//! - *past*: an index that has seen many commits answers about each of them as a fresh index in a
//!   clean checkout of it does;
//! - *union*: neither does one that was put together from two clones' indexes answer otherwise;
//! - *compaction*: nor one that was compacted, nor one whose cache was deleted;
//! - *machines*: whoever indexes the same commits gets the same object id.
//!
//! The answers of fresh indexes are the truth that all others are compared with, as JSON.

mod answers;
mod compaction;
mod history;
mod machines;
mod union;

use crate::Result;
use crate::program::Program;
use crate::run::Run;
use crate::subject::{Subject, run_git};
use answers::Tally;
use machines::Made;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The ref that the index is under.
const INDEX_REF: &str = "refs/sverklo/v1/index";

/// What to check.
#[derive(clap::Args)]
pub struct Args {
    /// Repositories.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Commits to ask about, spread evenly over the window.
    #[arg(long, value_name = "N", default_value_t = 20)]
    commits: usize,
    /// How many commits of the first-parent history the window reaches back.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    window: usize,
}

/// Checks each repository; the exit status is 1 when anything differs anywhere.
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    let mut faithful = true;
    for path in &args.paths {
        // The clone is never indexed itself, so that clones of it start with nothing.
        let subject = Subject::clone_of(path)?;
        faithful &= check(&subject, args, program, run)?;
    }
    Ok(ExitCode::from(u8::from(!faithful)))
}

/// Checks one repository and says whether everything held.
fn check(subject: &Subject, args: &Args, program: &Program, run: &Run) -> Result<bool> {
    let commits = history::sample(subject, args.commits, args.window)?;
    println!("{}: {} commits", subject.name, commits.len());
    let truth = history::fresh_answers(subject, &commits, program)?;

    let (past, accumulated) = history::past(subject, &commits, &truth, program)?;
    report("past equals fresh", &past);
    let (union, united) = union::check(subject, &commits, &truth, program)?;
    report("union changes no answer", &union);
    let compaction = compaction::check(&united, &truth, program)?;
    report("compaction changes no answer", &compaction);

    let mut made = machines::made(subject, &commits, program)?;
    let machines = made.len();
    for (name, dir) in [
        ("all commits one by one", &accumulated),
        ("united", &united),
    ] {
        made.push(Made::of(name, dir, true, program)?);
    }
    let disagreement = machines::disagreement(&made);
    match (&disagreement, machines::agreed(&made)) {
        (None, Some(id)) => println!("  machines agree: {id}, made in {} ways", made.len()),
        (found, _) => println!("  machines differ: {}", found.as_deref().unwrap_or("no id")),
    }

    run.record(
        "faith",
        &json!({
            "bench": "faith",
            "repo": subject.name,
            "commits": commits.len(),
            "answers": past.compared,
            "different": past.differences.len(),
            "union_answers": union.compared,
            "union_different": union.differences.len(),
            "compaction_answers": compaction.compared,
            "compaction_different": compaction.differences.len(),
            "machines": machines,
            "ids_equal": disagreement.is_none(),
        }),
    )?;
    let tallies = [past, union, compaction];
    Ok(disagreement.is_none() && tallies.iter().all(|tally| tally.differences.is_empty()))
}

fn report(promise: &str, tally: &Tally) {
    println!(
        "  {promise}: {} answers, {} differ",
        tally.compared,
        tally.differences.len()
    );
    if let Some(first) = tally.differences.first() {
        println!("    the first: {first}");
    }
}

/// A clone of its own, with every object of the subject and nothing checked out.
fn clone(subject: &Subject, name: &str) -> Result<PathBuf> {
    let dir = subject.dir.with_file_name(name);
    let to = dir.to_string_lossy();
    subject.git(&["clone", "-q", "--local", "--no-checkout", ".", &to])?;
    Ok(dir)
}

/// The object that the segments of an index are; `nothing` where there are none.
fn segments_id(dir: &Path) -> Result<String> {
    let tree = run_git(dir, &["ls-tree", INDEX_REF, "seg"])?;
    Ok(tree
        .split_whitespace()
        .nth(2)
        .unwrap_or("nothing")
        .to_owned())
}

/// The object that the index ref of a repository names; `nothing` where there is none.
fn index_id(dir: &Path) -> Result<String> {
    let id = run_git(dir, &["for-each-ref", "--format=%(objectname)", INDEX_REF])?;
    Ok(match id.trim() {
        "" => "nothing".to_owned(),
        id => id.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The promises, on a small repository of five commits; larger ones are checked by hand.
    #[test]
    fn five_commits_are_answered_alike_however_the_index_was_made() {
        let subject = crate::cost::tests::small(5);
        let program = Program::find(None).unwrap();
        let runs = tempfile::tempdir().unwrap();
        let run = Run::open(Some(runs.path()), &program).unwrap();
        let args = Args {
            paths: Vec::new(),
            commits: 5,
            window: 5,
        };
        assert!(check(&subject, &args, &program, &run).unwrap());
        let said = std::fs::read_to_string(run.folder().join("faith.jsonl")).unwrap();
        let line: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
        assert_eq!(line["commits"], 5);
        for answers in ["answers", "union_answers", "compaction_answers"] {
            assert!(line[answers].as_u64() > Some(0), "{line}");
        }
    }
}
