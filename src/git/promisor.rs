//! Fetching what a partial clone left with its promisor: many objects at once, on purpose.
//!
//! Nothing else in the crate lets git fetch by itself; one object at a time would be one
//! connection at a time.

use super::error::Error;
use super::repo::Repo;
use super::{keys, program};
use crate::id::BlobId;

/// Whether missing objects may be asked for because of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leave {
    /// The user has consented to the remote, and to all that the repository says of reaching it.
    Consented,
    /// The user's own configuration lets questions fetch, and the repository says no more than where the
    /// remote is.
    Configured,
    /// There is none: nobody has said that it may, or somebody that it may not.
    None,
}

/// Returns whether missing objects may be asked for because of a question, which is not to be taken for
/// asking for the network.
pub fn leave(repo: &Repo) -> Leave {
    let forbidden = std::env::var("GIT_NO_LAZY_FETCH")
        .is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false" | "no" | "off"));
    let configured = repo.config_bool(keys::LAZY_FETCH);
    match configured {
        _ if forbidden || !repo.is_partial() => Leave::None,
        Some(false) => Leave::None,
        _ if repo.consent.is_given => Leave::Consented,
        Some(true) if repo.consent.allows_fetch_by_address() => Leave::Configured,
        _ => Leave::None,
    }
}

/// Whether missing objects may be asked for.
pub fn is_allowed(repo: &Repo) -> bool {
    leave(repo) != Leave::None
}

/// Says what would let missing objects be asked for, where nothing does.
pub fn remedy(repo: &Repo) -> &'static str {
    match repo.config_bool(keys::LAZY_FETCH) {
        Some(false) => {
            "sverklo.lazyFetch is false; `git config --unset sverklo.lazyFetch`, then `git sverklo trust`, lets it be fetched"
        }
        _ => {
            "`git sverklo trust` lets it be fetched from this remote, `git config --global sverklo.lazyFetch true` from any"
        }
    }
}

/// Fetches blobs, which [`is_allowed`], from the remotes that promised them, all in one `git fetch` for each remote until
/// none is missing. Refs, `FETCH_HEAD` and the filter of the clone stay as they are. Fails with what
/// the git program said when the last remote did not provide them all.
pub fn fetch(repo: &Repo, blobs: &[BlobId]) -> Result<(), Error> {
    let mut failure = None;
    let leave = leave(repo);
    for remote in &repo.promisors {
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
        // Without a URL of its own git would take the name for one.
        if repo.config_str_of(keys::REMOTE_URL, remote).is_none() {
            continue;
        }
        let mut command = program::as_user(repo);
        if leave == Leave::Configured {
            // Only protocols that git takes to be safe whoever names the address.
            command.env("GIT_PROTOCOL_FROM_USER", "0");
        }
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
