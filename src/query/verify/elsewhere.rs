//! Lines that left their file, looked for in all files of a state.
//!
//! Each line votes for where the first of them would be; most votes win. A place counts where enough lines are found
//! to tell them from any others, where they were not before (what was copied from there is still there), and where no
//! other place is as good.

use super::text::{Text, is_telling};
use crate::extract::record::Lines;
use crate::git::Error;
use crate::id::{BlobId, FileId};
use crate::view::files::Reading;
use crate::view::live::View;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of files that are searched.
const MAX_SEARCHED: usize = 64 << 20;
/// A line at more places says nothing of any of them.
const MAX_PLACES: usize = 32;
/// Share of the telling lines that must be found together.
const MIN_FOUND: f64 = 0.7;
/// Letters and digits that lines must have in all, to be known again.
const MIN_LETTERS: usize = 24;

/// The lines of all files of a state.
pub struct AllLines {
    at: FxHashMap<u64, Vec<(FileId, u32)>>,
    /// Whether there were more bytes than are searched.
    pub is_partial: bool,
}

impl AllLines {
    /// Reads the files of code and prose that an index may hold, up to a bound.
    pub fn of(view: &View, read: &mut dyn FnMut(BlobId) -> Option<Arc<Vec<u8>>>) -> Self {
        let mut all = Self {
            at: FxHashMap::default(),
            is_partial: false,
        };
        let mut left = MAX_SEARCHED;
        for (file, id) in view.files().iter().zip(0..) {
            if !matches!(file.reading, Reading::Document(_)) || file.doc.is_none() {
                continue;
            }
            let Some(bytes) = read(file.blob) else {
                continue;
            };
            let Some(rest) = left.checked_sub(bytes.len()) else {
                all.is_partial = true;
                break;
            };
            left = rest;
            all.add(FileId(id), &bytes);
        }
        all
    }

    fn add(&mut self, file: FileId, bytes: &[u8]) {
        let lines = bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
        for (line, number) in lines.zip(1..).filter(|(line, _)| is_telling(line)) {
            let places = self.at.entry(xxh3_64(line)).or_default();
            if places.len() <= MAX_PLACES {
                places.push((file, number));
            }
        }
    }

    /// Finds lines of a text. `was_there` says whether a line stood in a file already when they were cited. Fails
    /// as it does.
    pub fn find(
        &self,
        text: &Text,
        lines: Lines,
        was_there: &mut dyn FnMut(FileId, u64) -> Result<bool, Error>,
    ) -> Result<Option<(FileId, Lines)>, Error> {
        let telling = (lines.first..=lines.last).filter(|line| is_telling(text.line(*line)));
        let wanted: Vec<(u32, u64)> = telling
            .map(|line| (line - lines.first, xxh3_64(text.line(line))))
            .collect();
        let letters = text.cut(lines).iter().filter(|b| b.is_ascii_alphanumeric());
        if wanted.is_empty() || letters.count() < MIN_LETTERS {
            return Ok(None);
        }
        let mut votes: FxHashMap<(FileId, u32), usize> = FxHashMap::default();
        for (offset, hash) in &wanted {
            let places = self.at.get(hash).map_or(&[][..], Vec::as_slice);
            for (file, line) in places.iter().filter(|_| places.len() <= MAX_PLACES) {
                if let Some(start) = line.checked_sub(*offset).filter(|start| *start > 0) {
                    *votes.entry((*file, start)).or_default() += 1;
                }
            }
        }
        let enough = (wanted.len() as f64 * MIN_FOUND).ceil() as usize;
        let mut best = None;
        let mut most = enough;
        let mut found: Vec<((FileId, u32), usize)> = votes.into_iter().collect();
        found.sort_unstable_by_key(|(place, votes)| (std::cmp::Reverse(*votes), *place));
        for ((file, start), votes) in found {
            if votes < most {
                break;
            }
            let mut is_new = false;
            for (_, hash) in &wanted {
                is_new = is_new || !was_there(file, *hash)?;
            }
            if is_new && best.is_some() {
                return Ok(None);
            }
            if is_new {
                (best, most) = (Some((file, start)), votes);
            }
        }
        Ok(best.map(|(file, first)| {
            let last = first + (lines.last - lines.first);
            (file, Lines { first, last })
        }))
    }
}
