//! BM25 over whole files, identifiers split: the plain ranking that any better one has to beat.

use super::shell::{Shell, is_of_language};
use super::{Answer, Contender, Found, Session, Span};
use crate::Result;
use crate::subject::{Subject, run_git};
use crate::task::{Question, Task};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Saturation and length normalisation, the usual values (Robertson and Zaragoza 2009).
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// Larger files are data.
const MOST_BYTES: u64 = 1 << 20;

/// The ranking, computed by the benchmark itself.
pub struct Bm25;

impl Contender for Bm25 {
    fn name(&self) -> &'static str {
        "bm25"
    }

    fn version(&self) -> std::result::Result<String, String> {
        Ok(format!(
            "BM25 over files, k1 {K1}, b {B}, identifiers split"
        ))
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        let shell = Shell::new(subject);
        let listing = run_git(&subject.dir, &["ls-files", "-z"])?;
        let mut index = Index::default();
        for path in listing.split_terminator('\0') {
            let inside = shell
                .root
                .as_ref()
                .is_none_or(|root| path.starts_with(&format!("{root}/")));
            let at = subject.dir.join(path);
            if !inside
                || !at
                    .symlink_metadata()
                    .is_ok_and(|meta| meta.is_file() && meta.len() <= MOST_BYTES)
            {
                continue;
            }
            if let Ok(text) = String::from_utf8(std::fs::read(&at)?) {
                index.add(path, &text);
            }
        }
        Ok(Box::new(Ranking { index, shell }))
    }

    fn index_command(&self, _dir: &Path) -> Option<Command> {
        None
    }

    fn index_paths(&self, _dir: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
}

struct Ranking {
    index: Index,
    shell: Shell,
}

impl Session for Ranking {
    fn answer(&mut self, task: &Task) -> Result<Option<Answer>> {
        let Question::Locate { query, depth, .. } = &task.question else {
            return Ok(None);
        };
        let start = Instant::now();
        let ranked: Vec<&str> = self
            .index
            .rank(query)
            .into_iter()
            .map(|(path, _)| path)
            .filter(|path| is_of_language(path, &task.lang))
            .filter(|path| {
                task.scope.is_empty() || task.scope.iter().any(|scope| path.starts_with(scope))
            })
            .take(*depth)
            .collect();
        let wanted: Vec<String> = terms(query).collect();
        let mut text = String::new();
        for path in &ranked {
            // The line with the most words of the question, so that there is something to judge by.
            let bytes = std::fs::read(self.shell.dir.join(path))?;
            let content = String::from_utf8_lossy(&bytes);
            let telling = |line: &str| {
                wanted
                    .iter()
                    .filter(|word| terms(line).any(|term| term == **word))
                    .count()
            };
            let best = (1..)
                .zip(content.lines())
                .max_by_key(|(number, line): &(u32, &str)| (telling(line), u32::MAX - number));
            if let Some((number, line)) = best {
                let line: String = line.trim().chars().take(160).collect();
                let _ = writeln!(text, "{path}:{number}: {line}");
            }
        }
        Ok(Some(Answer {
            calls: vec![text],
            structured: Vec::new(),
            found: Found::Spans(
                ranked
                    .iter()
                    .map(|path| Span {
                        path: (*path).to_owned(),
                        lines: None,
                    })
                    .collect(),
            ),
            wall: start.elapsed(),
        }))
    }
}

/// Term counts of files.
#[derive(Default)]
struct Index {
    paths: Vec<String>,
    lengths: Vec<u32>,
    /// Term to (file, count).
    postings: HashMap<String, Vec<(u32, u32)>>,
}

impl Index {
    fn add(&mut self, path: &str, text: &str) {
        let file = self.paths.len() as u32;
        let mut counts: HashMap<String, u32> = HashMap::new();
        let mut length = 0;
        // A file's name says what it is about as much as a line of it does.
        for term in terms(path).chain(terms(text)) {
            *counts.entry(term).or_default() += 1;
            length += 1;
        }
        for (term, count) in counts {
            self.postings.entry(term).or_default().push((file, count));
        }
        self.paths.push(path.to_owned());
        self.lengths.push(length);
    }

    /// Files that have any word of the query, best first; equal ones by path.
    fn rank(&self, query: &str) -> Vec<(&str, f64)> {
        let files = self.paths.len() as f64;
        let mean = self
            .lengths
            .iter()
            .map(|length| f64::from(*length))
            .sum::<f64>()
            / files.max(1.0);
        let mut scores: HashMap<u32, f64> = HashMap::new();
        let mut words: Vec<String> = terms(query).collect();
        words.sort();
        words.dedup();
        for word in &words {
            let Some(postings) = self.postings.get(word) else {
                continue;
            };
            let with = postings.len() as f64;
            let idf = (1.0 + (files - with + 0.5) / (with + 0.5)).ln();
            for (file, count) in postings {
                let count = f64::from(*count);
                let length = f64::from(self.lengths[*file as usize]);
                let saturated = count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / mean));
                *scores.entry(*file).or_default() += idf * saturated;
            }
        }
        let mut ranked: Vec<(u32, f64)> = scores.into_iter().collect();
        ranked.sort_by(|a, b| {
            b.1.total_cmp(&a.1)
                .then_with(|| self.paths[a.0 as usize].cmp(&self.paths[b.0 as usize]))
        });
        ranked
            .into_iter()
            .map(|(file, score)| (self.paths[file as usize].as_str(), score))
            .collect()
    }
}

/// Lower-case words of a text: identifiers whole, and their parts by case and underscore.
fn terms(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.len() >= 2)
        .flat_map(|word| {
            let mut all = Vec::new();
            let mut part = String::new();
            let mut lower_before = false;
            for c in word.chars() {
                if c == '_' || (c.is_uppercase() && lower_before) {
                    all.extend((part.len() >= 2).then(|| std::mem::take(&mut part)));
                    part.clear();
                }
                if c != '_' {
                    part.extend(c.to_lowercase());
                }
                lower_before = c.is_lowercase() || c.is_ascii_digit();
            }
            all.extend((part.len() >= 2).then_some(part));
            let whole = word.to_lowercase();
            if all.as_slice() != [whole.as_str()] {
                all.push(whole);
            }
            all
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_split_and_kept() {
        let words: Vec<String> = terms("getUserName(x, HTTP_PORT) a").collect();
        assert_eq!(
            words,
            [
                "get",
                "user",
                "name",
                "getusername",
                "http",
                "port",
                "http_port"
            ]
        );
    }

    #[test]
    fn rare_words_in_short_files_come_first() {
        let mut index = Index::default();
        index.add("a.rs", "lock the index and wait for the other writer");
        index.add("b.rs", "wait");
        index.add(
            "c.rs",
            "wait for a very long time with many words that say nothing about what it is for",
        );
        let paths = |query: &str| -> Vec<String> {
            index
                .rank(query)
                .iter()
                .map(|(path, _)| (*path).to_owned())
                .collect()
        };
        assert_eq!(paths("wait lock"), ["a.rs", "b.rs", "c.rs"]);
        assert_eq!(paths("wait"), ["b.rs", "a.rs", "c.rs"]);
        assert!(paths("absent").is_empty());
    }

    #[test]
    fn a_score_is_that_of_the_formula() {
        let mut index = Index::default();
        index.add("x", "lock lock");
        index.add("y", "other words");
        // Both files are as long as the mean ("x" and "y" are too short to be terms), so the length
        // cancels out: idf ln(1 + 1.5 / 1.5) = ln 2, saturation 2 * 2.2 / (2 + 1.2) = 1.375.
        let ranked = index.rank("lock");
        assert_eq!(ranked.len(), 1);
        assert!((ranked[0].1 - 0.953_077).abs() < 1e-6, "{ranked:?}");
    }
}
