//! `history --first`: of all that became of something only when it was first there, and when it ceased for good; both
//! with the first tag that has it.

use super::answer::Now;
use super::follow::{Found, Past};
use crate::git::{Repo, tags};
use crate::query::Error;

/// What a commit did that something ended by.
const ENDS: &[&str] = &["ceased", "removed"];

/// Leaves of a past its ends. Fails when tags cannot be listed.
pub(super) fn ends(repo: &Repo, now: &Now, past: &mut Past) -> Result<(), Error> {
    let is_end = |found: &Found| found.did.iter().any(|did| ENDS.contains(did));
    let first = past.versions.iter().rfind(|found| !is_end(found)).cloned();
    let last = past.versions.first().filter(|found| is_end(found));
    let last = last.filter(|_| now.holds() != Some(true)).cloned();
    past.versions = last.into_iter().chain(first).collect();
    for found in &mut past.versions {
        let Some((commit, _)) = found.commit else {
            continue;
        };
        let tag = tags::first_with(repo, commit)?;
        let said = match tag {
            Some(tag) => format!("first tag {tag}"),
            None => "in no tag".to_owned(),
        };
        found.detail = Some(match found.detail.take() {
            Some(detail) => format!("{said}; {detail}"),
            None => said,
        });
    }
    Ok(())
}
