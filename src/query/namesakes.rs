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
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::id::{DocAddress, SegmentOrd};
use crate::lang;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;

/// The first line of code that has the name of a definition and does not lead to it, but for the definition's own lines:
/// of product code where there is some, and in order of paths.
pub fn first(
    view: &View,
    graph: &Graph,
    (id, name): (SymbolId, &[u8]),
    own: &(FileId, RangeInclusive<u32>),
) -> Option<(FileId, u32)> {
    let family = language(view, own.0).family;
    let mut reader = graph.reader();
    let incoming = graph.incoming(id).into_iter().map(|edge| {
        let edge = reader.edge(edge);
        (edge.file, edge.line, edge.col)
    });
    let leading: FxHashSet<(FileId, u32, u32)> = incoming.collect();
    let mut found: Option<((bool, FileId), u32)> = None;
    for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
        let Some(name) = live.segment.name_id(name) else {
            continue;
        };
        for (doc, _) in live.segment.occurring_docs(name) {
            let of = lang::of(live.segment.doc(doc).lang);
            if of.genre.is_data()
                || of.family != family && of.liveness.called_family != Some(family)
            {
                continue;
            }
            let at = DocAddress { segment: ord, doc };
            let held = live.files_of(doc).filter(|file| {
                let file = view.file(*file);
                file.doc == Some(at) && file.role != FileRole::Documentation
            });
            for file in held {
                let rank = (view.file(file).role != FileRole::Product, file);
                if found.is_some_and(|(known, _)| known <= rank) {
                    continue;
                }
                let mut all = live.segment.occurrences_of(doc, name);
                let other = all.find(|here| {
                    let is_own = file == own.0 && own.1.contains(&here.line);
                    !is_own && !leading.contains(&(file, here.line, here.col))
                });
                found = other.map(|here| (rank, here.line)).or(found);
            }
        }
    }
    found.map(|((_, file), line)| (file, line))
}
