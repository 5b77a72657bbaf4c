//! What a change is compared with, when the asker does not say: the state it started from.

use super::Error;
use crate::git::{Repo, revisions};
use crate::id::CommitId;

/// Names that the default branch of a remote may have, where the remote's own `HEAD` is not known.
const DEFAULT_BRANCHES: [&str; 3] = ["HEAD", "main", "master"];

/// What a change is compared with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Baseline {
    /// The commit; `None` for nothing at all.
    pub commit: Option<CommitId>,
    /// How it was chosen.
    pub chosen: String,
}

impl Baseline {
    /// Chooses what to compare `head` with: where it left `base`; without a base, where it left the
    /// default branch (of a remote, if there is one); when it did not leave it, the commit itself if there are
    /// uncommitted changes on top, else its first parent. Fails on an unknown base, or one that a
    /// shallow clone does not have.
    pub fn choose(
        repo: &Repo,
        base: Option<&str>,
        head: Option<CommitId>,
        dirty: bool,
    ) -> Result<Self, Error> {
        if let Some(base) = base {
            let commit = repo.resolve(base)?;
            let fork = match head {
                Some(head) => revisions::merge_base(repo, commit, head)?,
                None => None,
            };
            let chosen = match fork {
                Some(fork) if fork != commit => format!("merge base with {base}"),
                _ => base.to_owned(),
            };
            let commit = Some(fork.unwrap_or(commit));
            return Ok(Self { commit, chosen });
        }
        let Some(head) = head else {
            let chosen = "no commits".to_owned();
            return Ok(Self {
                commit: None,
                chosen,
            });
        };
        if let Some((name, tip)) = default_branch(repo)
            && let Some(fork) = revisions::merge_base(repo, tip, head)?
            && fork != head
        {
            return Ok(Self {
                commit: Some(fork),
                chosen: format!("merge base with {name}"),
            });
        }
        if dirty {
            return Ok(Self {
                commit: Some(head),
                chosen: "HEAD".to_owned(),
            });
        }
        let parent = repo.commit_parents(head)?.first().copied();
        let there = parent.is_none_or(|parent| repo.commit_tree(parent).is_ok());
        if !there {
            let reason = "this clone does not have the parent of HEAD".to_owned();
            return Err(Error::NoBase(reason));
        }
        Ok(Self {
            commit: parent,
            chosen: match parent {
                Some(_) => "HEAD~1, as nothing is uncommitted".to_owned(),
                None => "the first commit has no parent".to_owned(),
            },
        })
    }
}

/// The default branch of a remote as last fetched, `origin` before others; without a remote the one of this
/// clone.
fn default_branch(repo: &Repo) -> Option<(String, CommitId)> {
    let mut remotes = repo.remotes();
    remotes.sort_by_key(|name| name != "origin");
    let tip = |prefix: &str, name: String| {
        let tip = repo.resolve(&format!("{prefix}{name}"));
        Some((name, tip.ok()?))
    };
    let mut of_remotes = remotes.iter().flat_map(|remote| {
        let branches = DEFAULT_BRANCHES.iter();
        branches.map(move |branch| format!("{remote}/{branch}"))
    });
    of_remotes
        .find_map(|name| tip("refs/remotes/", name))
        .or_else(|| {
            let mut local = DEFAULT_BRANCHES[1..].iter();
            local.find_map(|branch| tip("refs/heads/", (*branch).to_owned()))
        })
}
