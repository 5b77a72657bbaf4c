//! The two ends of an edge: what is meant at a revision, and where it stood before under which names.

use super::ancestry::Ancestry;
use super::answer::{HistoryAnswer, Place};
use super::follow::Past;
use super::gone;
use super::request::Wanted;
use super::subject;
use crate::git::RepoPath;
use crate::query::Error;
use crate::query::engine::history::Sight;
use crate::query::engine::{Engine, Pinned, parse_target};
use crate::query::target_matches::What;
use crate::query::verified::VerifiedSymbols;
use crate::store::Progress;
use crate::view::files::File;
use crate::view::live::FileId;
use rustc_hash::FxHashSet;

/// Definitions of one name that are meant together.
const MAX_NAMESAKES: usize = 8;
/// Of these so many are followed to where they stood before.
const MAX_FOLLOWED: usize = 3;
/// Places of one end.
const MAX_STANDS: usize = 64;

/// Files that are called by their directories.
const FOLDERS: &[&[u8]] = &[b"index", b"__init__", b"mod", b"init", b"main", b"lib"];

/// Where a definition stands or stood.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stand {
    /// Its file.
    pub path: RepoPath,
    /// Its name with its containers.
    pub qualified: String,
}

/// One end of an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Files, or all files below directories: one thing under all names it had.
    Paths(Vec<RepoPath>),
    /// Definitions, where they stood at some time.
    Symbols(Vec<Stand>),
}

impl End {
    /// The paths at which it stood.
    pub fn paths(&self) -> Box<dyn Iterator<Item = RepoPath> + '_> {
        match self {
            Self::Paths(paths) => Box::new(paths.iter().cloned()),
            Self::Symbols(stands) => {
                let mut seen = FxHashSet::default();
                let paths = stands.iter().map(|stand| stand.path.clone());
                Box::new(paths.filter(move |path| seen.insert(path.clone())))
            }
        }
    }

    /// Its files among all of a tree, in path order.
    pub fn files(&self, files: &[File]) -> Vec<FileId> {
        let mut found = Vec::new();
        for path in self.paths() {
            let path = path.as_bytes();
            let first = files.partition_point(|file| file.path.as_bytes() < path);
            let is_meant = |file: &File| {
                let rest = file.path.as_bytes().strip_prefix(path);
                rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
            };
            // Between a directory and what is in it others may stand: `lib-b` before `lib/a`.
            let near = files[first..].iter().zip(first as u32..);
            let near = near.take_while(|(file, _)| file.path.as_bytes().starts_with(path));
            let meant = near.filter(|(file, _)| is_meant(file) && file.key().is_some());
            found.extend(meant.map(|(_, id)| FileId(id)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The names of its definitions.
    pub fn names(&self) -> Vec<Vec<u8>> {
        let Self::Symbols(stands) = self else {
            return Vec::new();
        };
        let own = |stand: &Stand| {
            let own = stand.qualified.rsplit('.').next();
            own.unwrap_or(&stand.qualified).as_bytes().to_vec()
        };
        let mut names: Vec<Vec<u8>> = stands.iter().map(own).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The names of its definitions and of what they stand in.
    pub fn chains(&self) -> Vec<Vec<u8>> {
        let Self::Symbols(stands) = self else {
            return Vec::new();
        };
        let parts = stands.iter().flat_map(|stand| stand.qualified.split('.'));
        let mut names: Vec<Vec<u8>> = parts.map(|part| part.as_bytes().to_vec()).collect();
        names.retain(|name| !name.is_empty());
        names.sort();
        names.dedup();
        names
    }

    /// What its files are called where they are imported: what a file gives out may be given another name.
    pub fn files_called(&self) -> Vec<Vec<u8>> {
        let called = self.paths().filter_map(|path| {
            let name = path.file_name();
            let stem = name.split(|byte| *byte == b'.').next().unwrap_or_default();
            match FOLDERS.contains(&stem) {
                true => Some(path.parent()?.file_name().to_vec()),
                false => Some(stem.to_vec()),
            }
        });
        let mut called: Vec<Vec<u8>> = called.filter(|word| !word.is_empty()).collect();
        called.sort();
        called.dedup();
        called
    }
}

/// What a text means as an end, and how it is shown.
pub(super) fn of(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry,
    text: &str,
    progress: &dyn Progress,
) -> Result<Option<(End, String)>, Error> {
    let view = pinned.view();
    let meant = subject::meant(engine, pinned, text)?;
    let sight = ancestry.sight();
    let of_file = |file: FileId| {
        let path = view.file(file).path.clone();
        let shown = path.to_string();
        let names = sight.window().earlier_names(path.as_bytes());
        let earlier = names
            .into_iter()
            .filter_map(|name| RepoPath::new(name).ok());
        let mut paths: Vec<RepoPath> = std::iter::once(path).chain(earlier).collect();
        paths.truncate(MAX_STANDS);
        (End::Paths(paths), shown)
    };
    Ok(match meant.what {
        What::Files(files) => files.first().map(|file| of_file(*file)),
        What::Passage(passage) => Some(of_file(passage.file)),
        What::Folder(folder) if folder.path.is_empty() => None,
        What::Folder(folder) => {
            let shown = folder.shown();
            Some((End::Paths(vec![RepoPath::new(folder.path)?]), shown))
        }
        What::Definitions(found) => {
            let exact: Vec<_> = found
                .into_iter()
                .filter(|found| found.matched.is_exact())
                .collect();
            if exact.is_empty() {
                return lost(engine, pinned, ancestry, text, progress);
            }
            let mut stands = Vec::new();
            let mut shown = String::new();
            for found in exact.iter().take(MAX_NAMESAKES) {
                let Some(symbols) = VerifiedSymbols::of(view, found.file) else {
                    continue;
                };
                if shown.is_empty() {
                    let said = symbols.reference(&mut engine.texts(), found.index);
                    shown = said.map(|said| said.id.to_string()).unwrap_or_default();
                }
                stands.push(Stand {
                    path: view.file(found.file).path.clone(),
                    qualified: symbols.symbols().qualified(found.index),
                });
            }
            for found in exact.iter().take(MAX_FOLLOWED) {
                let past =
                    subject::past_of(engine, pinned, ancestry, (found, Wanted::ALL), progress)?;
                stands.extend(stood(&past));
            }
            Some((End::Symbols(everywhere(stands, &sight)), shown))
        }
    })
}

/// The same places, each once, and those that their files had under other names while nothing became of them.
fn everywhere(mut stands: Vec<Stand>, sight: &Sight) -> Vec<Stand> {
    let mut seen = FxHashSet::default();
    stands.retain(|stand| seen.insert(stand.clone()));
    for stand in stands.clone() {
        let names = sight.window().earlier_names(stand.path.as_bytes());
        for path in names
            .into_iter()
            .filter_map(|name| RepoPath::new(name).ok())
        {
            let other = Stand {
                path,
                qualified: stand.qualified.clone(),
            };
            if seen.insert(other.clone()) {
                stands.push(other);
            }
        }
    }
    stands.truncate(MAX_STANDS);
    stands
}

/// Something that is no more.
fn lost(
    engine: &Engine,
    pinned: &Pinned,
    ancestry: &mut Ancestry,
    text: &str,
    progress: &dyn Progress,
) -> Result<Option<(End, String)>, Error> {
    let target = parse_target(text)?;
    let path = RepoPath::shown_as(&target.path).ok();
    if let Some(path) = path.filter(|_| target.is_like_a_path() && !target.path.is_empty()) {
        return Ok(Some((End::Paths(vec![path]), text.trim().to_owned())));
    }
    let mut aside = HistoryAnswer::default();
    let past = gone::past(engine, pinned, ancestry, text, progress, &mut aside)?;
    let stands = past.map(|past| everywhere(stood(&past), &ancestry.sight()));
    let stands = stands.filter(|stands| !stands.is_empty());
    Ok(stands.map(|stands| (End::Symbols(stands), aside.subject)))
}

/// Where a definition stood.
pub(super) fn stood(past: &Past) -> Vec<Stand> {
    let places = past.versions.iter().flat_map(|version| {
        let was = version.was.iter();
        std::iter::once(&version.place).chain(was)
    });
    let stand = |place: &Place| match place {
        Place::Symbol(symbol) => Some(Stand {
            path: RepoPath::shown_as(&symbol.path).ok()?,
            qualified: symbol.qualified.to_string(),
        }),
        _ => None,
    };
    places.filter_map(stand).collect()
}
