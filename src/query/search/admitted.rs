//! What a question may find: its filter as sets of the view, which every channel asks before it scores anything.

use super::chunk::LiveChunk;
use super::facets::{Bits, Sets};
use super::impacts::TextTables;
use super::norms::Norms;
use crate::extract::record::SymbolKind;
use crate::query::scope::Filter;
use crate::view::live::{FileId, View};
use std::ops::Range;
use std::sync::Arc;

/// A filter made ready for one view.
pub struct Admitted<'a> {
    filter: &'a Filter,
    /// `None` when everything passes.
    sets: Option<Arc<Sets>>,
    files: usize,
}

impl<'a> Admitted<'a> {
    /// Works out what passes, or takes it from an earlier question.
    pub fn of(view: &View, tables: &TextTables, filter: &'a Filter) -> Self {
        let sets = tables.facets.admitted(view, &tables.norms, filter);
        let all = view.files().len();
        Self {
            filter,
            files: sets.as_ref().map_or(all, |sets| sets.files.len() as usize),
            sets,
        }
    }

    /// Number of files that pass.
    pub fn count(&self) -> usize {
        self.files
    }

    /// Whether a file passes.
    pub fn file(&self, file: FileId) -> bool {
        let sets = self.sets.as_ref();
        sets.is_none_or(|sets| sets.files.contains(file.0))
    }

    /// Whether a document stands in a file that passes, by its number.
    pub fn doc(&self, doc: u32) -> bool {
        self.sets.as_ref().is_none_or(|sets| sets.docs.has(doc))
    }

    /// Whether a chunk is of such a document, and shows a symbol of a kind that passes.
    pub fn chunk(&self, norms: &Norms, chunk: LiveChunk) -> bool {
        let number = norms.chunk_number(chunk);
        let sets = self.sets.as_ref();
        sets.is_none_or(|sets| sets.chunks.has(number))
    }

    /// Whether symbols of a kind pass.
    pub fn kind(&self, kind: SymbolKind) -> bool {
        self.filter.admits_kind(kind)
    }

    /// The chunks that pass, by number; `None` when all do.
    pub fn chunks(&self) -> Option<&Bits> {
        self.sets.as_ref().map(|sets| &sets.chunks)
    }

    /// Calls `f` with the parts of a range of rows of a segment that hold chunks which pass.
    pub fn each_range(&self, base: u32, rows: Range<u32>, mut f: impl FnMut(Range<u32>)) {
        let Some(chunks) = self.chunks() else {
            return f(rows);
        };
        let mut start = None;
        for row in rows.clone() {
            match (chunks.has(base + row), start) {
                (true, None) => start = Some(row),
                (false, Some(from)) => {
                    f(from..row);
                    start = None;
                }
                _ => {}
            }
        }
        if let Some(from) = start {
            f(from..rows.end);
        }
    }

    /// The filter.
    pub fn filter(&self) -> &'a Filter {
        self.filter
    }
}
