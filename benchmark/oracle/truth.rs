//! Truth files: what compilers and language services say of a repository, one JSON object a line.
//!
//! The programs in `truth/` write them; `README.md` beside this file describes the shapes.

use crate::Result;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What one oracle says of one commit of one repository.
pub struct Truth {
    /// Which repository, and who said it.
    pub head: Head,
    /// Files that were read whole.
    pub files: Vec<String>,
    /// Those of them whose uses were resolved too; the build leaves the others out.
    read: BTreeSet<String>,
    /// Lines that the build leaves out of a file, as first and last.
    unread: BTreeMap<String, Vec<(u32, u32)>>,
    /// Every definition in those files.
    pub definitions: Vec<Definition>,
    /// Chosen symbols with all of their uses.
    pub symbols: Vec<Symbol>,
    /// Imports and where they lead.
    pub imports: Vec<Import>,
    /// Definitions with the number of their uses outside of themselves.
    pub uses: Vec<Uses>,
}

impl Truth {
    /// Whether what a file uses is known.
    pub fn read(&self, path: &str) -> bool {
        self.read.contains(path)
    }

    /// Whether the build leaves a line of a file out.
    pub fn is_unread(&self, path: &str, line: u32) -> bool {
        let mut spans = self.unread.get(path).into_iter().flatten();
        spans.any(|(first, last)| (*first..=*last).contains(&line))
    }
}

/// The first line of what an oracle says of a repository.
#[derive(Clone, Deserialize)]
pub struct Head {
    /// Such as `python`.
    pub language: String,
    /// Name of the checkout's folder.
    pub repo: String,
    /// The commit that was looked at.
    pub commit: String,
    /// Who said it, with its version.
    pub oracle: String,
}

/// A definition: the place of its name.
#[derive(Clone, Deserialize)]
pub struct Definition {
    /// Path in the repository.
    pub path: String,
    /// Line of the name, 1-based.
    pub line: u32,
    /// The name alone.
    pub name: String,
    /// What the oracle calls it.
    pub kind: String,
    /// May be told but need not be: a later binding of the same name.
    #[serde(default)]
    pub optional: bool,
    /// Whether anything uses it, as far as that is known.
    #[serde(default)]
    pub life: Option<Life>,
}

/// Whether anything outside of a definition uses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Life {
    /// Something does.
    Used,
    /// Only definitions that nothing uses do.
    ByUnused,
    /// Nothing does.
    Unused,
}

/// A chosen symbol.
#[derive(Clone, Deserialize)]
pub struct Symbol {
    /// Path of its definition.
    pub path: String,
    /// Line of its name, 1-based.
    pub line: u32,
    /// Lines of all its definitions: overloads are one symbol.
    pub lines: Vec<u32>,
    /// The name alone.
    pub name: String,
    /// What the oracle calls it.
    pub kind: String,
    /// Names around it, joined by dots.
    pub container: String,
    /// `random`, or `colliding` when the name has at least three definitions.
    pub group: String,
    /// `tune` or `held`: only the first half may be looked at while the product is changed.
    pub half: String,
    /// Uses, the definition itself excluded: path, line, column.
    pub refs: Vec<(String, u32, u32)>,
    /// Places of the same name of which the oracle cannot tell what they mean.
    pub undecided: Vec<(String, u32, u32)>,
}

/// An import statement.
#[derive(Clone, Deserialize)]
pub struct Import {
    /// The file it stands in.
    pub path: String,
    /// Its line, 1-based.
    pub line: u32,
    /// The module as it is written.
    pub specifier: String,
    /// The files of the repository that are right; any of them. Empty when it leads outside.
    pub targets: Vec<String>,
}

/// How often a definition is used.
#[derive(Clone, Deserialize)]
pub struct Uses {
    /// Path of the definition.
    pub path: String,
    /// Line of its name, 1-based.
    pub line: u32,
    /// The name alone.
    pub name: String,
    /// What the oracle calls it.
    pub kind: String,
    /// First line (that of the name) and last line of each of its definitions.
    pub spans: Vec<(u32, u32)>,
    /// Whether anything outside of itself uses it.
    pub alive: bool,
}

#[derive(Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
enum Line {
    Head(Head),
    File {
        path: String,
        #[serde(default)]
        skipped: bool,
        #[serde(default)]
        unread: Vec<(u32, u32)>,
    },
    Def(Definition),
    Symbol(Symbol),
    Import(Import),
    Uses(Uses),
}

/// Reads a truth file, which may hold the truths of several repositories one after another.
pub fn read(path: &Path) -> Result<Vec<Truth>> {
    let text = std::fs::read_to_string(path).map_err(|err| format!("{}: {err}", path.display()))?;
    let mut truths: Vec<Truth> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{}:{}", path.display(), number + 1);
        let line: Line = serde_json::from_str(line).map_err(|err| format!("{}: {err}", place()))?;
        if let Line::Head(head) = line {
            truths.push(Truth {
                head,
                files: Vec::new(),
                read: BTreeSet::new(),
                unread: BTreeMap::new(),
                definitions: Vec::new(),
                symbols: Vec::new(),
                imports: Vec::new(),
                uses: Vec::new(),
            });
            continue;
        }
        let truth = truths
            .last_mut()
            .ok_or_else(|| format!("{}: a head comes first", place()))?;
        match line {
            Line::Head(_) => {}
            Line::File {
                path,
                skipped,
                unread,
            } => {
                truth.unread.insert(path.clone(), unread);
                truth.read.insert(path.clone());
                if skipped {
                    truth.read.remove(&path);
                }
                truth.files.push(path);
            }
            Line::Def(found) => truth.definitions.push(found),
            Line::Symbol(found) => truth.symbols.push(found),
            Line::Import(found) => truth.imports.push(found),
            Line::Uses(found) => truth.uses.push(found),
        }
    }
    Ok(truths)
}
