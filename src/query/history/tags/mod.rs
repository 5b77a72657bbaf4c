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
mod search;

use super::ancestry::Ancestry;
use super::commits;
use super::subject;
use crate::git::tags as refs;
use crate::git::{RepoPath, history};
use crate::query::Error;
use crate::query::engine::{Engine, Pinned};
use crate::query::question::{self, Question, warned};
use crate::query::request::Revision;
use crate::store::Progress;
use answer::{Subject, TagsAnswer};
use finder::Finder;
use judge::Question as Judge;
use ranges::Group;
use search::Search;

/// What stands before a commit of which the affected releases are asked.
pub const FIX: &str = "fix:";
/// Between the ends of a change that is more than one commit.
const TO: &str = "..";

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
        for (at, one) in judge.sought().iter().enumerate() {
            let names = one.paths.iter();
            let names = names.flat_map(|path| window.earlier_names(path.as_bytes()));
            for path in names.filter_map(|name| RepoPath::new(name).ok()) {
                finder.add_path_of(at, path);
            }
        }
        let mut search = Search::new(engine, pinned, finder, judge);
        engine.learnt.keep_within(history::boundary(engine.repo())?);
        search.find(&named.all, progress, &mut answer.remarks)?;
        let all = search.judge(&named.all, progress, &mut answer.remarks)?;
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
    ancestry: &mut Ancestry,
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
    let names = commits::names(repo, pinned.view());
    let line = commits::line(ancestry.objects(), after, &names)?;
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
    ancestry: &mut Ancestry,
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
