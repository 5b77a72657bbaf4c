//! git-sverklo, through its MCP server, as an agent asks it.

use super::{Answer, Contender, Found, Session, Span, read};
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
        let places = read::places(&said).map(|line| Place {
            path: line.path.to_owned(),
            line: line.start,
        });
        answer.found = Found::Places(places.collect());
        Ok(answer)
    }

    /// Where code means a name, or wherever the word stands: the answer tells these apart.
    fn references(&mut self, name: &str, sense: Sense, scope: &[String]) -> Result<Answer> {
        let mut answer = Answer::default();
        let mut arguments = json!({"target": name, "scope": scope});
        loop {
            let said = self.call(&mut answer, "refs", arguments)?;
            let uses = read::uses(&said);
            answer.found = Found::Places(match sense {
                Sense::Meaning => uses.meant,
                Sense::Word => [uses.meant, uses.ambiguous, uses.words].concat(),
            });
            // The footer tells how to get the rest; an agent that wants all uses follows it.
            let (shown, total) = read::shown(&said).unwrap_or_default();
            if shown >= total || answer.calls.len() == MOST_CALLS {
                return Ok(answer);
            }
            let total = total.min(MOST_USES);
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
        let (imports, importers) = read::dependencies(&said);
        answer.found = Found::Dependencies { imports, importers };
        Ok(answer)
    }

    /// Names of what `audit` lists and stands by, the last component of a qualified one.
    fn unused(&mut self, scope: &[String]) -> Result<Answer> {
        let mut answer = Answer::default();
        let arguments = json!({
            "view": "unused",
            "scope": scope,
            "limit": MOST_USES,
            "budget": MORE_TOKENS,
        });
        let said = self.call(&mut answer, "audit", arguments)?;
        answer.found = Found::Names(read::unreached(&said));
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
        let spans = read::places(&said).map(|line| Span {
            path: line.path.to_owned(),
            lines: Some((line.start, line.end)),
        });
        answer.found = Found::Spans(spans.collect());
        Ok(answer)
    }

    fn call(&mut self, answer: &mut Answer, tool: &str, arguments: Value) -> Result<String> {
        let start = Instant::now();
        let said = self.server.call(tool, arguments)?;
        answer.wall += start.elapsed();
        answer.calls.push(said.text.clone());
        answer.structured.extend(said.structured_first());
        if said.is_error {
            return Err(said.text.into());
        }
        Ok(said.text)
    }
}
