//! What merges with others would come to: of revisions, and of the work trees of other agents.
//!
//! git makes each merge in memory ([`crate::git::merge`]); nothing is checked out. The merged tree is laid over a
//! view and resolved like any other, so that three states can be compared: ours, theirs, and both. A use that was
//! resolved on the side it comes from and is not in the merged tree, or does not fit there, is a conflict that git
//! does not see ([`meeting`], [`uses`]); so is a name that both sides define in one place ([`doubled`]).
//!
//! Guarantees: an answer is a pure function of the states that meet; what one side has broken by itself is not
//! reported, as `diff` does that; nothing is written to the repository, and neither side's work tree is.
//! Where text collides, our lines are taken to go on from.

pub mod answer;
mod doubled;
mod meeting;
mod others;
mod uses;

use super::files;
use crate::git::divergence;
use crate::git::merge::{Merged, Merger, Outcome};
use crate::git::worktree::{self, Status};
use crate::git::{self, RepoPath};
use crate::id::CommitId;
use crate::query::Error;
use crate::query::engine::{Engine, Pinned};
use crate::query::question::{self, Question, warned};
use crate::query::request::{ForecastRequest, Revision};
use crate::store::Progress;
use crate::store::parallel;
use answer::{Fate, Forecast, ForecastAnswer, TextConflict};
use meeting::{Meeting, State};
use others::Other;

/// Most revisions that are merged in one question.
pub const MAX_OTHERS: usize = 20;

warned!(ForecastAnswer, stamp.warnings);

/// The states that are to meet.
pub struct Fleet {
    /// Our side, uncommitted files and all.
    ours: Pinned,
    /// Our commit.
    committed: Pinned,
    commit: CommitId,
    uncommitted: Option<Status>,
    others: Vec<Other>,
}

impl Question for ForecastRequest {
    type Pin = Fleet;
    type Answer = ForecastAnswer;

    fn check(&self) -> Result<(), Error> {
        question::revision(&self.head)?;
        if self.with.len() > MAX_OTHERS {
            return Err(Error::TooMany {
                what: "with",
                found: self.with.len(),
                limit: MAX_OTHERS,
            });
        }
        question::list("with", &self.with)
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Fleet, Error> {
        let ours = engine.pin_whole(&self.head, progress)?;
        let commit = ours.stamp.commit.ok_or(git::Error::Unborn)?;
        let committed = engine.pin(&Revision::At(commit.to_string()), progress)?;
        let uncommitted = match ours.stamp.dirty {
            0 => None,
            _ => {
                let entries = engine.entries(&committed);
                Some(worktree::status(engine.repo(), &entries)?)
            }
        };
        let others = others::find(engine, self, progress)?;
        Ok(Fleet {
            ours,
            committed,
            commit,
            uncommitted,
            others,
        })
    }

    fn answer(
        &self,
        engine: &Engine,
        fleet: &Fleet,
        _progress: &dyn Progress,
    ) -> Result<ForecastAnswer, Error> {
        let mut stamp = fleet.ours.stamp.clone();
        let merges = merges(engine, fleet, &mut stamp.warnings)?;
        let mut forecasts = Vec::new();
        for (other, outcome) in fleet.others.iter().zip(merges) {
            forecasts.push(match outcome {
                Ok(outcome) => forecast(engine, fleet, other, outcome)?,
                Err(why) => other.forecast(Fate::Unknown(why)),
            });
        }
        Ok(ForecastAnswer { stamp, forecasts })
    }
}

/// Makes all merges, on as many threads as there are processors: git takes one each. Those that cannot be made say
/// why.
fn merges(
    engine: &Engine,
    fleet: &Fleet,
    warnings: &mut Vec<String>,
) -> Result<Vec<Result<Outcome, String>>, Error> {
    let merger = Merger::new(engine.repo())?;
    let ours = merger.side(fleet.commit, fleet.uncommitted.as_ref())?;
    if let [first, ..] = ours.left_out() {
        let count = ours.left_out().len();
        warnings.push(format!(
            "{count} uncommitted files are too large to be merged, the committed ones are: {first}"
        ));
    }
    let merge = |other: &Other| -> Result<Outcome, String> {
        let theirs = other.there.as_ref().map_err(Clone::clone)?;
        let side = merger.side(theirs.commit, theirs.uncommitted.as_ref());
        let outcome = side.and_then(|side| merger.merge(&ours, &side));
        outcome.map_err(|err| err.to_string())
    };
    let merge = |(): &mut (), other: &Other| merge(other);
    Ok(parallel::map(
        &fleet.others,
        parallel::cores(),
        || (),
        merge,
    ))
}

/// Says what one merge would come to.
fn forecast(
    engine: &Engine,
    fleet: &Fleet,
    other: &Other,
    outcome: Outcome,
) -> Result<Forecast, Error> {
    let Ok(theirs) = &other.there else {
        return Ok(other.forecast(Fate::Unknown("it cannot be read".to_owned())));
    };
    let between = divergence::between(engine.repo(), fleet.commit, theirs.commit)?;
    let fate = match &outcome {
        Outcome::Contained => Fate::Contained,
        Outcome::Unrelated => Fate::Unrelated,
        Outcome::CutOff => Fate::CutOff,
        Outcome::Merged(merged) if merged.is_clean() => Fate::Clean,
        Outcome::Merged(_) => Fate::Collides,
    };
    let mut forecast = other.forecast(fate);
    forecast.behind = between.ours.len();
    forecast.ahead = between.theirs.len();
    let Outcome::Merged(merged) = outcome else {
        return Ok(forecast);
    };
    forecast.incoming = merged.incoming.len();
    forecast.collisions = merged.conflicts.iter().map(text_conflict).collect();
    if merged.bases == [fleet.commit] && fleet.uncommitted.is_none() {
        // Their tree is taken as it is.
        return Ok(forecast);
    }
    let Merged {
        over_commit,
        conflicts,
        ..
    } = *merged;
    let near = [&fleet.ours, &theirs.pinned];
    let both = engine.beside(&fleet.committed, &[&theirs.pinned], over_commit)?;
    let mut texts = engine.texts();
    let from_them = files::changes(fleet.ours.view(), both.view(), &mut texts);
    let from_us = files::changes(theirs.pinned.view(), both.view(), &mut texts);
    drop(texts);
    if from_them.is_empty() || from_us.is_empty() {
        return Ok(forecast);
    }
    let ours = State::of(fleet.ours.view(), engine.graph(&fleet.ours));
    let near_ours = engine.graph_near(&theirs.pinned, &near[..1]);
    let meeting = Meeting {
        ours,
        theirs: State::of(theirs.pinned.view(), near_ours),
        both: State::of(both.view(), engine.graph_near(&both, &near)),
        from_us,
        from_them,
    };
    let collided: Vec<&RepoPath> = conflicts.iter().map(|conflict| &conflict.path).collect();
    let mut texts = engine.texts();
    meeting.describe(&collided, &mut texts, &mut forecast);
    drop(texts);
    let is_dirty = |status: &Option<Status>, path: &RepoPath| {
        let mut dirty = status.iter().flat_map(|status| &status.dirty);
        dirty.any(|dirty| dirty.path == *path)
    };
    forecast.attribute(engine.repo(), &between, |by_us, path| match by_us {
        true => is_dirty(&fleet.uncommitted, path),
        false => is_dirty(&theirs.uncommitted, path),
    });
    Ok(forecast)
}

fn text_conflict(conflict: &git::merge::Conflict) -> TextConflict {
    TextConflict {
        path: conflict.path.to_string(),
        kind: conflict.kind,
        lines: conflict
            .lines
            .iter()
            .map(|lines| (*lines.start(), *lines.end()))
            .collect(),
    }
}
