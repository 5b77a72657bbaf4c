//! What routes are registered on: what makes a router, what a name stands for, what a function is given.

use super::option;
use crate::id::LocalName;
use crate::record::{EntryKind, Methods, PathPart, Reached, Symbol};
use crate::syntax::entry_points::{CallParts, EntryReader, place};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Functions and classes that make a router.
const MAKERS: &[&str] = words!(
    "express Router Koa KoaRouter fastify Fastify Hono OpenAPIHono Elysia polka createServer restana
     PromiseRouter AsyncRouter server"
);

/// What routers are called where nothing says what they are.
const USUAL: &[&str] = words!(
    "app router server fastify api routes route instance this.app this.router this.server
     this.express this.fastify this.api apiRouter"
);

/// Types of parameters that are routers.
const TYPES: &[&str] = words!(
    "Express Application Router FastifyInstance Hono Elysia Koa IRouter INestApplication Koa.Router
     express.Application express.Express express.Router"
);

pub(super) const FUNCTIONS: &[&str] = words!(
    "arrow_function function_expression function_declaration generator_function_declaration
     generator_function method_definition"
);

/// A name that is given a value: a router, or a text.
pub(super) fn made<'t>(
    reader: &mut EntryReader<'t>,
    node: Node<'t>,
    name: Option<Node<'t>>,
    value: Option<Node<'t>>,
) {
    let (Some(name), Some(value)) = (name, value) else {
        return;
    };
    reader.hold(name, value);
    let value = reader.unwrapped(value);
    if value.kind_name() == "array" {
        return reader.note_list(name, value);
    }
    let Some(maker) = maker(reader, value) else {
        return;
    };
    let options = maker
        .arguments
        .and_then(|list| list.named().find(|of| of.kind_name() == "object"));
    let prefix = options.and_then(|options| option(reader, options, &["prefix"]));
    let prefix = prefix.or_else(|| base_path(reader, value));
    let path = prefix.map_or(Vec::new(), |prefix| reader.path(prefix));
    let own = match reader.member(name) {
        Some((_, property)) => property,
        None => name,
    };
    let reached = match reader.symbol(own) {
        Some(symbol) => Reached::Symbol(symbol),
        None => Reached::Nothing,
    };
    let kind = sort(reader, maker);
    let router = reader.state(kind, (None, node), Methods::ANY, path, reached);
    let Some(router) = router else { return };
    reader.note_made(maker.node, router);
    let field = node.kind_name().ends_with("field_definition");
    let within = match field || reader.text(name).starts_with(b"this.") {
        true => reader.enclosing(node, &["class_body"]),
        false => reader.enclosing(node, FUNCTIONS),
    };
    reader.bind(reader.text(name), within, router);
    if field {
        reader.bind(this_name(reader, own), within, router);
    }
}

/// The path of hono's `new Hono().basePath("/x")`.
pub(super) fn base_path<'t>(reader: &EntryReader<'t>, value: Node<'t>) -> Option<Node<'t>> {
    let mut at = value;
    for _ in 0..64 {
        let call = reader.call(at)?;
        if reader.is(call.name, &["basePath"]) {
            return call.arguments?.named().next();
        }
        at = reader.unwrapped(call.object?);
    }
    None
}

/// Whether what is made answers by itself.
pub(super) fn sort(reader: &EntryReader<'_>, maker: CallParts<'_>) -> EntryKind {
    let name = reader.text(maker.name);
    match name.ends_with(b"Router") || name.ends_with(b"router") {
        true => EntryKind::Branch,
        false => EntryKind::Router,
    }
}

/// The name that a field has where it is used, if that is one of the usual ones.
pub(super) fn this_name<'t>(reader: &EntryReader<'t>, field: Node<'t>) -> &'t [u8] {
    let text = reader.text(field);
    let usual = USUAL.iter().map(|usual| usual.as_bytes());
    let mut of_this = usual.filter(|usual| usual.strip_prefix(b"this.") == Some(text));
    of_this.next().unwrap_or(text)
}

/// The call that makes a router: `express()`, `new Router()`, `fastify(options)`, `express.Router()`.
pub(super) fn maker<'t>(reader: &EntryReader<'t>, value: Node<'t>) -> Option<CallParts<'t>> {
    let mut value = value;
    // `new Hono().get(...)` gives the router on.
    for _ in 0..64 {
        let call = reader.call(value)?;
        if reader.is(call.name, MAKERS) {
            // `http.createServer(app)` is given one.
            let given = call.arguments.and_then(|list| list.named().next());
            let is_http = given.is_some_and(|of| reader.is(of, USUAL) || reader.is_function(of));
            return (!is_http).then_some(call);
        }
        // `require("express")()`
        if let Some(required) = required(reader, call.name) {
            let made = reader.string(required);
            let known = MAKERS.iter().any(|maker| made == maker.as_bytes());
            let known = known || made.ends_with(b"router");
            return known.then_some(call);
        }
        value = reader.unwrapped(call.object?);
    }
    None
}

/// The string of `require("x")`.
pub(super) fn required<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let call = reader.call(node)?;
    let first = call.arguments?.named().next()?;
    let is_require = call.object.is_none() && reader.is(call.name, &["require"]);
    (is_require && reader.is_string(first)).then_some(first)
}

/// A parameter that its type says is a router.
pub(super) fn typed<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let (Some(name), Some(of)) = (node.field("pattern"), node.field("type")) else {
        return;
    };
    let written = reader.text(of).trim_ascii_start();
    let written = written.strip_prefix(b":").unwrap_or(written).trim_ascii();
    let written = written.split(|b| *b == b'<').next().unwrap_or(written);
    if TYPES.iter().any(|of| of.as_bytes() == written) {
        parameter(reader, name);
    }
}

/// Parameters that are called like a router outside are others.
pub(super) fn shadowed<'t>(reader: &mut EntryReader<'t>, function: Node<'t>) {
    for name in parameters(function) {
        if reader.is_shadowed(name, function) {
            parameter(reader, name);
        }
    }
}

/// The names of the parameters of a function.
pub(super) fn parameters(function: Node<'_>) -> Vec<Node<'_>> {
    let single = function.field("parameter").into_iter();
    let list = function.field("parameters").map(|list| list.content());
    let all = single.chain(list.unwrap_or_default());
    all.map(|of| of.field("pattern").unwrap_or(of)).collect()
}

/// Makes a parameter a router that whoever calls the function gives.
pub(super) fn parameter<'t>(reader: &mut EntryReader<'t>, name: Node<'t>) -> Option<u32> {
    let function = reader.enclosing(name, FUNCTIONS);
    let reached = of_function(reader, function);
    let router = reader.state(
        EntryKind::Branch,
        (None, name),
        Methods::ANY,
        vec![],
        reached,
    )?;
    reader.bind(reader.text(name), function, router);
    Some(router)
}

/// The symbol of a function, which may be named by what it is assigned to.
pub(super) fn of_function<'t>(reader: &EntryReader<'t>, function: Node<'t>) -> Reached {
    let own = function.field("name").and_then(|name| reader.symbol(name));
    let above = || {
        let above = function.parent()?;
        let name = match above.kind_name() {
            "variable_declarator" => above.field("name"),
            "assignment_expression" => above.field("left"),
            "pair" => above.field("key"),
            _ => None,
        }?;
        let name = reader.member(name).map_or(name, |(_, name)| name);
        reader.symbol(name)
    };
    // An anonymous default export is a symbol without a name of its own.
    let at = function.start_byte() as u32;
    let mut symbols = (0u32..).zip(reader.symbols());
    let end = function.end_byte() as u32;
    let mut spanned = || {
        let is_it =
            |symbol: &&Symbol<LocalName>| symbol.span.end == end && symbol.span.contains(&at);
        symbols.find(|(_, symbol)| is_it(symbol)).map(|(at, _)| at)
    };
    let symbol = own.or_else(above).or_else(&mut spanned);
    symbol.map_or(Reached::Nothing, Reached::Symbol)
}

/// The router that an object is, and the path that the chain of calls to it adds (`app.route("/x").get()`).
pub(super) fn router<'t>(
    reader: &mut EntryReader<'t>,
    object: Node<'t>,
) -> Option<(u32, Vec<PathPart>)> {
    let (mut at, mut path) = (reader.unwrapped(object), Vec::new());
    for _ in 0..64 {
        if let Some(found) = named_router(reader, at) {
            return Some((found, path));
        }
        let Some(call) = reader.call(at) else {
            break;
        };
        if reader.is(call.name, &["route"])
            && let Some(first) = call.arguments.and_then(|list| list.named().next())
            && call
                .arguments
                .is_some_and(|list| list.named_child_count() == 1)
        {
            path = reader.path(first);
        }
        let Some(object) = call.object else {
            // `new Hono().get()`, `express().get()`.
            let maker = maker(reader, at)?;
            return Some((anonymous(reader, maker)?, path));
        };
        // `express.Router().use()`
        if reader.is(call.name, MAKERS)
            && let Some(maker) = maker(reader, at)
        {
            return Some((anonymous(reader, maker)?, path));
        }
        at = reader.unwrapped(object);
    }
    let name = reader.text(at);
    let is_usual = USUAL.iter().any(|usual| usual.as_bytes() == name);
    let is_path = |node: Node<'t>| !reader.is_function(node);
    if !is_usual || !is_path(at) {
        return None;
    }
    Some((given(reader, at)?, path))
}

/// A router that is made in place.
pub(super) fn anonymous<'t>(reader: &mut EntryReader<'t>, maker: CallParts<'t>) -> Option<u32> {
    if let Some(made) = reader.made(maker.node) {
        return Some(made);
    }
    let at = (None, maker.node);
    let kind = sort(reader, maker);
    let made = reader.state(kind, at, Methods::ANY, vec![], Reached::Nothing)?;
    reader.note_made(maker.node, made);
    Some(made)
}

/// The router that a name stands for; a variable that is assigned one later on is its own.
pub(super) fn named_router<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Option<u32> {
    let is_name = matches!(node.kind_name(), "identifier" | "member_expression");
    is_name
        .then(|| reader.bound(reader.text(node), node))
        .flatten()
}

/// A router that is called as they usually are: a parameter of the function around, or somebody else's.
pub(super) fn given<'t>(reader: &mut EntryReader<'t>, name: Node<'t>) -> Option<u32> {
    let text = reader.text(name);
    let mut at = name;
    while let Some(above) = at.parent() {
        at = above;
        if !FUNCTIONS.contains(&at.kind_name()) {
            continue;
        }
        let mut names = parameters(at).into_iter();
        if let Some(name) = names.find(|of| reader.text(*of) == text) {
            return parameter(reader, name);
        }
    }
    let own = reader.member(name).map_or(name, |(_, property)| property);
    let on = (None, name);
    let kind = match reader.is(own, words!("app server fastify express")) {
        true => EntryKind::Router,
        false => EntryKind::Branch,
    };
    let made = reader.state(kind, on, Methods::ANY, vec![], place(own))?;
    reader.bind(text, at, made);
    Some(made)
}
