//! What is in blobs, read once, and how two of them differ.

use super::text::Text;
use crate::git::{Error, Objects, Repo};
use crate::id::BlobId;
use crate::query::diff::lines::LineMap;
use crate::view::live::View;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Longest file that is compared, in bytes.
const MAX_COMPARED: u64 = 16 << 20;

/// The hashes of the lines of a text, but for empty ones, without white space around them.
pub type LineSet = FxHashSet<u64>;

/// The contents of blobs, committed and not.
pub struct Contents<'a> {
    view: &'a View,
    objects: Objects,
    texts: FxHashMap<BlobId, Option<Rc<Text>>>,
    maps: FxHashMap<(BlobId, BlobId), Option<Rc<LineMap>>>,
    sets: FxHashMap<BlobId, Rc<LineSet>>,
}

impl<'a> Contents<'a> {
    /// Nothing is read yet. Uncommitted content is that of the view.
    pub fn new(repo: &Repo, view: &'a View) -> Self {
        Self {
            view,
            objects: repo.objects(),
            texts: FxHashMap::default(),
            maps: FxHashMap::default(),
            sets: FxHashMap::default(),
        }
    }

    /// Reads a blob and keeps nothing; `None` when it is too long. Fails when it is not here.
    pub fn read(&mut self, blob: BlobId) -> Result<Option<Arc<Vec<u8>>>, Error> {
        if let Some(content) = self.view.content(blob) {
            return Ok(Some(content.clone()));
        }
        if self.objects.blob_size(blob)? > MAX_COMPARED {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        self.objects.blob(blob, &mut bytes)?;
        Ok(Some(Arc::new(bytes)))
    }

    /// The text of a blob; `None` when it is too long. Fails when it is not here.
    pub fn text(&mut self, blob: BlobId) -> Result<Option<Rc<Text>>, Error> {
        if let Some(known) = self.texts.get(&blob) {
            return Ok(known.clone());
        }
        let text = self.read(blob)?.map(|bytes| Rc::new(Text::new(bytes)));
        self.texts.insert(blob, text.clone());
        Ok(text)
    }

    /// Compares two blobs by lines; `None` when one is too long. Fails when one is not here.
    pub fn map(&mut self, old: BlobId, new: BlobId) -> Result<Option<Rc<LineMap>>, Error> {
        if let Some(known) = self.maps.get(&(old, new)) {
            return Ok(known.clone());
        }
        let was = self.text(old)?;
        // Of the many versions in which a removal is looked for, none is worth keeping.
        let is = match self.texts.get(&new) {
            Some(text) => text.as_ref().map(|text| text.bytes().clone()),
            None => self.read(new)?,
        };
        let both = was.zip(is);
        let map = both.map(|(was, is)| Rc::new(LineMap::of(was.bytes(), &is)));
        self.maps.insert((old, new), map.clone());
        Ok(map)
    }

    /// The different lines of a blob; none when it is too long. Fails when it is not here.
    pub fn line_set(&mut self, blob: BlobId) -> Result<Rc<LineSet>, Error> {
        if let Some(known) = self.sets.get(&blob) {
            return Ok(known.clone());
        }
        let bytes = self.read(blob)?.unwrap_or_default();
        let lines = bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
        let set: LineSet = lines.filter(|line| !line.is_empty()).map(xxh3_64).collect();
        let set = Rc::new(set);
        self.sets.insert(blob, set.clone());
        Ok(set)
    }
}
