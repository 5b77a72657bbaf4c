//! The ids of blocks that have files, remembered by their checksums: hashing takes longer than all else when
//! nothing has changed.
//!
//! They lie in `vec-ids` among what is kept ([`crate::cache`]), a line each. That a block is what its checksum
//! says is not checked here: its file is sealed, and one that is to be named is verified by whoever names it.

use crate::git::write::blob_id;
use crate::git::{self, Repo};
use crate::id::{BlobId, SegmentId};
use crate::vector::model::ModelId;
use gix::hash::Kind;
use std::collections::BTreeMap;

/// First line of the file.
const HEADER: &str = "sverklo vec 1";
/// Name of the file.
const FILE: &str = "vec-ids";

/// The model, the segment and the last bytes of a block, which are its checksum.
type Key = (ModelId, SegmentId, u64);

/// What was hashed before, and what is asked about now.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Hashed {
    known: BTreeMap<Key, BlobId>,
    asked: BTreeMap<Key, BlobId>,
}

impl Hashed {
    /// Reads what is remembered; nothing, when it is damaged.
    pub fn open(repo: &Repo) -> Self {
        let body = repo.kept().read(FILE);
        let text = body.as_ref().map(|body| std::str::from_utf8(body.as_ref()));
        text.and_then(Result::ok)
            .map_or_else(Self::default, Self::of_text)
    }

    fn of_text(text: &str) -> Self {
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Self::default();
        }
        Self {
            known: lines.filter_map(parse).collect(),
            asked: BTreeMap::new(),
        }
    }

    /// The id of the block of a segment, given its bytes. Fails as [`blob_id`] does.
    pub fn id(
        &mut self,
        hash: Kind,
        model: &ModelId,
        segment: SegmentId,
        block: &[u8],
    ) -> Result<BlobId, git::Error> {
        let last = block.last_chunk().copied().unwrap_or_default();
        let key = (model.clone(), segment, u64::from_le_bytes(last));
        let id = match self.known.get(&key) {
            Some(id) => *id,
            None => blob_id(hash, block)?,
        };
        self.asked.insert(key, id);
        Ok(id)
    }

    /// Remembers what was asked about, for the next time. Without leave to write it is hashed again then.
    pub fn save(&self, repo: &Repo) {
        if self.asked == self.known {
            return;
        }
        let _ = repo.kept().write(FILE, self.text().as_bytes());
    }

    fn text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for ((model, segment, checksum), id) in &self.asked {
            text += &format!("{} {segment} {checksum:016x} {id}\n", model.as_str());
        }
        text
    }
}

fn parse(line: &str) -> Option<(Key, BlobId)> {
    let mut words = line.split(' ');
    let model = ModelId::new(words.next()?)?;
    let segment = SegmentId::from_hex(words.next()?.as_bytes())?;
    let checksum = u64::from_str_radix(words.next()?, 16).ok()?;
    let block = BlobId::from_hex(words.next()?.as_bytes())?;
    let key = (model, segment, checksum);
    words.next().is_none().then_some((key, block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_not_hashed_again() {
        let model = ModelId::new("slow-2d").unwrap();
        let segment = |n: u8| SegmentId::from_bytes(&[n; 20]).unwrap();
        let mut first = Hashed::default();
        let ask = |hashed: &mut Hashed, n, bytes: &[u8]| {
            hashed.id(Kind::Sha1, &model, segment(n), bytes).unwrap()
        };
        let id = ask(&mut first, 1, b"some vectors 12345678");
        assert_eq!(id, blob_id(Kind::Sha1, b"some vectors 12345678").unwrap());
        let mut second = Hashed::of_text(&first.text());
        assert_eq!(second.known, first.asked);
        // Only a look at the bytes could tell.
        assert_eq!(ask(&mut second, 1, b"other vectors 12345678"), id);
        assert_ne!(ask(&mut second, 1, b"some vectors 12345679"), id);
        assert_ne!(ask(&mut second, 2, b"other vectors 12345678"), id);
        for damaged in ["", "sverklo vec 0\n", "sverklo vec 1\nslow-2d 12\n"] {
            assert_eq!(Hashed::of_text(damaged), Hashed::default());
        }
    }
}
