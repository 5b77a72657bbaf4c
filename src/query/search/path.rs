//! The path channel: files whose path holds words of the query.
//!
//! Words are compared by their stems, and two words of the query beside one another also as one
//! (`test client` finds `testclient.py`). A file's name counts by how much of the query it holds and
//! by how much of the name that is: `retry.rs` is about retries, `retry_budget_metrics.rs` less so.

use super::path_table::PathTerms;
use super::query::QueryTerms;
use super::stems::stem;
use super::text::idf;
use crate::extract::terms;
use crate::view::live::{FileId, View};

/// What a word in a directory's name counts, against one in the file's own name.
const DIRECTORY: f64 = 0.35;
/// Part of a file name's score that does not depend on how much of the name the query covers.
const UNCOVERED: f64 = 0.4;
/// A file found by its path.
pub struct Found {
    /// The file.
    pub file: FileId,
    /// How much of the query its path holds.
    pub score: f64,
    /// Set when its whole name is words of the query: what such a file is worth, at most 1.
    pub whole: Option<f64>,
}

/// Files that hold words of the query in their path, with their scores, best first, at most
/// `limit`; and how many hold any. `factor` says what a file is worth, and `None` of one that is not wanted.
pub fn rank(
    table: &PathTerms,
    view: &View,
    query: &QueryTerms,
    limit: usize,
    factor: impl Fn(FileId) -> Option<f64>,
) -> (Vec<Found>, usize) {
    let mut found: Vec<(FileId, u32, f64)> = Vec::new();
    let all = view.files().len() as u64;
    for looked_for in stems_of(query) {
        let list = table.holding(&looked_for);
        let idf = idf(list.len() as u64, all);
        let held = list.filter(|held| (held.file.0 as usize) < table.files());
        found.extend(held.map(|held| (held.file, held.covers, idf)));
    }
    // Lists behind one another, each in order: merged, not sorted; of one file in the order of the stems.
    found.sort_by_key(|(file, ..)| *file);
    let mut files = 0;
    let mut ranked: Vec<Found> = found
        .chunk_by(|a, b| a.0 == b.0)
        .map(|of_file| {
            files += 1;
            // Weight of what directories hold, weight of what the name holds, bytes covered.
            let (mut directories, mut name, mut covered) = (0.0, 0.0, 0u32);
            for (_, covers, idf) in of_file {
                match covers {
                    0 => directories += idf,
                    covers => {
                        name += idf;
                        covered += covers;
                    }
                }
            }
            (of_file[0].0, (directories, name, covered))
        })
        .filter(|(_, (directories, name, _))| directories + name > 0.0)
        .filter(|(file, _)| view.file(*file).doc.is_some())
        .filter_map(|(file, (directories, name, covered))| {
            let length = table.length(file).max(1);
            let share = (f64::from(covered) / f64::from(length)).min(1.0);
            let name = name * (UNCOVERED + (1.0 - UNCOVERED) * share);
            let factor = factor(file)?;
            Some(Found {
                file,
                score: factor * (name + DIRECTORY * directories),
                whole: (share >= 1.0).then_some(factor),
            })
        })
        .collect();
    ranked.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    ranked.truncate(limit);
    (ranked, files)
}

/// The stems of a query's sub-words, and of each two that stand beside one another as one word.
fn stems_of(query: &QueryTerms) -> Vec<Vec<u8>> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for word in &query.words {
        terms::for_each_subword(word.as_bytes(), |part| parts.push(part.to_vec()));
    }
    let pairs = parts.windows(2).map(|pair| pair.concat());
    let mut stems: Vec<Vec<u8>> = Vec::new();
    for part in parts.iter().cloned().chain(pairs) {
        let stem = stem(&part);
        if !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_beside_one_another_are_looked_for_as_one() {
        let stems = stems_of(&QueryTerms::parse("test client routing"));
        let stems: Vec<_> = stems.iter().map(|s| String::from_utf8_lossy(s)).collect();
        assert_eq!(
            stems,
            ["test", "client", "rout", "testclient", "clientrout"]
        );
    }
}
