//! ripgrep as somebody uses it who knows it: file types, definition patterns, a little context,
//! comments left out, and words weighed by how rare they are.

use super::grep::{resolved, stem};
use super::shell::{
    self, OUTPUT_CHARS, Shell, definition_pattern, hits, is_comment, is_definition,
};
use super::{Answer, Contender, Found, Session, Span};
use crate::Result;
use crate::subject::Subject;
use crate::task::{Place, Question, Task};
use regex::Regex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Words of a question that are looked for.
const MOST_WORDS: usize = 8;
/// Files of which lines are printed for a question.
const FILES_SHOWN: usize = 10;

/// Tuned ripgrep.
pub struct Ripgrep;

impl Contender for Ripgrep {
    fn name(&self) -> &'static str {
        "ripgrep"
    }

    fn version(&self) -> std::result::Result<String, String> {
        let out = Command::new("rg")
            .arg("--version")
            .output()
            .map_err(|_| "no program `rg` on PATH; install ripgrep".to_owned())?;
        let text = String::from_utf8_lossy(&out.stdout);
        Ok(text.lines().next().unwrap_or_default().to_owned())
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        Ok(Box::new(Searching {
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

struct Searching {
    shell: Shell,
}

impl Session for Searching {
    fn answer(&mut self, task: &Task) -> Result<Option<Answer>> {
        let mut answer = Answer::default();
        answer.found = match &task.question {
            Question::Definition { name, .. } => {
                Found::Places(self.definition(&mut answer, name, task)?)
            }
            Question::References { name, .. } => {
                let name = shell::last_component(name);
                let mut command = self.rg(task, &["-w", "-F", "-e", name]);
                let hits = hits(&self.shell.run(&mut answer, &mut command)?);
                let pattern = Regex::new(&definition_pattern(name, &task.lang))?;
                Found::Places(
                    hits.into_iter()
                        .filter(|(_, line)| !is_definition(line, &pattern) && !is_comment(line))
                        .map(|(place, _)| place)
                        .collect(),
                )
            }
            Question::Dependencies { path, .. } => self.dependencies(&mut answer, path, task)?,
            Question::Unused { .. } => return Ok(None),
            Question::Locate { query, depth, .. } => {
                Found::Spans(self.locate(&mut answer, query, *depth, task)?)
            }
        };
        Ok(Some(answer))
    }
}

impl Searching {
    /// ripgrep with what every call has: numbered lines, the language's files, the question's folders.
    fn rg(&self, task: &Task, args: &[&str]) -> Command {
        let mut command = Command::new("rg");
        command.args([
            "--no-heading",
            "--no-config",
            "--color=never",
            "--sort=path",
            "-n",
        ]);
        if let Some(kind) = file_type(&task.lang) {
            command.args(["-t", kind]);
        }
        command
            .args(args)
            .arg("--")
            .args(self.shell.paths(&task.scope));
        command
    }

    /// Lines that look like the definition, tests last; whatever has the word when none does.
    fn definition(&self, answer: &mut Answer, name: &str, task: &Task) -> Result<Vec<Place>> {
        let name = shell::last_component(name);
        let pattern = definition_pattern(name, &task.lang);
        // Context is printed as `path-line-text`, which is no hit.
        let mut command = self.rg(task, &["-A", "2", "-e", &pattern]);
        let mut found = hits(&self.shell.run(answer, &mut command)?);
        let regex = Regex::new(&pattern)?;
        found.retain(|(_, line)| is_definition(line, &regex));
        if found.is_empty() {
            let mut command = self.rg(task, &["-w", "-F", "-e", name]);
            found = hits(&self.shell.run(answer, &mut command)?);
        }
        found.sort_by_key(|(place, _)| is_aside(&place.path));
        Ok(found.into_iter().map(|(place, _)| place).take(10).collect())
    }

    fn dependencies(&self, answer: &mut Answer, path: &str, task: &Task) -> Result<Found> {
        let import = r#"^\s*(pub\s+)?(use|mod|import|from)\b|\brequire\s*\(|^\s*#\s*include\b|\bfrom\s*['"]|^\s*import\s*\("#;
        let mut command = Command::new("rg");
        command.args([
            "--no-config",
            "--color=never",
            "-n",
            "-e",
            import,
            "--",
            path,
        ]);
        let lines = self.shell.run(answer, &mut command)?;
        let text: String = lines
            .lines()
            .filter_map(|line| Some(format!("{}\n", line.split_once(':')?.1)))
            .collect();
        let imports = resolved(&self.shell.dir, path, &text);
        let pattern = format!(r#"({import}).*\b{}\b"#, regex::escape(&stem(path)));
        let mut command = self.rg(task, &["-e", &pattern]);
        let mut by_file: BTreeMap<String, String> = BTreeMap::new();
        for (place, line) in hits(&self.shell.run(answer, &mut command)?) {
            let lines = by_file.entry(place.path).or_default();
            lines.push_str(&line);
            lines.push('\n');
        }
        let importers = by_file
            .into_iter()
            .filter(|(file, lines)| {
                resolved(&self.shell.dir, file, lines)
                    .iter()
                    .any(|to| to == path)
            })
            .map(|(file, _)| file)
            .collect();
        Ok(Found::Dependencies { imports, importers })
    }

    /// Counts each word in every file, ranks files by the sum of the words' rarities (a word that few
    /// files have weighs more, and more hits weigh a little more), and prints lines of the best.
    fn locate(
        &self,
        answer: &mut Answer,
        query: &str,
        depth: usize,
        task: &Task,
    ) -> Result<Vec<Span>> {
        let mut words = shell::words(query);
        words.truncate(MOST_WORDS);
        let files = {
            let mut command = self.rg(task, &["-c", "-e", ""]);
            // The number of files only sets the scale; an agent does not print the list.
            let out = command.current_dir(&self.shell.dir).output()?;
            out.stdout.iter().filter(|byte| **byte == b'\n').count()
        };
        let mut scores: BTreeMap<String, f64> = BTreeMap::new();
        for word in &words {
            let mut command = self.rg(task, &["-i", "-F", "--count-matches", "-e", word]);
            // Asked for with `| sort -rn | head -50`, which is what is read of it.
            let start = Instant::now();
            let out = command.current_dir(&self.shell.dir).output()?;
            answer.wall += start.elapsed();
            let text = String::from_utf8_lossy(&out.stdout);
            let mut counts: Vec<(&str, u32)> = text
                .lines()
                .filter_map(|line| {
                    let (path, count) = line.rsplit_once(':')?;
                    Some((path.trim_start_matches("./"), count.parse().ok()?))
                })
                .collect();
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let shown: String = counts
                .iter()
                .take(50)
                .map(|(path, count)| format!("{count} {path}\n"))
                .collect();
            answer.calls.push(shown);
            let rarity = (files as f64 / (1.0 + counts.len() as f64)).ln().max(0.1);
            for (path, count) in counts {
                let in_name = path
                    .to_ascii_lowercase()
                    .contains(&word.to_ascii_lowercase());
                let weight = 1.0 + f64::from(count).ln() / 4.0 + f64::from(in_name);
                *scores.entry(path.to_owned()).or_default() += rarity * weight;
            }
        }
        let mut ranked: Vec<(String, f64)> = scores.into_iter().collect();
        ranked.sort_by(|a, b| {
            is_aside(&a.0)
                .cmp(&is_aside(&b.0))
                .then(b.1.total_cmp(&a.1))
        });
        ranked.truncate(depth);
        let mut command = Command::new("rg");
        command.args([
            "--no-heading",
            "--no-config",
            "--color=never",
            "-n",
            "-i",
            "-F",
            "-m",
            "2",
            "-M",
            "160",
        ]);
        command
            .args(words.iter().flat_map(|word| ["-e", word.as_str()]))
            .arg("--");
        command.args(ranked.iter().take(FILES_SHOWN).map(|(path, _)| path));
        if !ranked.is_empty() && !words.is_empty() {
            let text = self.shell.run(answer, &mut command)?;
            debug_assert!(text.len() <= 4 * OUTPUT_CHARS, "output is cut");
        }
        Ok(ranked
            .into_iter()
            .map(|(path, _)| Span { path, lines: None })
            .collect())
    }
}

/// Tests, examples and documents, which somebody who looks for code looks at last.
fn is_aside(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    [
        "test",
        "spec",
        "example",
        "docs",
        "fixture",
        "bench",
        "playground",
        ".md",
        "changelog",
        "vendor",
    ]
    .iter()
    .any(|part| lower.contains(part))
}

fn file_type(lang: &str) -> Option<&'static str> {
    Some(match lang {
        "rust" => "rust",
        "python" => "py",
        "go" => "go",
        "javascript" => "js",
        "typescript" => "ts",
        "c" => "c",
        "cpp" | "c++" => "cpp",
        "java" => "java",
        "markdown" => "md",
        _ => return None,
    })
}
