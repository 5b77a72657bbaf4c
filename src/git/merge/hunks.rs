//! The hunks between git's markers: which of our lines they are, and a file with our lines in their place.
//!
//! The markers carry the id of the commit that was merged, which no line of a file can foresee.

use super::report::Conflict;
use crate::git::error::Error;
use crate::git::interrupt;
use crate::git::scratch::Scratch;
use crate::git::tree::{self, Found};
use crate::git::write::{NewEntry, PackWriter};
use crate::id::{CommitId, TreeId};
use std::ops::RangeInclusive;

/// Most files of which the colliding lines are looked for.
const MAX_FILES: usize = 1000;

/// Begins our lines in a file with markers.
fn opening(ours: CommitId) -> Vec<u8> {
    format!("<<<<<<< {ours}").into_bytes()
}

/// Replaces each hunk between markers by our lines.
pub(super) fn with_ours(marked: &[u8], ours: CommitId) -> Vec<u8> {
    enum At {
        Outside,
        Ours,
        Theirs,
    }
    let opening = opening(ours);
    let mut at = At::Outside;
    let mut out = Vec::with_capacity(marked.len());
    for line in marked.split_inclusive(|b| *b == b'\n') {
        at = match at {
            At::Outside if line.starts_with(&opening) => At::Ours,
            At::Ours if is_middle(line) => At::Theirs,
            At::Theirs if line.starts_with(b">>>>>>> ") => At::Outside,
            At::Theirs => At::Theirs,
            At::Outside | At::Ours => {
                out.extend_from_slice(line);
                at
            }
        };
    }
    out
}

fn is_middle(line: &[u8]) -> bool {
    matches!(line, b"=======\n" | b"=======\r\n")
}

/// Finds for each conflict in a file which lines of ours collide.
///
/// Both files are put side by side under names of our own and compared in one go. Fails with what git or
/// the object store says.
pub(super) fn find_ours(
    scratch: &Scratch,
    ours: CommitId,
    merged: TreeId,
    conflicts: &mut [Conflict],
) -> Result<(), Error> {
    let mut objects = scratch.objects();
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for (at, conflict) in conflicts.iter().enumerate() {
        let [_, Some((_, mine)), _] = conflict.stages else {
            continue;
        };
        if !conflict.is_marked() || old.len() == MAX_FILES {
            continue;
        }
        let found = tree::find(&mut objects, merged, &conflict.path)?;
        if let Some(Found::Leaf(mode, both)) = found
            && mode.is_file()
            && both != mine
        {
            old.push((at.to_string().into(), NewEntry::Blob(mine)));
            new.push((at.to_string().into(), NewEntry::Blob(both)));
        }
    }
    if old.is_empty() {
        return Ok(());
    }
    let mut pack = PackWriter::new(objects.hash());
    let trees = [pack.tree(old)?.to_string(), pack.tree(new)?.to_string()];
    scratch.write(&pack)?;
    let mut command = scratch.git();
    let args: &[&str] = words!(
        "diff-tree -r -p --no-renames --no-ext-diff --no-textconv --diff-algorithm=histogram --unified=0"
    );
    command.args(args).args(trees);
    let out = interrupt::wait(command)?;
    if !out.status.success() {
        return Err(out.into_error("diff-tree"));
    }
    let opening = opening(ours);
    let mut reader = Reader::default();
    let mut at = None;
    for line in out.stdout.split(|b| *b == b'\n') {
        if let Some(names) = line.strip_prefix(b"diff --git a/") {
            let end = names.iter().position(|b| *b == b' ');
            let number = std::str::from_utf8(&names[..end.unwrap_or(0)]).ok();
            at = number.and_then(|number| number.parse::<usize>().ok());
            reader = Reader::default();
        } else if let Some(conflict) = at.and_then(|at| conflicts.get_mut(at)) {
            conflict.lines.extend(reader.read(line, &opening));
        }
    }
    Ok(())
}

/// Reads the difference between our file and the one with markers, which has our lines and more.
#[derive(Default)]
struct Reader {
    /// The hunk that is being read: our first line in it or after it, and the first one behind it.
    hunk: (u32, u32),
    /// Where our lines begin, when a marker was met and its end was not.
    open: Option<u32>,
}

impl Reader {
    /// Takes a line of the difference, and returns which lines of ours collide when it ends a conflict.
    fn read(&mut self, line: &[u8], opening: &[u8]) -> Option<RangeInclusive<u32>> {
        if let Some(head) = line.strip_prefix(b"@@ -") {
            self.hunk = position(head)?;
        }
        let added = line.strip_prefix(b"+")?;
        if added.starts_with(opening) {
            self.open = Some(self.hunk.0);
        }
        match added.starts_with(b">>>>>>> ") {
            true => self.open.take().map(|from| from..=self.hunk.1 - 1),
            false => None,
        }
    }
}

/// Reads `start,count` at the head of a hunk. Without lines, `start` is the line before.
fn position(head: &[u8]) -> Option<(u32, u32)> {
    let head = std::str::from_utf8(head.split(|b| *b == b' ').next()?).ok()?;
    let (start, count) = head.split_once(',').unwrap_or((head, "1"));
    let (start, count): (u32, u32) = (start.parse().ok()?, count.parse().ok()?);
    let first = match count {
        0 => start.checked_add(1)?,
        _ => start.max(1),
    };
    Some((first, first.checked_add(count)?))
}
