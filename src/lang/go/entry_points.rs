//! Entry points in Go: net/http, gin, echo, chi, gorilla, fiber, httprouter; cobra.

use crate::record::{EntryKind, Methods, PartKind, PathPart, Reached};
use crate::syntax::entry_points::{CallParts, EntryReader, EntryRows, EntrySyntax, place};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// What the frameworks say.
pub(crate) static ENTRIES: EntryRows = EntryRows {
    words: words!(
        "gin-gonic labstack/echo go-chi/chi gorilla/mux gofiber net/http spf13/cobra httprouter macaron .Group("
    ),
    kinds: EntrySyntax {
        functions: &["func_literal"],
        members: &[("selector_expression", "operand", "field")],
        calls: &[
            ("call_expression", "function", "arguments"),
            ("type_conversion_expression", "type", "operand"),
        ],
        wrappers: words!(
            "parenthesized_expression literal_element expression_list unary_expression"
        ),
        strings: words!("interpreted_string_literal raw_string_literal"),
        ..EntrySyntax::NONE
    },
    read,
};

/// Functions that make a router: of a package, by its last name.
const MAKERS: &[(&str, &[&str])] = &[
    ("gin", words!("Default New")),
    ("echo", words!("New")),
    ("fiber", words!("New")),
    ("chi", words!("NewRouter NewMux")),
    ("mux", words!("NewRouter")),
    ("http", words!("NewServeMux")),
    ("httprouter", words!("New")),
];
/// Types of parameters and fields that are routers.
const TYPES: &[&str] = words!(
    "gin.RouterGroup gin.Engine gin.IRouter gin.IRoutes echo.Echo echo.Group chi.Router chi.Mux mux.Router
     http.ServeMux fiber.Router fiber.App fiber.Group httprouter.Router"
);
/// What routers are called where nothing says what they are.
const USUAL: &[&str] = words!("r router mux app e api engine group g route routes rg v1 v2");

const FUNCTIONS: &[&str] = words!("function_declaration method_declaration func_literal");

fn read<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    match node.kind_name() {
        "short_var_declaration" | "assignment_statement" => {
            if let (Some(left), Some(right)) = (node.field("left"), node.field("right"))
                && let (Some(name), Some(value)) = (left.named().next(), right.named().next())
            {
                made(reader, node, name, value);
            }
        }
        "const_spec" | "var_spec" => {
            let value = node.field("value").and_then(|list| list.named().next());
            if let (Some(name), Some(value)) = (node.field("name"), value) {
                reader.hold(name, value);
                made(reader, node, name, value);
            }
        }
        "parameter_declaration" => typed(reader, node),
        "call_expression" => {
            if let Some(call) = reader.call(node) {
                called(reader, call);
            }
        }
        _ => {}
    }
}

/// A name that is given a router, or a command.
fn made<'t>(reader: &mut EntryReader<'t>, node: Node<'t>, name: Node<'t>, value: Node<'t>) {
    let value = reader.unwrapped(value);
    let own = reader.member(name).map_or(name, |(_, own)| own);
    if value.kind_name() == "composite_literal" {
        return command(reader, name, value);
    }
    let Some(call) = reader.call(value) else {
        return;
    };
    let reached = match reader.symbol(own) {
        Some(symbol) => Reached::Symbol(symbol),
        // What a function makes and gives back is mounted by the function's name.
        None => match gives_back(reader, name) {
            Some(function) => reader.symbol_of(function),
            None => Reached::Nothing,
        },
    };
    let is_maker = call.object.is_some_and(|package| {
        let of = MAKERS.iter().find(|(name, _)| reader.is(package, &[name]));
        of.is_some_and(|(_, names)| reader.is(call.name, names))
    });
    let router = match is_maker {
        true => {
            let at = (None, node);
            reader.state(EntryKind::Router, at, Methods::ANY, vec![], reached)
        }
        false if reader.is(call.name, words!("Group Subrouter With")) => router(reader, value),
        false => None,
    };
    let Some(router) = router else { return };
    let within = match own == name && reader.symbol(own).is_none() {
        true => reader.enclosing(node, FUNCTIONS),
        false => reader.enclosing(node, &[]),
    };
    reader.bind(reader.text(name), within, router);
}

/// The function whose result a local name is.
fn gives_back<'t>(reader: &EntryReader<'t>, name: Node<'t>) -> Option<Node<'t>> {
    let function = reader.enclosing(name, words!("function_declaration method_declaration"));
    let body = function.field("body")?;
    let list = match body.named_of("statement_list") {
        Some(list) => list,
        None => body,
    };
    let last = list.all_of("return_statement").last()?;
    let given = last.named().next()?;
    let given = reader.unwrapped(given);
    (reader.text(given) == reader.text(name)).then_some(function)
}

/// The router that an expression is: a name, or a chain of groups that begins with one.
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
        match reader.text(call.name) {
            b"Group" | b"PathPrefix" => {
                let first = call.arguments?.named().next()?;
                if reader.is_function(first) {
                    return None;
                }
                groups.push((at, first));
            }
            b"Subrouter" | b"With" | b"Use" | b"Name" | b"Host" | b"Schemes" | b"Headers" => {}
            _ => return None,
        }
        at = reader.unwrapped(call.object?);
    }
    let mut on = match on {
        Some(on) => on,
        None => usual(reader, at)?,
    };
    for (group, path) in groups.into_iter().rev() {
        let path = reader.path(path);
        let at = (Some(on), group);
        on = reader.state(EntryKind::Router, at, Methods::ANY, path, Reached::Nothing)?;
        reader.note_made(group, on);
    }
    Some(on)
}

/// A router of somebody else, which is called as they usually are.
fn usual<'t>(reader: &mut EntryReader<'t>, at: Node<'t>) -> Option<u32> {
    let own = reader.member(at).map_or(at, |(_, own)| own);
    if !matches!(at.kind_name(), "identifier" | "selector_expression") || !reader.is(own, USUAL) {
        return None;
    }
    // A package is none.
    let text = reader.text(at);
    let is_package = |(package, _): &&(&str, &[&str])| package.as_bytes() == text && text != b"mux";
    if at.kind_name() == "identifier" && MAKERS.iter().any(|row| is_package(&row)) {
        return None;
    }
    let made = reader.state(
        EntryKind::Router,
        (None, at),
        Methods::ANY,
        vec![],
        Reached::Nothing,
    )?;
    let within = match at.kind_name() {
        "identifier" => reader.enclosing(at, FUNCTIONS),
        _ => reader.enclosing(at, &[]),
    };
    reader.bind(text, within, made);
    Some(made)
}

/// A parameter whose type is that of a router: whoever calls the function gives it.
fn typed<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let Some(of) = node.field("type") else { return };
    let written = reader.text(of);
    let written = written.strip_prefix(b"*").unwrap_or(written);
    // `chi/v5` and the like go by other names.
    let is_router = TYPES.iter().any(|of| of.as_bytes() == written);
    if !is_router {
        return;
    }
    let list = node.parent();
    let function = list
        .and_then(|list| list.parent())
        .filter(|of| FUNCTIONS.contains(&of.kind_name()));
    let Some(function) = function else { return };
    // The receiver of a method is no parameter.
    if function
        .field("receiver")
        .is_some_and(|receiver| Some(receiver) == list)
    {
        return;
    }
    let names: Vec<Node<'t>> = node.named_fields("name");
    for name in names {
        // The literal of `r.Route("/x", func(r chi.Router) {})` was bound by the call.
        if reader.bound(reader.text(name), name).is_some() && function.kind_name() == "func_literal"
        {
            continue;
        }
        let reached = reader.symbol_of(function);
        let made = reader.state(
            EntryKind::Branch,
            (None, node),
            Methods::ANY,
            vec![],
            reached,
        );
        if let Some(made) = made {
            reader.bind(reader.text(name), function, made);
        }
    }
}

fn called<'t>(reader: &mut EntryReader<'t>, call: CallParts<'t>) {
    let arguments = call
        .arguments
        .map(|list| list.content())
        .unwrap_or_default();
    let name = reader.text(call.name);
    let Some(object) = call.object else {
        return passed(reader, call, &arguments);
    };
    let is_upper = name.len() > 2 && name.iter().all(u8::is_ascii_uppercase);
    let is_capital = name.first().is_some_and(u8::is_ascii_uppercase)
        && name.iter().skip(1).all(u8::is_ascii_lowercase);
    let verb = match name {
        b"Any" | b"All" => Some(Methods::ANY),
        name if is_upper || is_capital => Methods::named(name),
        _ => None,
    };
    match name {
        _ if verb.is_some() => {
            let [path, rest @ ..] = &arguments[..] else {
                return;
            };
            if rest.is_empty() || !is_path(reader, *path) {
                return;
            }
            let Some(on) = router(reader, object) else {
                return;
            };
            let is_echo = memchr::memmem::find(reader.src, b"labstack/echo").is_some();
            let handler = if is_echo { rest.first() } else { rest.last() };
            route(
                reader,
                (on, call.node),
                verb.unwrap_or_default(),
                *path,
                handler.copied(),
            );
        }
        b"HandleFunc" | b"Handle" | b"HandlerFunc" | b"Handler" | b"MethodFunc" | b"Method"
        | b"Add" | b"Match" => {
            handled(reader, call, object, &arguments);
        }
        b"Methods" => {
            let mut names = arguments.iter().filter_map(|of| method(reader, *of));
            if let Some(first) = names.next() {
                let all = names.fold(first, Methods::with);
                let mut inner = Some(reader.unwrapped(object));
                for _ in 0..8 {
                    let Some(of) = inner else { break };
                    reader.note_methods(of, all);
                    inner = reader.call(of).and_then(|call| call.object);
                }
            }
        }
        b"Route" | b"Group" => {
            let (path, function) = match &arguments[..] {
                [function] if reader.is_function(*function) => (None, *function),
                [path, function, ..] if reader.is_function(*function) => (Some(*path), *function),
                _ => return,
            };
            let Some(on) = router(reader, object) else {
                return;
            };
            let path = path.map_or(Vec::new(), |path| reader.path(path));
            let at = (Some(on), call.node);
            let made = reader.state(EntryKind::Router, at, Methods::ANY, path, Reached::Nothing);
            let parameter = function
                .field("parameters")
                .and_then(|list| list.named().next());
            match (made, parameter.and_then(|of| of.field("name"))) {
                (Some(made), Some(name)) => reader.bind(reader.text(name), function, made),
                // macaron's groups are given nothing.
                (Some(made), None) => reader.bind(reader.text(object), function, made),
                _ => {}
            }
        }
        b"Mount" => {
            if let [path, of] = &arguments[..]
                && let Some(on) = router(reader, object)
            {
                let (path, reached) = (reader.path(*path), mounted(reader, *of));
                reader.state(
                    EntryKind::Mount,
                    (Some(on), call.node),
                    Methods::ANY,
                    path,
                    reached,
                );
            }
        }
        b"AddCommand" => {
            let Some(on) = reader
                .bound(reader.text(object), object)
                .or_else(|| elsewhere(reader, object))
            else {
                return;
            };
            for of in arguments {
                let reached = mounted(reader, of);
                reader.state(
                    EntryKind::Mount,
                    (Some(on), of),
                    Methods::ANY,
                    vec![],
                    reached,
                );
            }
        }
        _ => passed(reader, call, &arguments),
    }
}

/// What is mounted: a name, or what a function gives.
fn mounted<'t>(reader: &EntryReader<'t>, of: Node<'t>) -> Reached {
    let of = reader.unwrapped(of);
    match reader.call(of) {
        Some(call) => place(call.name),
        None => reader.handler(of),
    }
}

/// A command of another file.
fn elsewhere<'t>(reader: &mut EntryReader<'t>, name: Node<'t>) -> Option<u32> {
    if !matches!(name.kind_name(), "identifier" | "selector_expression") {
        return None;
    }
    let own = reader.member(name).map_or(name, |(_, own)| own);
    let made = reader.state(
        EntryKind::Router,
        (None, name),
        Methods::ANY,
        vec![],
        place(own),
    )?;
    reader.bind(reader.text(name), reader.enclosing(name, FUNCTIONS), made);
    Some(made)
}

/// Whether an argument may be a path.
fn is_path(reader: &EntryReader<'_>, node: Node<'_>) -> bool {
    match reader.is_string(node) {
        true => matches!(reader.string(node).first(), None | Some(b'/' | b'*' | b':')),
        false => matches!(
            node.kind_name(),
            "identifier" | "selector_expression" | "binary_expression"
        ),
    }
}

/// `"GET"`, `http.MethodGet`.
fn method(reader: &EntryReader<'_>, node: Node<'_>) -> Option<Methods> {
    if reader.is_string(node) {
        return Methods::named(reader.string(node));
    }
    let (_, name) = reader.member(node)?;
    Methods::named(reader.text(name).strip_prefix(b"Method")?)
}

/// `HandleFunc("GET /x", f)`, `Handle("GET", "/x", f)`, `MethodFunc("GET", "/x", f)`.
fn handled<'t>(
    reader: &mut EntryReader<'t>,
    call: CallParts<'t>,
    object: Node<'t>,
    arguments: &[Node<'t>],
) {
    let (methods, path, handler) = match arguments {
        [path, handler] => (None, *path, *handler),
        [verb, path, .., handler] => match method(reader, *verb) {
            Some(methods) => (Some(methods), *path, *handler),
            None => return,
        },
        _ => return,
    };
    let text = reader.string(path);
    let is_known = reader.is_string(path)
        && (text.starts_with(b"/") || text.contains(&b'/') || text.is_empty());
    if !is_known
        && !matches!(
            path.kind_name(),
            "identifier" | "binary_expression" | "selector_expression"
        )
    {
        return;
    }
    // A call of `Handle` in Go is mostly another's.
    let on = match reader.is(object, &["http"]) {
        true => None,
        false => match router(reader, object) {
            Some(on) => Some(on),
            None => return,
        },
    };
    let said = reader.said_methods(call.node);
    let (spelt, of_text) = match reader.is_string(path) {
        true => pattern(reader, path),
        false => (reader.path(path), None),
    };
    let methods = methods.or(said).or(of_text).unwrap_or_default();
    let reached = reader.handler(handler);
    if reached == Reached::Nothing && handler.kind_name() != "composite_literal" {
        return;
    }
    reader.state(EntryKind::Route, (on, call.node), methods, spelt, reached);
}

/// The path and the method of `"GET example.com/x"`.
fn pattern(reader: &EntryReader<'_>, node: Node<'_>) -> (Vec<PathPart>, Option<Methods>) {
    let range = reader.within_quotes(node);
    let text = reader.string(node);
    let space = text.iter().position(|b| *b == b' ');
    let methods = space.and_then(|at| Methods::named(&text[..at]));
    let skipped = match (methods, space) {
        (Some(_), Some(at)) => at + 1,
        _ => 0,
    };
    let rest = &text[skipped..];
    let host = rest.iter().position(|b| *b == b'/').unwrap_or(0);
    let start = range.start + skipped + host;
    let path = PathPart {
        kind: PartKind::Text,
        range: start as u32..range.end.max(start) as u32,
    };
    (vec![path], methods)
}

fn route<'t>(
    reader: &mut EntryReader<'t>,
    (on, at): (u32, Node<'t>),
    methods: Methods,
    path: Node<'t>,
    handler: Option<Node<'t>>,
) {
    let reached = handler.map_or(Reached::Nothing, |of| reader.handler(of));
    let path = reader.path(path);
    reader.state(EntryKind::Route, (Some(on), at), methods, path, reached);
}

/// `users.Register(v1.Group("/users"))`: whoever is called has the router.
fn passed<'t>(reader: &mut EntryReader<'t>, call: CallParts<'t>, arguments: &[Node<'t>]) {
    for argument in arguments.iter().take(8) {
        let of = reader.unwrapped(*argument);
        let known = match reader.call(of) {
            Some(inner) if reader.is(inner.name, words!("Group Subrouter With")) => {
                router(reader, of)
            }
            Some(_) => None,
            None => reader.bound(reader.text(of), of),
        };
        if let Some(on) = known {
            let reached = place(call.name);
            reader.state(
                EntryKind::Mount,
                (Some(on), call.node),
                Methods::ANY,
                vec![],
                reached,
            );
            return;
        }
    }
}

/// `&cobra.Command{ Use: "serve", Run: run }`.
fn command<'t>(reader: &mut EntryReader<'t>, name: Node<'t>, literal: Node<'t>) {
    let of = literal.field("type");
    if !of.is_some_and(|of| reader.is(of, &["cobra.Command"])) {
        return;
    }
    let Some(body) = literal.field("body") else {
        return;
    };
    let (mut path, mut handler) = (Vec::new(), None);
    for element in body.all_of("keyed_element") {
        let (Some(key), Some(value)) = (element.named_child(0), element.named_child(1)) else {
            continue;
        };
        let value = reader.unwrapped(value);
        if reader.is(key, &["Use"]) && reader.is_string(value) {
            let range = reader.within_quotes(value);
            path = vec![PathPart {
                kind: PartKind::FirstWord,
                range: range.start as u32..range.end as u32,
            }];
        } else if reader.is(key, words!("Run RunE")) {
            handler = Some(value);
        }
    }
    let own = reader.member(name).map_or(name, |(_, own)| own);
    let reached = match reader.symbol(own) {
        Some(symbol) => Reached::Symbol(symbol),
        None => {
            let function =
                reader.enclosing(name, words!("function_declaration method_declaration"));
            reader.symbol_of(function)
        }
    };
    let made = reader.state(
        EntryKind::Router,
        (None, literal),
        Methods::ANY,
        path,
        reached,
    );
    let Some(made) = made else { return };
    let within = match reader.symbol(own) {
        Some(_) => reader.enclosing(name, &[]),
        None => reader.enclosing(name, FUNCTIONS),
    };
    reader.bind(reader.text(name), within, made);
    if let Some(handler) = handler {
        let reached = reader.handler(handler);
        reader.state(
            EntryKind::Command,
            (Some(made), literal),
            Methods::ANY,
            vec![],
            reached,
        );
    }
}
