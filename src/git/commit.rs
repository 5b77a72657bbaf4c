//! Reading a commit: its place in history, and what it says.

use super::error::Error;
use super::identity::Signature;
use super::objects::Objects;
use crate::id::{CommitId, TreeId};
use gix::objs::{CommitRefIter, Kind};

/// A commit with its message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// Its root tree.
    pub tree: TreeId,
    /// Its first parent, also where a shallow clone does not have it; `None` for the first commit.
    pub parent: Option<CommitId>,
    /// Its message, in whatever encoding it was written.
    pub message: Vec<u8>,
}

/// Reads a commit. Fails with [`Error::MissingObject`], [`Error::WrongKind`] or
/// [`Error::CorruptObject`].
pub fn read(objects: &mut Objects, commit: CommitId) -> Result<Commit, Error> {
    let id = commit.as_object();
    let mut buf = Vec::new();
    objects.read(id, Kind::Commit, &mut buf)?;
    let corrupt = |err| Error::corrupt(id, err);
    let fields = || CommitRefIter::from_bytes(&buf, objects.hash());
    let tree = fields().tree_id().map_err(corrupt)?;
    let parent = fields().parent_ids().next();
    let message = fields().message().map_err(corrupt)?;
    Ok(Commit {
        tree: TreeId::new(tree),
        parent: parent.map(CommitId::new),
        message: message.to_vec(),
    })
}

/// Reads the root tree of a commit and its parents, in its order, also those that a shallow clone does
/// not have. Fails with [`Error::MissingObject`], [`Error::WrongKind`] or [`Error::CorruptObject`].
pub fn links(objects: &mut Objects, commit: CommitId) -> Result<(TreeId, Vec<CommitId>), Error> {
    let id = commit.as_object();
    let mut buf = Vec::new();
    objects.read(id, Kind::Commit, &mut buf)?;
    let fields = || CommitRefIter::from_bytes(&buf, objects.hash());
    let tree = fields().tree_id().map_err(|err| Error::corrupt(id, err))?;
    let parents = fields().parent_ids().map(CommitId::new);
    Ok((TreeId::new(tree), parents.collect()))
}

/// Who wrote a commit and who made it, each with the moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origins {
    /// The author.
    pub author: Signature,
    /// The committer.
    pub committer: Signature,
}

/// Reads where a commit comes from. Names are shown as text whatever their encoding, and a date that
/// cannot be read is the beginning of time. Fails with [`Error::MissingObject`], [`Error::WrongKind`]
/// or [`Error::CorruptObject`].
pub fn origins(objects: &mut Objects, commit: CommitId) -> Result<Origins, Error> {
    let id = commit.as_object();
    let mut buf = Vec::new();
    objects.read(id, Kind::Commit, &mut buf)?;
    let fields = || CommitRefIter::from_bytes(&buf, objects.hash());
    let corrupt = |err| Error::corrupt(id, err);
    let signature = |by: gix::actor::SignatureRef<'_>| {
        let time = by.time().unwrap_or_default();
        Signature {
            name: by.name.to_string(),
            mail: by.email.to_string(),
            seconds: time.seconds,
            offset: time.offset / 60,
        }
    };
    Ok(Origins {
        author: signature(fields().author().map_err(corrupt)?),
        committer: signature(fields().committer().map_err(corrupt)?),
    })
}
