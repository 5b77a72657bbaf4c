//! `trace show`: what is known to have run of a tree.

use super::tree::Tree;
use crate::git::Repo;
use crate::git::path::RepoPath;
use crate::query::engine::warnings;
use crate::query::serialize;
use crate::store::trace::Traces;
use crate::store::{Progress, Snapshot};
use crate::trace::lines::{Lines, Ran};
use crate::upkeep::Error;
use serde::{Serialize, Serializer};

/// What is known of one function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FunctionTrace {
    /// Its name behind those of what it is nested in.
    pub name: String,
    /// First line of its definition.
    #[serde(rename = "start")]
    pub first: u32,
    /// Last line of it.
    #[serde(rename = "end")]
    pub last: u32,
    /// Whether it ran.
    #[serde(serialize_with = "label")]
    pub ran: Ran,
}

/// What is known of one file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FileTrace {
    /// Where it is.
    #[serde(serialize_with = "serialize::shown")]
    pub path: RepoPath,
    /// What was observed of its lines as they are; `None` when only functions of it were watched, in
    /// other versions.
    #[serde(flatten, serialize_with = "observed")]
    pub lines: Option<Lines>,
    /// Its functions of which something is known, in source order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<FunctionTrace>,
}

fn label<S: Serializer>(ran: &Ran, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(ran.label())
}

/// What was observed of the lines of a file, as it is written.
#[derive(Serialize)]
struct Observed {
    /// Whether it was traced as it is, and not only in another version.
    same: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    executed: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    executable: String,
    /// Number of lines that ran.
    #[serde(skip_serializing_if = "serialize::is_zero")]
    lines: usize,
}

fn observed<S: Serializer>(lines: &Option<Lines>, serializer: S) -> Result<S::Ok, S::Error> {
    let none = Lines::default();
    let known = lines.as_ref().unwrap_or(&none);
    let observed = Observed {
        same: lines.is_some(),
        executed: known.executed().to_string(),
        executable: known.executable().to_string(),
        lines: known.executed().len(),
    };
    observed.serialize(serializer)
}

/// Answer of `trace show`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Shown {
    /// Files of which something is known, ordered by path.
    pub files: Vec<FileTrace>,
    /// What went wrong without stopping the run; one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Says what is known to have run of a revision, or of the work tree: of the files at or below
/// `paths`, or of all.
pub fn show(
    repo: &Repo,
    at: Option<&str>,
    paths: &[String],
    progress: &dyn Progress,
) -> Result<Shown, Error> {
    let snapshot = Snapshot::open(repo)?;
    let (traces, unread) = Traces::open(repo, &snapshot);
    let mut out = Shown {
        warnings: warnings(&snapshot),
        ..Shown::default()
    };
    out.warnings.extend(unread.iter().map(ToString::to_string));
    if traces.is_empty() {
        return Ok(out);
    }
    let tree = Tree::open(repo, at, snapshot.ledger())?;
    let wanted: Vec<usize> = (0..tree.files.len())
        .filter(|at| super::super::is_wanted(tree.files[*at].path.as_bytes(), paths))
        .collect();
    let found = tree.functions(repo, &snapshot, &wanted, progress)?;
    out.warnings.extend(found.warnings);
    for (at, functions) in wanted.into_iter().zip(found.files) {
        let file = &tree.files[at];
        let known = functions
            .unwrap_or_default()
            .all
            .into_iter()
            .map(|function| {
                let body = function.body;
                FunctionTrace {
                    ran: traces.symbol(file.blob, body.first, body.last, body.hash),
                    name: function.name,
                    first: body.first,
                    last: body.last,
                }
            });
        let functions: Vec<_> = known.filter(|f| f.ran != Ran::Unknown).collect();
        let lines = traces.lines(file.blob).cloned();
        if lines.is_some() || !functions.is_empty() {
            out.files.push(FileTrace {
                path: file.path.clone(),
                lines,
                functions,
            });
        }
    }
    Ok(out)
}
