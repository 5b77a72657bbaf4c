//! All that a tip names.

use super::ledger::Ledger;
use super::pieces::Pieces;
use super::segments::OpenSegment;
use super::vectors::named::Named;
use crate::extract::record::Fingerprint;
use crate::id::{PartId, SegmentId};
use std::collections::BTreeSet;

/// All that a tip names, or is to name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    /// Segments, in the order of their ids.
    pub segments: Vec<OpenSegment>,
    /// The parts of other kinds.
    pub pieces: Pieces,
    /// Vectors of the segments.
    pub vectors: Named,
    /// What is remembered besides.
    pub ledger: Ledger,
}

impl Contents {
    /// The ids of its segments, in order.
    pub fn segment_ids(&self) -> Vec<SegmentId> {
        self.segments.iter().map(OpenSegment::id).collect()
    }

    /// The extractors whose rows its segments hold.
    pub fn extractors(&self) -> BTreeSet<Fingerprint> {
        let each = self.segments.iter();
        each.flat_map(|open| open.segment().extractors().iter().copied())
            .collect()
    }

    /// The ids of all parts and blocks.
    pub fn ids(&self) -> Vec<PartId> {
        let mut out: Vec<PartId> = self.segments.iter().map(|open| open.id().into()).collect();
        out.extend(self.pieces.each().iter().flat_map(|list| list.ids.clone()));
        out.extend(self.vectors.iter().map(|(_, _, block)| PartId::from(block)));
        out
    }

    /// The bytes that are still to be written of all but segments.
    pub fn unwritten(&self) -> impl Iterator<Item = &[u8]> {
        let lists = self.pieces.each();
        let pieces = lists.into_iter().flat_map(|list| list.unwritten);
        pieces.chain(self.vectors.unwritten())
    }

    /// Takes back that what is named must not come back.
    pub fn revive(&mut self) {
        self.ledger.revive(self.ids());
    }

    /// Whether it names nothing, and remembers nothing.
    pub fn is_empty(&self) -> bool {
        self.ids().is_empty() && self.ledger.is_empty()
    }
}
