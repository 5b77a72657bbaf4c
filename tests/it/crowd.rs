//! Sixteen processes of the real program at work in one repository, and others that ask.

use crate::harness::{Kind, TestRepo};
use crate::store::commit_change;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Processes that index, each another commit.
const WRITERS: usize = 16;
/// Commits that are asked about, each by one reader all the time.
const ASKED: [usize; 4] = [0, 5, 10, 15];

/// The answer of a fresh index in a clone that has only this commit covered.
fn fresh_answer(repo: &TestRepo, at: usize, question: &[&str]) -> String {
    let clone = repo.at(repo.beside(&format!("fresh-{at}")));
    let to = clone.dir().to_string_lossy().into_owned();
    repo.git(&["clone", "-q", ".", &to]);
    clone.sverklo(question).success()
}

fn crowd(kind: Kind, linked: usize) {
    let repo = TestRepo::init_as(kind);
    let mut commits = Vec::new();
    for n in 0..WRITERS {
        for file in 0..6 {
            repo.write(
                format!("src/own{n}_{file}.py"),
                format!("def own{n}_{file}():\n    pass\n"),
            );
        }
        commit_change(&repo, n);
        commits.push(repo.git(&["rev-parse", "HEAD"]));
    }
    let mut places = vec![repo.at(repo.dir())];
    for (n, commit) in commits.iter().enumerate().take(linked) {
        let place = repo.beside(&format!("linked-{n}"));
        let to = place.to_string_lossy().into_owned();
        repo.git(&["worktree", "add", "-q", "--detach", &to, commit]);
        places.push(repo.at(place));
    }
    let questions: Vec<Vec<&str>> = ASKED
        .iter()
        .map(|at| vec!["symbol", "own0_0", "--at", &commits[*at], "--json"])
        .collect();
    let truths: Vec<String> = ASKED
        .iter()
        .zip(&questions)
        .map(|(at, question)| fresh_answer(&repo, *at, question))
        .collect();
    assert!(truths.iter().all(|truth| truth.contains("src/own0_0.py")));

    let is_over = AtomicBool::new(false);
    let answers = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        // The harness counts time in a cell, so commands are made here and run there.
        for (at, (question, truth)) in questions.iter().zip(&truths).enumerate() {
            let mut command = places[at % places.len()].sverklo_command(question);
            let (is_over, answers) = (&is_over, &answers);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let out = command.output().expect("the program starts");
                    let said = String::from_utf8_lossy(&out.stderr);
                    assert!(out.status.success() && said.is_empty(), "reader: {said}");
                    assert_eq!(String::from_utf8_lossy(&out.stdout), *truth);
                    answers.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let start = |at: usize, args: &[&str]| {
            let mut command = places[at % places.len()].sverklo_command(args);
            let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("the program starts")
        };
        let mut children: Vec<_> = commits
            .iter()
            .enumerate()
            .map(|(at, commit)| start(at, &["index", "--json", commit]))
            .collect();
        children.push(start(0, &["gc", "--json"]));
        let outs: Vec<_> = children
            .into_iter()
            .map(|child| child.wait_with_output().expect("it was started"))
            .collect();
        is_over.store(true, Ordering::Relaxed);
        for out in outs {
            let said = String::from_utf8_lossy(&out.stderr);
            assert!(out.status.success() && said.is_empty(), "writer: {said}");
            let said = String::from_utf8_lossy(&out.stdout);
            assert!(said.contains("\"warnings\":[]"), "writer: {said}");
        }
    });
    assert!(answers.into_inner() >= ASKED.len());
    let mut all = vec!["index", "--json"];
    all.extend(commits.iter().map(String::as_str));
    let report = repo.sverklo(&all).success();
    assert!(
        report.contains("\"documents_added\":0"),
        "an update was lost: {report}"
    );
    for (question, truth) in questions.iter().zip(&truths) {
        assert_eq!(repo.sverklo(question).success(), *truth);
    }
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn sixteen_at_once_lose_nothing_and_say_nothing() {
    crowd(Kind::default(), 0);
}

#[test]
fn sixteen_at_once_in_linked_work_trees_of_a_sha256_repository() {
    let kind = Kind {
        sha256: true,
        ..Kind::default()
    };
    crowd(kind, 3);
}

#[test]
fn sixteen_at_once_with_refs_in_a_reftable() {
    let kind = Kind {
        reftable: true,
        ..Kind::default()
    };
    crowd(kind, 1);
}
