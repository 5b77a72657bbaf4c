//! semble: BM25 and static embeddings over chunks, fused and ranked by rules.
//!
//! Asked: `search`, for sentences and for names, as its documentation says; it has nothing that lists
//! uses, imports or dead code. Without its model it refuses to answer; then its library is asked for
//! what it finds without meaning (`semble_lexical.py`), which needs no download.

use super::install::{self, Install};
use super::{Contender, Dialect, Folder, Session, Span, Talk};
use super::{ask, first_answer, hub_cache, shell};
use crate::Result;
use crate::session;
use crate::subject::Subject;
use crate::task::Place;
use regex::Regex;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Chunks asked for when a name is looked up; its default.
const CHUNKS: usize = 5;
/// The server for want of a model.
const LEXICAL: &str = include_str!("semble_lexical.py");

/// semble as installed.
pub struct Semble {
    install: Install,
}

impl Default for Semble {
    fn default() -> Self {
        Self {
            install: Install::new(
                "semble",
                "SVERKLO_BENCH_SEMBLE",
                "uv tool install 'semble[mcp]', or pip install 'semble[mcp]'",
            ),
        }
    }
}

impl Semble {
    fn command_of(&self, program: &Path, dir: &Path) -> Result<Command> {
        let home = self.install.home(dir)?;
        let mut command = self.install.command_of(program, dir, &home);
        command.env("SEMBLE_CACHE_LOCATION", home.join(STORE));
        command.envs(hub_cache().map(|folder| ("HF_HOME", folder)));
        // A model is used that is here; the benchmark downloads none.
        command.env("HF_HUB_OFFLINE", "1");
        let model = std::env::var_os("SEMBLE_MODEL_NAME");
        command.envs(model.map(|model| ("SEMBLE_MODEL_NAME", model)));
        Ok(command)
    }

    fn command(&self, dir: &Path) -> Result<Command> {
        self.command_of(&self.install.find()?, dir)
    }

    /// Whether its model is there: whether it can search a folder with one file.
    fn has_model(&self) -> Result<bool> {
        let dir = self.install.shared()?.join("probe");
        std::fs::create_dir_all(&dir)?;
        std::fs::write(dir.join("probe.py"), "def probe():\n    pass\n")?;
        let mut command = self.command(&dir)?;
        command.args(["search", "probe", ".", "--top-k", "1"]);
        let out = install::run_briefly(&mut command);
        Ok(out.is_ok_and(|out| !results(&String::from_utf8_lossy(&out.stdout)).is_empty()))
    }

    /// The server without a model, by the interpreter that semble itself runs under.
    fn lexical(&self, dir: &Path) -> Result<Command> {
        let program = self.install.find()?;
        let script = self.install.shared()?.join("semble_lexical.py");
        std::fs::write(&script, LEXICAL)?;
        let text = std::fs::read_to_string(&program).unwrap_or_default();
        let python = interpreter(&text).ok_or_else(|| {
            let program = program.display();
            format!("{program} does not say which Python it runs under; without its model it is not asked")
        })?;
        let mut command = self.command_of(Path::new(python), dir)?;
        command.arg(script).arg(self.stand_in()?);
        Ok(command)
    }

    /// The folder of the model that knows nothing.
    fn stand_in(&self) -> Result<PathBuf> {
        Ok(self.install.shared()?.join("stand-in"))
    }
}

/// Where it keeps its indexes, below the home.
const STORE: &str = "semble";

impl Contender for Semble {
    fn name(&self) -> &'static str {
        "semble"
    }

    fn version(&self) -> std::result::Result<String, String> {
        let version = self.install.version()?;
        match self.has_model() {
            Ok(true) => Ok(version),
            Ok(false) => {
                let dir = self.install.shared().map_err(|err| err.to_string())?;
                let mut command = self.lexical(&dir).map_err(|err| err.to_string())?;
                install::run_briefly(command.arg("--model-only")).map_err(|err| err.to_string())?;
                Ok(format!(
                    "{version}, without its model: its library's BM25 and ranking rules only"
                ))
            }
            Err(err) => Err(err.to_string()),
        }
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        let folder = Folder::of(subject);
        let mut server = match self.has_model()? {
            true => self.command(&folder.dir)?,
            false => self.lexical(&folder.dir)?,
        };
        let mut server = session::Session::start(&mut server)?;
        let tools = Tools {
            repo: folder.dir.to_string_lossy().into_owned(),
        };
        let first = json!({"query": "index", "repo": tools.repo, "top_k": 1});
        let said = first_answer(&mut server, "search", &first)?;
        // A refusal is prose.
        if !said.starts_with('{') {
            return Err(said.into());
        }
        Ok(ask(tools, server, folder))
    }

    fn index_command(&self, dir: &Path) -> Option<Command> {
        let mut command = self.command(dir).ok()?;
        if !self.has_model().ok()? {
            command.env("SEMBLE_MODEL_NAME", self.stand_in().ok()?);
        }
        command.args(["search", "index"]).arg(dir);
        command.args(["--top-k", "1", "--max-snippet-lines", "0"]);
        Some(command)
    }

    fn index_paths(&self, dir: &Path) -> Vec<PathBuf> {
        let home = self.install.home(dir).ok();
        home.map(|home| home.join(STORE)).into_iter().collect()
    }
}

/// The interpreter that the first line of a script names.
fn interpreter(script: &str) -> Option<&str> {
    let line = script.lines().next()?.strip_prefix("#!")?.trim();
    line.contains("python").then_some(line)
}

struct Tools {
    repo: String,
}

impl Tools {
    fn search(&self, talk: &mut Talk, mut arguments: Value) -> Result<Vec<Value>> {
        arguments["repo"] = json!(self.repo);
        Ok(results(&talk.call("search", arguments)?))
    }
}

impl Dialect for Tools {
    fn definition(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>> {
        // Whole chunks, as its documentation says for when ten lines of each do not show the place.
        let arguments = json!({"query": name, "top_k": CHUNKS, "max_snippet_lines": null});
        let chunks = self.search(talk, arguments)?;
        let last = shell::last_component(name);
        let pattern = Regex::new(&shell::definition_pattern(last, ""))?;
        let mut places: Vec<(bool, Place)> = chunks
            .iter()
            .filter_map(|chunk| defining(chunk, last, &pattern))
            .collect();
        // A reader passes over chunks that only mention the name.
        places.sort_by_key(|(defines, _)| !defines);
        Ok(Some(places.into_iter().map(|(_, place)| place).collect()))
    }

    fn locate(&self, talk: &mut Talk, query: &str, depth: usize) -> Result<Option<Vec<Span>>> {
        let chunks = self.search(talk, json!({"query": query, "top_k": depth}))?;
        Ok(Some(chunks.iter().filter_map(span).collect()))
    }
}

fn results(said: &str) -> Vec<Value> {
    let said: Value = serde_json::from_str(said).unwrap_or_default();
    said["results"].as_array().cloned().unwrap_or_default()
}

fn span(chunk: &Value) -> Option<Span> {
    let line = |key: &str| chunk[key].as_u64().and_then(|n| u32::try_from(n).ok());
    Some(Span {
        path: chunk["file_path"].as_str()?.to_owned(),
        lines: Some((line("start_line")?, line("end_line")?)),
    })
}

/// The line of a chunk that defines a name, as a reader sees it, and whether there is one; else the
/// first line that has the name, else the first.
fn defining(chunk: &Value, name: &str, pattern: &Regex) -> Option<(bool, Place)> {
    let Span { path, lines } = span(chunk)?;
    let text = chunk["content"].as_str().unwrap_or_default();
    let defines = |line: &str| !shell::is_comment(line) && shell::is_definition(line, pattern);
    let definition = text.lines().position(defines);
    let mention = || text.lines().position(|line| line.contains(name));
    let offset = definition
        .or_else(mention)
        .and_then(|offset| u32::try_from(offset).ok());
    let place = Place {
        path,
        line: lines?.0 + offset.unwrap_or(0),
    };
    Some((definition.is_some(), place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_a_span_and_names_a_line() {
        let said = json!({"query": "go", "results": [{"file_path": "lib/a.js", "start_line": 5,
            "end_line": 19, "score": 0.1, "content": "/**\n * runs go\n */\nfunction go() {"}]});
        let chunks = results(&said.to_string());
        let found = span(&chunks[0]).unwrap();
        assert_eq!(
            (found.path.as_str(), found.lines),
            ("lib/a.js", Some((5, 19)))
        );
        let line = |name: &str| {
            let pattern = Regex::new(&shell::definition_pattern(name, "")).unwrap();
            let (defines, place) = defining(&chunks[0], name, &pattern).unwrap();
            (defines, place.line)
        };
        assert_eq!(line("go"), (true, 8));
        assert_eq!(line("runs"), (false, 6));
        assert_eq!(line("stop"), (false, 5));
    }

    #[test]
    fn refusals_have_no_results() {
        assert!(results("Failed to index: no such model").is_empty());
        assert!(results("{\"error\": \"No results found.\"}").is_empty());
    }

    #[test]
    fn scripts_say_who_runs_them() {
        assert_eq!(
            interpreter("#!/opt/x/bin/python3\nimport re\n"),
            Some("/opt/x/bin/python3")
        );
        assert_eq!(interpreter("#!/bin/sh\n"), None);
        assert_eq!(interpreter("\u{7f}ELF"), None);
    }
}
