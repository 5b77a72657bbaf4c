//! Which commit each line is from: back along the versions of a file, until no line is left that a parent has.
//!
//! A file is followed to the name it had before, as [`files`](super::super::files) follows it. A merge leaves each
//! line to the first of its parents that has it, as `git blame` does.

use super::super::ancestry::{Ancestry, Trail};
use crate::git::RepoPath;
use crate::git::tree;
use crate::id::{BlobId, CommitId};
use crate::query::Error;
use crate::query::diff::lines::LineMap;
use crate::query::renamed::came_from;
use crate::store::Progress;
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// Versions that are read: what is older than so many is told as such.
const MAX_VERSIONS: usize = 3000;

/// Where lines are from.
#[derive(Default)]
pub(super) struct Blame {
    /// How many are of each commit.
    pub commits: FxHashMap<CommitId, usize>,
    /// How many are older than what was read, or than what this clone has.
    pub unknown: usize,
}

/// Lines of one version that are still looked for: numbers from 1 in it.
struct Waiting {
    /// Its date, so that the newest is looked at first.
    date: i64,
    /// Which of equals was met first.
    order: usize,
    from: CommitId,
    path: RepoPath,
    blob: BlobId,
    lines: Vec<u32>,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.date, other.order).cmp(&(other.date, self.order))
    }
}

/// Finds where lines of a file are from that a commit has. Fails when commits or blobs cannot be read.
pub(super) fn blame(
    ancestry: &mut Ancestry,
    (from, path, blob): (CommitId, RepoPath, BlobId),
    lines: Vec<u32>,
    progress: &dyn Progress,
) -> Result<Blame, Error> {
    let mut found = Blame::default();
    let (mut queue, mut order) = (BinaryHeap::new(), 0);
    queue.push(Waiting {
        date: i64::MAX,
        order,
        from,
        path,
        blob,
        lines,
    });
    let mut read = 0;
    while let Some(mut one) = queue.pop() {
        read += 1;
        if read > MAX_VERSIONS || progress.cancelled() {
            found.unknown += one.lines.len();
            continue;
        }
        let entry = Some(one.blob.as_object());
        let event = match ancestry.origin(one.from, entry, &mut Trail::to_file(&one.path)) {
            Ok(event) => event,
            Err(err) if err.is_missing_object() => {
                found.unknown += one.lines.len();
                continue;
            }
            Err(err) => return Err(err.into()),
        };
        if event.is_cut_off {
            found.unknown += one.lines.len();
            continue;
        }
        let mut parents: Vec<(CommitId, RepoPath, BlobId)> = (event.parents.iter())
            .filter_map(|(parent, there)| Some((*parent, one.path.clone(), BlobId::new((*there)?))))
            .collect();
        if parents.is_empty() {
            for (parent, _) in &event.parents {
                let (before, after) = (ancestry.root(*parent)?, ancestry.root(event.commit)?);
                let all = tree::diff(ancestry.objects(), before, after)?;
                let came = came_from(ancestry.objects(), &all, &one.path, one.blob);
                parents.extend(came.map(|(old, blob)| (*parent, old, blob)));
            }
        }
        let text = match parents.is_empty() {
            true => Vec::new(),
            false => ancestry.blob(one.blob)?,
        };
        for (parent, path, blob) in parents {
            if one.lines.is_empty() {
                break;
            }
            let Ok(before) = ancestry.blob(blob) else {
                continue;
            };
            // From the newer to the older: each line that stands in both.
            let map = LineMap::of(&text, &before);
            let (mut kept, mut own) = (Vec::new(), Vec::new());
            for line in std::mem::take(&mut one.lines) {
                match map.new_line(line) {
                    Some(old) => kept.push(old),
                    None => own.push(line),
                }
            }
            one.lines = own;
            if !kept.is_empty() {
                order += 1;
                queue.push(Waiting {
                    date: event.date,
                    order,
                    from: parent,
                    path,
                    blob,
                    lines: kept,
                });
            }
        }
        if !one.lines.is_empty() {
            *found.commits.entry(event.commit).or_default() += one.lines.len();
        }
    }
    Ok(found)
}
