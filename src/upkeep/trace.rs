//! `trace`: recording what ran under test, from the reports of coverage tools.
//!
//! Guarantees: lines are recorded of the blobs that the reports are about, also of files that are
//! not committed, so that they hold once these are; what a report says of files that are not in the
//! tree, or of lines that a file does not have, is left out and named.

pub mod show;
mod tree;

use super::Error;
use super::reported::{self, ImportOptions, Imports};
use crate::git::path::RepoPath;
use crate::git::{self, Repo};
use crate::id::BlobId;
use crate::query::serialize;
use crate::store::recorded::OfBlob;
use crate::store::trace::{BlobTrace, Observed};
use crate::store::{Progress, Snapshot};
use crate::trace::lines::Lines;
use crate::trace::paths::{Found, Places};
use crate::trace::{Format, read};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tree::{Functions, Tree};

/// Largest report that is read, in bytes.
const MAX_REPORT_BYTES: u64 = 1 << 30;

/// What one report came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Imported {
    /// The report, as it was given.
    pub report: String,
    /// What it is.
    #[serde(serialize_with = "label")]
    pub format: Format,
    /// Files it tells of.
    pub files: usize,
    /// Those of them that are in the tree.
    pub matched: usize,
}

fn label<S: Serializer>(format: &Format, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(format.label())
}

/// What `trace import` did, or would do.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ImportReport {
    /// By report.
    pub reports: Vec<Imported>,
    /// Lines that ran.
    pub executed: usize,
    /// Lines that were watched.
    pub executable: usize,
    /// Files of the tree that have fewer lines than a report says, in order.
    #[serde(
        serialize_with = "serialize::each_shown",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub outdated: Vec<RepoPath>,
    /// What is the same for all imports.
    #[serde(flatten)]
    pub imports: Imports,
}

/// Records what reports say of a revision, or of the work tree; of what format they are is told by their content
/// without one. A relative path of a report is looked for in `dir` first. Fails with
/// [`Error::Report`] for a file that is none; else see [`Error`].
pub fn import(
    repo: &Repo,
    options: &ImportOptions,
    format: Option<Format>,
    dir: &Path,
    progress: &dyn Progress,
) -> Result<ImportReport, Error> {
    let mut out = ImportReport {
        imports: Imports {
            dry_run: options.dry_run,
            ..Imports::default()
        },
        ..ImportReport::default()
    };
    let snapshot = Snapshot::open(repo)?;
    let tree = Tree::open(repo, options.at.as_deref(), snapshot.ledger())?;
    let places = places(repo, &tree, options, dir);
    let mut seen: BTreeMap<usize, Lines> = BTreeMap::new();
    for file in &options.files {
        read_report(file, format, dir, &places, &mut seen, &mut out)?;
    }
    let positions: Vec<usize> = seen.keys().copied().collect();
    let functions = tree.functions(repo, &snapshot, &positions, progress)?;
    out.imports.warnings.extend(functions.warnings);
    let mut observed = Observed::new();
    for ((at, lines), functions) in seen.into_iter().zip(functions.files) {
        let file = &tree.files[at];
        if is_outdated(&lines, functions.as_ref()) {
            out.outdated.push(file.path.clone());
            continue;
        }
        let entry = observed.entry(file.blob).or_default();
        entry.unite(&trace_of(lines, functions.as_ref()));
    }
    for trace in observed.values() {
        out.executed += trace.lines.executed().len();
        out.executable += trace.lines.executable().len();
    }
    out.imports.finish(repo, snapshot, &observed)?;
    Ok(out)
}

fn read_report(
    file: &Path,
    format: Option<Format>,
    dir: &Path,
    places: &Places,
    seen: &mut BTreeMap<usize, Lines>,
    out: &mut ImportReport,
) -> Result<(), Error> {
    let bytes = reported::read(dir, file, MAX_REPORT_BYTES)?;
    let report = read(&bytes, format).map_err(|source| Error::Report {
        path: file.to_owned(),
        source,
    })?;
    if report.malformed > 0 {
        out.imports.warnings.push(format!(
            "{} records of {} make no sense and were left out",
            report.malformed,
            file.display()
        ));
    }
    let paths: Vec<&str> = report.files.iter().map(|(path, _)| path.as_str()).collect();
    let mut matched = 0;
    for (found, (path, lines)) in places.find(&paths).into_iter().zip(&report.files) {
        match found {
            Found::File(at) => {
                matched += 1;
                seen.entry(at).or_default().unite(lines);
            }
            Found::Ambiguous => out.imports.ambiguous.push(path.clone()),
            Found::Nowhere => out.imports.unmatched.push(path.clone()),
        }
    }
    out.reports.push(Imported {
        report: file.display().to_string(),
        format: report.format,
        files: report.files.len(),
        matched,
    });
    Ok(())
}

/// Says what is known of where reports were made.
fn places<'a>(repo: &Repo, tree: &'a Tree, options: &ImportOptions, dir: &Path) -> Places<'a> {
    let paths = tree.files.iter().map(|file| file.path.as_bytes());
    let mut places = reported::places(repo, paths.collect(), &options.strip, dir);
    for (module, folder) in tree.go_modules(repo) {
        places = places.module(&module, &folder);
    }
    places
}

/// Whether a report tells of lines that the file does not have, so that it is about another version.
fn is_outdated(lines: &Lines, functions: Option<&Functions>) -> bool {
    let last = lines.executable().last();
    let known = functions.and_then(|functions| functions.lines);
    known.zip(last).is_some_and(|(known, last)| last > known)
}

/// Puts lines and the functions on them together.
fn trace_of(lines: Lines, functions: Option<&Functions>) -> BlobTrace {
    let all = functions.map_or(&[][..], |functions| &functions.all);
    let bodies = all.iter().map(|function| function.body);
    let watched = bodies.filter(|body| !lines.within(body.first, body.last).is_empty());
    let bodies: BTreeSet<_> = watched.collect();
    BlobTrace { lines, bodies }
}

/// A file of a tree and what it is to be read as.
#[derive(Clone, Debug)]
struct TreeFile {
    path: RepoPath,
    blob: BlobId,
    grammar: crate::extract::record::Grammar,
    /// Its content, when it is not committed.
    bytes: Option<Vec<u8>>,
}

/// Reads a committed or uncommitted file; `None` when it cannot be had.
fn content(objects: &mut git::Objects, file: &TreeFile) -> Option<Vec<u8>> {
    if let Some(bytes) = &file.bytes {
        return Some(bytes.clone());
    }
    let mut bytes = Vec::new();
    objects.blob(file.blob, &mut bytes).ok()?;
    Some(bytes)
}
