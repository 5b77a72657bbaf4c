//! What `git merge-tree -z --messages` says: the tree, the stages of each path that collides, and in which
//! way. `None` for anything else than that.

use crate::git::path::RepoPath;
use crate::git::tree::EntryMode;
use crate::id::{BlobId, TreeId};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A path at which two sides of a merge collide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// Where, in the merged tree.
    pub path: RepoPath,
    /// In which way.
    pub kind: ConflictKind,
    /// Our lines that collide, counted from 1 in the file of our side; a range whose end is before its start
    /// is a place between two lines, where they have something and we have nothing. Empty where whole files
    /// collide, not lines.
    pub lines: Vec<RangeInclusive<u32>>,
    /// What the common ancestor, we and they have there.
    pub(super) stages: Stages,
}

/// The entries of one path: of the common ancestor, ours and theirs.
pub(super) type Stages = [Option<(EntryMode, BlobId)>; 3];

impl Conflict {
    /// Whether the merged tree has a file with markers there.
    pub(super) fn is_marked(&self) -> bool {
        let [_, ours, theirs] = self.stages;
        let is_file =
            |side: Option<(EntryMode, BlobId)>| side.is_some_and(|(mode, _)| mode.is_file());
        is_file(ours) && is_file(theirs)
    }
}

labelled! {
    /// How two sides collide at a path.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum ConflictKind {
        /// Both changed the same lines.
        Content = "content",
        /// Both added a file there, with different content.
        AddAdd = "add/add",
        /// They changed what we deleted.
        DeletedByUs = "deleted by us",
        /// We changed what they deleted.
        DeletedByThem = "deleted by them",
        /// Both changed a file that is not text.
        Binary = "binary",
        /// One side has a file there, the other one a link or a submodule, or they differ in the mode.
        Mode = "mode",
        /// Renames collide: of one file to two names, of two files to one, or of the folder around it.
        Rename = "rename",
        /// One side renamed what the other one deleted.
        RenameDelete = "rename/delete",
        /// One side has a file where the other one has a folder.
        FileDirectory = "file/directory",
        /// Both moved a submodule.
        Submodule = "submodule",
    }
}

/// What git made.
pub(super) struct Report {
    pub tree: TreeId,
    pub conflicts: Vec<Conflict>,
}

/// Reads what git printed of a merge that it called clean or not.
pub(super) fn parse(stdout: &[u8], is_clean: bool) -> Option<Report> {
    let mut fields = stdout.split(|b| *b == 0);
    let tree = TreeId::from_hex(fields.next()?)?;
    if is_clean {
        let conflicts = Vec::new();
        return Some(Report { tree, conflicts });
    }
    let mut found: BTreeMap<RepoPath, (Stages, Option<ConflictKind>)> = BTreeMap::new();
    loop {
        // An empty field ends the stages.
        let field = match fields.next() {
            None | Some(b"") => break,
            Some(field) => field,
        };
        let tab = field.iter().position(|b| *b == b'\t')?;
        let path = RepoPath::new(&field[tab + 1..]).ok()?;
        let mut words = field[..tab].split(|b| *b == b' ');
        let (mode, id, stage) = (words.next()?, words.next()?, words.next()?);
        let at = [b"1", b"2", b"3"].iter().position(|s| *s == stage)?;
        let entry = (mode_of(mode)?, BlobId::from_hex(id)?);
        found.entry(path).or_default().0[at] = Some(entry);
    }
    while let Some(count) = fields.next().filter(|field| !field.is_empty()) {
        let count: usize = std::str::from_utf8(count).ok()?.parse().ok()?;
        let mut paths = Vec::new();
        for _ in 0..count {
            paths.push(RepoPath::new(fields.next()?).ok()?);
        }
        let kind = kind_of(fields.next()?);
        fields.next()?;
        let Some(kind) = kind else { continue };
        // A message may name old paths too; one that is about nothing else must not be lost.
        let mut named = paths.iter().filter(|path| found.contains_key(*path));
        match (named.next(), paths.first()) {
            (Some(first), _) => {
                let all = std::iter::once(first).chain(named);
                let all: Vec<RepoPath> = all.cloned().collect();
                for path in all {
                    if let Some((_, said)) = found.get_mut(&path) {
                        *said = (*said).max(Some(kind));
                    }
                }
            }
            (None, Some(path)) => drop(found.insert(path.clone(), (Stages::default(), Some(kind)))),
            (None, None) => {}
        }
    }
    let conflicts = found.into_iter().map(|(path, (stages, said))| Conflict {
        path,
        kind: kind_by(stages, said),
        lines: Vec::new(),
        stages,
    });
    Some(Report {
        tree,
        conflicts: conflicts.collect(),
    })
}

fn mode_of(octal: &[u8]) -> Option<EntryMode> {
    match octal {
        b"100644" => Some(EntryMode::File),
        b"100755" => Some(EntryMode::Executable),
        b"120000" => Some(EntryMode::Symlink),
        b"160000" => Some(EntryMode::Gitlink),
        _ => None,
    }
}

/// The kind of a message, by the type that git gives it, which is meant to be read by programs.
fn kind_of(said: &[u8]) -> Option<ConflictKind> {
    let said = std::str::from_utf8(said).ok()?.strip_prefix("CONFLICT")?;
    let kind = said.trim_start().trim_matches(['(', ')']);
    Some(match kind {
        "contents" => ConflictKind::Content,
        "binary" => ConflictKind::Binary,
        "file/directory" => ConflictKind::FileDirectory,
        "distinct modes" => ConflictKind::Mode,
        // The stages say which side deleted.
        "modify/delete" => ConflictKind::DeletedByUs,
        "rename/delete" => ConflictKind::RenameDelete,
        _ if kind.contains("submodule") => ConflictKind::Submodule,
        // Two names of one file, two files of one name, and all about renamed folders.
        _ => ConflictKind::Rename,
    })
}

/// The kind of a conflict by what each side has, where the message alone does not tell.
fn kind_by(stages: Stages, said: Option<ConflictKind>) -> ConflictKind {
    match (said, stages) {
        (None | Some(ConflictKind::Content | ConflictKind::DeletedByUs), stages) => match stages {
            [_, None, Some(_)] => ConflictKind::DeletedByUs,
            [_, Some(_), None] => ConflictKind::DeletedByThem,
            [None, Some(_), Some(_)] => ConflictKind::AddAdd,
            _ => said.unwrap_or(ConflictKind::Content),
        },
        (Some(kind), _) => kind,
    }
}
