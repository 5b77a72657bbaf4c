//! What history tells of files at any moment of it: who changed them, how often, how often to mend them.
//!
//! One pass over the newest commits, the oldest of them first. What is told of a commit is told from those before it
//! alone, so a model that is fitted on these cases never sees what came later.

use crate::git::{Objects, commit};
use crate::history::message::SUBJECT_WEIGHT;
use crate::history::window::{Age, Window};
use crate::id::CommitId;
use crate::view::role::FileRole;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Newest commits of a window that are looked at.
const COMMITS: u32 = 3000;
/// One in so many commits, the oldest, is only learned from: before them nothing is known of any file.
const BEGINNING: u32 = 4;
/// A commit that changed more files than this is no case, and credits no file.
pub const MOST_FILES: u32 = 30;
/// A day in seconds.
const DAY: i64 = 86_400;
/// Days in which changes of a file count as churn: Graves, Karr, Marron and Siy: Predicting fault incidence using
/// software change history (TSE 2000) found that what was changed lately fails.
const CHURN_DAYS: i64 = 90;
/// Days that the pace of a repository is taken from.
const PACE_DAYS: i64 = 30;
/// Days in which a fix counts as one of what was changed.
pub const FIX_DAYS: i64 = 30;
/// Changes that a file is taken to have had beside its own, fixes among them as often as everywhere.
const PRIOR: f64 = 2.0;
/// Words of a subject that say that something is mended.
const FIX_WORDS: &[&str] = words!(
    "fix fixes fixed fixing bug bugs bugfix bugfixes hotfix revert reverts reverted regression
     regressions crash"
);

/// Number of features.
pub const FEATURES: usize = 5;
/// What is known of a change, in the order of [`super::Factor::LEARNED`]; more is worse.
pub type Features = [f64; FEATURES];

/// A person, by number.
type Person = u32;

/// What happened to a file.
#[derive(Clone, Default, Debug)]
struct Trace {
    changes: u32,
    fixes: u32,
    /// When it was changed lately, the oldest first.
    recent: VecDeque<i64>,
    by: FxHashMap<Person, u32>,
}

/// A commit that is over, and what became of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Which one it is.
    pub age: Age,
    /// What was known of it when it was made.
    pub features: Features,
    /// Its date, in seconds since 1970.
    pub date: i64,
    /// Whether a fix of one of its files came within [`FIX_DAYS`].
    pub was_fixed: bool,
}

/// What history tells of files at its end.
#[derive(Default, Debug)]
pub struct Past {
    /// Files by the path they have at the end.
    files: FxHashMap<Vec<u8>, Option<u32>>,
    traces: Vec<Trace>,
    people: FxHashMap<String, Person>,
    changes: u32,
    fixes: u32,
    /// When the newest commits were made.
    pace: VecDeque<i64>,
    /// Date of the newest commit.
    now: i64,
}

/// What is asked about.
pub struct Subject<'a> {
    /// Paths of its code, as they are at the end of history.
    pub code: &'a [&'a [u8]],
    /// Files that it changes.
    pub files: usize,
    /// Who makes it, by mail address.
    pub author: Option<&'a str>,
}

impl Past {
    /// Reads the newest commits of a window. Returns what is known at its end, and what became of each commit that
    /// changed code and is older than [`FIX_DAYS`], the oldest first. `author` says who made a commit.
    pub fn read(
        window: &Window,
        author: &mut dyn FnMut(CommitId) -> Option<String>,
    ) -> (Self, Vec<Outcome>) {
        let mut past = Self::default();
        let count = COMMITS.min(u32::try_from(window.len()).unwrap_or(COMMITS));
        if count == 0 {
            return (past, Vec::new());
        }
        let fixing = fixing(window);
        let touched: Vec<Vec<u32>> = (0..count).map(|age| past.code(window, Age(age))).collect();
        let end = window.date(Age(0));
        let fixed = fixed(window, &touched, &fixing, past.traces.len());
        let (mut outcomes, first) = (Vec::new(), count - count / BEGINNING);
        for age in (0..count).rev() {
            let (files, date) = (&touched[age as usize], window.date(Age(age)));
            let person = window.commit(Age(age)).and_then(&mut *author);
            let person = person.map(|mail| past.person(mail));
            past.advance(date);
            let is_over = date <= end.saturating_sub(FIX_DAYS * DAY);
            if age < first && is_over && !files.is_empty() {
                let changed = window.changed(Age(age)) as usize;
                outcomes.push(Outcome {
                    age: Age(age),
                    features: past.features(files, changed, person),
                    date,
                    was_fixed: fixed[age as usize],
                });
            }
            past.add(files, date, person, fixing.contains(&Age(age)));
        }
        (past, outcomes)
    }

    /// Features of a change after all of this; `None` when none of it is code.
    pub fn of(&self, subject: &Subject) -> Option<Features> {
        let is_code = |path: &&&[u8]| FileRole::of_path(path) == FileRole::Product;
        let code: Vec<&[u8]> = subject.code.iter().filter(is_code).copied().collect();
        if code.is_empty() {
            return None;
        }
        let known = code.iter().filter_map(|path| *self.files.get(*path)?);
        let known: Vec<u32> = known.collect();
        // Somebody who never came by is nobody's owner.
        let author = subject.author.map(|mail| mail.to_lowercase());
        let person = author.map(|mail| self.people.get(&mail).copied().unwrap_or(u32::MAX));
        Some(self.features(&known, subject.files, person))
    }

    fn features(&self, files: &[u32], changed: usize, person: Option<Person>) -> Features {
        let usual = (f64::from(self.fixes) + 1.0) / (f64::from(self.changes) + 5.0);
        let (mut churn, mut fixes, mut others) = (0, usual, 0.0);
        for trace in files.iter().map(|file| &self.traces[*file as usize]) {
            let since = self.now - CHURN_DAYS * DAY;
            churn = churn.max(trace.recent.iter().filter(|date| **date > since).count());
            let share =
                (f64::from(trace.fixes) + PRIOR * usual) / (f64::from(trace.changes) + PRIOR);
            fixes = f64::max(fixes, share);
            if trace.changes > 0 {
                let own = person.and_then(|person| trace.by.get(&person)).copied();
                others += 1.0 - f64::from(own.unwrap_or(0)) / f64::from(trace.changes);
            }
        }
        [
            (changed.max(1) as f64).ln(),
            (churn as f64).ln_1p(),
            fixes,
            others / files.len().max(1) as f64,
            (self.pace.len() as f64).ln_1p(),
        ]
    }

    fn advance(&mut self, date: i64) {
        // Clocks go wrong; time does not go back.
        self.now = self.now.max(date);
        while self
            .pace
            .front()
            .is_some_and(|first| *first < self.now - PACE_DAYS * DAY)
        {
            self.pace.pop_front();
        }
    }

    fn add(&mut self, files: &[u32], date: i64, person: Option<Person>, is_fix: bool) {
        self.changes += 1;
        self.fixes += u32::from(is_fix);
        self.pace.push_back(date);
        for file in files {
            let trace = &mut self.traces[*file as usize];
            trace.changes += 1;
            trace.fixes += u32::from(is_fix);
            trace.recent.push_back(date);
            while trace
                .recent
                .front()
                .is_some_and(|first| *first < self.now - CHURN_DAYS * DAY)
            {
                trace.recent.pop_front();
            }
            if let Some(person) = person {
                *trace.by.entry(person).or_default() += 1;
            }
        }
    }

    fn person(&mut self, mail: String) -> Person {
        let next = u32::try_from(self.people.len()).unwrap_or(u32::MAX);
        *self.people.entry(mail.to_lowercase()).or_insert(next)
    }

    /// The code that a commit touched; none of one that changed too much.
    fn code(&mut self, window: &Window, age: Age) -> Vec<u32> {
        if window.changed(age) > MOST_FILES {
            return Vec::new();
        }
        let mut code = Vec::new();
        for path in window.touched(age) {
            let path = window.today(&path, age);
            let known = match self.files.get(path) {
                Some(known) => *known,
                None => {
                    let is_code = FileRole::of_path(path) == FileRole::Product;
                    let file = is_code.then_some(self.traces.len() as u32);
                    self.traces.extend(is_code.then(Trace::default));
                    self.files.insert(path.to_vec(), file);
                    file
                }
            };
            code.extend(known);
        }
        code.sort_unstable();
        code.dedup();
        code
    }
}

/// The commits whose subjects say that something is mended.
pub fn fixing(window: &Window) -> FxHashSet<Age> {
    let holders = FIX_WORDS
        .iter()
        .flat_map(|word| window.holders(word.as_bytes()));
    let in_subject = holders.filter(|(_, count)| *count >= SUBJECT_WEIGHT);
    in_subject.map(|(age, _)| age).collect()
}

/// Whether a subject says that something is mended.
pub fn says_fix(subject: &str) -> bool {
    let words = subject.split(|c: char| !c.is_alphanumeric());
    let mut words = words.map(str::to_lowercase);
    words.any(|word| FIX_WORDS.contains(&word.as_str()))
}

/// For each commit whether one of its files was fixed soon after.
fn fixed(
    window: &Window,
    touched: &[Vec<u32>],
    fixing: &FxHashSet<Age>,
    files: usize,
) -> Vec<bool> {
    // When each file was fixed, by commits that are newer than the one that is looked at; the last is the next.
    let mut fixes: Vec<Vec<i64>> = vec![Vec::new(); files];
    let mut found = Vec::with_capacity(touched.len());
    for (files, age) in touched.iter().zip(0..) {
        let date = window.date(Age(age));
        let until = date.saturating_add(FIX_DAYS * DAY);
        let soon = |file: &u32| {
            let next = fixes[*file as usize].last();
            next.is_some_and(|next| (date..=until).contains(next))
        };
        found.push(files.iter().any(soon));
        if fixing.contains(&Age(age)) {
            for file in files {
                fixes[*file as usize].push(date);
            }
        }
    }
    found
}

/// The mail address of whoever wrote a commit; `None` where it cannot be read.
pub fn author(objects: &mut Objects, id: CommitId) -> Option<String> {
    Some(commit::origins(objects, id).ok()?.author.mail)
}
