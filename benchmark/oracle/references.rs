//! Are all uses of a symbol found, and only its own? Lines are compared, in the files that the oracle
//! read. Places of which the oracle itself cannot tell what they mean count for nobody.

use super::ask::{Asked, Use};
use super::counts::Counts;
use super::misses::Misses;
use super::truth::{Symbol, Truth};
use crate::Result;
use crate::subject::Subject;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// A file and a line.
type Line = (String, u32);

/// One way to be scored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Teller {
    /// What the program resolved, or inferred from there being one candidate only.
    Sure,
    /// That, and what is one of several candidates.
    Candidates,
    /// `git grep -w`.
    Grep,
}

impl Teller {
    /// Every teller.
    pub const ALL: [Self; 3] = [Self::Sure, Self::Candidates, Self::Grep];

    /// Its name in tables and raw lines.
    pub fn label(self) -> &'static str {
        match self {
            Self::Sure => "git-sverklo",
            Self::Candidates => "with ambiguous",
            Self::Grep => "grep -w",
        }
    }

    fn takes(self, certainty: &str) -> bool {
        match self {
            Self::Sure => matches!(certainty, "resolved" | "inferred"),
            Self::Candidates => matches!(certainty, "resolved" | "inferred" | "ambiguous"),
            Self::Grep => false,
        }
    }
}

/// What was counted.
#[derive(Default)]
pub struct Scores {
    /// Of each symbol, by teller, group and half.
    pub counts: BTreeMap<(Teller, String, String), Vec<Counts>>,
    /// Edges by rule: right and wrong.
    pub rules: BTreeMap<String, (usize, usize)>,
}

impl Scores {
    /// The counts of each symbol of a group and half.
    pub fn of(&self, teller: Teller, group: &str, half: &str) -> &[Counts] {
        let key = (teller, group.to_owned(), half.to_owned());
        self.counts.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// Asks about every chosen symbol.
pub fn score(
    asked: &mut Asked<'_>,
    subject: &Subject,
    truth: &Truth,
    misses: &mut Misses,
    held: &mut Misses,
) -> Result<Scores> {
    let mut scores = Scores::default();
    for symbol in &truth.symbols {
        let wanted: BTreeSet<Line> = symbol.refs.iter().map(line).collect();
        let mut passed: BTreeSet<Line> = symbol.undecided.iter().map(line).collect();
        for defined in &symbol.lines {
            passed.insert((symbol.path.clone(), *defined));
        }
        let uses = uses(asked, symbol)?;
        let written = grep(subject, &symbol.name)?;
        // Under another name it is not looked for.
        let renamed = uses.iter().map(|of| (of.path.clone(), of.line));
        passed.extend(renamed.filter(|at| !written.contains(at)));
        judge_rules(&uses, truth, &wanted, &passed, &mut scores);
        for teller in Teller::ALL {
            let mut told: BTreeSet<Line> = match teller {
                Teller::Grep => written.clone(),
                _ => uses
                    .iter()
                    .filter(|of| teller.takes(&of.certainty))
                    .map(|of| (of.path.clone(), of.line))
                    .collect(),
            };
            told.retain(|at| {
                let known = !passed.contains(at) && !truth.is_unread(&at.0, at.1);
                truth.read(&at.0) && (wanted.contains(at) || known)
            });
            let counts = Counts {
                right: told.intersection(&wanted).count(),
                extra: told.difference(&wanted).count(),
                missing: wanted.difference(&told).count(),
            };
            let key = (teller, symbol.group.clone(), symbol.half.clone());
            scores.counts.entry(key).or_default().push(counts);
            if teller == Teller::Sure {
                let into = match symbol.half.as_str() {
                    "held" => &mut *held,
                    _ => &mut *misses,
                };
                list(symbol, &wanted, &told, &uses, subject, into)?;
            }
        }
    }
    Ok(scores)
}

fn line(at: &(String, u32, u32)) -> Line {
    (at.0.clone(), at.1)
}

/// Overloads are one symbol to the oracle and several to the program.
fn uses(asked: &mut Asked<'_>, symbol: &Symbol) -> Result<Vec<Use>> {
    let mut all = Vec::new();
    for defined in &symbol.lines {
        let found = asked.uses(&symbol.path, *defined, &symbol.name)?;
        all.extend(found.unwrap_or_default());
    }
    all.sort();
    all.dedup();
    Ok(all)
}

fn judge_rules(
    uses: &[Use],
    truth: &Truth,
    wanted: &BTreeSet<Line>,
    passed: &BTreeSet<Line>,
    scores: &mut Scores,
) {
    for of in uses.iter().filter(|of| truth.read(&of.path)) {
        let at = (of.path.clone(), of.line);
        let rule = match of.rule.as_str() {
            "" => &of.certainty,
            rule => rule,
        };
        let (right, wrong) = scores.rules.entry(rule.to_owned()).or_default();
        if wanted.contains(&at) {
            *right += 1;
        } else if !passed.contains(&at) && !truth.is_unread(&at.0, at.1) {
            *wrong += 1;
        }
    }
}

/// Lines with the word.
fn grep(subject: &Subject, word: &str) -> Result<BTreeSet<Line>> {
    let out = Command::new("git")
        .arg("-C")
        .arg(&subject.dir)
        .args(["grep", "-z", "-n", "-I", "-w", "-F", "-e", word])
        .output()?;
    let mut lines = BTreeSet::new();
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let mut parts = line.split('\0');
        if let (Some(path), Some(number)) = (parts.next(), parts.next()) {
            lines.insert((path.to_owned(), number.parse()?));
        }
    }
    Ok(lines)
}

fn list(
    symbol: &Symbol,
    wanted: &BTreeSet<Line>,
    told: &BTreeSet<Line>,
    uses: &[Use],
    subject: &Subject,
    misses: &mut Misses,
) -> Result<()> {
    let name = match symbol.container.as_str() {
        "" => symbol.name.clone(),
        container => format!("{container}.{}", symbol.name),
    };
    if wanted == told {
        return Ok(());
    }
    misses.note(&format!(
        "{}:{} {} {name} ({}): {} uses",
        symbol.path,
        symbol.line,
        symbol.kind,
        symbol.group,
        wanted.len()
    ));
    for (path, line) in wanted.symmetric_difference(told) {
        let source = std::fs::read(subject.dir.join(path))?;
        let of = uses.iter().find(|of| of.path == *path && of.line == *line);
        let said = match of {
            Some(of) if of.rule.is_empty() => of.certainty.clone(),
            Some(of) => format!("{}, {}", of.certainty, of.rule),
            None => "not told".to_owned(),
        };
        if wanted.contains(&(path.clone(), *line)) {
            misses.missing(path, *line, &said, &symbol.name, &source);
        } else {
            misses.extra(path, *line, &said, &symbol.name, &source);
        }
    }
    Ok(())
}

/// Words that stand in the repository outside of some lines: whether grep would call a symbol alive.
pub fn grep_elsewhere(
    subject: &Subject,
    truth: &Truth,
    word: &str,
    own: impl Fn(&str, u32) -> bool,
) -> Result<bool> {
    let lines = grep(subject, word)?;
    Ok(lines
        .iter()
        .any(|(path, line)| truth.read(path) && !own(path, *line)))
}
