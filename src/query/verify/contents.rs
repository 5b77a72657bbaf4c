//! What is in blobs, read once, and how two of them differ.

use super::text::Text;
use crate::git::{Error, Objects, Repo};
use crate::id::BlobId;
use crate::query::diff::lines::LineMap;
use crate::view::live::View;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Longest file that is compared, in bytes.
const MAX_COMPARED: u64 = 16 << 20;

/// Bytes of what versions are made from that are kept.
const MAX_BASES: usize = 64 << 20;

/// The lines of a text, but for empty ones, without white space around them.
#[derive(Default)]
pub struct LineSet {
    /// Of each different line, by its hash, the bytes of all that are equal.
    bytes: FxHashMap<u64, usize>,
    total: usize,
}

impl LineSet {
    fn of(text: &[u8]) -> Self {
        let mut set = Self::default();
        let lines = text.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
        for line in lines.filter(|line| !line.is_empty()) {
            *set.bytes.entry(xxh3_64(line)).or_default() += line.len();
            set.total += line.len();
        }
        set
    }

    /// Whether a line is among them.
    pub fn has(&self, hash: u64) -> bool {
        self.bytes.contains_key(&hash)
    }

    /// Share of the longer text that both have, as git measures renamed files.
    pub fn share(&self, other: &Self) -> f64 {
        let both = self.bytes.iter().filter_map(|(hash, bytes)| {
            let there = other.bytes.get(hash)?;
            Some(*bytes.min(there))
        });
        both.sum::<usize>() as f64 / self.total.max(other.total).max(1) as f64
    }
}

/// Reads a blob; `None` when it is too long. Fails when it is not here.
pub fn read(objects: &mut Objects, blob: BlobId) -> Result<Option<Vec<u8>>, Error> {
    if objects.blob_size(blob)? > MAX_COMPARED {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    objects.blob(blob, &mut bytes)?;
    Ok(Some(bytes))
}

/// The contents of blobs, committed and not.
pub struct Contents<'a> {
    view: &'a View,
    objects: Objects,
    texts: FxHashMap<BlobId, Option<Rc<Text>>>,
    /// What was read last and is not kept.
    last: Option<(BlobId, Option<Arc<Vec<u8>>>)>,
    maps: FxHashMap<(BlobId, BlobId), Option<Rc<LineMap>>>,
    sets: FxHashMap<BlobId, Rc<LineSet>>,
}

impl<'a> Contents<'a> {
    /// Nothing is read yet. Uncommitted content is that of the view.
    pub fn new(repo: &Repo, view: &'a View) -> Self {
        let mut objects = repo.objects();
        // Versions of one file lie in one chain of deltas.
        objects.keep_bases(MAX_BASES);
        Self {
            view,
            objects,
            texts: FxHashMap::default(),
            last: None,
            maps: FxHashMap::default(),
            sets: FxHashMap::default(),
        }
    }

    /// Reads a blob and keeps nothing; `None` when it is too long. Fails when it is not here.
    fn read(&mut self, blob: BlobId) -> Result<Option<Arc<Vec<u8>>>, Error> {
        if let Some(content) = self.view.content(blob) {
            return Ok(Some(content.clone()));
        }
        Ok(read(&mut self.objects, blob)?.map(Arc::new))
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

    /// Whether some lines of another text stand in a blob, be it in part of a line: where none does, none of them stayed.
    /// Fails when it is not here.
    pub fn has_any(&mut self, blob: BlobId, text: &Text, lines: &[u32]) -> Result<bool, Error> {
        let Some(bytes) = self.read_once(blob)? else {
            return Ok(false);
        };
        let mut lines = lines.iter().map(|line| text.line(*line));
        Ok(lines.any(|line| memchr::memmem::find(&bytes, line).is_some()))
    }

    /// Reads a blob; the one that was read last is at hand.
    fn read_once(&mut self, blob: BlobId) -> Result<Option<Arc<Vec<u8>>>, Error> {
        if let Some(text) = self.texts.get(&blob) {
            return Ok(text.as_ref().map(|text| text.bytes().clone()));
        }
        if let Some((_, bytes)) = self.last.as_ref().filter(|(last, _)| *last == blob) {
            return Ok(bytes.clone());
        }
        let bytes = self.read(blob)?;
        self.last = Some((blob, bytes.clone()));
        Ok(bytes)
    }

    /// Compares two blobs by lines; `None` when one is too long. Fails when one is not here.
    pub fn map(&mut self, old: BlobId, new: BlobId) -> Result<Option<Rc<LineMap>>, Error> {
        if let Some(known) = self.maps.get(&(old, new)) {
            return Ok(known.clone());
        }
        let was = self.text(old)?;
        // Of the many versions in which a removal is looked for, none is worth keeping.
        let is = self.read_once(new)?;
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
        let set = Rc::new(LineSet::of(&bytes));
        self.sets.insert(blob, set.clone());
        Ok(set)
    }
}
