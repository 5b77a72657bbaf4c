//! What a document says of the names that it binds and uses.

use super::dangling;
use super::units::Side;
use crate::extract::record::{
    Grammar, Import, ImportKind, Local, Occurrence, OccurrenceKind, Qualifier, SymbolKind,
};
use crate::graph::edges::{Graph, Target};
use crate::graph::rule::Certainty;
use crate::id::{DocId, NameId};
use crate::lang;
use crate::segment::Segment;
use crate::view::live::FileId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Modules that are looked at for who passes a name on.
const MAX_MODULES: usize = 32;

/// Where a name came from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Origin {
    /// An import on a line.
    Import {
        /// The line.
        line: u32,
        /// What it is from, and the name there.
        specifier: Vec<u8>,
        /// It is a declaration of a variable, too: `const a = require("a")`.
        is_declared: bool,
    },
    /// A declaration in a function on a line.
    Local {
        /// The line.
        line: u32,
    },
}

impl Origin {
    /// What it was imported from, and the name there.
    pub(super) fn specifier(&self) -> Option<&[u8]> {
        match self {
            Self::Import { specifier, .. } => Some(specifier),
            Self::Local { .. } => None,
        }
    }

    /// The line on which it was bound.
    pub(super) fn line(&self) -> u32 {
        match self {
            Self::Import { line, .. } | Self::Local { line } => *line,
        }
    }
}

/// A document.
pub(super) struct Document<'a> {
    pub(super) file: FileId,
    pub(super) segment: &'a Segment,
    pub(super) grammar: Grammar,
    pub(super) imports: Vec<Import<NameId>>,
    doc: DocId,
    occurrences: Vec<Occurrence<NameId>>,
    locals: Vec<Local>,
}

impl<'a> Document<'a> {
    /// That of a file.
    pub(super) fn read(side: &Side<'a>, file: FileId) -> Option<Self> {
        let (segment, doc) = dangling::document(side, file)?;
        Some(Self {
            file,
            segment,
            grammar: segment.doc(doc).lang,
            imports: segment.imports(doc).collect(),
            doc,
            occurrences: segment.occurrences(doc).collect(),
            locals: segment.hints(doc).locals,
        })
    }

    fn bytes(&self, name: NameId) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.segment.name(name, &mut bytes);
        bytes
    }

    /// The names that it binds by imports and in functions, each with the first place where it does.
    pub(super) fn binds(&self) -> FxHashMap<Vec<u8>, Origin> {
        let mut all = FxHashMap::default();
        for import in &self.imports {
            let is_declared = import.kind == ImportKind::Require;
            if !is_declared && !matches!(import.kind, ImportKind::Import | ImportKind::Module) {
                continue;
            }
            for binding in &import.bindings {
                let Some(local) = binding.local else { continue };
                let mut specifier = import.specifier.clone();
                if let Some(imported) = binding.imported {
                    specifier.push(b'.');
                    specifier.extend(self.bytes(imported));
                }
                let line = import.line;
                all.entry(self.bytes(local)).or_insert(Origin::Import {
                    line,
                    specifier,
                    is_declared,
                });
            }
        }
        for local in &self.locals {
            if let Some(declared) = self.occurrences.get(local.declared as usize) {
                let line = declared.line;
                let name = self.bytes(declared.name);
                all.entry(name).or_insert(Origin::Local { line });
            }
        }
        all
    }

    /// All names that it binds, defines or assigns to, wherever.
    pub(super) fn bound(&self) -> FxHashSet<Vec<u8>> {
        let locals = self.locals.iter();
        let locals = locals.filter_map(|local| self.occurrences.get(local.declared as usize));
        let written = self.occurrences.iter();
        let written = written
            .filter(|one| one.kind == OccurrenceKind::Write && one.qualifier == Qualifier::None);
        let bindings = self.imports.iter().flat_map(|import| &import.bindings);
        let symbols = self.segment.symbols(self.doc).map(|symbol| symbol.name);
        let names: FxHashSet<NameId> = (locals.chain(written).map(|one| one.name))
            .chain(bindings.filter_map(|binding| binding.local))
            .chain(symbols)
            .collect();
        let mut all: FxHashSet<Vec<u8>> = names.into_iter().map(|name| self.bytes(name)).collect();
        // A method may be written with its type.
        let parts: Vec<Vec<u8>> = (all.iter())
            .flat_map(|name| name.split(|byte| *byte == b'.').map(<[u8]>::to_vec))
            .collect();
        all.extend(parts);
        all
    }

    /// The occurrence at a place, with its position.
    pub(super) fn at(&self, (line, col): (u32, u32)) -> Option<(usize, &Occurrence<NameId>)> {
        let of = |one: &Occurrence<NameId>| (one.line, one.col);
        let at = self
            .occurrences
            .binary_search_by_key(&(line, col), of)
            .ok()?;
        Some((at, &self.occurrences[at]))
    }

    /// What an occurrence is a member of, where that is a name, with its position.
    pub(super) fn object_of(&self, at: usize) -> Option<(usize, &Occurrence<NameId>)> {
        let used = self.occurrences.get(at)?;
        let before = at
            .checked_sub(1)
            .filter(|_| used.qualifier == Qualifier::Previous)?;
        Some((before, &self.occurrences[before]))
    }

    /// Bare uses of a name, with their positions.
    pub(super) fn bare(
        &self,
        name: NameId,
    ) -> impl Iterator<Item = (usize, &Occurrence<NameId>)> + '_ {
        let all = self.occurrences.iter().enumerate();
        all.filter(move |(_, one)| {
            one.name == name
                && one.qualifier == Qualifier::None
                && !matches!(
                    one.kind,
                    OccurrenceKind::Import | OccurrenceKind::Mention | OccurrenceKind::Write
                )
        })
    }

    /// Whether an occurrence means what a function binds.
    pub(super) fn is_local(&self, at: usize) -> bool {
        let (Some(used), at) = (self.occurrences.get(at), at as u32) else {
            return false;
        };
        self.locals.iter().any(|local| {
            let declared = self.occurrences.get(local.declared as usize);
            local.declared != at
                && local.scope.contains(&at)
                && declared.is_some_and(|declared| declared.name == used.name)
        })
    }

    /// Whether an occurrence, or the member of it that follows, leads on for sure.
    pub(super) fn is_led_on(&self, at: usize, graph: &Graph) -> bool {
        let leads = |one: &Occurrence<NameId>| {
            let edge = graph.edge_at(self.file, one.line, one.col);
            edge.is_some_and(|edge| graph.edge(edge).rule.certainty() == Certainty::Resolved)
        };
        let member = self.occurrences.get(at + 1);
        let member = member.filter(|next| next.qualifier == Qualifier::Previous);
        self.occurrences.get(at).is_some_and(leads) || member.is_some_and(leads)
    }

    /// The package or namespace that it says to be in.
    pub(super) fn package(&self) -> &[u8] {
        let mut packages = self.imports.iter();
        let package = packages.find(|import| import.kind == ImportKind::Package);
        package.map_or(&[], |package| &package.specifier)
    }

    /// Whether a type in it has a base that is not known here, of which it may have names.
    pub(super) fn has_outer_base(&self, graph: &Graph) -> bool {
        let is_seen = lang::of(self.grammar).naming.implicit_members;
        let mut bases = self.occurrences.iter();
        is_seen
            && bases.any(|one| {
                one.kind == OccurrenceKind::Inherit
                    && graph.edge_at(self.file, one.line, one.col).is_none()
            })
    }

    /// Whether something names a base on these lines.
    pub(super) fn inherits(&self, lines: std::ops::RangeInclusive<u32>) -> bool {
        let mut all = self.occurrences.iter();
        all.any(|one| one.kind == OccurrenceKind::Inherit && lines.contains(&one.line))
    }

    /// Whether something that it takes whole may bring a name that nothing here defines.
    pub(super) fn may_have_from_elsewhere(&self, side: &Side<'_>, name: &[u8]) -> bool {
        let (mut open, mut next) = (vec![self.file], 0);
        while let Some(file) = open.get(next).copied() {
            next += 1;
            if next > MAX_MODULES {
                return true;
            }
            let Some((segment, doc)) = dangling::document(side, file) else {
                return true;
            };
            let id = segment.name_id(name);
            let imports: Vec<Import<NameId>> = segment.imports(doc).collect();
            for found in side.graph.dependencies(file) {
                let Some(import) = imports.get(found.import as usize) else {
                    continue;
                };
                let brings = |import: &Import<NameId>| {
                    let mut all = import.bindings.iter();
                    all.any(|one| one.local.is_none() && one.imported.is_none())
                };
                let is_taken = matches!(import.kind, ImportKind::Import | ImportKind::Reexport);
                if is_taken && brings(import) {
                    if found.target != Target::Found {
                        return true;
                    }
                    for to in found.files() {
                        if !open.contains(&to) {
                            open.push(to);
                        }
                    }
                }
            }
            let is_here = id.is_some_and(|id| {
                let mut bindings = imports.iter().flat_map(|import| &import.bindings);
                bindings.any(|one| one.local == Some(id))
                    || segment
                        .symbols(doc)
                        .any(|symbol| symbol.name == id && symbol.kind != SymbolKind::Section)
            });
            if file != self.file && is_here {
                return true;
            }
        }
        false
    }
}
