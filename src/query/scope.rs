//! Which files of a view a question is restricted to.

use super::Error;
use super::affected::{Affected, Extent};
use super::request::Scope;
use crate::extract::record::{Grammar, SymbolKind};
use crate::lang;
use crate::view::files::File;
use crate::view::live::View;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use roaring::RoaringBitmap;

/// A [`Scope`] made ready to test files.
pub struct Filter {
    include: Option<GlobSet>,
    exclude: Option<GlobSet>,
    /// The globs as they were given.
    globs: Vec<String>,
    languages: Vec<Grammar>,
    kinds: Vec<SymbolKind>,
    affected: Option<Affected>,
}

impl Filter {
    /// Restricts nothing.
    pub fn open() -> Self {
        Self {
            include: None,
            exclude: None,
            globs: Vec::new(),
            languages: Vec::new(),
            kinds: Vec::new(),
            affected: None,
        }
    }

    /// Compiles a scope, but for the change that it may be limited to ([`Self::within`]). Fails on a glob that
    /// does not parse, an unknown language or kind; each names what is known.
    pub fn new(scope: &Scope) -> Result<Self, Error> {
        let (mut include, mut exclude) = (Vec::new(), Vec::new());
        for glob in &scope.globs {
            match glob.strip_prefix('!') {
                Some(rest) => exclude.push(rest),
                None => include.push(glob.as_str()),
            }
        }
        let languages = parse_labels("language", &scope.languages, Grammar::ALL, Grammar::label)?;
        let kinds = parse_labels("kind", &scope.kinds, SymbolKind::ALL, SymbolKind::label)?;
        Ok(Self {
            include: compile(&include)?,
            exclude: compile(&exclude)?,
            globs: scope.globs.clone(),
            languages,
            kinds,
            affected: None,
        })
    }

    /// Limits it to the files of a change and those that depend on them.
    pub fn within(self, affected: Affected) -> Self {
        Self {
            affected: Some(affected),
            ..self
        }
    }

    /// How far the change reaches that it is limited to.
    pub fn extent(&self) -> Option<&Extent> {
        self.affected.as_ref().map(|affected| &affected.extent)
    }

    /// Whether every file and symbol passes.
    pub fn is_open(&self) -> bool {
        self.include.is_none()
            && self.exclude.is_none()
            && self.languages.is_empty()
            && self.kinds.is_empty()
            && self.affected.is_none()
    }

    /// Whether a file passes.
    pub fn admits(&self, view: &View, file: &File) -> bool {
        if let Some(affected) = &self.affected
            && !affected.has(&file.path)
        {
            return false;
        }
        if !self.languages.is_empty() {
            let lang = file
                .doc
                .map(|d| view.segment(d.segment).segment.doc(d.doc).lang);
            if !lang.is_some_and(|lang| self.admits_language(lang)) {
                return false;
            }
        }
        (self.include.is_none() && self.exclude.is_none()) || self.admits_path(file)
    }

    /// What filters with the same effect on one view have in common; `None` where a change says what passes.
    pub fn key(&self) -> Option<Vec<u8>> {
        if self.affected.is_some() {
            return None;
        }
        let said = (&self.languages, &self.kinds, &self.globs);
        Some(format!("{said:?}").into_bytes())
    }

    /// The files that pass, given those whose document is of a language.
    pub fn files(
        &self,
        view: &View,
        of_language: impl Fn(Grammar) -> RoaringBitmap,
    ) -> RoaringBitmap {
        let mut files = match &self.affected {
            Some(affected) => affected.files(view),
            None => RoaringBitmap::from_iter(0..view.files().len() as u32),
        };
        if !self.languages.is_empty() {
            let wanted = Grammar::ALL
                .iter()
                .filter(|language| self.admits_language(**language));
            files &= wanted.fold(RoaringBitmap::new(), |all, language| {
                all | of_language(*language)
            });
        }
        if let Some(folders) = folders(&self.globs) {
            files &= folders.fold(RoaringBitmap::new(), |mut all, folder| {
                let (own, below) = below(view, folder);
                all.insert_range(below);
                all.extend(own);
                all
            });
        } else if self.include.is_some() || self.exclude.is_some() {
            let passes = |id: &u32| {
                let file = view.files().get(*id as usize);
                file.is_some_and(|file| self.admits_path(file))
            };
            files = files.iter().filter(passes).collect();
        }
        files
    }

    fn admits_language(&self, language: Grammar) -> bool {
        self.languages.contains(&language)
            // Asking for TypeScript means its JSX dialect too.
            || lang::of(language).dialect_of.is_some_and(|of| self.languages.contains(&of))
    }

    fn admits_path(&self, file: &File) -> bool {
        let path = String::from_utf8_lossy(file.path.as_bytes());
        self.include.as_ref().is_none_or(|set| set.is_match(&*path))
            && !self
                .exclude
                .as_ref()
                .is_some_and(|set| set.is_match(&*path))
    }

    /// Whether a symbol kind passes.
    pub fn admits_kind(&self, kind: SymbolKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Whether symbols are restricted by kind.
    pub fn restricts_kinds(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// Number of files that pass and are covered.
    pub fn count(&self, view: &View) -> usize {
        let is_any = self.include.is_none() && self.exclude.is_none() && self.languages.is_empty();
        if is_any && self.affected.is_none() {
            return view.files().len() - view.uncovered;
        }
        let is_here = |file: &File| !file.is_uncovered() && !file.is_outside();
        let passes = |file: &&File| is_here(file) && self.admits(view, file);
        view.files().iter().filter(passes).count()
    }
}

/// Looks labels up in a coded enum. Fails with the first label that is not known, with those that are.
pub fn parse_labels<T: Copy>(
    what: &'static str,
    labels: &[String],
    all: &[T],
    label: impl Fn(T) -> &'static str,
) -> Result<Vec<T>, Error> {
    labels
        .iter()
        .map(|wanted| {
            let lower = wanted.to_ascii_lowercase();
            all.iter()
                .copied()
                .find(|item| label(*item) == lower)
                .ok_or_else(|| Error::UnknownLabel {
                    what,
                    label: wanted.clone(),
                    known: all
                        .iter()
                        .map(|item| label(*item))
                        .collect::<Vec<_>>()
                        .join(", "),
                })
        })
        .collect()
}

fn compile(globs: &[&str]) -> Result<Option<GlobSet>, Error> {
    if globs.is_empty() {
        return Ok(None);
    }
    let mut set = GlobSetBuilder::new();
    for given in globs {
        let bad = |err: globset::Error| Error::BadScope {
            glob: (*given).to_owned(),
            reason: err.kind().to_string(),
        };
        for pattern in spellings(given) {
            set.add(
                GlobBuilder::new(&pattern)
                    .literal_separator(true)
                    .build()
                    .map_err(bad)?,
            );
        }
    }
    let joined = || globs.join(" ");
    set.build().map(Some).map_err(|err| Error::BadScope {
        glob: joined(),
        reason: err.kind().to_string(),
    })
}

/// The folders and files that globs name without a wildcard, as beginnings of paths; `None` when one is another glob.
fn folders(globs: &[String]) -> Option<impl Iterator<Item = &[u8]>> {
    let is_plain = |glob: &String| {
        let is_special = |c: char| "*?[]{}!\\\u{fffd}".contains(c);
        // A name alone is one in any folder.
        glob.trim_end_matches('/').len() > 1
            && glob.contains('/')
            && !glob.contains("//")
            && !glob.starts_with(['.', '/'])
            && !glob.contains(is_special)
    };
    let plain = !globs.is_empty() && globs.iter().all(is_plain);
    plain.then(|| globs.iter().map(String::as_bytes))
}

/// The file that a path without a wildcard names, and the files below it.
fn below(view: &View, path: &[u8]) -> (Option<u32>, std::ops::Range<u32>) {
    let files = view.files();
    let folder = path.strip_suffix(b"/").unwrap_or(path);
    let own = match folder.len() == path.len() {
        true => view.file_at(folder).map(|file| file.0),
        false => None,
    };
    let first = [folder, b"/"].concat();
    // What comes after all that begins with `folder/`.
    let last = [folder, b"0"].concat();
    let at = |path: &[u8]| files.partition_point(|file| file.path.as_bytes() < path) as u32;
    (own, at(&first)..at(&last))
}

/// What a glob stands for: `src/` and `src` everything below (and the file `src`), `*.rs` the file
/// name in any directory, anything with a slash the path from the root.
fn spellings(glob: &str) -> Vec<String> {
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    let anchored = glob.strip_prefix('/').unwrap_or(glob);
    if anchored.is_empty() || anchored == "." {
        return vec!["**".to_owned()];
    }
    if let Some(dir) = anchored.strip_suffix('/') {
        return vec![format!("{dir}/**")];
    }
    let mut out = vec![anchored.to_owned(), format!("{anchored}/**")];
    if !anchored.contains('/') && glob == anchored {
        out.push(format!("**/{anchored}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(globs: &[&str], path: &str) -> bool {
        compile(globs).unwrap().is_none_or(|set| set.is_match(path))
    }

    #[test]
    fn globs_mean_what_people_mean() {
        assert!(matches(&["src/"], "src/a/b.rs"));
        assert!(!matches(&["src/"], "lib/src/b.rs"));
        assert!(matches(&["src"], "src/a/b.rs"));
        assert!(matches(&["*.rs"], "src/a/b.rs"));
        assert!(!matches(&["/*.rs"], "src/a/b.rs"));
        assert!(matches(&["src/*.rs"], "src/b.rs"));
        assert!(!matches(&["src/*.rs"], "src/a/b.rs"));
        assert!(matches(&["src/**/*.rs"], "src/a/b.rs"));
        assert!(matches(&["./src/a"], "src/a/b.rs"));
        assert!(matches(&["."], "anything"));
    }

    #[test]
    fn a_bad_glob_or_label_is_named() {
        let scope = |globs: &[&str], languages: &[&str]| Scope {
            globs: globs.iter().map(|s| (*s).to_owned()).collect(),
            languages: languages.iter().map(|s| (*s).to_owned()).collect(),
            ..Scope::default()
        };
        let err = Filter::new(&scope(&["a[b"], &[]))
            .err()
            .unwrap()
            .to_string();
        assert!(err.contains("a[b"), "{err}");
        let err = Filter::new(&scope(&[], &["cobol"]))
            .err()
            .unwrap()
            .to_string();
        assert!(err.contains("cobol") && err.contains("python"), "{err}");
        assert!(Filter::new(&scope(&[], &["Rust"])).is_ok());
    }
}
