//! Whether a file imports a type that a package or namespace of the repository does not have.
//!
//! Guarantees: files of the repository declare the package, nothing in it defines something of that name or is called so, and
//! nobody had spoken of it before. What generators make of what there is (schemas, annotations) is not judged.

use super::super::units::Side;
use super::asked::Asked;
use super::{made, parts};
use crate::extract::record::{Import, ImportKind};
use crate::id::NameId;
use crate::lang::naming::Packages;
use crate::view::live::View;
use crate::view::text::Texts;

/// Files of which types are made when a project is built.
const SCHEMAS: &[&[u8]] = &[
    b".aidl",
    b".avdl",
    b".avsc",
    b".fbs",
    b".g",
    b".g4",
    b".graphql",
    b".jj",
    b".proto",
    b".smithy",
    b".thrift",
    b".wsdl",
    b".xsd",
];
/// Beginnings and ends of names of types that are made of others, or of a project.
const MADE_BEFORE: &[&[u8]] = byte_words!("Auto Dagger Generated Gen Hilt Immutable Modifiable Q");
const MADE_BEHIND: &[&[u8]] = byte_words!(
    "Args Binding BindingImpl BuildConfig Directions Generated Grpc Impl Metadata Module OuterClass Proto Res Table Tables"
);

/// Whether a type that an import names is not in the package of the repository that should have it.
pub(super) fn is_missing(
    (old, kind): (&Side<'_>, Packages),
    import: &Import<NameId>,
    asked: &mut Asked<'_, '_>,
) -> bool {
    let separator = match kind {
        Packages::Untold => return false,
        Packages::Composer => b'\\',
        Packages::Built => b'.',
    };
    let specifier = &import.specifier;
    let Some(at) = memchr::memrchr(separator, specifier) else {
        return false;
    };
    let (package, name) = (&specifier[..at], &specifier[at + 1..]);
    let is_whole = import.bindings.iter().all(|one| one.imported.is_none());
    let binds = import.bindings.iter().any(|one| one.local.is_some());
    let is_type = name.first().is_some_and(u8::is_ascii_uppercase);
    if import.kind != ImportKind::Import || !is_whole || !binds || !is_type {
        return false;
    }
    let new = asked.new;
    let is_made = match kind {
        Packages::Built => is_made(new, name),
        _ => !is_mapped(new.view, package, asked.texts),
    };
    !is_made
        && asked.declares(package)
        && !made::is_named_so(specifier)
        && !is_called_so(new.view, name)
        && parts::files_that_define(new, name).is_empty()
        && !is_spoken_of(old, name)
}

/// Whether a build may make a type of this name: of a schema, or of another type, whose name is a part of it.
fn is_made(new: &Side<'_>, name: &[u8]) -> bool {
    let mut files = new.view.files().iter();
    let is_schema = files.any(|file| {
        let own = file.path.file_name();
        SCHEMAS.iter().any(|end| own.ends_with(end))
    });
    let mut starts = (1..name.len()).filter(|at| name[*at].is_ascii_uppercase());
    is_schema
        || name.iter().any(|b| matches!(b, b'_' | b'$'))
        || MADE_BEFORE.iter().any(|begin| name.starts_with(begin))
        || MADE_BEHIND.iter().any(|end| name.ends_with(end))
        || starts.any(|at| {
            let has = |part: &[u8]| !parts::files_that_define(new, part).is_empty();
            has(&name[..at]) || has(&name[at..])
        })
}

/// Whether a `composer.json` says in which folder what begins as a namespace lies.
fn is_mapped(view: &View, package: &[u8], texts: &mut Texts) -> bool {
    let first = package.split(|b| *b == b'\\').next().unwrap_or(package);
    let key = [b"\"", first, b"\\\\"].concat();
    let files = (0..view.files().len() as u32).map(crate::view::live::FileId);
    let mut manifests = files.filter(|file| view.file(*file).path.file_name() == b"composer.json");
    manifests.any(|file| {
        let text = texts.if_here(view, file);
        text.is_some_and(|text| memchr::memmem::find(text.bytes(), &key).is_some())
    })
}

/// Whether a file or a folder is called so, whatever it is, in upper or lower case.
fn is_called_so(view: &View, name: &[u8]) -> bool {
    view.files().iter().any(|file| {
        let mut parts = file.path.as_bytes().split(|b| *b == b'/');
        parts.any(|part| {
            let stem = part.split(|b| *b == b'.').next().unwrap_or(part);
            stem.eq_ignore_ascii_case(name)
        })
    })
}

/// Whether a name stood in code before the change.
fn is_spoken_of(old: &Side<'_>, name: &[u8]) -> bool {
    old.view.segments().iter().any(|live| {
        let id = live.segment.name_id(name);
        id.is_some_and(|id| live.segment.uses(id).any(|of| live.is_live(of.doc)))
    })
}
