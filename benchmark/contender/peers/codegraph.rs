//! codegraph: a graph of symbols, in `.codegraph` at the top of the tree.
//!
//! It lists one tool, `codegraph_explore`, which prints the source of whole files for any question; its
//! documentation names the others and the variable that lists them. Asked: `codegraph_search` for
//! definitions, `codegraph_callers` for uses (it tells who uses, at the line where that begins),
//! `codegraph_node` for importers (it names eight); nothing tells what a file imports or what is
//! unused. For sentences `codegraph_search` too: on the public questions about gin, flask and requests it
//! ranked as well as `codegraph_explore` (NDCG@10 .79), on those of bench:swe it found more (recall .90
//! against .55), and it printed far less.

use super::install::{self, Install};
use super::located;
use super::{Contender, DEFINITIONS, Dependencies, Dialect, Folder, Session, Span, Talk, ask};
use crate::Result;
use crate::session;
use crate::subject::Subject;
use crate::task::Place;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Users of a name asked for; by default 20 are told.
const CALLERS: usize = 100;

/// codegraph as installed.
pub struct Codegraph {
    install: Install,
}

impl Default for Codegraph {
    fn default() -> Self {
        Self {
            install: Install::new(
                "codegraph",
                "SVERKLO_BENCH_CODEGRAPH",
                "npm install -g @colbymchenry/codegraph",
            ),
        }
    }
}

impl Codegraph {
    fn command(&self, dir: &Path) -> Result<Command> {
        let mut command = self.install.command(dir)?;
        command
            .env("CODEGRAPH_TELEMETRY", "0")
            .env("CODEGRAPH_NO_UPDATE_CHECK", "1")
            // Else it leaves a process that outlives the benchmark.
            .env("CODEGRAPH_NO_DAEMON", "1")
            .env("CODEGRAPH_MCP_TOOLS", "explore,search,callers,node");
        Ok(command)
    }

    fn index(&self, dir: &Path) -> Result<Command> {
        let mut command = self.command(dir)?;
        // Each of the two refuses to do the other's work.
        match dir.join(STORE).is_dir() {
            true => command.arg("sync"),
            false => command.args(["init", "--yes"]),
        };
        command.arg(dir);
        Ok(command)
    }
}

/// Where it keeps its index, below the folder.
const STORE: &str = ".codegraph";

impl Contender for Codegraph {
    fn name(&self) -> &'static str {
        "codegraph"
    }

    fn version(&self) -> std::result::Result<String, String> {
        self.install.version()
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        let folder = Folder::cloned(subject, "codegraph")?;
        install::index(&mut self.index(&folder.dir)?)?;
        let mut server = self.command(&folder.dir)?;
        server.args(["serve", "--mcp", "--path"]).arg(&folder.dir);
        let server = session::Session::start(&mut server)?;
        Ok(ask(Tools, server, folder))
    }

    fn index_command(&self, dir: &Path) -> Option<Command> {
        self.index(dir).ok()
    }

    fn index_paths(&self, dir: &Path) -> Vec<PathBuf> {
        vec![dir.join(STORE)]
    }
}

struct Tools;

impl Dialect for Tools {
    fn definition(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>> {
        let said = talk.call(
            "codegraph_search",
            json!({"query": name, "limit": DEFINITIONS}),
        )?;
        Ok(Some(symbols(&said)))
    }

    fn references(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>> {
        let said = talk.call(
            "codegraph_callers",
            json!({"symbol": name, "limit": CALLERS}),
        )?;
        Ok(Some(callers(&said)))
    }

    fn dependencies(&self, talk: &mut Talk, path: &str) -> Result<Option<Dependencies>> {
        // Of the file itself one line is enough.
        let said = talk.call("codegraph_node", json!({"file": path, "limit": 1}))?;
        Ok(Some(Dependencies {
            imports: Vec::new(),
            importers: importers(&said),
        }))
    }

    fn locate(&self, talk: &mut Talk, query: &str, depth: usize) -> Result<Option<Vec<Span>>> {
        let said = talk.call("codegraph_search", json!({"query": query, "limit": depth}))?;
        let spans = symbols(&said).into_iter().map(|place| Span {
            path: place.path,
            lines: Some((place.line, place.line)),
        });
        Ok(Some(spans.collect()))
    }
}

/// Blocks of `**name** (kind)`, `path:12` and a signature.
fn symbols(said: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let mut lines = said.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("**") && line.ends_with(')') {
            places.extend(lines.next().and_then(place));
        }
    }
    places
}

/// Bullets `- name (kind) - path:12`, with or without `— via …` after it.
fn callers(said: &str) -> Vec<Place> {
    let places = said.lines().filter_map(|line| {
        let (_, at) = line.strip_prefix("- ")?.split_once(") - ")?;
        place(at.split(" — ").next().unwrap_or(at))
    });
    places.collect()
}

/// `used by 9 files: a.js, b.js, +7 more` in the first line.
fn importers(said: &str) -> Vec<String> {
    let line = said.lines().next().unwrap_or_default();
    let list = line
        .split_once("used by ")
        .and_then(|(_, rest)| rest.split_once(": "));
    let paths = list
        .map(|(_, paths)| paths.split(", "))
        .into_iter()
        .flatten();
    let paths = paths.filter(|path| !(path.starts_with('+') && path.ends_with(" more")));
    paths.map(str::to_owned).collect()
}

fn place(text: &str) -> Option<Place> {
    let (path, line, _) = located(text.trim())?;
    Some(Place {
        path: path.to_owned(),
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(places: &[Place]) -> Vec<(&str, u32)> {
        places.iter().map(|p| (p.path.as_str(), p.line)).collect()
    }

    #[test]
    fn symbols_are_blocks() {
        let said = "**Search Results (2 found)**\n\n**go** (function)\nlib/a.js:5\n`(a: x:1)`\n\n\
            **go** (variable)\ntest/b.js:1\n";
        assert_eq!(shown(&symbols(said)), [("lib/a.js", 5), ("test/b.js", 1)]);
        assert!(symbols("No results found for \"x\"").is_empty());
    }

    #[test]
    fn callers_are_bullets_whatever_they_are_grouped_by() {
        let said = "**Callers of go — 2 distinct definitions (narrow with `file`)**\n\n\
            **go** (variable) — lib/a.js:5\n- (no callers)\n\n**go** (function) — lib/b.js:2\n\
            - run (function) - lib/c.js:9 — via reference\n- d.js (file) - lib/d.js:1\n";
        assert_eq!(shown(&callers(said)), [("lib/c.js", 9), ("lib/d.js", 1)]);
    }

    #[test]
    fn importers_are_named_up_to_a_number() {
        let said =
            "**lib/a.js** — 9 lines, 2 symbols · used by 4 files: b.js, c/d.js, +2 more\n\n1\tx\n";
        assert_eq!(importers(said), ["b.js", "c/d.js"]);
        let none = "**lib/a.js** — 9 lines, 2 symbols · no other indexed file depends on it\n";
        assert!(importers(none).is_empty());
    }
}
