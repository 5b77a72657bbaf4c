//! Which files of a tree the paths in a report mean, given what is known of where it was made.

use crate::git::Repo;
use crate::trace::paths::Places;
use std::path::Path;

/// Says what is known of where reports about a tree were made: where the work tree lies, and which of its
/// folders was worked in.
pub(super) fn places<'a>(
    repo: &Repo,
    paths: Vec<&'a [u8]>,
    strip: &[String],
    dir: &Path,
) -> Places<'a> {
    let mut places = Places::new(paths).strip(strip.iter().map(String::as_str));
    if let Some(top) = repo.work_dir() {
        // A tool may have seen the work tree by a link to it.
        let real = top.canonicalize().ok();
        let dir = dir.canonicalize().ok();
        for top in [Some(top), real.as_deref()].into_iter().flatten() {
            places = places.top(&top.to_string_lossy());
        }
        if let Some(here) = dir.zip(real).and_then(|(dir, top)| {
            let here = dir.strip_prefix(top).ok()?;
            Some(here.to_string_lossy().replace('\\', "/"))
        }) {
            places = places.here(&here);
        }
    }
    places
}
