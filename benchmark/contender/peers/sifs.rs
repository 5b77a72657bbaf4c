//! sifs: BM25 and static embeddings over chunks, with an index of symbols.
//!
//! Asked: `symbol` for definitions and `search` for sentences, hybrid where its model is cached. It has
//! nothing for uses, imports and dead code.

use super::install::{self, Install};
use super::located;
use super::{Contender, DEFINITIONS, Dialect, Folder, Session, Span, Talk};
use super::{ask, first_answer, hub_cache, lend};
use crate::Result;
use crate::session;
use crate::subject::Subject;
use crate::task::Place;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// sifs as installed.
pub struct Sifs {
    install: Install,
}

impl Default for Sifs {
    fn default() -> Self {
        Self {
            install: Install::new("sifs", "SVERKLO_BENCH_SIFS", "cargo install --locked sifs"),
        }
    }
}

impl Sifs {
    fn command(&self, dir: &Path) -> Result<Command> {
        let home = self.install.home(dir)?;
        lend(grammars(), &home, &format!("cache/{GRAMMARS}"));
        let mut command = self.install.command(dir)?;
        // Else it asks a process that the user may have left running, with an index of its own.
        command.env("SIFS_DAEMON_RUNTIME_DIR", home.join("run"));
        command.envs(hub_cache().map(|folder| ("HF_HOME", folder)));
        command.envs(std::env::var_os("SIFS_MODEL").map(|model| ("SIFS_MODEL", model)));
        Ok(command)
    }

    /// Whether its model is there, so that it ranks by meaning too.
    fn has_model(&self) -> Result<bool> {
        let dir = self.install.shared()?;
        let mut command = self.command(&dir)?;
        let out = install::run_briefly(command.args(["doctor", "--json", "--offline"]))?;
        let said: Value = serde_json::from_slice(&out.stdout)?;
        Ok(said["semantic"]["available"] == true)
    }

    fn mode(&self) -> Result<&'static str> {
        Ok(if self.has_model()? { "hybrid" } else { "bm25" })
    }
}

impl Contender for Sifs {
    fn name(&self) -> &'static str {
        "sifs"
    }

    fn version(&self) -> std::result::Result<String, String> {
        let version = self.install.version()?;
        let model = match self.has_model() {
            Ok(true) => "",
            Ok(false) => ", without its model: BM25 only (`sifs model pull` fetches it)",
            Err(err) => return Err(format!("sifs doctor: {err}")),
        };
        // It says neither in its answers.
        let grammars = match grammars().is_some_and(|folder| folder.is_dir()) {
            true => "",
            false => ", without its grammars unless it can fetch them",
        };
        Ok(format!("{version}{model}{grammars}"))
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        let folder = Folder::of(subject);
        let mut server = self.command(&folder.dir)?;
        server
            .args(["mcp", "--offline", "--source"])
            .arg(&folder.dir);
        let mut server = session::Session::start(&mut server)?;
        let tools = Tools { mode: self.mode()? };
        let first = json!({"query": "index", "mode": tools.mode, "limit": 1});
        first_answer(&mut server, "search", &first)?;
        Ok(ask(tools, server, folder))
    }

    fn index_command(&self, dir: &Path) -> Option<Command> {
        let mut command = self.command(dir).ok()?;
        command.args(["search", "index", "--offline", "--limit", "1"]);
        command.args(["--mode", self.mode().ok()?, "--source"]);
        command.arg(dir);
        Some(command)
    }

    fn index_paths(&self, dir: &Path) -> Vec<PathBuf> {
        let home = self.install.home(dir).ok();
        home.map(|home| home.join("cache/sifs"))
            .into_iter()
            .collect()
    }
}

/// The grammars that it has fetched for the user, in a folder of the cache.
fn grammars() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = named.or_else(|| Some(std::env::home_dir()?.join(".cache")))?;
    Some(cache.join(GRAMMARS))
}

/// What it calls that folder.
const GRAMMARS: &str = "tree-sitter-language-pack";

struct Tools {
    mode: &'static str,
}

impl Dialect for Tools {
    fn definition(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>> {
        let said = talk.call("symbol", json!({"name": name, "limit": DEFINITIONS}))?;
        Ok(Some(symbols(&said)))
    }

    fn locate(&self, talk: &mut Talk, query: &str, depth: usize) -> Result<Option<Vec<Span>>> {
        let arguments = json!({"query": query, "mode": self.mode, "limit": depth});
        Ok(Some(chunks(&talk.call("search", arguments)?)))
    }
}

/// Lines `path:12 kind name`.
fn symbols(said: &str) -> Vec<Place> {
    let places = said.lines().filter_map(|line| {
        let mut words = line.rsplitn(3, ' ');
        let (_name, _kind) = (words.next()?, words.next()?);
        let (path, line, _) = located(words.next()?)?;
        Some(Place {
            path: path.to_owned(),
            line,
        })
    });
    places.collect()
}

/// Headings `## 1. path:1-9  [score=…]` over chunks.
fn chunks(said: &str) -> Vec<Span> {
    let spans = said.lines().filter_map(|line| {
        let (number, rest) = line.strip_prefix("## ")?.split_once(". ")?;
        number.parse::<usize>().ok()?;
        let (path, first, last) = located(rest.split_once("  [score=")?.0)?;
        Some(Span {
            path: path.to_owned(),
            lines: Some((first, last)),
        })
    });
    spans.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_lines_with_a_place() {
        let said = "Indexed symbols for \"go\":\nlib/a b.js:5 function go\ntest/b.js:9 method go\n";
        let found = symbols(said);
        let found: Vec<_> = found.iter().map(|p| (p.path.as_str(), p.line)).collect();
        assert_eq!(found, [("lib/a b.js", 5), ("test/b.js", 9)]);
        assert!(symbols("No indexed symbols found for \"go\".\n").is_empty());
    }

    #[test]
    fn chunks_are_headings_and_not_what_looks_like_one() {
        let said = "Search results for: \"go\" (mode=bm25)\n\n## 1. lib/a.js:1-50  [score=1.5, source=bm25]\n\
            ```\n## 2. a heading of a document\n```\n\n## 2. lib/b.js:7-9  [score=1.2, source=bm25]\n";
        let found = chunks(said);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[1].path.as_str(), found[1].lines),
            ("lib/b.js", Some((7, 9)))
        );
    }
}
