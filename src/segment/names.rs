//! The `NAME` and `SUBW` chunks: all identifiers of a segment, and those that symbols define by the
//! words they are made of.

use super::container::Walk;
use super::dict::{self, Dict};
use super::error::Error;
use super::folded;
use super::intern::Interner;
use super::lists::{Lists, ListsWriter, put_rising, rising};
use crate::extract::record::{DocRecord, RowKey};
use crate::extract::terms::for_each_subword;
use crate::id::{DocId, LocalName, NameId};
use crate::limits::MAX_NAME_BYTES;

/// What a document does with one name of its table.
#[derive(Clone, Copy, Default)]
pub(super) struct NameUse {
    /// The name; before ranking, its provisional number.
    pub(super) name: NameId,
    /// How often it occurs.
    pub(super) count: u32,
    /// Whether a symbol has it.
    pub(super) defined: bool,
    /// Whether anything refers to it at all.
    used: bool,
}

/// The names of all documents of a segment under construction.
pub(super) struct UsedNames<'a> {
    /// Distinct names, by [`NameId`].
    pub(super) sorted: Vec<&'a [u8]>,
    uses: Vec<NameUse>,
    ends: Vec<usize>,
}

impl<'a> UsedNames<'a> {
    /// Collects the names that the documents use, and ranks them.
    pub(super) fn collect(docs: &'a [(RowKey, DocRecord)]) -> Result<Self, Error> {
        let mut interner = Interner::default();
        let mut uses = Vec::new();
        let mut ends = Vec::with_capacity(docs.len());
        // By provisional number, the document that had the name last, plus one.
        let mut last_docs: Vec<usize> = Vec::new();
        for (doc, (key, record)) in docs.iter().enumerate() {
            let bad = |what| Error::Record { key: key.doc, what };
            let start = uses.len();
            uses.resize(start + record.names.len(), NameUse::default());
            let table = &mut uses[start..];
            tally(record, table).map_err(bad)?;
            for (u, local) in table.iter_mut().zip(0..).filter(|(u, _)| u.used) {
                let name = record.names.get(LocalName(local));
                if name.len() > MAX_NAME_BYTES {
                    return Err(bad("a name is too long"));
                }
                u.name = NameId(interner.intern(name));
                if u.name.index() == last_docs.len() {
                    last_docs.push(0);
                }
                if std::mem::replace(&mut last_docs[u.name.index()], doc + 1) == doc + 1 {
                    return Err(bad("a name is in its table twice"));
                }
            }
            ends.push(uses.len());
        }
        let ranked = interner.rank();
        for u in uses.iter_mut().filter(|u| u.used) {
            u.name = NameId(ranked.ranks[u.name.index()]);
        }
        Ok(Self {
            sorted: ranked.strings,
            uses,
            ends,
        })
    }

    /// What document `doc` does with its names, by its own numbers.
    pub(super) fn of(&self, doc: usize) -> &[NameUse] {
        let start = if doc == 0 { 0 } else { self.ends[doc - 1] };
        &self.uses[start..self.ends[doc]]
    }

    /// Iterates over what all documents do with names, in document order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (DocId, &NameUse)> {
        let docs = (0..self.ends.len()).zip(0..);
        docs.flat_map(|(doc, id)| self.of(doc).iter().map(move |u| (DocId(id), u)))
    }
}

/// Counts what a record does with the names of its table.
fn tally(record: &DocRecord, table: &mut [NameUse]) -> Result<(), &'static str> {
    let mut mark = |name: LocalName, count: u32, defined: bool| match table.get_mut(name.index()) {
        Some(u) => {
            u.used = true;
            u.count += count;
            u.defined |= defined;
            Ok(())
        }
        None => Err("a name is not in its table"),
    };
    for symbol in &record.symbols {
        mark(symbol.name, 0, true)?;
        symbol
            .receiver
            .map_or(Ok(()), |receiver| mark(receiver, 0, false))?;
    }
    for occurrence in &record.occurrences {
        mark(occurrence.name, 1, false)?;
    }
    for binding in record.imports.iter().flat_map(|import| &import.bindings) {
        for name in [binding.imported, binding.local].into_iter().flatten() {
            mark(name, 0, false)?;
        }
    }
    Ok(())
}

/// The three chunks.
pub(super) struct Encoded {
    pub(super) names: Vec<u8>,
    pub(super) folded: Vec<u8>,
    pub(super) subwords: Vec<u8>,
}

/// Encodes the dictionaries.
pub(super) fn encode(names: &UsedNames<'_>) -> Encoded {
    let mut defined = vec![false; names.sorted.len()];
    names
        .uses
        .iter()
        .filter(|u| u.defined)
        .for_each(|u| defined[u.name.index()] = true);
    let mut subwords = Inverse::default();
    let ids = (0..).map(NameId);
    for ((name, id), _) in names
        .sorted
        .iter()
        .zip(ids)
        .zip(&defined)
        .filter(|(_, d)| **d)
    {
        for_each_subword(name, |word| subwords.push(word, id));
    }
    let mut encoded = Vec::with_capacity(names.sorted.len() * 10);
    dict::write(&mut encoded, names.sorted.iter().copied());
    Encoded {
        names: encoded,
        folded: folded::encode(&names.sorted, &defined),
        subwords: subwords.encode(),
    }
}

/// Pairs of a word and a name that has it.
#[derive(Default)]
struct Inverse {
    arena: Vec<u8>,
    pairs: Vec<(usize, usize, NameId)>,
}

impl Inverse {
    fn push(&mut self, word: &[u8], name: NameId) {
        let start = self.arena.len();
        self.arena.extend_from_slice(word);
        self.pairs.push((start, self.arena.len(), name));
    }

    fn encode(&self) -> Vec<u8> {
        let mut interner = Interner::default();
        let mut pairs: Vec<(u32, NameId)> = self
            .pairs
            .iter()
            .map(|&(start, end, name)| (interner.intern(&self.arena[start..end]), name))
            .collect();
        let ranked = interner.rank();
        pairs
            .iter_mut()
            .for_each(|(word, _)| *word = ranked.ranks[*word as usize]);
        pairs.sort_unstable();
        pairs.dedup();
        let mut out = Vec::new();
        dict::write(&mut out, ranked.strings.iter().copied());
        let mut lists = ListsWriter::default();
        let mut list = Vec::new();
        for group in pairs.chunk_by(|a, b| a.0 == b.0) {
            list.clear();
            put_rising(&mut list, group.iter().map(|(_, name)| name.0));
            lists.push(&list);
        }
        lists.finish(&mut out);
        out
    }
}

/// Where a dictionary of words, with the names of each, lies in its segment.
#[derive(Clone, Debug)]
pub(super) struct WordDict {
    words: Dict,
    lists: Lists,
    names: u32,
}

impl WordDict {
    /// Locates the dictionary; `names` is how many names the segment has.
    pub(super) fn parse(mut walk: Walk<'_>, names: u32) -> Result<Self, Error> {
        let words = Dict::parse(&mut walk)?;
        let lists = Lists::parse(&mut walk, words.len())?;
        walk.finish()?;
        Ok(Self {
            words,
            lists,
            names,
        })
    }

    fn names<'a>(&self, bytes: &'a [u8], word: u32) -> impl Iterator<Item = NameId> + use<'a> {
        rising(self.lists.get(bytes, word), self.names).map(NameId)
    }

    /// Iterates over the names of a word.
    pub(super) fn lookup<'a>(
        &self,
        bytes: &'a [u8],
        word: &[u8],
    ) -> impl Iterator<Item = NameId> + use<'a> {
        let word = self.words.find(bytes, word);
        self.names(bytes, word.unwrap_or(u32::MAX))
    }
}
