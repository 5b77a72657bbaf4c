//! Saved graphs: so that a question does not resolve a tree's names again.
//!
//! Guarantees: a saved graph is used only for exactly the paths and contents it was made from, and
//! only when its checksum holds and every number in it is in range; anything else is as if it were
//! not there. Writing is atomic. The folder may be deleted at any time. The encoding is `bincode` 2:
//! a disposable local cache that never travels and never comes from a ref.

use super::edges::Graph;
use crate::extract::EXTRACTOR_VERSION;
use crate::view::live::View;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Bumped when resolution gives another graph for the same tree.
const GRAPH_VERSION: u32 = 5;

/// Saved graphs kept; the least recently written go first. That of prisma (7,300 files) has 18 MB.
const MAX_SAVED: usize = 12;

/// What a graph is made from, as one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphKey(u128);

impl GraphKey {
    /// The key of a view: a hash of its paths, contents and grammars.
    pub fn of(view: &View) -> Self {
        let mut hash = Xxh3::new();
        hash.update(&GRAPH_VERSION.to_le_bytes());
        hash.update(&EXTRACTOR_VERSION.to_le_bytes());
        for file in view.files() {
            hash.update(file.path.as_bytes());
            hash.update(&[0, u8::from(file.doc.is_some())]);
            hash.update(file.blob.as_bytes());
        }
        Self(hash.digest128())
    }
}

/// Folder of saved graphs of one repository.
pub struct GraphCache {
    folder: PathBuf,
}

impl GraphCache {
    /// Names the cache below the repository's common sverklo folder. Nothing is created yet.
    pub fn new(sverklo_folder: &Path) -> Self {
        Self {
            folder: sverklo_folder.join("graph"),
        }
    }

    fn path(&self, key: GraphKey) -> PathBuf {
        self.folder.join(format!("{:032x}", key.0))
    }

    /// Loads the graph of a key, if it was saved and is whole.
    pub fn load(&self, key: GraphKey) -> Option<Graph> {
        let bytes = std::fs::read(self.path(key)).ok()?;
        let (body, checksum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let (saved, _) = bincode::decode_from_slice::<(u128, Graph), _>(body, encoding()).ok()?;
        let (of, graph) = saved;
        (of == key.0 && graph.is_sound()).then_some(graph)
    }

    /// Saves a graph. A failure to write costs time later, nothing else.
    pub fn save(&self, key: GraphKey, graph: &Graph) {
        let Ok(mut body) = bincode::encode_to_vec((key.0, graph), encoding()) else {
            return;
        };
        body.extend_from_slice(&xxh3_64(&body).to_le_bytes());
        if std::fs::create_dir_all(&self.folder).is_err() {
            return;
        }
        self.make_room();
        let written = tempfile::NamedTempFile::new_in(&self.folder).and_then(|mut file| {
            file.write_all(&body)?;
            file.persist(self.path(key)).map_err(|error| error.error)?;
            Ok(())
        });
        // A cache that cannot be written is a cache that is not there.
        let _ = written;
    }

    fn make_room(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else {
            return;
        };
        let dated = entries.filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        });
        let mut dated: Vec<_> = dated.collect();
        if dated.len() < MAX_SAVED {
            return;
        }
        dated.sort();
        for (_, path) in &dated[..=dated.len() - MAX_SAVED] {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Numbers as they lie in memory: reading is copying.
fn encoding() -> impl bincode::config::Config {
    bincode::config::standard().with_fixed_int_encoding()
}
