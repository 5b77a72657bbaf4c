//! Answers of `audit`, as values.

use crate::history::window::Extent;
use crate::query::answer::SymbolRef;
use crate::query::nothing::Nothing;
use crate::query::request::AuditView;
use crate::query::state::Stamp;
use schemars::JsonSchema;
use serde::Serialize;

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Place {
    /// Path of the file.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
}

/// Why a definition that nothing reaches may be in use all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// Strings in code that hold exactly its name.
    Mentioned {
        /// How many.
        count: u32,
        /// The first.
        first: Place,
    },
    /// Its name stands where the index sees no reference to it.
    Word {
        /// How many files have it.
        files: u32,
        /// The first place.
        first: Place,
    },
    /// Documentation that names it.
    Documented {
        /// How often.
        count: u32,
    },
    /// A member of an interface has its name, which its type or module may have without saying so.
    Shape {
        /// Where that member is.
        first: Place,
    },
    /// A module that gives it out goes to somebody as a whole.
    Whole {
        /// Where that is.
        first: Place,
    },
    /// Code has its name, and was taken to mean something else.
    Namesake {
        /// Where that is.
        first: Place,
    },
    /// Very much of its language is unreached: something may reach that which is not understood.
    Crowd {
        /// How many others nothing reaches.
        others: u32,
    },
    /// Its file does not parse.
    SyntaxErrors,
    /// It is a file, which something may load that names none: a pattern, a page or a host.
    Unloaded,
    /// Uses that may mean it or another of its name.
    Ambiguous {
        /// How many.
        count: u32,
        /// The first.
        first: Place,
    },
    /// Others than the repository may use it.
    Offered(Offered),
}

/// What makes it possible that others than the repository use a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offered {
    /// The manifest at this path says that it belongs to a library.
    By(String),
    /// There are headers for others, or no program.
    Headers,
    /// Other modules may import its package.
    Package,
    /// Nothing tells who may use it.
    Untold,
    /// What a sparse checkout leaves out.
    Outside,
}

/// How a definition that nothing is known to use is judged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Nothing that is alive reaches it, and its name stands nowhere else.
    Dead,
    /// Nothing that is alive is known to reach it.
    Unreached,
    /// Only strings and words that have its name may mean it.
    Uncertain,
    /// Uses may mean it, or a base that is not here may call it. Counted, not listed.
    Undecided,
    /// Others than the repository may use it; the repository does not. Listed when it is asked for.
    Exported,
}

impl Verdict {
    /// The view that lists what is judged so.
    pub fn listed_by(self) -> Option<AuditView> {
        match self {
            Self::Dead | Self::Unreached | Self::Uncertain => Some(AuditView::Unused),
            Self::Exported => Some(AuditView::Exported),
            Self::Undecided => None,
        }
    }
}

/// How many definitions there are of each verdict.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Those whose names stand nowhere else.
    pub dead: usize,
    /// Others that nothing is known to reach.
    pub unreached: usize,
    /// Those that words may mean.
    pub uncertain: usize,
    /// Those that uses may mean; not listed.
    pub undecided: usize,
    /// Those that others may use; listed when they are asked for.
    pub exported: usize,
}

impl Counts {
    /// Number of findings in a view.
    pub fn listed(self, by: AuditView) -> usize {
        match by {
            AuditView::Exported => self.exported,
            _ => self.dead + self.unreached + self.uncertain,
        }
    }
}

/// What is probably dead.
#[derive(Clone, PartialEq, Debug)]
pub enum Dead {
    /// A definition.
    Symbol(SymbolRef),
    /// A file with all that it defines: nothing loads it.
    File {
        /// Its path.
        path: String,
        /// Where its last definition ends.
        lines: u32,
        /// Number of its definitions.
        definitions: usize,
    },
}

/// A definition or file that is probably dead.
#[derive(Clone, PartialEq, Debug)]
pub struct Unused {
    /// Where and what.
    pub what: Dead,
    /// How it came to be listed.
    pub verdict: Verdict,
    /// How probable it is that it is dead, from 0 to 1; of what is exported, that nothing here uses it and
    /// nobody was told of it.
    pub confidence: f32,
    /// Why it may be alive all the same.
    pub doubts: Vec<Doubt>,
}

/// An import from one file to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ImportEdge {
    /// The importing file and the line of the import.
    #[serde(flatten)]
    pub from: Place,
    /// Path of the imported file.
    #[serde(rename = "imports")]
    pub to: String,
    /// Number of the imported file's definitions that the importing file uses.
    #[serde(skip)]
    pub names: u32,
}

/// Files that import each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportCycle {
    /// Number of files in it.
    pub files: usize,
    /// Number of imports between them.
    pub imports: usize,
    /// A shortest cycle through them.
    pub path: Vec<ImportEdge>,
    /// Imports without which there would be no cycle, those that bring the fewest names first.
    pub cut: Vec<ImportEdge>,
    /// How many more would have to be cut.
    pub more: usize,
}

/// A file that much depends on.
#[derive(Clone, PartialEq, Debug)]
pub struct HubFile {
    /// Its path.
    pub path: String,
    /// Its share of PageRank, from 0 to 1.
    pub rank: f64,
    /// Product files that depend on it.
    pub fan_in: usize,
    /// Product files that it depends on.
    pub fan_out: usize,
}

/// A definition that much code uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubSymbol {
    /// Where and what.
    pub symbol: SymbolRef,
    /// Product files that use it, its own not counted.
    pub files: usize,
    /// Uses in product code, resolved or inferred.
    pub uses: usize,
    /// Definitions that it uses.
    pub fan_out: usize,
}

/// A definition that no test reaches.
#[derive(Clone, PartialEq, Debug)]
pub struct Untested {
    /// Where and what.
    pub symbol: SymbolRef,
    /// Definitions that use it.
    pub callers: usize,
    /// PageRank of its file.
    pub rank: f64,
    /// Whether a test may reach it through a use that may mean something else.
    pub perhaps: bool,
}

/// A file that is complex and changes often.
#[derive(Clone, PartialEq, Debug)]
pub struct Hotspot {
    /// Its path.
    pub path: String,
    /// Its part of all complexity times changes, from 0 to 1.
    pub share: f64,
    /// Lines of code.
    pub lines: u32,
    /// Levels of indentation of these, summed.
    pub complexity: u64,
    /// What that was a year before the newest commit; `None` where that is not known.
    pub complexity_before: Option<u64>,
    /// Commits that changed it.
    pub changes: usize,
    /// How many of them mended something.
    pub fixes: usize,
    /// How many are of the last year.
    pub lately: usize,
    /// How many of the year before; `None` where history is not that old.
    pub before: Option<usize>,
    /// Its most complex function, with the levels inside of it.
    pub worst: Option<(SymbolRef, u64)>,
}

/// What an audit found.
#[derive(Clone, PartialEq, Debug)]
pub enum Findings {
    /// Definitions that are probably dead, or exported and not used here, surest first.
    Unused {
        /// The first of them.
        items: Vec<Unused>,
        /// How many there are of each verdict.
        counts: Counts,
    },
    /// Import cycles, largest first.
    Cycles(Vec<ImportCycle>),
    /// What much depends on.
    Hubs {
        /// Files, highest rank first.
        files: Vec<HubFile>,
        /// Definitions, most using files first.
        symbols: Vec<HubSymbol>,
    },
    /// Definitions that no test reaches, most important first.
    Untested {
        /// The first of them.
        items: Vec<Untested>,
        /// Definitions that were looked at.
        candidates: usize,
        /// Tests that were followed.
        tests: usize,
    },
    /// Files that are complex and change often, the hottest first.
    Hotspots {
        /// The first of them.
        items: Vec<Hotspot>,
        /// What the history could not hold that they were counted in.
        extent: Extent,
        /// Whether that is younger than a year, so that nothing can be said of the year before.
        is_young: bool,
    },
}

impl Findings {
    /// Leaves out so many of the first, of each sort.
    pub(super) fn leave_out(&mut self, offset: usize) {
        fn cut<T>(items: &mut Vec<T>, offset: usize) {
            items.drain(..offset.min(items.len()));
        }
        match self {
            Self::Unused { items, .. } => cut(items, offset),
            Self::Cycles(cycles) => cut(cycles, offset),
            Self::Hubs { files, symbols } => {
                cut(files, offset);
                cut(symbols, offset);
            }
            Self::Untested { items, .. } => cut(items, offset),
            Self::Hotspots { items, .. } => cut(items, offset),
        }
    }
}

/// How much of the view was not resolved, so that an answer may lack it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unresolved {
    /// Uses with several candidates.
    pub ambiguous: usize,
    /// Imports that lead nowhere, although they look as if they should.
    pub imports: usize,
    /// Imports that lead outside of the repository.
    pub external: usize,
}

/// Answer of `audit`.
#[derive(Clone, PartialEq, Debug)]
pub struct AuditAnswer {
    /// State spoken from.
    pub stamp: Stamp,
    /// What was looked for.
    pub view: AuditView,
    /// How many of the first were left out, of each sort.
    pub offset: usize,
    /// What was found.
    pub findings: Findings,
    /// Number of findings, shown or not.
    pub total: usize,
    /// Product files looked at.
    pub files: usize,
    /// What was not resolved.
    pub unresolved: Unresolved,
    /// Set when there is nothing: where it was looked, and what is near.
    pub nothing: Option<Box<Nothing>>,
}
