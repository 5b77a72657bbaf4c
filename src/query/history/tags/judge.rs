//! What is asked of each release, and how what was found there answers it.

use super::answer::{Judged, Standing};
use super::body::{Body, Difference, Side as Half};
use super::finder::{InTree, Located, Sought, body_of, body_of_file, chain};
use super::fix::Fix;
use super::ranges::{Judgement, first};
use crate::extract::record::SymbolKind;
use crate::id::CommitId;
use crate::lang::{self, language::Genre};
use crate::query::Error;
use crate::query::answer::SymbolRef;
use crate::query::definitions::Definition;
use crate::query::diff::similarity::Class;
use crate::query::diff::units::Side;
use crate::query::engine::{Engine, Pinned};
use crate::query::history::ancestry::Ancestry;
use crate::query::history::step::Held;
use crate::query::history::subject;
use crate::query::target_matches::{TargetMatches, What};
use crate::view::live::FileId;
use std::rc::Rc;

/// Share of what is known of a version by which it is on one side of a change.
const MOSTLY: f64 = 0.8;
/// Least likeness of a near copy.
const MIN_NEAR: f64 = 0.8;

/// What is asked of each release.
pub enum Question {
    /// Whether it holds this.
    Body {
        /// What is looked for.
        sought: Sought,
        /// What it consists of.
        body: Rc<Body>,
        /// The definition in words; `None` for a file.
        symbol: Option<SymbolRef>,
    },
    /// On which side of a change it is.
    Change {
        /// What changed.
        fix: Fix,
        /// The commits on both sides.
        ends: (CommitId, CommitId),
    },
}

impl Question {
    /// Asks about a change.
    pub fn of_change(fix: Fix, ends: (CommitId, CommitId)) -> Self {
        Self::Change { fix, ends }
    }

    /// What is looked for in each release.
    pub fn sought(&self) -> Vec<Sought> {
        match self {
            Self::Body { sought, .. } => vec![sought.clone()],
            Self::Change { fix, .. } => fix.changed.iter().map(|one| one.sought.clone()).collect(),
        }
    }

    /// The same in words.
    pub fn judged(&self) -> Vec<Judged> {
        match self {
            Self::Body { sought, symbol, .. } => vec![Judged {
                path: sought.place(),
                symbol: symbol.clone(),
                size: 0,
            }],
            Self::Change { fix, .. } => fix
                .changed
                .iter()
                .map(|one| Judged {
                    path: one.sought.place(),
                    symbol: one.symbol.clone(),
                    size: one.difference.size(),
                })
                .collect(),
        }
    }

    /// The last commit of a change.
    pub fn after(&self) -> Option<CommitId> {
        match self {
            Self::Body { .. } => None,
            Self::Change { ends, .. } => Some(ends.1),
        }
    }

    /// Where one of what is looked for stood before a change.
    pub fn before(&self, at: usize) -> Option<(CommitId, Held)> {
        match self {
            Self::Body { .. } => None,
            Self::Change { fix, ends } => {
                let held = fix.changed.get(at)?.held.clone()?;
                Some((ends.0, held))
            }
        }
    }

    /// Whether less than half of what is looked for was found in a release.
    pub fn lacks(&self, found: &InTree) -> bool {
        match self {
            Self::Body { .. } => first(found).is_none(),
            Self::Change { fix, .. } => {
                let sizes = fix.changed.iter().map(|one| one.difference.size());
                let all: usize = sizes.clone().sum();
                let there = sizes.zip(found).filter(|(_, found)| found.is_some());
                let there: usize = there.map(|(size, _)| size).sum();
                2 * there < all
            }
        }
    }

    /// What a release has, of which these were found. `holds` says whether a change is in its history.
    pub fn of(&self, found: &InTree, holds: Option<bool>) -> Judgement {
        match self {
            Self::Body { body, .. } => of_body(body, first(found)),
            Self::Change { fix, .. } => of_change(fix, found, holds),
        }
    }
}

fn of_body(body: &Body, found: Option<Rc<Located>>) -> Judgement {
    let Some(located) = found else {
        return Judgement::absent(None);
    };
    let likeness = located.body.likeness(body);
    Judgement {
        standing: match likeness {
            _ if located.body.digest == body.digest => Standing::Same,
            near if near >= MIN_NEAR => Standing::Near,
            _ => Standing::Other,
        },
        digest: located.body.digest,
        holds: None,
        holds_other: false,
        likeness: Some(likeness),
        found: Some(located),
    }
}

fn of_change(fix: &Fix, found: &InTree, holds: Option<bool>) -> Judgement {
    let mut all: Vec<(Half, f64, f64, &Rc<Located>)> = Vec::new();
    for (changed, located) in fix.changed.iter().zip(found) {
        let Some(located) = located else { continue };
        let difference: &Difference = &changed.difference;
        let side = difference.side(&located.body, holds);
        let weight = difference.weight(&located.body, side);
        let likeness = difference.likeness(&located.body);
        all.push((side, weight, likeness, located));
    }
    let is_known = |side: Half| matches!(side, Half::Before | Half::LikeBefore);
    let is_before = |side: Half| is_known(side) || side == Half::Lacking;
    let weight = |of: &dyn Fn(Half) -> bool| -> f64 {
        let of = all.iter().filter(|(side, ..)| of(*side));
        of.map(|(_, weight, ..)| weight).sum()
    };
    let (before, both) = (weight(&is_before), weight(&|_| true));
    let standing = match before / both {
        _ if all.is_empty() => Standing::Absent,
        _ if both <= 0.0 => Standing::Unknown,
        share if share >= MOSTLY && weight(&is_known) > 0.0 => Standing::Affected,
        share if share >= MOSTLY => Standing::Perhaps,
        share if share <= 1.0 - MOSTLY => Standing::Fixed,
        _ => Standing::Partly,
    };
    // What says most is told.
    let tells = |side: Half| match standing {
        Standing::Fixed => !is_before(side),
        Standing::Affected | Standing::Perhaps | Standing::Partly => is_before(side),
        _ => true,
    };
    let telling = all.iter().filter(|(side, ..)| tells(*side));
    let told = telling.max_by(|a, b| a.1.total_cmp(&b.1));
    Judgement {
        standing,
        digest: 0,
        holds,
        holds_other: false,
        found: told.map(|(.., located)| Rc::clone(located)),
        likeness: told.map(|(_, _, likeness, _)| *likeness),
    }
}

/// What a target means, to be looked for, and its name; `None` where it is nothing, or a directory.
pub fn meant(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry,
    meant: TargetMatches,
) -> Result<Option<(Question, String)>, Error> {
    match meant.what {
        What::Files(files) => match files.first() {
            Some(file) => of_file(pinned, ancestry, *file).map(Some),
            None => Ok(None),
        },
        What::Passage(passage) => of_file(pinned, ancestry, passage.file).map(Some),
        What::Folder(_) => Ok(None),
        What::Definitions(found) => {
            let mut exact = found.into_iter().filter(|found| found.matched.is_exact());
            match exact.next() {
                Some(found) => of_definition(engine, pinned, ancestry, &found),
                None => Ok(None),
            }
        }
    }
}

fn of_file(
    pinned: &Pinned,
    ancestry: &mut Ancestry,
    file: FileId,
) -> Result<(Question, String), Error> {
    let view = pinned.view();
    let of = view.file(file);
    let bytes = match view.content(of.blob) {
        Some(content) => content.to_vec(),
        None => ancestry.blob(of.blob)?,
    };
    let body = Rc::new(body_of_file(&bytes));
    let question = Question::Body {
        sought: Sought {
            paths: vec![of.path.clone()],
            class: None,
            chains: Vec::new(),
            bodies: vec![body.clone()],
        },
        body,
        symbol: None,
    };
    Ok((question, of.path.to_string()))
}

fn of_definition(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry,
    found: &Definition,
) -> Result<Option<(Question, String)>, Error> {
    let view = pinned.view();
    let grammar = view
        .segment(found.doc.segment)
        .segment
        .doc(found.doc.doc)
        .lang;
    let genre = lang::of(grammar).genre;
    let Some(held) = subject::held(view, ancestry, (found.file, found.index))? else {
        return Ok(None);
    };
    if held.kind == SymbolKind::Section || !genre.is_code() || genre == Genre::Data {
        return of_file(pinned, ancestry, found.file).map(Some);
    }
    let few = engine.few(&[view], vec![held.content()])?;
    let mut texts = engine.texts();
    let files = std::iter::once(FileId(0)).filter(|_| !few.view.files().is_empty());
    let side = Side::of(&few.view, few.graph(), &mut texts, files);
    let unit = side.ids().find(|unit| {
        let symbol = side.symbol(*unit);
        symbol.is_some_and(|symbol| symbol.span == held.span && symbol.kind == held.kind)
    });
    let Some(unit) = unit else {
        return Ok(None);
    };
    let body = Rc::new(body_of(&side, unit));
    let symbol = side.reference(&mut texts, unit);
    let id = symbol.as_ref().map(|symbol| symbol.id.to_string());
    let question = Question::Body {
        sought: Sought {
            paths: vec![held.path.clone()],
            class: Some(Class::of(held.kind)),
            chains: vec![chain(&side, unit)],
            bodies: vec![body.clone()],
        },
        body,
        symbol,
    };
    Ok(Some((
        question,
        id.unwrap_or_else(|| held.path.to_string()),
    )))
}
