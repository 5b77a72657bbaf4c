//! Tests of a file that is no code: a fixture, a template, a translation. Whoever writes its name reads it.

use super::dependents::Node;
use crate::query::grep::Candidates;
use crate::query::inventory::Inventory;
use crate::view::live::FileId;
use crate::view::text::Texts;

/// Files that are read in search of a name.
const MOST_READ: usize = 2000;
/// Places of a name that are looked at. A name in more places is a common word.
const MOST_PLACES: usize = 64;
/// Shortest name, or part of one, that is looked for alone.
const LEAST_NAME: usize = 4;

/// Definitions and files of code in which the name of a file stands; `None` where it stands in too many places to
/// mean it.
pub fn naming(inventory: &Inventory<'_>, texts: &mut Texts, path: &[u8]) -> Option<Vec<Node>> {
    let name = path.rsplit(|b| *b == b'/').next().unwrap_or(path);
    let name = std::str::from_utf8(name)
        .ok()
        .filter(|name| name.len() >= LEAST_NAME)?;
    let candidates = Candidates::of_text(inventory.view, name);
    let is_read = |file: &FileId| inventory.is_code(*file) && candidates.has(inventory.view, *file);
    let finder = memchr::memmem::Finder::new(name.as_bytes());
    let mut found = Vec::new();
    for file in inventory.files().filter(is_read).take(MOST_READ) {
        let Some(text) = texts.get(inventory.view, file) else {
            continue;
        };
        for at in finder.find_iter(text.bytes()) {
            let node = match inventory.around(file, text.place(at as u32)) {
                Some(id) => Node::Symbol(id),
                None => Node::File(file),
            };
            if !found.contains(&node) {
                found.push(node);
            }
            if found.len() > MOST_PLACES {
                return None;
            }
        }
    }
    Some(found)
}

/// Whether a folder is one of snapshots or data that tests beside it read: of those the tests around it are taken.
pub fn home(path: &[u8]) -> &[u8] {
    const DATA: &[&[u8]] = byte_words!(
        "__snapshots__ snapshots testdata data fixtures __fixtures__ fixture resources assets files golden cases
         inputs expected"
    );
    let mut folder = parent(path);
    while let Some(inner) = folder.strip_suffix(b"/") {
        let name = inner.rsplit(|b| *b == b'/').next().unwrap_or(inner);
        if !DATA.contains(&name) {
            break;
        }
        folder = parent(inner);
    }
    folder
}

/// The folder of a path, empty or with a slash at its end.
pub fn parent(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    &path[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_belongs_to_the_tests_around_its_folder() {
        for (path, folder) in [
            ("pkg/testdata/golden/a.txt", "pkg/"),
            ("src/__snapshots__/a.test.ts.snap", "src/"),
            ("tests/a.json", "tests/"),
            ("testdata/a.txt", ""),
            ("a.txt", ""),
        ] {
            assert_eq!(home(path.as_bytes()), folder.as_bytes(), "{path}");
        }
    }
}
