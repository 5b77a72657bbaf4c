//! What the commands of memories print.

use crate::query::memories;
use crate::query::recall::{self, RecallAnswer, target};
use crate::render::clean;
use crate::upkeep::memory;
use schemars::JsonSchema;
use serde::Serialize;

/// One memory: a version of a fact, at a commit. The text is a quotation, whoever wrote it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Memory {
    /// The fact's id.
    pub id: String,
    /// The version's own id.
    pub version: String,
    /// `decision`, `rule`, `fact`, `howto`, `preference`, `todo` or `correction`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub kind: &'static str,
    /// What it says; absent when that was taken out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Symbol ids and paths it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// Where those of them are that are not as they were.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub standing: Vec<Standing>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether it should be known before anything else.
    pub core: bool,
    /// Who said it.
    pub author: String,
    /// With which program.
    pub tool: String,
    /// When, as they say.
    pub date: String,
    /// Commit from which on it holds.
    pub pin: String,
    /// First line of that commit.
    pub subject: String,
    /// `holds`, `unknown`, `later`, `elsewhere`, `ended` or `replaced`.
    pub state: &'static str,
    /// How that is known.
    pub why: String,
    /// What speaks against relying on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contested: Vec<String>,
}

/// Where a target is that is not as it was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Standing {
    /// The target.
    pub target: String,
    /// `moved`, `changed`, `gone` or `unknown`.
    pub is: &'static str,
    /// Where it moved to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Commits that changed it, as far as was looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits: Option<usize>,
    /// The last of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// Its first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Why it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

impl Standing {
    fn new(target: &str, standing: &target::Standing) -> Option<Self> {
        use target::Standing as Is;
        let mut out = Self {
            target: target.to_owned(),
            is: standing.label(),
            to: None,
            commits: None,
            last: None,
            subject: None,
            why: None,
        };
        match standing {
            Is::Fresh => return None,
            Is::Moved(to) => out.to = Some(to.clone()),
            Is::Unknown(why) => out.why = Some(why),
            Is::Changed { since, .. } | Is::Gone(since) => {
                if let Some((last, subject)) = since.last.clone() {
                    out.commits = Some(since.commits);
                    (out.last, out.subject) = (Some(last), Some(subject));
                }
            }
        }
        Some(out)
    }
}

/// A memory that comes up beside an answer. The text is a quotation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Note {
    /// The fact's id.
    pub id: String,
    /// What sort of thing.
    pub kind: &'static str,
    /// `core`, `contested`, `code changed since`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<&'static str>,
    /// Who said it.
    pub author: String,
    /// What it says, cut.
    pub text: String,
}

impl Memory {
    /// Returns the wire form of a memory.
    pub fn new(memory: &recall::Memory) -> Self {
        let standings = memory.targets.iter().zip(&memory.standings);
        let standing = standings.filter_map(|(target, at)| Standing::new(target, at));
        let standing = standing.collect();
        let memory = memory.clone();
        Self {
            id: memory.id,
            version: memory.version,
            kind: memory.kind,
            text: memory.text.as_deref().map(clean::text),
            targets: memory.targets,
            standing,
            tags: memory.tags,
            core: memory.core,
            author: clean::whole(&memory.author),
            tool: memory.tool,
            date: memory.date,
            pin: memory.pin,
            subject: clean::whole(&memory.subject),
            state: memory.state.label(),
            why: memory.why,
            contested: memory.contested,
        }
    }
}

/// Answer of `recall`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Recalled {
    /// Commit it speaks of.
    pub at: String,
    /// Commit of the memory log it speaks from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_at: Option<String>,
    /// Memories, best first.
    pub memories: Vec<Memory>,
    /// Number of memories found.
    pub total: usize,
    /// What went wrong on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Memories that were looked at, when none was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<usize>,
    /// Targets of others that end like those asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
}

impl Recalled {
    /// Returns the wire form of an answer with the memories that are shown of it.
    pub fn new<'a>(
        answer: &RecallAnswer,
        shown: impl IntoIterator<Item = &'a recall::Memory>,
    ) -> Self {
        Self {
            at: answer.at.clone(),
            known_at: answer.known_at.clone(),
            memories: shown.into_iter().map(Memory::new).collect(),
            total: answer.total,
            warnings: answer.warnings.clone(),
            known: answer.unmet.as_ref().map(|unmet| unmet.known),
            near: (answer.unmet.as_ref()).map_or_else(Vec::new, |unmet| unmet.near.clone()),
        }
    }
}

/// One event of the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Said {
    /// Its id.
    pub id: String,
    /// `assert`, `amend`, `end`, `repin` or `redact`.
    pub what: &'static str,
    /// Who said it.
    pub author: String,
    /// When, as they say.
    pub date: String,
    /// Commit it counts from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pin: String,
    /// What it says.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Events, commits and targets it names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

impl Said {
    fn new(said: &memories::Said) -> Self {
        let said = said.clone();
        Self {
            id: said.id,
            what: said.what,
            author: clean::whole(&said.author),
            date: said.date,
            pin: said.pin,
            text: clean::text(&said.text),
            names: said.names,
        }
    }
}

/// Answer of `memory show`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Shown {
    /// Commit it speaks of.
    pub at: String,
    /// Versions, oldest first.
    pub versions: Vec<Memory>,
    /// What ended them, and what was taken out.
    pub events: Vec<Said>,
    /// What went wrong on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Shown {
    /// Returns the wire form of an answer.
    pub fn new(shown: &memories::Shown) -> Self {
        Self {
            at: shown.at.clone(),
            versions: shown.versions.iter().map(Memory::new).collect(),
            events: shown.events.iter().map(Said::new).collect(),
            warnings: shown.warnings.clone(),
        }
    }
}

/// One commit of the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Session {
    /// Its id: what `--known-at` takes.
    pub commit: String,
    /// Who made it.
    pub author: String,
    /// When.
    pub date: String,
    /// Events it added.
    pub events: Vec<Said>,
}

/// Answer of `memory log`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Sessions {
    /// Commits, latest first.
    pub sessions: Vec<Session>,
    /// Whether there are more.
    pub more: bool,
}

impl Sessions {
    /// Returns the wire form of an answer.
    pub fn new(sessions: &memories::Sessions) -> Self {
        let all = sessions.sessions.iter().map(|session| Session {
            commit: session.commit.clone(),
            author: clean::whole(&session.author),
            date: session.date(),
            events: session.events.iter().map(Said::new).collect(),
        });
        Self {
            sessions: all.collect(),
            more: sessions.has_more,
        }
    }
}

/// What a command wrote.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Written {
    /// `assert`, `amend`, `end`, `repin` or `redact`.
    pub done: &'static str,
    /// Id of the fact.
    pub id: String,
    /// Id of the event, in full.
    pub event: String,
    /// Commit it counts from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pin: String,
    /// Versions it replaces or ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<String>,
    /// What should be known about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Memories that it may contradict or repeat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub akin: Vec<Akin>,
}

/// A memory that a new one may contradict or repeat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Akin {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its first line.
    pub text: String,
    /// What makes it akin.
    pub why: String,
}

impl Written {
    /// Returns the wire form of what was written.
    pub fn new(written: &memory::Written) -> Self {
        let written = written.clone();
        Self {
            done: written.done,
            id: written.id,
            event: written.event,
            pin: written.pin,
            closed: written.closed,
            notes: written.notes,
            akin: written.akin.into_iter().map(Akin::new).collect(),
        }
    }
}

impl Akin {
    fn new(akin: crate::query::recall::akin::Akin) -> Self {
        Self {
            id: akin.id,
            kind: akin.kind,
            text: clean::whole(&akin.text),
            why: akin.why,
        }
    }
}

/// Memories that came from one author.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Came {
    /// Who.
    pub author: String,
    /// New and changed memories.
    pub memories: Vec<Line>,
    /// Number of ends.
    pub ended: usize,
    /// Number of texts taken out.
    pub redacted: usize,
    /// Which: the ids of their events, and the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken_out: Vec<Line>,
    /// Number of commits said to stand for others.
    pub repinned: usize,
}

/// The first line of a memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Line {
    /// Its id.
    pub id: String,
    /// What it says first.
    pub text: String,
}

impl Came {
    /// Returns the wire form of what came.
    pub fn new(came: &crate::upkeep::memories::Came) -> Self {
        let line = |(id, text): &(String, String)| Line {
            id: id.clone(),
            text: clean::whole(text),
        };
        Self {
            author: clean::whole(&came.author),
            memories: came.claims.iter().map(line).collect(),
            ended: came.ended,
            redacted: came.redacted.len(),
            taken_out: came.redacted.iter().map(line).collect(),
            repinned: came.repinned,
        }
    }
}

/// What became of sources of memories.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Imported {
    /// What was taken.
    pub taken: Vec<Taken>,
    /// What was not.
    pub left: Vec<Left>,
    /// What was taken, but for something it was about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A memory that was taken over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Taken {
    /// Its id; absent if nothing was stored.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its first line.
    pub text: String,
    /// Where it was, as `path:line`.
    pub from: String,
    /// Commit from which on it holds.
    pub pin: String,
}

/// Something that was not taken over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Left {
    /// Where it is, as `path:line`.
    pub from: String,
    /// Why.
    pub reason: String,
}

impl Imported {
    /// Returns the wire form of what became of sources.
    pub fn new(imported: &crate::upkeep::import::Imported) -> Self {
        let imported = imported.clone();
        let taken = imported.taken.into_iter().map(|taken| Taken {
            id: taken.id,
            kind: taken.kind,
            text: taken.text,
            from: taken.from,
            pin: taken.pin,
        });
        let left = imported.left.into_iter().map(|left| Left {
            from: left.from,
            reason: left.reason,
        });
        Self {
            taken: taken.collect(),
            left: left.collect(),
            notes: imported.notes,
        }
    }
}
