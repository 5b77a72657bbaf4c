//! Files that have a name as a word outside of comments and may mean a definition by it.
//!
//! Guarantee: no more than [`MAX_FILES`], those of the same language first, in path order. Deliberately absent: whether the
//! name itself stands there, which is for who reads the text.

use super::unexplained::MAX_FILES;
use super::{exposure, holding};
use crate::extract::record::{Field, Grammar};
use crate::id::{DocAddress, SegmentOrd};
use crate::lang;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;

/// Which files are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Among {
    /// All but documentation.
    All,
    /// Those of them that are no tests.
    ButTests,
}

/// Files that have a name as a word outside of comments, in path order. What a key of a data file is
/// set to is part of its signature, and so is what a constant is made of.
pub fn holders(view: &View, lang: Grammar, name: &[u8], among: Among) -> Vec<FileId> {
    let mut files = Vec::new();
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        for doc in holding::documents(live, name, &[Field::Body, Field::Signature]) {
            let of = live.segment.doc(doc).lang;
            if may_name(of, lang) {
                let fits = |file: &FileId| {
                    let (role, held) = (view.file(*file).role, view.file(*file).doc);
                    // A list of what is there, in no language, says of nothing that it is used.
                    let is_list = role == FileRole::Declaration && lang::of(of).genre.is_data();
                    role != FileRole::Documentation
                        && !is_list
                        && (among == Among::All || role != FileRole::Test)
                        && held == Some(DocAddress { segment: ord, doc })
                };
                files.extend(live.files_of(doc).filter(fits));
            }
        }
    }
    // What is written in the same language says more than lists and pages do.
    let family = lang::of(lang).family;
    let is_other = |file: &FileId| exposure::language(view, *file).family != family;
    files.sort_unstable_by_key(|file| (is_other(file), *file));
    files.truncate(MAX_FILES);
    files.sort_unstable();
    files
}

/// Whether a document of one language may name a definition of another.
fn may_name(of: Grammar, lang: Grammar) -> bool {
    let (of, family) = (lang::of(of), lang::of(lang).family);
    // Swift calls what a header of C declares.
    of.genre.is_data() || of.family == family || of.liveness.called_family == Some(family)
}
