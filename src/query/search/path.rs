//! The path channel: files whose path holds words of the query.
//!
//! Words are compared by their stems, and two words of the query beside one another also as one
//! (`test client` finds `testclient.py`). A file's name counts by how much of the query it holds and
//! by how much of the name that is: `retry.rs` is about retries, `retry_budget_metrics.rs` less so.

use super::query::QueryTerms;
use super::stems::stem;
use super::text::idf;
use crate::extract::terms;
use crate::view::live::{FileId, View};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::Xxh3;

/// What a word in a directory's name counts, against one in the file's own name.
const DIRECTORY: f64 = 0.35;
/// Part of a file name's score that does not depend on how much of the name the query covers.
const UNCOVERED: f64 = 0.4;
/// Names that say nothing: such a file is named by its folder.
const ENTRY_NAMES: &[&str] = &["index", "mod", "init", "main", "lib"];

/// The stems of every path of a view, inverted once.
pub struct PathTerms {
    postings: FxHashMap<Vec<u8>, Vec<Held>>,
    /// Bytes of the words of each file's own name.
    lengths: Vec<u32>,
    /// Which paths they are of.
    of: u128,
}

/// A file found by its path.
pub struct Found {
    /// The file.
    pub file: FileId,
    /// How much of the query its path holds.
    pub score: f64,
    /// Set when its whole name is words of the query: what such a file is worth, at most 1.
    pub whole: Option<f64>,
}

/// A stem in a path.
#[derive(Clone, Copy)]
struct Held {
    file: FileId,
    /// Bytes of the words in the file's own name that have the stem; 0 in a directory's.
    covers: u32,
}

impl PathTerms {
    /// Takes all paths of a view apart: every component, sub-words included.
    pub fn of(view: &View) -> Self {
        let mut postings: FxHashMap<Vec<u8>, Vec<Held>> = FxHashMap::default();
        let mut lengths = Vec::with_capacity(view.files().len());
        for (file, id) in view.files().iter().zip((0..).map(FileId)) {
            let (path, name) = named_part(file.path.as_bytes());
            let mut length = 0;
            let mut hold = |word: &[u8], covers: u32| {
                let list = postings.entry(stem(word)).or_default();
                match list.last_mut() {
                    Some(last) if last.file == id => last.covers = last.covers.max(covers),
                    _ => list.push(Held { file: id, covers }),
                }
            };
            terms::for_each_word(path, |word, at| {
                let mut parts = 0;
                let mut bytes = 0;
                terms::for_each_subword(word, |part| {
                    parts += 1;
                    bytes += part.len() as u32;
                    hold(part, if at >= name { part.len() as u32 } else { 0 });
                });
                if at >= name {
                    length += bytes;
                }
                // `testClient` is also found as one word.
                if parts > 1 {
                    let mut whole = Vec::new();
                    terms::fold(word, &mut whole);
                    whole.retain(|b| *b != b'_');
                    hold(&whole, if at >= name { bytes } else { 0 });
                }
            });
            lengths.push(length);
        }
        Self {
            postings,
            lengths,
            of: paths_of(view),
        }
    }

    /// Whether the paths of a view are these.
    pub fn are_of(&self, view: &View) -> bool {
        self.lengths.len() == view.files().len() && self.of == paths_of(view)
    }

    /// Files that hold words of the query in their path, with their scores, best first, at most
    /// `limit`. `factor` says what a file is worth, and `None` of one that is not wanted.
    pub fn rank(
        &self,
        view: &View,
        query: &QueryTerms,
        limit: usize,
        factor: impl Fn(FileId) -> Option<f64>,
    ) -> Vec<Found> {
        // Weight of what directories hold, weight of what the name holds, bytes covered.
        let mut found = vec![(0.0, 0.0, 0u32); self.lengths.len()];
        let all = view.files().len() as u64;
        for looked_for in stems_of(query) {
            let Some(list) = self.postings.get(&looked_for) else {
                continue;
            };
            let idf = idf(list.len() as u64, all);
            for held in list {
                let (directories, name, covered) = &mut found[held.file.0 as usize];
                if held.covers > 0 {
                    *name += idf;
                    *covered += held.covers;
                } else {
                    *directories += idf;
                }
            }
        }
        let mut ranked: Vec<Found> = (0..)
            .map(FileId)
            .zip(found)
            .filter(|(_, (directories, name, _))| directories + name > 0.0)
            .filter(|(file, _)| view.file(*file).doc.is_some())
            .filter_map(|(file, (directories, name, covered))| {
                let length = self.lengths[file.0 as usize].max(1);
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
        ranked
    }
}

/// Tells lists of paths apart.
fn paths_of(view: &View) -> u128 {
    let mut hash = Xxh3::new();
    for file in view.files() {
        hash.update(file.path.as_bytes());
        hash.update(&[0]);
    }
    hash.digest128()
}

/// Cuts what follows the first dot off a file's name, and returns the rest of the path with where
/// the part that names the file begins: its own name, or the folder of an entry file.
fn named_part(path: &[u8]) -> (&[u8], usize) {
    let start = path.iter().rposition(|b| *b == b'/').map_or(0, |i| i + 1);
    let dot = path[start..].iter().skip(1).position(|b| *b == b'.');
    let path = &path[..dot.map_or(path.len(), |dot| start + 1 + dot)];
    let own = String::from_utf8_lossy(&path[start..]).to_ascii_lowercase();
    if start == 0 || !ENTRY_NAMES.contains(&own.trim_matches('_')) {
        return (path, start);
    }
    let folder = &path[..start - 1];
    let start = folder.iter().rposition(|b| *b == b'/').map_or(0, |i| i + 1);
    (folder, start)
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

    fn named(path: &str) -> String {
        let (path, start) = named_part(path.as_bytes());
        String::from_utf8_lossy(&path[start..]).into_owned()
    }

    #[test]
    fn a_file_is_named_by_itself_or_by_its_folder() {
        assert_eq!(named("lib/router.js"), "router");
        assert_eq!(named("lib/router.test.js"), "router");
        assert_eq!(named("lib/router/index.js"), "router");
        assert_eq!(named("src/http/__init__.py"), "http");
        assert_eq!(named("index.js"), "index");
        assert_eq!(named(".github/.eslintrc"), ".eslintrc");
        assert_eq!(named("Makefile"), "Makefile");
    }

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
