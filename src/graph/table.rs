//! Every definition of a view under one number, and where to look for a name.
//!
//! The [`Index`] says nothing of places in files, so trees that define the same in the same files share it.

use super::documents::{DocSymbol, Documents, Head};
use super::edges::Lists;
use super::moves::{Moves, Replaced};
use super::names::Name;
use super::semantics;
use crate::extract::record::{Grammar, SymbolKind};
use crate::lang::{self, naming::Extensions};
use crate::view::live::FileId;
use std::ops::Range;
use std::sync::Arc;

/// Definitions of one name that one file, or one symbol, offers to whoever uses the name: the first ones.
/// People overload a few dozen times; every use of a name leads to each, so that without a bound 60,000 of
/// both would make billions of targets.
pub const MAX_NAMESAKES: usize = 128;

/// A definition of a view: files in path order, symbols of a file in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub u32);

impl SymbolId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The definitions of a view. A symbol of a document at two paths is two definitions.
pub struct SymbolTable<'a> {
    docs: &'a Documents,
    index: Arc<Index>,
    /// What the documents say of each definition; empty where few are asked for.
    symbols: Vec<&'a DocSymbol>,
}

/// Which definitions there are, where each lies, and which have a name.
#[derive(Default, PartialEq)]
pub(super) struct Index {
    /// Number of each file's first definition, and the count.
    offsets: Vec<u32>,
    file: Vec<FileId>,
    /// Where the top-level names of each file begin in `top`, and one more.
    top_offsets: Vec<u32>,
    top: Vec<(Name, SymbolId)>,
    /// Every symbol in a container, by container, then name.
    nested: Vec<(SymbolId, Name, SymbolId)>,
    /// Where those of each container begin, and one more.
    nested_offsets: Vec<u32>,
    /// Every symbol that can be referred to.
    named: ByName,
    /// Those of `top`.
    named_top: ByName,
}

/// Definitions by name, those of a name in order.
#[derive(Default, PartialEq)]
struct ByName(Lists);

impl ByName {
    /// Of pairs whose definitions rise within each name.
    fn of(pairs: &[(Name, SymbolId)]) -> Self {
        let names = pairs.iter().map(|(name, _)| name.0 as usize + 1);
        let pairs = pairs.iter().map(|(name, id)| (name.0, id.0));
        Self(Lists::from_pairs(names.max().unwrap_or(0), pairs))
    }

    /// The same as definitions move and others come.
    fn after(&self, moves: &Moves, went: Vec<Name>, came: Vec<(Name, SymbolId)>) -> Self {
        let came: Vec<(u32, u32)> = came.iter().map(|(name, id)| (name.0, id.0)).collect();
        let names = came.iter().map(|(name, _)| *name as usize + 1);
        let names = names.max().unwrap_or(0).max(self.0.len());
        let went = went.into_iter().map(|name| name.0);
        let (mut ends, items) = moves.lists((&self.0.ends, &self.0.items), names, went, came);
        // The last name is one that has a definition.
        while ends
            .last()
            .is_some_and(|end| ends.get(ends.len().wrapping_sub(2)).unwrap_or(&0) == end)
        {
            ends.pop();
        }
        Self(Lists {
            ends: ends.into(),
            items: items.into(),
        })
    }

    fn get(&self, name: Name) -> &[u32] {
        self.0.get(name.0 as usize)
    }
}

impl Index {
    /// Of documents of which some have other definitions than before; `was` says which.
    pub(super) fn after<'d>(
        before: &Self,
        docs: &Documents,
        changed: &[FileId],
        was: impl Fn(FileId) -> Option<&'d Head>,
    ) -> Self {
        let mut index = Self {
            offsets: Vec::with_capacity(before.offsets.len()),
            file: Vec::with_capacity(before.file.len() + before.file.len() / 64),
            top_offsets: Vec::with_capacity(before.top_offsets.len()),
            top: Vec::with_capacity(before.top.len() + before.top.len() / 64),
            nested: Vec::with_capacity(before.nested.len() + before.nested.len() / 64),
            ..Self::default()
        };
        let (mut named, mut went, mut went_top) = (Vec::new(), Vec::new(), Vec::new());
        let (mut named_top, mut replaced) = (Vec::new(), Vec::new());
        let mut next = 0;
        for file in changed {
            let at = file.0 as usize;
            index.stay(before, next..at);
            index.offsets.push(index.file.len() as u32);
            index.top_offsets.push(index.top.len() as u32);
            let (first, top) = (index.file.len() as u32, index.top.len());
            if let Some(doc) = docs.get(*file) {
                index.add(*file, doc.lang, &doc.symbols, &mut named);
            }
            let had = was(*file).map_or(&[][..], |head| &head.symbols);
            let had = had
                .iter()
                .filter(|symbol| semantics::is_referable(symbol.kind));
            went.extend(had.map(|symbol| symbol.name));
            went_top.extend(
                before.top[range(&before.top_offsets, at)]
                    .iter()
                    .map(|(name, _)| *name),
            );
            named_top.extend_from_slice(&index.top[top..]);
            replaced.push(Replaced {
                was: before.offsets[at]..before.offsets[at + 1],
                now: index.file.len() as u32 - first,
            });
            next = at + 1;
        }
        index.stay(before, next..before.offsets.len() - 1);
        let moves = Moves::of(replaced);
        index.named = before.named.after(&moves, went, named);
        index.named_top = before.named_top.after(&moves, went_top, named_top);
        index.close()
    }

    /// Takes over files that have the definitions that they had.
    fn stay(&mut self, before: &Self, files: Range<usize>) {
        let ids = before.offsets[files.start]..before.offsets[files.end];
        let shift = (self.file.len() as u32).wrapping_sub(ids.start);
        let now = |id: SymbolId| SymbolId(id.0.wrapping_add(shift));
        let offsets = before.offsets[files.clone()].iter();
        self.offsets
            .extend(offsets.map(|first| first.wrapping_add(shift)));
        let ids = ids.start as usize..ids.end as usize;
        self.file.extend_from_slice(&before.file[ids.clone()]);
        let top = before.top_offsets[files.start]..before.top_offsets[files.end];
        let top_shift = (self.top.len() as u32).wrapping_sub(top.start);
        let offsets = before.top_offsets[files].iter();
        self.top_offsets
            .extend(offsets.map(|first| first.wrapping_add(top_shift)));
        let top = before.top[top.start as usize..top.end as usize].iter();
        self.top.extend(top.map(|(name, id)| (*name, now(*id))));
        let nested = before.nested_offsets[ids.start]..before.nested_offsets[ids.end];
        let nested = before.nested[nested.start as usize..nested.end as usize].iter();
        self.nested
            .extend(nested.map(|(of, name, id)| (now(*of), *name, now(*id))));
    }

    /// Notes where the files end, and where the members of each definition begin.
    fn close(mut self) -> Self {
        self.offsets.push(self.file.len() as u32);
        self.top_offsets.push(self.top.len() as u32);
        self.nested_offsets = offsets(
            self.file.len(),
            self.nested.iter().map(|(container, ..)| container.index()),
        );
        self
    }

    fn of(docs: &Documents) -> Self {
        let symbols = docs.iter().map(|(_, doc)| doc.symbols.len()).sum();
        let mut index = Self {
            offsets: Vec::with_capacity(docs.len() + 1),
            file: Vec::with_capacity(symbols),
            top_offsets: Vec::with_capacity(docs.len() + 1),
            top: Vec::with_capacity(symbols / 4),
            nested: Vec::with_capacity(symbols),
            nested_offsets: Vec::new(),
            named: ByName::default(),
            named_top: ByName::default(),
        };
        let mut named: Vec<(Name, SymbolId)> = Vec::with_capacity(symbols);
        for file in (0..docs.len() as u32).map(FileId) {
            index.offsets.push(index.file.len() as u32);
            index.top_offsets.push(index.top.len() as u32);
            if let Some(doc) = docs.get(file) {
                index.add(file, doc.lang, &doc.symbols, &mut named);
            }
        }
        index.named = ByName::of(&named);
        index.named_top = ByName::of(&index.top);
        index.close()
    }

    fn add(
        &mut self,
        file: FileId,
        lang: Grammar,
        symbols: &[DocSymbol],
        named: &mut Vec<(Name, SymbolId)>,
    ) {
        let base = self.file.len() as u32;
        let (top, nested) = (self.top.len(), self.nested.len());
        for (symbol, i) in symbols.iter().zip(0..) {
            let id = SymbolId(base + i);
            self.file.push(file);
            if !semantics::is_referable(symbol.kind) {
                continue;
            }
            named.push((symbol.name, id));
            if is_top(lang, symbols, symbol) {
                self.top.push((symbol.name, id));
            }
            if let Some(container) = symbol.container {
                self.nested
                    .push((SymbolId(base + container), symbol.name, id));
            }
        }
        self.top[top..].sort_unstable();
        self.nested[nested..].sort_unstable();
        keep_first(&mut self.top, top, |(name, _)| *name);
        keep_first(&mut self.nested, nested, |(of, name, _)| (*of, *name));
    }
}

impl<'a> SymbolTable<'a> {
    /// Numbers the definitions of all documents.
    pub fn of(docs: &'a Documents) -> Self {
        Self::with(docs, Arc::new(Index::of(docs))).for_many()
    }

    /// The same where the index is that of documents that define the same.
    pub(super) fn with(docs: &'a Documents, index: Arc<Index>) -> Self {
        debug_assert!(*index == Index::of(docs), "the documents define the same");
        Self {
            docs,
            index,
            symbols: Vec::new(),
        }
    }

    /// The same for who asks for most definitions: each is a step or two nearer.
    pub(super) fn for_many(mut self) -> Self {
        let all = self.docs.iter().flat_map(|(_, doc)| &doc.symbols);
        self.symbols = Vec::with_capacity(self.len());
        self.symbols.extend(all);
        self
    }

    /// For the table of the next tree.
    pub(super) fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// Number of definitions.
    pub fn len(&self) -> usize {
        self.index.file.len()
    }

    /// Whether there are no definitions.
    pub fn is_empty(&self) -> bool {
        self.index.file.is_empty()
    }

    /// Number of each file's first definition, and the count.
    pub(crate) fn offsets(&self) -> &[u32] {
        &self.index.offsets
    }

    /// Every symbol in a container, by container, then name.
    pub(crate) fn nested(&self) -> &[(SymbolId, Name, SymbolId)] {
        &self.index.nested
    }

    /// The number of a file's symbol.
    pub fn id(&self, file: FileId, index: u32) -> SymbolId {
        SymbolId(self.index.offsets[file.0 as usize] + index)
    }

    /// The file of a definition.
    pub fn file(&self, id: SymbolId) -> FileId {
        self.index.file[id.index()]
    }

    /// The position of a definition in its document.
    pub fn position(&self, id: SymbolId) -> u32 {
        id.0 - self.index.offsets[self.file(id).0 as usize]
    }

    /// What the document says of a definition.
    pub fn symbol(&self, id: SymbolId) -> &'a DocSymbol {
        if let Some(symbol) = self.symbols.get(id.index()) {
            return symbol;
        }
        let file = self.file(id);
        let first = self.index.offsets[file.0 as usize];
        let doc = self.docs.get(file).expect("who defines has a document");
        &doc.symbols[(id.0 - first) as usize]
    }

    /// The language of a definition's file.
    pub fn lang(&self, id: SymbolId) -> Grammar {
        self.docs
            .get(self.file(id))
            .map_or(Grammar::Text, |doc| doc.lang)
    }

    /// The family of the language of a definition's file.
    pub fn family(&self, id: SymbolId) -> Grammar {
        lang::of(self.lang(id)).family
    }

    /// The symbol a definition is nested in.
    pub fn container(&self, id: SymbolId) -> Option<SymbolId> {
        let container = self.symbol(id).container?;
        Some(self.id(self.file(id), container))
    }

    /// Top-level definitions of a name in a file.
    pub fn top(&self, file: FileId, name: Name) -> impl Iterator<Item = SymbolId> + '_ {
        let i = file.0 as usize;
        let range = match (
            self.index.top_offsets.get(i),
            self.index.top_offsets.get(i + 1),
        ) {
            (Some(start), Some(end)) => &self.index.top[*start as usize..*end as usize],
            _ => &[],
        };
        let first = range.partition_point(|(found, _)| *found < name);
        range[first..]
            .iter()
            .take_while(move |(found, _)| *found == name)
            .map(|(_, id)| *id)
    }

    /// Definitions of a name directly inside a symbol.
    pub fn inside(&self, container: SymbolId, name: Name) -> impl Iterator<Item = SymbolId> + '_ {
        let of_container = &self.index.nested[range(&self.index.nested_offsets, container.index())];
        let first = of_container.partition_point(|(_, n, _)| *n < name);
        of_container[first..]
            .iter()
            .take_while(move |(_, n, _)| *n == name)
            .map(|(.., id)| *id)
    }

    /// Every definition of a name.
    pub fn named(&self, name: Name) -> impl Iterator<Item = SymbolId> + '_ {
        self.index.named.get(name).iter().map(|id| SymbolId(*id))
    }

    /// The definitions of a name at the top level of all files.
    pub fn named_top(&self, name: Name) -> impl Iterator<Item = SymbolId> + '_ {
        self.index
            .named_top
            .get(name)
            .iter()
            .map(|id| SymbolId(*id))
    }

    /// The same in some files, which are sorted. Takes the time of the shorter of both lists: a package has few files
    /// and a name may stand in all of a repository, or the other way round.
    pub fn named_top_in<'t>(
        &'t self,
        name: Name,
        files: &'t [FileId],
    ) -> impl Iterator<Item = SymbolId> + 't {
        in_files(self.index.named_top.get(name), files, |id| self.file(id))
    }

    /// Every definition.
    pub fn ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.index.file.len() as u32).map(SymbolId)
    }
}

/// Those of some definitions that are in some files. Both are in order, and each is passed over in leaps.
fn in_files<'t>(
    mut ids: &'t [u32],
    mut files: &'t [FileId],
    file_of: impl Fn(SymbolId) -> FileId + 't,
) -> impl Iterator<Item = SymbolId> + 't {
    std::iter::from_fn(move || {
        loop {
            let (id, rest) = ids.split_first()?;
            let file = file_of(SymbolId(*id));
            files = &files[files.partition_point(|other| *other < file)..];
            let next = *files.first()?;
            if next == file {
                ids = rest;
                return Some(SymbolId(*id));
            }
            ids = &ids[ids.partition_point(|id| file_of(SymbolId(*id)) < next)..];
        }
    })
}

/// Keeps of sorted entries, from one of them on, the first [`MAX_NAMESAKES`] of each key. What is before is not
/// looked at: this is called for every file.
pub(super) fn keep_first<T: Copy, K: PartialEq>(
    all: &mut Vec<T>,
    from: usize,
    key: impl Fn(&T) -> K,
) {
    let (mut last, mut seen, mut kept) = (None, 0, from);
    for at in from..all.len() {
        let entry = all[at];
        let of = Some(key(&entry));
        seen = if of == last { seen + 1 } else { 1 };
        last = of;
        if seen <= MAX_NAMESAKES {
            all[kept] = entry;
            kept += 1;
        }
    }
    all.truncate(kept);
}

/// Where the entries of each of so many keys begin when they lie in order, and one more.
pub(super) fn offsets(keys: usize, entries: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut offsets = vec![0_u32; keys + 1];
    for key in entries {
        offsets[key + 1] += 1;
    }
    for at in 1..offsets.len() {
        offsets[at] += offsets[at - 1];
    }
    offsets
}

/// The entries of a key; none for a key past the end.
pub(super) fn range(offsets: &[u32], key: usize) -> std::ops::Range<usize> {
    match (offsets.get(key), offsets.get(key + 1)) {
        (Some(start), Some(end)) => *start as usize..*end as usize,
        _ => 0..0,
    }
}

/// Whether a symbol is found by its bare name at the top level of its file.
fn is_top(lang: Grammar, symbols: &[DocSymbol], symbol: &DocSymbol) -> bool {
    let naming = &lang::of(lang).naming;
    if symbol.receiver.is_some() && naming.extensions != Extensions::Named {
        return false;
    }
    let mut at = symbol.container;
    let mut first = true;
    while let Some(container) = at.and_then(|i| symbols.get(i as usize)) {
        let open = match container.kind {
            SymbolKind::Module => naming.open_namespaces,
            // As in C.
            SymbolKind::Enum => first && naming.open_enums,
            _ => false,
        };
        if !open {
            return false;
        }
        first = false;
        at = container.container;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn leaps_miss_nothing(
            of in prop::collection::vec(0u32..40, 0..60),
            files in prop::collection::btree_set(0u32..40, 0..40),
        ) {
            let mut of = of;
            of.sort_unstable();
            let ids: Vec<u32> = (0..of.len() as u32).collect();
            let files: BTreeSet<FileId> = files.into_iter().map(FileId).collect();
            let file_of = |id: SymbolId| FileId(of[id.0 as usize]);
            let list: Vec<FileId> = files.iter().copied().collect();
            let found: Vec<SymbolId> = in_files(&ids, &list, file_of).collect();
            let want: Vec<SymbolId> = ids
                .iter()
                .map(|id| SymbolId(*id))
                .filter(|id| files.contains(&file_of(*id)))
                .collect();
            prop_assert_eq!(found, want);
        }
    }
}
