//! Reading a piece as a whole: to make another of it, and to check it.

use super::{
    Document, Entry, Flaw, MAX_PLACES, MAX_WEIGHT, Piece, counted, encode, pairs, weight_of,
};
use crate::git::RepoPath;
use crate::history::document::MANY;
use crate::history::message::Counts;
use crate::limits::MAX_TERM_BYTES;
use crate::segment::lists::rising;

impl Piece {
    /// Gives the entries back, to make another piece of them.
    pub fn entries(&self) -> Vec<Entry> {
        self.entries_where(&|_| true)
    }

    /// Gives back the entries at places that are wanted.
    pub fn entries_where(&self, is_wanted: &dyn Fn(u32) -> bool) -> Vec<Entry> {
        let mut terms = vec![Counts::new(); self.len()];
        let mut dict = self.terms.cursor(&self.bytes, 0);
        let mut lists = self.holders.iter(&self.bytes);
        while let (Some((_, term)), Some(list)) = (dict.advance(), lists.next()) {
            for (at, count) in counted(list, self.count) {
                if is_wanted(at) && term.len() <= MAX_TERM_BYTES {
                    terms[at as usize].insert(term.to_vec(), count);
                }
            }
        }
        let mut paths = Vec::with_capacity(self.paths.len() as usize);
        let mut dict = self.paths.cursor(&self.bytes, 0);
        while let Some((_, path)) = dict.advance() {
            paths.push(RepoPath::new(path).ok());
        }
        let path = |at: u32| paths.get(at as usize).cloned().flatten();
        let lists = self.touched.iter(&self.bytes);
        let lists = lists.zip(self.gone.iter(&self.bytes));
        let lists = lists.zip(self.renames.iter(&self.bytes));
        let entries = terms.into_iter().zip(lists).zip(0_u32..);
        entries
            .filter(|(_, at)| is_wanted(*at))
            .filter_map(|((terms, ((touched, gone), renames)), at)| {
                let parents = self.parent_ids(at);
                let paths = |list| {
                    rising(list, self.paths.len())
                        .filter_map(path)
                        .collect::<Vec<_>>()
                };
                let mut document = Document {
                    terms,
                    changed: self.changed(at),
                    touched: paths(touched),
                    gone: paths(gone),
                    renames: pairs(renames)
                        .filter_map(|(old, new)| Some((path(old)?, path(new)?)))
                        .collect(),
                };
                if parents.len() > 1 {
                    // What a merge does not say.
                    document.terms.clear();
                    document.renames.clear();
                    document.changed = document.changed.min(MANY);
                }
                Some(Entry {
                    id: self.id(at)?,
                    date: self.date(at),
                    parents,
                    document,
                })
            })
            .collect()
    }

    /// Whether what it takes to decode it is bounded: a few bytes may name a long path a million times.
    fn is_modest(&self) -> bool {
        let (mut weight, mut terms, mut places, mut parents) = (0_u64, 0_u64, 0_u64, 0_usize);
        for at in 0..self.count {
            parents += self.parents(at).count();
            let (length, named) = (self.length(at), self.places(at));
            weight = weight.saturating_add(weight_of(length, named));
            terms += u64::from(length);
            places += named;
        }
        // Each counts once at least, and each path is of a commit.
        let lists = self.holders.iter(&self.bytes);
        let held: usize = lists.map(|list| counted(list, self.count).count()).sum();
        weight <= MAX_WEIGHT
            && held as u64 <= terms
            && u64::from(self.paths.len()) <= places
            && parents <= MAX_PLACES
    }

    /// Checks that these are the bytes its commits are written as. Fails when they are not.
    pub fn verify(&self) -> Result<(), Flaw> {
        if !self.is_modest() {
            return Err("its commits weigh more than those of a piece may");
        }
        match encode::encode(self.hash, self.entries()) == self.bytes {
            true => Ok(()),
            false => Err("it is not canonical"),
        }
    }
}
