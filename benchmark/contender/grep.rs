//! What an agent does that has nothing better: `git grep` for the words, then read whole files.

use super::shell::{self, Shell, definition_pattern, hits, is_definition};
use super::{Answer, Contender, Found, Session, Span};
use crate::Result;
use crate::subject::Subject;
use crate::task::{Place, Question, Task};
use regex::Regex;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that are read after a grep.
const FILES_READ: usize = 4;

/// Grep and read.
pub struct Grep;

impl Contender for Grep {
    fn name(&self) -> &'static str {
        "grep+read"
    }

    fn version(&self) -> std::result::Result<String, String> {
        let out = Command::new("git")
            .arg("--version")
            .output()
            .map_err(|err| err.to_string())?;
        Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        Ok(Box::new(Grepping {
            shell: Shell::new(subject),
        }))
    }

    fn index_command(&self, _dir: &Path) -> Option<Command> {
        None
    }

    fn index_paths(&self, _dir: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
}

struct Grepping {
    shell: Shell,
}

impl Session for Grepping {
    fn answer(&mut self, task: &Task) -> Result<Option<Answer>> {
        let mut answer = Answer::default();
        answer.found = match &task.question {
            Question::Definition { name, .. } => {
                let mut places = self.places(&mut answer, task, name, true)?;
                places.truncate(10);
                Found::Places(places)
            }
            Question::References { name, .. } => {
                Found::Places(self.places(&mut answer, task, name, false)?)
            }
            Question::Dependencies { path, .. } => {
                let text = self.shell.read(&mut answer, path)?;
                let imports = resolved(&self.shell.dir, path, &text);
                let stem = stem(path);
                let hits = self.grep(&mut answer, &task.scope, &["-w", "-F", &stem])?;
                let mut importers: Vec<String> = Vec::new();
                for (place, _) in self.read_first(&mut answer, &hits)? {
                    let text = std::fs::read(self.shell.dir.join(&place))?;
                    let text = String::from_utf8_lossy(&text);
                    if resolved(&self.shell.dir, &place, &text).contains(path) {
                        importers.push(place);
                    }
                }
                Found::Dependencies { imports, importers }
            }
            Question::Unused { .. } => return Ok(None),
            Question::Locate { query, .. } => {
                let words = shell::words(query).join("|");
                let hits = self.grep(&mut answer, &task.scope, &["-i", "-E", &words])?;
                let ranked = self.read_first(&mut answer, &hits)?;
                Found::Spans(
                    ranked
                        .into_iter()
                        .map(|(path, _)| Span { path, lines: None })
                        .collect(),
                )
            }
        };
        Ok(Some(answer))
    }
}

impl Grepping {
    /// Lines with the word, and of those the ones that define it, or that do not: having read the
    /// files, the agent knows a definition when it sees one.
    fn places(
        &self,
        answer: &mut Answer,
        task: &Task,
        name: &str,
        defining: bool,
    ) -> Result<Vec<Place>> {
        let word = shell::last_component(name);
        let hits = self.grep(answer, &task.scope, &["-w", "-F", word])?;
        self.read_first(answer, &hits)?;
        let pattern = Regex::new(&definition_pattern(word, ""))?;
        Ok(hits
            .into_iter()
            .filter(|(_, line)| is_definition(line, &pattern) == defining)
            .map(|(place, _)| place)
            .collect())
    }

    fn grep(
        &self,
        answer: &mut Answer,
        scope: &[String],
        pattern: &[&str],
    ) -> Result<Vec<(Place, String)>> {
        let mut command = Command::new("git");
        command.args(["-c", "core.quotePath=false", "grep", "-n", "-I"]);
        command
            .args(&pattern[..pattern.len() - 1])
            .arg("-e")
            .args(pattern.last())
            .arg("--");
        command.args(self.shell.paths(scope));
        Ok(hits(&self.shell.run(answer, &mut command)?))
    }

    /// Reads the files with the most hits, and returns all files, those with the most hits first.
    fn read_first(
        &self,
        answer: &mut Answer,
        hits: &[(Place, String)],
    ) -> Result<Vec<(String, usize)>> {
        let mut files: Vec<(String, usize)> = Vec::new();
        for (place, _) in hits {
            match files.iter_mut().find(|(path, _)| *path == place.path) {
                Some((_, count)) => *count += 1,
                None => files.push((place.path.clone(), 1)),
            }
        }
        files.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (path, _) in files.iter().take(FILES_READ) {
            self.shell.read(answer, path)?;
        }
        Ok(files)
    }
}

/// What other files call a file: its name without the extension, or its folder's for an index file.
pub fn stem(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    match stem {
        "index" | "mod" | "__init__" if !folder.is_empty() => {
            folder.rsplit('/').next().unwrap_or(folder).to_owned()
        }
        stem => stem.to_owned(),
    }
}

/// The files of the subject that a file imports.
pub fn resolved(dir: &Path, path: &str, text: &str) -> Vec<String> {
    let mut files: Vec<String> = shell::imports(text)
        .iter()
        .filter_map(|import| shell::resolve(dir, path, import))
        .collect();
    files.sort();
    files.dedup();
    files
}
