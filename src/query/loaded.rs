//! Files that are loaded without being imported.
//!
//! A call may load all files of a folder that it names (`require.context("./controllers")`), and so may a comment in a manifest of
//! scripts that are put together (`//= require_tree ./widgets`). A framework may load a file by where it lies
//! (`pages/new.tsx`).
//!
//! Every such call is looked at that stands in a text that is here. Left out: folders that are named from the root, by an
//! alias or by what the program computes.

use super::{exposure, holding};
use crate::extract::record::{Field, Qualifier};
use crate::graph::edges::Graph;
use crate::lang;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use std::collections::BTreeSet;

/// Bytes of a call in which the name of the folder is looked for.
const MAX_CALL_BYTES: usize = 400;
/// What takes a folder in a manifest of Sprockets (<https://github.com/rails/sprockets#directives>).
const DIRECTIVES: &[&[u8]] = byte_words!("require_directory require_tree");

/// Folders whose files are run by hand or loaded by their place.
const PLACES: &[&str] = words!(
    "api bin commands hooks jobs layouts middleware migrations pages plugins public routes script
     scripts static tasks tools versions views"
);
/// What files of a folder `app` are called that a framework loads: <https://nextjs.org/docs/app/api-reference/file-conventions>.
const PARTS_OF_APPS: &[&str] = words!(
    "default error forbidden global-error icon layout loading manifest not-found opengraph-image page robots route sitemap
     template twitter-image unauthorized"
);

/// What files beside such folders are called that the same framework loads.
const BESIDE_APPS: &[&str] = words!("instrumentation instrumentation-client middleware proxy");

/// Whether a file may be loaded by where it lies, as frameworks do, or is run by hand. Its path is in lower case.
pub(super) fn is_placed(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut folders = folders.split('/');
    let is_beside = BESIDE_APPS.contains(&stem);
    is_beside
        || folders.any(|folder| {
            PLACES.contains(&folder)
                || is_of_migrations(folder)
                || folder == "app" && PARTS_OF_APPS.contains(&stem)
        })
}

/// `knex_migrations`.
fn is_of_migrations(folder: &str) -> bool {
    folder.split(['_', '-']).any(|part| part == "migrations")
}

/// Whether a framework may load a file that nothing imports by where it lies, and use what it exports.
pub(super) fn by_place(view: &View, graph: &Graph, file: FileId) -> bool {
    let may_be = exposure::language(view, file).liveness.loaded_by_place;
    let path = || String::from_utf8_lossy(view.file(file).path.as_bytes()).to_lowercase();
    may_be && is_placed(&path()) && graph.dependents(file).all(|user| user == file)
}

/// Finds the folders of which a call loads all files, each with a slash behind it.
pub(super) fn folders(view: &View, texts: &mut Texts) -> Vec<Vec<u8>> {
    let mut folders = Vec::new();
    for (file, loader) in callers(view) {
        // Nothing is fetched to say that something is not dead.
        let Some(text) = texts.if_here(view, file) else {
            continue;
        };
        let path = view.file(file).path.as_bytes();
        let beside = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
        for at in text.words(loader.as_bytes()) {
            let from = at as usize + loader.len();
            let call = text.bytes().get(from..).unwrap_or_default();
            let call = &call[..call.len().min(MAX_CALL_BYTES)];
            let quoted = call.split(|b| matches!(b, b'"' | b'\'' | b'`')).nth(1);
            folders.extend(quoted.and_then(|named| folder(&path[..beside], named)));
        }
    }
    of_manifests(view, texts, &mut folders);
    folders.sort();
    folders.dedup();
    folders
}

/// Those that manifests of scripts take as they are put together: `//= require_tree ./widgets`.
fn of_manifests(view: &View, texts: &mut Texts, folders: &mut Vec<Vec<u8>>) {
    let mut manifests = BTreeSet::new();
    for live in view.segments() {
        for directive in DIRECTIVES {
            let docs = holding::documents(live, directive, &[Field::Comment]);
            manifests.extend(docs.into_iter().flat_map(|doc| live.files_of(doc)));
        }
    }
    for file in manifests {
        let Some(text) = texts.if_here(view, file) else {
            continue;
        };
        let path = view.file(file).path.as_bytes();
        let beside = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
        for line in text.bytes().split(|b| *b == b'\n') {
            folders.extend(directed(line).and_then(|named| folder(&path[..beside], named)));
        }
    }
}

/// The folder that a line of such a manifest names.
fn directed(line: &[u8]) -> Option<&[u8]> {
    let marks = [&b"//="[..], b"*=", b"#="];
    let line = line.trim_ascii();
    let rest = marks.iter().find_map(|mark| line.strip_prefix(*mark))?;
    let mut words = rest
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    words.next().filter(|word| DIRECTIVES.contains(word))?;
    words.next()
}

/// The files that call a member of the name of one of the loaders that their language has, with that loader.
fn callers(view: &View) -> BTreeSet<(FileId, &'static str)> {
    let mut callers = BTreeSet::new();
    for live in view.segments() {
        for loader in lang::folder_loaders() {
            let own = loader.rsplit('.').next().unwrap_or(loader);
            let Some(name) = live.segment.name_id(own.as_bytes()) else {
                continue;
            };
            for (doc, _) in live.segment.occurring_docs(name) {
                let language = lang::of(live.segment.doc(doc).lang);
                let mut uses = live.segment.occurrences_of(doc, name);
                let is_caller = language.liveness.folder_loaders.contains(&loader)
                    && uses.any(|found| found.kind.is_call() && found.qualifier != Qualifier::None);
                if is_caller && live.is_live(doc) {
                    callers.extend(live.files_of(doc).map(|file| (file, loader)));
                }
            }
        }
    }
    callers
}

/// The folder that a specifier names, from the one of its file; a loader of webpack may stand before it, and a pattern
/// behind.
fn folder(beside: &[u8], named: &[u8]) -> Option<Vec<u8>> {
    let named = named.rsplit(|b| *b == b'!').next()?;
    let plain = named.split(|b| b"*{[".contains(b)).next()?;
    if !plain.starts_with(b".") {
        return None;
    }
    let above = beside.split(|b| *b == b'/');
    let mut parts: Vec<&[u8]> = above.filter(|part| !part.is_empty()).collect();
    for part in plain.split(|b| *b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    let mut folder = parts.join(&b'/');
    folder.push(b'/');
    (folder.len() > 1).then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::{directed, folder};

    #[test]
    fn a_manifest_names_folders_in_comments_alone() {
        assert_eq!(directed(b" //= require_tree ./a").unwrap(), b"./a");
        assert_eq!(directed(b" *= require_directory . ").unwrap(), b".");
        for none in ["// require_tree ./a", "//= require ./a", "//= require_tree"] {
            assert_eq!(directed(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn a_folder_is_named_from_that_of_its_file() {
        let named = |beside: &str, named: &str| {
            let found = folder(beside.as_bytes(), named.as_bytes())?;
            String::from_utf8(found).ok()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(named("a/b/", "./c"), some("a/b/c/"));
        assert_eq!(named("a/b/", "../c/**/*.ts"), some("a/c/"));
        assert_eq!(named("a/", "x/loader!./c/d"), some("a/c/d/"));
        assert_eq!(named("", "./c/{d,e}/*.js"), some("c/"));
        // All of the repository, what is outside, and what an alias says.
        for other in ["./", "../../..", "@/c", "c"] {
            assert_eq!(named("", other), None, "{other}");
        }
    }
}
