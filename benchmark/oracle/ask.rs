//! Asks the program under test through its command line, as JSON.

use crate::Result;
use crate::program::Program;
use crate::subject::Subject;
use git_sverklo::extract::Extractor;
use git_sverklo::extract::record::{DocRecord, SymbolKind};
use git_sverklo::lang;
use serde_json::Value;
use std::collections::BTreeMap;

/// Most items of one answer that can be asked for.
const LIMIT: &str = "1000";
/// Tokens enough for them.
const BUDGET: &str = "100000";

/// The program at work in one checkout.
pub struct Asked<'a> {
    program: &'a Program,
    subject: &'a Subject,
    documents: BTreeMap<String, DocRecord>,
}

/// A use that the program tells of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Use {
    /// The file it is in.
    pub path: String,
    /// Its line, 1-based.
    pub line: u32,
    /// How sure the program is: `resolved`, `inferred`, `ambiguous` or `text`.
    pub certainty: String,
    /// The rule that connects it with the definition.
    pub rule: String,
}

/// A file that the program says another depends on.
pub struct Dependency {
    /// Its path; empty when it is none of the repository.
    pub path: String,
    /// The module as it is written.
    pub specifier: String,
    /// Line of the import.
    pub line: u32,
    /// What ties them together.
    pub tie: String,
}

/// What `audit unused` lists.
pub struct Finding {
    /// The file it is in.
    pub path: String,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// Its own name; empty for a file.
    pub name: String,
    /// How it came to be listed.
    pub verdict: String,
}

impl<'a> Asked<'a> {
    /// Indexes a checkout.
    pub fn open(program: &'a Program, subject: &'a Subject) -> Result<Self> {
        let asked = Self {
            program,
            subject,
            documents: BTreeMap::new(),
        };
        asked.say(&["index", "HEAD"])?;
        Ok(asked)
    }

    /// Uses of the symbol whose name stands at a place, however sure; `None` when it is unknown to the program.
    pub fn uses(&mut self, path: &str, line: u32, name: &str) -> Result<Option<Vec<Use>>> {
        let Some(id) = self.symbol(path, line, name)? else {
            return Ok(None);
        };
        let said = self.json(&["refs", &id, "-n", LIMIT, "--budget", BUDGET, "--json"])?;
        let mut uses = Vec::new();
        for file in items(&said, "files").chain(items(&said, "ambiguous")) {
            for used in items(file, "uses") {
                uses.push(Use {
                    path: text(file, "path"),
                    line: number(used, "line"),
                    certainty: match text(used, "certainty") {
                        none if none.is_empty() => "text".to_owned(),
                        certainty => certainty,
                    },
                    rule: text(used, "rule"),
                });
            }
        }
        Ok(Some(uses))
    }

    /// What a file depends on.
    pub fn dependencies(&self, path: &str) -> Result<Vec<Dependency>> {
        let said = self.json(&[
            "refs", path, "--out", "-n", LIMIT, "--budget", BUDGET, "--json",
        ])?;
        Ok(items(&said, "dependencies")
            .map(|found| Dependency {
                path: text(found, "path"),
                specifier: text(found, "specifier"),
                line: number(found, "line"),
                tie: text(found, "tie"),
            })
            .collect())
    }

    /// All that `audit unused` lists, and what it lists when it is asked for exports.
    pub fn unused(&self) -> Result<Vec<Finding>> {
        let mut found = self.audit("unused")?;
        found.extend(self.audit("exported")?);
        Ok(found)
    }

    fn audit(&self, view: &str) -> Result<Vec<Finding>> {
        let said = self.json(&["audit", view, "-n", LIMIT, "--budget", BUDGET, "--json"])?;
        let found = items(&said, "findings").map(|found| {
            let name = text(found, "name");
            Finding {
                path: text(found, "path"),
                start: number(found, "start"),
                end: number(found, "end"),
                name: name
                    .rsplit(['.', ':'])
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
                verdict: text(found, "verdict"),
            }
        });
        Ok(found.collect())
    }

    /// The id of the symbol whose name stands on a line: `path::Qualified.name#kind`, and `~2` when
    /// it is the second one called so.
    fn symbol(&mut self, path: &str, line: u32, name: &str) -> Result<Option<String>> {
        let dir = &self.subject.dir;
        let record = match self.documents.get(path) {
            Some(record) => record,
            None => {
                let bytes = std::fs::read(dir.join(path))?;
                let file = path.rsplit('/').next().unwrap_or(path);
                let grammar = lang::by_file_name(file.as_bytes());
                let record = Extractor::new().extract(&bytes, grammar);
                self.documents.entry(path.to_owned()).or_insert(record)
            }
        };
        let found = record.symbols.iter().position(|symbol| {
            symbol.name_line == line && record.names.get(symbol.name) == name.as_bytes()
        });
        Ok(found.map(|index| id(record, path, index)))
    }

    fn json(&self, args: &[&str]) -> Result<Value> {
        Ok(serde_json::from_str(&self.say(args)?)?)
    }

    fn say(&self, args: &[&str]) -> Result<String> {
        let out = self.program.command(&self.subject.dir, args).output()?;
        // 1 is the exit status of an answer that found nothing.
        if !matches!(out.status.code(), Some(0 | 1)) {
            let said = String::from_utf8_lossy(&out.stderr);
            return Err(format!("git sverklo {}: {said}", args.join(" ")).into());
        }
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    }
}

fn id(record: &DocRecord, path: &str, index: usize) -> String {
    let symbol = &record.symbols[index];
    let name = qualified(record, index);
    let twins = record.symbols[..index].iter().enumerate();
    let twins = twins.filter(|(i, other)| {
        other.kind == symbol.kind && other.name == symbol.name && qualified(record, *i) == name
    });
    let id = format!("{path}::{name}#{}", symbol.kind.label());
    match twins.count() {
        0 => id,
        before => format!("{id}~{}", before + 1),
    }
}

fn qualified(record: &DocRecord, index: usize) -> String {
    let text = |name| String::from_utf8_lossy(record.names.get(name)).into_owned();
    let mut parts = Vec::new();
    let mut at = Some(index);
    while let Some(index) = at {
        let symbol = &record.symbols[index];
        parts.push(text(symbol.name));
        parts.extend(symbol.receiver.map(text));
        if matches!(symbol.kind, SymbolKind::Section | SymbolKind::Test) {
            break;
        }
        // Containers come before what they contain.
        at = symbol.container.map(|i| i as usize).filter(|i| *i < index);
    }
    parts.reverse();
    parts.join(".")
}

fn items<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value, key: &str) -> u32 {
    let number = value[key].as_u64().and_then(|n| u32::try_from(n).ok());
    number.unwrap_or(0)
}
