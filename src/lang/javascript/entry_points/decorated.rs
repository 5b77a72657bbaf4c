//! Decorators of nest and of those that look like it: controllers, routes, messages, jobs.

use super::option;
use crate::record::{EntryKind, Methods, PathPart, Reached};
use crate::syntax::entry_points::EntryReader;
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// What a decorator of a method says.
const ON_METHODS: &[(EntryKind, &[&str])] = &[
    (
        EntryKind::Message,
        words!("MessagePattern EventPattern SubscribeMessage OnEvent"),
    ),
    (EntryKind::Job, words!("Cron Interval Timeout Process")),
    (
        EntryKind::Procedure,
        words!("Query Mutation Subscription GrpcMethod GrpcStreamMethod"),
    ),
];

pub(super) fn read<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let Some(said) = node.named().next() else {
        return;
    };
    let call = reader.call(said);
    let name = call.map_or(said, |call| call.name);
    let first = call
        .and_then(|call| call.arguments)
        .and_then(|list| list.content().into_iter().next());
    let Some(target) = target(node) else { return };
    if matches!(
        target.kind_name(),
        "class_declaration" | "abstract_class_declaration" | "class"
    ) {
        if !reader.is(
            name,
            words!("Controller JsonController RestController Resolver WebSocketGateway"),
        ) {
            return;
        }
        let is_controller = reader.text(name).ends_with(b"Controller");
        let path = match first.filter(|_| is_controller) {
            Some(first) => path(reader, first),
            None => Vec::new(),
        };
        let reached = reader.symbol_of(target);
        let router = reader.state(EntryKind::Router, (None, node), Methods::ANY, path, reached);
        if let Some(router) = router {
            reader.enter(target, router);
        }
        return;
    }
    if target.kind_name() != "method_definition" {
        return;
    }
    let text = reader.text(name);
    let on = reader.around(target);
    let reached = method(reader, target);
    let methods = match text {
        b"All" => Some(Methods::ANY),
        b"Sse" => Methods::named(b"GET"),
        text if text.first().is_some_and(u8::is_ascii_uppercase)
            && text.iter().skip(1).all(u8::is_ascii_lowercase) =>
        {
            Methods::named(text)
        }
        _ => None,
    };
    if let Some(methods) = methods {
        let Some(on) = on else { return };
        let paths = match first {
            Some(list) if list.kind_name() == "array" => list.content(),
            first => first.into_iter().collect(),
        };
        let mut paths: Vec<_> = paths.into_iter().map(|of| path(reader, of)).collect();
        if paths.is_empty() {
            paths.push(Vec::new());
        }
        for path in paths {
            reader.state(
                EntryKind::Route,
                (Some(on), node),
                methods,
                path,
                reached.clone(),
            );
        }
        return;
    }
    let rows = ON_METHODS.iter();
    let mut kinds = rows.filter(|(_, names)| reader.is(name, names));
    let Some((kind, _)) = kinds.next() else {
        return;
    };
    // `@Query()` of a parameter is another; a method is asked for by its own name where no text says one.
    let path = match first.filter(|first| reader.is_string(*first)) {
        Some(first) => reader.path(first),
        None => Vec::new(),
    };
    let path = match (path.is_empty(), target.field("name")) {
        (true, Some(name)) => vec![EntryReader::part(crate::record::PartKind::Text, name)],
        _ => path,
    };
    reader.state(*kind, (None, node), Methods::ANY, path, reached);
}

/// A path that is given as a text, or in an object.
fn path<'t>(reader: &EntryReader<'t>, given: Node<'t>) -> Vec<PathPart> {
    match given.kind_name() {
        "object" => option(reader, given, &["path"]).map_or(Vec::new(), |path| reader.path(path)),
        "array" => given
            .named()
            .next()
            .map_or(Vec::new(), |first| reader.path(first)),
        _ => reader.path(given),
    }
}

fn method<'t>(reader: &EntryReader<'t>, method: Node<'t>) -> Reached {
    reader.symbol_of(method)
}

/// What a decorator stands above.
fn target(decorator: Node<'_>) -> Option<Node<'_>> {
    let above = decorator.parent()?;
    match above.kind_name() {
        "export_statement" => above.field("declaration"),
        "class_body" => {
            let mut next = decorator.next_named_sibling();
            while let Some(of) = next {
                if !matches!(of.kind_name(), "decorator" | "comment") {
                    return Some(of);
                }
                next = of.next_named_sibling();
            }
            None
        }
        _ => Some(above),
    }
}
