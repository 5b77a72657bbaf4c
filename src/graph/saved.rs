//! Saved graphs: so that a question does not resolve a tree's names again.
//!
//! Guarantees: a saved graph is used only for exactly the paths and contents it was made from, or to
//! make the graph of a tree with the same paths; and only when its checksums hold and every number in
//! it is in range. Anything else is as if it were not there. Writing is atomic. The folder may be
//! deleted at any time. The encoding is `bincode` 2: a disposable local cache that never travels and
//! never comes from a ref.

use super::build::Made;
use super::edges::Graph;
use super::facts::{self, Facts};
use crate::extract::EXTRACTOR_VERSION;
use crate::view::live::View;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Bumped when resolution gives another graph for the same tree.
const GRAPH_VERSION: u32 = 7;

/// Saved graphs kept; the least recently written go first. That of prisma (7,300 files) has 22 MB.
const MAX_SAVED: usize = 12;

/// What a graph is made from, as two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphKey {
    /// Of paths alone: graphs that agree in it can be made from one another.
    paths: u64,
    /// Of paths and contents.
    whole: u128,
}

impl GraphKey {
    /// The key of a view: hashes of its paths, contents and grammars.
    pub fn of(view: &View) -> Self {
        let mut hash = Xxh3::new();
        hash.update(&GRAPH_VERSION.to_le_bytes());
        hash.update(&EXTRACTOR_VERSION.to_le_bytes());
        for file in view.files() {
            hash.update(file.path.as_bytes());
            hash.update(&[0, u8::from(file.doc.is_some())]);
            hash.update(file.blob.as_bytes());
        }
        let versions = u64::from(GRAPH_VERSION) << 32 | u64::from(EXTRACTOR_VERSION);
        Self {
            paths: facts::paths_of(view).wrapping_add(versions),
            whole: hash.digest128(),
        }
    }

    /// Whether the graph of one of two trees can be made from that of the other.
    pub fn is_near(self, other: Self) -> bool {
        self.paths == other.paths
    }
}

/// Folder of saved graphs of one repository.
#[derive(Clone)]
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
        let GraphKey { paths, whole } = key;
        self.folder.join(format!("{paths:016x}-{whole:032x}"))
    }

    /// Loads the graph of a key, if it was saved and is whole.
    pub fn load(&self, key: GraphKey) -> Option<Made> {
        let made = read(&self.path(key))?;
        (made.0 == key.whole).then_some(made.1)
    }

    /// Loads the latest graph that was saved for a tree of the same paths, if it is whole.
    pub fn near(&self, key: GraphKey) -> Option<Made> {
        let paths = format!("{:016x}-", key.paths);
        let entries = std::fs::read_dir(&self.folder).ok()?;
        let dated = entries.filter_map(|entry| {
            let entry = entry.ok()?;
            let near = entry.file_name().to_str()?.starts_with(&paths);
            near.then_some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        });
        Some(read(&dated.max()?.1)?.1)
    }

    /// Saves a graph. A failure to write costs time later, nothing else.
    pub fn save(&self, key: GraphKey, made: &Made) {
        let saved = (key.whole, &made.graph, &made.facts);
        let Ok(mut body) = bincode::encode_to_vec(saved, encoding()) else {
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

    /// Removes every saved graph: a document that they were made from was not true.
    pub fn clear(&self) {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        for entry in entries.flatten() {
            let _ = std::fs::remove_file(entry.path());
        }
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

/// Reads a file with a saved graph.
fn read(path: &Path) -> Option<(u128, Made)> {
    let bytes = std::fs::read(path).ok()?;
    let (body, checksum) = bytes.split_last_chunk::<8>()?;
    if xxh3_64(body) != u64::from_le_bytes(*checksum) {
        return None;
    }
    decode(body)
}

/// Reads a saved graph and the number of the tree it was made from.
pub(crate) fn decode(body: &[u8]) -> Option<(u128, Made)> {
    let saved = bincode::decode_from_slice::<(u128, Graph, Facts), _>(body, encoding());
    let ((of, graph, facts), _) = saved.ok()?;
    let sound = graph.is_sound() && facts.is_sound(graph.files(), graph.symbol_count());
    let resolved = 0;
    let made = Made {
        graph,
        facts,
        resolved,
    };
    sound.then_some((of, made))
}

/// Largest graph that is read, in bytes: ten times that of prisma. A length that is damaged would ask for
/// more memory than there is.
const MAX_BYTES: usize = 256 << 20;

/// Numbers as they lie in memory: reading is copying.
fn encoding() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_fixed_int_encoding()
        .with_limit::<MAX_BYTES>()
}
