//! The answer of `history --tags`.

use crate::query::answer::SymbolRef;
use crate::query::history::commits::CommitLine;
use crate::query::state::Stamp;

labelled! {
    /// What a release has of what was asked about.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Standing {
        /// Of a body: it, but for comments, formatting and its name.
        Same = "same",
        /// Of a body: one much like it.
        Near = "near copy",
        /// Of a body: another of that name.
        Other = "another body",
        /// Of a change: what was there before it.
        Affected = "affected",
        /// Of a change: something that lacks what it added, and is another in the place where it did.
        Perhaps = "perhaps affected",
        /// Of a change: part of it.
        Partly = "partly fixed",
        /// Of a change: what came of it.
        Fixed = "fixed",
        /// It is there, and too different from both sides of a change to tell.
        Unknown = "unknown",
        /// It is not there.
        Absent = "not there",
    }
}

impl Standing {
    /// Whether a release has what it would be asked about for.
    pub fn is_exposed(self) -> bool {
        matches!(
            self,
            Self::Same | Self::Near | Self::Affected | Self::Partly
        )
    }
}

/// Answer of `history --tags`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TagsAnswer {
    /// The state spoken from.
    pub stamp: Stamp,
    /// What was asked about.
    pub target: String,
    /// What was looked for; `None` where nothing was found to look for.
    pub subject: Option<Subject>,
    /// The definitions that were looked for.
    pub judged: Vec<Judged>,
    /// Releases that follow each other and have the same, newest first: those of the page.
    pub ranges: Vec<Range>,
    /// How many come before them.
    pub offset: usize,
    /// How many there are.
    pub total: usize,
    /// How many tags and branches stand how, in the order of what is worth knowing.
    pub tallies: Vec<Tally>,
    /// What an answer does not know, and how it was found out.
    pub remarks: Vec<String>,
}

/// What is looked for in releases.
#[derive(Clone, PartialEq, Debug)]
pub enum Subject {
    /// The body of a definition, by its id, or a file by its path.
    Body(String),
    /// A change: its last commit, and the commit before it where it is more than one.
    Fix(CommitLine, Option<String>),
}

/// A definition that is looked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Its file.
    pub path: String,
    /// The definition; `None` for a file as a whole.
    pub symbol: Option<SymbolRef>,
    /// How many runs of tokens the change added and took away; 0 where there is no change.
    pub size: usize,
}

/// Tags and branches of one standing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// What they have.
    pub standing: Standing,
    /// Tags.
    pub tags: usize,
    /// Branches.
    pub branches: usize,
}

/// Releases that follow each other and have the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Range {
    /// What they have.
    pub standing: Standing,
    /// The tags, oldest first; none where only branches have it.
    pub tags: Vec<String>,
    /// Branches that have the same.
    pub branches: Vec<String>,
    /// Whether the commit of the change is in their history; `None` where that is not asked or not known.
    pub holds: Option<bool>,
    /// Whether another commit that did the same is in their history, and they are not fixed for all that.
    pub holds_other: bool,
    /// Where it stands in the newest of them.
    pub place: Option<Place>,
    /// How alike it is to what was asked about, the least and the most; of a change, to the nearer side.
    pub likeness: Option<(f64, f64)>,
    /// The commit that made it what it is in the oldest of them.
    pub since: Option<CommitLine>,
    /// Whether others get to it, in some of them.
    pub reach: Vec<Reach>,
}

/// Where something stands.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// A definition.
    Symbol(SymbolRef),
    /// A file.
    Path(String),
}

/// Whether others get to a definition in one release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The tag or branch.
    pub name: String,
    /// Whether they do; `None` where it is not known.
    pub is_reached: Option<bool>,
    /// How, or why not.
    pub how: String,
}
