//! sverklo: symbols, references, imports and a hybrid search, in a database outside the repository.
//!
//! Asked: `lookup` for definitions, `refs` for uses, `deps` for imports, `audit` (its orphans) for dead
//! code. For sentences `investigate` with graph expansion, its single-call research tool, which names
//! ranked spans without bodies; `search` finds less and prints three times as much.

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

/// Bytes of the model that sverklo downloads, by its own `models.lock.json`.
const MODEL_BYTES: u64 = 90_405_214;
/// Tokens asked for where a list should not be cut; twice the default.
const WHOLE_LIST: usize = 4000;
/// Candidates of each retriever that `investigate` fuses; its default.
const CANDIDATES: usize = 50;

/// sverklo as installed.
pub struct Sverklo {
    install: Install,
}

impl Default for Sverklo {
    fn default() -> Self {
        Self {
            install: Install::new("sverklo", "SVERKLO_BENCH_SVERKLO", "npm install -g sverklo"),
        }
    }
}

impl Sverklo {
    fn command(&self, dir: &Path) -> Result<Command> {
        let mut command = self.install.command(dir)?;
        command.current_dir(dir);
        match models() {
            Some(folder) => command.env("SVERKLO_MODEL_DIR", folder),
            // One place for all homes, in case it downloads its model.
            None => command.env("SVERKLO_MODEL_DIR", self.install.shared()?.join("models")),
        };
        Ok(command)
    }

    fn index(&self, dir: &Path) -> Result<Command> {
        let mut command = self.command(dir)?;
        command.arg("reindex").arg(dir);
        Ok(command)
    }
}

impl Contender for Sverklo {
    fn name(&self) -> &'static str {
        "sverklo"
    }

    fn version(&self) -> std::result::Result<String, String> {
        let version = self.install.version()?;
        let model = models().and_then(|folder| folder.join("model.onnx").metadata().ok());
        Ok(match model.map(|meta| meta.len()) {
            Some(MODEL_BYTES) => version,
            Some(bytes) => format!(
                "{version}, with a model of {} MB in place of its own of {} MB",
                (bytes + 500_000) / 1_000_000,
                MODEL_BYTES / 1_000_000
            ),
            // It does not say so in its answers.
            None => {
                format!("{version}, on hashed words in place of its model unless it can fetch that")
            }
        })
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        let folder = Folder::of(subject);
        install::index(&mut self.index(&folder.dir)?)?;
        let mut server = self.command(&folder.dir)?;
        let server = session::Session::start(server.arg(&folder.dir))?;
        Ok(ask(Tools, server, folder))
    }

    fn index_command(&self, dir: &Path) -> Option<Command> {
        self.index(dir).ok()
    }

    fn index_paths(&self, dir: &Path) -> Vec<PathBuf> {
        let home = self.install.home(dir).ok();
        home.map(|home| home.join(".sverklo")).into_iter().collect()
    }
}

/// The folder of its model, where the user has one.
fn models() -> Option<PathBuf> {
    let named = std::env::var_os("SVERKLO_MODEL_DIR").map(PathBuf::from);
    let usual = || Some(std::env::home_dir()?.join(".sverklo/models"));
    let folder = named.or_else(usual)?;
    let both = ["model.onnx", "tokenizer.json"];
    both.iter()
        .all(|file| folder.join(file).is_file())
        .then_some(folder)
}

struct Tools;

impl Dialect for Tools {
    fn definition(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>> {
        let said = talk.call("lookup", json!({"symbol": name}))?;
        Ok(Some(definitions(&said)))
    }

    fn references(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>> {
        let said = talk.call("refs", json!({"symbol": name, "token_budget": WHOLE_LIST}))?;
        Ok(Some(references(&said)))
    }

    fn dependencies(&self, talk: &mut Talk, path: &str) -> Result<Option<Dependencies>> {
        let arguments = json!({"path": path, "direction": "both", "token_budget": WHOLE_LIST});
        Ok(Some(dependencies(&talk.call("deps", arguments)?)))
    }

    fn unused(&self, talk: &mut Talk) -> Result<Option<Vec<String>>> {
        Ok(Some(orphans(&talk.call("audit", json!({}))?)))
    }

    fn locate(&self, talk: &mut Talk, query: &str, depth: usize) -> Result<Option<Vec<Span>>> {
        let arguments = json!({
            "query": query,
            "max_hits": depth,
            "budget": depth.max(CANDIDATES),
            "expand_graph": true,
        });
        Ok(Some(ranked(&talk.call("investigate", arguments)?)))
    }
}

/// Headings `## path:1-9 (function: name)` over bodies, then bullets `- **path:1-9** (…)` of what did
/// not fit.
fn definitions(said: &str) -> Vec<Place> {
    let places = said.lines().filter_map(|line| {
        let heading = line.strip_prefix("## ");
        let bullet = || {
            line.strip_prefix("- **")?
                .split_once("**")
                .map(|(at, _)| at)
        };
        let at = match heading {
            Some(heading) => heading.split_once(" (")?.0,
            None => bullet()?,
        };
        let (path, line, _) = located(at)?;
        Some(place(path, line))
    });
    places.take(DEFINITIONS).collect()
}

/// Headings `### path` over lines `  L12: text`; mentions in documents follow under `## Doc mentions`.
fn references(said: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let mut path = None;
    for line in said.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            path = Some(heading.trim());
        } else if line.starts_with("## ") {
            path = None;
        } else if let (Some(path), Some(rest)) = (path, line.strip_prefix("  L"))
            && let Some(Ok(number)) = rest.split_once(':').map(|(number, _)| number.parse())
        {
            places.push(place(path, number));
        }
    }
    places
}

/// Lines `  → path (1 refs)` for imports and `  ← path (1 refs)` for importers.
fn dependencies(said: &str) -> Dependencies {
    let after = |arrow: char| {
        let lines = said.lines().filter_map(move |line| {
            let path = line.trim_start().strip_prefix(arrow)?.trim();
            Some(path.rsplit_once(" (").map_or(path, |(path, _)| path))
        });
        lines.map(str::to_owned).collect()
    };
    Dependencies {
        imports: after('→'),
        importers: after('←'),
    }
}

/// Bullets `- **name** — place` of the section on orphans.
fn orphans(said: &str) -> Vec<String> {
    let section = said
        .split("\n## ")
        .find(|section| section.starts_with("Orphans"));
    let bullets = section.unwrap_or_default().lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("- **")?.split_once("**")?;
        Some(name.to_owned())
    });
    bullets.collect()
}

/// Lines `1. path:1-9 [function: name] — found by: …`.
fn ranked(said: &str) -> Vec<Span> {
    let spans = said.lines().filter_map(|line| {
        let (number, rest) = line.split_once(". ")?;
        number.parse::<usize>().ok()?;
        let (path, first, last) = located(rest.split_once(" [")?.0)?;
        Some(Span {
            path: path.to_owned(),
            lines: Some((first, last)),
        })
    });
    spans.collect()
}

fn place(path: &str, line: u32) -> Place {
    Place {
        path: path.to_owned(),
        line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_come_with_bodies_or_without() {
        let said = "## lib/a b.js:5-9 (function: go)\n```js\nfunction go() {}\n```\n\n\
            _1 more_\n- **test/a.js:2-4** (function: go, ~30 tokens)\n- **bold** but no place\n";
        let expected = [place("lib/a b.js", 5), place("test/a.js", 2)];
        assert_eq!(definitions(said), expected);
        assert!(definitions("No results found.").is_empty());
    }

    #[test]
    fn references_are_grouped_by_file_and_leave_documents_out() {
        let said = "## References to 'go' (3 total)\n\n### lib/a.js\n  L5: function go() {\n  L9: go()\n\n\
            ### lib/b.js\n  L1: a.go()\n\n## Doc mentions — references (1)\n- x.md:1-4 [backtick]\n";
        let expected = [
            place("lib/a.js", 5),
            place("lib/a.js", 9),
            place("lib/b.js", 1),
        ];
        assert_eq!(references(said), expected);
    }

    #[test]
    fn arrows_tell_imports_from_importers() {
        let said = "### This file imports:\n  → lib/b.js (2 refs)\n\n### Files that import this:\n  ← main.js (1 refs)\n";
        let found = dependencies(said);
        assert_eq!(found.imports, ["lib/b.js"]);
        assert_eq!(found.importers, ["main.js"]);
    }

    #[test]
    fn orphans_are_one_section_of_many() {
        let said = "# Audit\n\n## God Nodes\n- **go** — 9 references\n\n\
            ## Orphans (potential dead code)\nNamed things.\n- **old** — `a.js:3`\n\n## Coupling\n- **x**\n";
        assert_eq!(orphans(said), ["old"]);
        assert!(orphans("# Audit\n\n## Orphans\nNo obvious dead code.\n").is_empty());
    }

    #[test]
    fn ranked_spans_keep_their_order() {
        let said = "## Investigation: \"x\"\n\n1. lib/b.js:7-9 [method: b.go] — found by: fts\n\
            2. lib/a.js:1-6 [module: _module] — found by: vector\n\n_+3 more_\n";
        let found = ranked(said);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].path.as_str(), found[0].lines),
            ("lib/b.js", Some((7, 9)))
        );
    }
}
