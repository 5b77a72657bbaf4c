//! The bodies of symbols that memories are about, read from blobs when they are asked for.

use crate::extract::record::{DocKey, Grammar};
use crate::git::{self, Repo};
use crate::id::BlobId;
use crate::memory::ladder::Content;
use crate::query::ids::{DocSymbols, ParsedId};
use crate::store::{self, Quiet, Snapshot};
use crate::view::files::Reading;
use std::collections::HashMap;

/// Bodies of symbols, read from blobs when they are asked for.
pub struct Bodies<'a> {
    repo: &'a Repo,
    /// By path too, because that is a part of the ids.
    known: HashMap<(BlobId, git::RepoPath), Symbols>,
}

/// The symbols of a file by id.
#[derive(Default)]
struct Symbols {
    hashes: HashMap<String, u64>,
    lines: HashMap<String, u32>,
}

impl<'a> Bodies<'a> {
    /// Starts with nothing read.
    pub fn new(repo: &'a Repo) -> Self {
        Self {
            repo,
            known: HashMap::new(),
        }
    }

    /// The symbols of a file by id, with the hashes of their bodies; `None` for a file whose symbols
    /// are not read.
    pub fn of(&mut self, blob: BlobId, path: &git::RepoPath) -> Option<&HashMap<String, u64>> {
        Some(&self.symbols(blob, path)?.hashes)
    }

    /// Number of lines of a symbol of a file.
    pub fn lines(&mut self, blob: BlobId, path: &git::RepoPath, symbol: &str) -> Option<u32> {
        self.symbols(blob, path)?.lines.get(symbol).copied()
    }

    fn symbols(&mut self, blob: BlobId, path: &git::RepoPath) -> Option<&Symbols> {
        let mode = git::tree::EntryMode::File;
        let Reading::Document(grammar) = Reading::of(path, mode) else {
            return None;
        };
        let key = (blob, path.clone());
        if !self.known.contains_key(&key) {
            let symbols = self
                .read(blob, grammar, &path.to_string())
                .unwrap_or_default();
            self.known.insert(key.clone(), symbols);
        }
        self.known.get(&key)
    }

    fn read(&self, blob: BlobId, grammar: Grammar, path: &str) -> Option<Symbols> {
        let wanted = [DocKey { blob, grammar }];
        let none = Snapshot::default();
        let (snapshot, _) = store::ensure_in_memory(self.repo, &none, &wanted, 1, &Quiet).ok()?;
        let live = snapshot.find(&wanted[0])?;
        let symbols = DocSymbols::load(snapshot.segment(live.segment)?, live.doc);
        let mut out = Symbols::default();
        for (at, symbol) in symbols.all().iter().enumerate() {
            let Some(id) = symbols.id(at, path) else {
                continue;
            };
            let lines = symbol.end_line.saturating_sub(symbol.start_line) + 1;
            out.lines.insert(id.clone(), lines);
            out.hashes.insert(id, symbol.body_hash);
        }
        Some(out)
    }
}

impl Content for Bodies<'_> {
    fn body(&mut self, blob: BlobId, symbol: &str) -> Option<u64> {
        let path = git::RepoPath::shown_as(ParsedId::parse(symbol)?.path).ok()?;
        self.of(blob, &path)?.get(symbol).copied()
    }
}
