//! Saved graphs: so that a question does not resolve a tree's names again. With each is saved how it came about, so that
//! in the next tree only what changed is looked at, whichever process asks.
//!
//! Guarantees: a saved graph is used only for exactly the paths, contents and segments it was made from, or,
//! in another tree, for the files whose contents and segments are still the same
//! ([`Digests`]); and only when its seal holds ([`crate::cache`]), every number in it is in range and it has as
//! many files as the view. Anything else is as if it were not there. Columns are read in place, so that all servers of
//! a clone share their pages ([`super::numbers`]); the rest is encoded by `bincode` 2: a disposable local cache that never
//! travels and never comes from a ref.

mod found;

use super::build::Made;
use super::digests::{self, Digests};
use super::edges::Graph;
use super::listing::Listing;
use super::numbers::{Bytes, Numbers, columns};
use super::reuse::Kept;
use crate::cache::Kept as Folder;
use crate::extract::fingerprint;
use crate::id::FactsId;
use crate::view::live::View;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// Bumped when resolution gives another graph for the same tree.
pub(crate) const GRAPH_VERSION: u32 = 61;

/// Saved graphs of commits; the least recently written go first. That of prisma (7,300 files) has 23 MB.
const MAX_SAVED: usize = 9;

/// The same of work trees with edits: each edit makes one, and they must not drive out those of commits.
const MAX_EDITED: usize = 3;

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
        Self {
            paths: digests::paths_of(view).wrapping_add(versions()),
            whole: hash.digest128(),
        }
    }

    /// Whether the graph of one of two trees can be made from that of the other.
    pub fn same_paths(self, other: Self) -> bool {
        self.paths == other.paths
    }
}

/// Folders of the saved graphs: of commits, and of work trees with edits.
const COMMITTED: &str = "graph";
const EDITED: &str = "graph-edited";

/// Whether a view has what is not committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IsEdited(pub bool);

impl IsEdited {
    fn folder(self) -> &'static str {
        match self {
            Self(true) => EDITED,
            Self(false) => COMMITTED,
        }
    }
}

/// Saved graphs of one repository.
#[derive(Clone)]
pub struct GraphCache {
    folder: Folder,
}

impl GraphCache {
    /// Names the cache among what is kept. Nothing is created yet.
    pub fn new(kept: &Folder) -> Self {
        let folder = kept.clone();
        Self { folder }
    }

    /// Loads the graph of a view, if it was saved and is whole.
    pub fn load(&self, key: GraphKey, view: &View) -> Option<Made> {
        let made = self.open(IsEdited(view.dirty > 0).folder(), &name(key))?;
        (made.graph.files() == view.files().len()).then_some(made)
    }

    /// Loads the latest graph that was saved for a tree of the same paths, if it is whole.
    pub fn latest_of_paths(&self, key: GraphKey) -> Option<Made> {
        self.latest_named(&format!("{:016x}-", key.paths))
    }

    /// Loads the graph that was saved last, if it is whole.
    pub fn latest(&self) -> Option<Made> {
        self.latest_named("")
    }

    fn latest_named(&self, start: &str) -> Option<Made> {
        let saved = [COMMITTED, EDITED].map(|folder| (folder, self.folder.list(folder)));
        let all = saved.iter().flat_map(|(folder, entries)| {
            let entries = entries.iter();
            entries.map(|entry| (entry, *folder))
        });
        let (latest, folder) = all
            .filter(|(entry, _)| entry.name.starts_with(start))
            .max()?;
        self.open(folder, &latest.name)
    }

    /// Saves the graph of a view and how it came about. A failure to write costs time later, nothing else.
    pub fn save(&self, key: GraphKey, (made, kept): (&Made, &Kept), is_edited: IsEdited) {
        let Some(body) = encode(made, kept) else {
            return;
        };
        let folder = is_edited.folder();
        let most = match is_edited {
            IsEdited(true) => MAX_EDITED,
            IsEdited(false) => MAX_SAVED,
        };
        self.folder.evict(folder, most - 1);
        // A cache that cannot be written is a cache that is not there.
        let _ = self.folder.write(&format!("{folder}/{}", name(key)), &body);
    }

    /// Removes every saved graph: a document that they were made from was not true.
    pub fn clear(&self) {
        self.folder.retain(COMMITTED, |_| false);
        self.folder.retain(EDITED, |_| false);
    }

    fn open(&self, folder: &str, name: &str) -> Option<Made> {
        decode(Arc::new(self.folder.read(&format!("{folder}/{name}"))?))
    }
}

/// Where a column begins behind what is before it: numbers of eight bytes lie at multiples of these.
fn aligned(end: usize) -> usize {
    end.next_multiple_of(8)
}

/// How a graph came about, as it is saved.
#[derive(Clone, Default)]
pub(super) struct SavedKept {
    /// See [`found`].
    found: Numbers<u32>,
    has_members: Numbers<u8>,
    listing: Arc<Listing>,
    /// How many files and definitions the graph has.
    files: usize,
    symbols: usize,
}

columns! { SavedKept: found has_members }

impl SavedKept {
    fn of(made: &Made, kept: &Kept) -> Self {
        Self {
            found: found::write(&kept.found).into(),
            has_members: kept.has_members.clone(),
            listing: kept.listing.clone(),
            files: made.graph.files(),
            symbols: made.graph.symbol_count(),
        }
    }

    /// What of it the next graph is made from; `None` when it is not whole.
    pub(super) fn open(&self) -> Option<Kept> {
        Some(Kept {
            found: found::read(&self.found, self.files, self.symbols)?,
            has_members: self.has_members.clone(),
            listing: self.listing.clone(),
            held: None,
        })
    }

    fn is_sound(&self) -> bool {
        self.has_members.len() == self.symbols && self.listing.is_sound(self.files)
    }
}

/// Which resolution a graph is of, among those of all versions that have lain in the folder.
fn versions() -> u64 {
    fingerprint::of_all().wrapping_add(u64::from(GRAPH_VERSION))
}

/// The versions, length of the head, the head (all but the columns, and their lengths in bytes), the columns: of the
/// graph, and of how it came about.
pub(super) fn encode(made: &Made, kept: &Kept) -> Option<Vec<u8>> {
    let (graph, digests) = (&made.graph, &made.digests);
    let kept = SavedKept::of(made, kept);
    let mut columns = graph.columns();
    columns.extend(kept.columns());
    columns.extend(kept.listing.columns());
    let lengths: Vec<u64> = (columns.iter().map(|column| column.bytes().len() as u64)).collect();
    let head = bincode::encode_to_vec((graph, digests, lengths), encoding()).ok()?;
    let mut body = versions().to_le_bytes().to_vec();
    body.extend_from_slice(&(head.len() as u64).to_le_bytes());
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
    let (made_by, rest) = all.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    if u64::from_le_bytes(*made_by) != versions() {
        return None;
    }
    let head = rest.get(..length)?;
    let head = bincode::decode_from_slice::<(Graph, Digests, Vec<u64>), _>(head, encoding());
    let ((mut graph, digests, lengths), _) = head.ok()?;
    let (mut saved, mut listing) = (SavedKept::default(), Listing::default());
    let mut columns = graph.columns_mut();
    columns.extend(saved.columns_mut());
    columns.extend(listing.columns_mut());
    if columns.len() != lengths.len() {
        return None;
    }
    let mut end = all.len() - rest.len() + length;
    for (column, length) in columns.into_iter().zip(lengths) {
        let start = aligned(end);
        end = start.checked_add(usize::try_from(length).ok()?)?;
        column.read(&body, start..end)?;
    }
    saved.listing = Arc::new(listing);
    (saved.files, saved.symbols) = (graph.files(), graph.symbol_count());
    let sound = graph.is_sound()
        && digests.is_sound(graph.files(), graph.symbol_count())
        && saved.is_sound();
    let made = Made {
        graph,
        digests,
        saved: Some(saved),
        resolved: 0,
    };
    sound.then_some(made)
}

fn name(key: GraphKey) -> String {
    let GraphKey { paths, whole } = key;
    format!("{paths:016x}-{whole:032x}")
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
