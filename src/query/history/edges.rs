//! Since when one thing uses another.

use super::ancestry::Ancestry;
use super::answer::{HistoryAnswer, Now, Place};
use super::edge::Edge;
use super::ends;
use super::follow::{Found, Past};
use super::since::{self, Change, Timeline};
use crate::query::Error;
use crate::query::engine::{Engine, Pinned};
use crate::store::Progress;

/// Finds when an edge began and ceased; tells the answer what was followed, and whether it is there.
pub(super) fn past(
    engine: &Engine,
    pinned: &Pinned,
    (from, to): (&str, &str),
    progress: &dyn Progress,
    answer: &mut HistoryAnswer,
) -> Result<Past, Error> {
    let Some(commit) = pinned.stamp.commit else {
        return Ok(Past {
            end: Some("there are no commits".to_owned()),
            ..Past::default()
        });
    };
    let window = engine.window(Some(commit), progress)?;
    let mut ancestry = Ancestry::new(engine.repo(), window.clone())?;
    let mut found = Vec::new();
    for text in [from, to] {
        let end = ends::of(engine, pinned, (&mut ancestry, &window), text, progress)?;
        let Some(end) = end else {
            return Ok(Past {
                end: Some(format!(
                    "nothing is called {text} at this revision; TARGET@REV asks at one that has both"
                )),
                ..Past::default()
            });
        };
        found.push(end);
    }
    let (Some((to, to_shown)), Some((from, from_shown))) = (found.pop(), found.pop()) else {
        return Ok(Past::default());
    };
    answer.subject = format!("{from_shown} -> {to_shown}");
    let root = ancestry.root(commit)?;
    let mut edge = Edge::new(engine, from, to, root)?;
    let timeline = since::timeline(engine.repo(), &mut ancestry, &mut edge, commit, progress)?;
    Ok(told(timeline, pinned, answer))
}

/// Tells the answer what was found out.
pub(super) fn told(timeline: Timeline, pinned: &Pinned, answer: &mut HistoryAnswer) -> Past {
    let Timeline {
        now,
        changes,
        end,
        looked,
        passed,
    } = timeline;
    answer.now = now.map_or(Now::No, Now::Yes);
    let mut way = format!("{looked} of {passed} commits read");
    if pinned.stamp.dirty > 0 {
        way.push_str(", no uncommitted work");
    }
    answer.way = Some(way);
    Past {
        versions: changes.into_iter().map(version).collect(),
        end,
    }
}

fn version(change: Change) -> Found {
    let did = match (change.began, change.is_cut_off) {
        (true, true) => "there at the end of history",
        (true, false) => "began",
        (false, _) => "ceased",
    };
    Found {
        commit: Some((change.commit, change.date)),
        is_merge: change.is_merge,
        ..Found::new(did, Place::Use(change.evidence))
    }
}
