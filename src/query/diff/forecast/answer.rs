//! Answers of `diff --with`.

use crate::git::divergence::{self, Divergence};
use crate::git::merge::ConflictKind;
use crate::git::{Repo, RepoPath};
use crate::id::CommitId;
use crate::query::answer::SymbolRef;
use crate::query::diff::answer::Unmet;
use crate::query::state::Stamp;

/// Answer of `diff --with`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ForecastAnswer {
    /// Our side.
    pub stamp: Stamp,
    /// What the merge with each of the others would come to, in the order they were asked for.
    pub forecasts: Vec<Forecast>,
}

/// What a merge would come to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Forecast {
    /// Who is merged: a revision as it was given, or the top of a work tree.
    pub name: String,
    /// The branch of a work tree.
    pub branch: Option<String>,
    /// Abbreviated commit; `None` where there is none.
    pub commit: Option<String>,
    /// Uncommitted files of theirs.
    pub dirty: usize,
    /// Commits that they have and we do not.
    pub ahead: usize,
    /// Commits that we have and they do not.
    pub behind: usize,
    /// How it would go.
    pub fate: Fate,
    /// Files that it would change for us.
    pub incoming: usize,
    /// Where text collides.
    pub collisions: Vec<TextConflict>,
    /// Conflicts that git does not see: those of one cause together, sure ones first.
    pub conflicts: Vec<Conflict>,
    /// Definitions that both sides changed although no text collides.
    pub both_changed: Vec<SymbolRef>,
}

/// How a merge would go.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Fate {
    /// There is nothing to merge.
    #[default]
    Contained,
    /// No text collides.
    Clean,
    /// Text collides.
    Collides,
    /// The histories have no commit in common, and git would refuse.
    Unrelated,
    /// As far as this shallow clone goes, they have none in common.
    CutOff,
    /// It could not be made: why.
    Unknown(String),
}

/// A path at which text collides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextConflict {
    /// Where.
    pub path: String,
    /// In which way.
    pub kind: ConflictKind,
    /// Our lines, first and last; the last is before the first where we have nothing.
    pub lines: Vec<(u32, u32)>,
}

labelled! {
    /// What is wrong in a merged tree that no text says.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Clash {
        /// One side uses what the other one removed.
        Removed = "removed",
        /// One side uses by its old name what the other one renamed.
        Renamed = "renamed",
        /// One side uses where it was what the other one moved.
        Moved = "moved",
        /// One side uses what the other one let fewer see.
        Hidden = "hidden",
        /// One side uses what the other one does not import there any more.
        Unimported = "no longer imported",
        /// One side calls what takes something else on the other one.
        Signature = "signature",
        /// One side overrides or implements what the other one changed.
        Overrides = "overrides",
        /// One side has a type that lacks what the other one made its base want.
        Lacks = "lacks",
        /// Both sides define a name in one place.
        Doubled = "defined twice",
    }
}

/// A conflict that git does not see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// What is wrong.
    pub clash: Clash,
    /// Whether the place is of our side, and what it expects was changed by theirs; else the other way round.
    pub is_ours: bool,
    /// The place, in the merged tree; what it expects is as it was on its side.
    pub unmet: Unmet,
    /// The file in which the other side changed it.
    pub(super) changed_in: RepoPath,
    /// Abbreviated id of the commit that touched that file last on the side that changed it; `None` for
    /// uncommitted work, or where it is not known.
    pub commit: Option<String>,
}

impl Forecast {
    /// Says which commits did it. `uncommitted` says of a path on our side or on theirs whether no commit did.
    pub(super) fn attribute(
        &mut self,
        repo: &Repo,
        between: &Divergence,
        uncommitted: impl Fn(bool, &RepoPath) -> bool,
    ) {
        for by_us in [true, false] {
            let mut paths: Vec<RepoPath> = (self.conflicts.iter())
                .filter(|conflict| conflict.is_ours != by_us)
                .map(|conflict| conflict.changed_in.clone())
                .filter(|path| !uncommitted(by_us, path))
                .collect();
            paths.sort_unstable();
            paths.dedup();
            let commits = match by_us {
                true => &between.ours,
                false => &between.theirs,
            };
            let found = divergence::last_to_touch(repo, commits, &paths);
            for conflict in &mut self.conflicts {
                if conflict.is_ours != by_us {
                    let commit = found.get(&conflict.changed_in);
                    conflict.commit = commit.map(CommitId::short);
                }
            }
        }
    }
}
