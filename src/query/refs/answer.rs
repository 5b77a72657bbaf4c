//! The answer of `refs`.

use crate::extract::record::OccurrenceKind;
use crate::graph::rule::Certainty;
use crate::id::BlobId;
use crate::query::affected::Extent;
use crate::query::answer::{SymbolRef, TargetNote};
use crate::query::entry_points::Shown;
use crate::query::nothing::Nothing;
use crate::query::request::Direction;
use crate::query::state::Stamp;
use crate::query::verdict::Verdict;
use crate::trace::lines::Ran;
use crate::view::written::Written;

/// One use of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Line.
    pub line: u32,
    /// Byte column, from 1.
    pub col: u32,
    /// How it is used.
    pub kind: OccurrenceKind,
    /// How sure it is that the target is meant.
    pub certainty: Certainty,
    /// What connects it with the target; `None` when only the letters agree.
    pub rule: Option<&'static str>,
    /// Other definitions that may be meant instead.
    pub candidates: usize,
    /// Qualified name of the innermost symbol it lies in.
    pub enclosing: Option<Written>,
    /// Text of the line, trimmed, at most 200 bytes.
    pub text: String,
}

/// Uses of a name in one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileReferences {
    /// Path of the file.
    pub path: String,
    /// Uses, in source order.
    pub references: Vec<Reference>,
    /// Number of uses in the file, shown or not.
    pub total: u64,
    /// The content they were cut from.
    pub blob: BlobId,
}

/// Lines of one file that hold a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordLines {
    /// Path of the file.
    pub path: String,
    /// Lines, ascending.
    pub lines: Vec<u32>,
}

/// Where a name stands without being a use that could be resolved: in comments, strings, prose, and
/// in code that means something else by it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// Lines found in the files that were read.
    pub total: u64,
    /// Files with such lines, product code first.
    pub files: Vec<WordLines>,
    /// How many more of the files that were read have such lines.
    pub hidden: usize,
    /// Files that hold the word and were not read.
    pub unread: usize,
}

/// Something that a chain of references leads to.
#[derive(Clone, PartialEq, Debug)]
pub struct Reached {
    /// Path of its file.
    pub path: String,
    /// The symbol; `None` for the top level of the file, or the file as a whole.
    pub symbol: Option<SymbolRef>,
    /// Number of steps from the target.
    pub depth: usize,
    /// Certainty of the least sure step.
    pub certainty: Certainty,
    /// Product of the confidence of the steps, from 0 to 1.
    pub confidence: f32,
    /// Line of the reference that the last step is; 0 where there is none.
    pub line: u32,
    /// What the shortest path goes through, from here to the target, both left out.
    pub via: Vec<Written>,
    /// References that make up the last step.
    pub uses: usize,
}

labelled! {
    /// What ties two files together.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum DependencyKind {
        /// An import.
        Import = "import",
        /// A re-export.
        Reexport = "reexport",
        /// A textual include.
        Include = "include",
        /// The declaration that the other file is part of the program (`mod x;`).
        Module = "module",
        /// An import at run time.
        Dynamic = "dynamic",
        /// Use of names without an import, as inside a package.
        Used = "used",
        /// An import of something outside the repository.
        External = "external",
        /// An import of something that should be there and is not found.
        Unresolved = "unresolved",
    }
}

/// A file that another depends on, or that depends on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileDependency {
    /// Path of the other file; empty when it is not in the repository.
    pub path: String,
    /// The module as the import names it; empty without an import.
    pub specifier: Written,
    /// Line of the import, in the file that imports; of the first use without one.
    pub line: u32,
    /// Names that are imported, at most 12.
    pub names: Vec<Written>,
    /// What ties the files together.
    pub kind: DependencyKind,
    /// Resolved references from one file to the other.
    pub uses: usize,
}

/// What a file depends on, or what depends on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// Which of the two.
    pub direction: Direction,
    /// The other ends, best first.
    pub shown: Vec<FileDependency>,
    /// How many other ends are files of the repository, shown or not.
    pub files: usize,
}

/// Answer of `refs`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RefsAnswer {
    /// State spoken from.
    pub stamp: Stamp,
    /// The target as asked.
    pub target: String,
    /// The bare name that was looked for; empty when the target is a file.
    pub name: String,
    /// What is said to be used: the qualified name of the definitions when they have one in common, else
    /// the name as it was asked for.
    pub title: String,
    /// Path of the target when it is a file or, with a slash at its end, a directory.
    pub file: Option<String>,
    /// What there is to say of the target.
    pub asides: Vec<TargetNote>,
    /// Whether a definition of it ran when coverage was recorded.
    pub ran: Ran,
    /// Steps that were followed.
    pub depth: usize,
    /// What a chain of references leads to, nearest and surest first.
    pub reached: Vec<Reached>,
    /// Direction in which references of symbols were followed, and how many items that reached, shown or not.
    pub reached_by: Option<(Direction, usize)>,
    /// Directories with how many of these lie there, most first; empty when there are few.
    pub directories: Vec<(String, usize)>,
    /// Dependencies of a file, and its dependents.
    pub sides: Vec<Side>,
    /// Number of references by [`Certainty`], those not shown included. Where only the letters agree,
    /// lines are counted; they are part of the total only when nothing better was found.
    pub certainty: [u64; 4],
    /// How many of them a compiler has said to be uses.
    pub compiled: u64,
    /// Definitions of that name, best first, at most 10.
    pub definitions: Vec<SymbolRef>,
    /// Why each of them has no sure use; empty when the uses were restricted or followed further.
    pub verdicts: Vec<Option<Verdict>>,
    /// Entry points that lead to each of them: routes, commands, jobs; empty where there are none at all.
    pub entry_points: Vec<Vec<Shown>>,
    /// Number of definitions of that name.
    pub definitions_total: usize,
    /// Definitions of the name in other containers than those asked for, when it has none in these: none
    /// of the uses is theirs. Best first, at most 10.
    pub elsewhere: Vec<SymbolRef>,
    /// Number of such definitions.
    pub elsewhere_total: usize,
    /// How many of the first were left out, of each sort.
    pub offset: usize,
    /// Files with uses, best first.
    pub files: Vec<FileReferences>,
    /// Files with uses that may mean another of the same name, best first.
    pub ambiguous: Vec<FileReferences>,
    /// Modules outside the repository that the name is imported from, when no definition was meant.
    pub outside: Vec<Written>,
    /// Where the name merely stands.
    pub words: Words,
    /// Number of uses, of what is reached, or of dependencies, shown or not.
    pub total: u64,
    /// Number of files that these are in, shown or not.
    pub files_total: usize,
    /// Files searched.
    pub files_searched: usize,
    /// How far the change reaches that it was limited to.
    pub within: Option<Extent>,
    /// Set when there is nothing: where it was looked, and what is near.
    pub nothing: Option<Box<Nothing>>,
}
