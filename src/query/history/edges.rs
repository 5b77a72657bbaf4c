//! Since when one thing uses another.

use super::ancestry::Ancestry;
use super::answer::{HistoryAnswer, Now, Place};
use super::bisect;
use super::edge::Edge;
use super::ends::{self, End};
use super::follow::{Found, Past};
use super::reach::{Reach, Way};
use super::since::{self, Change, Timeline};
use super::told;
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
        return Ok(no_commits());
    };
    let sight = engine.sight(commit, progress)?;
    let mut ancestry = Ancestry::new(engine.repo(), sight)?;
    let mut found = Vec::new();
    for text in [from, to] {
        match ends::of(engine, pinned, &mut ancestry, text, progress)? {
            Some(end) => found.push(end),
            None => return Ok(nowhere(text)),
        }
    }
    let (Some((to, to_shown)), Some((from, from_shown))) = (found.pop(), found.pop()) else {
        return Ok(Past::default());
    };
    answer.subject = format!("{from_shown} -> {to_shown}");
    let root = ancestry.root(commit)?;
    let mut edge = Edge::new(engine, from, to, root)?;
    let timeline = since::timeline(engine.repo(), &mut ancestry, &mut edge, commit, progress);
    edge.keep();
    let timeline = timeline?;
    // Who is told that it never held has to know where nobody looked.
    let how = match timeline.now.is_none() && timeline.changes.is_empty() {
        true => ", only the files of both and what passes names on between them".to_owned(),
        false => String::new(),
    };
    Ok(told(timeline, how, pinned, answer))
}

/// Finds when files began to load others, or themselves, over any number of imports, and when that ceased.
pub(super) fn ways(
    engine: &Engine,
    pinned: &Pinned,
    (from, to): (&str, Option<&str>),
    progress: &dyn Progress,
    answer: &mut HistoryAnswer,
) -> Result<Past, Error> {
    let Some(commit) = pinned.stamp.commit else {
        return Ok(no_commits());
    };
    let sight = engine.sight(commit, progress)?;
    let mut ancestry = Ancestry::new(engine.repo(), sight)?;
    let mut found = Vec::new();
    for text in std::iter::once(from).chain(to) {
        match ends::of(engine, pinned, &mut ancestry, text, progress)? {
            Some((end @ End::Paths(_), shown)) => found.push((end, shown)),
            Some((End::Symbols(_), _)) => return Err(Error::NoPath(text.to_owned())),
            None => return Ok(nowhere(text)),
        }
    }
    let mut found = found.into_iter();
    let Some((from, from_shown)) = found.next() else {
        return Ok(Past::default());
    };
    let way = match found.next() {
        Some((to, shown)) => {
            answer.subject = format!("{from_shown} ->* {shown}");
            Way::To(to)
        }
        None => {
            answer.subject = format!("cycle:{from_shown}");
            Way::Round
        }
    };
    let asked = (from.clone(), way.clone());
    let found = told::or_found(engine, (&asked, commit), || {
        let mut reach = Reach::new(engine, from, way);
        let found = bisect::timeline(engine.repo(), &mut ancestry, &mut reach, commit, progress);
        reach.keep();
        let mut found = found?;
        if reach.cut > 0 {
            let said = format!(", {} of them in part", reach.cut);
            found.way.push_str(&said);
        }
        Ok(found)
    })?;
    let how = format!(", {}", found.way);
    Ok(told(found.timeline, how, pinned, answer))
}

fn no_commits() -> Past {
    Past {
        end: Some("there are no commits".to_owned()),
        ..Past::default()
    }
}

fn nowhere(text: &str) -> Past {
    Past {
        end: Some(format!(
            "nothing is or was called {text}, as far as was looked; TARGET@REV asks at another revision"
        )),
        ..Past::default()
    }
}

/// Tells the answer what was found out.
fn told(timeline: Timeline, how: String, pinned: &Pinned, answer: &mut HistoryAnswer) -> Past {
    let Timeline {
        now,
        changes,
        end,
        looked,
        passed,
    } = timeline;
    answer.now = now.map_or(Now::No, Now::Yes);
    let mut way = format!("{looked} of {passed} commits read{how}");
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
