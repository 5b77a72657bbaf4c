//! Which parts are set aside: those that lied or cannot be used, whoever offers them.
//!
//! The list is a local file that may be deleted: they are checked again then.

use super::manifest;
use crate::extract::fingerprint;
use crate::git::Repo;
use crate::id::PartId;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Name of the list.
const FILE: &str = "distrusted";

/// Returns what is set aside.
pub fn read(repo: &Repo) -> FxHashSet<PartId> {
    let Some(text) = repo.kept().read(FILE) else {
        return FxHashSet::default();
    };
    match text.as_ref().strip_prefix(head(repo).as_bytes()) {
        Some(ids) => ids
            .split(|b| *b == b'\n')
            .filter_map(PartId::from_hex)
            .collect(),
        // Of another version, which may have erred.
        None => FxHashSet::default(),
    }
}

/// What the list of this version begins with.
fn head(repo: &Repo) -> String {
    let format = manifest::format_text(repo.hash());
    format!("{format}extractors {:016x}\n", fingerprint::of_all())
}

/// Sets parts aside. Without leave to write they are checked each time.
pub(super) fn add(repo: &Repo, ids: impl IntoIterator<Item = PartId>) {
    let mut all: BTreeSet<PartId> = read(repo).into_iter().collect();
    let before = all.len();
    all.extend(ids);
    if all.len() == before {
        return;
    }
    let mut text = head(repo);
    for id in &all {
        text += &format!("{id}\n");
    }
    let _ = repo.kept().write(FILE, text.as_bytes());
}
