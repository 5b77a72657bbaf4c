//! Entry points that a document states: routes, commands, jobs, and what these are registered on.
//!
//! Nothing here is a word: a path is ranges of the document, a handler is a place in it. Who asks cuts the words
//! from the file, so that no segment can bring its own.

use std::ops::Range;

coded! {
    /// What a document states.
    EntryKind {
        /// Something that routes, commands and other routers are registered on; its path comes before theirs.
        Router = 1, "router";
        /// A router, or a whole module of routes, is put under a path.
        Mount = 2, "mount";
        /// Whoever asks for a path by a method is answered.
        Route = 3, "route";
        /// A command of a command line.
        Command = 4, "command";
        /// A job that a queue or a clock starts.
        Job = 5, "job";
        /// A message or event is taken.
        Message = 6, "message";
        /// A procedure that others call over a connection.
        Procedure = 7, "procedure";
        /// A router that answers nothing but where it is mounted or handed over.
        Branch = 8, "branch";
    }
}

coded! {
    /// A part of a path.
    PartKind {
        /// As it is written in the range.
        Text = 1, "text";
        /// Computed when the program runs.
        Computed = 2, "computed";
        /// The id of one of a resource: `/:id`.
        Id = 3, "id";
        /// The form for a new one of a resource: `/new`.
        New = 4, "new";
        /// The form for one of a resource: `/:id/edit`.
        Edit = 5, "edit";
        /// The id of one of the resource whose name is the range, of which others are a part: `/:user_id`.
        ParentId = 6, "parent-id";
        /// The name in the range without a leading colon, between slashes: of a namespace, a resource, an action.
        Name = 7, "name";
        /// The name in the range, in the form of a command: `do_it` is `do-it`.
        Dashed = 8, "dashed";
        /// The range is a class: its name without `Controller`, where the text before it asks for it.
        Class = 9, "class";
        /// The range is a method: its name, where the text before it asks for it.
        Method = 10, "method";
        /// The words of the range, its first one only: `show ID` of a command line.
        FirstWord = 11, "first-word";
        /// Stands first: the path begins anew, and that of what it is registered on (of a mount: the own path of
        /// what is mounted) counts no more.
        Root = 12, "root";
        /// The form for a new one of a resource: `/create`.
        Create = 13, "create";
        /// The form for the only one of a resource: `/edit`.
        EditOne = 14, "edit-one";
        /// A slash between two parts, where neither has one.
        Slash = 15, "slash";
        /// The name in the range in small letters with dashes: `DoIt` is `do-it`.
        Kebab = 16, "kebab";
        /// Says that the route is of the only one of a resource; adds nothing to the path.
        One = 17, "one";
        /// Says that the route is of many of a resource; adds nothing to the path.
        Many = 18, "many";
        /// The name of a parameter, in place of `id`: `/:name`.
        Param = 19, "param";
        /// The name of the method that answers, of the class that the route leads to; adds nothing to the path.
        Action = 20, "action";
    }
}

impl PartKind {
    /// Whether a range belongs to it.
    pub fn has_text(self) -> bool {
        matches!(
            self,
            Self::Text
                | Self::ParentId
                | Self::Name
                | Self::Dashed
                | Self::Class
                | Self::Method
                | Self::FirstWord
                | Self::Kebab
                | Self::Param
                | Self::Action
        )
    }
}

impl EntryKind {
    /// Whether others are registered on it.
    pub fn is_router(self) -> bool {
        matches!(self, Self::Router | Self::Branch)
    }
}

/// One part of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathPart {
    /// What it is.
    pub kind: PartKind,
    /// Bytes of the document; empty at 0 where the kind has none.
    pub range: Range<u32>,
}

impl PathPart {
    /// A part without a range.
    pub fn bare(kind: PartKind) -> Self {
        Self { kind, range: 0..0 }
    }
}

/// Methods of HTTP that a route answers. None says that any does, or that it is no matter of HTTP.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Methods(pub u16);

/// The methods, in order of their bits.
const METHODS: [&str; 10] = [
    "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "WS",
];

impl Methods {
    /// Any.
    pub const ANY: Self = Self(0);

    /// The method of a name, in letters of either case.
    pub fn named(name: &[u8]) -> Option<Self> {
        let name: &[u8] = match name {
            _ if name.eq_ignore_ascii_case(b"websocket") => b"WS",
            _ if name.eq_ignore_ascii_case(b"del") => b"DELETE",
            name => name,
        };
        let at = METHODS
            .iter()
            .position(|method| name.eq_ignore_ascii_case(method.as_bytes()))?;
        Some(Self(1 << at))
    }

    /// Both.
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a route of these answers a request by one of the other.
    pub fn answers(self, asked: Self) -> bool {
        self.0 == 0 || asked.0 == 0 || self.0 & asked.0 != 0
    }

    /// Their names, in order; empty for any.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let all = METHODS.iter().enumerate();
        all.filter(move |(at, _)| self.0 & (1 << at) != 0)
            .map(|(_, name)| *name)
    }
}

/// What an entry leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reached {
    /// Nothing that has a name or a place.
    Nothing,
    /// A function that is written there, on this line.
    Inline(u32),
    /// The symbol at this position in the document. Of a router: the variable or class it is, or the function
    /// it is a parameter of.
    Symbol(u32),
    /// What the name means that stands at this line and byte column.
    Place(u32, u32),
    /// What a text names: a module, a file, a controller and its action.
    Text(Range<u32>),
}

/// An entry point, or what entry points into it are registered on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// The methods that a route answers.
    pub methods: Methods,
    /// The router it is registered on, an earlier entry of the document.
    pub on: Option<u32>,
    /// The line it is written on.
    pub line: u32,
    /// Its path below that of the router, or its name.
    pub path: Vec<PathPart>,
    /// What it leads to.
    pub reached: Reached,
}
