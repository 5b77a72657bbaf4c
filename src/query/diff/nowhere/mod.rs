//! Names that were written with the change and lead nowhere: an import of a file that is not there, or of a name that the
//! file does not have; a call of a member that the type of the object does not have; a call of a function that nothing
//! defines. Who writes code from memory makes such names up.
//!
//! Guarantees: what is called so stands nowhere in code of the repository, before or after, but in such calls; the text of
//! the module or type that should have a name does not hold it, so nothing there puts it together. Not judged are modules
//! that pass on what is not here, types that answer to any name, and files with syntax errors.
//! Deliberately absent: languages in which libraries add members to all types or names are seen without an import, and
//! changes of more names than somebody writes at once.

pub(super) mod describe;
mod instead;
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
use crate::lang;
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use rustc_hash::FxHashSet;

/// Uses on new lines up to which a change is looked at: what was written in more than a few sittings has been run.
const MAX_USES: usize = 10_000;
/// Names that are held against the texts that should have them.
const MAX_LOOKED_FOR: usize = 256;
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
    let (mut uses, mut left) = (0, MAX_LOOKED_FOR);
    for file in found.files.iter().filter_map(|file| file.after()) {
        let Some(code) = NewCode::of(new, file, is_new) else {
            continue;
        };
        uses += code.uses.len();
        if uses > MAX_USES {
            return Vec::new();
        }
        code.files_not_there(&lost, &mut all);
        let mut asked = Asked {
            new,
            texts,
            left: &mut left,
        };
        code.exports_not_there(&mut asked, &mut all);
        code.members_not_there(old, &mut asked, &mut all);
        code.functions_not_there((old, new), &mut all);
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The texts of the new state, and how many names may still be looked for in them.
struct Asked<'q, 'a> {
    new: &'q Side<'a>,
    texts: &'q mut Texts,
    left: &'q mut usize,
}

impl Asked<'_, '_> {
    /// Whether what should have a name does not.
    fn lacks(&mut self, of: Lacking, name: &[u8]) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        *self.left = left;
        match of {
            Lacking::Type(class) => whole::has_no(self.new, class, name, self.texts),
            Lacking::Module(module) => whole::gives_out_no(self.new, module, name, self.texts),
        }
    }
}

/// A file of the new state, and what of it was written with the change.
struct NewCode<'a> {
    file: FileId,
    segment: &'a Segment,
    doc: DocId,
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
    fn files_not_there(&self, lost: &FxHashSet<Vec<u8>>, all: &mut Vec<Nowhere>) {
        for dependency in &self.dependencies {
            let import = self.imports.get(dependency.import as usize);
            let is_there = dependency.target != Target::Unresolved;
            let is_new = self.new_imports.contains(&dependency.import);
            let Some(import) = import.filter(|_| is_new && !is_there) else {
                continue;
            };
            let specifier = &import.specifier;
            if specifier.starts_with(b".") && !lost.contains(specifier) && !is_made(specifier) {
                let wanted = Wanted::File(dependency.import);
                all.push(self.nowhere(wanted, Vec::new(), (dependency.line, 0)));
            }
        }
    }

    /// Names that are imported from modules that do not have them.
    fn exports_not_there(&self, asked: &mut Asked<'_, '_>, all: &mut Vec<Nowhere>) {
        for used in &self.uses {
            if used.kind != OccurrenceKind::Import || self.leads_on(used) {
                continue;
            }
            let (Some(module), name) = (self.module_of(used), self.bytes(used.name)) else {
                continue;
            };
            if name.len() >= MIN_NAME_BYTES
                && name != b"default"
                && !is_called(asked.new.view, module, &name)
                && asked.lacks(Lacking::Module(module), &name)
            {
                all.push(self.nowhere(Wanted::Export(module), name, (used.line, used.col)));
            }
        }
    }

    /// The one file that the import is of which names this: the last one that begins before it and lists the name.
    fn module_of(&self, used: &Occurrence<NameId>) -> Option<FileId> {
        let names_it = |found: &&Dependency<'_>| {
            let import = self.imports.get(found.import as usize);
            let mut bindings = import.into_iter().flat_map(|import| &import.bindings);
            found.line <= used.line
                && matches!(found.kind, ImportKind::Import | ImportKind::Reexport)
                && bindings.any(|binding| binding.imported == Some(used.name))
        };
        let all = self.dependencies.iter().filter(names_it);
        let found = all.max_by_key(|found| (found.line, found.import))?;
        let mut files = found.files();
        files.next().filter(|_| files.next().is_none())
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
            let wanted = match of {
                Lacking::Type(class) => Wanted::Member(class),
                Lacking::Module(module) => Wanted::Export(module),
            };
            if asked.lacks(of, &name) {
                all.push(self.nowhere(wanted, name, (line, col)));
            }
        }
    }

    /// Calls of functions that nothing defines, in languages that list the functions that are there by themselves.
    fn functions_not_there(&self, (old, new): (&Side<'_>, &Side<'_>), all: &mut Vec<Nowhere>) {
        let naming = &lang::of(self.segment.doc(self.doc).lang).naming;
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

/// Whether a specifier names a folder of what is made when a project is built, or asks for something to be made of a file.
fn is_made(specifier: &[u8]) -> bool {
    const FOLDERS: &[&[u8]] = byte_words!(
        "generated __generated__ _generated gen dist build out output lib target node_modules next nuxt
         Release Debug node _version"
    );
    let mut parts = specifier.split(|b| matches!(b, b'/' | b'.'));
    specifier.contains(&b'?') || parts.any(|part| FOLDERS.contains(&part))
}

/// Whether something of the repository says that names are there in all files without being imported (JavaScript).
fn brings_names(view: &View) -> bool {
    let mut files = view.files().iter();
    files.any(|file| {
        let name = file.path.file_name();
        name.starts_with(b"nuxt.config.") || name.starts_with(b"auto-imports.d.")
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
