//! Identifiers, one newtype each, so that a tree cannot be passed where a blob is meant and a
//! position inside one segment cannot be used in another.
//!
//! Object ids are sized by the repository's hash (SHA-1 or SHA-256); nothing here assumes 20 bytes.

use gix::ObjectId;
use std::fmt;

macro_rules! object_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(ObjectId);

        impl $name {
            /// Wraps an object id that is known to name an object of this type.
            pub fn new(id: ObjectId) -> Self {
                Self(id)
            }

            /// Returns the plain object id.
            pub fn as_object(&self) -> ObjectId {
                self.0
            }

            /// Returns the raw bytes of the id: 20 for SHA-1, 32 for SHA-256.
            pub fn as_bytes(&self) -> &[u8] {
                self.0.as_slice()
            }

            /// Parses raw id bytes; `None` when the length is that of no known hash.
            pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
                ObjectId::try_from(bytes).ok().map(Self)
            }

            /// Parses a full-length hexadecimal id.
            pub fn from_hex(hex: &[u8]) -> Option<Self> {
                ObjectId::from_hex(hex).ok().map(Self)
            }

            /// Returns the abbreviated form shown to people and agents (10 hexadecimal digits).
            pub fn short(&self) -> String {
                self.0.to_hex_with_len(10).to_string()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

object_id! {
    /// Names a git blob: the content a document was extracted from.
    BlobId
}
object_id! {
    /// Names a git tree.
    TreeId
}
object_id! {
    /// Names a git commit.
    CommitId
}
object_id! {
    /// Names a segment; it is the id of the git blob that holds the segment's bytes.
    SegmentId
}
object_id! {
    /// Names a piece of the traces of an index; it is the id of the git blob that holds its bytes.
    TraceId
}
object_id! {
    /// Names a piece of the compilers' facts of an index; it is the id of the git blob that holds its bytes.
    FactsId
}
object_id! {
    /// Names a piece of the history log of an index; it is the id of the git blob that holds its
    /// bytes.
    LogId
}
object_id! {
    /// Names an event of the memory log; it is the id of the git blob that holds its text.
    EventId
}

object_id! {
    /// Names a part of an index, whatever its kind; it is the id of the git blob that holds its bytes.
    PartId
}

macro_rules! part_id {
    ($($name:ident)*) => {$(
        impl From<$name> for PartId {
            fn from(id: $name) -> Self {
                Self(id.0)
            }
        }

        impl From<PartId> for $name {
            fn from(id: PartId) -> Self {
                Self(id.0)
            }
        }
    )*};
}

part_id!(SegmentId TraceId FactsId LogId BlobId);

macro_rules! ordinal {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the ordinal as a slice index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

ordinal! {
    /// Position of a document in its segment (documents are sorted by key).
    DocId
}
ordinal! {
    /// Rank of a name in its segment's sorted list of names.
    NameId
}
ordinal! {
    /// Position of a chunk in its segment (chunks are in document order).
    ChunkId
}
ordinal! {
    /// Position of a name in a [`crate::extract::record::NameTable`]: local to one document record.
    LocalName
}
ordinal! {
    /// Position of a segment in a snapshot.
    SegmentOrd
}

/// One document of one segment of a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DocAddress {
    /// Which segment of the snapshot.
    pub segment: SegmentOrd,
    /// Which document of that segment.
    pub doc: DocId,
}

/// Position of a file in a view, in path order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);
