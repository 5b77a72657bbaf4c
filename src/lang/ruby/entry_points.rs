//! Entry points in Ruby: rails' routes, sinatra, rake.

use crate::record::{EntryKind, Methods, PartKind, PathPart, Reached};
use crate::syntax::entry_points::{EntryReader, EntryRows, EntrySyntax, line};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// What the frameworks say.
pub(crate) static ENTRIES: EntryRows = EntryRows {
    words: words!("routes.draw resources sinatra Sinatra task"),
    kinds: EntrySyntax {
        functions: words!("lambda block do_block"),
        calls: &[],
        wrappers: words!("parenthesized_statements"),
        strings: &["string"],
        holes: &["interpolation"],
        joins: &["binary"],
        ..EntrySyntax::NONE
    },
    read,
};

/// The routes of a resource: the action, the method, what follows the name of the resource.
const ACTIONS: &[(&str, &str, Option<PartKind>)] = &[
    ("index", "GET", None),
    ("create", "POST", None),
    ("new", "GET", Some(PartKind::New)),
    ("edit", "GET", Some(PartKind::Edit)),
    ("show", "GET", Some(PartKind::Id)),
    ("update", "PUT,PATCH", Some(PartKind::Id)),
    ("destroy", "DELETE", Some(PartKind::Id)),
];

fn read<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    if node.kind_name() != "call" {
        return;
    }
    let Some(name) = node.field("method") else {
        return;
    };
    let receiver = node.field("receiver");
    let is_rails = memchr::memmem::find(reader.src, b"routes.draw").is_some()
        || memchr::memmem::find(reader.src, b"resources :").is_some();
    match (receiver, reader.text(name)) {
        (Some(_), b"draw") => {
            if let Some(block) = node.field("block")
                && let Some(made) = router(reader, node, None, vec![], Reached::Nothing)
            {
                reader.enter(block, made);
            }
        }
        (Some(_), _) => {}
        (None, _) if is_rails => rails(reader, node, name),
        (None, b"task") => rake(reader, node),
        (None, b"namespace") => {
            if let (Some(block), Some(first)) =
                (node.field("block"), arguments(node).first().copied())
                && let Some(path) = word(reader, first)
            {
                let on = reader.around(node);
                if let Some(made) = router(reader, node, on, path, Reached::Nothing) {
                    reader.enter(block, made);
                }
            }
        }
        (None, verb) if node.field("block").is_some() => {
            let is_sinatra = memchr::memmem::find(reader.src, b"inatra").is_some();
            let methods = Methods::named(verb)
                .filter(|_| is_sinatra && verb.iter().all(u8::is_ascii_lowercase));
            let first = arguments(node).first().copied();
            if let (Some(methods), Some(first)) = (methods, first)
                && (reader.is_string(first) || first.kind_name() == "regex")
            {
                let path = match first.kind_name() {
                    "regex" => vec![EntryReader::part(PartKind::Text, first)],
                    _ => reader.path(first),
                };
                reader.state(
                    EntryKind::Route,
                    (None, node),
                    methods,
                    path,
                    Reached::Inline(line(node)),
                );
            }
        }
        _ => {}
    }
}

fn arguments<'t>(call: Node<'t>) -> Vec<Node<'t>> {
    call.field("arguments")
        .map(|list| list.content())
        .unwrap_or_default()
}

fn router<'t>(
    reader: &mut EntryReader<'t>,
    at: Node<'t>,
    on: Option<u32>,
    path: Vec<PathPart>,
    reached: Reached,
) -> Option<u32> {
    reader.state(EntryKind::Router, (on, at), Methods::ANY, path, reached)
}

/// The value of an option: `only: [...]`, `:path => "x"`.
fn option<'t>(reader: &EntryReader<'t>, arguments: &[Node<'t>], name: &str) -> Option<Node<'t>> {
    let pairs = arguments.iter().flat_map(|of| match of.kind_name() {
        "hash" => of.content(),
        _ => vec![*of],
    });
    let mut pairs = pairs.filter(|of| of.kind_name() == "pair");
    pairs.find_map(|pair| {
        let key = pair.field("key")?;
        let key = reader.text(key);
        let key = key.strip_prefix(b":").unwrap_or(key);
        (key == name.as_bytes())
            .then(|| pair.field("value"))
            .flatten()
    })
}

/// The bytes of a symbol or string without its signs.
fn inner(reader: &EntryReader<'_>, node: Node<'_>) -> Option<std::ops::Range<u32>> {
    let range = match node.kind_name() {
        "simple_symbol" => node.start_byte() + 1..node.end_byte(),
        "string" => reader.within_quotes(node),
        "hash_key_symbol" | "bare_symbol" | "bare_string" => node.byte_range(),
        _ => return None,
    };
    Some(range.start as u32..range.end.max(range.start) as u32)
}

/// A name of a task, without a slash.
fn word(reader: &EntryReader<'_>, node: Node<'_>) -> Option<Vec<PathPart>> {
    let node = match node.kind_name() {
        // `task name: :other`, `task "name" => deps`
        "pair" => node.field("key")?,
        _ => node,
    };
    let range = inner(reader, node)?;
    Some(vec![PathPart {
        kind: PartKind::Text,
        range,
    }])
}

fn name(range: std::ops::Range<u32>) -> PathPart {
    PathPart {
        kind: PartKind::Name,
        range,
    }
}

/// The names in `%i[a b]`, `[:a, :b]` or one.
fn names<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Vec<&'t [u8]> {
    let all = match node.kind_name() {
        "array" | "symbol_array" | "string_array" => node.content(),
        _ => vec![node],
    };
    let ranges = all.into_iter().filter_map(|of| inner(reader, of));
    ranges
        .filter_map(|range| reader.src.get(range.start as usize..range.end as usize))
        .collect()
}

fn rails<'t>(reader: &mut EntryReader<'t>, node: Node<'t>, method: Node<'t>) {
    let given = arguments(node);
    let on = reader.around(node);
    let block = node.field("block");
    match reader.text(method) {
        b"resources" => {
            for of in given.iter().filter(|of| of.kind_name() != "pair") {
                resource(reader, (node, on), *of, &given, true);
            }
        }
        b"resource" => {
            for of in given.iter().filter(|of| of.kind_name() != "pair") {
                resource(reader, (node, on), *of, &given, false);
            }
        }
        b"namespace" => {
            let Some(first) = given.first().and_then(|of| inner(reader, *of)) else {
                return;
            };
            let path = match option(reader, &given, "path") {
                Some(path) => reader.path(path),
                None => vec![name(first.clone())],
            };
            let module = option(reader, &given, "module").and_then(|of| inner(reader, of));
            let reached = Reached::Text(module.unwrap_or(first));
            if let (Some(block), Some(made)) = (block, router(reader, node, on, path, reached)) {
                reader.enter(block, made);
            }
        }
        b"scope" | b"constraints" | b"authenticate" | b"authenticated" | b"unauthenticated"
        | b"defaults" | b"controller" | b"direct" | b"with_options" | b"concern" => {
            let first = given
                .first()
                .filter(|of| of.kind_name() != "pair" && reader.is(method, &["scope"]));
            let path = match (first.copied(), option(reader, &given, "path")) {
                (Some(first), _) | (None, Some(first)) => match inner(reader, first) {
                    Some(range) => vec![name(range)],
                    None => vec![PathPart::bare(PartKind::Computed)],
                },
                (None, None) => Vec::new(),
            };
            let module = option(reader, &given, "module").and_then(|of| inner(reader, of));
            let reached = module.map_or(Reached::Nothing, Reached::Text);
            // What a concern holds is stated wherever it is used.
            if reader.is(method, &["concern"]) {
                return;
            }
            if let (Some(block), Some(made)) = (block, router(reader, node, on, path, reached)) {
                reader.enter(block, made);
            }
        }
        b"member" | b"collection" | b"new" => {
            let (Some(block), Some(on)) = (block, on) else {
                return;
            };
            // What is around is what is nested; the router of the resource itself is below it.
            let path = match reader.text(method) {
                b"member" => vec![PathPart::bare(PartKind::Id)],
                b"new" => vec![PathPart::bare(PartKind::New)],
                _ => Vec::new(),
            };
            let Some(of) = reader.above(on) else { return };
            if let Some(made) = router(reader, node, Some(of), path, Reached::Nothing) {
                reader.enter(block, made);
            }
        }
        b"root" => {
            let to = given
                .first()
                .copied()
                .filter(|of| of.kind_name() == "string");
            let to = to.or_else(|| option(reader, &given, "to"));
            let reached = to
                .and_then(|of| inner(reader, of))
                .map_or(Reached::Nothing, Reached::Text);
            let methods = Methods::named(b"GET").unwrap_or_default();
            reader.state(EntryKind::Route, (on, node), methods, vec![], reached);
        }
        b"mount" => {
            let pair = given.iter().find(|of| of.kind_name() == "pair");
            let path =
                option(reader, &given, "at").or_else(|| pair.and_then(|pair| pair.field("value")));
            if let Some(path) = path {
                let path = reader.path(path);
                reader.state(
                    EntryKind::Route,
                    (on, node),
                    Methods::ANY,
                    path,
                    Reached::Nothing,
                );
            }
        }
        b"match" => {
            let via = option(reader, &given, "via");
            let all = via.map(|via| names(reader, via)).unwrap_or_default();
            let methods = all.into_iter().filter_map(Methods::named);
            let methods = methods.fold(Methods::ANY, Methods::with);
            route(reader, (node, on), methods, &given);
        }
        verb => {
            if let Some(methods) =
                Methods::named(verb).filter(|_| verb.iter().all(u8::is_ascii_lowercase))
            {
                route(reader, (node, on), methods, &given);
            }
        }
    }
}

/// `get "/x", to: "users#index"`, `get "x" => "users#index"`, `get :x`.
fn route<'t>(
    reader: &mut EntryReader<'t>,
    (node, on): (Node<'t>, Option<u32>),
    methods: Methods,
    given: &[Node<'t>],
) {
    let mut paths: Vec<Node<'t>> = given
        .iter()
        .copied()
        .filter(|of| of.kind_name() != "pair")
        .collect();
    let mut to = option(reader, given, "to");
    for pair in given.iter().filter(|of| of.kind_name() == "pair") {
        let key = pair.field("key").filter(|key| key.kind_name() == "string");
        if let Some(key) = key {
            paths.push(key);
            to = to.or_else(|| pair.field("value"));
        }
    }
    // `get :x, on: :member`
    let place = option(reader, given, "on").and_then(|of| inner(reader, of));
    let place = place.and_then(|range| reader.src.get(range.start as usize..range.end as usize));
    let (on, before) = match (place, on) {
        (Some(b"member"), Some(of)) => (reader.above(of), vec![PathPart::bare(PartKind::Id)]),
        (Some(b"collection"), Some(of)) => (reader.above(of), Vec::new()),
        (_, on) => (on, Vec::new()),
    };
    let controller = option(reader, given, "controller").and_then(|of| inner(reader, of));
    for path in paths {
        let Some(range) = inner(reader, path) else {
            continue;
        };
        let handler = to.and_then(|of| inner(reader, of)).or_else(|| {
            // A path of two names is that of a controller and its action.
            let text = reader
                .src
                .get(range.start as usize..range.end as usize)
                .unwrap_or(b"");
            text.contains(&b'#').then(|| range.clone())
        });
        let handler = handler.or_else(|| controller.clone());
        let reached = handler
            .or_else(|| resource_of(reader, on))
            .map_or(Reached::Nothing, Reached::Text);
        let path = [&before[..], &[name(range)]].concat();
        reader.state(EntryKind::Route, (on, node), methods, path, reached);
    }
}

/// The name of the resource that a router is of.
fn resource_of(reader: &EntryReader<'_>, on: Option<u32>) -> Option<std::ops::Range<u32>> {
    let mut at = on;
    for _ in 0..8 {
        let entry = reader.entry(at?)?;
        if let Some(first) = entry
            .path
            .iter()
            .find(|part| part.kind == PartKind::ParentId)
        {
            return Some(first.range.clone());
        }
        if let Some(range) = reader.resource(at?) {
            return Some(range);
        }
        at = entry.on;
    }
    None
}

/// The routes of one resource, and a router for what is nested in it.
fn resource<'t>(
    reader: &mut EntryReader<'t>,
    (node, on): (Node<'t>, Option<u32>),
    of: Node<'t>,
    given: &[Node<'t>],
    many: bool,
) {
    let Some(range) = inner(reader, of) else {
        return;
    };
    let param = option(reader, given, "param").and_then(|of| inner(reader, of));
    let param = param.map(|range| PathPart {
        kind: PartKind::Param,
        range,
    });
    let only = option(reader, given, "only").map(|of| names(reader, of));
    let except = option(reader, given, "except")
        .map(|of| names(reader, of))
        .unwrap_or_default();
    let controller = option(reader, given, "controller").and_then(|of| inner(reader, of));
    let path = match option(reader, given, "path") {
        Some(path) => inner(reader, path)
            .filter(|range| !range.is_empty())
            .map(name),
        None => Some(name(range.clone())),
    };
    let path: Vec<PathPart> = path.into_iter().collect();
    let module = option(reader, given, "module").and_then(|of| inner(reader, of));
    // A router of its own for the resource: `member` and `collection` stand on it.
    let reached = module.map_or(Reached::Nothing, Reached::Text);
    let Some(own) = router(reader, node, on, path, reached) else {
        return;
    };
    let handler = controller.unwrap_or(range.clone());
    reader.note_resource(own, handler.clone());
    for (action, methods, part) in ACTIONS {
        let is_left_out = except.contains(&action.as_bytes())
            || only
                .as_ref()
                .is_some_and(|only| !only.contains(&action.as_bytes()))
            || (!many && *action == "index");
        if is_left_out {
            continue;
        }
        let named = methods
            .split(',')
            .filter_map(|name| Methods::named(name.as_bytes()));
        let methods = named.fold(Methods::ANY, Methods::with);
        let path: Vec<PathPart> = match (many, part, &param) {
            (false, Some(PartKind::Id) | None, _) => vec![PathPart::bare(PartKind::One)],
            (false, Some(PartKind::Edit), _) => vec![PathPart::bare(PartKind::EditOne)],
            (true, Some(PartKind::Id), Some(param)) => vec![param.clone()],
            (_, Some(part), _) => vec![PathPart::bare(*part)],
            (true, None, _) => vec![PathPart::bare(PartKind::Many)],
        };
        let reached = Reached::Text(handler.clone());
        reader.state(EntryKind::Route, (Some(own), node), methods, path, reached);
    }
    if let Some(block) = node.field("block") {
        let path = match many {
            true => vec![PathPart {
                kind: PartKind::ParentId,
                range,
            }],
            false => Vec::new(),
        };
        if let Some(nested) = router(reader, node, Some(own), path, Reached::Nothing) {
            reader.enter(block, nested);
        }
    }
}

/// `task :name`, `task name: :other`, `task "name" => deps`.
fn rake<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let Some(first) = arguments(node).first().copied() else {
        return;
    };
    let Some(path) = word(reader, first) else {
        return;
    };
    let on = reader.around(node);
    let reached = match node.field("block") {
        Some(block) => Reached::Inline(line(block)),
        None => Reached::Nothing,
    };
    reader.state(EntryKind::Command, (on, node), Methods::ANY, path, reached);
}
