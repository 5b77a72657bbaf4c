//! Which parts are set aside: those that lied or cannot be used, whoever offers them.
//!
//! The list is a local file that may be deleted: they are checked again then.

use super::manifest;
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
    let head = manifest::format_text(repo.hash()).into_bytes();
    match text.as_ref().strip_prefix(&head[..]) {
        Some(ids) => ids
            .split(|b| *b == b'\n')
            .filter_map(PartId::from_hex)
            .collect(),
        // Of another version, which may have erred.
        None => FxHashSet::default(),
    }
}

/// Sets parts aside. Without leave to write they are checked each time.
pub(super) fn add(repo: &Repo, ids: impl IntoIterator<Item = PartId>) {
    let mut all: BTreeSet<PartId> = read(repo).into_iter().collect();
    let before = all.len();
    all.extend(ids);
    if all.len() == before {
        return;
    }
    let mut text = manifest::format_text(repo.hash());
    for id in &all {
        text += &format!("{id}\n");
    }
    let _ = repo.kept().write(FILE, text.as_bytes());
}
