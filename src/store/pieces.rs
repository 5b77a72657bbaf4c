//! Parts of an index that stand beside its segments: pieces of the traces and of the history log, by their
//! object ids.

use super::Ledger;
use crate::id::{LogId, SegmentId, TraceId};
use gix::ObjectId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names a piece; it is the id of the blob that holds its bytes.
pub trait PieceId: Copy + Ord {
    /// The id of that blob.
    fn object(self) -> ObjectId;
}

impl PieceId for TraceId {
    fn object(self) -> ObjectId {
        self.as_object()
    }
}

impl PieceId for LogId {
    fn object(self) -> ObjectId {
        self.as_object()
    }
}

/// The id under which the ledger remembers a piece.
pub(super) fn marked(id: impl PieceId) -> SegmentId {
    SegmentId::new(id.object())
}

/// Pieces by id, with those that are not written yet.
#[derive(PartialEq, Eq, Debug)]
pub struct Pieces<I, P: ?Sized> {
    /// In order.
    ids: Vec<I>,
    unwritten: BTreeMap<I, Arc<P>>,
}

impl<I: Clone, P: ?Sized> Clone for Pieces<I, P> {
    fn clone(&self) -> Self {
        Self {
            ids: self.ids.clone(),
            unwritten: self.unwritten.clone(),
        }
    }
}

impl<I, P: ?Sized> Default for Pieces<I, P> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            unwritten: BTreeMap::new(),
        }
    }
}

impl<I: PieceId, P: AsRef<[u8]> + ?Sized> Pieces<I, P> {
    /// Names pieces that the object store has.
    pub(super) fn stored(ids: impl IntoIterator<Item = I>) -> Self {
        Self::of(ids, BTreeMap::new())
    }

    /// Names pieces, of which some are still to be written.
    pub(super) fn of(ids: impl IntoIterator<Item = I>, unwritten: BTreeMap<I, Arc<P>>) -> Self {
        let mut ids: Vec<I> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        Self { ids, unwritten }
    }

    /// Their ids, in order.
    pub fn ids(&self) -> &[I] {
        &self.ids
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Whether one is among them and the object store has it.
    pub(super) fn is_stored(&self, id: I) -> bool {
        self.ids.binary_search(&id).is_ok() && !self.unwritten.contains_key(&id)
    }

    /// One that is still to be written.
    pub(super) fn find_unwritten(&self, id: I) -> Option<&Arc<P>> {
        self.unwritten.get(&id)
    }

    /// Those that are still to be written.
    pub(super) fn unwritten(&self) -> impl Iterator<Item = (I, &P)> {
        self.unwritten.iter().map(|(id, piece)| (*id, &**piece))
    }

    /// The bytes that are still to be written.
    pub(super) fn unwritten_bytes(&self) -> impl Iterator<Item = &[u8]> {
        self.unwritten.values().map(|piece| (**piece).as_ref())
    }

    /// All have been written.
    pub(super) fn settled(self) -> Self {
        Self {
            unwritten: BTreeMap::new(),
            ..self
        }
    }

    fn filtered(&self, keep: impl Fn(&I) -> bool) -> Self {
        let mut out = self.clone();
        out.ids.retain(&keep);
        out.unwritten.retain(|id, _| keep(id));
        out
    }

    /// One of them alone.
    pub(super) fn only(&self, id: I) -> Self {
        self.filtered(|other| *other == id)
    }

    /// Leaves some out.
    pub(super) fn without(&self, ids: &[I]) -> Self {
        self.filtered(|id| !ids.contains(id))
    }

    /// Leaves out what must not come back.
    pub(super) fn admitted(&self, ledger: &Ledger) -> Self {
        self.filtered(|id| !ledger.absorbs(marked(*id)))
    }
}
