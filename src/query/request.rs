//! Questions, as the front ends (`mcp`, `cli`) put them.

/// Which state of the repository a question is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Revision {
    /// `HEAD` with the uncommitted and untracked files of the work tree on top. In a bare
    /// repository the same as `HEAD`.
    #[default]
    WorkTree,
    /// Any revision git understands; no uncommitted files.
    At(String),
}

/// Restricts an answer to part of the repository. Empty lists restrict nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// Path globs (`src/**`, `*.rs`, `lib/`); a leading `!` excludes. A glob without a slash
    /// matches the file name in any directory; a trailing slash means everything below.
    pub globs: Vec<String>,
    /// Language labels (`rust`, `typescript`).
    pub languages: Vec<String>,
    /// Symbol kind labels (`function`, `class`).
    pub kinds: Vec<String>,
    /// A change, as `diff` takes it ([`DiffRequest::range`]): only its files and those that depend on them. Read by
    /// `search` and `refs`.
    pub changed: Option<String>,
}

labelled! {
    /// How `search` takes its query.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Mode {
        /// Words, ranked.
        #[default]
        Ranked = "ranked",
        /// A text that lines hold.
        Text = "text",
        /// A regular expression that lines match.
        Regex = "regex",
    }
}

/// `search`: finds code by words.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// Natural language, identifiers or a mix.
    pub query: String,
    /// Where to look.
    pub scope: Scope,
    /// State of the repository.
    pub at: Revision,
    /// How many of the first to leave out.
    pub offset: usize,
    /// Most hits to return.
    pub limit: usize,
    /// How the query is taken.
    pub mode: Mode,
    /// Lines shown before and after each that matches; of no meaning when ranked.
    pub context: usize,
}

/// How much of a symbol to return.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Place, signature, first doc line, container, counts.
    #[default]
    Card,
    /// The card and the symbols nested in it.
    Outline,
    /// The card and the source text.
    Body,
}

/// `symbol`: looks up a definition by name, id or path.
#[derive(Clone, Debug)]
pub struct SymbolRequest {
    /// A name (`Router`, `Router.use`), an id (`lib/a.js::Router.use#method`) or a path (outline).
    pub target: String,
    /// How much to return of each.
    pub detail: Detail,
    /// Where to look.
    pub scope: Scope,
    /// State of the repository.
    pub at: Revision,
    /// How many of the first to leave out.
    pub offset: usize,
    /// Most symbols to return.
    pub limit: usize,
}

/// Which end of the references a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// Who uses the target.
    #[default]
    In,
    /// What the target uses.
    Out,
}

/// Which ends of the references are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ends {
    /// What is usual: both for one step around a file, users elsewhere.
    #[default]
    Usual,
    /// One of them.
    One(Direction),
    /// Both, one step.
    Both,
}

/// `refs`: who uses a symbol or a file, and what it uses.
#[derive(Clone, Debug, Default)]
pub struct RefsRequest {
    /// A name, a symbol id or a path.
    pub target: String,
    /// Users, what is used, or both.
    pub ends: Ends,
    /// Steps to follow, from 1 to [`MAX_STEPS`].
    pub depth: usize,
    /// Occurrence kind labels (`call`, `import`); empty for all.
    pub kinds: Vec<String>,
    /// Where to look.
    pub scope: Scope,
    /// State of the repository.
    pub at: Revision,
    /// How many of the first to leave out.
    pub offset: usize,
    /// Most occurrences to return.
    pub limit: usize,
}

labelled! {
    /// What `map` shows.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum MapView {
        /// Languages, directories, main files and symbols.
        #[default]
        Overview = "overview",
        /// Entry points: routes, commands, jobs.
        Entries = "entries",
    }
}

/// `map`: what is in the repository, or what of it a task is about.
#[derive(Clone, Debug)]
pub struct MapRequest {
    /// What is shown.
    pub view: MapView,
    /// What somebody wants to do, in words; none for the repository as a whole.
    pub task: Option<String>,
    /// Where to look.
    pub scope: Scope,
    /// Directory levels to show.
    pub depth: usize,
    /// State of the repository.
    pub at: Revision,
}

labelled! {
    /// What `audit` looks for.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum AuditView {
        /// Definitions that nothing alive reaches.
        #[default]
        Unused = "unused",
        /// What a library gives out and nothing in the repository uses.
        Exported = "exported",
        /// Files that import each other.
        Cycles = "cycles",
        /// Files and definitions that much depends on.
        Hubs = "hubs",
        /// Definitions that no test reaches.
        Untested = "untested",
        /// Files that are complex and change often.
        Hotspots = "hotspots",
    }
}

/// `audit`: what the graph says of the repository as a whole.
#[derive(Clone, Debug)]
pub struct AuditRequest {
    /// What to look for.
    pub view: AuditView,
    /// Where to look.
    pub scope: Scope,
    /// State of the repository.
    pub at: Revision,
    /// How many of the first to leave out.
    pub offset: usize,
    /// Most findings to return (of `hubs`: of files, and of definitions).
    pub limit: usize,
}

/// `gate`: whether a change brings an import cycle or a hub.
#[derive(Clone, Debug, Default)]
pub struct GateRequest {
    /// What to compare with; the merge base of this and the head counts.
    pub base: Option<String>,
    /// What to judge.
    pub head: Revision,
    /// Most files that may import a file; the configured number when `None`.
    pub max_fan_in: Option<usize>,
}

/// `diff`: what a change does to everything else.
#[derive(Clone, Debug, Default)]
pub struct DiffRequest {
    /// What is compared: `BASE`, `BASE..HEAD`, `BASE...HEAD`; empty for what the new state left.
    pub range: String,
    /// The new state, where the range names none.
    pub head: Revision,
    /// Where to look for what changed; what it breaks is told wherever it is.
    pub scope: Scope,
}

/// `diff --with`: what a merge with others would come to, made in memory.
#[derive(Clone, Debug, Default)]
pub struct ForecastRequest {
    /// Our side.
    pub head: Revision,
    /// Revisions that are merged into it, each by itself.
    pub with: Vec<String>,
    /// Whether every other work tree of the repository is, with its uncommitted files.
    pub with_worktrees: bool,
}

/// Hits `search` returns unless told otherwise.
pub const SEARCH_LIMIT: usize = 10;
/// Symbols `symbol` returns unless told otherwise.
pub const SYMBOL_LIMIT: usize = 10;
/// Occurrences `refs` returns unless told otherwise.
pub const REFS_LIMIT: usize = 50;
/// Findings `audit` returns unless told otherwise.
pub const AUDIT_LIMIT: usize = 20;
/// Directory levels `map` shows unless told otherwise.
pub const MAP_DEPTH: usize = 2;
/// Most steps that `refs` follows.
pub const MAX_STEPS: usize = 4;
/// Most targets that one question may be about.
pub const MAX_TARGETS: usize = 20;
/// Most items that a question may leave out.
pub const MAX_OFFSET: usize = 1_000_000;
/// Most items any question may ask for.
pub const MAX_LIMIT: usize = 1000;
/// Most lines shown before and after a line that matches.
pub const MAX_CONTEXT: usize = 20;
/// Most directory levels `map` may be asked for.
pub const MAX_DEPTH: usize = 20;
