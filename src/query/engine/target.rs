//! What is done to a target before it is read: paths are made relative to the root of the work tree, and
//! the revision after `@` is split off.

use super::{Engine, Pinned};
use crate::query::Error;
use crate::query::answer::TargetNote;
use crate::query::entry_points::{self, EntryPoint, matching};
use crate::query::pattern::Pattern;
use crate::query::request::Revision;
use crate::query::scope::Filter;
use crate::query::target::{Lines, Target, plain_path, split_revision};
use crate::query::target_matches::{self, Passage, TargetMatches, What};
use crate::view::live::View;
use std::path::Path;

/// Reads a target that is not empty.
pub(in crate::query) fn parse_target(text: &str) -> Result<Target, Error> {
    match text.trim() {
        "" => Err(Error::EmptyTarget),
        _ => Ok(Target::read(text)),
    }
}

/// What the first pattern matches that matches anything. Fails on an expression that is none.
fn matching(
    view: &View,
    filter: &Filter,
    patterns: &[Pattern],
) -> Result<Option<TargetMatches>, Error> {
    for pattern in patterns {
        let meant = TargetMatches::of_pattern(view, filter, pattern)?;
        if meant.is_exact() {
            return Ok(Some(meant));
        }
    }
    Ok(None)
}

impl Engine {
    /// A target given in `folder`, as it is at the root of the work tree: only paths that begin with `./`
    /// or `../` change.
    pub fn relative_to_root(&self, folder: &Path, target: &str) -> String {
        let is_relative = target == "."
            || target == ".."
            || target.starts_with("./")
            || target.starts_with("../");
        let inside = || {
            let folder = folder.canonicalize().ok()?;
            let top = self.repo.work_dir()?.canonicalize().ok()?;
            let inside = folder.strip_prefix(top).ok()?.to_str()?.replace('\\', "/");
            let path = plain_path(&format!("{inside}/{target}"));
            let is_folder = target.ends_with('/') || matches!(target, "." | "..");
            let slash = if is_folder { "/" } else { "" };
            Some(match path.as_str() {
                "" => "./".to_owned(),
                path => format!("{path}{slash}"),
            })
        };
        let meant = is_relative.then(inside).flatten();
        meant.unwrap_or_else(|| target.to_owned())
    }

    /// The target and the revision that a question is about: `name@REV` is `name` at REV,
    /// and asking for another revision besides is an error.
    pub(in crate::query) fn target_and_revision(
        &self,
        target: &str,
        at: &Revision,
    ) -> Result<(String, Revision), Error> {
        let target = self
            .inside_work_tree(target)
            .unwrap_or_else(|| target.to_owned());
        let Some((of, rev)) = split_revision(&target) else {
            return Ok((target, at.clone()));
        };
        let commit = match self.repo.resolve(rev) {
            Ok(commit) => commit,
            // `lib/a.js:3@nowhere` can mean nothing else; `@types/a@2.js` is a path.
            Err(err) if Lines::read(of).is_some() => return Err(err.into()),
            Err(_) => return Ok((target, at.clone())),
        };
        if let Revision::At(asked) = at
            && self.repo.resolve(asked)? != commit
        {
            return Err(Error::TwoRevisions {
                target: target.clone(),
                named: rev.to_owned(),
                asked: asked.clone(),
            });
        }
        Ok((of.to_owned(), Revision::At(rev.to_owned())))
    }

    /// An absolute path below the work tree as the path inside it; agents think in absolute paths.
    fn inside_work_tree(&self, target: &str) -> Option<String> {
        let inside = Path::new(target.trim())
            .strip_prefix(self.repo.work_dir()?)
            .ok()?;
        let slash = if target.ends_with('/') { "/" } else { "" };
        match inside.to_str()?.replace('\\', "/").as_str() {
            "" => Some("./".to_owned()),
            inside => Some(format!("{inside}{slash}")),
        }
    }
}

impl Engine {
    /// What a target means: a route, what is called so, or what its pattern matches; an expression between slashes before
    /// routes, which begin with one too. Fails on an expression that is none.
    pub(in crate::query) fn meant_by(
        &self,
        pinned: &Pinned,
        (text, target): (&str, &Target),
        filter: &Filter,
    ) -> Result<TargetMatches, Error> {
        let view = pinned.view();
        let patterns = Pattern::read(target);
        let is_delimited = patterns.iter().any(|pattern| pattern.is_delimited);
        if is_delimited && let Some(meant) = matching(view, filter, &patterns)? {
            return Ok(meant);
        }
        if let Some(meant) = self.route_asked(pinned, text, filter) {
            return Ok(meant);
        }
        let meant = target_matches::of(view, filter, target);
        if is_delimited || meant.is_exact() {
            return Ok(meant);
        }
        Ok(matching(view, filter, &patterns)?.unwrap_or(meant))
    }

    /// What a target means that is written like a route (`GET /users/:id`, `/users/42`), where no file is
    /// called so: what the best routes lead to.
    fn route_asked(&self, pinned: &Pinned, text: &str, filter: &Filter) -> Option<TargetMatches> {
        matching::Asked::read(text)?;
        let view = pinned.view();
        let target = Target::read(text);
        let is_file = || !target_matches::files_shown_as(view, &target.path).is_empty();
        let all = self.entry_points(pinned);
        if all.is_empty() || is_file() {
            return None;
        }
        let admitted = |point: &&EntryPoint| filter.admits(view, view.file(point.file));
        let found = entry_points::asked(all.iter().filter(admitted), text);
        let first = *found.first()?;
        let place = |point: &EntryPoint| format!("{}:{}", view.file(point.file).path, point.line);
        let definitions = entry_points::definitions(view, self.graph(pinned), &found);
        let what = match definitions.is_empty() {
            false => What::Definitions(definitions),
            // A function that is written in place.
            true => What::Passage(Passage {
                file: first.file,
                first: first.line,
                last: first.line,
            }),
        };
        Some(TargetMatches {
            through: Some(TargetNote::Route(first.title(), place(first))),
            ..what.into()
        })
    }
}
