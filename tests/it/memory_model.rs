//! Random histories and random events on clones that exchange in random order, against a model that
//! is too simple to be wrong: sets of events, and ancestry by walking.

use crate::harness::TestRepo;
use git_sverklo::git::write::blob_id;
use git_sverklo::git::{Repo, refs};
use git_sverklo::id::{BlobId, CommitId, EventId, TreeId};
use git_sverklo::memory::date::Date;
use git_sverklo::memory::event::{Body, By, Event, How, Kind, Pin};
use git_sverklo::memory::fold::{Contest, Fold, Verdict};
use git_sverklo::memory::ladder::{Content, Repins};
use git_sverklo::memory::log::{self, Log};
use git_sverklo::memory::{self, answers, text, union};
use std::collections::{BTreeMap, BTreeSet};

const COMMITS: usize = 14;
const CLONES: usize = 3;
const STEPS: usize = 30;
const QUESTIONS: usize = 30;

/// A small generator of numbers (splitmix64), the same on every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.below(all.len())].clone())
    }
}

/// Nobody asks for content: the events have no targets.
struct NoContent;

impl Content for NoContent {
    fn body(&mut self, _: BlobId, _: &str) -> Option<u64> {
        None
    }
}

/// The code's history: commits with their parents, all named by refs, and ids that no commit has.
struct History {
    ids: Vec<CommitId>,
    parents: Vec<Vec<usize>>,
    ghosts: Vec<CommitId>,
    tree: TreeId,
}

impl History {
    /// Makes one of branches and merges.
    fn random(repo: &TestRepo, chance: &mut Chance) -> Self {
        let tree = repo.git(&["mktree"]);
        let (mut ids, mut parents): (Vec<CommitId>, Vec<Vec<usize>>) = Default::default();
        for n in 0..COMMITS {
            let mut of: Vec<usize> = (0..n.min(1 + chance.below(2)))
                .map(|_| n - 1 - chance.below(n.min(5)))
                .collect();
            of.dedup();
            let mut args = vec![
                "commit-tree".to_owned(),
                tree.clone(),
                "-m".to_owned(),
                n.to_string(),
            ];
            for parent in &of {
                args.extend(["-p".to_owned(), ids[*parent].to_string()]);
            }
            let id = repo.git(&args);
            repo.git(&["update-ref", &format!("refs/heads/c{n}"), &id]);
            ids.push(CommitId::from_hex(id.as_bytes()).unwrap());
            parents.push(of);
        }
        let ghost = |n: u8| CommitId::from_bytes(&[n; 20]).unwrap();
        Self {
            ids,
            parents,
            ghosts: vec![ghost(1), ghost(2)],
            tree: TreeId::from_hex(tree.as_bytes()).unwrap(),
        }
    }

    /// Whether `a` is `b` or comes before it.
    fn is_before(&self, a: CommitId, b: CommitId) -> bool {
        let Some(at) = self.ids.iter().position(|id| *id == b) else {
            return false;
        };
        a == b
            || self.parents[at]
                .iter()
                .any(|p| self.is_before(a, self.ids[*p]))
    }

    fn any(&self, chance: &mut Chance) -> CommitId {
        match chance.below(8) {
            0 => self.ghosts[chance.below(2)],
            _ => self.ids[chance.below(COMMITS)],
        }
    }
}

/// What the model takes a log to be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Known {
    events: BTreeSet<EventId>,
    redacted: BTreeSet<EventId>,
}

/// All events that were ever made.
type All = BTreeMap<EventId, Event>;

/// The three answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Three {
    Yes,
    No,
    Unknown,
}

struct Model<'a> {
    history: &'a History,
    all: &'a All,
    known: &'a Known,
    at: CommitId,
}

impl Model<'_> {
    fn events(&self) -> impl Iterator<Item = (EventId, &Event)> {
        self.known.events.iter().map(|id| (*id, &self.all[id]))
    }

    fn pin(&self, pin: CommitId) -> Three {
        let mut carriers = BTreeSet::from([pin]);
        loop {
            let more: Vec<CommitId> = self
                .events()
                .filter_map(|(_, event)| match event.body {
                    Body::Repin { old, new, .. } if carriers.contains(&old) => Some(new),
                    _ => None,
                })
                .collect();
            let before = carriers.len();
            carriers.extend(more);
            if carriers.len() == before {
                break;
            }
        }
        if carriers.iter().any(|c| self.history.is_before(*c, self.at)) {
            Three::Yes
        } else if carriers.iter().any(|c| self.history.ids.contains(c)) {
            Three::No
        } else {
            Three::Unknown
        }
    }

    fn closers(&self, claim: EventId) -> impl Iterator<Item = (EventId, &Event)> {
        let names = move |event: &Event| event.names().any(|name| name == claim);
        self.events()
            .filter(move |(id, event)| *id != claim && names(event))
    }

    fn holds(&self, claim: EventId) -> Three {
        let mut out = self.pin(self.all[&claim].pin().unwrap().commit);
        for (_, closer) in self.closers(claim) {
            out = match (out, self.pin(closer.pin().unwrap().commit)) {
                (Three::No, _) | (_, Three::Yes) => Three::No,
                (Three::Unknown, _) | (_, Three::Unknown) => Three::Unknown,
                (Three::Yes, Three::No) => Three::Yes,
            };
        }
        out
    }

    fn is_claim(&self, id: EventId) -> bool {
        matches!(self.all[&id].body, Body::Claim { .. })
    }

    /// The claims of the same fact.
    fn family(&self, claim: EventId) -> BTreeSet<EventId> {
        let mut out = BTreeSet::from([claim]);
        loop {
            let more: Vec<EventId> = self
                .events()
                .filter(|(id, _)| self.is_claim(*id))
                .flat_map(|(id, event)| event.names().map(move |name| (id, name)))
                .filter(|(_, name)| self.known.events.contains(name) && self.is_claim(*name))
                .filter(|(id, name)| out.contains(id) || out.contains(name))
                .flat_map(|(id, name)| [id, name])
                .collect();
            let before = out.len();
            out.extend(more);
            if out.len() == before {
                return out;
            }
        }
    }

    fn contests(&self, claim: EventId) -> BTreeSet<Contest> {
        let mut out = BTreeSet::new();
        let shown =
            |id: &EventId| self.holds(*id) == Three::Yes && !self.known.redacted.contains(id);
        if !shown(&claim) {
            return out;
        }
        let others = self.family(claim).into_iter().filter(|id| *id != claim);
        out.extend(others.filter(shown).map(Contest::Version));
        let Body::Claim {
            again, replaces, ..
        } = &self.all[&claim].body
        else {
            return out;
        };
        for (id, event) in self.events() {
            let Body::End { closes, .. } = &event.body else {
                continue;
            };
            let same = closes.iter().any(|other| {
                let is_shown = !self.known.redacted.contains(other)
                    && self.all[other].text == self.all[&claim].text;
                *other != claim
                    && self.known.events.contains(other)
                    && self.is_claim(*other)
                    && (is_shown || replaces.contains(other))
            });
            if same && !again.contains(&id) && self.pin(event.pin().unwrap().commit) == Three::Yes {
                out.insert(Contest::Ended(id));
            }
        }
        out
    }
}

fn event(body: Body, text: &str, n: usize) -> Event {
    Event {
        body,
        by: By {
            name: "A. Author".to_owned(),
            mail: "author@example.com".to_owned(),
            tool: "test".to_owned(),
            date: Date::new(n as i64, 0),
        },
        text: text.to_owned(),
    }
}

/// A random event, made by somebody who knows what `known` says.
fn random_event(
    history: &History,
    all: &All,
    known: &Known,
    chance: &mut Chance,
    n: usize,
) -> Event {
    let pin = Pin {
        commit: history.any(chance),
        tree: history.tree,
        patch: None,
        date: Date::new(0, 0),
        subject: "subject".to_owned(),
    };
    let claims: Vec<EventId> = known
        .events
        .iter()
        .filter(|id| matches!(all[id].body, Body::Claim { .. }))
        .copied()
        .collect();
    let mut some = BTreeSet::new();
    for _ in 0..1 + chance.below(2) {
        some.extend(chance.pick(&claims));
    }
    let text = format!("text {}", chance.below(3));
    match chance.below(10) {
        0..=3 if !some.is_empty() => event(
            Body::End {
                pin,
                targets: BTreeSet::new(),
                closes: some,
            },
            "",
            n,
        ),
        4 => event(
            Body::Repin {
                old: history.any(chance),
                new: history.ids[chance.below(COMMITS)],
                how: How::Manual,
            },
            "",
            n,
        ),
        what => {
            let ends = known.events.iter().filter(|id| {
                let Body::End { closes, .. } = &all[id].body else {
                    return false;
                };
                closes.iter().any(|claim| all[claim].text == text)
            });
            let again = if chance.below(2) == 0 {
                ends.copied().collect()
            } else {
                BTreeSet::new()
            };
            let replaces = if what < 7 { some } else { BTreeSet::new() };
            let kind = Kind::ALL[chance.below(7)];
            event(
                Body::Claim {
                    kind,
                    pin,
                    targets: BTreeSet::new(),
                    tags: BTreeSet::new(),
                    core: false,
                    replaces,
                    again,
                },
                &text,
                n,
            )
        }
    }
}

/// What a log holds, as the model sees it.
fn known(log: &Log) -> Known {
    let redacted: BTreeSet<EventId> = log.stubs.keys().copied().collect();
    let events = log.events.iter().map(|(id, _)| *id);
    Known {
        events: events.chain(redacted.iter().copied()).collect(),
        redacted,
    }
}

#[track_caller]
fn check(repo: &Repo, log: &Log, model: &Model) {
    let fold = Fold::of(log);
    let repins = Repins::of(log);
    let questions = fold.questions();
    let answers = answers::of(repo, model.at, &questions, &repins, &mut NoContent);
    let facts = fold.at(&answers.unwrap().all);
    let mut seen = BTreeSet::new();
    for fact in &facts {
        let ids: BTreeSet<EventId> = fact
            .versions
            .iter()
            .map(|v| fold.nodes()[v.node].id)
            .collect();
        assert_eq!(ids, model.family(fact.id));
        for version in &fact.versions {
            let id = fold.nodes()[version.node].id;
            let said = match version.verdict {
                Verdict::Holds(_) => Three::Yes,
                Verdict::Unknown(..) => Three::Unknown,
                _ => Three::No,
            };
            assert_eq!(said, model.holds(id), "{id} at {}", model.at);
            let contests: BTreeSet<Contest> = version.contests.iter().copied().collect();
            assert_eq!(contests, model.contests(id), "{id} at {}", model.at);
            assert!(seen.insert(id), "{id} is in two facts");
        }
    }
    let claims = model.events().filter(|(id, _)| model.is_claim(*id));
    assert_eq!(seen, claims.map(|(id, _)| id).collect());
}

fn tip(repo: &Repo) -> Option<CommitId> {
    refs::read(repo, &repo.ref_names().memory())
        .unwrap()
        .map(CommitId::new)
}

/// Takes the log of another clone into ours.
fn exchange(from: &TestRepo, to: &TestRepo, repo: &Repo) {
    let dir = from.dir().to_str().unwrap();
    to.git(&[
        "fetch",
        "-q",
        dir,
        "+refs/sverklo/v1/memory:refs/sverklo/other",
    ]);
    let theirs = to.git(&["rev-parse", "refs/sverklo/other"]);
    let theirs = CommitId::from_hex(theirs.as_bytes()).unwrap();
    union::unite(repo, theirs, "refs/sverklo/other").unwrap();
}

fn run(seed: u64) {
    let mut chance = Chance(seed);
    let base = TestRepo::init();
    base.git(&["config", "user.name", "A. Author"]);
    base.git(&["config", "user.email", "author@example.com"]);
    let history = History::random(&base, &mut chance);
    let clones: Vec<TestRepo> = (0..CLONES)
        .map(|n| {
            let dir = base.beside(&format!("clone-{n}"));
            base.git(&[
                "clone",
                "-q",
                "--mirror",
                "--shared",
                ".",
                dir.to_str().unwrap(),
            ]);
            let clone = base.at(dir);
            clone.git(&["config", "user.name", &format!("Author {n}")]);
            clone.git(&["config", "user.email", "author@example.com"]);
            clone
        })
        .collect();
    let repos: Vec<Repo> = clones
        .iter()
        .map(|c| Repo::discover(c.dir()).unwrap())
        .collect();
    let mut all = All::new();
    let mut states: Vec<Known> = vec![Known::default(); CLONES];
    let mut revisions: Vec<(usize, CommitId, Known)> = Vec::new();
    for step in 0..STEPS {
        let at = chance.below(CLONES);
        let other = chance.below(CLONES);
        match chance.below(8) {
            0..=2 if other != at && tip(&repos[other]).is_some() => {
                exchange(&clones[other], &clones[at], &repos[at]);
                let theirs = states[other].clone();
                states[at].events.extend(theirs.events);
                states[at].redacted.extend(theirs.redacted);
            }
            3 => {
                let state = &states[at];
                let ids: Vec<EventId> = state.events.difference(&state.redacted).copied().collect();
                let with_pin = |id: &EventId| all[id].pin().is_some();
                let ids: Vec<EventId> = ids.into_iter().filter(with_pin).collect();
                let Some(id) = chance.pick(&ids) else {
                    continue;
                };
                let reason = event(Body::Redact { event: id }, "why", step);
                let made = union::redact(&repos[at], id, reason.clone()).unwrap();
                all.insert(made, reason);
                states[at].events.insert(made);
                states[at].redacted.insert(id);
            }
            _ => {
                let new = random_event(&history, &all, &states[at], &mut chance, step);
                // By chance it may be one that was redacted: then it must not come back.
                let ids = match log::append(&repos[at], std::slice::from_ref(&new)) {
                    Ok(ids) => ids,
                    Err(memory::Error::Refused(why)) => {
                        let bytes = text::encode(&new).into_bytes();
                        let id = blob_id(repos[at].hash(), &bytes).unwrap();
                        let id = EventId::new(id.as_object());
                        assert!(states[at].redacted.contains(&id), "{why}");
                        continue;
                    }
                    Err(err) => panic!("seed {seed}, step {step}: {err}"),
                };
                all.insert(ids[0], new);
                states[at].events.insert(ids[0]);
            }
        }
        if let Some(tip) = tip(&repos[at]) {
            assert_eq!(
                known(&Log::open(&repos[at]).unwrap()),
                states[at],
                "seed {seed}, step {step}"
            );
            revisions.push((at, tip, states[at].clone()));
        }
    }
    for (at, repo) in repos.iter().enumerate() {
        let own: Vec<_> = revisions.iter().filter(|(of, ..)| *of == at).collect();
        for _ in 0..QUESTIONS {
            let Some((_, commit, known)) = chance.pick(&own) else {
                break;
            };
            let log = Log::at(repo, *commit, "test").unwrap();
            let model = Model {
                history: &history,
                all: &all,
                known,
                at: history.ids[chance.below(COMMITS)],
            };
            check(repo, &log, &model);
        }
    }
    // Everything meets: all have the same, and that is everything.
    let to_first = (1..CLONES).map(|at| (at, 0));
    let from_first = (1..CLONES).map(|at| (0, at));
    for (from, to) in to_first.chain(from_first) {
        if tip(&repos[from]).is_some() {
            exchange(&clones[from], &clones[to], &repos[to]);
        }
    }
    let redacted: BTreeSet<EventId> = states.iter().flat_map(|s| s.redacted.clone()).collect();
    let total = Known {
        events: all.keys().copied().collect(),
        redacted,
    };
    for repo in &repos {
        assert_eq!(tip(repo), tip(&repos[0]), "seed {seed}");
        assert_eq!(known(&Log::open(repo).unwrap()), total, "seed {seed}");
    }
    // No history has a text that was taken out.
    for clone in &clones {
        let reached = clone.git(&["rev-list", "--objects", "refs/sverklo/v1/memory"]);
        for id in &total.redacted {
            assert!(
                !reached
                    .lines()
                    .any(|line| line.starts_with(&id.to_string())),
                "{id}"
            );
        }
        clone.git(&["fsck", "--strict", "--connectivity-only"]);
    }
}

#[test]
fn every_clone_answers_as_the_model_does() {
    let seeds = std::env::var("MEMORY_SEEDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(3);
    for seed in 0..seeds {
        run(seed);
    }
}
