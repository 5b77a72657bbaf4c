//! The folders of a tip's tree: `<folder>/<2 hex>/<rest>`, a blob each, named by an id.

use super::error::{Error, Warning};
use super::kind::Kind;
use crate::git::tree::{EntryMode, TreeEntry};
use crate::git::write::{NewEntry, PackWriter};
use crate::id::{BlobId, PartId, TreeId};
use gix::ObjectId;
use gix::bstr::BString;
use std::collections::BTreeMap;

/// Returns what a tip's tree names of one kind. More than `limit` are left out.
pub(super) fn named<K: Kind>(
    entries: &[TreeEntry],
    limit: usize,
    warnings: &mut Vec<Warning>,
) -> Vec<K::Id> {
    let mut ids = Vec::new();
    for entry in entries {
        let Some(name) = below(entry.path.as_bytes(), K::FOLDER) else {
            continue;
        };
        let id = entry.id.as_object();
        let is_named = parse_hex(name) == Some(id) && entry.mode == EntryMode::File;
        match is_named && ids.len() < limit {
            true => ids.push(K::Id::from(PartId::new(id))),
            false => warnings.push(Warning::ForeignEntry(entry.path.to_string())),
        }
    }
    ids
}

/// The path below a folder.
pub(super) fn below<'a>(path: &'a [u8], folder: &str) -> Option<&'a [u8]> {
    path.strip_prefix(folder.as_bytes())?.strip_prefix(b"/")
}

/// Reads two digits, a slash, the other digits.
pub(super) fn parse_hex(name: &[u8]) -> Option<ObjectId> {
    if name.get(2) != Some(&b'/') {
        return None;
    }
    let hex: Vec<u8> = [&name[..2], &name[3..]].concat();
    // Upper case would be a second name for the same object.
    if hex.iter().any(u8::is_ascii_uppercase) {
        None
    } else {
        ObjectId::from_hex(&hex).ok()
    }
}

/// Adds the trees of a folder of blobs that are named by their ids; `None` for none.
pub(super) fn folder(
    pack: &mut PackWriter,
    name: &str,
    ids: &[PartId],
) -> Result<Option<(BString, NewEntry)>, Error> {
    if ids.is_empty() {
        return Ok(None);
    }
    let blobs = ids.iter().map(|id| (id.as_object(), BlobId::from(*id)));
    let tree = by_hex(pack, blobs)?;
    Ok(Some((name.into(), NewEntry::Tree(tree))))
}

/// Adds the tree of blobs that stand at `<2 hex>/<rest>` of an id each.
pub(super) fn by_hex(
    pack: &mut PackWriter,
    blobs: impl IntoIterator<Item = (ObjectId, BlobId)>,
) -> Result<TreeId, Error> {
    let mut folders: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for (id, blob) in blobs {
        let hex = id.to_string();
        let blob = NewEntry::Blob(blob);
        folders
            .entry(hex[..2].to_owned())
            .or_default()
            .push((hex[2..].into(), blob));
    }
    let mut names = Vec::with_capacity(folders.len());
    for (name, entries) in folders {
        names.push((name.into(), NewEntry::Tree(pack.tree(entries)?)));
    }
    Ok(pack.tree(names)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_case_hex_with_one_slash() {
        let hex = "0123456789abcdef0123456789abcdef01234567";
        let good = format!("seg/{}/{}", &hex[..2], &hex[2..]);
        let parse_name = |path: &[u8]| below(path, "seg").and_then(parse_hex);
        assert_eq!(parse_name(good.as_bytes()).unwrap().to_string(), hex);
        let upper = good.to_uppercase().replace("SEG", "seg");
        for bad in [
            "seg/01",
            "seg/01/2",
            "seg/012/3",
            &format!("seg/{hex}"),
            &upper,
            "vec/01/23",
            "seg/",
        ] {
            assert!(parse_name(bad.as_bytes()).is_none(), "{bad}");
        }
    }
}
