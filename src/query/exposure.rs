//! Who can see what a file gives out: only the repository, or whoever uses it as a library.
//!
//! Judged by manifests. Where nothing tells, what is exported counts as used elsewhere: it is worse
//! to call an interface dead than to miss dead code.

use super::scope::Filter;
use super::{definitions, loaded};
use crate::extract::record::{Grammar, ImportKind, SymbolKind};
use crate::graph::edges::Graph;
use crate::lang::{
    self, LANGUAGES, Language,
    liveness::{Manifest, Published},
};
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

/// What a manifest says of the files below its folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Library,
    Program,
}

/// A judgement, and the manifest that it is of.
type Said = (Kind, FileId);

/// Why others than the repository may use what a file exports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    /// This manifest says that it is a library.
    Manifest(FileId),
    /// There are headers for others, a build that installs it, or no program.
    Headers,
    /// It is a package that other modules may import.
    Package,
    /// Nothing tells who may use it.
    Untold,
    /// Part of the repository is left out.
    Outside,
}

/// Which files belong to libraries.
pub struct Exposure {
    offers: Vec<Option<Offer>>,
    /// By file: whether somebody loads all files of its folder, or it by its place.
    loaded: Vec<bool>,
}

impl Exposure {
    /// Judges all files of a view.
    pub fn of(view: &View, graph: &Graph, texts: &mut Texts) -> Self {
        let mut manifests = Manifests::of(view);
        let files = (0..view.files().len() as u32).map(FileId);
        let offers = files.clone();
        let offers = offers.map(|file| manifests.offer(texts, file)).collect();
        let folders = loaded::folders(view, texts);
        let is_loaded = |file: FileId| {
            let path = view.file(file).path.as_bytes();
            let mut folders = folders.iter();
            folders.any(|folder| path.starts_with(folder)) || loaded::by_place(view, graph, file)
        };
        Self {
            offers,
            loaded: files.map(is_loaded).collect(),
        }
    }

    /// Whether others than those who import it may use what a file exports: whoever uses the repository as a library,
    /// or loads all of its folder, or it by its place.
    pub fn is_published(&self, file: FileId) -> bool {
        self.offer(file).is_some() || self.loaded[file.0 as usize]
    }

    /// Why they may; `None` where they may not.
    pub fn offer(&self, file: FileId) -> Option<Offer> {
        self.offers[file.0 as usize]
    }
}

/// What manifests say, read when a file below them is asked about.
pub struct Manifests<'a> {
    view: &'a View,
    /// What the manifests of a folder say, by the family of their language.
    folders: FxHashMap<(Grammar, Vec<u8>), Option<Said>>,
    /// Whether code that is linked is made for others.
    linked: Option<bool>,
}

impl<'a> Manifests<'a> {
    /// Knows nothing yet.
    pub fn of(view: &'a View) -> Self {
        Self {
            view,
            folders: FxHashMap::default(),
            linked: None,
        }
    }

    /// Why others than the repository may use what a file exports; `None` where they may not.
    pub fn offer(&mut self, texts: &mut Texts, file: FileId) -> Option<Offer> {
        if self.view.outside > 0 {
            return Some(Offer::Outside);
        }
        let language = language(self.view, file);
        match language.liveness.published {
            Published::Always => Some(Offer::Untold),
            Published::Never => None,
            Published::Manifest(_) => match self.nearest(texts, language.family, file)? {
                (Kind::Library, manifest) => Some(Offer::Manifest(manifest)),
                (Kind::Program, _) => None,
            },
            Published::Headers(manifests) => {
                let view = self.view;
                let linked = *self.linked.get_or_insert_with(|| {
                    is_installed(view, texts, manifests) || is_linked_library(view)
                });
                linked.then_some(Offer::Headers)
            }
            Published::Packages => (!is_inside_program(self.view, file)).then_some(Offer::Package),
        }
    }

    /// What the nearest manifest of a family above a file says.
    fn nearest(&mut self, texts: &mut Texts, family: Grammar, file: FileId) -> Option<Said> {
        let mut folder = self.view.file(file).path.as_bytes();
        loop {
            let end = folder.iter().rposition(|b| *b == b'/').map(|at| at + 1);
            folder = &folder[..end.unwrap_or(0)];
            let key = (family, folder.to_vec());
            let known = self.folders.get(&key).copied();
            let kind = known.unwrap_or_else(|| {
                let kind = said(self.view, texts, family, folder);
                self.folders.insert(key, kind);
                kind
            });
            if kind.is_some() {
                return kind;
            }
            folder = folder.strip_suffix(b"/")?;
        }
    }
}

/// What the manifests of a family in a folder say. Of several, one that says library is enough.
fn said(view: &View, texts: &mut Texts, family: Grammar, folder: &[u8]) -> Option<Said> {
    let has_file = |below: &str| view.file_at(&[folder, below.as_bytes()].concat()).is_some();
    let mut kind = None;
    for language in LANGUAGES
        .iter()
        .filter(|language| language.family == family)
    {
        let Published::Manifest(manifests) = language.liveness.published else {
            continue;
        };
        for manifest in manifests {
            let file = view.file_at(&[folder, manifest.name.as_bytes()].concat());
            let Some((file, text)) = file.and_then(|file| Some((file, texts.get(view, file)?)))
            else {
                continue;
            };
            if (manifest.is_library)(text.bytes(), &has_file) {
                return Some((Kind::Library, file));
            }
            kind = Some((Kind::Program, file));
        }
    }
    kind
}

/// Whether a build tool's file at the root says that a library is installed for others.
fn is_installed(view: &View, texts: &mut Texts, manifests: &[Manifest]) -> bool {
    let has_file = |path: &str| view.file_at(path.as_bytes()).is_some();
    manifests.iter().any(|manifest| {
        let file = view.file_at(manifest.name.as_bytes());
        let text = file.and_then(|file| texts.get(view, file));
        text.is_some_and(|text| (manifest.is_library)(text.bytes(), &has_file))
    })
}

/// Whether code is made for others to link, as in C: it has headers in a folder for them, or no program.
fn is_linked_library(view: &View) -> bool {
    let is_linked = |file: FileId| {
        let published = language(view, file).liveness.published;
        let role = view.file(file).role;
        matches!(published, Published::Headers(_)) && role == FileRole::Product
    };
    let offers = |file: FileId| {
        let mut folders = view.file(file).path.as_bytes().split(|b| *b == b'/');
        folders.any(|folder| folder == b"include") && is_linked(file)
    };
    let mut files = (0..view.files().len() as u32).map(FileId);
    let begins = || {
        let named = definitions::find_exact(view, &Filter::open(), b"main");
        named.iter().any(|found| {
            let segment = &view.segment(found.doc.segment).segment;
            let symbol = segment.symbols(found.doc.doc).nth(found.index);
            symbol.is_some_and(|symbol| symbol.kind == SymbolKind::Function)
                && is_linked(found.file)
        })
    };
    files.any(offers) || !begins()
}

/// Whether a file belongs to a program, or to a package that only the module itself may import.
fn is_inside_program(view: &View, file: FileId) -> bool {
    let file = view.file(file);
    let internal = file
        .path
        .as_bytes()
        .split(|b| *b == b'/')
        .any(|part| part == b"internal");
    let Some(doc) = file.doc.filter(|_| !internal) else {
        return true;
    };
    let segment = &view.segment(doc.segment).segment;
    segment
        .imports(doc.doc)
        .any(|import| import.kind == ImportKind::Package && import.specifier == b"main")
}

/// Whether what a file defines stands in for a part of the standard library.
pub fn is_stand_in(view: &View, file: FileId) -> bool {
    let namespaces = language(view, file).liveness.library_namespaces;
    let Some(doc) = view.file(file).doc.filter(|_| !namespaces.is_empty()) else {
        return false;
    };
    let segment = &view.segment(doc.segment).segment;
    segment.imports(doc.doc).any(|import| {
        let first = import.specifier.split(|b| *b == b'.').next();
        import.kind == ImportKind::Package
            && namespaces.iter().any(|own| first == Some(own.as_bytes()))
    })
}

/// What is known of the language of a file.
pub fn language(view: &View, file: FileId) -> &'static Language {
    let doc = view.file(file).doc;
    let lang = doc.map(|doc| view.segment(doc.segment).segment.doc(doc.doc).lang);
    lang::of(lang.unwrap_or(Grammar::Text))
}
