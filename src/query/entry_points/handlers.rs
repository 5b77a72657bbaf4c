//! What an entry leads to: a definition, or the words that its file has for it.

use super::compose::Levels;
use super::spelling::{bare, cut, plural};
use super::{At, Stated};
use crate::extract::record::{Entry, EntryKind, Grammar, Methods, PartKind, Reached, SymbolKind};
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::query::definitions;
use crate::query::ids::DocSymbols;
use crate::query::scope::Filter;
use crate::view::live::FileId;
use crate::view::text::Texts;

/// Longest name of a handler that is shown, in bytes.
const MAX_SAID: usize = 120;

/// The definition that an entry leads to, and what its file calls it.
pub(super) fn of(
    stated: &Stated<'_>,
    texts: &mut Texts,
    at: At,
    levels: &Levels,
) -> (Option<SymbolId>, String) {
    let Some(entry) = stated.get(at) else {
        return (None, String::new());
    };
    match &entry.reached {
        Reached::Nothing | Reached::Inline(_) => (None, String::new()),
        Reached::Symbol(_) => (stated.own_symbol(at), String::new()),
        Reached::Place(line, col) => {
            let said = named_at(stated, texts, at.file, (*line, *col));
            let meant = meant(stated, at.file, (*line, *col));
            match (meant, action_named(stated, texts, at)) {
                (Some(class), Some(method)) => (in_class(stated, class, &method), method),
                (None, Some(method)) => (None, format!("{said}@{method}")),
                (meant, None) => (meant, said),
            }
        }
        Reached::Text(range) => {
            let said = cut(stated.view, texts, at.file, range).unwrap_or_default();
            conventional(stated, texts, at, levels, bare(&said))
        }
    }
}

/// The only definition that a name means; of a property or parameter nobody is told.
fn meant(stated: &Stated<'_>, file: FileId, (line, col): (u32, u32)) -> Option<SymbolId> {
    let graph = stated.graph;
    let edge = graph.edge_at(file, line, col)?;
    if matches!(
        graph.edge(edge).rule.certainty(),
        Certainty::Text | Certainty::Ambiguous
    ) {
        return None;
    }
    let mut targets = graph.targets(edge);
    match targets.len() {
        1 => targets.next(),
        _ => None,
    }
}

/// The name that stands at a place, with the objects before it.
fn named_at(
    stated: &Stated<'_>,
    texts: &mut Texts,
    file: FileId,
    (line, col): (u32, u32),
) -> String {
    let Some(text) = texts.get(stated.view, file) else {
        return String::new();
    };
    let line = text.line(line);
    let col = (col as usize).min(line.len());
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || *b >= 0x80;
    let is_chain = |b: &u8| is_name(b) || matches!(b, b'.' | b':');
    let start = line[..col]
        .iter()
        .rposition(|b| !is_chain(b))
        .map_or(0, |at| at + 1);
    let len = line[col..].iter().take_while(|b| is_name(b)).count();
    let name = &line[start..col + len];
    String::from_utf8_lossy(&name[..name.len().min(MAX_SAID)]).into_owned()
}

/// A handler that a framework finds by name: `users#index`, `UserController@show`, a resource and its action.
fn conventional(
    stated: &Stated<'_>,
    texts: &mut Texts,
    at: At,
    levels: &Levels,
    said: &str,
) -> (Option<SymbolId>, String) {
    let lang = language(stated, at.file);
    if lang == Some(Grammar::Ruby) {
        return rails(stated, texts, at, levels, said);
    }
    if let Some((class, method)) = said.split_once('@') {
        let class = class.rsplit('\\').next().unwrap_or(class);
        return (method_of(stated, class, method, |_| true), said.to_owned());
    }
    (None, said.to_owned())
}

/// The method of a class that a route names, or that a route of a resource stands for.
fn action_named(stated: &Stated<'_>, texts: &mut Texts, at: At) -> Option<String> {
    let entry = stated.get(at)?;
    let named = entry.path.iter().find(|part| part.kind == PartKind::Action);
    if let Some(named) = named {
        return cut(stated.view, texts, at.file, &named.range);
    }
    let is_resource = entry.path.iter().any(|part| part.kind == PartKind::Many);
    is_resource.then(|| laravel(entry).to_owned())
}

/// The method of laravel's controllers that a route of a resource calls.
fn laravel(entry: &Entry) -> &'static str {
    let has =
        |name: &[u8]| Methods::named(name).is_some_and(|method| entry.methods.0 & method.0 != 0);
    match entry.path.last().map(|part| part.kind) {
        Some(PartKind::Create) => "create",
        Some(PartKind::Edit) => "edit",
        Some(PartKind::Id) if has(b"GET") => "show",
        Some(PartKind::Id) if has(b"DELETE") => "destroy",
        Some(PartKind::Id) => "update",
        _ if has(b"POST") => "store",
        _ => "index",
    }
}

/// The method of a class.
fn in_class(stated: &Stated<'_>, class: SymbolId, method: &str) -> Option<SymbolId> {
    let (file, index) = stated.graph.place(class);
    let found = definitions::find_exact(stated.view, &Filter::open(), method.as_bytes());
    let mut found = found.into_iter().filter(|of| of.file == file);
    let found = found.find(|of| {
        let segment = &stated.view.segment(of.doc.segment).segment;
        let symbols = DocSymbols::load(segment, of.doc.doc);
        symbols.is_within(of.index, index)
    })?;
    stated.graph.symbol(found.file, found.index)
}

fn language(stated: &Stated<'_>, file: FileId) -> Option<Grammar> {
    let doc = stated.view.file(file).doc?;
    Some(stated.view.segment(doc.segment).segment.doc(doc.doc).lang)
}

/// The action of a controller: `module/name#action`, or the action that a route of a resource stands for.
fn rails(
    stated: &Stated<'_>,
    texts: &mut Texts,
    at: At,
    levels: &Levels,
    said: &str,
) -> (Option<SymbolId>, String) {
    let Some(entry) = stated.get(at) else {
        return (None, String::new());
    };
    if entry.kind != EntryKind::Route {
        return (None, said.to_owned());
    }
    let (controller, action) = match said.split_once('#') {
        Some((controller, action)) => (controller.to_owned(), action.to_owned()),
        None => {
            // The controller of the only one of a resource is called like that of many.
            let is_one = entry
                .path
                .iter()
                .any(|part| matches!(part.kind, PartKind::One | PartKind::EditOne));
            let is_own = is_one && !said.ends_with('s');
            let controller = if is_own {
                plural(said)
            } else {
                said.to_owned()
            };
            (controller, action(stated, texts, at))
        }
    };
    // Modules of what is around, the outermost first; a controller that begins with a slash has none.
    let around = levels.first().iter().skip(1).rev();
    let modules: Vec<String> = around
        .filter_map(|up| match &stated.get(*up)?.reached {
            Reached::Text(range) => cut(stated.view, texts, up.file, range),
            _ => None,
        })
        .map(|module| bare(&module).to_owned())
        .collect();
    let name = match controller.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None => [&modules[..], &[controller]].concat().join("/"),
    };
    let ending = format!("{name}_controller.rb");
    let class = format!(
        "{}Controller",
        camel(name.rsplit('/').next().unwrap_or(&name))
    );
    let is_there = |path: &str| {
        let rest = path.strip_suffix(&ending);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let found = method_of(stated, &class, &action, is_there);
    (found, format!("{name}#{action}"))
}

/// The action that a route of a resource stands for.
fn action(stated: &Stated<'_>, texts: &mut Texts, at: At) -> String {
    let Some(entry) = stated.get(at) else {
        return String::new();
    };
    let has =
        |name: &[u8]| Methods::named(name).is_some_and(|method| entry.methods.0 & method.0 != 0);
    let last = entry.path.last();
    let action = match last.map(|part| part.kind) {
        Some(PartKind::New) => "new",
        Some(PartKind::Edit | PartKind::EditOne) => "edit",
        Some(PartKind::One) if has(b"POST") => "create",
        Some(PartKind::Id | PartKind::One | PartKind::Param) if has(b"GET") => "show",
        Some(PartKind::Id | PartKind::One | PartKind::Param) if has(b"DELETE") => "destroy",
        Some(PartKind::Id | PartKind::One | PartKind::Param) => "update",
        Some(PartKind::Name | PartKind::Text) => {
            let range = last.map(|part| part.range.clone()).unwrap_or_default();
            let name = cut(stated.view, texts, at.file, &range).unwrap_or_default();
            let is_resource = entry.reached == Reached::Text(range);
            if !is_resource {
                return bare(&name).to_owned();
            }
            if has(b"POST") { "create" } else { "index" }
        }
        _ if has(b"POST") => "create",
        _ => "index",
    };
    action.to_owned()
}

/// A name in capitals: `user_posts` is `UserPosts`.
fn camel(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        format!("{}{}", first.unwrap_or_default(), letters.as_str())
    };
    words.map(capital).collect()
}

/// The method of a class, of several the one whose file is called as it should be.
fn method_of(
    stated: &Stated<'_>,
    class: &str,
    method: &str,
    is_there: impl Fn(&str) -> bool,
) -> Option<SymbolId> {
    let view = stated.view;
    let found = definitions::find_exact(view, &Filter::open(), method.as_bytes());
    let mut of_class = found.into_iter().filter(|found| {
        let symbols = DocSymbols::load(&view.segment(found.doc.segment).segment, found.doc.doc);
        let container = symbols.get(found.index).and_then(|symbol| symbol.container);
        let container = container.and_then(|at| symbols.get(at as usize));
        container.is_some_and(|of| {
            let name = symbols.bytes(of.name);
            let own = name.rsplit(|b| *b == b':').next().unwrap_or(&name);
            of.kind == SymbolKind::Class && own.eq_ignore_ascii_case(class.as_bytes())
        })
    });
    let first = of_class.next()?;
    let rest: Vec<_> = of_class.collect();
    let path = |file: FileId| view.file(file).path.to_string();
    let best = match rest.is_empty() || is_there(&path(first.file)) {
        true => first,
        false => rest.into_iter().find(|of| is_there(&path(of.file)))?,
    };
    stated.graph.symbol(best.file, best.index)
}
