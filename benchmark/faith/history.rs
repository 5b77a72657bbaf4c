//! Past equals fresh: which commits are asked about, what fresh indexes answer about them, and
//! what one index does that has seen them all.

use super::answers::{self, Asked, Tally};
use super::clone;
use crate::Result;
use crate::program::Program;
use crate::subject::Subject;
use std::path::PathBuf;

/// Commits of the first-parent history, newest first, spread evenly over a window of it.
pub fn sample(subject: &Subject, commits: usize, window: usize) -> Result<Vec<String>> {
    let log = subject.git(&["rev-list", "--first-parent", &format!("-n{window}"), "HEAD"])?;
    let all: Vec<&str> = log.lines().collect();
    Ok(spread(&all, commits)
        .into_iter()
        .map(|commit| (*commit).to_owned())
        .collect())
}

/// At most `count` of `all`, the first among them, at equal distances.
fn spread<T>(all: &[T], count: usize) -> Vec<&T> {
    let step = all.len().checked_div(count).unwrap_or(1).max(1);
    all.iter().step_by(step).take(count).collect()
}

/// The truth: what a fresh index in a clean checkout of each commit answers.
pub fn fresh_answers(
    subject: &Subject,
    commits: &[String],
    program: &Program,
) -> Result<Vec<Asked>> {
    let mut all = Vec::new();
    // Both of the indexes that are united later have the one in the middle.
    let middle = commits.len() / 2;
    for (at, commit) in commits.iter().enumerate() {
        let dir = subject.checkout(commit, "fresh")?;
        let base = (at < middle).then(|| commits[middle].as_str());
        for question in answers::questions(&dir, base)? {
            let words: Vec<&str> = question.iter().map(String::as_str).collect();
            all.push(Asked {
                commit: commit.clone(),
                answer: answers::json_answer(program, &dir, &words)?,
                question,
            });
        }
        std::fs::remove_dir_all(&dir)?;
    }
    Ok(all)
}

/// Compares the answers of one index that was extended commit by commit. Returns its repository
/// too.
pub fn past(
    subject: &Subject,
    commits: &[String],
    truth: &[Asked],
    program: &Program,
) -> Result<(Tally, PathBuf)> {
    let dir = clone(subject, "accumulated")?;
    // Not in the order of history, so that the index has seen the future.
    let (newer, older) = commits.split_at(commits.len() / 2);
    for commit in older.iter().chain(newer) {
        answers::run(program, &dir, &["index", commit])?;
    }
    let tally = answers::ask_again(truth, &dir, "in an index of all commits", program)?;
    Ok((tally, dir))
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn a_sample_is_spread_over_all() {
        let all: Vec<u32> = (0..10).collect();
        assert_eq!(spread(&all, 3), [&0, &3, &6]);
        assert_eq!(spread(&all, 10).len(), 10);
        assert_eq!(spread(&all, 99).len(), 10);
        assert!(spread(&all, 0).is_empty());
    }
}
