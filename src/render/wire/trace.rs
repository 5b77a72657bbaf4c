//! What `trace` prints.

use super::{Store, is_zero};
use crate::upkeep::trace::ImportReport;
use crate::upkeep::trace::show::Shown;
use schemars::JsonSchema;
use serde::Serialize;

/// One report that was imported.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The file.
    pub report: String,
    /// What it is.
    pub format: &'static str,
    /// Files it tells of.
    pub files: usize,
    /// Those of them that are in the tree.
    pub matched: usize,
}

/// Report of `trace import`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Imported {
    /// By report.
    pub reports: Vec<Report>,
    /// Blobs told of.
    pub blobs: usize,
    /// Those that had no trace before.
    pub added: usize,
    /// Those of which more is known than before.
    pub extended: usize,
    /// Lines that ran.
    pub executed: usize,
    /// Lines that were watched.
    pub executable: usize,
    /// Paths that are no files of the tree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
    /// Paths that could be several files of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ambiguous: Vec<String>,
    /// Files of the tree with fewer lines than reported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outdated: Vec<String>,
    /// The stored index afterwards.
    pub store: Store,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// What went wrong on the way.
    pub warnings: Vec<String>,
}

impl Imported {
    /// Returns the wire form of a report.
    pub fn new(report: &ImportReport) -> Self {
        let reports = report.reports.iter().map(|one| Report {
            report: one.report.clone(),
            format: one.format.label(),
            files: one.files,
            matched: one.matched,
        });
        Self {
            reports: reports.collect(),
            blobs: report.blobs,
            added: report.added,
            extended: report.extended,
            executed: report.executed,
            executable: report.executable,
            unmatched: report.unmatched.clone(),
            ambiguous: report.ambiguous.clone(),
            outdated: report.outdated.iter().map(ToString::to_string).collect(),
            store: Store::new(&report.index),
            dry_run: report.dry_run,
            warnings: report.warnings.clone(),
        }
    }
}

/// What is known of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Function {
    /// Its name behind those of what it is nested in.
    pub name: String,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// Whether it ran: `ran` or `did not run`.
    pub ran: &'static str,
}

/// What is known of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct File {
    /// File.
    pub path: String,
    /// Whether it was traced as it is, and not only in another version.
    pub same: bool,
    /// Lines that ran, as in `1-3,7`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub executed: String,
    /// Lines that were watched.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub executable: String,
    /// Number of lines that ran.
    #[serde(skip_serializing_if = "is_zero")]
    pub lines: usize,
    /// Its functions of which something is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<Function>,
}

/// Answer of `trace show`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Traced {
    /// Files of which something is known.
    pub files: Vec<File>,
    /// What went wrong on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Traced {
    /// Returns the wire form of an answer.
    pub fn new(shown: &Shown) -> Self {
        let files = shown.files.iter().map(|file| {
            let lines = file.lines.clone().unwrap_or_default();
            let functions = file.functions.iter().map(|function| Function {
                name: function.name.clone(),
                start: function.first,
                end: function.last,
                ran: function.ran.label(),
            });
            File {
                path: file.path.to_string(),
                same: file.lines.is_some(),
                executed: lines.executed().to_string(),
                executable: lines.executable().to_string(),
                lines: lines.executed().len(),
                functions: functions.collect(),
            }
        });
        Self {
            files: files.collect(),
            warnings: shown.warnings.clone(),
        }
    }
}
