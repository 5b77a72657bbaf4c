//! Entry points in Python: flask, fastapi, starlette, django, aiohttp; click, typer; celery.

use crate::record::{EntryKind, Methods, PartKind, PathPart, Reached};
use crate::syntax::entry_points::{CallParts, EntryReader, EntryRows, EntrySyntax, place};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// What the frameworks say.
pub(crate) static ENTRIES: EntryRows = EntryRows {
    words: words!(
        "oute lueprint Flask( FastAPI( urlpatterns click typer Typer task celery _resource( .command( patterns aiohttp"
    ),
    kinds: EntrySyntax {
        functions: words!("lambda function_definition"),
        members: &[("attribute", "object", "attribute")],
        calls: &[("call", "function", "arguments")],
        wrappers: words!("parenthesized_expression await"),
        lists: words!("list tuple"),
        strings: &["string"],
        holes: &["interpolation"],
        joins: words!("binary_operator concatenated_string"),
        through: words!("as_view as_asgi as_task"),
        ..EntrySyntax::NONE
    },
    read,
};

/// Classes and functions that make what routes are registered on.
const MAKERS: &[&str] = words!(
    "Flask Blueprint APIBlueprint FastAPI APIRouter Starlette Quart Sanic Bottle Api Namespace APIFlask
     Typer DefaultRouter SimpleRouter ExtendedDefaultRouter Router Litestar NinjaAPI OpenAPI APIView Celery
     Application Ninja"
);
/// Their keyword arguments that give a path.
const PREFIXES: &[&str] = words!("url_prefix prefix path");
/// Functions that state one route of a list.
const ROUTES: &[&str] = words!("path re_path url Route WebSocketRoute Mount");

fn read<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    match node.kind_name() {
        "assignment" => assigned(reader, node),
        "augmented_assignment" => {
            if let (Some(left), Some(right)) = (node.field("left"), node.field("right")) {
                let known = reader.bound(reader.text(left), left);
                if let Some(list) = known.filter(|_| right.kind_name() == "list") {
                    reader.enter(right, list);
                }
            }
        }
        "decorated_definition" => {
            let decorators = node.all_of("decorator").take(64);
            for decorator in decorators {
                decorated(reader, node, decorator);
            }
        }
        "function_definition" => {
            let list = node.field("parameters").map(|list| list.content());
            for of in list.unwrap_or_default() {
                let name = of.field("name").or(of.named_child(0)).unwrap_or(of);
                if name.kind_name() == "identifier" && reader.is_shadowed(name, node) {
                    let reached = reader.symbol_of(node);
                    let at = (None, name);
                    let made = reader.state(EntryKind::Branch, at, Methods::ANY, vec![], reached);
                    if let Some(made) = made {
                        reader.bind(reader.text(name), node, made);
                    }
                }
            }
        }
        "call" => {
            if let Some(call) = reader.call(node) {
                called(reader, call);
            }
        }
        _ => {}
    }
}

/// The positional arguments of a call.
fn positional<'t>(call: &CallParts<'t>) -> Vec<Node<'t>> {
    let list = call
        .arguments
        .map(|list| list.content())
        .unwrap_or_default();
    let is_plain = |of: &Node<'_>| {
        !matches!(
            of.kind_name(),
            "keyword_argument" | "dictionary_splat" | "list_splat"
        )
    };
    list.into_iter().filter(is_plain).collect()
}

/// The first keyword argument of one of some names.
fn keyword<'t>(reader: &EntryReader<'t>, call: &CallParts<'t>, names: &[&str]) -> Option<Node<'t>> {
    let mut list = call.arguments?.all_of("keyword_argument");
    let found = list.find(|of| of.field("name").is_some_and(|name| reader.is(name, names)))?;
    found.field("value")
}

/// A path that a call is given.
fn prefix<'t>(reader: &EntryReader<'t>, call: &CallParts<'t>) -> Vec<PathPart> {
    let given = keyword(reader, call, PREFIXES);
    given.map_or(Vec::new(), |given| match given.kind_name() {
        "none" => Vec::new(),
        _ => reader.path(given),
    })
}

fn assigned<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let (Some(name), Some(value)) = (node.field("left"), node.field("right")) else {
        return;
    };
    reader.hold(name, value);
    let value = reader.unwrapped(value);
    let own = reader.member(name).map_or(name, |(_, own)| own);
    let reached = match reader.symbol(own) {
        Some(symbol) => Reached::Symbol(symbol),
        None => Reached::Nothing,
    };
    // `urlpatterns = [path(...)]`, `i18n_patterns(path(...))`
    let is_routes = |of: Node<'t>| {
        let call = reader.call(of);
        call.is_some_and(|call| reader.is(call.name, ROUTES))
    };
    let list = match value.kind_name() {
        "list" => value.named().any(is_routes) || reader.is(name, &["urlpatterns"]),
        // `[...] + static(...)`
        "binary_operator" => reader.is(name, &["urlpatterns"]),
        "call" => reader.call(value).is_some_and(|call| {
            let arguments = positional(&call).into_iter();
            reader.is(call.name, words!("i18n_patterns format_suffix_patterns"))
                || arguments
                    .take(1)
                    .any(|of| of.kind_name() == "list" && of.named().any(is_routes))
        }),
        _ => false,
    };
    let call = reader
        .call(value)
        .filter(|call| reader.is(call.name, MAKERS));
    if call.is_none() && !list {
        return;
    }
    let path = call.map_or(Vec::new(), |call| prefix(reader, &call));
    let is_branch = call.is_some_and(|call| {
        reader.is(
            call.name,
            words!("Blueprint APIBlueprint APIRouter Namespace"),
        )
    });
    let kind = match is_branch {
        true => EntryKind::Branch,
        false => EntryKind::Router,
    };
    let router = reader.state(kind, (None, node), Methods::ANY, path, reached);
    let Some(router) = router else { return };
    let within = match reader.text(name).starts_with(b"self.") {
        true => reader.enclosing(node, &["class_definition"]),
        false => reader.enclosing(node, words!("function_definition lambda")),
    };
    reader.bind(reader.text(name), within, router);
    if list {
        reader.enter(value, router);
    }
}

/// The router that a name or an attribute is; what is bound nowhere is somebody else's.
fn router<'t>(reader: &mut EntryReader<'t>, object: Node<'t>) -> Option<u32> {
    let object = reader.unwrapped(object);
    let text = reader.text(object);
    if let Some(found) = reader.bound(text, object) {
        return Some(found);
    }
    let own = match object.kind_name() {
        "identifier" => object,
        "attribute" => object.field("attribute")?,
        _ => return None,
    };
    let function = reader.enclosing(object, &["function_definition"]);
    let is_parameter = function.field("parameters").is_some_and(|list| {
        let mut names = list.content().into_iter();
        names.any(|of| {
            let name = of.field("name").or(of.named_child(0)).unwrap_or(of);
            reader.text(name) == text || reader.text(of) == text
        })
    });
    let (reached, within) = match is_parameter {
        true => (reader.symbol_of(function), function),
        false => (place(own), reader.enclosing(object, &[])),
    };
    let kind = match is_parameter || !reader.is(own, words!("app application cli api")) {
        true => EntryKind::Branch,
        false => EntryKind::Router,
    };
    let router = reader.state(kind, (None, object), Methods::ANY, vec![], reached)?;
    reader.bind(text, within, router);
    Some(router)
}

/// The methods in `methods=["GET", "POST"]`.
fn listed<'t>(reader: &EntryReader<'t>, call: &CallParts<'t>) -> Option<Methods> {
    let list = keyword(reader, call, words!("methods method"))?;
    let list = match list.kind_name() {
        "string" => vec![list],
        _ => list.content(),
    };
    let named = list
        .into_iter()
        .filter_map(|of| Methods::named(reader.string(of)));
    named.reduce(Methods::with)
}

fn decorated<'t>(reader: &mut EntryReader<'t>, whole: Node<'t>, decorator: Node<'t>) {
    let (Some(said), Some(definition)) = (decorator.named().next(), whole.field("definition"))
    else {
        return;
    };
    let call = reader.call(said);
    let (object, name) = match (call, reader.member(said)) {
        (Some(call), _) => (call.object, call.name),
        (None, Some((object, name))) => (object, name),
        (None, None) => (None, said),
    };
    let reached = reader.symbol_of(definition);
    let text = reader.text(name);
    let at = decorator;
    match text {
        b"route" | b"api_route" | b"websocket_route" | b"websocket" | b"get" | b"post" | b"put"
        | b"delete" | b"patch" | b"head" | b"options" | b"trace" | b"api_operation" | b"view" => {
            let (Some(call), Some(object)) = (call, object) else {
                return;
            };
            let first = positional(&call)
                .into_iter()
                .find(|of| reader.is_string(*of));
            let first = first.or_else(|| positional(&call).into_iter().next());
            let Some(path) = first.or_else(|| keyword(reader, &call, words!("path rule"))) else {
                return;
            };
            let path = reader.path(path);
            let listed = listed(reader, &call);
            let methods = match (text, listed) {
                (b"websocket_route", _) => Methods::named(b"WS").unwrap_or_default(),
                (_, Some(listed)) => listed,
                (b"route" | b"view", None) if definition.kind_name() == "class_definition" => {
                    Methods::ANY
                }
                (b"route", None) => Methods::named(b"GET").unwrap_or_default(),
                (text, None) => Methods::named(text).unwrap_or_default(),
            };
            let on = router(reader, object);
            reader.state(EntryKind::Route, (on, at), methods, path, reached);
        }
        b"command" | b"group" => {
            let is_click = object.is_none_or(|of| reader.is(of, words!("click typer")));
            if object.is_none() && call.is_none() {
                return;
            }
            let on = match object.filter(|_| !is_click) {
                Some(object) => router(reader, object),
                None => None,
            };
            let given = call.and_then(|call| {
                let first = positional(&call)
                    .into_iter()
                    .find(|of| reader.is_string(*of));
                first.or_else(|| {
                    keyword(reader, &call, &["name"]).filter(|of| reader.is_string(*of))
                })
            });
            let own = definition.field("name");
            let path = match (given, own) {
                (Some(given), _) => reader.path(given),
                (None, Some(own)) => vec![EntryReader::part(PartKind::Dashed, own)],
                (None, None) => return,
            };
            let is_group = text == b"group";
            // The outermost group is the program itself, whatever it is called.
            let path = match is_group && is_click && given.is_none() {
                true => Vec::new(),
                false => path,
            };
            let kind = match is_group {
                true => EntryKind::Router,
                false => EntryKind::Command,
            };
            let made = reader.state(kind, (on, at), Methods::ANY, path, reached);
            if let (Some(made), Some(own)) = (made.filter(|_| is_group), own) {
                let within = reader.enclosing(whole, words!("function_definition"));
                reader.bind(reader.text(own), within, made);
            }
        }
        b"task" | b"shared_task" | b"periodic_task" | b"actor" | b"job" | b"db_task"
        | b"db_periodic_task" => {
            if object.is_none() && text == b"task" && !has_import(reader) {
                return;
            }
            let given = call.and_then(|call| keyword(reader, &call, &["name"]));
            let given = given.filter(|of| reader.is_string(*of));
            let path = match (given, definition.field("name")) {
                (Some(given), _) => reader.path(given),
                (None, Some(own)) => vec![EntryReader::part(PartKind::Text, own)],
                (None, None) => return,
            };
            reader.state(EntryKind::Job, (None, at), Methods::ANY, path, reached);
        }
        b"receiver" | b"listens_for" => {
            let first = call.and_then(|call| positional(&call).into_iter().next());
            if let Some(first) = first {
                let own = reader.member(first).map_or(first, |(_, own)| own);
                let path = vec![EntryReader::part(PartKind::Text, own)];
                reader.state(EntryKind::Message, (None, at), Methods::ANY, path, reached);
            }
        }
        _ => {}
    }
}

/// Whether the file speaks of a queue at all.
fn has_import(reader: &EntryReader<'_>) -> bool {
    let words: [&[u8]; 4] = [b"celery", b"invoke", b"huey", b"prefect"];
    words
        .iter()
        .any(|word| memchr::memmem::find(reader.src, word).is_some())
}

fn called<'t>(reader: &mut EntryReader<'t>, call: CallParts<'t>) {
    match (call.object, reader.text(call.name)) {
        (None, b"path" | b"re_path" | b"url") => listed_route(reader, call),
        (_, b"Route" | b"WebSocketRoute" | b"Mount" | b"Host") => listed_route(reader, call),
        (
            Some(object),
            b"add_url_rule"
            | b"add_api_route"
            | b"add_route"
            | b"add_api_websocket_route"
            | b"add_websocket_route",
        ) => {
            let arguments = positional(&call);
            let path = arguments.first().copied();
            let Some(path) = path.or_else(|| keyword(reader, &call, words!("rule path"))) else {
                return;
            };
            let handler = keyword(reader, &call, words!("view_func endpoint"));
            let last = arguments
                .get(1..)
                .and_then(|rest| rest.iter().rev().find(|of| reader.may_be_function(**of)));
            // flask's `endpoint` is a name.
            let handler = handler
                .filter(|of| !reader.is_string(*of))
                .or(last.copied());
            let reached = handler.map_or(Reached::Nothing, |of| reader.handler(of));
            let path = reader.path(path);
            let listed = listed(reader, &call).unwrap_or_default();
            let on = router(reader, object);
            reader.state(EntryKind::Route, (on, call.node), listed, path, reached);
        }
        (Some(object), b"add_resource") => {
            let arguments = positional(&call);
            let Some((resource, paths)) = arguments.split_first() else {
                return;
            };
            let reached = reader.handler(*resource);
            let on = router(reader, object);
            for path in paths {
                if !reader.is_string(*path) {
                    continue;
                }
                let path = reader.path(*path);
                reader.state(
                    EntryKind::Route,
                    (on, call.node),
                    Methods::ANY,
                    path,
                    reached.clone(),
                );
            }
        }
        (
            Some(object),
            b"register_blueprint"
            | b"include_router"
            | b"add_namespace"
            | b"add_typer"
            | b"add_command"
            | b"blueprint"
            | b"add_router"
            | b"add_cli",
        ) => {
            let arguments = positional(&call);
            // ninja gives the path first.
            let (first, second) = (arguments.first().copied(), arguments.get(1).copied());
            let (of, path) = match (first, second) {
                (Some(path), Some(of)) if reader.is_string(path) => (of, reader.path(path)),
                (Some(of), Some(path)) if reader.is_string(path) => (of, reader.path(path)),
                (Some(of), _) => {
                    let named = keyword(reader, &call, &["name"])
                        .filter(|_| reader.is(call.name, &["add_typer"]));
                    let path =
                        named.map_or_else(|| prefix(reader, &call), |name| reader.path(name));
                    (of, path)
                }
                (None, _) => match keyword(reader, &call, words!("router blueprint")) {
                    Some(of) => (of, prefix(reader, &call)),
                    None => return,
                },
            };
            // A path that the call gives a blueprint stands in place of its own.
            let replaces = reader.is(
                call.name,
                words!("register_blueprint add_namespace add_typer"),
            );
            let path = match replaces && !path.is_empty() {
                true => std::iter::once(PathPart::bare(PartKind::Root))
                    .chain(path)
                    .collect(),
                false => path,
            };
            let reached = reader.handler(of);
            let on = router(reader, object);
            reader.state(
                EntryKind::Mount,
                (on, call.node),
                Methods::ANY,
                path,
                reached,
            );
        }
        (Some(object), b"mount") => {
            if let [path, of, ..] = positional(&call)[..]
                && reader.is_string(path)
            {
                let (path, reached) = (reader.path(path), reader.handler(of));
                let on = router(reader, object);
                reader.state(
                    EntryKind::Mount,
                    (on, call.node),
                    Methods::ANY,
                    path,
                    reached,
                );
            }
        }
        // django-rest-framework
        (Some(object), b"register") => {
            if let [path, of, ..] = positional(&call)[..]
                && reader.is_string(path)
                && let Some(on) = reader.bound(reader.text(object), object)
            {
                let (path, reached) = (reader.path(path), reader.handler(of));
                let at = (Some(on), call.node);
                reader.state(
                    EntryKind::Route,
                    at,
                    Methods::ANY,
                    path.clone(),
                    reached.clone(),
                );
                let one = [path, vec![PathPart::bare(PartKind::Id)]].concat();
                reader.state(EntryKind::Route, at, Methods::ANY, one, reached);
            }
        }
        // aiohttp
        (Some(object), name)
            if name.starts_with(b"add_") && reader.text(object).ends_with(b"router") =>
        {
            if let ([path, of, ..], Some(methods)) =
                (&positional(&call)[..], Methods::named(&name[4..]))
            {
                let (path, reached) = (reader.path(*path), reader.handler(*of));
                reader.state(EntryKind::Route, (None, call.node), methods, path, reached);
            }
        }
        (Some(object), name) if reader.is(object, &["web"]) => {
            if let ([path, of, ..], Some(methods)) = (&positional(&call)[..], Methods::named(name))
            {
                let (path, reached) = (reader.path(*path), reader.handler(*of));
                reader.state(EntryKind::Route, (None, call.node), methods, path, reached);
            }
        }
        (None, b"include") => {}
        (None, _) => passed(reader, call),
        _ => {}
    }
}

/// `init_routes(app)`: whoever is called has the router.
fn passed<'t>(reader: &mut EntryReader<'t>, call: CallParts<'t>) {
    let arguments = positional(&call).into_iter();
    let mut known = arguments.filter(|of| of.kind_name() == "identifier");
    let on = known.find_map(|of| reader.bound(reader.text(of), of));
    if let Some(on) = on {
        let reached = place(call.name);
        reader.state(
            EntryKind::Mount,
            (Some(on), call.node),
            Methods::ANY,
            vec![],
            reached,
        );
    }
}

/// One route of a list: `path("x/", view)`, `Route("/x", endpoint)`, `Mount("/x", routes=[...])`.
fn listed_route<'t>(reader: &mut EntryReader<'t>, call: CallParts<'t>) {
    let arguments = positional(&call);
    let path = arguments
        .first()
        .copied()
        .or_else(|| keyword(reader, &call, words!("path route regex")));
    let Some(path) = path else { return };
    let gettext = reader
        .call(path)
        .and_then(|call| positional(&call).into_iter().next());
    let path = reader.path(gettext.unwrap_or(path));
    let view = arguments.get(1).copied();
    let view = view.or_else(|| keyword(reader, &call, words!("view endpoint app routes")));
    let Some(view) = view else { return };
    let view = reader.unwrapped(view);
    let on = reader.around(call.node);
    let at = (on, call.node);
    let is_mount = reader.is(call.name, words!("Mount Host"));
    if view.kind_name() == "list" {
        let inner = reader.state(EntryKind::Router, at, Methods::ANY, path, Reached::Nothing);
        if let Some(inner) = inner {
            reader.enter(view, inner);
        }
        return;
    }
    let included = reader
        .call(view)
        .filter(|call| reader.is(call.name, &["include"]));
    if let Some(included) = included {
        let Some(first) = positional(&included).into_iter().next() else {
            return;
        };
        let of = match first.kind_name() {
            "tuple" => first.named().next().unwrap_or(first),
            _ => first,
        };
        if of.kind_name() == "list" {
            let inner = reader.state(EntryKind::Router, at, Methods::ANY, path, Reached::Nothing);
            if let Some(inner) = inner {
                reader.enter(of, inner);
            }
            return;
        }
        let reached = match reader.is_string(of) {
            true => {
                let range = reader.within_quotes(of);
                Reached::Text(range.start as u32..range.end as u32)
            }
            // `include(router.urls)`
            false => match reader.member(of) {
                Some((Some(object), name)) if reader.is(name, words!("urls urlpatterns")) => {
                    reader.handler(object)
                }
                _ => reader.handler(of),
            },
        };
        reader.state(EntryKind::Mount, at, Methods::ANY, path, reached);
        return;
    }
    let of = match reader.member(view) {
        // `path("api/", api.urls)`
        Some((Some(object), name)) if reader.is(name, &["urls"]) => {
            let reached = reader.handler(object);
            reader.state(EntryKind::Mount, at, Methods::ANY, path, reached);
            return;
        }
        _ => view,
    };
    let reached = reader.handler(of);
    if is_mount {
        reader.state(EntryKind::Mount, at, Methods::ANY, path, reached);
        return;
    }
    // `path` is a usual name: a route has a view, and stands in a list or has a text.
    if reached == Reached::Nothing && !reader.is_string(of) || on.is_none() && path.is_empty() {
        return;
    }
    let methods = listed(reader, &call).unwrap_or_default();
    let methods = match reader.is(call.name, &["WebSocketRoute"]) {
        true => Methods::named(b"WS").unwrap_or_default(),
        false => methods,
    };
    reader.state(EntryKind::Route, at, methods, path, reached);
}
