//! Entry points in Kotlin: Spring, JAX-RS and Micronaut as in Java; ktor.

use crate::lang::java::entry_points::{CLIENTS, OTHERS, PREFIXES, PROGRAM, VERBS};
use crate::record::{EntryKind, Methods, PartKind, PathPart, Reached};
use crate::syntax::entry_points::{EntryReader, EntryRows, EntrySyntax, place};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// What the frameworks say.
pub(crate) static ENTRIES: EntryRows = EntryRows {
    words: words!("Mapping ws.rs micronaut @Scheduled Listener( ktor"),
    kinds: EntrySyntax {
        functions: words!("lambda_literal annotated_lambda callable_reference"),
        strings: &["string_literal"],
        holes: &["interpolation"],
        ..EntrySyntax::NONE
    },
    read,
};

fn read<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    match node.kind_name() {
        "class_declaration" | "object_declaration" => class(reader, node),
        "function_declaration" => method(reader, node),
        "property_declaration" => {
            let name = node
                .named_of("variable_declaration")
                .and_then(|of| of.named().next());
            if let (Some(name), Some(value)) = (name, node.last_of("string_literal")) {
                reader.hold(name, value);
            }
        }
        "call_expression" => called(reader, node),
        _ => {}
    }
}

/// An annotation with its last name and its arguments.
struct Annotation<'t> {
    node: Node<'t>,
    name: &'t [u8],
    arguments: Vec<Node<'t>>,
}

fn annotations<'t>(reader: &EntryReader<'t>, declaration: Node<'t>) -> Vec<Annotation<'t>> {
    let modifiers = declaration.named_of("modifiers");
    let all = modifiers.into_iter().flat_map(|of| of.content());
    let all = all.filter(|of| of.kind_name() == "annotation");
    let read = all.filter_map(|node| {
        let call = node.named_of("constructor_invocation");
        let name = call.unwrap_or(node).named_of("user_type")?;
        let name = reader.text(name).rsplit(|b| *b == b'.').next()?;
        let list = call.and_then(|call| call.named_of("value_arguments"));
        let arguments = list.map(|list| list.all_of("value_argument").collect());
        Some(Annotation {
            node,
            name,
            arguments: arguments.unwrap_or_default(),
        })
    });
    read.collect()
}

fn is_one(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|of| of.as_bytes() == name)
}

/// The values of an argument of one of some names, or of the one without a name.
fn values<'t>(reader: &EntryReader<'t>, of: &Annotation<'t>, names: &[&str]) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    for argument in &of.arguments {
        let is_named = argument.parts().any(|part| part.kind_name() == "=");
        let name = argument.named_child(0).filter(|_| is_named);
        if name.is_some_and(|name| !reader.is(name, names)) {
            continue;
        }
        let Some(value) = argument.last_named() else {
            continue;
        };
        match value.kind_name() {
            "collection_literal" => found.extend(value.content()),
            // `arrayOf("a", "b")`
            "call_expression" => {
                let list = value.named_of("value_arguments");
                let inner = list.into_iter().flat_map(|list| list.content());
                found.extend(inner.filter_map(|of| of.last_named()));
            }
            _ => found.push(value),
        }
    }
    found
}

fn paths<'t>(reader: &EntryReader<'t>, of: &Annotation<'t>) -> Vec<Vec<PathPart>> {
    let values = values(reader, of, words!("value path uri"));
    values.into_iter().map(|of| reader.path(of)).collect()
}

fn class<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let annotations = annotations(reader, node);
    let program = annotations.iter().find(|of| of.name == PROGRAM.as_bytes());
    if let Some(of) = program {
        let path = paths(reader, of).into_iter().next().unwrap_or_default();
        let at = (None, of.node);
        reader.state(EntryKind::Mount, at, Methods::ANY, path, Reached::Nothing);
    }
    let mut prefixes = PREFIXES.iter();
    let prefix =
        prefixes.find_map(|prefix| annotations.iter().find(|of| prefix.as_bytes() == of.name));
    let path = prefix.and_then(|of| {
        let path = paths(reader, of).into_iter().next()?;
        let is_name = of.name == b"Controller"
            && path
                .first()
                .is_none_or(|part| reader.src.get(part.range.start as usize) != Some(&b'/'));
        (!is_name).then_some(path)
    });
    let kind = match annotations.iter().any(|of| is_one(of.name, CLIENTS)) {
        true => EntryKind::Branch,
        false => EntryKind::Router,
    };
    let reached = reader.symbol_of(node);
    let made = reader.state(
        kind,
        (None, node),
        Methods::ANY,
        path.unwrap_or_default(),
        reached,
    );
    if let Some(made) = made {
        reader.enter(node, made);
    }
}

fn method<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    extended(reader, node);
    let annotations = annotations(reader, node);
    if annotations.is_empty() {
        return;
    }
    let on = reader.around(node);
    if on.is_some_and(|on| reader.is_branch(on)) {
        return;
    }
    let reached = reader.symbol_of(node);
    let apart = annotations.iter().find(|of| of.name == b"Path");
    for of in &annotations {
        if let Some((_, verb)) = VERBS.iter().find(|(verb, _)| verb.as_bytes() == of.name) {
            let is_jax = of.name.iter().all(u8::is_ascii_uppercase);
            let paths = match is_jax {
                true => apart.map_or(Vec::new(), |of| paths(reader, of)),
                false => paths(reader, of),
            };
            let named = || {
                let names = values(reader, of, &["method"]).into_iter();
                let names = names.filter_map(|of| {
                    let last = reader.text(of).rsplit(|b| *b == b'.').next()?;
                    Methods::named(last)
                });
                names.fold(Methods::ANY, Methods::with)
            };
            let methods = Methods::named(verb.as_bytes()).unwrap_or_else(named);
            let paths = if paths.is_empty() {
                vec![Vec::new()]
            } else {
                paths
            };
            for path in paths {
                reader.state(
                    EntryKind::Route,
                    (on, of.node),
                    methods,
                    path,
                    reached.clone(),
                );
            }
        } else if let Some((kind, _)) = OTHERS.iter().find(|(_, names)| is_one(of.name, names)) {
            let texts = values(reader, of, words!("topics queues destination value"));
            let said = texts
                .into_iter()
                .find(|of| reader.is_string(*of) && *kind == EntryKind::Message);
            let path = match (said, node.field("name")) {
                (Some(said), _) => reader.path(said),
                (None, Some(own)) => vec![EntryReader::part(PartKind::Text, own)],
                (None, None) => continue,
            };
            reader.state(*kind, (None, of.node), Methods::ANY, path, reached.clone());
        }
    }
}

/// ktor's `fun Route.users() { ... }`: whoever calls it has the router.
fn extended<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let Some(name) = node.field("name") else {
        return;
    };
    let before = reader
        .src
        .get(node.start_byte()..name.start_byte())
        .unwrap_or(b"")
        .trim_ascii();
    let of = before.strip_suffix(b".").unwrap_or(b"");
    let of = of.rsplit(|b| b.is_ascii_whitespace()).next().unwrap_or(b"");
    let kind = match of {
        b"Route" | b"Routing" => EntryKind::Branch,
        b"Application" => EntryKind::Router,
        _ => return,
    };
    let reached = reader.symbol_of(node);
    if let Some(made) = reader.state(kind, (None, node), Methods::ANY, vec![], reached) {
        reader.enter(node, made);
    }
}

/// `route("/x") { get("{id}") { ... } }`.
fn called<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    if memchr::memmem::find(reader.src, b"ktor").is_none() {
        return;
    }
    // `get("/x") { }` is a call of a call: the inner one has the arguments.
    let lambda = node.named_of("annotated_lambda");
    let inner = node
        .named_of("call_expression")
        .filter(|_| lambda.is_some());
    let callee = inner.unwrap_or(node);
    let Some(name) = callee
        .named_child(0)
        .filter(|of| of.kind_name() == "identifier")
    else {
        return;
    };
    let list = callee.named_of("value_arguments");
    let arguments: Vec<Node<'t>> = list
        .map(|list| list.all_of("value_argument").collect())
        .unwrap_or_default();
    let first = arguments.first().and_then(|of| of.last_named());
    let text = reader.text(name);
    let on = reader.around(node);
    if let Some(lambda) = lambda {
        let path = match first {
            Some(first) if reader.is_string(first) => reader.path(first),
            Some(_) if text == b"route" => vec![PathPart::bare(PartKind::Computed)],
            _ => Vec::new(),
        };
        match text {
            b"routing" | b"route" | b"authenticate" | b"rateLimit" => {
                let path = if matches!(text, b"route" | b"routing") {
                    path
                } else {
                    Vec::new()
                };
                let at = (on, node);
                let made =
                    reader.state(EntryKind::Router, at, Methods::ANY, path, Reached::Nothing);
                if let Some(made) = made {
                    reader.enter(lambda, made);
                }
            }
            b"get" | b"post" | b"put" | b"delete" | b"patch" | b"head" | b"options"
            | b"webSocket" => {
                let Some(on) = on else { return };
                if reader.is_class(on) {
                    return;
                }
                let methods = match text {
                    b"webSocket" => Methods::named(b"WS"),
                    text => Methods::named(text),
                };
                let reached = Reached::Inline(crate::syntax::entry_points::line(lambda));
                let methods = methods.unwrap_or_default();
                reader.state(EntryKind::Route, (Some(on), node), methods, path, reached);
                reader.leave(lambda);
            }
            _ => {}
        }
        return;
    }
    // `users()` within a router, or `configureRouting()` of the application.
    if let Some(on) = on.filter(|on| !reader.is_class(*on))
        && node
            .parent()
            .is_none_or(|above| above.kind_name() != "call_expression")
    {
        reader.state(
            EntryKind::Mount,
            (Some(on), node),
            Methods::ANY,
            vec![],
            place(name),
        );
    }
}
