//! What files look like from others, put together: of files that were looked at, and of those that look as before.

use super::{Same, span};

/// The digests of one file.
#[derive(Default)]
pub(super) struct FileDigests {
    pub(super) resolutions: u64,
    pub(super) defaults: u64,
    pub(super) meaning: Vec<u64>,
    pub(super) shape: Vec<u64>,
    pub(super) import: Vec<u64>,
    pub(super) reach: Vec<u8>,
    pub(super) name_ends: Vec<u32>,
    pub(super) names: Vec<u64>,
}

/// What all files look like from others, while it is put together; see [`Digests`].
#[derive(Default)]
pub(super) struct Seen {
    pub(super) resolutions: Vec<u64>,
    pub(super) defaults: Vec<u64>,
    pub(super) meaning: Vec<u64>,
    pub(super) shape: Vec<u64>,
    pub(super) imports: Vec<u32>,
    pub(super) import: Vec<u64>,
    pub(super) reach: Vec<u8>,
    pub(super) name_ends: Vec<u32>,
    pub(super) names: Vec<u64>,
}

impl Seen {
    pub(super) fn push(&mut self, part: FileDigests) {
        self.imports.push(self.import.len() as u32);
        self.resolutions.push(part.resolutions);
        self.defaults.push(part.defaults);
        self.meaning.extend(part.meaning);
        self.shape.extend(part.shape);
        self.import.extend(part.import);
        self.reach.extend(part.reach);
        let names = self.names.len() as u32;
        let ends = part.name_ends.iter().map(|end| names + end);
        self.name_ends.extend(ends);
        self.names.extend(part.names);
    }

    /// Adds what an earlier tree has of some files.
    pub(super) fn push_same(&mut self, same: &Same<'_>) {
        let (before, files) = (same.digests, same.was.clone());
        let symbols = span(&before.symbols, files.clone());
        let imports = span(&before.imports, files.clone());
        let (start, now) = (imports.start as u32, self.import.len() as u32);
        let starts = before.imports[files.clone()].iter();
        self.imports.extend(starts.map(|at| at - start + now));
        self.resolutions
            .extend_from_slice(&before.resolutions[files.clone()]);
        self.defaults.extend_from_slice(&before.defaults[files]);
        self.meaning
            .extend_from_slice(&before.meaning[symbols.clone()]);
        self.shape.extend_from_slice(&before.shape[symbols]);
        self.import
            .extend_from_slice(&before.import[imports.clone()]);
        self.reach.extend_from_slice(&before.reach[imports.clone()]);
        let first = imports.start.checked_sub(1);
        let first = first.map_or(0, |i| before.name_ends[i]);
        let last = imports.end.checked_sub(1);
        let last = last.map_or(0, |i| before.name_ends[i]);
        let names = self.names.len() as u32;
        let ends = before.name_ends[imports].iter();
        self.name_ends.extend(ends.map(|end| names + (end - first)));
        self.names
            .extend_from_slice(&before.names[first as usize..last as usize]);
    }
}
