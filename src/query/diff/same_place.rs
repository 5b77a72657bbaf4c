//! Whether others find a definition where it was: in one namespace, or at one path below folders that were moved.

use super::units::Side;
use crate::extract::record::ImportKind;
use crate::view::live::FileId;

/// Whether two files, of two states, are one place to who imports something: in one namespace, or of one path below
/// folders that were moved.
pub(in crate::query) fn is_same_place(
    (old, before): (&Side<'_>, FileId),
    (new, after): (&Side<'_>, FileId),
) -> bool {
    let (from, to) = (&old.view.file(before).path, &new.view.file(after).path);
    let (from, to) = (from.as_bytes(), to.as_bytes());
    if from == to || is_end_of(from, to) || is_end_of(to, from) {
        return true;
    }
    let namespace = namespace(old, before);
    namespace.is_some() && namespace == self::namespace(new, after)
}

/// Whether a path is another one behind some folders.
fn is_end_of(end: &[u8], path: &[u8]) -> bool {
    path.strip_suffix(end)
        .is_some_and(|rest| rest.ends_with(b"/"))
}

/// What a file says that it belongs to, where its path does not matter to who imports it: a package by its whole
/// name, or one that is all of a folder.
fn namespace(side: &Side<'_>, file: FileId) -> Option<Vec<u8>> {
    let of = side.view.file(file);
    let doc = of.doc?;
    let mut imports = side.view.segment(doc.segment).segment.imports(doc.doc);
    let package = imports.find(|import| import.kind == ImportKind::Package)?;
    let name = package.specifier;
    if name.iter().any(|b| b".\\:".contains(b)) {
        return Some(name);
    }
    let path = of.path.as_bytes();
    let end = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    Some([&path[..end], &name].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_around_all_code_is_no_part_of_its_names() {
        assert!(is_end_of(b"lib/a.py", b"src/lib/a.py"));
        assert!(!is_end_of(b"lib/a.py", b"mylib/a.py"));
    }
}
