//! Names that were written with the change and lead nowhere: an import of a file that is not there, or of a name that the
//! file does not have; a call of a member that the type of the object does not have; a call of a function that nothing
//! defines. Who writes code from memory makes such names up.
//!
//! Guarantees: what is called so stands nowhere in code of the repository, before or after, but in such calls; the text of
//! the module or type that should have a name does not hold it, so nothing there puts it together. Not judged are modules
//! that pass on what is not here, types that answer to any name or are given members by code that does not write them,
//! objects that may be others, and files with syntax errors.
//! Deliberately absent: languages in which nothing says what a type has, or names are seen without an import, and
//! changes of more names than somebody writes at once.

mod asked;
mod brought;
pub(super) mod describe;
mod filled;
pub(super) mod free;
mod instead;
mod made;
mod modules;
mod packages;
mod parts;
mod whole;

pub(super) use whole::is_made as has_made_base;

use super::Comparison;
use super::dangling::document;
use super::signatures::Place;
use super::units::Side;
use crate::extract::record::{Import, ImportKind, Occurrence, OccurrenceKind, Qualifier};
use crate::graph::edges::{Dependency, Target};
use crate::graph::lacking::Lacking;
use crate::graph::table::SymbolId;
use crate::id::{DocId, NameId};
use crate::lang::{
    self,
    naming::{Extensions, Naming, Packages},
};
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use asked::Asked;
use rustc_hash::FxHashSet;

/// Uses on new lines up to which a change is looked at: what was written in more than a few sittings has been run.
const MAX_USES: usize = 10_000;
/// Names that are held against the texts that should have them.
const MAX_LOOKED_FOR: usize = 256;
/// Names that are looked at in the code around them, or in the paths of the tree.
const MAX_LOOKS: usize = 2_048;
/// Shorter names are bound in more ways than are seen here.
const MIN_NAME_BYTES: usize = 3;

/// What a name should have led to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Wanted {
    /// A file: by the import at this position of the document.
    File(u32),
    /// What a module gives out.
    Export(FileId),
    /// A member of a type.
    Member(SymbolId),
    /// A function.
    Function,
}

/// A name that leads nowhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Nowhere {
    pub(super) wanted: Wanted,
    /// The name; of a file nothing.
    pub(super) name: Vec<u8>,
    pub(super) place: Place,
}

/// Finds such names, those that one thing should have together.
pub(super) fn find(
    found: &Comparison<'_>,
    is_new: &mut dyn FnMut(FileId, u32) -> bool,
    texts: &mut Texts,
) -> Vec<Nowhere> {
    let (old, new) = (&found.old, &found.new);
    let before = found.files.iter().filter_map(|file| file.before());
    // What led nowhere by the same words is made by something else.
    let lost: FxHashSet<Vec<u8>> = before.flat_map(|file| unresolved(old, file)).collect();
    let mut all = Vec::new();
    let (mut uses, mut left, mut looks) = (0, MAX_LOOKED_FOR, MAX_LOOKS);
    for file in found.files.iter().filter_map(|file| file.after()) {
        let Some(code) = NewCode::of(new, file, is_new) else {
            continue;
        };
        uses += code.uses.len();
        if uses > MAX_USES {
            return Vec::new();
        }
        let mut asked = Asked::new(new, texts, (&mut left, &mut looks));
        code.files_not_there(old, &lost, &mut asked, &mut all);
        code.exports_not_there(&mut asked, &mut all);
        code.members_not_there(old, &mut asked, &mut all);
        code.functions_not_there(old, &mut asked, &mut all);
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A file of the new state, and what of it was written with the change.
struct NewCode<'a> {
    file: FileId,
    segment: &'a Segment,
    doc: DocId,
    naming: &'static Naming,
    imports: Vec<Import<NameId>>,
    dependencies: Vec<Dependency<'a>>,
    /// Positions of imports on new lines.
    new_imports: FxHashSet<u32>,
    /// Uses on new lines.
    uses: Vec<Occurrence<NameId>>,
    /// Places of what leads somewhere.
    linked: FxHashSet<(u32, u32)>,
}

impl<'a> NewCode<'a> {
    /// `None` where the names of the file's language are not followed.
    fn of(
        new: &Side<'a>,
        file: FileId,
        is_new: &mut dyn FnMut(FileId, u32) -> bool,
    ) -> Option<Self> {
        new.code(file)?;
        let (segment, doc) = document(new, file)?;
        let naming = &lang::of(segment.doc(doc).lang).naming;
        if !naming.members_are_written {
            return None;
        }
        let gaps = segment.gaps(doc);
        let mut is_new = |line| !gaps.contains(line) && is_new(file, line);
        let uses = segment.occurrences(doc).filter(|found| is_new(found.line));
        let uses: Vec<Occurrence<NameId>> = uses.collect();
        let dependencies: Vec<Dependency<'a>> = new.graph.dependencies(file).collect();
        let new_imports = dependencies.iter().filter(|found| is_new(found.line));
        let new_imports = new_imports.map(|found| found.import).collect();
        let mut reader = new.graph.reader();
        let edges = new.graph.edges_of(file).map(|edge| reader.edge(edge));
        Some(Self {
            file,
            segment,
            doc,
            naming,
            imports: segment.imports(doc).collect(),
            dependencies,
            new_imports,
            uses,
            linked: edges.map(|edge| (edge.line, edge.col)).collect(),
        })
    }

    fn bytes(&self, name: NameId) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.segment.name(name, &mut bytes);
        bytes
    }

    fn leads_on(&self, used: &Occurrence<NameId>) -> bool {
        self.linked.contains(&(used.line, used.col))
    }

    fn nowhere(&self, wanted: Wanted, name: Vec<u8>, (line, col): (u32, u32)) -> Nowhere {
        Nowhere {
            wanted,
            name,
            place: (self.file, line, col),
        }
    }

    /// Imports of files by where they should lie, but for the specifiers that were lost before.
    fn files_not_there(
        &self,
        old: &Side<'_>,
        lost: &FxHashSet<Vec<u8>>,
        asked: &mut Asked<'_, '_>,
        all: &mut Vec<Nowhere>,
    ) {
        for dependency in &self.dependencies {
            let import = self.imports.get(dependency.import as usize);
            let is_there = dependency.target != Target::Unresolved;
            let is_new = self.new_imports.contains(&dependency.import);
            let Some(import) = import.filter(|_| is_new && !is_there && asked.may_look()) else {
                continue;
            };
            let specifier = &import.specifier;
            let (naming, kind) = (self.naming, self.naming.packages);
            let may_be_there = match specifier.first() {
                _ if kind != Packages::Untold => !packages::is_missing((old, kind), import, asked),
                _ if !naming.imports_are_written && !naming.paths_are_written => true,
                Some(b'.') => made::may_be_there(asked.new.view, self.file, specifier, asked.texts),
                _ => !modules::is_missing(asked.new, self.file, specifier, asked.texts),
            };
            if !lost.contains(specifier) && !may_be_there && !self.is_tried(dependency, asked) {
                let wanted = Wanted::File(dependency.import);
                all.push(self.nowhere(wanted, Vec::new(), (dependency.line, 0)));
            }
        }
    }

    /// Names that are imported from modules that do not have them.
    fn exports_not_there(&self, asked: &mut Asked<'_, '_>, all: &mut Vec<Nowhere>) {
        for used in &self.uses {
            if used.kind != OccurrenceKind::Import
                || !self.naming.imports_are_written
                || self.leads_on(used)
            {
                continue;
            }
            let (Some((import, module)), name) = (self.module_of(used), self.bytes(used.name))
            else {
                continue;
            };
            let view = asked.new.view;
            let place = (self.file, used.line, used.col);
            if name.len() >= MIN_NAME_BYTES
                && name != b"default"
                && !is_called(view, module, &name)
                && modules::is_certain(
                    (view, self.file),
                    module,
                    (&import.specifier, &name),
                    asked.texts,
                )
                && !self.begins_another(used, asked)
                && !asked.is_doubtful(place)
                && asked.lacks(Lacking::Module(module), &name)
            {
                all.push(self.nowhere(Wanted::Export(module), name, (used.line, used.col)));
            }
        }
    }

    /// Whether something is written for the case that an import leads nowhere.
    fn is_tried(&self, found: &Dependency<'_>, asked: &mut Asked<'_, '_>) -> bool {
        let text = asked.texts.if_here(asked.new.view, self.file);
        let blank = text.map_or(0, |text| {
            let line = text.line(found.line);
            line.len() - line.trim_ascii_start().len()
        });
        asked.is_doubtful((self.file, found.line, blank as u32))
    }

    /// Whether the line of a name that is imported begins with an import: one that the record has not, since what is before
    /// it was not understood.
    fn begins_another(&self, used: &Occurrence<NameId>, asked: &mut Asked<'_, '_>) -> bool {
        let text = asked.texts.if_here(asked.new.view, self.file);
        let is_known = self
            .dependencies
            .iter()
            .any(|found| found.line == used.line);
        text.is_none_or(|text| {
            let line = text.line(used.line).trim_ascii_start();
            !is_known && (line.starts_with(b"import ") || line.starts_with(b"from "))
        })
    }

    /// Whether it is certain that a module which the file has by an import is that file, and all that it gives out.
    fn is_certain(&self, module: FileId, name: &[u8], asked: &mut Asked<'_, '_>) -> bool {
        let view = asked.new.view;
        let leading = self
            .dependencies
            .iter()
            .filter(|found| found.files().any(|of| of == module));
        let mut imports = leading.filter_map(|found| self.imports.get(found.import as usize));
        imports.any(|import| {
            let wanted = (&import.specifier[..], name);
            modules::is_certain((view, self.file), module, wanted, asked.texts)
        })
    }

    /// The import that a name stands in, if it lists the name, and the one file that it is of: the last import that begins
    /// before it.
    fn module_of(&self, used: &Occurrence<NameId>) -> Option<(&Import<NameId>, FileId)> {
        let names_it = |found: &&Dependency<'_>| {
            let import = self.imports.get(found.import as usize);
            let mut bindings = import.into_iter().flat_map(|import| &import.bindings);
            matches!(found.kind, ImportKind::Import | ImportKind::Reexport)
                && bindings.any(|binding| binding.imported == Some(used.name))
        };
        let before = self
            .dependencies
            .iter()
            .filter(|found| found.line <= used.line);
        let last = before.clone().map(|found| found.line).max()?;
        let mut all = before.filter(|found| found.line == last).filter(names_it);
        let found = all.next().filter(|_| all.next().is_none())?;
        let mut files = found.files();
        let file = files.next().filter(|_| files.next().is_none())?;
        Some((self.imports.get(found.import as usize)?, file))
    }

    /// Calls of members that the object does not have.
    fn members_not_there(&self, old: &Side<'_>, asked: &mut Asked<'_, '_>, all: &mut Vec<Nowhere>) {
        let new = asked.new;
        for (line, col, of) in new.graph.lacking(self.file) {
            let place = |used: &Occurrence<NameId>| (used.line, used.col);
            let Ok(at) = self.uses.binary_search_by_key(&(line, col), place) else {
                continue;
            };
            let used = &self.uses[at];
            let name = self.bytes(used.name);
            if name.len() < MIN_NAME_BYTES || is_heard(old.view, new.view, &name) {
                continue;
            }
            if self.may_be_brought(used, asked) {
                continue;
            }
            let wanted = match of {
                Lacking::Type(class) => self.member_of(class, used, asked),
                Lacking::Module(module) => self
                    .is_certain(module, &name, asked)
                    .then_some(Wanted::Export(module)),
            };
            let Some(wanted) = wanted else {
                continue;
            };
            let class = match of {
                Lacking::Type(class) => name_of(new, class),
                Lacking::Module(_) => Vec::new(),
            };
            let is_there = self.is_said(used, &name, asked)
                || asked.may_be_of_another((self.file, line, col), &class);
            if !is_there && asked.lacks(of, &name) {
                all.push(self.nowhere(wanted, name, (line, col)));
            }
        }
    }

    /// Whether a member of any type may come from outside with an import: under its own name, or with all that something
    /// gives out.
    fn may_be_brought(&self, used: &Occurrence<NameId>, asked: &mut Asked<'_, '_>) -> bool {
        let binds = |import: &Import<NameId>| {
            let mut bindings = import.bindings.iter();
            bindings.any(|one| one.local == Some(used.name) || one.imported == Some(used.name))
        };
        let taken = (&self.imports[..], &self.dependencies[..]);
        self.imports.iter().any(binds)
            || match self.naming.extensions {
                Extensions::Named => brought::takes_whole(self.naming, taken),
                Extensions::Around => {
                    brought::takes_whole(self.naming, taken) || asked.takes_for_all()
                }
                Extensions::Everywhere | Extensions::Opened => false,
                Extensions::None => {
                    self.naming.traits_extend && brought::takes_traits(asked, self.file)
                }
            }
    }

    /// What should have a member: after `super` the one base. `None` of what is only a part of others.
    fn member_of(
        &self,
        class: SymbolId,
        used: &Occurrence<NameId>,
        asked: &mut Asked<'_, '_>,
    ) -> Option<Wanted> {
        let graph = asked.new.graph;
        if used.qualifier == Qualifier::This
            && !parts::are_told(asked.new, class)
            && filled::is_part_of_others(asked.new, class, asked.texts)
        {
            return None;
        }
        let text = asked.texts.if_here(asked.new.view, self.file)?;
        let line = text.line(used.line);
        let before = line.get(..used.col as usize)?.strip_suffix(b".");
        let of_super = before.is_some_and(|before| {
            let open = memchr::memmem::rfind(before, b"super");
            let rest = open.map(|open| &before[open + b"super".len()..]);
            rest.is_some_and(|rest| rest.is_empty() || (rest[0] == b'(' && rest.ends_with(b")")))
        });
        if !of_super {
            return Some(Wanted::Member(class));
        }
        let mut bases = graph.bases(class);
        let base = bases.next().filter(|_| bases.next().is_none())?;
        Some(Wanted::Member(base))
    }

    /// Whether the file holds a name otherwise than in calls: in a text that is asked for (`'name' in object`).
    fn is_said(&self, used: &Occurrence<NameId>, name: &[u8], asked: &mut Asked<'_, '_>) -> bool {
        let text = asked.texts.if_here(asked.new.view, self.file);
        let uses = self.segment.occurrences_of(self.doc, used.name).count();
        text.is_none_or(|text| text.words(name).count() > uses)
    }

    /// Calls of functions that nothing defines, in languages that list the functions that are there by themselves.
    fn functions_not_there(
        &self,
        old: &Side<'_>,
        asked: &mut Asked<'_, '_>,
        all: &mut Vec<Nowhere>,
    ) {
        let new = asked.new;
        let naming = self.naming;
        // A script that takes and gives nothing shares the names of its page with others, and who runs a file of another
        // ending gives it some.
        let path = new.view.file(self.file).path.as_bytes();
        let is_script = match naming.object_modules {
            true => self.imports.is_empty() || brings_names(new.view),
            false => ![&b".py"[..], b".go"].iter().any(|end| path.ends_with(end)),
        };
        let Some(is_there) = naming.library_functions.filter(|_| !is_script) else {
            return;
        };
        let mut bindings = self.imports.iter().flat_map(|import| {
            let takes = !matches!(import.kind, ImportKind::Export | ImportKind::Dynamic);
            let of = if takes { &import.bindings[..] } else { &[] };
            of.iter()
        });
        // What takes all names of something may take this one.
        if bindings.any(|binding| binding.local.is_none() && binding.imported.is_none()) {
            return;
        }
        let bound: FxHashSet<NameId> = self.bound();
        let mut has_more = None;
        for used in &self.uses {
            if used.kind != OccurrenceKind::Call
                || used.qualifier != Qualifier::None
                || self.leads_on(used)
                || bound.contains(&used.name)
            {
                continue;
            }
            let name = self.bytes(used.name);
            if name.len() >= MIN_NAME_BYTES
                && !is_there(&name)
                && !is_heard(old.view, new.view, &name)
                && !*has_more.get_or_insert_with(|| {
                    free::has_more(new.view, self.file, &self.imports, asked.texts)
                })
                && !asked.is_doubtful((self.file, used.line, used.col))
            {
                all.push(self.nowhere(Wanted::Function, name, (used.line, used.col)));
            }
        }
    }

    /// Names that the file binds itself.
    fn bound(&self) -> FxHashSet<NameId> {
        let uses: Vec<Occurrence<NameId>> = self.segment.occurrences(self.doc).collect();
        let locals = self.segment.hints(self.doc).locals;
        let locals = locals
            .iter()
            .filter_map(|local| uses.get(local.declared as usize));
        let written = uses
            .iter()
            .filter(|used| used.kind == OccurrenceKind::Write);
        let bindings = self.imports.iter().flat_map(|import| &import.bindings);
        let symbols = self.segment.symbols(self.doc).map(|symbol| symbol.name);
        (locals.chain(written).map(|used| used.name))
            .chain(bindings.filter_map(|binding| binding.local))
            .chain(symbols)
            .collect()
    }
}

/// The name of a type; nothing where it cannot be read.
fn name_of(side: &Side<'_>, class: SymbolId) -> Vec<u8> {
    let (file, position) = side.graph.place(class);
    let mut bytes = Vec::new();
    if let Some((segment, doc)) = document(side, file)
        && let Some(symbol) = segment.symbols(doc).nth(position)
    {
        segment.name(symbol.name, &mut bytes);
    }
    bytes
}

/// Specifiers of a file's imports that lead nowhere although it looks as if they should.
fn unresolved(side: &Side<'_>, file: FileId) -> Vec<Vec<u8>> {
    let Some((segment, doc)) = document(side, file) else {
        return Vec::new();
    };
    let said: Vec<Vec<u8>> = segment.imports(doc).map(|i| i.specifier).collect();
    let found = side.graph.dependencies(file);
    let found = found.filter(|found| found.target == Target::Unresolved);
    found
        .filter_map(|found| said.get(found.import as usize).cloned())
        .collect()
}

/// Whether a file, or the folder that it lies in, is called so: the module itself is imported.
fn is_called(view: &View, file: FileId, name: &[u8]) -> bool {
    let mut parts = view.file(file).path.as_bytes().rsplit(|b| *b == b'/');
    let stem = parts
        .next()
        .and_then(|own| own.split(|b| *b == b'.').next());
    stem == Some(name) || parts.next() == Some(name)
}

/// How files are called of what brings names to all files.
const BRINGING: &[&[u8]] = &[
    b"nuxt.config.",
    b"nitro.config.",
    b"wxt.config.",
    b"auto-imports.",
];

/// Whether something of the repository says that names are there in all files without being imported (JavaScript).
fn brings_names(view: &View) -> bool {
    let mut files = view.files().iter();
    files.any(|file| {
        let name = file.path.file_name();
        BRINGING.iter().any(|begin| name.starts_with(begin))
    })
}

/// Whether a name stood in code before the change, or stands there as more than a call or an import.
fn is_heard(old: &View, new: &View, name: &[u8]) -> bool {
    let mut before = old.segments().iter();
    let was_there = before.any(|live| {
        let id = live.segment.name_id(name);
        id.is_some_and(|id| live.segment.uses(id).any(|of| live.is_live(of.doc)))
    });
    let is_call = |used: &Occurrence<NameId>| {
        matches!(used.kind, OccurrenceKind::Call | OccurrenceKind::Import)
    };
    was_there
        || new.segments().iter().any(|live| {
            let Some(id) = live.segment.name_id(name) else {
                return false;
            };
            let mut uses = live.segment.uses(id).filter(|of| live.is_live(of.doc));
            uses.any(|of| {
                of.defines
                    || !{ live.segment.occurrences_of(of.doc, id) }.all(|used| is_call(&used))
            })
        })
}
