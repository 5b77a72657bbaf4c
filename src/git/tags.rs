//! Which tags hold a commit.

use super::error::Error;
use super::program;
use super::repo::Repo;
use crate::id::CommitId;

/// The oldest tag from which a commit is reached, by the date it was made; `None` where none is. Fails with what the
/// git program said when it cannot list them.
pub fn first_with(repo: &Repo, commit: CommitId) -> Result<Option<String>, Error> {
    let args = [
        "for-each-ref".to_owned(),
        format!("--contains={commit}"),
        "--sort=creatordate".to_owned(),
        "--count=1".to_owned(),
        "--format=%(refname:lstrip=2)".to_owned(),
        "refs/tags".to_owned(),
    ];
    let out = program::run_args(repo, &args)?;
    if !out.status.success() {
        return Err(out.into_error("for-each-ref"));
    }
    let name = String::from_utf8_lossy(&out.stdout).trim().to_owned();
    Ok(Some(name).filter(|name| !name.is_empty()))
}
