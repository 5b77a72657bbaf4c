//! Questions with their truth.

pub mod documented;
pub mod history;
pub mod own;
pub mod public;
pub mod suite;

use serde::Serialize;
use std::fmt;

/// One question about one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Unique within its set.
    pub id: String,
    /// Which set it is from, such as `own` or `primitives`.
    pub set: String,
    /// Language of what is asked about, as its author names it; empty when unknown.
    pub lang: String,
    /// What its set calls the sort of question, such as `P1` or `architecture`; empty when nothing.
    pub category: String,
    /// Folders or files the answer lies in, as the question itself says; empty for all.
    pub scope: Vec<String>,
    /// What is asked, and what would be right.
    pub question: Question,
    /// What is neither right nor wrong to answer, such as a declaration where the definition is asked
    /// for: taken out of an answer before it is scored.
    pub neutral: Vec<Target>,
}

/// What is asked, with the truth in the shape that the question calls for.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Where is this name defined? Any of `truth` is right.
    Definition { name: String, truth: Vec<Place> },
    /// Where is this name used? All of `truth` are wanted.
    References {
        name: String,
        truth: Vec<Place>,
        sense: Sense,
    },
    /// What does this file import, and which files import it?
    Dependencies {
        path: String,
        imports: Vec<String>,
        importers: Vec<String>,
    },
    /// Which names does nothing use?
    Unused { truth: Vec<String> },
    /// Which code is this about? `depth` results are looked at.
    Locate {
        query: String,
        truth: Vec<Target>,
        depth: usize,
    },
}

/// What a truth counts as a use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// Code that means one of its definitions.
    Meaning,
    /// Any line that holds the word, comments and strings too.
    Word,
}

impl Question {
    /// What kind of question it is.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Definition { .. } => Kind::Definition,
            Self::References { .. } => Kind::References,
            Self::Dependencies { .. } => Kind::Dependencies,
            Self::Unused { .. } => Kind::Unused,
            Self::Locate { .. } => Kind::Locate,
        }
    }

    /// The words of the question.
    pub fn query(&self) -> &str {
        match self {
            Self::Definition { name, .. } | Self::References { name, .. } => name,
            Self::Dependencies { path, .. } => path,
            Self::Unused { .. } => "",
            Self::Locate { query, .. } => query,
        }
    }
}

/// The kinds of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Definition,
    References,
    Dependencies,
    Unused,
    Locate,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Definition => "definition",
            Self::References => "references",
            Self::Dependencies => "dependencies",
            Self::Unused => "unused",
            Self::Locate => "locate",
        })
    }
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Path from the top of the subject, with `/`.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
}

/// A file, or some lines of it, that answers a `Locate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Path, or its last components.
    pub path: String,
    /// First and last line, from 1, where the truth says them.
    pub span: Option<(u32, u32)>,
}
