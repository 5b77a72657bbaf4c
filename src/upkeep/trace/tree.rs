//! The tree that ran, with the functions of its files.

use super::{TreeFile, content};
use crate::extract::record::{DocKey, SymbolKind};
use crate::extract::{Extractor, record};
use crate::git::worktree::{self, DirtyState};
use crate::git::{Head, Repo, tree};
use crate::id::{LocalName, NameId};
use crate::query::engine::not_covered;
use crate::segment::Segment;
use crate::store::trace::Body;
use crate::store::{self, Ledger, Progress, Snapshot};
use crate::upkeep::Error;
use crate::view::files::{File, Reading, mark_forgotten};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Largest `go.mod` that is read, in bytes.
const MAX_GO_MOD_BYTES: u64 = 1 << 16;

/// The files that are read of a tree, ordered by path.
pub(super) struct Tree {
    pub files: Vec<TreeFile>,
}

/// A function and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Function {
    /// Its name behind those of what it is nested in.
    pub name: String,
    pub body: Body,
}

/// The functions of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Functions {
    /// Number of lines of the file, when it was read.
    pub lines: Option<u32>,
    /// In source order.
    pub all: Vec<Function>,
}

/// The functions of several files; `None` for one that cannot be read.
pub(super) struct Found {
    pub files: Vec<Option<Functions>>,
    pub warnings: Vec<String>,
}

impl Tree {
    /// Opens the tree of a revision, or the work tree.
    pub fn open(repo: &Repo, at: Option<&str>, ledger: &Ledger) -> Result<Self, Error> {
        let commit = match (at, repo.head()?) {
            (Some(rev), _) => Some(repo.resolve(rev)?),
            (None, Head::Commit { id, .. }) => Some(id),
            (None, Head::Unborn) => None,
        };
        let entries = match commit {
            Some(commit) => tree::list_commit(repo, commit)?,
            None => Vec::new(),
        };
        let mut bytes = BTreeMap::new();
        let mut files: BTreeMap<_, File> = BTreeMap::new();
        for entry in &entries {
            files.insert(entry.path.clone(), File::new(entry.clone(), false));
        }
        if at.is_none() && !repo.is_bare() {
            for dirty in worktree::status(repo, &entries)?.dirty {
                let DirtyState::Content { id, bytes: content } = dirty.state else {
                    files.remove(&dirty.path);
                    continue;
                };
                let entry = tree::TreeEntry {
                    path: dirty.path.clone(),
                    mode: tree::EntryMode::File,
                    id,
                };
                bytes.insert(dirty.path.clone(), content);
                files.insert(dirty.path, File::new(entry, true));
            }
        }
        let mut files: Vec<File> = files.into_values().collect();
        mark_forgotten(&mut files, ledger);
        let read = files.into_iter().filter_map(|file| match file.reading {
            Reading::Document(grammar) => Some(TreeFile {
                bytes: bytes.remove(&file.path).map(Arc::unwrap_or_clone),
                path: file.path,
                blob: file.blob,
                grammar,
            }),
            _ => None,
        });
        Ok(Self {
            files: read.collect(),
        })
    }

    /// The Go modules of the tree: the name of each and its folder, which is empty at the top.
    pub fn go_modules(&self, repo: &Repo) -> Vec<(String, String)> {
        let mut objects = repo.objects();
        let mut out = Vec::new();
        for file in &self.files {
            if file.path.file_name() != "go.mod" {
                continue;
            }
            let is_large = file.bytes.is_none()
                && !matches!(objects.blob_size(file.blob), Ok(size) if size <= MAX_GO_MOD_BYTES);
            if is_large {
                continue;
            }
            let text = content(&mut objects, file).unwrap_or_default();
            let folder = file
                .path
                .parent()
                .map(|folder| folder.as_bstr().to_string());
            if let Some(name) = module_name(&String::from_utf8_lossy(&text)) {
                out.push((name.to_owned(), folder.unwrap_or_default()));
            }
        }
        out
    }

    /// Finds the functions of the files at `positions`, extending the index by what it lacks.
    pub fn functions(
        &self,
        repo: &Repo,
        snapshot: &Snapshot,
        positions: &[usize],
        progress: &dyn Progress,
    ) -> Result<Found, Error> {
        let committed = positions.iter().map(|at| &self.files[*at]);
        let keys: Vec<DocKey> = committed
            .filter(|file| file.bytes.is_none())
            .map(TreeFile::key)
            .collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (snapshot, report) = store::ensure(repo, snapshot, &keys, threads, progress)?;
        let mut extractor = Extractor::new();
        let files = positions.iter().map(|at| {
            let file = &self.files[*at];
            if let Some(live) = snapshot.find(&file.key()) {
                let segment = snapshot.segment(live.segment)?;
                return Some(of_document(segment, live.doc));
            }
            let bytes = file.bytes.as_ref()?;
            Some(of_record(&extractor.extract(bytes, file.grammar)))
        });
        Ok(Found {
            files: files.collect(),
            warnings: not_covered(&report).into_iter().collect(),
        })
    }
}

impl TreeFile {
    fn key(&self) -> DocKey {
        DocKey {
            blob: self.blob,
            grammar: self.grammar,
        }
    }
}

fn of_document(segment: &Segment, doc: crate::id::DocId) -> Functions {
    let row = segment.doc(doc);
    let mut buffer = Vec::new();
    let name = |id: NameId| {
        buffer.clear();
        segment.name(id, &mut buffer);
        String::from_utf8_lossy(&buffer).into_owned()
    };
    Functions {
        lines: row.skip.is_none().then_some(row.lines),
        all: functions(segment.symbols(doc), name),
    }
}

fn of_record(record: &record::DocRecord) -> Functions {
    let name = |id: LocalName| String::from_utf8_lossy(record.names.get(id)).into_owned();
    Functions {
        lines: record.skip.is_none().then_some(record.lines),
        all: functions(record.symbols.iter().cloned(), name),
    }
}

/// Picks the functions out of symbols. What holds functions is known by them, and what is computed
/// once runs when it is defined.
fn functions<N: Copy>(
    symbols: impl Iterator<Item = record::Symbol<N>>,
    mut name: impl FnMut(N) -> String,
) -> Vec<Function> {
    let mut qualified: Vec<String> = Vec::new();
    let mut out = Vec::new();
    for symbol in symbols {
        let outer = match (symbol.container, symbol.receiver) {
            (Some(at), _) => qualified.get(at as usize).cloned(),
            (None, receiver) => receiver.map(&mut name),
        };
        let own = name(symbol.name);
        let full = match outer {
            Some(outer) => format!("{outer}.{own}"),
            None => own,
        };
        if is_function(symbol.kind) {
            out.push(Function {
                name: full.clone(),
                body: Body {
                    first: symbol.start_line,
                    last: symbol.end_line,
                    hash: symbol.body_hash,
                },
            });
        }
        qualified.push(full);
    }
    out
}

fn is_function(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Test
    )
}

/// The name that a `go.mod` gives its module.
fn module_name(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim);
    let rest = lines.find_map(|line| line.strip_prefix("module"))?;
    let name = rest.strip_prefix([' ', '\t'])?.split("//").next()?.trim();
    let name = name.trim_matches(['"', '`']);
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::module_name;

    #[test]
    fn a_module_is_named_on_one_line() {
        for (text, want) in [
            (
                "module example.org/shop\n\ngo 1.22\n",
                Some("example.org/shop"),
            ),
            (
                "// shop\nmodule \"example.org/shop\" // v2\n",
                Some("example.org/shop"),
            ),
            ("module\texample.org/a\r\n", Some("example.org/a")),
            ("modules x\n", None),
            ("", None),
        ] {
            assert_eq!(module_name(text), want, "{text}");
        }
    }
}
