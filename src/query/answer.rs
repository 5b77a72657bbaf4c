//! What answers are made of: symbols, and how targets matched.

use crate::extract::record::SymbolKind;
use crate::view::written::Written;

/// A symbol in the fewest words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolRef {
    /// `path::Qualified.name#kind[~n]`.
    pub id: Written,
    /// Name with its containers (`Router.use`).
    pub qualified: Written,
    /// What it is.
    pub kind: SymbolKind,
    /// Path of its file.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

labelled! {
    /// How a `symbol` target was matched, from strict to loose.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum MatchKind {
        /// A symbol id.
        Id = "id",
        /// The exact name.
        Exact = "exact",
        /// A pattern that was asked for.
        Pattern = "pattern",
        /// The name but for case.
        CaseInsensitive = "case-insensitive",
        /// A member of a base of the type that was named.
        Inherited = "inherited",
        /// A member of what the variable before it is somewhere known to be.
        Receiver = "receiver",
        /// The name, but not in the container that was named.
        OtherContainer = "other container",
        /// All its sub-words.
        SubWord = "sub-word",
        /// The first letters of its sub-words (`lru` of `LeastRecentlyUsed`), or how each begins (`compETag` of
        /// `compileETag`).
        Acronym = "acronym",
        /// A prefix of the name.
        Prefix = "prefix",
        /// A few letters off.
        Fuzzy = "fuzzy",
        /// Most of its sub-words, or one of them in the container that was named.
        Shared = "shared words",
    }
}

impl MatchKind {
    /// Whether it is what was named, spelt as it was named.
    pub fn is_exact(self) -> bool {
        matches!(
            self,
            Self::Id | Self::Exact | Self::Pattern | Self::Inherited | Self::Receiver
        )
    }
}

/// What an answer has to say of its target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TargetNote {
    /// It is also the path of a file or, with a slash at its end, of a directory.
    Path(String),
    /// It is also a definition, of this id.
    Symbol(Written),
    /// No symbol stands there, so the answer is of the whole file.
    NoSymbol(String),
    /// The variable before the name is known to be one of these, with the number of uses that say so.
    Receiver(String, Vec<(Written, usize)>),
    /// A route answers what was asked for: its methods and path, and the place that states it.
    Route(String, String),
    /// The type that was named has it from this base.
    Inherited(String, Written),
    /// A pattern matches so many names, of which only so many are looked at.
    ManyNames(usize, usize),
}
