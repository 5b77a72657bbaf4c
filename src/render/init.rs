//! Renders what `init` did, or would do.

use super::{Rendered, clean, upkeep};
use crate::upkeep::agents::Place;
use crate::upkeep::cover::IndexReport;
use crate::upkeep::hooks::{Plan, Rung};
use crate::upkeep::init::{Advice, InitReport, UndoReport};
use crate::upkeep::journal::Change;
use serde::Serialize;
use std::path::Path;

/// Report of `init`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Initialized<'a> {
    /// Whether nothing was done.
    pub dry_run: bool,
    /// The index, when one was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<&'a IndexReport>,
    /// Events that are served by hooks.
    pub hooks: Vec<&'static str>,
    /// Hooks to be added by hand.
    pub by_hand: Vec<Line>,
    /// Files changed.
    pub changed: Vec<Changed>,
    /// Every agent that is known.
    pub agents: Vec<AgentState>,
}

/// A line for a hook that somebody else keeps.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// The hook.
    pub event: &'static str,
    /// Its file.
    pub path: String,
    /// Why it was left alone.
    pub reason: String,
    /// What to add.
    pub line: String,
}

/// A file that is changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Changed {
    /// The file.
    pub path: String,
    /// `create`, `edit` or `delete`.
    pub how: &'static str,
    /// Lines that go (`-`) and come (`+`).
    pub diff: String,
}

/// A coding agent and how it is told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AgentState {
    /// Its name for `--write`.
    pub agent: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Whether there are signs of its use.
    pub detected: bool,
    /// Whether it lists the server.
    pub listed: bool,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What to put into it.
    pub snippet: String,
    /// Its own command that does the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<&'static str>,
    /// What it wants of its user before the server is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wants: Option<&'static str>,
}

/// Report of `init --undo`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Undone {
    /// Whether nothing was done.
    pub dry_run: bool,
    /// Files put back.
    pub changed: Vec<Changed>,
    /// Files left alone, and why.
    pub problems: Vec<String>,
    /// Whether the index was deleted.
    pub index_deleted: bool,
}

/// Renders the report of `init`. With `all_agents` each agent is shown with what to write.
pub fn init(report: &InitReport, all_agents: bool) -> Rendered<Initialized<'_>> {
    let mut text = String::new();
    if let Some(index) = &report.index {
        text += &format!("index: {}", upkeep::index(index).text);
    }
    if let Some(plan) = &report.hooks {
        text += &hooks(plan, report.dry_run);
    }
    text += &files(&report.changes, report.dry_run);
    text += &agents(&report.agents, all_agents);
    let by_hand = report.hooks.iter().flat_map(|plan| &plan.by_hand);
    let wire = Initialized {
        dry_run: report.dry_run,
        index: report.index.as_ref(),
        hooks: report.hooks.as_ref().map(served).unwrap_or_default(),
        by_hand: by_hand
            .map(|line| Line {
                event: line.event,
                path: shown(&line.path),
                reason: line.reason.clone(),
                line: line.line.clone(),
            })
            .collect(),
        changed: changed(&report.changes),
        agents: report.agents.iter().map(agent_state).collect(),
    };
    Rendered::of(text, wire)
}

/// Renders the report of `init --undo`.
pub fn undo(report: &UndoReport) -> Rendered<Undone> {
    let mut text = files(&report.changes, report.dry_run);
    if report.changes.is_empty() && !report.index_deleted {
        text += "nothing to undo\n";
    }
    for problem in &report.problems {
        text += &format!("left alone: {}\n", clean::whole(problem));
    }
    if report.index_deleted {
        text += match report.dry_run {
            true => "would delete the index\n",
            false => "deleted the index\n",
        };
    }
    Rendered {
        text,
        wire: Undone {
            dry_run: report.dry_run,
            changed: changed(&report.changes),
            problems: report.problems.clone(),
            index_deleted: report.index_deleted,
        },
        found: report.problems.is_empty(),
    }
}

fn agent_state(advice: &Advice) -> AgentState {
    AgentState {
        agent: advice.agent.label,
        name: advice.agent.name,
        detected: advice.detected,
        listed: advice.listed,
        path: advice.path.as_deref().map(shown),
        snippet: advice.snippet.clone(),
        command: advice.agent.command,
        wants: advice.agent.wants,
    }
}

/// Events with a hook, after the changes of the plan.
fn served(plan: &Plan) -> Vec<&'static str> {
    let by_hand = |event: &&str| plan.by_hand.iter().any(|line| line.event == *event);
    crate::upkeep::hooks::EVENTS
        .into_iter()
        .filter(|event| !by_hand(event))
        .collect()
}

fn hooks(plan: &Plan, dry_run: bool) -> String {
    let mut text = String::new();
    let served = served(plan);
    if !served.is_empty() {
        let place = match plan.rung {
            Rung::Config => " in the repository's configuration",
            _ => "",
        };
        let verb = match (plan.changes.is_empty(), dry_run) {
            (true, _) => "there already",
            (false, true) => "would be installed",
            (false, false) => "installed",
        };
        text += &format!("hooks: {verb}{place}: {}\n", served.join(", "));
    }
    for line in &plan.by_hand {
        text += &format!(
            "hooks: {} was left alone ({}); add to it: {}\n",
            clean::whole(&shown(&line.path)),
            clean::whole(&line.reason),
            line.line
        );
    }
    text
}

fn agents(agents: &[Advice], all: bool) -> String {
    let mut text = String::new();
    let listed: Vec<&str> = agents
        .iter()
        .filter(|a| a.listed)
        .map(|a| a.agent.name)
        .collect();
    if !listed.is_empty() {
        text += &format!("agents that list the server: {}\n", listed.join(", "));
    }
    for advice in agents.iter().filter(|advice| advice.listed) {
        if let Some(wants) = advice.agent.wants {
            text += &format!("  {} {wants}\n", advice.agent.name);
        }
    }
    let waiting = agents.iter().filter(|a| all || a.detected && !a.listed);
    for advice in waiting {
        let agent = advice.agent;
        let place = match (&advice.path, agent.place) {
            (Some(path), _) => shown(path),
            (None, Place::Project(path) | Place::Home(path)) => path.to_owned(),
        };
        text += &format!(
            "\n{}: git sverklo init --write {}\n",
            agent.name, agent.label
        );
        if let Some(command) = agent.command {
            text += &format!("  or: {command}\n");
        }
        text += &format!("  or put into {}:\n", clean::whole(&place));
        clean::block(&mut text, advice.snippet.lines());
        if let Some(wants) = agent.wants {
            text += &format!("  it {wants}\n");
        }
    }
    if !all {
        text += "\nevery agent that is known: git sverklo init --list\n";
    }
    text
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn how(change: &Change) -> &'static str {
    match (&change.before, &change.after) {
        (_, None) => "delete",
        (None, Some(_)) => "create",
        _ => "edit",
    }
}

fn changed(changes: &[Change]) -> Vec<Changed> {
    let changed = changes.iter().map(|change| Changed {
        path: shown(&change.path),
        how: how(change),
        diff: diff(change),
    });
    changed.collect()
}

/// Names the files; what changes in them is shown when it has not happened yet.
fn files(changes: &[Change], dry_run: bool) -> String {
    let mut text = String::new();
    for change in changes {
        let would = if dry_run { "would " } else { "" };
        let path = clean::whole(&shown(&change.path));
        let how = match (how(change), dry_run) {
            ("delete", false) => "deleted",
            ("create", false) => "created",
            ("edit", false) => "edited",
            (how, _) => how,
        };
        text += &format!("{would}{how} {path}\n");
        if dry_run {
            clean::block(&mut text, diff(change).lines());
        }
    }
    text
}

/// Returns the lines that go and come, without those that stay at either end.
fn diff(change: &Change) -> String {
    let before = String::from_utf8_lossy(change.before.as_deref().unwrap_or_default());
    let after = String::from_utf8_lossy(change.after.as_deref().unwrap_or_default());
    let (old, new): (Vec<&str>, Vec<&str>) = (
        before.split_inclusive('\n').collect(),
        after.split_inclusive('\n').collect(),
    );
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let mut text = format!("@@ line {} @@\n", head + 1);
    for (sign, lines) in [('-', old), ('+', new)] {
        for line in lines {
            text += &format!("{sign}{}\n", line.trim_end_matches(['\n', '\r']));
        }
    }
    text
}
