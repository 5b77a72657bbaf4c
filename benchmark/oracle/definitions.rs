//! Are all definitions found, and nothing else? Extraction is asked directly, in this process: what
//! a document defines is the same however the program is asked.

use super::misses::Misses;
use super::truth::Truth;
use crate::Result;
use git_sverklo::extract::record::SymbolKind;
use git_sverklo::extract::{Extractor, language};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Kinds that no compiler counts as definitions of the program.
const NOT_COMPARED: &[SymbolKind] = &[SymbolKind::Section, SymbolKind::Impl, SymbolKind::Test];

/// Counts of found, surplus and missing.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    /// Told and true.
    pub hits: usize,
    /// Told and not true.
    pub extra: usize,
    /// True and not told.
    pub missing: usize,
}

impl Counts {
    /// Adds others.
    pub fn add(&mut self, other: Self) {
        self.hits += other.hits;
        self.extra += other.extra;
        self.missing += other.missing;
    }

    /// Part of what was told that is true; 1 when nothing was told.
    pub fn precision(self) -> f64 {
        part(self.hits, self.extra)
    }

    /// Part of what is true that was told; 1 when nothing is true.
    pub fn recall(self) -> f64 {
        part(self.hits, self.missing)
    }

    /// Harmonic mean of both.
    pub fn f1(self) -> f64 {
        let (precision, recall) = (self.precision(), self.recall());
        if precision + recall == 0.0 {
            0.0
        } else {
            2.0 * precision * recall / (precision + recall)
        }
    }
}

fn part(hits: usize, others: usize) -> f64 {
    if hits + others == 0 {
        1.0
    } else {
        hits as f64 / (hits + others) as f64
    }
}

/// Compares (line, name) sets file by file.
pub fn score(checkout: &Path, truth: &Truth, misses: &mut Misses) -> Result<Counts> {
    let mut counts = Counts::default();
    let mut extractor = Extractor::new();
    let mut by_file: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for definition in &truth.definitions {
        by_file
            .entry(&definition.path)
            .or_default()
            .push(definition);
    }
    for path in &truth.files {
        let bytes = std::fs::read(checkout.join(path))
            .map_err(|err| format!("{}: {err}", checkout.join(path).display()))?;
        let name = path.rsplit('/').next().unwrap_or(path);
        let grammar = language::by_file_name(name.as_bytes());
        let record = extractor.extract(&bytes, grammar);
        if let Some(reason) = record.skip {
            misses.note(&format!("skipped: {path}: {}", reason.label()));
        }
        let mut told = BTreeMap::new();
        for symbol in &record.symbols {
            if !NOT_COMPARED.contains(&symbol.kind) {
                let name = String::from_utf8_lossy(record.names.get(symbol.name)).into_owned();
                told.insert((symbol.name_line, name), symbol.kind.label());
            }
        }
        let mut known = BTreeSet::new();
        for definition in by_file.remove(path.as_str()).unwrap_or_default() {
            let key = (definition.line, definition.name.clone());
            if told.contains_key(&key) {
                // An optional one that was told is neither right nor wrong.
                let new = known.insert(key);
                counts.hits += usize::from(new && !definition.optional);
            } else if !definition.optional && known.insert(key) {
                counts.missing += 1;
                misses.missing(
                    path,
                    definition.line,
                    &definition.kind,
                    &definition.name,
                    &bytes,
                );
            }
        }
        for ((line, name), kind) in told {
            if !known.contains(&(line, name.clone())) {
                counts.extra += 1;
                misses.extra(path, line, kind, &name, &bytes);
            }
        }
    }
    Ok(counts)
}
