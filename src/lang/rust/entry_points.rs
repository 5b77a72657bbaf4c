//! Entry points in Rust: axum, actix, rocket, warp by attribute; clap.

use crate::record::{EntryKind, Methods, PartKind, PathPart, Reached};
use crate::syntax::entry_points::{CallParts, EntryReader, EntryRows, EntrySyntax, line, place};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// What the frameworks say.
pub(crate) static ENTRIES: EntryRows = EntryRows {
    words: words!("axum actix_web rocket Subcommand ntex poem salvo utoipa"),
    kinds: EntrySyntax {
        functions: &["closure_expression"],
        members: &[
            ("field_expression", "value", "field"),
            ("scoped_identifier", "path", "name"),
        ],
        calls: &[("call_expression", "function", "arguments")],
        wrappers: words!(
            "parenthesized_expression await_expression try_expression reference_expression generic_function"
        ),
        strings: words!("string_literal raw_string_literal"),
        ..EntrySyntax::NONE
    },
    read,
};

fn read<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    match node.kind_name() {
        "call_expression" => {
            if let Some(call) = reader.call(node) {
                called(reader, call);
            }
        }
        "const_item" | "static_item" => {
            if let (Some(name), Some(value)) = (node.field("name"), node.field("value")) {
                reader.hold(name, value);
            }
        }
        "let_declaration" => bound(reader, node),
        "parameter" => typed(reader, node),
        "attribute_item" => attribute(reader, node),
        "macro_invocation" => mounted_list(reader, node),
        "enum_item" => subcommands(reader, node),
        _ => {}
    }
}

fn has(reader: &EntryReader<'_>, word: &str) -> bool {
    memchr::memmem::find(reader.src, word.as_bytes()).is_some()
}

fn first<'t>(call: &CallParts<'t>) -> Option<Node<'t>> {
    call.arguments?.named().find(|of| !of.is_extra())
}

/// The function that code stands in.
fn function<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Node<'t> {
    reader.enclosing(node, &["function_item"])
}

/// `let app = Router::new()...;`
fn bound<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let (Some(name), Some(value)) = (node.field("pattern"), node.field("value")) else {
        return;
    };
    reader.hold(name, value);
    let name = name.named_of("identifier").unwrap_or(name);
    if let Some(made) = router(reader, value) {
        reader.bind(reader.text(name), function(reader, node), made);
    }
}

/// actix's `fn config(cfg: &mut web::ServiceConfig)`: whoever configures with it has the router.
fn typed<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let (Some(name), Some(of)) = (node.field("pattern"), node.field("type")) else {
        return;
    };
    if !reader.text(of).ends_with(b"ServiceConfig") {
        return;
    }
    let function = function(reader, node);
    let reached = reader.symbol_of(function);
    if let Some(made) = reader.state(
        EntryKind::Branch,
        (None, node),
        Methods::ANY,
        vec![],
        reached,
    ) {
        reader.bind(reader.text(name), function, made);
    }
}

/// The router that an expression is: a name, or a chain of calls that begins with one or makes one.
fn router<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) -> Option<u32> {
    let mut at = reader.unwrapped(node);
    for _ in 0..512 {
        if at.kind_name() == "identifier" {
            return reader.bound(reader.text(at), at);
        }
        let call = reader.call(at)?;
        let object = call.object?;
        match reader.text(call.name) {
            b"scope" | b"resource" if reader.is(object, words!("web actix_web::web")) => {
                return reader.made(at);
            }
            b"new" if is_maker(reader, object) => return root(reader, at),
            _ => {}
        }
        at = reader.unwrapped(object);
    }
    None
}

fn is_maker(reader: &EntryReader<'_>, path: Node<'_>) -> bool {
    let text = reader.text(path);
    let text = text.split(|b| *b == b'<').next().unwrap_or(text);
    let text = text.strip_suffix(b"::").unwrap_or(text);
    let last = text.rsplit(|b| *b == b':').next().unwrap_or(text);
    [&b"Router"[..], b"ApiRouter", b"OpenApiRouter", b"App"].contains(&last)
}

/// The router that `Router::new()` makes: the function's, whose name others mount it by.
fn root<'t>(reader: &mut EntryReader<'t>, at: Node<'t>) -> Option<u32> {
    if let Some(made) = reader.made(at) {
        return Some(made);
    }
    let function = function(reader, at);
    let reached = match function.kind_name() {
        "function_item" => reader.symbol_of(function),
        _ => Reached::Nothing,
    };
    let made = reader.state(EntryKind::Router, (None, at), Methods::ANY, vec![], reached)?;
    reader.note_made(at, made);
    Some(made)
}

fn called<'t>(reader: &mut EntryReader<'t>, call: CallParts<'t>) {
    let Some(object) = call.object else { return };
    let arguments = call
        .arguments
        .map(|list| list.content())
        .unwrap_or_default();
    match reader.text(call.name) {
        b"route" => match arguments[..] {
            // actix: `.route("/x", web::get().to(f))`; axum: `.route("/x", get(f).post(g))`.
            [path, handlers] => {
                let Some(on) = router(reader, object) else {
                    return;
                };
                let path = reader.path(path);
                answers(reader, (Some(on), call.name), &path, handlers);
            }
            // actix: `web::resource("/x").route(web::get().to(f))`.
            [handlers] => {
                let Some(on) = router(reader, object) else {
                    return;
                };
                answers(reader, (Some(on), call.name), &[], handlers);
            }
            _ => {}
        },
        b"to" | b"to_async" => {
            // `web::resource("/x").to(f)` answers any method.
            let resource = reader.call(reader.unwrapped(object));
            let is_resource = resource.is_some_and(|of| reader.is(of.name, &["resource"]));
            if let (true, Some(on), Some(handler)) =
                (is_resource, router(reader, object), arguments.first())
            {
                let reached = reader.handler(*handler);
                reader.state(
                    EntryKind::Route,
                    (Some(on), call.name),
                    Methods::ANY,
                    vec![],
                    reached,
                );
            }
        }
        b"nest" | b"nest_service" | b"merge" => {
            let Some(on) = router(reader, object) else {
                return;
            };
            let (path, of) = match arguments[..] {
                [path, of] => (reader.path(path), of),
                [of] => (Vec::new(), of),
                _ => return,
            };
            mount(reader, (on, call.node), path, of);
        }
        b"service" => {
            let Some(on) = router(reader, object) else {
                return;
            };
            for of in arguments {
                service(reader, on, of);
            }
        }
        b"configure" => {
            let Some(on) = router(reader, object) else {
                return;
            };
            if let Some(of) = arguments.first() {
                let reached = reader.handler(*of);
                reader.state(
                    EntryKind::Mount,
                    (Some(on), call.node),
                    Methods::ANY,
                    vec![],
                    reached,
                );
            }
        }
        // A scope that is given to nobody known stands on nothing.
        b"scope" | b"resource" if reader.is(object, words!("web actix_web::web")) => {
            scope(reader, call, None);
        }
        _ => {}
    }
}

/// What is mounted: a router of a function, or one that is made in place.
fn mount<'t>(
    reader: &mut EntryReader<'t>,
    (on, at): (u32, Node<'t>),
    path: Vec<PathPart>,
    of: Node<'t>,
) {
    let of = reader.unwrapped(of);
    // A router that is written there, or that a local name stands for.
    let is_local = of.kind_name() == "identifier"
        || base(reader, of).is_some_and(|base| is_maker_call(reader, base));
    if is_local {
        // `let` bound it before; its routes are below this path now.
        let made = match base(reader, of) {
            Some(base) if is_maker_call(reader, base) => {
                let made = reader.state(
                    EntryKind::Router,
                    (Some(on), at),
                    Methods::ANY,
                    path,
                    Reached::Nothing,
                );
                if let Some(made) = made {
                    reader.note_made(base, made);
                }
                return;
            }
            _ => router(reader, of),
        };
        if let Some(made) = made
            && made != on
            && let Some(wrapped) = reader.state(
                EntryKind::Router,
                (Some(on), at),
                Methods::ANY,
                path,
                Reached::Nothing,
            )
        {
            reader.put_on(made, wrapped);
        }
        return;
    }
    let reached = match reader.call(of) {
        Some(call) => match base(reader, of) {
            // `users::router().layer(auth)`
            Some(base) => reader
                .call(base)
                .map_or(place(call.name), |call| place(call.name)),
            None => place(call.name),
        },
        None => reader.handler(of),
    };
    reader.state(
        EntryKind::Mount,
        (Some(on), at),
        Methods::ANY,
        path,
        reached,
    );
}

/// The innermost call of a chain of method calls.
fn base<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut at = reader.unwrapped(node);
    for _ in 0..512 {
        let function = at.field("function")?;
        let function = reader.unwrapped(function);
        if function.kind_name() != "field_expression" {
            return Some(at);
        }
        at = reader.unwrapped(function.field("value")?);
        if at.kind_name() != "call_expression" {
            return None;
        }
    }
    None
}

fn is_maker_call(reader: &EntryReader<'_>, node: Node<'_>) -> bool {
    let call = reader.call(node);
    call.is_some_and(|call| {
        reader.is(call.name, &["new"]) && call.object.is_some_and(|of| is_maker(reader, of))
    })
}

/// `web::scope("/x")...`, `web::resource("/x")...`: a router of its own.
fn scope<'t>(reader: &mut EntryReader<'t>, call: CallParts<'t>, on: Option<u32>) -> Option<u32> {
    if let Some(made) = reader.made(call.node) {
        return Some(made);
    }
    let path = first(&call).map_or(Vec::new(), |of| reader.path(of));
    let kind = match on {
        Some(_) => EntryKind::Router,
        None => EntryKind::Branch,
    };
    let reached = match on {
        Some(_) => Reached::Nothing,
        None => reader.symbol_of(function(reader, call.node)),
    };
    let made = reader.state(kind, (on, call.node), Methods::ANY, path, reached)?;
    reader.note_made(call.node, made);
    Some(made)
}

/// actix's `.service(x)`: a scope, a resource, or a function with an attribute.
fn service<'t>(reader: &mut EntryReader<'t>, on: u32, of: Node<'t>) {
    let of = reader.unwrapped(of);
    let base = base(reader, of).and_then(|base| reader.call(base));
    match base {
        Some(call) if reader.is(call.name, words!("scope resource")) => {
            scope(reader, call, Some(on));
        }
        Some(call) => {
            reader.state(
                EntryKind::Mount,
                (Some(on), of),
                Methods::ANY,
                vec![],
                place(call.name),
            );
        }
        None => {
            let reached = reader.handler(of);
            reader.state(
                EntryKind::Mount,
                (Some(on), of),
                Methods::ANY,
                vec![],
                reached,
            );
        }
    }
}

/// The routes of `get(f).post(g)`, `web::get().to(f)`.
fn answers<'t>(
    reader: &mut EntryReader<'t>,
    at: (Option<u32>, Node<'t>),
    path: &[PathPart],
    handlers: Node<'t>,
) {
    let mut of = reader.unwrapped(handlers);
    let mut handler = None;
    for _ in 0..32 {
        let Some(call) = reader.call(of) else { break };
        let name = reader.text(call.name);
        let given = first(&call);
        let verb = name.strip_suffix(b"_service").unwrap_or(name);
        let methods = match verb {
            b"any" => Some(Methods::ANY),
            b"get_with" | b"post_with" | b"put_with" | b"delete_with" | b"patch_with" => {
                verb.strip_suffix(b"_with").and_then(Methods::named)
            }
            verb if verb.iter().all(u8::is_ascii_lowercase) => Methods::named(verb),
            _ => None,
        };
        match (methods, name) {
            (Some(methods), _) => {
                if let Some(reached) = given.map(|of| reader.handler(of)).or(handler.clone()) {
                    reader.state(EntryKind::Route, at, methods, path.to_vec(), reached);
                }
            }
            (None, b"to" | b"to_async") => handler = given.map(|of| reader.handler(of)),
            _ => {}
        }
        // The next one of the chain: `get(f)` of `get(f).post(g)`.
        let chained = of
            .field("function")
            .map(|of| reader.unwrapped(of))
            .filter(|of| of.kind_name() == "field_expression");
        match chained.and_then(|of| of.field("value")) {
            Some(value) => of = reader.unwrapped(value),
            None => break,
        }
    }
}

/// actix's and rocket's `#[get("/x")]`.
fn attribute<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let is_served = has(reader, "rocket") || has(reader, "actix_web");
    if !is_served && !has(reader, "utoipa") {
        return;
    }
    let Some(attribute) = node.named_of("attribute") else {
        return;
    };
    let Some(name) = attribute.named_child(0) else {
        return;
    };
    let last = reader
        .text(name)
        .rsplit(|b| *b == b':')
        .next()
        .unwrap_or(b"");
    // Where a framework has an attribute of its own, that says it better.
    let is_described = last == b"path" && reader.text(name) == b"utoipa::path" && !is_served;
    let methods = match last {
        b"path" => is_described.then_some(Methods::ANY),
        b"route" => Some(Methods::ANY),
        _ if !is_served => None,
        name if name.iter().all(u8::is_ascii_lowercase) => Methods::named(name),
        _ => None,
    };
    let Some(mut methods) = methods else { return };
    let mut target = node.next_named_sibling();
    while let Some(of) = target.filter(|of| of.kind_name() != "function_item") {
        if !matches!(
            of.kind_name(),
            "attribute_item" | "line_comment" | "block_comment"
        ) {
            return;
        }
        target = of.next_named_sibling();
    }
    let Some(target) = target else { return };
    let Some(tokens) = attribute.field("arguments") else {
        return;
    };
    if is_described {
        return described(reader, node, tokens, target);
    }
    let Some(path) = tokens.named().find(|of| reader.is_string(*of)) else {
        return;
    };
    if last == b"route" {
        let named = tokens.named().filter(|of| reader.is_string(*of));
        let named = named.filter_map(|of| Methods::named(reader.string(of)));
        methods = named.fold(Methods::ANY, Methods::with);
    }
    // rocket's paths may end in what is asked: `/x?<page>`.
    let path = reader.path(path);
    let reached = reader.symbol_of(target);
    // It answers where it is put, which its name is mounted for.
    let at = (None, node);
    let made = reader.state(EntryKind::Branch, at, Methods::ANY, vec![], reached.clone());
    reader.state(EntryKind::Route, (made, node), methods, path, reached);
}

/// utoipa's `#[utoipa::path(get, path = "/x")]` and `#[utoipa::path(method(get, head), path = "/x")]`.
fn described<'t>(reader: &mut EntryReader<'t>, node: Node<'t>, tokens: Node<'t>, target: Node<'t>) {
    let said: Vec<Node<'t>> = tokens.named().filter(|of| !of.is_extra()).collect();
    let given = |word: &str| {
        let at = said.iter().position(|of| reader.is(*of, &[word]))?;
        said.get(at + 1).copied()
    };
    let Some(path) = given("path").filter(|of| reader.is_string(*of)) else {
        return;
    };
    let methods = match given("method").filter(|of| of.kind_name() == "token_tree") {
        Some(list) => list.named().collect(),
        None => said.first().copied().into_iter().collect::<Vec<_>>(),
    };
    let methods = methods.into_iter();
    let methods = methods.filter_map(|of| Methods::named(reader.text(of)));
    let methods = methods.fold(Methods::ANY, Methods::with);
    let above = given("context_path").filter(|of| reader.is_string(*of));
    let mut spelt = above.map_or(Vec::new(), |of| reader.path(of));
    spelt.extend(reader.path(path));
    let reached = reader.symbol_of(target);
    let at = (None, node);
    let made = reader.state(EntryKind::Branch, at, Methods::ANY, vec![], reached.clone());
    reader.state(EntryKind::Route, (made, node), methods, spelt, reached);
}

/// rocket's `.mount("/api", routes![a, b::c])`, utoipa's `.routes(routes!(a, b::c))`.
fn mounted_list<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let is_routes = node
        .field("macro")
        .is_some_and(|of| reader.is(of, words!("routes openapi_get_routes")));
    let call = node.parent().and_then(|list| list.parent());
    let Some(call) = call
        .filter(|_| is_routes)
        .and_then(|call| reader.call(call))
    else {
        return;
    };
    let (on, path) = match reader.text(call.name) {
        b"mount" => (None, first(&call).map_or(Vec::new(), |of| reader.path(of))),
        b"routes" => (
            call.object.and_then(|object| router(reader, object)),
            Vec::new(),
        ),
        _ => return,
    };
    let Some(tokens) = node.named_of("token_tree") else {
        return;
    };
    let names: Vec<Node<'t>> = tokens.parts().collect();
    for (at, name) in names.iter().enumerate() {
        // The last name of each path.
        let is_last = names
            .get(at + 1)
            .is_none_or(|next| !reader.is(*next, &["::"]));
        if name.kind_name() == "identifier" && is_last {
            reader.state(
                EntryKind::Mount,
                (on, *name),
                Methods::ANY,
                path.clone(),
                place(*name),
            );
        }
    }
}

/// clap's `#[derive(Subcommand)] enum`: each variant is a command.
fn subcommands<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let mut above = node.prev_named_sibling();
    let mut is_one = false;
    while let Some(of) = above.filter(|of| {
        matches!(
            of.kind_name(),
            "attribute_item" | "line_comment" | "block_comment"
        )
    }) {
        let text = reader.text(of);
        is_one |=
            text.starts_with(b"#[derive") && memchr::memmem::find(text, b"Subcommand").is_some();
        above = of.prev_named_sibling();
    }
    let Some(body) = node.field("body").filter(|_| is_one) else {
        return;
    };
    for variant in body.all_of("enum_variant") {
        let Some(name) = variant.field("name") else {
            continue;
        };
        let reached = reader.symbol_of(variant);
        let path = vec![EntryReader::part(PartKind::Kebab, name)];
        reader.add(crate::record::Entry {
            kind: EntryKind::Command,
            methods: Methods::ANY,
            on: None,
            line: line(variant),
            path,
            reached,
        });
    }
}
