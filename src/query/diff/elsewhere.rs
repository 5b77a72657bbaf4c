//! What answers to a use that no edge leads on from: a name that its own file binds at this place by now, and what modules
//! pass on, and types have, from outside of the repository.
//!
//! Only what the graphs and documents say is looked at. Where it may as well be that nothing answers, that is said.

use super::dangling::{Search, document};
use super::nowhere::has_made_base;
use super::possible::Why;
use super::signatures::Place;
use super::units::UnitId;
use crate::extract::record::{
    Grammar, Import, ImportKind, Local, Occurrence, OccurrenceKind, Qualifier, SymbolKind,
};
use crate::graph::edges::{Dependency, Target};
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang;
use crate::segment::Segment;
use crate::view::live::FileId;
use std::rc::Rc;

/// Modules that are looked at for who passes one name on, and bases for one member.
const MAX_LOOKED_AT: usize = 32;

/// Whether something else than what was meant answers to a use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answered {
    /// Nothing does.
    No,
    /// Something may that is not here.
    Perhaps(Why),
    /// Something does.
    Yes,
}

/// A file of the new state, as far as a use in it is asked about.
pub(super) struct Uses<'a> {
    segment: &'a Segment,
    grammar: Grammar,
    occurrences: Vec<Occurrence<NameId>>,
    locals: Vec<Local>,
    imports: Vec<Import<NameId>>,
    dependencies: Vec<Dependency<'a>>,
}

impl<'a> Uses<'a> {
    fn position(&self, place: (u32, u32)) -> Option<usize> {
        let of = |found: &Occurrence<NameId>| (found.line, found.col);
        self.occurrences.binary_search_by_key(&place, of).ok()
    }

    fn bytes(&self, name: NameId) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.segment.name(name, &mut bytes);
        bytes
    }

    /// Whether the file binds the name of an occurrence itself there: as a parameter, a variable, a function in it.
    fn binds(&self, position: usize) -> bool {
        let name = self.occurrences[position].name;
        let at = position as u32;
        self.locals.iter().any(|local| {
            let declared = self.occurrences.get(local.declared as usize);
            declared.is_some_and(|declared| declared.name == name)
                && (local.scope.contains(&at) || local.declared == at)
        })
    }

    /// Whether an import takes or binds a name.
    fn takes(&self, found: &Dependency<'_>, name: NameId) -> bool {
        let import = self.imports.get(found.import as usize);
        let mut bindings = import.into_iter().flat_map(|import| &import.bindings);
        bindings.any(|binding| [binding.imported, binding.local].contains(&Some(name)))
    }

    /// The line on which the import statement begins that a name stands in.
    fn statement(&self, used: &Occurrence<NameId>) -> Option<u32> {
        let begun = self.dependencies.iter().filter(|of| of.line <= used.line);
        let taking = begun.filter(|found| self.takes(found, used.name));
        taking.map(|found| found.line).max()
    }

    /// The files that a name in an import statement is taken from.
    fn taken_from(&self, used: &Occurrence<NameId>) -> impl Iterator<Item = FileId> + '_ {
        let (line, name) = (self.statement(used), used.name);
        let all = self.dependencies.iter();
        all.filter(move |found| Some(found.line) == line && self.takes(found, name))
            .flat_map(Dependency::files)
    }

    /// Imports that bind a name, and the name that each takes.
    fn binding(
        &self,
        name: NameId,
    ) -> impl Iterator<Item = (&Dependency<'a>, Option<NameId>)> + '_ {
        self.dependencies.iter().flat_map(move |dependency| {
            let import = self.imports.get(dependency.import as usize);
            let bindings = import.into_iter().flat_map(|import| &import.bindings);
            let bound = bindings.filter(move |binding| binding.local == Some(name));
            bound.map(move |binding| (dependency, binding.imported))
        })
    }
}

impl<'a> Search<'a> {
    fn uses(&mut self, file: FileId) -> Option<Rc<Uses<'a>>> {
        let new = self.new;
        let read = || {
            let (segment, doc) = document(new, file)?;
            Some(Rc::new(Uses {
                segment,
                grammar: segment.doc(doc).lang,
                occurrences: segment.occurrences(doc).collect(),
                locals: segment.hints(doc).locals,
                imports: segment.imports(doc).collect(),
                dependencies: new.graph.dependencies(file).collect(),
            }))
        };
        self.uses.entry(file).or_insert_with(read).clone()
    }

    /// What a file says of its names, and which of its occurrences stands at a place.
    fn used_at(&mut self, (file, line, col): Place) -> Option<(Rc<Uses<'a>>, usize)> {
        let uses = self.uses(file)?;
        let position = uses.position((line, col))?;
        Some((uses, position))
    }

    /// What answers to a use of what was a definition, at a place of the new state that no edge leads on from.
    pub(super) fn answered(&mut self, (file, line, col): Place, was: UnitId) -> Answered {
        let Some((uses, position)) = self.used_at((file, line, col)) else {
            return Answered::No;
        };
        let used = &uses.occurrences[position];
        let name = uses.bytes(used.name);
        let outside = |(found, _): (&Dependency<'_>, _)| found.target == Target::External;
        if uses.binding(used.name).any(outside) {
            return Answered::Yes;
        }
        match (used.kind, used.qualifier) {
            (OccurrenceKind::Import, _) => self.imported(&uses, used, &name),
            (_, Qualifier::None) => {
                if self.before.contains_key(&file) && uses.binds(position) {
                    return Answered::Yes;
                }
                // `declare global { class Response {} }` said what was there anyway.
                let outer = self.old.unit(was).container;
                if outer.is_some_and(|outer| *self.old.unit(outer).name == *b"global") {
                    return Answered::Yes;
                }
                let taken = uses.binding(used.name).map(|(found, imported)| {
                    let taken = imported.map_or_else(|| name.clone(), |name| uses.bytes(name));
                    found.files().map(move |file| (file, taken.clone()))
                });
                self.passed_on(taken.flatten().collect())
            }
            (_, qualifier) => {
                // `mod.name`, of a module that the file has imported.
                let object = position
                    .checked_sub(1)
                    .map(|before| uses.occurrences[before].name);
                let modules = object.into_iter().flat_map(|object| uses.binding(object));
                let modules = modules.flat_map(|(found, _)| found.files());
                let open = modules.map(|file| (file, name.clone())).collect();
                // What was called otherwise its own type had: nothing else was meant.
                let is_gone = self.matches.new_of(was).is_none();
                match self.passed_on(open) {
                    Answered::No if is_gone && self.has_outer_base(was) => {
                        Answered::Perhaps(Why::Base)
                    }
                    // What it is taken of may have another type since the file was changed.
                    Answered::No
                        if is_gone
                            && qualifier != Qualifier::This
                            && self.before.contains_key(&file) =>
                    {
                        Answered::Perhaps(Why::Unresolved)
                    }
                    answered => answered,
                }
            }
        }
    }

    /// What answers to a name in an import statement.
    pub(super) fn answered_import(&mut self, place: Place) -> Answered {
        let Some((uses, position)) = self.used_at(place) else {
            return Answered::No;
        };
        let used = &uses.occurrences[position];
        let name = uses.bytes(used.name);
        self.imported(&uses, used, &name)
    }

    /// Whether a name in an import statement is taken from a file.
    pub(super) fn is_taken_from(&mut self, place: Place, from: FileId) -> bool {
        self.used_at(place).is_some_and(|(uses, position)| {
            let used = &uses.occurrences[position];
            uses.taken_from(used).any(|to| to == from)
        })
    }

    /// The files that a name in an import statement is taken from.
    pub(super) fn imported_from(&mut self, place: Place) -> Vec<FileId> {
        let found = self.used_at(place);
        found.map_or_else(Vec::new, |(uses, position)| {
            uses.taken_from(&uses.occurrences[position]).collect()
        })
    }

    /// Whether what stands at a place is a member of a module that the file imports as a whole: `mod.name`.
    pub(super) fn is_member_of(&mut self, place: Place, module: FileId) -> bool {
        let Some((uses, position)) = self.used_at(place) else {
            return false;
        };
        let used = &uses.occurrences[position];
        let Some(before) = position.checked_sub(1) else {
            return false;
        };
        let object = &uses.occurrences[before];
        let mut bound = uses.binding(object.name);
        used.qualifier == Qualifier::Previous
            && object.qualifier == Qualifier::None
            && !uses.binds(before)
            && bound.any(|(found, taken)| taken.is_none() && found.files().any(|to| to == module))
    }

    /// What answers to a member of a module that does not have it.
    pub(super) fn answered_member(&mut self, place: Place, module: FileId) -> Answered {
        let Some((uses, position)) = self.used_at(place) else {
            return Answered::No;
        };
        let name = uses.bytes(uses.occurrences[position].name);
        self.passed_on(vec![(module, name)])
    }

    fn imported(&mut self, uses: &Uses<'_>, used: &Occurrence<NameId>, name: &[u8]) -> Answered {
        let modules: Vec<FileId> = uses.taken_from(used).collect();
        if uses.statement(used).is_none() {
            // It is a part of the module's own name, where what is taken from that stands beside it.
            if !lang::of(uses.grammar).naming.imports_are_written {
                return Answered::No;
            }
            let mut here = uses.dependencies.iter().filter(|of| of.line == used.line);
            let of_module = here.any(|found| {
                let import = uses.imports.get(found.import as usize);
                let naming = import.map(|import| memchr::memmem::find(&import.specifier, name));
                naming.flatten().is_some()
            });
            return match of_module {
                true => Answered::Yes,
                false => Answered::No,
            };
        }
        let open = modules.into_iter().map(|file| (file, name.to_vec()));
        self.passed_on(open.collect())
    }

    /// Whether one of these modules passes on what has this name there and is from outside of the repository.
    fn passed_on(&mut self, mut open: Vec<(FileId, Vec<u8>)>) -> Answered {
        let (mut next, mut answered) = (0, Answered::No);
        while let Some((file, name)) = open.get(next).cloned()
            && next < MAX_LOOKED_AT
        {
            next += 1;
            let Some(uses) = self.uses(file) else {
                continue;
            };
            let naming = &lang::of(uses.grammar).naming;
            let id = uses.segment.name_id(&name);
            // `export { inner as name }`: what is inner may be imported.
            let mut names: Vec<NameId> = id.into_iter().collect();
            let exports = uses.imports.iter().filter(|i| i.kind == ImportKind::Export);
            let mut is_given_out = naming.passes_imports_on;
            for binding in exports.flat_map(|export| &export.bindings) {
                let both = [binding.imported, binding.local];
                if id.is_some() && both.contains(&id) {
                    is_given_out = true;
                    names.extend(both.into_iter().flatten());
                }
            }
            let mut further = Vec::new();
            for dependency in &uses.dependencies {
                let passes = match dependency.kind {
                    ImportKind::Reexport => true,
                    ImportKind::Import | ImportKind::Require => is_given_out,
                    _ => false,
                };
                let import = uses.imports.get(dependency.import as usize);
                for binding in import
                    .filter(|_| passes)
                    .into_iter()
                    .flat_map(|i| &i.bindings)
                {
                    let is_all = binding.imported.is_none() && binding.local.is_none();
                    let is_named = binding.local.is_some_and(|local| names.contains(&local));
                    if !is_all && !is_named {
                        continue;
                    }
                    match (dependency.target, is_all) {
                        (Target::External, false) => return Answered::Yes,
                        (Target::External, true) => answered = Answered::Perhaps(Why::PassedOn),
                        _ => {}
                    }
                    let taken = binding.imported.map(|imported| uses.bytes(imported));
                    let taken = taken.unwrap_or_else(|| name.clone());
                    further.extend(dependency.files().map(|to| (to, taken.clone())));
                }
            }
            further.retain(|one| !open.contains(one));
            open.extend(further);
        }
        answered
    }

    /// Whether the type that a member was of has a base outside of the repository now, from which it may have one of
    /// the name.
    fn has_outer_base(&self, was: UnitId) -> bool {
        let outer = match self.old.unit(was).container {
            Some(outer) => Some(outer),
            // It may stand outside of its type.
            None => (self.old.graph.owner(self.old.unit(was).id)).and_then(|of| self.old.find(of)),
        };
        let Some(now) = outer.and_then(|outer| self.matches.new_of(outer)) else {
            return false;
        };
        let (mut open, mut next) = (vec![self.new.unit(now).id], 0);
        while let Some(class) = open.get(next).copied()
            && next < MAX_LOOKED_AT
        {
            next += 1;
            if self.names_outer_base(class) {
                return true;
            }
            for base in self.new.graph.bases(class) {
                if !open.contains(&base) {
                    open.push(base);
                }
            }
        }
        false
    }

    /// Whether a type names a base that the repository does not have.
    pub(super) fn names_outer_base(&self, class: SymbolId) -> bool {
        let graph = self.new.graph;
        let (file, position) = graph.place(class);
        let Some((segment, doc)) = document(self.new, file) else {
            return true;
        };
        let Some(symbol) = segment.symbols(doc).nth(position) else {
            return true;
        };
        // `type A = b.A`; `class A extends mix(B)`.
        let code = self.new.code(file);
        let head = code.map_or(&[][..], |code| code.text.slice(symbol.signature.clone()));
        if symbol.kind == SymbolKind::Type || has_made_base(head) {
            return true;
        }
        let lines = symbol.start_line..=symbol.end_line;
        let mut bases = segment
            .occurrences(doc)
            .filter(|used| used.kind == OccurrenceKind::Inherit && lines.contains(&used.line));
        bases.any(|base| graph.edge_at(file, base.line, base.col).is_none())
    }
}
