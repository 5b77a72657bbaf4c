//! Routes that are files: a framework answers a path with the file that is called so (next).

use super::EntryPoint;
use crate::extract::record::{EntryKind, Methods, SymbolFlags};
use crate::graph::edges::Graph;
use crate::query::ids::DocSymbols;
use crate::query::scope::Filter;
use crate::view::live::{FileId, View};

/// Endings of files that may be routes.
const ENDINGS: &[&str] = &[".ts", ".tsx", ".js", ".jsx"];
/// Manifests beside which such folders are routes.
const CONFIGS: &[&str] = &[
    "next.config.js",
    "next.config.mjs",
    "next.config.ts",
    "next.config.cjs",
];

/// Whether a view has a manifest of such a framework.
pub(super) fn has_any(view: &View) -> bool {
    !roots(view).is_empty()
}

/// Folders with such a manifest, each with a slash at its end; the root is empty.
fn roots(view: &View) -> Vec<String> {
    // Nearly no file is one, and all are looked at.
    let is_config = |path: &[u8]| {
        let name = path.rsplit(|byte| *byte == b'/').next();
        CONFIGS.iter().any(|config| name == Some(config.as_bytes()))
    };
    let paths = view.files().iter().map(|file| &file.path);
    let configs = paths.filter(|path| is_config(path.as_bytes()));
    let folder = |path: String| path.rfind('/').map_or("", |end| &path[..=end]).to_owned();
    configs.map(|path| folder(path.to_string())).collect()
}

/// Adds the routes that files are.
pub(super) fn add(
    view: &View,
    graph: &Graph,
    filter: &Filter,
    tests: bool,
    found: &mut Vec<EntryPoint>,
) {
    let roots = roots(view);
    if roots.is_empty() {
        return;
    }
    for (id, file) in (0u32..).map(FileId).zip(view.files()) {
        let bytes = file.path.as_bytes();
        if !ENDINGS.iter().any(|end| bytes.ends_with(end.as_bytes())) {
            continue;
        }
        let path = file.path.to_string();
        let of_root = roots
            .iter()
            .filter_map(|root| path.strip_prefix(root.as_str()));
        let Some(inner) = of_root.min_by_key(|inner| inner.len()) else {
            continue;
        };
        if !filter.admits(view, file) || !super::is_asked(file.role, tests) {
            continue;
        }
        let Some((route, sort)) = route_of(inner) else {
            continue;
        };
        for (methods, handler, line) in handlers(view, graph, id, sort) {
            found.push(EntryPoint {
                kind: EntryKind::Route,
                path: route.clone(),
                methods,
                file: id,
                line,
                handler,
                said: String::new(),
            });
        }
    }
}

/// What a file of a folder of routes exports.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A function for each method.
    Methods,
    /// One function for all methods.
    Any,
    /// A page.
    Page,
}

/// The path that a file answers.
fn route_of(path: &str) -> Option<(String, Sort)> {
    let path = path.strip_prefix("src/").unwrap_or(path);
    let stem = ENDINGS.iter().find_map(|end| path.strip_suffix(end))?;
    if let Some(inner) = stem.strip_prefix("app/") {
        let (folder, name) = inner.rsplit_once('/').unwrap_or(("", inner));
        let sort = match name {
            "route" => Sort::Methods,
            "page" => Sort::Page,
            _ => return None,
        };
        // Folders in parentheses group, those with an at sign are slots.
        let parts = folder.split('/');
        let parts = parts.filter(|part| !part.is_empty() && !part.starts_with(['(', '@']));
        let route: Vec<&str> = parts.collect();
        return Some((format!("/{}", route.join("/")), sort));
    }
    let inner = stem.strip_prefix("pages/")?;
    if inner
        .rsplit('/')
        .next()
        .is_some_and(|name| name.starts_with('_'))
    {
        return None;
    }
    let route = match inner {
        "index" => "",
        inner => inner.strip_suffix("/index").unwrap_or(inner),
    };
    let sort = match inner == "api" || inner.starts_with("api/") {
        true => Sort::Any,
        false => Sort::Page,
    };
    Some((format!("/{route}"), sort))
}

type Handler = (
    Vec<&'static str>,
    Option<crate::graph::table::SymbolId>,
    u32,
);

fn handlers(view: &View, graph: &Graph, file: FileId, sort: Sort) -> Vec<Handler> {
    let Some(doc) = view.file(file).doc else {
        return Vec::new();
    };
    let segment = &view.segment(doc.segment).segment;
    if segment.doc(doc.doc).skip.is_some() {
        return Vec::new();
    }
    let symbols = DocSymbols::load(segment, doc.doc);
    let exported = symbols.all().iter().enumerate().filter(|(_, symbol)| {
        symbol.flags.contains(SymbolFlags::EXPORTED) && symbol.container.is_none()
    });
    if sort == Sort::Methods {
        let methods = exported.filter_map(|(index, symbol)| {
            let name = symbols.bytes(symbol.name);
            let is_capital = name.iter().all(u8::is_ascii_uppercase);
            let methods = Methods::named(&name).filter(|_| is_capital)?;
            let handler = graph.symbol(file, index);
            Some((methods.names().collect(), handler, symbol.name_line))
        });
        return methods.collect();
    }
    let mut exported = exported;
    let default = exported.find(|(_, symbol)| symbol.flags.contains(SymbolFlags::DEFAULT));
    let handler = default.and_then(|(index, _)| graph.symbol(file, index));
    let line = default.map_or(1, |(_, symbol)| symbol.name_line);
    let methods = match sort {
        Sort::Page => vec!["GET"],
        _ => Vec::new(),
    };
    vec![(methods, handler, line)]
}
