//! Entry points of a view: routes with their whole paths, commands, jobs, and what each leads to.
//!
//! A document says what stands in it ([`crate::record::Entry`]): a route below a router, a router under a path. Here
//! these are put together over the resolved graph. Every word is cut from the file that has it when the answer is
//! made, so that a segment can point at other words of a file, and bring none of its own. What is computed when
//! the program runs stays `…`.

mod compose;
mod handlers;
pub mod matching;
mod mounts;
mod settings;
mod spelling;
mod stems;

use super::scope::Filter;
use super::{definitions, verified};
use crate::extract::record::{Entry, EntryKind, Methods, Reached, SymbolKind};
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use compose::Levels;
use mounts::Mounts;
use rustc_hash::FxHashMap;
use settings::Settings;

/// Most entry points that one view is said to have. Those of one router that is mounted often add up.
const MAX_ENTRY_POINTS: usize = 20_000;

/// Most whole paths of one handler that are compared with ends.
const MAX_WHOLE: usize = 16;

/// An entry of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct At {
    file: FileId,
    index: u32,
}

/// One entry point.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EntryPoint {
    /// What it is.
    pub kind: EntryKind,
    /// Its path with those of all it is registered on, or its name.
    pub path: String,
    /// The methods it answers; none for any, or where there is no such thing.
    pub methods: Vec<&'static str>,
    /// The file that states it.
    pub file: FileId,
    /// The line there.
    pub line: u32,
    /// The definition it leads to.
    pub handler: Option<SymbolId>,
    /// What it leads to as its file calls it, where no definition is known; empty for a function that is
    /// written in place.
    pub said: String,
}

impl EntryPoint {
    /// The methods and the path: `GET /users/:id`.
    pub fn title(&self) -> String {
        match (self.kind, self.methods.is_empty()) {
            (EntryKind::Route, true) => format!("ANY {}", self.path),
            (EntryKind::Route, false) => format!("{} {}", self.methods.join(","), self.path),
            (kind, _) => format!("{} {}", kind.label(), self.path),
        }
    }
}

/// The entries of the files of a view.
pub(super) struct Stated<'a> {
    view: &'a View,
    graph: &'a Graph,
    files: FxHashMap<FileId, Vec<Entry>>,
}

impl<'a> Stated<'a> {
    fn of(view: &'a View, graph: &'a Graph) -> Self {
        let mut files = FxHashMap::default();
        for (id, file) in (0u32..).map(FileId).zip(view.files()) {
            let Some(doc) = file.doc else { continue };
            let segment = &view.segment(doc.segment).segment;
            if segment.has_entries(doc.doc) {
                files.insert(id, segment.entries(doc.doc));
            }
        }
        Self { view, graph, files }
    }

    fn get(&self, at: At) -> Option<&Entry> {
        self.files.get(&at.file)?.get(at.index as usize)
    }

    /// All entries, in order of files.
    fn all(&self) -> Vec<At> {
        let mut files: Vec<FileId> = self.files.keys().copied().collect();
        files.sort_unstable();
        let of_file = |file: FileId| {
            let count = self.files.get(&file).map_or(0, Vec::len) as u32;
            (0..count).map(move |index| At { file, index })
        };
        files.into_iter().flat_map(of_file).collect()
    }

    /// Whether an entry is a class.
    fn is_class(&self, at: At) -> bool {
        let (Some(entry), Some(doc)) = (self.get(at), self.view.file(at.file).doc) else {
            return false;
        };
        let Reached::Symbol(position) = entry.reached else {
            return false;
        };
        let segment = &self.view.segment(doc.segment).segment;
        let mut symbols = segment.symbols(doc.doc);
        let symbol = symbols.nth(position as usize);
        symbol.is_some_and(|symbol| symbol.kind == SymbolKind::Class)
    }

    /// The symbol of its own document that an entry leads to.
    fn own_symbol(&self, at: At) -> Option<SymbolId> {
        match self.get(at)?.reached {
            Reached::Symbol(position) => self.graph.symbol(at.file, position as usize),
            _ => None,
        }
    }
}

/// Whether any file of a view states an entry point.
pub fn has_any(view: &View) -> bool {
    stems::has_any(view)
        || view.files().iter().any(|file| {
            let doc = file.doc;
            doc.is_some_and(|doc| view.segment(doc.segment).segment.has_entries(doc.doc))
        })
}

/// All entry points of a view that files of a scope state, those of tests left out unless they are asked
/// for, in order of kinds and paths.
pub fn all(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    filter: &Filter,
    tests: bool,
) -> Vec<EntryPoint> {
    let stated = Stated::of(view, graph);
    let mounts = Mounts::of(&stated, texts);
    let settings = Settings::of(view, texts);
    let mut found = Vec::new();
    for at in stated.all() {
        let Some(entry) = stated.get(at) else {
            continue;
        };
        let file = view.file(at.file);
        let is_entry_point = !entry.kind.is_router() && entry.kind != EntryKind::Mount;
        if !is_entry_point || !filter.admits(view, file) || !is_asked(file.role, tests) {
            continue;
        }
        let levels = Levels::of(&stated, &mounts, at);
        let (handler, said) = handlers::of(&stated, texts, at, &levels);
        for path in levels.paths(&stated, texts, entry.kind) {
            if found.len() >= MAX_ENTRY_POINTS {
                break;
            }
            let path = match entry.kind {
                EntryKind::Route => settings.whole(&file.path.to_string(), path),
                _ => path,
            };
            found.push(EntryPoint {
                kind: entry.kind,
                path,
                methods: entry.methods.names().collect(),
                file: at.file,
                line: entry.line,
                handler,
                said: said.clone(),
            });
        }
    }
    stems::add(view, graph, filter, tests, &mut found);
    settings.add(view, filter, tests, &mut found);
    found.sort();
    found.dedup();
    leave_out_ends(&mut found);
    found
}

/// Leaves out the routes that are ends of others: what a handler says of itself (`…/users`), where the whole is known of
/// what it is put under (`/api/users`).
fn leave_out_ends(found: &mut Vec<EntryPoint>) {
    type Key = (SymbolId, Vec<&'static str>);
    let key = |point: &EntryPoint| -> Option<Key> {
        let handler = point.handler.filter(|_| point.kind == EntryKind::Route)?;
        Some((handler, point.methods.clone()))
    };
    let mut whole: FxHashMap<Key, Vec<String>> = FxHashMap::default();
    for point in found.iter() {
        if let Some(key) = key(point)
            && !point.path.starts_with(spelling::COMPUTED)
        {
            let paths = whole.entry(key).or_default();
            if paths.len() < MAX_WHOLE {
                paths.push(point.path.clone());
            }
        }
    }
    found.retain(|point| {
        let end = point.path.strip_prefix(spelling::COMPUTED);
        let Some((end, key)) = end.zip(key(point)) else {
            return true;
        };
        let is_end = |path: &String| !end.is_empty() && path.ends_with(end);
        !whole
            .get(&key)
            .is_some_and(|paths| paths.iter().any(is_end))
    });
}

/// Whether the entry points that files of a role state are wanted.
fn is_asked(role: FileRole, tests: bool) -> bool {
    match role {
        FileRole::Test => tests,
        FileRole::Generated | FileRole::Vendored => false,
        _ => true,
    }
}

/// A way, as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// What it is.
    pub kind: EntryKind,
    /// The methods and the path, or the name.
    pub title: String,
    /// What it leads to; `None` for a function that is written in place.
    pub handler: Option<String>,
    /// Path of the file that states it.
    pub path: String,
    /// The line there.
    pub line: u32,
}

impl EntryPoint {
    /// As it is shown.
    pub fn shown(&self, view: &View, graph: &Graph, texts: &mut Texts) -> Shown {
        let of = self
            .handler
            .and_then(|id| verified::reference(view, graph, texts, id));
        let of = of.map(|of| of.qualified.to_string());
        let said = Some(self.said.clone()).filter(|said| !said.is_empty());
        Shown {
            kind: self.kind,
            title: self.title(),
            handler: of.or(said),
            path: view.file(self.file).path.to_string(),
            line: self.line,
        }
    }
}

/// The entry points that lead to a definition.
pub fn to(entry_points: &[EntryPoint], id: SymbolId) -> impl Iterator<Item = &EntryPoint> {
    entry_points
        .iter()
        .filter(move |point| point.handler == Some(id))
}

/// What a text that is written like a route means: `GET /users/:id`, `/users/42`. The best matches first; empty
/// where it is not written so, or where no route answers.
pub fn asked<'w>(
    entry_points: impl Iterator<Item = &'w EntryPoint>,
    text: &str,
) -> Vec<&'w EntryPoint> {
    let Some(asked) = matching::Asked::read(text) else {
        return Vec::new();
    };
    let routes = entry_points.filter(|point| point.kind == EntryKind::Route);
    let mut found: Vec<(matching::Fit, &EntryPoint)> = routes
        .filter_map(|point| Some((asked.fit(&point.path, methods(point))?, point)))
        .collect();
    found.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.cmp(right)));
    let best = found.first().map(|(fit, _)| *fit);
    found.retain(|(fit, _)| Some(*fit) == best);
    found.into_iter().map(|(_, point)| point).collect()
}

fn methods(point: &EntryPoint) -> Methods {
    let named = point.methods.iter();
    let named = named.filter_map(|name| Methods::named(name.as_bytes()));
    named.fold(Methods::ANY, Methods::with)
}

/// The definitions that some entry points lead to, each once and in their order.
pub fn definitions(
    view: &View,
    graph: &Graph,
    entry_points: &[&EntryPoint],
) -> Vec<definitions::Definition> {
    let mut found: Vec<SymbolId> = Vec::new();
    for id in entry_points.iter().filter_map(|point| point.handler) {
        if !found.contains(&id) {
            found.push(id);
        }
    }
    let places = found.into_iter().map(|id| graph.place(id));
    places
        .filter_map(|(file, index)| definitions::at(view, file, index))
        .collect()
}
