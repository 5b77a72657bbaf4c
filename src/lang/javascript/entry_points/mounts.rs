//! What routers and modules of routes are put under.

use super::routers::{named_router, required, router};
use super::{option, spelt};
use crate::record::{EntryKind, Methods, PartKind, PathPart, Reached};
use crate::syntax::entry_points::{CallParts, EntryReader, place};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// `app.use("/x", router)`, `fastify.register(plugin, { prefix })`, hono's `app.route("/x", router)`.
pub(super) fn mount<'t>(
    reader: &mut EntryReader<'t>,
    call: CallParts<'t>,
    object: Node<'t>,
    arguments: &[Node<'t>],
) {
    let Some((on, _)) = router(reader, object) else {
        return;
    };
    let prefix = arguments.iter().filter(|of| of.kind_name() == "object");
    let mut prefix = prefix.filter_map(|of| option(reader, *of, &["prefix"]));
    let first = arguments.first().copied();
    let paths = match (prefix.next(), first) {
        (Some(prefix), _) => vec![reader.path(prefix)],
        (None, Some(first)) if reader.is_string(first) || first.kind_name() == "regex" => {
            vec![spelt(reader, first)]
        }
        (None, Some(first)) if first.kind_name() == "array" && arguments.len() > 1 => first
            .content()
            .into_iter()
            .map(|of| spelt(reader, of))
            .collect(),
        // `app.use(prefix, router)`, but not `app.use(auth, router)`.
        (None, Some(first)) if arguments.len() > 1 && !reader.path(first).is_empty() => {
            match is_text(reader, first) {
                true => vec![reader.path(first)],
                false => vec![Vec::new()],
            }
        }
        _ => vec![Vec::new()],
    };
    if let [path, of] = arguments
        && each(reader, (on, call.node), *path, *of)
    {
        return;
    }
    for path in paths {
        for argument in arguments {
            mounted(reader, (on, call.node), path.clone(), *argument);
        }
    }
}

/// `list.forEach((of) => router.use(of.path, of.router))`: what the objects of the list say.
fn each<'t>(
    reader: &mut EntryReader<'t>,
    (on, at): (u32, Node<'t>),
    path: Node<'t>,
    of: Node<'t>,
) -> bool {
    let (Some((Some(left), path)), Some((Some(right), of))) =
        (reader.member(path), reader.member(of))
    else {
        return false;
    };
    if left.kind_name() != "identifier" || reader.text(left) != reader.text(right) {
        return false;
    }
    let loops = reader.enclosing(
        at,
        words!("arrow_function function_expression for_in_statement"),
    );
    let list = match loops.kind_name() {
        "for_in_statement" => loops.field("right"),
        _ => {
            let call = loops.parent().and_then(|list| list.parent());
            call.and_then(|call| reader.call(call))
                .and_then(|call| call.object)
        }
    };
    let Some(list) = list.and_then(|name| reader.list(name)) else {
        return false;
    };
    let (path, of) = (reader.text(path), reader.text(of));
    let (Ok(path), Ok(of)) = (std::str::from_utf8(path), std::str::from_utf8(of)) else {
        return false;
    };
    for object in list.content() {
        let known = option(reader, object, &[path]).zip(option(reader, object, &[of]));
        if let Some((path, of)) = known {
            let path = reader.path(path);
            mounted(reader, (on, of), path, of);
        }
    }
    true
}

/// Whether an expression spells a path, or is called like one.
fn is_text<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> bool {
    let path = reader.path(node);
    if path.iter().any(|part| part.kind == PartKind::Text) {
        return true;
    }
    // `app.use(config.basePath, router)`
    let called = reader.text(node).to_ascii_lowercase();
    let name = called.rsplit(|b| *b == b'.').next().unwrap_or(&called);
    let is_like = |word: &&str| memchr::memmem::find(name, word.as_bytes()).is_some();
    words!("prefix path base url").iter().any(is_like)
}

fn mounted<'t>(
    reader: &mut EntryReader<'t>,
    (on, at): (u32, Node<'t>),
    path: Vec<PathPart>,
    argument: Node<'t>,
) {
    let argument = reader.unwrapped(argument);
    if reader.is_function(argument) {
        // The function is given a router of its own.
        let single = argument.field("parameter");
        let list = argument
            .field("parameters")
            .and_then(|list| list.content().into_iter().next());
        let Some(name) = single.or(list) else { return };
        let name = name.field("pattern").unwrap_or(name);
        let is_given = reader.is(call_name(reader, at), words!("register group"));
        if is_given
            && let Some(router) = reader.state(
                EntryKind::Router,
                (Some(on), argument),
                Methods::ANY,
                path,
                Reached::Nothing,
            )
        {
            reader.bind(reader.text(name), argument, router);
        }
        return;
    }
    let reached = match reader.call(argument) {
        _ if reader.is_string(argument) || argument.kind_name() == "object" => return,
        // `import("./routes")`, `require("./routes")`.
        Some(call) if call.object.is_none() && reader.is(call.name, words!("require import")) => {
            match call.arguments.and_then(|list| list.named().next()) {
                Some(first) if reader.is_string(first) => text_of(reader, first),
                _ => return,
            }
        }
        Some(call) => match call.object.and_then(|object| required(reader, object)) {
            Some(required) => text_of(reader, required),
            None => match required(reader, call.name) {
                Some(required) => text_of(reader, required),
                None if reader.is(call.name, words!("routes middleware")) => {
                    reader.handler(argument)
                }
                // `new Users().router`, `users(db)`.
                None => place(call.name),
            },
        },
        None => match reader.member(argument) {
            Some((Some(object), _)) if required(reader, object).is_some() => {
                required(reader, object).map_or(Reached::Nothing, |of| text_of(reader, of))
            }
            _ => reader.handler(argument),
        },
    };
    if reached != Reached::Nothing {
        reader.state(
            EntryKind::Mount,
            (Some(on), at),
            Methods::ANY,
            path,
            reached,
        );
    }
}

fn call_name<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Node<'t> {
    reader.call(node).map_or(node, |call| call.name)
}

fn text_of(reader: &EntryReader<'_>, string: Node<'_>) -> Reached {
    let range = reader.within_quotes(string);
    Reached::Text(range.start as u32..range.end as u32)
}

/// `routes(app)`, `require("./routes")(app)`: whoever is called has the router.
pub(super) fn passed<'t>(
    reader: &mut EntryReader<'t>,
    call: CallParts<'t>,
    arguments: &[Node<'t>],
) {
    let mut given = arguments.iter().filter_map(|of| {
        let of = reader.unwrapped(*of);
        named_router(reader, of)
    });
    let Some(on) = given.next() else { return };
    let reached = match required(reader, call.name) {
        Some(required) => text_of(reader, required),
        None => place(call.name),
    };
    reader.state(
        EntryKind::Mount,
        (Some(on), call.node),
        Methods::ANY,
        vec![],
        reached,
    );
}
