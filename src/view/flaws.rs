//! The files of a view that were not read, or not understood as a whole: what an answer that is empty has to tell of.
//!
//! Guarantee: found once a view, so that nobody goes over all files of a repository for a name that is not there.
//! Deliberately absent: why, which the rows of the documents say.

use super::live::{FileId, View};
use crate::record::DocFlags;

/// Such files, product code first and in path order.
#[derive(Default)]
pub struct Flaws {
    /// Those that were not read, or have syntax errors.
    pub files: Vec<FileId>,
    /// Those with lines that were not understood.
    pub gaps: Vec<FileId>,
}

impl Flaws {
    /// Finds them.
    pub(super) fn of(view: &View) -> Self {
        let mut flaws = Self::default();
        for (id, file) in (0u32..).map(FileId).zip(view.files()) {
            let mut is_flawed = file.reading.skip_label().is_some() || file.is_uncovered();
            if let Some(doc) = file.doc {
                let segment = &view.segment(doc.segment).segment;
                let row = segment.doc(doc.doc);
                is_flawed |= row.skip.is_some() || row.flags.contains(DocFlags::SYNTAX_ERRORS);
                if !segment.gaps(doc.doc).lines.is_empty() {
                    flaws.gaps.push(id);
                }
            }
            if is_flawed {
                flaws.files.push(id);
            }
        }
        let order = |id: &FileId| (view.file(*id).role, *id);
        flaws.files.sort_by_key(order);
        flaws.gaps.sort_by_key(order);
        flaws
    }
}
