//! Whether what a change adds exists elsewhere already: definitions of the new state that are the same as an added
//! one, or nearly so.
//!
//! The repository is not read for it. The index says which documents define the name, in any spelling, and which
//! use the identifiers that few others use; only definitions there that are about as long and use much the same
//! identifiers are read, and compared by their tokens ([`super::similarity`]). A copy that shares neither name
//! nor any rare identifier is not found. Tests are left out, and members that override one member are not told for
//! being alike: they are so by nature.

use super::answer::{DiffAnswer, NearCopy, SymbolFate};
use super::changes::Change;
use super::similarity::{Class, Runs};
use super::units::{Side, Unit, UnitId};
use super::{Comparison, matching};
use crate::extract::record::{Symbol, SymbolFlags};
use crate::extract::terms;
use crate::graph::table::SymbolId;
use crate::id::{DocAddress, DocId, NameId, SegmentOrd};
use crate::query::verified;
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use crate::view::written::Written;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Definitions of fewer tokens are the same by chance, and of fewer than the second number alike: functions that
/// hand on what they were given.
const MIN_TOKENS: usize = 30;
const MIN_ALIKE_TOKENS: usize = 50;
/// Least similarity of what is much alike: the share of tokens that clone detectors ask for (SourcererCC, Sajnani
/// et al. 2016), of runs of three, which is more.
const MIN_ALIKE: f64 = 0.7;
/// Least share of identifiers that two definitions have in common before they are read.
const MIN_COMMON: f64 = 0.5;
/// How many times as long as the other one of them may be, in lines.
const MAX_LONGER: u32 = 2;
/// Added definitions that are looked for.
const MAX_ADDED: usize = 200;
/// Files in which one of them is looked for, and files that are read for all of them.
const MAX_FILES: usize = 20;
const MAX_READ: usize = 200;
/// An identifier in more documents than this says nothing of any of them.
const MAX_HOLDERS: usize = 40;
/// Copies told of one definition.
const MAX_TOLD: usize = 3;

/// One definition that is like an added one.
struct Alike {
    added: UnitId,
    of: SymbolId,
    likeness: f64,
    is_same: bool,
}

/// Adds to each added definition that an answer shows what is like it, or like a member of it.
pub(super) fn describe(found: &Comparison<'_>, texts: &mut Texts, answer: &mut DiffAnswer) {
    let shown = answer.symbols.iter().enumerate();
    let shown = shown.filter(|(_, symbol)| symbol.fate == SymbolFate::Added);
    let shown: FxHashMap<Written, usize> = shown
        .map(|(at, symbol)| (symbol.symbol.id.clone(), at))
        .collect();
    if shown.is_empty() {
        return;
    }
    let new = &found.new;
    for alike in find(found, texts) {
        let refer = |id, texts: &mut Texts| verified::reference(new.view, new.graph, texts, id);
        let mut around = new.around(alike.added).filter_map(|unit| {
            let told = refer(new.unit(unit).id, texts)?;
            Some((unit, *shown.get(&told.id)?))
        });
        let Some((row, at)) = around.next() else {
            continue;
        };
        let told = &mut answer.symbols[at].copies;
        let part = match row == alike.added {
            true => None,
            false => refer(new.unit(alike.added).id, texts).map(|part| part.qualified),
        };
        if let Some(of) = refer(alike.of, texts)
            && told.len() < MAX_TOLD
        {
            told.push(NearCopy {
                part,
                of,
                is_same: alike.is_same,
            });
        }
    }
}

/// The added definitions that exist elsewhere, each with what it is like, the most alike first. What lies in one
/// that is told is not told again.
fn find(found: &Comparison<'_>, texts: &mut Texts) -> Vec<Alike> {
    let (new, view) = (&found.new, found.new.view);
    let added = added(found);
    let mut known = Identifiers {
        view,
        of: FxHashMap::default(),
        users: FxHashMap::default(),
    };
    let mut candidates: Vec<(UnitId, Vec<SymbolId>)> = Vec::new();
    let mut files: BTreeSet<FileId> = BTreeSet::new();
    for unit in added {
        let wanted = Wanted::of(new, unit, &mut known);
        let near = wanted.map(|wanted| wanted.candidates(found, &mut known));
        let mut near = near.unwrap_or_default();
        near.retain(|id| {
            let file = new.graph.place(*id).0;
            let is_read = new.code(file).is_some() || files.contains(&file);
            is_read || files.len() < MAX_READ && files.insert(file)
        });
        candidates.push((unit, near));
    }
    // Nothing is fetched to say that something is there already.
    files.retain(|file| texts.if_here(view, *file).is_some());
    let read = Side::of(view, new.graph, texts, files.into_iter());
    let mut all: Vec<Alike> = Vec::new();
    let mut told: FxHashSet<UnitId> = FxHashSet::default();
    // Containers come before what they hold.
    for (unit, near) in candidates {
        if new.around(unit).any(|outer| told.contains(&outer)) {
            continue;
        }
        let own = Runs::of(&new.masked(unit));
        let mut alike: Vec<Alike> = near
            .iter()
            .filter_map(|id| compare(new, (unit, &own), &read, *id))
            .collect();
        alike.sort_by(|a, b| {
            let most = b.likeness.total_cmp(&a.likeness);
            most.then_with(|| new.graph.place(a.of).cmp(&new.graph.place(b.of)))
        });
        if !alike.is_empty() {
            told.insert(unit);
        }
        all.extend(alike);
    }
    all
}

/// The definitions that were added and are long enough, as they stand; members of those that were added too.
fn added(found: &Comparison<'_>) -> Vec<UnitId> {
    let new = &found.new;
    let is_added = |unit: &UnitId| found.matches.old_of(*unit).is_none();
    let is_test = |unit: UnitId| {
        let of = new.unit(unit);
        let symbol = new.symbol(unit);
        new.view.file(of.file).role == FileRole::Test
            || symbol.is_none_or(|symbol| symbol.flags.contains(SymbolFlags::TEST))
    };
    // Nothing is looked for where only names or places changed.
    if !(found.changes.iter()).any(|change| matches!(change, Change::Added(_))) {
        return Vec::new();
    }
    let mut units: Vec<UnitId> = new.ids().filter(is_added).collect();
    units.retain(|unit| {
        let of = new.unit(*unit);
        of.size >= MIN_TOKENS
            && matches!(Class::of(of.kind), Class::Callable | Class::Type)
            && !new.around(*unit).any(is_test)
    });
    units.sort_by(|a, b| matching::in_order(new, *a, *b));
    units.truncate(MAX_ADDED);
    units
}

/// Compares an added definition with a candidate.
fn compare(
    new: &Side<'_>,
    (added, runs): (UnitId, &Runs),
    read: &Side<'_>,
    id: SymbolId,
) -> Option<Alike> {
    let (side, unit) = match new.find(id) {
        Some(unit) => (new, unit),
        None => (read, read.find(id)?),
    };
    let is_same = side.unit(unit).digests.whole == new.unit(added).digests.whole;
    let may_be_alike =
        new.unit(added).size >= MIN_ALIKE_TOKENS && !are_siblings(new, new.unit(added).id, id);
    let likeness = match is_same {
        true => 1.0,
        false if may_be_alike => runs.dice(&Runs::of(&side.masked(unit))),
        false => 0.0,
    };
    (likeness >= MIN_ALIKE).then_some(Alike {
        added,
        of: id,
        likeness,
        is_same,
    })
}

/// Whether two members are alike for what they override, or one of them overrides the other.
fn are_siblings(new: &Side<'_>, one: SymbolId, other: SymbolId) -> bool {
    let bases = |id: SymbolId| new.graph.overridden(id).chain([id]);
    bases(one).any(|base| bases(other).any(|shared| shared == base))
}

/// What is known of an added definition from the index.
struct Wanted<'a> {
    view: &'a View,
    added: UnitId,
    unit: &'a Unit,
    lines: (u32, u32),
    /// The identifiers in it, its own name left out.
    names: BTreeSet<Vec<u8>>,
}

impl<'a> Wanted<'a> {
    fn of(new: &'a Side<'_>, added: UnitId, known: &mut Identifiers<'_>) -> Option<Self> {
        let (view, unit) = (new.view, new.unit(added));
        let doc = view.file(unit.file).doc?;
        let symbol = new.symbol(added)?;
        let lines = (symbol.start_line, symbol.end_line);
        let names = known.within(doc, &symbol).into_iter();
        let segment = known.segment(doc);
        let text = |name: NameId| {
            let mut text = Vec::new();
            segment.name(name, &mut text);
            text
        };
        Some(Self {
            view,
            added,
            unit,
            lines,
            names: names.map(text).collect(),
        })
    }

    /// Definitions elsewhere that are worth reading.
    fn candidates(&self, found: &Comparison<'_>, known: &mut Identifiers<'_>) -> Vec<SymbolId> {
        let mut near = Vec::new();
        for (file, address) in self.files(known) {
            let segment = known.segment(address);
            let names = self.names.iter();
            let names: FxHashSet<NameId> = names.filter_map(|name| segment.name_id(name)).collect();
            for (position, symbol) in segment.symbols(address.doc).enumerate() {
                let id = found.new.graph.symbol(file, position);
                let Some(id) = id.filter(|_| self.is_comparable(file, &symbol)) else {
                    continue;
                };
                // Of two that were added, the later one is the copy.
                let is_later = found.new.find(id).is_some_and(|other| {
                    found.matches.old_of(other).is_none()
                        && matching::in_order(&found.new, self.added, other).is_lt()
                });
                if !is_later && self.has_much_of(&known.within(address, &symbol), &names) {
                    near.push(id);
                }
            }
        }
        near
    }

    /// Whether a definition is of the same sort, about as long, and lies apart.
    fn is_comparable(&self, file: FileId, symbol: &Symbol<NameId>) -> bool {
        let (first, last) = self.lines;
        let length = |first: u32, last: u32| last.saturating_sub(first) + 1;
        let (own, other) = (
            length(first, last),
            length(symbol.start_line, symbol.end_line),
        );
        let apart = file != self.unit.file || symbol.end_line < first || last < symbol.start_line;
        apart
            && Class::of(symbol.kind) == Class::of(self.unit.kind)
            && own <= other.saturating_mul(MAX_LONGER)
            && other <= own.saturating_mul(MAX_LONGER)
    }

    /// Whether identifiers are much the same as ours, which the other's segment numbers so.
    fn has_much_of(&self, other: &FxHashSet<NameId>, ours: &FxHashSet<NameId>) -> bool {
        let common = other.intersection(ours).count();
        let all = self.names.len() + other.len();
        2.0 * common as f64 >= MIN_COMMON * all as f64
    }

    /// Files that define the name, or use identifiers that few use: those first that share the most.
    fn files(&self, known: &mut Identifiers<'_>) -> Vec<(FileId, DocAddress)> {
        let mut shared: FxHashMap<DocAddress, usize> = FxHashMap::default();
        let own = self.unit.name.rsplit(|b| *b == b'.').next();
        for spelling in spellings(own.unwrap_or_default()) {
            let named = holders(self.view, |segment| {
                let names: Vec<NameId> = segment.names_folded(&spelling).collect();
                let docs = names
                    .into_iter()
                    .flat_map(|name| segment.defining_docs(name));
                docs.take(MAX_HOLDERS + 1).collect()
            });
            for doc in named.into_iter().flatten() {
                *shared.entry(doc).or_default() += 1;
            }
        }
        for name in &self.names {
            for doc in known.users(name) {
                *shared.entry(*doc).or_default() += 1;
            }
        }
        let mut files: Vec<(usize, FileId, DocAddress)> = Vec::new();
        for (doc, shared) in shared {
            let live = self.view.segment(doc.segment);
            let of_doc = live.files_of(doc.doc).take(MAX_FILES);
            files.extend(of_doc.map(|file| (shared, file, doc)));
        }
        let is_ours = |role: FileRole| {
            !matches!(
                role,
                FileRole::Test | FileRole::Generated | FileRole::Vendored
            )
        };
        files.retain(|(_, file, _)| is_ours(self.view.file(*file).role));
        files.sort_by_key(|(shared, file, _)| (Reverse(*shared), *file));
        files.truncate(MAX_FILES);
        files
            .into_iter()
            .map(|(_, file, doc)| (file, doc))
            .collect()
    }
}

/// The live documents that something is in; `None` where they are too many to say anything. What is asked of each
/// segment is at most one more than that.
fn holders(view: &View, of: impl Fn(&Segment) -> Vec<DocId>) -> Option<Vec<DocAddress>> {
    let mut all = Vec::new();
    for (live, segment) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        let found = of(&live.segment);
        if found.len() > MAX_HOLDERS {
            return None;
        }
        let found = found.into_iter().filter(|doc| live.is_live(*doc));
        all.extend(found.map(|doc| DocAddress { segment, doc }));
        if all.len() > MAX_HOLDERS {
            return None;
        }
    }
    Some(all)
}

/// A name, folded, as it may be spelt: as it is, in one word, and in words joined by underscores.
fn spellings(name: &[u8]) -> BTreeSet<Vec<u8>> {
    let mut whole = Vec::new();
    terms::fold(name, &mut whole);
    let folded = |part: &[u8]| {
        let mut folded = Vec::new();
        terms::fold(part, &mut folded);
        folded
    };
    let parts: Vec<Vec<u8>> = terms::parts(name).map(folded).collect();
    BTreeSet::from([whole, parts.concat(), parts.join(&b'_')])
}

/// The identifiers of documents, each decoded once.
struct Identifiers<'a> {
    view: &'a View,
    /// With their lines, in source order.
    of: FxHashMap<DocAddress, Vec<(u32, NameId)>>,
    /// The documents that use an identifier; none where they are too many. What is added together uses much the same.
    users: FxHashMap<Vec<u8>, Vec<DocAddress>>,
}

impl<'a> Identifiers<'a> {
    fn segment(&self, doc: DocAddress) -> &'a Segment {
        &self.view.segment(doc.segment).segment
    }

    /// The documents that use an identifier, where they are few enough to say anything.
    fn users(&mut self, name: &[u8]) -> &[DocAddress] {
        if !self.users.contains_key(name) {
            let used = holders(self.view, |segment| {
                let docs = segment.name_id(name).into_iter();
                let docs = docs.flat_map(|name| segment.occurring_docs(name));
                docs.map(|(doc, _)| doc).take(MAX_HOLDERS + 1).collect()
            });
            self.users.insert(name.to_vec(), used.unwrap_or_default());
        }
        self.users.get(name).map_or(&[], Vec::as_slice)
    }

    /// Those on the lines of a definition, its own name left out.
    fn within(&mut self, doc: DocAddress, symbol: &Symbol<NameId>) -> FxHashSet<NameId> {
        let segment = self.segment(doc);
        let all = self.of.entry(doc).or_insert_with(|| {
            let all = segment.occurrences(doc.doc);
            all.map(|found| (found.line, found.name)).collect()
        });
        let first = all.partition_point(|(line, _)| *line < symbol.start_line);
        let inside = all[first..].iter();
        inside
            .take_while(|(line, _)| *line <= symbol.end_line)
            .map(|(_, name)| *name)
            .filter(|name| *name != symbol.name)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_for_however_it_is_spelt() {
        let all = |name: &str| -> Vec<String> {
            let all = spellings(name.as_bytes()).into_iter();
            all.map(|spelt| String::from_utf8(spelt).unwrap()).collect()
        };
        assert_eq!(all("parseJson"), ["parse_json", "parsejson"]);
        assert_eq!(all("parse_json"), ["parse_json", "parsejson"]);
        assert_eq!(all("run"), ["run"]);
    }
}
