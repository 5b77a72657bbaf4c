//! What compilers say of the uses of a view, joined with what they say is defined there.
//!
//! Facts are about contents ([`crate::store::facts`]): a use names a symbol, and so does a definition, each by
//! the symbol's own text. Here they meet. A use that names a symbol which some file of the view defines means
//! that definition, whatever resolution would have guessed. Everything else is told apart by what is certain:
//!
//! - *Defined nowhere, in a package that the view has files of*: the file that defined it has changed, and nobody
//!   has asked a compiler since. What resolution finds stands.
//! - *Defined nowhere, in another package*: something outside. Guesses that lead to files whose definitions a
//!   compiler has listed are wrong; what an import or a scope leads to stands, for the package may be one of the
//!   repository that no compiler was asked about.
//! - *Defined in a file, at no definition of its document*: a parameter, a key of an object. What is found in
//!   that file stands, the rest does not. So it is where only a number told several definitions apart.
//!
//! A compiler has looked at more than the file that it speaks of. Where a file names a symbol that has changed
//! since, what it says of others was true of an earlier state: it counts where resolution finds nothing sure, and is
//! less sure itself ([`Rule::Earlier`]).

use super::documents::{DocOccurrence, Document, Documents};
use super::names::{Name, Names};
use super::resolve::{Meaning, Resolver};
use super::rule::{Certainty, Rule};
use super::semantics;
use super::table::{SymbolId, SymbolTable};
use crate::extract::record::OccurrenceKind;
use crate::store::facts::{BlobFacts, CompilerFacts, Symbol};
use crate::view::live::{FileId, View};
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

#[cfg(test)]
mod tests;

/// What compilers say of a view.
#[derive(Debug, Default)]
pub struct Compiled {
    /// By file; empty when there are no facts at all.
    files: Vec<OfFile>,
    symbols: Vec<Meant>,
}

/// What they say of one file.
#[derive(Clone, Debug, Default)]
struct OfFile {
    /// Occurrences with the symbols that they name, in order.
    uses: Vec<(u32, u32)>,
    /// Whether its definitions were listed.
    defines: bool,
    /// Whether it names a symbol of the view's own packages that no file defines any more.
    is_of_earlier: bool,
}

/// What a symbol means in the view.
#[derive(Clone, Debug, Default)]
struct Meant {
    /// The definitions of documents that stand where it is defined.
    definitions: Vec<SymbolId>,
    /// The files that define it.
    files: Vec<FileId>,
    /// Whether files of the view define other symbols of its package.
    is_own: bool,
    /// Whether one of several definitions is meant, and not all of them.
    is_one_of: bool,
}

impl Compiled {
    /// Joins the facts of a view's contents.
    pub(super) fn of(
        view: &View,
        facts: &CompilerFacts,
        names: &Names,
        docs: &Documents,
        table: &SymbolTable<'_>,
    ) -> Self {
        if facts.is_empty() {
            return Self::default();
        }
        let mut join = Join {
            numbers: FxHashMap::default(),
            symbols: Vec::new(),
            found: Self {
                files: vec![OfFile::default(); docs.len()],
                symbols: Vec::new(),
            },
        };
        for (_, of_blob) in facts.iter() {
            join.number(of_blob);
        }
        let known = docs.iter().filter_map(|(file, doc)| {
            let facts = facts.get(view.file(file).blob)?;
            Some((file, doc, facts))
        });
        let known: Vec<_> = known.collect();
        for (file, doc, facts) in &known {
            join.define((view, table, names), *file, doc, facts);
        }
        join.close();
        for (file, doc, facts) in &known {
            join.use_in(names, *file, doc, facts);
        }
        join.found
    }

    /// Whether the definitions of a file were listed.
    pub(super) fn defines(&self, file: FileId) -> bool {
        let of = self.files.get(file.0 as usize);
        of.is_some_and(|of| of.defines)
    }

    /// What is said of each file, as a hash: that of no facts is 0. `identity` says which definition each is.
    pub(super) fn hashes(&self, view: &View, identity: &[u64]) -> Vec<u64> {
        let mut key: Vec<u8> = Vec::new();
        let symbols: Vec<u64> = self
            .symbols
            .iter()
            .map(|meant| {
                key.clear();
                key.push(u8::from(meant.is_own) << 1 | u8::from(meant.is_one_of));
                for file in &meant.files {
                    key.extend_from_slice(&file.0.to_le_bytes());
                    // Whether two files are copies of one another counts.
                    key.extend_from_slice(view.file(*file).blob.as_bytes());
                }
                for id in &meant.definitions {
                    let identity = identity.get(id.index()).copied().unwrap_or_default();
                    key.extend_from_slice(&identity.to_le_bytes());
                }
                xxh3_64(&key)
            })
            .collect();
        let hash = |of: &OfFile| {
            if of.uses.is_empty() {
                return 0;
            }
            key.clear();
            key.push(u8::from(of.is_of_earlier));
            for (at, symbol) in &of.uses {
                key.extend_from_slice(&at.to_le_bytes());
                let meant = symbols.get(*symbol as usize).copied().unwrap_or_default();
                key.extend_from_slice(&meant.to_le_bytes());
            }
            xxh3_64(&key)
        };
        match self.files.is_empty() {
            true => vec![0; view.files().len()],
            false => self.files.iter().map(hash).collect(),
        }
    }

    /// What an occurrence of a file names, as far as it was said.
    fn named(&self, file: FileId, at: u32) -> impl Iterator<Item = &Meant> {
        let uses = self.files.get(file.0 as usize);
        let uses = uses.map_or(&[][..], |of| &of.uses);
        let first = uses.partition_point(|(occurrence, _)| *occurrence < at);
        let here = uses[first..].iter();
        here.take_while(move |(occurrence, _)| *occurrence == at)
            .filter_map(|(_, symbol)| self.symbols.get(*symbol as usize))
    }
}

/// Facts while they are joined.
struct Join<'a> {
    /// The number of each symbol.
    numbers: FxHashMap<&'a Symbol, u32>,
    symbols: Vec<&'a Symbol>,
    found: Compiled,
}

impl<'a> Join<'a> {
    fn number(&mut self, facts: &'a BlobFacts) {
        for symbol in facts.symbols() {
            let next = self.symbols.len() as u32;
            if *self.numbers.entry(symbol).or_insert(next) == next {
                self.symbols.push(symbol);
                self.found.symbols.push(Meant::default());
            }
        }
    }

    /// The number of a symbol of some facts.
    fn of(&self, facts: &BlobFacts, symbol: u32) -> Option<usize> {
        let symbol = facts.symbols().get(symbol as usize)?;
        Some(*self.numbers.get(symbol)? as usize)
    }

    /// Notes what a file defines.
    fn define(
        &mut self,
        (view, table, names): (&View, &SymbolTable<'_>, &Names),
        file: FileId,
        doc: &Document,
        facts: &BlobFacts,
    ) {
        let of = view.file(file);
        let Some(live) = of.doc else {
            return;
        };
        let mut places: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        let symbols = view.segment(live.segment).segment.symbols(live.doc);
        for (symbol, i) in symbols.zip(0..) {
            let place = (symbol.name_line, symbol.name_col);
            places.entry(place).or_default().push(i);
        }
        for fact in facts.definitions() {
            let Some(number) = self.of(facts, fact.symbol) else {
                continue;
            };
            let symbol = self.symbols[number];
            let meant = &mut self.found.symbols[number];
            if meant.files.last() != Some(&file) {
                meant.files.push(file);
            }
            let here = places.get(&(fact.line, fact.col));
            for i in here.into_iter().flatten() {
                let Some(defined) = doc.symbols.get(*i as usize) else {
                    continue;
                };
                let is_it = names.bytes(defined.name) == symbol.name().as_bytes();
                if is_it && semantics::is_referable(defined.kind) {
                    meant.definitions.push(table.id(file, *i));
                }
            }
            self.found.files[file.0 as usize].defines = true;
        }
    }

    /// Notes which packages the view has files of.
    fn close(&mut self) {
        let all = self.symbols.iter().zip(&self.found.symbols);
        let own = all.filter(|(_, meant)| !meant.files.is_empty());
        let own: FxHashSet<&str> = own.map(|(symbol, _)| symbol.package()).collect();
        for (symbol, meant) in self.symbols.iter().zip(&mut self.found.symbols) {
            meant.is_own = own.contains(symbol.package());
            meant.definitions.sort_unstable();
            meant.definitions.dedup();
            meant.is_one_of = symbol.was_numbered() && meant.definitions.len() > 1;
        }
    }

    /// Notes which occurrences of a file name what.
    fn use_in(&mut self, names: &Names, file: FileId, doc: &Document, facts: &BlobFacts) {
        let known: Vec<Option<Name>> = facts
            .symbols()
            .iter()
            .map(|symbol| names.find(symbol.name().as_bytes()))
            .collect();
        let mut uses: Vec<(u32, u32)> = Vec::new();
        let mut is_of_earlier = false;
        for fact in facts.uses() {
            let Some(number) = self.of(facts, fact.symbol) else {
                continue;
            };
            let meant = &self.found.symbols[number];
            is_of_earlier |= meant.is_own && meant.files.is_empty();
            let name = known.get(fact.symbol as usize).copied().flatten();
            let place = |o: &DocOccurrence| (o.line, o.col);
            let first = doc
                .occurrences()
                .partition_point(|o| place(o) < (fact.line, fact.col));
            let here = doc.occurrences()[first..].iter().zip(first..);
            let here = here.take_while(|(o, _)| place(o) == (fact.line, fact.col));
            let named =
                here.filter(|(o, _)| Some(o.name) == name && o.kind != OccurrenceKind::Mention);
            uses.extend(named.map(|(_, at)| (at as u32, number as u32)));
        }
        uses.sort_unstable();
        uses.dedup();
        let of = &mut self.found.files[file.0 as usize];
        of.uses = uses;
        of.is_of_earlier = is_of_earlier;
    }
}

impl Resolver<'_> {
    /// What an occurrence means, given what resolution found: what a compiler says of it, if one was asked.
    pub(super) fn told(&self, file: FileId, at: u32, ours: Meaning) -> Meaning {
        let mut named = self.compiled.named(file, at).peekable();
        if named.peek().is_none() {
            return ours;
        }
        let mut meant: Vec<SymbolId> = Vec::new();
        let mut defining: Vec<FileId> = Vec::new();
        let (mut is_own, mut is_one_of) = (false, false);
        for symbol in named {
            // What a file defines itself is what it means, whatever copies of it there are.
            let inside = |id: &&SymbolId| self.table.file(**id) == file;
            let before = meant.len();
            meant.extend(symbol.definitions.iter().filter(inside));
            if meant.len() == before {
                meant.extend(&symbol.definitions);
            }
            defining.extend(&symbol.files);
            is_own |= symbol.is_own;
            is_one_of |= symbol.is_one_of;
        }
        meant.sort_unstable();
        meant.dedup();
        match (meant.is_empty(), defining.is_empty()) {
            (false, _) if is_one_of => self.only(ours, &|found| defining.contains(&found), true),
            (false, _) => self.meant(file, meant, ours),
            (true, false) => self.only(ours, &|found| defining.contains(&found), true),
            (true, true) if is_own => ours,
            // Something outside.
            (true, true) => self.only(ours, &|found| !self.compiled.defines(found), false),
        }
    }

    /// The definitions that a compiler says are meant. Where they stand in copies of one file, resolution says
    /// in which.
    fn meant(&self, file: FileId, meant: Vec<SymbolId>, ours: Meaning) -> Meaning {
        let sure = match &ours {
            Meaning::Symbols(found, rule) if rule.certainty() == Certainty::Resolved => &found[..],
            _ => &[],
        };
        let of = self.compiled.files.get(file.0 as usize);
        let rule = match of.is_some_and(|of| of.is_of_earlier) {
            // What the language's rules lead to is true of the present state.
            true if !sure.is_empty() => return ours,
            true => Rule::Earlier,
            false => Rule::Compiler,
        };
        let mut files: Vec<FileId> = meant.iter().map(|id| self.table.file(*id)).collect();
        files.dedup();
        let mut blobs: Vec<_> = files
            .iter()
            .map(|file| self.view.file(*file).blob)
            .collect();
        blobs.sort_unstable();
        let are_copies = blobs.windows(2).any(|two| two[0] == two[1]);
        if !are_copies {
            return Meaning::Symbols(meant, rule);
        }
        let both = meant.iter().filter(|id| sure.contains(id));
        let both: Vec<SymbolId> = both.copied().collect();
        match both.is_empty() {
            true => Meaning::Symbols(meant, Rule::Ambiguous),
            false => Meaning::Symbols(both, rule),
        }
    }

    /// What resolution found, as far as it lies in files that can hold what is meant. What is sure stays when not
    /// even that is to be doubted.
    fn only(&self, ours: Meaning, may_be_in: &dyn Fn(FileId) -> bool, doubts_all: bool) -> Meaning {
        let fits = |id: &SymbolId| may_be_in(self.table.file(*id));
        let (found, rule): (Vec<SymbolId>, Rule) = match ours {
            Meaning::Symbols(_, rule) if rule.certainty() == Certainty::Resolved && !doubts_all => {
                return ours;
            }
            Meaning::Symbols(found, rule) => (found.into_iter().filter(fits).collect(), rule),
            Meaning::Candidates(found, rule) => {
                (found.iter().copied().filter(fits).collect(), rule)
            }
            other => return other,
        };
        match (&found[..], rule) {
            ([], _) => Meaning::External,
            // The compiler has named the file, and there is one in it.
            ([_], Rule::Ambiguous) if doubts_all => Meaning::Symbols(found, Rule::Unique),
            _ => Meaning::Symbols(found, rule),
        }
    }
}
