//! What changes with a change, by association rules over commits.
//!
//! A rule is "who changes A changes B", from the newest commits that touched A. Rules of one premise, as Zimmermann,
//! Weißgerber, Diehl and Zeller: Mining version histories to guide software changes (ICSE 2004, TSE 2005) and Ying,
//! Murphy, Ng and Chu-Carroll: Predicting source code changes by mining change history (TSE 2004) mine them. A change
//! of several files asks several rules. Rules for all of a change at once have too little support, and of those for
//! its largest part (TARMAQ: Rolfsnes, Di Alesio, Behjati, Moonen and Binkley: Generalizing the analysis of evolutionary
//! coupling for software change impact analysis, SANER 2016) fewer were right than of what is done here: what several
//! rules say of one file is put together, `1 - (1 - a)(1 - b)`, as in Rolfsnes, Moonen, Di Alesio, Behjati and Binkley:
//! Aggregating association rules to improve change recommendation (EMSE 2018).
//!
//! The confidence of a rule is a weighted share with a prior: `(sum of weights with B + PRIOR * kinship) / (sum of
//! weights + PRIOR)`. A commit weighs one over the number of its other files, for a sweep ties nothing together, and
//! half as much every [`HALF_LIFE`] commits back. Where A is new, what counts is what changed when files were added
//! beside it. B may be new too: a folder that gains a file whenever A changes, as those of migrations and notes do.
//!
//! Constants were fitted on 2,200 commits of clap, gson, monolog, requests, django-rest-framework, click, express, hugo,
//! rubocop, babel and jellyfin with one file taken out. Share of these files that are among the first three: counting
//! commits .486, TARMAQ .493, this .606, without kinship .596, without new files .594, without a half-life .597,
//! without weighing by size .576, before what happened once is left out. No constant moves it by more than .004 when
//! halved or doubled.

use super::relation::folder;
use crate::history::window::{Age, Window};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Commits that touched a file that are looked at, the newest: those before weigh a thirtieth at most.
const COMMITS: usize = 50;
/// Commits after which one weighs half as much.
const HALF_LIFE: f64 = 10.0;
/// A commit that changed more files than this says nothing of any two of them.
const MOST_FILES: u32 = 30;
/// Weight of what is believed before any commit was seen: that of one with one other file.
const PRIOR: f64 = 1.0;
/// Files of a folder that are asked when they were added.
const MOST_ADDED: usize = 200;
/// Commits that a prediction needs: what happened once is no rule.
const LEAST_COMMITS: usize = 2;
/// A change of more files than this is about none in particular.
pub const MOST_CHANGED: usize = 64;

/// The paths of a tree.
pub struct Paths<'a>(Vec<&'a [u8]>);

impl<'a> Paths<'a> {
    /// Takes paths in whatever order.
    pub fn of(paths: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut paths: Vec<&[u8]> = paths.into_iter().collect();
        paths.sort_unstable();
        Self(paths)
    }

    fn has(&self, path: &[u8]) -> bool {
        self.0.binary_search(&path).is_ok()
    }

    /// The files somewhere below a folder.
    fn below(&self, folder: &[u8]) -> impl Iterator<Item = &'a [u8]> {
        let first = match folder {
            b"" => Vec::new(),
            _ => [folder, b"/"].concat(),
        };
        let start = self.0.partition_point(|path| *path < &*first);
        let rest = self.0[start..].iter().copied();
        rest.take_while(move |path| path.starts_with(&first))
    }
}

/// What changes, or is to change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Spot {
    /// A file.
    File(Vec<u8>),
    /// A folder that gains a file.
    NewIn(Vec<u8>),
}

/// What usually changes with a change.
#[derive(Clone, PartialEq, Debug)]
pub struct Prediction {
    /// What is missing.
    pub spot: Spot,
    /// What rules of all that changed say together, from 0 to 1.
    pub confidence: f64,
    /// The premise of the rule that says most.
    pub because: Spot,
    /// Commits of the premise that are counted.
    pub of: usize,
    /// Those of them that changed the spot too, newest first.
    pub commits: Vec<Age>,
}

/// Rules that speak of one spot.
struct Said {
    unlikely: f64,
    commits: FxHashSet<Age>,
    best: Option<(f64, Prediction)>,
}

/// Predicts what else a change of these paths changes, the most likely first. `tree` is the one before the change:
/// what is not in it is new. `kinship` says how likely the second path is taken to change with the first.
pub fn predict(
    window: &Window,
    tree: &Paths,
    changed: &[&[u8]],
    kinship: &dyn Fn(&[u8], &[u8]) -> f64,
) -> Vec<Prediction> {
    if window.is_empty() || changed.len() > MOST_CHANGED {
        return Vec::new();
    }
    let mut all: BTreeMap<Spot, Said> = BTreeMap::new();
    for (because, paths) in premises(tree, changed) {
        let touching = match &because {
            Spot::File(path) => window.touching(path),
            Spot::NewIn(folder) => additions(window, tree, folder),
        };
        let sample = sample(window, touching);
        let total: f64 = sample.iter().map(|(_, weight)| weight).sum();
        for (spot, with) in companions(window, tree, &sample) {
            let prior = match &spot {
                Spot::File(file) if changed.contains(&&**file) => continue,
                Spot::File(file) => {
                    let each = paths.iter().map(|path| kinship(path, file));
                    each.fold(0.0, f64::max)
                }
                Spot::NewIn(_) => 0.0,
            };
            let weight: f64 = with.values().sum();
            let confidence = (weight + PRIOR * prior) / (total + PRIOR);
            let said = all.entry(spot.clone()).or_insert_with(|| Said {
                unlikely: 1.0,
                commits: FxHashSet::default(),
                best: None,
            });
            said.unlikely *= 1.0 - confidence;
            said.commits.extend(with.keys());
            if said
                .best
                .as_ref()
                .is_none_or(|(most, _)| confidence > *most)
            {
                let rule = Prediction {
                    spot,
                    confidence,
                    because: because.clone(),
                    of: sample.len(),
                    commits: with.into_keys().collect(),
                };
                said.best = Some((confidence, rule));
            }
        }
    }
    let gained = |spot: &Spot| match spot {
        Spot::File(_) => false,
        Spot::NewIn(folder) => changed
            .iter()
            .any(|path| !tree.has(path) && self::folder(path) == folder),
    };
    let mut found: Vec<Prediction> = all
        .into_iter()
        .filter(|(spot, said)| said.commits.len() >= LEAST_COMMITS && !gained(spot))
        .filter_map(|(_, said)| {
            let (_, rule) = said.best?;
            let confidence = 1.0 - said.unlikely;
            Some(Prediction { confidence, ..rule })
        })
        .collect();
    // The sort is stable, and the spots are in order.
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    found
}

/// What is asked for: each file that was there, and each folder that gains files, with these.
fn premises<'a>(tree: &Paths, changed: &[&'a [u8]]) -> BTreeMap<Spot, Vec<&'a [u8]>> {
    let mut premises: BTreeMap<Spot, Vec<&[u8]>> = BTreeMap::new();
    for path in changed {
        let spot = match tree.has(path) {
            true => Spot::File(path.to_vec()),
            false => Spot::NewIn(folder(path).to_vec()),
        };
        premises.entry(spot).or_default().push(path);
    }
    premises
}

/// The commits that added the files of a folder, newest first. Where history is cut off, the oldest that touched
/// one is taken for that.
fn additions(window: &Window, tree: &Paths, folder: &[u8]) -> Vec<Age> {
    let own = tree
        .below(folder)
        .filter(|path| self::folder(path) == folder);
    let first = own
        .take(MOST_ADDED)
        .filter_map(|path| window.touching(path).last().copied());
    let mut ages: Vec<Age> = first.collect();
    ages.sort_unstable();
    ages.dedup();
    ages
}

/// The commits that count, with their weights.
fn sample(window: &Window, commits: Vec<Age>) -> Vec<(Age, f64)> {
    let counts = |age: &Age| (1..=MOST_FILES).contains(&window.changed(*age));
    let commits = commits.into_iter().filter(counts).take(COMMITS);
    commits
        .zip(1..)
        .map(|(age, back)| {
            let others = f64::from(window.changed(age).max(2) - 1);
            (age, (-f64::from(back) / HALF_LIFE).exp2() / others)
        })
        .collect()
}

/// What changed in these commits, by where it is today, with the commits and their weights.
fn companions(
    window: &Window,
    tree: &Paths,
    sample: &[(Age, f64)],
) -> FxHashMap<Spot, BTreeMap<Age, f64>> {
    let mut found: FxHashMap<Spot, BTreeMap<Age, f64>> = FxHashMap::default();
    for (place, times) in window.together(sample, usize::MAX) {
        let name = window.path(place);
        let is_added = window.is_touched_once(place);
        for (age, weight) in times {
            let path = window.today(&name, age);
            let folder = folder(path);
            if is_added && !folder.is_empty() && tree.below(folder).next().is_some() {
                let gained = found.entry(Spot::NewIn(folder.to_vec())).or_default();
                gained.insert(age, weight);
            }
            if tree.has(path) {
                let changed = found.entry(Spot::File(path.to_vec())).or_default();
                changed.insert(age, weight);
            }
        }
    }
    found
}
