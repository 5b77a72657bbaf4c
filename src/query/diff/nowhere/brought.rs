//! Members of any type that come from outside with an import: functions that extend all types, and traits that all types have.
//!
//! Guarantees: an import of something by its name brings no more than what has that name, and what is only imported and
//! never named may be a trait. What a language's own library has is known by name.

use super::asked::Asked;
use super::parts;
use crate::extract::record::{Import, OccurrenceKind};
use crate::graph::edges::{Dependency, Target};
use crate::id::NameId;
use crate::lang::{self, naming::Naming};
use crate::query::diff::dangling::document;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// Files that are looked at for what they pass on to one.
const MAX_FILES: usize = 32;
/// Parts of the names of files that take names in for all others, by habit.
const FOR_ALL: &[&[u8]] = &[b"Using", b"Global", b"_Imports"];
/// Files of builds, by their endings, and what says in them that all files take in what something has.
const BUILDS: &[&[u8]] = &[b".csproj", b".props", b".targets"];
const TAKING: &[u8] = b"<Using ";
/// Files of builds that are read: where there are more, something may be taken in.
const MAX_BUILDS: usize = 256;

/// Whether an import is of the language's own library.
fn is_own(naming: &Naming, import: &Import<NameId>) -> bool {
    let first = import
        .specifier
        .split(|b| matches!(b, b'.' | b':'))
        .next()
        .unwrap_or_default();
    naming.own_library.contains(&first)
}

fn is_whole(import: &Import<NameId>) -> bool {
    let mut bindings = import.bindings.iter();
    bindings.any(|one| one.local.is_none())
}

/// Whether a file takes all that something outside has, which may extend all types.
pub(super) fn takes_whole(
    naming: &Naming,
    (imports, dependencies): (&[Import<NameId>], &[Dependency<'_>]),
) -> bool {
    let mut outside = dependencies.iter().filter(|of| of.target != Target::Found);
    outside.any(|of| {
        let import = imports.get(of.import as usize);
        import.is_none_or(|import| is_whole(import) && !is_own(naming, import))
    })
}

/// Whether something may take in what others have for all files of a repository (C#).
pub(super) fn takes_for_all(view: &View, texts: &mut Texts) -> bool {
    let files = (0..view.files().len() as u32).map(FileId);
    let mut builds = 0;
    files.into_iter().any(|file| {
        let name = view.file(file).path.file_name();
        let is_source = name.ends_with(b".cs") || name.ends_with(b".razor");
        let holds = |part: &&[u8]| memchr::memmem::find(name, part).is_some();
        if is_source && FOR_ALL.iter().any(holds) {
            return true;
        }
        if !BUILDS.iter().any(|end| name.ends_with(end)) {
            return false;
        }
        builds += 1;
        let text = texts.if_here(view, file).filter(|_| builds <= MAX_BUILDS);
        text.is_none_or(|text| memchr::memmem::find(text.bytes(), TAKING).is_some())
    })
}

/// Whether a file may see a trait from outside that nothing in it names.
pub(super) fn takes_traits(asked: &Asked<'_, '_>, file: FileId) -> bool {
    let (side, mut files, mut next) = (asked.new, vec![file], 0);
    while let Some(file) = files.get(next).copied() {
        next += 1;
        let Some((segment, doc)) = document(side, file).filter(|_| files.len() <= MAX_FILES) else {
            return true;
        };
        let naming = &lang::of(segment.doc(doc).lang).naming;
        let imports: Vec<Import<NameId>> = segment.imports(doc).collect();
        for of in side.graph.dependencies(file) {
            let Some(import) = imports.get(of.import as usize) else {
                return true;
            };
            let is_found = of.target == Target::Found;
            if is_found && is_whole(import) {
                let further = of.files().filter(|other| !files.contains(other));
                let further: Vec<FileId> = further.collect();
                files.extend(further);
                continue;
            }
            if is_own(naming, import) {
                continue;
            }
            let may_be_trait = |name: NameId| {
                let mut bytes = Vec::new();
                segment.name(name, &mut bytes);
                let mut uses = segment.occurrences_of(doc, name);
                let is_named = uses.any(|used| used.kind != OccurrenceKind::Import);
                bytes.first().is_some_and(u8::is_ascii_uppercase)
                    && !is_named
                    && (!is_found || parts::files_that_define(side, &bytes).is_empty())
            };
            let mut bound = import
                .bindings
                .iter()
                .filter_map(|one| one.imported.or(one.local));
            if (is_whole(import) && !is_found) || bound.any(may_be_trait) {
                return true;
            }
        }
    }
    false
}
