//! What compilers say: for each blob the symbols that it defines and those that it uses, with their places.
//!
//! Guarantees: facts belong to a blob, as a document does, and know no path and no commit. Those of one blob
//! unite by set union, whoever computed them. Each stands at a place of the blob where the symbol's own name
//! stands, so whoever has the blob can check that much, and does before facts are recorded and when a
//! stranger's come.
//!
//! Like traces, facts cannot be made again from the code alone. What a use means is found by joining, in one
//! view, the uses of a symbol with its definitions ([`crate::graph`]): no fact names a definition, so none can
//! lead out of what the view has, or outlive it.

mod blob;
mod dropped;
pub(super) mod piece;
mod places;

pub use crate::scip::symbol::Symbol;
pub use blob::{BlobFacts, Fact, FactsByBlob};
pub use dropped::{Dropped, drop_facts, would_drop};
pub use piece::{FactPieces, decode, encode};
pub use places::Lines;

use super::error::Warning;
use super::recorded::unite;
use super::snapshot::Snapshot;
use crate::git::Repo;
use crate::id::BlobId;
use crate::limits::MAX_SYMBOLS_BYTES;

/// The facts of an index, opened for reading.
#[derive(Clone, Debug, Default)]
pub struct CompilerFacts {
    known: FactsByBlob,
}

impl CompilerFacts {
    /// Reads the facts of those blobs of a snapshot that are wanted. What cannot be read is left out, with
    /// a warning.
    pub fn open(
        repo: &Repo,
        snapshot: &Snapshot,
        is_wanted: &dyn Fn(BlobId) -> bool,
    ) -> (Self, Vec<Warning>) {
        let mut warnings = Vec::new();
        let mut known = FactsByBlob::new();
        let mut room = MAX_SYMBOLS_BYTES;
        for piece in snapshot.facts().open(repo, &mut warnings) {
            // Symbols are written by what they have in common, so a few bytes may stand for many.
            let within = piece.body.facts(is_wanted).map_while(|(blob, facts)| {
                let bytes = facts.symbols().iter().map(|symbol| symbol.text().len());
                room = room.checked_sub(bytes.sum())?;
                Some((blob, facts))
            });
            unite(&mut known, within);
        }
        (Self { known }, warnings)
    }

    /// Wraps facts.
    pub fn of(known: FactsByBlob) -> Self {
        Self { known }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Number of blobs with facts.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// What is known of a blob; `None` when no compiler was asked.
    pub fn get(&self, blob: BlobId) -> Option<&BlobFacts> {
        self.known.get(&blob)
    }

    /// The blobs with facts, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (BlobId, &BlobFacts)> {
        self.known.iter().map(|(blob, facts)| (*blob, facts))
    }
}

/// The blobs of an index that have facts, in order.
pub fn blobs(repo: &Repo, snapshot: &Snapshot) -> Vec<BlobId> {
    let mut blobs: Vec<BlobId> = snapshot
        .facts()
        .open(repo, &mut Vec::new())
        .iter()
        .flat_map(|piece| piece.keys())
        .collect();
    blobs.sort_unstable();
    blobs.dedup();
    blobs
}
