//! Saved views: which document each path of a tree is, so that a query does not list the tree and
//! search the segments again.
//!
//! Guarantees: a saved view is used only for exactly the tree, segment set, extractor and layout it was
//! saved for, and only when its seal holds ([`crate::cache`]) and each document it names is that of the
//! file's blob; anything else is as if it were not there. The encoding is `bincode` 2: this is a
//! disposable local cache that never travels and never comes from a ref.

use super::files::{File, Reading, mark_forgotten};
use super::live::View;
use super::role::FileRole;
use crate::cache::Kept;
use crate::extract::fingerprint;
use crate::git::Arrivals;
use crate::git::path::RepoPath;
use crate::git::tree::EntryMode;
use crate::id::{BlobId, DocAddress, DocId, SegmentOrd, TreeId};
use crate::segment::Segment;
use crate::store::Snapshot;
use std::sync::Arc;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Bumped when what is saved, or how paths are read and what they are for, changes (a test says when).
const CACHE_VERSION: u32 = 7;

/// Largest view that is read, in bytes: some two million files. A length that is damaged would ask for more
/// memory than there is.
const MAX_BYTES: usize = 256 << 20;

/// Saved views kept; the least recently written go first. A view of 10,000 files is about 1 MB.
const MAX_SAVED: usize = 24;

/// Folder of the saved views.
const FOLDER: &str = "view";

#[derive(bincode::Encode, bincode::Decode)]
struct Saved {
    /// Paths, each ended by a NUL byte.
    paths: Vec<u8>,
    /// Object ids, one after the other.
    blobs: Vec<u8>,
    /// Modes, one a file.
    modes: Vec<u8>,
    /// What the files are for, one a file: to judge all paths takes as long as all the rest.
    roles: Vec<u8>,
    /// Segment ordinal plus one, or 0 for no document.
    segments: Vec<u32>,
    /// Document ordinals.
    docs: Vec<u32>,
    /// In which state of the objects the files without a document that should have one were missing.
    objects: Option<Arrivals>,
}

/// Saved views of one repository.
pub struct ViewCache {
    kept: Kept,
}

impl ViewCache {
    /// Names the cache among what is kept. Nothing is created yet.
    pub fn new(kept: &Kept) -> Self {
        Self { kept: kept.clone() }
    }

    /// Loads the view of `tree` over the segments of `snapshot`, if it was saved and is whole, with the state of the
    /// objects that it was saved with.
    pub fn load(&self, tree: TreeId, snapshot: &Snapshot) -> Option<(View, Option<Arrivals>)> {
        let body = self.kept.read(&name(tree, snapshot))?;
        let segments: Vec<Arc<Segment>> = snapshot
            .segments()
            .iter()
            .map(|open| open.segment().clone())
            .collect();
        let (mut files, objects) = decode(body.as_ref(), &segments)?;
        mark_forgotten(&mut files, snapshot.ledger());
        Some((View::assemble(files, &segments, 0), objects))
    }

    /// Saves a view without uncommitted files; what it lacks was missing in this state of the objects. A failure to write
    /// costs time later, nothing else.
    pub fn save(&self, tree: TreeId, snapshot: &Snapshot, view: &View, objects: Option<Arrivals>) {
        let mut saved = Saved {
            paths: Vec::new(),
            blobs: Vec::new(),
            modes: Vec::new(),
            roles: Vec::new(),
            segments: Vec::new(),
            docs: Vec::new(),
            objects: objects.filter(|_| view.lacks_files()),
        };
        for file in view.files() {
            saved.paths.extend_from_slice(file.path.as_bytes());
            saved.paths.push(0);
            saved.blobs.extend_from_slice(file.blob.as_bytes());
            saved.modes.push(match file.reading {
                Reading::Outside => OUTSIDE,
                _ => mode_code(file.mode),
            });
            saved.roles.push(file.role as u8);
            saved.segments.push(file.doc.map_or(0, |d| d.segment.0 + 1));
            saved.docs.push(file.doc.map_or(0, |d| d.doc.0));
        }
        let Ok(bytes) = bincode::encode_to_vec(&saved, bincode::config::standard()) else {
            return;
        };
        // Best effort: a read-only repository has no cache, and that is all.
        let _ = self.kept.write(&name(tree, snapshot), &bytes);
        self.kept.evict(FOLDER, MAX_SAVED);
    }

    /// Removes the views of other sets of segments than that of `snapshot`, and returns the
    /// number of bytes that are free now.
    pub fn retain(&self, snapshot: &Snapshot) -> u64 {
        let kept = format!("{:016x}-", set_key(snapshot));
        self.kept.retain(FOLDER, |name| name.starts_with(&kept))
    }
}

/// Names the view of a tree. The set comes first, so that what belongs to another one is known by it.
fn name(tree: TreeId, snapshot: &Snapshot) -> String {
    let (set, key) = (set_key(snapshot), key(tree, snapshot));
    format!("{FOLDER}/{set:016x}-{key:032x}")
}

/// Names a set of segments and what may not be recorded.
fn set_key(snapshot: &Snapshot) -> u64 {
    xxh3_64(&set_bytes(snapshot))
}

fn key(tree: TreeId, snapshot: &Snapshot) -> u128 {
    let mut bytes = set_bytes(snapshot);
    bytes.extend_from_slice(tree.as_bytes());
    xxh3_128(&bytes)
}

fn set_bytes(snapshot: &Snapshot) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64 + snapshot.segments().len() * 20);
    bytes.extend_from_slice(&CACHE_VERSION.to_le_bytes());
    bytes.extend_from_slice(&fingerprint::of_all().to_le_bytes());
    for open in snapshot.segments() {
        bytes.extend_from_slice(open.id().as_bytes());
    }
    // An id is never this number of zeros, so the two lists cannot be confused.
    bytes.extend_from_slice(&[0; 64]);
    for blob in snapshot.ledger().denied() {
        bytes.extend_from_slice(blob.as_bytes());
    }
    bytes
}

/// Reads the files of a saved view of these segments, with the state of the objects.
pub(crate) fn decode(
    body: &[u8],
    segments: &[Arc<Segment>],
) -> Option<(Vec<File>, Option<Arrivals>)> {
    let encoding = bincode::config::standard().with_limit::<MAX_BYTES>();
    let (saved, _) = bincode::decode_from_slice::<Saved, _>(body, encoding).ok()?;
    Some((restore(&saved, segments)?, saved.objects))
}

fn restore(saved: &Saved, segments: &[Arc<Segment>]) -> Option<Vec<File>> {
    let count = saved.modes.len();
    if count == 0 {
        return Some(Vec::new());
    }
    let id_len = saved.blobs.len() / count;
    if [saved.segments.len(), saved.docs.len(), saved.roles.len()] != [count; 3] {
        return None;
    }
    let mut paths = saved.paths.split(|b| *b == 0);
    let mut files = Vec::with_capacity(count);
    for i in 0..count {
        let path = RepoPath::new(paths.next()?).ok()?;
        if saved.modes[i] == OUTSIDE {
            let blob = saved.blobs.get(i * id_len..(i + 1) * id_len)?;
            let hash = BlobId::from_bytes(blob)?.as_object().kind();
            files.push(File::outside(path, hash));
            continue;
        }
        let mode = mode_of(saved.modes[i])?;
        let blob = BlobId::from_bytes(saved.blobs.get(i * id_len..(i + 1) * id_len)?)?;
        let role = *FileRole::ALL.get(usize::from(saved.roles[i]))?;
        let (doc, reading) = match saved.segments[i].checked_sub(1) {
            None => (None, Reading::of(&path, mode)),
            Some(ord) => {
                let doc = DocId(saved.docs[i]);
                let segment = segments.get(ord as usize)?;
                let key = (doc.0 < segment.doc_count()).then(|| segment.key(doc))?;
                if key.blob != blob {
                    return None;
                }
                let at = DocAddress {
                    segment: SegmentOrd(ord),
                    doc,
                };
                // It has a document because it was to be read as one.
                (Some(at), Reading::Document(key.grammar))
            }
        };
        files.push(File {
            reading,
            role,
            blob,
            path,
            mode,
            doc,
            dirty: false,
        });
    }
    Some(files)
}

/// What is saved in place of a mode for a folder that is left out.
const OUTSIDE: u8 = 4;

fn mode_code(mode: EntryMode) -> u8 {
    match mode {
        EntryMode::File => 0,
        EntryMode::Executable => 1,
        EntryMode::Symlink => 2,
        EntryMode::Gitlink => 3,
    }
}

fn mode_of(code: u8) -> Option<EntryMode> {
    [
        EntryMode::File,
        EntryMode::Executable,
        EntryMode::Symlink,
        EntryMode::Gitlink,
    ]
    .get(usize::from(code))
    .copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`CACHE_VERSION`] says of how paths are judged: where this is another, raise both.
    #[test]
    fn the_version_is_that_of_how_paths_are_judged() {
        const JUDGED: (u32, u64) = (7, 8944642465784987489);
        let names = words!(
            ".env .npmrc id_rsa a.pem a.example.pem Cargo.lock package-lock.json a.min.js a.min.map
             go.sum a.rs a.py a.pyi a.ts a.d.ts a.tsx a.vue a.h a.hpp a.c a.cs a.kt a.kts a.java a.scala
             a.rb Gemfile Rakefile Makefile a.mk a.php a.swift a.lua a.jl a.ex a.exs a.sh a.md a.rst a.txt
             a.json a.toml a.yml a.cfg a.svg a.png LICENSE README CHANGELOG.md README.zh-CN.md a.1 a_test.go
             test_a.go a.api test_a.py a.test.ts a.spec.js ATest.java a_spec.rb ATests.cs conftest.py a.stories.tsx
             a.generated.ts a.e2e.ts setup.py build.gradle pom.xml vite.config.ts Dockerfile .eslintrc.js"
        );
        let folders = words!(
            "src vendor third_party node_modules dist gen test spec e2e integration src/integrationTest
             examples docs docs/ja i18n/pt-br website .github jquery-1.2.3 e2e-tests test_lib
             src/main/java/test/demo templates/docs .kube keys src/site"
        );
        let mut hasher = xxhash_rust::xxh3::Xxh3Default::new();
        for folder in folders {
            for name in names {
                let path = RepoPath::new(format!("{folder}/{name}")).unwrap();
                let role = FileRole::of_path(path.as_bytes());
                let reading = Reading::of(&path, EntryMode::File);
                // A build may lack the grammar.
                let reading = match reading {
                    Reading::Document(_) | Reading::NoGrammar => {
                        crate::lang::by_file_name(path.file_name()).label()
                    }
                    other => other.skip_label().unwrap(),
                };
                hasher.update(reading.as_bytes());
                hasher.update(&[role as u8]);
            }
        }
        assert_eq!((CACHE_VERSION, hasher.digest()), JUDGED);
    }
}
