//! Saved graphs: so that a question does not resolve a tree's names again.
//!
//! Guarantees: a saved graph is used only for exactly the paths, contents and segments it was made from, or,
//! in a tree with the same paths, for the files whose contents and segments are still the same
//! ([`Digests`]); and only when its seal holds ([`crate::cache`]), every number in it is in range and it has as
//! many files as the view. Anything else is as if it were not there. Columns are read in place, so that all servers of
//! a clone share their pages ([`super::numbers`]); the rest is encoded by `bincode` 2: a disposable local cache that never
//! travels and never comes from a ref.

use super::build::Made;
use super::digests::{self, Digests};
use super::edges::Graph;
use super::numbers::Bytes;
use crate::cache::Kept;
use crate::extract::fingerprint;
use crate::id::FactsId;
use crate::view::live::View;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// Bumped when resolution gives another graph for the same tree.
pub(crate) const GRAPH_VERSION: u32 = 58;

/// Saved graphs kept; the least recently written go first. That of prisma (7,300 files) has 22 MB.
const MAX_SAVED: usize = 12;

/// What a graph is made from, as two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphKey {
    /// Of paths alone: graphs that agree in it can be made from one another.
    paths: u64,
    /// Of paths, contents, and the segments and pieces that say what is in them.
    whole: u128,
}

impl GraphKey {
    /// The key of a view: hashes of its paths, contents, grammars and segments, and of the pieces that say what
    /// compilers said. Documents in no index (of uncommitted files) are this user's own, and follow from the
    /// contents.
    pub fn of(view: &View, facts: &[FactsId]) -> Self {
        let mut hash = Xxh3::new();
        hash.update(&GRAPH_VERSION.to_le_bytes());
        hash.update(&fingerprint::of_all().to_le_bytes());
        for file in view.files() {
            hash.update(file.path.as_bytes());
            hash.update(&[0, u8::from(file.doc.is_some())]);
            hash.update(file.blob.as_bytes());
            if let Some(source) = view.source(file) {
                hash.update(source.as_bytes());
            }
        }
        for piece in facts {
            hash.update(piece.as_bytes());
        }
        let versions = fingerprint::of_all().wrapping_add(u64::from(GRAPH_VERSION));
        Self {
            paths: digests::paths_of(view).wrapping_add(versions),
            whole: hash.digest128(),
        }
    }

    /// Whether the graph of one of two trees can be made from that of the other.
    pub fn same_paths(self, other: Self) -> bool {
        self.paths == other.paths
    }
}

/// Folder of the saved graphs.
const FOLDER: &str = "graph";

/// Saved graphs of one repository.
#[derive(Clone)]
pub struct GraphCache {
    kept: Kept,
}

impl GraphCache {
    /// Names the cache among what is kept. Nothing is created yet.
    pub fn new(kept: &Kept) -> Self {
        Self { kept: kept.clone() }
    }

    /// Loads the graph of a view, if it was saved and is whole.
    pub fn load(&self, key: GraphKey, view: &View) -> Option<Made> {
        let made = self.read(&name(key))?;
        (made.graph.files() == view.files().len()).then_some(made)
    }

    /// Loads the latest graph that was saved for a tree of the same paths, if it is whole.
    pub fn latest(&self, key: GraphKey) -> Option<Made> {
        let paths = format!("{:016x}-", key.paths);
        let saved = self.kept.list(FOLDER);
        let latest = saved
            .iter()
            .rev()
            .find(|entry| entry.name.starts_with(&paths));
        self.read(&format!("{FOLDER}/{}", latest?.name))
    }

    /// Saves a graph. A failure to write costs time later, nothing else.
    pub fn save(&self, key: GraphKey, made: &Made) {
        let Some(body) = encode(made) else {
            return;
        };
        self.kept.evict(FOLDER, MAX_SAVED - 1);
        // A cache that cannot be written is a cache that is not there.
        let _ = self.kept.write(&name(key), &body);
    }

    /// Removes every saved graph: a document that they were made from was not true.
    pub fn clear(&self) {
        self.kept.retain(FOLDER, |_| false);
    }

    fn read(&self, name: &str) -> Option<Made> {
        decode(Arc::new(self.kept.read(name)?))
    }
}

/// Where a column begins behind what is before it: numbers of eight bytes lie at multiples of these.
fn aligned(end: usize) -> usize {
    end.next_multiple_of(8)
}

/// Length of the head, the head (all but the graph's columns, and their lengths in bytes), the columns.
fn encode(made: &Made) -> Option<Vec<u8>> {
    let (graph, digests) = (&made.graph, &made.digests);
    let columns = graph.columns();
    let lengths: Vec<u64> = (columns.iter().map(|column| column.bytes().len() as u64)).collect();
    let head = bincode::encode_to_vec((graph, digests, lengths), encoding()).ok()?;
    let mut body = (head.len() as u64).to_le_bytes().to_vec();
    body.extend_from_slice(&head);
    for column in columns {
        body.resize(aligned(body.len()), 0);
        body.extend_from_slice(column.bytes());
    }
    Some(body)
}

/// Reads a saved graph, and leaves its columns where they are.
pub(crate) fn decode(body: Bytes) -> Option<Made> {
    let all = (*body).as_ref();
    let head_end = usize::try_from(u64::from_le_bytes(*all.first_chunk()?)).ok()?;
    let head_end = head_end.checked_add(8)?;
    let head = all.get(8..head_end)?;
    let head = bincode::decode_from_slice::<(Graph, Digests, Vec<u64>), _>(head, encoding());
    let ((mut graph, digests, lengths), _) = head.ok()?;
    let columns = graph.columns_mut();
    if columns.len() != lengths.len() {
        return None;
    }
    let mut end = head_end;
    for (column, length) in columns.into_iter().zip(lengths) {
        let start = aligned(end);
        end = start.checked_add(usize::try_from(length).ok()?)?;
        column.read(&body, start..end)?;
    }
    let sound = graph.is_sound() && digests.is_sound(graph.files(), graph.symbol_count());
    let resolved = 0;
    let made = Made {
        graph,
        digests,
        resolved,
    };
    sound.then_some(made)
}

fn name(key: GraphKey) -> String {
    let GraphKey { paths, whole } = key;
    format!("{FOLDER}/{paths:016x}-{whole:032x}")
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
