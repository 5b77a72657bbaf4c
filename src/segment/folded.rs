//! The `FOLD` chunk: the names of symbols in order of their folded form.
//!
//! Only the order is stored. The folded forms themselves would repeat nearly every byte of the
//! dictionary of names; folding a name again for each step of a search costs a microsecond or two
//! a search.

use super::column::Column;
use super::container::Walk;
use super::dict::{Dict, DictCursor};
use super::error::Error;
use crate::extract::terms::fold;
use crate::id::NameId;

/// Encodes the order of the `defined` among the names.
pub(super) fn encode(names: &[&[u8]], defined: &[bool]) -> Vec<u8> {
    let mut arena = Vec::new();
    let mut entries = Vec::new();
    for ((name, id), _) in names
        .iter()
        .zip(0u64..)
        .zip(defined)
        .filter(|(_, defined)| **defined)
    {
        let start = arena.len();
        fold(name, &mut arena);
        entries.push((start..arena.len(), id));
    }
    entries.sort_unstable_by(|a, b| {
        arena[a.0.clone()]
            .cmp(&arena[b.0.clone()])
            .then_with(|| a.1.cmp(&b.1))
    });
    let mut out = Vec::new();
    out.extend_from_slice(&(entries.len() as u32).to_le_bytes());
    Column::write(&mut out, entries.iter().map(|(_, id)| *id));
    out
}

/// Where the order lies in its segment, and the names it is an order of.
#[derive(Clone, Debug)]
pub(super) struct Folded {
    ids: Column,
    names: Dict,
}

impl Folded {
    /// Locates the order.
    pub(super) fn parse(mut walk: Walk<'_>, names: Dict) -> Result<Self, Error> {
        let count = walk.u32()?;
        if count > names.len() {
            return Err(Error::Damaged("number of defined names"));
        }
        let ids = Column::parse(&mut walk, count as usize)?;
        walk.finish()?;
        Ok(Self { ids, names })
    }

    /// Iterates over the names of symbols, in order of their folded form, from a position on.
    fn iter_from<'a>(
        &self,
        bytes: &'a [u8],
        start: usize,
    ) -> impl Iterator<Item = NameId> + use<'a> {
        let (ids, names) = (self.ids, self.names.len());
        (start..ids.len())
            .map(move |i| ids.get32(bytes, i))
            .filter(move |&id| id < names)
            .map(NameId)
    }

    /// Walks over the names of symbols in the order of their bytes.
    pub(super) fn defined<'a>(&self, bytes: &'a [u8]) -> DefinedNames<'a> {
        let mut defined = vec![false; self.names.len() as usize];
        self.iter_from(bytes, 0)
            .for_each(|name| defined[name.index()] = true);
        DefinedNames {
            defined,
            names: self.names.cursor(bytes, 0),
        }
    }

    /// How many names of symbols there are.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns the position of the first name whose folded form is not less than `folded`.
    fn lower_bound(&self, bytes: &[u8], folded: &[u8]) -> usize {
        let mut speller = Speller::new(&self.names);
        let (mut low, mut high) = (0, self.ids.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if speller.folded(bytes, NameId(self.ids.get32(bytes, middle))) < folded {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Iterates over the names whose folded form is `folded`.
    pub(super) fn lookup<'a>(
        &self,
        bytes: &'a [u8],
        folded: &'a [u8],
    ) -> impl Iterator<Item = NameId> + use<'a> {
        let mut speller = Speller::new(&self.names);
        self.iter_from(bytes, self.lower_bound(bytes, folded))
            .take_while(move |&name| speller.folded(bytes, name) == folded)
    }
}

/// A walk over the names that symbols of a segment have, in the order of their bytes.
pub struct DefinedNames<'a> {
    defined: Vec<bool>,
    names: DictCursor<'a>,
}

impl DefinedNames<'_> {
    /// Steps to the next name, which replaces what is in `name`; `None` at the end.
    pub fn advance(&mut self, name: &mut Vec<u8>) -> Option<NameId> {
        while let Some((id, spelt)) = self.names.advance() {
            if self.defined[id as usize] {
                name.clear();
                name.extend_from_slice(spelt);
                return Some(NameId(id));
            }
        }
        None
    }
}

/// Folds one name after another.
struct Speller {
    names: Dict,
    name: Vec<u8>,
    folded: Vec<u8>,
}

impl Speller {
    fn new(names: &Dict) -> Self {
        Self {
            names: names.clone(),
            name: Vec::new(),
            folded: Vec::new(),
        }
    }

    fn folded(&mut self, bytes: &[u8], name: NameId) -> &[u8] {
        self.name.clear();
        self.folded.clear();
        self.names.get(bytes, name.0, &mut self.name);
        fold(&self.name, &mut self.folded);
        &self.folded
    }
}
