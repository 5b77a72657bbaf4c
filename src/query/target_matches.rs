//! What of a target exists in a view: files, a directory, lines, or definitions.
//!
//! [`of`] tries in order: what is written out in full (a symbol id, a whole path, lines of a file, a frame, a
//! directory with its slash), a name that is defined as it is spelt, the end of a path, a module, and what is
//! near. Whatever else exists of the same text is told beside it ([`TargetMatches::also`]). All of this needs
//! only the view; [`TargetMatches::by_receiver`] needs the graph, [`TargetMatches::by_comment`] the text.

use super::Error;
use super::answer::{MatchKind, TargetNote};
use super::definitions::{self, Definition};
use super::ids::DocSymbols;
use super::loose::MAX_MATCHING;
use super::pattern::Pattern;
use super::receivers;
use super::scope::Filter;
use super::search::frame::{self, Frame};
use super::target::{Lines, Name, Target};
use super::verified::VerifiedSymbols;
use crate::git::quoting;
use crate::graph::edges::Graph;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// Other things of the same text that are told.
const MAX_ALSO: usize = 2;

/// What exists of a target.
#[derive(Debug)]
pub struct TargetMatches {
    /// What is meant.
    pub what: What,
    /// What else is called so.
    pub also: Vec<Also>,
    /// The variable, the base or the route that led to the definitions, when their own containers did not.
    pub through: Option<TargetNote>,
}

/// What a target means.
#[derive(Debug)]
pub enum What {
    /// Files, best first.
    Files(Vec<FileId>),
    /// A directory.
    Folder(Folder),
    /// Lines of a file that no symbol stands in.
    Passage(Passage),
    /// Definitions, best first; none when there is nothing.
    Definitions(Vec<Definition>),
}

/// A directory of a view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    /// Its path without a slash at the end; empty for the root.
    pub path: Vec<u8>,
    /// Its files, at any depth, in path order.
    pub files: Vec<FileId>,
}

impl Folder {
    /// Its path as it is shown: with a slash at its end, `./` for the root.
    pub fn shown(&self) -> String {
        match self.path.is_empty() {
            true => "./".to_owned(),
            false => format!("{}/", quoting::quoted(&self.path)),
        }
    }
}

/// Lines of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passage {
    /// The file.
    pub file: FileId,
    /// First line.
    pub first: u32,
    /// Last line, inclusive.
    pub last: u32,
}

/// Something else that a target names.
#[derive(Debug)]
pub enum Also {
    /// A file.
    File(FileId),
    /// A directory.
    Folder(Folder),
    /// A definition.
    Symbol(Definition),
}

impl What {
    /// Whether a graph has nothing to say of it.
    pub fn is_text(&self) -> bool {
        !matches!(self, Self::Definitions(_))
    }
}

impl From<What> for TargetMatches {
    fn from(what: What) -> Self {
        Self {
            what,
            also: Vec::new(),
            through: None,
        }
    }
}

impl TargetMatches {
    /// What a pattern matches. Fails on an expression that is none.
    pub fn of_pattern(view: &View, filter: &Filter, pattern: &Pattern) -> Result<Self, Error> {
        let (found, names) = definitions::matching(view, filter, pattern)?;
        let is_cut = names > MAX_MATCHING;
        Ok(Self {
            through: is_cut.then_some(TargetNote::ManyNames(names, MAX_MATCHING)),
            ..What::Definitions(found).into()
        })
    }

    /// Whether something is called so.
    pub fn is_exact(&self) -> bool {
        match &self.what {
            What::Definitions(found) => found.first().is_some_and(|f| f.matched.is_exact()),
            _ => true,
        }
    }

    /// Looks at what stands above a symbol: lines of the comment that documents one mean the symbol.
    pub fn by_comment(self, view: &View, texts: &mut Texts) -> Self {
        let What::Passage(passage) = self.what else {
            return self;
        };
        let text = texts.get(view, passage.file);
        let found = text.map(|text| definitions::documented_at(view, &text, passage));
        match found.unwrap_or_default() {
            found if found.is_empty() => self,
            found => What::Definitions(found).into(),
        }
    }

    /// Where the name was found in other containers only: looks among the members that the type before it
    /// inherits, then among those of the type that the variable before it is known to have.
    pub fn by_receiver(
        mut self,
        (view, graph): (&View, &Graph),
        texts: &mut Texts,
        name: &Name,
    ) -> Self {
        let What::Definitions(found) = &self.what else {
            return self;
        };
        let elsewhere = |found: &Definition| found.matched == MatchKind::OtherContainer;
        if name.containers.is_empty() || !found.first().is_some_and(elsewhere) {
            return self;
        }
        let outer = |texts: &mut Texts, of: &Definition| {
            let verified = VerifiedSymbols::of(view, of.file)?;
            verified.outer(texts, of.index)
        };
        let inherited = receivers::inherited(view, graph, &name.containers, found);
        if let Some(first) = inherited.first() {
            let of = outer(texts, first);
            self.through = of.map(|of| TargetNote::Inherited(name.chain(), of));
            self.what = What::Definitions(inherited);
            return self;
        }
        let known = receivers::known(view, graph, texts, &name.containers, found);
        if known.is_empty() {
            return self;
        }
        let of = known.iter().filter_map(|known| {
            let of = outer(texts, &known.definition)?;
            Some((of, known.uses))
        });
        self.through = Some(TargetNote::Receiver(
            name.containers.join("."),
            of.collect(),
        ));
        self.what = What::Definitions(known.into_iter().map(|known| known.definition).collect());
        self
    }
}

/// Finds what a target means.
pub fn of(view: &View, filter: &Filter, target: &Target) -> TargetMatches {
    let ids = target.ids().map(|id| definitions::by_id(view, &id));
    if let Some(found) = ids.into_iter().find(|found| !found.is_empty()) {
        return What::Definitions(found).into();
    }
    let whole = whole_path(view, target);
    if !whole.is_empty() {
        let named = match target.path.contains('/') {
            true => Vec::new(),
            false => spelt(view, filter, target),
        };
        return TargetMatches {
            also: (named.into_iter().take(MAX_ALSO).map(Also::Symbol)).collect(),
            ..What::Files(whole).into()
        };
    }
    if let Some(lines) = &target.lines
        && let Some(what) = of_lines(view, lines)
    {
        return what.into();
    }
    if let Some(what) = of_frames(view, target) {
        return what.into();
    }
    let folder = folder_at(view, target.path.as_bytes());
    if target.is_folder
        && let Some(folder) = folder
    {
        return What::Folder(folder).into();
    }
    let named = spelt(view, filter, target);
    if !named.is_empty() {
        let files = match target.is_like_a_path() {
            true => files_ending(view, &target.path),
            false => Vec::new(),
        };
        let folder = folder.map(Also::Folder);
        let also = files.into_iter().map(Also::File).chain(folder);
        return TargetMatches {
            also: also.take(MAX_ALSO).collect(),
            ..What::Definitions(named).into()
        };
    }
    let near = || match target.frames.is_empty() {
        true => definitions::of_name(view, filter, &target.name, target.is_like_a_path()),
        // A frame outside of the repository.
        false => Vec::new(),
    };
    let place = folder
        .map(What::Folder)
        .or_else(|| of_path_end(view, target))
        .or_else(|| of_module(view, &target.name));
    place.unwrap_or_else(|| What::Definitions(near())).into()
}

/// The file whose path the target is, as it is, as it is shown, or after `./`.
fn whole_path(view: &View, target: &Target) -> Vec<FileId> {
    let spellings = [&target.given, &target.text, &target.path];
    let mut found = spellings.into_iter().map(|path| files_shown_as(view, path));
    found.find(|found| !found.is_empty()).unwrap_or_default()
}

/// Files whose path is `path`, as it is or as it is shown.
pub fn files_shown_as(view: &View, path: &str) -> Vec<FileId> {
    let raw = view.file_at(path.as_bytes());
    let found = raw.or_else(|| view.file_at(&quoting::unquoted(path)?));
    found.into_iter().collect()
}

/// Files whose path ends with `path`, product code first.
fn files_ending(view: &View, path: &str) -> Vec<FileId> {
    let mut suffix = vec![b'/'];
    suffix.extend_from_slice(path.as_bytes());
    let files = (0u32..).map(FileId).zip(view.files());
    let ending = files.filter(|(_, file)| file.path.as_bytes().ends_with(&suffix));
    let mut found: Vec<FileId> = ending.map(|(id, _)| id).collect();
    found.sort_by_key(|id| (view.file(*id).role, *id));
    found
}

/// The directory of that path, if any file is below it.
fn folder_at(view: &View, path: &[u8]) -> Option<Folder> {
    let mut begin = path.to_vec();
    if !begin.is_empty() {
        begin.push(b'/');
    }
    let files = view.files();
    let first = files.partition_point(|file| file.path.as_bytes() < &begin[..]);
    let below = (files[first..].iter()).take_while(|file| file.path.as_bytes().starts_with(&begin));
    let count = below.count();
    (count > 0).then(|| Folder {
        path: path.to_vec(),
        files: (first..first + count).map(|i| FileId(i as u32)).collect(),
    })
}

/// The directories whose path ends with `path`, shortest first.
fn folder_ending(view: &View, path: &str) -> Option<Folder> {
    let wanted = [b"/", path.as_bytes(), b"/"].concat();
    let mut best: Option<&[u8]> = None;
    for file in view.files() {
        let bytes = file.path.as_bytes();
        let Some(at) = memchr::memmem::find(bytes, &wanted) else {
            continue;
        };
        let folder = &bytes[..at + wanted.len() - 1];
        if best.is_none_or(|best| folder.len() < best.len()) {
            best = Some(folder);
        }
    }
    folder_at(view, best?)
}

/// Definitions that are spelt so and lie where they are said to lie.
fn spelt(view: &View, filter: &Filter, target: &Target) -> Vec<Definition> {
    let found = definitions::spelt(view, filter, &target.name);
    match found.is_empty() {
        // A heading, a key with dots in it.
        true => match definitions::find_exact(view, filter, target.text.as_bytes()) {
            found if found.is_empty() => definitions::components(view, filter, &target.text),
            found => found,
        },
        false => found,
    }
}

/// What stands at some lines.
fn of_lines(view: &View, lines: &Lines) -> Option<What> {
    let mut files = files_shown_as(view, &lines.path);
    if files.is_empty() {
        files = files_ending(view, &lines.path);
    }
    let place = (lines.first, lines.last);
    let mut found: Vec<Definition> = files
        .iter()
        .flat_map(|file| definitions::at_lines(view, *file, place))
        .collect();
    if !lines.named.is_empty() {
        let is_named = |found: &Definition| {
            let qualified = qualified(view, found);
            lines.named.split('~').next() == Some(qualified.as_str())
        };
        if found.iter().any(is_named) {
            found.retain(is_named);
        }
    }
    let file = *files.first()?;
    Some(match found.is_empty() {
        true => What::Passage(Passage {
            file,
            first: lines.first,
            last: lines.last,
        }),
        false => What::Definitions(found),
    })
}

fn qualified(view: &View, definition: &Definition) -> String {
    let segment = &view.segment(definition.doc.segment).segment;
    DocSymbols::load(segment, definition.doc.doc).qualified(definition.index)
}

/// Files and directories whose path ends so.
fn of_path_end(view: &View, target: &Target) -> Option<What> {
    if !target.is_like_a_path() || target.path.is_empty() {
        return None;
    }
    let files = match target.is_folder {
        true => Vec::new(),
        false => files_ending(view, &target.path),
    };
    match files.is_empty() {
        true => folder_ending(view, &target.path).map(What::Folder),
        false => Some(What::Files(files)),
    }
}

/// What the first frame that lies in the repository points at; first of all a heading of this very text.
fn of_frames(view: &View, target: &Target) -> Option<What> {
    if target.frames.is_empty() {
        return None;
    }
    let heading = definitions::find_exact(view, &Filter::open(), target.text.as_bytes());
    if !heading.is_empty() {
        return Some(What::Definitions(heading));
    }
    target
        .frames
        .iter()
        .find_map(|frame| of_frame(view, target, frame))
}

fn of_frame(view: &View, target: &Target, frame: &Frame) -> Option<What> {
    let files = frame::meant(view, |_| true, frame);
    let Some(line) = frame.line else {
        return (!files.is_empty()).then_some(What::Files(files));
    };
    let at = |file: &FileId| definitions::at_lines(view, *file, (line, line));
    let found: Vec<Definition> = files.iter().flat_map(at).collect();
    let called = |found: &Definition| {
        let qualified = qualified(view, found);
        qualified.rsplit('.').next() == Some(target.name.own.as_str())
    };
    if found.iter().any(called) {
        return Some(What::Definitions(
            found.into_iter().filter(called).collect(),
        ));
    }
    // The trace is of another version: lines have moved, the name is still there.
    let named = definitions::spelt(view, &Filter::open(), &target.name);
    let named: Vec<Definition> = (named.into_iter())
        .filter(|named| files.contains(&named.file))
        .collect();
    if !named.is_empty() {
        return Some(What::Definitions(named));
    }
    // A file of the same name in another directory is not the file of the frame.
    let is_same = |file: &FileId| frame.agrees_with(view.file(*file).path.as_bytes());
    let file = *files.iter().find(|file| is_same(file))?;
    let found: Vec<Definition> = found
        .into_iter()
        .filter(|found| is_same(&found.file))
        .collect();
    Some(match found.is_empty() {
        true => What::Passage(Passage {
            file,
            first: line,
            last: line,
        }),
        false => What::Definitions(found),
    })
}

/// The directory or the files of a module that is named with its parents (`shop.store`, `crate::view`).
fn of_module(view: &View, name: &Name) -> Option<What> {
    let parts = name.containers.iter().chain([&name.own]);
    let parts: Vec<&str> = parts
        .map(String::as_str)
        .filter(|part| !matches!(*part, "crate" | "super" | "self" | ""))
        .collect();
    if name.containers.is_empty() || parts.is_empty() {
        return None;
    }
    let path = parts.join("/");
    let folder = || folder_at(view, path.as_bytes()).or_else(|| folder_ending(view, &path));
    let stems = (0u32..).map(FileId).zip(view.files()).filter(|(_, file)| {
        let bytes = file.path.as_bytes();
        let stem = memchr::memrchr(b'.', bytes).map_or(bytes, |dot| &bytes[..dot]);
        let outer = stem.strip_suffix(path.as_bytes());
        outer.is_some_and(|outer| outer.is_empty() || outer.ends_with(b"/"))
    });
    let files: Vec<FileId> = stems.map(|(id, _)| id).collect();
    match files.is_empty() {
        false => Some(What::Files(files)),
        true => folder().map(What::Folder),
    }
}
