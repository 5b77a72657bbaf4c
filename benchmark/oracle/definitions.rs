//! Are all definitions found, and nothing else? Extraction is asked directly, in this process: what
//! a document defines is the same however the program is asked.

use super::counts::Counts;
use super::misses::Misses;
use super::truth::Truth;
use crate::Result;
use git_sverklo::extract::Extractor;
use git_sverklo::extract::record::SymbolKind;
use git_sverklo::lang;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Kinds that no compiler counts as definitions of the program.
const NOT_COMPARED: &[SymbolKind] = &[SymbolKind::Section, SymbolKind::Impl, SymbolKind::Test];

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
        let grammar = lang::by_file_name(name.as_bytes());
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
                counts.right += usize::from(new && !definition.optional);
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
            if !known.contains(&(line, name.clone())) && !truth.is_unread(path, line) {
                counts.extra += 1;
                misses.extra(path, line, kind, &name, &bytes);
            }
        }
    }
    Ok(counts)
}
