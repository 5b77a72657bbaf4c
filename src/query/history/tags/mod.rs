//! `history --tags`: which releases and branches hold a version of a definition, and on which side of a change they
//! are.
//!
//! Judged by content, not by ancestry: a fix that was brought to an older branch is another commit, and what a merge
//! lost is in the history all the same. [`fix`] says what a change did, [`finder`] where its definitions stand in
//! each tree, [`body`] which side they are on; [`order`] and [`ranges`] make few lines of many tags, and [`reached`]
//! looks into some of them.
//!
//! Guarantees: an answer is a pure function of the request, of what tags and branches lead to, and of the state asked
//! about, from which definitions are followed to where they stood before. Deliberately absent: what depends on which
//! release, which manifests and lock files say.

pub mod answer;
pub mod body;
pub mod finder;
pub mod fix;
mod judge;
pub mod order;
pub mod ranges;
mod reached;

use super::ancestry::{Ancestry, Trail};
use super::commits;
use super::ends::stood;
use super::follow::{Follower, Past};
use super::learnt::Learnt;
use super::request::Wanted;
use super::step::{Held, Stepper};
use super::subject;
use crate::git::tags::{self as refs, NamedCommit};
use crate::git::{Error as GitError, RepoPath, history, tree};
use crate::id::CommitId;
use crate::query::Error;
use crate::query::definitions;
use crate::query::engine::{Engine, Pinned};
use crate::query::question::{self, Question, warned};
use crate::query::request::Revision;
use crate::query::scope::Filter;
use crate::store::Progress;
use crate::view::text::Texts;
use answer::{Place, Range, Standing, Subject, TagsAnswer};
use finder::{Finder, InTree, Located};
use judge::Question as Judge;
use ranges::{Group, One};
use rustc_hash::FxHashMap;

/// What stands before a commit of which the affected releases are asked.
pub const FIX: &str = "fix:";
/// Between the ends of a change that is more than one commit.
const TO: &str = "..";
/// Definitions that are followed to where they stood.
const MAX_FOLLOWED: usize = 3;
/// Files that define a name at the state asked about, which are looked at.
const MAX_NAMED: usize = 8;
/// Ranges of which the commit that began them is looked for.
const MAX_SINCE: usize = 40;
/// What a commit did to a definition that makes it no other version of it.
const SLIGHT: &[&str] = &["comments", "moved", "renamed"];

/// `history --tags`: which releases hold something.
#[derive(Clone, Debug, Default)]
pub struct TagsRequest {
    /// A name, a symbol id, a place or a path; or `fix:COMMIT`, `fix:OLD..NEW`.
    pub target: String,
    /// State of the repository in which the target is looked up.
    pub at: Revision,
    /// How many of the first to leave out.
    pub offset: usize,
    /// Most ranges to return.
    pub limit: usize,
}

impl TagsRequest {
    /// The change that a target names, if it names one.
    pub fn fix(target: &str) -> Option<&str> {
        target.trim().strip_prefix(FIX).map(str::trim)
    }
}

warned!(TagsAnswer, stamp.warnings);

impl Question for TagsRequest {
    type Pin = Pinned;
    type Answer = TagsAnswer;

    fn check(&self) -> Result<(), Error> {
        question::argument("target", &self.target)?;
        if self.target.trim().is_empty() || Self::fix(&self.target) == Some("") {
            return Err(Error::EmptyTarget);
        }
        question::revision(&self.at)
    }

    fn target_at(&mut self) -> Option<(&mut String, &mut Revision)> {
        // A commit may be written with any sign.
        (Self::fix(&self.target).is_none()).then_some((&mut self.target, &mut self.at))
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pinned, Error> {
        engine.pin(&self.at, progress)
    }

    fn answer(
        &self,
        engine: &Engine,
        pinned: &Pinned,
        progress: &dyn Progress,
    ) -> Result<TagsAnswer, Error> {
        let mut answer = TagsAnswer {
            stamp: pinned.stamp.clone(),
            target: self.target.clone(),
            offset: self.offset,
            ..TagsAnswer::default()
        };
        // Before the texts are taken: the first window takes longest.
        let window = engine.window(pinned.stamp.commit, progress)?;
        let mut ancestry = Ancestry::new(engine.repo(), window.clone())?;
        let judge = match Self::fix(&self.target) {
            Some(commits) => Some(change(engine, pinned, &mut ancestry, commits, &mut answer)?),
            None => body(engine, pinned, &mut ancestry, &self.target, &mut answer)?,
        };
        let Some(judge) = judge else {
            return Ok(answer);
        };
        let named = refs::named(engine.repo())?;
        let mut finder = Finder::new(engine, pinned.view(), &mut ancestry, judge.sought());
        for one in judge.sought() {
            let names = window.earlier_names(one.path.as_bytes());
            for path in names
                .into_iter()
                .filter_map(|name| RepoPath::new(name).ok())
            {
                finder.add_path(path);
            }
        }
        let mut search = Search {
            engine,
            pinned,
            finder,
            judge,
            found: FxHashMap::default(),
            unreadable: 0,
        };
        engine.learnt.keep_within(history::boundary(engine.repo())?);
        search.find(&named.all, progress, &mut answer.remarks)?;
        let all = search.judge(&named.all, &mut answer.remarks)?;
        answer.tallies = ranges::tally(&all);
        let groups = ranges::group(all);
        answer.total = groups.len();
        let page = groups.into_iter().skip(self.offset).take(self.limit);
        let page: Vec<Group> = page.collect();
        search.said(&named, page.len(), &mut answer.remarks);
        answer.ranges = search.describe(page, progress, &mut answer.remarks)?;
        Ok(answer)
    }
}

/// Reads what a change did. Fails on what is no commit, or one with nothing before it.
fn change(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry<'_>,
    commits: &str,
    answer: &mut TagsAnswer,
) -> Result<Judge, Error> {
    let repo = engine.repo();
    let (before, after) = match commits.split_once(TO) {
        Some((before, after)) => {
            let after = if after.is_empty() { "HEAD" } else { after };
            (repo.resolve(before.trim())?, repo.resolve(after.trim())?)
        }
        None => {
            let commit = repo.resolve(commits)?;
            let parents = repo.commit_parents(commit)?;
            let parent = parents.first().copied();
            (
                parent.ok_or_else(|| Error::BadFix(commits.to_owned()))?,
                commit,
            )
        }
    };
    let fix = fix::of(engine, pinned, ancestry, (before, after))?;
    let line = commits::line(ancestry.objects(), after)?;
    let from = commits.contains(TO).then(|| before.short());
    answer.subject = Some(Subject::Fix(line, from));
    if fix.changed.is_empty() {
        let said = "nothing that is read as code or text was changed on both sides";
        answer.remarks.push(said.to_owned());
    } else if fix.is_of_files {
        let said = "no definition changed: files were compared as wholes";
        answer.remarks.push(said.to_owned());
    }
    if fix.left_out > 0 {
        let said = format!("{} more definitions changed less", fix.left_out);
        answer.remarks.push(said);
    }
    let judge = Judge::of_change(fix, (before, after));
    answer.judged = judge.judged();
    Ok(judge)
}

/// Finds the version of a definition or a file that is asked about; `None` where there is none.
fn body(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry<'_>,
    target: &str,
    answer: &mut TagsAnswer,
) -> Result<Option<Judge>, Error> {
    let meant = subject::meant(engine, pinned, target)?;
    let found = judge::meant(engine, pinned, ancestry, meant)?;
    let Some((judge, id)) = found else {
        let said = "TARGET@REV asks at a revision that has it";
        answer.remarks.push(said.to_owned());
        return Ok(None);
    };
    answer.subject = Some(Subject::Body(id));
    answer.judged = judge.judged();
    Ok(Some(judge))
}

/// A search through all tags and branches.
struct Search<'s, 'a> {
    engine: &'a Engine,
    pinned: &'a Pinned,
    finder: Finder<'s, 'a>,
    judge: Judge,
    found: FxHashMap<CommitId, Option<InTree>>,
    unreadable: usize,
}

impl Search<'_, '_> {
    /// Finds the definitions in all of them; where one is not found, also where it stood before.
    fn find(
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
        let open: Vec<CommitId> = commits
            .iter()
            .rev()
            .map(|(_, commit)| *commit)
            .filter(|commit| {
                let found = self.found.get(commit).and_then(Option::as_ref);
                found.is_some_and(|found| found.iter().any(Option::is_none))
            })
            .collect();
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
        let mut is_news = false;
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
                _ => None,
            };
            for (commit, held) in begin.into_iter().chain(self.judge.before(at)) {
                let past = self.past(commit, held, Wanted::ALL, progress)?;
                for stand in stood(&past) {
                    is_news |= self.finder.add_path(stand.path);
                    is_news |= self.finder.add_chain(at, stand.qualified.into_bytes());
                }
            }
        }
        Ok(is_news)
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
    fn judge(&mut self, all: &[NamedCommit], remarks: &mut Vec<String>) -> Result<Vec<One>, Error> {
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
        Ok(judged)
    }

    /// What of all this is not known.
    fn said(&self, named: &refs::Named, listed: usize, remarks: &mut Vec<String>) {
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
    fn describe(
        &mut self,
        groups: Vec<Group>,
        progress: &dyn Progress,
        remarks: &mut Vec<String>,
    ) -> Result<Vec<Range>, Error> {
        let mut ranges = Vec::with_capacity(groups.len());
        let mut checked: Vec<CommitId> = Vec::new();
        let mut too_large = 0;
        for (number, group) in groups.into_iter().enumerate() {
            let Group {
                mut range,
                oldest,
                newest,
            } = group;
            range.place = newest.1.found.as_ref().map(|located| place(located));
            // Of what lies on top of the change itself, that is no news.
            let is_own = range.standing == Standing::Fixed && range.holds == Some(true);
            let is_before = matches!(range.standing, Standing::Affected | Standing::Unknown);
            if let Some(located) = &oldest.1.found
                && number < MAX_SINCE
                && !is_own
                && !is_before
            {
                let since = self.since(oldest.0.commit, located, progress)?;
                let line =
                    since.map(|commit| commits::line(self.finder.ancestry.objects(), commit));
                range.since = line.transpose()?;
            }
            if range.standing.is_exposed() {
                for (named, judgement) in [&newest, &oldest] {
                    let Some(located) = &judgement.found else {
                        continue;
                    };
                    if located.symbol.is_none()
                        || checked.contains(&named.commit)
                        || checked.len() >= reached::MAX_CHECKED
                    {
                        continue;
                    }
                    if self.is_large(named.commit)? {
                        too_large += 1;
                        continue;
                    }
                    checked.push(named.commit);
                    let reach = reached::look(self.engine, named, located, progress)?;
                    range.reach.push(reach);
                }
            }
            ranges.push(range);
        }
        if too_large > 0 {
            let most = reached::MAX_FILES;
            remarks.push(format!(
                "who reaches it was not looked into where there are more than {most} files"
            ));
        }
        Ok(ranges)
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
        let mut told = told.filter(|found| !found.did.iter().all(|did| is_slight(&did)));
        Ok(told.next().and_then(|found| Some(found.commit?.0)))
    }
}

fn place(located: &Located) -> Place {
    match &located.symbol {
        Some(symbol) => Place::Symbol(symbol.clone()),
        None => Place::Path(located.held.path.to_string()),
    }
}
