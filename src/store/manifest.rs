//! The tip of an index: a parentless commit over a tree of segments.
//!
//! ```text
//! format                 what the segments are, as text
//! seg/<2 hex>/<rest>     one segment a blob, named by its own id
//! trace/<2 hex>/<rest>   one piece of traces a blob, named by its own id
//! facts/<2 hex>/<rest>   one piece of compilers' facts a blob, named by its own id
//! log/<2 hex>/<rest>     one piece of the history log a blob, named by its own id
//! vec/<model>/<2 hex>/<rest>   vectors of a segment under a model, named by the segment's id
//! absorbs                tombstones: parts and blocks that must not come back, as text; absent when there are none
//! deny                   blobs that must not be recorded, as text; absent when there are none
//! uses                   when each of several extractors was last used, as text; absent when there is one
//! ```
//!
//! Identity, dates and message of the commit are fixed, so equal sets have equal tips. What does
//! not look like this is left out or counts as absent, with a warning.
//!
//! A tip for a remote has parents, one commit a segment, piece or block: see [`write_parents`].

use super::contents::Contents;
use super::error::{Error, Warning};
use super::kind::Kind;
use super::parts::{Parts, check_number};
use super::pieces::Pieces;
use super::segments::Segments;
use super::tree::{below, by_hex, folder, named, parse_hex};
use super::vectors::named::Named;
use crate::git::tree::{self, EntryMode, TreeEntry};
use crate::git::write::{NewEntry, PackWriter};
use crate::git::{self, Objects, Repo};
use crate::id::{BlobId, CommitId, PartId, SegmentId};
use crate::limits::{MAX_DENIED, MAX_SEGMENTS, MAX_TOMBSTONES, MAX_USES, MAX_VECTOR_MODELS};
use crate::segment::format::LAYOUT_VERSION as SEGMENT_LAYOUT;
use crate::vector::model::ModelId;
use gix::ObjectId;
use gix::bstr::BString;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Version of the tree's layout.
pub const LAYOUT_VERSION: u32 = 5;
/// Message of every tip; it tells whoever meets it in `git log --all` what it is.
const MESSAGE: &str =
    "git-sverklo index\n\nDerived data; see `git sverklo --help`. Deleting the ref is safe.";
/// Most bytes of a `format` file that are read.
const MAX_FORMAT_BYTES: u64 = 4096;
/// Longest line of `absorbs`: a SHA-256 id, a clock of 32 bits and a word, with what is between.
const MAX_TOMBSTONE_LINE: u64 = 64 + 1 + 10 + 1 + 8 + 1;
/// Longest line of `deny`: a SHA-256 id and its newline.
const MAX_DENY_LINE: u64 = 64 + 1;
/// Longest line of `uses`: a fingerprint and a clock of 32 bits, with what is between.
const MAX_USES_LINE: u64 = 16 + 1 + 10 + 1;

/// Name of the folder of vectors.
const VECTORS: &str = "vec";
/// Message of the commit of one block of vectors.
const VECTORS_MESSAGE: &str = "git-sverklo vec\n\nDerived data; see `git sverklo --help`.";

/// What a tip names, with segments that are not opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifest {
    /// In the order of their ids.
    pub segments: Vec<SegmentId>,
    /// All else; its segments are to be opened.
    pub contents: Contents,
    /// What was left out, and why.
    pub warnings: Vec<Warning>,
}

/// Returns the text that says what the segments of a set are.
pub(crate) fn format_text(hash: gix::hash::Kind) -> String {
    format!("sverklo index\nlayout {LAYOUT_VERSION}\nsegment {SEGMENT_LAYOUT}\nhash {hash}\n")
}

/// Reads what a tip names. Whatever is wrong with it is a warning.
pub(super) fn read(repo: &Repo, objects: &mut Objects, tip: CommitId) -> Manifest {
    let listed = repo
        .commit_tree(tip)
        .and_then(|tree| tree::list(objects, tree));
    let mut text = |id, limit| read_text(objects, id, limit);
    let read = listed.and_then(|entries| of(tip, &entries, repo.hash(), &mut text));
    read.unwrap_or_else(|err| Manifest {
        warnings: vec![Warning::UnreadableTip {
            tip,
            reason: err.to_string(),
        }],
        ..Manifest::default()
    })
}

/// Reads what the files of a tip's tree name; `text` gives the content of one, empty when it is longer
/// than so many bytes. Fails with what `text` says.
pub(crate) fn of(
    tip: CommitId,
    entries: &[TreeEntry],
    hash: gix::hash::Kind,
    text: &mut dyn FnMut(BlobId, u64) -> Result<Vec<u8>, git::Error>,
) -> Result<Manifest, git::Error> {
    let empty = |warning| Manifest {
        warnings: vec![warning],
        ..Manifest::default()
    };
    let foreign = |reason: String| empty(Warning::ForeignTip { tip, reason });
    let format = entries
        .iter()
        .find(|entry| entry.path.as_bytes() == b"format" && entry.mode.is_file());
    let Some(format) = format else {
        return Ok(foreign("it has no format file".to_owned()));
    };
    let (found, known) = (text(format.id, MAX_FORMAT_BYTES)?, format_text(hash));
    if let Some(reason) = differs(&found, &known) {
        let mut out = foreign(reason);
        let is_layout = is_layout_of(&found, &known);
        if is_layout {
            out.contents.pieces = Pieces::of_tree(entries, false, &mut out.warnings);
        }
        return Ok(out);
    }
    let mut out = Manifest::default();
    for entry in entries.iter().filter(|entry| entry.mode == EntryMode::File) {
        let (name, limit) = match entry.path.as_bytes() {
            name @ b"absorbs" => (name, MAX_TOMBSTONES as u64 * MAX_TOMBSTONE_LINE),
            name @ b"deny" => (name, MAX_DENIED as u64 * MAX_DENY_LINE),
            name @ b"uses" => (name, MAX_USES as u64 * MAX_USES_LINE),
            _ => continue,
        };
        let text = text(entry.id, limit)?;
        let ledger = &mut out.contents.ledger;
        let sound = match name {
            b"deny" => ledger.read_deny(&text, hash),
            b"uses" => ledger.read_uses(&text),
            _ => ledger.read_tombstones(&text, hash),
        };
        if !sound || text.is_empty() {
            out.warnings
                .push(Warning::ForeignEntry(entry.path.to_string()));
        }
    }
    out.segments = named::<Segments>(entries, usize::MAX, &mut out.warnings);
    out.contents.pieces = Pieces::of_tree(entries, true, &mut out.warnings);
    if out.segments.len() > MAX_SEGMENTS {
        let reason = format!("it names {} segments", out.segments.len());
        return Ok(foreign(reason));
    }
    out.segments.sort_unstable();
    out.contents.vectors = named_vectors(entries, &out.segments, &mut out.warnings);
    out.warnings.truncate(8);
    Ok(out)
}

/// Returns the blocks of vectors that a tip's tree names of these segments, which are ordered.
fn named_vectors(
    entries: &[TreeEntry],
    segments: &[SegmentId],
    warnings: &mut Vec<Warning>,
) -> Named {
    let mut out = Named::default();
    for entry in entries {
        let Some(rest) = below(entry.path.as_bytes(), VECTORS) else {
            continue;
        };
        let mut parts = rest.splitn(2, |b| *b == b'/');
        let model = parts.next().and_then(|name| std::str::from_utf8(name).ok());
        let model = model.and_then(ModelId::new);
        let segment = parts.next().and_then(parse_hex).map(SegmentId::new);
        let segment = segment.filter(|id| segments.binary_search(id).is_ok());
        match model.zip(segment) {
            Some((model, segment)) if entry.mode == EntryMode::File => {
                out.insert(model, segment, entry.id);
            }
            _ => warnings.push(Warning::ForeignEntry(entry.path.to_string())),
        }
    }
    let models = out.models().count();
    if models > MAX_VECTOR_MODELS {
        warnings.push(Warning::ForeignEntry(format!(
            "{VECTORS}, which names {models} models,"
        )));
    }
    out.filtered(|_, _, _| true)
}

/// Whether a format text is that of this layout and hash, whatever it says of segments.
fn is_layout_of(found: &[u8], known: &str) -> bool {
    let found = String::from_utf8_lossy(found);
    let line = |text: &str, word: &str| -> Option<String> {
        let mut lines = text.lines();
        lines.find(|line| line.starts_with(word)).map(str::to_owned)
    };
    ["sverklo index", "layout ", "hash "]
        .into_iter()
        .all(|word| line(&found, word) == line(known, word))
}

/// Returns the `format` text of a tip, of whatever version; `None` when it has none.
pub(super) fn format_of(repo: &Repo, tip: CommitId) -> Option<String> {
    let mut objects = repo.objects();
    let entries = tree::list(&mut objects, repo.commit_tree(tip).ok()?).ok()?;
    let format = entries
        .iter()
        .find(|entry| entry.path.as_bytes() == b"format" && entry.mode.is_file())?;
    let text = read_text(&mut objects, format.id, MAX_FORMAT_BYTES).ok()?;
    String::from_utf8(text).ok()
}

/// Reads a text; one that is over the limit counts as empty.
fn read_text(objects: &mut Objects, id: BlobId, limit: u64) -> Result<Vec<u8>, git::Error> {
    let mut bytes = Vec::new();
    if objects.blob_size(id)? <= limit {
        objects.blob(id, &mut bytes)?;
    }
    Ok(bytes)
}

/// Says how a format file differs from ours; `None` when it does not.
fn differs(found: &[u8], known: &str) -> Option<String> {
    if found == known.as_bytes() {
        return None;
    }
    let found = String::from_utf8_lossy(found);
    let line = known
        .lines()
        .zip(found.lines().chain(std::iter::repeat("")))
        .find(|(k, f)| k != f);
    Some(match line {
        Some((known, found)) => {
            let found: String = found
                .chars()
                .take(60)
                .flat_map(char::escape_default)
                .collect();
            format!("it says \"{found}\" where this program says \"{known}\"")
        }
        None => "its format file has more lines".to_owned(),
    })
}

/// Adds the trees and the commit of a tip; what these name is not added.
///
/// A tip has `parents` only on its way to a remote.
pub(super) fn write(
    pack: &mut PackWriter,
    hash: gix::hash::Kind,
    segments: &[SegmentId],
    contents: &Contents,
    parents: &[CommitId],
) -> Result<CommitId, Error> {
    check_number::<Segments>(segments.len())?;
    let format = pack.blob(format_text(hash).into_bytes())?;
    let mut root = vec![("format".into(), NewEntry::Blob(format))];
    let segments: Vec<PartId> = segments.iter().map(|id| (*id).into()).collect();
    root.extend(folder(pack, Segments::FOLDER, &segments)?);
    contents.pieces.check_numbers()?;
    for list in contents.pieces.each() {
        root.extend(folder(pack, list.folder, &list.ids)?);
    }
    root.extend(vectors_folder(pack, contents.vectors.iter())?);
    let ledger = &contents.ledger;
    for (name, text) in [
        ("absorbs", ledger.tombstones_text()),
        ("deny", ledger.deny_text()),
        ("uses", ledger.uses_text()),
    ] {
        if !text.is_empty() {
            let blob = pack.blob(text.into_bytes())?;
            root.push((name.into(), NewEntry::Blob(blob)));
        }
    }
    let tree = pack.tree(root)?;
    Ok(pack.commit(tree, parents, MESSAGE)?)
}

/// Adds the commits that a tip has for parents on its way to a remote, but for those that the remote knows; one for
/// each part and block: parentless, over a tree with it where the tip has it.
///
/// git finds out by commits what two repositories have in common: of a tip without parents that
/// the other side does not have, it would send every segment, however few are new. With these for
/// parents it sends the new ones, both ways, even when the tip known before is long pruned.
pub(super) fn write_parents(
    pack: &mut PackWriter,
    hash: gix::hash::Kind,
    contents: &Contents,
    known: &FxHashSet<CommitId>,
) -> Result<Vec<CommitId>, Error> {
    let segments = Parts::<Segments>::of(&contents.segments);
    let mut parents = Vec::new();
    let mut add = |write: &dyn Fn(&mut PackWriter) -> Result<CommitId, Error>| {
        let parent = write(&mut PackWriter::new(hash))?;
        // What the remote's tip names is here, and stays here as long as it is tracked.
        if !known.contains(&parent) {
            write(pack)?;
        }
        parents.push(parent);
        Ok::<(), Error>(())
    };
    let lists = [segments.list()].into_iter();
    for list in lists.chain(contents.pieces.each()) {
        for id in list.ids {
            add(&|pack| {
                let root = folder(pack, list.folder, &[id])?;
                alone(pack, root, list.message)
            })?;
        }
    }
    for block in contents.vectors.iter() {
        add(&|pack| {
            let root = vectors_folder(pack, [block].into_iter())?;
            alone(pack, root, VECTORS_MESSAGE)
        })?;
    }
    Ok(parents)
}

/// Adds the commit of a tree with one folder.
fn alone(
    pack: &mut PackWriter,
    root: Option<(BString, NewEntry)>,
    message: &str,
) -> Result<CommitId, Error> {
    let tree = pack.tree(root.into_iter().collect())?;
    Ok(pack.commit(tree, &[], message)?)
}

/// Adds the trees of blocks, which are ordered by their models; `None` for none.
fn vectors_folder<'a>(
    pack: &mut PackWriter,
    blocks: impl Iterator<Item = (&'a ModelId, SegmentId, BlobId)>,
) -> Result<Option<(BString, NewEntry)>, Error> {
    let mut models: BTreeMap<&ModelId, Vec<(ObjectId, BlobId)>> = BTreeMap::new();
    for (model, segment, block) in blocks {
        let of = models.entry(model).or_default();
        of.push((segment.as_object(), block));
    }
    let mut names = Vec::with_capacity(models.len());
    for (model, blocks) in models {
        let tree = by_hex(pack, blocks)?;
        names.push((model.as_str().into(), NewEntry::Tree(tree)));
    }
    match names.is_empty() {
        true => Ok(None),
        false => Ok(Some((VECTORS.into(), NewEntry::Tree(pack.tree(names)?)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

    #[test]
    fn a_foreign_format_is_named_by_its_first_differing_line() {
        let known = format_text(gix::hash::Kind::Sha1);
        assert_eq!(differs(known.as_bytes(), &known), None);
        let newer = known.replace("layout 5", "layout 6\u{1b}[31m");
        let reason = differs(newer.as_bytes(), &known).unwrap();
        assert!(
            reason.contains("layout 6\\u{1b}") && reason.contains("layout 5"),
            "{reason}"
        );
        assert!(differs(b"", &known).is_some());
        assert!(differs(format!("{known}more\n").as_bytes(), &known).is_some());
    }

    #[test]
    fn equal_sets_have_equal_tips() {
        let id = |n: u8| SegmentId::from_bytes(&[n; 20]).unwrap();
        let contents = Contents::default();
        let tip = |ids: &[SegmentId]| {
            let mut pack = PackWriter::new(SHA1);
            write(&mut pack, SHA1, ids, &contents, &[]).unwrap()
        };
        assert_eq!(tip(&[id(1), id(2)]), tip(&[id(2), id(1)]));
        assert_ne!(tip(&[id(1)]), tip(&[]));
        let many: Vec<_> = (0..=MAX_SEGMENTS as u32)
            .map(|n| SegmentId::from_bytes(&[&n.to_be_bytes()[..], &[0; 16]].concat()).unwrap())
            .collect();
        let mut pack = PackWriter::new(gix::hash::Kind::Sha1);
        let err = write(&mut pack, SHA1, &many, &contents, &[]).unwrap_err();
        assert!(matches!(err, Error::TooManyParts { .. }));
    }
}
