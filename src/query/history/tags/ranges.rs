//! Releases in the order of their versions, those that follow each other and have the same as one.

use super::answer::{Range, Standing, Tally};
use super::finder::{InTree, Located};
use super::order::Version;
use crate::git::tags::{NamedCommit, RefKind};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a tag or a branch has.
#[derive(Clone)]
pub struct Judgement {
    /// What it has.
    pub standing: Standing,
    /// Tells versions of a body apart; 0 where only the standing counts.
    pub digest: u64,
    /// Whether the commit of a change is in its history.
    pub holds: Option<bool>,
    /// Whether another commit is that did the same, and it is not fixed for all that.
    pub holds_other: bool,
    /// What says so.
    pub found: Option<Rc<Located>>,
    /// How alike that is to what was asked about.
    pub likeness: Option<f64>,
}

impl Judgement {
    /// Nothing found.
    pub fn absent(holds: Option<bool>) -> Self {
        Self {
            standing: Standing::Absent,
            digest: 0,
            holds,
            holds_other: false,
            found: None,
            likeness: None,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let key = |one: &Self| (one.standing, one.digest, one.holds, one.holds_other);
        key(self) == key(other)
    }
}

/// Tags and branches that have the same, before commits are read for them.
pub struct Group {
    /// What is told of them.
    pub range: Range,
    /// The oldest tag, or the first branch, with what it has.
    pub oldest: (NamedCommit, Judgement),
    /// The newest tag, or the first branch, with what it has.
    pub newest: (NamedCommit, Judgement),
}

/// A tag or a branch with what it has.
pub type One = (NamedCommit, Judgement);

/// The tags of one series.
type Series = Vec<(Version, One)>;

/// Groups all of them: of each series of tags the newest first, the longest series first; then branches that have what
/// no tag has.
pub fn group(all: Vec<One>) -> Vec<Group> {
    let (tags, branches): (Vec<One>, Vec<One>) = all
        .into_iter()
        .partition(|(named, _)| named.kind == RefKind::Tag);
    let mut series: BTreeMap<(bool, String), Series> = BTreeMap::new();
    for one in tags {
        let version = Version::of(&one.0.name);
        let key = (!version.is_numbered(), version.series.clone());
        series.entry(key).or_default().push((version, one));
    }
    let mut series: Vec<((bool, String), Series)> = series.into_iter().collect();
    series.sort_by_key(|((is_unnumbered, _), tags)| (*is_unnumbered, Reverse(tags.len())));
    let mut groups: Vec<Group> = Vec::new();
    for ((is_unnumbered, _), mut tags) in series {
        tags.sort_by(|(a, (left, _)), (b, (right, _))| {
            let version = match is_unnumbered {
                true => Ordering::Equal,
                false => a.order(b),
            };
            version
                .then(left.date.cmp(&right.date))
                .then_with(|| left.name.cmp(&right.name))
        });
        let mut own: Vec<Group> = Vec::new();
        for (_, one) in tags.into_iter().rev() {
            match own.last_mut() {
                Some(last) if last.oldest.1.is_same(&one.1) => last.add_older(one),
                _ => own.push(Group::of(one)),
            }
        }
        groups.extend(own);
    }
    for one in branches {
        match groups
            .iter_mut()
            .find(|group| group.newest.1.is_same(&one.1))
        {
            Some(group) => {
                group.widen(&one.1);
                group.range.branches.push(one.0.name);
            }
            None => groups.push(Group::of(one)),
        }
    }
    groups
}

impl Group {
    fn of(one: One) -> Self {
        let mut range = Range {
            standing: one.1.standing,
            tags: Vec::new(),
            branches: Vec::new(),
            holds: one.1.holds,
            holds_other: one.1.holds_other,
            place: None,
            likeness: None,
            since: None,
            reach: Vec::new(),
        };
        match one.0.kind {
            RefKind::Tag => range.tags.push(one.0.name.clone()),
            RefKind::Branch => range.branches.push(one.0.name.clone()),
        }
        let mut group = Self {
            range,
            newest: one.clone(),
            oldest: one,
        };
        let first = group.newest.1.clone();
        group.widen(&first);
        group
    }

    fn add_older(&mut self, one: One) {
        self.range.tags.insert(0, one.0.name.clone());
        self.widen(&one.1);
        self.oldest = one;
    }

    fn widen(&mut self, judgement: &Judgement) {
        if let Some(one) = judgement.likeness {
            let (least, most) = self.range.likeness.unwrap_or((one, one));
            self.range.likeness = Some((least.min(one), most.max(one)));
        }
    }
}

/// How many there are of each standing.
pub fn tally(all: &[One]) -> Vec<Tally> {
    let of = |standing: Standing| {
        let count = |kind: RefKind| {
            let same = all.iter();
            same.filter(|(named, one)| named.kind == kind && one.standing == standing)
                .count()
        };
        Tally {
            standing,
            tags: count(RefKind::Tag),
            branches: count(RefKind::Branch),
        }
    };
    let tallies = Standing::ALL.into_iter().map(of);
    tallies
        .filter(|tally| tally.tags + tally.branches > 0)
        .collect()
}

/// What was found of the first that is there.
pub fn first(found: &InTree) -> Option<Rc<Located>> {
    found.iter().flatten().next().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::CommitId;

    fn one(name: &str, kind: RefKind, standing: Standing) -> One {
        let named = NamedCommit {
            whole: name.to_owned(),
            name: name.to_owned(),
            kind,
            commit: CommitId::new(gix::ObjectId::null(gix::hash::Kind::Sha1)),
            date: 0,
        };
        let judgement = Judgement {
            standing,
            ..Judgement::absent(None)
        };
        (named, judgement)
    }

    #[test]
    fn what_follows_and_is_the_same_is_one_range() {
        use Standing::{Affected, Fixed};
        let all = vec![
            one("v1.0", RefKind::Tag, Affected),
            one("v1.10", RefKind::Tag, Fixed),
            one("v1.9", RefKind::Tag, Affected),
            one("util-0.1", RefKind::Tag, Affected),
            one("nightly", RefKind::Tag, Fixed),
            one("main", RefKind::Branch, Fixed),
            one("old", RefKind::Branch, Standing::Absent),
        ];
        let counted = tally(&all);
        let said: Vec<String> = group(all)
            .iter()
            .map(|group| {
                let names = [&group.range.tags[..], &group.range.branches[..]].concat();
                format!("{} {}", group.range.standing.label(), names.join(" "))
            })
            .collect();
        assert_eq!(
            said,
            [
                "fixed v1.10 main",
                "affected v1.0 v1.9",
                "affected util-0.1",
                "fixed nightly",
                "not there old",
            ]
        );
        let affected = counted.iter().find(|tally| tally.standing == Affected);
        assert_eq!(
            affected.map(|tally| (tally.tags, tally.branches)),
            Some((3, 0))
        );
    }
}
