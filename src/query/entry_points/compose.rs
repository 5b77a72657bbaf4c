//! The whole path of an entry: its own, and those of all that it is registered on, up to where a program begins.

use super::mounts::Mounts;
use super::spelling::{self, Spelt};
use super::{At, Stated};
use crate::extract::record::{EntryKind, PartKind};
use crate::view::text::Texts;

/// Routers above one another that are followed.
const MAX_DEPTH: usize = 16;
/// Places that one entry may be mounted at.
const MAX_PLACES: usize = 16;

/// The entries that a path is put together from, the innermost first: one list for each place that it is mounted at.
pub(super) struct Levels(Vec<Vec<At>>);

impl Levels {
    /// Climbs from an entry.
    pub(super) fn of(stated: &Stated<'_>, mounts: &Mounts, at: At) -> Self {
        let mut whole = Vec::new();
        let mut open = vec![vec![at]];
        while let Some(levels) = open.pop() {
            let Some(last) = levels.last() else { continue };
            let above = match levels.len() >= MAX_DEPTH {
                true => Vec::new(),
                false => mounts.above(stated, *last),
            };
            let above: Vec<At> = above
                .into_iter()
                .filter(|up| !levels.contains(up))
                .collect();
            if above.is_empty() {
                whole.push(levels);
            } else {
                for up in above.into_iter().rev() {
                    if whole.len() + open.len() < MAX_PLACES {
                        open.push([&levels[..], &[up]].concat());
                    }
                }
            }
        }
        Self(whole)
    }

    /// What it is registered on, the innermost first, at the first place it is mounted at.
    pub(super) fn first(&self) -> &[At] {
        self.0.first().map_or(&[], Vec::as_slice)
    }

    /// The paths, spelt.
    pub(super) fn paths(
        &self,
        stated: &Stated<'_>,
        texts: &mut Texts,
        kind: EntryKind,
    ) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for levels in &self.0 {
            let mut path = Spelt::default();
            let is_anew = |at: &At| {
                let entry = stated.get(*at);
                let first = entry.and_then(|entry| entry.path.first());
                first.is_some_and(|part| part.kind == PartKind::Root)
            };
            let is_mount = |at: &At| {
                stated
                    .get(*at)
                    .is_some_and(|of| of.kind == EntryKind::Mount)
            };
            for (i, at) in levels.iter().enumerate() {
                let Some(entry) = stated.get(*at) else {
                    continue;
                };
                let above = levels.get(i + 1);
                // A mount may give another path in place of the router's own.
                if entry.kind.is_router() && above.is_some_and(|up| is_mount(up) && is_anew(up)) {
                    continue;
                }
                let own = spelling::level(stated.view, texts, at.file, &entry.path);
                path = path.below(own, kind);
                if is_anew(at) && entry.kind != EntryKind::Mount {
                    break;
                }
            }
            // Nobody is known to mount it.
            let top = levels.last().and_then(|at| stated.get(*at));
            let path = match top.is_some_and(|top| top.kind == EntryKind::Branch) {
                true => path.below(spelling::COMPUTED.to_owned(), kind),
                false => path,
            };
            let path = path.whole(kind);
            if !found.contains(&path) {
                found.push(path);
            }
        }
        found
    }
}
