//! git-sverklo, through its MCP server, as an agent asks it.

use super::{Answer, Contender, Found, Session, Span};
use crate::Result;
use crate::program::Program;
use crate::session;
use crate::subject::Subject;
use crate::task::{Place, Question, Sense, Task};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Calls that an agent makes for one question before it takes what it has.
const MOST_CALLS: usize = 3;
/// Tokens asked for when the first answer says that there is more.
const MORE_TOKENS: usize = 8000;
/// Uses that can be asked for.
const MOST_USES: u64 = 1000;
/// Tokens that one result of a search takes, about: measured, 100 to 180 on this repository.
const TOKENS_A_RESULT: usize = 200;

/// The program under test.
pub struct Ours {
    program: Program,
}

impl Ours {
    /// Speaks for a program.
    pub fn new(program: Program) -> Self {
        Self { program }
    }
}

impl Contender for Ours {
    fn name(&self) -> &'static str {
        "git-sverklo"
    }

    fn version(&self) -> std::result::Result<String, String> {
        self.program.version().map_err(|err| err.to_string())
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        let out = self
            .program
            .command(&subject.dir, &["index", "HEAD"])
            .output()?;
        if !out.status.success() {
            return Err(String::from_utf8_lossy(&out.stderr).into_owned().into());
        }
        Ok(Box::new(Asked {
            server: session::Session::start(&mut self.program.command(&subject.dir, &["mcp"]))?,
            root: subject.root.clone(),
        }))
    }

    fn index_command(&self, dir: &Path) -> Option<Command> {
        Some(self.program.command(dir, &["index", "HEAD"]))
    }

    fn index_paths(&self, dir: &Path) -> Vec<PathBuf> {
        vec![dir.join(".git/sverklo"), dir.join(".git/refs/sverklo")]
    }
}

struct Asked {
    server: session::Session,
    root: Option<String>,
}

impl Session for Asked {
    fn answer(&mut self, task: &Task) -> Result<Option<Answer>> {
        let mut scope = task.scope.clone();
        scope.extend(self.root.iter().map(|root| format!("{root}/")));
        match &task.question {
            Question::Definition { name, .. } => self.definition(name, &scope).map(Some),
            Question::References { name, sense, .. } => {
                self.references(name, *sense, &scope).map(Some)
            }
            Question::Dependencies { path, .. } => self.dependencies(path).map(Some),
            Question::Unused { .. } => self.unused(&scope).map(Some),
            Question::Locate { query, depth, .. } => {
                self.locate(query, *depth, &scope, &task.lang).map(Some)
            }
        }
    }

    fn peak_mb(&self) -> Option<f64> {
        Some(self.server.peak_mb())
    }
}

impl Asked {
    fn definition(&mut self, name: &str, scope: &[String]) -> Result<Answer> {
        let mut answer = Answer::default();
        let said = self.call(&mut answer, "symbol", json!({"name": name, "scope": scope}))?;
        let cards = items(&said, "cards");
        answer.found = Found::Places(cards.filter_map(|card| place(card, "start")).collect());
        Ok(answer)
    }

    /// Where code means a name, or wherever the word stands: the answer tells these apart.
    fn references(&mut self, name: &str, sense: Sense, scope: &[String]) -> Result<Answer> {
        let mut answer = Answer::default();
        let mut arguments = json!({"target": name, "scope": scope});
        loop {
            let said = self.call(&mut answer, "refs", arguments)?;
            let mut places = Vec::new();
            for file in items(&said, "files").chain(items(&said, "ambiguous")) {
                let uses = items(file, "uses");
                let wanted = uses.filter(|used| sense == Sense::Word || is_meant(used));
                places.extend(wanted.map(|used| Place {
                    path: text(file, "path"),
                    line: number(used, "line"),
                }));
            }
            if sense == Sense::Word {
                for file in items(&said, "text") {
                    let lines = items(file, "lines").filter_map(Value::as_u64);
                    places.extend(lines.map(|line| Place {
                        path: text(file, "path"),
                        line: line as u32,
                    }));
                }
            }
            answer.found = Found::Places(places);
            // The footer tells how to get the rest; an agent that wants all uses follows it.
            let (shown, total) = (said["shown"].as_u64(), said["total"].as_u64());
            if shown >= total || answer.calls.len() == MOST_CALLS {
                return Ok(answer);
            }
            let total = total.map(|total| total.min(MOST_USES));
            let budget = MORE_TOKENS * answer.calls.len();
            arguments = json!({"target": name, "scope": scope, "limit": total, "budget": budget});
        }
    }

    /// Both directions of a file. What a file uses of its own package is told too, as `used`; the
    /// question is about imports.
    fn dependencies(&mut self, path: &str) -> Result<Answer> {
        let mut answer = Answer::default();
        let arguments = json!({
            "target": path,
            "limit": MOST_USES,
            "budget": MORE_TOKENS,
        });
        let said = self.call(&mut answer, "refs", arguments)?;
        let files = |side: &str| {
            let imports = items(&said, side).filter(|of| is_import(of));
            imports.map(|of| text(of, "path")).collect()
        };
        answer.found = Found::Dependencies {
            imports: files("dependencies"),
            importers: files("importers"),
        };
        Ok(answer)
    }

    /// Names of what `audit` lists, the last component of a qualified one.
    fn unused(&mut self, scope: &[String]) -> Result<Answer> {
        let mut answer = Answer::default();
        let arguments = json!({
            "view": "unused",
            "scope": scope,
            "limit": MOST_USES,
            "budget": MORE_TOKENS,
        });
        let said = self.call(&mut answer, "audit", arguments)?;
        // What it calls `uncertain` it tells the reasons of, and does not stand by.
        let findings = items(&said, "findings");
        let names = findings
            .filter(|one| one["verdict"] == "unreached")
            .map(|finding| {
                let name = text(finding, "name");
                super::shell::last_component(&name).to_owned()
            });
        answer.found = Found::Names(names.collect());
        Ok(answer)
    }

    fn locate(
        &mut self,
        query: &str,
        depth: usize,
        scope: &[String],
        lang: &str,
    ) -> Result<Answer> {
        let mut answer = Answer::default();
        let mut arguments = json!({"query": query, "scope": scope, "limit": depth});
        // Whoever asks knows the language, and ripgrep is told it too.
        if !lang.is_empty() {
            arguments["lang"] = json!([lang]);
        }
        // The default budget is for the default number of results.
        if depth > 10 {
            arguments["budget"] = json!(depth * TOKENS_A_RESULT);
        }
        let said = self.call(&mut answer, "search", arguments)?;
        let spans = items(&said, "hits").map(|hit| Span {
            path: text(hit, "path"),
            lines: Some((number(hit, "start"), number(hit, "end"))),
        });
        answer.found = Found::Spans(spans.collect());
        Ok(answer)
    }

    fn call(&mut self, answer: &mut Answer, tool: &str, arguments: Value) -> Result<Value> {
        let start = Instant::now();
        let said = self.server.call(tool, arguments)?;
        answer.wall += start.elapsed();
        answer.calls.push(said.text.clone());
        if said.is_error {
            return Err(said.text.into());
        }
        Ok(said.structured)
    }
}

fn items<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

/// Whether the program stands by a use: what it calls `ambiguous` or `text` may mean something else.
fn is_meant(used: &Value) -> bool {
    matches!(used["certainty"].as_str(), Some("resolved" | "inferred"))
}

/// Whether a dependency of a file is an import of a file of the repository. Neither a use without an
/// import is one, nor is `mod x;` alone, which says where a module lies.
fn is_import(of: &Value) -> bool {
    let declares = || of["tie"] == "module" && items(of, "names").count() < 2;
    of["path"].is_string() && of["tie"] != "used" && !declares()
}

fn place(value: &Value, line: &str) -> Option<Place> {
    Some(Place {
        path: value["path"].as_str()?.to_owned(),
        line: number(value, line),
    })
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value, key: &str) -> u32 {
    value[key]
        .as_u64()
        .and_then(|n| u32::try_from(n).ok())
        .unwrap_or(0)
}
