//! What a commit, or what lies between two, did to code: the definitions that it changed, each as it was before and
//! after.

use super::body::{Body, Difference};
use super::finder::{Sought, body_of, body_of_file, chain};
use crate::git::RepoPath;
use crate::git::tree::{self, EntryMode};
use crate::id::{BlobId, CommitId};
use crate::query::Error;
use crate::query::answer::SymbolRef;
use crate::query::diff::changes::{self, Change};
use crate::query::diff::files;
use crate::query::diff::matching::{self, Matches};
use crate::query::diff::similarity::Class;
use crate::query::diff::units::{Side, UnitId};
use crate::query::engine::few::Content;
use crate::query::engine::{Engine, Pinned};
use crate::query::history::ancestry::Ancestry;
use crate::query::history::step::{Held, held_of};
use crate::view::files::Reading;
use crate::view::role::FileRole;
use std::rc::Rc;

/// Files of a change that are read.
const MAX_FILES: usize = 80;
/// Definitions of a change that are looked for: those that it changed most.
const MAX_SOUGHT: usize = 12;
/// Files that are looked for where no definition changed.
const MAX_WHOLE: usize = 4;

/// One thing that a change changed.
pub struct Changed {
    /// It, to be looked for.
    pub sought: Sought,
    /// What was done to it; `None` for what was added or removed.
    pub difference: Difference,
    /// Whether it is there on one side only.
    pub is_one_sided: bool,
    /// Where it stands, after the change where it is there then.
    pub symbol: Option<SymbolRef>,
    /// Where it stood before, to be followed from there.
    pub held: Option<Held>,
}

/// All that a change changed.
#[derive(Default)]
pub struct Fix {
    /// What is looked for, what changed most first.
    pub changed: Vec<Changed>,
    /// Definitions that changed and are not looked for.
    pub left_out: usize,
    /// Whether files as a whole are looked for, because no definition changed.
    pub is_of_files: bool,
}

/// Reads what lies between two commits. Fails when trees or blobs cannot be read.
pub fn of(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry,
    (before, after): (CommitId, CommitId),
) -> Result<Fix, Error> {
    let (old, new) = (ancestry.root(before)?, ancestry.root(after)?);
    let changes = tree::diff(ancestry.objects(), old, new)?;
    let role = |path: &RepoPath| FileRole::of_path(path.as_bytes());
    // Tests and prose come along with a fix and are not what was wrong.
    let is_read = |change: &&tree::Change, wanted: &dyn Fn(FileRole) -> bool| {
        let sides = [change.old, change.new].into_iter().flatten();
        let mut readings = sides.map(|(mode, _)| Reading::of(&change.path, mode));
        readings.any(|reading| matches!(reading, Reading::Document(_)))
            && wanted(role(&change.path))
    };
    let pick = |wanted: &dyn Fn(FileRole) -> bool| -> Vec<tree::Change> {
        let found = changes.iter().filter(|change| is_read(change, wanted));
        found.take(MAX_FILES).cloned().collect()
    };
    let mut chosen = pick(&|role| role == FileRole::Product);
    if chosen.is_empty() {
        chosen = pick(&|role| !matches!(role, FileRole::Test | FileRole::Documentation));
    }
    if chosen.is_empty() {
        chosen = pick(&|_| true);
    }
    let mut sides = [Vec::new(), Vec::new()];
    for change in &chosen {
        for (side, found) in sides.iter_mut().zip([change.old, change.new]) {
            side.extend(content(ancestry, &change.path, found)?);
        }
    }
    let [old, new] = sides;
    let (old_view, new_view) = (
        engine.few(&[pinned.view()], old.clone())?,
        engine.few(&[pinned.view()], new.clone())?,
    );
    let mut texts = engine.texts();
    let files = files::changes(&old_view.view, &new_view.view, &mut texts);
    let before = files.iter().filter_map(|file| file.before());
    let before = Side::of(&old_view.view, old_view.graph(), &mut texts, before);
    let after = files.iter().filter_map(|file| file.after());
    let after = Side::of(&new_view.view, new_view.graph(), &mut texts, after);
    let matches = matching::pair(&before, &after, &files);
    let mut changed: Vec<Changed> = Vec::new();
    for (was, is) in pairs(&before, &after, &matches) {
        let of = [
            was.map(|unit| (&before, unit)),
            is.map(|unit| (&after, unit)),
        ];
        let bodies = of.map(|of| of.map(|(side, unit)| body_of(side, unit)));
        let said = of[1].or(of[0]);
        let Some((side, unit)) = said else { continue };
        let known = of.into_iter().flatten();
        let mut chains: Vec<Vec<u8>> = known.map(|(side, unit)| chain(side, unit)).collect();
        chains.dedup();
        let file = side.unit(unit).file;
        let sought = Sought {
            paths: vec![side.view.file(file).path.clone()],
            class: Some(Class::of(side.unit(unit).kind)),
            chains,
            bodies: bodies.iter().flatten().cloned().map(Rc::new).collect(),
        };
        let is_one_sided = was.is_none() || is.is_none();
        let [was_made_of, is_made_of] = bodies.map(Option::unwrap_or_default);
        let difference = Difference::of(was_made_of, is_made_of);
        let held = of[0].and_then(|(side, unit)| held_of(side, unit, &old));
        changed.push(Changed {
            sought,
            difference,
            is_one_sided,
            symbol: side.reference(&mut texts, unit),
            held,
        });
    }
    changed.retain(|one| one.difference.size() > 0);
    // What was added or removed as a whole tells only where nothing else does.
    if changed.iter().any(|one| !one.is_one_sided) {
        changed.retain(|one| !one.is_one_sided);
    }
    changed.sort_by_key(|one| std::cmp::Reverse(one.difference.size()));
    let left_out = changed.len().saturating_sub(MAX_SOUGHT);
    changed.truncate(MAX_SOUGHT);
    let is_of_files = changed.is_empty();
    if is_of_files {
        changed = whole(&old, &new);
    }
    Ok(Fix {
        changed,
        left_out,
        is_of_files,
    })
}

fn content(
    ancestry: &mut Ancestry,
    path: &RepoPath,
    side: Option<(EntryMode, BlobId)>,
) -> Result<Option<Content>, Error> {
    let is_read =
        |(mode, _): &(EntryMode, BlobId)| matches!(Reading::of(path, *mode), Reading::Document(_));
    let Some((_, blob)) = side.filter(is_read) else {
        return Ok(None);
    };
    Ok(Some(Content {
        path: path.clone(),
        blob,
        bytes: ancestry.blob(blob)?,
    }))
}

/// The definitions that changed themselves, before and after. What is a value inside of something that is called is
/// part of that.
fn pairs(
    before: &Side<'_>,
    after: &Side<'_>,
    matches: &Matches,
) -> Vec<(Option<UnitId>, Option<UnitId>)> {
    let mut found: Vec<(Option<UnitId>, Option<UnitId>)> = Vec::new();
    for change in changes::changes(before, after, matches) {
        if matches!(change, Change::Changed { how, .. } if !how.is_code()) {
            continue;
        }
        let lifted = change.after().and_then(|unit| called_around(after, unit));
        let lifted = lifted.map(|is| (matches.old_of(is), Some(is)));
        let lifted = lifted.or_else(|| {
            let was = called_around(before, change.before()?)?;
            Some((Some(was), matches.new_of(was)))
        });
        let pair = lifted.unwrap_or((change.before(), change.after()));
        if !found.contains(&pair) {
            found.push(pair);
        }
    }
    found
}

/// What is called that a value lies in.
fn called_around(side: &Side<'_>, unit: UnitId) -> Option<UnitId> {
    let class = |unit: UnitId| Class::of(side.unit(unit).kind);
    if class(unit) == Class::Callable {
        return None;
    }
    side.around(unit)
        .skip(1)
        .find(|unit| class(*unit) == Class::Callable)
}

/// Files that are there on both sides, as wholes.
fn whole(old: &[Content], new: &[Content]) -> Vec<Changed> {
    let both = new.iter().filter_map(|is| {
        let was = old.iter().find(|was| was.path == is.path)?;
        let (before, after) = (body_of_file(&was.bytes), body_of_file(&is.bytes));
        Some(Changed {
            sought: Sought {
                paths: vec![is.path.clone()],
                class: None,
                chains: Vec::new(),
                bodies: [&before, &after]
                    .map(|body| Rc::new(Body::clone(body)))
                    .to_vec(),
            },
            difference: Difference::of(before, after),
            is_one_sided: false,
            symbol: None,
            held: None,
        })
    });
    let mut changed: Vec<Changed> = both.filter(|one| one.difference.size() > 0).collect();
    changed.sort_by_key(|one| std::cmp::Reverse(one.difference.size()));
    changed.truncate(MAX_WHOLE);
    changed
}
