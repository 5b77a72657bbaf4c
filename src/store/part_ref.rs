//! How messages name a part of an index.

use super::kind::Kind;
use crate::id::{BlobId, PartId, SegmentId};
use crate::vector::model::ModelId;
use std::fmt;

/// A part or a block of vectors, as messages name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartRef {
    kind: &'static str,
    /// Which it is.
    pub id: PartId,
    /// Of a block of vectors, its model and segment.
    vectors: Option<Box<(ModelId, SegmentId)>>,
}

impl PartRef {
    /// Names a part.
    pub fn of<K: Kind>(id: K::Id) -> Self {
        Self::named(K::NAME, id.into())
    }

    /// Names a part of a kind that is called so.
    pub(super) fn named(kind: &'static str, id: PartId) -> Self {
        Self {
            kind,
            id,
            vectors: None,
        }
    }

    /// Names a block of vectors.
    pub fn vectors(model: &ModelId, segment: SegmentId, block: BlobId) -> Self {
        Self {
            kind: "vectors",
            id: block.into(),
            vectors: Some(Box::new((model.clone(), segment))),
        }
    }

    /// Whether it is of a kind.
    pub fn is<K: Kind>(&self) -> bool {
        self.kind == K::NAME
    }

    /// Whether it is a block of vectors of a static model.
    pub(super) fn is_static(&self) -> bool {
        let of = self.vectors.as_deref();
        of.is_some_and(|(model, _)| model.is_static())
    }

    /// The verb that agrees with it.
    pub(super) fn be(&self) -> &'static str {
        match self.vectors {
            None => "is",
            Some(_) => "are",
        }
    }
}

impl fmt::Display for PartRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.vectors.as_deref() {
            None => write!(f, "{} {}", self.kind, self.id),
            Some((model, segment)) => write!(f, "the {model} vectors of segment {segment}"),
        }
    }
}
