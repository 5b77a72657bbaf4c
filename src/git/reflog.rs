//! The logs of our own refs: the way back from a move.
//!
//! What a log names is kept by git as if a ref named it. That of the memories is as long as git lets it be;
//! the index is made of the code again and its old tips keep old segments alive, so its log is short. Content that is taken
//! out on purpose must have no way back, and the log goes with it.

use super::error::Error;
use super::program;
use super::repo::{RefStorage, Repo};
use crate::cache::make_below;
use crate::id::CommitId;
use std::path::PathBuf;

/// Moves of an index that can be taken back.
const KEEP: usize = 4;
/// Number of lines from which on a log is cut back to [`KEEP`], so that not every move has to do it.
const MOST: usize = 12;

/// Cuts the log of a ref back, when it has grown long, to its last moves. Fails with what the git
/// program said.
pub fn trim(repo: &Repo, name: &str) -> Result<(), Error> {
    let lines = match repo.ref_storage() {
        RefStorage::Files => {
            let log = std::fs::read(repo.common_dir().join("logs").join(name));
            log.map_or(0, |log| log.iter().filter(|b| **b == b'\n').count())
        }
        RefStorage::Other(_) => entries(repo, name)?.len(),
    };
    if lines < MOST {
        return Ok(());
    }
    // Each one that goes makes the older ones one younger.
    let oldest = format!("{name}@{{{KEEP}}}");
    let mut args = vec!["reflog", "delete", "--rewrite"];
    args.extend(std::iter::repeat_n(oldest.as_str(), lines - KEEP));
    finish(repo, &args)
}

/// Says that a ref is about to be moved away from what is taken out, so that its log is emptied also when
/// nobody lives to do it.
pub fn will_expire(repo: &Repo, name: &str) {
    let note = note(repo, name);
    // Without it, the next command of this kind empties the log.
    let _ = make_below(repo.common_dir(), note.parent().unwrap_or(&note));
    let _ = std::fs::write(note, "");
}

/// Empties the log of a ref if somebody said so and died.
pub fn expire_if_due(repo: &Repo, name: &str) {
    if note(repo, name).exists() {
        // Whoever comes next tries again.
        let _ = expire(repo, name);
    }
}

/// The file that says that the log of a ref is to be emptied.
fn note(repo: &Repo, name: &str) -> PathBuf {
    let last = name.rsplit('/').next().unwrap_or(name);
    repo.common_dir()
        .join("sverklo")
        .join(format!("unlog-{last}"))
}

/// Empties the log of a ref: nothing leads back to what it named. Fails with what the git program said.
pub fn expire(repo: &Repo, name: &str) -> Result<(), Error> {
    let known = program::run_args(repo, &["reflog", "exists", name])?;
    if known.status.success() {
        let all = ["--expire=all", "--expire-unreachable=all"];
        finish(repo, &["reflog", "expire", all[0], all[1], name])?;
    }
    let _ = std::fs::remove_file(note(repo, name));
    Ok(())
}

/// Returns what a ref named, the last value first, as far as its log goes. Fails with what the git
/// program said.
pub fn entries(repo: &Repo, name: &str) -> Result<Vec<CommitId>, Error> {
    let mut out = Vec::new();
    if *repo.ref_storage() == RefStorage::Files {
        // `git log -g` stops at what is gone.
        let log = std::fs::read_to_string(repo.common_dir().join("logs").join(name));
        for line in log.unwrap_or_default().lines().rev() {
            let mut ids = line.split(' ').take(2);
            let (old, new) = (ids.next(), ids.next());
            out.extend([new, old].into_iter().flatten().filter_map(|hex| {
                let id = CommitId::from_hex(hex.as_bytes())?;
                (!id.as_object().is_null()).then_some(id)
            }));
        }
    } else {
        let args = ["log", "-g", "--format=%H", name, "--"];
        let listed = program::run_args(repo, &args)?;
        let text = String::from_utf8_lossy(&listed.stdout);
        out.extend(
            text.lines()
                .filter_map(|hex| CommitId::from_hex(hex.as_bytes())),
        );
    }
    out.dedup();
    Ok(out)
}

fn finish(repo: &Repo, args: &[&str]) -> Result<(), Error> {
    let out = program::run_args(repo, args)?;
    match out.status.success() {
        true => Ok(()),
        false => Err(out.into_error("reflog")),
    }
}
