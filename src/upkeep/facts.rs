//! `facts`: recording what compilers say, from the indexes that their indexers write.
//!
//! Guarantees: facts are recorded of committed contents only, those of the revision that was indexed. What an
//! index says is kept where the name of the symbol stands in the file; a document in which it often does not is
//! about another content, and is set aside as a whole. What is left out is counted, and files are named.

mod document;
pub mod show;

use super::Error;
use super::reported::{self, ImportOptions, Imports};
use crate::git::path::RepoPath;
use crate::git::worktree;
use crate::git::{Head, Repo, tree};
use crate::query::serialize;
use crate::scip::Index;
use crate::store::Snapshot;
use crate::store::facts::FactsByBlob;
use crate::store::recorded::OfBlob;
use crate::trace::paths::Found;
use crate::view::files::{File, mark_forgotten};
use document::{Read, Symbols};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::path::Path;

/// Largest index that is read, in bytes.
const MAX_INDEX_BYTES: u64 = 2 << 30;

/// What one index came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Imported {
    /// The index, as it was given.
    pub index: String,
    /// What made it, as it says.
    pub tool: String,
    /// Documents it has.
    pub documents: usize,
    /// Those of them whose facts were taken.
    pub taken: usize,
}

/// What `facts import` did, or would do.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ImportReport {
    /// By index.
    pub indexes: Vec<Imported>,
    /// Places at which symbols are defined.
    pub definitions: usize,
    /// Places at which they are used.
    pub uses: usize,
    /// Occurrences that were left out: the symbol's name does not stand there, or it is defined nowhere.
    pub left_out: usize,
    /// Files that the work tree has changed since `HEAD`, so that nobody knows which content was indexed.
    #[serde(
        serialize_with = "serialize::each_shown",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub changed: Vec<RepoPath>,
    /// Files that were another content when they were indexed.
    #[serde(
        serialize_with = "serialize::each_shown",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub outdated: Vec<RepoPath>,
    /// What is the same for all imports.
    #[serde(flatten)]
    pub imports: Imports,
}

/// The files of a revision that are read as documents, ordered by path.
struct Tree {
    files: Vec<File>,
    /// Those that the work tree has changed.
    changed: FxHashSet<RepoPath>,
}

impl Tree {
    /// Opens the tree of a revision; that of `HEAD` without one, and then with what has changed since.
    fn open(repo: &Repo, at: Option<&str>, snapshot: &Snapshot) -> Result<Self, Error> {
        let commit = match (at, repo.head()?) {
            (Some(rev), _) => Some(repo.resolve(rev)?),
            (None, Head::Commit { id, .. }) => Some(id),
            (None, Head::Unborn) => None,
        };
        let entries = match commit {
            Some(commit) => tree::list_commit(repo, commit)?,
            None => Vec::new(),
        };
        let changed = match at.is_none() && !repo.is_bare() {
            true => {
                let dirty = worktree::status(repo, &entries)?.dirty.into_iter();
                dirty.map(|dirty| dirty.path).collect()
            }
            false => FxHashSet::default(),
        };
        let files = entries.into_iter().map(|entry| File::new(entry, false));
        let mut files: Vec<File> = files.collect();
        mark_forgotten(&mut files, snapshot.ledger());
        files.retain(|file| file.key().is_some());
        Ok(Self { files, changed })
    }
}

/// Records what indexes say of a revision; of `HEAD` without one, and then what the work tree has changed is set
/// aside. A relative path is looked for in `dir` first. Fails with [`Error::Scip`] for a
/// file that is no index; else see [`Error`].
pub fn import(repo: &Repo, options: &ImportOptions, dir: &Path) -> Result<ImportReport, Error> {
    let mut out = ImportReport {
        imports: Imports {
            dry_run: options.dry_run,
            ..Imports::default()
        },
        ..ImportReport::default()
    };
    let snapshot = Snapshot::open(repo)?;
    let tree = Tree::open(repo, options.at.as_deref(), &snapshot)?;
    let mut known = FactsByBlob::new();
    for file in &options.files {
        read_index(repo, &tree, (file, options), dir, &mut known, &mut out)?;
    }
    for paths in [&mut out.changed, &mut out.outdated] {
        paths.sort_unstable();
        paths.dedup();
    }
    known.retain(|_, facts| !facts.is_empty());
    for facts in known.values() {
        out.definitions += facts.definitions().len();
        out.uses += facts.uses().len();
    }
    out.imports.finish(repo, snapshot, &known)?;
    Ok(out)
}

fn read_index(
    repo: &Repo,
    tree: &Tree,
    (file, options): (&Path, &ImportOptions),
    dir: &Path,
    known: &mut FactsByBlob,
    out: &mut ImportReport,
) -> Result<(), Error> {
    let bytes = reported::read(dir, file, MAX_INDEX_BYTES)?;
    let bad = |source| Error::Scip {
        path: file.to_owned(),
        source,
    };
    let index = Index::open(&bytes).map_err(bad)?;
    let paths = tree.files.iter().map(|file| file.path.as_bytes());
    let places = reported::places(repo, paths.collect(), &options.strip, dir);
    let mut symbols = Symbols::default();
    let (mut named, mut bare) = (Vec::new(), Vec::new());
    for document in index.documents() {
        let path = document.map_err(bad)?.path;
        named.push(below(&index.root, &path));
        bare.push(path);
    }
    let find = |paths: &[String]| {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        places.find(&paths)
    };
    let mut found = find(&named);
    // What was indexed elsewhere may have been a folder of this repository alone.
    if !found.iter().any(|found| matches!(found, Found::File(_))) {
        found = find(&bare);
    }
    // What is defined must be known before what is used can be judged.
    for document in index.documents() {
        symbols.define(&document.map_err(bad)?);
    }
    let mut objects = repo.objects();
    let mut content = Vec::new();
    let mut taken = 0;
    for ((document, found), path) in index.documents().zip(found).zip(bare) {
        let file = match found {
            Found::File(at) => &tree.files[at],
            Found::Ambiguous => {
                out.imports.ambiguous.push(path);
                continue;
            }
            Found::Nowhere => {
                out.imports.unmatched.push(path);
                continue;
            }
        };
        if tree.changed.contains(&file.path) {
            out.changed.push(file.path.clone());
            continue;
        }
        if let Err(err) = objects.blob(file.blob, &mut content) {
            out.imports
                .warnings
                .push(format!("{} was left out: {err}", file.path));
            continue;
        }
        match symbols.facts(&document.map_err(bad)?, &content) {
            Read::OfAnother => out.outdated.push(file.path.clone()),
            Read::Facts { facts, left_out } => {
                taken += 1;
                out.left_out += left_out;
                let known = known.entry(file.blob).or_default();
                known.unite(&facts);
            }
        }
    }
    out.indexes.push(Imported {
        index: file.display().to_string(),
        tool: index.tool.clone(),
        documents: index.len(),
        taken,
    });
    Ok(())
}

/// The path of a document, with the root that it starts from.
fn below(root: &str, path: &str) -> String {
    match root.is_empty() || path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{}/{path}", root.trim_end_matches('/')),
    }
}
