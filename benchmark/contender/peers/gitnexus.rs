//! gitnexus: a graph database of symbols, in `.gitnexus` at the top of the tree or in a folder that a
//! variable names.
//!
//! Asked: `context` for definitions (it lists candidates of an ambiguous name), `cypher` for users of a
//! name and for imports, since `impact` and `context` tell no lines; `query` for sentences where its
//! full-text extension is installed, which it downloads apart. It documents nothing for dead code. It
//! is told to index only: else it writes agents' instructions into the tree.

use super::install::{self, Install};
use super::{Contender, Dependencies, Dialect, Folder, Session, Span, Talk, ask, lend};
use crate::Result;
use crate::session;
use crate::subject::Subject;
use crate::task::Place;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Kilobytes of the largest file that is indexed. By default it is 512, which leaves out the one file
/// of lodash.
const LARGEST_KB: &str = "2048";
/// Edges that are uses of their target.
const USES: &str = "'CALLS','IMPORTS','EXTENDS','IMPLEMENTS','ACCESSES','INJECTS'";

/// gitnexus as installed.
pub struct Gitnexus {
    install: Install,
}

impl Default for Gitnexus {
    fn default() -> Self {
        Self {
            install: Install::new(
                "gitnexus",
                "SVERKLO_BENCH_GITNEXUS",
                "npm install -g gitnexus",
            ),
        }
    }
}

impl Gitnexus {
    fn command(&self, dir: &Path) -> Result<Command> {
        let home = self.install.home(dir)?;
        // The database's extensions, where the user has installed them.
        lend(
            std::env::home_dir().map(|own| own.join(".lbdb")),
            &home,
            ".lbdb",
        );
        let mut command = self.install.command(dir)?;
        command.env("GITNEXUS_STORAGE_ROOT", home.join(STORE));
        Ok(command)
    }

    fn index(&self, dir: &Path) -> Result<Command> {
        let mut command = self.command(dir)?;
        command
            .env("GITNEXUS_MAX_FILE_SIZE", LARGEST_KB)
            .args(["analyze", "--index-only", "--skip-git"])
            .arg(dir);
        Ok(command)
    }

    /// Whether its full-text search is there.
    fn has_text_search(&self) -> Result<bool> {
        let dir = self.install.shared()?.join("probe");
        std::fs::create_dir_all(&dir)?;
        let out = install::run_briefly(self.command(&dir)?.arg("doctor"))?;
        Ok(text_search(&String::from_utf8_lossy(&out.stdout)))
    }
}

/// Where it keeps its indexes, below the home.
const STORE: &str = "gitnexus";

impl Contender for Gitnexus {
    fn name(&self) -> &'static str {
        "gitnexus"
    }

    fn version(&self) -> std::result::Result<String, String> {
        let version = self.install.version()?;
        match self.has_text_search() {
            Ok(true) => Ok(version),
            Ok(false) => Ok(format!(
                "{version}, without its full-text search: no sentences (`gitnexus doctor` tells more)"
            )),
            Err(err) => Err(err.to_string()),
        }
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        let folder = Folder::cloned(subject, "gitnexus")?;
        install::index(&mut self.index(&folder.dir)?)?;
        let tools = Tools {
            repo: folder.dir.to_string_lossy().into_owned(),
            has_text_search: self.has_text_search()?,
        };
        let mut server = self.command(&folder.dir)?;
        let server = session::Session::start(server.arg("mcp"))?;
        Ok(ask(tools, server, folder))
    }

    fn index_command(&self, dir: &Path) -> Option<Command> {
        self.index(dir).ok()
    }

    fn index_paths(&self, dir: &Path) -> Vec<PathBuf> {
        let home = self.install.home(dir).ok();
        let kept = |home: PathBuf| [home.join(STORE), home.join(".gitnexus")];
        home.map(kept).into_iter().flatten().collect()
    }
}

/// Reads `Full-text search: available` out of what `doctor` prints.
fn text_search(said: &str) -> bool {
    let line = said.lines().find(|line| line.contains("Full-text search:"));
    line.is_some_and(|line| line.trim().ends_with(": available"))
}

struct Tools {
    repo: String,
    has_text_search: bool,
}

impl Tools {
    fn cypher(&self, talk: &mut Talk, statement: &str, name: &str) -> Result<Vec<Vec<String>>> {
        let arguments =
            json!({"repo": self.repo, "statement": statement, "params": {"name": name}});
        let said = object(&talk.call("cypher", arguments)?);
        match said["error"].as_str() {
            Some(error) => Err(error.into()),
            None => Ok(table(said["markdown"].as_str().unwrap_or_default())),
        }
    }

    fn files(&self, talk: &mut Talk, statement: &str, path: &str) -> Result<Vec<String>> {
        let rows = self.cypher(talk, statement, path)?;
        Ok(rows
            .into_iter()
            .filter_map(|row| row.into_iter().next())
            .collect())
    }
}

impl Dialect for Tools {
    fn definition(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>> {
        let said = talk.call("context", json!({"repo": self.repo, "name": name}))?;
        Ok(Some(symbols(&object(&said))))
    }

    fn references(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>> {
        let statement = format!(
            "MATCH (a)-[r:CodeRelation]->(b) WHERE b.name = $name AND r.type IN [{USES}] \
             RETURN DISTINCT a.filePath AS filePath, a.startLine AS startLine"
        );
        let rows = self.cypher(talk, &statement, name)?;
        Ok(Some(rows.iter().filter_map(|row| user(row)).collect()))
    }

    fn dependencies(&self, talk: &mut Talk, path: &str) -> Result<Option<Dependencies>> {
        let imports = "MATCH (a:File {filePath: $name})-[:CodeRelation {type: 'IMPORTS'}]->(b:File) \
                       RETURN b.filePath AS filePath";
        let importers = "MATCH (a:File)-[:CodeRelation {type: 'IMPORTS'}]->(b:File {filePath: $name}) \
                         RETURN a.filePath AS filePath";
        Ok(Some(Dependencies {
            imports: self.files(talk, imports, path)?,
            importers: self.files(talk, importers, path)?,
        }))
    }

    fn locate(&self, talk: &mut Talk, query: &str, depth: usize) -> Result<Option<Vec<Span>>> {
        if !self.has_text_search {
            return Ok(None);
        }
        let arguments = json!({"repo": self.repo, "search_query": query, "limit": depth});
        Ok(Some(ranked(&object(&talk.call("query", arguments)?))))
    }
}

/// The JSON of an answer; a hint for the agent follows it.
fn object(said: &str) -> Value {
    let mut values = serde_json::Deserializer::from_str(said).into_iter();
    values
        .next()
        .and_then(|value| value.ok())
        .unwrap_or_default()
}

/// The one symbol that was found, or the candidates in their order.
fn symbols(said: &Value) -> Vec<Place> {
    let place = |symbol: &Value, line: &str| {
        Some(Place {
            path: symbol["filePath"].as_str()?.to_owned(),
            line: symbol[line].as_u64().and_then(|n| u32::try_from(n).ok())?,
        })
    };
    let found = place(&said["symbol"], "startLine");
    let candidates = said["candidates"].as_array().into_iter().flatten();
    found
        .into_iter()
        .chain(candidates.filter_map(|symbol| place(symbol, "line")))
        .collect()
}

/// A row of file and line; the database counts lines from 0, and a file has none.
fn user(row: &[String]) -> Option<Place> {
    Some(Place {
        path: row.first()?.clone(),
        line: row.get(1)?.parse::<u32>().map_or(1, |line| line + 1),
    })
}

/// Symbols of the flows that were found, then those of none.
fn ranked(said: &Value) -> Vec<Span> {
    let lists = ["process_symbols", "definitions"].map(|key| said[key].as_array());
    let spans = lists.into_iter().flatten().flatten().filter_map(|symbol| {
        let line = |key: &str| symbol[key].as_u64().and_then(|n| u32::try_from(n).ok());
        Some(Span {
            path: symbol["filePath"].as_str()?.to_owned(),
            lines: line("startLine").zip(line("endLine")),
        })
    });
    spans.collect()
}

/// The rows of a Markdown table, without its head.
fn table(markdown: &str) -> Vec<Vec<String>> {
    let rows = markdown.lines().skip(2).filter_map(|line| {
        let cells = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        Some(
            cells
                .split('|')
                .map(|cell| cell.trim().to_owned())
                .collect(),
        )
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(places: &[Place]) -> Vec<(&str, u32)> {
        places.iter().map(|p| (p.path.as_str(), p.line)).collect()
    }

    #[test]
    fn a_symbol_is_found_or_one_of_several() {
        let one = object(
            "{\"status\": \"found\", \"symbol\": {\"filePath\": \"a.js\", \"startLine\": 5}}\n\n---\n**Next:** more",
        );
        assert_eq!(shown(&symbols(&one)), [("a.js", 5)]);
        let two = json!({"status": "ambiguous", "candidates": [
            {"filePath": "a.js", "line": 5}, {"filePath": "b.js", "line": 7}]});
        assert_eq!(shown(&symbols(&two)), [("a.js", 5), ("b.js", 7)]);
        assert!(symbols(&object("{\"error\": \"Symbol 'x' not found\"}\n\n---\n")).is_empty());
    }

    #[test]
    fn users_are_rows_of_a_table_that_counts_from_zero() {
        let rows = table("| filePath | startLine |\n| --- | --- |\n| a.js | 80 |\n| b.js |  |");
        let found: Vec<Place> = rows.iter().filter_map(|row| user(row)).collect();
        assert_eq!(shown(&found), [("a.js", 81), ("b.js", 1)]);
        assert!(table("").is_empty());
    }

    #[test]
    fn sentences_find_symbols_and_files() {
        let said = json!({"processes": [], "process_symbols": [
            {"filePath": "a.js", "startLine": 5, "endLine": 9}],
            "definitions": [{"filePath": "b.js", "name": "b.js"}]});
        let found = ranked(&said);
        assert_eq!(
            (found[0].path.as_str(), found[0].lines),
            ("a.js", Some((5, 9)))
        );
        assert_eq!((found[1].path.as_str(), found[1].lines), ("b.js", None));
    }

    #[test]
    fn the_doctor_tells_what_is_missing() {
        assert!(text_search(
            "  Graph store:      available\n  Full-text search: available\n"
        ));
        assert!(!text_search(
            "  Full-text search: unavailable\n  Graph store: available\n"
        ));
        assert!(!text_search(""));
    }
}
