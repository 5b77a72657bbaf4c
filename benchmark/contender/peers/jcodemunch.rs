//! jcodemunch-mcp: an index of symbols by tree-sitter, in a folder of the home.
//!
//! Asked through `order`, the front door that a new installation has: `search_symbols` for definitions
//! and for sentences, `check_references` for uses, `get_dependency_graph` and `find_importers` for a
//! file, `get_dead_code_v2` for dead code. For sentences `get_ranked_context` is documented too; on the
//! public questions about gin, flask and requests it ranked worse (NDCG@10 .67 against .73) and printed
//! four times as much.

use super::install::{self, Install};
use super::munch::{self, number};
use super::{Contender, DEFINITIONS, Dependencies, Dialect, Folder, Session, Span, Talk, ask};
use crate::Result;
use crate::session;
use crate::subject::Subject;
use crate::task::Place;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files of uses asked for; by default 20 are told.
const FILES: usize = 100;
/// Importers asked for; by default 50 are told.
const IMPORTERS: usize = 500;
/// One server answers here what many sessions would ask, so that its budget for one turn of one
/// session, after which it urges to stop, says nothing; and nobody is told how much was saved.
const CONFIG: &str = "{\"turn_budget_tokens\": 0, \"share_savings\": false}\n";

/// jcodemunch-mcp as installed.
pub struct Jcodemunch {
    install: Install,
}

impl Default for Jcodemunch {
    fn default() -> Self {
        Self {
            install: Install::new(
                "jcodemunch-mcp",
                "SVERKLO_BENCH_JCODEMUNCH",
                "pip install jcodemunch-mcp",
            ),
        }
    }
}

impl Jcodemunch {
    fn command(&self, dir: &Path) -> Result<Command> {
        let store = self.install.home(dir)?.join(STORE);
        std::fs::create_dir_all(&store)?;
        std::fs::write(store.join("config.jsonc"), CONFIG)?;
        self.install.command(dir)
    }

    fn index(&self, dir: &Path) -> Result<Command> {
        let mut command = self.command(dir)?;
        // A folder is known by its own path: else clones of one repository share an index, and a
        // folder is answered for by that of a parent.
        command.args(["index", "--no-ai-summaries", "--identity-mode", "local"]);
        command.arg(dir);
        Ok(command)
    }
}

/// Where it keeps everything, below the home.
const STORE: &str = ".code-index";

impl Contender for Jcodemunch {
    fn name(&self) -> &'static str {
        "jcodemunch"
    }

    fn version(&self) -> std::result::Result<String, String> {
        self.install.version()
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        let folder = Folder::of(subject);
        install::index(&mut self.index(&folder.dir)?)?;
        let server = session::Session::start(&mut self.command(&folder.dir)?)?;
        let tools = Tools {
            repo: folder.dir.to_string_lossy().into_owned(),
        };
        Ok(ask(tools, server, folder))
    }

    fn index_command(&self, dir: &Path) -> Option<Command> {
        self.index(dir).ok()
    }

    fn index_paths(&self, dir: &Path) -> Vec<PathBuf> {
        let home = self.install.home(dir).ok();
        home.map(|home| home.join(STORE)).into_iter().collect()
    }
}

struct Tools {
    /// What its tools call a repository; a path will do.
    repo: String,
}

impl Tools {
    fn order(&self, talk: &mut Talk, action: &str, mut arguments: Value) -> Result<Value> {
        arguments["repo"] = json!(self.repo);
        let said = talk.call("order", json!({"action": action, "args": arguments}))?;
        let value = munch::decode(&said).ok_or_else(|| format!("{action}: {said}"))?;
        match value["error"].as_str() {
            // What is not in the index is answered with an error, and that is the answer.
            Some(error) if !error.contains("not found in index") => {
                Err(format!("{action}: {error}").into())
            }
            _ => Ok(value),
        }
    }

    fn symbols(&self, talk: &mut Talk, query: &str, count: usize) -> Result<Vec<Place>> {
        // The shortest of the three levels has the place, which is what is asked for.
        let arguments = json!({"query": query, "max_results": count, "detail_level": "compact"});
        Ok(places(&self.order(talk, "search_symbols", arguments)?))
    }
}

impl Dialect for Tools {
    fn definition(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>> {
        self.symbols(talk, name, DEFINITIONS).map(Some)
    }

    fn references(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>> {
        let arguments = json!({"identifier": name, "max_content_results": FILES});
        let said = self.order(talk, "check_references", arguments)?;
        Ok(Some(mentions(&said, name)))
    }

    fn dependencies(&self, talk: &mut Talk, path: &str) -> Result<Option<Dependencies>> {
        let arguments = json!({"file": path, "direction": "imports", "depth": 1});
        let graph = self.order(talk, "get_dependency_graph", arguments)?;
        let arguments = json!({"file_path": path, "max_results": IMPORTERS});
        let importers = self.order(talk, "find_importers", arguments)?;
        let list = rows(&graph["neighbors"][path], "imports").filter_map(Value::as_str);
        Ok(Some(Dependencies {
            imports: list.map(str::to_owned).collect(),
            importers: rows(&importers, "importers")
                .filter_map(|row| Some(row["file"].as_str()?.to_owned()))
                .collect(),
        }))
    }

    fn unused(&self, talk: &mut Talk) -> Result<Option<Vec<String>>> {
        let said = self.order(talk, "get_dead_code_v2", json!({}))?;
        let names = rows(&said, "dead_symbols").filter_map(|row| row["name"].as_str());
        Ok(Some(names.map(str::to_owned).collect()))
    }

    fn locate(&self, talk: &mut Talk, query: &str, depth: usize) -> Result<Option<Vec<Span>>> {
        let places = self.symbols(talk, query, depth)?;
        let spans = places.into_iter().map(|place| Span {
            path: place.path,
            lines: Some((place.line, place.line)),
        });
        Ok(Some(spans.collect()))
    }
}

fn rows<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn places(said: &Value) -> Vec<Place> {
    let places = rows(said, "results").filter_map(|row| {
        Some(Place {
            path: row["file"].as_str()?.to_owned(),
            line: number(&row["line"])?,
        })
    });
    places.collect()
}

/// The lines of files that mention a name. It finds parts of words and other cases as well; an agent
/// sees the lines and passes over those.
fn mentions(said: &Value, name: &str) -> Vec<Place> {
    let mut places = Vec::new();
    for file in rows(said, "content_references") {
        let Some(path) = file["file"].as_str() else {
            continue;
        };
        for line in rows(file, "matches") {
            let is_mention = line["text"]
                .as_str()
                .is_some_and(|text| has_word(text, name));
            if let (true, Some(number)) = (is_mention, number(&line["line"])) {
                places.push(Place {
                    path: path.to_owned(),
                    line: number,
                });
            }
        }
    }
    places
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_places() {
        let said = "#MUNCH/1 tool=search_symbols enc=ss1\n\n@1=lib/a.js\n\n\
            result_count=2 __tables=s:results:id|name|kind|file|line|score\n\n\
            s,@1::go#function,go,function,@1,5,\ns,lib/b.js::go#variable,go,variable,lib/b.js,1,\n";
        let found = places(&munch::decode(said).unwrap());
        let found: Vec<_> = found.iter().map(|p| (p.path.as_str(), p.line)).collect();
        assert_eq!(found, [("lib/a.js", 5), ("lib/b.js", 1)]);
        assert!(places(&json!({"result_count": 0, "results": []})).is_empty());
    }

    #[test]
    fn mentions_are_of_the_whole_word() {
        let said = json!({"import_references": [{"file": "c.js", "matches": [{"specifier": "x"}]}],
        "content_references": [{"file": "a.js", "matches": [
            {"line": 3, "text": "  use(go_on)"},
            {"line": 4, "text": "Go()"},
            {"line": 5, "text": "a.go(gone, go)"},
        ]}]});
        let found = mentions(&said, "go");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].path.as_str(), found[0].line), ("a.js", 5));
    }
}
