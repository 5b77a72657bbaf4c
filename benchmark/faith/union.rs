//! Union changes no answer: two clones index different commits, some of them both, each fetches
//! the other's index, and everything is asked again.

use super::answers::{self, Asked, Tally};
use super::{INDEX_REF, clone, index_id};
use crate::Result;
use crate::program::Program;
use crate::subject::{Subject, run_git};
use git_sverklo::git::Repo;
use std::path::{Path, PathBuf};

/// Where a fetched index is kept until it is united.
const FETCHED: &str = "refs/benchmark/fetched";

/// Asks both clones about their own commits, unites, and asks about all. Returns one of the united
/// repositories too.
pub fn check(
    subject: &Subject,
    commits: &[String],
    truth: &[Asked],
    program: &Program,
) -> Result<(Tally, PathBuf)> {
    let (ours, theirs) = overlapping(commits);
    let here = clone(subject, "here")?;
    let there = clone(subject, "there")?;
    // One commit after the other makes many small segments, all at once makes few large ones.
    for commit in ours.iter().rev() {
        answers::run(program, &here, &["index", "--threads", "1", commit])?;
    }
    let mut index = vec!["index", "--threads", "3"];
    index.extend(theirs.iter().map(String::as_str));
    answers::run(program, &there, &index)?;

    let mut all = Tally::default();
    for (dir, known) in [(&here, ours), (&there, theirs)] {
        let own = truth.iter().filter(|asked| known.contains(&asked.commit));
        add(
            &mut all,
            answers::ask_again(own, dir, "before the union", program)?,
        );
    }
    fetch(&here, &there)?;
    fetch(&there, &here)?;
    for dir in [&here, &there] {
        unite(dir)?;
        add(
            &mut all,
            answers::ask_again(truth, dir, "after the union", program)?,
        );
    }
    all.same_id(
        "index ref, united here and there",
        &index_id(&here)?,
        &index_id(&there)?,
    );
    Ok((all, here))
}

/// The first and the last two thirds, so that the middle third is in both.
fn overlapping(commits: &[String]) -> (&[String], &[String]) {
    let third = commits.len() / 3;
    (&commits[..commits.len() - third], &commits[third..])
}

fn fetch(into: &Path, from: &Path) -> Result<()> {
    let from = from.to_string_lossy();
    run_git(
        into,
        &["fetch", "-q", &from, &format!("+{INDEX_REF}:{FETCHED}")],
    )?;
    Ok(())
}

/// Unites through the library: the program has no command for it yet.
fn unite(dir: &Path) -> Result<()> {
    let repo = Repo::discover(dir)?;
    let fetched = repo.resolve(FETCHED)?;
    let snapshot = git_sverklo::store::union(&repo, fetched)?;
    match snapshot.warnings.first() {
        None => Ok(()),
        Some(warning) => Err(format!("{}: the union warns: {warning}", dir.display()).into()),
    }
}

fn add(all: &mut Tally, some: Tally) {
    all.compared += some.compared;
    all.differences.extend(some.differences);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_overlap_and_lose_nothing() {
        for count in [1, 2, 3, 20] {
            let commits: Vec<String> = (0..count).map(|n: u32| n.to_string()).collect();
            let (ours, theirs) = overlapping(&commits);
            assert!(ours.iter().any(|commit| theirs.contains(commit)));
            assert!(
                commits
                    .iter()
                    .all(|commit| ours.contains(commit) || theirs.contains(commit))
            );
            // From three commits on, neither has them all.
            assert_eq!(count >= 3, ours.len() < commits.len());
            assert_eq!(count >= 3, theirs.len() < commits.len());
        }
    }
}
