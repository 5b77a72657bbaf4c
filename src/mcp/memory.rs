//! The tools for memories: `recall` and `remember`.

use super::CallError;
use super::arguments::{Kind, Parameter};
use super::tools::{AT, Call, Definition, OFFSET, Reply, budget, limit};
use crate::query::recall::{DEFAULT_LIMIT, KINDS, RecallRequest};
use crate::render;
use crate::upkeep::memory::{self, Draft, Reason};

/// What memories written through the server say they were written with.
const TOOL: &str = "mcp";

const TARGETS: Parameter = Parameter::new("targets", Kind::List)
    .aliases("target symbols symbol files file paths path relatedfiles about")
    .doc("paths, symbol ids");

const KIND: Parameter = Parameter::new("kind", Kind::Choice(&KINDS)).aliases("category type");

/// `recall`.
pub(super) const RECALL: Definition = Definition {
    name: "recall",
    description: "What the team noted that holds at a revision, quoted with author.",
    parameters: &[
        Parameter::new("query", Kind::Text).aliases("q text question search"),
        TARGETS,
        KIND,
        AT,
        Parameter::new("known_at", Kind::Text)
            .aliases("knownat asof")
            .doc("date"),
        Parameter::new("conflicts", Kind::Flag).aliases("contested"),
        limit(DEFAULT_LIMIT),
        OFFSET,
        budget(render::RECALL_BUDGET),
    ],
    output: None,
    only_reads: true,
    ask: recall,
};

/// `remember`.
pub(super) const REMEMBER: Definition = Definition {
    name: "remember",
    description: "Keep a decision, rule or fact, true from HEAD on. retire: end memories.",
    parameters: &[
        Parameter::new("text", Kind::Text)
            .aliases("content memory note message reason")
            .doc("one fact and why")
            .required(),
        KIND,
        TARGETS,
        Parameter::new("tags", Kind::List).aliases("tag labels label"),
        Parameter::new("core", Kind::Flag).aliases("pinned important"),
        Parameter::new("supersedes", Kind::List)
            .aliases("replaces")
            .doc("ids"),
        Parameter::new("retire", Kind::List)
            .aliases("end ends forget")
            .doc("ids"),
    ],
    output: None,
    only_reads: false,
    ask: remember,
};

fn recall(call: &Call<'_>) -> Result<Reply, CallError> {
    let arguments = call.arguments;
    let given = |name: &str| Some(arguments.text(name)).filter(|text| !text.trim().is_empty());
    call.ask(&RecallRequest {
        query: arguments.text("query"),
        targets: arguments.list("targets"),
        kinds: given("kind").into_iter().collect(),
        at: given("at").filter(|at| !at.eq_ignore_ascii_case("worktree")),
        known_at: given("known_at"),
        offset: arguments.integer("offset", 0),
        limit: arguments.integer("limit", DEFAULT_LIMIT),
        conflicts: arguments.flag("conflicts"),
        all: false,
    })
}

fn remember(call: &Call<'_>) -> Result<Reply, CallError> {
    let (arguments, engine) = (call.arguments, call.engine);
    let (repo, text) = (engine.repo(), arguments.text("text"));
    let retired = arguments.list("retire");
    let written = match retired.is_empty() {
        true => memory::remember(
            repo,
            &engine.archive,
            &Draft {
                text: Some(text),
                kind: Some(arguments.text("kind")).filter(|kind| !kind.is_empty()),
                targets: arguments.list("targets"),
                tags: arguments.list("tags"),
                core: arguments.flag("core"),
                supersedes: arguments.list("supersedes"),
                at: None,
                force: false,
                tool: TOOL.to_owned(),
            },
        )?,
        false => {
            let others = ["kind", "targets", "tags", "core", "supersedes"];
            if others.iter().any(|name| arguments.has(name)) {
                return Err(CallError::Mixed);
            }
            let reason = Reason {
                text: &text,
                force: false,
            };
            let mut written = memory::end(repo, &engine.archive, &retired, None, &reason, TOOL)?;
            let kept = "the text is kept as the reason; to say something instead, use supersedes";
            written.notes.push(kept.to_owned());
            written
        }
    };
    Ok(call.reply(&written))
}
