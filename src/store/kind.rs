//! What a kind of part is, and one part of it.
//!
//! An index is a set of *parts*: immutable blobs, named by their ids, that hold *entries* under keys. Segments
//! hold documents, pieces of the log commits, pieces of the traces what ran of a blob. A [`Kind`] says how its
//! parts are read, what they hold and how several become one. All else is the same for every kind and is written
//! once, over `K: Kind`: lists of them ([`super::parts`]), union, canonical cut, tiers, and what a collection
//! keeps ([`super::union`]), files ([`super::files`]), the tip's tree ([`super::manifest`]), what a remote gets
//! ([`super::offer`]) and whether a stranger's is true ([`super::judge`]).
//!
//! # To add a kind
//!
//! 1. one file with a type that implements [`Kind`] and [`Listed`](super::parts::Listed);
//! 2. one line in [`super::pieces`], which makes the list of it a part of every index, with all the above;
//! 3. the id type in `id.rs`, with its name in `part_id!`; limits in `limits.rs`;
//! 4. its folder in `format-spec/10-refs.md`, and a page for its bytes.
//!
//! Vectors are no kind: a block follows a segment and has no entries of its own ([`super::vectors`]). They share
//! what is about ids alone: tombstones, the set-aside list, files, and messages about them ([`super::part_ref`]).

use super::error::Error;
use super::ledger::Ledger;
use super::partition::Entry;
use super::scope::{Keep, Subject};
use crate::cache::Body as KeptBody;
use crate::git::write::blob_id;
use crate::id::{BlobId, PartId};
use crate::limits::SEGMENT_SOURCE_BYTES;
use crate::segment;
use gix::hash::Kind as Hash;
use std::fmt;
use std::sync::Arc;

/// The key of an entry of a kind.
pub type Key<K> = <<K as Kind>::Entry as Entry>::Key;

/// How bytes come to be read.
pub enum Bytes {
    /// In memory.
    Read(Vec<u8>),
    /// From a file of ours, which was checked before it was sealed.
    Kept(KeptBody),
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Read(bytes) => bytes,
            Self::Kept(body) => body.as_ref(),
        }
    }
}

impl From<Bytes> for Vec<u8> {
    fn from(bytes: Bytes) -> Self {
        match bytes {
            Bytes::Read(bytes) => bytes,
            Bytes::Kept(body) => body.as_ref().to_vec(),
        }
    }
}

/// What is kept of a part beside the object store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Files {
    /// Nothing.
    None,
    /// A copy that need not be inflated and checked again, and is read as a whole.
    Read,
    /// A copy that is mapped into memory; it may be damaged while it is open, so before it is written into
    /// others it is looked at once more ([`super::recheck`]).
    Mapped,
}

/// A kind of part.
pub trait Kind: Sized + 'static {
    /// Names one.
    type Id: Copy + Ord + fmt::Debug + fmt::Display + Send + Sync + Into<PartId> + From<PartId>;
    /// One, opened.
    type Body: Send + Sync;
    /// An entry, as far as the cut has to know it.
    type Entry: Entry + Send + Sync;

    /// What one is called in messages.
    const NAME: &'static str;
    /// What an index with too many of them has, and what they are counted in.
    const COUNTED: [&'static str; 2];
    /// Name of the folder in the tip's tree, and among the files beside the object store.
    const FOLDER: &'static str;
    /// Message of the commit of one of them, on the way to a remote.
    const MESSAGE: &'static str;
    /// Most that a tip may name.
    const MAX_PARTS: usize;
    /// Most bytes of one.
    const MAX_BYTES: usize;
    /// Most bytes of all that are opened at once.
    const MAX_TOTAL: usize = usize::MAX;
    /// Most that the entries of one weigh together in the canonical cut.
    const CUT: u64 = SEGMENT_SOURCE_BYTES;
    /// Entries that a collection keeps, the last in the order of the cut.
    const MAX_KEPT: usize = usize::MAX;
    /// What is kept of one beside the object store.
    const FILES: Files;
    /// Whether two entries of one key say more together than each alone. Else all true ones are equal, and
    /// what another part covers is redundant. What unites is always cut canonically.
    const UNITES: bool = false;
    /// Whether entries tell what blobs hold, so that those of denied blobs go.
    const OF_BLOBS: bool = false;
    /// Whether they are of use with other versions of the format: they cannot be made again.
    const LASTS: bool = false;
    /// Whether a remote gets a compaction of many that it has, though it holds nothing new.
    const COMPACTS_REMOTES: bool = false;

    /// Opens bytes. Those of a file of ours were verified before. Fails when they are no part of this
    /// kind and hash.
    fn parse(bytes: Bytes, hash: Hash) -> Result<Self::Body, String>;
    /// Checks that it is in its one canonical form. Fails when it is not.
    fn verify(body: &Self::Body) -> Result<(), String>;
    /// Says to it which it is.
    fn named(body: Self::Body, _id: Self::Id) -> Self::Body {
        body
    }
    /// Makes one of all entries that pass `keep`; of several with one key, the first counts, or they
    /// unite. Fails when one of them is damaged, or the result would be too large.
    fn merge(
        hash: Hash,
        parts: &[&Self::Body],
        keep: &dyn Fn(&Key<Self>) -> bool,
    ) -> Result<Self::Body, segment::Error>;

    /// The bytes.
    fn bytes(body: &Self::Body) -> &[u8];
    /// Number of entries.
    fn len(body: &Self::Body) -> usize;
    /// The keys, in order.
    fn keys(body: &Self::Body) -> impl Iterator<Item = Key<Self>>;
    /// The first key and the last.
    fn ends(body: &Self::Body) -> Option<(Key<Self>, Key<Self>)>;
    /// Whether there is an entry of a key.
    fn covers(body: &Self::Body, key: &Key<Self>) -> bool;
    /// The entries, in the order of their keys.
    fn entries(body: &Self::Body) -> impl Iterator<Item = Self::Entry>;
    /// What an entry tells of.
    fn subject(key: &Key<Self>) -> Subject;
    /// Whether there is an entry of a blob.
    fn holds(_body: &Self::Body, _blob: BlobId) -> bool {
        false
    }
    /// Whether it says all that another one says of a key.
    fn tells(body: &Self::Body, _other: &Self::Body, key: &Key<Self>) -> bool {
        Self::covers(body, key)
    }

    /// Whether a collection keeps an entry.
    fn keeps(keep: Keep, key: &Key<Self>) -> bool;
    /// Whether an entry is no secret to a remote that has documents of these blobs.
    fn is_known(_holds: &dyn Fn(BlobId) -> bool, _key: &Key<Self>) -> bool {
        false
    }
}

/// What a kind has in common with others whose entries are kept by blob in a map, in that field of its body,
/// and read as a whole when the part is opened.
macro_rules! by_blob {
    ($field:ident) => {
        fn verify(_piece: &Piece) -> Result<(), String> {
            Ok(())
        }
        fn bytes(piece: &Piece) -> &[u8] {
            &piece.bytes
        }
        fn len(piece: &Piece) -> usize {
            piece.$field.len()
        }
        fn keys(piece: &Piece) -> impl Iterator<Item = BlobId> {
            piece.$field.keys().copied()
        }
        fn ends(piece: &Piece) -> Option<(BlobId, BlobId)> {
            let (first, _) = piece.$field.first_key_value()?;
            let (last, _) = piece.$field.last_key_value()?;
            Some((*first, *last))
        }
        fn covers(piece: &Piece, blob: &BlobId) -> bool {
            piece.$field.contains_key(blob)
        }
        fn subject(blob: &BlobId) -> Subject {
            Subject::Blob(*blob)
        }
        fn holds(piece: &Piece, blob: BlobId) -> bool {
            piece.$field.contains_key(&blob)
        }
        fn keeps(keep: Keep, blob: &BlobId) -> bool {
            (keep.trace)(*blob)
        }
        fn is_known(holds: &dyn Fn(BlobId) -> bool, blob: &BlobId) -> bool {
            holds(*blob)
        }
    };
}
pub(super) use by_blob;

/// An open part. Cloning shares what it holds.
pub struct Part<K: Kind> {
    id: K::Id,
    /// What it holds.
    pub(super) body: Arc<K::Body>,
    /// First and last key, to pass over parts that cannot have an entry.
    pub(super) ends: Option<(Key<K>, Key<K>)>,
    /// Whether it has a file, or was found to have none for a reason.
    pub(super) is_kept: bool,
    /// Whether a tip names it, and so the object store has it.
    pub(super) is_stored: bool,
}

impl<K: Kind> Clone for Part<K> {
    fn clone(&self) -> Self {
        Self {
            body: self.body.clone(),
            ..*self
        }
    }
}

impl<K: Kind> fmt::Debug for Part<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} of {} entries", K::NAME, self.id, self.len())
    }
}

impl<K: Kind> Part<K> {
    /// Wraps what is known to have this id, and need not be stored.
    pub(super) fn unstored(id: K::Id, body: Arc<K::Body>) -> Self {
        let ends = K::ends(&body);
        Self {
            id,
            body,
            ends,
            is_kept: false,
            is_stored: false,
        }
    }

    /// Wraps what a tip names.
    pub(super) fn stored(id: K::Id, body: K::Body) -> Self {
        Self {
            is_kept: true,
            is_stored: true,
            ..Self::unstored(id, Arc::new(body))
        }
    }

    /// Wraps what this process has just built.
    pub(super) fn built(hash: Hash, body: K::Body) -> Result<Self, Error> {
        let id = K::Id::from(blob_id(hash, K::bytes(&body))?.into());
        Ok(Self::unstored(id, Arc::new(K::named(body, id))))
    }

    /// The same part with other bytes in memory: those of its file, or of the object store.
    pub(super) fn with(&self, body: K::Body) -> Self {
        Self {
            body: Arc::new(body),
            ..*self
        }
    }

    /// Names it.
    pub fn id(&self) -> K::Id {
        self.id
    }

    pub(super) fn bytes(&self) -> &[u8] {
        K::bytes(&self.body)
    }

    pub(super) fn len(&self) -> usize {
        K::len(&self.body)
    }

    /// The keys of its entries, in order.
    pub(super) fn keys(&self) -> impl Iterator<Item = Key<K>> {
        K::keys(&self.body)
    }

    /// Whether it may have an entry of a key.
    pub(super) fn spans(&self, key: &Key<K>) -> bool {
        let ends = self.ends.as_ref();
        ends.is_some_and(|(first, last)| first <= key && key <= last)
    }

    pub(super) fn covers(&self, key: &Key<K>) -> bool {
        self.spans(key) && K::covers(&self.body, key)
    }

    /// Whether it has an entry of a blob of which nothing may be recorded.
    pub(super) fn holds_denied(&self, ledger: &Ledger) -> bool {
        if !K::OF_BLOBS {
            false
        } else if ledger.denied().len() < self.len() {
            ledger.denied().any(|blob| K::holds(&self.body, blob))
        } else {
            self.keys().any(|key| is_denied::<K>(ledger, &key))
        }
    }
}

/// Whether nothing may be recorded of the blob that an entry tells of.
pub(super) fn is_denied<K: Kind>(ledger: &Ledger, key: &Key<K>) -> bool {
    match K::subject(key) {
        Subject::Blob(blob) => ledger.denies(blob),
        Subject::Commit(_) => false,
    }
}
