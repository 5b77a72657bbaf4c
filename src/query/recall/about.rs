//! Whether a memory is about what somebody asks for, under the names that things have at the commit that is asked about.
//!
//! First the names that the memory was given are compared, which costs nothing, and those that the files and directories
//! that are asked for had before, which are few trees for each of these, however many memories there are. A file may
//! also hold a symbol that was in another one. Only where nothing is found so, it is looked for where the files of
//! memories went which the commit does not have any more, of so many paths at most; what that leaves out is counted.

use super::named::label;
use super::target::Survey;
use crate::git::RepoPath;
use crate::git::tree::{self, Found};
use crate::id::{BlobId, TreeId};
use crate::memory::event::{Event, Target};
use crate::query::ids::ParsedId;
use gix::bstr::ByteSlice;
use rustc_hash::FxHashMap;

/// Paths that the commit does not have, of which is looked where they went.
const MAX_FOLLOWED: usize = 50;
/// Symbols that may be in a file that is asked for and not where they were, which are looked for.
const MAX_CHECKED: usize = 20;

/// Whether a memory is about one of some things, by the names that it was given.
pub fn is_named(event: &Event, wanted: &[String]) -> bool {
    let is_symbol = |target: &Target| matches!(target, Target::Symbol { .. });
    event.targets().any(|target| {
        let name = label(target);
        wanted
            .iter()
            .any(|wanted| is_about(&name, is_symbol(target), wanted))
    })
}

/// Whether a name of a target is what somebody means by a path, a directory, a symbol id or a name.
fn is_about(name: &str, is_symbol: bool, wanted: &str) -> bool {
    let wanted = plain(wanted);
    if name == wanted
        || name
            .strip_prefix(wanted)
            .is_some_and(|rest| rest.starts_with('/'))
    {
        return true;
    }
    let Some((path, rest)) = name.split_once("::").filter(|_| is_symbol) else {
        return false;
    };
    let qualified = rest.rsplit_once('#').map_or(rest, |(name, _)| name);
    let ends = qualified.strip_suffix(wanted);
    path == wanted || ends.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// What somebody asks for, without what they may write around it.
fn plain(wanted: &str) -> &str {
    let wanted = wanted.strip_prefix("./").unwrap_or(wanted);
    wanted.trim_end_matches('/')
}

/// A file or a directory that is asked for.
struct Asked {
    path: RepoPath,
    /// The paths that it had before and that nothing has now.
    former: Vec<RepoPath>,
    /// The file, with its text.
    file: Option<(BlobId, Vec<u8>)>,
}

/// Looks for memories whose targets have other names now.
pub struct Elsewhere<'r> {
    wanted: &'r [String],
    asked: Vec<Asked>,
    root: TreeId,
    /// Where the paths of targets are.
    known: FxHashMap<RepoPath, Now>,
    followed: usize,
    checked: usize,
    /// Memories of which was not looked whether what they are about went there.
    pub left_out: usize,
}

/// Where a path is at the commit.
#[derive(Clone)]
enum Now {
    There,
    At(RepoPath),
    Nowhere,
    NotLooked,
}

impl<'r> Elsewhere<'r> {
    /// Starts to look for things that are asked for.
    pub fn new(wanted: &'r [String], survey: &mut Survey) -> Self {
        let root = survey.root();
        let mut asked = Vec::new();
        for wanted in wanted {
            let path = plain(wanted).split("::").next().unwrap_or_default();
            let Ok(path) = RepoPath::shown_as(path) else {
                continue;
            };
            let Ok(Some(here)) = tree::find(survey.objects(), root, &path) else {
                continue;
            };
            let mut former = survey.former(&path);
            former.retain(|path| matches!(tree::find(survey.objects(), root, path), Ok(None)));
            let mut text = Vec::new();
            let file = match here {
                Found::Leaf(mode, blob) if mode.is_file() => {
                    let read = survey.objects().blob(blob, &mut text);
                    read.is_ok().then_some((blob, text))
                }
                _ => None,
            };
            asked.push(Asked { path, former, file });
        }
        Self {
            wanted,
            asked,
            root,
            known: FxHashMap::default(),
            followed: MAX_FOLLOWED,
            checked: MAX_CHECKED,
            left_out: 0,
        }
    }

    /// Those of some memories that are about one of the things under a name that this had before, or about a symbol
    /// that it has taken in.
    pub fn formerly<T: Copy>(&mut self, all: &[(&Event, T)], survey: &mut Survey) -> Vec<T> {
        let found = all
            .iter()
            .filter(|(event, _)| self.was_named(event, survey));
        found.map(|(_, one)| *one).collect()
    }

    /// Those of some memories that are about one of the things because what they are about went there.
    pub fn now<T: Copy>(&mut self, all: &[(&Event, T)], survey: &mut Survey) -> Vec<T> {
        let found = all.iter().filter(|(event, _)| self.is_now(event, survey));
        found.map(|(_, one)| *one).collect()
    }

    fn was_named(&mut self, event: &Event, survey: &mut Survey) -> bool {
        event.targets().any(|target| {
            let Some(given) = path_of(target) else {
                return false;
            };
            let now = self.asked.iter().flat_map(|asked| {
                let mut former = asked.former.iter();
                former.find_map(|former| {
                    let rest = given.as_bytes().strip_prefix(former.as_bytes())?;
                    let is_it = rest.is_empty() || rest.starts_with(b"/");
                    let now = [asked.path.as_bytes(), rest].concat();
                    is_it.then(|| RepoPath::new(now).ok()).flatten()
                })
            });
            let now: Vec<RepoPath> = now.collect();
            now.iter().any(|now| self.is_at(target, now))
                || self.has_taken(event, target, &given, survey)
        })
    }

    fn is_now(&mut self, event: &Event, survey: &mut Survey) -> bool {
        let mut is_left_out = false;
        for target in event.targets() {
            let Some(given) = path_of(target) else {
                continue;
            };
            let found = match self.place(&given, survey) {
                Now::At(to) => self.is_at(target, &to),
                Now::There => false,
                Now::Nowhere => self.is_moved(event, target, survey),
                Now::NotLooked => {
                    is_left_out = true;
                    false
                }
            };
            if found {
                return true;
            }
        }
        self.left_out += usize::from(is_left_out);
        false
    }

    fn place(&mut self, path: &RepoPath, survey: &mut Survey) -> Now {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let now = match tree::find(survey.objects(), self.root, path) {
            Ok(Some(_)) => Now::There,
            Ok(None) if self.followed > 0 => {
                self.followed -= 1;
                survey.renamed(path).map_or(Now::Nowhere, Now::At)
            }
            Ok(None) => Now::NotLooked,
            Err(_) => Now::Nowhere,
        };
        self.known.insert(path.clone(), now.clone());
        now
    }

    /// Whether a target is wanted under the path that its file has now.
    fn is_at(&self, target: &Target, to: &RepoPath) -> bool {
        let (name, is_symbol) = match target {
            Target::Path { object, .. } => {
                let (path, object) = (to.clone(), *object);
                (label(&Target::Path { path, object }), false)
            }
            Target::Symbol { id, .. } => {
                let rest = id.split_once("::").map_or("", |(_, rest)| rest);
                (format!("{to}::{rest}"), true)
            }
        };
        let mut wanted = self.wanted.iter();
        wanted.any(|wanted| is_about(&name, is_symbol, wanted))
    }

    /// Whether what is nowhere by the names of files is by its content where something is wanted.
    fn is_moved(&mut self, event: &Event, target: &Target, survey: &mut Survey) -> bool {
        let Some(pin) = event.pin().filter(|_| self.checked > 0) else {
            return false;
        };
        self.checked -= 1;
        let is_symbol = matches!(target, Target::Symbol { .. });
        let to = survey.moved_to(pin, target);
        to.is_some_and(|to| {
            let mut wanted = self.wanted.iter();
            wanted.any(|wanted| is_about(&to, is_symbol, wanted))
        })
    }

    /// Whether a symbol has left its file for one that is asked for. Most are told by their names not to.
    fn has_taken(
        &mut self,
        event: &Event,
        target: &Target,
        given: &RepoPath,
        survey: &mut Survey,
    ) -> bool {
        let Target::Symbol { id, body } = target else {
            return false;
        };
        let Some(parsed) = ParsedId::parse(id) else {
            return false;
        };
        let mut asked = self.asked.iter();
        let has = asked.any(|asked| {
            let file = asked.file.as_ref().filter(|_| asked.path != *given);
            file.is_some_and(|(blob, text)| {
                text.find(parsed.name().as_bytes()).is_some()
                    && survey.has_alike((&asked.path, *blob), id, *body)
            })
        });
        has && self.is_moved(event, target, survey)
    }
}

/// The path of a target.
fn path_of(target: &Target) -> Option<RepoPath> {
    match target {
        Target::Path { path, .. } => Some(path.clone()),
        Target::Symbol { id, .. } => RepoPath::shown_as(ParsedId::parse(id)?.path).ok(),
    }
}
