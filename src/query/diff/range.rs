//! Which two states are compared: `BASE`, `BASE..HEAD`, `BASE...HEAD`, and what is usual where one is left out.

use crate::git::Repo;
use crate::git::revisions;
use crate::id::CommitId;
use crate::query::Error;
use crate::query::baseline::Baseline;
use crate::query::request::Revision;

/// A range as it was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Range {
    /// What to compare with; what the new state left when `None`.
    pub base: Option<String>,
    /// The new state.
    pub head: Revision,
    /// Whether the base itself counts, and not where the new state left it.
    pub is_direct: bool,
}

impl Range {
    /// Reads a range. As in git, two dots compare two states, and three compare with where the second left the
    /// first; a lone base is what was left, and the work tree stands where no second state is named.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let named = |part: &str| (!part.is_empty()).then(|| part.to_owned());
        let head = |part: &str| named(part).map_or(Revision::WorkTree, Revision::At);
        if let Some((base, end)) = text.split_once("...") {
            return Self {
                base: named(base),
                head: head(end),
                is_direct: false,
            };
        }
        match text.split_once("..") {
            Some((base, end)) => Self {
                base: named(base),
                head: head(end),
                is_direct: true,
            },
            None => Self {
                base: named(text),
                ..Self::default()
            },
        }
    }

    /// Chooses the commit to compare with. Fails on an unknown base, or one that a shallow clone lacks. The
    /// sentence beside it says what was not as asked for.
    pub fn baseline(
        &self,
        repo: &Repo,
        head: Option<CommitId>,
        dirty: bool,
    ) -> Result<(Baseline, Option<String>), Error> {
        let Some(base) = &self.base else {
            return Ok((Baseline::choose(repo, None, head, dirty)?, None));
        };
        let commit = repo.resolve(base)?;
        let whole = |chosen: String| Baseline {
            commit: Some(commit),
            chosen,
        };
        if self.is_direct {
            return Ok((whole(base.clone()), None));
        }
        let fork = match head {
            Some(head) => revisions::merge_base(repo, commit, head)?,
            None => None,
        };
        if fork.is_none() && head.is_some() {
            let why = match repo.is_shallow() {
                true => "as far as this shallow clone goes",
                false => "so all that differs is shown",
            };
            let said = format!("no common ancestor with {base}, {why}");
            return Ok((whole(base.clone()), Some(said)));
        }
        Ok((Baseline::choose(repo, Some(base), head, dirty)?, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_git_reads_them() {
        let read = |text: &str| {
            let range = Range::parse(text);
            let head = match range.head {
                Revision::At(rev) => rev,
                Revision::WorkTree => "work tree".to_owned(),
            };
            (range.base.unwrap_or_default(), head, range.is_direct)
        };
        let said = |base: &str, head: &str, direct| (base.to_owned(), head.to_owned(), direct);
        assert_eq!(read(""), said("", "work tree", false));
        assert_eq!(read("main"), said("main", "work tree", false));
        assert_eq!(read("a..b"), said("a", "b", true));
        assert_eq!(read("a.."), said("a", "work tree", true));
        assert_eq!(read("a...b"), said("a", "b", false));
        assert_eq!(read("..b"), said("", "b", true));
        assert_eq!(read("v1.2..v1.3"), said("v1.2", "v1.3", true));
    }
}
