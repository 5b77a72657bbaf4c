//! `trace show`: what is known to have run of a tree.

use super::tree::Tree;
use crate::git::Repo;
use crate::git::path::RepoPath;
use crate::query::engine::warnings;
use crate::store::trace::Traces;
use crate::store::{Progress, Snapshot};
use crate::trace::lines::{Lines, Ran};
use crate::upkeep::Error;

/// What is known of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionTrace {
    /// Its name behind those of what it is nested in.
    pub name: String,
    /// First line of its definition.
    pub first: u32,
    /// Last line of it.
    pub last: u32,
    /// Whether it ran.
    pub ran: Ran,
}

/// What is known of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileTrace {
    /// Where it is.
    pub path: RepoPath,
    /// What was observed of its lines as they are; `None` when only functions of it were watched, in
    /// other versions.
    pub lines: Option<Lines>,
    /// Its functions of which something is known, in source order.
    pub functions: Vec<FunctionTrace>,
}

/// Answer of `trace show`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    /// Files of which something is known, ordered by path.
    pub files: Vec<FileTrace>,
    /// What went wrong without stopping the run; one sentence each.
    pub warnings: Vec<String>,
}

/// Says what is known to have run of a revision, or of the work tree: of the files at or below
/// `paths`, or of all.
///
/// # Errors
/// See [`Error`].
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
        .filter(|at| is_wanted(tree.files[*at].path.as_bytes(), paths))
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

fn is_wanted(path: &[u8], wanted: &[String]) -> bool {
    wanted.is_empty()
        || wanted.iter().any(|wanted| {
            let wanted = wanted.trim_start_matches("./").trim_end_matches('/');
            path.strip_prefix(wanted.as_bytes())
                .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        })
}
