//! `doctor`: is everything in place, and if not, what mends it?
//!
//! Looks, and changes nothing but caches. Only with a remote named does anything leave the machine.

use super::hooks::{self, EVENTS, Rung};
use super::model;
use super::status::{self, StatusAnswer};
use super::{Error, agents, init, memories, worker};
use crate::git::config::{self, Version};
use crate::git::probe;
use crate::git::remote::{Direction, Remote};
use crate::git::transport::Connection;
use crate::git::worktree::{Tells, Watch};
use crate::git::{RefStorage, Repo, keys, lineage, make_below, promisor, refs};
use crate::id::CommitId;
use crate::memory;
use crate::memory::fold::Fold;
use crate::memory::log::Log;
use crate::query::engine::FOLDER;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The oldest git that does what we ask of it.
const OLDEST_GIT: Version = Version {
    major: 2,
    minor: 36,
};

/// Packed objects from which on a commit-graph is worth a word: of five repositories looked at (git,
/// redis, gin, tokio, babel) each had 10 to 33 for a commit, so this is some 6000 to 20,000 commits.
const MANY_OBJECTS: u64 = 200_000;

labelled! {
    /// How bad it is.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Level {
        /// As it should be.
        Ok = "ok",
        /// Worth knowing.
        Note = "note",
        /// Something does not work.
        Problem = "problem",
    }
}

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Check {
    /// What was looked at.
    pub subject: &'static str,
    /// How bad it is.
    pub level: Level,
    /// What was seen.
    pub seen: String,
    /// What mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

impl Check {
    /// Everything is as it should be.
    pub fn ok(subject: &'static str, seen: impl Into<String>) -> Self {
        Self {
            subject,
            level: Level::Ok,
            seen: seen.into(),
            mend: None,
        }
    }

    /// Worth knowing.
    pub fn note(subject: &'static str, seen: impl Into<String>) -> Self {
        Self {
            level: Level::Note,
            ..Self::ok(subject, seen)
        }
    }

    /// Something does not work.
    pub fn problem(subject: &'static str, seen: impl Into<String>) -> Self {
        Self {
            level: Level::Problem,
            ..Self::ok(subject, seen)
        }
    }

    /// Adds what mends it.
    pub fn mend(self, how: impl Into<String>) -> Self {
        Self {
            mend: Some(how.into()),
            ..self
        }
    }
}

/// Looks at everything but the server and the remote.
pub fn examine(repo: &Repo) -> Vec<Check> {
    let mut checks = vec![binary(), git(repo), kind(repo), trust_of(repo)];
    checks.extend(edits_of(repo));
    checks.push(hooks_of(repo));
    checks.push(last_round(repo));
    checks.extend(freshness(repo));
    checks.extend(memories_of(repo));
    checks.push(cache(repo));
    checks.extend(agents_of(repo));
    checks.push(model_of(repo));
    checks
}

/// Whether vectors can be made with the model that is chosen. A server is not asked.
fn model_of(repo: &Repo) -> Check {
    const SUBJECT: &str = "model";
    let report = model::examine(repo, false);
    match (report.missing, report.place) {
        (Some(missing), _) => Check::problem(SUBJECT, missing)
            .mend("`git sverklo model` says more; `git config --unset sverklo.model` goes back to the one in the program"),
        (None, Some(place)) => Check::ok(SUBJECT, format!("{} at {place}", report.chosen)),
        (None, None) => Check::ok(SUBJECT, format!("{}, part of the program", report.chosen)),
    }
}

fn failed(subject: &'static str, err: &Error) -> Check {
    Check::problem(subject, err.to_string())
}

/// Finds a program as a shell would.
fn on_path(program: &str) -> Option<PathBuf> {
    if Path::new(program).components().count() > 1 {
        return Path::new(program).is_file().then(|| program.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(format!("{program}{}", std::env::consts::EXE_SUFFIX)))
        .find(|file| file.is_file())
}

fn binary() -> Check {
    const SUBJECT: &str = "binary";
    let version = env!("CARGO_PKG_VERSION");
    let this = std::env::current_exe().ok();
    let folder = this.as_deref().and_then(Path::parent);
    let folder = folder.map_or_else(String::new, |folder| folder.display().to_string());
    match on_path("git-sverklo") {
        None => Check::problem(
            SUBJECT,
            format!("git-sverklo {version} is not on PATH, so `git sverklo` and hooks do nothing"),
        )
        .mend(format!("add {folder} to PATH")),
        Some(found) if same_file(&found, this.as_deref()) => Check::ok(
            SUBJECT,
            format!("git-sverklo {version} at {}", found.display()),
        ),
        Some(found) => Check::note(
            SUBJECT,
            format!(
                "this is git-sverklo {version} in {folder}; `git sverklo` runs {}",
                found.display()
            ),
        ),
    }
}

fn same_file(one: &Path, other: Option<&Path>) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    other.is_some_and(|other| real(one).is_some() && real(one) == real(other))
}

fn git(repo: &Repo) -> Check {
    const SUBJECT: &str = "git";
    match config::version(repo) {
        Err(err) => failed(SUBJECT, &err.into()),
        Ok(version) if version < OLDEST_GIT => {
            Check::problem(SUBJECT, format!("{version} is too old"))
                .mend(format!("install git {OLDEST_GIT} or newer"))
        }
        Ok(version) => Check::ok(SUBJECT, version.to_string()),
    }
}

fn kind(repo: &Repo) -> Check {
    let mut words = Vec::new();
    if repo.is_bare() {
        words.push("bare: answers speak of commits only".to_owned());
    }
    if repo.is_shallow() {
        words.push("shallow: older commits cannot be asked about".to_owned());
    }
    if repo.is_partial() {
        words.push(match promisor::is_allowed(repo) {
            true => "partial: answers fetch the texts they quote".to_owned(),
            false => "partial: missing blobs are not fetched for an answer".to_owned(),
        });
    }
    if repo.git_dir() != repo.common_dir() {
        words.push("a linked work tree".to_owned());
    }
    let hash = repo.hash().to_string();
    if hash != "sha1" {
        words.push(hash);
    }
    if let RefStorage::Other(storage) = repo.ref_storage() {
        words.push(format!("refs in {storage}"));
    }
    match words.is_empty() {
        true => Check::ok("repository", "complete, with a work tree"),
        false if repo.is_shallow() || repo.is_partial() => {
            Check::note("repository", words.join("; "))
        }
        false => Check::ok("repository", words.join("; ")),
    }
}

/// How a server notices edits; nothing without a work tree.
fn edits_of(repo: &Repo) -> Option<Check> {
    const SUBJECT: &str = "edits";
    let check = match Watch::possible(repo) {
        Ok(Tells::System) => Check::ok(SUBJECT, "the system tells a server of each"),
        Ok(Tells::Monitor) => {
            Check::ok(SUBJECT, "git's file system monitor tells a server of each")
        }
        Err(why) => Check::note(
            SUBJECT,
            format!("a server looks at all files for each question: {why}"),
        ),
    };
    (!repo.is_bare()).then_some(check)
}

/// Whether the repository's own configuration names what needs the user's consent.
fn trust_of(repo: &Repo) -> Check {
    const SUBJECT: &str = "trust";
    let consent = &repo.consent;
    match consent.withheld(None) {
        Some(withheld) => {
            Check::note(SUBJECT, withheld).mend("git sverklo trust --dry-run shows them")
        }
        None if consent.lines().is_empty() => {
            Check::ok(SUBJECT, "the repository's own configuration names nothing")
        }
        None => {
            let lines = number(consent.lines().len(), "line", "lines");
            let seen =
                format!("{lines} of the repository's own configuration in effect, by your consent");
            Check::ok(SUBJECT, seen)
        }
    }
}

fn hooks_of(repo: &Repo) -> Check {
    const SUBJECT: &str = "hooks";
    if repo.config_bool(keys::HOOKS) == Some(false) {
        return Check::note(SUBJECT, "switched off by sverklo.hooks");
    }
    let plan = match hooks::plan(repo) {
        Ok(plan) => plan,
        Err(err) => return failed(SUBJECT, &err),
    };
    let place = match &plan.rung {
        Rung::Config => "in the repository's configuration".to_owned(),
        Rung::Files => "in the hooks folder".to_owned(),
        Rung::Theirs(why) => format!("kept by somebody else ({why})"),
    };
    if plan.installed.len() == EVENTS.len() {
        return Check::ok(SUBJECT, format!("all {} {place}", EVENTS.len()));
    }
    let missing: Vec<&str> = EVENTS
        .into_iter()
        .filter(|event| !plan.installed.contains(event))
        .collect();
    let seen = format!(
        "{} not installed; the first question after one waits for indexing",
        missing.join(", ")
    );
    match plan.by_hand.first() {
        Some(by_hand) if plan.changes.is_empty() => {
            Check::note(SUBJECT, format!("{seen}; {place}")).mend(format!(
                "add `{}` to {}",
                by_hand.line,
                by_hand.path.display()
            ))
        }
        _ => Check::note(SUBJECT, seen).mend("git sverklo init"),
    }
}

fn last_round(repo: &Repo) -> Check {
    const SUBJECT: &str = "worker";
    match worker::last_error(repo) {
        None => Check::ok(SUBJECT, "no failure in the background"),
        Some((seconds, text)) => {
            let then = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            let minutes = then.elapsed().map_or(0, |age| age.as_secs() / 60);
            Check::problem(SUBJECT, format!("failed {minutes} min ago: {text}"))
                .mend("git sverklo index")
        }
    }
}

/// What `freshness` is about.
const INDEX: &str = "index";

fn freshness(repo: &Repo) -> Vec<Check> {
    let status = match status::status(repo) {
        Ok(status) => status,
        Err(err) => return vec![failed(INDEX, &err)],
    };
    let forgotten = status.forgotten();
    let forgotten = (forgotten > 0).then(|| {
        let files = number(forgotten, "file", "files");
        let seen = format!(
            "nothing is recorded or found of {files} at HEAD: somebody, here or where the index was fetched from, had them forgotten"
        );
        Check::note("forgotten", seen).mend("`git sverklo forget --list` has the blobs; a file that changes is recorded again")
    });
    // What is not in effect for want of consent is no fault of the index, and has a line of its own.
    let withheld = repo.consent.withheld(None);
    let mut warnings = status.stamp.warnings.iter();
    let covers = match warnings.find(|warning| Some(*warning) != withheld.as_ref()) {
        Some(warning) => Check::problem(INDEX, warning.clone()).mend("git sverklo index"),
        None => covers(&status),
    };
    [covers].into_iter().chain(forgotten).collect()
}

fn covers(status: &StatusAnswer) -> Check {
    let seen = format!(
        "covers {} of {} files at HEAD",
        status.covered, status.files
    );
    match status.covered == status.files {
        true => Check::ok(INDEX, seen),
        false => Check::note(INDEX, seen).mend("git sverklo index"),
    }
}

/// Whether memories can be read, and whether they are in this clone alone.
fn memories_of(repo: &Repo) -> Vec<Check> {
    const SUBJECT: &str = "memories";
    let log = match Log::open(repo) {
        Ok(log) => log,
        Err(memory::Error::Corrupt {
            name,
            tip,
            flaw,
            recover,
        }) => {
            let seen = format!("{name} cannot be read at {tip}: {flaw}");
            return vec![Check::problem(SUBJECT, seen).mend(recover)];
        }
        Err(err) => return vec![failed(SUBJECT, &err.into())],
    };
    let Some(tip) = log.tip else {
        return vec![Check::ok(SUBJECT, "none")];
    };
    let facts = Fold::of(&log).facts.len();
    let mut seen = format!(
        "{} can be read, ended ones included",
        number(facts, "memory", "memories")
    );
    if log.newer() > 0 {
        seen += &format!(
            "; {} of a later version, kept and not understood",
            number(log.newer(), "event", "events")
        );
    }
    if log.mended > 0 {
        seen += &format!(
            "; {} of it were gone and have been written again",
            number(log.mended, "object", "objects")
        );
    }
    let mut checks = vec![match unshared(repo, &log, tip) {
        None => Check::ok(SUBJECT, seen),
        Some((remote, None)) => Check::note(
            SUBJECT,
            format!("{seen}; as far as is known here, {remote} has none"),
        )
        .mend("git sverklo push"),
        Some((remote, Some(0))) => Check::ok(SUBJECT, format!("{seen}; {remote} has all")),
        Some((remote, Some(events))) => {
            let events = number(events, "event", "events");
            Check::note(SUBJECT, format!("{seen}; {events} not pushed to {remote}"))
                .mend("git sverklo push")
        }
    }];
    checks.extend(graph_of(lineage::objects_without_graph(repo)));
    checks
}

/// The remote that memories would be pushed to, and the number of events that it did not have when we
/// last met; `None` for that if it had no memories. Nothing without a remote.
fn unshared(repo: &Repo, log: &Log, tip: CommitId) -> Option<(String, Option<usize>)> {
    let dir = repo.work_dir().unwrap_or(repo.git_dir());
    let remote = Remote::resolve(repo, None, Direction::Push, dir).ok()?;
    let label = remote.label().to_owned();
    let theirs = refs::read(repo, &remote.tracking_memory()).ok()?;
    let Some(theirs) = theirs.map(CommitId::new) else {
        return Some((label, None));
    };
    let missing = match theirs == tip {
        true => 0,
        false => memories::lacking(repo, log, &remote, Some(theirs)).ok()?,
    };
    Some((label, Some(missing)))
}

/// What to say of a repository with so many packed objects and no commit-graph.
fn graph_of(objects: Option<u64>) -> Option<Check> {
    let objects = objects.filter(|objects| *objects >= MANY_OBJECTS)?;
    let seen = format!(
        "no commit-graph, with {objects} objects; the first recall at a commit reads its whole history"
    );
    Some(Check::note("history", seen).mend("git commit-graph write --reachable"))
}

fn number(n: usize, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

fn cache(repo: &Repo) -> Check {
    const SUBJECT: &str = "cache";
    let folder = repo.common_dir().join(FOLDER);
    let made = !folder.exists();
    let tried =
        make_below(repo.common_dir(), &folder).and_then(|()| tempfile::tempfile_in(&folder));
    if made {
        let _ = std::fs::remove_dir(&folder);
    }
    match tried {
        Ok(_) => Check::ok(SUBJECT, format!("{} can be written", folder.display())),
        Err(err) => Check::note(
            SUBJECT,
            format!(
                "{} cannot be written ({err}); answers take longer",
                folder.display()
            ),
        ),
    }
}

fn agents_of(repo: &Repo) -> Vec<Check> {
    const SUBJECT: &str = "agent";
    let listed = agents::listed(&init::ground(repo));
    if listed.is_empty() {
        return vec![
            Check::note(SUBJECT, "no agent lists the server").mend("git sverklo init says how"),
        ];
    }
    let check = |listed: &agents::Listed| {
        let path = listed.path.display();
        let who = listed.agent;
        match &listed.command {
            None => Check::problem(SUBJECT, format!("{who}: {path} names no command"))
                .mend("remove the entry, then git sverklo init --write"),
            Some(command) if on_path(command).is_none() => Check::problem(
                SUBJECT,
                format!("{who}: {path} starts {command}, which is not there"),
            )
            .mend("correct the command in that file"),
            Some(_) => match listed.wants {
                Some(wants) => Check::ok(SUBJECT, format!("{who}: {path}; it {wants}")),
                None => Check::ok(SUBJECT, format!("{who}: {path}")),
            },
        }
    };
    listed.iter().map(check).collect()
}

/// Asks a remote whether it takes our refs, by trying. `dir` is what a path is relative to.
pub fn ask_remote(repo: &Repo, given: &str, dir: &Path, interactive: bool) -> Vec<Check> {
    const SUBJECT: &str = "remote";
    let ask = || {
        let remote = Remote::resolve(repo, Some(given), Direction::Push, dir)?;
        let connection = Connection {
            repo,
            remote: &remote,
            interactive,
            watch: &|_| {},
        };
        probe::probe(&connection)
    };
    let steps = match ask() {
        Ok(steps) => steps,
        Err(err) => return vec![failed(SUBJECT, &err.into())],
    };
    let check = |step: &probe::Step| match &step.refused {
        None => Check::ok(SUBJECT, format!("{given} lets us {}", step.what)),
        Some(why) => Check::problem(
            SUBJECT,
            format!("{given} does not let us {}: it {why}", step.what),
        ),
    };
    steps.iter().map(check).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_graph_is_worth_a_word_where_history_is_long() {
        assert_eq!(graph_of(None), None);
        assert_eq!(graph_of(Some(MANY_OBJECTS - 1)), None);
        let check = graph_of(Some(849_014)).unwrap();
        assert_eq!(check.level, Level::Note);
        assert_eq!(
            check.seen,
            "no commit-graph, with 849014 objects; the first recall at a commit reads its whole history"
        );
        assert_eq!(
            check.mend.as_deref(),
            Some("git commit-graph write --reachable")
        );
    }
}
