//! Code that has the name of a definition which nothing reaches, and was taken to mean something else.
//!
//! What is called dead and is not was mostly called where its name stands for all to see: an overload was chosen that is
//! not the one, a value taken apart gave a local of the name, a type was taken for its namesake. Where the name stands in no
//! code but its own, and in what is dead with it, nothing of that can be.
//!
//! Measured: of 1,075 definitions that audits of four samples of repositories called unreached, 419 of the 456 whose names
//! stood nowhere else were dead, and 349 of the other 619 (`benchmark/oracle/README.md`).
//!
//! Guarantee: postings of names are read and no text. Deliberately absent: strings, prose and data, which
//! [`super::unexplained`] looks at, and whether the code that has the name is alive.

use super::exposure::language;
use crate::extract::record::Grammar;
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::id::{DocAddress, DocId, NameId, SegmentOrd};
use crate::lang;
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::RangeInclusive;

/// A definition that is asked about: itself, its name, and its own lines.
pub type Asked<'a> = (SymbolId, &'a [u8], (FileId, RangeInclusive<u32>));

/// The first line of code that has the name of a definition and does not lead to it, but for the definition's own lines:
/// of product code where there is some, and in order of paths.
pub fn first(view: &View, graph: &Graph, asked: Asked<'_>) -> Option<(FileId, u32)> {
    all(view, graph, &[asked]).into_values().next()
}

/// The same of some definitions, by each that there is such a line of. A document is read once for all names in it.
pub fn all(view: &View, graph: &Graph, asked: &[Asked<'_>]) -> FxHashMap<SymbolId, (FileId, u32)> {
    let mut sought: Vec<Sought<'_>> = asked.iter().map(|of| Sought::of(view, graph, of)).collect();
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        let mut by_doc: FxHashMap<DocId, Vec<(NameId, usize)>> = FxHashMap::default();
        for (at, (_, name, _)) in asked.iter().enumerate() {
            if let Some(name) = live.segment.name_id(name) {
                for (doc, _) in live.segment.occurring_docs(name) {
                    by_doc.entry(doc).or_default().push((name, at));
                }
            }
        }
        let mut docs: Vec<_> = by_doc.into_iter().collect();
        docs.sort_unstable_by_key(|(doc, _)| *doc);
        for (doc, mut names) in docs {
            let lang = live.segment.doc(doc).lang;
            let at = DocAddress { segment: ord, doc };
            let held = live.files_of(doc).filter(|file| {
                let file = view.file(*file);
                file.doc == Some(at) && file.role != FileRole::Documentation
            });
            let held: Vec<FileId> = held.collect();
            names.retain(|(_, of)| held.iter().any(|file| sought[*of].wants(view, lang, *file)));
            let places = places(&live.segment, doc, &names);
            for (name, of) in names {
                let here = places.get(&name).map_or(&[][..], Vec::as_slice);
                for file in &held {
                    if sought[of].wants(view, lang, *file) {
                        sought[of].look(view, *file, here);
                    }
                }
            }
        }
    }
    let found = sought.into_iter().zip(asked).filter_map(|(one, of)| {
        let ((_, file), line) = one.found?;
        Some((of.0, (file, line)))
    });
    found.collect()
}

/// Where some names occur in a document, as lines and columns, in source order.
fn places(
    segment: &Segment,
    doc: DocId,
    names: &[(NameId, usize)],
) -> FxHashMap<NameId, Vec<(u32, u32)>> {
    let mut places: FxHashMap<NameId, Vec<(u32, u32)>> = FxHashMap::default();
    match names {
        [] => {}
        [(name, _)] => {
            let all = segment.occurrences_of(doc, *name);
            places.insert(*name, all.map(|here| (here.line, here.col)).collect());
        }
        _ => {
            places.extend(names.iter().map(|(name, _)| (*name, Vec::new())));
            for here in segment.occurrences(doc) {
                if let Some(places) = places.get_mut(&here.name) {
                    places.push((here.line, here.col));
                }
            }
        }
    }
    places
}

/// What is looked for of one definition, and what was found.
struct Sought<'a> {
    family: Grammar,
    own: &'a (FileId, RangeInclusive<u32>),
    /// Places that lead to it.
    leading: FxHashSet<(FileId, u32, u32)>,
    found: Option<((bool, FileId), u32)>,
}

impl<'a> Sought<'a> {
    fn of(view: &View, graph: &Graph, (id, _, own): &'a Asked<'_>) -> Self {
        let mut reader = graph.reader();
        let incoming = graph.incoming(*id).into_iter().map(|edge| {
            let edge = reader.edge(edge);
            (edge.file, edge.line, edge.col)
        });
        Self {
            family: language(view, own.0).family,
            own,
            leading: incoming.collect(),
            found: None,
        }
    }

    /// Whether a file may have it, and comes before where it was found.
    fn wants(&self, view: &View, lang: Grammar, file: FileId) -> bool {
        let of = lang::of(lang);
        let is_code = !of.genre.is_data()
            && (of.family == self.family || of.liveness.called_family == Some(self.family));
        is_code && self.found.is_none_or(|(known, _)| rank(view, file) < known)
    }

    fn look(&mut self, view: &View, file: FileId, places: &[(u32, u32)]) {
        let mut places = places.iter();
        let other = places.find(|(line, col)| {
            let is_own = file == self.own.0 && self.own.1.contains(line);
            !is_own && !self.leading.contains(&(file, *line, *col))
        });
        if let Some((line, _)) = other {
            self.found = Some((rank(view, file), *line));
        }
    }
}

fn rank(view: &View, file: FileId) -> (bool, FileId) {
    (view.file(file).role != FileRole::Product, file)
}
