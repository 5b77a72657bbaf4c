//! Events kept in one file, so that a log of ten thousand is not ten thousand reads of objects.
//!
//! `memory/events` among what is kept ([`crate::cache`]) holds what was read and checked last of our own log,
//! under the tree it is of. A log of somebody else, or of the past, may have texts that were taken out: it is
//! never kept.

use super::log::{Fresh, Listing, Log, Stored};
use super::text;
use crate::cache::Kept;
use crate::git::{Repo, reflog};
use crate::id::{BlobId, EventId, TreeId};
use std::collections::BTreeSet;
use std::ops::Range;

/// First bytes of the file.
const MAGIC: &[u8; 8] = b"svkmem\x02\n";

/// Number of events from which on threads share the reading.
const PARALLEL: usize = 1000;

/// Folder of what is kept of memories.
pub(super) const FOLDER: &str = "memory";
/// Name of the file.
const FILE: &str = "memory/events";

/// Removes everything that is kept, also by other users: after a text was taken out it must be nowhere.
pub(super) fn remove(repo: &Repo) {
    // What cannot be removed is not there, or not ours to remove.
    repo.kept().remove_everywhere(FOLDER);
}

/// Lets nothing lead back to a text that was taken out: no file, and no log of our ref.
pub(super) fn leave_no_way_back(repo: &Repo) {
    remove(repo);
    // Taking the same text out again does what could not be done now.
    let _ = reflog::expire(repo, &repo.ref_names().memory());
}

/// What is kept: events in the order of their ids, and the ids and blobs of stubs.
pub(crate) struct Cache {
    kept: Kept,
    hash: gix::hash::Kind,
    bytes: Vec<u8>,
    /// The tree of which the events are kept.
    pub(crate) tree: Option<TreeId>,
    events: Vec<(EventId, Range<usize>)>,
    stubs: Vec<(EventId, BlobId)>,
}

impl Cache {
    /// Opens the file, if it is there and sound.
    pub fn open(repo: &Repo) -> Self {
        let body = repo.kept().read(FILE);
        let bytes = body.map_or_else(Vec::new, |body| body.as_ref().to_vec());
        Self::of(repo.kept().clone(), bytes, repo.hash())
    }

    /// Takes the bytes of a file, if they are sound.
    pub fn of(kept: Kept, bytes: Vec<u8>, hash: gix::hash::Kind) -> Self {
        let mut cache = Self {
            kept,
            hash,
            bytes,
            tree: None,
            events: Vec::new(),
            stubs: Vec::new(),
        };
        if cache.parse().is_none() {
            cache.bytes.clear();
            cache.tree = None;
            cache.events.clear();
            cache.stubs.clear();
        }
        cache
    }

    fn parse(&mut self) -> Option<()> {
        if !self.bytes.starts_with(MAGIC) {
            return None;
        }
        let mut reader = Reader {
            bytes: &self.bytes,
            at: MAGIC.len(),
            id: self.hash.len_in_bytes(),
        };
        self.tree = Some(TreeId::from_bytes(reader.id()?)?);
        for _ in 0..reader.number()? {
            let id = EventId::from_bytes(reader.id()?)?;
            self.events.push((id, reader.text()?));
        }
        for _ in 0..reader.number()? {
            let id = EventId::from_bytes(reader.id()?)?;
            let blob = BlobId::from_bytes(reader.id()?)?;
            self.stubs.push((id, blob));
        }
        let is_sorted = self.events.is_sorted_by(|a, b| a.0 < b.0);
        (reader.at == self.bytes.len() && is_sorted).then_some(())
    }

    /// Number of events that are kept.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether any of these events is kept.
    pub fn has_any<'a>(&self, mut ids: impl Iterator<Item = &'a EventId>) -> bool {
        ids.any(|id| self.events.binary_search_by_key(id, |(id, _)| *id).is_ok())
    }

    /// What that tree lists.
    pub fn listing(&self) -> Listing {
        Listing {
            events: self.events.iter().map(|(id, _)| *id).collect(),
            stubs: self.stubs.iter().copied().collect(),
            has_format: true,
        }
    }

    /// Reads those of the events that are kept, in the order of the ids.
    pub fn read_all(&self, wanted: &BTreeSet<EventId>) -> Vec<(EventId, Option<Stored>)> {
        // Both are ordered by id.
        let mut kept = self.events.iter().peekable();
        let mut out = Vec::with_capacity(wanted.len());
        let mut places = Vec::with_capacity(wanted.len());
        for id in wanted {
            while kept.next_if(|(other, _)| other < id).is_some() {}
            let found = kept.next_if(|(other, _)| other == id);
            places.push((*id, found.map(|(_, range)| range.clone())));
        }
        let threads = match places.len() {
            0..PARALLEL => 1,
            _ => std::thread::available_parallelism()
                .map_or(1, usize::from)
                .min(8),
        };
        let share = places.len().div_ceil(threads).max(1);
        std::thread::scope(|scope| {
            let parts = places.chunks(share).map(|part| {
                scope.spawn(move || {
                    let read = |range: &Option<Range<usize>>| self.read(range.clone()?);
                    let part = part.iter().map(|(id, range)| (*id, read(range)));
                    part.collect::<Vec<_>>()
                })
            });
            for part in parts.collect::<Vec<_>>() {
                out.extend(
                    part.join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                );
            }
        });
        out
    }

    fn read(&self, range: Range<usize>) -> Option<Stored> {
        match text::read(&self.bytes[range], self.hash) {
            Ok(event) => Some(Stored::Event(Box::new(event))),
            Err(text::Error::Newer(version)) => Some(Stored::Newer(version)),
            Err(text::Error::Malformed(_)) => None,
        }
    }

    /// Keeps the events of a tree, whose bytes are kept already or `fresh`, unless more are kept.
    pub fn keep(&self, tree: TreeId, log: &Log, fresh: &Fresh) {
        if log.events.len() < self.events.len() {
            return;
        }
        let mut kept = self.events.iter().peekable();
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(tree.as_bytes());
        put(&mut out, log.events.len());
        for (id, _) in &log.events {
            while kept.next_if(|(other, _)| other < id).is_some() {}
            let bytes = match (fresh.get(id), kept.next_if(|(other, _)| other == id)) {
                (Some(bytes), _) => &bytes[..],
                (None, Some((_, range))) => &self.bytes[range.clone()],
                (None, None) => return,
            };
            out.extend_from_slice(id.as_bytes());
            put(&mut out, bytes.len());
            out.extend_from_slice(bytes);
        }
        put(&mut out, log.stubs.len());
        for (id, (blob, _)) in &log.stubs {
            out.extend_from_slice(id.as_bytes());
            out.extend_from_slice(blob.as_bytes());
        }
        // Without it, objects are read again.
        let _ = self.kept.write(FILE, &out);
    }
}

fn put(out: &mut Vec<u8>, number: usize) {
    out.extend_from_slice(&(number as u32).to_le_bytes());
}

/// Reads what [`Cache::keep`] wrote; every read is bounded by the bytes there are.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    id: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(len)?;
        let out = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(out)
    }

    fn id(&mut self) -> Option<&'a [u8]> {
        self.take(self.id)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<Range<usize>> {
        let len = self.number()? as usize;
        let from = self.at;
        self.take(len)?;
        Some(from..self.at)
    }
}
