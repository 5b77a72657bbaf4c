//! All names that symbols of a view's segments have, whatever the number of segments: one sorted table of them is
//! walked by an automaton ([`automata`]) that says what is looked for.
//!
//! A view has up to three tables. The *base* is of the segments of an index; it is kept by the ids of these, read in
//! place, and used for as many of them as the view still has. What came since is the *rest*, made in a few
//! milliseconds and kept in memory; when it has grown to a part of the base, a new base is made. Documents of
//! uncommitted files have a table of their own.
//!
//! Guarantees: what is found is what the segments say, as if each had been asked. Names that only dead documents define
//! are in the tables too: whoever asks looks at what is live. Never read from a ref, and never needed: without a
//! place to keep them tables are made again.

pub mod automata;
pub mod humps;
mod table;

use super::live::LiveSegment;
use crate::cache::Kept;
use crate::id::{NameId, SegmentId, SegmentOrd};
use fst::Automaton;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use table::Table;
use xxhash_rust::xxh3::xxh3_128;

/// Folder of the bases that are kept.
const FOLDER: &str = "names";
/// Bases that are kept: that of now, and that of before for who still runs.
const MAX_KEPT: usize = 2;
/// The base is made anew when the rest has more names than one in so many of it.
const SHARE: usize = 8;
/// A rest of fewer names is made anew each time: a millisecond.
const SMALL: usize = 1024;

/// Tables that the views of one repository share.
#[derive(Default)]
pub struct AllNames {
    kept: Option<Kept>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    base: Option<Arc<Table>>,
    /// Whether what is kept has been looked at.
    is_read: bool,
    rest: Option<(Vec<SegmentId>, Arc<Table>)>,
}

impl AllNames {
    /// Tables that are kept in this folder. Nothing is read yet.
    pub fn new(kept: &Kept) -> Self {
        Self {
            kept: Some(kept.clone()),
            known: Mutex::default(),
        }
    }

    /// Removes what is kept: a name in it must be nowhere.
    pub fn clear(kept: &Kept) -> u64 {
        kept.retain(FOLDER, |_| false)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // What it holds is whole after every statement.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names of some segments of a view.
    pub(super) fn of(&self, segments: &[LiveSegment]) -> Names {
        let mut known = self.known();
        if !known.is_read {
            known.is_read = true;
            known.base = self.read();
        }
        let ords = || segments.iter().zip((0..).map(SegmentOrd));
        let named = ords().filter_map(|(live, ord)| Some((live.segment.name?, ord)));
        let named: FxHashMap<SegmentId, SegmentOrd> = named.collect();
        let lacks = |base: &Table| {
            let mut lacks = named.clone();
            base.segments().iter().for_each(|id| _ = lacks.remove(id));
            lacks
        };
        let mut left = known
            .base
            .as_ref()
            .map_or_else(|| named.clone(), |base| lacks(base));
        let size = |left: &FxHashMap<SegmentId, SegmentOrd>| -> usize {
            let segments = left.values().map(|ord| &segments[ord.index()].segment);
            segments.map(|segment| segment.defined_name_count()).sum()
        };
        let in_base = known.base.as_ref().map_or(0, |base| base.len());
        if size(&left) > SMALL.max(in_base / SHARE) {
            let all = sorted(&named)
                .into_iter()
                .map(|(_, ord)| segments[ord.index()].segment.clone());
            let base = Arc::new(Table::made(&all.collect::<Vec<_>>()));
            self.keep(&base);
            known.base = Some(base);
            left.clear();
        }
        let mut parts = Vec::new();
        if let Some(base) = &known.base {
            let ords = base.segments().iter().map(|id| named.get(id).copied());
            parts.push(Part::new(base, ords.collect()));
        }
        if !left.is_empty() {
            let left = sorted(&left);
            let ids: Vec<SegmentId> = left.iter().map(|(id, _)| *id).collect();
            let rest = known.rest.take().filter(|(of, _)| *of == ids);
            let (ids, rest) = rest.unwrap_or_else(|| {
                let of = left
                    .iter()
                    .map(|(_, ord)| segments[ord.index()].segment.clone());
                (ids, Arc::new(Table::made(&of.collect::<Vec<_>>())))
            });
            parts.push(Part::new(
                &rest,
                left.iter().map(|(_, ord)| Some(*ord)).collect(),
            ));
            known.rest = Some((ids, rest));
        }
        drop(known);
        let own = ords().filter(|(live, _)| live.segment.name.is_none());
        let own = own.map(|(live, ord)| (live.segment.clone(), Some(ord)));
        let (of, ords): (Vec<_>, Vec<_>) = own.unzip();
        if !of.is_empty() {
            parts.push(Part::new(&Arc::new(Table::made(&of)), ords.into()));
        }
        Names { parts }
    }

    /// The base that was kept last.
    fn read(&self) -> Option<Arc<Table>> {
        let kept = self.kept.as_ref()?;
        let last = kept.list(FOLDER).pop()?;
        let body = kept.read(&format!("{FOLDER}/{}", last.name))?;
        Table::kept(body).map(Arc::new)
    }

    /// Keeps a base. A failure to write costs time later, nothing else.
    fn keep(&self, base: &Table) {
        let Some(kept) = &self.kept else { return };
        let ids = base.segments().iter().flat_map(|id| id.as_bytes().to_vec());
        let key = xxh3_128(&ids.collect::<Vec<u8>>());
        let _ = kept.write(&format!("{FOLDER}/{key:032x}"), base.bytes());
        kept.evict(FOLDER, MAX_KEPT);
    }
}

/// Segments in the order of their ids, so that equal sets have equal tables.
fn sorted(segments: &FxHashMap<SegmentId, SegmentOrd>) -> Vec<(SegmentId, SegmentOrd)> {
    let mut sorted: Vec<_> = segments.iter().map(|(id, ord)| (*id, *ord)).collect();
    sorted.sort_unstable();
    sorted
}

/// The names that symbols of a view's segments have.
pub struct Names {
    parts: Vec<Part>,
}

/// A table, and which segments of the view those of the table are; `None` for one that the view has not.
struct Part {
    table: Arc<Table>,
    ords: Box<[Option<SegmentOrd>]>,
}

impl Part {
    fn new(table: &Arc<Table>, ords: Box<[Option<SegmentOrd>]>) -> Self {
        Self {
            table: table.clone(),
            ords,
        }
    }

    /// A place in the view.
    fn place(&self, (segment, name): table::Place) -> Option<(SegmentOrd, NameId)> {
        Some(((*self.ords.get(segment)?)?, name))
    }
}

impl Names {
    /// Where a name is known, spelt so.
    pub fn exact(&self, name: &[u8]) -> impl Iterator<Item = (SegmentOrd, NameId)> {
        let parts = self.parts.iter();
        parts.flat_map(move |part| {
            part.table
                .lookup(name)
                .filter_map(|place| part.place(place))
        })
    }

    /// Hands out the names that an automaton takes, with the state it ends in and each of their places: those of a table
    /// in the order of their bytes. A break ends the table at hand: of what follows in it nothing is wanted.
    pub fn walk<A: Automaton<State: Clone>>(
        &self,
        automaton: &A,
        mut found: impl FnMut(&[u8], &A::State, SegmentOrd, NameId) -> ControlFlow<()>,
    ) {
        for part in &self.parts {
            part.table.each(automaton, |name, state, places| {
                let mut places = places.filter_map(|place| part.place(place));
                places.try_for_each(|(ord, id)| found(name, state, ord, id))
            });
        }
    }
}

#[cfg(test)]
mod tests;
