//! The path channel: files whose path holds words of the query.

use super::lexical::{QueryTerms, idf};
use crate::extract::terms;
use crate::view::live::{FileId, View};
use rustc_hash::FxHashMap;

/// A word in the file's own name says more than one in a directory's.
const FILE_NAME_WEIGHT: f64 = 2.0;

/// The terms of every path of a view, inverted once.
pub struct PathTerms {
    postings: FxHashMap<Vec<u8>, Vec<(FileId, bool)>>,
    lengths: Vec<u32>,
}

impl PathTerms {
    /// Takes all paths of a view apart: every component, sub-words included.
    pub fn of(view: &View) -> Self {
        let mut postings: FxHashMap<Vec<u8>, Vec<(FileId, bool)>> = FxHashMap::default();
        let mut lengths = Vec::with_capacity(view.files().len());
        for (file, id) in view.files().iter().zip((0..).map(FileId)) {
            let path = file.path.as_bytes();
            let name_start = path.len() - file.path.file_name().len();
            let mut length = 0;
            terms::for_each_word(path, |word, at| {
                let in_name = at >= name_start;
                terms::for_each_term(word, |term| {
                    length += 1;
                    let list = match postings.get_mut(term) {
                        Some(list) => list,
                        None => postings.entry(term.to_vec()).or_default(),
                    };
                    match list.last_mut() {
                        Some((last, name)) if *last == id => *name |= in_name,
                        _ => list.push((id, in_name)),
                    }
                });
            });
            lengths.push(length);
        }
        Self { postings, lengths }
    }

    /// Files that hold terms of the query in their path, best first, at most `limit`.
    pub fn rank(&self, view: &View, query: &QueryTerms, limit: usize) -> Vec<FileId> {
        let mut scores: FxHashMap<FileId, f64> = FxHashMap::default();
        let all = view.files().len() as u64;
        for term in &query.terms {
            let Some(list) = self.postings.get(term) else {
                continue;
            };
            let idf = idf(list.len() as u64, all);
            for (file, in_name) in list {
                let weight = if *in_name { FILE_NAME_WEIGHT } else { 1.0 };
                *scores.entry(*file).or_default() += idf * weight;
            }
        }
        let mut ranked: Vec<(FileId, f64)> = scores
            .into_iter()
            .filter(|(file, _)| view.file(*file).doc.is_some())
            .map(|(file, score)| {
                // A long path has more words to match by chance.
                let length = f64::from(self.lengths[file.0 as usize].max(1));
                let role = view.file(file).role.weight();
                (file, role * score / (4.0 + length))
            })
            .collect();
        ranked.sort_unstable_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        ranked.truncate(limit);
        ranked.into_iter().map(|(file, _)| file).collect()
    }
}
