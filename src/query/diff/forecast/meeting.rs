//! Three states: ours, theirs, and what both come to together.

use super::answer::{Clash, Conflict, Forecast};
use super::doubled;
use super::uses::{Direction, Found};
use crate::git::RepoPath;
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::query::answer::SymbolRef;
use crate::query::diff::Comparison;
use crate::query::diff::changes::Change;
use crate::query::diff::files::FileChange;
use crate::query::diff::lines::LineMap;
use crate::query::verified;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Conflicts of one merge that are listed.
const MAX_CONFLICTS: usize = 300;

/// Files that differ from which on only those are compared that the other side's files have to do with.
const MANY_FILES: usize = 200;

/// One state: its files and what their names mean.
#[derive(Clone, Copy)]
pub(super) struct State<'a> {
    pub view: &'a View,
    pub graph: &'a Graph,
}

impl<'a> State<'a> {
    pub fn of(view: &'a View, graph: &'a Graph) -> Self {
        Self { view, graph }
    }

    fn pair(self) -> (&'a View, &'a Graph) {
        (self.view, self.graph)
    }
}

/// The states of a merge.
pub(super) struct Meeting<'a> {
    pub ours: State<'a>,
    pub theirs: State<'a>,
    /// What is merged.
    pub both: State<'a>,
    /// Files that differ between theirs and the merged state: what we bring.
    pub from_us: Vec<FileChange>,
    /// Files that differ between ours and the merged state: what they bring.
    pub from_them: Vec<FileChange>,
}

impl<'a> Meeting<'a> {
    /// Describes everything that is wrong with the merged state and was right on both sides.
    pub fn describe(&self, collided: &[&RepoPath], texts: &mut Texts, forecast: &mut Forecast) {
        let mut found = Vec::new();
        let mut compared = Vec::new();
        for is_ours in [true, false] {
            let mut direction = self.direction(is_ours);
            let uses = direction.uses(texts);
            let files = self.to_compare(&direction, &uses);
            let (user, both) = (direction.user.pair(), self.both.pair());
            let comparison = Comparison::of_files(user, both, files, texts);
            found.extend(direction.conflicts(&comparison, &uses, texts));
            compared.push(comparison);
        }
        found.extend(doubled::find(self, texts));
        found.sort_by(order);
        found.dedup_by(|a, b| is_same_place(a, b));
        found.truncate(MAX_CONFLICTS);
        forecast.conflicts = found;
        if let [of_us, of_them] = &compared[..] {
            forecast.both_changed = self.both_changed((of_us, of_them), collided, texts);
        }
    }

    /// Looks at the uses of one side of what the other one changed.
    fn direction(&self, is_ours: bool) -> Direction<'a, '_> {
        let (user, changer) = match is_ours {
            true => (self.ours, self.theirs),
            false => (self.theirs, self.ours),
        };
        let (brought, changed) = match is_ours {
            true => (&self.from_us, &self.from_them),
            false => (&self.from_them, &self.from_us),
        };
        Direction::new(is_ours, (user, changer, self.both), (brought, changed))
    }

    /// The files that the other side changed, as far as they have to do with this side: all of them, unless
    /// they are many.
    fn to_compare(&self, direction: &Direction<'a, '_>, uses: &Found) -> Vec<FileChange> {
        let changed = direction.changed;
        if changed.len() <= MANY_FILES {
            return changed.to_vec();
        }
        let brought: FxHashSet<FileId> = direction
            .brought
            .iter()
            .filter_map(|file| file.after())
            .collect();
        let concerned = |file: &FileChange| {
            file.before().is_some_and(|old| uses.files.contains(&old))
                || file.after().is_some_and(|new| brought.contains(&new))
        };
        changed.iter().copied().filter(concerned).collect()
    }

    /// Definitions whose code both sides changed. Not those of files in which text collides.
    fn both_changed(
        &self,
        (of_us, of_them): (&Comparison<'_>, &Comparison<'_>),
        collided: &[&RepoPath],
        texts: &mut Texts,
    ) -> Vec<SymbolRef> {
        let changed = |comparison: &Comparison<'_>| -> FxHashSet<SymbolId> {
            let changes = comparison.changes.iter();
            let changed = changes.filter_map(|change| match change {
                Change::Changed { new, how, .. } if how.is_code() => {
                    Some(comparison.new.unit(*new).id)
                }
                _ => None,
            });
            changed.collect()
        };
        let theirs = changed(of_them);
        let mut both: Vec<SymbolId> = changed(of_us)
            .into_iter()
            .filter(|id| theirs.contains(id))
            .filter(|id| {
                let (file, _) = self.both.graph.place(*id);
                !collided.contains(&&self.both.view.file(file).path)
            })
            .collect();
        both.sort_unstable();
        let (view, graph) = self.both.pair();
        let described = both.into_iter();
        described
            .filter_map(|id| verified::reference(view, graph, texts, id))
            .collect()
    }
}

/// Sure conflicts first, those of one cause together.
fn order(a: &Conflict, b: &Conflict) -> std::cmp::Ordering {
    let key = |conflict: &Conflict| {
        (
            conflict.unmet.certainty,
            !conflict.is_ours,
            conflict.unmet.at.clone(),
            conflict.unmet.expected.to_string(),
            conflict.clash,
            conflict.unmet.path.clone(),
            conflict.unmet.line,
        )
    };
    key(a).cmp(&key(b))
}

fn is_same_place(a: &Conflict, b: &Conflict) -> bool {
    let place = |conflict: &Conflict| (conflict.is_ours, conflict.unmet.line);
    let is_doubled = |conflict: &Conflict| conflict.clash == Clash::Doubled;
    place(a) == place(b)
        && a.unmet.path == b.unmet.path
        && a.unmet.expected == b.unmet.expected
        && is_doubled(a) == is_doubled(b)
}

/// Which lines of the merged state a side does not have.
pub(super) struct Origin<'a> {
    side: &'a View,
    both: &'a View,
    /// Where files of the merged state are on the side, if elsewhere.
    moved: FxHashMap<FileId, FileId>,
    maps: FxHashMap<FileId, Option<LineMap>>,
}

impl<'a> Origin<'a> {
    /// `changed` are the files that differ between the side and the merged state.
    pub fn of(side: &'a View, both: &'a View, changed: &[FileChange]) -> Self {
        let moved = changed.iter().filter_map(|file| match file {
            FileChange::Kept { old, new } => Some((*new, *old)),
            _ => None,
        });
        Self {
            side,
            both,
            moved: moved.collect(),
            maps: FxHashMap::default(),
        }
    }

    /// Where a file of the merged state is on the side.
    pub fn file(&self, merged: FileId) -> Option<FileId> {
        let moved = self.moved.get(&merged).copied();
        moved.or_else(|| self.side.file_at(self.both.file(merged).path.as_bytes()))
    }

    /// Whether the side lacks a line of the merged state. Where the text is not at hand, it has it.
    pub fn lacks(&mut self, file: FileId, line: u32, texts: &mut Texts) -> bool {
        let Some(there) = self.file(file) else {
            return true;
        };
        !self.is_same(there, file)
            && self
                .lines(there, file, texts)
                .is_some_and(|lines| lines.is_new(line))
    }

    /// Where a line of the side is in the merged state; `None` when it is not there.
    pub fn line_now(&mut self, file: FileId, line: u32, texts: &mut Texts) -> Option<u32> {
        let there = self.file(file)?;
        match self.is_same(there, file) {
            true => Some(line),
            false => self.lines(there, file, texts)?.new_line(line),
        }
    }

    fn is_same(&self, there: FileId, merged: FileId) -> bool {
        self.side.file(there).blob == self.both.file(merged).blob
    }

    /// The lines of a file of the side and of the merged state.
    fn lines(&mut self, there: FileId, merged: FileId, texts: &mut Texts) -> Option<&LineMap> {
        let (side, both) = (self.side, self.both);
        let compare = || {
            let (old, new) = (texts.get(side, there)?, texts.get(both, merged)?);
            Some(LineMap::of(old.bytes(), new.bytes()))
        };
        self.maps.entry(merged).or_insert_with(compare).as_ref()
    }
}
