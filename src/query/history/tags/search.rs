//! The search through all tags and branches, and what is told of those of a page.

use super::answer::{Place, Range, Standing};
use super::finder::{Finder, InTree, Located};
use super::judge::Question as Judge;
use super::ranges::{self, Group, Judgement, One};
use super::reached;
use crate::git::tags::{self as refs, NamedCommit};
use crate::git::{Error as GitError, tree};
use crate::id::CommitId;
use crate::query::Error;
use crate::query::definitions;
use crate::query::engine::{Engine, Pinned};
use crate::query::history::ancestry::Trail;
use crate::query::history::commits;
use crate::query::history::ends::stood;
use crate::query::history::follow::{Follower, Past};
use crate::query::history::learnt::Learnt;
use crate::query::history::request::Wanted;
use crate::query::history::step::{Held, Stepper};
use crate::query::scope::Filter;
use crate::store::Progress;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Definitions that are followed to where they stood.
const MAX_FOLLOWED: usize = 3;
/// Files that define a name at the state asked about, which are looked at.
const MAX_NAMED: usize = 8;
/// Ranges of which the commit that began them is looked for.
const MAX_SINCE: usize = 40;
/// Commits that did the same as a change, of which it is asked who has them.
const MAX_OTHERS: usize = 16;
/// What a commit did to a definition that makes it no other version of it.
const SLIGHT: &[&str] = &["comments", "moved", "renamed"];

/// A search through all tags and branches.
pub struct Search<'s, 'a> {
    engine: &'a Engine,
    pinned: &'a Pinned,
    finder: Finder<'s, 'a>,
    judge: Judge,
    found: FxHashMap<CommitId, Option<InTree>>,
    unreadable: usize,
}

impl<'s, 'a> Search<'s, 'a> {
    /// Starts with nothing found.
    pub(super) fn new(
        engine: &'a Engine,
        pinned: &'a Pinned,
        finder: Finder<'s, 'a>,
        judge: Judge,
    ) -> Self {
        Self {
            engine,
            pinned,
            finder,
            judge,
            found: FxHashMap::default(),
            unreadable: 0,
        }
    }

    /// Finds the definitions in all of them; where one is not found, also where it stood before.
    pub(super) fn find(
        &mut self,
        all: &[NamedCommit],
        progress: &dyn Progress,
        remarks: &mut Vec<String>,
    ) -> Result<(), Error> {
        let mut commits: Vec<(i64, CommitId)> =
            all.iter().map(|named| (named.date, named.commit)).collect();
        commits.sort_unstable();
        commits.dedup();
        for (done, (_, commit)) in commits.iter().rev().enumerate() {
            if progress.cancelled() {
                let said = format!("stopped after {done} of {} commits", commits.len());
                remarks.push(said);
                return Ok(());
            }
            self.locate(*commit)?;
        }
        let is_open = |commit: &CommitId| {
            let found = self.found.get(commit).and_then(Option::as_ref);
            found.is_some_and(|found| self.judge.lacks(found))
        };
        let open: Vec<CommitId> = commits.iter().rev().map(|(_, commit)| *commit).collect();
        let open: Vec<CommitId> = open.into_iter().filter(is_open).collect();
        if open.is_empty() || !self.follow(progress)? {
            return Ok(());
        }
        for commit in open {
            if progress.cancelled() {
                remarks.push("stopped before all former names were tried".to_owned());
                return Ok(());
            }
            self.locate(commit)?;
        }
        Ok(())
    }

    fn locate(&mut self, commit: CommitId) -> Result<(), Error> {
        let found = match self.finder.locate(commit) {
            Ok(found) => Some(found),
            Err(Error::Git(
                GitError::MissingObject(_)
                | GitError::CorruptObject { .. }
                | GitError::WrongKind { .. }
                | GitError::TreeTooLarge { .. },
            )) => None,
            Err(err) => return Err(err),
        };
        self.found.insert(commit, found);
        Ok(())
    }

    /// Follows definitions to where they stood before; whether that is somewhere else.
    fn follow(&mut self, progress: &dyn Progress) -> Result<bool, Error> {
        let mut is_news = self.other_names();
        let head = self.pinned.stamp.commit;
        let here = match head {
            Some(head) => self.finder.locate(head).ok(),
            None => None,
        };
        for at in 0..self.finder.sought.len().min(MAX_FOLLOWED) {
            if self.finder.sought[at].class.is_none() {
                continue;
            }
            let mut there = here.as_ref().and_then(|found| found[at].clone());
            if there.is_none() {
                is_news |= self.same_name(at);
                let again = head.and_then(|head| self.finder.locate(head).ok());
                there = again.and_then(|found| found[at].clone());
            }
            let begin = match (head, there) {
                (Some(head), Some(located)) => Some((head, located.held.clone())),
                _ => self.judge.before(at),
            };
            if let Some((commit, held)) = begin {
                let past = self.past(commit, held, Wanted::ALL, progress)?;
                for stand in stood(&past) {
                    is_news |= self.finder.add_path_of(at, stand.path);
                    is_news |= self.finder.add_chain(at, stand.qualified.into_bytes());
                }
            }
        }
        Ok(is_news)
    }

    /// Looks for definitions, too, under the names that they were found under for being so much alike.
    fn other_names(&mut self) -> bool {
        let mut names: Vec<(usize, Vec<u8>)> = Vec::new();
        for found in self.found.values().flatten() {
            for (at, located) in found.iter().enumerate() {
                let symbol = located.as_ref().and_then(|located| located.symbol.as_ref());
                names.extend(symbol.map(|symbol| (at, symbol.qualified.as_bytes().to_vec())));
            }
        }
        names.sort_unstable();
        names.dedup();
        let mut is_news = false;
        for (at, name) in names {
            is_news |= self.finder.add_chain(at, name);
        }
        is_news
    }

    /// Looks at the files, too, that define the name now.
    fn same_name(&mut self, at: usize) -> bool {
        let view = self.pinned.view();
        let chains = self.finder.sought[at].chains.clone();
        let mut is_news = false;
        for chain in chains {
            let own = chain.rsplit(|b| *b == b'.').next().unwrap_or(&chain);
            let named = definitions::find_exact(view, &Filter::open(), own);
            for found in named.iter().take(MAX_NAMED) {
                is_news |= self.finder.add_path(view.file(found.file).path.clone());
            }
        }
        is_news
    }

    fn past(
        &mut self,
        commit: CommitId,
        held: Held,
        wanted: Wanted,
        progress: &dyn Progress,
    ) -> Result<Past, Error> {
        let bytes = self.finder.ancestry.blob(held.blob)?.into();
        let held = Held { bytes, ..held };
        let stepper = Stepper::new(self.engine, self.pinned.view(), Vec::new());
        let mut texts = Texts::new(self.engine.repo_shared());
        let learnt: &Learnt = &self.engine.learnt;
        let follower = Follower::new(
            self.finder.ancestry,
            &stepper,
            &mut texts,
            (wanted, learnt),
            progress,
        );
        follower.follow(commit, held)
    }

    /// Says of each tag and branch what it has.
    pub(super) fn judge(
        &mut self,
        all: &[NamedCommit],
        progress: &dyn Progress,
        remarks: &mut Vec<String>,
    ) -> Result<Vec<One>, Error> {
        let holding = match self.judge.after() {
            Some(after) => match refs::holding(self.engine.repo(), after) {
                Ok(names) => Some(names),
                Err(err) => {
                    remarks.push(format!("which tags hold the commit is not known: {err}"));
                    None
                }
            },
            None => None,
        };
        let mut judged = Vec::with_capacity(all.len());
        for named in all {
            let holds = holding.as_ref().map(|names| names.contains(&named.whole));
            match self.found.get(&named.commit).and_then(Option::as_ref) {
                Some(found) => judged.push((named.clone(), self.judge.of(found, holds))),
                None => self.unreadable += 1,
            }
        }
        let others = match holding {
            Some(_) => self.others(&judged, progress)?,
            None => FxHashSet::default(),
        };
        for (named, judgement) in &mut judged {
            if judgement.holds != Some(false) || !others.contains(&named.whole) {
                continue;
            }
            // What it was made of was fixed, as if it held the commit itself.
            if let Some(Some(found)) = self.found.get(&named.commit) {
                let again = self.judge.of(found, Some(true));
                *judgement = Judgement {
                    holds: Some(false),
                    holds_other: again.standing != Standing::Fixed,
                    ..again
                };
            }
        }
        Ok(judged)
    }

    /// The whole names of the tags and branches that have a commit in their history that did what the change does, and
    /// is another.
    fn others(
        &mut self,
        judged: &[One],
        progress: &dyn Progress,
    ) -> Result<FxHashSet<String>, Error> {
        let mut commits: Vec<CommitId> = Vec::new();
        for group in ranges::group(judged.to_vec()) {
            let (named, judgement) = &group.oldest;
            if judgement.standing == Standing::Fixed
                && judgement.holds == Some(false)
                && commits.len() < MAX_OTHERS
                && let Some(located) = &judgement.found
                && let Some(commit) = self.since(named.commit, located, progress)?
                && !commits.contains(&commit)
                && self.did_the_same(commit)?
            {
                commits.push(commit);
            }
        }
        let mut names = FxHashSet::default();
        for commit in commits {
            names.extend(refs::holding(self.engine.repo(), commit)?);
        }
        Ok(names)
    }

    /// Whether what a commit has is fixed, and what its parent has is not.
    fn did_the_same(&mut self, commit: CommitId) -> Result<bool, Error> {
        let parents = self.engine.repo().commit_parents(commit)?;
        let Some(parent) = parents.first() else {
            return Ok(false);
        };
        let mut standing = |commit: CommitId| -> Result<Standing, Error> {
            let found = self.finder.locate(commit)?;
            Ok(self.judge.of(&found, Some(false)).standing)
        };
        let is_fixed = standing(commit)? == Standing::Fixed;
        Ok(is_fixed && !matches!(standing(*parent)?, Standing::Fixed | Standing::Absent))
    }

    /// What of all this is not known.
    pub(super) fn said(&self, named: &refs::Named, listed: usize, remarks: &mut Vec<String>) {
        if named.all.is_empty() {
            let said = "there are no tags and no branches here; `git fetch --tags` brings them";
            remarks.push(said.to_owned());
        }
        if named.others > 0 {
            let said = format!("{} refs lead to no commit that is here", named.others);
            remarks.push(said);
        }
        if self.unreadable > 0 {
            let said = format!("{} tags or branches could not be read", self.unreadable);
            remarks.push(said);
        }
        if listed > MAX_SINCE {
            remarks.push(format!("commits are named of the first {MAX_SINCE} lines"));
        }
        remarks.push(format!("{} versions of files read", self.finder.blobs));
    }

    /// Reads what is told of the groups of a page.
    pub(super) fn describe(
        &mut self,
        groups: Vec<Group>,
        progress: &dyn Progress,
        remarks: &mut Vec<String>,
    ) -> Result<Vec<Range>, Error> {
        let mut ranges = Vec::with_capacity(groups.len());
        let names = commits::names(self.engine.repo(), self.pinned.view());
        for (number, group) in groups.iter().enumerate() {
            let mut range = group.range.clone();
            range.place = group.newest.1.found.as_ref().map(|located| place(located));
            // Of what lies on top of the change itself, that is no news.
            let is_own = range.standing == Standing::Fixed && range.holds == Some(true);
            let is_before = matches!(
                range.standing,
                Standing::Affected | Standing::Perhaps | Standing::Unknown
            );
            if let Some(located) = &group.oldest.1.found
                && number < MAX_SINCE
                && !is_own
                && !is_before
            {
                let since = self.since(group.oldest.0.commit, located, progress)?;
                let objects = self.finder.ancestry.objects();
                let line = since.map(|commit| commits::line(objects, commit, &names));
                range.since = line.transpose()?;
            }
            ranges.push(range);
        }
        self.look_into(&groups, &mut ranges, progress, remarks)?;
        Ok(ranges)
    }

    /// Says of some releases whether others get to what they have: of the newest of each range first.
    fn look_into(
        &mut self,
        groups: &[Group],
        ranges: &mut [Range],
        progress: &dyn Progress,
        remarks: &mut Vec<String>,
    ) -> Result<(), Error> {
        let exposed =
            || (groups.iter().zip(0..)).filter(|(group, _)| group.range.standing.is_exposed());
        let newest = exposed().map(|(group, at)| (&group.newest, at));
        let oldest = exposed().map(|(group, at)| (&group.oldest, at));
        let mut checked: Vec<CommitId> = Vec::new();
        let (mut left, mut is_large) = (0, false);
        for ((named, judgement), at) in newest.chain(oldest) {
            let located = judgement.found.as_ref();
            let Some(located) = located.filter(|located| located.symbol.is_some()) else {
                continue;
            };
            if checked.contains(&named.commit) {
                continue;
            }
            if checked.len() >= reached::MAX_CHECKED {
                left += 1;
                continue;
            }
            if self.is_large(named.commit)? {
                is_large = true;
                continue;
            }
            checked.push(named.commit);
            let reach = reached::look(self.engine, named, located, progress)?;
            if let Some(range) = ranges.get_mut(at) {
                range.reach.push(reach);
            }
        }
        if left > 0 {
            let most = reached::MAX_CHECKED;
            remarks.push(format!("who reaches it was looked into in {most} releases"));
        }
        if is_large {
            let most = reached::MAX_FILES;
            remarks.push(format!(
                "who reaches it was not looked into where there are more than {most} files"
            ));
        }
        Ok(())
    }

    fn is_large(&mut self, commit: CommitId) -> Result<bool, Error> {
        let root = self.finder.ancestry.root(commit)?;
        let files = tree::list(self.finder.ancestry.objects(), root)?;
        Ok(files.len() > reached::MAX_FILES)
    }

    /// The commit that made a definition, or a file, what it is in a release.
    fn since(
        &mut self,
        commit: CommitId,
        located: &Located,
        progress: &dyn Progress,
    ) -> Result<Option<CommitId>, Error> {
        if located.symbol.is_none() {
            let mut trail = Trail::to_file(&located.held.path);
            let entry = Some(located.held.blob.as_object());
            let event = self.finder.ancestry.origin(commit, entry, &mut trail);
            return Ok(event.ok().map(|event| event.commit));
        }
        let wanted = Wanted {
            count: 2,
            ..Wanted::ALL
        };
        let past = match self.past(commit, located.held.clone(), wanted, progress) {
            Ok(past) => past,
            Err(Error::Git(err)) if err.is_missing_object() => return Ok(None),
            Err(err) => return Err(err),
        };
        let is_slight = |did: &&str| SLIGHT.contains(did);
        let told = past.versions.iter();
        let mut told = told.filter(|found| !found.did.iter().all(is_slight));
        Ok(told.next().and_then(|found| Some(found.commit?.0)))
    }
}

fn place(located: &Located) -> Place {
    match &located.symbol {
        Some(symbol) => Place::Symbol(symbol.clone()),
        None => Place::Path(located.held.path.to_string()),
    }
}
