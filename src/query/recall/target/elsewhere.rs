//! Where a target is that has left its place.

use super::{
    MAX_INSIDE, NOT_FOLLOWED, Place, Reader, Seek, Standing, Survey, label, object_of, same_body,
};
use crate::git::RepoPath;
use crate::git::tree::{self, Found};
use crate::id::{BlobId, TreeId};
use crate::memory::event::{Pin, Target};
use crate::query::ids::ParsedId;
use crate::view::files::Reading;
use gix::ObjectId;
use gix::bstr::ByteSlice;
use rustc_hash::FxHashMap;

impl Survey<'_> {
    /// The path that a file or a directory has now, by the commits that took away those that it had; `None` where it
    /// is still there, and where that is not known.
    pub fn renamed(&mut self, path: &RepoPath) -> Option<RepoPath> {
        let Reader { objects, went, .. } = &mut self.reader;
        went.to(self.repo, objects, path)
    }

    /// The paths that a file or a directory of the commit had before.
    pub fn former(&mut self, path: &RepoPath) -> Vec<RepoPath> {
        let Reader { objects, went, .. } = &mut self.reader;
        went.from(self.repo, objects, path)
    }

    /// Whether a file has a symbol of the same name, kind and text as another one.
    pub fn has_alike(&mut self, (path, blob): (&RepoPath, BlobId), id: &str, body: u64) -> bool {
        let symbols = self.bodies.of(blob, path);
        let alike = ParsedId::parse(id).zip(symbols);
        alike.is_some_and(|(parsed, symbols)| same_body(symbols, &parsed, body).is_some())
    }

    /// The standing of a file or a directory that has another path now.
    pub(super) fn path_elsewhere(
        &mut self,
        pin: &Pin,
        path: &RepoPath,
        object: ObjectId,
    ) -> Option<Standing> {
        let to = self.renamed(path)?;
        let here = tree::find(&mut self.reader.objects, self.root, &to).ok()??;
        let place = Place {
            path: &to,
            seek: Seek::Object(object),
            is_new: true,
        };
        let named = label(&Target::Path {
            path: to.clone(),
            object,
        });
        Some(match object_of(here) == object {
            true => Standing::Moved(named),
            false => Standing::Changed {
                to: Some(named),
                lines: None,
                since: self.since(&place, pin, usize::MAX),
            },
        })
    }

    /// Where a file or a directory has gone, by its content.
    pub(super) fn elsewhere(
        &mut self,
        pin: &Pin,
        path: &RepoPath,
        object: ObjectId,
    ) -> Option<RepoPath> {
        // What is empty is everywhere.
        let is_empty = object == ObjectId::empty_blob(self.reader.objects.hash())
            || object == ObjectId::empty_tree(self.reader.objects.hash());
        if is_empty {
            return None;
        }
        let newer = self.newer(pin);
        let same = newer.iter().filter(|(_, blob)| blob.as_object() == object);
        let best = same.min_by_key(|(found, _)| (found.file_name() != path.file_name(), found));
        if let Some((found, _)) = best {
            return Some(found.clone());
        }
        // Not a directory, or not in this clone.
        let inside = tree::list(&mut self.reader.objects, TreeId::new(object)).ok()?;
        let mut by_blob: FxHashMap<BlobId, Vec<&RepoPath>> = FxHashMap::default();
        for entry in inside.iter().take(MAX_INSIDE) {
            by_blob.entry(entry.id).or_default().push(&entry.path);
        }
        let mut votes: FxHashMap<&[u8], usize> = FxHashMap::default();
        for (found, blob) in newer.iter() {
            for inner in by_blob.get(blob).into_iter().flatten() {
                let top = found.as_bytes().strip_suffix(inner.as_bytes());
                if let Some(top) = top.and_then(|top| top.strip_suffix(b"/")) {
                    *votes.entry(top).or_default() += 1;
                }
            }
        }
        let (top, votes) = votes
            .into_iter()
            .max_by_key(|(top, n)| (*n, std::cmp::Reverse(*top)))?;
        let most = votes * 2 > inside.len().min(MAX_INSIDE);
        most.then(|| RepoPath::new(top).ok()).flatten()
    }

    /// The standing of a symbol whose file has another path now and has the symbol still.
    pub(super) fn symbol_renamed(
        &mut self,
        pin: &Pin,
        path: &RepoPath,
        (id, body): (&str, u64),
    ) -> Option<Standing> {
        if self.files == 0 {
            return None;
        }
        let to = self.renamed(path)?;
        let Found::Leaf(_, blob) = tree::find(&mut self.reader.objects, self.root, &to).ok()??
        else {
            return None;
        };
        self.parsed = self.parsed.checked_sub(1)?;
        let (_, rest) = id.split_once("::")?;
        let named = format!("{to}::{rest}");
        let here = self.bodies.of(blob, &to)?.get(&named).copied()?;
        let place = Place {
            path: &to,
            seek: Seek::Symbol(&named, body),
            is_new: true,
        };
        Some(match here == body {
            true => Standing::Moved(named),
            false => Standing::Changed {
                lines: None,
                since: self.since(&place, pin, usize::MAX),
                to: Some(named),
            },
        })
    }

    /// Where a symbol has gone, among the files that are not as they were at the pin.
    pub(super) fn symbol_elsewhere(
        &mut self,
        pin: &Pin,
        path: &RepoPath,
        parsed: &ParsedId<'_>,
        body: u64,
    ) -> Result<Option<String>, &'static str> {
        if self.files == 0 {
            return Err(NOT_FOLLOWED);
        }
        let newer = self.newer(pin);
        let is_read = |found: &&(RepoPath, BlobId)| {
            let reading = Reading::of(&found.0, tree::EntryMode::File);
            found.0 != *path && matches!(reading, Reading::Document(_))
        };
        let mut near: Vec<&(RepoPath, BlobId)> = newer.iter().filter(is_read).collect();
        near.sort_by_key(|(found, _)| {
            (
                found.file_name() != path.file_name(),
                found.extension() != path.extension(),
                found.parent() != path.parent(),
            )
        });
        let mut bytes = Vec::new();
        for (found, blob) in near {
            if self.files == 0 || self.parsed == 0 {
                return Err("it may be in one of many files that changed since");
            }
            self.files -= 1;
            let holds = self.reader.objects.blob(*blob, &mut bytes).is_ok()
                && bytes.find(parsed.name().as_bytes()).is_some();
            if !holds {
                continue;
            }
            self.parsed -= 1;
            let symbols = self.bodies.of(*blob, found);
            if let Some(id) = symbols.and_then(|symbols| same_body(symbols, parsed, body)) {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
}
