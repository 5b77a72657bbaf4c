//! Questions, as the faces (`mcp`, `cli`) put them.

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
}

/// `search`: finds code by words.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// Natural language, identifiers or a mix.
    pub query: String,
    /// Where to look.
    pub scope: Scope,
    /// State of the repository.
    pub at: Revision,
    /// Most hits to return.
    pub limit: usize,
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
    /// Most symbols to return.
    pub limit: usize,
}

/// `refs`: where a name is used.
#[derive(Clone, Debug)]
pub struct RefsRequest {
    /// A name or a symbol id.
    pub target: String,
    /// Occurrence kind labels (`call`, `import`); empty for all.
    pub kinds: Vec<String>,
    /// Where to look.
    pub scope: Scope,
    /// State of the repository.
    pub at: Revision,
    /// Most occurrences to return.
    pub limit: usize,
}

/// `map`: what is in the repository.
#[derive(Clone, Debug)]
pub struct MapRequest {
    /// Where to look.
    pub scope: Scope,
    /// Directory levels to show.
    pub depth: usize,
    /// State of the repository.
    pub at: Revision,
}
