//! Entry points in C#: controllers and minimal routes of ASP.NET.

use crate::record::{EntryKind, Methods, PartKind, PathPart, Reached};
use crate::syntax::entry_points::{EntryReader, EntryRows, EntrySyntax, line, place};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// What the frameworks say.
pub(crate) static ENTRIES: EntryRows = EntryRows {
    words: words!("[Http .Map [Route"),
    kinds: EntrySyntax {
        functions: words!("lambda_expression anonymous_method_expression"),
        members: &[
            ("member_access_expression", "expression", "name"),
            ("conditional_access_expression", "condition", "name"),
        ],
        calls: &[("invocation_expression", "function", "arguments")],
        strings: words!(
            "string_literal verbatim_string_literal interpolated_string_expression raw_string_literal"
        ),
        holes: &["interpolation"],
        ..EntrySyntax::NONE
    },
    read,
};

/// Attributes of methods, with the methods they are for.
const VERBS: &[(&str, &str)] = &[
    ("HttpGet", "GET"),
    ("HttpPost", "POST"),
    ("HttpPut", "PUT"),
    ("HttpDelete", "DELETE"),
    ("HttpPatch", "PATCH"),
    ("HttpHead", "HEAD"),
    ("HttpOptions", "OPTIONS"),
];

fn read<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    match node.kind_name() {
        "class_declaration" => class(reader, node),
        "method_declaration" => method(reader, node),
        "variable_declarator" => grouped(reader, node),
        "parameter" => typed(reader, node),
        "invocation_expression" => called(reader, node),
        _ => {}
    }
}

/// The attributes of a declaration with their names.
fn attributes<'t>(reader: &EntryReader<'t>, declaration: Node<'t>) -> Vec<(&'t [u8], Node<'t>)> {
    let lists = declaration.all_of("attribute_list");
    let all = lists.flat_map(|list| list.all_of("attribute").collect::<Vec<_>>());
    let named = all.filter_map(|of| {
        let name = reader.text(of.field("name")?);
        let name = name.rsplit(|b| *b == b'.').next()?;
        Some((name.strip_suffix(b"Attribute").unwrap_or(name), of))
    });
    named.collect()
}

/// The first argument of an attribute that is a text and has no name.
fn template<'t>(attribute: Node<'t>) -> Option<Node<'t>> {
    let list = attribute.named_of("attribute_argument_list")?;
    let mut all = list.all_of("attribute_argument");
    let found = all.find(|of| of.named_child_count() == 1)?;
    found.named_child(0)
}

/// A path, with the class and the method that `[controller]` and `[action]` stand for.
fn path<'t>(
    reader: &EntryReader<'t>,
    template: Node<'t>,
    class: Option<Node<'t>>,
    method: Option<Node<'t>>,
) -> Vec<PathPart> {
    let mut path = reader.path(template);
    let text = reader.text(template);
    let asks = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    let name = |of: Option<Node<'t>>| of.and_then(|of| of.field("name"));
    if let Some(name) = name(class).filter(|_| asks(b"[controller]")) {
        path.push(EntryReader::part(PartKind::Class, name));
    }
    if let Some(name) = name(method).filter(|_| asks(b"[action]")) {
        path.push(EntryReader::part(PartKind::Method, name));
    }
    path
}

fn class<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let attributes = attributes(reader, node);
    let route = attributes.iter().find(|(name, _)| *name == b"Route");
    let template = route.and_then(|(_, of)| template(*of));
    let path = template.map_or(Vec::new(), |of| path(reader, of, Some(node), None));
    let reached = reader.symbol_of(node);
    if let Some(made) = reader.state(EntryKind::Router, (None, node), Methods::ANY, path, reached) {
        reader.enter(node, made);
    }
}

fn method<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let attributes = attributes(reader, node);
    let class = reader.enclosing(node, &["class_declaration"]);
    let on = reader.around(node);
    let is_asp = memchr::memmem::find(reader.src, b"ntroller").is_some();
    // `[Route("x")]` beside `[HttpGet]` gives the path of it.
    let apart = attributes.iter().find(|(name, _)| *name == b"Route");
    let apart = apart.and_then(|(_, of)| template(*of)).filter(|_| is_asp);
    let reached = reader.symbol_of(node);
    let mut is_stated = false;
    for (name, attribute) in &attributes {
        let Some((_, verb)) = VERBS.iter().find(|(verb, _)| verb.as_bytes() == *name) else {
            continue;
        };
        is_stated = true;
        let methods = Methods::named(verb.as_bytes()).unwrap_or_default();
        let own = template(*attribute).or(apart);
        // A controller without a template of its own goes by convention, which no attribute says. Other classes have
        // routes where their methods have templates: those that are an endpoint each.
        let has_path = own.is_some()
            || is_asp
                && on
                    .and_then(|on| reader.entry(on))
                    .is_some_and(|of| !of.path.is_empty());
        if has_path {
            route(
                reader,
                (on, *attribute),
                methods,
                (own, class, node),
                reached.clone(),
            );
        }
    }
    if let Some(own) = apart.filter(|_| !is_stated) {
        route(
            reader,
            (on, own),
            Methods::ANY,
            (Some(own), class, node),
            reached,
        );
    }
}

/// The template of a class that names the method by `[action]`.
fn of_action<'t>(reader: &EntryReader<'t>, class: Node<'t>) -> Option<Node<'t>> {
    let attributes = attributes(reader, class);
    let route = attributes.iter().find(|(name, _)| *name == b"Route");
    let template = route.and_then(|(_, of)| template(*of))?;
    memchr::memmem::find(reader.text(template), b"[action]").map(|_| template)
}

fn route<'t>(
    reader: &mut EntryReader<'t>,
    at: (Option<u32>, Node<'t>),
    methods: Methods,
    (own, class, method): (Option<Node<'t>>, Node<'t>, Node<'t>),
    reached: Reached,
) {
    let mut spelt = own.map_or(Vec::new(), |of| path(reader, of, Some(class), Some(method)));
    // A template that begins with a slash stands for itself.
    let is_anew = own.is_some_and(|of| {
        let text = reader.string(of);
        text.starts_with(b"/") || text.starts_with(b"~/")
    });
    // `~/` is the root of the application.
    if let (Some(first), Some(of)) = (spelt.first_mut(), own)
        && first.range.start < first.range.end
        && reader.string(of).starts_with(b"~/")
    {
        first.range.start += 1;
    }
    let mut above = Vec::new();
    if is_anew {
        above.push(PathPart::bare(PartKind::Root));
    } else if let Some(of) = of_action(reader, class) {
        // What the class says is another path for each of its methods.
        above.push(PathPart::bare(PartKind::Root));
        above.extend(path(reader, of, Some(class), Some(method)));
        if !spelt.is_empty() {
            above.push(PathPart::bare(PartKind::Slash));
        }
    }
    above.append(&mut spelt);
    let spelt = above;
    reader.state(EntryKind::Route, at, methods, spelt, reached);
}

/// `var api = app.MapGroup("/api");`
fn grouped<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let (Some(name), Some(value)) = (node.field("name"), node.last_named()) else {
        return;
    };
    reader.hold(name, value);
    if reader.text(value).ends_with(b"WebApplication.Create(args)")
        || reader.text(value).ends_with(b"builder.Build()")
    {
        let made = reader.state(
            EntryKind::Router,
            (None, node),
            Methods::ANY,
            vec![],
            Reached::Nothing,
        );
        if let Some(made) = made {
            reader.bind(
                reader.text(name),
                reader.enclosing(node, words!("method_declaration")),
                made,
            );
        }
        return;
    }
    let is_group = memchr::memmem::find(reader.text(value), b"MapGroup").is_some();
    if let Some(made) = is_group.then(|| router(reader, value)).flatten() {
        let within = reader.enclosing(
            node,
            words!("method_declaration local_function_statement lambda_expression"),
        );
        reader.bind(reader.text(name), within, made);
    }
}

fn arguments(list: Node<'_>) -> Vec<Node<'_>> {
    let all = list.all_of("argument").filter_map(|of| of.last_named());
    all.collect()
}

/// The router that an expression is: a name, or `app.MapGroup("/x").RequireAuthorization()` of one.
fn router<'t>(reader: &mut EntryReader<'t>, object: Node<'t>) -> Option<u32> {
    let mut at = reader.unwrapped(object);
    // Groups that are made on the way, the outermost call first.
    let mut groups: Vec<(Node<'t>, Node<'t>)> = Vec::new();
    let mut on = None;
    for _ in 0..32 {
        on = reader.bound(reader.text(at), at).or(reader.made(at));
        if on.is_some() {
            break;
        }
        let Some(call) = reader.call(at) else { break };
        if reader.is(call.name, &["MapGroup"]) {
            groups.push((at, arguments(call.arguments?).first().copied()?));
        }
        let Some(object) = call.object else { break };
        at = reader.unwrapped(object);
    }
    for (group, path) in groups.into_iter().rev() {
        let path = reader.path(path);
        let at = (on, group);
        on = reader.state(EntryKind::Router, at, Methods::ANY, path, Reached::Nothing);
        reader.note_made(group, on?);
    }
    on
}

/// A parameter that routes are registered on: whoever calls the method gives it.
fn typed<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let (Some(name), Some(of)) = (node.field("name"), node.field("type")) else {
        return;
    };
    let kind = match reader.text(of) {
        b"WebApplication" | b"IApplicationBuilder" => EntryKind::Router,
        b"IEndpointRouteBuilder" | b"RouteGroupBuilder" => EntryKind::Branch,
        _ => return,
    };
    let method = node.parent().and_then(|list| list.parent());
    let Some(method) = method else { return };
    let reached = match method.field("name") {
        Some(_) => reader.symbol_of(method),
        None => Reached::Nothing,
    };
    if let Some(made) = reader.state(kind, (None, node), Methods::ANY, vec![], reached) {
        reader.bind(reader.text(name), method, made);
    }
}

/// `app.MapGet("/x", handler)`, `app.MapUsers()`.
fn called<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let Some(call) = reader.call(node) else {
        return;
    };
    let Some(object) = call.object else { return };
    let name = reader.text(call.name);
    let Some(rest) = name.strip_prefix(b"Map") else {
        return;
    };
    let given = call.arguments.map(arguments).unwrap_or_default();
    let methods = match rest {
        b"" => Some(Methods::ANY),
        rest => Methods::named(rest),
    };
    match (methods, &given[..]) {
        (Some(methods), [path, .., handler]) if reader.is_string(*path) || given.len() == 2 => {
            let reached = match reader.is_function(*handler) {
                true => Reached::Inline(line(*handler)),
                false => reader.handler(*handler),
            };
            if rest.is_empty() && reached == Reached::Nothing && !reader.is_string(*path) {
                return;
            }
            // Helpers of others may be given the handler first.
            let is_swapped = reader.is_string(*handler) && !reader.is_string(*path);
            let (path, reached) = match is_swapped {
                true => (handler, reader.handler(*path)),
                false => (path, reached),
            };
            let on = router(reader, object);
            let path = reader.path(*path);
            reader.state(EntryKind::Route, (on, node), methods, path, reached);
        }
        (None, [] | [_]) if !rest.starts_with(b"Group") => {
            if let Some(on) = router(reader, object) {
                let reached = place(call.name);
                reader.state(
                    EntryKind::Mount,
                    (Some(on), node),
                    Methods::ANY,
                    vec![],
                    reached,
                );
            }
        }
        _ => {}
    }
}
