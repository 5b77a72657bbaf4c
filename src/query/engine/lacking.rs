//! What a state lacks because the clone does: files that no index covers and whose content is not here, and files that
//! say how imports are read.
//!
//! Such a state is kept like any other, until something of it may have come: as objects, which changes the folders
//! that they come to ([`Arrivals`]), or as documents of an index that somebody has fetched.

use super::{Engine, OpenView, Pinned};
use crate::git::{Arrivals, promisor};
use crate::id::{BlobId, CommitId};
use crate::view::files::{File, Reading};
use crate::view::live::{FileId, View};
use rustc_hash::FxHashSet;
use std::sync::PoisonError;

/// What was missing when it was last looked for.
#[derive(Default)]
pub(super) struct Lacking {
    /// Contents of files that say how imports are read.
    configuration: Vec<BlobId>,
    /// The objects of then.
    objects: Option<Arrivals>,
    /// The index of then.
    index: Option<CommitId>,
}

impl Lacking {
    /// Of a view that was made of these objects and this index.
    pub(super) fn as_of(objects: Option<Arrivals>, index: Option<CommitId>) -> Self {
        Self {
            objects,
            index,
            ..Self::default()
        }
    }
}

impl Engine {
    /// Whether a view says all that can be said now. Of what it lacks nothing may have come since.
    pub(super) fn is_up_to_date(&self, open: &OpenView) -> bool {
        let mut lacking = open.lacking.lock().unwrap_or_else(PoisonError::into_inner);
        if !open.view.lacks_files() && lacking.configuration.is_empty() {
            return true;
        }
        // Before anything is looked for: what comes meanwhile shows the next time.
        let objects = Arrivals::of(&self.repo);
        let snapshot = self.state().snapshot.clone();
        let is_same_index = lacking.index == snapshot.tip;
        if is_same_index && objects.is_some() && objects == lacking.objects {
            return true;
        }
        let here = self.repo.objects();
        let has_come = |file: &File| {
            let key = file.key().filter(|_| file.is_uncovered());
            key.is_some_and(|key| {
                here.contains(key.blob.as_object())
                    || (!is_same_index && snapshot.find(&key).is_some())
            })
        };
        let has_blob = |blob: &BlobId| here.contains(blob.as_object());
        if lacking.configuration.iter().any(has_blob) || open.view.files().iter().any(has_come) {
            return false;
        }
        (lacking.objects, lacking.index) = (objects, snapshot.tip);
        true
    }

    /// The state of the objects in which what a view lacks was last found missing; `None` where it lacks nothing.
    pub(super) fn objects_of(&self, open: &OpenView) -> Option<Arrivals> {
        let lacking = open.lacking.lock().unwrap_or_else(PoisonError::into_inner);
        lacking.objects.filter(|_| open.view.lacks_files())
    }

    /// Whether some of these contents are here.
    pub(super) fn has_any(&self, blobs: &[BlobId]) -> bool {
        if blobs.is_empty() {
            return false;
        }
        let here = self.repo.objects();
        blobs.iter().any(|blob| here.contains(blob.as_object()))
    }

    /// Of files that could not be read for configuration, the contents that are missing here and that imports of files
    /// with a document may depend on.
    pub(super) fn lacking_of(&self, view: &View, unread: &[FileId]) -> Vec<BlobId> {
        if unread.is_empty() {
            return Vec::new();
        }
        let files = view.files();
        // How many files before each have a document.
        let mut covered = vec![0_usize];
        for file in files {
            covered.push(covered.last().copied().unwrap_or(0) + usize::from(file.doc.is_some()));
        }
        let here = self.repo.objects();
        let is_lacking = |file: &&FileId| {
            let file = view.file(**file);
            let path = file.path.as_bytes();
            let folder = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
            let below = files.partition_point(|other| other.path.as_bytes() < &path[..folder]);
            let after = files[below..]
                .partition_point(|other| other.path.as_bytes().starts_with(&path[..folder]));
            covered[below] < covered[below + after]
                && file.reading != Reading::Secret
                && !here.contains(file.blob.as_object())
        };
        let lacking = unread.iter().filter(is_lacking);
        let mut blobs: Vec<BlobId> = lacking.map(|file| view.file(*file).blob).collect();
        blobs.sort_unstable();
        blobs.dedup();
        blobs
    }

    /// Notes what could not be read while the graph of a state was made. It is told with the next answer, once, however
    /// many graphs are made before somebody asks.
    pub(super) fn note_lacking(&self, pinned: &Pinned, configuration: &[BlobId]) {
        let files = match configuration.len() {
            1 => "1 file that says".to_owned(),
            n => format!("{n} files that say"),
        };
        let why = match self.repo.is_partial() {
            true => promisor::remedy(&self.repo),
            false => "run `git fsck`",
        };
        let said = format!("{files} how imports are read cannot be read in this clone; {why}");
        let mut state = self.state();
        if !state.recovered.contains(&said) {
            state.recovered.push(said);
        }
        drop(state);
        let lacking = pinned.open.lacking.lock();
        let mut lacking = lacking.unwrap_or_else(PoisonError::into_inner);
        lacking.configuration = configuration.to_vec();
    }
}

/// Says how much a view lacks, if anything.
pub(super) fn warning(view: &View) -> Option<String> {
    if !view.lacks_files() {
        return None;
    }
    let lacking = view.files().iter().filter(|file| file.is_uncovered());
    let blobs: FxHashSet<BlobId> = lacking.filter_map(File::key).map(|key| key.blob).collect();
    Some(super::not_here(blobs.len()))
}
