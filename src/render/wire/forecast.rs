//! The JSON shapes of `diff --with`.

use super::unmet::Unmet;
use super::{Symbol, is_zero, shown};
use crate::query::diff::forecast::answer::{
    Conflict, Fate, Forecast, ForecastAnswer, TextConflict,
};
use crate::query::state::Stamp;
use crate::render::layout::Layout;
use serde::Serialize;

/// Answer of `diff --with`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Forecasts {
    /// Our side.
    pub index: Stamp,
    /// One for each that is merged.
    pub merges: Vec<Merge>,
    /// How to get the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What a merge would come to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Merge {
    /// Who is merged.
    pub with: String,
    /// Branch of a work tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Abbreviated commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Uncommitted files of theirs.
    #[serde(skip_serializing_if = "is_zero")]
    pub dirty: usize,
    /// Commits that they have and we do not.
    pub ahead: usize,
    /// Commits that we have and they do not.
    pub behind: usize,
    /// `contained`, `clean`, `collides`, `unrelated`, `cut off` or `unknown`.
    pub fate: &'static str,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Files that it would change for us.
    #[serde(skip_serializing_if = "is_zero")]
    pub incoming: usize,
    /// Conflicts that git does not see.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Clash>,
    /// Where text collides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub collisions: Vec<Collision>,
    /// Definitions that both sides changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub both_changed: Vec<Symbol>,
    /// How many of each there are, shown or not.
    pub totals: Totals,
}

/// How much there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Totals {
    /// Conflicts that git does not see.
    pub conflicts: usize,
    /// Paths at which text collides.
    pub collisions: usize,
    /// Definitions that both sides changed.
    pub both_changed: usize,
}

/// A conflict that git does not see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Clash {
    /// What is wrong.
    pub clash: &'static str,
    /// `ours` or `theirs`: the side that the place is of.
    pub side: &'static str,
    /// The place, in the merged tree.
    #[serde(flatten)]
    pub unmet: Unmet,
    /// Commit of the other side that did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// A path at which text collides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Collision {
    /// Where.
    pub path: String,
    /// In which way.
    pub kind: &'static str,
    /// Our lines, first and last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<(u32, u32)>,
}

/// Where the items of one merge stand in a layout.
#[derive(Default)]
pub(in crate::render) struct Places {
    pub(in crate::render) conflicts: Vec<usize>,
    pub(in crate::render) collisions: Vec<usize>,
    pub(in crate::render) both_changed: Vec<usize>,
}

impl Forecasts {
    pub(in crate::render) fn new(
        answer: &ForecastAnswer,
        layout: &Layout,
        places: &[Places],
        next: Option<String>,
    ) -> Self {
        let merges = answer.forecasts.iter().zip(places);
        Self {
            index: answer.stamp.clone(),
            merges: merges
                .map(|(of, places)| merge(of, places, layout))
                .collect(),
            next,
        }
    }
}

fn merge(forecast: &Forecast, places: &Places, layout: &Layout) -> Merge {
    let (fate, reason) = match &forecast.fate {
        Fate::Contained => ("contained", None),
        Fate::Clean => ("clean", None),
        Fate::Collides => ("collides", None),
        Fate::Unrelated => ("unrelated", None),
        Fate::CutOff => ("cut off", None),
        Fate::Unknown(why) => ("unknown", Some(why.clone())),
    };
    Merge {
        with: forecast.name.clone(),
        branch: forecast.branch.clone(),
        commit: forecast.commit.clone(),
        dirty: forecast.dirty,
        ahead: forecast.ahead,
        behind: forecast.behind,
        fate,
        reason,
        incoming: forecast.incoming,
        conflicts: shown(&forecast.conflicts, &places.conflicts, layout, conflict),
        collisions: shown(&forecast.collisions, &places.collisions, layout, collision),
        both_changed: shown(
            &forecast.both_changed,
            &places.both_changed,
            layout,
            Symbol::new,
        ),
        totals: Totals {
            conflicts: forecast.conflicts.len(),
            collisions: forecast.collisions.len(),
            both_changed: forecast.both_changed.len(),
        },
    }
}

fn conflict(found: &Conflict) -> Clash {
    Clash {
        clash: found.clash.label(),
        side: match found.is_ours {
            true => "ours",
            false => "theirs",
        },
        unmet: Unmet::new(&found.unmet),
        commit: found.commit.clone(),
    }
}

fn collision(found: &TextConflict) -> Collision {
    Collision {
        path: found.path.clone(),
        kind: found.kind.label(),
        lines: found.lines.clone(),
    }
}
