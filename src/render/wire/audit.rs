//! The JSON shapes of `audit`.

use super::{Symbol, is_zero};
use crate::query::audit::answer::ImportEdge;
use crate::query::state::Stamp;
use crate::render::nothing;
use schemars::JsonSchema;
use serde::Serialize;

/// One finding of `audit`; which fields it has depends on the view.
#[derive(Clone, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub struct Finding {
    /// File.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// First line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<u32>,
    /// Last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Qualified name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How it came to be listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// How probable it is that it is dead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Why it may not be what it seems.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// Share of PageRank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<f64>,
    /// Uses of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<usize>,
    /// Files that depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fan_in: Option<usize>,
    /// Files or definitions that it depends on; files in a cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fan_out: Option<usize>,
    /// What it is ranked by among hotspots.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub heat: Option<Heat>,
    /// Files that import each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
    /// A shortest cycle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<ImportEdge>,
    /// Imports to cut.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<ImportEdge>,
}

/// What a hotspot is ranked by. What history cannot give is `null`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Heat {
    /// Part of all complexity times changes.
    pub share: f64,
    /// Lines of code.
    pub lines: u32,
    /// Levels of indentation of these, summed.
    pub complexity: u64,
    /// What that was a year before the newest commit.
    pub complexity_year_ago: Option<u64>,
    /// Commits that changed it.
    pub changes: usize,
    /// How many of them mended something.
    pub fixes: usize,
    /// How many are of the last year.
    pub last_year: usize,
    /// How many of the year before.
    pub year_before: Option<usize>,
    /// The most complex function: its lines, name, and levels inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Worst>,
}

/// The most complex function of a file.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Worst {
    /// What it is.
    #[serde(flatten)]
    pub symbol: Symbol,
    /// Levels inside of it.
    pub complexity: u64,
}

/// Answer of `audit`.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Audit {
    /// State spoken from.
    pub index: Stamp,
    /// What was looked for.
    pub view: &'static str,
    /// Findings shown.
    pub shown: usize,
    /// Findings there are.
    pub total: usize,
    /// Findings, surest or most important first.
    pub findings: Vec<Finding>,
    /// Uses with several candidates.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ambiguous: usize,
    /// Imports that lead nowhere.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unresolved_imports: usize,
    /// Imports of what is not in the repository.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub external_imports: usize,
    /// Where history ends before its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub history: Option<String>,
    /// Where it was looked, when there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub nothing: Option<nothing::Wire>,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}
