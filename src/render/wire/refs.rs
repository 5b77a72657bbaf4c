//! The shapes of an answer of `refs`.

use super::{Symbol, texts};
use crate::extract::record::OccurrenceKind;
use crate::query::affected::Extent;
use crate::query::refs::answer::{FileDependency, FileReferences, Reached, RefsAnswer};
use crate::query::request::Direction;
use crate::query::serialize::is_zero;
use crate::query::state::Stamp;
use crate::render::layout::Layout;
use crate::render::{nothing, verdict};
use crate::trace::lines::Ran;
use schemars::JsonSchema;
use serde::Serialize;

/// One use of a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Use {
    /// Line.
    pub line: u32,
    /// Byte column, from 1.
    pub col: u32,
    /// How it is used.
    pub kind: &'static str,
    /// `resolved`, `inferred`, `ambiguous` or `text`.
    pub certainty: &'static str,
    /// What connects it with the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// Other definitions it may mean.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub others: usize,
    /// Qualified name of the symbol around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// Text of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Uses in one file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FileUses {
    /// File.
    pub path: String,
    /// Uses there are in it.
    pub total: u64,
    /// Uses, in source order.
    pub uses: Vec<Use>,
}

/// What a chain of references leads to.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Link {
    /// File.
    pub path: String,
    /// The symbol; absent for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<Symbol>,
    /// Steps from the target.
    pub depth: usize,
    /// That of the least sure step.
    pub certainty: &'static str,
    /// Line of the last reference.
    #[serde(default, skip_serializing_if = "is_no_line")]
    pub line: u32,
    /// The path to the target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
}

/// A file that another depends on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Dependency {
    /// File; absent outside the repository.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// Module as written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub specifier: String,
    /// Line of the import.
    pub line: u32,
    /// Names taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// `import`, `reexport`, `include`, `module`, `dynamic`, `used`, `external`, `unresolved`.
    pub tie: &'static str,
    /// References.
    pub uses: usize,
}

/// How many.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Counts {
    /// By the language's rules.
    pub resolved: u64,
    /// The only definition that fits.
    pub inferred: u64,
    /// One of several.
    pub ambiguous: u64,
    /// Only the letters agree.
    pub text: u64,
}

/// How many items lie in a directory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Share {
    /// Path.
    pub path: String,
    /// How many.
    pub items: usize,
}

/// Lines that hold the word.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Lines {
    /// File.
    pub path: String,
    /// Lines.
    pub lines: Vec<u32>,
}

/// Answer of `refs`.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Refs {
    /// State spoken from.
    pub index: Stamp,
    /// The bare name, or the path.
    pub name: String,
    /// Items shown.
    pub shown: usize,
    /// Items there are.
    pub total: u64,
    /// Files with them.
    pub files_total: usize,
    /// Files searched.
    pub files_searched: usize,
    /// How far the change reaches that it was limited to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub within: Option<Extent>,
    /// Whether tests ran it: `yes` or `no`; absent when not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ran: Option<&'static str>,
    /// By certainty.
    pub counts: Counts,
    /// Definitions meant.
    pub definitions: Vec<Symbol>,
    /// Why no use of each of them is sure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub verdicts: Vec<Option<String>>,
    /// Definitions there are.
    pub definitions_total: usize,
    /// Definitions in other containers, when there is none in those asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub elsewhere: Vec<Symbol>,
    /// Uses by file, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileUses>,
    /// The same, that may mean another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ambiguous: Vec<FileUses>,
    /// Modules from outside it comes from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<String>,
    /// By name alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<Lines>,
    /// What is reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reached: Vec<Link>,
    /// Directories of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directories: Vec<Share>,
    /// What a file depends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<Dependency>,
    /// What depends on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub importers: Vec<Dependency>,
    /// Where it was looked, when there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub nothing: Option<nothing::Wire>,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// Where in the items of a layout what begins: definitions, uses, uses that may mean another, the
/// sides of a file, what is reached, lines that hold the word.
pub struct Parts {
    /// Definitions.
    pub definitions: usize,
    /// Uses.
    pub uses: usize,
    /// Uses that may mean another.
    pub ambiguous: usize,
    /// Dependencies and dependents.
    pub sides: usize,
    /// What is reached.
    pub reached: usize,
    /// Lines that hold the word.
    pub words: usize,
    /// Level from which on a use is quoted.
    pub quoted: usize,
}

impl Refs {
    /// The wire form of what a layout shows.
    pub fn new(answer: &RefsAnswer, layout: &Layout, parts: &Parts, next: Option<String>) -> Self {
        let [resolved, inferred, ambiguous, text] = answer.certainty;
        let name = answer.file.clone().unwrap_or_else(|| answer.name.clone());
        Self {
            index: answer.stamp.clone(),
            name,
            shown: layout.main,
            total: answer.total,
            files_total: answer.files_total,
            files_searched: answer.files_searched,
            within: answer.within.clone(),
            ran: match answer.ran {
                Ran::Yes => Some("yes"),
                Ran::No => Some("no"),
                Ran::Unknown => None,
            },
            counts: Counts {
                resolved,
                inferred,
                ambiguous,
                text,
            },
            definitions: shown(&answer.definitions, layout, parts.definitions)
                .map(Symbol::new)
                .collect(),
            verdicts: shown(&answer.verdicts, layout, parts.definitions)
                .map(|verdict| verdict.as_ref().map(verdict::said))
                .collect(),
            definitions_total: answer.definitions_total,
            elsewhere: answer.elsewhere.iter().map(Symbol::new).collect(),
            files: files(&answer.files, layout, parts.uses, parts.quoted),
            ambiguous: files(&answer.ambiguous, layout, parts.ambiguous, parts.quoted),
            outside: texts(&answer.outside),
            text: shown(&answer.words.files, layout, parts.words)
                .map(|words| Lines {
                    path: words.path.clone(),
                    lines: words.lines.clone(),
                })
                .collect(),
            reached: shown(&answer.reached, layout, parts.reached)
                .map(Link::new)
                .collect(),
            directories: answer
                .directories
                .iter()
                .map(|(path, items)| Share {
                    path: path.clone(),
                    items: *items,
                })
                .collect(),
            dependencies: side(answer, layout, parts.sides, Direction::Out),
            importers: side(answer, layout, parts.sides, Direction::In),
            nothing: nothing::Wire::of(answer.nothing.as_deref()),
            next,
        }
    }
}

/// Those of some items that are shown, which begin at `first` in the layout.
fn shown<'a, T>(items: &'a [T], layout: &'a Layout, first: usize) -> impl Iterator<Item = &'a T> {
    let levels = layout.levels.get(first..).unwrap_or_default();
    let both = items.iter().zip(levels);
    both.filter(|(_, level)| level.is_some())
        .map(|(item, _)| item)
}

/// Those ends of a file that are shown.
fn side(
    answer: &RefsAnswer,
    layout: &Layout,
    first: usize,
    direction: Direction,
) -> Vec<Dependency> {
    let mut at = first;
    let mut found = Vec::new();
    for side in &answer.sides {
        if side.direction == direction {
            found.extend(shown(&side.shown, layout, at).map(dependency));
        }
        at += side.shown.len();
    }
    found
}

/// The wire form of the uses that are shown, by file; files without any are left out.
fn files(files: &[FileReferences], layout: &Layout, first: usize, quoted: usize) -> Vec<FileUses> {
    let mut at = first;
    let files = files.iter().map(|file| {
        let levels = layout.levels.get(at..).unwrap_or_default();
        at += file.references.len();
        let shown = file.references.iter().zip(levels);
        let uses = shown.filter_map(|(reference, level)| {
            let quoted = (*level)? >= quoted;
            Some(Use {
                line: reference.line,
                col: reference.col,
                kind: OccurrenceKind::label(reference.kind),
                certainty: reference.certainty.label(),
                rule: reference.rule,
                others: reference.candidates,
                within: reference
                    .enclosing
                    .clone()
                    .filter(|_| quoted)
                    .map(String::from),
                text: quoted.then(|| reference.text.clone()),
            })
        });
        FileUses {
            path: file.path.clone(),
            total: file.total,
            uses: uses.collect(),
        }
    });
    files.filter(|file| !file.uses.is_empty()).collect()
}

impl Link {
    pub(in crate::render) fn new(reached: &Reached) -> Self {
        Self {
            path: reached.path.clone(),
            symbol: reached.symbol.as_ref().map(Symbol::new),
            depth: reached.depth,
            certainty: reached.certainty.label(),
            line: reached.line,
            via: texts(&reached.via),
        }
    }
}

fn dependency(of: &FileDependency) -> Dependency {
    Dependency {
        path: of.path.clone(),
        specifier: of.specifier.to_string(),
        line: of.line,
        names: texts(&of.names),
        tie: of.kind.label(),
        uses: of.uses,
    }
}

fn is_no_line(line: &u32) -> bool {
    *line == 0
}
