//! `memory show` and `memory log`: one fact with all that was said of it, and what was said when.

use super::Error;
use super::engine::Engine;
use super::question::{Question, warned};
use super::recall::archive::Archive;
use super::recall::named::{author, label, named};
use super::recall::target::Survey;
use super::recall::{Memory, Recalled, memory, of_log};
use crate::clean;
use crate::git::{Repo, commit};
use crate::id::{CommitId, EventId};
use crate::memory;
use crate::memory::date::Date;
use crate::memory::event::{Body, Event};
use crate::memory::fold::Fold;
use crate::memory::log::Log;
use crate::store::Progress;
use serde::Serialize;

/// Something that ended or replaced a version, or was said of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Said {
    /// The event, as short as it can be told apart.
    pub id: String,
    /// The word it begins with.
    pub what: &'static str,
    /// Who said it.
    #[serde(serialize_with = "clean::serialize_whole")]
    pub author: String,
    /// When, as they say.
    pub date: String,
    /// Abbreviated id of the commit it counts from; empty where commits do not matter.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pin: String,
    /// What it says.
    #[serde(
        serialize_with = "clean::serialize_text",
        skip_serializing_if = "String::is_empty"
    )]
    pub text: String,
    /// What it names: events, commits or targets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// Answer of `memory show`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Shown {
    /// The commit it speaks of, abbreviated.
    pub at: String,
    /// The versions, in the order of their authors' commits.
    pub versions: Vec<Memory>,
    /// What ended them, and what was taken out.
    pub events: Vec<Said>,
    /// What went wrong without stopping the answer; one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// `memory show`: a fact with all its versions, whether they hold or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShowRequest {
    /// What the id of the fact or of a version begins with.
    pub id: String,
    /// The revision to speak of; `HEAD` without.
    pub at: Option<String>,
}

warned!(Shown, warnings);

impl Question for ShowRequest {
    type Pin = Recalled;
    type Answer = Shown;

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn pin(&self, engine: &Engine, _progress: &dyn Progress) -> Result<Recalled, Error> {
        Recalled::open(engine.repo(), &engine.archive, self.at.as_deref(), None)
    }

    fn answer(
        &self,
        engine: &Engine,
        recalled: &Recalled,
        _progress: &dyn Progress,
    ) -> Result<Shown, Error> {
        show(engine.repo(), &engine.archive, recalled, &self.id)
    }
}

fn show(repo: &Repo, archive: &Archive, recalled: &Recalled, given: &str) -> Result<Shown, Error> {
    let fold = Fold::of(&recalled.log);
    let facts = recalled.facts(repo, archive, &fold)?;
    let ids = recalled.ids();
    let begins = |id: EventId| memory::begins(id, given);
    let mut found = facts.iter().filter(|fact| {
        let versions = fact.versions.iter();
        begins(fact.id) || versions.map(|v| fold.nodes()[v.node].id).any(begins)
    });
    let unknown = || memory::Error::Unknown(given.to_owned());
    let fact = found.next().ok_or_else(unknown)?;
    if let Some(other) = found.next() {
        let all = [fact.id, other.id].map(|id| memory::short(id, &ids));
        return Err(memory::Error::Ambiguous {
            given: given.to_owned(),
            all: all.join(", "),
        }
        .into());
    }
    let mut versions: Vec<(i64, EventId, Memory)> = Vec::new();
    let mut events = Vec::new();
    let mut survey = Survey::new(repo, recalled.at)?;
    for version in &fact.versions {
        let node = &fold.nodes()[version.node];
        let mut shown = memory(&fold, version, fact.id, &ids);
        shown.look_at(&fold, version, &mut survey);
        versions.push((node.pin.date.seconds, node.id, shown));
        let closers = fold.closers(node.id).iter().map(|at| &fold.nodes()[*at]);
        for closer in closers.filter(|closer| !closer.is_claim) {
            events.extend(closer.event.map(|event| said(closer.id, event, &ids)));
        }
        let redactions = recalled
            .log
            .readable()
            .filter(|(_, event)| matches!(event.body, Body::Redact { event } if event == node.id));
        events.extend(redactions.map(|(id, event)| said(id, event, &ids)));
    }
    versions.sort_by_key(|(date, id, _)| (*date, *id));
    events.sort_by(|a, b| (&a.date, &a.id).cmp(&(&b.date, &b.id)));
    events.dedup();
    Ok(Shown {
        at: recalled.at.short(),
        versions: versions.into_iter().map(|(.., memory)| memory).collect(),
        events,
        warnings: of_log(&recalled.log),
    })
}

fn said(id: EventId, event: &Event, ids: &[EventId]) -> Said {
    let short = |id: &EventId| memory::short(*id, ids);
    let mut names: Vec<String> = match &event.body {
        Body::Claim { replaces, .. } => replaces.iter().map(short).collect(),
        Body::End { closes, .. } => closes.iter().map(short).collect(),
        Body::Repin { old, new, how } => {
            vec![old.short(), new.short(), how.label().to_owned()]
        }
        Body::Redact { event } => vec![event.short()],
    };
    names.extend(event.targets().map(label));
    Said {
        id: short(&id),
        what: event.label(),
        author: author(event),
        date: event.by.date.to_string(),
        pin: event.pin().map_or(String::new(), |pin| pin.commit.short()),
        text: event.text.clone(),
        names,
    }
}

/// One commit of the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Session {
    /// Its abbreviated id: what `--known-at` takes.
    pub commit: String,
    /// Who made it.
    #[serde(serialize_with = "clean::serialize_whole")]
    pub author: String,
    /// When.
    pub date: String,
    /// The events that it added.
    pub events: Vec<Said>,
}

/// Answer of `memory log`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Sessions {
    /// Commits, latest first.
    pub sessions: Vec<Session>,
    /// Whether there are more.
    #[serde(rename = "more")]
    pub has_more: bool,
}

/// Tells what was added when, going back by first parents. Fails on a log that cannot be read.
pub fn sessions(repo: &Repo, limit: usize) -> Result<Sessions, Error> {
    let name = repo.ref_names().memory();
    let mut log = Log::open(repo)?;
    let mut out = Sessions::default();
    let mut objects = repo.objects();
    while let Some(tip) = log.tip {
        if out.sessions.len() == limit {
            out.has_more = true;
            break;
        }
        let parent = commit::read(&mut objects, tip)?.parent;
        let before = match parent {
            Some(parent) => Log::at(repo, CommitId::new(parent.as_object()), &name)?,
            None => Log::default(),
        };
        let by = commit::origins(&mut objects, tip)?.committer;
        let ids: Vec<EventId> = log.events.iter().map(|(id, _)| *id).collect();
        let new = log.readable().filter(|(id, _)| !before.contains(*id));
        out.sessions.push(Session {
            commit: tip.short(),
            author: named(&by.name, &by.mail),
            date: Date::new(by.seconds, 0).to_string(),
            events: new.map(|(id, event)| said(id, event, &ids)).collect(),
        });
        log = before;
    }
    Ok(out)
}
