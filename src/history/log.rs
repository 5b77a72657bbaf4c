//! The pieces of one repository, in a folder that may be deleted at any time.
//!
//! Each file is one piece with a checksum. New commits are one new piece, which takes in those that are
//! not twice as large as itself, so that there are few and little is written again: the geometric
//! rule of git's commit-graph. The encoding is `bincode` 2: a disposable local cache that never travels
//! and never comes from a ref.

use super::piece::{Entry, Piece};
use crate::extract::EXTRACTOR_VERSION;
use crate::id::CommitId;
use std::cmp::Reverse;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Bumped when other things are recorded of a commit, or in another form.
const LOG_VERSION: u32 = 1;
/// How many times as large as a new piece one must be to be left alone.
const FACTOR: usize = 2;
/// Commits kept in all: four windows, for those who go back and forth between branches that have
/// little in common. Beyond that many are of branches that nobody has any more.
const MAX_COMMITS: usize = 4 * super::window::MAX_COMMITS;

/// A piece and the file it came from.
#[derive(Clone)]
struct Stored {
    piece: Arc<Piece>,
    path: PathBuf,
}

/// Pieces as they were found, the largest first.
#[derive(Clone, Default)]
pub struct Log {
    pieces: Vec<Stored>,
    /// Files that are none: damaged, or of another version.
    others: Vec<PathBuf>,
}

impl Log {
    /// The pieces.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = &Piece> {
        self.pieces.iter().map(|stored| &*stored.piece)
    }

    /// One of them.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn piece(&self, at: usize) -> &Piece {
        &self.pieces[at].piece
    }

    /// Which piece holds a commit, and where.
    pub fn find(&self, commit: CommitId) -> Option<(usize, u32)> {
        self.pieces()
            .enumerate()
            .find_map(|(piece, of)| Some((piece, of.find(commit)?)))
    }
}

/// Folder of a repository's pieces.
pub struct LogCache {
    folder: PathBuf,
}

impl LogCache {
    /// Names the cache below the repository's common sverklo folder. Nothing is created yet.
    pub fn new(sverklo_folder: &Path) -> Self {
        Self {
            folder: sverklo_folder.join("log"),
        }
    }

    /// Reads every piece that is whole.
    pub fn load(&self) -> Log {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        let (mut pieces, mut others) = (Vec::new(), Vec::new());
        for entry in entries.flatten() {
            let path = entry.path();
            match read(&path) {
                Some(piece) => pieces.push(Stored {
                    piece: Arc::new(piece),
                    path,
                }),
                // Files being written have names with a dot.
                None if entry.file_name().as_encoded_bytes().starts_with(b".") => {}
                None => others.push(path),
            }
        }
        // Names are hashes of what the pieces hold: the order depends on nothing else.
        pieces.sort_by(|a, b| {
            (Reverse(a.piece.len()), &a.path).cmp(&(Reverse(b.piece.len()), &b.path))
        });
        Log { pieces, others }
    }

    /// Adds commits, and returns all there is then. A failure to write costs time later, nothing else.
    pub fn add(&self, mut log: Log, mut entries: Vec<Entry>) -> Log {
        let mut gone = std::mem::take(&mut log.others);
        let held: usize = log.pieces().map(Piece::len).sum();
        if held + entries.len() > MAX_COMMITS {
            // This run goes on with what it has read; the folder starts anew.
            gone.extend(log.pieces.iter().map(|stored| stored.path.clone()));
        } else {
            let small = |stored: &mut Stored, count| stored.piece.len() < FACTOR * count;
            while let Some(last) = log.pieces.pop_if(|last| small(last, entries.len())) {
                entries.extend(last.piece.entries());
                gone.push(last.path);
            }
        }
        let piece = Arc::new(Piece::of(entries));
        // A read-only repository has no cache, and that is all.
        let path = self.save(&piece).unwrap_or_default();
        let is_saved = !path.as_os_str().is_empty();
        for old in gone.iter().filter(|old| is_saved && **old != path) {
            // Somebody who reads it just now has it open, or reads those commits again.
            let _ = std::fs::remove_file(old);
        }
        log.pieces.push(Stored { piece, path });
        log
    }

    fn save(&self, piece: &Piece) -> Option<PathBuf> {
        let mut body = bincode::encode_to_vec(piece, encoding()).ok()?;
        body.extend_from_slice(&versions());
        body.extend_from_slice(&xxh3_64(&body).to_le_bytes());
        let path = self.folder.join(format!("{:032x}", xxh3_128(&body)));
        std::fs::create_dir_all(&self.folder).ok()?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).ok()?;
        file.write_all(&body).ok()?;
        file.persist(&path).ok()?;
        Some(path)
    }
}

fn versions() -> [u8; 8] {
    (u64::from(LOG_VERSION) << 32 | u64::from(EXTRACTOR_VERSION)).to_le_bytes()
}

fn read(path: &Path) -> Option<Piece> {
    let bytes = std::fs::read(path).ok()?;
    let (whole, checksum) = bytes.split_last_chunk::<8>()?;
    if xxh3_64(whole) != u64::from_le_bytes(*checksum) {
        return None;
    }
    let (body, made_by) = whole.split_last_chunk::<8>()?;
    if *made_by != versions() {
        return None;
    }
    let decoded = bincode::decode_from_slice::<Piece, _>(body, encoding());
    let (piece, length) = decoded.ok()?;
    (length == body.len() && piece.is_sound()).then_some(piece)
}

/// Numbers as they lie in memory: reading is copying. No column may be longer than a window can need.
fn encoding() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_fixed_int_encoding()
        .with_limit::<{ 1 << 30 }>()
}
