//! Entry points in JavaScript and TypeScript: express, fastify, koa, hono, hapi; nest; commander, yargs.

mod decorated;
mod mounts;
mod routers;

use crate::record::{EntryKind, Methods, PartKind, PathPart, Reached};
use crate::syntax::entry_points::{CallParts, EntryReader, EntryRows, EntrySyntax};
use crate::syntax::node::NodeExt;
use mounts::{mount, passed};
use routers::{FUNCTIONS, made, named_router, router, shadowed, typed};
use tree_sitter::Node;

/// What the frameworks say.
pub(crate) static ENTRIES: EntryRows = EntryRows {
    words: words!(
        "outer app. fastify hono koa nestjs setGlobalPrefix server.route .command( Elysia"
    ),
    kinds: EntrySyntax {
        functions: words!(
            "arrow_function function_expression generator_function function_declaration"
        ),
        names: words!("identifier shorthand_property_identifier"),
        members: &[("member_expression", "object", "property")],
        calls: &[
            ("call_expression", "function", "arguments"),
            ("new_expression", "constructor", "arguments"),
        ],
        wrappers: words!(
            "parenthesized_expression await_expression as_expression satisfies_expression
             non_null_expression spread_element type_assertion"
        ),
        lists: &["array"],
        strings: words!("string template_string"),
        holes: &["template_substitution"],
        through: words!("bind routes middleware allowedMethods"),
        ..EntrySyntax::NONE
    },
    read,
};

fn read<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    match node.kind_name() {
        "variable_declarator" => made(reader, node, node.field("name"), node.field("value")),
        "assignment_expression" => made(reader, node, node.field("left"), node.field("right")),
        "public_field_definition" => made(reader, node, node.field("name"), node.field("value")),
        "field_definition" => made(reader, node, node.field("property"), node.field("value")),
        "required_parameter" => typed(reader, node),
        "call_expression" => {
            if let Some(call) = reader.call(node) {
                called(reader, call);
            }
        }
        "decorator" => decorated::read(reader, node),
        kind if FUNCTIONS.contains(&kind) => shadowed(reader, node),
        _ => {}
    }
}

/// The value of the first key of an object that has one of some names.
pub(super) fn option<'t>(
    reader: &EntryReader<'t>,
    object: Node<'t>,
    names: &[&str],
) -> Option<Node<'t>> {
    let mut members = object.named();
    members.find_map(|member| match member.kind_name() {
        "pair" => {
            let key = member.field("key")?;
            let key = match reader.is_string(key) {
                true => reader.string(key),
                false => reader.text(key),
            };
            let named = names.iter().any(|name| name.as_bytes() == key);
            named.then(|| member.field("value")).flatten()
        }
        "method_definition" => {
            let name = member.field("name")?;
            reader.is(name, names).then_some(member)
        }
        "shorthand_property_identifier" => reader.is(member, names).then_some(member),
        _ => None,
    })
}

fn called<'t>(reader: &mut EntryReader<'t>, call: CallParts<'t>) {
    let arguments = call
        .arguments
        .map(|list| list.content())
        .unwrap_or_default();
    let Some(object) = call.object else {
        return passed(reader, call, &arguments);
    };
    let name = reader.text(call.name);
    let verb = match name {
        b"all" | b"any" => Some(Methods::ANY),
        b"options" if arguments.len() == 1 => None,
        name if name.iter().all(u8::is_ascii_lowercase) => Methods::named(name),
        _ => None,
    };
    match name {
        _ if verb.is_some() => route(reader, call, object, verb.unwrap_or_default(), &arguments),
        b"use" | b"register" | b"mount" | b"group" => mount(reader, call, object, &arguments),
        b"route" => match arguments.first() {
            Some(first) if matches!(first.kind_name(), "object" | "array") => {
                stated(reader, object, *first);
            }
            _ if arguments.len() == 2 => mount(reader, call, object, &arguments),
            _ => {}
        },
        b"on" => by_methods(reader, call, object, &arguments),
        b"prefix" => {
            if let (Some(router), Some(path)) = (named_router(reader, object), arguments.first()) {
                let path = reader.path(*path);
                if let Some(entry) = reader.entry_mut(router) {
                    entry.path = path;
                }
            }
        }
        // nest: all controllers of the program are below it.
        b"setGlobalPrefix" => {
            if let Some(path) = arguments.first() {
                let path = reader.path(*path);
                let at = (None, call.node);
                reader.state(EntryKind::Mount, at, Methods::ANY, path, Reached::Nothing);
            }
        }
        b"command" | b"action" => command(reader, call, object, &arguments),
        _ => passed(reader, call, &arguments),
    }
}

/// `app.get("/x", ..., handler)`, `app.route("/x").get(handler)`.
fn route<'t>(
    reader: &mut EntryReader<'t>,
    call: CallParts<'t>,
    object: Node<'t>,
    methods: Methods,
    arguments: &[Node<'t>],
) {
    let Some(last) = arguments
        .last()
        .copied()
        .filter(|last| is_handler(reader, *last))
    else {
        return;
    };
    let first = arguments[0];
    let is_known = named_router(reader, reader.unwrapped(object)).is_some();
    let is_path = reader.is_string(first) || matches!(first.kind_name(), "array" | "regex");
    let Some((on, before)) = router(reader, object) else {
        return;
    };
    let reached = match last.kind_name() {
        "object" => match option(reader, last, &["handler"]) {
            Some(handler) => reader.handler(handler),
            None => return,
        },
        _ => reader.handler(last),
    };
    let mut paths = Vec::new();
    if !before.is_empty() {
        paths.push(before);
    } else if arguments.len() > 1 && (is_known || is_path) {
        // koa's routes may have names.
        let second = arguments.get(1).filter(|second| {
            reader.is_string(first) && reader.is_string(**second) && arguments.len() > 2
        });
        let path = second.copied().unwrap_or(first);
        match path.kind_name() {
            "array" => paths.extend(path.content().into_iter().map(|of| spelt(reader, of))),
            _ => paths.push(spelt(reader, path)),
        }
    }
    for path in paths {
        reader.state(
            EntryKind::Route,
            (Some(on), call.node),
            methods,
            path,
            reached.clone(),
        );
    }
}

/// Whether an argument may be a handler.
fn is_handler<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> bool {
    reader.may_be_function(node) || matches!(node.kind_name(), "array" | "object")
}

/// A path, which may be a regular expression.
pub(super) fn spelt<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Vec<PathPart> {
    match node.kind_name() {
        "regex" => vec![EntryReader::part(PartKind::Text, node)],
        _ => reader.path(node),
    }
}

/// hono's `app.on("GET", "/x", handler)`.
fn by_methods<'t>(
    reader: &mut EntryReader<'t>,
    call: CallParts<'t>,
    object: Node<'t>,
    arguments: &[Node<'t>],
) {
    if let [method, path, .., handler] = arguments
        && let Some(methods) = methods(reader, *method)
        && let Some((on, _)) = router(reader, object)
    {
        let (path, reached) = (reader.path(*path), reader.handler(*handler));
        reader.state(
            EntryKind::Route,
            (Some(on), call.node),
            methods,
            path,
            reached,
        );
    }
}

/// The methods that a string or a list of them names.
pub(super) fn methods<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Option<Methods> {
    let named = |node: Node<'t>| match reader.string(node) {
        b"*" => Some(Methods::ANY),
        name => Methods::named(name),
    };
    match node.kind_name() {
        "array" => {
            let all = node.content().into_iter().filter_map(named);
            all.reduce(Methods::with)
        }
        _ => reader.is_string(node).then(|| named(node)).flatten(),
    }
}

/// `server.route({ method, url, handler })`, or a list of such.
fn stated<'t>(reader: &mut EntryReader<'t>, object: Node<'t>, stated: Node<'t>) {
    let Some((on, _)) = router(reader, object) else {
        return;
    };
    let all = match stated.kind_name() {
        "array" => stated.content(),
        _ => vec![stated],
    };
    for of in all {
        let path = option(reader, of, words!("url path"));
        let options = option(reader, of, words!("options config"));
        let inner = options.and_then(|options| option(reader, options, &["handler"]));
        let handler = option(reader, of, &["handler"]).or(inner);
        let (Some(path), Some(handler)) = (path, handler) else {
            continue;
        };
        let known = option(reader, of, &["method"]).and_then(|of| methods(reader, of));
        let reached = match handler.kind_name() {
            "method_definition" => reader.symbol_of(handler),
            _ => reader.handler(handler),
        };
        let path = spelt(reader, path);
        let known = known.unwrap_or_default();
        reader.state(EntryKind::Route, (Some(on), of), known, path, reached);
    }
}

/// commander's `program.command("x").action(handler)`, yargs' `.command("x", "text", builder, handler)`.
fn command<'t>(
    reader: &mut EntryReader<'t>,
    call: CallParts<'t>,
    object: Node<'t>,
    arguments: &[Node<'t>],
) {
    let name = |reader: &EntryReader<'t>, string: Node<'t>| {
        let range = reader.within_quotes(string);
        vec![PathPart {
            kind: PartKind::FirstWord,
            range: range.start as u32..range.end as u32,
        }]
    };
    if reader.is(call.name, &["command"]) {
        if let [first, _, .., handler] = arguments
            && arguments.len() > 3
            && reader.is_string(*first)
            && reader.may_be_function(*handler)
        {
            let (path, reached) = (name(reader, *first), reader.handler(*handler));
            reader.state(
                EntryKind::Command,
                (None, call.node),
                Methods::ANY,
                path,
                reached,
            );
        }
        return;
    }
    let Some(handler) = arguments.first().filter(|of| reader.may_be_function(**of)) else {
        return;
    };
    let mut at = reader.unwrapped(object);
    for _ in 0..256 {
        let Some(above) = reader.call(at) else { return };
        let first = above.arguments.and_then(|list| list.named().next());
        if let Some(first) = first.filter(|of| reader.is_string(*of))
            && reader.is(above.name, &["command"])
        {
            let (path, reached) = (name(reader, first), reader.handler(*handler));
            reader.state(
                EntryKind::Command,
                (None, above.name),
                Methods::ANY,
                path,
                reached,
            );
            return;
        }
        let Some(object) = above.object else { return };
        at = reader.unwrapped(object);
    }
}
