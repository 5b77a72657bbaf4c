//! Commits that carry a signature, made with whatever git is configured to sign with.
//!
//! Nobody is asked anything at the terminal: whoever signs may run in the background, and a question
//! there would be a wait without an end. Agents of keys and windows of their own may ask.

use super::error::Error;
use super::identity::Signature;
use super::keys::Purpose;
use super::repo::Repo;
use super::{obstacle, program};
use crate::id::{CommitId, TreeId};

/// Writes the signed commit of a tree by somebody, at the moment that is part of `by`, and returns its
/// id. When this returns, a ref may be moved to it.
///
/// `gpg.format`, `user.signingKey`, `gpg.program` and the rest mean what they mean for `git commit -S`; in
/// the repository's own configuration they need the user's consent, and without it nothing is signed.
/// The tree and the parents must be in the object store already: git looks.
///
/// # Errors
/// [`Error::Signing`] with what git said; [`Error::ReadOnly`] or [`Error::NoRoom`] when the object store
/// cannot be written.
pub fn commit(
    repo: &Repo,
    tree: TreeId,
    parents: &[CommitId],
    by: &Signature,
    message: &str,
) -> Result<CommitId, Error> {
    if let Some(reason) = repo.consent.withheld(Some(Purpose::Signing)) {
        return Err(Error::Signing(reason));
    }
    let mut command = program::as_user(repo);
    // A relative name of a key or program is meant from where `git commit` runs.
    command.current_dir(repo.work_dir().unwrap_or(repo.git_dir()));
    // `force` takes the terminal away from ssh-keygen, and without `GPG_TTY` gpg does not find it.
    command
        .env("SSH_ASKPASS_REQUIRE", "force")
        .env_remove("GPG_TTY");
    let date = by.date();
    for role in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{role}_NAME"), &by.name)
            .env(format!("GIT_{role}_EMAIL"), &by.mail)
            // Without the sign, a small number could be taken for a day.
            .env(format!("GIT_{role}_DATE"), format!("@{date}"));
    }
    command.args(["-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-S"]);
    command.arg(tree.to_string());
    for parent in parents {
        command.args(["-p", &parent.to_string()]);
    }
    let out = program::run_fed(command, |stdin| writeln!(stdin, "{message}"))?;
    let id = CommitId::from_hex(out.stdout.trim_ascii_end());
    match id.filter(|_| out.status.success()) {
        Some(id) => Ok(id),
        None => {
            let dir = repo.common_dir().join("objects");
            let signing = || {
                let lines = out.stderr.lines().map(str::trim);
                // What gpg tells programs is between what it tells people.
                let told = |line: &&str| !line.is_empty() && !line.starts_with("[GNUPG:]");
                let lines: Vec<&str> = lines.filter(told).collect();
                Error::Signing(lines.join("; "))
            };
            Err(obstacle::of_words(&dir, &out.stderr).unwrap_or_else(signing))
        }
    }
}
