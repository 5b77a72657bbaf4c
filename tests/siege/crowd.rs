//! Sixteen writers and some readers in one repository, in which git collects garbage all the time.

use crate::harness::TestRepo;
use crate::kills::keeps;
use crate::random::{Random, scale, seed};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

const WRITERS: usize = 16;
const READERS: usize = 2;
/// Commands of each writer of a short siege.
const TURNS: usize = 2;
/// Commits there are to index.
const COMMITS: usize = 24;

/// What everybody shares.
#[derive(Default)]
struct Crowd {
    is_over: AtomicBool,
    written: AtomicUsize,
    asked: AtomicUsize,
    collected: AtomicUsize,
    /// Collections of git's that failed, with what it said.
    refused: Mutex<Vec<String>>,
    acknowledged: Mutex<Vec<String>>,
}

fn said(command: &mut Command) -> (bool, String, String) {
    let out = command.output().expect("the program starts");
    assert!(out.status.code().is_some(), "{command:?}: {}", out.status);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.success(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn sixteen_writers_beside_a_git_that_collects_lose_nothing() {
    let repo = TestRepo::init();
    let mut commits = Vec::new();
    for n in 0..COMMITS {
        repo.write(
            format!("f{n}.py"),
            format!("def f{n}():\n    return g{n}()\n"),
        );
        commits.push(repo.commit("more"));
    }
    repo.sverklo(&["index", &commits[0]]).success();
    let crowd = Crowd::default();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let crowd = &crowd;
        // The harness counts time in a cell, so commands are made here and run there.
        let mut collect = repo.command("git");
        collect.args(["gc", "-q", "--prune=now"]);
        scope.spawn(move || {
            while !crowd.is_over.load(Ordering::Relaxed) {
                let (is_done, _, why) = said(&mut collect);
                crowd.collected.fetch_add(1, Ordering::Relaxed);
                if !is_done {
                    crowd.refused.lock().expect("no panic").push(why);
                }
            }
        });
        for commit in commits.iter().take(READERS) {
            let mut ask = repo.sverklo_command(&["symbol", "f0", "--at", commit]);
            let mut recall = repo.sverklo_command(&["memory", "list", "--all"]);
            scope.spawn(move || {
                while !crowd.is_over.load(Ordering::Relaxed) {
                    let (is_done, out, why) = said(&mut ask);
                    assert!(
                        is_done && why.is_empty() && out.contains("f0.py:1"),
                        "{out}{why}"
                    );
                    let (_, _, why) = said(&mut recall);
                    assert_eq!(why, "");
                    crowd.asked.fetch_add(2, Ordering::Relaxed);
                }
            });
        }
        let mut random = Random(seed());
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let mut turns: Vec<(Option<String>, Command)> = Vec::new();
                for turn in 0..TURNS * scale() {
                    let text = format!("writer {writer:02} said this in turn {turn:04}");
                    let commit = random.pick(&commits).clone();
                    let (said_now, args) = match random.below(16) {
                        0..=7 => (Some(text.clone()), vec!["remember", &text]),
                        8..=12 => (None, vec!["index", &commit]),
                        13 | 14 => (None, vec!["forget", "f1.py"]),
                        _ => (None, vec!["gc"]),
                    };
                    turns.push((said_now, repo.sverklo_command(&args)));
                }
                scope.spawn(move || {
                    for (text, mut command) in turns {
                        let (is_done, _, why) = said(&mut command);
                        assert!(is_done, "{command:?}: {why}");
                        crowd.written.fetch_add(1, Ordering::Relaxed);
                        crowd.acknowledged.lock().expect("no panic").extend(text);
                    }
                })
            })
            .collect();
        let ended: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        crowd.is_over.store(true, Ordering::Relaxed);
        assert!(ended.iter().all(Result::is_ok), "a writer failed");
    });
    let acknowledged = crowd.acknowledged.into_inner().expect("no panic");
    let refused = crowd.refused.into_inner().expect("no panic");
    println!(
        "crowd: {} minutes, {WRITERS} writers with {} commands, {} questions, {} collections by git ({} gave up), {} memories",
        begin.elapsed().as_secs() / 60,
        crowd.written.into_inner(),
        crowd.asked.into_inner(),
        crowd.collected.into_inner(),
        refused.len(),
        acknowledged.len()
    );
    // Whoever writes next removes what nobody holds any more.
    repo.sverklo(&["remember", "the last word"]).success();
    assert!(keeps(&repo).is_empty());
    let list = repo.sverklo(&["memory", "list", "--all"]).success();
    for text in &acknowledged {
        assert!(list.contains(text), "{text:?} is lost");
    }
    let fsck = repo.try_git(&["fsck", "--strict", "--connectivity-only"]);
    assert_eq!(fsck.status, Some(0), "{}{}", fsck.stdout, fsck.stderr);
    let gc = repo.try_git(&["gc", "-q", "--prune=now"]);
    assert_eq!((gc.status, &*gc.stderr), (Some(0), ""));
    // `git gc` waits a tenth of a second for the lock of a ref that has a log.
    let others: Vec<&String> = refused
        .iter()
        .filter(|why| !why.contains("cannot lock ref"))
        .collect();
    assert!(others.is_empty(), "git gave up: {others:#?}");
}
