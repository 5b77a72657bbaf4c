//! Entry points in Java: Spring, JAX-RS, Micronaut; messages and jobs of these.

use crate::record::{EntryKind, Methods, PartKind, PathPart, Reached};
use crate::syntax::entry_points::{EntryReader, EntryRows, EntrySyntax};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// What the frameworks say.
pub(crate) static ENTRIES: EntryRows = EntryRows {
    words: words!("Mapping ws.rs micronaut @Scheduled Listener( @MessageDriven"),
    kinds: EntrySyntax {
        functions: words!("lambda_expression method_reference"),
        members: &[("field_access", "object", "field")],
        calls: &[],
        strings: &["string_literal"],
        holes: &["string_interpolation"],
        ..EntrySyntax::NONE
    },
    read,
};

/// Annotations of methods that state a route, with the methods they are for.
pub(crate) const VERBS: &[(&str, &str)] = &[
    ("GetMapping", "GET"),
    ("PostMapping", "POST"),
    ("PutMapping", "PUT"),
    ("DeleteMapping", "DELETE"),
    ("PatchMapping", "PATCH"),
    ("RequestMapping", ""),
    ("GET", "GET"),
    ("POST", "POST"),
    ("PUT", "PUT"),
    ("DELETE", "DELETE"),
    ("PATCH", "PATCH"),
    ("HEAD", "HEAD"),
    ("OPTIONS", "OPTIONS"),
    ("Get", "GET"),
    ("Post", "POST"),
    ("Put", "PUT"),
    ("Delete", "DELETE"),
    ("Patch", "PATCH"),
];
/// Annotations of classes that give the path of their methods.
pub(crate) const PREFIXES: &[&str] = words!("RequestMapping Path Controller");
/// Annotations of methods that others than HTTP call.
pub(crate) const OTHERS: &[(EntryKind, &[&str])] = &[
    (EntryKind::Job, words!("Scheduled")),
    (
        EntryKind::Message,
        words!(
            "KafkaListener RabbitListener JmsListener SqsListener StreamListener EventListener
             TransactionalEventListener MessageMapping SubscribeMapping Topic"
        ),
    ),
    (
        EntryKind::Procedure,
        words!(
            "QueryMapping MutationMapping SubscriptionMapping SchemaMapping DgsQuery DgsMutation"
        ),
    ),
];
/// The annotation of a class that gives the path of all resources of its program.
pub(crate) const PROGRAM: &str = "ApplicationPath";
/// The annotation of a class whose objects messages are given to.
const RECEIVER: &[u8] = b"MessageDriven";
/// Annotations of interfaces whose methods ask others.
pub(crate) const CLIENTS: &[&str] = words!("FeignClient HttpExchange Client RegisterRestClient");

fn read<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    match node.kind_name() {
        "class_declaration" | "interface_declaration" | "record_declaration" => class(reader, node),
        "method_declaration" => method(reader, node),
        "field_declaration" => {
            for of in node.all_of("variable_declarator") {
                if let (Some(name), Some(value)) = (of.field("name"), of.field("value")) {
                    reader.hold(name, value);
                }
            }
        }
        _ => {}
    }
}

/// The annotations of a declaration, with their last names.
fn annotations<'t>(reader: &EntryReader<'t>, declaration: Node<'t>) -> Vec<(&'t [u8], Node<'t>)> {
    let modifiers = declaration.named_of("modifiers");
    let all = modifiers.into_iter().flat_map(|of| of.content());
    let all = all.filter(|of| matches!(of.kind_name(), "annotation" | "marker_annotation"));
    let named = all.filter_map(|of| {
        let name = reader.text(of.field("name")?);
        let last = name.rsplit(|b| *b == b'.').next()?;
        Some((last, of))
    });
    named.collect()
}

fn is_one(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|of| of.as_bytes() == name)
}

/// The values of an argument of an annotation, which may be a list; without names its only one.
fn values<'t>(reader: &EntryReader<'t>, annotation: Node<'t>, names: &[&str]) -> Vec<Node<'t>> {
    let Some(list) = annotation.field("arguments") else {
        return Vec::new();
    };
    let arguments = list.content();
    let value = arguments.iter().find_map(|of| match of.kind_name() {
        "element_value_pair" => {
            let key = of.field("key")?;
            reader.is(key, names).then(|| of.field("value")).flatten()
        }
        _ => Some(*of),
    });
    match value {
        Some(list) if list.kind_name() == "element_value_array_initializer" => list.content(),
        Some(value) => vec![value],
        None => Vec::new(),
    }
}

fn paths<'t>(reader: &EntryReader<'t>, annotation: Node<'t>) -> Vec<Vec<PathPart>> {
    let values = values(reader, annotation, words!("value path uri"));
    values.into_iter().map(|of| reader.path(of)).collect()
}

/// `method = RequestMethod.GET`, `method = {GET, POST}`.
fn methods<'t>(reader: &EntryReader<'t>, annotation: Node<'t>) -> Methods {
    let Some(list) = annotation.field("arguments") else {
        return Methods::ANY;
    };
    let mut found = Methods::ANY;
    for of in list.all_of("element_value_pair") {
        if !of
            .field("key")
            .is_some_and(|key| reader.is(key, &["method"]))
        {
            continue;
        }
        let Some(value) = of.field("value") else {
            continue;
        };
        let all = match value.kind_name() {
            "element_value_array_initializer" => value.content(),
            _ => vec![value],
        };
        for of in all {
            let name = reader.text(of).rsplit(|b| *b == b'.').next().unwrap_or(b"");
            found = found.with(Methods::named(name).unwrap_or_default());
        }
    }
    found
}

fn class<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let annotations = annotations(reader, node);
    for (name, of) in &annotations {
        let at = (None, *of);
        if *name == PROGRAM.as_bytes() {
            let path = paths(reader, *of).into_iter().next().unwrap_or_default();
            reader.state(EntryKind::Mount, at, Methods::ANY, path, Reached::Nothing);
        }
        if *name == RECEIVER
            && let Some(own) = node.field("name")
        {
            let (path, reached) = (
                vec![EntryReader::part(PartKind::Text, own)],
                reader.symbol_of(node),
            );
            reader.state(EntryKind::Message, at, Methods::ANY, path, reached);
        }
    }
    // Spring's `@Controller` may stand before what gives the path.
    let mut prefixes = PREFIXES.iter();
    let prefix = prefixes.find_map(|prefix| {
        annotations
            .iter()
            .find(|(name, _)| prefix.as_bytes() == *name)
    });
    let path = prefix.and_then(|(name, of)| {
        let path = paths(reader, *of).into_iter().next()?;
        // The `@Controller("name")` of Spring gives a name, that of Micronaut a path.
        let is_name = *name == b"Controller"
            && path
                .first()
                .is_none_or(|part| reader.src.get(part.range.start as usize) != Some(&b'/'));
        (!is_name).then_some(path)
    });
    let is_client = annotations.iter().any(|(name, _)| is_one(name, CLIENTS));
    let kind = match is_client {
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
    let annotations = annotations(reader, node);
    if annotations.is_empty() {
        return;
    }
    let on = reader.around(node);
    // What asks others answers nobody.
    let is_client = on.is_some_and(|on| reader.is_branch(on));
    if is_client {
        return;
    }
    let reached = reader.symbol_of(node);
    let apart = annotations
        .iter()
        .find(|(name, _)| *name == b"Path")
        .map(|(_, of)| *of);
    for (name, annotation) in &annotations {
        let verb = VERBS.iter().find(|(verb, _)| verb.as_bytes() == *name);
        if let Some((_, verb)) = verb {
            let is_jax = name.iter().all(u8::is_ascii_uppercase);
            let paths = match is_jax {
                true => apart.map_or(Vec::new(), |of| paths(reader, of)),
                false => paths(reader, *annotation),
            };
            let methods = match Methods::named(verb.as_bytes()) {
                Some(methods) => methods,
                None => methods(reader, *annotation),
            };
            let paths = if paths.is_empty() {
                vec![Vec::new()]
            } else {
                paths
            };
            for path in paths {
                reader.state(
                    EntryKind::Route,
                    (on, *annotation),
                    methods,
                    path,
                    reached.clone(),
                );
            }
            continue;
        }
        let other = OTHERS.iter().find(|(_, names)| is_one(name, names));
        if let Some((kind, _)) = other {
            let texts = values(
                reader,
                *annotation,
                words!("topics queues destination value"),
            );
            let said = texts
                .into_iter()
                .find(|of| reader.is_string(*of) && *kind == EntryKind::Message);
            let path = match (said, node.field("name")) {
                (Some(said), _) => reader.path(said),
                (None, Some(own)) => vec![EntryReader::part(PartKind::Text, own)],
                (None, None) => continue,
            };
            let reached: Reached = reached.clone();
            reader.state(*kind, (None, *annotation), Methods::ANY, path, reached);
        }
    }
}
