//! What is asked about, and the past of it.

use super::ancestry::{Ancestry, Entry};
use super::answer::HistoryAnswer;
use super::answer::Place;
use super::files::{self, Followed};
use super::follow::{Follower, Found, Past};
use super::gone;
use super::request::Wanted;
use super::step::{Held, Stepper};
use crate::extract::record::SymbolKind;
use crate::git::{RepoPath, history};
use crate::id::CommitId;
use crate::lang::{self, language::Genre};
use crate::query::Error;
use crate::query::definitions::Definition;
use crate::query::engine::few::Content;
use crate::query::engine::{Engine, Pinned, parse_target};
use crate::query::ids::DocSymbols;
use crate::query::scope::Filter;
use crate::query::target::Target;
use crate::query::target_matches::{self, TargetMatches, What};
use crate::query::verified::VerifiedSymbols;
use crate::store::Progress;
use crate::view::live::{FileId, View};

/// Other definitions of the name that are told.
const MAX_ALSO: usize = 5;

/// Finds what a target means and its past; tells the answer what was followed.
pub(super) fn past(
    engine: &Engine,
    pinned: &Pinned,
    target: &str,
    wanted: Wanted,
    progress: &dyn Progress,
    answer: &mut HistoryAnswer,
) -> Result<Past, Error> {
    let Some(commit) = pinned.stamp.commit else {
        return Ok(Past {
            end: Some("there are no commits".to_owned()),
            ..Past::default()
        });
    };
    // Before the texts are taken: the first window takes longest.
    let sight = engine.sight(commit, progress)?;
    let mut ancestry = Ancestry::new(engine.repo(), sight)?;
    let meant = meant(engine, pinned, target)?;
    let view = pinned.view();
    match meant.what {
        What::Files(files) => match files.first() {
            Some(file) => of_file(
                &mut ancestry,
                view,
                (commit, *file),
                wanted,
                progress,
                answer,
            ),
            None => Ok(Past::default()),
        },
        What::Passage(passage) => of_file(
            &mut ancestry,
            view,
            (commit, passage.file),
            wanted,
            progress,
            answer,
        ),
        What::Folder(folder) => {
            let path = match folder.path.is_empty() {
                true => None,
                false => Some(RepoPath::new(folder.path.clone())?),
            };
            answer.subject = folder.shown();
            answer.shown = path.as_ref().map(|path| (path.to_string(), None));
            let followed = Followed::Folder(path);
            of_path(&mut ancestry, commit, &followed, wanted, progress)
        }
        What::Definitions(found) => {
            let exact: Vec<Definition> = found
                .into_iter()
                .filter(|found| found.matched.is_exact())
                .collect();
            match exact.first() {
                Some(first) => {
                    let first = first.clone();
                    of_definition(
                        engine,
                        pinned,
                        &mut ancestry,
                        (first, &exact),
                        wanted,
                        progress,
                        answer,
                    )
                }
                None => of_lost(
                    engine,
                    pinned,
                    &mut ancestry,
                    (target, wanted),
                    progress,
                    answer,
                ),
            }
        }
    }
}

pub(super) fn meant(
    engine: &Engine,
    pinned: &Pinned,
    target: &str,
) -> Result<TargetMatches, Error> {
    let view = pinned.view();
    let target = parse_target(target)?;
    let meant = target_matches::of(view, &Filter::open(), &target);
    let meant = meant.by_comment(view, &mut engine.texts());
    let is_elsewhere = match &meant.what {
        What::Definitions(found) => found.first().is_some_and(|found| !found.matched.is_exact()),
        _ => false,
    };
    // What a variable is known to be takes the graph, which is more work than all the rest.
    Ok(match is_elsewhere && !target.name.containers.is_empty() {
        true => {
            let graph = engine.graph(pinned);
            meant.by_receiver((view, graph), &mut engine.texts(), &target.name)
        }
        false => meant,
    })
}

fn of_path(
    ancestry: &mut Ancestry,
    commit: CommitId,
    followed: &Followed,
    wanted: Wanted,
    progress: &dyn Progress,
) -> Result<Past, Error> {
    match standing(ancestry, commit, followed)? {
        Some(entry) => files::follow(ancestry, commit, followed, Some(entry), wanted, progress),
        None => Ok(Past::default()),
    }
}

/// What a commit has there: for a file also what is none now, a link or a submodule.
fn standing(
    ancestry: &mut Ancestry,
    commit: CommitId,
    followed: &Followed,
) -> Result<Option<Entry>, Error> {
    Ok(match followed {
        Followed::File(path) => ancestry.standing(commit, path)?,
        Followed::Folder(_) => ancestry.entry(commit, &mut followed.trail())?,
    })
}

fn of_file(
    ancestry: &mut Ancestry,
    view: &View,
    (commit, file): (CommitId, FileId),
    wanted: Wanted,
    progress: &dyn Progress,
    answer: &mut HistoryAnswer,
) -> Result<Past, Error> {
    let file = view.file(file);
    answer.subject = file.path.to_string();
    answer.shown = Some((file.path.to_string(), None));
    let followed = Followed::File(file.path.clone());
    let mut past = of_path(ancestry, commit, &followed, wanted, progress)?;
    let committed = standing(ancestry, commit, &followed)?;
    if file.dirty && committed != Some(file.blob.as_object()) {
        let did = if committed.is_some() {
            "changed"
        } else {
            "introduced"
        };
        let place = Place::Path(file.path.to_string());
        past.versions.insert(0, Found::new(did, place));
    }
    Ok(past)
}

fn of_definition(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry,
    (first, all): (Definition, &[Definition]),
    wanted: Wanted,
    progress: &dyn Progress,
    answer: &mut HistoryAnswer,
) -> Result<Past, Error> {
    let view = pinned.view();
    let Some(commit) = pinned.stamp.commit else {
        return Ok(Past::default());
    };
    let mut texts = engine.texts();
    let Some(symbols) = VerifiedSymbols::of(view, first.file) else {
        return Ok(Past::default());
    };
    let (Some(said), Some(symbol)) = (
        symbols.reference(&mut texts, first.index),
        symbols.symbols().get(first.index).cloned(),
    ) else {
        return Ok(Past::default());
    };
    let others = all.iter().skip(1).take(MAX_ALSO).filter_map(|other| {
        let symbols = VerifiedSymbols::of(view, other.file)?;
        Some(symbols.reference(&mut texts, other.index)?.id.to_string())
    });
    answer.also = others.collect();
    let grammar = view
        .segment(first.doc.segment)
        .segment
        .doc(first.doc.doc)
        .lang;
    let genre = lang::of(grammar).genre;
    if symbol.kind == SymbolKind::Section || !genre.is_code() || genre == Genre::Data {
        // A heading or a key of data has no tokens of its own to follow it by.
        drop(texts);
        return of_file(
            ancestry,
            view,
            (commit, first.file),
            wanted,
            progress,
            answer,
        );
    }
    answer.shown = Some((said.path.clone(), Some(said.id.to_string())));
    answer.subject = said.id.to_string();
    drop(texts);
    past_of(engine, pinned, ancestry, (&first, wanted), progress)
}

/// The past of a definition of code.
pub(super) fn past_of(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry,
    (of, wanted): (&Definition, Wanted),
    progress: &dyn Progress,
) -> Result<Past, Error> {
    let view = pinned.view();
    let Some(commit) = pinned.stamp.commit else {
        return Ok(Past::default());
    };
    let Some(held) = held(view, ancestry, (of.file, of.index))? else {
        return Ok(Past::default());
    };
    let dirty = view
        .files()
        .iter()
        .filter(|file| file.dirty)
        .filter_map(|file| {
            Some(Content {
                path: file.path.clone(),
                blob: file.blob,
                bytes: view.content(file.blob)?.to_vec(),
            })
        });
    engine.learnt.keep_within(history::boundary(engine.repo())?);
    let mut texts = engine.texts();
    let stepper = Stepper::new(engine, view, dirty.collect());
    let follower = Follower::new(
        ancestry,
        &stepper,
        &mut texts,
        (wanted, &engine.learnt),
        progress,
    );
    follower.follow_uncommitted(commit, held)
}

/// Where the definitions begin that one lies in, outermost first.
fn outer_of(symbols: &DocSymbols<'_>, index: usize) -> Vec<u32> {
    let container = |index: usize| Some(symbols.get(index)?.container? as usize);
    let around = std::iter::successors(container(index), |index| container(*index));
    let begins = around.filter_map(|index| Some(symbols.get(index)?.span.start));
    let mut all: Vec<u32> = begins.collect();
    all.reverse();
    all
}

/// A definition of a view, to be followed.
pub(super) fn held(
    view: &View,
    ancestry: &mut Ancestry,
    (file, index): (FileId, usize),
) -> Result<Option<Held>, Error> {
    let Some(symbols) = VerifiedSymbols::of(view, file) else {
        return Ok(None);
    };
    let Some(symbol) = symbols.symbols().get(index) else {
        return Ok(None);
    };
    let file = view.file(file);
    let bytes = match view.content(file.blob) {
        Some(content) => content.to_vec(),
        None => ancestry.blob(file.blob)?,
    };
    Ok(Some(Held {
        path: file.path.clone(),
        blob: file.blob,
        bytes: bytes.into(),
        span: symbol.span.clone(),
        name: symbols.symbols().bytes(symbol.name),
        kind: symbol.kind,
        outer: Some(outer_of(symbols.symbols(), index)),
    }))
}

/// The past of what is no more: of a file or a directory by its path, of a definition by its name.
fn of_lost(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry,
    (text, wanted): (&str, Wanted),
    progress: &dyn Progress,
    answer: &mut HistoryAnswer,
) -> Result<Past, Error> {
    let Some(commit) = pinned.stamp.commit else {
        return Ok(Past::default());
    };
    let target = parse_target(text)?;
    let mut all = paths_of(pinned.view(), &target);
    // What looks like a name may be a file that the work tree lacks.
    if all.is_empty()
        && let Ok(path) = RepoPath::shown_as(&target.path)
        && is_taken_away(engine, pinned, &path)
    {
        let followed = Followed::File(path);
        let stood = standing(ancestry, commit, &followed)?.is_some();
        all.extend(stood.then_some(followed));
    }
    for followed in all {
        // A submodule is no file of the view.
        let entry = standing(ancestry, commit, &followed)?;
        let mut past = files::follow(ancestry, commit, &followed, entry, wanted, progress)?;
        if past.versions.is_empty() {
            continue;
        }
        if let Followed::File(path) = &followed {
            answer.subject = path.to_string();
            if entry.is_some() && is_taken_away(engine, pinned, path) {
                let place = Place::Path(path.to_string());
                past.versions.insert(0, Found::new("removed", place));
            }
        } else {
            answer.subject.clone_from(&target.path);
        }
        return Ok(past);
    }
    let past = gone::past(engine, pinned, ancestry, text, progress, answer)?;
    Ok(past.unwrap_or_default())
}

/// The files and directories that a text may have been called, most likely first: those with white space in their names are
/// written like sentences, and what stands before the number of a line is one.
fn paths_of(view: &View, target: &Target) -> Vec<Followed> {
    let path = |text: &str| RepoPath::shown_as(text).ok();
    let mut all = Vec::new();
    if let Some(lines) = &target.lines {
        let gone = path(&lines.path).filter(|path| view.file_at(path.as_bytes()).is_none());
        all.extend(gone.map(Followed::File));
    }
    let has_space = target.path.contains(char::is_whitespace) && !target.path.contains(['(', '\n']);
    if target.is_like_a_path() || has_space {
        if !target.is_folder {
            all.extend(path(&target.path).map(Followed::File));
        }
        if target.is_folder || has_space {
            all.extend(path(&target.path).map(|path| Followed::Folder(Some(path))));
        }
    }
    all
}

/// Whether the work tree that is asked about lacks a file of its commit.
fn is_taken_away(engine: &Engine, pinned: &Pinned, path: &RepoPath) -> bool {
    let place = engine.repo().work_dir().and_then(|top| path.under(top));
    pinned.stamp.dirty > 0 && place.is_some_and(|place| place.symlink_metadata().is_err())
}
