//! Talking to a remote through the `git` program: listing its refs, fetching into ours, pushing.
//!
//! Guarantees: of the user's repository nothing changes but the refs that are named: no
//! `FETCH_HEAD`, no shallow file, no configuration, no tag, no remote-tracking branch. Of the
//! remote nothing changes but the refs that are named, and only from the value that is expected.
//! The user's way of reaching it (ssh, proxies, credential helpers) is used as it is; without a
//! terminal nobody is asked for anything.

use super::error::Error;
use super::finished::Finished;
use super::refs::backoff;
use super::refusal::Refusal;
use super::remote::Remote;
use super::repo::Repo;
use super::tree;
use super::{keys, program, refs};
use crate::id::CommitId;
use gix::ObjectId;
use gix::bstr::ByteSlice;
use std::process::Command;

/// How often a fetch is tried again while another process writes the same tracking ref.
const LOCK_ATTEMPTS: u32 = 12;

/// Which way objects travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// To the remote.
    Sending,
    /// From the remote.
    Receiving,
}

/// How far a transfer is: `done` of `total` objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Which way.
    pub phase: Phase,
    /// Objects so far.
    pub done: u64,
    /// Objects in all.
    pub total: u64,
}

/// A ref of the remote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteRef {
    /// Its name; a tag also comes with `^{}` after it, for what it marks.
    pub name: String,
    /// What it names.
    pub id: ObjectId,
}

/// A ref of the remote, and the ref of ours that remembers it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refspec {
    /// There.
    pub theirs: String,
    /// Here.
    pub ours: String,
}

/// A ref of the remote that is to be moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    /// The ref.
    pub name: String,
    /// What it is to name.
    pub new: ObjectId,
    /// What it must name until then; `None`: it must not exist.
    pub expected: Option<ObjectId>,
}

/// What is needed to talk to a remote.
pub struct Connection<'a> {
    /// Our side.
    pub repo: &'a Repo,
    /// Their side.
    pub remote: &'a Remote,
    /// Whether somebody is there to answer a prompt.
    pub interactive: bool,
    /// Is told how far a transfer is.
    pub watch: &'a dyn Fn(Step),
}

impl Connection<'_> {
    /// Lists refs of the remote: branches and tags, or all of them. Fails with [`Error::Remote`].
    pub fn list(&self, all: bool) -> Result<Vec<RemoteRef>, Error> {
        let mut command = self.git(&[]);
        command.args(["ls-remote", "--quiet"]);
        if !all {
            // The server then sends no others: a host may keep thousands for closed requests.
            command.args(["--heads", "--tags"]);
        }
        command.args(["--end-of-options", self.remote.address.as_str()]);
        let out = program::run(command)?;
        if !out.status.success() {
            return Err(self.refused(Refusal::of(&out)));
        }
        let refs = out.stdout.lines().filter_map(|line| {
            let at = line.find_byte(b'\t')?;
            Some(RemoteRef {
                id: ObjectId::from_hex(&line[..at]).ok()?,
                name: line[at + 1..].to_str().ok()?.to_owned(),
            })
        });
        Ok(refs.collect())
    }

    /// Fetches refs with everything they reach, and returns what each names now; `None` for one
    /// that the remote does not have, which is then forgotten here as well. Fails with
    /// [`Error::Remote`].
    pub fn fetch(&self, refspecs: &[Refspec]) -> Result<Vec<Option<ObjectId>>, Error> {
        let mut wanted: Vec<&Refspec> = refspecs.iter().collect();
        let mut tries = 0;
        while !wanted.is_empty() {
            let out = self.run_fetch(&wanted)?;
            if out.status.success() {
                break;
            }
            // Fetches of other processes at the same moment; one of them has won.
            let locked = ["cannot lock ref", "unable to update local ref"];
            if locked.iter().any(|sign| out.stderr.contains(sign)) && tries < LOCK_ATTEMPTS {
                tries += 1;
                std::thread::sleep(backoff(tries));
                continue;
            }
            // A lock that stays was left by a git that was killed; it is ours, not the remote's.
            if locked.iter().any(|sign| out.stderr.contains(sign))
                && let Some((name, lock)) = wanted
                    .iter()
                    .find_map(|spec| Some((&spec.ours, refs::lock_of(self.repo, &spec.ours)?)))
            {
                return Err(Error::Locked {
                    name: name.clone(),
                    path: lock.path,
                    minutes: lock.age.as_secs() / 60,
                });
            }
            match Refusal::of(&out) {
                Refusal::MissingRef(name) if wanted.iter().any(|spec| spec.theirs == name) => {
                    wanted.retain(|spec| spec.theirs != name);
                }
                why => return Err(self.refused(why)),
            }
        }
        let mut tips = Vec::with_capacity(refspecs.len());
        for spec in refspecs {
            let mut tip = refs::read(self.repo, &spec.ours)?;
            if let Some(old) = tip.filter(|_| !wanted.contains(&spec)) {
                refs::delete(self.repo, &spec.ours, old)?;
                tip = None;
            }
            tips.push(tip);
        }
        Ok(tips)
    }

    fn run_fetch(&self, wanted: &[&Refspec]) -> Result<Finished, Error> {
        let mut known = Vec::new();
        let mut incomplete = false;
        for name in wanted
            .iter()
            .flat_map(|spec| [spec.theirs.clone(), spec.ours.clone()])
        {
            let Some(tip) = refs::read(self.repo, &name)? else {
                continue;
            };
            match is_complete(self.repo, tip) {
                true => known.push(tip),
                false => incomplete = true,
            }
        }
        known.sort_unstable();
        known.dedup();
        let mut command = match known.is_empty() {
            // Nothing of ours is worth telling: our tips share no history with the user's.
            true => self.git(&["fetch.negotiationAlgorithm=noop"]),
            false => self.git(&[]),
        };
        // One pack has its name when it is complete. Loose objects would come in any order, and of a
        // fetch that is killed they would leave commits without their parents.
        command.args(["-c", "fetch.unpackLimit=1"]);
        command.args(words!(
            "fetch --progress --no-filter --no-write-fetch-head --no-tags --no-recurse-submodules
             --no-prune --no-prune-tags --no-auto-maintenance --no-write-commit-graph
             --no-show-forced-updates --refmap="
        ));
        if incomplete {
            // A fetch of somebody's that inherited the filter of a partial clone has left holes,
            // and git would not ask again for what a tip that it has should have brought.
            command.arg("--refetch");
        } else {
            command.args(known.iter().map(|tip| format!("--negotiation-tip={tip}")));
        }
        command.args(["--end-of-options", self.remote.address.as_str()]);
        for spec in wanted {
            command.arg(format!("+{}:{}", spec.theirs, spec.ours));
        }
        self.run(command)
    }

    /// Moves refs of the remote, each only from the value that is expected, and sends what the new
    /// values reach. Fails with [`Error::Remote`]; with [`Refusal::LostLease`] when a ref had another
    /// value.
    pub fn push(&self, updates: &[Update]) -> Result<(), Error> {
        let mut command = self.git(&["push.pushOption=", "push.negotiate=false"]);
        command.args(words!(
            "push --porcelain --progress --no-verify --no-signed --no-follow-tags
             --no-force-if-includes --recurse-submodules=no"
        ));
        for update in updates {
            let expected = update.expected.map_or(String::new(), |id| id.to_string());
            command.arg(format!("--force-with-lease={}:{expected}", update.name));
        }
        command.args(["--end-of-options", self.remote.address.as_str()]);
        for update in updates {
            command.arg(format!("{}:{}", update.new, update.name));
        }
        let out = self.run(command)?;
        match out.status.success() {
            true => Ok(()),
            false => Err(self.refused(Refusal::of(&out))),
        }
    }

    fn refused(&self, why: Refusal) -> Error {
        Error::Remote {
            remote: self.remote.to_string(),
            why,
        }
    }

    /// Prepares git with settings that keep the user's own out of what we do.
    pub(super) fn git(&self, settings: &[&str]) -> Command {
        let repo = self.repo;
        let mut command = program::as_user(repo);
        // Relative addresses are meant from the top of the work tree.
        command.current_dir(repo.work_dir().unwrap_or(repo.git_dir()));
        if self.interactive {
            // Unless the user has switched prompts off.
            let prompt = std::env::var_os("GIT_TERMINAL_PROMPT").unwrap_or("1".into());
            command.env("GIT_TERMINAL_PROMPT", prompt);
        } else if std::env::var_os("GIT_SSH_COMMAND").is_none()
            && std::env::var_os("GIT_SSH").is_none()
            && repo.config_str(keys::SSH_COMMAND).is_none()
        {
            command.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
        }
        for setting in settings {
            command.args(["-c", setting]);
        }
        if let Some(name) = self.remote.name() {
            // A mirror pushes every ref or nothing. A name may contain `=`, so not as `-c`.
            command.env("SVERKLO_NO", "false");
            command.arg(format!("--config-env=remote.{name}.mirror=SVERKLO_NO"));
        }
        command
    }

    fn run(&self, command: Command) -> Result<Finished, Error> {
        program::run_watched(command, &mut |line| match progress(line) {
            Some(step) => {
                (self.watch)(step);
                false
            }
            None => !is_counter(line),
        })
    }
}

/// Whether everything in the tree of a tip of ours is here. A complete clone has no holes.
fn is_complete(repo: &Repo, tip: ObjectId) -> bool {
    !repo.is_partial() || tree::has_all(repo, CommitId::new(tip))
}

/// Reads a line such as `Writing objects:  45% (9/20), 1.2 MiB | 3 MiB/s`.
pub(crate) fn progress(line: &str) -> Option<Step> {
    let (phase, rest) = if let Some(rest) = line.strip_prefix("Writing objects:") {
        (Phase::Sending, rest)
    } else {
        let rest = line
            .strip_prefix("Receiving objects:")
            .or_else(|| line.strip_prefix("Unpacking objects:"))?;
        (Phase::Receiving, rest)
    };
    let (_, counts) = rest.split_once("% (")?;
    let (done, rest) = counts.split_once('/')?;
    let (total, _) = rest.split_once(')')?;
    Some(Step {
        phase,
        done: done.parse().ok()?,
        total: total.parse().ok()?,
    })
}

/// Whether a line is other progress of git's, here or at the remote.
fn is_counter(line: &str) -> bool {
    let line = line.trim_start_matches("remote:").trim_start();
    let begins = [
        "Enumerating objects:",
        "Counting objects:",
        "Compressing objects:",
        "Resolving deltas:",
        "Delta compression using",
        "Total ",
    ];
    begins.iter().any(|begin| line.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_read_from_what_git_prints() {
        let line = "Writing objects:  45% (9/20), 1.20 MiB | 3.00 MiB/s";
        let step = Step {
            phase: Phase::Sending,
            done: 9,
            total: 20,
        };
        assert_eq!(progress(line), Some(step));
        let line = "Receiving objects: 100% (20/20), 5 bytes, done.";
        assert_eq!(progress(line).unwrap().phase, Phase::Receiving);
        for other in [
            "remote: Writing objects: 1% (1/2)",
            "Writing objects: x% (a/b)",
            "",
        ] {
            assert_eq!(progress(other), None, "{other}");
        }
        assert!(is_counter("remote: Counting objects:  50% (1/2)"));
        assert!(!is_counter("remote: no pushes on Fridays"));
    }
}
