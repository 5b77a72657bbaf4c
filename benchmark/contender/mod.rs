//! Those who answer: git-sverklo, ways of grepping, and peers that the user may have installed.
//!
//! A contender is asked as an agent that knows it well would ask: the tool and the arguments that its
//! documentation recommends for the kind of question. What it prints is what the agent pays for; what
//! is read out of that, by the contender's own adapter, is what is scored. A kind of question for
//! which a contender has nothing is not offered, which is told apart from an empty answer.

pub mod bm25;
pub mod ctags;
pub mod grep;
pub mod ours;
pub mod peers;
pub mod read;
pub mod ripgrep;
mod shell;

pub use shell::is_of_language;

use crate::Result;
use crate::program::Program;
use crate::run::Run;
use crate::subject::Subject;
use crate::task::{Place, Task};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Somebody who can answer questions about a subject.
pub trait Contender {
    /// Short name, as in tables and `--contender`.
    fn name(&self) -> &'static str;

    /// What runs here: a version, with what it lacks if it runs reduced. The error is the reason why
    /// it is absent, and what would bring it.
    fn version(&self) -> std::result::Result<String, String>;

    /// Makes everything ready for questions about a subject: indexes it, starts its server.
    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>>;

    /// The command that indexes a folder, from nothing as well as again; `None` for those who keep
    /// no index.
    fn index_command(&self, dir: &Path) -> Option<Command>;

    /// Files and folders that an index of this folder leaves, here or elsewhere. Removing them is
    /// forgetting the index.
    fn index_paths(&self, dir: &Path) -> Vec<PathBuf>;
}

/// A contender that is ready to answer about one subject.
pub trait Session {
    /// Answers, or says that it has nothing for this kind of question (`None`).
    fn answer(&mut self, task: &Task) -> Result<Option<Answer>>;

    /// Peak resident memory of its server in MB, if it has one.
    fn peak_mb(&self) -> Option<f64> {
        None
    }
}

/// Everybody there is, git-sverklo first.
pub fn all(program: &Program) -> Vec<Box<dyn Contender>> {
    let mut all: Vec<Box<dyn Contender>> = vec![
        Box::new(ours::Ours::new(program.clone())),
        Box::new(grep::Grep),
        Box::new(ripgrep::Ripgrep),
        Box::new(ctags::Ctags),
        Box::new(bm25::Bm25),
    ];
    all.extend(peers::all());
    all
}

/// A contender that is here, with what it says of itself.
pub type Present = (Box<dyn Contender>, String);

/// Those that were named, or all; who is wanted and absent is written down with the reason.
pub fn present(
    wanted: &[String],
    program: &Program,
    run: &Run,
    kind: &str,
) -> Result<Vec<Present>> {
    let all = all(program);
    let known: Vec<&str> = all.iter().map(|contender| contender.name()).collect();
    if let Some(name) = wanted.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("no contender {name:?}; there are {}", known.join(", ")).into());
    }
    let mut here = Vec::new();
    for contender in all {
        let name = contender.name();
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        match contender.version() {
            Ok(version) => here.push((contender, version)),
            Err(reason) => {
                eprintln!("{name}: absent: {reason}");
                let line = json!({"bench": "absent", "contender": name, "reason": reason});
                run.record(kind, &line)?;
            }
        }
    }
    Ok(here)
}

/// One answer.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// What each call printed, as the agent reads it.
    pub calls: Vec<String>,
    /// What hosts that prefer structured content show of each call; empty where that is the same.
    pub structured: Vec<String>,
    /// What it says.
    pub found: Found,
    /// Wall time of all calls.
    pub wall: Duration,
}

/// What an answer says, best first.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Places of definitions or uses.
    Places(Vec<Place>),
    /// Files or spans, ranked; a file may come back more than once.
    Spans(Vec<Span>),
    /// What a file imports and what imports it, as paths.
    Dependencies {
        imports: Vec<String>,
        importers: Vec<String>,
    },
    /// Names.
    Names(Vec<String>),
}

impl Default for Found {
    fn default() -> Self {
        Self::Places(Vec::new())
    }
}

/// A file or some lines of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub path: String,
    /// First and last line, from 1; `None` for a whole file.
    pub lines: Option<(u32, u32)>,
}
