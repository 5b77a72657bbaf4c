//! Where the comments of files are, kept by content: to find them a file is parsed, which takes longer than all
//! else that is done with its text. Of many files those are looked up that were met when they were extracted
//! ([`crate::store::comments`]).

use super::live::{FileId, View};
use super::text::{PARALLEL_FROM, Text, Texts};
use crate::extract::Extractor;
pub use crate::store::comments::Key;
use crate::store::{comments, parallel};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Comments kept between questions. 16 bytes each, so some megabytes.
const MAX_KEPT: usize = 500_000;

/// Bytes of the comments and the prose of a file, in order.
pub type Comments = Arc<[Range<u32>]>;

/// Comments of some documents.
pub type KnownComments = FxHashMap<Key, Comments>;

/// The comments of files that were asked about; `None` for a file that is not understood.
#[derive(Default)]
pub(super) struct KeptComments {
    found: FxHashMap<Key, Option<Comments>>,
    count: usize,
}

impl KeptComments {
    fn add(&mut self, key: Key, comments: Option<Comments>) {
        let count = comments.as_ref().map_or(0, |found| found.len()) + 1;
        if self.count + count > MAX_KEPT {
            *self = Self::default();
        }
        self.count += count;
        self.found.insert(key, comments);
    }
}

impl Texts {
    /// The texts of some files, each with its comments; `None` for one that has no document or no text, or that is
    /// not understood.
    pub fn with_comments(
        &mut self,
        view: &View,
        files: &[FileId],
    ) -> Vec<Option<(Arc<Text>, Comments)>> {
        let keys = files.iter().map(|file| {
            let doc = view.file(*file).doc?;
            let grammar = view.segment(doc.segment).segment.doc(doc.doc).lang;
            Some((view.file(*file).blob, grammar))
        });
        let keys: Vec<Option<Key>> = keys.collect();
        let with_document = files.iter().zip(&keys);
        let with_document = with_document.filter_map(|(file, key)| key.map(|_| *file));
        let mut read = self
            .all(view, &with_document.collect::<Vec<_>>())
            .into_iter();
        let texts: Vec<Option<Arc<Text>>> = (keys.iter())
            .map(|key| key.and_then(|_| read.next()?))
            .collect();
        let met: FxHashMap<Key, Option<Comments>> = (keys.iter().flatten())
            .filter_map(|key| Some((*key, Some(view.comments().get(key)?.clone()))))
            .collect();
        let unknown = keys.iter().zip(&texts).filter_map(|(key, text)| {
            let is_known =
                |key: &Key| self.comments.found.contains_key(key) || met.contains_key(key);
            let key = (*key).filter(|key| !is_known(key))?;
            Some((key, text.clone()?))
        });
        let mut unknown: Vec<(Key, Arc<Text>)> = unknown.collect();
        let mut found: FxHashMap<Key, Option<Comments>> = FxHashMap::default();
        found.extend(met);
        for (key, comments) in self.kept_comments(&mut unknown) {
            self.comments.add(key, comments.clone());
            found.insert(key, comments);
        }
        let known = |key: &Key| {
            let kept = || self.comments.found.get(key).cloned().flatten();
            found.get(key).cloned().unwrap_or_else(kept)
        };
        let all = keys.iter().zip(texts);
        all.map(|(key, text)| Some((text?, known(key.as_ref()?)?)))
            .collect()
    }
}

impl Texts {
    /// The comments of some files: those that were met before, and those that are read now and kept.
    fn kept_comments(&self, files: &mut Vec<(Key, Arc<Text>)>) -> Vec<(Key, Option<Comments>)> {
        let (kept, hash) = (self.repo.kept(), self.repo.hash());
        let bytes: FxHashMap<Key, usize> = (files.iter())
            .map(|(key, text)| (*key, text.bytes().len()))
            .collect();
        let keys: Vec<(Key, usize)> = bytes.iter().map(|(key, bytes)| (*key, *bytes)).collect();
        let known = comments::known(kept, hash, &keys);
        files.retain(|(key, _)| !known.contains_key(key));
        let mut found = read_all(files);
        let news = found
            .iter()
            .filter_map(|(key, all)| Some((*key, (all.as_ref()?.to_vec(), bytes[key]))));
        comments::keep(kept, hash, news);
        found.extend((known.into_iter()).map(|(key, all)| (key, Some(Comments::from(all)))));
        found
    }
}

fn read_all(files: &[(Key, Arc<Text>)]) -> Vec<(Key, Option<Comments>)> {
    let threads = match files.len() < PARALLEL_FROM {
        true => 1,
        false => parallel::cores(),
    };
    parallel::map(files, threads, Extractor::new, |extractor, (key, text)| {
        let comments = extractor.comments(text.bytes(), key.1);
        (*key, comments.map(Comments::from))
    })
}
