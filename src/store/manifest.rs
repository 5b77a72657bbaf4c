//! The tip of an index: a parentless commit over a tree of segments.
//!
//! ```text
//! format                 what the segments are, as text
//! seg/<2 hex>/<rest>     one segment a blob, named by its own id
//! trace/<2 hex>/<rest>   one piece of traces a blob, named by its own id
//! log/<2 hex>/<rest>     one piece of the history log a blob, named by its own id
//! vec/<model>/<2 hex>/<rest>   vectors of a segment under a model, named by the segment's id
//! absorbs                segments, pieces and blocks that must not come back, as text; absent when there are none
//! deny                   blobs that must not be recorded, as text; absent when there are none
//! ```
//!
//! Identity, dates and message of the commit are fixed, so equal sets have equal tips. What does
//! not look like this is left out or counts as absent, with a warning.
//!
//! A tip for a remote has parents, one commit a segment, piece or block: see [`part`] and [`vectors_part`].

use super::trace::Pieces;
use super::vectors::Named;
use super::{Error, Ledger, Warning, log};
use crate::git::tree::{self, EntryMode, TreeEntry};
use crate::git::write::{NewEntry, PackWriter};
use crate::git::{self, Objects, Repo};
use crate::id::{BlobId, CommitId, LogId, SegmentId, TraceId, TreeId};
use crate::limits::{
    MAX_ABSORBED, MAX_DENIED, MAX_LOG_PIECES, MAX_SEGMENTS, MAX_TRACES, MAX_VECTOR_MODELS,
};
use crate::segment::format::{EXTRACTOR_FINGERPRINT, LAYOUT_VERSION as SEGMENT_LAYOUT};
use crate::vector::model::ModelId;
use gix::ObjectId;
use gix::bstr::BString;
use std::collections::BTreeMap;

/// Version of the tree's layout.
pub const LAYOUT_VERSION: u32 = 4;
/// Message of every tip; it tells whoever meets it in `git log --all` what it is.
const MESSAGE: &str =
    "git-sverklo index\n\nDerived data; see `git sverklo --help`. Deleting the ref is safe.";
/// Most bytes of a `format` file that are read.
const MAX_FORMAT_BYTES: u64 = 4096;
/// Longest line of `absorbs`: a SHA-256 id, a clock of 32 bits and a word, with what is between.
const MAX_ABSORBS_LINE: u64 = 64 + 1 + 10 + 1 + 8 + 1;
/// Longest line of `deny`: a SHA-256 id and its newline.
const MAX_DENY_LINE: u64 = 64 + 1;

/// What a tip names, each kind in a folder of its own: `<folder>/<2 hex>/<rest>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Segments.
    Segment,
    /// Pieces of traces.
    Trace,
    /// Pieces of the history log.
    Log,
}

/// Name of the folder of vectors.
const VECTORS: &str = "vec";
/// Message of the commit of one block of vectors.
const VECTORS_MESSAGE: &str = "git-sverklo vec\n\nDerived data; see `git sverklo --help`.";

impl Kind {
    /// Name of the folder.
    fn folder(self) -> &'static str {
        match self {
            Self::Segment => "seg",
            Self::Trace => "trace",
            Self::Log => "log",
        }
    }

    /// Message of the commit of one of them.
    fn message(self) -> &'static str {
        match self {
            Self::Segment => "git-sverklo segment\n\nDerived data; see `git sverklo --help`.",
            Self::Trace => "git-sverklo trace\n\nSee `git sverklo --help`.",
            Self::Log => "git-sverklo log\n\nDerived data; see `git sverklo --help`.",
        }
    }

    /// Most that a tip may name.
    fn limit(self) -> usize {
        match self {
            Self::Segment => MAX_SEGMENTS,
            Self::Trace => MAX_TRACES,
            Self::Log => MAX_LOG_PIECES,
        }
    }
}

/// The segments that a tip names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Manifest {
    /// In the order of their ids.
    pub segments: Vec<SegmentId>,
    /// The pieces of its traces.
    pub traces: Pieces,
    /// The pieces of its history log.
    pub log: log::Pieces,
    /// The vectors of its segments.
    pub vectors: Named,
    /// What it remembers besides.
    pub ledger: Ledger,
    /// What was left out, and why.
    pub warnings: Vec<Warning>,
}

/// Returns the text that says what the segments of a set are.
pub(crate) fn format_text(hash: gix::hash::Kind) -> String {
    format!(
        "sverklo index\nlayout {LAYOUT_VERSION}\nsegment {SEGMENT_LAYOUT}\nhash {hash}\nextractor {EXTRACTOR_FINGERPRINT}\n"
    )
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
/// than so many bytes.
///
/// # Errors
/// What `text` says.
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
        // They cannot be made again, and do not depend on how documents are made.
        if is_layout_of(&found, &known) {
            let traces = named(entries, Kind::Trace, &mut out.warnings);
            out.traces = Pieces::stored(traces.into_iter().map(TraceId::new));
        }
        return Ok(out);
    }
    let mut out = Manifest::default();
    for entry in entries.iter().filter(|entry| entry.mode == EntryMode::File) {
        let (name, limit) = match entry.path.as_bytes() {
            name @ b"absorbs" => (name, MAX_ABSORBED as u64 * MAX_ABSORBS_LINE),
            name @ b"deny" => (name, MAX_DENIED as u64 * MAX_DENY_LINE),
            _ => continue,
        };
        let text = text(entry.id, limit)?;
        let sound = if name == b"deny" {
            out.ledger.read_deny(&text, hash)
        } else {
            out.ledger.read_absorbs(&text, hash)
        };
        if !sound || text.is_empty() {
            out.warnings.push(Warning::ForeignEntry {
                path: entry.path.to_string(),
            });
        }
    }
    let segments = named(entries, Kind::Segment, &mut out.warnings);
    out.segments = segments.into_iter().map(SegmentId::new).collect();
    let traces = named(entries, Kind::Trace, &mut out.warnings);
    out.traces = Pieces::stored(traces.into_iter().map(TraceId::new));
    let log = named(entries, Kind::Log, &mut out.warnings);
    out.log = log::Pieces::stored(log.into_iter().map(LogId::new));
    if out.segments.len() > MAX_SEGMENTS {
        let reason = format!("it names {} segments", out.segments.len());
        return Ok(foreign(reason));
    }
    out.segments.sort_unstable();
    out.vectors = named_vectors(entries, &out.segments, &mut out.warnings);
    out.warnings.truncate(8);
    Ok(out)
}

/// Returns what a tip's tree names of one kind. More than may be named of what is no segment is left
/// out; too many segments are for the caller to refuse.
fn named(entries: &[TreeEntry], kind: Kind, warnings: &mut Vec<Warning>) -> Vec<ObjectId> {
    let mut ids = Vec::new();
    let folder = format!("{}/", kind.folder());
    let of_kind = entries
        .iter()
        .filter(|entry| entry.path.as_bytes().starts_with(folder.as_bytes()));
    for entry in of_kind {
        match id_of(entry, kind) {
            Some(id) if kind == Kind::Segment || ids.len() < kind.limit() => ids.push(id),
            _ => warnings.push(Warning::ForeignEntry {
                path: entry.path.to_string(),
            }),
        }
    }
    ids
}

/// Returns the blocks of vectors that a tip's tree names of these segments, which are ordered.
fn named_vectors(
    entries: &[TreeEntry],
    segments: &[SegmentId],
    warnings: &mut Vec<Warning>,
) -> Named {
    let mut out = Named::default();
    for entry in entries {
        let Some(rest) = entry.path.as_bytes().strip_prefix(b"vec/") else {
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
            _ => warnings.push(Warning::ForeignEntry {
                path: entry.path.to_string(),
            }),
        }
    }
    let models = out.models().count();
    if models > MAX_VECTOR_MODELS {
        warnings.push(Warning::ForeignEntry {
            path: format!("{VECTORS}, which names {models} models,"),
        });
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

/// The id of an entry that has the name which its blob must have in the folder of its kind.
fn id_of(entry: &TreeEntry, kind: Kind) -> Option<ObjectId> {
    let id = entry.id.as_object();
    let is_named = parse_name(entry.path.as_bytes(), kind.folder()) == Some(id);
    (is_named && entry.mode == EntryMode::File).then_some(id)
}

/// Returns the object that a path stands for: the folder, a slash, two digits, a slash, the other
/// digits.
fn parse_name(path: &[u8], folder: &str) -> Option<ObjectId> {
    parse_hex(path.strip_prefix(folder.as_bytes())?.strip_prefix(b"/")?)
}

/// Reads two digits, a slash, the other digits.
fn parse_hex(name: &[u8]) -> Option<ObjectId> {
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

/// All that a tip is to name.
#[derive(Clone, Copy)]
pub(super) struct Contents<'a> {
    /// Its segments.
    pub segments: &'a [SegmentId],
    /// The pieces of its traces.
    pub traces: &'a [TraceId],
    /// The pieces of its history log.
    pub log: &'a [LogId],
    /// The vectors of its segments.
    pub vectors: &'a Named,
    /// What it remembers besides.
    pub ledger: &'a Ledger,
}

/// Adds the trees and the commit of a tip; what these name is not added.
///
/// A tip has `parents` only on its way to a remote.
pub(super) fn write(
    pack: &mut PackWriter,
    hash: gix::hash::Kind,
    contents: Contents,
    parents: &[CommitId],
) -> Result<CommitId, Error> {
    let Contents {
        segments,
        traces,
        log,
        vectors,
        ledger,
    } = contents;
    if segments.len() > MAX_SEGMENTS {
        return Err(Error::TooManySegments {
            found: segments.len(),
            limit: MAX_SEGMENTS,
        });
    }
    let format = pack.blob(format_text(hash).into_bytes())?;
    let mut root = vec![("format".into(), NewEntry::Blob(format))];
    let segments: Vec<ObjectId> = segments.iter().map(SegmentId::as_object).collect();
    let traces: Vec<ObjectId> = traces.iter().map(TraceId::as_object).collect();
    let log: Vec<ObjectId> = log.iter().map(LogId::as_object).collect();
    for (kind, ids) in [
        (Kind::Segment, segments),
        (Kind::Trace, traces),
        (Kind::Log, log),
    ] {
        root.extend(folder(pack, kind, &ids)?);
    }
    root.extend(vectors_folder(pack, vectors.iter())?);
    for (name, text) in [
        ("absorbs", ledger.absorbs_text()),
        ("deny", ledger.deny_text()),
    ] {
        if !text.is_empty() {
            let blob = pack.blob(text.into_bytes())?;
            root.push((name.into(), NewEntry::Blob(blob)));
        }
    }
    let tree = pack.tree(root)?;
    Ok(pack.commit(tree, parents, MESSAGE)?)
}

/// Adds the commit of one segment or piece: parentless, over a tree with it where the tip has it.
///
/// git finds out by commits what two repositories have in common: of a tip without parents that
/// the other side does not have, it would send every segment, however few are new. With these for
/// parents it sends the new ones, both ways, even when the tip known before is long pruned.
pub(super) fn part(pack: &mut PackWriter, kind: Kind, id: ObjectId) -> Result<CommitId, Error> {
    let root = folder(pack, kind, &[id])?;
    let tree = pack.tree(root.into_iter().collect())?;
    Ok(pack.commit(tree, &[], kind.message())?)
}

/// As [`part`], of the block of a segment under a model.
pub(super) fn vectors_part(
    pack: &mut PackWriter,
    model: &ModelId,
    segment: SegmentId,
    block: BlobId,
) -> Result<CommitId, Error> {
    let root = vectors_folder(pack, [(model, segment, block)].into_iter())?;
    let tree = pack.tree(root.into_iter().collect())?;
    Ok(pack.commit(tree, &[], VECTORS_MESSAGE)?)
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

/// Adds the trees of a folder of objects that are named by their ids; `None` for none.
fn folder(
    pack: &mut PackWriter,
    kind: Kind,
    ids: &[ObjectId],
) -> Result<Option<(BString, NewEntry)>, Error> {
    if ids.is_empty() {
        return Ok(None);
    }
    let tree = by_hex(pack, ids.iter().map(|id| (*id, BlobId::new(*id))))?;
    Ok(Some((kind.folder().into(), NewEntry::Tree(tree))))
}

/// Adds the tree of blobs that stand at `<2 hex>/<rest>` of an id each.
fn by_hex(
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

    const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

    #[test]
    fn names_are_lower_case_hex_with_one_slash() {
        let hex = "0123456789abcdef0123456789abcdef01234567";
        let good = format!("seg/{}/{}", &hex[..2], &hex[2..]);
        let parse_name = |path: &[u8]| parse_name(path, "seg");
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

    #[test]
    fn a_foreign_format_is_named_by_its_first_differing_line() {
        let known = format_text(gix::hash::Kind::Sha1);
        assert_eq!(differs(known.as_bytes(), &known), None);
        let newer = known.replace("layout 4", "layout 5\u{1b}[31m");
        let reason = differs(newer.as_bytes(), &known).unwrap();
        assert!(
            reason.contains("layout 5\\u{1b}") && reason.contains("layout 4"),
            "{reason}"
        );
        assert!(differs(b"", &known).is_some());
        assert!(differs(format!("{known}more\n").as_bytes(), &known).is_some());
    }

    #[test]
    fn equal_sets_have_equal_tips() {
        let id = |n: u8| SegmentId::from_bytes(&[n; 20]).unwrap();
        let ledger = Ledger::default();
        let vectors = Named::default();
        fn contents<'a>(
            segments: &'a [SegmentId],
            ledger: &'a Ledger,
            vectors: &'a Named,
        ) -> Contents<'a> {
            Contents {
                segments,
                traces: &[],
                log: &[],
                vectors,
                ledger,
            }
        }
        let tip = |ids: &[SegmentId]| {
            let mut pack = PackWriter::new(SHA1);
            write(&mut pack, SHA1, contents(ids, &ledger, &vectors), &[]).unwrap()
        };
        assert_eq!(tip(&[id(1), id(2)]), tip(&[id(2), id(1)]));
        assert_ne!(tip(&[id(1)]), tip(&[]));
        let many: Vec<_> = (0..=MAX_SEGMENTS as u32)
            .map(|n| SegmentId::from_bytes(&[&n.to_be_bytes()[..], &[0; 16]].concat()).unwrap())
            .collect();
        let mut pack = PackWriter::new(gix::hash::Kind::Sha1);
        let err = write(&mut pack, SHA1, contents(&many, &ledger, &vectors), &[]).unwrap_err();
        assert!(matches!(err, Error::TooManySegments { .. }));
    }
}
