//! Writing memories: `remember`, and `memory edit`, `end`, `redact` and `repin`.
//!
//! Guarantees: what is changed is what holds at the commit it is changed at, so a change made on one
//! branch says nothing of versions it has not seen; texts are clean of control characters and of what
//! looks like a secret, unless somebody insists; each call is one commit of the log.

use super::Error;
use crate::git::identity;
use crate::git::tree::{self, Found};
use crate::git::{Repo, RepoPath};
use crate::id::{BlobId, CommitId, EventId, TreeId};
use crate::limits::{MAX_MEMORY_LINES, MAX_MEMORY_TEXT};
use crate::memory::date::Date;
use crate::memory::event::{Body, By, Event, How, Kind, Stub, Target};
use crate::memory::fold::{Fact, Fold, Verdict};
use crate::memory::log::{self, Log};
use crate::memory::{self, text, union};
use crate::query::engine::Engine;
use crate::query::recall::archive::Archive;
use crate::query::recall::bodies::Bodies;
use crate::query::recall::similar::{self, SimilarMemory};
use crate::query::recall::{self, Recalled, named};
use crate::query::request::{Detail, Revision, Scope, SymbolRequest};
use crate::query::{Quiet, ids::ParsedId};
use crate::secrets::{self, files};
use serde::Serialize;
use std::collections::BTreeSet;

/// Symbols of one name that are looked at for a target.
const MAX_NAMESAKES: usize = 50;
/// Symbols of other names that are told of.
const MAX_NEAR: usize = 3;
/// Something to remember, or to say in other words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draft {
    /// What to say; for an edit, `None` keeps it.
    pub text: Option<String>,
    /// Label of a kind.
    pub kind: Option<String>,
    /// Paths, symbol ids or names; for an edit, none keep those there are.
    pub targets: Vec<String>,
    /// Words to find it by; for an edit, none keep those there are.
    pub tags: Vec<String>,
    /// Whether it should be known before anything else.
    pub core: bool,
    /// Memories that it replaces.
    pub supersedes: Vec<String>,
    /// The revision from which on it holds; `HEAD` without.
    pub at: Option<String>,
    /// Whether to store what looks like a secret.
    pub force: bool,
    /// The program that asks.
    pub tool: String,
}

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Written {
    /// What was done: the word that the event begins with.
    pub done: &'static str,
    /// Id of the fact, as short as it can be told apart.
    pub id: String,
    /// Id of the event, in full.
    pub event: String,
    /// Abbreviated id of the commit it counts from; empty where commits do not matter.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pin: String,
    /// Memories it replaces or ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<String>,
    /// What should be known about it, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Memories that it may contradict or repeat. Nothing was done to them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub akin: Vec<SimilarMemory>,
}

/// Stores a memory.
pub fn remember(repo: &Repo, archive: &Archive, draft: &Draft) -> Result<Written, Error> {
    let text = clean(draft.text.as_deref().unwrap_or_default(), draft.force)?;
    let recalled = Recalled::open(repo, archive, draft.at.as_deref(), None)?;
    let mut replaces = BTreeSet::new();
    if !draft.supersedes.is_empty() {
        let fold = Fold::of(&recalled.log);
        let facts = recalled.facts(repo, archive, &fold)?;
        for given in &draft.supersedes {
            replaces.extend(holding(&fold, &facts, &recalled, given)?);
        }
    }
    let kind = match draft.kind.as_deref() {
        Some(label) => kind_of(label)?,
        None => Kind::Fact,
    };
    let targets = targets(repo, recalled.at, &draft.targets)?;
    let akin = similar::similar(repo, archive, &recalled, &text, &targets, &replaces)?;
    let body = Body::Claim {
        kind,
        pin: archive.pin(repo, recalled.at)?,
        targets,
        tags: tags(&draft.tags, draft.force)?,
        core: draft.core,
        replaces,
        again: ends_of(&recalled.log, &text),
    };
    Ok(Written {
        akin,
        ..store(repo, &recalled, body, text, &draft.tool)?
    })
}

/// Says a memory in other words, or with other targets.
pub fn edit(repo: &Repo, archive: &Archive, given: &str, draft: &Draft) -> Result<Written, Error> {
    let recalled = Recalled::open(repo, archive, draft.at.as_deref(), None)?;
    let fold = Fold::of(&recalled.log);
    let facts = recalled.facts(repo, archive, &fold)?;
    let replaces = holding(&fold, &facts, &recalled, given)?;
    if replaces.len() > 1 && draft.text.is_none() {
        let ids = recalled.ids();
        let all: Vec<String> = replaces.iter().map(|id| memory::short(*id, &ids)).collect();
        return Err(refused(format!(
            "{given} is contested, several versions hold: {}; give the text that is to hold, or the id of one version",
            all.join(", ")
        )));
    }
    let first = replaces
        .iter()
        .next()
        .and_then(|id| recalled.log.event(*id));
    let Some(Event {
        body:
            Body::Claim {
                kind: old_kind,
                targets: old_targets,
                tags: old_tags,
                core: old_core,
                ..
            },
        text: old_text,
        ..
    }) = first
    else {
        return Err(refused(format!("{given} has no text to edit")));
    };
    let text = match &draft.text {
        Some(text) => clean(text, draft.force)?,
        None => old_text.clone(),
    };
    let targets = match draft.targets.is_empty() {
        true => renewed(repo, recalled.at, old_targets.iter())?,
        false => targets(repo, recalled.at, &draft.targets)?,
    };
    let tags = match draft.tags.is_empty() {
        true => old_tags.clone(),
        false => tags(&draft.tags, draft.force)?,
    };
    let kind = draft.kind.as_deref().map_or(Ok(*old_kind), kind_of)?;
    let core = *old_core || draft.core;
    let is_same = (&text, kind, &targets, &tags, core)
        == (old_text, *old_kind, old_targets, old_tags, *old_core);
    if is_same && replaces.len() == 1 {
        return Err(refused(format!("{given} says so already")));
    }
    let body = Body::Claim {
        kind,
        pin: archive.pin(repo, recalled.at)?,
        targets,
        tags,
        core,
        replaces,
        again: ends_of(&recalled.log, &text),
    };
    store(repo, &recalled, body, text, &draft.tool)
}

/// Why a memory is ended or taken out; may be empty.
#[derive(Clone, Copy, Debug)]
pub struct Reason<'a> {
    /// In words.
    pub text: &'a str,
    /// Whether to store what looks like a secret.
    pub force: bool,
}

impl Reason<'_> {
    fn clean(&self) -> Result<String, Error> {
        match self.text.trim().is_empty() {
            true => Ok(String::new()),
            false => clean(self.text, self.force),
        }
    }
}

/// Ends memories from a commit on.
pub fn end(
    repo: &Repo,
    archive: &Archive,
    given: &[String],
    at: Option<&str>,
    reason: &Reason,
    tool: &str,
) -> Result<Written, Error> {
    let reason = reason.clean()?;
    let recalled = Recalled::open(repo, archive, at, None)?;
    let fold = Fold::of(&recalled.log);
    let facts = recalled.facts(repo, archive, &fold)?;
    let mut closes = BTreeSet::new();
    for given in given {
        closes.extend(holding(&fold, &facts, &recalled, given)?);
    }
    let events = closes.iter().filter_map(|id| recalled.log.event(*id));
    let old_targets: BTreeSet<&Target> = events.flat_map(Event::targets).collect();
    let body = Body::End {
        pin: archive.pin(repo, recalled.at)?,
        targets: renewed(repo, recalled.at, old_targets.into_iter())?,
        closes,
    };
    store(repo, &recalled, body, reason, tool)
}

/// Takes the text of one version of a memory out of the log and its history.
pub fn redact(repo: &Repo, given: &str, reason: &Reason, tool: &str) -> Result<Written, Error> {
    let reason = reason.clean()?;
    let log = Log::open(repo)?;
    let all = named::ids_of(&log);
    let id = one_of(given, &all)?;
    let fold = Fold::of(&log);
    // The id of a fact is that of its first version, and means all of them elsewhere.
    if let Some(claims) = fold.facts.get(&id) {
        let texts = claims.iter().map(|at| &fold.nodes()[*at]);
        let texts: Vec<EventId> = texts.filter(|n| n.event.is_some()).map(|n| n.id).collect();
        let full = given.len() == id.to_string().len();
        if texts.len() > 1 && !full {
            let all: Vec<String> = texts.iter().map(EventId::to_string).collect();
            return Err(refused(format!(
                "{given} has several versions, and each has its own text: {}; `git sverklo memory show {given}` shows them. Give the whole id of each that is to go",
                all.join(", ")
            )));
        }
    }
    let twins: Vec<String> = log
        .readable()
        .filter(|(other, event)| {
            *other != id && log.event(id).is_some_and(|e| e.text == event.text)
        })
        .map(|(other, _)| memory::short(other, &all))
        .collect();
    let mut notes = vec![
        "the log and its history no longer have the text; `git sverklo push` takes it out of a remote. The old objects stay until git drops them: `git gc --prune=now` here, whoever runs the remote there".to_owned(),
    ];
    if !twins.is_empty() {
        notes.push(format!("the same text is still in {}", twins.join(", ")));
    }
    let event = Event {
        body: Body::Redact { event: id },
        by: by(repo, tool)?,
        text: reason,
    };
    let written = union::redact(repo, id, event)?;
    super::memories::forget_tracking(repo)?;
    Ok(Written {
        done: "redact",
        id: memory::short(id, &all),
        event: written.to_string(),
        pin: String::new(),
        closed: Vec::new(),
        notes,
        akin: Vec::new(),
    })
}

/// Records that a commit stands for another one.
pub fn repin(repo: &Repo, old: &str, new: &str, tool: &str) -> Result<Written, Error> {
    // The old commit may be gone: that is what repins are for.
    let old = match CommitId::from_hex(old.as_bytes()) {
        Some(id) if id.as_object().kind() == repo.hash() => id,
        _ => repo.resolve(old)?,
    };
    let new = repo.resolve(new)?;
    if old == new {
        return Err(refused("both are the same commit"));
    }
    let log = Log::open(repo)?;
    let mut carriers = log.readable().filter_map(|(_, event)| match &event.body {
        Body::Repin { new, .. } => Some(*new),
        _ => event.pin().map(|pin| pin.commit),
    });
    let is_stub = |(_, stub): &(_, Stub)| stub.pin.commit == old;
    if !carriers.any(|commit| commit == old) && !log.stubs.values().any(is_stub) {
        return Err(refused(format!("no memory is pinned to {}", old.short())));
    }
    let event = Event {
        body: Body::Repin {
            old,
            new,
            how: How::Manual,
        },
        by: by(repo, tool)?,
        text: String::new(),
    };
    let ids = log::append(repo, &[event])?;
    Ok(Written {
        done: "repin",
        id: ids[0].short(),
        event: ids[0].to_string(),
        pin: new.short(),
        closed: Vec::new(),
        notes: Vec::new(),
        akin: Vec::new(),
    })
}

fn store(
    repo: &Repo,
    recalled: &Recalled,
    body: Body,
    text: String,
    tool: &str,
) -> Result<Written, Error> {
    let event = Event {
        body,
        by: by(repo, tool)?,
        text,
    };
    let known = Some(&*recalled.log);
    let ids = log::append_to(repo, known, std::slice::from_ref(&event))?;
    let id = ids[0];
    let mut all = recalled.ids();
    let mut notes = recall::warnings(repo, &recalled.log);
    if let Err(at) = all.binary_search(&id) {
        all.insert(at, id);
    } else {
        notes.push("it was stored already".to_owned());
    }
    if let Body::Claim { again, .. } = &event.body
        && !again.is_empty()
    {
        let ends: Vec<String> = again.iter().map(|id| memory::short(*id, &all)).collect();
        notes.push(format!("the same was ended before, by {}", ends.join(", ")));
    }
    let closed: Vec<EventId> = event.names().collect();
    let told: Vec<String> = closed.iter().map(|id| memory::short(*id, &all)).collect();
    if matches!(event.body, Body::Claim { .. }) && !told.is_empty() {
        notes.push(format!("it replaces {}", told.join(", ")));
    }
    // A new version goes by the name of its fact.
    let fact = match (&event.body, closed.first()) {
        (Body::Claim { .. }, Some(_)) => fact_after(&recalled.log, &closed),
        _ => id,
    };
    Ok(Written {
        done: event.label(),
        id: memory::short(fact, &all),
        event: id.to_string(),
        pin: event.pin().map_or(String::new(), |pin| pin.commit.short()),
        closed: told,
        notes,
        akin: Vec::new(),
    })
}

/// The name of the fact that replaces these versions.
fn fact_after(log: &Log, replaced: &[EventId]) -> EventId {
    let fold = Fold::of(log);
    let facts = fold.facts.iter();
    let has = |claims: &[usize]| {
        claims
            .iter()
            .any(|at| replaced.contains(&fold.nodes()[*at].id))
    };
    let found = facts.filter(|(_, claims)| has(claims)).map(|(id, _)| *id);
    found.min().unwrap_or(replaced[0])
}

/// The versions of a memory that hold at the commit, or may. A fact's id means all of them, the id of a
/// later version that one alone.
fn holding(
    fold: &Fold,
    facts: &[Fact],
    recalled: &Recalled,
    given: &str,
) -> Result<BTreeSet<EventId>, Error> {
    let claims: Vec<EventId> = fold
        .nodes()
        .iter()
        .filter(|node| node.is_claim)
        .map(|node| node.id)
        .collect();
    let id = one_of(given, &claims)?;
    let is_meant = |fact: &&Fact| fact.versions.iter().any(|v| fold.nodes()[v.node].id == id);
    let Some(fact) = facts.iter().find(is_meant) else {
        return Err(memory::Error::Unknown(given.to_owned()).into());
    };
    let mut out = BTreeSet::new();
    for version in &fact.versions {
        let node = &fold.nodes()[version.node];
        let is_open = matches!(version.verdict, Verdict::Holds(_) | Verdict::Unknown(..));
        if is_open && (fact.id == id || node.id == id) {
            out.insert(node.id);
        }
    }
    match out.is_empty() {
        false => Ok(out),
        true => Err(refused(format!(
            "{given} does not hold at {}; `git sverklo memory show {given}` says why",
            recalled.at.short()
        ))),
    }
}

/// Finds the one id that begins as given.
pub fn one_of(given: &str, ids: &[EventId]) -> Result<EventId, Error> {
    let begins = |id: &&EventId| memory::begins(**id, given);
    let found: Vec<EventId> = ids.iter().filter(begins).copied().collect();
    match found[..] {
        [one] => Ok(one),
        [] => Err(memory::Error::Unknown(given.to_owned()).into()),
        _ => Err(memory::Error::Ambiguous {
            given: given.to_owned(),
            all: found
                .iter()
                .map(EventId::short)
                .collect::<Vec<_>>()
                .join(", "),
        }
        .into()),
    }
}

/// Ends of claims that say the same, so that saying it again is known to be in spite of them.
fn ends_of(log: &Log, text: &str) -> BTreeSet<EventId> {
    let mut out = BTreeSet::new();
    for (id, event) in log.readable() {
        if let Body::End { closes, .. } = &event.body
            && closes
                .iter()
                .any(|claim| log.event(*claim).is_some_and(|claim| claim.text == text))
            && out.len() < MAX_MEMORY_LINES
        {
            out.insert(id);
        }
    }
    out
}

fn refused(reason: impl Into<String>) -> Error {
    memory::Error::Refused(reason.into()).into()
}

fn kind_of(label: &str) -> Result<Kind, Error> {
    let all = || Kind::ALL.map(Kind::label).join(", ");
    Kind::from_label(label).ok_or_else(|| refused(format!("{label:?} is none of {}", all())))
}

/// Brings a text into the form it is stored in, or says why it cannot be.
pub(super) fn clean(text: &str, force: bool) -> Result<String, Error> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    if text.is_empty() {
        return Err(refused("the text is empty"));
    }
    if text.len() > MAX_MEMORY_TEXT {
        return Err(refused(format!(
            "the text has {} bytes and may have {MAX_MEMORY_TEXT}; keep the decision and leave the discussion where it was held",
            text.len()
        )));
    }
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(c) = line.chars().find(|c| text::is_forbidden(*c)) {
            return Err(refused(format!(
                "line {number} holds the control character {}",
                c.escape_unicode()
            )));
        }
        if let Some(c) = line.chars().find(|c| text::is_deceptive(*c)) {
            return Err(refused(format!(
                "line {number} holds the invisible character {}",
                c.escape_unicode()
            )));
        }
    }
    match secrets::find(text).filter(|_| !force) {
        Some(secrets::Secret { rule, line }) => Err(memory::Error::Secret { rule, line }.into()),
        None => Ok(text.to_owned()),
    }
}

pub(super) fn tags(given: &[String], force: bool) -> Result<BTreeSet<String>, Error> {
    let mut out = BTreeSet::new();
    for tag in given {
        if let Some(secrets::Secret { rule, line }) = secrets::find(tag).filter(|_| !force) {
            return Err(memory::Error::Secret { rule, line }.into());
        }
        let tag = tag.trim().to_lowercase();
        if !text::is_word(&tag) {
            return Err(refused(format!("{tag:?} is no tag: one short line")));
        }
        out.insert(tag);
    }
    Ok(out)
}

/// Who asks, now.
pub(super) fn by(repo: &Repo, tool: &str) -> Result<By, Error> {
    let by = identity::author(repo)?;
    Ok(By {
        name: by.name,
        mail: by.mail,
        tool: tool.to_owned(),
        date: Date::new(by.seconds, by.offset),
    })
}

/// Finds what targets mean in the tree of a commit.
pub(super) fn targets(
    repo: &Repo,
    at: CommitId,
    given: &[String],
) -> Result<BTreeSet<Target>, Error> {
    let root = repo.commit_tree(at)?;
    let mut objects = repo.objects();
    let mut bodies = Bodies::new(repo);
    let mut out = BTreeSet::new();
    for given in given {
        if let Some(rule) = files::secret_named(given.as_bytes()) {
            return Err(memory::Error::SecretTarget(rule).into());
        }
        if ParsedId::parse(given).is_some() {
            let found = symbol(repo, &mut bodies, root, given);
            let lacks = || refused(format!("there is no symbol {given:?} at {}", at.short()));
            out.insert(found.ok_or_else(lacks)?);
            continue;
        }
        let plain = given.trim_end_matches('/');
        let path = RepoPath::new(plain.strip_prefix("./").unwrap_or(plain));
        let found = match &path {
            Ok(path) => tree::find(&mut objects, root, path)?,
            Err(_) => None,
        };
        match (found, path) {
            (Some(found), Ok(path)) => out.insert(Target::Path {
                path,
                object: match found {
                    Found::Leaf(_, blob) => blob.as_object(),
                    Found::Tree(tree) => tree.as_object(),
                },
            }),
            _ => out.insert(by_name(repo, &mut bodies, root, at, given)?),
        };
    }
    Ok(out)
}

/// A symbol by its id, in a tree.
fn symbol(repo: &Repo, bodies: &mut Bodies, root: TreeId, id: &str) -> Option<Target> {
    let path = RepoPath::shown_as(ParsedId::parse(id)?.path).ok()?;
    let found = tree::find(&mut repo.objects(), root, &path).ok()??;
    let Found::Leaf(_, blob) = found else {
        return None;
    };
    let body = *bodies.of(BlobId::new(blob.as_object()), &path)?.get(id)?;
    Some(Target::Symbol {
        id: id.to_owned(),
        body,
    })
}

/// A symbol by its name, which must be the only one.
fn by_name(
    repo: &Repo,
    bodies: &mut Bodies,
    root: TreeId,
    at: CommitId,
    name: &str,
) -> Result<Target, Error> {
    let engine = Engine::open(repo.work_dir().unwrap_or(repo.git_dir()))?;
    let request = SymbolRequest {
        target: name.to_owned(),
        scope: Scope::default(),
        at: Revision::At(at.to_string()),
        detail: Detail::Outline,
        offset: 0,
        limit: MAX_NAMESAKES,
    };
    let found = engine.ask(&request, &Quiet)?;
    let ids = found.cards.iter().map(|card| &*card.symbol.id);
    let (mut exact, mut near): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for id in ids {
        let parsed = ParsedId::parse(id);
        let qualified = parsed.map_or("", |parsed| parsed.qualified);
        let rest = qualified.strip_suffix(name);
        match rest.is_some_and(|before| before.is_empty() || before.ends_with('.')) {
            true => exact.push(id),
            false => near.push(id),
        }
    }
    match exact[..] {
        [one] => symbol(repo, bodies, root, one)
            .ok_or_else(|| refused(format!("{one:?} cannot be read at {}", at.short()))),
        [] => {
            near.truncate(MAX_NEAR);
            let near = match near.is_empty() {
                true => "targets are what is committed".to_owned(),
                false => format!("near it are {}", near.join(", ")),
            };
            Err(refused(format!(
                "{name:?} is no path and no symbol at {}; {near}",
                at.short()
            )))
        }
        _ => Err(refused(format!(
            "{name:?} could be any of {}; give one of these ids",
            exact.join(", ")
        ))),
    }
}

/// The same targets as they are at a commit; those that are gone are left out, and those whose name may not be written
/// down, which another program stored.
fn renewed<'a>(
    repo: &Repo,
    at: CommitId,
    old: impl Iterator<Item = &'a Target>,
) -> Result<BTreeSet<Target>, Error> {
    let root = repo.commit_tree(at)?;
    let mut objects = repo.objects();
    let mut bodies = Bodies::new(repo);
    let mut out = BTreeSet::new();
    for target in old {
        match target {
            Target::Symbol { id, .. } => out.extend(symbol(repo, &mut bodies, root, id)),
            Target::Path { path, .. } if files::names_secret(path.as_bytes()) => {}
            Target::Path { path, .. } => {
                let found = tree::find(&mut objects, root, path)?;
                out.extend(found.map(|found| Target::Path {
                    path: path.clone(),
                    object: match found {
                        Found::Leaf(_, blob) => blob.as_object(),
                        Found::Tree(tree) => tree.as_object(),
                    },
                }));
            }
        }
    }
    Ok(out)
}
