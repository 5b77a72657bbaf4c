//! Files that are loaded by their path where no import says so: the path stands in a text, as that of a script that another
//! program is handed, or that of the folder stands there, whose files are all taken.
//!
//! Guarantee: only whole texts are taken for paths, and a folder that is named by nothing but its own name counts only on a
//! line that speaks of paths. Deliberately absent: settings and lists, which name folders to be left out as often as not.

use super::exposure::language;
use super::holders::Among;
use super::shared::Shared;
use super::texted::code_of_others;
use super::unexplained::MIN_NAME_BYTES;
use crate::extract::record::SymbolFlags;
use crate::graph::edges::Graph;
use crate::lang::language::Genre;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::{Text, Texts};

/// Words of lines that speak of paths.
const OF_PATHS: &[&[u8]] = byte_words!("dir folder glob join load path");
/// What lines hold that read a script or run it.
const READING: &[&[u8]] =
    byte_words!("dofile eval Eval getResource include_str load Load read Read resource");

/// Folders of a file that are looked for, innermost first.
const MAX_FOLDERS: usize = 16;
/// Places of a folder's name in one file that are looked at.
const MAX_PLACES: usize = 1024;
/// Bytes of a line before and behind such a place that are looked at.
const MAX_BESIDE: usize = 1024;

/// The place at which a text names a file that nothing imports, or its folder as one whose files are all taken.
pub fn named(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    file: FileId,
    shared: &mut Shared,
) -> Option<(FileId, u32)> {
    let known = language(view, file);
    known.liveness.loaded_stem?;
    let mut users = graph.dependents(file);
    if users.any(|of| of != file && language(view, of).family == known.family) {
        return None;
    }
    let own = names_of(view, file).and_then(|(_, stem, folder)| {
        let mut files = shared
            .holders(view, (known.grammar, stem), Among::All)
            .to_vec();
        files.extend(code_of_others(view, known.grammar, (stem, folder)));
        itself(view, texts, file, files, |_| true)
    });
    own.or_else(|| takes_folder(view, texts, file, |of| of != file, shared))
}

/// The place at which code of another language reads a script, so that what is at its top is there for all scripts that it
/// runs beside: `engine.evaluate(read("js/tools.js"))`. A script that imports or exports something is a module.
pub fn read_by_host(view: &View, texts: &mut Texts, file: FileId) -> Option<(FileId, u32)> {
    let known = language(view, file);
    let doc = view
        .file(file)
        .doc
        .filter(|_| known.liveness.scripts_share_names)?;
    let segment = &view.segment(doc.segment).segment;
    let mut symbols = segment.symbols(doc.doc);
    if segment.imports(doc.doc).next().is_some()
        || symbols.any(|symbol| symbol.flags.contains(SymbolFlags::EXPORTED))
    {
        return None;
    }
    let (_, stem, folder) = names_of(view, file)?;
    let files = code_of_others(view, known.grammar, (stem, folder));
    let reads = |line: &[u8]| {
        let mut words = READING.iter();
        words.any(|word| memchr::memmem::find(line, word).is_some())
    };
    itself(view, texts, file, files, reads)
}

/// The name of a file, its stem and its folder.
type Parts<'v> = (&'v [u8], &'v [u8], Option<&'v [u8]>);

/// What a path is made of; `None` where the stem may be any word.
fn names_of(view: &View, file: FileId) -> Option<Parts<'_>> {
    let name = view.file(file).path.file_name();
    let stem = name.split(|b| *b == b'.').next().unwrap_or(name);
    let folder = view.file(file).path.as_bytes();
    let folder = folder.rsplit(|b| *b == b'/').nth(1);
    (stem.len() >= MIN_NAME_BYTES && stem.len() < name.len()).then_some((name, stem, folder))
}

/// The place at which a text of some files names a file, on a line that is let pass.
fn itself(
    view: &View,
    texts: &mut Texts,
    file: FileId,
    files: Vec<FileId>,
    admits: impl Fn(&[u8]) -> bool,
) -> Option<(FileId, u32)> {
    let (name, ..) = names_of(view, file)?;
    files.into_iter().filter(|of| *of != file).find_map(|of| {
        let text = texts.if_here(view, of)?;
        let mut all = text.words(name);
        let at = all.find(|at| {
            let byte = |at: Option<usize>| at.and_then(|at| text.bytes().get(at)).copied();
            let before = byte((*at as usize).checked_sub(1));
            let after = byte(Some(*at as usize + name.len()));
            let begins = before.is_some_and(|b| b"/\"'`".contains(&b));
            let ends = after.is_none_or(|b| b"\"'`".contains(&b) || b.is_ascii_whitespace());
            let (line, col) = text.place(*at);
            begins && ends && admits(near(text.line(line), col as usize).0)
        })?;
        Some((of, text.place(at).0))
    })
}

/// Where code that `admits` lets pass names a folder of a file as one whose files are taken.
pub fn takes_folder(
    view: &View,
    texts: &mut Texts,
    file: FileId,
    admits: impl Fn(FileId) -> bool,
    shared: &mut Shared,
) -> Option<(FileId, u32)> {
    let path = view.file(file).path.as_bytes();
    let mut folders: Vec<&[u8]> = path.split(|b| *b == b'/').collect();
    folders.pop();
    let grammar = language(view, file).grammar;
    (0..folders.len()).rev().take(MAX_FOLDERS).find_map(|last| {
        let own = folders[last];
        if own.len() < MIN_NAME_BYTES {
            return None;
        }
        let files = shared.holders(view, (grammar, own), Among::All);
        let others = shared.code_of_others(view, (grammar, own));
        let mut files = files.iter().chain(&*others).copied();
        files.find_map(|of| {
            if !admits(of) {
                return None;
            }
            let is_code = language(view, of).genre == Genre::Code
                && view.file(of).role == FileRole::Product
                && memchr::memmem::find(view.file(of).path.as_bytes(), b".config.").is_none();
            let text = texts.if_here(view, of).filter(|_| is_code)?;
            let imports = import_lines(view, of);
            let all = text.words(own).take(MAX_PLACES);
            let mut all = all.map(|at| text.place(at));
            let is_direct = last + 1 == folders.len();
            let found = all.find(|(line, col)| {
                !imports.contains(line) && names(&text, (*line, *col), &folders[..=last], is_direct)
            })?;
            Some((of, found.0))
        })
    })
}

fn import_lines(view: &View, file: FileId) -> Vec<u32> {
    let Some(doc) = view.file(file).doc else {
        return Vec::new();
    };
    let segment = &view.segment(doc.segment).segment;
    segment.imports(doc.doc).map(|one| one.line).collect()
}

/// What stands near a place of a line, and where that is then.
fn near(line: &[u8], col: usize) -> (&[u8], usize) {
    let begin = col.saturating_sub(MAX_BESIDE).min(line.len());
    let end = col.saturating_add(MAX_BESIDE).clamp(begin, line.len());
    (&line[begin..end], col - begin)
}

/// Whether the text around a word is a path that ends with the folders up to that.
fn names(text: &Text, (line, col): (u32, u32), folders: &[&[u8]], is_direct: bool) -> bool {
    let (line, col) = near(text.line(line), col as usize);
    let (Some(before), Some(rest)) = (line.get(..col), line.get(col..)) else {
        return false;
    };
    let Some(open) = before.iter().rposition(|b| b"\"'`".contains(b)) else {
        return false;
    };
    let close = rest.iter().position(|b| *b == line[open]);
    let Some(close) = close else {
        return false;
    };
    let said = &line[open + 1..col + close];
    // What is computed stands before it, and a pattern behind.
    let said = said.rsplit(|b| *b == b'}').next().unwrap_or(said);
    let said = said.split(|b| b"*{[<$".contains(b)).next().unwrap_or(said);
    let parts = said.split(|b| *b == b'/');
    let parts: Vec<&[u8]> = parts
        .filter(|part| !matches!(*part, b"" | b"." | b".."))
        .collect();
    let lower = line.to_ascii_lowercase();
    let of_paths = || {
        OF_PATHS
            .iter()
            .any(|word| memchr::memmem::find(&lower, word).is_some())
    };
    let is_told = parts.len() > 1 || is_direct && (said.contains(&b'/') || of_paths());
    !parts.is_empty() && is_told && folders.ends_with(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_line_what_stands_near_is_looked_at() {
        let line = b"ab".repeat(4 * MAX_BESIDE);
        assert_eq!(near(&line, 5).1, 5);
        let (part, col) = near(&line, 4 * MAX_BESIDE + 1);
        assert_eq!((part.len(), col), (2 * MAX_BESIDE, MAX_BESIDE));
        assert_eq!(part[col], b'b');
        assert_eq!(near(b"ab", 9), (&b"ab"[..], 9));
    }

    #[test]
    fn a_text_that_is_the_path_of_a_folder_names_it() {
        let is = |line: &str, folders: &str, is_direct| {
            let text = Text::new(line.as_bytes().to_vec());
            let folders: Vec<&[u8]> = folders.split('/').map(str::as_bytes).collect();
            let col = text.words(folders[folders.len() - 1]).next().unwrap();
            names(&text, (1, col), &folders, is_direct)
        };
        assert!(is("static at = \"./db/knex\";", "a/db/knex", true));
        assert!(is("os.path.join(root, \"tamper\")", "tamper", true));
        assert!(is("glob(`${root}/tamper/*.py`)", "tamper", true));
        assert!(is("pin \"app/js/ctl\"", "app/js/ctl", false));
        for (line, folders, is_direct) in [
            ("t(\"types\")", "src/types", true),
            ("path.join(a, \"types\")", "src/types", false),
            ("path.join(a, \"b/types\")", "src/types", true),
            ("path to types", "types", true),
            ("path(\"types of all\")", "types", true),
        ] {
            assert!(!is(line, folders, is_direct), "{line}");
        }
    }
}
