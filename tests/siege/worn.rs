//! One repository in which commands are killed again and again, with all that they leave behind: what was
//! acknowledged stays, and git goes on.

use crate::harness::TestRepo;
use crate::kills::{keeps, kill, start, unfinished};
use crate::random::{Random, scale, seed};
use std::time::{Duration, Instant};

/// Kills of a short siege.
const KILLS: usize = 48;
/// After so many, git tidies up and everything is looked at.
const ROUND: usize = 24;

/// What is killed.
#[derive(Clone, Copy)]
enum What {
    Remember,
    Index,
    Redact,
    Gc,
    Forget,
}

/// More of what is common.
const WHAT: &[What] = &[
    What::Remember,
    What::Remember,
    What::Remember,
    What::Remember,
    What::Index,
    What::Index,
    What::Redact,
    What::Gc,
    What::Forget,
];

struct Worn {
    repo: TestRepo,
    random: Random,
    /// How long each kind of command takes, as far as it is known.
    length: [Duration; 5],
    /// Texts that were acknowledged, with their ids; some are redacted.
    said: Vec<(String, String)>,
    /// Texts that were acknowledged by a command that ended before it was killed.
    kept: Vec<String>,
    count: usize,
    killed: usize,
    finished: usize,
    locked: usize,
}

impl Worn {
    fn new() -> Self {
        let repo = TestRepo::init();
        for n in 0..8 {
            repo.write(format!("f{n}.py"), format!("def f{n}():\n    return {n}\n"));
        }
        repo.commit("first");
        repo.sverklo(&["index"]).success();
        Self {
            repo,
            random: Random(seed()),
            length: [Duration::from_millis(150); 5],
            said: Vec::new(),
            kept: Vec::new(),
            count: 0,
            killed: 0,
            finished: 0,
            locked: 0,
        }
    }

    fn one(&mut self) {
        self.count += 1;
        let what = *self.random.pick(WHAT);
        let text = format!("memory {:06} of a worn repository", self.count);
        let id;
        let args: Vec<&str> = match what {
            What::Remember => vec!["remember", &text],
            What::Index => {
                let n = self.count;
                self.repo.write(
                    format!("g{}.py", n % 40),
                    format!("def g{n}():\n    pass\n"),
                );
                self.repo.commit("more");
                vec!["index"]
            }
            What::Redact if !self.said.is_empty() => {
                let at = self.random.below(self.said.len());
                id = self.said.swap_remove(at).0;
                vec!["memory", "redact", &id, "-m", "worn"]
            }
            What::Forget => vec!["forget", "f0.py"],
            What::Gc | What::Redact => vec!["gc"],
        };
        let length = &mut self.length[what as usize];
        let most = length.as_micros() as usize * 11 / 10;
        let moment = Duration::from_micros(self.random.below(most) as u64);
        let with_children = self.random.below(2) == 0;
        let begin = Instant::now();
        let mut child = start(&self.repo, &args);
        std::thread::sleep(moment);
        match child.try_wait().expect("it was started") {
            None => {
                self.killed += 1;
                // It may have been busy with other things.
                *length = *length * 101 / 100;
            }
            Some(status) => {
                self.finished += 1;
                *length = begin.elapsed() * 9 / 10;
                assert!(status.success(), "{args:?}");
                if matches!(what, What::Remember) {
                    self.kept.push(text.clone());
                }
            }
        }
        kill(&self.repo, &mut child, with_children);
        self.unlock();
    }

    /// Removes locks as the program says one may, and says again by whole commands what matters.
    fn unlock(&mut self) {
        for path in unfinished(&self.repo.dir().join(".git")) {
            // A git child that outlived its parent may have removed it meanwhile.
            if path.extension() == Some("lock".as_ref()) && std::fs::remove_file(&path).is_ok() {
                self.locked += 1;
            }
        }
    }

    /// Says something by a command that nobody kills, lets git tidy up, and looks at everything.
    fn look(&mut self) {
        let text = format!("acknowledged {:06}", self.count);
        let id = self.repo.sverklo(&["remember", &text]).success();
        let id = id.lines().next().expect("an id").to_owned();
        self.said.push((id, text));
        assert!(keeps(&self.repo).is_empty(), "{:?}", keeps(&self.repo));
        let gc = self.repo.try_git(&["gc", "-q", "--prune=now"]);
        assert_eq!(gc.status, Some(0), "{}", gc.stderr);
        let fsck = self
            .repo
            .try_git(&["fsck", "--strict", "--connectivity-only"]);
        assert_eq!(fsck.status, Some(0), "{}{}", fsck.stdout, fsck.stderr);
        let list = self.repo.sverklo(&["memory", "list", "--all"]);
        let list = list.success();
        for text in self.said.iter().map(|(_, text)| text).chain(&self.kept) {
            assert!(
                list.contains(text),
                "{text:?} is lost after {} kills",
                self.killed
            );
        }
        let out = self.repo.sverklo(&["fsck"]);
        assert_eq!(out.status, Some(0), "{}{}", out.stdout, out.stderr);
    }
}

#[test]
fn a_repository_worn_by_kills_has_lost_nothing() {
    let mut worn = Worn::new();
    for at in 1..=KILLS * scale() {
        worn.one();
        if at % ROUND == 0 {
            worn.look();
        }
    }
    println!(
        "worn: {} killed, {} had finished, {} locks removed, {} memories acknowledged",
        worn.killed,
        worn.finished,
        worn.locked,
        worn.said.len() + worn.kept.len()
    );
    assert!(worn.killed > 0);
}
