//! Fetching what a partial clone left with its promisor: many objects at once, on purpose.
//!
//! Nothing else in the crate lets git fetch by itself; one object at a time would be one
//! connection at a time.

use super::{Error, Repo, program};
use crate::id::BlobId;

/// Whether missing objects may be asked for: the clone is partial, and neither
/// `sverklo.lazyFetch` nor `GIT_NO_LAZY_FETCH` says otherwise.
pub fn is_allowed(repo: &Repo) -> bool {
    let forbidden = std::env::var("GIT_NO_LAZY_FETCH")
        .is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false" | "no" | "off"));
    repo.is_partial() && !forbidden && repo.config_bool("sverklo.lazyFetch").unwrap_or(true)
}

/// Fetches blobs from the remotes that promised them, all in one `git fetch` for each remote until
/// none is missing. Refs, `FETCH_HEAD` and the filter of the clone stay as they are.
///
/// # Errors
/// What the git program said when the last remote did not provide them all.
pub fn fetch(repo: &Repo, blobs: &[BlobId]) -> Result<(), Error> {
    let mut failure = None;
    for remote in repo.promisors() {
        let objects = repo.objects();
        let missing = |blob: &&BlobId| !objects.contains(blob.as_object());
        let ids: Vec<String> = blobs
            .iter()
            .filter(missing)
            .map(|b| format!("{b}\n"))
            .collect();
        if ids.is_empty() {
            return Ok(());
        }
        let mut command = program::as_user(repo.git_dir());
        // As git does when it fetches an object that it misses: there is nothing to negotiate.
        command
            .args(["-c", "fetch.negotiationAlgorithm=noop", "fetch"])
            .args(["--quiet", "--no-tags", "--no-write-fetch-head"])
            .args(["--recurse-submodules=no", "--no-auto-maintenance"])
            .args(["--filter=blob:none", "--stdin", "--end-of-options", remote]);
        let out = program::run_fed(command, |stdin| {
            ids.iter().try_for_each(|id| stdin.write_all(id.as_bytes()))
        })?;
        if out.status.success() {
            return Ok(());
        }
        failure = Some(out.into_error("fetch"));
    }
    failure.map_or(Ok(()), Err)
}
