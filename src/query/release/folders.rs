//! Folders that are new or gone with all the code in them.

use super::answer::{Folder, ReleaseAnswer};
use super::offered::is_code;
use crate::git::quoting;
use crate::query::diff::answer::SymbolFate;
use crate::query::diff::files::FileChange;
use crate::view::live::{FileId, View};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Names that are told of a folder.
const MAX_NAMES: usize = 8;

/// The outermost folders with code in one state and none in the other, those that are gone first.
pub(super) fn changed(files: &[FileChange], old: &View, new: &View) -> Vec<Folder> {
    let (before, after) = (folders(old), folders(new));
    let gone = files
        .iter()
        .filter_map(|change| Some((old, change.before()?, *change)));
    let added = files
        .iter()
        .filter_map(|change| Some((new, change.after()?, *change)));
    let mut all = outermost(gone, &after, false);
    all.extend(outermost(added, &before, true));
    all
}

/// All folders that hold code, at any depth.
fn folders(view: &View) -> FxHashSet<&[u8]> {
    let mut all = FxHashSet::default();
    for file in (0..view.files().len() as u32).map(FileId) {
        if is_code(view, file) {
            all.extend(above(view.file(file).path.as_bytes()));
        }
    }
    all
}

/// The folders above a path, outermost first, each with a slash at its end.
fn above(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let slashes = path.iter().enumerate().filter(|(_, b)| **b == b'/');
    slashes.map(|(at, _)| &path[..=at])
}

fn outermost<'a>(
    files: impl Iterator<Item = (&'a View, FileId, FileChange)>,
    others: &FxHashSet<&[u8]>,
    is_added: bool,
) -> Vec<Folder> {
    let mut found: BTreeMap<&[u8], Share> = BTreeMap::new();
    for (view, file, change) in files.filter(|(view, file, _)| is_code(view, *file)) {
        let mut folders = above(view.file(file).path.as_bytes());
        if let Some(outermost) = folders.find(|folder| !others.contains(folder)) {
            let share = found.entry(outermost).or_default();
            share.files += 1;
            share.moved += usize::from(matches!(change, FileChange::Kept { .. }));
            share.lines += lines(view, file);
        }
    }
    let folder = |(path, share): (&[u8], Share)| Folder {
        path: quoting::quoted(path),
        is_added,
        files: share.files,
        moved: share.moved,
        lines: share.lines,
        definitions: 0,
        names: Vec::new(),
    };
    found.into_iter().map(folder).collect()
}

/// What is in a folder.
#[derive(Default)]
struct Share {
    files: usize,
    moved: usize,
    lines: u64,
}

fn lines(view: &View, file: FileId) -> u64 {
    let doc = view.file(file).doc;
    let lines = doc.map(|doc| view.segment(doc.segment).segment.doc(doc.doc).lines);
    u64::from(lines.unwrap_or_default())
}

/// Tells what was added or removed with its folder there, and nowhere else.
pub(super) fn fold(answer: &mut ReleaseAnswer) {
    let folders = &mut answer.folders;
    answer.told.retain(|told| {
        let is_added = match told.changed.fate {
            SymbolFate::Added => true,
            SymbolFate::Removed => false,
            SymbolFate::Changed(_) => return true,
        };
        let symbol = &told.changed.symbol;
        let around = folders
            .iter_mut()
            .find(|folder| folder.is_added == is_added && symbol.path.starts_with(&folder.path));
        let Some(folder) = around else {
            return true;
        };
        folder.definitions += 1;
        if folder.names.len() < MAX_NAMES {
            folder.names.push(symbol.qualified.to_string());
        }
        false
    });
}
