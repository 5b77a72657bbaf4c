//! Which headers a C file sees, near or far.

use super::documents::Documents;
use super::modules::Resolution;
use crate::extract::record::ImportKind;
use crate::lang;
use crate::view::live::FileId;

/// Headers looked at for one file: the bound is for includes made to grow without end.
const MAX_HEADERS: usize = 4000;

/// Files that include a header which are asked what it may see: the first ones that nothing includes.
/// More would mostly see the same.
const MAX_INCLUDERS: usize = 4;

/// The headers that each C or C++ file includes, directly or through others; sorted.
pub struct Includes {
    of: Vec<Vec<FileId>>,
    includers: Vec<Vec<FileId>>,
}

impl Includes {
    /// Follows the includes of all files, on as many threads. `resolved` says what the imports of one lead to.
    pub(super) fn of<'r>(
        docs: &Documents,
        resolved: &(dyn Fn(FileId) -> &'r [Resolution] + Sync),
        threads: usize,
    ) -> Self {
        let files: Vec<FileId> = (0..docs.len() as u32).map(FileId).collect();
        let direct = |file: &FileId| direct(docs, resolved, *file);
        let direct: Vec<Vec<FileId>> = super::parallel::map(&files, threads, direct);
        let of = super::parallel::map(&files, threads, |file| {
            let mut seen = direct[file.0 as usize].clone();
            let mut next = 0;
            let mut known: rustc_hash::FxHashSet<FileId> = seen.iter().copied().collect();
            while let Some(header) = seen.get(next).copied() {
                next += 1;
                for further in &direct[header.0 as usize] {
                    if seen.len() < MAX_HEADERS && known.insert(*further) {
                        seen.push(*further);
                    }
                }
            }
            seen.sort_unstable();
            seen.dedup();
            seen
        });
        let includers = includers(&of);
        Self { of, includers }
    }

    /// Some of the files that a header is read in, near or far: such that nothing includes.
    pub fn includers(&self, header: FileId) -> &[FileId] {
        let includers = self.includers.get(header.0 as usize);
        includers.map_or(&[], Vec::as_slice)
    }

    /// The headers that a file sees; sorted.
    pub fn headers(&self, file: FileId) -> &[FileId] {
        self.of.get(file.0 as usize).map_or(&[], Vec::as_slice)
    }
}

fn includers(of: &[Vec<FileId>]) -> Vec<Vec<FileId>> {
    let mut included = vec![false; of.len()];
    for header in of.iter().flatten() {
        included[header.0 as usize] = true;
    }
    let mut includers = vec![Vec::new(); of.len()];
    for ((headers, file), included) in of.iter().zip((0..).map(FileId)).zip(included) {
        if included {
            continue;
        }
        for header in headers {
            let known: &mut Vec<FileId> = &mut includers[header.0 as usize];
            if known.len() < MAX_INCLUDERS {
                known.push(file);
            }
        }
    }
    includers
}

fn direct<'r>(
    docs: &Documents,
    resolved: &dyn Fn(FileId) -> &'r [Resolution],
    file: FileId,
) -> Vec<FileId> {
    let Some(doc) = docs.get(file) else {
        return Vec::new();
    };
    if !lang::of(doc.lang).naming.linked {
        return Vec::new();
    }
    let all = doc.imports.iter().zip(resolved(file));
    let included = all.filter_map(|(import, resolution)| match (import.kind, resolution) {
        (ImportKind::Include, Resolution::Found(place)) => Some(&place.files),
        _ => None,
    });
    included.flatten().copied().collect()
}
