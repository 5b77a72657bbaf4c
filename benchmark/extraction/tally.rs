//! What was counted of a language.

use super::compare::Lost;
use super::ours::Read;
use crate::Result;
use crate::run::Run;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// A file that loses so many definitions is named.
const MANY: usize = 5;

/// Figures of one language.
#[derive(Default)]
pub struct Tally {
    /// Names and commits.
    pub repositories: BTreeSet<String>,
    /// Files of product code.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Those of them that lie in gaps.
    pub gap_bytes: u64,
    /// Definitions by ctags that count.
    pub definitions: usize,
    /// Those that are recorded.
    pub found: usize,
    /// Files over the limit of size, which are not read, as `status` says.
    pub large_files: usize,
    /// Definitions by ctags in these, which count apart.
    pub large: usize,
    /// What does not count, by rule.
    pub aside: BTreeMap<&'static str, usize>,
    /// What is missed, by reason.
    reasons: BTreeMap<String, usize>,
    losers: Vec<Loser>,
    misses: String,
}

/// A file that loses many.
struct Loser {
    repo: String,
    path: String,
    definitions: usize,
    reasons: BTreeMap<String, usize>,
    /// Whether nothing is recorded between its first miss and its end.
    rest: bool,
    /// Whether it is over the limit of size.
    large: bool,
}

impl Tally {
    /// Adds what is missed in a file.
    pub fn add_file(
        &mut self,
        repo: &str,
        read: &Read,
        all: usize,
        lost: &[Lost<'_>],
        lines: &[&str],
    ) {
        let mut reasons = BTreeMap::new();
        for Lost { tag, reason } in lost {
            *reasons.entry(reason.clone()).or_default() += 1;
            if !read.is_large() {
                *self.reasons.entry(reason.clone()).or_default() += 1;
            }
            let line = lines
                .get(tag.line as usize - 1)
                .copied()
                .unwrap_or_default();
            let line: String = line.trim().chars().take(110).collect();
            let _ = writeln!(
                self.misses,
                "{reason}\t{}\t{}\t{repo}/{}:{}\t{line}",
                tag.kind, tag.name, read.path, tag.line
            );
        }
        let large = read.is_large();
        if large {
            self.large_files += 1;
            self.large += all;
        } else {
            self.definitions += all;
            self.found += all - lost.len();
        }
        if lost.len() >= MANY {
            let last = read.symbols.iter().map(|symbol| symbol.line).max();
            let first = lost.iter().map(|lost| lost.tag.line).min();
            self.losers.push(Loser {
                repo: repo.to_owned(),
                path: read.path.clone(),
                definitions: all,
                reasons,
                rest: last <= first,
                large,
            });
        }
    }

    /// Files that lose many, but for those that are not read for their size.
    fn losers(&self) -> impl Iterator<Item = &Loser> {
        self.losers.iter().filter(|loser| !loser.large)
    }

    /// The share of ctags' definitions that is recorded; 1 where there are none.
    fn recall(&self) -> f64 {
        match self.definitions {
            0 => 1.0,
            all => self.found as f64 / all as f64,
        }
    }

    /// Writes every miss, those of one reason and kind together.
    pub fn write_misses(&self, path: &Path) -> Result<()> {
        let mut rows: Vec<&str> = self.misses.lines().collect();
        rows.sort_by_key(|row| row.split('\t').take(2).collect::<Vec<_>>());
        std::fs::write(path, rows.join("\n") + "\n")?;
        Ok(())
    }

    /// Records a line of figures and one for each file that loses many.
    pub fn record(&self, label: &str, state: &str, teller: &str, run: &Run) -> Result<()> {
        let files: Vec<_> = self.losers.iter().map(Loser::line).collect();
        run.record(
            "extraction",
            &json!({
                "bench": "extraction", "language": label, "state": state, "teller": teller,
                "repositories": self.repositories.len(), "names": self.repositories,
                "files_read": self.files, "bytes": self.bytes, "gap_bytes": self.gap_bytes,
                "definitions": self.definitions, "found": self.found,
                "aside": self.aside, "reasons": self.reasons,
                "large_files": self.large_files, "large": self.large,
                "losers": self.losers().count(),
                "rests": self.losers().filter(|loser| loser.rest).count(),
                "files": files,
            }),
        )
    }
}

impl Loser {
    fn line(&self) -> Value {
        json!({
            "repo": self.repo, "path": self.path, "definitions": self.definitions,
            "lost": self.reasons.values().sum::<usize>(), "why": shown(&self.reasons),
            "rest": self.rest,
        })
    }
}

fn shown(reasons: &BTreeMap<String, usize>) -> String {
    let reasons = reasons.iter();
    let reasons: Vec<_> = reasons
        .map(|(reason, count)| format!("{count} {reason}"))
        .collect();
    reasons.join(", ")
}

/// Prints a table, and each file that loses many.
pub fn print(tallies: &BTreeMap<&str, Tally>) {
    println!(
        "{:<12} {:>5} {:>7} {:>9} {:>7} {:>7} {:>6} {:>6} {:>8} {:>12}  why",
        "language",
        "repos",
        "files",
        "ctags",
        "recall",
        "missed",
        "losers",
        "rests",
        "gaps",
        "too large"
    );
    for (label, tally) in tallies {
        println!(
            "{label:<12} {:>5} {:>7} {:>9} {:>7.4} {:>7} {:>6} {:>6} {:>7.3}% {:>12}  {}",
            tally.repositories.len(),
            tally.files,
            tally.definitions,
            tally.recall(),
            tally.definitions - tally.found,
            tally.losers().count(),
            tally.losers().filter(|loser| loser.rest).count(),
            100.0 * tally.gap_bytes as f64 / tally.bytes.max(1) as f64,
            format!("{} in {}", tally.large, tally.large_files),
            shown(&tally.reasons)
        );
    }
    for (label, tally) in tallies {
        let aside: Vec<_> = tally
            .aside
            .iter()
            .map(|(rule, count)| format!("{count} {rule}"))
            .collect();
        println!("{label}: set aside: {}", aside.join(", "));
        for loser in &tally.losers {
            let rest = if loser.rest {
                ", and all that follows"
            } else {
                ""
            };
            println!(
                "  {}/{}: of {} {}{rest}",
                loser.repo,
                loser.path,
                loser.definitions,
                shown(&loser.reasons)
            );
        }
    }
}
