//! What changes together with a file, or with files of a folder.

use crate::history::window::{Age, Window};
use crate::query::churn::Churn;
use crate::query::diff::omissions::rules::{self, Paths, Spot};
use crate::view::live::View;
use std::collections::BTreeMap;

/// Files that are told.
const MAX_COMPANIONS: usize = 5;
/// Newest commits of a folder that are looked at.
const COMMITS: usize = 500;
/// Commits that it takes: what happened once is no rule.
const LEAST: usize = 2;

/// A file that changes together with what is asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Companion {
    /// Its path.
    pub path: String,
    /// Commits that changed both.
    pub times: usize,
    /// Commits that were looked at.
    pub of: usize,
}

fn file(view: &View, path: &[u8], times: usize, of: usize) -> Option<Companion> {
    let file = view.file_at(path)?;
    Some(Companion {
        path: view.file(file).path.to_string(),
        times,
        of,
    })
}

/// What changes with a file, by the rules that tell what a change leaves out, the most likely first.
pub(super) fn of_file(view: &View, window: &Window, path: &[u8]) -> Vec<Companion> {
    let tree = Paths::of(view.files().iter().map(|file| file.path.as_bytes()));
    let found = rules::predict(window, &tree, &[path], &|_, _| 0.0);
    let files = found.into_iter().filter_map(|one| match &one.spot {
        Spot::File(with) => file(view, with, one.commits.len(), one.of),
        Spot::NewIn(_) => None,
    });
    files.take(MAX_COMPANIONS).collect()
}

/// The files outside of a folder that changed most often with files in it, in its newest commits.
pub(super) fn of_folder(view: &View, churn: &Churn<'_>, folder: &[u8]) -> Vec<Companion> {
    let window = churn.window();
    let first = [folder, b"/"].concat();
    let (mut of, mut times): (usize, BTreeMap<Vec<u8>, usize>) = (0, BTreeMap::new());
    for age in (0..window.len() as u32).map(Age) {
        if of == COMMITS {
            break;
        }
        let touched = window.touched(age);
        let paths: Vec<Vec<u8>> = touched
            .map(|path| window.today(&path, age).to_vec())
            .collect();
        if !churn.counts(age) || !paths.iter().any(|path| path.starts_with(&first)) {
            continue;
        }
        of += 1;
        for path in paths.into_iter().filter(|path| !path.starts_with(&first)) {
            *times.entry(path).or_default() += 1;
        }
    }
    let mut all: Vec<(Vec<u8>, usize)> = times.into_iter().collect();
    all.retain(|(_, times)| *times >= LEAST);
    all.sort_by(|(a, x), (b, y)| y.cmp(x).then(a.cmp(b)));
    let files = all
        .into_iter()
        .filter_map(|(path, times)| file(view, &path, times, of));
    files.take(MAX_COMPANIONS).collect()
}
