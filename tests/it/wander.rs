//! Two clones of one remote in which things are done in an order that nobody thought of.

use crate::harness::TestRepo;

const INDEX: &str = "refs/sverklo/v1/index";
/// Things that are done.
const STEPS: usize = 40;

/// What is done, besides what everybody does.
pub struct Wander<'a> {
    /// Commits something; is told the number of the step.
    pub commit: &'a dyn Fn(&TestRepo, usize),
    /// What is searched for.
    pub question: &'a str,
    /// Something more, in a repository with an index.
    pub extra: &'a dyn Fn(&TestRepo),
}

impl Wander<'_> {
    /// Does something in one of two clones whose remote has the branch `main`, then checks, and so on. The
    /// order is the same each time.
    pub fn go(&self, ann: &TestRepo, ben: &TestRepo, check: &mut dyn FnMut()) {
        let mut state = 0x9e37_79b9_u32;
        let mut random = move |below: u32| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state % below
        };
        for step in 0..STEPS {
            let repo = if random(2) == 0 { ann } else { ben };
            self.step(repo, step, random(10));
            check();
        }
    }

    fn step(&self, repo: &TestRepo, step: usize, choice: u32) {
        let has_index = || repo.try_git(&["rev-parse", "-q", "--verify", INDEX]).status == Some(0);
        match choice {
            0..=2 => (self.commit)(repo, step),
            3 | 4 => drop(repo.sverklo(&["index"]).success()),
            5 => drop(repo.sverklo(&["gc"]).success()),
            6 => {
                repo.git(&["fetch", "-q", "origin"]);
                let merged = repo.git(&["rev-parse", "origin/main"]);
                repo.git(&["merge", "-q", "-s", "ours", "-m", "meet", merged.trim()]);
                repo.git(&["push", "-q", "origin", "HEAD:main"]);
            }
            7 => drop(repo.sverklo(&["fetch"])),
            8 if has_index() => drop(repo.sverklo(&["push"]).success()),
            9 if has_index() => (self.extra)(repo),
            _ => drop(repo.sverklo(&["search", self.question])),
        }
    }
}
