//! What stands where nothing was found: where it was looked, what of that could not be understood, what
//! is near, and the call that may help.
//!
//! Guarantee: nothing here answers the question. What is near has a place of its own, so that nobody
//! takes it for what was asked for.

mod paths;

use super::definitions;
use super::request::{Mode, Scope};
use super::scope::Filter;
use super::state::Skipped;
use super::target::{Name, Target};
use crate::extract::record::DocFlags;
use crate::segment::DocRow;
use crate::view::files::Reading;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use crate::view::written::Written;
use std::collections::BTreeMap;

/// Names offered.
const MAX_NAMES: usize = 5;
/// Paths offered.
const MAX_PATHS: usize = 3;
/// Shortest word of a search that paths are looked for by.
const MIN_WORD: usize = 4;
/// Words of a question whose spelling is looked at: to look through all names takes as long as a search.
const MAX_WORDS: usize = 3;
/// Files that parse only in part and are looked through for a name.
const MAX_READ: usize = 256;
/// Files named of those that could not be understood.
const MAX_FILES: usize = 3;

/// Why a file was not read that should have been.
const NOT_COVERED: &str = "not covered";

/// Files, or lines, that have something in common.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Few {
    /// How many.
    pub total: usize,
    /// Paths of the first, product code first; with its number for a line.
    pub first: Vec<String>,
}

/// The call that may help.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The same question without what restricts it.
    Widen,
    /// The same question below this folder or file.
    Below(String),
    /// The same question about this name.
    Instead(Written),
    /// `symbol` of this path.
    Outline(String),
    /// `search` for these words, ranked.
    Search(String),
    /// `map`.
    Map,
    /// `status`, which says how to get what is not covered.
    Cover,
}

/// An empty answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nothing {
    /// Files that were looked at.
    pub searched: usize,
    /// Files there are.
    pub files: usize,
    /// What the question was restricted to.
    pub scope: Scope,
    /// How much there is without that.
    pub beyond: u64,
    /// Files that parse only in part.
    pub broken: Few,
    /// Where the name that was asked for stands in lines that were not understood.
    pub hidden: Few,
    /// Files that were not read.
    pub unread: Few,
    /// Why they were not, with how many files each, most first.
    pub reasons: Vec<Skipped>,
    /// Names that are spelt or begin alike.
    pub names: Vec<Written>,
    /// Paths that end alike; folders end in a slash.
    pub paths: Vec<String>,
    /// What may help.
    pub step: Option<Step>,
}

impl Nothing {
    /// Says where it was looked in vain. Where the scope holds no file at all, paths near it are offered.
    pub fn within(view: &View, filter: &Filter, scope: &Scope) -> Self {
        let flawed = view.flaws().files.iter().copied();
        let flawed: Vec<FileId> = flawed
            .filter(|id| filter.admits(view, view.file(*id)))
            .collect();
        let searched = filter.count(view);
        let mut nothing = Self {
            searched,
            files: view.files().len() - view.outside,
            scope: scope.clone(),
            ..Self::default()
        };
        let mut reasons: BTreeMap<&'static str, usize> = BTreeMap::new();
        for id in &flawed {
            let file = view.file(*id);
            let row = file.doc.map(|doc| {
                let segment = &view.segment(doc.segment).segment;
                segment.doc(doc.doc)
            });
            let is_broken = |row: &DocRow| row.flags.contains(DocFlags::SYNTAX_ERRORS);
            if row.as_ref().is_some_and(is_broken) {
                nothing.broken.add(file.path.to_string());
            }
            let skipped = row.and_then(|row| row.skip).map(|reason| reason.label());
            let skipped = skipped.or_else(|| file.is_uncovered().then_some(NOT_COVERED));
            if let Some(reason) = file.reading.skip_label().or(skipped) {
                *reasons.entry(reason).or_default() += 1;
                match file.reading {
                    // What is forgotten is counted, and not pointed at.
                    Reading::Forgotten => nothing.unread.total += 1,
                    _ => nothing.unread.add(file.path.to_string()),
                }
            }
        }
        nothing.reasons = Skipped::most_first(reasons);
        if searched == 0 && flawed.is_empty() {
            let globs = scope.globs.iter().filter(|glob| !glob.starts_with('!'));
            for glob in globs.take(MAX_WORDS) {
                nothing.add_paths(paths::near(view, glob, MAX_PATHS));
            }
            nothing.step = match nothing.paths.first() {
                Some(path) => Some(Step::Below(path.clone())),
                None if nothing.files > 0 => Some(Step::Widen),
                None => None,
            };
        }
        nothing
    }

    /// Adds where a name stands in lines that were not understood.
    pub fn hidden(mut self, view: &View, texts: &mut Texts, filter: &Filter, name: &str) -> Self {
        if name.is_empty() {
            return self;
        }
        let ids = view.flaws().gaps.iter().copied();
        let ids = ids.filter(|id| filter.admits(view, view.file(*id)));
        let gaps = ids.filter_map(|id| {
            let doc = view.file(id).doc?;
            let segment = &view.segment(doc.segment).segment;
            Some((id, segment.gaps(doc.doc)))
        });
        for (id, gaps) in gaps.take(MAX_READ) {
            let Some(text) = texts.if_here(view, id) else {
                continue;
            };
            let mut last = 0;
            for at in text.words(name.as_bytes()) {
                let (line, _) = text.place(at);
                if line != last && gaps.contains(line) {
                    self.hidden.add(format!("{}:{line}", view.file(id).path));
                    last = line;
                }
            }
        }
        self
    }

    /// Adds what there is without the restrictions of the question.
    pub fn beyond(mut self, found: u64) -> Self {
        self.beyond = found;
        if found > 0 {
            self.step = Some(Step::Widen);
        }
        self
    }

    /// Adds what is near a name or a path, if anything was looked at.
    pub fn near(mut self, view: &View, texts: &mut Texts, target: &Target) -> Self {
        if self.step.is_some() {
            return self;
        }
        let is_path = target.is_like_a_path();
        let id = target.ids().next();
        let lines = target.lines.as_ref();
        let (paths, name) = match &id {
            Some(id) => (vec![id.path], Some(id.name())),
            None if is_path || lines.is_some() => {
                let path = lines.map_or(target.path.as_str(), |lines| lines.path.as_str());
                (vec![path], None)
            }
            None => {
                // A file may be named like the name or like what it is in.
                let name = target.name.own.as_str();
                let innermost = target.name.containers.last().map(String::as_str);
                (std::iter::once(name).chain(innermost).collect(), Some(name))
            }
        };
        if let Some(name) = name {
            let named = Name::bare(name);
            let named = if id.is_none() { &target.name } else { &named };
            self.names = definitions::similar_names(view, texts, named, MAX_NAMES);
        }
        // What was named as its container says what there is instead.
        if let (None, Some(container)) = (&id, target.name.containers.last()) {
            let is_member = |name: &Written| {
                let outer = name.rsplit_once('.').map(|(outer, _)| outer);
                outer.is_some_and(|outer| outer.ends_with(container))
            };
            if !self.names.first().is_some_and(is_member) {
                let container = definitions::spelt_type(view, texts, container);
                self.names.splice(0..0, container);
            }
        }
        for path in paths {
            self.add_paths(paths::near(view, path, MAX_PATHS));
        }
        self.step = Some(match (self.names.first(), self.paths.first()) {
            (Some(name), _) => Step::Instead(name.clone()),
            (None, Some(path)) if is_path => Step::Outline(path.clone()),
            (None, _) if self.lacks_files() => Step::Cover,
            (None, _) => Step::Search(words(&target.text)),
        });
        self
    }

    /// Adds what is near the words of a search, if anything was looked at.
    pub fn near_words(mut self, view: &View, texts: &mut Texts, query: &str, mode: Mode) -> Self {
        if self.step.is_some() {
            return self;
        }
        let words = words(query);
        for word in words
            .split(' ')
            .take(MAX_WORDS)
            .filter(|word| !word.is_empty())
        {
            for name in definitions::similar_names(view, texts, &Name::bare(word), MAX_NAMES) {
                if self.names.len() < MAX_NAMES && !self.names.contains(&name) {
                    self.names.push(name);
                }
            }
            if word.len() >= MIN_WORD {
                self.add_paths(paths::near(view, word, MAX_PATHS));
            }
        }
        self.step = match (mode, self.names.first()) {
            (_, None) if self.lacks_files() => Some(Step::Cover),
            (Mode::Text | Mode::Regex, _) if !words.is_empty() => Some(Step::Search(words)),
            (_, Some(name)) => Some(Step::Instead(name.clone())),
            (_, None) => Some(Step::Map),
        };
        self
    }

    /// Whether files that should have been searched are not covered.
    fn lacks_files(&self) -> bool {
        let mut reasons = self.reasons.iter();
        reasons.any(|skipped| skipped.reason == NOT_COVERED)
    }

    fn add_paths(&mut self, paths: Vec<String>) {
        for path in paths {
            if self.paths.len() < MAX_PATHS && !self.paths.contains(&path) {
                self.paths.push(path);
            }
        }
    }
}

impl Few {
    pub(in crate::query) fn add(&mut self, path: String) {
        self.total += 1;
        if self.first.len() < MAX_FILES {
            self.first.push(path);
        }
    }
}

/// The words of a text, a space between two.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_a_search_takes() {
        assert_eq!(words("lib/a_b.Router#use"), "lib a_b Router use");
        assert_eq!(words("::"), "");
    }
}
