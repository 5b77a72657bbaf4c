//! `init`: the first index, hooks, and telling agents about the server; and all of it undone.
//!
//! Nothing is written but what the report names. Files of agents are touched only when the agent
//! was named; instructions for agents only in the file that was named.

use super::Error;
use super::agents::{self, Agent, Ground};
use super::cover::{self, IndexReport};
use super::hooks::{self, Plan};
use super::journal::{self, BEGIN, Change, END, Journal, Part};
use super::place;
use super::selection::Selection;
use crate::git::{Repo, make_below, refs};
use crate::query::Progress;
use crate::query::engine::FOLDER;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// What is told to agents in the file of instructions that the user names.
const INSTRUCTIONS: &str = "\
This repository has a code index. To find code, prefer the tools of the `sverklo` MCP server
(`search`, `symbol`, `refs`, `map`), or `git sverklo <command>` in a shell, over grep and reading
whole files. Their answers are citable as `path:start-end@commit` and take any revision.
";

/// What `init` is to do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wish {
    /// Agents to write to, by label.
    pub agents: Vec<String>,
    /// Write to every agent that shows signs of use.
    pub all_detected: bool,
    /// A file of instructions to add a block to.
    pub instructions: Option<PathBuf>,
    /// Whether hooks are wanted.
    pub hooks: bool,
    /// Whether the index is wanted.
    pub index: bool,
    /// Only say what would be done.
    pub dry_run: bool,
}

/// An agent, and how it would be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The agent.
    pub agent: &'static Agent,
    /// Whether there are signs of its use.
    pub detected: bool,
    /// Whether its list has our server (after this run).
    pub listed: bool,
    /// The file; `None` where there is no place for it.
    pub path: Option<PathBuf>,
    /// What to put into it.
    pub snippet: String,
}

/// What `init` did, or would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitReport {
    /// Whether nothing was done.
    pub dry_run: bool,
    /// The index; `None` when none was made.
    pub index: Option<IndexReport>,
    /// The hooks; `None` when none were wanted.
    pub hooks: Option<Plan>,
    /// Files changed.
    pub changes: Vec<Change>,
    /// Every agent.
    pub agents: Vec<Advice>,
}

/// What `init --undo` did, or would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndoReport {
    /// Whether nothing was done.
    pub dry_run: bool,
    /// Files put back.
    pub changes: Vec<Change>,
    /// Files that had to be left alone, and why.
    pub problems: Vec<String>,
    /// Whether the index was deleted.
    pub index_deleted: bool,
}

/// Returns where files of agents are for this work tree.
pub fn ground(repo: &Repo) -> Ground {
    Ground {
        top: repo.work_dir().map(Path::to_owned),
        home: std::env::home_dir().filter(|home| !home.as_os_str().is_empty()),
    }
}

/// Does what is wished for. All changes are decided before the first is made. A file of an agent that
/// cannot be edited stops the run before anything is written.
pub fn init(repo: &Repo, wish: &Wish, progress: &dyn Progress) -> Result<InitReport, Error> {
    let ground = ground(repo);
    let _lock = match wish.dry_run {
        true => None,
        false => lock(repo)?,
    };
    let mut changes = Vec::new();
    for agent in wanted(wish, &ground)? {
        changes.extend(agent.change(&ground)?);
    }
    if let Some(path) = &wish.instructions {
        changes.extend(instruct(path, ground.top.as_deref())?);
    }
    let hooks = match wish.hooks {
        true => Some(hooks::plan(repo)?),
        false => None,
    };
    if let Some(plan) = &hooks {
        changes.extend(plan.changes.iter().cloned());
    }
    let mut index = None;
    if !wish.dry_run {
        let mut journal = Journal::open(repo)?;
        for change in &changes {
            journal.apply(change)?;
        }
        if wish.index {
            index = Some(cover::index(repo, &Selection::default(), 0, progress)?);
        }
    }
    let listed = agents::listed(&ground);
    let advice = agents::AGENTS.iter().map(|agent| {
        let path = agent.path(&ground).ok();
        Advice {
            agent,
            detected: agent.is_detected(&ground),
            listed: listed.iter().any(|l| l.agent == agent.name)
                || changes.iter().any(|c| Some(&c.path) == path.as_ref()),
            snippet: agent.snippet(&ground),
            path,
        }
    });
    Ok(InitReport {
        dry_run: wish.dry_run,
        index,
        hooks,
        agents: advice.collect(),
        changes,
    })
}

fn wanted(wish: &Wish, ground: &Ground) -> Result<Vec<&'static Agent>, Error> {
    let mut wanted = Vec::new();
    for label in &wish.agents {
        wanted.push(agents::find(label)?);
    }
    if wish.all_detected {
        // A list in the home directory is only written for an agent that was named.
        wanted.extend(agents::AGENTS.iter().filter(|agent| {
            matches!(agent.place, agents::Place::Project(_)) && agent.is_detected(ground)
        }));
    }
    let mut seen = Vec::new();
    wanted.retain(|agent| !seen.contains(&agent.label) && (seen.push(agent.label), true).1);
    Ok(wanted)
}

/// Adds a block of instructions to a file; `None` when it has it already.
fn instruct(path: &Path, top: Option<&Path>) -> Result<Option<Change>, Error> {
    let path = std::path::absolute(path).map_err(Error::file(path))?;
    // One elsewhere is where the user says; one of the project is where the project's links lead.
    let within = top.filter(|top| path.starts_with(top)).map(Path::to_owned);
    if let Some(top) = &within {
        place::stays_in(&path, top)?;
    }
    let before = journal::read(&path)?;
    let now = before.as_deref().unwrap_or_default();
    let block = format!("<!-- {BEGIN} -->\n{INSTRUCTIONS}<!-- {END} -->\n");
    let after = match journal::block(now) {
        Some(old) => [&now[..old.start], block.as_bytes(), &now[old.end..]].concat(),
        None => {
            let gap: &[u8] = match now {
                [] => b"",
                [.., b'\n'] => b"\n",
                _ => b"\n\n",
            };
            [now, gap, block.as_bytes()].concat()
        }
    };
    Ok((before.as_ref() != Some(&after)).then_some(Change {
        path,
        before,
        after: Some(after),
        executable: false,
        part: Part::Block,
        within,
    }))
}

/// Puts back every file that `init` changed, in all work trees, and removes the hooks. With
/// `delete_index` the index and what is kept beside it go as well. What was put back before an error
/// stays so, and the rest can be tried again.
pub fn undo(repo: &Repo, delete_index: bool, dry_run: bool) -> Result<UndoReport, Error> {
    let _lock = match dry_run {
        true => None,
        false => lock(repo)?,
    };
    let mut journal = Journal::open(repo)?;
    let (mut changes, mut problems) = (Vec::new(), Vec::new());
    if dry_run {
        for reversal in journal.reversals() {
            match reversal {
                Ok(change) => changes.push(change),
                Err(err) => problems.push(err.to_string()),
            }
        }
        let known: Vec<PathBuf> = journal.paths().map(Path::to_owned).collect();
        let more = hooks::removals(repo)?.into_iter();
        changes.extend(more.filter(|change| !known.contains(&change.path)));
    } else {
        let (done, left) = journal.undo()?;
        changes = done;
        problems.extend(left.iter().map(ToString::to_string));
        // Hooks whose journal was lost.
        for change in hooks::removals(repo)? {
            journal::put(&change)?;
            changes.push(change);
        }
    }
    let name = repo.ref_names().index();
    let tip = refs::read(repo, &name)?;
    if delete_index && !dry_run {
        if let Some(tip) = tip {
            refs::delete(repo, &name, tip)?;
        }
        for (name, tip) in refs::fetched(repo)? {
            refs::delete(repo, &name, tip.as_object())?;
        }
        let folder = repo.common_dir().join(FOLDER);
        match std::fs::remove_dir_all(&folder) {
            Err(err) if err.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::file(folder)(err));
            }
            _ => {}
        }
    }
    Ok(UndoReport {
        dry_run,
        changes,
        problems,
        index_deleted: delete_index && tip.is_some(),
    })
}

/// Keeps a second `init` out. Where no lock can be had, it goes on without.
fn lock(repo: &Repo) -> Result<Option<File>, Error> {
    let folder = repo.common_dir().join(FOLDER);
    let open = || {
        make_below(repo.common_dir(), &folder)?;
        File::options()
            .create(true)
            .read(true)
            .append(true)
            .open(folder.join("init.lock"))
    };
    let Ok(file) = open() else {
        return Ok(None);
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::Busy),
        _ => Ok(Some(file)),
    }
}
