//! Fetched indexes that bring more than a repository has use for.

use super::segments::OpenSegment;
use super::snapshot::Snapshot;
use crate::git::{Objects, Repo};
use crate::id::{DocId, SegmentId};
use crate::limits::MAX_FETCHED_DOCS;
use rustc_hash::FxHashMap;
use std::hash::{BuildHasher, RandomState};

/// Documents of a fetched index that are looked for here, to tell how many of all are of blobs of this
/// repository.
const LOOKED_AT: usize = 512;
/// One document in so many must be. A clone has the blobs of its branches; that others have seven times as
/// many, on branches that were not fetched, is rare, and then their index is of little use here.
const LEAST_SHARE: usize = 8;

/// Segments that bring more documents than a repository has use for: of blobs that are nowhere, or so many
/// that they would only burden whoever collects.
pub(super) struct Crowd {
    refused: FxHashMap<SegmentId, String>,
}

impl Crowd {
    pub fn of(repo: &Repo, objects: &Objects, ours: &Snapshot, foreign: &[OpenSegment]) -> Self {
        let mut refused = FxHashMap::default();
        let mut taken = 0;
        for open in foreign {
            let count = open.segment().doc_count() as usize;
            if taken + count > MAX_FETCHED_DOCS {
                let reason = format!("the index has more than {MAX_FETCHED_DOCS} documents");
                refused.insert(open.id(), reason);
            } else {
                taken += count;
            }
        }
        // Where blobs are left out on purpose, that they are not here says nothing.
        if taken <= LOOKED_AT || repo.is_partial() || repo.is_shallow() {
            return Self { refused };
        }
        let all: Vec<&OpenSegment> = foreign
            .iter()
            .filter(|open| !refused.contains_key(&open.id()))
            .collect();
        let share = look(objects, ours, &all);
        if share.is_enough() {
            return Self { refused };
        }
        for open in all {
            let own = look(objects, ours, &[open]);
            if !own.is_enough() {
                refused.insert(open.id(), own.to_string());
            }
        }
        Self { refused }
    }

    /// Why a segment is left out, if it is.
    pub fn refuses(&self, open: &OpenSegment) -> Option<String> {
        self.refused.get(&open.id()).cloned()
    }
}

/// How many of some documents are of blobs that are here.
#[derive(Default)]
struct Share {
    here: usize,
    looked_at: usize,
}

impl Share {
    fn is_enough(&self) -> bool {
        self.here * LEAST_SHARE >= self.looked_at
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { here, looked_at } = self;
        write!(
            f,
            "of {looked_at} documents {here} are of blobs that are here"
        )
    }
}

/// Looks for the blobs of some documents of segments, chosen so that nobody can tell which.
fn look(objects: &Objects, ours: &Snapshot, segments: &[&OpenSegment]) -> Share {
    let count = |open: &OpenSegment| u64::from(open.segment().doc_count());
    let all: u64 = segments.iter().map(|open| count(open)).sum();
    let state = RandomState::new();
    let mut share = Share::default();
    for draw in 0..LOOKED_AT.min(all as usize) {
        let mut at = state.hash_one(draw) % all;
        let found = segments.iter().find_map(|open| {
            let here = at < count(open);
            at = at.saturating_sub(if here { 0 } else { count(open) });
            here.then(|| open.segment().row_key(DocId(at as u32)))
        });
        let Some(key) = found else { continue };
        share.looked_at += 1;
        let known = ours.has_row(&key) || objects.contains(key.doc.blob.as_object());
        share.here += usize::from(known);
    }
    share
}
